"""turf puzzles: the same seed makes the same puzzles; tasks, boards and solutions."""
import json

import harness
from harness import refused, turf


def puzzles(game, *options):
    return [json.loads(line) for line in turf("puzzles", game, "--json", *options).out.splitlines()]


def test_the_same_seed_makes_the_same_puzzles():
    for game in ("war-of-life", "amoeba-wars", "squirrel-war"):
        two = puzzles(game, "-n", "2", "--seed", "4")
        assert two == puzzles(game, "-n", "2", "--seed", "4")
        assert puzzles(game, "-n", "1", "--seed", "4") == two[:1]
        assert two[0]["position"] != two[1]["position"]
        assert two[0] != puzzles(game, "-n", "1", "--seed", "5")[0]


def test_the_solution_is_a_legal_move_that_is_better_by_the_margin():
    for game in ("war-of-life", "amoeba-wars", "squirrel-war"):
        for puzzle in puzzles(game, "-n", "2"):
            line = dict(puzzle["position"], move=puzzle["solution"]["move"])
            after = json.loads(turf("step", game, given=json.dumps(line) + "\n").out)
            assert "error" not in after, after
            better = puzzle["solution"]["chance"] - puzzle["second"]["chance"]
            assert (-better if puzzle["side"] else better) >= 0.299, puzzle
            assert 2 <= puzzle["grade"] <= 6
            assert " to move: " in puzzle["task"]


def test_text_shows_the_boards_and_the_solutions_at_the_end():
    out = turf("puzzles", "squirrel-war", "-n", "2").out
    first, solutions = out.split("Solutions\n")
    assert "Puzzle 1. " in first and "Puzzle 2. " in first and "A" in first
    assert [line.strip()[:2] for line in solutions.splitlines()] == ["1.", "2."]


def test_wrong_use_gets_one_line():
    refused("puzzles", "ai-battleground", saying="both sides move at once")
    refused("puzzles", "squirrel-war", "-n", "100000", saying="at most 10000")
    refused("puzzles", saying="GAME")


harness.main()
