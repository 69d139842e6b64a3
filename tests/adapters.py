"""The adapters of the Python package under the checkers of PettingZoo, Gymnasium and OpenSpiel.
'./do check' installs those from PyPI."""
import contextlib
import io
import os
import sys
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "cli"))
sys.path.insert(0, os.path.join(ROOT, "python"))

import numpy as np  # noqa: E402
import pyspiel  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import (  # noqa: E402
    api_test, parallel_api_test, parallel_seed_test, render_test, seed_test)

import harness  # noqa: E402
import turf  # noqa: E402
import turf.gymnasium  # noqa: E402
import turf.open_spiel  # noqa: E402
import turf.pettingzoo  # noqa: E402

TURNS = ("war-of-life", "amoeba-wars", "squirrel-war")
warnings.simplefilter("ignore")  # the checkers prefer observations that are no dicts


@contextlib.contextmanager
def silence():
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def fails(says, call, *args, **more):
    try:
        call(*args, **more)
    except turf.TurfError as error:
        assert says in str(error), error
        return
    raise AssertionError(f"{call} accepted {args} {more}")


def test_pettingzoo_api():
    for game in TURNS:
        with silence():
            api_test(turf.pettingzoo.env(game), num_cycles=500)


def test_pettingzoo_seeds():
    for game in TURNS:
        with silence():
            seed_test(lambda: turf.pettingzoo.env(game), num_cycles=100)


def test_pettingzoo_render():
    checks = {"ansi": lambda shown: isinstance(shown, str), "human": lambda shown: shown is None}
    for game in TURNS:
        with silence():
            render_test(lambda render_mode=None: turf.pettingzoo.env(game, render_mode=render_mode),
                        custom_tests=checks)


def test_render_shows_the_board():
    env = turf.pettingzoo.env("amoeba-wars", start="4x4", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == "...X\n....\n....\nO..."
    both = turf.pettingzoo.parallel_env("ai-battleground", start="3x4", render_mode="ansi")
    both.reset(seed=1)
    assert [len(line) for line in both.render().split("\n")] == [4, 4, 4]
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        human = turf.pettingzoo.env("squirrel-war", render_mode="human")
        human.reset(seed=1)
        human.step(0)
    assert shown.getvalue().startswith("X****\n")
    fails("render_mode must be", turf.pettingzoo.env, "squirrel-war", render_mode="rgb_array")
    single = turf.gymnasium.make("squirrel-war", opponent="random", render_mode="ansi")
    single.reset(seed=1)
    assert single.render() == "\n".join(["*****"] * 5)


def test_pettingzoo_parallel():
    with silence():
        parallel_api_test(turf.pettingzoo.parallel_env("ai-battleground"), num_cycles=600)
        parallel_seed_test(lambda: turf.pettingzoo.parallel_env("ai-battleground", "random"),
                           num_cycles=50)


def test_gymnasium_checker():
    for game in (*TURNS, "ai-battleground"):
        for side in (0, 1):
            check_env(turf.gymnasium.make(game, opponent="random", side=side))


def test_gymnasium_vector_is_as_its_spaces_say():
    for game in (*TURNS, "ai-battleground"):
        env = turf.gymnasium.make_vec(game, 3, opponent="random")
        observed, _ = env.reset(seed=1)
        assert env.observation_space.contains(observed), game
        again, _ = turf.gymnasium.make_vec(game, 3, opponent="random").reset(seed=1)
        for key, value in observed.items():
            assert (value == again[key]).all(), (game, key)
        observed, rewards, ended, cut, _ = env.step(env.action_space.sample())
        assert env.observation_space.contains(observed), game
        assert rewards.shape == ended.shape == cut.shape == (3,)


def test_gymnasium_vector_plays_whole_games():
    env = turf.gymnasium.make_vec("war-of-life", 3, opponent="land-grab")
    observed, _ = env.reset(seed=1)
    rng, n_ended = np.random.default_rng(1), 0
    while n_ended < 10:
        masks = observed["action_mask"]
        actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
        observed, rewards, ended, _, _ = env.step(np.array(actions))
        assert set(rewards) <= {-1.0, 0.0, 1.0}
        n_ended += ended.sum()


def test_gymnasium_illegal_action_loses():
    env = turf.gymnasium.make("squirrel-war", opponent="random")
    env.reset(seed=1)
    env.step(0)
    _, reward, ended, _, info = env.step(0)
    assert (reward, ended) == (-1.0, True) and "A1 is taken" in info["illegal"]


def test_open_spiel_simulation():
    for game in TURNS:
        with silence():
            pyspiel.random_sim_test(turf.open_spiel.load_game(game), num_sims=10, serialize=False,
                                    verbose=False)


def test_open_spiel_observer_shows_the_board():
    game = turf.open_spiel.load_game("amoeba-wars", start="4x4")
    observer, state = game.make_py_observer(), game.new_initial_state()
    observer.set_from(state, 0)
    assert observer.dict["planes"][0].sum() == 1 and observer.dict["numbers"][0] == 1
    assert state.action_to_string(0, state.legal_actions()[0]) == "A2"


def test_games_of_the_other_sort_are_refused():
    fails("use parallel_env", turf.pettingzoo.env, "ai-battleground")
    fails("use env", turf.pettingzoo.parallel_env, "war-of-life")
    fails("cannot express", turf.open_spiel.load_game, "ai-battleground")


harness.main()
