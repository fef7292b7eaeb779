"""A simulated table on which hands do what people enter: the stand-in for a board where there is no camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.games.core import Position
from hardware.simulated.lying import Lying, Move, moves, stacks_of
from hardware.simulated.script import Carry, Lay, Step, Wait

NOTHING_TO_DO = Wait(0.5, least=0.5)


def following(position: Callable[[], Position[Any]]) -> Iterator[Step]:
    """The endless script of hands that make the table show the position, as it is each time they look."""
    lying = Lying(position().game)
    opening = Lay(stacks_of(position()))
    lying.apply(opening)
    yield opening
    while True:
        own, kept = moves(lying, position())
        for move in (*own, *kept):
            step = Carry(_seat_of(move), move.source, move.target, move.label)
            lying.apply(step)
            yield step
        if not own and not kept:
            yield NOTHING_TO_DO


def _seat_of(move: Move) -> int:
    """The seat whose place it is about, as the site names it; else the first."""
    owner = (move.target or move.source or "").partition(":")[2].partition(".")
    return int(owner[0]) if owner[1] and owner[0].isdigit() else 0
