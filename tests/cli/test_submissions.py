"""Bots that teams hand in: good ones in every language play, and hostile ones change nothing."""
import contextlib
import http.client
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tarfile
import tempfile
import time

import harness
import hostile_files
from bots import has_sandbox
from harness import ROOT, TURF, Skip, refused, turf
from hostile_files import GOOD, built, zipped
from web import LONG, Server

JAVASCRIPT = """const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { moves } = JSON.parse(line);
  if (moves) console.log(JSON.stringify({ move: moves[0] }));
});
"""
PROLOG = """:- use_module(library(http/json)).
:- initialization(main, main).
main :- read_line_to_string(user_input, Line), answer(Line).
answer(end_of_file) :- !.
answer(Line) :-
    atom_json_dict(Line, Question, []),
    ( get_dict(moves, Question, [Move|_])
    -> json_write_dict(current_output, _{move: Move}, [width(0)]), nl, flush_output ; true ),
    main.
"""
SCRIPT = "#!/bin/sh\nexec python3 lib/bot.py\n"


def folder_of(*names):
    """The files of folders of bots/, as an archive has them."""
    return [(os.path.basename(path), open(os.path.join(ROOT, "bots", path), "rb").read())
            for path in names]


def tarred(members, mode="w:gz", top=""):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, data in members:
            info = tarfile.TarInfo(top + name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


@contextlib.contextmanager
def contest():
    if not has_sandbox():
        raise Skip("there is no sandbox here")
    # where others may look in, as where a server of root has its files
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield hostile_files.Contest(folder)


def test_good_bots_in_every_language_are_taken_and_play():
    files = {
        "python": ("bot.py", GOOD, "/usr/bin/python3"),
        "helpers": ("bot.zip", zipped(*folder_of("python/example.py", "python/turf_bot.py"),
                                      with_bot=False), "/usr/bin/python3"),
        "script": ("bot.zip", zipped(("run", SCRIPT), ("lib/bot.py", GOOD), with_bot=False), None),
        "c": ("bot.tar.gz", tarred(folder_of("c/example.c", "c/turf_bot.h"), top="./"),
              "/usr/bin/gcc"),
        "cpp": ("bot.tar", tarred(folder_of("cpp/example.cpp", "cpp/turf_bot.hpp"), mode="w",
                                  top="my bot/"), "/usr/bin/g++"),
        "java": ("bot.zip", zipped(*folder_of("java/Example.java", "java/TurfBot.java"),
                                   with_bot=False), "/usr/bin/javac"),
        "javascript": ("bot.js", JAVASCRIPT.encode(), "/usr/bin/node"),
        "prolog": ("bot.pl", PROLOG.encode(), "/usr/bin/swipl"),
    }
    with contest() as cup:
        teams = [team for team, (_, _, tool) in files.items() if not tool or os.path.exists(tool)]
        for team in teams:
            submission = cup.hand_in(files[team][0], files[team][1], team)
            assert submission["status"] == "accepted", (team, submission)
            assert submission["version"] == 1, submission
            assert [step["status"] for step in submission["steps"]] == ["ok"] * 3, submission
        turf("league", "play", cup.cup, "-n", "24", "-q", timeout=300)
        rows = json.loads(turf("league", "table", cup.cup, "--json").out)["standings"]
        assert sorted(row["team"] for row in rows) == sorted(teams), rows
        assert not any(row["forfeits"] for row in rows if "forfeits" in row), rows
        cup.check_nothing_changed("good bots")


def test_hostile_files_change_nothing_and_each_gets_its_sentence():
    """Some of each kind; './do check-hostile' tries all."""
    with contest() as cup:
        assert cup.hand_in("bot.py", GOOD)["status"] == "accepted"
        for family in hostile_files.FAMILIES:
            light = [each for each in family() if not each.is_heavy]
            for hostile in light[::max(1, len(light) // 3)][:3]:
                cup.try_one(hostile)
        assert cup.hand_in("bot.py", GOOD)["status"] == "accepted"  # it goes on


def test_limits_of_building_hold():
    with contest() as cup:
        for script, says in (("f() { f | f & }; f; sleep 60", "it cannot be built"),
                             ("python3 -c 'x = bytearray(1 << 31); print(sum(x))'", "memory")):
            submission = cup.hand_in("bot.zip", built(script))
            assert says in submission["sentence"], submission
            cup.check_nothing_changed(script)


def test_what_fails_never_enters_and_the_last_good_version_plays_on():
    with contest() as cup:
        cup.hand_in("bot.py", GOOD)
        before = cup.bots()
        for data in (b"syntax error(", b"import sys; sys.exit(1)"):
            submission = cup.hand_in("bot.py", data)
            assert submission["status"] == "refused" and submission["version"] is None, submission
        assert cup.bots() == before
        assert cup.hand_in("bot.py", GOOD + b"#2")["version"] == 2
        turf("league", "add", cup.cup, "random", "-q")
        turf("league", "play", cup.cup, "-n", "4", "-q")
        with sqlite3.connect(cup.cup) as db:
            kept = db.execute("SELECT status, archive IS NULL FROM league_submissions").fetchall()
        db.close()
        assert kept == [("accepted", 0), ("refused", 1), ("refused", 1), ("accepted", 0)], kept


def test_files_of_versions_that_were_replaced_long_ago_are_removed():
    with contest() as cup:
        for version in range(3):
            assert cup.hand_in("bot.py", GOOD + b"#%d" % version)["status"] == "accepted"
        assert len(cup.bots()) == 3  # a round with them may still be played
        with sqlite3.connect(cup.cup) as db:
            db.execute("UPDATE league_versions SET retired=retired-7200 WHERE retired IS NOT NULL")
            db.execute("UPDATE league_versions SET created=created-7200")
        db.close()
        assert cup.hand_in("bot.py", GOOD + b"#4")["status"] == "accepted"
        assert [name.split("-")[0] for name in cup.bots()] == ["3", "4"], cup.bots()


def test_a_team_without_a_bot_has_a_line_in_the_grades():
    with tempfile.TemporaryDirectory() as folder:
        cup = os.path.join(folder, "cup.db")
        turf("league", "new", cup, "sw", "-q")
        turf("league", "invite", cup, "anna", "-q")
        head, row = turf("league", "table", cup, "--format", "csv").out.splitlines()
        row = dict(zip(head.split(","), row.split(","), strict=True))
        assert row["team"] == "anna" and row["versions"] == "0", row


def test_files_that_are_missing_are_built_again():
    with contest() as cup:
        cup.hand_in("bot.py", GOOD)
        turf("league", "add", cup.cup, "random", "-q")
        bots = cup.bots()
        shutil.rmtree(cup.cup + ".bots")
        turf("league", "play", cup.cup, "-n", "4", "-q")
        rows = json.loads(turf("league", "table", cup.cup, "--json").out)["standings"]
        assert cup.bots() == bots and not any(row.get("forfeits") for row in rows), rows


def test_without_a_sandbox_nothing_is_built_and_nothing_that_was_handed_in_plays():
    hidden = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap", "--"]
    with contest() as cup:
        assert cup.hand_in("bot.py", GOOD)["status"] == "accepted"
        turf("league", "add", cup.cup, "random", "-q")
        path = os.path.join(cup.folder, "bot.py")
        with open(path, "wb") as file:
            file.write(GOOD)
        for words, says in ((("submit", cup.cup, "bert", path), "in a sandbox only"),
                            (("play", cup.cup, "-n", "4"), "--sandbox require")):
            done = subprocess.run([*hidden, TURF, "league", *words], capture_output=True, text=True,
                                  timeout=LONG)
            assert done.returncode == 2 and says in done.stderr, done
        turf("league", "new", cup.cup + "2", "sw", "--sandbox", "off", "-q")
        refused("league", "submit", cup.cup + "2", "anna", path, saying="without a sandbox")


def test_mistakes_at_the_terminal_say_what_to_do():
    with contest() as cup:
        path = os.path.join(cup.folder, "big")
        with open(path, "wb") as file:
            file.write(bytes((5 << 20) + 1))
        refused("league", "submit", cup.cup, "anna", path, saying="at most 5 MiB")
        refused("league", "submit", cup.cup, "anna", cup.folder, saying="is a folder")
        refused("league", "submit", cup.cup, "anna", cup.folder + "/none", saying="cannot be read")
        refused("league", "submit", cup.cup, "anna v2", path, saying="another team")
        refused("league", "invite", cup.cup, "anna v2", saying="another team")
        refused("league", "submit", cup.cup, "anna", saying="too few arguments")
        refused("build-bot", saying="started by turf alone")
        with open(path, "wb"):
            pass
        refused("league", "submit", cup.cup, "anna", path, saying="empty")
        turf("league", "freeze", cup.cup)
        refused("league", "submit", cup.cup, "anna", path, saying="empty")


def test_an_invitation_replaces_the_one_before():
    with tempfile.TemporaryDirectory() as folder:
        cup = os.path.join(folder, "cup.db")
        turf("league", "new", cup, "sw", "-q")
        first = turf("league", "invite", cup, "anna", "--url", "http://host:1/").out
        second = turf("league", "invite", cup, "anna", "-q").out
        assert first.startswith("http://host:1/#/league/join/") and len(first) == 61, first
        assert second.startswith("/#/league/join/") and second[-33:] != first[-33:], second
        with sqlite3.connect(cup) as db:
            rows = db.execute("SELECT name, token_hash FROM league_teams").fetchall()
        db.close()
        assert len(rows) == 1 and len(rows[0][1]) == 64 and rows[0][1] not in second, rows


# ---- the server ----------------------------------------------------------------------------------


class League:
    """A server with a league, whose teams hand in bots."""

    def __init__(self, folder):
        self.file = os.path.join(folder, "games.db")
        turf("league", "new", self.file, "squirrel-war", "--move-cap", "2000", "-q")
        self.server = Server(folder)
        self.tokens = {}

    def invite(self, team):
        link = turf("league", "invite", self.file, team, "-q").out
        self.tokens[team] = link.strip().rsplit("/", 1)[1]

    def send(self, team, data, name="bot.py", status=202, token=None, **headers):
        headers = {"Content-Type": "application/octet-stream", **headers}
        answer = self.server.ask("POST", f"/api/league/teams/{team}/submissions?name={name}", data,
                                 token or self.tokens[team], headers, status)
        return answer.json.get("submission") or answer.json

    def look(self, team, number, **more):
        return self.server.get(f"/api/league/teams/{team}/submissions/{number}",
                               token=self.tokens[team], **more)

    def await_end(self, team, number, seen=None):
        for _ in range(100 * LONG):
            submission = self.look(team, number)["submission"]
            if seen is not None and submission["status"] not in seen:
                seen.append(submission["status"])
            if submission["status"] in ("accepted", "refused"):
                return submission
            time.sleep(0.01)
        raise AssertionError(submission)


@contextlib.contextmanager
def league():
    if not has_sandbox():
        raise Skip("there is no sandbox here")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = League(folder)
        try:
            yield made
        finally:
            status = made.server.end()
        assert status == 0, made.server.errors


def test_a_team_hands_in_a_bot_over_http_and_sees_each_step():
    with league() as cup:
        cup.invite("anna")
        seen = []
        slow = built("sleep 0.5", run="#!/bin/sh\nexec python3 bot.py\n")
        number = cup.send("anna", slow, "bot.zip")["id"]
        busy = cup.send("anna", GOOD, status=429)
        assert busy["error"] == "too-fast", busy
        submission = cup.await_end("anna", number, seen)
        assert submission["status"] == "accepted" and submission["version"] == 1, submission
        assert seen[-1] == "accepted" and "building" in seen, seen
        assert "it starts" in submission["steps"][2]["text"], submission
        number = cup.send("anna", b"1/0")["id"]
        submission = cup.await_end("anna", number)
        assert submission["status"] == "refused", submission
        assert "ZeroDivisionError" in submission["steps"][2]["text"], submission
        listed = cup.server.get("/api/league/teams/anna/submissions", token=cup.tokens["anna"])
        assert [each["status"] for each in listed["submissions"]] == ["refused", "accepted"]
        table = cup.server.get("/api/league")["table"]
        assert [(row["team"], row["version"]) for row in table] == [("anna", 1)], table


def test_without_a_token_a_file_is_not_even_read():
    with league() as cup:
        cup.invite("anna")
        connection = http.client.HTTPConnection("127.0.0.1", cup.server.port, timeout=60)
        connection.putrequest("POST", "/api/league/teams/anna/submissions?name=bot.py")
        connection.putheader("Content-Type", "application/octet-stream")
        connection.putheader("Content-Length", str(5 << 20))
        connection.endheaders()  # and nothing more
        assert connection.getresponse().status == 401
        connection.close()


def test_only_the_team_and_the_owner_hand_in_and_look():
    with league() as cup:
        cup.invite("anna")
        cup.invite("bert")
        number = cup.send("anna", GOOD)["id"]
        cup.await_end("anna", number)
        path = "/api/league/teams/anna/submissions"
        paths = (path, f"{path}/{number}")
        for path in paths:
            cup.server.refused("GET", path, 401, "no-token")
            cup.server.refused("GET", path, 403, "bad-token", token=cup.tokens["bert"])
            cup.server.refused("GET", path, 403, "bad-token", token="0" * 32)
            cup.server.get(path, token=cup.server.owner)
        cup.server.refused("GET", f"/api/league/teams/bert/submissions/{number}", 404, "not-found",
                           token=cup.tokens["bert"])
        for number in ("0", "-1", "x", "9" * 30, "1x"):
            cup.server.refused("GET", f"/api/league/teams/anna/submissions/{number}", 404,
                               "not-found", token=cup.tokens["anna"])
        assert cup.send("anna", GOOD, status=403, token=cup.tokens["bert"])["error"] == "bad-token"
        assert cup.send("none", GOOD, status=404, token=cup.server.owner)["error"] == "not-found"
        assert cup.send("anna", GOOD, status=202, token=cup.server.owner)["status"] == "waiting"
        cup.invite("bert")
        old = cup.tokens["bert"]
        cup.invite("bert")
        assert cup.send("bert", GOOD, status=403, token=old)["error"] == "bad-token"


def test_bodies_of_five_megabytes_are_taken_here_and_nowhere_else():
    with league() as cup:
        cup.invite("anna")
        too_many = {"Content-Length": str((5 << 20) + 1)}  # it is answered before the body comes
        assert cup.send("anna", b"", status=413, **too_many)["error"] == "too-large"
        cup.server.refused("POST", "/api/league/teams/anna/submissions", 415, "bad-type", body={},
                           token=cup.tokens["anna"])
        cup.server.refused("POST", "/api/league/teams/anna/invite", 415, "bad-type", body=b"x",
                           token=cup.server.owner,
                           headers={"Content-Type": "application/octet-stream"})
        number = cup.send("anna", bytes(5 << 20), "bot.bin")["id"]
        submission = cup.await_end("anna", number)
        assert submission["size"] == 5 << 20 and "no bot in it" in submission["sentence"]
        assert cup.send("anna", b"", status=400)["error"] == "bad-request"
        cup.server.refused("POST", "/api/start", 413, "too-large", body=b"x",
                           headers={"Content-Type": "application/json",
                                    "Content-Length": str(300 << 10)})


def test_a_kill_loses_nothing_and_enters_nothing_twice():
    with league() as cup:
        cup.invite("anna")
        slow = built("sleep 2", run="#!/bin/sh\nexec python3 bot.py\n")
        number = cup.send("anna", slow, "bot.zip")["id"]
        for kill in (signal.SIGKILL, signal.SIGTERM):
            while cup.look("anna", number)["submission"]["status"] != "building":
                time.sleep(0.01)
            cup.server.end(kill)
            cup.server.start()
        submission = cup.await_end("anna", number)
        assert submission["status"] == "accepted" and submission["version"] == 1, submission
        assert len(cup.server.get("/api/league")["table"]) == 1
        names = sorted(os.listdir(cup.file + ".bots"))
        assert len(names) == 2 and names[1] == "lock", names


def test_a_bot_that_ends_the_server_every_time_is_given_up():
    with league() as cup:
        cup.invite("anna")
        number = cup.send("anna", built("sleep 30"), "bot.zip")["id"]
        for _ in range(3):
            while cup.look("anna", number)["submission"]["status"] != "building":
                time.sleep(0.01)
            cup.server.end(signal.SIGKILL)
            with sqlite3.connect(cup.file) as db:
                db.execute("UPDATE league_submissions SET status='waiting'")
            db.close()
            cup.server.start()
        submission = cup.await_end("anna", number)
        assert "again and again" in submission["sentence"], submission


if __name__ == "__main__":
    harness.main()
