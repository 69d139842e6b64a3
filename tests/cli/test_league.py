"""Leagues on the command line: versions, tables, grades, finals, kills, and who may start bots."""
import csv
import io
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

import harness
from harness import TURF, refused, turf

CRASH = "import sys; sys.stdin.readline(); sys.exit(3)"


def bot(player):
    return f"bot:{shlex.quote(TURF)} bot sw {player}"


class Cup:
    """A league in a folder of its own."""

    def __init__(self, folder, game="sw", *options):
        self.path = os.path.join(folder, "cup.db")
        turf("league", "new", self.path, game, "-q", *options)

    def run(self, command, *words, **more):
        return turf("league", command, self.path, *words, "-q", **more)

    def table(self, *options):
        return json.loads(turf("league", "table", self.path, "--json", *options).out)

    def rows(self, *options):
        return {row["player"]: row for row in self.table(*options)["standings"]}


def in_folder(test):
    def run():
        with tempfile.TemporaryDirectory() as folder:
            return test(folder)
    run.__name__ = test.__name__
    return run


def count(path):
    """The finished games of a database, each once."""
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        singles = db.execute("SELECT count(*) FROM games WHERE NOT is_sample").fetchone()[0]
        assert singles == len(set(
            db.execute("SELECT run, pairing, game FROM games WHERE NOT is_sample").fetchall()))
        return singles + db.execute("SELECT coalesce(sum(n_counted), 0) FROM chunks").fetchone()[0]


@in_folder
def test_a_league_is_made_played_and_shown(folder):
    cup = Cup(folder)
    cup.run("add", "random", "bloodlust", "land-grab", "deep=minimax:depth=3")
    text = cup.run("play", "--games", "50").out
    assert "SquirrelWar, 50 games in" in text and "deep" in text
    assert turf("league", "table", cup.path).out == text
    table = cup.table()
    assert table["games"] == 50 == count(cup.path)
    ranks = [row["rank"] for row in table["standings"]]
    assert ranks[:2] == [1, 2] and len(ranks) == 4
    assert table["standings"][0]["team"] == "deep"
    assert sum(row["games"] for row in table["standings"]) == 100


@in_folder
def test_each_pair_plays_both_sides_of_one_start(folder):
    cup = Cup(folder)
    cup.run("add", "random", "bloodlust", "land-grab")
    cup.run("play", "--games", "40")
    with sqlite3.connect(cup.path) as db:
        starts = db.execute("SELECT run, pairing, game/2, count(*), count(DISTINCT is_swapped),"
                            " count(DISTINCT start) FROM games GROUP BY 1, 2, 3").fetchall()
        seeds = db.execute("SELECT count(DISTINCT start) FROM games").fetchone()[0]
    assert all(row[3:] == (2, 2, 1) for row in starts), starts
    assert seeds > 8, "rounds have starts of their own"


@in_folder
def test_a_new_version_takes_over_and_adding_replays_nothing(folder):
    cup = Cup(folder)
    cup.run("add", "a=random", "b=land-grab", "c=bloodlust")
    cup.run("play", "--games", "48")
    before = cup.rows("--all")
    cup.run("add", "a=minimax")
    assert cup.table()["games"] == 48 and cup.table()["waiting"] == ["a v2"]
    cup.run("play", "--games", "48")
    rows = cup.rows("--all")
    assert rows["a"]["games"] == before["a"]["games"] and not rows["a"]["is_current"]
    assert rows["a v2"]["team"] == "a" and rows["a v2"]["version"] == 2
    assert rows["a v2"]["games"] >= 24, "a newcomer plays more"
    assert set(cup.rows()) == {"a v2", "b", "c"}
    cup.run("retire", "b")
    cup.run("play", "--games", "10")
    assert cup.rows("--all")["b"]["games"] == rows["b"]["games"]
    assert set(cup.rows()) == {"a v2", "c"}
    cup.run("add", "b=greedy")
    assert cup.table()["waiting"] == ["b v2"]


