"""What somebody did who made the table look so: a figure, square or corner moved or placed as it may not be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from companion.games.core import Judgement, Refusal
from companion.games.labyria.actions import Action, Add, Corner, Evade, Move, Remove, Shield, Square, Turn
from companion.games.labyria.showing import counts_of, figures
from companion.games.sites import EMPTY

if TYPE_CHECKING:
    from companion.games.labyria.position import LabyriaPosition


def judge(position: LabyriaPosition, seen: Mapping[str, str]) -> Judgement | None:
    """The first attempted action that the rules refuse, tried one after the other; None where nothing tells."""
    lifted = [site for site, label in sorted(seen.items()) if site.startswith("crossing:") and label == EMPTY]
    if lifted:
        return Judgement(Refusal("LAB-TURN-2", tuple(lifted), {"symbol": position.symbol or "none", "why": "stays"}))
    for action in (*_obstacles(position, seen), *_figures(position, seen)):
        refusal = position.explain(action)
        if refusal is not None:
            return Judgement(refusal, action)
        position = position.play(action)
    return None


def _obstacles(position: LabyriaPosition, seen: Mapping[str, str]) -> Iterator[Action]:
    """Squares and corners that were placed, taken away or turned."""
    placing = position.phase in ("first roll", "setup", "start roll")
    standing = position.view().sites
    for site, label in sorted(seen.items()):
        kind, _, place = site.partition(":")
        if kind == "crossing":
            yield Corner(place, label) if placing or standing[site] == EMPTY else Turn(place, label)
        elif kind == "edge" and label == EMPTY:
            yield Remove(place)
        elif kind == "edge":
            yield Square(place) if placing else Shield(place) if position.phase == "shield" else Add(place)


def _figures(position: LabyriaPosition, seen: Mapping[str, str]) -> Iterator[Action]:
    """A figure that went from one field to another, where just one of its colour did."""
    grid, colours, stood = position.game.grid, position.game.seat_colours, figures(position)
    left: dict[int, list[str]] = {}
    came: dict[int, list[str]] = {}
    for site, label in sorted(seen.items()):
        kind, _, place = site.partition(":")
        if kind == "cell":
            before, now = stood.get(grid.cell[place], {}), counts_of(colours, label)
            for seat in range(len(colours)):
                more = now.get(seat, 0) - before.get(seat, 0)
                (came if more > 0 else left).setdefault(seat, []).extend([place] * abs(more))
    for seat, starts in left.items():
        ends = came.get(seat, [])
        if len(starts) == len(ends) == 1:
            yield Evade(ends[0]) if position.phase == "evade" else Move(starts[0], ends[0])
