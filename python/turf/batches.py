"""Batches: many games side by side, in numpy arrays."""
from __future__ import annotations

import threading
from typing import Any, Optional, Union

import numpy as np

from ._engine import TurfError, c_text, check, ffi, lib, new_error
from .games import MAX_SEED, Game, Played, Position, _position, check_number, game

MAX_GAMES = 2**24


class Batch(Played):
    """N games of one kind, which all make a step at once.

    The arrays are filled anew by every step. Where a game ended, the next one has begun, and
    `rewards`, `endings` and `lengths` tell of the one that ended.

    observations  n x planes x rows x cols, uint8: Position.planes of the side to move, or of the
                  first side where both move at once
    numbers       n x number_names, int32: Position.numbers of that side
    masks         n x actions, bool: the legal actions; n x 2 x rows x cols where both move at once
    to_move       n, uint8: 0 or 1; 2 where both move at once
    rewards       n, float32: 1, 0 or -1, of the side that has just moved, or of the first
    ended         n, bool
    endings       n, int8: an index of turf.ENDINGS, or -1
    lengths       n, uint32: moves of the game that ended, or of this one so far
    """

    def __init__(self, of: Union[str, Game], n: int, seed: int = 1, start: Optional[str] = None,
                 threads: int = 1, **arrays: np.ndarray):
        self._of = game(of)
        self._n = check_number(n, 1, MAX_GAMES, "n")
        first = Position(self.game, start)
        self.is_simultaneous = first.to_move == 2
        shapes = self._shapes(first)
        for name in arrays:
            if name not in shapes:
                raise TypeError(f"a batch has no array {name!r}; it has {', '.join(shapes)}")
        for name, (shape, kind) in shapes.items():
            setattr(self, name, _array(name, arrays.get(name), shape, kind))
        self._actions = shapes["masks"][0] if self.is_simultaneous else (self.n,)
        self._lock = threading.Lock()  # the library runs without the GIL
        self._batch = self._open(shapes, seed, start, threads)

    def _shapes(self, first: Position) -> dict[str, tuple[tuple[int, ...], type]]:
        planes, numbers = lib.turf_n_planes(self.game._game), len(self.game.number_names)
        masks = (2, *first.shape) if self.is_simultaneous else (first.n_actions,)
        return {
            "observations": ((self.n, planes, *first.shape), np.uint8),
            "numbers": ((self.n, numbers), np.int32),
            "masks": ((self.n, *masks), np.bool_),
            "to_move": ((self.n,), np.uint8),
            "rewards": ((self.n,), np.float32),
            "ended": ((self.n,), np.bool_),
            "endings": ((self.n,), np.int8),
            "lengths": ((self.n,), np.uint32),
        }

    def _open(self, shapes: dict[str, Any], seed: int, start: Optional[str], threads: int) -> Any:
        error = new_error()
        keep = ffi.NULL if start is None else ffi.new("char[]", c_text(start, "a start"))
        options = ffi.new("TurfBatchOptions *", {
            "n_games": self.n, "seed": check_number(seed, 0, MAX_SEED, "seed"), "start": keep,
            "n_threads": check_number(threads, 1, 1024, "threads")})
        self._buffers = []  # the library writes there: they must stay where they are
        for name in shapes:
            if getattr(self, name).size:
                self._buffers.append(ffi.from_buffer(getattr(self, name), require_writable=True))
                setattr(options.arrays, name,
                        ffi.cast(ffi.typeof(getattr(options.arrays, name)), self._buffers[-1]))
        pointer = check(lib.turf_batch_new(self.game._game, options, error), error)
        return ffi.gc(pointer, lib.turf_batch_free)

    @property
    def n(self) -> int:
        """How many games there are."""
        return self._n

    def __repr__(self) -> str:
        return f"turf.batch({self.game.name!r}, {self.n})"

    def __len__(self) -> int:
        return self.n

    def sample(self, out: Optional[np.ndarray] = None) -> np.ndarray:
        """One legal action for each game, each with the same probability: int32, or where both
        sides move at once n x 2 x rows x cols, bool."""
        kind = np.bool_ if self.is_simultaneous else np.int32
        out = np.empty(self._actions, kind) if out is None else _array(
            "out", out, self._actions, kind)
        error = new_error()
        with self._lock:
            if self.is_simultaneous:
                check(lib.turf_batch_sample_cells(
                    self._batch, ffi.from_buffer("uint8_t *", out), error), error)
            else:
                check(lib.turf_batch_sample(
                    self._batch, ffi.from_buffer("int32_t *", out), error), error)
        return out

    def step(self, actions: np.ndarray) -> None:
        """Plays an action in each game. If one is not legal this is a TurfError, and no game has
        moved on."""
        error = new_error()
        if self.is_simultaneous:
            cells = self._read_cells(actions)
            with self._lock:
                check(lib.turf_batch_step_cells(
                    self._batch, ffi.from_buffer("uint8_t *", cells), error), error)
            return
        numbers = self._read_actions(actions)
        with self._lock:
            check(lib.turf_batch_step(
                self._batch, ffi.from_buffer("int32_t *", numbers), error), error)

    def reset(self, seed: Optional[int] = None, which: Optional[np.ndarray] = None) -> None:
        """Begins all games anew with a seed, or the next ones in the places of a mask."""
        error = new_error()
        if which is None:
            number = check_number(1 if seed is None else seed, 0, MAX_SEED, "seed")
            with self._lock:
                check(lib.turf_batch_reset(self._batch, number, error), error)
            return
        if seed is not None:
            raise TypeError("a seed is for all games; leave out `which`")
        mask = np.ascontiguousarray(which)
        if mask.shape != (self.n,) or mask.dtype != np.bool_:
            raise TypeError(f"`which` must be {self.n} booleans")
        with self._lock:
            check(lib.turf_batch_restart(
                self._batch, ffi.from_buffer("uint8_t *", mask), error), error)

    def position(self, index: int) -> Position:
        """A copy of a game's position."""
        state, error = ffi.new("TurfState *"), new_error()
        number = check_number(index, 0, self.n - 1, "a game's index")
        with self._lock:
            check(lib.turf_batch_state(self._batch, number, state, ffi.NULL, error), error)
        return _position(self.game, state)

    def _read_actions(self, actions: Any) -> np.ndarray:
        numbers = np.asarray(actions)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"actions must be integers, not {numbers.dtype}")
        if numbers.shape != (self.n,):
            raise TurfError(f"a batch of {self.n} games takes {self.n} actions, not an array of "
                            f"shape {numbers.shape}")
        if numbers.dtype != np.int32:
            wrong = np.flatnonzero((numbers < 0) | (numbers >= 2**31))
            if wrong.size:
                raise TurfError(f"game {wrong[0]}: there is no action {numbers[wrong[0]]}")
        return np.require(numbers, np.int32, "CA")

    def _read_cells(self, actions: Any) -> np.ndarray:
        cells = np.asarray(actions)
        if cells.dtype not in (np.bool_, np.uint8):
            raise TypeError(f"cells must be bool or uint8, not {cells.dtype}")
        if cells.shape != self._actions:
            raise TurfError(f"cells have the shape {self._actions} here, not {cells.shape}")
        return np.ascontiguousarray(cells)


def batch(of: Union[str, Game], n: int, seed: int = 1, start: Optional[str] = None,
          threads: int = 1, **arrays: np.ndarray) -> Batch:
    """Begins n games side by side; see Batch. Several threads may share every step. Arrays may be
    given by name, to be filled in place: turf.batch("war-of-life", 8, observations=mine)."""
    return Batch(of, n, seed, start, threads, **arrays)


def aligned(shape: tuple[int, ...], kind: Any) -> np.ndarray:
    """Zeros that begin with a cache line: rows of 64 bytes are then written in half the time."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = np.zeros(size + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    return memory[begin:begin + size].view(kind).reshape(shape)


def _array(name: str, given: Optional[np.ndarray], shape: tuple[int, ...],
           kind: type) -> np.ndarray:
    if given is None:
        return aligned(shape, kind)
    if not isinstance(given, np.ndarray) or given.dtype != kind or given.shape != shape:
        raise TypeError(f"{name} must be an array of {np.dtype(kind)} and shape {shape}")
    if not given.flags.carray:
        raise TypeError(f"{name} must be contiguous, aligned and writable")
    return given
