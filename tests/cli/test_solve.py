"""turf solve: values, PVs, bounds on Ctrl-C; and the players that use SquirrelWar's solver; forced
wins in War of Life."""
import json
import random
import signal
import subprocess
import tempfile

import harness
from harness import TURF, refused, turf


def neighbours(square):
    row, column = divmod(square, 5)
    return [
        5 * r + c
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        if 0 <= r < 5 and 0 <= c < 5
    ]


def play(board, mover, square):
    """The board after a move; a board is 25 letters."""
    board, other = list(board), "XO"["OX".index(mover)]
    near = neighbours(square)
    is_raid = any(board[n] == mover for n in near)
    board[square] = mover
    for n in near:
        if is_raid and board[n] == other:
            board[n] = mover
    return "".join(board)


def lead(values, board, mover):
    return sum(v if cell == mover else -v for v, cell in zip(values, board))


def perfect(values, board, mover):
    """The value of a position by brute force."""
    if "*" not in board:
        return lead(values, board, mover)
    other = "XO"["OX".index(mover)]
    return max(-perfect(values, play(board, mover, i), other)
               for i, cell in enumerate(board)
               if cell == "*")


def some_position(seed, n_empty):
    draw = random.Random(seed)
    values = [draw.randint(1, 99) for _ in range(25)]
    board, mover = "*" * 25, "X"
    while board.count("*") > n_empty:
        board = play(board, mover, draw.choice([i for i, cell in enumerate(board) if cell == "*"]))
        mover = "XO"["OX".index(mover)]
    return values, board, mover


def as_json(values, board, mover):
    return json.dumps({"values": [values[i:i + 5] for i in range(0, 25, 5)],
                       "board": [board[i:i + 5] for i in range(0, 25, 5)], "to_move": mover})


def test_value_matches_brute_force_and_pv_reaches_it():
    for seed in range(12):
        values, board, mover = some_position(seed, 1 + seed % 6)
        solution = json.loads(
            turf("solve", "sw", "--json", "--start", as_json(values, board, mover)).out)
        assert solution["exact"] and solution["value"] == perfect(values, board, mover)
        first = mover
        for name in solution["line"]:
            square = "ABCDE".index(name[0]) + 5 * (int(name[1]) - 1)
            assert board[square] == "*"
            board, mover = play(board, mover, square), "XO"["OX".index(mover)]
        assert "*" not in board and lead(values, board, first) == solution["value"]


def test_result_does_not_depend_on_threads_or_table_size():
    start = as_json(*some_position(1, 13))
    answers = set()
    for options in (["-j", "1"], ["-j", "2"], ["-j", "2", "--hash", "1k"], ["--hash", "1G"]):
        solution = json.loads(
            turf("solve", "squirrel-war", "--json", "--start", start, *options).out)
        answers.add((solution["value"], tuple(solution["line"])))
    assert len(answers) == 1


def test_position_from_a_file_shows_closing_bounds():
    values, board, mover = some_position(2, 12)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        rows = [" ".join(map(str, values[i:i + 5])) for i in range(0, 25, 5)]
        file.write("\n".join(rows) + "\n" + "\n".join(board[i:i + 5]
                                                      for i in range(0, 25, 5)) + "\n")
        file.flush()
        done = turf("solve", "squirrel-war", file.name)
        json_form = json.loads(
            turf("solve", "sw", "--json", "--start", as_json(values, board, "X")).out)
    for part in (f"value {json_form['value']} for X\n", "best line ", " nodes, "):
        assert part in done.out
    bounds = [
        tuple(map(int,
                  line.split("between ")[1].split(";")[0].split(" and ")))
        for line in done.err.splitlines()
    ]
    assert bounds[-1][0] == bounds[-1][1] == json_form["value"]
    for (low, high), (later_low, later_high) in zip(bounds, bounds[1:]):
        assert low <= later_low and later_high <= high
    assert turf("solve", "sw", "-q", "--start", as_json(values, board, mover)).err == ""


