"""The Python package: nothing that Python can pass crashes the process. Wrong values, arrays of any
kind, several threads, objects that outlive others, and forks."""
import gc
import os
import random
import sys
import threading

import harness
from harness import ROOT

os.environ["TURF_LIBRARY"] = os.path.join(os.path.dirname(harness.TURF), "libturf.so")
sys.path.insert(0, os.path.join(ROOT, "python"))

import numpy as np  # noqa: E402

import turf  # noqa: E402

TURNS = ("war-of-life", "amoeba-wars", "squirrel-war")
GAMES = (*TURNS, "ai-battleground")
ARRAYS = ("observations", "numbers", "masks", "to_move", "rewards", "ended", "endings", "lengths")
ODD = (None, -1, 0, 1, 3, 2**31, 2**63, 2**70, 1.5, float("nan"), "", "x", "4x4", "\0", "\udcff",
       b"x", [], [[0, 0]], [[2**40, 1]], {}, {"board": []}, object(), True, np.zeros(3),
       np.int64(2), np.zeros((2, 512), bool), np.full(2, 2**40), np.array(["a", "b"]),
       np.zeros((0, 2), int))
QUIET = (Exception,)


def things(rng):
    """One of everything that has methods."""
    name = rng.choice(GAMES)
    return [turf.batch(name, 2, seed=1), turf.position(name, seed=1), turf.player(name, "random"),
            turf.Rng(1), turf.game(name)]


def test_no_call_crashes_python():
    rng = random.Random(1)
    functions = [turf.game, turf.position, turf.batch, turf.player, turf.match, turf.solve,
                 turf.tournament, turf.read_selfplay, turf.database, turf.read_dataset]
    n_done = 0
    for _ in range(150):
        objects = things(rng)
        methods = [getattr(each, name) for each in objects for name in dir(each)
                   if not name.startswith("_") and callable(getattr(each, name))]
        for call in rng.sample(methods, 12) + rng.sample(functions, 2):
            words = [rng.choice((*ODD, *objects)) for _ in range(rng.randrange(4))]
            if call is turf.match or call is turf.tournament:
                words = [rng.choice(TURNS), *words][:3]
            try:
                call(*words)
                n_done += 1
            except QUIET as error:
                assert not isinstance(error, (SystemError, MemoryError)), (call, words, error)
    assert n_done > 100


def test_objects_made_without_init_do_not_crash():
    for kind in (turf.Batch, turf.Position, turf.Player, turf.Rng):
        empty = kind.__new__(kind)
        for name in ("step", "sample", "play", "json", "choose", "moves", "to_move"):
            try:
                getattr(empty, name)()
            except QUIET:
                pass


# ---- arrays


def twisted(array):
    """Arrays with the same values that the library could not use as they are."""
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)[..., ::2]
    wide[...] = array
    shifted = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    shifted[...] = array
    frozen = array.copy()
    frozen.flags.writeable = False
    swapped = array.astype(array.dtype.newbyteorder(">"))
    kinds = [wide, shifted, frozen, np.asfortranarray(array), array[::-1][::-1]]
    return kinds + ([swapped] if array.dtype.itemsize > 1 else [])


def test_actions_may_lie_anywhere_in_memory():
    for name in GAMES:
        plain, other = turf.batch(name, 5, seed=3), turf.batch(name, 5, seed=3)
        for kind in range(15):
            actions = plain.sample()
            twists = twisted(actions)
            plain.step(actions)
            other.step(twists[kind % len(twists)])
            assert (plain.observations == other.observations).all(), (name, kind)


def test_arrays_to_fill_must_be_plain_ones():
    for name in GAMES:
        for array in ARRAYS:
            good = getattr(turf.batch(name, 4), array)
            bad = [good.astype(np.float64), good[:2], good.tolist(), good.T[..., :0],
                   np.zeros(good.nbytes, np.uint8), np.zeros((4, 10**6), good.dtype)]
            for each in bad + twisted(good)[:3]:
                if isinstance(each, np.ndarray) and each.flags.carray and (
                        each.dtype, each.shape) == (good.dtype, good.shape):
                    continue  # bytes lie anywhere
                try:
                    turf.batch(name, 4, **{array: each})
                except TypeError as error:
                    assert array in str(error)
                else:
                    raise AssertionError((name, array, each))


