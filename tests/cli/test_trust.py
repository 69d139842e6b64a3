"""Databases made elsewhere: their bots are started only if the user agrees, and then in a sandbox,
whatever the plan says. Those of one's own are never in the way."""
import os
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time

import harness
from harness import TURF, Skip, open_terminal, turf
from web import Server

BOT = """import json, sys
try:
    open({mark!r}, "a").close()
except OSError:
    pass
for line in sys.stdin:
    print(json.dumps({{"move": json.loads(line)["moves"][0]}}), flush=True)
"""


class Place:
    """An unfinished run of a bot that leaves a mark when it is started."""

    def __init__(self, folder, user="maker", sandbox=("--sandbox", "off")):
        self.folder, self.mark, self.db = folder, f"{folder}/mark", f"{folder}/theirs.db"
        os.makedirs(f"{folder}/bot", exist_ok=True)
        with open(f"{folder}/bot/bot.py", "w", encoding="utf-8") as file:
            file.write(BOT.format(mark=self.mark))
        self.command = shlex.join([sys.executable, f"{folder}/bot/bot.py"])
        self.turf("match", "sw", f"x=bot:{self.command}", "random", "-n", "4", "-q", *sandbox,
                  user=user)
        with sqlite3.connect(self.db) as db:
            db.execute("UPDATE runs SET is_finished=0")
            db.execute("DELETE FROM games WHERE game>1")
        db.close()
        if os.path.exists(self.mark):
            os.remove(self.mark)

    def environment(self, user):
        return os.environ | {"XDG_STATE_HOME": f"{self.folder}/{user}"}

    def turf(self, *words, user="reader", **more):
        return turf(*words, "--db", self.db, env=self.environment(user), cwd=self.folder, **more)

    def was_started(self):
        return os.path.exists(self.mark)

    def n_games(self):
        with sqlite3.connect(self.db) as db:
            number = db.execute("SELECT count(*) FROM games").fetchone()[0]
        db.close()
        return number


def test_bots_of_a_strangers_database_are_shown_and_not_started():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        done = place.turf("resume", "1", status=2)
        assert place.command in done.err and "--trust" in done.err, done.err
        assert "--trust" in done.err.splitlines()[-1], done.err
        assert not place.was_started() and place.n_games() == 2


def test_own_runs_are_resumed_without_a_question():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        done = place.turf("resume", "1", "-q", user="maker")
        assert place.was_started() and place.n_games() == 4, done.err


def test_trust_does_not_take_the_sandbox_mode_of_the_plan():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        os.chmod(folder, 0o755)
        works = subprocess.run([TURF, "match", "sw", "bot:true", "random", "-n", "1", "-q", "--db",
                                "none", "--sandbox", "require"], capture_output=True, check=False)
        if b"bubblewrap" in works.stderr:
            line = place.turf("resume", "1", "--trust", "-q", status=2).err
            assert "--sandbox require" in line and not place.was_started(), line
            raise Skip("there is no sandbox here")
        place.turf("resume", "1", "--trust", "-q")
        assert not place.was_started() and place.n_games() == 4, "it ran without the sandbox"


def test_trust_with_sandbox_off_typed_here_runs_it_as_typed():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        place.turf("resume", "1", "--trust", "--sandbox", "off", "-q")
        assert place.was_started() and place.n_games() == 4


def test_changed_plan_is_a_strangers():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        with sqlite3.connect(place.db) as db:
            plan, = db.execute("SELECT plan FROM runs").fetchone()
            db.execute("UPDATE runs SET plan=?", (plan.replace("bot.py", "bot.py #"),))
        db.close()
        assert "--trust" in place.turf("resume", "1", user="maker", status=2).err
        assert not place.was_started()


def test_reading_commands_start_nothing():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        place.turf("report", "1", "-o", f"{folder}/page.html", "-q")
        place.turf("replay", "1")
        place.turf("export", "1", "-q")
        place.turf("runs")
        turf("merge", place.db, "-o", f"{folder}/merged.db", "-q", status=1,
             env=place.environment("reader"))
        assert not place.was_started()
        place.db = f"{folder}/merged.db"
        assert "--trust" in place.turf("resume", status=2).err, "merging makes nothing one's own"
        place.turf("resume", "-q", user="maker")


