"""Hands in everything of tests/cli/hostile_files.py to a league: nothing around it changes, no
process is left, and each gets its sentence. Afterwards a good bot is taken as before.

    TURF=build/turf submissions.py [WORD]       only those with WORD in their names"""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import hostile_files  # noqa: E402


def main():
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    files = [each for each in hostile_files.all_files() if word in each.name]
    n_failures = n_taken = 0
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        contest = hostile_files.Contest(folder)
        for number, hostile in enumerate(files, 1):
            start = time.monotonic()
            try:
                sentence = contest.try_one(hostile)
                n_taken += sentence is None
                words = sentence or "taken"
            except Exception as why:
                n_failures += 1
                words = f"FAILED: {why}"
            print(f"{number}/{len(files)} {hostile.name!r}, {time.monotonic() - start:.1f} s: "
                  f"{words[:200]}", flush=True)
        assert contest.hand_in("bot.py", hostile_files.GOOD)["status"] == "accepted"
    print(f"{len(files)} submissions, {n_taken} taken, {n_failures} failures, "
          f"{time.monotonic() - begin:.0f} s")
    sys.exit(1 if n_failures else 0)


if __name__ == "__main__":
    main()
