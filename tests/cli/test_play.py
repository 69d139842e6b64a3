"""turf play through pipes: every way of a game, and of getting it wrong."""
import json
import os
import random
import re
import shlex
import tempfile
import time

import harness
import slow_wol
import talk
from harness import one_line, refused, turf
from talk import Talk, boards

SIDES = {"blue": "b", "red": "r"}


def listed(text):
    """The moves in the answer to `moves`."""
    return [json.loads(move) for move in re.findall(r"\[\d,\d,\d,\d\]", text)]


def typed(move):
    return " ".join(str(n) for n in move)


def ending_of(text):
    """The outcome and the number of moves in the last line of a game."""
    found = re.search(
        r"over after (\d+) moves?: (?:(blue|red) \([^)]*\) wins|nobody wins \((\w+)\))", text)
    return found.group(2) or found.group(3), int(found.group(1))


def test_a_whole_game_between_two_people_follows_the_rules():
    for seed in ("1", "2", "3"):
        rng, n_made = random.Random(seed), 0
        with Talk("--seed", seed) as game:
            board = boards(game.read())[0]
            while game.prompt:
                side = SIDES[game.prompt]
                assert side == "br"[n_made % 2]
                moves = listed(game.say("moves"))
                assert moves == slow_wol.moves(board, side)
                move = rng.choice(moves)
                text = game.say(
                    rng.choice([typed(move), str(move), " ".join(f" {n}," for n in move)])
                )
                assert boards(text)[:2] == [slow_wol.slide(board, move), slow_wol.play(board, move)]
                board, n_made = slow_wol.play(board, move), n_made + 1
            assert game.leave() == 0
            assert ending_of(text) == (slow_wol.outcome(board, "br"[n_made % 2], n_made), n_made)


def test_a_whole_game_by_following_the_hints():
    with Talk("human", "random", "--seed", "4") as game:
        text = game.read()
        for _ in range(260):
            if not game.prompt:
                break
            moves, hint = listed(game.say("moves")), listed(game.say("hint"))
            assert len(hint) == 1 and hint[0] in moves
            text = game.say(typed(hint[0]))
        assert game.leave() == 0 and ending_of(text)


def test_a_person_may_play_either_side():
    for players, prompt in (
        (["human", "bloodlust"], "blue"),
        (["bloodlust", "human"], "red"),
        (["bloodlust"], "red"),
        ([], "blue"),
    ):
        with Talk(*players, "--start", "cross") as game:
            game.read()
            assert game.prompt == prompt, players


def test_wrong_input_gets_one_line_and_the_game_continues():
    with Talk("--start", "cross") as game:
        game.read()
        for wrong in (
            "",
            "   ",
            "\t",
            "hello",
            "hello world",
            "movess",
            "QUITE",
            "9 9 9 9",
            "0 1 1 2",
            "1 1 1 9",
            "1 1 1 1",
            "1 1 3 3",
            "1 1 2 2",
            "1 8 2 8",
            "4 1 4 2",
            "1 1 1",
            "1 1 1 2 3",
            "1 1 1 x",
            "1.5 1 1 2",
            "[1,1,1",
            "99999999999999999999 1 1 2",
            "x" * 100000,
            "1 " * 50000,
            "\u00e9",
            "\x1b[A",
            "save",
            "undo",
            "a1 b2",
            "{}",
            "%s%n",
        ):
            text = game.say(wrong)
            one_line(text)
            assert game.prompt == "blue", wrong
            assert not text.startswith("blue moves"), f"{wrong!r} was taken as a move"
        for raw in (b"\xff\xfe", b"\0"):
            one_line(game.say(raw))
        assert boards(game.say("board")) == [slow_wol.CROSS]
        assert "blue moves" in game.say("1 1 1 2")


def test_a_negative_number_is_off_the_board_and_no_separator():
    with Talk("--start", "cross") as game:
        game.read()
        for wrong in ("-1 1 1 2", "1 1 1 -2", "[1,1,-1,2]"):
            assert "blue moves" not in game.say(wrong), f"{wrong} was taken as a move"


def test_rejected_moves_say_why():
    with Talk("--start", "cross") as game:
        game.read()
        for wrong, words in (
            ("9 1 1 2", ["9", "board"]),
            ("1 1 2 2", ["2,2", "taken"]),
            ("1 8 2 8", ["1,8", "red"]),
            ("4 1 4 2", ["4,1", "no piece"]),
            ("1 1 3 3", ["3,3", "next to"]),
        ):
            text = game.say(wrong)
            assert all(word in text for word in words), text


