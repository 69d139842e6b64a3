"""The Python package: positions, players, matches and batches; wrong calls are exceptions, never
crashes; the code of docs/python.md runs."""
import copy
import doctest
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading

import harness
from harness import ROOT, turf as command
from pages import read_blocks

os.environ["TURF_LIBRARY"] = os.path.join(os.path.dirname(harness.TURF), "libturf.so")
sys.path.insert(0, os.path.join(ROOT, "python"))

import numpy as np  # noqa: E402

import turf  # noqa: E402

NAMES = ("war-of-life", "amoeba-wars", "ai-battleground", "squirrel-war")
ARRAYS = ("observations", "numbers", "masks", "to_move", "rewards", "ended", "endings", "lengths")


def fails(kind, says, call, *args, **more):
    try:
        call(*args, **more)
    except kind as error:
        assert says in str(error), f"{error!r} does not say {says!r}"
        return
    raise AssertionError(f"{call} accepted {args} {more}")


def play(batch, n_steps=100):
    for _ in range(n_steps):
        batch.step(batch.sample())


def copies(batch):
    return [getattr(batch, name).copy() for name in ARRAYS]


def assert_same(first, second):
    for name, one, other in zip(ARRAYS, copies(first), copies(second)):
        assert (one == other).all(), name


def test_batch_rows_are_the_positions():
    for name in NAMES:
        batch = turf.batch(name, 6, seed=3)
        for _ in range(30):
            for i in range(batch.n):
                position = batch.position(i)
                assert (batch.observations[i] == position.planes()).all()
                assert (batch.numbers[i] == position.numbers()).all()
                assert batch.to_move[i] == position.to_move
                sides = [0, 1] if batch.is_simultaneous else [position.to_move]
                masks = [position.mask(side) for side in sides]
                assert (batch.masks[i].ravel() == np.concatenate(masks)).all()
            batch.step(batch.sample())


def test_sampled_games_are_those_of_turf_match():
    for name in ("war-of-life", "amoeba-wars", "squirrel-war"):
        n = 300
        batch = turf.batch(name, n, seed=7)
        endings = np.full(n, -1)
        while (endings < 0).any():
            batch.step(batch.sample())
            is_first = batch.ended & (endings < 0)
            endings[is_first] = batch.endings[is_first]
        game = turf.game(name)
        counted = {game.ending_name(k): int((endings == k).sum()) for k in range(5)
                   if game.ending_name(k)}
        result = json.loads(command("match", name, "random", "random", "-n", str(n), "--seed", "7",
                                    "--json").out)
        assert counted == result["outcomes"], (counted, result["outcomes"])
        assert counted == turf.match(name, "random", "random", n=n, seed=7)["outcomes"]


def test_seeds_decide_games_and_reset_repeats_them():
    for name in NAMES:
        one, other = turf.batch(name, 5, seed=1), turf.batch(name, 5, seed=2)
        play(one)
        one.reset(seed=2)
        assert_same(one, other)
        play(one)
        play(other)
        assert_same(one, other)


def test_reset_of_some_games_leaves_the_others():
    batch = turf.batch("squirrel-war", 4)
    play(batch, 3)
    batch.reset(which=np.array([True, False, True, False]))
    assert batch.lengths.tolist() == [0, 3, 0, 3]


def test_callers_arrays_are_filled_in_place():
    masks = np.zeros((4, 512), np.bool_)
    rewards = np.zeros(4, np.float32)
    mine = turf.batch("wol", 4, seed=5, masks=masks, rewards=rewards)
    other = turf.batch("wol", 4, seed=5)
    play(mine)
    play(other)
    assert mine.masks is masks and mine.rewards is rewards
    assert_same(mine, other)
    out = np.empty(4, np.int32)
    assert mine.sample(out=out) is out


def test_wrong_arrays_are_rejected():
    for wrong in (np.zeros((4, 511), np.bool_), np.zeros((4, 512), np.int32), [[True] * 512] * 4,
                  np.zeros((512, 4), np.bool_).T, np.zeros((4, 1024), np.bool_)[:, ::2]):
        fails(TypeError, "masks must be", turf.batch, "wol", 4, masks=wrong)
    frozen = np.zeros((4, 512), np.bool_)
    frozen.flags.writeable = False
    fails(TypeError, "writable", turf.batch, "wol", 4, masks=frozen)
    fails(TypeError, "no array 'mask'", turf.batch, "wol", 4, mask=frozen)
    fails(TypeError, "out must be", turf.batch("wol", 4).sample, out=np.empty(3, np.int32))


def test_wrong_actions_are_rejected_and_change_nothing():
    batch = turf.batch("war-of-life", 3, seed=1)
    before = copies(batch)
    legal = batch.sample()
    for actions, kind, says in (
            ([0, 0], turf.TurfError, "takes 3 actions"),
            (np.zeros((3, 1), int), turf.TurfError, "takes 3 actions"),
            (legal.astype(float), TypeError, "must be integers"),
            (None, TypeError, "must be integers"),
            ("abc", TypeError, "must be integers"),
            ([legal[0], 2**40, legal[2]], turf.TurfError, f"game 1: there is no action {2**40}"),
            ([legal[0], -1, legal[2]], turf.TurfError, "game 1: there is no action -1"),
            (np.array([512, 0, 0], np.int32), turf.TurfError, "they go from 0 to 511")):
        fails(kind, says, batch.step, actions)
    for one, other in zip(before, copies(batch)):
        assert (one == other).all()
    batch.step(legal[::-1][::-1])
    batch.step(batch.sample().astype(np.uint64))