@in_folder
def test_broken_bots_are_listed_apart_rest_and_move_nobody(folder):
    cup = Cup(folder)
    good = ["random", "land-grab", "bloodlust"]
    cup.run("add", *good, f"broken=bot:{shlex.join([sys.executable, '-c', CRASH])}")
    cup.run("play", "--games", "100", timeout=300)
    rows = cup.rows()
    assert rows["broken"]["elo"] is None and rows["broken"]["rank"] is None
    assert rows["broken"]["forfeits"] == {"crash": rows["broken"]["games"]}
    assert rows["broken"]["rests"] and rows["broken"]["games"] < 30
    # The same league without the broken one's games has the same ratings.
    with sqlite3.connect(cup.path) as db:
        pairs = db.execute("SELECT p.run, p.pairing FROM pairings p JOIN entrants e ON e.run=p.run"
                           " AND e.entrant IN (p.first, p.second) WHERE e.name='broken'").fetchall()
        for run, pairing in pairs:
            db.execute("DELETE FROM games WHERE run=? AND pairing=?", (run, pairing))
    alone = cup.rows()
    assert "broken" not in alone
    assert all(rows[name]["elo"] == alone[name]["elo"] and
               rows[name]["elo_interval"] == alone[name]["elo_interval"] for name in good)


@in_folder
def test_a_league_killed_many_times_loses_and_repeats_nothing(folder):
    cup, chance, n_before = Cup(folder), random.Random(5), 0
    cup.run("add", "a=random", f"b={bot('land-grab')}", f"c={bot('random')}", "d=bloodlust",
            "e=mcts:sims=300")
    for _ in range(12):
        with subprocess.Popen([TURF, "league", "play", cup.path, "-q"],
                              stdout=subprocess.DEVNULL) as process:
            time.sleep(chance.uniform(0.05, 0.6))
            process.kill()
        n_games = count(cup.path)
        assert n_games >= n_before
        n_before = n_games
        table = cup.table("--all")
        assert table["games"] == n_games
    n_games = count(cup.path)
    cup.run("play", "--games", "20", timeout=120)
    # The round that was cut short is finished first.
    with sqlite3.connect(cup.path) as db:
        unfinished = db.execute("SELECT count(*) FROM runs WHERE NOT is_finished").fetchone()[0]
    assert unfinished == 0
    assert count(cup.path) >= n_games + 20


@in_folder
def test_two_cannot_play_one_league_and_others_may_add_meanwhile(folder):
    cup = Cup(folder)
    cup.run("add", "a=random", "b=mcts:sims=2000")
    with subprocess.Popen([TURF, "league", "play", cup.path, "-q"],
                          stdout=subprocess.PIPE) as process:
        harness.wait_until_it_heeds(process, signal.SIGINT)
        while not count(cup.path):
            time.sleep(0.05)
        refused("league", "play", cup.path, saying="another turf is playing the league")
        cup.run("add", "c=land-grab")
        while "c" not in cup.rows():
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=60)[0].decode()
    assert process.returncode == 0, "being stopped is how it ends"
    assert " c " in out
    assert turf("league", "table", cup.path).out == out


@in_folder
def test_play_ends_after_a_time(folder):
    cup = Cup(folder)
    cup.run("add", "a=random", "b=land-grab")
    begin = time.monotonic()
    cup.run("play", "--for", "1s")
    assert time.monotonic() - begin >= 1
    assert cup.table()["games"] > 0
    for wrong in ("", "0", "2x", "h", "-1s"):
        refused("league", "play", cup.path, f"--for={wrong}", saying="--for")


@in_folder
def test_a_frozen_league_takes_no_versions(folder):
    cup = Cup(folder)
    cup.run("add", "a=random", "b=land-grab")
    cup.run("freeze")
    refused("league", "add", cup.path, "c=random", saying=["frozen", "thaw"])
    refused("league", "retire", cup.path, "a", saying="frozen")
    cup.run("play", "-n", "4")
    assert cup.table()["frozen"]
    cup.run("thaw")
    cup.run("add", "c=random")