def test_server_starts_no_bot_of_a_stored_run():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        os.rename(place.db, f"{folder}/games.db")
        server = Server(folder)
        try:
            server.ask("POST", "/api/tournaments/1/resume", {})
            time.sleep(0.5)
            run = server.get("/api/tournaments/1")
            assert run["state"] != "running", run
        finally:
            server.end()
        assert not place.was_started()


def test_without_a_home_directory_runs_work_and_ask_for_trust():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        environment = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_STATE_HOME")}
        environment |= {"XDG_STATE_HOME": "/proc/nothing", "TURF_DB": place.db}
        bot = f"x=bot:{place.command}"
        turf("match", "sw", bot, "random", "-n", "1", "-q", "--sandbox", "off", env=environment)
        with sqlite3.connect(place.db) as db:
            db.execute("UPDATE runs SET is_finished=0 WHERE id=2")
            db.execute("DELETE FROM games WHERE run=2")
        db.close()
        assert "--trust" in turf("resume", "2", env=environment, status=2).err
        turf("resume", "2", "--trust", "--sandbox", "off", "-q", env=environment)


def test_secret_is_readable_by_its_user_alone():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        key = f"{folder}/maker/turf/key"
        assert stat.S_IMODE(os.stat(key).st_mode) == 0o600 and os.path.getsize(key) == 32
        assert os.listdir(os.path.dirname(key)) == ["key"]
        os.chmod(key, 0o644)  # whoever could read it could sign
        assert "--trust" in place.turf("resume", "1", user="maker", status=2).err


def test_runs_without_bots_need_no_trust_and_no_secret():
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_STATE_HOME": f"{folder}/state",
                                    "TURF_DB": f"{folder}/t.db"}
        turf("match", "sw", "random", "greedy", "-n", "4", "-q", env=environment)
        assert not os.path.exists(f"{folder}/state/turf/key")
        with sqlite3.connect(f"{folder}/t.db") as db:
            db.execute("UPDATE runs SET is_finished=0")
            db.execute("DELETE FROM chunks")
        db.close()
        turf("resume", "-q", env=environment | {"XDG_STATE_HOME": f"{folder}/other"})


def answer_at_terminal(place, answer):
    ours, theirs = open_terminal()
    with subprocess.Popen([TURF, "resume", "1", "--db", place.db, "--sandbox", "off"], stdin=theirs,
                          stdout=subprocess.DEVNULL, stderr=theirs,
                          env=place.environment("reader")) as process:
        os.close(theirs)
        text = b""
        while b"[y/N]" not in text:
            text += os.read(ours, 4096)
        assert place.command.encode() in text and not place.was_started(), text
        os.write(ours, answer)
        try:
            while os.read(ours, 4096):
                pass
        except OSError:  # they have closed it
            pass
        status = process.wait(60)
    os.close(ours)
    return status


def test_question_at_a_terminal_is_answered_with_yes_or_no():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        assert answer_at_terminal(place, b"\n") == 2 and not place.was_started()
        assert answer_at_terminal(place, b"y\n") == 0 and place.was_started()


def test_database_of_an_earlier_version_is_read_and_migrated():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        with sqlite3.connect(place.db) as db:
            newer = db.execute("SELECT name FROM sqlite_master WHERE type='table' AND"
                               " (name='signatures' OR name LIKE 'league%')").fetchall()
            assert len(newer) > 4
            for (table,) in newer:
                db.execute(f"DROP TABLE {table}")
            db.execute("PRAGMA user_version=2")
        db.close()
        shutil.copy(place.db, f"{folder}/old.db")
        place.turf("runs")
        place.turf("export", "1", "-q")
        turf("merge", f"{folder}/old.db", "-o", f"{folder}/merged.db", "-q", status=1)
        assert "--trust" in place.turf("resume", "1", user="maker", status=2).err
        place.turf("resume", "1", "--trust", "--sandbox", "off", "-q", user="maker")


harness.main()