def test_wrong_cells_are_rejected():
    batch = turf.batch("bg", 2)
    fails(turf.TurfError, "the shape (2, 2, 24, 24)", batch.step, np.zeros((2, 2, 24), np.bool_))
    fails(TypeError, "bool or uint8", batch.step, np.zeros((2, 2, 24, 24)))
    far = np.zeros((2, 2, 24, 24), np.bool_)
    far[1, 0, 0, 0] = True
    fails(turf.TurfError, "game 1, player 1: [0,0] is too far away", batch.step, far)


def test_wrong_arguments_are_exceptions_with_sentences():
    fails(turf.TurfError, "there is no game 'chess'", turf.game, "chess")
    fails(TypeError, "must be a string", turf.game, None)
    fails(turf.TurfError, "NUL", turf.game, "wol\0")
    fails(turf.TurfError, "there is no start 'nowhere'", turf.batch, "wol", 3, start="nowhere")
    fails(turf.TurfError, "n must be an integer from 1", turf.batch, "wol", 0)
    fails(TypeError, "n must be an integer", turf.batch, "wol", 2.5)
    fails(turf.TurfError, "seed must be", turf.batch, "wol", 1, seed=-1)
    fails(turf.TurfError, "a game's index", turf.batch("wol", 2).position, 2)
    fails(turf.TurfError, "there is no player", turf.player, "wol", "nobody")
    fails(TypeError, "must be a string", turf.player, "wol", None)
    position = turf.position("wol", "cross")
    fails(TypeError, "must be an integer", position.play, None)
    fails(turf.TurfError, "there is no such move", position.play, 4096)
    fails(turf.TurfError, "not a legal move", position.move_text, 99999)
    fails(turf.TurfError, "both sides move at once", turf.position("bg").play, 1)
    fails(TypeError, "[row, col]", turf.position("bg").play_both, [[1]], [])
    fails(turf.TurfError, "plays amoeba-wars", turf.player("aw", "random").choose, position)


def test_position_plays_a_whole_game():
    rng, position = turf.Rng(1), turf.position("amoeba-wars", "5x5")
    while not position.is_over:
        assert position.ending is None and position.reward(0) == 0
        before, move = position.copy(), position.random_move(rng)
        assert position.play(move) is position and position != before
    assert position.ending in ("O", "X", "tie")
    assert position.reward(0) == -position.reward(1)


def test_both_sides_play_cells():
    position = turf.position("ai-battleground")
    settler = turf.player("ai-battleground", "settler")
    cells = [settler.choose_cells(position, side) for side in (0, 1)]
    assert cells[0].shape[1] == 2
    position.play_both(*cells)
    assert position.dict()["iteration"] == 1


def test_positions_survive_pickling_and_copying():
    for name in NAMES:
        batch = turf.batch(name, 1, seed=4)
        play(batch, 5)
        position = batch.position(0)
        assert pickle.loads(pickle.dumps(position)) == position
        assert copy.deepcopy(position) == position


def test_cells_that_are_not_legal_are_left_out():
    position = turf.position("ai-battleground")
    cells = position.legal_cells(0, np.ones(24 * 24))
    assert len(cells) == position.numbers(0)[0] == 3
    assert position.mask(0).reshape(24, 24)[tuple(cells.T)].all()
    position.play_both(cells, [])
    assert len(position.legal_cells(1, np.zeros(24 * 24))) == 0
    fails(turf.TurfError, "each of 576 cells", position.legal_cells, 0, [1])


def test_threads_may_share_a_batch():
    batch, failed = turf.batch("war-of-life", 64, seed=1), []

    def work():
        for _ in range(200):
            try:
                batch.step(batch.sample())
            except turf.TurfError:  # the other thread has moved the games on in between
                pass
            except Exception as error:  # noqa: BLE001
                failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert batch.masks.any(axis=1).all()


def test_arrays_outlive_their_batch():
    observations = turf.batch("war-of-life", 8).observations
    assert observations.sum() == 8 * 24


def test_missing_library_is_named():
    env = {**os.environ, "TURF_LIBRARY": "", "PYTHONPATH": os.path.join(ROOT, "python")}
    code = ("import sys; sys.path.insert(0, sys.argv[1]); import os.path as p; p.exists = "
            "lambda path: False; import turf")
    done = subprocess.run([sys.executable, "-c", code, os.path.join(ROOT, "python")],
                          capture_output=True, text=True, env=env, check=False)
    assert "was not found" in done.stderr, done.stderr[-500:]


def test_code_in_python_md_runs():
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as file:
        blocks = [block for block in read_blocks(file.read()) if block.kind == "python"]
    code = "\n\n".join("\n".join(block.lines) for block in blocks)
    test = doctest.DocTestParser().get_doctest(code, {}, "docs/python.md", None, 0)
    log, before, search = [], os.getcwd(), os.environ["PATH"]
    with tempfile.TemporaryDirectory(prefix="turf-python-") as folder:
        os.symlink(harness.TURF, os.path.join(folder, "turf"))
        os.environ["PATH"] = folder + os.pathsep + search
        os.chdir(folder)
        try:
            result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=log.append)
        finally:
            os.chdir(before)
            os.environ["PATH"] = search
    assert result.attempted > 20 and result.failed == 0, "".join(log)


harness.main()
