"""The searching players: explanations, levels, limits."""
import json

import harness
from harness import refused, turf

CROSS = {
    "board": [
        "b......r", ".b....r.", "..b..r..", "...br...", "...rb...", "..r..b..", ".r....b.",
        "r......b"
    ], "to_move": "b", "moves_made": 0
}
EMPTY_NUTS = {
    "values": [
        [20, 16, 1, 32, 30],
        [20, 12, 2, 11, 8],
        [28, 48, 9, 1, 1],
        [20, 12, 10, 6, 2],
        [25, 30, 23, 21, 10],
    ],
    "board": ["XOX*O", "*XO*O", "XX*O*", "*OO*X", "**X*O"],
    "to_move": "X",
}
DISH = {
    "board": ["..XX", "..X.", ".O..", "OO.."], "to_move": "O", "moves_left": 3,
    "killed": {"O": 0, "X": 0}
}
POSITIONS = {"wol": CROSS, "sw": EMPTY_NUTS, "aw": DISH}


def ask(game, player, *positions, options=()):
    lines = "".join(json.dumps(position) + "\n" for position in positions)
    return [
        json.loads(line)
        for line in turf("choose", game, player, *options, given=lines).out.splitlines()
    ]


def play(game, position, move):
    return json.loads(turf("step", game, given=json.dumps({**position, "move": move})).out)


def test_explanation_has_a_legal_pv_and_sorted_alternatives():
    for game, position in POSITIONS.items():
        for player in (
            "alphabeta:depth=3",
            "alphabeta:nodes=3000",
            "mcts:sims=300",
            "land-grab",
            "minimax:depth=3",
            "level:6",
        ):
            [answer] = ask(game, player, position, options=["--explain"])
            assert (
                answer["line"] and answer["line"][0] == answer["move"] == answer["best"][0]["move"]
            ), answer
            assert answer["depth"] >= 1 and (answer.get("nodes", 0) > 0 or
                                             answer.get("sims", 0) == 300), answer
            if not answer["exact"] and "nodes" in answer:
                values = [best["value"] for best in answer["best"]]
                assert values == sorted(values, reverse=True) and len(values) > 1, answer
            at = position
            for move in answer["line"]:
                at = play(game, at, move)
                assert "error" not in at, (answer, at)


def test_explain_does_not_change_the_move():
    for game, position in POSITIONS.items():
        for player in ("alphabeta:depth=4", "minimax", "land-grab", "mcts:sims=200"):
            [plain], [explained] = ask(game, player, position), ask(
                game, player, position, options=["--explain"]
            )
            assert plain["move"] == explained["move"] and plain["value"] == explained["value"], (
                plain, explained)


def test_answer_does_not_depend_on_earlier_lines():
    for game, position in POSITIONS.items():
        for player in ("alphabeta:nodes=2000", "mcts:sims=200", "level:8"):
            [alone] = ask(game, player, position)
            moved = play(game, position, alone["move"])
            three = ask(game, player, moved, position, position)
            assert three[1] == three[2] == alone, (game, player)


def test_explain_prints_text_without_json():
    out = turf("choose", "wol", "alphabeta:depth=3", "--explain", "--start", "cross").out
    for word in ("blue to move: [", "value", "depth   3 moves", "nodes", "line    [", "then    ["):
        assert word in out, out
    out = turf("choose", "sw", "mcts:sims=100", "--explain", "--start", "random").out
    assert "% to win" in out and "sims    100" in out, out
    assert (
        "does not look ahead"
        in turf("choose", "wol", "random", "--explain", "--start", "cross").out
    )
    answer = json.loads(
        turf("choose", "aw", "alphabeta:depth=2", "--explain", "--size", "4", "--json").out
    )
    assert answer["depth"] == 2 and len(answer["line"]) == 2, answer


def test_solved_position_is_marked_exact():
    [answer] = ask("sw", "alphabeta:nodes=100000", EMPTY_NUTS, options=["--explain"])
    assert answer["exact"] and answer["best"][0]["outcome"] in ("won", "lost", "drawn"), answer
    assert len(answer["line"]) == sum(row.count("*") for row in EMPTY_NUTS["board"]), answer
    assert answer["value"] == ask("sw", "perfect", EMPTY_NUTS)[0]["value"]
    [answer] = ask("sw", "perfect:time=60000", EMPTY_NUTS, options=["--explain"])
    assert len(answer["best"]) == 5 and answer["best"][0]["value"] == answer["value"], answer
    for best in answer["best"]:
        assert (
            ask("sw", "perfect:time=60000", play("sw", EMPTY_NUTS, best["move"]))[0]["value"]
            == -best["value"]
        ), (best, answer)


def test_simultaneous_moves_have_no_explanation():
    refused("choose", "bg", "settler", "--explain", "--start", "final", saying="--explain")
    one, all_best = (
        json.loads(turf("choose", "bg", "settler", *more, "--start", "final").out)
        for more in ([], ["--all"])
    )
    assert all_best == {"moves": [one["move"]], "value": None}


def test_bot_with_a_node_limit_answers_in_time():
    for game, position in POSITIONS.items():
        for player in ("alphabeta:nodes=100000000000", "alphabeta:depth=20", "mcts:sims=100000000"):
            answer = json.loads(
                turf(
                    "bot",
                    game,
                    player,
                    given=json.dumps({**position, "timeLeftForMove": 200}) + "\n",
                ).out
            )
            assert "error" not in play(game, position, answer["move"]), (game, player, answer)


def test_choose_all_includes_the_chosen_move():
    for game, position in POSITIONS.items():
        [one], [every] = ask(game, "alphabeta:depth=2", position), ask(
            game, "alphabeta:depth=2", position, options=["--all"]
        )
        assert one["move"] == every["moves"][0] and one["value"] == every["value"], (one, every)


def test_levels_play_matches_and_keep_their_names():
    out = json.loads(
        turf(
            "match", "wol", "level=3", "mine=level:1", "-n", "20", "--json", "--no-times", "-q"
        ).out
    )
    assert '"level:3"' in json.dumps(out) and '"mine"' in json.dumps(out), out
    refused("match", "wol", "level=11", "random", saying="from 1 to 10")
    refused("match", "sw", "level", "random", saying="from 1 to 10")


def test_invalid_search_limits_are_explained():
    refused("match", "wol", "alphabeta:depth=3,nodes=5", "random",
            saying=["one limit only: depth, time or nodes"])
    refused("match", "aw", "alphabeta:without=luck", "random",
            saying=["without must be kills, reach or net"])
    refused("match", "wol", "mcts:sims=0", "random",
            saying="sims must be an integer from 1 to 1000000000, not 0")
    refused("match", "bg", "mcts", "random", saying="there is no player 'mcts'")


harness.main()
