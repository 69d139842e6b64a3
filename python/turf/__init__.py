"""turf: rules, players and batches of games for four two-player territory games on a grid.

>>> import turf
>>> batch = turf.batch("war-of-life", 1024, seed=1)
>>> batch.step(batch.sample())
>>> turf.match("war-of-life", "land-grab", "random", n=100)["wins"]
"""
from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

from ._engine import TurfError
from .analysis import Analysis, ValuedMove, solve
from .batches import Batch, batch
from .data import (Database, Dataset, SelfPlay, database, read_dataset, read_selfplay,
                   write_dataset)
from .games import ENDINGS, Game, Position, Rng, game, games, position
from .players import Player, match, player, tournament

__version__ = "0.1.0"
_ADAPTERS = {"gymnasium": "gymnasium", "open_spiel": "open_spiel",
             "pettingzoo": "pettingzoo gymnasium"}  # and the packages that they need
__all__ = ["ENDINGS", "Analysis", "Batch", "Database", "Dataset", "Game", "Player", "Position",
           "Rng", "SelfPlay", "TurfError", "ValuedMove", "batch", "database", "game", "games",
           "match", "player", "position", "read_dataset", "read_selfplay", "solve", "tournament",
           "write_dataset"]


def __getattr__(name: str) -> _ModuleType:
    """Imports turf.pettingzoo and the like when they are first named."""
    if name in _ADAPTERS:
        try:
            return _import_module("." + name, __name__)
        except ModuleNotFoundError as error:
            raise ImportError(f"turf.{name} needs another package: type 'pip install "
                              f"{_ADAPTERS[name]}'", name=error.name) from error
    raise AttributeError(f"module 'turf' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_ADAPTERS})