def test_undo_goes_back_by_one_move_between_people():
    rng = random.Random(5)
    with Talk("--start", "checkers") as game:
        history = [boards(game.read())[0]]
        for n in range(5):
            move = rng.choice(slow_wol.moves(history[-1], "br"[n % 2]))
            game.say(typed(move))
            history.append(slow_wol.play(history[-1], move))
        while len(history) > 1:
            history.pop()
            assert boards(game.say("undo")) == [history[-1]]
            assert SIDES[game.prompt] == "br"[(len(history) - 1) % 2]
            assert listed(game.say("moves")) == slow_wol.moves(history[-1], SIDES[game.prompt])
        one_line(game.say("undo"))
        assert boards(game.say("board")) == [slow_wol.CHECKERS]


def test_undo_against_a_strategy_takes_its_answer_back_too():
    for players in (["human", "bloodlust"], ["bloodlust", "human"]):
        with Talk(*players, "--start", "checkers") as game:
            board, side = boards(game.read())[-1], SIDES[game.prompt]
            game.say(typed(slow_wol.moves(board, side)[3]))
            assert SIDES[game.prompt] == side
            assert boards(game.say("undo")) == [board] == boards(game.say("board"))
            one_line(game.say("undo"))


def test_a_saved_game_continues_from_the_same_position():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "my game.json")
        with Talk("--start", "checkers") as game:
            board, n_made = boards(game.read())[0], 0
            for n_made in range(1, 4):
                side = SIDES[game.prompt]
                move = slow_wol.moves(board, side)[5]
                game.say(typed(move))
                board = slow_wol.play(board, move)
            one_line(game.say("save " + path))
            prompt = game.prompt
        with Talk("--start", path) as game:
            assert boards(game.read())[0] == board and game.prompt == prompt
            assert listed(game.say("moves")) == slow_wol.moves(board, SIDES[prompt])
            assert "\nMove 4: " in game.everything
            one_line(game.say("save " + path + ".again"))
            assert boards(game.say("undo"))
        shown = turf("replay", path).out
        assert (
            "\nMove 3 of 3: " in shown
            and "\nThe record ends here, before the end of the game.\n" in shown
        )
        with open(path) as first, open(path + ".again") as second:
            assert json.load(first) == json.load(second)
        with open(path) as file:
            saved = json.load(file)
        assert saved["board"] == board and saved["moves_made"] == n_made and saved[
            "to_move"] == SIDES[prompt]
        now = saved["start"]
        for move in saved["moves"]:
            now = json.loads(turf("step", "wol", given=json.dumps(now | {"move": move})).out)
        assert now == {key: saved[key] for key in now}


def test_squirrel_war_takes_the_row_before_the_column_too():
    for move in ("C3", "c3", "3c", "3C"):
        said = turf("play", "sw", "human", "random", "--seed", "1", given=f"{move}\nquit\n").out
        assert "X moves C3" in said, (move, said)


def test_a_saved_game_remembers_its_players():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.json")
        said = turf("play", "wol", "human", "deep=minimax:depth=1", "--start", "cross",
                    given=f"save {path}\nsave {path}\nsave! {path}\n").out
        assert said.count("Saved.") == 2 and f"save! {path}\n" in said, said
        for players, rival in (([], "deep"), (["human", "random"], "random")):
            said = turf("play", "wol", *players, "--start", path, given="1 1 1 2\nquit\n").out
            assert f"{rival} is red" in said and "red moves" in said, said
        with open(path) as file:
            saved = json.load(file)
        assert saved["players"] == ["human", "deep=minimax:depth=1"]
        saved["players"][1] = f"bot:touch {folder}/pwned"
        with open(path, "w") as file:
            json.dump(saved, file)
        assert "name both players again" in turf("play", "wol", "--start", path, status=2).err
        assert os.listdir(folder) == ["game.json"]


def test_a_failed_save_does_not_end_the_game():
    with tempfile.TemporaryDirectory() as folder, Talk("--start", "cross") as game:
        game.read()
        database = os.path.join(folder, "games.db")
        turf("match", "wol", "random", "random", "-n", "2", "--db", database)
        for path in (
            folder,
            "/nosuch/folder/x",
            "/dev/full",
            "/" + "x" * 300,
            "x" * 100000,
            database,
        ):
            text = game.say("save! " + path)
            assert "Saved" not in text and text.count("\n") == 1 and game.prompt == "blue"
        assert "is a database" in text and turf("runs", "--db", database)
        assert boards(game.say("board")) == [slow_wol.CROSS]


