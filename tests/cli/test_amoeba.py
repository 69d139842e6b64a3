"""turf play amoeba-wars: the console game of the description, typed in a real terminal (tmux)."""
import json
import os
import re
import tempfile
import time

import harness
from harness import refused, turf
from screen import Screen


def feasible(text):
    return re.findall(r"Feasible moves: (.*)", text)[-1].split(", ")


def board_of(text):
    """The rows of the last board on a screen, top first, and the score above it."""
    scores = list(re.finditer(r"^O (\d\d) - (\d\d) X$", text, re.MULTILINE))
    lines = text[scores[-1].start():].split("\n")
    rows = [line.split("|")[1:-1] for line in lines[2:] if re.match(r"\s*\d+\|", line)]
    return rows, (int(scores[-1][1]), int(scores[-1][2]))


def test_full_game_at_the_terminal_with_wrong_input():
    screen = Screen("play", "amoeba-wars")
    try:
        screen.wait(r"from 2x2 to 26x26\?")
        for bad in ("", "eight", "1", "27", "3x40", "3x4,chain"):
            screen.answer(bad, r"Type a number from 2 to 26, like 8 or 8x8\.\nWhat size .*\?")
        text = screen.answer("3x3",
                             "Player O \\(human\\): 1 move left. Feasible moves: A2, B2, B1\nO>")
        assert board_of(text)[0] == [[" ", " ", "X"], [" ", " ", " "], ["O", " ", " "]]
        for bad, why in (
            ("", "Type a move"),
            ("Z9", "off the board"),
            ("A22", "off the board"),
            ("11", "not a cell"),
            ("A1", "your own already"),
            ("C3", "not next to a live amoeba of yours"),
            ("x" * 3000, "not a cell"),
        ):
            text = screen.answer(bad, "O>")
            assert why in text.rstrip().split("\n")[-2], (bad[:40], text[-500:])
        turns = []
        while not text.endswith("?"):
            player, left = re.findall(r"Player (.) \(human\): (\d) moves? left", text)[-1]
            turns.append((player, int(left)))
            rows, score = board_of(text)
            moves = feasible(text)
            # Every listed move, and no other, is next to a live amoeba of the player.
            wanted = []
            for r, row in enumerate(rows):
                for c, cell in enumerate(row):
                    near = [
                        rows[y][x]
                        for y in range(max(0, r - 1), min(3, r + 2))
                        for x in range(max(0, c - 1), min(3, c + 2))
                        if (y, x) != (r, c)
                    ]
                    if cell not in (player, "#") and player in near:
                        wanted.append("ABC"[c] + str(3 - r))
            assert moves == wanted, (moves, wanted)
            text = screen.answer(moves[0].lower(), r"([OX]>|\(y/n\)\?)")
        assert turns[:4] == [("O", 1), ("X", 3), ("X", 2), ("X", 1)]
        rows, score = board_of(text)
        final = re.search(r"The final score is O (\d+) - (\d+) X\.\n(.*)\n", text)
        assert (int(final[1]), int(final[2])) == score
        if score[0] == score[1]:
            assert final[3] == "It is a tie."
        else:
            assert final[3].startswith(
                f"Congratulations, player {'O' if score[0] > score[1] else 'X'}")
        screen.answer("maybe", r"Type y or n\.\nWould you like to play another game \(y/n\)\?")
        screen.answer("y", r"from 2x2 to 26x26\?")
        screen.answer("8", "Feasible moves: A2, B2, B1\nO>")
        screen.type("", "C-d")  # the end of input in mid-turn
        screen.wait("The game was left after 0 moves.\nstatus 0")
    finally:
        screen.close()


def play(text, *options):
    return turf("play", "aw", *options, given=text).out


