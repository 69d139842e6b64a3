"""Games, positions and random numbers."""
from __future__ import annotations

import json
from typing import Any, Optional, Union

import numpy as np

from ._engine import TurfError, c_text, check, ffi, lib, libc, new_error, text

ENDINGS = ("first", "second", "draw", "stalemate", "exhausted")
MAX_SEED = 2**64 - 1


def check_number(value: Any, least: int, most: int, what: str) -> int:
    """An integer within bounds, numpy's included."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{what} must be an integer, not {type(value).__name__}")
    if not least <= value <= most:
        raise TurfError(f"{what} must be an integer from {least} to {most}, not {value}")
    return int(value)


class Rng:
    """A random number generator. The same seed gives the same numbers on every machine."""

    def __init__(self, seed: int = 1):
        self._rng = ffi.new("TurfRng *", lib.turf_rng(check_number(seed, 0, MAX_SEED, "seed")))


class Game:
    """A game, such as turf.game("war-of-life")."""

    def __init__(self, pointer: Any):
        self._game = pointer
        self.name: str = text(lib.turf_game_name(pointer))

    def __repr__(self) -> str:
        return f"turf.game({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._game == other._game

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def number_names(self) -> tuple[str, ...]:
        """What Position.numbers and Batch.numbers hold."""
        count = lib.turf_n_numbers(self._game)
        return tuple(text(lib.turf_number_name(self._game, i)) for i in range(count))

    def ending_name(self, ending: int) -> Optional[str]:
        """The game's word for a number of Batch.endings."""
        return text(lib.turf_game_ending_name(self._game, check_number(ending, 0, 4, "ending")))


def games() -> list[Game]:
    """All games."""
    found = []
    while (pointer := lib.turf_game_at(len(found))) != ffi.NULL:
        found.append(Game(pointer))
    return found


def game(name: Union[str, Game]) -> Game:
    """Finds a game by its name, its short name or a unique prefix."""
    if isinstance(name, Game):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a game's name must be a string, not {type(name).__name__}")
    error = new_error()
    return Game(check(lib.turf_game_find(c_text(name, "a game's name"), error), error))


class Played:
    """Something of one game, which stays that game: the library would read one game's memory as
    another's."""

    _of: Game

    @property
    def game(self) -> Game:
        return self._of