def test_end_of_input_leaves_the_game():
    for given in ("", "1 1 1 2\n", "1 1 1 2\nmoves", "hint", "nonsense"):
        result = turf("play", "wol", "--start", "cross", given=given)
        assert result.err == "" and "left" in result.out.splitlines()[-1]


def test_quit_leaves_the_game():
    for word in ("quit", " quit ", "q"):
        with Talk("--start", "cross") as game:
            game.read()
            text = game.say(word)
            assert game.prompt is None and game.leave() == 0 and "left" in text


def test_help_names_every_command():
    with Talk() as game:
        game.read()
        text = game.say("help")
        for word in ("moves", "hint", "undo", "save", "quit"):
            assert word in text


def test_every_command_is_answered_in_every_game():
    for game in harness.games():
        size = ["--size", "6"] if game == "amoeba-wars" else []
        said = turf(
            "play",
            game,
            "human",
            "random",
            "--seed",
            "1",
            *size,
            given="help\nmoves\nhint\nundo\nboard\nnonsense\nquit\n",
        ).out
        assert said.endswith("The game was left after 0 moves.\n") and "save FILE" in said, (game,
                                                                                             said)


def test_the_board_of_ai_battleground_numbers_rows_and_columns():
    lines = turf(
        "play", "bg", "human", "random", "--start", "24x24", "--seed", "1", given="11 9\nquit\n"
    ).out.splitlines()
    top = next(
        i for i, line in enumerate(lines) if line.strip().startswith("0         10        20")
    )
    assert lines[top + 1].strip() == ("0123456789" * 3)[:24]
    assert [line.split()[0] for line in lines[top + 2 : top + 26]] == [
        str(row) for row in range(24)
    ], lines


BOT = f"bot:{shlex.join([harness.TURF, 'bot'])}"


def test_undo_takes_back_a_turn_of_both_sides():
    said = turf(
        "play",
        "bg",
        "human",
        "dummy",
        "--start",
        "6x6",
        "--seed",
        "1",
        given="undo\n\n\nundo\nundo\nundo\nquit\n",
    ).out
    assert re.findall(r"Back to move \d|no move of yours", said) == [
        "no move of yours", "Back to move 2", "Back to move 1", "no move of yours"
    ]
    said = turf(
        "play",
        "bg",
        "human",
        "human",
        "--start",
        "6x6",
        "--seed",
        "1",
        given="\nundo\n\n\nundo\nquit\n",
    ).out
    assert re.findall(r"(blue|red)> |Back to move (\d)",
                      said) and said.count("Back to move 1.") == 2, said


def test_a_saved_game_of_ai_battleground_continues_and_can_be_replayed():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.json")
        turf("play", "bg", "human", "random", "--start", "6x6", "--seed", "1",
             given=f"\n\nsave {path}\nquit\n")
        assert "Move 2 of 2: both moved" in turf("replay", path).out
        assert (
            "Back to move 2."
            in turf("play", "bg", "human", "random", "--start", path, given="undo\nquit\n").out
        )


def test_a_bot_plays_the_same_game_as_its_built_in_player():
    for game, start in (("wol", "cross"), ("aw", "5"), ("bg", "6x6"), ("sw", "random")):
        given = [game, "--seed", "4", "--start", start, "--json"]
        home = json.loads(turf("play", *given[:1], "land-grab", "land-grab", *given[1:]).out)
        away = json.loads(
            turf(
                "play", *given[:1], f"land-grab={BOT} {game} land-grab", "land-grab", *given[1:]
            ).out
        )
        assert home == away and home["forfeit"] is None and home["length"] > 0, (home, away)


def test_a_failing_bot_loses_and_the_reason_is_shown():
    for game in harness.games():
        size = ["--size", "5"] if game == "amoeba-wars" else []
        out = turf("play", game, "random", "x=bot:false", "--seed", "1", *size).out
        assert "(x) cannot go on: crash: ended with status 1." in out and out.count(
            "cannot go on") == 1, out
        result = json.loads(
            turf("play", game, "x=bot:false", "random", "--seed", "1", "--json", *size).out
        )
        assert result["winner"] == "random" and result[
            "forfeit"] == "crash" and "status 1" in result["explanation"], result


