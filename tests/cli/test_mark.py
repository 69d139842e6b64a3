"""turf mark: the share of best moves, the first position where a bot differs, a folder of bots."""
import json
import os
import shlex
import sys
import tempfile

import harness
from harness import TURF, refused, turf


def bot(game, player):
    return ["--", TURF, "bot", game, player]


def test_a_strategy_agrees_with_itself_however_ties_are_broken():
    for game in ("wol", "aw", "sw"):
        for strategy in ("bloodlust", "self-preservation", "land-grab", "minimax"):
            for player in (strategy, f"{strategy}:ties=random"):
                done = turf("mark", game, strategy, "-n", "15", "--json", *bot(game, player))
                answer = json.loads(done.out)
                assert answer["agreed"] == 15 and answer["first"] is None, answer


def test_the_first_difference_has_both_moves_with_their_values():
    done = turf("mark", "wol", "minimax", "-n", "40", "--json", *bot("wol", "bloodlust"), status=1)
    answer = json.loads(done.out)
    first = answer["first"]
    assert answer["agreed"] < 40 and answer["share"] == answer["agreed"] / 40
    assert first["move"] not in first["best"] and first["value"] < first["best_value"]
    chosen = json.loads(turf("choose", "wol", "minimax", "--all",
                             given=json.dumps(first["position"]) + "\n").out)
    assert chosen["moves"] == first["best"] and chosen["value"] == first["best_value"]
    # The value of its own move is what the strategy would get by it.
    after = json.loads(turf("step", "wol", given=json.dumps(
        {**first["position"], "move": first["move"]}) + "\n").out)
    assert "error" not in after
    text = turf("mark", "wol", "minimax", "-n", "40", *bot("wol", "bloodlust"), status=1).out
    assert f"worth {first['value']}; minimax plays" in text
    assert f"worth {first['best_value']}." in text


def test_the_same_seed_asks_the_same_questions():
    one, same, other = (turf("mark", "sw", "minimax", "-n", "30", "--seed", seed, "--json",
                             *bot("sw", "land-grab"), status=1).out for seed in ("5", "5", "6"))
    assert one == same != other


def test_a_bot_that_forfeits_is_told_and_asked_no_more():
    crash = [sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit('no idea')"]
    answer = json.loads(turf("mark", "sw", "bloodlust", "--json", "--", *crash, status=1).out)
    assert answer["agreed"] == 0 and answer["positions"] == 100
    assert "crash" in answer["first"]["forfeit"] and answer["first"]["move"] is None
    text = turf("mark", "sw", "bloodlust", "--", *crash, status=1).out
    assert "It played nothing" in text and "no idea" in text


def test_each_folder_of_a_class_is_a_row():
    source = ("import json, sys\nfor line in sys.stdin:\n    q = json.loads(line)\n"
              "    if 'moves' in q:\n"
              "        print(json.dumps({'move': q['moves'][%s]}), flush=True)\n")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name, index in (("anna", 0), ("bert", -1)):
            os.mkdir(os.path.join(folder, name))
            with open(os.path.join(folder, name, "bot.py"), "w") as file:
                file.write(source % index)
        os.mkdir(os.path.join(folder, "cy"))
        command = ["mark", "sw", "land-grab", "-n", "5", "--each", folder]
        text = turf(*command, "--", "python3", "{}/bot.py", status=1).out
        assert [line.split()[0] for line in text.splitlines()[2:]] == ["anna", "bert", "cy"]
        rows = json.loads(turf(*command, "--json", "--", "python3", "{}/bot.py", status=1).out)
        assert [row["bot"] for row in rows] == ["anna", "bert", "cy"]
        assert rows[2]["agreed"] == 0 and rows[2]["first"]["forfeit"]
        refused(*command, "--", "python3", "bot.py", saying="{}")
    refused("mark", "sw", "bloodlust", "--each", "/not/there", "--", "{}", saying="/not/there")


def test_wrong_use_is_one_line():
    refused("mark", "bg", "bloodlust", *bot("bg", "random"), saying="both move at once")
    refused("mark", "wol", "alphabeta", *bot("wol", "random"), saying=["minimax", "alphabeta"])
    refused("mark", "wol", "bloodlust", saying="turf mark GAME")
    done = turf("mark", "wol", "bloodlust", "--", "./not-there", status=1)
    assert "not-there" in done.out


harness.main()
