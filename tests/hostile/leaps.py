"""turf on a clock that may leap hours ahead at any moment: who is late is a matter of luck then,
but everything ends, every game has a winner or is drawn, and nobody loses for anything but time.
(./do check-hostile)"""
import json
import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from harness import TURF, main, turf  # noqa: E402

SEEDS = [str(seed) for seed in range(1, 7)]


def play(*words):
    """Plays a match with several seeds of clock leaps; returns the number of timeouts."""
    n_late = 0
    for seed in SEEDS:
        os.environ["TURF_HOSTILE_SEED"] = seed
        result = json.loads(turf("match", *words, "--json", "-q", timeout=300).out)
        assert sum(result["wins"]) + result["draws"] == result["games"] == 4, result
        for forfeits in result["forfeits"]:
            assert set(forfeits) <= {"timeout"}, result
            n_late += sum(forfeits.values())
    return n_late


def bot(game, player):
    return f"{player}-bot=bot:{shlex.quote(TURF)} bot {game} {player}"


def test_bots_lose_only_by_timeout_when_the_clock_leaps():
    n_timeouts = play("sw", bot("sw", "random"), "land-grab", "-n", "4", "--sandbox", "off")
    return f"{n_timeouts} of 24 by the clock"


def test_simultaneous_bots_lose_only_by_timeout():
    words = ("bg", bot("bg",
                       "random"), bot("bg",
                                      "settler"), "-n", "4", "--sandbox", "off", "--start", "10x10")
    return f"{play(*words)} of 24 by the clock"


def test_built_in_players_do_not_forfeit():
    for game, player in (("wol", "alphabeta"), ("aw", "mcts"), ("sw", "perfect"), ("bg",
                                                                                   "conqueror")):
        more = ("--start", "10x10") if game == "bg" else ()
        n_late = play(game, player, "random", "-n", "4", "--time", "1000", *more)
        assert n_late == 0, (game, player, n_late)


def test_runs_without_a_clock_are_unchanged():
    words = ("match", "wol", "bloodlust", "random", "-n", "500", "--seed", "3", "--json",
             "--no-times", "-q")
    hostile = os.environ.pop("TURF_HOSTILE")
    calm = turf(*words).out
    os.environ["TURF_HOSTILE"] = hostile
    assert turf(*words).out == calm


main()
