"""The example bots of bots/: in each language they play every game without a forfeit, and beat
random where they should."""
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import harness
from harness import ROOT, Skip, turf

BOTS = os.path.join(ROOT, "bots")
FOLDER = tempfile.TemporaryDirectory(prefix="turf-examples-")
# A 128x128 field is a line of more than 16 KiB. Here two live cells of ours stand in row 60, and
# nothing else.
PAIRS = ["." * 128] * 60 + ["#.#" + "." * 125] + ["." * 128] * 67
LONG = {
    "field": PAIRS, "cellsRemaining": 3, "cellGainPerTurn": 3, "maxCellCapacity": 15,
    "maxColonisationDistance": 2, "currIteration": 0, "maxGameIterations": 500
}


def built(language):
    """The command of a language's example, compiled if need be."""
    source, target = os.path.join(BOTS, language), os.path.join(FOLDER.name, language)
    compilers = {
        "python": None,
        "c": ["cc", "-std=c17", "-O2", "-Wall", "-Wextra", "-Werror", "-o", target, "example.c"],
        "cpp": [
            "c++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-o", target, "example.cpp"
        ], "java": ["javac", "-d", target, "TurfBot.java", "Example.java"]
    }
    command = {
        "python": [sys.executable, "-B", os.path.join(source, "example.py")], "java": [
            "java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", target,
            "Example"
        ]
    }
    compiler = compilers[language]
    for program in [
        compiler[0] if compiler else sys.executable,
        "java" if language == "java" else sys.executable,
    ]:
        if not shutil.which(program):
            raise Skip(f"there is no {program}")
    if compiler and not os.path.exists(target):
        done = subprocess.run(compiler, cwd=source, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
    return command.get(language, [target])


def check_games(language):
    command = shlex.join(built(language))
    for game, n_games, *start in (
        ("war-of-life", 4),
        ("amoeba-wars", 4, "--size", "5"),
        ("squirrel-war", 10),
        ("ai-battleground", 6, "--start", "12x12"),
        ("ai-battleground", 6),
    ):
        done = turf("match", game, f"mine=bot:{command}", "random", "-n", str(n_games), "--swap",
                    "--json", "--move-cap", "30000", "--reuse", *start)
        result = json.loads(done.out)
        assert result["games"] == n_games and result["forfeits"] == [{}, {}], (
            game,
            result,
            done.err,
        )
        if game in ("squirrel-war", "ai-battleground"):
            assert result["wins"][0] > result["wins"][1], (game, result)


def check_wire(language):
    """Long lines, spaces, the error that ends a game, the end of the input, and a question that is
    none."""
    command = built(language)

    def answers(given, status=0):
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=30)
        assert done.returncode == status, (done.returncode, done.stderr[:2000])
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    long, spaced = json.dumps(LONG,
                              separators=(",", ":")), json.dumps(LONG, separators=(" , ", " : "))
    assert len(long) > 16384
    replies, _ = answers(long + "\n" + spaced + "\n" + long)
    assert len(replies) == 3 and replies[0] == replies[1] == replies[2], replies
    assert 1 <= len(replies[0]["cells"]) <= 3 and all(
        58 <= row <= 62 for row, _ in replies[0]["cells"]
    ), replies[0]
    empty = json.dumps({**LONG, "field": ["." * 128] * 128, "maxColonisationDistance": 1000000})
    # without a live cell nothing is within reach
    assert answers(empty + "\n")[0] == [{"cells": []}]
    replies, words = answers(long + '\n{"error":"too \\"slow\\""}\n' + long + "\n")
    assert len(replies) == 1 and "slow" in words
    assert answers("") == ([], "")
    for broken in (long[:5000], "[1,2", "nonsense", '{"field":}'):
        replies, words = answers(broken + "\n", status=1)
        assert replies == [] and words.strip()


def test_the_python_example_plays_every_game():
    check_games("python")


def test_the_c_example_plays_every_game():
    check_games("c")


def test_the_cpp_example_plays_every_game():
    check_games("cpp")


def test_the_java_example_plays_every_game():
    check_games("java")


def test_the_python_helper_speaks_the_protocol():
    check_wire("python")


def test_the_c_helper_speaks_the_protocol():
    check_wire("c")


def test_the_cpp_helper_speaks_the_protocol():
    check_wire("cpp")


def test_the_java_helper_speaks_the_protocol():
    check_wire("java")


def test_questions_leave_the_names_that_helpers_use_alone():
    """Bots keep copies of the helper of turf 0.1, which names the game itself."""
    code = ("import json,sys\nfrom types import SimpleNamespace\nfor line in sys.stdin:\n"
            "  question = SimpleNamespace(game='mine', **json.loads(line))\n"
            "  print(json.dumps({'move': question.moves[0]}), flush=True)")
    for game in ("war-of-life", "amoeba-wars", "squirrel-war"):
        bot = "x=bot:" + shlex.join([sys.executable, "-c", code])
        done = turf("match", game, bot, "random", "-n", "1", "--json", "-q")
        assert json.loads(done.out)["forfeits"] == [{}, {}], done.err


harness.main()
