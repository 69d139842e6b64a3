"""The share of lines of src/ outside src/cmd that the tests of a build have run: by folder, and the
files with most to do.

    python3 tests/coverage.py BUILD

Ends with status 1 below the share that is wanted."""
import json
import os
import subprocess
import sys

WANTED_PERCENT = 90
N_FILES = 10


def percent(covered, lines):
    return 100 * covered / lines if lines else 100


def print_row(name, covered, lines):
    print(f"{name:<30} {lines:>7} {covered:>7} {percent(covered, lines):>6.1f} %")


def main():
    build = sys.argv[1]
    out = subprocess.run([
        "gcovr", "--root", ".", build, "--filter", "src/", "--exclude", "src/cmd/",
        "--gcov-ignore-parse-errors", "-j",
        str(os.cpu_count()), "--json-summary"
    ], stdout=subprocess.PIPE, check=True).stdout
    files = [(file["filename"], file["line_covered"], file["line_total"])
             for file in json.loads(out)["files"]]
    folders = {}
    for name, covered, lines in files:
        sums = folders.setdefault(os.path.dirname(name), [0, 0])
        sums[0] += covered
        sums[1] += lines
    print(f"{'':<30} {'lines':>7} {'run':>7}")
    for name, (covered, lines) in sorted(folders.items()):
        print_row(name, covered, lines)
    covered, lines = sum(file[1] for file in files), sum(file[2] for file in files)
    print_row("all", covered, lines)
    print("\nMost lines that no test runs:")
    for name, *counts in sorted(files, key=lambda file: file[1] - file[2])[:N_FILES]:
        print_row(name, *counts)
    if percent(covered, lines) < WANTED_PERCENT:
        sys.exit(f"{percent(covered, lines):.1f} % is less than {WANTED_PERCENT} %")


main()
