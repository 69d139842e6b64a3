"""--start: all formats give the same board, and a bad one is rejected in one line."""
import json
import os
import random
import tempfile

import harness
import slow_wol
import talk
from harness import refused, turf

BOARD = slow_wol.board_of(
    [(1, 1), (2, 6), (3, 4), (3, 5), (3, 8)], [(1, 8), (2, 2), (2, 8), (7, 6), (8, 3)]
)
PROLOG = json.dumps([slow_wol.cells_of(BOARD, "b"), slow_wol.cells_of(BOARD, "r")])


def started(start, *more, given=""):
    """The board that a game starts from, as turf play draws it."""
    return talk.boards(turf("play", "wol", *more, "--start", start, given=given).out)[0]


def bad(start, *saying, **more):
    refused("match", "wol", "random", "random", "-n", "1", "--start", start, saying=saying, **more)


def test_named_starts_match_the_rules():
    for name, board in slow_wol.STARTS.items():
        assert started(name) == board


def test_default_start_is_random_with_twelve_pieces_each():
    seen = set()
    for seed in range(20):
        named, usual = (
            started("random", "--seed", str(seed)),
            talk.boards(turf("play", "wol", "--seed", str(seed)).out)[0],
        )
        assert named == usual
        assert len(slow_wol.cells_of(named, "b")) == len(slow_wol.cells_of(named, "r")) == 12
        seen.add("".join(named))
    assert len(seen) == 20


def test_rows_can_be_separated_by_slashes_or_newlines():
    for between in ("/", "\n", "\r\n", " / ", "\n\n"):
        assert started(between.join(BOARD)) == BOARD
        assert started(between.join(BOARD) + between) == BOARD


def test_rows_can_have_spaces_and_capitals():
    assert started("\n".join(" ".join(row).upper() for row in BOARD)) == BOARD


def test_start_can_be_a_json_object():
    assert started(json.dumps({"board": BOARD})) == BOARD


def test_json_start_says_whose_move_it_is():
    for letter, colour in (("b", "blue"), ("r", "red")):
        out = turf(
            "play",
            "wol",
            "--start",
            json.dumps({"board": BOARD, "to_move": letter, "moves_made": 7}),
        ).out
        assert f"{colour}> " in out


def test_start_can_be_a_json_array_of_rows():
    assert started(json.dumps(BOARD)) == BOARD
    assert started("\n  " + json.dumps(BOARD, indent=1) + "\n") == BOARD


def test_start_can_be_prolog_lists_with_or_without_full_stop():
    for text in (PROLOG, PROLOG + ".", PROLOG + " .\n", PROLOG.replace(" ", "")):
        assert started(text) == BOARD


def test_prolog_start_can_have_an_empty_side():
    assert "red 0" not in turf("play", "wol", "--start", "[[[1,1]],[]]").out.split("over")[0]
    assert "blue" in turf("play", "wol", "--quiet", "--start", "[[[1,1]],[]]").out
    assert "red" in turf("play", "wol", "--quiet", "--start", "[[],[[1,1]]]").out
    assert "draw" in turf("play", "wol", "--quiet", "--start", "[[],[]]").out


def test_every_form_can_come_from_a_file_or_standard_input():
    with tempfile.TemporaryDirectory() as folder:
        for i, text in enumerate(
            (
                "\n".join(BOARD) + "\n",
                "/".join(BOARD),
                json.dumps(BOARD),
                PROLOG + ".\n",
                json.dumps({"board": BOARD}),
            )
        ):
            path = os.path.join(folder, f"board {i}")
            with open(path, "w") as file:
                file.write(text)
            assert started(path) == BOARD
            assert started("-", given=text) == BOARD


def test_all_forms_agree_on_random_boards():
    rng = random.Random(1)
    for _ in range(10):
        board = ["".join(rng.choice("br...") for _ in range(8)) for _ in range(8)]
        prolog = json.dumps([slow_wol.cells_of(board, "b"), slow_wol.cells_of(board, "r")])
        assert started("/".join(board)) == started(prolog) == started(json.dumps(board)) == board


