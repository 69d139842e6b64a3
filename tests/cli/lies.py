"""Databases that lie: one with everything turf stores, ways to change it, and the commands that
read it. Whatever a row holds, turf ends in order, says what is wrong, and overwrites nothing."""
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys

from bots import FIRST_BOT, has_sandbox
from harness import TURF, turf
from web import Server

CRASH = "import sys; sys.stdin.readline(); sys.exit(3)"
TABLES = ("runs", "entrants", "pairings", "games", "chunks", "sittings", "sitting_moves",
          "leagues", "league_teams", "league_versions", "league_rounds", "league_submissions")
VALUES = [-1, 0, 1, 2, 3, 255, 4294967295, 4294967296, 2**31, 2**63 - 1, -(2**63), 10**12, 0.5,
          float("inf"), -1e308, "", "x", "draw", "first", "second", "swiss", "random", "[]", "{}",
          "null", "[[1,2,3,4]]", "[" * 3000, "{\"a\":" * 3000, b"", b"\x00\xff", "a\x00b",
          "\x1b[31m", "\u202e\u009b", b"\xc3\x28", "9" * 400, "x" * 100000, b"x" * 100000, None]


@contextlib.contextmanager
def changing(path):
    """A connection whose changes are in the file itself afterwards, and not beside it."""
    db = sqlite3.connect(path)
    db.text_factory = bytes
    try:
        yield db
        db.commit()
    finally:
        db.close()


def add_live_games(folder):
    """Open games with moves, a clock and a pending action, and finished ones."""
    server = Server(folder)
    game, tokens = server.sit("wol", "@Ann", "land-grab", delay_ms=0,
                              clock={"initial_ms": 300000, "gain_ms": 1000})
    move = server.get(f"/api/live-games/{game['id']}/moves")["moves"][0]["move"]
    server.post(f"/api/live-games/{game['id']}/moves", {"move": move}, tokens[0])
    game, tokens = server.sit("bg", "@Bo", "@Cy", start="8x8")
    server.post(f"/api/live-games/{game['id']}/moves", {"move": []}, tokens[0], status=202)
    server.sit("aw", "random", "random", delay_ms=10000)
    game, tokens = server.sit("sw", "@Di", "@Ed")
    server.post(f"/api/live-games/{game['id']}/moves", {"move": "C3"}, tokens[0])
    server.post(f"/api/live-games/{game['id']}/resign", {}, tokens[1])
    assert server.end() == 0


def add_submissions(folder, path):
    """One that was taken, if there is a sandbox, one that was refused, and one that waits."""
    if not has_sandbox():
        return
    good = FIRST_BOT.replace("    print", "    if 'moves' in question: print")
    for name, code, status in (("bot.py", good, 0), ("bad.py", "1/0", 1)):
        with open(f"{folder}/{name}", "w") as file:
            file.write(code)
        turf("league", "submit", path, "d", f"{folder}/{name}", "-q", status=status)
    turf("league", "retire", path, "d", "-q")  # it is never played
    with changing(path) as db:
        db.execute("INSERT INTO league_submissions(team, created, file_name, n_bytes, hash, status,"
                   " archive) SELECT team, created, file_name, n_bytes, hash, 'waiting', archive"
                   " FROM league_submissions WHERE status='accepted'")


def make_database(folder):
    """Runs of every kind, whole and unfinished, and live games, in folder/games.db."""
    path = f"{folder}/games.db"
    bot = "x=bot:" + shlex.join([sys.executable, "-c", CRASH])
    more = ("-q", "--db", path)
    turf("match", "sw", "random", "greedy", "-n", "40", "--record", "3", "--swap", *more)
    turf("match", "sw", bot, "random", "-n", "4", "--sandbox", "off", *more)
    turf("tournament", "sw", "random", "greedy", "bloodlust", "-n", "2", "--schedule", "swiss",
         *more)
    turf("match", "sw", "random", "greedy", "-n", "60", "--shard", "1/2", *more)
    turf("match", "sw", "random", "greedy", "-n", "10", "--swap", "--sprt=-5,5", "--record", "10",
         *more)
    turf("tournament", "bg", "random", "settler", "-n", "1", "--start", "8x8", "--record", "1",
         *more)
    turf("league", "new", path, "sw", "-q")
    turf("league", "add", path, "a=random", "b=greedy", "c=bloodlust", "-q")
    turf("league", "play", path, "-n", "12", "-q")
    turf("league", "add", path, "a=minimax", "-q")
    turf("league", "play", path, "-n", "8", "-q")
    turf("league", "final", path, "--best", "3", "-n", "2", "-q")
    add_submissions(folder, path)
    add_live_games(folder)
    with changing(path) as db:
        db.execute("UPDATE runs SET is_finished=0")
        db.execute("DELETE FROM games WHERE run=2 AND game=3")  # so that there is one to play
    return path


