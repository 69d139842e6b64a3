"""The Prolog bridge: a coursework file plays in turf as it is, and what goes wrong in it is told in
one line."""
import json
import os
import random
import shlex
import shutil
import subprocess
import tempfile

import harness
import slow_wol
from harness import ROOT, Skip, one_line, turf

WOL = os.path.join(ROOT, "bots", "prolog", "wol")
COURSE = os.path.join(ROOT, "tests", "prolog")
MINE = os.path.join(COURSE, "my_wol.pl")


def need_prolog():
    if not shutil.which("swipl"):
        raise Skip("there is no swipl")


def wol(*args, given="", status=0, **more):
    """Runs the bridge to its end; its answers, and its standard error."""
    need_prolog()
    done = subprocess.run([WOL, *args], input=given, capture_output=True, text=True, timeout=60,
                          **more)
    assert done.returncode == status, (args, done.returncode, done.stderr[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def question(board, side):
    return json.dumps({
        "board": board, "to_move": side, "moves_made": 0, "you": side, "moves": slow_wol.moves(
            board, side)
    }) + "\n"


CROSS = question(slow_wol.CROSS, "b")
NEW_GAME = '{"new_game":{"game":"war-of-life","you":"b"}}\n'


def positions(n_positions, max_pieces):
    """Boards on which the side to move can move, with up to `max_pieces` pieces per side."""
    rng, found = random.Random(7), []
    while len(found) < n_positions:
        cells = rng.sample([(r, c) for r in range(1, 9) for c in range(1, 9)],
                           rng.randint(2, max_pieces) + rng.randint(2, max_pieces))
        n_blue = rng.randint(1, len(cells) - 1)
        board, side = slow_wol.board_of(cells[:n_blue], cells[n_blue:]), rng.choice("br")
        if slow_wol.moves(board, side):
            found.append((board, side))
    return found


def coursework(source):
    """A folder with the course's file and a my_wol.pl of this source."""
    folder = tempfile.TemporaryDirectory(prefix="turf-prolog-")
    shutil.copy(os.path.join(COURSE, "war_of_life.pl"), folder.name)
    with open(os.path.join(folder.name, "my_wol.pl"), "w") as file:
        file.write(source)
    return folder


def test_each_strategy_chooses_one_of_turfs_best_moves():
    n_answers = 0
    for strategy, n_positions, max_pieces in (("bloodlust", 40, 14), ("self_preservation", 40, 14),
                                        ("land_grab", 40, 14), ("minimax", 12, 4)):
        asked = positions(n_positions, max_pieces)
        answers, _ = wol(MINE, strategy, given="".join(question(*position) for position in asked))
        given = "".join(
            json.dumps({"board": board, "to_move": side, "moves_made": 0}) + "\n"
            for board, side in asked)
        lines = turf("choose", "war-of-life", strategy.replace("_", "-"), "--all",
                     given=given).out.splitlines()
        assert len(answers) == len(lines) == len(asked), (strategy, len(answers), len(lines))
        for position, answer, line in zip(asked, answers, lines):
            assert answer["move"] in json.loads(line)["moves"], (strategy, position, answer, line)
        n_answers += len(answers)
    return f"{n_answers} answers"


def test_coursework_plays_like_turfs_strategy_from_any_folder():
    need_prolog()
    for strategy, folder, *options in (("bloodlust", COURSE), ("land_grab", ROOT, "--reuse")):
        command = shlex.join(
            [os.path.relpath(WOL, folder),
             os.path.relpath(MINE, folder), strategy])
        results = [
            json.loads(
                turf("match", "war-of-life", player, "self-preservation", "-n", "2", "--json", "-q",
                     "--move-cap", "60000", *options, cwd=folder).out)
            for player in (f"mine=bot:{command}", strategy.replace("_", "-"))
        ]
        for key in ("wins", "draws", "average_length", "forfeits"):
            assert results[0][key] == results[1][key], (strategy, key, results)


def test_random_player_of_the_course_file_plays():
    asked = positions(20, 12)
    answers, _ = wol(MINE, "random", given="".join(question(*position) for position in asked))
    assert len(answers) == 20
    for position, answer in zip(asked, answers):
        assert answer["move"] in slow_wol.moves(*position)


def test_bridge_passes_check_bot():
    need_prolog()
    out = turf("check-bot", "war-of-life", "--move-cap", "60000", "--", WOL, MINE,
               "self_preservation").out
    assert out.endswith("All is well.\n"), out


def test_coursework_io_does_not_reach_the_wire():
    source = """
:- use_module(library(system)).
helper :- write('{"move":[1,1,1,1]}'), nl, halt.
:- helper.
:- initialization(helper).
:- initialization(helper, main).
:- once((helper ; true)), write(started), nl.
:- write('{"move":[2,2,2,2]}'), nl.
?- helper.
:- halt.
chatty(Colour, Board, _, Move) :-
    write('{"move":[3,3,3,3]}'), nl, tell(user), write(user_output, 'without a newline'), told,
    write(more),
    read(Nothing), Nothing == end_of_file, \\+ random(1, 1, _), "ab" = [97, 98],
    move_piece(Colour, random, Board, _, Move).
"""
    with coursework(source) as folder:
        answers, words = wol(os.path.join(folder, "my_wol.pl"), "chatty", given=CROSS * 2)
        assert len(answers) == 2 and all(answer["move"] in slow_wol.moves(slow_wol.CROSS, "b")
                                         for answer in answers), answers
        assert words.count("wol: not obeyed: "
                           ) == 6 and "\nstarted" not in words and '"move":[1' not in words, words
        assert '"move":[2' in words and words.count('"move":[3') == 2, words


BROKEN = """
fails(_, _, _, _) :- write('no newline'), fail.
throws(_, _, _, _) :- throw(oops).
calls_nothing(_, _, _, _) :- no_such_thing(1).
unbound(_, _, _, _).
half_bound(_, _, _, [1, 2, 3, _]).
ends(_, _, _, _) :- halt.
"""


def test_strategy_without_a_move_fails_with_one_line():
    with coursework(BROKEN) as folder:
        path = os.path.join(folder, "my_wol.pl")
        for strategy, why in (("fails", "(failed)"), ("throws", "(threw oops)"),
                              ("calls_nothing", "no_such_thing/1)"), ("unbound", "(Move = _)"),
                              ("half_bound", "(Move = [1,2,3,_])"), ("ends", "(failed)")):
            answers, words = wol(path, strategy, given=CROSS * 2, status=1)
            line = words.splitlines()[-1]
            assert answers == [] and line.startswith("wol: no move (") and why in line, (strategy,
                                                                                         words)
            assert f"{strategy}(b,[[[1,1],[2,2]," in line, line  # what to type to see it again
        command = shlex.join([WOL, path, "fails"])
        done = turf("match", "war-of-life", f"mine=bot:{command}", "random", "-n", "1", "--json",
                    "--move-cap", "60000")
        assert json.loads(done.out)["forfeits"] == [{
            "crash": 1
        }, {}] and "wol: no move (failed): fails(b," in done.err


def test_wrong_usage_is_one_line_with_status_2():
    def refused(*args, saying, **more):
        answers, words = wol(*args, status=2, **more)
        assert answers == [] and saying in one_line(words), words

    with coursework(BROKEN) as folder:
        path = os.path.join(folder, "my_wol.pl")
        refused(path, "bloodlust", saying="does not define bloodlust/4; there are: random")
        os.remove(os.path.join(folder, "war_of_life.pl"))
        refused(path, "fails", saying=f"put the course's war_of_life.pl into {folder}")
    refused("no_such.pl", "bloodlust", saying="there is no file no_such.pl")
    for args in ((), (MINE,), (MINE, "bloodlust", "minimax"), ("-b", "bloodlust"), (MINE, "-b")):
        refused(*args, saying="usage: wol FILE.pl STRATEGY")
    refused(MINE, "bloodlust", saying="apt-get install swi-prolog-nox",
            env={"PATH": "/nonexistent"})


def test_bridge_follows_the_protocol():
    spaced = json.dumps(json.loads(CROSS), separators=(" , ", " : ")) + "\n"
    answers, words = wol(
        MINE, "bloodlust",
        given=NEW_GAME + CROSS + NEW_GAME + spaced + '{"error":"too \\"slow\\""}\n' + CROSS)
    assert len(answers) == 2 and answers[0] == answers[1] and 'turf: too "slow"' in words
    for broken in ("[1,2\n", '{"field":["..",".."]}\n'):
        answers, words = wol(MINE, "bloodlust", given=broken + CROSS, status=1)
        assert answers == [] and words.splitlines()[-1].startswith("wol: "), words


harness.main()
