"""Usage errors: one line on standard error, exit status 2, no standard output."""
import os
import subprocess
import tempfile

import harness
from harness import refused, turf

GAME_COMMANDS = [
    ["play"],
    ["match", "random", "random"],
    ["tournament"],
    ["step"],
    ["choose", "random"],
    ["perft", "1"],
]


def test_no_arguments_list_the_commands_as_an_error():
    result = turf(status=2)
    assert result.out == "" and "turf play" in result.err and "turf help" in result.err


def test_unknown_command_is_named_in_one_line():
    for name in ("nosuch", "", "matchh", "MATCH", "-x", "--nosuch"):
        refused(name, saying=f"'{name}'")


def test_the_nearest_name_is_suggested():
    for args, meant in ((["tournment"], "'tournament'"), (["play", "war-of-lief"], "war-of-life"),
                        (["match", "wol", "minmax", "random"], "minimax"),
                        (["match", "wol", "minimax:dpth=3", "random"], "depth"),
                        (["play", "wol", "humen", "random"], "human"),
                        (["match", "wol", "random", "random", "--sede", "2"], "--seed")):
        refused(*args, saying=f"did you mean {meant}?")


def test_arguments_that_make_no_sense_are_explained():
    refused("match", "wol", "minimax:", "random", saying="leave the colon out")
    refused("match", "wol", "a=random", "a=land-grab", saying="two players are called a")
    refused("perft", "wol", "-1", saying="DEPTH must be an integer from 0 to 12")
    with tempfile.TemporaryDirectory() as folder:
        for command in (["runs"], ["match", "wol", "random", "random"]):
            refused(*command, "--db", folder, saying=["is a folder", "turf.db"])


def test_help_for_an_unknown_command_is_rejected():
    refused("help", "nosuch", saying="nosuch")


def test_every_command_names_an_unknown_game():
    for command, *rest in GAME_COMMANDS:
        refused(command, "chess", *rest, saying=["chess", "war-of-life"])
    refused("step", "", saying="war-of-life")


def test_unknown_strategy_error_lists_the_known_ones():
    for args in (["match", "wol", "nosuch", "random"], ["match", "wol", "random", "nosuch"],
                 ["tournament", "wol", "random", "nosuch"], ["choose", "wol", "nosuch"],
                 ["play", "wol", "random", "nosuch"]):
        refused(*args, saying=["'nosuch'", "bloodlust", "minimax"])
    refused("match", "wol", "", "random", saying="bloodlust")


def test_human_in_a_match_is_rejected():
    refused("match", "wol", "human", "random", saying="human")


def test_invalid_player_options_are_rejected():
    for spec, word in (
        ("minimax:depth=0", "depth"),
        ("minimax:depth=99", "depth"),
        ("minimax:depth=two", "two"),
        ("minimax:depth", "depth"),
        ("minimax:nosuch=1", "nosuch"),
        ("random:ties=first", "ties"),
        ("bloodlust:ties=last", "last"),
        ("bloodlust:depth=3", "depth"),
        ("minimax:wins=x", "x"),
    ):
        refused("match", "wol", spec, "random", saying=word)


def test_repeated_player_options_are_rejected():
    for spec in (
        "minimax:depth=2,depth=3",
        "minimax:ties=random,depth=2,ties=random",
        "mcts:sims=5,sims=5",
    ):
        refused("match", "wol", spec, "random", saying="given twice")


def test_renamed_options_name_their_successor():
    for name in ("games", "streams", "bots"):
        refused("serve", f"--most-{name}", "5", saying=f"--max-{name}")
        refused("serve", f"--most-{name}=5", saying=f"--max-{name}")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(f'{{"most-{name}":5}}')
            file.flush()
            refused("serve", "--config", file.name, saying=f"max-{name}")


def test_missing_arguments_show_what_to_type():
    for args in (
        ["play"],
        ["match"],
        ["match", "wol"],
        ["match", "wol", "random"],
        ["tournament"],
        ["step"],
        ["choose"],
        ["choose", "wol"],
        ["perft"],
        ["perft", "wol"],
    ):
        refused(*args, saying=f"turf {args[0]}")


def test_too_many_arguments_show_what_to_type():
    for args in (
        ["games", "x"],
        ["play", "wol", "random", "random", "random"],
        ["match", "wol", "random", "random", "random"],
        ["step", "wol", "x"],
        ["choose", "wol", "random", "x"],
        ["perft", "wol", "1", "2"],
        ["help", "play", "match"],
    ):
        line = refused(*args, saying=f"turf {args[0]}")
        assert line == line.rstrip(), line
    refused("--version", "x", saying="--version")


def test_unknown_option_is_named():
    for option in ("--nosuch", "-x", "--jsn", "--no-times=3"):
        refused("match", "wol", "random", "random", option, saying=option)
    refused("step", "wol", "--json", saying="--json")


