"""Compares turf with recorded answers of the course's own program (folder TURF_ORACLES)."""
import json

import harness
import slow_wol
from harness import oracle, turf


def read_lines(*path):
    with open(oracle(*path)) as file:
        return [json.loads(line) for line in file if line.strip()]


def test_crank_matches_the_oracle_on_every_board():
    vectors = read_lines("war-of-life", "crank.jsonl")
    given = "".join(
        json.dumps({"board": slow_wol.board_of(v["blue"], v["red"])}) + "\n" for v in vectors)
    out = [json.loads(line) for line in turf("step", "wol", given=given).out.splitlines()]
    assert len(out) == len(vectors) > 0
    for vector, answer in zip(vectors, out):
        assert answer["board"] == slow_wol.board_of(vector["next_blue"], vector["next_red"]), vector
    return f"{len(vectors)} boards"


def test_question_1_generations_match_the_oracle():
    with open(oracle("war-of-life", "question1.txt")) as file:
        generations = [part.split("\n")[1:9] for part in file.read().strip().split("\n\n")]
    assert len(generations) > 1
    for board, then in zip(generations, generations[1:]):
        out = turf("step", "wol", given=json.dumps({"board": board})).out
        assert json.loads(out)["board"] == then
    return f"{len(generations) - 1} cranks"


def test_full_games_match_the_oracle():
    names = {
        "b": "blue", "r": "red", "draw": "draw", "stalemate": "stalemate", "exhaust": "exhausted"
    }
    games = read_lines("war-of-life", "games.jsonl")
    for game in games:
        players = [game[p].replace("_", "-") for p in ("p1", "p2")]
        result = json.loads(
            turf("match", "wol", *players, "-n", "1", "--jobs", "1", "--json", "--start",
                 json.dumps([game["blue"], game["red"]]) + ".").out)
        (ending,) = [name for name, count in result["outcomes"].items() if count]
        # On the 250th move the course's program reports even a won game as exhausted.
        assert ending == names[game["winner"]] or (game["winner"] == "exhaust" and
                                                   result["longest"] == 250), game
        assert result["average_length"] == game["moves"], game
    return f"{len(games)} games"


harness.main()
