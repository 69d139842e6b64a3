"""turf step and turf choose: one line of output for every line of input, valid or not."""
import json
import os
import random
import select
import subprocess

import harness
import slow_wol
from harness import turf

BOARD = slow_wol.board_of([(2, 2), (2, 3), (3, 2)], [(7, 6), (7, 7), (8, 6)])
GOOD = json.dumps({"board": BOARD, "to_move": "b", "moves_made": 0})


def position(**more):
    return json.dumps({"board": BOARD, "to_move": "b", "moves_made": 0} | more)


def answers(command, lines, status=0):
    lines = [line if isinstance(line, bytes) else line.encode() for line in lines]
    result = turf(*command, given=b"\n".join(lines) + b"\n", status=status)
    assert result.err == "", result.err
    out = [json.loads(line) for line in result.out.splitlines()]
    assert len(out) == len(lines), f"{len(lines)} lines in, {len(out)} out"
    return out


COMMANDS = (["step", "wol"], ["choose", "wol", "bloodlust"], ["choose", "wol", "minimax", "--all"])


def bad_lines(lines, commands=COMMANDS):
    """Checks that bad lines are answered with an error, and good lines between them as usual."""
    for command in commands:
        (good,) = answers(command, [GOOD])
        mixed = [part for line in lines for part in (GOOD, line)] + [GOOD]
        out = answers(command, mixed, status=2)
        for number, (line, answer) in enumerate(zip(mixed, out), 1):
            if line == GOOD:
                assert answer == good, f"line {number}: {answer}"
            else:
                assert set(answer) == {"error", "line"}, f"{line[:200]!r}: {answer}"
                assert answer["line"] == number, f"{line[:200]!r}: {answer}"
                assert 0 < len(answer["error"]) < 500 and "\n" not in answer["error"]


def random_boards(n, seed):
    rng = random.Random(seed)
    return [
        ["".join(rng.choices("br.", [1, 1, rng.choice([1, 2, 6])], k=8)) for _ in range(8)]
        for _ in range(n)
    ]


def test_step_without_a_move_turns_the_crank_once():
    boards = random_boards(300, 1)
    for move in ({}, {"move": None}):
        out = answers(["step", "wol"], [json.dumps({"board": board} | move) for board in boards])
        assert [answer["board"] for answer in out] == [slow_wol.crank(board) for board in boards]


def test_misspelt_keys_are_named_with_the_nearest_one():
    for command, line, wrong, meant in (
        (["step", "wol"], position(mve=[2, 2, 2, 1]), "mve", "move"),
        (["choose", "wol", "random"], GOOD.replace("to_move", "tomove"), "tomove", "to_move"),
        (["step", "bg"], json.dumps({"board": ["1..", "..2", "..."], "config": {"row": 3}}), "row",
         "rows"),
        (["step", "bg"], json.dumps({"board": ["1..", "..2", "..."], "move": {"3": []}}), "3", "1"),
    ):
        (answer,) = answers(command, [line], status=2)
        assert f'"{wrong}"' in answer["error"] and f'"{meant}"' in answer["error"], answer
    question = position(you="b", moves=[], game_name="war-of-life", timeLeftForMove=5, over=False)
    assert "error" not in answers(["choose", "wol", "bloodlust"], [question])[0]


def test_step_agrees_with_the_slow_rules_on_every_legal_move():
    for board in random_boards(8, 2) + [BOARD, slow_wol.CROSS]:
        for side in "br":
            moves = slow_wol.moves(board, side)
            if not moves or slow_wol.outcome(board, side, 3):
                continue
            out = answers(
                ["step", "wol"],
                [
                    json.dumps({"board": board, "to_move": side, "moves_made": 3, "move": m})
                    for m in moves
                ],
            )
            for move, answer in zip(moves, out):
                after = slow_wol.play(board, move)
                ending = slow_wol.outcome(after, slow_wol.OTHER[side], 4)
                assert answer["board"] == after and answer["moves_made"] == 4
                assert answer["to_move"] == slow_wol.OTHER[side]
                assert answer.get("over", False) is bool(ending) and answer.get("outcome") == ending
                assert answer.get("winner") == {"blue": "b", "red": "r"}.get(ending)


def test_step_accepts_exactly_the_legal_moves():
    board = slow_wol.GLIDERS
    legal = slow_wol.moves(board, "b")
    tried = [
        [r, c, r + i, c + j]
        for r in range(9)
        for c in range(9)
        for i in range(-2, 3)
        for j in range(-2, 3)
    ]
    out = answers(
        ["step", "wol"], [json.dumps({"board": board, "move": move}) for move in tried], status=2
    )
    assert [move for move, answer in zip(tried, out) if "error" not in answer] == legal


