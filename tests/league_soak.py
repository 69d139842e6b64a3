"""A league under fire: bots of which half are hostile or broken, some replaced all the time, and
the program that plays it killed again and again. Afterwards every finished game is there once, the
table is that of the same games fitted at once, no rating of a good bot was moved by the broken
ones, and no process and no file of a bot is left.

python3 tests/league_soak.py [SECONDS] [BOTS] [serve]     (TURF=build/turf; 60 s and 50 bots)

With "serve" the league is played by turf serve: started once over HTTP, it goes on by itself after
each kill, bots are replaced while it plays, and its table is asked for all the time."""
import json
import os
import random
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TURF = os.path.abspath(os.environ.get("TURF") or os.path.join(ROOT, "build", "turf"))
LOOP = "import json, os, random, signal, subprocess, sys, time\n"
READ = "for line in sys.stdin:\n    q = json.loads(line)\n    if 'moves' not in q: continue\n"
GOOD = LOOP + READ + "    print(json.dumps({'move': random.choice(q['moves'])}), flush=True)\n"
FIRST = LOOP + READ + "    print(json.dumps({'move': q['moves'][0]}), flush=True)\n"
LAST = LOOP + READ + "    print(json.dumps({'move': q['moves'][-1]}), flush=True)\n"
BROKEN = {
    "crash": LOOP + READ + "    sys.exit(3)\n",
    "never starts": "import no_such_module\n",
    "silent": LOOP + "time.sleep(3600)\n",
    "garbage": LOOP + READ + "    print('}{', flush=True)\n",
    "illegal": LOOP + READ + "    print(json.dumps({'move': 'Z99'}), flush=True)\n",
    "flood": LOOP + "while True: sys.stdout.write('x' * 65536)\n",
    "sometimes": LOOP + READ + "    if random.random() < 0.1: sys.exit(1)\n"
                 "    print(json.dumps({'move': random.choice(q['moves'])}), flush=True)\n",
    "children": LOOP + "for _ in range(5):\n    if os.fork() == 0:\n        os.setsid()\n"
                "        signal.signal(signal.SIGTERM, signal.SIG_IGN)\n        time.sleep(3600)\n"
                + READ + "    print(json.dumps({'move': q['moves'][0]}), flush=True)\n",
    "files": LOOP + "for n in range(1000):\n    try: open(os.path.join(os.environ.get('TMPDIR',"
             " '/tmp'), 'turf-soak-litter-%d' % n), 'w').write('x')\n    except OSError: break\n"
             + READ + "    print(json.dumps({'move': q['moves'][0]}), flush=True)\n",
    "memory": LOOP + "x = []\nwhile True: x.append(bytearray(1 << 24))\n",
}


def turf(*args, status=0, timeout=300):
    done = subprocess.run([TURF, "league", *args], capture_output=True, text=True, timeout=timeout)
    assert done.returncode == status, (args, done.returncode, done.stderr[-1000:])
    return done.stdout


