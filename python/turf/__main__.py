"""python3 -m turf dataset GAME FOLDER N: plays the first N random games of seed 1, writes their
positions, masks and results into a folder, reads them back, and says how long both took."""
import sys
import time

import numpy as np

from . import TurfError, write_dataset

ROWS = 1 << 16  # positions to unpack at once


def main() -> None:
    words = sys.argv[1:]
    if len(words) != 4 or words[0] != "dataset" or not words[3].isdigit():
        sys.exit("type: python3 -m turf dataset GAME FOLDER N")
    begin = time.monotonic()
    try:
        data = write_dataset(words[1], words[2], int(words[3]), threads=2)
    except (TurfError, OSError) as error:
        sys.exit(f"turf: {error}")
    written = time.monotonic()
    n_legal = n_won = 0
    for at in range(0, len(data), ROWS):
        _, masks, results = data.unpack(slice(at, at + ROWS))
        n_legal += int(np.count_nonzero(masks))
        n_won += int((results > 0).sum())
    print(f"{len(data.results)} games, {len(data)} positions, {n_legal} legal actions, {n_won} "
          f"positions of winners; written in {written - begin:.1f} s, read in "
          f"{time.monotonic() - written:.1f} s")


main()
