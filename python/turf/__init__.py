"""turf: rules, players and batches of games for four two-player territory games on a grid.

>>> import turf
>>> batch = turf.batch("war-of-life", 1024, seed=1)
>>> batch.step(batch.sample())
>>> turf.match("war-of-life", "land-grab", "random", n=100)["wins"]
"""
from ._engine import TurfError
from .batches import Batch, batch
from .games import ENDINGS, Game, Position, Rng, game, games, position
from .players import Player, match, player

__version__ = "0.1.0"
__all__ = ["ENDINGS", "Batch", "Game", "Player", "Position", "Rng", "TurfError", "batch", "game",
           "games", "match", "player", "position"]
