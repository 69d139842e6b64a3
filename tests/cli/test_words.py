"""Words from bots, databases and files are cleaned on their way to terminals, spreadsheets, pages
and logs: no control characters, no C1, none that turn the direction of writing, no formulas and no
markup."""
import csv
import io
import json
import os
import re
import shlex
import sys
import tempfile

import harness
import lies
from harness import turf

EVIL = "=HYPERLINK(\"http://x\")\x1b[31m\u009b2J\u202egnp.exe<script>&"
UNCLEAN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def database(folder, **columns):
    """A run whose words are not clean, in rows that fit together."""
    path = f"{folder}/evil.db"
    turf("match", "sw", "a=random", "b=greedy", "-n", "3", "--record", "3", "-q", "--db", path)
    with lies.changing(path) as db:
        plan = json.loads(db.execute("SELECT plan FROM runs").fetchone()[0])
        plan["entrants"][0] |= columns.get("entrant", {})
        plan |= columns.get("plan", {})
        text = json.dumps(plan, ensure_ascii=False)
        db.execute("UPDATE runs SET plan=?, plan_hash=?", (text, lies.hash_of(text.encode())))
        db.execute("UPDATE entrants SET name=?, spec=? WHERE entrant=0",
                   (plan["entrants"][0]["name"], plan["entrants"][0]["player"]))
        db.execute("UPDATE games SET forfeiter='second', ending='first', reason='crash', "
                   "explanation=?, last_words=?", (EVIL, EVIL + "\nmore"))
        db.execute("UPDATE runs SET version=?", (columns.get("version", "0.1"),))
    return path


def assert_clean(text):
    found = UNCLEAN.search(text)
    assert not found, (found, text[max(0, found.start() - 80):found.end() + 80])


def test_tables_pages_and_exports_are_clean():
    with tempfile.TemporaryDirectory() as folder:
        path = database(folder, entrant={"name": EVIL, "player": "random"},
                        plan={"schedule": "<script>alert(1)</script>\x1b"})
        for words in (["runs"], ["export", "--format", "md"], ["export", "--what", "standings",
                      "--format", "csv"], ["export"], ["export", "--what", "runs"], ["report"],
                      ["replay", "1"]):
            assert_clean(turf(*words, "--db", path).out.replace("\r\n", "\n"))
        page = turf("report", "--db", path).out
        assert "<script" not in page and "&lt;script&gt;" in page


def test_csv_cells_are_no_formulas_and_no_escape_sequences():
    with tempfile.TemporaryDirectory() as folder:
        out = turf("export", "--format", "csv", "-q", "--db", database(folder)).out
        assert_clean(out.replace("\r\n", "\n"))
        row = next(csv.DictReader(io.StringIO(out)))
        assert row["last_words"].startswith("'=") and row["last_words"].endswith("\nmore"), row
        assert row["explanation"].startswith("'=HYPERLINK"), row


def test_json_lines_are_clean_and_mean_the_same():
    with tempfile.TemporaryDirectory() as folder:
        out = turf("export", "-q", "--db", database(folder)).out
        assert_clean(out)
        assert json.loads(out.splitlines()[0])["explanation"] == EVIL


def test_errors_and_warnings_are_clean():
    with tempfile.TemporaryDirectory() as folder:
        path = database(folder, version=EVIL)
        with lies.changing(path) as db:
            db.execute("UPDATE runs SET is_finished=0")
        assert_clean(turf("resume", "--db", path, "-q").err)
        path = database(folder + "/", plan={"game": EVIL})
        with lies.changing(path) as db:
            db.execute("UPDATE runs SET game=?", (EVIL,))
        for words in (["report"], ["export"], ["resume"]):
            assert_clean(turf(*words, "--db", path, status=2).err)


LOUD = """import json, sys
sys.stderr.buffer.write({bytes!r})
sys.stderr.flush()
for line in sys.stdin:
    print(json.dumps({{"move": json.loads(line)["moves"][0]}}), flush=True)
"""


def log_of(folder, data, *options, n=1):
    """What the log of a bot has that writes these bytes to its standard error."""
    with open(f"{folder}/loud.py", "w", encoding="utf-8") as file:
        file.write(LOUD.format(bytes=data))
    turf("match", "sw", f"x=bot:{shlex.quote(sys.executable)} {folder}/loud.py", "random", "-n",
         str(n), "-q", "--db", "none", "--sandbox", "off", "--bot-logs", f"{folder}/logs", *options)
    with open(f"{folder}/logs/x.log", "rb") as file:
        return file.read()


def test_logs_of_bots_are_clean():
    with tempfile.TemporaryDirectory() as folder:
        text = log_of(folder, (EVIL + "\nüber\t\U0001f600\n").encode() + b"\x9b\xff\0").decode()
        assert_clean(text)
        assert "über\t\U0001f600\n" in text and "HYPERLINK" in text, text


def test_logs_of_bots_do_not_grow_beyond_their_limit():
    with tempfile.TemporaryDirectory() as folder:
        log = log_of(folder, b"y" * (3 << 19), "--bot-log-size", "1", n=4)
        assert 1 << 20 <= len(log) < (1 << 20) + 100, len(log)
        assert log.count(b"this log is full") == 1, "two threads filled it"
        again = log_of(folder, b"y" * 1000, "--bot-log-size", "1")
        assert again == log, "a full log grew"
        assert os.path.getsize(f"{folder}/logs/x.log") == len(log)


def test_record_files_and_their_names_are_shown_clean():
    record = {"game": "squirrel-war", "first": EVIL, "second": "b", "winner": EVIL, "outcome": EVIL,
              "forfeit": EVIL, "explanation": EVIL, "moves": []}
    with tempfile.TemporaryDirectory() as folder:
        path = database(folder)
        games = turf("export", "-q", "--db", path).out.splitlines()
        record["start"] = json.loads(games[0])["start"]
        with open(f"{folder}/game.jsonl", "w", encoding="utf-8") as file:
            json.dump(record, file, ensure_ascii=False)
        assert_clean(turf("replay", f"{folder}/game.jsonl").out)


harness.main()
