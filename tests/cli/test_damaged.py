"""Databases that lie: whatever a row holds, turf ends in order, says what is wrong in one line, and
overwrites nothing. TURF_MUTATIONS says how many random changes are tried."""
import contextlib
import os
import random
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import harness
from harness import TURF, turf

N_MUTATIONS = int(os.environ.get("TURF_MUTATIONS", "25"))
CRASH = "import sys; sys.stdin.readline(); sys.exit(3)"

VALUES = [-1, 0, 1, 2, 4294967296, 2**63 - 1, -(2**63), 10**12, 0.5, float("inf"), "", "x", "draw",
          "first", "[]", "{}", "[[1,2,3,4]]", b"\x00\xff", "\x1b[31m", "9" * 400, None]

# What turned out badly before: a heap overflow, a division by zero, a wild write, no end.
KNOWN = [("pairings", "round", 4294967296), ("pairings", "n_games", 0), ("pairings", "n_games", -1),
         ("runs", "n_shards", 0), ("games", "forfeiter", "draw"), ("chunks", "drawn", -300000),
         ("chunks", "n_games", -1), ("chunks", "first_game", 2**62), ("games", "pairing", 77),
         ("pairings", "first", 5), ("games", "ending", "x"), ("chunks", "n_counted", 10**15)]


@contextlib.contextmanager
def changing(path):
    """A connection whose changes are in the file itself afterwards, and not beside it."""
    db = sqlite3.connect(path)
    try:
        yield db
        db.commit()
    finally:
        db.close()


def make_database(folder):
    path = f"{folder}/turf.db"
    bot = "x=bot:" + shlex.join([sys.executable, "-c", CRASH])
    turf("match", "sw", "random", "greedy", "-n", "40", "--record", "3", "--swap", "-q",
         "--db", path)
    turf("match", "sw", bot, "random", "-n", "4", "-q", "--db", path, "--sandbox", "off")
    turf("tournament", "sw", "random", "greedy", "bloodlust", "-n", "2", "--schedule", "swiss",
         "-q", "--db", path)
    with changing(path) as db:
        db.execute("UPDATE runs SET is_finished=0")
        db.execute("DELETE FROM games WHERE run=2 AND game=3")  # so that there is one to play
    return path


def change(path, table, column, value, row=None):
    """Puts a value into one row, or all of them; the schema has no word in it."""
    with changing(path) as db:
        db.execute("PRAGMA ignore_check_constraints=1")
        where = ""
        if row is not None:
            key = "run" if table in ("entrants", "pairings", "chunks") else "id"
            keys = [k for k, in db.execute(f"SELECT DISTINCT {key} FROM {table}")]
            where = f" WHERE {key}={row.choice(keys)}"
        try:
            db.execute(f"UPDATE OR IGNORE {table} SET {column}=?{where}", (value,))
        except sqlite3.Error:
            return False
    return True


def copy(original):
    """A copy without companions of an earlier one."""
    path = os.path.dirname(original) + "/lie.db"
    for companion in ("", "-wal", "-shm"):
        if os.path.exists(path + companion):
            os.remove(path + companion)
    shutil.copy(original, path)
    return path


def commands(path, run):
    yield ["runs", "--db", path]
    yield ["report", str(run), "--db", path, "-o", path + ".html", "-q"]
    yield ["export", str(run), "--db", path, "-q"]
    yield ["export", str(run), "--what", "standings", "--db", path, "-q"]
    yield ["replay", "1", "--db", path]
    yield ["resume", str(run), "--db", path, "-q"]


def try_all(path, what):
    """Every command ends by itself with a known status; an error is one line. True if one did."""
    found = False
    for run in (1, 2, 3):
        for command in commands(path, run):
            done = subprocess.run([TURF, *command], capture_output=True, timeout=120, check=False,
                                  stdin=subprocess.DEVNULL)
            # 130: a run that says it is finished, and is not.
            assert done.returncode in (0, 1, 2, 130), (what, command, done)
            errors = done.stderr.decode("utf-8", "replace")
            assert "Sanitizer" not in errors, (what, command, errors[-2000:])
            if done.returncode == 2:
                assert errors.count("\n") >= 1 and "\x1b" not in errors, (what, command, errors)
                found = True
            assert b"18446744073709" not in done.stdout, (what, command)
    return found


def test_known_lies_are_called_damage():
    with tempfile.TemporaryDirectory() as folder:
        original = make_database(folder)
        for table, column, value in KNOWN:
            path = copy(original)
            assert change(path, table, column, value), (table, column)
            assert try_all(path, (table, column, value)), (table, column, value)


def test_random_lies_harm_nothing():
    chance = random.Random(int(os.environ.get("TURF_MUTATION_SEED", "1")))
    with tempfile.TemporaryDirectory() as folder:
        original = make_database(folder)
        with changing(original) as db:
            tables = ("runs", "entrants", "pairings", "games", "chunks")
            columns = [(table, column[1]) for table in tables
                       for column in db.execute(f"PRAGMA table_info({table})")]
        for _ in range(N_MUTATIONS):
            path = copy(original)
            changes = [(*chance.choice(columns), chance.choice(VALUES))
                       for _ in range(chance.choice((1, 1, 2)))]
            for table, column, value in changes:
                change(path, table, column, value, row=chance)
            try_all(path, changes)


def test_a_damaged_database_is_not_written_to():
    with tempfile.TemporaryDirectory() as folder:
        path = make_database(folder)
        change(path, "pairings", "round", 4294967296)
        with open(path, "rb") as file:
            before = file.read()
        done = turf("resume", "1", "--db", path, status=2)
        assert "is damaged" in done.err and "pairings.round" in done.err, done.err
        with open(path, "rb") as file:
            assert file.read() == before


harness.main()