def loosen(path):
    """A database with the same rows in tables without types, keys and constraints."""
    loose = path + ".loose"
    with changing(path) as db:
        names = {t: [c[1].decode() for c in db.execute(f"PRAGMA table_info({t})")] for t in TABLES}
        rows = {t: db.execute(f"SELECT * FROM {t}").fetchall() for t in TABLES}
        versions = [(p, db.execute(f"PRAGMA {p}").fetchone()[0])
                    for p in ("user_version", "application_id")]
    with changing(loose) as db:
        for table in TABLES:
            db.execute(f"CREATE TABLE {table}({','.join(names[table])})")
            marks = ",".join("?" * len(names[table]))
            for row in rows[table]:
                db.execute(f"INSERT INTO {table} VALUES({marks})",
                           [c.decode() if isinstance(c, bytes) else c for c in row])
        for pragma, value in versions:
            db.execute(f"PRAGMA {pragma}={value}")
    return loose


def copy(original, path):
    """A copy without companions of an earlier one."""
    for companion in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path + companion)
    shutil.copy(original, path)
    return path


def hash_of(text):
    """FNV-1a, as turf stores it of plans."""
    value = 0xcbf29ce484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return f"{value:016x}"


def change_json(chance, text):
    """One value in a JSON text changed, left out or doubled."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):  # some values are nested 3,000 deep
        return chance.choice(VALUES)
    places = []

    def collect(value):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            places.append((value, key))
            if isinstance(value[key], (dict, list)):
                collect(value[key])
    if isinstance(whole, (dict, list)):
        collect(whole)
    if not places:
        return chance.choice(VALUES)
    parent, key = chance.choice(places)
    kind = chance.random()
    if kind < 0.15:
        del parent[key]
    elif kind < 0.25 and isinstance(parent, list):
        parent.insert(key, parent[key])
    else:
        value = chance.choice(VALUES + [[], {}, True, False, [[]]])
        parent[key] = value.decode("latin-1") if isinstance(value, bytes) else value
    return json.dumps(whole, separators=(",", ":"), sort_keys=True).replace("Infinity", "1e999")


class Lie:
    """Random changes of a database; `words` says what was done."""

    def __init__(self, chance, path):
        self.chance, self.words = chance, []
        if chance.random() < 0.03:
            self.change_bytes(path)
            return
        with changing(path) as db:
            db.execute("PRAGMA foreign_keys=0")
            for _ in range(chance.choice((1, 1, 1, 2, 3))):
                with contextlib.suppress(sqlite3.Error, UnicodeEncodeError):
                    self.change_row(db)

    def change_bytes(self, path):
        with open(path, "r+b") as file:
            size = file.seek(0, 2)
            for _ in range(self.chance.choice((1, 4, 30))):
                file.seek(self.chance.randrange(size))
                file.write(bytes([self.chance.randrange(256)]))
        self.words.append("bytes")

    def change_row(self, db):
        chance, table = self.chance, self.chance.choice(TABLES)
        columns = [c[1].decode() for c in db.execute(f"PRAGMA table_info({table})")]
        rows = db.execute(f"SELECT * FROM {table}").fetchall()
        if not rows:
            return
        row, column = chance.choice(rows), chance.randrange(len(columns))
        where = " AND ".join(f"{c} IS ?" for c in columns)
        # Texts were read as bytes; the same as text, to find the row.
        key = [c.decode("utf-8", "surrogateescape") if isinstance(c, bytes) else c for c in row]
        kind = chance.random()
        if kind < 0.06:
            db.execute(f"DELETE FROM {table} WHERE {where}", key)
            self.words.append((table, "delete", key[:4]))
            return
        value = self.new_value(rows, row[column], column)
        if kind < 0.12:
            new = key[:column] + [value] + key[column + 1:]
            db.execute(f"INSERT INTO {table} VALUES({','.join('?' * len(columns))})", new)
            self.words.append((table, "insert", columns[column], repr(value)[:60]))
            return
        db.execute(f"UPDATE OR REPLACE {table} SET {columns[column]}=? WHERE {where}",
                   [value, *key])
        self.words.append((table, columns[column], repr(value)[:200]))
        if columns[column] == "plan" and isinstance(value, str) and chance.random() < 0.8:
            self.follow_plan(db, value)

    def new_value(self, rows, old, column):
        chance, kind = self.chance, self.chance.random()
        if isinstance(old, bytes) and old[:1] in b"[{" and kind < 0.7:
            return change_json(chance, old)
        if isinstance(old, int) and kind < 0.3:
            return old + chance.choice((-1, 1, 2, -old * 2, old, 1000))
        if kind < 0.4:
            value = chance.choice(rows)[column]
            return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        return chance.choice(VALUES)

    def follow_plan(self, db, plan):
        """Makes the other rows fit a changed plan, so that the lie gets further."""
        run = db.execute("SELECT id FROM runs WHERE plan=?", (plan,)).fetchone()
        db.execute("UPDATE runs SET plan_hash=? WHERE plan=?",
                   (hash_of(plan.encode("utf-8", "surrogatepass")), plan))
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError,
                                 RecursionError):
            whole = json.loads(plan)
            db.execute("UPDATE runs SET game=? WHERE id=?", (whole["game"], run[0]))
            db.execute("UPDATE pairings SET n_games=?, swaps_sides=? WHERE run=?",
                       (whole["games"], whole["swap"] is True or whole["schedule"] == "swiss",
                        run[0]))
            for number, entrant in enumerate(whole["entrants"]):
                db.execute("UPDATE entrants SET name=?, spec=? WHERE run=? AND entrant=?",
                           (entrant["name"], entrant["player"], run[0], number))


# ---- reading them -------------------------------------------------------------------------------

LONG = 180  # seconds; everything is over in one, but the machine may be busy


def run_turf(what, *words, interrupt_after=None):
    """Runs a command on a lie, and checks how it ends; True if it was refused."""
    with subprocess.Popen([TURF, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            out, errors = process.communicate(timeout=interrupt_after or LONG)
        except subprocess.TimeoutExpired:  # a plan may be long
            process.send_signal(signal.SIGINT)
            try:
                out, errors = process.communicate(timeout=LONG)
            except subprocess.TimeoutExpired:
                process.kill()
                raise AssertionError((what, words, "does not end")) from None
    check_end(what, words, process.returncode, out, errors)
    return process.returncode == 2


def check_end(what, words, status, out, errors):
    errors = errors.decode("utf-8", "replace")
    assert not re.search("Sanitizer|runtime error", errors), (what, words, errors[-3000:])
    # 130: a run that says it is finished, and is not, or a long one that was interrupted.
    assert status in (0, 1, 2, 130), (what, words, status, errors[-1000:])
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]", errors), (
        what, words, errors[-1000:])
    if status == 2:
        assert errors.strip(), (what, words)
    assert b"18446744073709" not in out, (what, words)


def ask(server, what, method, path, body=None, token=None):
    answer = server.ask(method, path, body, token)
    assert answer.status < 500 or answer.status == 503 or (
        answer.status == 500 and
        re.search("damaged|there is no game|the plan cannot be read", answer.json["message"])), (
            what, path, answer.json)
    return answer


def serve(what, path, runs, games, live_games):
    """The server on a lie: it refuses to start, or answers everything."""
    folder = os.path.dirname(path)
    try:
        server = Server(folder)
    except AssertionError as why:
        text = str(why)
        assert "Sanitizer" not in text and "runtime error" not in text, (what, text[-3000:])
        assert text.startswith("turf serve: "), (what, text)
        return
    try:
        for page in ("/api/live-games", "/api/live-games?state=over", "/api/history",
                     "/api/tournaments"):
            ask(server, what, "GET", page)
        for page in ("", "/1", "/2", "/3"):
            ask(server, what, "GET", "/api/league/teams/d/submissions" + page,
                token=server.owner)
        for run in runs:
            ask(server, what, "GET", f"/api/tournaments/{run}")
            ask(server, what, "GET", f"/api/tournaments/{run}/export?format=html")
        for game in games:
            ask(server, what, "GET", f"/api/history/r-{game}")
        for live in live_games:
            ask(server, what, "GET", f"/api/live-games/{live}")
            ask(server, what, "GET", f"/api/history/s-{live}")
    finally:
        status = server.end()
        errors = server.errors
        assert "Sanitizer" not in errors and "runtime error" not in errors, (what, errors[-3000:])
        assert status == 0, (what, status, errors[-1000:])


def read_everything(path, what, runs, games, live_games=None, is_brief=False):
    """Every command that reads a database; how many refused it."""
    n_refused = 0
    for run in map(str, runs):
        n_refused += run_turf(what, "report", run, "--db", path, "-o", path + ".html", "-q")
        n_refused += run_turf(what, "export", run, "--db", path, "-q", "--format", "csv")
    for game in map(str, games):
        n_refused += run_turf(what, "replay", game, "--db", path)
    n_refused += run_turf(what, "league", "table", path, "--json", "-q")
    if not is_brief:
        n_refused += run_turf(what, "league", "play", path, "-n", "4", "-q", interrupt_after=10)
    if live_games is not None:
        serve(what, path, runs, games, live_games)
    for run in map(str, runs):
        n_refused += run_turf(what, "resume", run, "--db", path, "-q", interrupt_after=10)
    if not is_brief:
        n_refused += run_turf(what, "runs", "--db", path)
        n_refused += run_turf(what, "export", str(runs[0]), "--what", "standings", "--db", path,
                              "-q")
        with contextlib.suppress(FileNotFoundError):
            os.remove(path + ".merged")
        n_refused += run_turf(what, "merge", path, "-o", path + ".merged", "-q")
    return n_refused