def test_arrays_of_random_kinds_are_used_or_refused():
    rng, kinds = random.Random(2), "bool int8 uint8 int32 int64 uint64 float32 complex128 S3 O U1"
    for _ in range(400):
        batch = turf.batch(rng.choice(GAMES), rng.choice((1, 2, 7)), threads=rng.choice((1, 2)))
        shape = rng.choice((batch.sample().shape, batch.masks.shape, (batch.n,), (), (0,), (3, 3)))
        array = np.zeros(shape, rng.choice(kinds.split()))
        if array.dtype.kind in "iu" and array.size:
            array.flat[rng.randrange(array.size)] = rng.choice((0, 1, 2, 100))
        calls = (batch.step, batch.sample, lambda a: batch.reset(which=a),
                 lambda a: batch.position(a), lambda a: batch.reset(a))
        try:
            rng.choice(calls)(array)
        except (TypeError, ValueError):
            pass


def test_many_games_are_refused_before_memory_is_asked_for():
    for n in (0, -1, 2**24 + 1, 2**31, 2**63, 2**64, 2**200):
        try:
            turf.batch("war-of-life", n)
        except turf.TurfError as error:
            assert "n must be an integer from 1 to" in str(error)
        else:
            raise AssertionError(n)


# ---- objects and their lives


def test_what_the_library_relies_on_cannot_be_assigned():
    batch, position = turf.batch("wol", 3), turf.position("wol")
    for thing, name in ((batch, "n"), (batch, "game"), (position, "game"),
                        (turf.player("wol", "random"), "game")):
        try:
            setattr(thing, name, turf.game("bg") if name == "game" else 10**9)
        except AttributeError:
            continue
        raise AssertionError(f"{name} of {thing} was assigned")


def test_arrays_and_positions_outlive_their_batch():
    for name in GAMES:
        batch = turf.batch(name, 64, threads=2)
        arrays, positions = [getattr(batch, array) for array in ARRAYS], [
            batch.position(i) for i in range(64)]
        before = [array.copy() for array in arrays]
        del batch
        gc.collect()
        for array, copy in zip(arrays, before):
            assert (array == copy).all()
            array[...] = 1
        assert all(position.to_move in (0, 1, 2) for position in positions)


def test_threads_may_share_a_batch_and_a_position():
    batch, position = turf.batch("wol", 64, threads=2), turf.position("aw", "26x26")
    failures, rng = [], turf.Rng(1)

    def use():
        try:
            for i in range(60):
                try:
                    batch.step(batch.sample())
                except turf.TurfError:  # another thread has moved on
                    pass
                if i % 20 == 0:
                    batch.reset(seed=i)
                try:
                    position.play(position.random_move(rng))
                except turf.TurfError:
                    pass
                assert len(position.moves()) <= 676 and batch.position(3).json()
        except BaseException as error:
            failures.append(repr(error))

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def test_threads_may_share_a_player():
    player, position = turf.player("wol", "alphabeta:depth=3"), turf.position("wol", seed=4)
    found = []
    threads = [threading.Thread(target=lambda: found.append(player.choose(position)))
               for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [player.choose(position)] * 8


def test_a_fork_can_go_on_with_a_batch():
    for n_threads in (1, 3):
        batch = turf.batch("wol", 300, threads=n_threads)
        batch.step(batch.sample())
        child = os.fork()
        if child == 0:
            status = 1
            try:
                for _ in range(5):
                    batch.step(batch.sample())
                del batch
                gc.collect()
                turf.match("wol", "random", "land-grab", n=20)
                status = 0
            finally:
                os._exit(status)
        batch.step(batch.sample())
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_an_adapter_that_is_missing_says_so():
    for name in ("pettingzoo", "gymnasium", "open_spiel"):
        assert name in dir(turf)
        try:
            assert getattr(turf, name).__name__ == "turf." + name
        except ImportError as error:
            assert error.name in ("pettingzoo", "gymnasium", "pyspiel"), error
            assert "pip install " + name in str(error)
    try:
        turf.pettingzo
    except AttributeError as error:
        assert "no attribute 'pettingzo'" in str(error)
    else:
        raise AssertionError("turf.pettingzo exists")


harness.main()
