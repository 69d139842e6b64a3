"""Steps per second of batches driven from Python, on one core: './do bench python'. As in C, the
time is the processor time of this thread."""
import sys
import time

import turf

SECONDS_EACH = 0.5
N_GAMES = {"ai-battleground": 256}


def rate(name):
    batch = turf.batch(name, N_GAMES.get(name, 1024), seed=1)
    steps, begin = 0, time.thread_time()
    while (seconds := time.thread_time() - begin) < SECONDS_EACH or steps == 0:
        batch.step(batch.sample())
        steps += batch.n
    return batch, steps / seconds


def main():
    if len(sys.argv) > 1:
        sys.exit("turf-bench: python takes no options")
    for game in turf.games():
        batch, steps = rate(game.name)
        rows, cols = batch.observations.shape[2:]
        print(f"batch: {game.name:16} {rows}x{cols:<4} {batch.n:5} games, from Python "
              f"{steps:12,.0f} steps/s")


main()