def test_perft_uses_the_given_start():
    lines = turf("perft", "wol", "2", "--json", "--start", "/".join(BOARD)).out.splitlines()
    first = slow_wol.moves(BOARD, "b")
    after = [slow_wol.play(BOARD, move) for move in first]
    second = [
        0 if slow_wol.outcome(board, "r", 1) else len(slow_wol.moves(board, "r")) for board in after
    ]
    assert [json.loads(line)["positions"] for line in lines] == [1, len(first), sum(second)]


def test_board_of_seven_rows_is_rejected_in_one_line():
    bad("/".join(BOARD[:7]), "7", "8")
    bad(json.dumps(BOARD[:7]), "7", "8")
    bad(json.dumps({"board": BOARD[:7]}), "7", "8")
    bad("-", "7", "8", given="\n".join(BOARD[:7]) + "\n")


def test_board_of_nine_rows_is_rejected():
    bad("/".join(BOARD + BOARD[:1]), "9")
    bad(json.dumps(BOARD + BOARD[:1]), "9")


def test_row_of_wrong_length_is_named():
    for row in ("b" * 7, "b" * 9, "b" * 100000):
        board = BOARD[:4] + [row] + BOARD[5:]
        bad("/".join(board), "row 5")
        bad(json.dumps(board), "row 5")


def test_invalid_cell_is_named_with_its_position():
    board = BOARD[:2] + ["..x....."] + BOARD[3:]
    for start in ("/".join(board), json.dumps(board), json.dumps({"board": board})):
        bad(start, "row 3", "column 3", "x")


def test_empty_start_is_rejected():
    for start in ("", " ", "\n", "[", "{", "[]", "{}", "[[]]", "null"):
        bad(start)
    bad("-", given="")


def test_invalid_prolog_cells_are_rejected():
    for start in (
        "[[[0,1]],[]]",
        "[[[1,9]],[]]",
        "[[[1,-1]],[]]",
        "[[[1]],[]]",
        "[[[1,2,3]],[]]",
        "[[1,2],[]]",
        "[[[1,1],[1,1]],[]]",
        "[[[1,1]],[[1,1]]]",
        "[[[1,1]]]",
        "[[],[],[]]",
        "[[[1.5,1]],[]]",
        "[[[99999999999999999999,1]],[]]",
        "[[[4294967297,1]],[]]",
        "[b,r]",
    ):
        bad(start)


def test_invalid_side_or_move_count_is_rejected():
    for more in (
        {"to_move": "x"},
        {"to_move": 1},
        {"to_move": None},
        {"moves_made": -1},
        {"moves_made": 251},
        {"moves_made": "1"},
        {"moves_made": 1.5},
        {"moves_made": 10**30},
    ):
        bad(json.dumps({"board": BOARD} | more))


def test_unknown_start_error_lists_the_known_ones():
    bad("crosss", "crosss", "cross", "checkers", "gliders")


def test_missing_file_is_reported_as_missing():
    for path in ("nosuch.txt", "/nosuch/board.txt", "NOSUCH.TXT", "nosuch/board", "./nosuch"):
        bad(path, path, "No such file")


def test_a_board_that_is_too_short_is_not_taken_for_a_file_name():
    for game in harness.games():
        played = turf("play", game, "random", "random", "--json", "-q")
        board = "/".join(json.loads(played.out)["end"]["board"])
        line = refused("match", game, "random", "random", "-n", "1", "--start", board[:-1])
        assert "cannot be read" not in line, line


def test_folder_or_unreadable_file_is_reported_as_such():
    bad("/tmp", "/tmp", "directory")
    bad("/proc/self/mem", "/proc/self/mem")


def test_too_large_file_is_rejected():
    bad("/dev/zero", "larger than 1 MiB")


def test_bad_board_error_names_the_file_in_one_line():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("board", "a\nb", "\x1b[31m", "z" * 200):
            with open(os.path.join(folder, name), "w") as file:
                file.write("\n".join(BOARD[:7]))
            bad(os.path.join(folder, name), "7 rows")


def test_binary_file_is_rejected():
    rng = random.Random(2)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rubbish")
        for size in (1, 64, 5000):
            with open(path, "wb") as file:
                file.write(rng.randbytes(size))
            bad(path)


def test_board_with_a_nul_byte_is_rejected():
    bad("-", given="\n".join(BOARD).encode() + b"\n\0" + b"x" * 9)


harness.main()