def test_unknown_letter_in_a_group_is_named():
    for args in (["wol", "random", "random", "-xy"], ["-xy", "wol", "random", "random"],
                 ["wol", "random", "random", "-qx"]):
        assert "x" in refused("match", *args).split("option '")[1].split("'")[0]


def test_option_without_a_value_is_named():
    for option in ("-n", "--games", "--seed", "--jobs", "--start"):
        refused("match", "wol", "random", "random", option, saying=option)


def test_negative_game_count_is_rejected():
    refused("match", "wol", "random", "random", "-n", "-5", saying="-5")
    refused("tournament", "wol", "-n", "-5", saying="-5")
    refused("worksheet", "-n", "-5", saying="-5")


def test_too_large_game_count_is_rejected():
    for number in ("99999999999", "18446744073709551617", "9" * 400):
        refused("match", "wol", "random", "random", "-n", number, saying=number[:10])


def test_non_numeric_game_count_is_rejected():
    for word in ("abc", "", "0", "5x", "1e3", " 5", "+5", "0x10", "1.5", "five\nsix"):
        refused("match", "wol", "random", "random", "-n", word)


def test_out_of_range_numbers_are_rejected():
    for option, value in (("--jobs", "0"), ("--jobs", "100000"), ("--jobs", "-1"), ("--seed", "-1"),
                          ("--seed", "99999999999999999999"), ("--seed", "x")):
        refused("match", "wol", "random", "random", option, value, saying=value)
    refused("play", "wol", "random", "random", "--delay", "-3", saying="-3")


def test_invalid_perft_depth_is_rejected():
    for depth in ("abc", "", "-1", "2x", "1000", "9" * 30):
        refused("perft", "wol", depth)


def test_unreadable_database_is_not_reported_as_missing():
    nobody = harness.as_nobody()
    try:
        subprocess.run([harness.TURF, "--version"], capture_output=True, check=True, cwd="/",
                       **nobody)
    except (OSError, subprocess.CalledProcessError) as why:
        raise harness.Skip(f"turf cannot be run by somebody else: {why}") from why
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "games.db")
        turf("match", "wol", "random", "random", "-n", "1", "--db", path)
        for name, mode in ((folder, 0), (path, 0)):
            os.chmod(name, mode)
            for args in (
                ["runs"],
                ["report"],
                ["resume"],
                ["match", "wol", "random", "random", "-n", "1"],
            ):
                refused(*args, "--db", path, saying=[path[:30], "Permission denied"], cwd="/",
                        **nobody)
            os.chmod(name, 0o755)


def test_duplicate_player_names_are_rejected():
    refused("tournament", "wol", "random", "random", saying="random")
    refused("tournament", "wol", "a=random", "a=bloodlust", saying="a")


def test_error_is_one_line_even_if_the_name_has_two():
    refused("tournament", "wol", "a\nb=random", "a\nb=bloodlust")


def test_errors_contain_no_control_characters():
    evil = "\x1b[31m\a\n\x7f"
    for args in (
        [evil],
        ["match", evil, "random", "random"],
        ["match", "wol", evil, "random"],
        ["match", "wol", "random", "random", "-n", evil],
        ["match", "wol", "random", "random", "--" + evil],
        ["match", "wol", "random", "random", "--start", evil],
        ["perft", "wol", evil],
        ["help", evil],
        ["match", "wol", "random", "random", "--start", "[" + evil],
        ["match", "wol", "minimax:" + evil, "random"],
        ["match", "wol", "random", "random", "--start", "no\a.txt"],
        ["match", "wol", "random", "random", "--start", "no" + evil + ".txt"],
    ):
        refused(*args)


def test_tables_contain_no_control_characters():
    for name in ("\x1b[31mx", "a\nb", "a\u009bb"):
        done = subprocess.run([harness.TURF, "match", "wol", name + "=random", "random", "-n", "2"],
                              capture_output=True)
        assert done.returncode in (0, 2) and name.encode() not in done.stdout + done.stderr


def test_very_long_argument_gets_a_short_error():
    long = "y" * 100000
    for args in (
        [long],
        ["match", long, "random", "random"],
        ["match", "wol", long, "random"],
        ["match", "wol", "minimax:" + long, "random"],
        ["match", "wol", "minimax:depth=" + long, "random"],
        ["match", "wol", "random", "random", "-n", "1" + "0" * 100000],
        ["match", "wol", "random", "random", "--" + long],
        ["match", "wol", "random", "random", "--start", long],
        ["match", "wol", "random", "random", "--start", long + ".txt"],
        ["perft", "wol", long],
        ["match", "wol", "random", "random", "--start", "[" * 100000],
    ):
        refused(*args)


def test_quotes_are_not_cut_inside_a_utf8_character():
    for n_before in range(3):
        refused("match", "x" * n_before + "ä" * 60, "random", "random").encode("utf-8")


def test_bot_command_that_is_not_utf8_is_rejected():
    refused("match", "wol", b"x=bot:./b\xff", "random", saying="UTF-8")


harness.main()
