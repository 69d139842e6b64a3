"""Players by description, and matches and tournaments between them."""
from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np

from ._engine import TurfError, c_text, check, ffi, lib, new_error, text
from .analysis import Analysis, read_analysis
from .games import MAX_SEED, Game, Played, Position, Rng, check_number, game

MAX_CELLS = 128 * 128


class Player(Played):
    """A player, such as turf.player("wol", "minimax:depth=3")."""

    def __init__(self, of: Union[str, Game], spec: str):
        error = new_error()
        self._of = game(of)
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
        self._check(position, rng)
        move, error = ffi.new("TurfMove *"), new_error()
        check(lib.turf_player_choose(self._player, position._state, (rng or Rng())._rng, move,
                                     error), error)
        return move[0]

    def choose_cells(self, position: Position, side: int, rng: Optional[Rng] = None) -> np.ndarray:
        """Its cells, n x 2, where both sides move at once."""
        self._check(position, rng)
        cells = np.empty((MAX_CELLS, 2), np.int32)
        count, error = ffi.new("size_t *"), new_error()
        check(lib.turf_player_choose_cells(
            self._player, position._state, check_number(side, 0, 1, "side"), (rng or Rng())._rng,
            ffi.from_buffer("TurfCell *", cells), count, error), error)
        return cells[:count[0]].copy()

    def analyse(self, position: Position, rng: Optional[Rng] = None) -> Analysis:
        """Its move, and what its search found: value, depth, best line, the best moves."""
        self._check(position, rng)
        found, error = ffi.new("TurfAnalysis *"), new_error()
        check(lib.turf_player_analyse(self._player, position._state, (rng or Rng())._rng, found,
                                      error), error)
        return read_analysis(position, found)

    def _check(self, position: Position, rng: Optional[Rng]) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"a player needs a position, not {type(position).__name__}")
        if rng is not None and not isinstance(rng, Rng):
            raise TypeError(f"rng must be a turf.Rng, not {type(rng).__name__}")
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
    return _run(players, [(0, 1)], n, seed, start, swap, jobs)[0]


def tournament(of: Union[str, Game], players: Sequence[str], n: int = 1000, seed: int = 1,
               start: Optional[str] = None, swap: bool = True, jobs: int = 0) -> dict[str, Any]:
    """Plays n games between every two of the players. "table" has a row for each player, the best
    first, and "matches" a row for each pair, as `match` gives it: both make data frames,
    pandas.DataFrame(result["table"])."""
    if isinstance(players, str) or len(players) < 2:
        raise TurfError("a tournament needs a list of two players or more")
    opened = [Player(of, spec) for spec in players]
    pairs = [(i, j) for i in range(len(opened)) for j in range(i + 1, len(opened))]
    matches = _run(opened, pairs, n, seed, start, swap, jobs)
    rows = [{"player": each.name, "games": 0, "won": 0, "lost": 0, "drawn": 0} for each in opened]
    for pair, result in zip(pairs, matches):
        for which, at in enumerate(pair):
            rows[at]["games"] += result["games"]
            rows[at]["won"] += result["wins"][which]
            rows[at]["lost"] += result["wins"][1 - which]
            rows[at]["drawn"] += result["draws"]
    for row in rows:
        row["score"] = (row["won"] + row["drawn"] / 2) / row["games"] if row["games"] else 0.5
    return {"table": sorted(rows, key=lambda row: -row["score"]), "matches": matches}


def _run(players: list[Player], pairs: list[tuple[int, int]], n: int, seed: int,
         start: Optional[str], swap: bool, jobs: int) -> list[dict[str, Any]]:
    """Plays the pairs, and gives a dict for each."""
    of = players[0].game
    pairings = ffi.new("TurfPairing[]", [{
        "players": [players[i]._player for i in pair],
        "n_games": check_number(n, 1, 10**10, "n"), "swap_sides": bool(swap)} for pair in pairs])
    start_text = c_text(start, "a start")
    keep = ffi.NULL if start is None else ffi.new("char[]", start_text)
    options = ffi.new("TurfRunOptions *", {
        "seed": check_number(seed, 0, MAX_SEED, "seed"), "start": keep,
        "n_jobs": check_number(jobs, 0, 1024, "jobs")})
    totals, error = ffi.new("TurfTotals[]", len(pairs)), new_error()
    check(lib.turf_run(of._game, pairings, len(pairs), options, totals, error), error)
    return [_result(of, [players[i].name for i in pair], total)
            for pair, total in zip(pairs, totals)]


def _result(of: Game, names: list[str], total: Any) -> dict[str, Any]:
    words = [(ending, of.ending_name(ending)) for ending in range(lib.TURF_N_ENDINGS)]
    n, wins = total.n_games, (total.endings[0], total.endings[1])
    return {
        "game": of.name,
        "players": tuple(names),
        "games": n,
        "wins": wins,
        "draws": n - sum(wins),
        "score": (wins[0] + (n - sum(wins)) / 2) / n if n else 0.5,
        "outcomes": {word: total.endings[ending] for ending, word in words if word},
        "forfeits": tuple(sum(total.forfeits[which]) for which in (0, 1)),
        "average_length": total.length_sum / n if n else 0.0,
        "shortest": total.shortest,
        "longest": total.longest,
    }