class Soak:
    def __init__(self, folder, n_bots):
        self.folder, self.cup = folder, os.path.join(folder, "cup.db")
        self.chance, self.n_bots, self.n_files = random.Random(1), n_bots, 0
        self.was_started = False
        self.env_mark = f"turf-soak-{os.getpid()}"
        turf("new", self.cup, "squirrel-war", "--move-cap", "300", "--bot-memory", "256",
             "--bot-processes", "32", "-q")
        for index in range(n_bots):
            self.enter(index)

    def is_good(self, index):
        return index % 2 == 0

    def enter(self, index):
        """Adds the bot, or a new version of it."""
        kinds = [GOOD, FIRST, LAST] if self.is_good(index) else list(BROKEN.values())
        name = f"good{index}" if self.is_good(index) else f"bad{index}"
        # a folder of its own for each version, named so that its processes can be found
        self.n_files += 1
        home = os.path.join(self.folder, f"{self.env_mark}-{self.n_files}")
        os.mkdir(home)
        path = os.path.join(home, "bot.py")
        with open(path, "w") as file:
            file.write(self.chance.choice(kinds))
        turf("add", self.cup, f"{name}=bot:/usr/bin/python3 {shlex.quote(path)}", "-q")

    def live_once(self, seconds):
        """Plays until it is killed."""
        with subprocess.Popen([TURF, "league", "play", self.cup, "-q"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            try:
                _, err = process.communicate(timeout=seconds)
                raise AssertionError(f"it ended by itself: {err.decode()[-1000:]}")
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()

    def ask(self, address, path, body=None):
        with open(self.cup + ".owner", encoding="ascii") as file:
            token = file.read().strip()
        request = urllib.request.Request(
            address + path, None if body is None else json.dumps(body).encode(),
            {"Authorization": "Bearer " + token, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def serve_once(self, seconds):
        """A server that plays until it is killed."""
        until = time.monotonic() + seconds
        with subprocess.Popen([TURF, "serve", "--db", self.cup, "--port", "0", "-q"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                line = process.stdout.readline().decode()
                assert "http://" in line, process.stderr.read().decode()[-1000:]
                address = line.split(": ", 1)[1].strip().rstrip("/")
                league = self.ask(address, "/api/league")
                assert league["is_playing"] == self.was_started, league["error"]
                if not self.was_started:
                    self.ask(address, "/api/league/play", {})
                    self.was_started = True
                last = 0
                self.enter(self.chance.randrange(self.n_bots))
                while time.monotonic() < until:
                    league = self.ask(address, "/api/league")
                    assert league["is_playing"] and league["error"] is None, league["error"]
                    assert league["n_games"] >= last
                    last = league["n_games"]
                    time.sleep(0.2)
            finally:
                process.send_signal(signal.SIGKILL)
                process.communicate()

    def games(self):
        with sqlite3.connect(self.cup) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            games = db.execute(
                "SELECT run, pairing, game FROM games WHERE NOT is_sample").fetchall()
            in_batches = db.execute("SELECT coalesce(sum(n_counted),0) FROM chunks").fetchone()[0]
        assert len(games) == len(set(games)), "a game was stored twice"
        return set(games), in_batches

    def run(self, seconds, is_served):
        live_once = self.serve_once if is_served else self.live_once
        begin, before, n_kills = time.monotonic(), set(), 0
        while time.monotonic() - begin < seconds:
            live_once(self.chance.uniform(0.5, max(2, seconds / 20)))
            n_kills += 1
            now, _ = self.games()
            assert before <= now, "a finished game was lost"
            before = now
            for _ in range(2):
                self.enter(self.chance.randrange(self.n_bots))
        turf("play", self.cup, "--games", "2", "-q")  # finishes the round that was cut short
        return n_kills

    def processes_left(self):
        left = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    if self.env_mark.encode() in file.read():
                        left.append(int(pid))
            except OSError:
                continue
        return left

    def check(self):
        games, in_batches = self.games()
        table = json.loads(turf("table", self.cup, "--json", "--all"))
        assert table["games"] == len(games) + in_batches, (table["games"], len(games), in_batches)
        self.check_fit(table)
        for row in table["standings"]:
            if row["team"].startswith("good") and row["forfeits"]:
                # a busy machine may be slow; anything else is a fault
                assert set(row["forfeits"]) <= {"timeout"}, row
        deadline = time.monotonic() + 10
        while self.processes_left() and time.monotonic() < deadline:
            time.sleep(0.2)
        assert not self.processes_left(), f"processes of bots are left: {self.processes_left()}"
        litter = [name for name in os.listdir(tempfile.gettempdir()) if "turf-soak-litter" in name]
        assert not litter, f"files of bots are left: {litter[:3]}"
        return len(games) + in_batches, len(table["standings"])

    def check_fit(self, table):
        """The same games in a league with rounds of one pair each, and without those whose every
        game ended by a forfeit, give the same ratings."""
        broken = {row["player"] for row in table["standings"] if row["unrated"] == "only forfeits"}
        copy = self.cup + ".fit.db"
        with sqlite3.connect(self.cup) as db:
            db.execute("VACUUM INTO ?", (copy,))
        with sqlite3.connect(copy) as db:
            for run, pairing in db.execute(
                    "SELECT p.run, p.pairing FROM pairings p JOIN entrants e ON e.run=p.run AND"
                    " e.entrant IN (p.first, p.second) WHERE e.name IN (%s)" %
                    ",".join("?" * len(broken)), list(broken)).fetchall():
                db.execute("DELETE FROM games WHERE run=? AND pairing=?", (run, pairing))
        fitted = json.loads(turf("table", copy, "--json", "--all"))
        ratings = {row["player"]: row["elo"] for row in fitted["standings"]}
        for row in table["standings"]:
            if row["player"] not in broken and row["elo"] is not None:
                assert row["elo"] == ratings[row["player"]], (row, ratings[row["player"]])


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    n_bots = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    is_served = sys.argv[3:] == ["serve"]
    if not shutil.which("bwrap"):
        print("1..0 # SKIP there is no sandbox")
        return
    with tempfile.TemporaryDirectory(prefix="turf-soak-") as folder:
        os.chmod(folder, 0o755)
        os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
        soak = Soak(folder, n_bots)
        n_kills = soak.run(seconds, is_served)
        n_games, n_versions = soak.check()
        print("1..1")
        print(f"ok 1 - a league of {n_bots} bots, killed {n_kills} times: {n_games} games of "
              f"{n_versions} versions, each once")


main()
