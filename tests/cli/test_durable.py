"""Durability: runs that are killed, interrupted, out of disk or split into shards end with the
same report."""
import itertools
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
import web
from harness import TURF, one_line, refused, turf

TOURNAMENT = ["tournament", "wol", "random", "bloodlust", "land-grab", "-n", "900", "--no-times"]
MATCH = [
    "match", "wol", "random", "land-grab:ties=random", "-n", "20000", "--swap", "--record", "700",
    "--no-times"
]
BOTS = [
    "tournament", "sw", "random", f"mine=bot:{shlex.quote(TURF)} bot sw land-grab", "-n", "6",
    "--no-times", "--sandbox", "off"
]
PLANS = {"built-in players": TOURNAMENT, "changing sides": MATCH, "bots": BOTS}


def alone(args):
    return turf(*args, "--db", "none", "-q").out


def count(path):
    """How many games a database holds, in whole; and that it is sound."""
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        singles = db.execute("SELECT count(*) FROM games WHERE NOT is_sample").fetchone()[0]
        return singles + db.execute("SELECT coalesce(sum(n_counted),0) FROM chunks").fetchone()[0]


def one_life(args, path, seconds):
    """Plays a plan, or goes on with it, until it is killed. Returns its output if it came to the
    end."""
    begun = os.path.exists(path) and sqlite3.connect(path).execute(
        "SELECT count(*) FROM sqlite_schema").fetchone()[0]
    begun = begun and sqlite3.connect(path).execute("SELECT count(*) FROM runs").fetchone()[0]
    # by number: it may have been killed just after its end
    command = ["resume", "1", "--no-times"] if begun else args
    with subprocess.Popen([TURF, *command, "--db", path, "-q"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return None
    assert process.returncode == 0, err
    return out.decode()


def test_run_killed_fifty_times_ends_with_the_same_report():
    chance, n_killed = random.Random(1), 0
    for args in itertools.cycle(PLANS.values()):
        expected, before, out = alone(args), 0, None
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.db")
            while out is None:
                out = one_life(args, path, chance.uniform(0.002, 0.2) if n_killed < 50 else 60)
                n_killed += out is None
                if os.path.exists(path) and os.path.getsize(path):
                    now = count(path) if sqlite3.connect(path).execute(
                        "SELECT count(*) FROM sqlite_schema").fetchone()[0] else 0
                    assert now >= before, "finished games were lost"
                    before = now
            assert out == expected
            assert (
                turf("resume", "1", "--db", path, "--no-times", "-q").out == expected
            ), "and again"
        if n_killed >= 50:
            return f"{n_killed} times"


def test_full_disk_loses_no_game_and_run_resumes():
    script = """set -e
        mount -t tmpfs -o size=$1k none "$2"
        status=0; shift; folder=$1; shift
        "$@" --db "$folder/x.db" > "$folder/../out" 2> "$folder/../err" || status=$?
        echo $status; cat "$folder/../err"; echo --
        mount -o remount,size=100m "$folder"
        if [ -s "$folder/x.db" ] && [ $status = 2 ]; then
            "$0" resume --db "$folder/x.db" --no-times -q || "$@" --db "$folder/x.db" -q
        fi
    """
    expected, n_filled = alone(MATCH), 0
    for kibibytes in (8, 60, 150, 220, 300, 500):
        with tempfile.TemporaryDirectory() as folder:
            inner = os.path.join(folder, "disk")
            os.mkdir(inner)
            unshare = ["unshare", "--mount"] if os.geteuid() == 0 else [
                "unshare", "--mount", "--user", "--map-root-user"
            ]
            if subprocess.run([*unshare, "mount", "-t", "tmpfs", "none", inner],
                              capture_output=True).returncode != 0:
                raise harness.Skip("a file system cannot be mounted here")
            done = subprocess.run(
                [*unshare, "sh", "-c", script, TURF,
                 str(kibibytes), inner, TURF, *MATCH], capture_output=True, timeout=60)
            status, rest = done.stdout.decode().split("\n", 1)
            if status == "0":
                continue  # it was large enough
            message, out = rest.split("--\n", 1)
            assert status == "2" and "no space left" in one_line(message), done
            if "plays the rest" in message:
                assert out == expected, (kibibytes, out, done.stderr)
                n_filled += 1
    assert n_filled >= 2, "the disks were never full in the middle of a run"


LONG_RUNS = [["match", "sw", "minimax:depth=3", "random", "-n", "1000000"],
             ["tournament", "sw", "minimax:depth=3", "random", "-n", "1000000"],
             ["match", "sw", "minimax:depth=3", "random", "-n", "1000000", "--shard", "1/2"]]


def spoil(command, path, how):
    """Begins or resumes a run, and spoils its database once there are new games in it."""
    n_before = n_games_in(path) if os.path.exists(path) else 0
    with subprocess.Popen([*command, "-q", "--db", path], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as process:
        while not os.path.exists(path) or n_games_in(path) == n_before:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        how(path)
        errors = process.communicate(timeout=60)[1]
    assert process.returncode == 2 and "moved, deleted or replaced" in errors, errors


def n_games_in(path):
    """Games in batches; 0 while the file is being made."""
    try:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        number = db.execute("SELECT coalesce(sum(n_counted), 0) FROM chunks").fetchone()[0]
        db.close()
        return number
    except sqlite3.Error:
        return 0


def move(path):
    os.rename(path, path + ".elsewhere")


def test_database_that_is_deleted_or_replaced_ends_the_run_with_an_error():
    def replace(path):
        shutil.copy(path, path + ".copy")
        os.rename(path + ".copy", path)

    for command, how in zip(LONG_RUNS, (os.remove, replace, os.remove)):
        with tempfile.TemporaryDirectory() as folder:
            spoil([TURF, *command], f"{folder}/turf.db", how)


def test_database_that_is_moved_ends_the_run_with_an_error_and_keeps_its_games():
    for command in LONG_RUNS[:2]:
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/turf.db"
            spoil([TURF, *command], path, move)
            elsewhere = path + ".elsewhere"
            assert n_games_in(elsewhere) > 0
            spoil([TURF, "resume"], elsewhere, move)


def test_database_that_is_moved_under_turf_mpi_ends_the_run_with_an_error():
    program = os.environ.get("TURF_MPI")
    if not program or not shutil.which("mpiexec"):
        raise harness.Skip("there is no MPI")
    with tempfile.TemporaryDirectory() as folder:
        command = ["mpiexec", "-n", "2", program, *LONG_RUNS[1]]
        path = f"{folder}/turf.db"
        with subprocess.Popen([*command, "-q", "--db", path], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                              env=os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1",
                                                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}) as process:
            while not os.path.exists(path) or n_games_in(path) == 0:
                assert process.poll() is None, process.stderr.read()
                time.sleep(0.05)
            os.remove(path)
            errors = process.communicate(timeout=60)[1]
        assert process.returncode != 0 and "moved, deleted or replaced" in errors, errors


def test_server_whose_database_was_moved_answers_moves_with_an_error():
    with web.serving() as server:
        game, tokens = server.sit("sw", "@Ann", "@Bob")
        os.rename(f"{server.folder}/games.db", f"{server.folder}/elsewhere.db")
        moves = f"/api/live-games/{game['id']}/moves"
        answer = server.ask("POST", moves, {"move": "C3"}, tokens[0])
        assert answer.status == 500, answer.json
        assert "moved, deleted or replaced" in answer.json["message"], answer.json
        os.rename(f"{server.folder}/elsewhere.db", f"{server.folder}/games.db")
        server.post(moves, {"move": "C3"}, tokens[0])


def test_ctrl_c_names_the_resume_command_which_plays_the_rest():
    for args in (
        TOURNAMENT[:-3] + ["-n", "12000", "--no-times"],
        BOTS[:-5] + ["-n", "60", "--no-times", "--sandbox", "off"],
    ):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.db")
            with subprocess.Popen([TURF, *args, "-q"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE,
                                  env=os.environ | {"TURF_DB": path}) as process:
                while not os.path.exists(path) or not os.path.getsize(path):
                    time.sleep(0.01)
                harness.wait_until_it_heeds(process, signal.SIGINT)
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
                _, err = process.communicate(timeout=30)
            if process.returncode == 0:
                continue  # a quick machine
            assert process.returncode == 130
            assert f"'turf resume 1 --db {path}' plays the rest" in one_line(err.decode())
            assert turf("resume", "1", "--db", path, "--no-times", "-q", timeout=120).out == alone(
                args
            )


def test_second_ctrl_c_exits_at_once():
    never = f"x=bot:{shlex.join([sys.executable, '-c', 'import time; time.sleep(1000)'])}"
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([
            TURF, "match", "sw", never, "greedy", "-n", "2", "--move-cap", "600000", "--db",
            os.path.join(folder, "x.db")
        ], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
        assert process.returncode in (130, -2)


# ---- shards --------------------------------------------------------------------------------------


def shards_of(args, n, folder):
    paths = []
    for k in range(1, n + 1):
        paths.append(os.path.join(folder, f"{n}-{k}.db"))
        turf(*args, "-q", "--shard", f"{k}/{n}", "--db", paths[-1])
    return paths


def test_merged_shards_print_the_report_of_one_machine():
    chance = random.Random(2)
    for args in PLANS.values():
        expected = alone(args)
        with tempfile.TemporaryDirectory() as folder:
            for n in (1, 3, 7):
                paths = shards_of(args, n, folder)
                for attempt in range(3):
                    chance.shuffle(paths)
                    out = os.path.join(folder, f"all-{n}-{attempt}.db")
                    assert turf("merge", "-o", out, *paths, "--no-times").out == expected
                assert turf("resume", "1", "--db", out, "--no-times").out == expected
            assert (
                turf(
                    "merge", "-o", os.path.join(folder, "json.db"), *paths, "--no-times", "--json"
                ).out
                == turf(*args, "--json", "--db", "none", "-q").out
            )


def test_duplicate_and_overlapping_shards_count_once():
    expected = alone(TOURNAMENT)
    with tempfile.TemporaryDirectory() as folder:
        threes, sevens = shards_of(TOURNAMENT, 3, folder), shards_of(TOURNAMENT, 7, folder)
        copy = os.path.join(folder, "copy.db")
        shutil.copy(threes[0], copy)
        for number, paths in enumerate(
            ([*threes, copy], [*threes, *sevens], [*sevens[2:], *threes, threes[1]])
        ):
            assert (
                turf(
                    "merge", "-o", os.path.join(folder, f"all-{number}.db"), *paths, "--no-times"
                ).out
                == expected
            )


def test_restarted_shard_continues_and_repeats_no_game():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.db")
        outs = {turf(*TOURNAMENT, "--shard", "2/3", "--db", path).out for _ in range(3)}
        assert len(outs) == 1
        with sqlite3.connect(path) as db:
            assert db.execute("SELECT count(*) FROM runs").fetchone() == (1,)


def test_merge_lists_missing_games_and_resume_plays_them():
    with tempfile.TemporaryDirectory() as folder:
        paths = shards_of(TOURNAMENT, 3, folder)
        out = os.path.join(folder, "all.db")
        done = turf("merge", "-o", out, paths[0], paths[2], status=1)
        assert (
            done.out == ""
            and "2700 of 8100 games are missing" in done.err
            and "shard 2/3 is not among them" in done.err
        )
        assert "random against bloodlust: 300 games" in done.err
        assert turf("resume", "--db", out, "--no-times").out == alone(TOURNAMENT)


def test_merge_rejects_shards_of_another_plan_and_names_the_difference():
    with tempfile.TemporaryDirectory() as folder:
        one = shards_of(TOURNAMENT, 3, folder)[0]
        out = os.path.join(folder, "all.db")
        for change, words in (
            (["--seed", "7"], "the seed: 1 here, 7 there"),
            (["-n", "901"], "the number of games: 900 here, 901 there"),
            (["--start", "cross"], "the starts"),
            (["--swap"], "--swap"),
        ):
            other = os.path.join(folder, "other.db")
            turf(*TOURNAMENT, *change, "-q", "--shard", "2/3", "--db", other)
            refused("merge", "-o", out, one, other, saying=["another plan", words])
            os.remove(other)
            assert not os.path.exists(out)
        refused("merge", one, saying="-o")
        refused("merge", "-o", one, one, saying="exists already")
        refused("merge", "-o", os.path.join(folder, "nosuch", "x.db"), one,
                saying="cannot create")
        refused("merge", "-o", out, os.path.join(folder, "nosuch.db"), saying="no database")
        refused("merge", "-o", out, __file__, saying="not a turf database")
        assert [name for name in os.listdir(folder) if ".new" in name] == []


def test_impossible_shards_are_rejected():
    for shard in ("0/3", "4/3", "1", "1/", "/3", "a/b", "1/3x", "-1/3", "1/0"):
        refused(*TOURNAMENT, "--shard", shard, saying="--shard must be k/N")
    refused("tournament", "wol", "--schedule", "swiss", "--shard", "1/3", saying="swiss")
    refused(*TOURNAMENT, "--shard", "1/3", "--db", "none", saying="none")


harness.main()
