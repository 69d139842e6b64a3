"""What agents of Gymnasium and PettingZoo observe: a dict of "observation" (planes), "numbers" and
"action_mask". Needs the package gymnasium."""
from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict

from .games import Position


def observation_space(first: Position) -> Dict:
    """For all positions on a board like this one."""
    return Dict({
        "observation": Box(0, 255, first.planes().shape, np.uint8),
        "numbers": Box(-2**31, 2**31 - 1, first.numbers().shape, np.int32),
        "action_mask": Box(0, 1, first.mask().shape, np.int8),
    })


def observe(position: Position, side: int) -> dict[str, np.ndarray]:
    """A position as a side sees it."""
    return {
        "observation": position.planes(side),
        "numbers": position.numbers(side),
        "action_mask": position.mask(side).astype(np.int8),
    }