def test_ctrl_c_prints_the_bounds_reached():
    process = subprocess.Popen([TURF, "solve", "sw", "--seed", "3", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    harness.wait_until_it_heeds(process, signal.SIGINT)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    solution = json.loads(out)
    assert not solution["exact"] and solution["value"] is None and solution["lower"] < solution[
        "upper"]


def test_perfect_players_reach_the_solved_value():
    values, board, mover = some_position(5, 11)
    value = json.loads(turf("solve", "sw", "--json", "--start", as_json(values, board,
                                                                        mover)).out)["value"]
    out = turf("play", "sw", "perfect", "perfect", "--start", as_json(values, board, mover)).out
    x, o = final_score(out)
    assert (x - o if mover == "X" else o - x) == value
    chosen = json.loads(turf("choose", "sw", "perfect", given=as_json(values, board, mover)).out)
    assert chosen["value"] == value


def final_score(out):
    line = [line for line in out.splitlines()
            if line.startswith("  X ") and line.endswith(" O")][-1]
    return tuple(int(part) for part in line.replace("X", "").replace("O", "").split("-"))


# Blue wins in two moves (three plies), by one first move only.
WON = "..r...../......../......../.rr..r.r/.....bbb/..b...rb/......../........"


def test_forced_win_is_found_with_its_line():
    done = turf("solve", "war-of-life", WON, "--quiet")
    assert done.out.startswith("blue wins in 2 moves\nfirst move "), done.out
    win = json.loads(turf("solve", "wol", "--start", WON, "--json", "--jobs", "2").out)
    assert win["exact"] and win["win"] and win["plies"] == 3 and win["refuted"] == 2
    assert len(win["line"]) == 3 and win["line"][0] == win["moves"][0]
    position = json.loads(turf("solve", "wol", WON, "--json", "--moves", "1").out)
    assert position["exact"] and not position["win"] and position["refuted"] == 2
    board = {"board": WON.split("/"), "to_move": "b", "moves_made": 0}
    for move in win["line"]:
        assert "over" not in board
        board = json.loads(turf("step", "wol", given=json.dumps({**board, "move": move})).out)
    assert board["winner"] == "b"


def test_position_without_a_forced_win_says_so():
    done = turf("solve", "wol", "cross", "--moves", "2")
    assert done.out.startswith("no forced win for blue within 2 moves\n"), done.out
    assert "no forced win for blue within 3 plies; " in done.err
    assert turf("solve", "wol", "cross", "--moves", "2", "--quiet").err == ""


def test_ctrl_c_says_how_far_the_search_for_a_win_got():
    process = subprocess.Popen([TURF, "solve", "wol", "cross", "--moves", "100", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    harness.wait_until_it_heeds(process, signal.SIGINT)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    win = json.loads(out)
    assert not win["exact"] and not win["win"] and 0 < win["refuted"] < 200


def test_forced_win_needs_a_position_that_goes_on():
    refused("solve", "wol", saying="turf solve war-of-life POSITION")
    refused("solve", "wol", "bb....../" + "/".join(["........"] * 7), saying="the game is over")
    refused("solve", "wol", "cross", "--moves", "0", saying="--moves must be an integer from 1")
    refused("solve", "wol", "crosss", saying="crosss")


def test_unsolvable_input_is_rejected():
    refused("solve", "bg", saying=["ai-battleground cannot be solved", "war-of-life"])
    refused("solve", "sw", "--moves", "3", saying=["--moves", "war-of-life"])
    refused("solve", "sw", "--hash", "lots", saying=["--hash", "512M"])
    refused("solve", "sw", "--hash", "1", saying="--hash")
    refused("solve", "sw", "/nowhere/position.txt", saying="cannot be read")
    refused("solve", "sw", "--start", "1 2 3", saying="3 values")
    refused("solve", "sw", "--size", "6", saying=["boards of 5x5", "6x6"])
    refused("solve", "sw", "--size", "9", saying="from 2x2 to 8x8")
    refused("match", "wol", "perfect", "random", saying="no player 'perfect' in war-of-life")
    refused("match", "sw", "perfect:time=0", "random", saying="time must be an integer")


def test_small_boards_of_amoeba_wars_are_solved():
    for start, value in (("2x2", 2), ("3x3", -2), ("4x4", -2), ("4x4,chains,end=stuck", -1)):
        for jobs in ("1", "2"):
            found = json.loads(turf("solve", "aw", start, "--jobs", jobs, "--json").out)
            assert found["exact"] and found["value"] == value and found["line"], found
    assert "value -2 for O\n" in turf("solve", "aw", "--size", "3", "--quiet").out
    assert "O loses\n" in turf("solve", "aw", "3x3,end=stuck", "--quiet").out
    refused("solve", "aw", "--size", "9", saying=["boards of up to 8x8 can be solved"])


if __name__ == "__main__":
    harness.main()
