"""OpenSpiel: load_game(game) for games where sides take turns, as a Python game. Needs the package
open_spiel.

A drawn start is drawn from the seed once, so the game has no chance nodes."""
from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import pyspiel

from ._engine import TurfError
from .games import Game, Position, game


def _game_type(of: Game) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name="turf_" + of.name.replace("-", "_"), long_name=of.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2, min_num_players=2,
        provides_information_state_string=False, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={})


class SpielGame(pyspiel.Game):
    """A game of turf from one start position."""

    def __init__(self, first: Position):
        self.first = first
        rows, cols = first.shape
        info = pyspiel.GameInfo(
            num_distinct_actions=first.n_actions, max_chance_outcomes=0, num_players=2,
            min_utility=-1.0, max_utility=1.0, utility_sum=0.0,
            max_game_length=max(250, 2 * rows * cols))
        super().__init__(_game_type(first.game), info, {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self, self.first.copy())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self.first)


class SpielState(pyspiel.State):
    """A position as OpenSpiel sees it."""

    def __init__(self, of: SpielGame, position: Position):
        super().__init__(of)
        self.position = position

    def current_player(self) -> int:
        mover = self.position.to_move
        return pyspiel.PlayerId.TERMINAL if mover is None else mover

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.position.mask(player)).tolist()

    def _apply_action(self, action: int) -> None:
        self.position.play(self.position.move_of_action(action))

    def _action_to_string(self, player: int, action: int) -> str:
        move = self.position.move_of_action(action)
        legal = self.position.to_move == player and move in self.position.moves()
        return self.position.move_text(move) if legal else f"action {action}"

    def is_terminal(self) -> bool:
        return self.position.is_over

    def returns(self) -> list[float]:
        return [float(self.position.reward(side)) for side in (0, 1)]

    def __str__(self) -> str:
        return str(self.position)


class SpielObserver:
    """Planes of the board as a player sees it, then the numbers."""

    def __init__(self, first: Position):
        planes, numbers = first.planes(0), first.numbers(0)
        self.tensor = np.zeros(planes.size + numbers.size, np.float32)
        self.dict = {"planes": self.tensor[:planes.size].reshape(planes.shape),
                     "numbers": self.tensor[planes.size:]}

    def set_from(self, state: SpielState, player: int) -> None:
        self.dict["planes"][:] = state.position.planes(player)
        self.dict["numbers"][:] = state.position.numbers(player)

    def string_from(self, state: SpielState, player: int) -> str:
        return state.position.json()


def load_game(of: Union[str, Game], start: Optional[str] = None, seed: int = 1) -> SpielGame:
    """A game of turf as a game of OpenSpiel."""
    found = game(of)
    first = Position(found, start, seed)
    if first.to_move == 2:
        raise TurfError(f"in {found.name} both sides list cells at once, which OpenSpiel's actions "
                        "cannot express; use turf.pettingzoo.parallel_env")
    return SpielGame(first)
