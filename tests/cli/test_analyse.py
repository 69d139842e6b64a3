"""turf analyse: marks, lines and summaries of recorded and saved games; bad input."""
import json
import os
import tempfile

import harness
from harness import refused, turf

FOLDER = tempfile.mkdtemp(dir=harness.FOLDER)
FAST = ("--nodes", "2000")


def exported(game, first="minimax:ties=random", second="random"):
    """A file with two recorded games."""
    path = os.path.join(FOLDER, f"{game}.jsonl")
    db = os.path.join(FOLDER, f"{game}.db")
    turf("match", game, first, second, "-n", "2", "--record", "2", "--db", db, "-q")
    turf("export", "--db", db, "-o", path, "-q")
    return path, db


def test_every_move_has_a_mark_a_line_and_a_chance():
    for game in ("war-of-life", "amoeba-wars", "squirrel-war"):
        path, _ = exported(game)
        records = [json.loads(line) for line in open(path)]
        lines = turf("analyse", game, path, "--json", *FAST).out.splitlines()
        assert len(lines) == len(records) == 2
        for record, line in zip(records, lines):
            answer = json.loads(line)
            assert [ply["move"] for ply in answer["plies"]] == record["moves"]
            for ply in answer["plies"]:
                assert ply["mark"] in ("best", "good", "inaccuracy", "mistake", "blunder"), ply
                assert 0 <= ply["before"]["chance"] <= 1 and 0 <= ply["loss"] <= 1
                assert 1 <= len(ply["before"]["lines"]) <= 3
                best = ply["before"]["lines"][0]
                assert best["line"][0]["move"] == best["move"]
                if ply["mark"] == "best":
                    assert ply["loss"] == 0
            assert sum(side["moves"] for side in answer["sides"]) == len(record["moves"])
            assert all(0 <= side["accuracy"] <= 100 for side in answer["sides"])
            assert answer["first"] == record["first"] and answer["game"] == game


def test_a_better_player_is_more_accurate():
    path, _ = exported("amoeba-wars", "alphabeta:nodes=2000", "random")
    for line in turf("analyse", "amoeba-wars", path, "--json", *FAST).out.splitlines():
        first, second = json.loads(line)["sides"]
        assert first["accuracy"] > second["accuracy"] + 5, line[-400:]


def test_squirrel_war_is_exact_from_16_empty_squares_on_and_says_so():
    path, _ = exported("squirrel-war")
    out = turf("analyse", "squirrel-war", path, *FAST).out
    assert "Exact from 16 empty squares on" in out
    answer = json.loads(turf("analyse", "sw", path, "--json", *FAST).out.splitlines()[0])
    assert answer["exact_from"] == 16
    assert [ply["exact"] for ply in answer["plies"]] == [False] * 9 + [True] * 16


def test_other_sizes_of_squirrel_war_are_judged_by_search():
    path = os.path.join(FOLDER, "four.json")
    turf("play", "squirrel-war", "human", "random", "--seed", "3", "--size", "6", "-q",
         given=f"F6\nsave {path}\nquit\n")
    assert "Exact" not in turf("analyse", "squirrel-war", path, *FAST).out
    answer = json.loads(turf("analyse", "sw", path, "--json", *FAST).out)
    assert answer["exact_from"] is None and not any(ply["exact"] for ply in answer["plies"])


def test_the_same_nodes_give_the_same_bytes():
    path, _ = exported("war-of-life")
    once = turf("analyse", "war-of-life", path, "--json", *FAST).out
    assert once == turf("analyse", "war-of-life", path, "--json", *FAST).out


def test_a_game_of_the_database_is_analysed_by_its_number():
    path, db = exported("war-of-life")
    record = json.loads(open(path).readline())
    answer = turf("analyse", "war-of-life", str(record["id"]), "--db", db, "--json", *FAST).out
    assert [ply["move"] for ply in json.loads(answer)["plies"]] == record["moves"]


def test_a_saved_game_is_analysed():
    path = os.path.join(FOLDER, "saved.json")
    turf("play", "squirrel-war", "human", "random", "--seed", "3", "-q",
         given=f"C3\nsave {path}\nquit\n")
    out = turf("analyse", "squirrel-war", path, *FAST).out
    assert "C3" in out and "accuracy" in out


def test_text_names_the_better_move_and_the_summary():
    path, _ = exported("amoeba-wars")
    out = turf("analyse", "amoeba-wars", path, *FAST).out
    assert "better was" in out and "accuracy" in out and "blunder" in out


def test_time_limits_are_taken_too():
    path, _ = exported("war-of-life")
    answer = json.loads(
        turf("analyse", "war-of-life", path, "--json", "--time", "2").out.splitlines()[0])
    assert answer["plies"]


def test_bad_input_gets_one_line_that_says_what_to_do():
    path, db = exported("war-of-life")
    cut = os.path.join(FOLDER, "cut.jsonl")
    with open(path) as whole, open(cut, "w") as part:
        part.write(whole.readline()[:-40])
    strange = os.path.join(FOLDER, "strange.jsonl")
    with open(strange, "w") as file:
        file.write('{"board":["........"]}\n')
    assert "turf analyse war-of-life" in refused("analyse", "squirrel-war", path)
    assert "is not JSON" in refused("analyse", "war-of-life", cut)
    assert "not a recorded game" in refused("analyse", "war-of-life", strange)
    assert "cannot be read" in refused("analyse", "war-of-life", os.path.join(FOLDER, "none"))
    assert "no game 99" in refused("analyse", "war-of-life", "99", "--db", db)
    assert "remove one" in refused("analyse", "war-of-life", path, "--time", "5", "--nodes", "5")
    assert "both sides move at once" in refused("analyse", "ai-battleground", path)


harness.main()
