"""Pushes many random lies (tests/cli/lies.py) through every command that reads a database, and the
server. Meant for a build with AddressSanitizer:

    TURF=build-asan/turf databases.py [N] [SEED] [FIRST]

tries the databases FIRST (0) to N - 1; each depends on SEED and its number alone."""
import concurrent.futures
import os
import random
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import lies  # noqa: E402


def live_games_of(path):
    with lies.changing(path) as db:
        return [row[0].decode() for row in db.execute("SELECT id FROM sittings")]


def try_one(originals, live_games, number, seed):
    """One lie, in a folder of its own, through resume, report, export, replay, merge and serve."""
    chance = random.Random(f"{seed}/{number}")
    # What a killed server still writes must not end the whole check.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = lies.copy(chance.choice(originals), f"{folder}/games.db")
        lie = lies.Lie(chance, path)
        runs, games = [chance.randint(1, 6)], [chance.randint(1, 20)]
        live_game = [chance.choice(live_games)]
        try:
            n_refused = lies.read_everything(path, lie.words, runs, games, live_game,
                                             is_brief=chance.random() < 0.8)
        except Exception as why:
            return f"database {number} (seed {seed}): {why}", False
        return None, n_refused > 0


def main():
    n_databases = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    n_jobs = int(os.environ.get("JOBS", os.cpu_count()))
    n_failures = n_refused = 0
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(
            n_jobs) as pool:
        original = lies.make_database(folder)
        originals = [original, lies.loosen(original)]
        live_games = live_games_of(original)
        jobs = [pool.submit(try_one, originals, live_games, number, seed)
                for number in range(first, n_databases)]
        for number, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            try:
                failure, was_refused = job.result()
            except Exception as why:  # of the check itself
                failure, was_refused = f"a check ended: {why!r}", False
            n_refused += was_refused
            if failure:
                n_failures += 1
                print(failure, flush=True)
            if number % 100 == 0:
                print(f"# {number} databases, {n_refused} refused, {n_failures} failures, "
                      f"{time.monotonic() - begin:.0f} s", flush=True)
    print(f"{n_databases - first} databases, {n_refused} refused, {n_failures} failures")
    sys.exit(1 if n_failures else 0)


if __name__ == "__main__":
    main()