def test_choose_all_lists_exactly_the_best_moves_with_their_value():
    for strategy in ("bloodlust", "self-preservation", "land-grab", "minimax"):
        boards = random_boards(2 if strategy == "minimax" else 20, 3)
        asked = [(b, s) for b in boards for s in "br" if not slow_wol.outcome(b, s, 0)]
        lines = [json.dumps({"board": b, "to_move": s}) for b, s in asked]
        out = answers(["choose", "wol", strategy, "--all"], lines)
        for (board, side), answer, first in zip(
            asked, out, answers(["choose", "wol", strategy], lines)
        ):
            moves, value = slow_wol.best(strategy, board, side)
            assert answer == {"moves": moves, "value": value}
            assert first == {"move": moves[0], "value": value}


def test_choose_all_of_random_is_every_legal_move():
    boards = [b for b in random_boards(50, 4) if not slow_wol.outcome(b, "r", 0)]
    out = answers(
        ["choose", "wol", "random", "--all"],
        [json.dumps({"board": b, "to_move": "r"}) for b in boards],
    )
    assert [answer["moves"] for answer in out] == [slow_wol.moves(b, "r") for b in boards]


def test_random_choices_depend_only_on_seed_and_position():
    lines = [
        json.dumps({"board": b}) for b in random_boards(40, 5) if not slow_wol.outcome(b, "b", 0)
    ]
    one = answers(["choose", "wol", "random", "--seed", "3"], lines)
    assert answers(["choose", "wol", "random", "--seed", "3"], lines[::-1]) == one[::-1]
    assert answers(["choose", "wol", "random", "--seed", "4"], lines) != one
    for line, answer in zip(lines, one):
        assert answer["move"] in slow_wol.moves(json.loads(line)["board"], "b")


def test_choose_answers_null_without_a_legal_move():
    lines = [
        json.dumps({"board": slow_wol.EMPTY}),
        json.dumps({"board": slow_wol.board_of([(1, 1)], [])}),
        position(moves_made=250),
    ]
    assert answers(["choose", "wol", "bloodlust"], lines) == [{"move": None}] * 3
    assert all(
        answer == {"move": None}
        for answer in answers(["choose", "wol", "bloodlust", "--all"], lines)
    )


def test_step_output_is_valid_input_of_step_and_choose():
    position_now = json.dumps({"board": slow_wol.CROSS, "to_move": "b", "moves_made": 0})
    for _ in range(12):
        (choice,) = answers(["choose", "wol", "land-grab"], [position_now])
        (then,) = answers(
            ["step", "wol"], [json.dumps(json.loads(position_now) | {"move": choice["move"]})]
        )
        if then.get("over"):
            break
        position_now = json.dumps(then)


def test_illegal_move_is_answered_with_an_error():
    bad_lines(
        [
            position(move=move)
            for move in (
                [2, 2, 2, 3],
                [3, 2, 2, 2],
                [7, 6, 6, 6],
                [1, 1, 1, 2],
                [2, 2, 4, 4],
                [2, 2, 2, 2],
                [2, 2, 2, 10],
                [0, 2, 1, 2],
                [-1, 2, 1, 2],
                [2, 2],
                [2, 2, 1, 1, 1],
                [],
                {},
                "2 2 1 1",
                5,
                True,
                [2, 2, 1, 1.0],
                [2, 2, 1, "1"],
                [2, 2, 1, None],
                [[2, 2], [1, 1]],
                [2**32 + 2, 2, 1, 1],
                [10**30, 2, 1, 1],
            )
        ],
        [["step", "wol"]],
    )


def test_move_after_the_end_is_an_error():
    over = json.dumps({"board": slow_wol.board_of([(1, 1), (1, 2)], []), "move": [1, 1, 2, 1]})
    bad_lines([position(moves_made=250, move=[2, 2, 1, 1]), over], [["step", "wol"]])


def test_occupied_target_and_opponents_piece_have_different_errors():
    onto, theirs = answers(
        ["step", "wol"], [position(move=[3, 2, 2, 2]), position(move=[7, 6, 6, 6])], status=2
    )
    assert "2,2" in onto["error"] and "taken" in onto["error"]
    assert "7,6" in theirs["error"] and "red" in theirs["error"] and "blue" in theirs["error"]


def test_malformed_board_is_answered_with_an_error():
    bad_lines(
        [
            json.dumps({"board": board})
            for board in (
                BOARD[:7],
                BOARD + BOARD[:1],
                [],
                "x",
                None,
                5,
                {},
                BOARD[:7] + ["......."],
                BOARD[:7] + ["........."],
                BOARD[:7] + [".......x"],
                BOARD[:7] + [5],
                BOARD[:7] + [None],
                BOARD[:7] + ["\u00e9......."],
                BOARD[:7] + ["x" * 100000],
            )
        ]
        + ["{}", '{"bord":[]}']
    )