class Position(Played):
    """A position of a game. Moves are numbers; text is for people.

    >>> position = turf.position("amoeba-wars", "4x4")
    >>> position.play("B2").board

    A state of the library is not changed once it is here; `play` puts another in its place. So
    threads that play the same position lose moves, and nothing else.
    """

    def __init__(self, of: Union[str, Game], start: Optional[str] = None, seed: int = 1):
        self._of = game(of)
        self._state = ffi.new("TurfState *")
        error, rng = new_error(), Rng(seed)
        check(lib.turf_start(self.game._game, c_text(start, "a start"), rng._rng, self._state,
                             error), error)

    def copy(self) -> Position:
        """A position of its own, with the same contents."""
        return _position(self.game, self._state)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Position) and self.game == other.game
                and lib.turf_equal(self.game._game, self._state, other._state))

    def __hash__(self) -> int:
        return hash(lib.turf_hash(self.game._game, self._state))

    def __str__(self) -> str:
        """The board, a line for each row."""
        return "\n".join(row.tobytes().decode() for row in self.board)

    def __reduce__(self) -> tuple:
        return Position, (self.game.name, self.json())

    def __repr__(self) -> str:
        return f"turf.position({self.game.name!r}, {self.json()!r})"

    def json(self) -> str:
        """One line of JSON, which turf.position reads."""
        line = lib.turf_position_to_json(self.game._game, self._state)
        if line == ffi.NULL:
            raise MemoryError
        try:
            return text(line)
        finally:
            libc.free(line)

    def dict(self) -> dict[str, Any]:
        """The same as a dict."""
        return json.loads(self.json())

    @property
    def to_move(self) -> Optional[int]:
        """0 or 1; 2 if both sides move at once; None if the game is over."""
        mover = lib.turf_to_move(self.game._game, self._state)
        return None if mover == lib.TURF_MOVER_NONE else mover

    @property
    def is_over(self) -> bool:
        return self.to_move is None

    @property
    def ending(self) -> Optional[str]:
        """The game's word for how it ended; None if it is not over."""
        found = ffi.new("TurfEnding *")
        if not lib.turf_is_over(self.game._game, self._state, found):
            return None
        return self.game.ending_name(found[0])

    def reward(self, side: int) -> int:
        """1 if the side has won, -1 if it has lost, 0 otherwise."""
        return lib.turf_reward(self.game._game, self._state, check_number(side, 0, 1, "side"))

    def own(self, side: int) -> int:
        """The pieces, cells or points of a side."""
        return lib.turf_own(self.game._game, self._state, check_number(side, 0, 1, "side"))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        rows, cols = ffi.new("int *"), ffi.new("int *")
        lib.turf_board_size(self.game._game, self._state, rows, cols)
        return rows[0], cols[0]

    @property
    def board(self) -> np.ndarray:
        """The cells' symbols as bytes, rows x cols: b"." is empty."""
        cells = np.empty(self.shape, "S1")
        lib.turf_board(self.game._game, self._state, ffi.from_buffer("char *", cells))
        return cells

    def planes(self, side: Optional[int] = None) -> np.ndarray:
        """The board as bytes, planes x rows x cols, as a side sees it (the one to move): its cells,
        the other's, then the game's own."""
        planes = np.empty((lib.turf_n_planes(self.game._game), *self.shape), np.uint8)
        lib.turf_planes(self.game._game, self._state, self._side(side),
                        ffi.from_buffer("uint8_t *", planes))
        return planes

    def numbers(self, side: Optional[int] = None) -> np.ndarray:
        """What the planes do not show; Game.number_names has the names."""
        numbers = np.zeros(lib.turf_n_numbers(self.game._game), np.int32)
        if numbers.size:
            lib.turf_numbers(self.game._game, self._state, self._side(side),
                             ffi.from_buffer("int32_t *", numbers))
        return numbers

    @property
    def n_actions(self) -> int:
        """How many actions there are on this board, legal or not."""
        return lib.turf_n_actions(self.game._game, self._state)

    def mask(self, side: Optional[int] = None) -> np.ndarray:
        """Which actions are legal for a side (the one to move)."""
        mask = np.zeros(self.n_actions, np.bool_)
        if mask.size:
            lib.turf_action_mask(self.game._game, self._state, self._side(side),
                                 ffi.from_buffer("uint8_t *", mask))
        return mask

    def moves(self) -> list[int]:
        """The legal moves in the game's order."""
        found = ffi.new("TurfMove[1024]")
        return list(found[0:lib.turf_moves(self.game._game, self._state, found)])

    def move_text(self, move: int) -> str:
        """A legal move as people write it."""
        if move not in self.moves():
            raise TurfError(f"{move} is not a legal move here")
        line = ffi.new("char[32]")
        lib.turf_move_to_text(self.game._game, self._state, int(move), line)
        return text(line)

    def move_of(self, what: str) -> int:
        """The number of a move in text; it need not be legal."""
        move, error = ffi.new("TurfMove *"), new_error()
        check(lib.turf_move_from_text(self.game._game, self._state, c_text(what, "a move"), move,
                                      error), error)
        return move[0]

    def move_of_action(self, action: int) -> int:
        """The move that an index of `mask` stands for."""
        move, error = ffi.new("TurfMove *"), new_error()
        check(lib.turf_move_of_action(self.game._game, self._state,
                                      check_number(action, 0, 2**31, "an action"), move, error),
              error)
        return move[0]

    def random_move(self, rng: Rng) -> int:
        """A legal move, each with the same probability."""
        if not isinstance(rng, Rng):
            raise TypeError(f"rng must be a turf.Rng, not {type(rng).__name__}")
        move, error = ffi.new("TurfMove *"), new_error()
        check(lib.turf_random_move(self.game._game, self._state, rng._rng, move, error), error)
        return move[0]

    def play(self, move: Union[int, str]) -> Position:
        """Plays a move, a number or text, and returns this position. An illegal one is a TurfError
        and changes nothing."""
        error = new_error()
        number = self.move_of(move) if isinstance(move, str) else check_number(
            move, 0, 2**32 - 1, "a move")
        state = ffi.new("TurfState *", self._state[0])
        check(lib.turf_play(self.game._game, state, number, error), error)
        self._state = state
        return self

    def play_both(self, first: Any, second: Any) -> Position:
        """Plays a turn where both sides move at once; each lists cells, [[row, col], ...]."""
        lists = [_cells(cells) for cells in (first, second)]
        actions, error = ffi.new("TurfAction[2]"), new_error()
        for side, cells in enumerate(lists):
            actions[side].n_cells = len(cells)
            actions[side].cells = ffi.from_buffer("TurfCell *", cells) if len(cells) else ffi.NULL
        state = ffi.new("TurfState *", self._state[0])
        check(lib.turf_play_both(self.game._game, state, actions, error), error)
        self._state = state
        return self

    def legal_cells(self, side: int, listed: Any) -> np.ndarray:
        """Of a byte for each cell, those not 0 that the side may list, as [row, col]: the first row
        by row, as many as are allowed. For learners whose actions need not be legal."""
        wanted = np.asarray(listed, bool).ravel()
        mask = self.mask(side)
        if wanted.shape != mask.shape:
            raise TurfError(f"a byte for each of {mask.size} cells is needed, not {wanted.size}")
        cells = np.flatnonzero(wanted & mask)[:max(int(self.numbers(side)[0]), 0)]
        return np.stack(np.divmod(cells, self.shape[1]), axis=1)

    @property
    def n_symmetries(self) -> int:
        """The ways to turn and mirror the board: 8, or 4 if it is not square."""
        return lib.turf_n_symmetries(self.game._game, self._state)

    def transform(self, symmetry: int) -> Position:
        """The position turned or mirrored. Of the bits of the number, 4 swaps rows and columns;
        then 1 mirrors left and right, 2 top and bottom."""
        image, error = ffi.new("TurfState *"), new_error()
        check(lib.turf_transform(self.game._game, self._state,
                                 check_number(symmetry, 0, 2**31, "a symmetry"), image, error),
              error)
        return _position(self.game, image)

    def symmetry_cells(self, symmetry: int) -> np.ndarray:
        """Where each cell goes, row by row: image.ravel()[cells] = board.ravel()."""
        return self._under(lib.turf_cell_under, symmetry, self.shape[0] * self.shape[1])

    def symmetry_actions(self, symmetry: int) -> np.ndarray:
        """Which action each becomes: image_mask[actions] = mask."""
        return self._under(lib.turf_action_under, symmetry, self.n_actions)

    def _under(self, function: Any, symmetry: int, n: int) -> np.ndarray:
        number = check_number(symmetry, 0, self.n_symmetries - 1, "a symmetry")
        return np.array([function(self.game._game, self._state, number, i) for i in range(n)])

    def _side(self, side: Optional[int]) -> int:
        if side is None:
            return 1 if self.to_move == 1 else 0
        return check_number(side, 0, 1, "side")


def _position(of: Game, state: Any) -> Position:
    """A position with a state of the library that nobody changes."""
    made = Position.__new__(Position)
    made._of, made._state = of, state
    return made


def position(of: Union[str, Game], start: Union[str, dict, None] = None,
             seed: int = 1) -> Position:
    """A start of a game by name, or a position written out: JSON, text, or a dict as
    Position.dict gives it."""
    if isinstance(start, dict):
        try:
            start = json.dumps(start)
        except (TypeError, ValueError) as error:
            raise TurfError(f"the position cannot be written as JSON: {error}") from None
    return Position(of, start, seed)


def _cells(cells: Any) -> np.ndarray:
    listed = np.asarray(cells)
    if listed.size == 0:
        return np.empty((0, 2), np.int32)
    if listed.dtype.kind not in "iu" or listed.ndim != 2 or listed.shape[1] != 2:
        raise TypeError("cells are a list of [row, col]")
    return np.ascontiguousarray(np.clip(listed, -1, 2**31 - 1), np.int32)
