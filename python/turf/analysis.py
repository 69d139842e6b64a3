"""What a search found in a position, and the solver."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from ._engine import check, ffi, lib, new_error
from .games import Position, check_number


@dataclass
class ValuedMove:
    """A move with its value; `visits` is 0 unless a tree search counted them."""

    move: int
    text: str
    value: float
    visits: int


@dataclass
class Analysis:
    """Values are for the side to move, in pieces or points; with `has_chances` they are chances of
    winning, from 0 to 1. `line` has the best moves as text, `moves` the best first."""

    move: int
    text: str
    value: Optional[float]  # None: the player does not look ahead
    has_chances: bool
    is_exact: bool
    reward: int  # 1: a forced win, -1: a forced loss, else 0
    depth: int
    nodes: int
    playouts: int
    line: list[str]
    moves: list[ValuedMove]


def read_analysis(position: Position, found: Any) -> Analysis:
    """A TurfAnalysis of a position."""
    line, at = [], position.copy()
    for move in found.line[0:found.n_line]:
        line.append(at.move_text(move))
        at.play(move)
    moves = [ValuedMove(each.move, position.move_text(each.move), each.value, each.n_visits)
             for each in found.moves[0:found.n_moves]]
    return Analysis(
        move=found.move, text=position.move_text(found.move),
        value=found.value if found.has_value else None, has_chances=found.has_chances,
        is_exact=found.is_exact, reward=found.reward, depth=found.depth, nodes=found.n_nodes,
        playouts=found.n_playouts, line=line, moves=moves)


def solve(position: Position, time_ms: int = 0, hash_mib: int = 64, threads: int = 0) -> Analysis:
    """The exact value of a SquirrelWar position and the best line to its end. With time_ms it is a
    TurfError if that was not enough; threads: 0 is one per processor."""
    if not isinstance(position, Position):
        raise TypeError(f"solve needs a position, not {type(position).__name__}")
    options = ffi.new("TurfSolveOptions *", {
        "time_ms": check_number(time_ms, 0, 86400000, "time_ms"),
        "hash_mib": check_number(hash_mib, 1, 2**20, "hash_mib"),
        "n_threads": check_number(threads, 0, 1024, "threads")})
    found, error = ffi.new("TurfAnalysis *"), new_error()
    check(lib.turf_solve(position.game._game, position._state, options, found, error), error)
    return read_analysis(position, found)