def test_error_counts_the_rows():
    (answer,) = answers(["step", "wol"], [json.dumps({"board": BOARD[:7]})], status=2)
    assert "7 rows" in answer["error"]


def test_invalid_side_or_move_count_is_an_error():
    bad_lines([position(to_move=side) for side in ("x", "", None, 1, "blue", [])] +
              [position(moves_made=n) for n in (-1, 251, 1.5, "1", None, 10 ** 18)])


def test_line_that_is_not_json_is_an_error():
    bad_lines([
        "x", "{", "}", "[", "]", '"', "null", "1", '"x"', "[]", GOOD + " x", GOOD[:-1], GOOD + GOOD,
        "{'board':1}", '{"a":1e999}', '{"a":' + "9" * 30 + "}", '{"a":"\\u0000"}',
        '{"a":"\\ud800"}', "\ufeff" + GOOD, "\x1b[31m"
    ])


def test_duplicate_key_is_an_error():
    bad_lines([GOOD[:-1] + ',"moves_made":1}', '{"x":1,"x":2,' + GOOD[1:]])


def test_invalid_utf8_is_an_error_in_valid_utf8():
    bad_lines([
        b"\xff", b"\xc3", b'{"board":"\xff\xfe"}', b'{"a":"\xed\xa0\x80"}',
        b'{"a":"\xf8\x88\x80\x80\x80"}',
        GOOD.encode()[:-1] + b',"\xe2\x82":1}'
    ])


def test_error_inside_a_multibyte_character_is_valid_json():
    bad_lines([
        '{"a":"\\u\u00e90000"}', '{"a":"\\ud\u00e9800"}',
        '{"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"x', "\u00e9" * 30,
        '{"a":"\\u00\u20ac"}', '{"a":"\u20ac\\x"}'
    ])


def test_nul_byte_is_an_error():
    bad_lines([
        GOOD.encode() + b"\0",
        GOOD.encode() + b"\0 and more", b"\0" + GOOD.encode(), b"\0", b" \0x"
    ])


def test_deep_nesting_is_an_error():
    bad_lines(["[" * 200000, '{"a":' * 100000, '{"board":' + "[" * 5000 + "]" * 5000 + "}"])


def test_very_long_line_is_answered():
    long = 3_000_000
    bad_lines(
        ['{"board":"' + "x" * long + '"}', "x" * long, "[" + "1," * (long // 2) + "1]"],
        [["step", "wol"]],
    )
    (answer,) = answers(["step", "wol"], [position(comment="x" * long)])
    assert answer["board"] == slow_wol.crank(BOARD)


def test_randomly_damaged_lines_all_get_an_answer():
    rng = random.Random(6)
    good = position(move=[3, 2, 4, 2]).encode()
    for command in (["step", "wol"], ["choose", "wol", "land-grab", "--all"]):
        lines = []
        for _ in range(1500):
            line = bytearray(good)
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(line))
                if rng.random() < 0.5:
                    line[at] = rng.choice([c for c in range(1, 256) if c not in (10, 13)])
                else:
                    line[at:at + rng.randint(0, 5)] = rng.choice([
                        b"[", b"{", b'"', b"\xc3\xa9", b"\xe2\x82", b"null", b"9" * 25, b"\\u",
                        b"\\ud8"
                    ])
            lines.append(bytes(line) or b"x")
        answers(command, lines, status=2)


def test_blank_lines_are_skipped_but_counted():
    out = turf("step", "wol", given=f"\n  \n{GOOD}\n\nx\n", status=2).out.splitlines()
    assert len(out) == 2 and json.loads(out[1])["line"] == 5


def test_crlf_and_missing_final_newline_are_accepted():
    plain = turf("step", "wol", given=GOOD + "\n").out
    assert turf("step", "wol", given=GOOD).out == plain
    assert turf("step", "wol", given=GOOD + "\r\n").out == plain


def test_no_input_gives_no_output():
    result = turf("step", "wol", given="")
    assert result.out == "" and result.err == ""


def test_unreadable_input_is_an_error():
    folder = os.open("/", os.O_RDONLY)
    process = subprocess.run([harness.TURF, "step", "wol"], stdin=folder, capture_output=True,
                             timeout=20)
    os.close(folder)
    assert process.returncode == 2 and process.stdout == b""
    harness.one_line(process.stderr.decode())


def test_answers_are_flushed_line_by_line():
    with subprocess.Popen([harness.TURF, "step", "wol"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        for _ in range(3):
            process.stdin.write(GOOD.encode() + b"\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], 2)
            if not ready:
                process.kill()
            assert ready, "no answer within two seconds"
            assert json.loads(process.stdout.readline())["board"] == slow_wol.crank(BOARD)
        process.stdin.close()
    assert process.returncode == 0


harness.main()
