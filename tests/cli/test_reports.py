"""Standings, SPRT, lists of runs, exports, the page of charts, and replays."""
import contextlib
import csv
import html.parser
import io
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import harness
from harness import TURF, refused, turf
from screen import Screen
import slow_wol
from talk import boards

NASTY = 'a <b>&"co"'


class Runs:
    """A folder with a database in it."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.db = os.path.join(self.folder.name, "games.db")
        return self

    def __exit__(self, *why):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def turf(self, *args, **more):
        return turf(*args, "--db", self.db, **more)

    def rows(self, *args):
        return [json.loads(line) for line in self.turf("export", *args, "--quiet").out.splitlines()]


# ---- standings ----------------------------------------------------------------------------------


def test_no_figure_is_minus_zero_or_a_rounding_error():
    with Runs() as runs:
        for seed in range(1, 6):
            runs.turf("tournament", "sw", "random", "b=random", "c=random", "-n", "40", "-q",
                      "--seed", str(seed))
            outs = [runs.turf(*args).out for args in (
                ("resume", str(seed), "--no-times"), ("resume", str(seed), "--json", "--no-times"),
                ("report", "-o", "-", "--no-times"), ("export", "--what", "standings"))]
            assert outs[2].startswith("<!doctype html>"), outs[2][:100]  # - is standard output
            for out in outs:
                found = re.findall(r"\W-0(?:\.0*)?(?![\d.])|\de-(?:0?[7-9]|[1-9]\d)", out)
                assert not found, found
        assert "Test of 0 against 10 Elo" in turf("match", "sw", "random", "b=random", "-n", "4",
                                                  "--swap", "--sprt=-0,10", "-q").out


def test_ratings_have_mean_0_and_the_order_of_the_scores():
    result = json.loads(turf("tournament", "wol", "-n", "60", "--json", "--db", "none").out)
    standings = result["standings"]
    assert abs(sum(s["elo"] for s in standings)) < 1e-6
    for above, below in zip(standings, standings[1:]):
        assert above["elo"] > below["elo"] and above["score"] > below["score"]
        assert 0.5 <= above["superiority"] <= 1
    for s in standings:
        assert s["elo_interval"][0] < s["elo"] < s["elo_interval"][1]
        assert sum(s["draws"].values()) == s["drawn"] and s["forfeits"] == {}
    assert standings[-1]["superiority"] is None
    assert result["fit"]["first_player_interval"][0] < result["fit"]["first_player_elo"]


def rated(*players):
    args = ["tournament", "squirrel-war", *players, "-n", "20", "--db", "none", "--quiet"]
    result = json.loads(turf(*args, "--json").out)
    return result["fit"], {
        each["player"]: (each["elo"], each["elo_interval"])
        for each in result["standings"]
    }, turf(*args).out


def test_player_that_only_forfeits_does_not_change_the_ratings_of_the_others():
    players = ["random", "greedy", "bloodlust", "self-preservation"]
    fit, ratings, _ = rated(*players)
    other_fit, others, text = rated(*players, "quitter=bot:false")
    assert other_fit == fit, "moving first is worth the same"
    assert others.pop("quitter") == (None, [None, None])
    assert others == ratings
    assert re.search(r"^ +quitter .* only forfeits$", text, re.MULTILINE), text
    assert "Not rated: quitter (every game ended by a forfeit)." in text
    assert not re.search(r"\b(nan|inf)\b", text)


def test_player_that_loses_every_game_is_listed_apart():
    args = ["tournament", "bg", "dummy", "random", "self-preservation", "land-grab", "-n", "4",
            "--start", "12x12", "--db", "none", "--quiet"]
    standings = json.loads(turf(*args, "--json").out)["standings"]
    assert [each["unrated"] for each in standings] == [None, None, None, "lost every game"]
    assert standings[-1]["player"] == "dummy" and standings[-1]["elo"] is None
    assert all(None not in each["elo_interval"] for each in standings[:2])
    assert "Not rated: dummy (lost every game)." in turf(*args).out


def test_cross_table_adds_up():
    lines = turf("tournament", "wol", "random", "bloodlust", "land-grab", "-n", "30", "--db",
                 "none").out.splitlines()
    heading = "Score in percent of each row's player against each column's:"
    rows = [line.split() for line in lines[lines.index(heading) + 4:]]
    assert len(rows) == 3
    for i, row in enumerate(rows):
        assert row[2 + i] == "-"
        for j in range(i):
            assert abs(float(row[2 + j]) + float(rows[j][2 + i]) - 100) < 0.11


# ---- matches and tests --------------------------------------------------------------------------


def test_match_prints_elo_difference_and_superiority():
    result = json.loads(turf("match", "wol", "land-grab", "random", "-n", "200", "--json", "--db",
                             "none").out)
    low, high = result["intervals"]["elo"]
    assert 100 < low < result["elo"] < high < 1000 and result["superiority"] > 0.999
    lost = json.loads(turf("match", "wol", "bot:false", "random", "-n", "5", "--json", "--db",
                           "none", "--quiet").out)
    assert lost["elo"] is None and lost["intervals"]["elo"][0] is None
    assert lost["intervals"]["elo"][1] < 0
    text = turf("match", "wol", "bot:false", "random", "-n", "5", "--db", "none", "--quiet").out
    assert re.search(r"Elo difference, moving first +unknown +-\d+ or less", text), text
    text = turf("match", "wol", "bloodlust", "bloodlust", "-n", "2", "--swap", "--db", "none",
                "--quiet").out
    assert re.search(r"Elo difference +[+]0[.]0 ", text), text


SPRT = ["match", "wol", "bloodlust:ties=random", "bloodlust", "--sprt", "-15,15", "--swap",
        "--no-times", "--quiet"]


def test_sprt_ends_the_match_and_does_not_depend_on_thread_count():
    results = {turf(*SPRT, "--jobs", jobs, "--db", "none").out for jobs in ("1", "2", "5")}
    assert len(results) == 1
    result = json.loads(turf(*SPRT, "--json", "--db", "none").out)
    test = result["sprt"]
    assert test["state"] in ("elo0", "elo1") and result["games"] < 100000
    assert result["games"] % 2 == 0
    low, high = test["bounds"]
    assert test["llr"] >= high if test["state"] == "elo1" else test["llr"] <= low


def test_sprt_without_swapped_sides_counts_single_games():
    result = json.loads(turf("match", "wol", "minimax", "random", "--sprt", "0,100", "--json",
                             "--db", "none").out)
    assert result["games"] == 64 and result["sprt"]["state"] == "elo1"


def test_sprt_that_runs_out_of_games_is_not_settled():
    args = ["match", "wol", "random", "random", "--sprt", "-1,1", "-n", "100", "--swap", "--db",
            "none"]
    assert json.loads(turf(*args, "--json").out)["sprt"]["state"] == "open"
    assert "not settled" in turf(*args).out


def test_sprt_that_is_killed_and_resumed_has_the_same_result():
    whole = turf(*SPRT, "--db", "none").out
    with Runs() as runs:
        begun = False
        for delay in (0.05, 0.1, 0.15, 0.2, 0.3):
            args = ["resume", "1", "--no-times", "--quiet"] if begun else SPRT
            process = subprocess.Popen([TURF, *args, "--db", runs.db], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            listed = subprocess.run([TURF, "runs", "--json", "--db", runs.db], capture_output=True,
                                    text=True)
            begun = begun or listed.stdout.startswith("[{")
        out = turf(*(["resume", "1", "--no-times", "--quiet"] if begun else SPRT), "--db",
                   runs.db).out
        assert out == whole
        (run,) = runs.rows("--what", "runs")
        assert run["finished"] and run["games"] == run["planned"]


def test_malformed_sprt_is_rejected():
    for text in ("5", "5,0", "0,5,0.6,0.05", "zero,one"):
        refused("match", "wol", "random", "random", "--sprt", text, saying="--sprt")
    refused("match", "wol", "random", "random", "--sprt", "0,5", "--shard", "1/2", saying="shards")


# ---- exports ------------------------------------------------------------------------------------


def test_runs_are_listed_with_their_progress():
    with Runs() as runs:
        refused("runs", "--db", runs.db, saying="no database")
        runs.turf("match", "wol", "random", "land-grab", "-n", "30", "--quiet")
        runs.turf("tournament", "sw", "random", "land-grab", "-n", "5", "--quiet")
        lines = [line.split() for line in runs.turf("runs").out.splitlines()[2:]]
        assert [[l[0], *l[3:]] for l in lines] == [["1", "war-of-life", "match", "2", "30", "30"],
                                                   ["2", "squirrel-war", "round-robin", "2", "20",
                                                    "20"]]
        assert [r["run"] for r in json.loads(runs.turf("runs", "--json").out)] == [1, 2]


def test_export_formats_agree():
    with Runs() as runs:
        runs.turf("tournament", "wol", NASTY + "=random", "land-grab", "-n", "12", "--record", "3",
                  "--quiet")
        for what in ("games", "standings", "pairings", "runs"):
            rows = runs.rows("--what", what)
            table = list(csv.DictReader(io.StringIO(runs.turf("export", "--what", what, "--format",
                                                              "csv", "-q").out, newline="")))
            assert len(rows) == len(table) == {"games": 12, "standings": 2, "pairings": 4,
                                               "runs": 1}[what]
            for row, cells in zip(rows, table):
                assert list(row) == list(cells)
                for key, value in row.items():
                    text = cells[key]
                    assert (text == value if isinstance(value, str) else
                            text == ""
                            if value is None else json.loads(text) == value), (key, value, text)
            markdown = runs.turf("export", "--what", what, "--format", "md", "-q").out.splitlines()
            assert len(markdown) == len(rows) + 2
            assert len({line.count("|") for line in markdown}) == 1


def test_export_takes_its_format_from_the_file_name():
    with Runs() as runs:
        runs.turf("match", "wol", "random", "land-grab", "-n", "10", "--record", "10", "--quiet")
        for name, begin in (("games.csv", "id,run"), ("games.md", "|"), ("games.jsonl", "{"),
                            ("games", "{")):
            assert runs.turf("export", "-o", runs.path(name), "--quiet").out == ""
            with open(runs.path(name)) as file:
                assert file.read().startswith(begin), name


def test_pairings_count_every_game_by_side():
    with Runs() as runs:
        result = json.loads(runs.turf("match", "wol", "land-grab", "bloodlust", "-n", "100",
                                      "--swap", "--json").out)
        rows = runs.rows("--what", "pairings")
        assert [(r["first"], r["second"], r["games"])
                for r in rows] == [("land-grab", "bloodlust", 50), ("bloodlust", "land-grab", 50)]
        assert rows[0]["won_by_first"] + rows[1]["won_by_second"] == result["wins"][0]
        assert rows[1]["won_by_first"] + rows[0]["won_by_second"] == result["wins"][1]


def test_impossible_exports_are_rejected():
    with Runs() as runs:
        runs.turf("match", "wol", "random", "land-grab", "-n", "10", "--quiet")
        refused("export", "--db", runs.db, "--format", "xml", saying="csv, jsonl or md")
        refused("export", "--db", runs.db, "--what", "dreams",
                saying="games, standings, pairings or runs")
        refused("export", "7", "--db", runs.db, saying="7")
        refused("export", "seven", "--db", runs.db, saying=["seven", "turf runs"])
        refused("report", "--db", runs.path("nothing.db"), saying="no database")
        refused("report", "--db", "none", saying="name a database")


# ---- the page -----------------------------------------------------------------------------------


class Balance(html.parser.HTMLParser):
    """Every tag that is opened is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        self.text.append(data)