@in_folder
def test_final_has_a_bracket_and_counts_apart(folder):
    cup = Cup(folder)
    cup.run("add", "random", "bloodlust", "land-grab", "minimax", "x=random", "y=land-grab")
    cup.run("play", "-n", "120")
    table = cup.table()
    text = cup.run("final", "--best", "5").out
    assert "quarter-finals" in text and "semi-finals" in text and " wins." in text
    bracket = json.loads(cup.run("final", "--best", "4", "--json", "--seed", "3").out)["bracket"]
    assert [r["name"] for r in bracket["rounds"]] == ["semi-finals", "final"]
    assert bracket["rounds"][0]["pairs"][0]["seeds"] == [1, 4]
    assert bracket["rounds"][0]["pairs"][0]["names"][0] == table["standings"][0]["player"]
    assert bracket["winner"] in bracket["rounds"][1]["pairs"][0]["names"]
    for schedule in ("swiss", "round-robin"):
        result = json.loads(cup.run("final", "--schedule", schedule, "--best", "3", "--json").out)
        assert len(result["standings"]) == 3
        assert all(pairing["games"] == 4 for pairing in result["pairings"])
    assert cup.table()["standings"] == table["standings"]
    refused("league", "final", cup.path, "-n", "3", saying="-n 4")
    refused("league", "final", cup.path, "--schedule", "gauntlet", saying="knock-out")


@in_folder
def test_final_needs_starts_that_nobody_has_seen(folder):
    cup = Cup(folder, "aw", "--size", "5")
    cup.run("add", "random", "bloodlust")
    cup.run("play", "-n", "10")
    refused("league", "final", cup.path, saying="--starts")
    starts = os.path.join(folder, "starts.txt")
    with open(starts, "w") as file:
        file.write("4x4\n6x6\n")
    text = cup.run("final", "--starts", starts).out
    assert " wins." in text


@in_folder
def test_interrupted_final_goes_on(folder):
    cup = Cup(folder)
    cup.run("add", "a=mcts:sims=3000", "b=mcts:sims=3001", "c=mcts:sims=3002")
    cup.run("play", "-n", "12", timeout=120)
    with subprocess.Popen([TURF, "league", "final", cup.path, "-q", "-n", "40"],
                          stdout=subprocess.DEVNULL) as process:
        time.sleep(0.7)
        process.kill()
    text = turf("league", "final", cup.path, timeout=300)
    assert " wins." in text.out
    with sqlite3.connect(cup.path) as db:
        assert db.execute("SELECT count(*) FROM league_rounds WHERE is_final").fetchone()[0] <= 2


@in_folder
def test_grades_have_a_line_for_each_team(folder):
    cup = Cup(folder)
    cup.run("add", "a=random", "b=land-grab", "gone=bloodlust", '"q", x=random',
            f"broken=bot:{shlex.join([sys.executable, '-c', CRASH])}")
    cup.run("play", "-n", "60", timeout=120)
    cup.run("add", "a=minimax")
    cup.run("retire", "gone")
    text = turf("league", "table", cup.path, "--format", "csv").out
    rows = {row["team"]: row for row in csv.DictReader(io.StringIO(text))}
    assert set(rows) == {"a", "b", "gone", '"q", x', "broken"}
    assert rows["a"]["versions"] == "2" and rows["a"]["status"] == "waits"
    assert rows["gone"]["status"] == "retired" and rows["gone"]["rank"] == ""
    assert rows["broken"]["status"] == "rests" and int(rows["broken"]["crash"]) >= 10
    assert rows["broken"]["forfeited"] == rows["broken"]["games"]
    ranked = [row for row in rows.values() if row["rank"]]
    assert [row["rank"] for row in ranked] == ["1", "2"]
    assert all(float(row["low"] or -1e9) <= float(row["rating"]) for row in ranked)
    path = os.path.join(folder, "grades.csv")
    turf("league", "table", cup.path, "-o", path)
    with open(path, newline="") as file:
        assert file.read().replace("\r\n", "\n") == text.replace("\r\n", "\n")


