"""turf check-bot: what it says about good bots and bad ones."""
import json
import os
import shlex
import sys
import tempfile

import harness
from bots import FIRST_BOT, HOSTILE, has_sandbox, survivors
from harness import TURF, turf


def checked(code, *options):
    """What check-bot says about a script that fails one check: why, and what to do."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "my_bot.py")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(code)
        os.chmod(path, 0o755)
        words = [path] if code.startswith("#!") else [sys.executable, path]
        out = turf("check-bot", "sw", "--sandbox", "off", *options, "--", *words, status=1).out
    return out


def test_check_bot_plays_all_games_in_one_process_with_reuse():
    out = checked(FIRST_BOT, "--reuse")
    assert '{"new_game":...}' in out and 'a line without "moves" asks for nothing' in out, out


def test_check_bot_tells_ordinary_failures_from_those_of_the_protocol():
    for code, place, advice in (
        ("def f(:\n", "my_bot.py, line 1", "syntax error"),
        ("\nimport nosuchmodule\n", "my_bot.py, line 2", "--allow-read"),
        ("raise OSError(30, 'Read-only file system')", "line 1", "--allow-write"),
        ("raise OSError('Temporary failure in name resolution')", "line 1", "no network"),
        ("#!/usr/bin/env python3\r\nprint(1)\r\n", "", "line ends of Windows"),
        ("#!/bin/sh\r\necho\r\n", "", "line ends of Windows"),
    ):
        out = checked(code)
        assert place in out and advice in out.split("   -> ")[1], out
        assert "keep reading lines" not in out


def test_check_bot_shows_the_traceback_and_not_what_the_error_line_led_to():
    out = checked(FIRST_BOT.replace('["moves"][0]', '["board"]'))
    assert "Traceback" not in out and "KeyError" not in out, out
    assert "the answer was {" in out, out
    out = checked("import sys\nsys.stdin.readline()\n1/0\n")
    assert "   Traceback (most recent call last):\n" in out and "--bot-logs DIR" in out, out


def test_check_bot_notices_a_second_line():
    out = checked(FIRST_BOT + "    print('debug', flush=True)\n")
    assert "a second line for" in out, out


def test_answer_without_a_move_names_the_key_that_it_has():
    out = checked(FIRST_BOT.replace('"move":', '"mov":'))
    assert 'the answer has no "move", but "mov"' in out, out


def test_check_bot_says_what_works_and_what_to_fix():
    out = turf("check-bot", "wol", "--", TURF, "bot", "wol", "land-grab").out
    assert out.count(" ok\n") == 7 and out.endswith("All is well.\n") and "Slowest answer" in out
    words = shlex.split(HOSTILE)
    for mode, turns, failed in (("exits with 7", "2", "2. it answers every question"),
                                ("not json", "1", "4. its answers can be read"),
                                ("illegal", "3", "5. its moves are legal"),
                                ("never answers", "1", "3. it answers in time")):
        out = turf("check-bot", "wol", "--move-cap", "3000", "--", *words, mode, turns,
                   status=1).out
        line = next(line for line in out.split("\n") if "FAILED" in line)
        assert line.startswith(failed), (mode, out)
        assert "   -> " in out and survivors() == []
    out = turf("check-bot", "sw", "--move-cap", "3000", "--", *words, "does not read", status=1).out
    assert "7. it ends when its input ends" in out and out.count("FAILED") == 2
    assert "1. it starts" in turf("check-bot", "sw", "--", "/nowhere/bot", status=1).out
    found = json.loads(turf("check-bot", "sw", "--json", "--", *words, "not json", status=1).out)
    assert not found["ok"], found
    assert [check["verdict"] for check in found["checks"]] == ["ok", "ok", "ok", "failed",
                                                               "not reached", "not reached",
                                                               "ok"], found
    assert "not a JSON object" in found["checks"][3]["why"] and found["checks"][3]["advice"]


# A shell's script is not searched for the files it names.
SHOWS_TURF = ["--allow-read", os.path.dirname(TURF)]


def test_check_bot_accepts_a_bot_that_writes_much_as_it_exits():
    script = f"{shlex.quote(TURF)} bot sw greedy; head -c 300000 /dev/zero | tr '\\0' x >&2"
    assert turf("check-bot", "sw", *SHOWS_TURF, "--", "sh", "-c",
                script).out.endswith("All is well.\n")


def test_check_bot_runs_every_check_in_the_sandbox():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is not installed, or not permitted here")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        script = f"touch {shlex.quote(path)} 2>/dev/null; exec {shlex.quote(TURF)} bot sw greedy"
        assert turf("check-bot", "sw", "--sandbox", "require", *SHOWS_TURF, "--", "sh", "-c",
                    script).out.endswith("All is well.\n")
        assert not os.path.exists(path)


harness.main()
