"""The benchmark: its options and its signature, not its figures."""
import json
import os
import subprocess

import harness
from harness import ROOT, TURF, one_line, refused

BENCH = os.environ.get("TURF_BENCH") or os.path.join(os.path.dirname(TURF), "bench", "turf-bench")


def bench(*args, status=0):
    done = subprocess.run([BENCH, *args], capture_output=True, text=True, timeout=60)
    assert done.returncode == status, (
        f"{args}: exit status {done.returncode}, not {status}: {done.stderr}")
    return done


def test_signature_is_reproducible():
    first, second = (json.loads(bench("--signature", "--json").stdout) for _ in range(2))
    assert first == second
    assert [entry["what"] for entry in first] == ["war-of-life", "amoeba-wars",
                                                  "squirrel-war"], first
    assert all(entry["nodes"] > 10000 for entry in first), first


def test_short_name_runs_one_part():
    done = bench("bg", "--json")
    assert all(entry["what"].startswith("ai-battleground")
               for entry in json.loads(done.stdout)), done.stdout
    assert one_line(done.stderr)
    assert bench("bg", "--quiet").stderr == ""


def test_wrong_usage_is_one_line():
    for args, word in [(["chess"], "chess"), (["--fast"], "--fast"),
                       (["search", "arena"], "too many arguments")]:
        assert word in one_line(bench(*args, status=2).stderr)


def test_help_lists_every_part():
    text = bench("--help").stdout
    for part in ("war-of-life", "amoeba-wars", "ai-battleground", "squirrel-war", "batch", "search",
                 "arena", "bots", "serve", "device"):
        assert part in text


def test_turf_says_where_bench_went():
    for words in (["bench"], ["bench", "search", "--json"], ["help", "bench"]):
        refused(*words, saying=["./do bench"])


def test_src_includes_nothing_from_tests():
    slow = {name for name in os.listdir(os.path.join(ROOT, "tests", "slow")) if name.endswith(".h")}
    for folder, _, files in os.walk(os.path.join(ROOT, "src")):
        for name in files:
            if name.endswith((".c", ".h")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                for header in slow | {"tests/"}:
                    assert f'#include "{header}' not in text, (name, header)


harness.main()
