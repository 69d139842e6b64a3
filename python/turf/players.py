"""Players by description, and matches between them."""
from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np

from ._engine import TurfError, c_text, check, ffi, lib, new_error, text
from .games import MAX_SEED, Game, Position, Rng, check_number, game

MAX_CELLS = 128 * 128


class Player:
    """A player, such as turf.player("wol", "minimax:depth=3")."""

    def __init__(self, of: Union[str, Game], spec: str):
        error = new_error()
        self.game = game(of)
        if spec is None:
            raise TypeError("a player's description must be a string, not None")
        pointer = lib.turf_player_open(self.game._game, c_text(spec, "a player's description"),
                                       error)
        self._player = ffi.gc(check(pointer, error), lib.turf_player_free)
        self.name: str = text(lib.turf_player_name(self._player))

    def __repr__(self) -> str:
        return f"turf.player({self.game.name!r}, {self.name!r})"

    def choose(self, position: Position, rng: Optional[Rng] = None) -> int:
        """Its move in a position."""
        self._check(position)
        move, error = ffi.new("TurfMove *"), new_error()
        check(lib.turf_player_choose(self._player, position._state, (rng or Rng())._rng, move,
                                     error), error)
        return move[0]

    def choose_cells(self, position: Position, side: int, rng: Optional[Rng] = None) -> np.ndarray:
        """Its cells, n x 2, where both sides move at once."""
        self._check(position)
        cells = np.empty((MAX_CELLS, 2), np.int32)
        count, error = ffi.new("size_t *"), new_error()
        check(lib.turf_player_choose_cells(
            self._player, position._state, check_number(side, 0, 1, "side"), (rng or Rng())._rng,
            ffi.from_buffer("TurfCell *", cells), count, error), error)
        return cells[:count[0]].copy()

    def _check(self, position: Position) -> None:
        if position.game != self.game:
            raise TurfError(f"{self.name} plays {self.game.name}, not {position.game.name}")


def player(of: Union[str, Game], spec: str) -> Player:
    """Opens a player by its description, as on the command line."""
    return Player(of, spec)


def match(of: Union[str, Game], first: str, second: str, n: int = 1000, seed: int = 1,
          start: Optional[str] = None, swap: bool = False, jobs: int = 0) -> dict[str, Any]:
    """Plays n games between two players, described as on the command line, and adds up results as
    'turf match' does. With swap each start is played twice, and a win is the player's."""
    players = [Player(of, first), Player(of, second)]
    pairing = ffi.new("TurfPairing *", {
        "players": [each._player for each in players],
        "n_games": check_number(n, 1, 10**10, "n"), "swap_sides": bool(swap)})
    start_text = c_text(start, "a start")
    keep = ffi.NULL if start is None else ffi.new("char[]", start_text)
    options = ffi.new("TurfRunOptions *", {
        "seed": check_number(seed, 0, MAX_SEED, "seed"), "start": keep,
        "n_jobs": check_number(jobs, 0, 1024, "jobs")})
    totals, error = ffi.new("TurfTotals *"), new_error()
    check(lib.turf_run(players[0].game._game, pairing, 1, options, totals, error), error)
    names = [(ending, text(lib.turf_game_ending_name(players[0].game._game, ending)))
             for ending in range(lib.TURF_N_ENDINGS)]
    return {
        "games": totals.n_games,
        "wins": (totals.endings[0], totals.endings[1]),
        "outcomes": {name: totals.endings[ending] for ending, name in names if name},
        "average_length": totals.length_sum / totals.n_games if totals.n_games else 0.0,
        "shortest": totals.shortest,
        "longest": totals.longest,
    }