@in_folder
def test_wrong_use_is_one_line_that_says_what_to_type(folder):
    path = os.path.join(folder, "cup.db")
    refused("league", "table", path, saying=["there is no database", "turf league new"])
    turf("match", "sw", "random", "random", "-n", "2", "--db", path, "-q")
    refused("league", "table", path, saying=["there is no league", "turf league new"])
    turf("league", "new", path, "sw", "-q")
    refused("league", "new", path, "sw", saying="already")
    refused("league", "play", path, saying=["two teams", "turf league add"])
    refused("league", "add", path, saying="NAME=PLAYER")
    refused("league", "add", path, "human", saying="turf play")
    refused("league", "add", path, "x=bot:./not-there", saying="not-there")
    refused("league", "add", path, "a=random", "a=greedy", saying="two players are called a")
    refused("league", "add", path, "a v2=random", saying="version")
    refused("league", "add", path, "x" * 39 + "=random", saying="32 letters")
    refused("league", "retire", path, "nobody", saying="there is no team")
    refused("league", "tabel", path, saying="table")
    refused("league", "table", path, "--for", "2h", saying="takes no --for")
    refused("league", "new", path, saying="turf league new FILE GAME")
    refused("league", "new", path + "2", "sw", "--for", "2h", saying="takes no --for")
    refused("league", "table", path, "--format", "pdf", saying="--format")
    assert not os.path.exists(path + "2")


@in_folder
def test_entrants_come_from_a_file(folder):
    cup, listed = Cup(folder), os.path.join(folder, "class.txt")
    with open(listed, "w") as file:
        file.write("# the class\nanna = random\nbert = land-grab\n")
    cup.run("add", "--entrants", listed)
    assert cup.table()["waiting"] == ["anna", "bert"]


@in_folder
def test_bots_play_in_the_folder_where_they_were_added(folder):
    home = os.path.join(folder, "anna")
    os.mkdir(home)
    os.chmod(folder, 0o755)
    with open(os.path.join(home, "my_bot.py"), "w") as file:
        file.write("import json, random, sys\nfor line in sys.stdin:\n    q = json.loads(line)\n"
                   "    if 'moves' in q:\n"
                   "        print(json.dumps({'move': random.choice(q['moves'])}), flush=True)\n")
    cup = Cup(folder)
    turf("league", "add", cup.path, "anna=bot:python3 my_bot.py", "land-grab", "-q", cwd=home)
    cup.run("play", "-n", "4", timeout=120)
    assert cup.rows()["anna"]["forfeits"] == {}


@in_folder
def test_bots_of_a_strangers_league_need_trust(folder):
    cup = Cup(folder)
    cup.run("add", f"a={bot('random')}", "b=land-grab")
    strange = {**os.environ, "XDG_STATE_HOME": os.path.join(folder, "other")}
    refused("league", "play", cup.path, "-n", "2", env=strange,
            saying=["a was added by somebody else", "--trust"])
    assert turf("league", "table", cup.path, env=strange).out
    with sqlite3.connect(cup.path) as db:  # somebody wants my bot outside of the sandbox
        plan = db.execute("SELECT plan FROM leagues").fetchone()[0]
        db.execute("UPDATE leagues SET plan=?",
                   (plan.replace('"sandbox":null', '"sandbox":"off"'),))
    refused("league", "play", cup.path, "-n", "2", saying="--trust")


@in_folder
def test_rounds_are_runs_for_every_other_command(folder):
    cup = Cup(folder)
    cup.run("add", "a=random", "b=land-grab")
    cup.run("play", "-n", "8")
    runs = json.loads(turf("runs", "--db", cup.path, "--json").out)
    assert sum(run["games"] for run in runs) == 8, runs
    assert len(turf("export", "--db", cup.path).out.splitlines()) > 0
    assert "A" in turf("replay", "--db", cup.path).out


