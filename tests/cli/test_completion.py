"""Completion: the candidates that turf prints, and the scripts for bash, zsh and fish."""
import os
import re
import shutil
import subprocess
import tempfile

import harness
from harness import Skip, refused, turf
from screen import Screen

PLAYERS = ["random", "bloodlust", "self-preservation", "land-grab", "minimax"]


def answers(*words):
    """The candidates for the last word, without the descriptions."""
    return [line.split("\t")[0] for line in turf("completion", "answer", "--",
                                                 *words).out.splitlines()]


def commands():
    return re.findall(r"^  turf ([a-z-]+)", turf("help").out, re.MULTILINE)


def options(command):
    """The options in its help."""
    return re.findall(r"^  (?:-.,|   ) (--[a-z-]+)", turf("help", command).out, re.MULTILINE)


# ---- what turf answers


def test_every_command_is_offered_and_described_as_in_the_help():
    assert len(commands()) > 10 and answers("") == commands()
    listed = turf("help").out
    for line in turf("completion", "answer", "--", "").out.splitlines():
        assert line.split("\t")[1] in listed, line


def test_the_options_of_each_command_are_those_of_its_help():
    for command in commands():
        assert answers(command, "--") == options(command) + ["--help"], command


def test_a_prefix_narrows_the_candidates():
    assert answers("mat") == ["match"]
    assert answers("match", "w") == ["war-of-life"]
    assert answers("match", "wol", "random", "random", "--jso") == ["--json", "--json-lines"]
    assert answers("nosuch", "") == answers("match", "x") == []


def test_players_are_those_of_the_game():
    assert answers("match", "wol", "")[:5] == PLAYERS
    assert "perfect" in answers("match", "squirrel-war", "random", "")
    assert "perfect" not in answers("match", "war-of-life", "random", "")
    assert "settler" in answers("tournament", "bg", "random", "dummy", "")
    assert "minimax" not in answers("tournament", "bg", "")


def test_human_is_offered_only_to_turf_play():
    assert answers("play", "wol", "hu") == ["human"] and answers("match", "wol", "hu") == []


def test_the_options_of_a_player_follow_its_colon_and_its_commas():
    assert answers("match", "wol", "minimax:t") == ["minimax:ties=first", "minimax:ties=random"]
    assert "minimax:depth=" in answers("match", "wol", "minimax:")
    assert answers("match", "wol",
                   "deep=minimax:depth=3,w") == [f"deep=minimax:depth=3,wins={word}"
                                                 for word in ("measure", "beyond")]
    assert answers("match", "wol", "deep=mini") == ["deep=minimax"]
    assert answers("match", "aw", "alphabeta:w") == [f"alphabeta:without={term}"
                                                     for term in ("kills", "reach", "net")]
    assert answers("match", "wol", "lev") == ["level:"]
    assert answers("match", "wol", "level:1") == ["level:1", "level:10"]


def test_every_player_that_is_offered_can_be_opened():
    for game in answers("match", ""):
        for player in answers("match", game, ""):
            specs = [] if player.endswith(":") else [player]
            for spec in specs + answers("match", game, player.rstrip(":") + ":"):
                if not spec.endswith("=") and not spec.startswith(":"):
                    # which reads positions until its input ends, at once
                    turf("bot", game, "a=" + spec)


def test_starts_are_those_of_the_game_and_files():
    assert answers("match", "wol", "random", "random", "--start",
                   "") == ["random", "cross", "checkers", "gliders", ":files"]
    assert answers("match", "wol", "--start=ch") == ["--start=checkers", ":files"]
    assert answers("play", "aw", "--start", "")[0] == "corners"


def test_the_value_of_an_option_is_completed_and_does_not_count_as_a_word():
    assert answers("tournament", "wol", "--sandbox", "") == ["off", "auto", "require"]
    assert answers("tournament", "wol", "--schedule=s") == ["--schedule=swiss"]
    assert answers("match", "-n", "5", "--seed", "3", "--json", "-j2", "w") == ["war-of-life"]
    assert answers("match", "wol", "-n", "") == []
    assert answers("tournament", "wol", "-o", "x") != [":files"]
    assert answers("match", "wol", "random", "random", "--db", "") == [":files"]
    assert answers("match", "wol", "random", "random", "--bot-logs", "") == [":folders"]


def test_programs_and_files_are_offered_after_two_hyphens():
    assert answers("check-bot", "wol", "") == ["--"]
    assert answers("check-bot", "wol", "--", "py") == [":programs"]
    assert answers("check-bot", "wol", "--", "python3", "--n") == [":files"]


def test_help_completes_commands_and_completion_shells():
    assert answers("help", "to") == ["tournament"]
    assert answers("completion", "") == ["bash", "zsh", "fish"]
    refused("completion", "tcsh", saying=["bash", "zsh", "fish", "tcsh"])


# ---- bash