def page_of(runs, *args):
    page = runs.turf("report", *args).out
    assert page.startswith("<!doctype html>") and page.endswith("</html>\n")
    assert "http" not in page and "<script" not in page and "url(" not in page
    assert not re.search(r"[\">\s-](nan|inf)\b", page)
    balance = Balance()
    balance.feed(page)
    assert balance.open == [], balance.open
    pictures = [xml.etree.ElementTree.fromstring(svg)
                for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    for picture in pictures:
        width, height = [float(n) for n in picture.get("viewBox").split()[2:]]
        assert picture.get("aria-label")
        for shape in picture:
            x = float(shape.get("x") or shape.get("cx") or shape.get("x1") or 0)
            y = float(shape.get("y") or shape.get("cy") or shape.get("y1") or 0)
            assert -1 <= x <= width + 1, (picture.get("aria-label"), shape.attrib)
            assert -1 <= y <= height + 1, (picture.get("aria-label"), shape.attrib)
    return page, pictures, "".join(balance.text)


def test_page_is_well_formed_and_complete():
    with Runs() as runs:
        runs.turf("tournament", "wol", NASTY + "=random", "quitter=bot:false", "bloodlust", "-n",
                  "8", "--quiet")
        page, pictures, text = page_of(runs)
        labels = [picture.get("aria-label") for picture in pictures]
        for word in ("Ratings", "Cross table", "Score of each player over", "first and as second",
                     "engths", "Forfeits"):
            assert any(word in label for label in labels), (word, labels)
        assert NASTY in text and NASTY not in page
        assert "prefers-color-scheme:dark" in page and "crash" in text
        cross = next(p for p in pictures if "Cross" in p.get("aria-label"))
        titles = [title.text for title in cross.iter("title")]
        assert len([t for t in titles if " against " in t]) == 6, titles


def test_page_works_for_2_and_40_players_and_without_games():
    with Runs() as runs:
        runs.turf("match", "sw", "random", "land-grab", "-n", "3", "--quiet")
        page_of(runs)
        runs.turf("tournament", "sw", *[f"player-{i:02}=random" for i in range(40)], "-n", "1",
                  "--quiet")
        _, pictures, text = page_of(runs)
        assert "player-39" in text
        runs.turf("match", "bg", "settler", "dummy", "-n", "1", "--start", "8x8", "--record", "1",
                  "--quiet")
        assert "Being player 1" in page_of(runs)[2] or "being player 1" in page_of(runs)[2]


def test_every_forfeit_reason_has_a_colour_and_a_key():
    reasons = ["timeout", "crash", "disconnected", "illegal", "garbage", "flood", "memory"]
    with Runs() as runs:
        runs.turf("match", "sw", "quitter=bot:false", "random", "-n", "7", "--quiet")
        with contextlib.closing(sqlite3.connect(runs.db)) as db, db:
            for number, reason in enumerate(reasons):
                db.execute("UPDATE games SET reason = ? WHERE game = ?", (reason, number))
        page, pictures, _ = page_of(runs)
        (chart,) = [p for p in pictures if "Forfeits" in p.get("aria-label")]
        assert [t.text for t in chart if t.text in reasons] == reasons
        kinds = {shape.get("class").split()[1] for shape in chart
                 if "kind" in (shape.get("class") or "")}
        assert len(kinds) == len(reasons)
        colours = dict(re.findall(r"\.(k\d)\{fill:(.*?)\}", page))
        assert set(colours) == kinds and len(set(colours.values())) == len(kinds), colours
        width = float(chart.get("viewBox").split()[2])
        assert all(float(t.get("x")) + 60 < width for t in chart if t.text in reasons)


def test_leader_with_a_non_ascii_name_is_shown_in_full():
    name = "a" + 15 * "é"
    with Runs() as runs:
        runs.turf("match", "sw", name + "=minimax", "random", "-n", "5", "--quiet")
        page = page_of(runs)[0]
        assert f"<b>{name}</b><span>leads" in page, re.findall("<b>.*?</b><span>leads", page)
        page.encode()


def test_finished_shard_is_not_called_unfinished():
    with Runs() as runs:
        runs.turf("tournament", "wol", "random", "bloodlust", "-n", "100", "--shard", "1/4",
                  "--quiet")
        _, _, text = page_of(runs)
        assert "Interim" not in text and "shard 1 of 4" in text
        row = runs.turf("runs").out.splitlines()[2]
        assert row.endswith(" 100  100  shard 1 of 4"), row
        (listed,) = json.loads(runs.turf("runs", "--json").out)
        assert (listed["games"], listed["planned"], listed["finished"]) == (100, 100, True)
        assert (listed["shard"], listed["shards"]) == (1, 4)
        with contextlib.closing(sqlite3.connect(runs.db)) as db, db:  # as if it had ended early
            db.execute("UPDATE runs SET is_finished = 0")
        assert "Interim: 100 games of shard 1 of 4" in page_of(runs)[2]
        assert runs.turf("runs").out.splitlines()[2].endswith(" 100  400  shard 1 of 4, unfinished")


def test_page_of_an_sprt_shows_its_llr():
    with Runs() as runs:
        runs.turf(*SPRT)
        _, pictures, text = page_of(runs)
        (chart,) = [p for p in pictures if "Log-likelihood" in p.get("aria-label")]
        assert len(list(chart.iter("circle"))) > 1 and "Settled: elo" in text
        assert "Interim" not in text


def test_page_without_times_depends_on_the_plan_alone():
    pages = []
    for jobs in ("1", "3"):
        with Runs() as runs:
            runs.turf("tournament", "wol", "random", "bloodlust", "land-grab", "-n", "40", "-j",
                      jobs, "--quiet")
            runs.turf("report", "--no-times", "--quiet", "-o", runs.path("page.html"))
            with open(runs.path("page.html")) as file:
                pages.append(file.read())
    assert pages[0] == pages[1]


# ---- replays ------------------------------------------------------------------------------------


def test_replay_in_a_pipe_agrees_with_the_slow_rules():
    with Runs() as runs:
        runs.turf("match", "wol", "random", "land-grab", "-n", "4", "--record", "4", "--quiet")
        record = runs.rows()[2]
        out = runs.turf("replay", str(record["id"])).out
        board = record["start"]["board"]
        shown = boards(out)
        assert shown[0] == board and len(shown) == 1 + 2 * record["length"]
        for i, move in enumerate(record["moves"]):
            slid, board = slow_wol.slide(board, move), slow_wol.play(board, move)
            assert shown[1 + 2 * i:3 + 2 * i] == [slid, board], i
        assert f"Move {record['length']} of {record['length']}" in out
        assert "The game is over: " in out
        with open(runs.path("one.jsonl"), "w") as file:
            file.write(json.dumps(record))
        assert turf("replay", runs.path("one.jsonl")).out == out


def test_every_game_can_be_replayed():
    with Runs() as runs:
        for game, players in (("wol", ["random"] * 2), ("aw", ["random"] * 2),
                              ("sw", ["random"] * 2), ("bg", ["settler", "dummy"])):
            more = ["--start", "8x8"] if game == "bg" else []
            runs.turf("match", game, *players, "-n", "1", "--record", "1", "--quiet", *more)
            out = runs.turf("replay").out
            (record,) = runs.rows()
            assert out.count("\nMove ") == record["length"] + 1 and "The game is over: " in out


def test_last_game_is_the_default_and_a_forfeit_is_explained():
    with Runs() as runs:
        runs.turf("match", "wol", "random", "quitter=bot:false", "-n", "2", "--quiet")
        out = runs.turf("replay").out
        assert "(game 2)" in out and "forfeited: crash" in out


def test_impossible_replays_are_rejected():
    with Runs() as runs:
        runs.turf("match", "wol", "random", "random", "-n", "5", "--quiet")
        refused("replay", "--db", runs.db, saying="--record")
        for number in ("77", "0"):
            refused("replay", number, "--db", runs.db, saying=f"no game {number}")
        refused("replay", "nowhere.jsonl", saying="nowhere.jsonl")
        refused("replay", runs.folder.name, saying=["cannot be read", "directory"])
        for text, word in (("not json", "line 1"), ("{}", "not a recorded game"), ("", "no game")):
            with open(runs.path("bad.jsonl"), "w") as file:
                file.write(text)
            refused("replay", runs.path("bad.jsonl"), saying=word)
        runs.turf("match", "wol", "random", "land-grab", "-n", "1", "--record", "1", "--quiet")
        (record,) = runs.rows()
        record["moves"][0] = [1, 1, 8, 8]
        with open(runs.path("bad.jsonl"), "w") as file:
            file.write(json.dumps(record))
        refused("replay", runs.path("bad.jsonl"), saying="move 1")


def test_control_characters_in_a_record_do_not_reach_the_terminal():
    with Runs() as runs:
        runs.turf("match", "wol", "random", "land-grab", "-n", "1", "--record", "1", "--quiet")
        (record,) = runs.rows()
        record["winner"] = record["first"] = "\x1b[31mred\x07"
        with open(runs.path("loud.jsonl"), "w") as file:
            file.write(json.dumps(record))
        out = turf("replay", runs.path("loud.jsonl")).out
        assert "?[31mred? is blue" in out and "\x1b" not in out and "\x07" not in out


def test_keys_step_through_a_game_at_a_terminal():
    with Runs() as runs:
        runs.turf("match", "wol", "random", "land-grab", "-n", "2", "--record", "2", "--seed", "3",
                  "--quiet")
        records = runs.rows()
        length = records[0]["length"]
        runs.turf("export", "-o", runs.path("games.jsonl"), "--quiet")
        screen = Screen("replay", runs.path("games.jsonl"), rows=24, columns=100)
        try:
            def press(*keys, shows):
                screen.type("", *keys)
                begin = time.monotonic()
                while not (shows in (text := screen.text()) and "q quit" in text):
                    assert time.monotonic() - begin < 10, f"no {shows!r} after {keys}:\n{text}"
                    time.sleep(0.02)
                return text

            assert "J back  K forward" in press("Home", shows=f"Move 0 of {length}: the start")
            assert boards(screen.text())[0] == records[0]["start"]["board"]
            assert "blue (random) moved" in press("k", shows=f"Move 1 of {length}")
            press("K", shows=f"Move 2 of {length}")
            press("Right", shows=f"Move 3 of {length}")
            press("Left", shows=f"Move 2 of {length}")
            press("j", shows=f"Move 1 of {length}")
            press("J", shows=f"Move 0 of {length}")
            press("J", shows=f"Move 0 of {length}")
            assert "The game is over" in press("End", shows=f"Move {length} of {length}")
            press("n", shows=f"Move 0 of {records[1]['length']}: the start")
            assert "2 of 2" in screen.text()
            press("p", shows="1 of 2")
            screen.type("", "q")
            left = screen.wait("status 0")
            assert "Move" not in left and "q quit" not in left, left
        finally:
            screen.close()


def test_ctrl_z_and_signals_restore_the_terminal():
    with Runs() as runs:
        runs.turf("match", "wol", "random", "land-grab", "-n", "1", "--record", "1", "--quiet")
        screen = Screen("-i", rows=24, columns=100, program="/bin/sh")
        try:
            def shows(*words, lacks="nothing"):
                begin = time.monotonic()
                while not all(word in (text := screen.text()) for word in words) or lacks in text:
                    assert time.monotonic() - begin < 20, f"no {words!r} in:\n{text}"
                    time.sleep(0.02)

            number = os.path.join(os.path.dirname(runs.db), "number")
            screen.type(shlex.join(["sh", "-c", 'echo $$ > "$1"; exec "$2" replay --db "$3"', "sh",
                                    number, TURF, runs.db]))
            shows("q quit", "Move 0 of")
            screen.type("", "k")
            shows("q quit", "Move 1 of")
            screen.type("", "C-z")
            shows("Stopped", lacks="q quit")
            screen.type("echo $((40 + 2)); fg")
            shows("q quit", "Move 1 of")
            with open(number, encoding="ascii") as file:
                os.kill(int(file.read()), signal.SIGTSTP)
            shows("Stopped", "42", lacks="q quit")
            screen.type("echo $((50 + 2)); fg")
            shows("q quit", "Move 1 of")
            screen.type("", "k")
            shows("q quit", "Move 2 of")
            screen.type("", "q")
            shows("Stopped", "52", lacks="q quit")
        finally:
            screen.close()


def test_board_higher_than_the_terminal_is_scrolled():
    with Runs() as runs:
        runs.turf("match", "wol", "random", "land-grab", "-n", "1", "--record", "1", "--quiet")
        screen = Screen("replay", "--db", runs.db, rows=9, columns=80)
        try:
            screen.wait("q quit")
            assert "War of Life: " in screen.text() and "  8 " not in screen.text()
            for _ in range(10):
                screen.type("", "Down")
            begin = time.monotonic()
            while "  8 " not in screen.text():
                assert time.monotonic() - begin < 10, screen.text()
                time.sleep(0.02)
            screen.tmux("resize-window", "-x", "80", "-y", "30")  # and now it fits
            screen.wait("q quit")
            begin = time.monotonic()
            while not ("War of Life: " in screen.text() and "  8 " in screen.text()):
                assert time.monotonic() - begin < 10, screen.text()
                time.sleep(0.02)
            screen.type("", "C-c")
            screen.wait("status 0")
        finally:
            screen.close()


def test_csv_holds_no_formulas_and_no_control_characters():
    words = "=HYPERLINK(1) \x1b[31m \u202e \x9b"
    code = f"import sys; print({words!r}, file=sys.stderr); sys.exit(3)"
    bot = "x=bot:" + shlex.join([sys.executable, "-c", code])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "turf.db")
        turf("match", "sw", bot, "random", "-n", "1", "-q", "--sandbox", "off", "--db", path)
        out = turf("export", "--format", "csv", "--db", path, "-q").out
        assert "'=HYPERLINK(1)" in out, out
        assert not any(c in out for c in "\x1b\u202e\x9b"), out


harness.main()