@in_folder
def test_a_round_in_shards_is_that_of_one_machine(folder):
    cup = Cup(folder)
    cup.run("add", "a=random", "b=land-grab", "c=bloodlust", "d=minimax")
    cup.run("play", "-n", "20")
    shutil.copy(cup.path, f"{folder}/alone.db")
    turf("league", "play", f"{folder}/alone.db", "-n", "100", "--shard", "1/1", "-q", cwd=folder)
    turf("league", "merge", f"{folder}/alone.db", "alone-1-of-1.db", "-q", cwd=folder)
    alone = json.loads(turf("league", "table", f"{folder}/alone.db", "--json").out)
    assert 120 >= alone["games"] >= 116
    names = [f"cup-{k}-of-3.db" for k in (1, 2, 3)]
    refused("league", "play", cup.path, "--shard", "1/3", saying="-n")
    for k in (1, 2, 3):
        turf("league", "play", cup.path, "-n", "100", "--shard", f"{k}/3", "-q", cwd=folder)
    turf("league", "play", cup.path, "-n", "100", "--shard", "2/3", "-q", cwd=folder)
    merged = turf("league", "merge", cup.path, *names, cwd=folder, status=0)
    assert cup.table() == alone and "SquirrelWar" in merged.out
    refused("league", "merge", cup.path, *names, cwd=folder, saying="merged already")
    cup.run("play", "-n", "6")
    assert cup.table()["games"] == alone["games"] + 6


@in_folder
def test_shards_with_gaps_are_played_on_and_strange_ones_refused(folder):
    cup = Cup(folder)
    cup.run("add", "a=random", "b=land-grab", "c=bloodlust")
    turf("league", "play", cup.path, "-n", "60", "--shard", "1/2", "-q", cwd=folder)
    turf("league", "merge", cup.path, "cup-1-of-2.db", cwd=folder, status=1)
    n_games = cup.table()["games"]
    assert 0 < n_games < 60
    refused("league", "play", cup.path, "-n", "60", "--shard", "2/2", cwd=folder,
            saying="is not finished")
    cup.run("play", "-n", "1")
    assert cup.table()["games"] == count(cup.path) >= 56
    turf("tournament", "sw", "random", "greedy", "-n", "2", "--shard", "1/2", "-q", cwd=folder,
         env={k: v for k, v in os.environ.items() if k != "TURF_DB"})
    refused("league", "merge", cup.path, "turf-1-of-2.db", cwd=folder,
            saying="not shards of a round")
    os.mkdir(f"{folder}/other")
    other = Cup(f"{folder}/other")
    other.run("add", "x=random", "y=greedy")
    turf("league", "play", other.path, "-n", "8", "--shard", "1/1", "-q", cwd=f"{folder}/other")
    refused("league", "merge", cup.path, "other/cup-1-of-1.db", cwd=folder)


@in_folder
def test_rows_that_do_not_fit_are_damage(folder):
    cup = Cup(folder)
    cup.run("add", "a=random", "b=land-grab", "c=bloodlust")
    cup.run("add", "a=minimax")
    cup.run("play", "-n", "12")
    shutil.copy(cup.path, cup.path + ".good")
    for change in ("UPDATE league_versions SET version=7 WHERE id=1",
                   "UPDATE league_versions SET retired=NULL",
                   "UPDATE league_versions SET spec='random' WHERE id=2",
                   "UPDATE league_teams SET name='z' WHERE id=2",
                   "UPDATE league_teams SET name='x'||char(27) WHERE id=2",
                   "UPDATE league_rounds SET round=9 WHERE round=1",
                   "UPDATE leagues SET audience='all'",
                   "UPDATE leagues SET plan='{}'",
                   "UPDATE leagues SET plan=(SELECT plan FROM runs WHERE id=1)",
                   "UPDATE chunks SET won_by_first=won_by_first+1",
                   "UPDATE pairings SET second=first",
                   "UPDATE games SET is_sample=0",
                   "DELETE FROM pairings",
                   "DELETE FROM league_teams WHERE id=3"):
        shutil.copy(cup.path + ".good", cup.path)
        with sqlite3.connect(cup.path) as db:
            db.execute("PRAGMA foreign_keys=0")
            db.execute(change)
        line = refused("league", "table", cup.path)
        assert "damaged" in line or "plan" in line, (change, line)


harness.main()
