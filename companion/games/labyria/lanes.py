"""Where each player starts and wants to go, by the number of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.labyria.grid import Grid

SEATS = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""LAB-SETUP-1: the corners that so many players take."""


class Lane(NamedTuple):
    """Fields (masks) as one player's figures know them: `start` and `goal`, the `closed` corners of others, the fields
    to walk `through` and those to end on (`ends`), as far as no figure stands there.
    """

    start: int
    goal: int
    closed: int
    through: int
    ends: int


def lanes_of(grid: Grid, corners: Sequence[str], players: int) -> tuple[Lane, ...]:
    """Every player's lane (LAB-MOVE-7 and -8); `corners` are the start corners by seat."""
    starts = [1 << grid.cell[name] for name in corners]
    taken = sum(starts[seat] for seat in SEATS[players])
    lanes = []
    for seat in SEATS[players]:
        start, goal = starts[seat], starts[(seat + 2) % 4]
        closed = taken & ~(start | goal)
        lanes.append(Lane(start, goal, closed, grid.every_cell & ~(closed | goal), grid.every_cell & ~closed))
    return tuple(lanes)
