"""turf: rules, players and batches of games for four two-player territory games on a grid.

>>> import turf
>>> batch = turf.batch("war-of-life", 1024, seed=1)
>>> batch.step(batch.sample())
>>> turf.match("war-of-life", "land-grab", "random", n=100)["wins"]
"""
from ._engine import TurfError
from .analysis import Analysis, ValuedMove, solve
from .batches import Batch, batch
from .data import (Database, Dataset, SelfPlay, database, read_dataset, read_selfplay,
                   write_dataset)
from .games import ENDINGS, Game, Position, Rng, game, games, position
from .players import Player, match, player, tournament

__version__ = "0.1.0"
__all__ = ["ENDINGS", "Analysis", "Batch", "Database", "Dataset", "Game", "Player", "Position",
           "Rng", "SelfPlay", "TurfError", "ValuedMove", "batch", "database", "game", "games",
           "match", "player", "position", "read_dataset", "read_selfplay", "solve", "tournament",
           "write_dataset"]
