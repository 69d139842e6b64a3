"""Gymnasium: make(game, opponent=SPEC), one agent against a player of turf, and make_vec for many.
Needs the package gymnasium.

The reward is 1, 0 or -1 when the game is over, and 0 before. An illegal action loses the game, as
info["illegal"] says; in AI Battleground, where an action has a 1 for each cell to colonise, those
that are not legal are left out."""
from __future__ import annotations

from typing import Any, Optional, Union

import gymnasium
from gymnasium.spaces import Discrete, MultiBinary

from ._engine import TurfError
from .games import Game, Position, Rng, check_number, game
from .players import Player
from .spaces import observation_space, observe


class OpponentEnv(gymnasium.Env):
    """One side of a game; a player of turf is the other."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, of: Union[str, Game], opponent: str = "random", side: int = 0,
                 start: Optional[str] = None, render_mode: Optional[str] = None):
        self.game, self.start, self.render_mode = game(of), start, render_mode
        if render_mode not in (None, "ansi"):
            raise TurfError(f"render_mode must be ansi, not {render_mode!r}")
        self.side = check_number(side, 0, 1, "side")
        self.opponent = Player(self.game, opponent)
        self.position = Position(self.game, start)
        self._rng = Rng()
        n_actions = self.position.n_actions
        self.observation_space = observation_space(self.position)
        self.is_simultaneous = self.position.to_move == 2
        self.action_space = MultiBinary(n_actions) if self.is_simultaneous else Discrete(n_actions)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple:
        super().reset(seed=seed)
        start_seed, self_seed = (int(self.np_random.integers(2**63)) for _ in range(2))
        self.position, self._rng = Position(self.game, self.start, start_seed), Rng(self_seed)
        self._let_opponent_move()
        return observe(self.position, self.side), {}

    def step(self, action: Any) -> tuple:
        try:
            self._play(action)
        except TurfError as error:
            return observe(self.position, self.side), -1.0, True, False, {"illegal": str(error)}
        self._let_opponent_move()
        reward = float(self.position.reward(self.side))
        return observe(self.position, self.side), reward, self.position.is_over, False, {}

    def render(self) -> Optional[str]:
        return str(self.position) if self.render_mode == "ansi" else None

    def _play(self, action: Any) -> None:
        if self.is_simultaneous:
            mine = self.position.legal_cells(self.side, action)
            other = self.opponent.choose_cells(self.position, 1 - self.side, self._rng)
            self.position.play_both(*([mine, other] if self.side == 0 else [other, mine]))
        else:
            self.position.play(self.position.move_of_action(action))

    def _let_opponent_move(self) -> None:
        while self.position.to_move == 1 - self.side:
            self.position.play(self.opponent.choose(self.position, self._rng))


def make(of: Union[str, Game], opponent: str = "random", **more: Any) -> OpponentEnv:
    """One agent against a player, described as on the command line. More: side, start,
    render_mode."""
    return OpponentEnv(of, opponent, **more)


def make_vec(of: Union[str, Game], num_envs: int, opponent: str = "random",
             **more: Any) -> gymnasium.vector.SyncVectorEnv:
    """Many of them as a vector environment. turf.batch is much faster where no opponent is
    wanted."""
    count = check_number(num_envs, 1, 2**20, "num_envs")
    return gymnasium.vector.SyncVectorEnv([lambda: make(of, opponent, **more)] * count)
