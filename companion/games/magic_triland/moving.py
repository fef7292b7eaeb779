"""Why a messenger may not go somewhere at that cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.core import Judgement, Refusal
from companion.games.magic_triland.actions import Go
from companion.games.magic_triland.landscape import FIRST_SHORE, FIRST_TERRACE, HOME_PLACES

if TYPE_CHECKING:
    from companion.games.magic_triland.position import TrilandPosition

TELLING = ("TLD-MOVE-5", "TLD-MOVE-4", "TLD-MOVE-3", "TLD-MOVE-2", "TLD-CARD-4", "TLD-MOVE-6", "TLD-LAND-3")
"""Clauses that say more about a move of unknown cost than others do, the best first."""


def explain(position: TrilandPosition, action: Go) -> Refusal | None:
    """The most specific clause that the move breaks, or None."""
    messenger = position.called(action.who)
    if messenger is None:
        return Refusal("TLD-SETUP-1", facts={"player": position.player, "who": action.who})
    if position.back >> messenger & 1:
        return _refused(position, action, "TLD-MOVE-5", messenger, why="home for good")
    if position.moved >> messenger & 1:
        return _refused(position, action, "TLD-MOVE-1", messenger, why="moved")
    land = position.land
    assert land is not None
    if action.end not in land.number:
        instead = _same(position, action, land.place_of_cell[position.game.cell_number[action.end]])
        return _refused(position, action, "TLD-LAND-1", messenger, instead, why="one place")
    return _explain_end(position, action, messenger, land.number[action.end])


def may_stand(position: TrilandPosition, action: Go) -> bool:
    """Whether there is room for the messenger where it goes, and it is still on its way."""
    messenger, land = position.called(action.who), position.land
    if messenger is None or land is None or action.end not in land.number or not action.cost:
        return False
    place = land.number[action.end]
    strange = place < FIRST_SHORE and bool(position.standing.forbidden[messenger] >> place & 1)
    full = position.standing.occupied(1 << messenger)[1] >> place & 1
    return not (position.back >> messenger & 1 or strange or full)


def _refused(
    position: TrilandPosition,
    action: Go,
    clause: str,
    messenger: int,
    instead: tuple[str, ...] = (),
    **facts: str | int,
) -> Refusal:
    end = (f"cell:{action.end}",) if action.end in position.game.cell_number else ()
    said = {"who": action.who, "end": action.end, "cost": action.cost, **facts}
    return Refusal(clause, (position.site(messenger), *end), said, instead)


def _explain_end(position: TrilandPosition, action: Go, messenger: int, place: int) -> Refusal | None:
    standing, bit = position.standing, 1 << place
    one, two = standing.occupied(1 << messenger)
    if two & bit:
        return _refused(position, action, "TLD-MOVE-3", messenger, why="closed")
    if standing.forbidden[messenger] & bit:
        clause = "TLD-MOVE-5" if place < FIRST_SHORE else "TLD-MOVE-4"
        return _refused(position, action, clause, messenger, why="no entry")
    if not action.cost:
        return _refused(position, action, "TLD-MOVE-6", messenger, why="no move")
    if action.cost > position.energy:
        return _refused(position, action, "TLD-CARD-4", messenger, energy=position.energy, why="too much")
    if not standing.ends(messenger, action.cost, one, two)[action.cost] & bit:
        return _explain_way(position, action, messenger, place)
    rest = position.energy - action.cost
    others = tuple(other for other in position.movers if other != messenger)
    if rest and standing.spoilers(others, rest, 1 << messenger) & bit:
        instead = _same(position, action, place)
        return _refused(position, action, "TLD-CARD-4", messenger, instead, energy=rest, why="rest")
    return None


def _explain_way(position: TrilandPosition, action: Go, messenger: int, place: int) -> Refusal:
    """The end is open, but no way of that cost leads there."""
    standing, start = position.standing, position.places[messenger]
    one, two = standing.occupied(1 << messenger)
    forbidden = standing.forbidden[messenger] | HOME_PLACES

    def leads(barred: int) -> bool:
        return bool(standing.land.reached(start, action.cost, barred)[action.cost] >> place & 1)

    if not leads(HOME_PLACES):
        return _explain_cost(position, action, messenger, place)
    if not leads(forbidden):
        return _refused(position, action, "TLD-MOVE-4", messenger, why="no crossing")
    shared = one & (two | 1 << start)
    if leads(forbidden | one & ~shared):
        clause, why, stopping = "TLD-MOVE-3", "on the way", shared
    else:
        clause, why, stopping = "TLD-MOVE-2", "crossed", one & ~shared
    alone = [k for k in _standing_on(position, stopping) if leads(forbidden | one & ~(1 << position.places[k]))]
    refusal = _refused(position, action, clause, messenger, _same(position, action, place), why=why)
    sites = (position.site(k) for k in alone if k != messenger)
    return Refusal(clause, (*refusal.sites, *sites), refusal.facts, refusal.instead)


def _standing_on(position: TrilandPosition, places: int) -> list[int]:
    return [messenger for messenger, place in enumerate(position.places) if places >> place & 1]


def _explain_cost(position: TrilandPosition, action: Go, messenger: int, place: int) -> Refusal:
    """Even in an empty landscape no way of that cost leads there."""
    land, start = position.standing.land, position.places[messenger]
    touching = any(other == place for other, _ in land.steps[start])
    jump = not touching and abs(land.heights[start] - land.heights[place]) == action.cost
    instead = _same(position, action, place)
    if place == start:
        return _refused(position, action, "TLD-MOVE-6", messenger, instead, why="cost")
    if jump and min(place, start) < FIRST_TERRACE:
        return _refused(position, action, "TLD-LAND-3", messenger, instead)
    if jump:
        return _refused(position, action, "TLD-MOVE-1", messenger, instead, why="not touching")
    return _refused(position, action, "TLD-LAND-1", messenger, instead, why="cost")


def _same(position: TrilandPosition, action: Go, place: int) -> tuple[str, ...]:
    """The messenger's legal moves to that place."""
    messenger = position.called(action.who)
    assert messenger is not None
    others, standing = [other for other in position.movers if other != messenger], position.standing
    end = standing.land.names[place]
    costs = [cost for cost, ends in standing.moves_of(messenger, others, position.energy) if ends >> place & 1]
    return tuple(str(Go(action.who, end, cost)) for cost in costs)


def judge(position: TrilandPosition, messenger: int, label: str) -> Judgement | None:
    """What was wrong about a messenger of the player standing there, whatever it should have cost."""
    land, cells = position.land, position.game.cell_number
    assert land is not None
    end = land.names[land.place_of_cell[cells[label]]] if label in cells else label
    tried = [Go(position.name(messenger), end, cost) for cost in range(1, position.energy + 1)]
    refusals = [(refusal, go) for go in tried if (refusal := position.explain(go)) is not None]
    if len(refusals) < len(tried):
        return None
    ranks = {clause: rank for rank, clause in enumerate(TELLING)}
    refusal, go = min(refusals, key=lambda one: ranks.get(one[0].clause, len(ranks)))
    return Judgement(refusal, go)
