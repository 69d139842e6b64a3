"""PettingZoo: env(game) for games where sides take turns (AEC), parallel_env(game) for AI
Battleground. Needs the packages pettingzoo and gymnasium.

An observation is a dict: "observation" (planes), "numbers" and "action_mask", as the agent sees
them."""
from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
from gymnasium.spaces import Dict, Discrete, MultiBinary
from pettingzoo import AECEnv, ParallelEnv

from ._engine import TurfError
from .games import Game, Position, game
from .spaces import observation_space, observe

AGENTS = ("player_0", "player_1")
MODES = ("ansi", "human")


class _Board:
    """What both sorts of environment share: the position, its spaces, seeds and pictures. Each
    reset draws a start, from the seed of the last seeded one."""

    def __init__(self, of: Game, start: Optional[str], render_mode: Optional[str]):
        super().__init__()
        if render_mode not in (None, *MODES):
            raise TurfError(f"render_mode must be {' or '.join(MODES)}, not {render_mode!r}")
        self.metadata = {"render_modes": list(MODES), "name": f"{of.name}_v0",
                         "is_parallelizable": False}
        self.game, self.start, self.render_mode = of, start, render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.position = Position(of, start)
        self._rng = np.random.default_rng(1)
        n_actions = self.position.n_actions
        space = MultiBinary if self.position.to_move == 2 else Discrete
        self.observation_spaces = {a: observation_space(self.position) for a in AGENTS}
        self.action_spaces = {a: space(n_actions) for a in AGENTS}

    def _begin(self, seed: Optional[int]) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.position = Position(self.game, self.start, int(self._rng.integers(2**63)))
        self.agents = list(AGENTS)

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Union[Discrete, MultiBinary]:
        return self.action_spaces[agent]

    def render(self) -> Optional[str]:
        """The board as text, or printed in the mode "human"."""
        if self.render_mode == "human":
            print(self.position)
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""


class TurnEnv(_Board, AECEnv):
    """A game in which sides take turns. An illegal action is a TurfError."""

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return observe(self.position, AGENTS.index(agent))

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.to_move]

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.position.play(self.position.move_of_action(action))
        if self.position.is_over:
            self.rewards = {a: self.position.reward(i) for i, a in enumerate(AGENTS)}
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            self._clear_rewards()
            self.agent_selection = AGENTS[self.position.to_move]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class BothEnv(_Board, ParallelEnv):
    """AI Battleground. An action has a 1 for each cell to colonise; those that are not legal, and
    those above the number that an agent may list, are left out, row by row."""

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple:
        self._begin(seed)
        return self._all_observations(), {agent: {} for agent in AGENTS}

    def step(self, actions: dict[str, Any]) -> tuple:
        self.position.play_both(*(self.position.legal_cells(side, actions[agent])
                                  for side, agent in enumerate(AGENTS)))
        is_over = self.position.is_over
        rewards = {a: float(self.position.reward(i)) for i, a in enumerate(AGENTS)}
        if is_over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (self._all_observations(), rewards, dict.fromkeys(AGENTS, is_over),
                dict.fromkeys(AGENTS, False), {agent: {} for agent in AGENTS})

    def _all_observations(self) -> dict[str, dict[str, np.ndarray]]:
        return {agent: observe(self.position, side) for side, agent in enumerate(AGENTS)}


def env(of: Union[str, Game], start: Optional[str] = None,
        render_mode: Optional[str] = None) -> TurnEnv:
    """An AEC environment of a game where sides take turns."""
    found = game(of)
    if Position(found, start).to_move == 2:
        raise TurfError(f"in {found.name} both sides move at once; use parallel_env")
    return TurnEnv(found, start, render_mode)


def parallel_env(of: Union[str, Game] = "ai-battleground", start: Optional[str] = None,
                 render_mode: Optional[str] = None) -> BothEnv:
    """A Parallel environment of a game where both sides move at once."""
    found = game(of)
    if Position(found, start).to_move != 2:
        raise TurfError(f"in {found.name} the sides move in turn; use env")
    return BothEnv(found, start, render_mode)