def test_described_opening_is_displayed():
    out = play("B2\nG7\nF6\nE5\nC3\nD4\nE5\n", "--size", "8")
    scores = re.findall(r"^O \d\d - \d\d X$", out, re.MULTILINE)
    assert scores == [
        "O 01 - 01 X", "O 02 - 01 X", "O 02 - 02 X", "O 02 - 03 X", "O 02 - 04 X", "O 03 - 04 X",
        "O 04 - 04 X", "O 05 - 03 X"
    ]
    rows, _ = board_of(out)
    assert rows[3][4] == "#" and rows[4][3] == "O" and rows[5][2] == "O"


def test_no_colours_in_a_pipe_and_size_skips_the_question():
    out = play("", "--size", "5")
    assert "\x1b" not in out and "What size" not in out
    assert "------------\n5| | | | |X|\n" in out


def test_undo_within_a_turn_takes_back_one_move():
    out = play("B2\nG7\nF6\nundo\n", "--size", "8")
    assert out.count("Player X (human): 2 moves left") == 2
    rows, score = board_of(out)
    assert score == (2, 2) and rows[2][5] == " "


def test_every_player_plays_every_size():
    for size in (2, 3, 5, 8, 9, 13, 26):
        for name in ("random", "bloodlust", "self-preservation", "land-grab"):
            out = turf(
                "play", "aw", name, "random", "--size", str(size), "--quiet", "--seed", "1"
            ).out
            assert re.fullmatch(r"moves: \d+\nwinner: (O|X|tie)\n", out)
    assert "winner" in turf("play", "aw", "minimax", "land-grab", "--size", "6", "--quiet").out


def test_invalid_sizes_are_rejected():
    for size in ("1", "27", "-3", "eight"):
        refused("match", "aw", "random", "random", "--size", size, saying="--size")
    refused("match", "wol", "random", "random", "--size", "8", saying="one board size only")
    refused("match", "aw", "random", "random", "--size", "8", "--start", "6x6", saying="not both")
    refused("match", "aw", "random", "random", "--start", "40x40", saying="26x26")


def test_step_and_choose_support_amoeba_wars():
    position = json.loads(
        turf(
            "step", "aw", given='{"board":["..X","...","O.."],"to_move":"O","moves_left":1,'
            '"killed":{"O":0,"X":0},"move":"B2"}').out)
    assert position == {
        "board": ["..X", ".O.", "O.."], "to_move": "X", "moves_left": 3, "killed": {"O": 0, "X": 0}
    }
    chosen = json.loads(turf("choose", "aw", "land-grab", "--all", given=json.dumps(position)).out)
    # the kill: one live, one killed, one left
    assert chosen["moves"] == ["B2"] and chosen["value"] == 1 + 1 - 1
    answer = turf("step", "aw", given=json.dumps(dict(position, move="A3")), status=2).out
    assert json.loads(answer)["line"] == 1 and "not next to" in answer


def test_virus_war_ends_when_a_side_is_stuck():
    out = turf("play", "aw", "level=2", "level=2", "--start", "4x5,chains,end=stuck", "--seed",
               "3").out
    assert re.search(r"The final score is O \d+ - \d+ X\.\n[OX] is stuck\.\nCongratul", out), out


def test_bots_are_told_the_rules_and_the_killers():
    with tempfile.TemporaryDirectory() as folder:
        turf("match", "aw", 'echo=bot:sh -c "head -n 1 >&2"', "random", "-n", "1", "--start",
             "..X/.x./O..,chains,steps=4,end=stuck", "--db", "none", "--bot-logs", folder)
        with open(os.path.join(folder, "echo.log"), encoding="utf-8") as log:
            question = json.loads(log.readline())
    assert question["rules"] == {"chains": True, "steps": 4, "end": "stuck"}
    assert question["board"] == ["..X", ".x.", "O.."] and question["killed"] == {"O": 0, "X": 1}
    assert question["moves"] == ["A2", "B1"]  # X's kill is no way for O
    answer = json.loads(turf("bot", "aw", "land-grab", given=json.dumps(question)).out)
    assert answer["move"] in question["moves"]


if __name__ == "__main__":
    harness.main()