def bash(*lines, folder=None):
    """COMPREPLY for each line, with the cursor at its end."""
    if not shutil.which("bash"):
        raise Skip("there is no bash")
    script = 'eval "$("$1" completion bash)"\nshift\n'
    # Words are cut as readline does it: at blanks, and around the characters of COMP_WORDBREAKS
    # that concern us.
    script += r'''for COMP_LINE; do
        COMP_POINT=${#COMP_LINE} COMP_WORDS=() COMPREPLY=()
        rest=$COMP_LINE
        while [[ $rest =~ ^[\ ]*([^\ :=]+|[:=]+) ]]; do
            COMP_WORDS+=("${BASH_REMATCH[1]}")
            rest=${rest:${#BASH_REMATCH[0]}}
        done
        [[ $COMP_LINE == *[\ :=] ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _turf
        (IFS="|"; echo "${COMPREPLY[*]}")
    done'''
    environment = os.environ | {"PATH": os.path.dirname(harness.TURF) + ":" + os.environ["PATH"]}
    done = subprocess.run(["bash", "--norc", "-c", script, "bash", harness.TURF, *lines],
                          capture_output=True, text=True,
                          timeout=30, cwd=folder, env=environment)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return [line.split("|") if line else [] for line in done.stdout.splitlines()]


def test_bash_completes_commands_games_players_and_options():
    assert bash("turf mat", "turf match ", "turf match wol land",
                "turf match wol random random --swa", "turf nosuch ") == [
        ["match"], harness.games(), ["land-grab"], ["--swap"], []]


def test_bash_gets_only_what_follows_the_last_colon_or_equals_sign():
    assert bash("turf match wol minimax:d", "turf match wol minimax:ties=",
                "turf match wol a=minimax:depth=2,ties=f",
                "turf match wol random random --start=cr",
                "turf match wol minimax:depth=3 blood") == [
        ["depth="], ["first", "random"], ["first"], ["cross"], ["bloodlust"]]


def test_bash_completes_files_where_a_file_is_expected():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("board one.txt", "board2.txt"):
            open(os.path.join(folder, name), "w").close()
        os.mkdir(os.path.join(folder, "boards"))
        assert [sorted(reply) for reply in bash(
            "turf match wol random random --start board",
                                                "turf match wol random random --bot-logs bo",
                                                "turf solve sw board2",
            "turf match wol x=bot:./board2", "turf match wol random random --start=boa",
                                                "turf squirrel bo", folder=folder)] == [
            ["board one.txt", "board2.txt", "boards"], ["boards"], ["board2.txt"], ["./board2.txt"],
            ["board one.txt", "board2.txt", "boards"], ["board one.txt", "board2.txt", "boards"]]


def test_bash_completes_a_program_after_two_hyphens():
    (reply,) = bash("turf check-bot wol -- bas")
    assert "bash" in reply


def typed_at(shell, setup, *pairs):
    """In a shell at a terminal, each line and a Tab show what is expected at the end of the
    line."""
    if not shutil.which(shell[0]):
        raise Skip(f"there is no {shell[0]}")
    screen = Screen(f"PATH={os.path.dirname(harness.TURF)}:{os.environ['PATH']}", "PS1=> ", *shell,
                    program="env", rows=50)
    try:
        screen.wait(">")
        screen.type(setup + "; clear; echo ready")
        screen.wait("ready\n>")
        for typed, completed in pairs:
            screen.type(typed, "Tab")
            screen.wait(re.escape(completed))
            screen.type("", "C-u")
            screen.wait(">")
    finally:
        screen.close()


LINES = (("turf matc", "match"), ("turf match war", "war-of-life"),
         ("turf match wol land", "land-grab"),
         ("turf match wol minimax:dep", "minimax:depth="),
         ("turf match wol a=bloodlust:ties=f", "=first"),
         ("turf match wol random random --swa", "--swap"),
         ("turf match wol random random --start=cr", "--start=cross"))


def test_bash_completes_at_a_terminal():
    typed_at(["bash", "--norc", "-i"], 'eval "$(turf completion bash)"', *LINES)


# ---- fish and zsh


def test_zsh_completes_at_a_terminal():
    typed_at(["zsh", "-f", "-i"],
             'autoload -Uz compinit && compinit -u -D && eval "$(turf completion zsh)"', *LINES)


def test_fish_completes_with_descriptions():
    if not shutil.which("fish"):
        raise Skip("there is no fish")
    with tempfile.TemporaryDirectory() as folder:
        def fish(line):
            environment = os.environ | {"HOME": folder, "XDG_CONFIG_HOME": folder,
                                        "XDG_DATA_HOME": folder,
                                        "PATH": os.path.dirname(harness.TURF) + ":"
                                        + os.environ["PATH"]}
            script = f'"{harness.TURF}" completion fish | source; complete -C "{line}"'
            done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True,
                                  text=True, timeout=30, cwd=folder,
                                  env=environment)
            assert done.returncode == 0 and not done.stderr, done.stderr
            return done.stdout.splitlines()

        open(os.path.join(folder, "board.txt"), "w").close()
        (match,) = fish("turf matc")
        assert match.startswith("match\tplay many games")
        offered = [line.split("\t")[0] for line in fish("turf match wol minimax:t")]
        assert offered == ["minimax:ties=first", "minimax:ties=random"]
        assert [line.split("\t")[0]
                for line in fish("turf match wol random random --js")] == ["--json", "--json-lines"]
        assert [line.split("\t")[0]
                for line in fish("turf match wol random random --start=cr")] == ["--start=cross"]
        assert "board.txt" in [line.split("\t")[0]
                               for line in fish("turf match wol random random --start boa")]


harness.main()
