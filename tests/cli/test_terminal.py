"""turf at a terminal: colours, keys and progress."""
import json
import os
import re
import select
import subprocess
import time

import harness
from harness import turf
from screen import Screen
import slow_wol
import talk
from talk import Talk, boards, plain

XTERM = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {
    "TERM": "xterm-256color"
}


def test_a_line_can_be_edited_and_recalled():
    links = subprocess.run(["ldd", harness.TURF], capture_output=True, text=True, check=False)
    if "libedit" not in links.stdout:
        raise harness.Skip("built without libedit")
    main, side = os.openpty()
    with subprocess.Popen([harness.TURF, "play", "sw", "--seed", "1"], stdin=side, stdout=side,
                          stderr=side, env=XTERM) as game:
        os.close(side)

        seen = b""

        def until(text):
            nonlocal seen
            while text not in seen:
                if not select.select([main], [], [], 60)[0]:
                    game.kill()
                    raise AssertionError(seen)
                seen += os.read(main, 4096)
            seen = seen[seen.index(text) + len(text):]

        until(b"X> ")
        talk.wait_for_editing(main)
        os.write(main, b"D4\x01\x0bc3\r")  # to the beginning of the line, and away with it
        until(b"X moves C3")
        until(b"O> ")
        talk.wait_for_editing(main)
        os.write(main, b"\x1b[A\r")  # the line before, again
        until(b"No: C3 is taken")
        os.write(main, b"quit\r")
        until(b"The game was left")
        assert game.wait(60) == 0
    os.close(main)


def test_a_whole_game_typed_at_a_terminal():
    with Talk("human", "bloodlust", "--start", "gliders", terminal=True, env=XTERM) as game:
        board = boards(plain(game.read()))[0]
        while game.prompt:
            (move,) = [json.loads(m) for m in re.findall(r"hint: (\[[\d,]+\])", game.say("hint"))]
            assert move in slow_wol.moves(board, "b")
            text = plain(game.say(" ".join(map(str, move))))
            assert boards(text)[1] == slow_wol.play(board, move)
            board = boards(text)[-1]
        assert game.leave() == 0 and "The game is over" in text


def test_pieces_are_coloured_on_a_terminal():
    with Talk("--start", "cross", terminal=True, env=XTERM) as game:
        text = game.read()
        assert text.count("\x1b[1;34m") == text.count("\x1b[1;31m") == 8
        assert boards(plain(text)) == [slow_wol.CROSS]


def test_no_color_and_dumb_terminals_get_no_escapes():
    for more in ({"NO_COLOR": "1"}, {"NO_COLOR": "yes"}, {"TERM": "dumb"}):
        with Talk("random", "random", "--seed", "1", terminal=True, env=XTERM | more) as game:
            text = game.read()
            assert "over after" in text and "\x1b" not in text


def test_a_dumb_terminal_shows_the_same_boards_as_a_pipe():
    piped = harness.turf("play", "wol", "random", "random", "--seed", "1").out
    with Talk("random", "random", "--seed", "1", terminal=True, env=XTERM) as game:
        assert plain(game.read()) == piped


def test_ctrl_d_leaves_the_game():
    with Talk("--start", "cross", terminal=True, env=XTERM) as game:
        game.read()
        talk.wait_for_editing(game.writer)
        os.write(game.writer, b"\x04")
        assert "left" in game.read() and game.leave() == 0


def test_ctrl_c_ends_a_game_at_once():
    with Talk("--start", "cross", terminal=True, env=XTERM) as game:
        game.read()
        os.write(game.writer, b"\x03")
        assert game.leave() in (-2, 130)


def test_step_answers_each_line_that_is_typed():
    ours, theirs = harness.open_terminal()
    with subprocess.Popen([harness.TURF, "step", "wol"], stdin=theirs,
                          stdout=subprocess.PIPE) as process:
        os.close(theirs)
        os.write(ours, json.dumps({"board": slow_wol.GLIDERS}).encode() + b"\n")
        ready, _, _ = select.select([process.stdout], [], [], 10)
        answer = process.stdout.readline() if ready else b""
        os.write(ours, b"\x04")
        process.wait(timeout=10)
    os.close(ours)
    assert json.loads(answer)["board"] == slow_wol.crank(slow_wol.GLIDERS)


def progress_of(*args, env=XTERM):
    """What a run writes to a terminal on standard error, and the lines of its standard output."""
    ours, theirs = harness.open_terminal()
    process = subprocess.Popen([harness.TURF, *args], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=theirs, env=env)
    os.close(theirs)
    shown, limit = b"", time.monotonic() + 60
    while time.monotonic() < limit:
        try:
            data = os.read(ours, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(ours)
    out = process.communicate(timeout=60)[0]
    assert process.returncode == 0
    return shown.decode(), out.decode()


def test_progress_is_shown_on_a_terminal_and_erased_at_the_end():
    shown, out = progress_of("match", "wol", "minimax", "minimax", "-n", "3000", "--json")
    assert "of 3000 games" in shown and shown.split("\x1b[J")[-1].startswith("turf: this is run ")
    assert json.loads(out)["games"] == 3000


def test_quiet_shows_no_progress():
    shown, out = progress_of("match", "wol", "minimax", "minimax", "-n", "2000", "--json",
                             "--quiet")
    assert shown == "" and json.loads(out)["games"] == 2000


def test_progress_stays_on_one_line_of_a_small_terminal():
    for command, most in ((["match", "wol", "minimax", "minimax", "-n", "100000", "-j", "1"], 1),
                          (["tournament", "wol", "-n", "100000", "-j", "1"], 1)):
        screen = Screen(*command, rows=24, columns=80)
        try:
            seen, begin = [], time.monotonic()
            while len([text for text in seen if " games, " in text]) < 15:
                assert time.monotonic() - begin < 30, f"no progress is seen:\n{screen.text()}"
                seen.append(screen.text())
                time.sleep(0.1)
            text = max(seen, key=lambda text: text.count(" games, "))
            assert text.count(
                " games, ") == most, f"the bar is there {text.count(' games, ')} times:\n{text}"
            assert command[0] == "match" or "player" in text, text
            screen.tmux("send-keys", "C-c")
            screen.wait("status 130", 20)
            assert screen.text().count(" left") == 0, screen.text()
        finally:
            screen.close()


def test_raids_are_marked_and_undone_in_squirrel_war():
    values = " ".join(str(v) for v in range(1, 26))
    board = "X**** *O*** ***** ***** *****"
    out = turf(
        "play", "sw", "--start", values + " " + board, given="B1\nundo\nB1\nZ9\nB1\nquit\n"
    ).out
    # B1 is next to X's A1 and to O's B2: a raid worth B2's 7 points. C1 is next to nothing of X's.
    first = out.split("X> ")[0]
    assert re.search(r"^  1   1 X      2 r7     3 s", first, re.MULTILINE), first
    assert out.count("That is a raid, and takes B2.") == 2
    assert "'Z9' is not a square" in out and "B1 is taken by X" in out
    assert out.count("  X 1 - 7 O") >= 2 and out.count("  X 10 - 0 O") >= 2


harness.main()
