"""Steps per second of batches driven from Python, on one core: './do bench python'. As in C, the
time is processor time. What one would pick instead follows, on its nearest game, where it is
installed: OpenSpiel, one game at a time, and Pgx, a batch of as many games as turf's."""
import importlib.util
import os
import sys
import time

import turf

SECONDS_EACH = 0.5
N_GAMES = {"ai-battleground": 256}
PGX_ROUNDS = 32


def show(what, size, how, steps):
    print(f"{what:23} {size:7} {how:25} {steps:12,.0f} steps/s")


def rate(work, clock=time.thread_time):
    """`work` does some steps and returns their number."""
    steps, begin = 0, clock()
    while (seconds := clock() - begin) < SECONDS_EACH or steps == 0:
        steps += work()
    return steps / seconds


def measure_turf(name):
    batch = turf.batch(name, N_GAMES.get(name, 1024), seed=1)

    def work():
        batch.step(batch.sample())
        return batch.n

    steps = rate(work)
    rows, cols = batch.observations.shape[2:]
    show(f"batch: {name}", f"{rows}x{cols}", f"{batch.n} games, from Python", steps)


def measure_open_spiel(name):
    """Random games, with observation and mask after every step."""
    import random

    import pyspiel

    game = pyspiel.load_game(name)

    def work():
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            if not state.is_terminal():
                state.observation_tensor(state.current_player())
                state.legal_actions_mask()
            steps += 1
        return steps

    show(f"OpenSpiel: {name}", "8x8", "1 game, from Python", rate(work))


def measure_pgx(name, size):
    """Steps of a batch compiled as one loop, with Pgx's own automatic restart."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env, n_games = pgx.make(name), 1024
    step = jax.vmap(auto_reset(env.step, env.init))

    def one_round(_, carry):
        state, key = carry
        key, draw, start = jax.random.split(key, 3)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(draw, logits, axis=1)
        return step(state, actions, jax.random.split(start, n_games)), key

    many = jax.jit(lambda carry: jax.lax.fori_loop(0, PGX_ROUNDS, one_round, carry))
    key = jax.random.PRNGKey(1)
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(key, n_games)), key
    carry = jax.block_until_ready(many(carry))  # compiles

    def work():
        nonlocal carry
        carry = jax.block_until_ready(many(carry))
        return n_games * PGX_ROUNDS

    # XLA works in threads of its own.
    show(f"Pgx: {name}", size, f"{n_games} games, XLA", rate(work, time.process_time))


def main():
    if len(sys.argv) > 1:
        sys.exit("turf-bench: python takes no options")
    for game in turf.games():
        measure_turf(game.name)
    missing = [name for name, module in (("open_spiel", "pyspiel"), ("pgx", "pgx"))
               if not importlib.util.find_spec(module)]
    if missing:
        print(f"turf-bench: not compared with {' and '.join(missing)}, not installed; "
              "docs/performance.md says how", file=sys.stderr)
    if "open_spiel" not in missing:
        measure_open_spiel("breakthrough")
        measure_open_spiel("othello")
    if "pgx" not in missing:
        # One core, like the others: or XLA's threads would wait for each other.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        measure_pgx("othello", "8x8")
        measure_pgx("tic_tac_toe", "3x3")


main()