def test_a_person_plays_against_a_bot():
    with Talk("--start", "cross", "human", f"{BOT} wol land-grab") as game:
        game.read()
        assert "red moves" in game.say("2 2 1 2")
        assert "Back to move 1." in game.say("undo")
        assert "left" in game.say("quit") and game.leave() == 0


def test_json_output_can_be_replayed_and_rejects_people():
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(turf("play", "wol", "land-grab", "random", "--seed", "3", "--json").out)
        file.flush()
        assert "land-grab is blue" in turf("replay", file.name).out
    refused("play", "wol", "human", "random", "--json", saying="person")


def test_a_strategy_against_a_strategy_is_shown_move_by_move():
    for players in (["random", "bloodlust"], ["land-grab", "self-preservation"]):
        out = turf("play", "wol", *players, "--seed", "6").out
        shown, moves = boards(out), listed(out)
        board, n_made = shown.pop(0), 0
        for n_made, move in enumerate(moves, 1):
            side = "br"[(n_made - 1) % 2]
            assert move in slow_wol.moves(board, side)
            player = players[(n_made - 1) % 2]
            if player != "random":
                assert move == slow_wol.best(player, board, side)[0][0]
            assert shown.pop(0) == slow_wol.slide(board, move)
            board = slow_wol.play(board, move)
            assert shown.pop(0) == board
        assert not shown
        assert ending_of(out) == (slow_wol.outcome(board, "br"[n_made % 2], n_made), n_made)


def test_quiet_prints_only_the_number_of_moves_and_the_winner():
    for seed in range(12):
        args = ["play", "wol", "random", "land-grab", "--seed", str(seed)]
        lines = turf(*args, "--quiet").out.splitlines()
        assert len(lines) == 2 and lines[0].startswith("moves: ") and lines[1].startswith(
            "winner: ")
        assert ending_of(turf(*args).out) == (lines[1].split()[1], int(lines[0].split()[1]))


def test_quiet_agrees_with_the_slow_rules():
    for name in ("cross", "gliders"):
        outcome, n_moves = slow_wol.whole_game(slow_wol.STARTS[name], ["bloodlust", "land-grab"])
        assert (
            turf("play", "wol", "bloodlust", "land_grab", "--quiet", "--start", name).out
            == f"moves: {n_moves}\nwinner: {outcome}\n"
        )


def test_the_same_seed_plays_the_same_game():
    outs = [turf("play", "wol", "random", "random", "--seed", seed).out for seed in ("7", "7", "8")]
    assert outs[0] == outs[1] != outs[2]


def test_games_without_a_seed_differ_and_print_their_seed():
    one, other = (turf("play", "wol", "random", "random").out for _ in range(2))
    assert one != other
    seed = re.search(r"seed (\d+)", one).group(1)
    assert turf("play", "wol", "random", "random", "--seed", seed).out == one


def test_a_delay_waits_after_each_move():
    args = ["play", "wol", "random", "random", "--seed", "6"]
    n_moves = ending_of(turf(*args).out)[1]
    begin = time.monotonic()
    turf(*args, "--delay", "15")
    assert time.monotonic() - begin >= 0.015 * n_moves > 0


def test_a_finished_start_position_ends_at_once():
    assert ending_of(turf("play", "wol", "--start", "[[[1,1]],[]]").out) == ("blue", 0)
    full = "/".join(["bbbbrrrr"] * 8)
    assert ending_of(turf("play", "wol", "--start", full).out) == ("stalemate", 0)


def test_a_game_is_exhausted_after_250_moves():
    block = slow_wol.board_of([(1, 1), (1, 2), (2, 1), (2, 2)], [(7, 7), (7, 8), (8, 7), (8, 8)])
    start = json.dumps({"board": block, "to_move": "r", "moves_made": 249})
    with Talk("--start", start) as game:
        game.read()
        assert game.prompt == "red"
        # The piece beside the block is alone or reborn; both sides live on.
        text = game.say("7 7 6 6")
        assert game.prompt is None and ending_of(text)[0] == "exhausted"


def test_pipes_get_no_colour():
    environment = os.environ | {"TERM": "xterm-256color", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}
    for args in (
        ["play", "wol", "random", "random"],
        ["match", "wol", "random", "random", "-n", "5"],
        ["tournament", "wol", "-n", "2"],
        ["help"],
        ["games"],
    ):
        result = turf(*args, env=environment)
        assert "\x1b" not in result.out + result.err


harness.main()
