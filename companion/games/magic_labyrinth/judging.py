"""Why an action is against the rules of the Magic Labyrinth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.games.core import Refusal
from companion.games.magic_labyrinth.actions import Action, Call, Done, Draw, Early, Insert, Reveal, Step
from companion.games.magic_labyrinth.grid import NOWHERE

if TYPE_CHECKING:
    from companion.games.magic_labyrinth.grid import Way
    from companion.games.magic_labyrinth.position import MagicLabyrinthPosition

TURN_ACTIONS = (Call, Early, Step, Done)
UNTIMELY: Mapping[type[Action], str] = {
    Draw: "MAG-SYMBOL-1",
    Reveal: "MAG-TURN-1",
    Insert: "MAG-WALL-1",
    Done: "MAG-TURN-5",
}
"""The clause about an action that has no place in a turn."""

SHORT = 8
"""Up to so many actions are told as what would be legal instead."""


def explain(position: MagicLabyrinthPosition, action: Action) -> Refusal | None:
    """The most specific clause that `action` breaks in `position`, or None where it is legal."""
    kind, phase = type(action), position.phase
    if phase == "over":
        return Refusal("MAG-END-1", facts={"player": position.player, "target": position.target})
    if kind in DUE[phase]:
        return CHECKS[kind](position, action)
    if phase == "insert" and kind in TURN_ACTIONS:
        return Refusal(position.ended, facts={"player": position.player, "why": "over"})
    if phase in ("symbol", "reveal") or kind is Done:
        return _due(position)
    return Refusal(UNTIMELY[kind], facts={"player": position.player, "why": "not now"})


def may_stand(position: MagicLabyrinthPosition, action: Action, refusal: Refusal) -> bool:
    """Whether the game can go on after an action that was refused so."""
    match action:
        case Step():
            free = not position.occupied >> position.game.grid.cell[action.end] & 1
            return free and position.phase in ("turn", "jump")
        case Call() | Early():
            stands = position.walls >> position.game.grid.slot[action.slot] & 1
            return bool(stands) and position.phase == "turn" and refusal.clause != "MAG-JUMP-2"
        case Done():
            return position.phase == "turn"
    return False


def _due(position: MagicLabyrinthPosition) -> Refusal:
    """What has to happen now."""
    facts: dict[str, str | int] = {"player": position.player, "why": "draw"}
    match position.phase:
        case "symbol":
            return Refusal("MAG-SYMBOL-1" if position.ended else "MAG-SETUP-3", facts=facts)
        case "reveal":
            slot = position.game.grid.slots[position.pulled]
            return Refusal("MAG-TURN-1", (f"slot:{slot}",), facts | {"why": "hidden"})
    cell = position.game.grid.cells[position.jumped]
    return Refusal("MAG-JUMP-1", (f"cell:{cell}",), facts | {"place": cell, "why": "jump on"}, _told(position))


def _told(position: MagicLabyrinthPosition) -> tuple[str, ...]:
    """The legal actions, where they are few."""
    legal = position.legal_actions()
    return tuple(map(str, legal)) if len(legal) <= SHORT else ()


# -- chance ------------------------------------------------------------------------------------------------------------


def _explain_draw(position: MagicLabyrinthPosition, action: Draw) -> Refusal | None:
    if position.undrawn >> position.game.symbol[action.symbol] & 1:
        return None
    return Refusal("MAG-SYMBOL-1", facts={"symbol": action.symbol, "player": position.player, "why": "drawn"})


def _explain_reveal(position: MagicLabyrinthPosition, action: Reveal) -> Refusal | None:
    """The text must not betray the colour of a wall that is known."""
    game = position.game
    possible = position.possible_colours()
    if game.colour[action.colour] in possible:
        return None
    slot = game.grid.slots[position.pulled]
    facts: dict[str, str | int] = {"colour": action.colour, "slot": slot, "player": position.player}
    if any(known >> position.pulled & 1 for known in position.known):
        return Refusal("MAG-WALL-1", (f"slot:{slot}",), facts | {"why": "other"})
    return Refusal("MAG-SETUP-2", (f"slot:{slot}",), facts | {"count": game.each_colour})


# -- the turn ----------------------------------------------------------------------------------------------------------


def _explain_pull(position: MagicLabyrinthPosition, action: Call | Early) -> Refusal | None:
    slot = position.game.grid.slot[action.slot]
    if slot in position.ways()[0]:
        return None
    clause, over = _why_not_pulled(position, slot)
    place = action.slot if over == NOWHERE else position.game.grid.cells[over]
    sites = (f"slot:{action.slot}", *([f"cell:{place}"] if over != NOWHERE else []))
    why = {"MAG-TURN-1": "far", "MAG-TURN-4": "open", "MAG-JUMP-1": "first", "MAG-JUMP-2": "taken"}[clause]
    if clause == "MAG-JUMP-1" and position.phase == "jump":
        why = "jump on"
    return Refusal(clause, sites, {"place": place, "player": position.player, "why": why}, _told(position))


def _why_not_pulled(position: MagicLabyrinthPosition, slot: int) -> tuple[str, int]:
    """The clause that keeps the wall in its slot, and the field that would be jumped, or NOWHERE."""
    wall = 1 << slot
    for way in position.game.grid.around[position.figures[position.player]]:
        occupied = bool(way.there & position.occupied)
        on = next((on for on in way.onward if on.slot == slot), None) if occupied else None
        if way.slot != slot and on is None:
            continue
        if position.phase == "jump" and (on is None or way.field != position.jumped):
            return "MAG-JUMP-1", position.jumped
        if not position.walls & wall:
            return "MAG-TURN-4", NOWHERE
        if on is not None and position.walls & way.wall:
            return "MAG-JUMP-1", way.field
        return "MAG-JUMP-2", way.field
    return ("MAG-JUMP-1", position.jumped) if position.phase == "jump" else ("MAG-TURN-1", NOWHERE)


def _explain_step(position: MagicLabyrinthPosition, action: Step) -> Refusal | None:
    if action in position.ways()[1]:
        return None
    game = position.game
    end, over = game.grid.cell[action.end], game.grid.cell.get(action.over, NOWHERE)
    clause, why, blocked = _why_not_stepped(position, end, over)
    sites = [f"cell:{action.end}", *([f"cell:{action.over}"] if action.over else [])]
    if blocked is not None:
        sites.append(f"slot:{game.grid.slots[blocked.slot]}")
    facts: dict[str, str | int] = {"place": action.over or action.end, "player": position.player, "why": why}
    return Refusal(clause, tuple(sites), facts, _told(position))


def _why_not_stepped(position: MagicLabyrinthPosition, end: int, over: int) -> tuple[str, str, Way | None]:
    """The clause against a step to `end` over a field (or NOWHERE), why, and the wall in the way."""
    here = position.figures[position.player]
    if position.phase == "jump":
        if over != NOWHERE:
            return "MAG-JUMP-1", "jump on", None
        over = position.jumped
    first = position.game.grid.way(here, end if over == NOWHERE else over)
    if first is None:
        return "MAG-TURN-4", "apart", None
    if first.wall & position.walls:
        return "MAG-TURN-4", "closed", first
    occupied = bool(first.there & position.occupied)
    if over == NOWHERE:
        assert occupied, "a free field behind an open slot can be stepped on"
        return "MAG-JUMP-1", "figure", None
    second = next((on for on in first.onward if on.field == end), None)
    if not occupied or second is None:
        return "MAG-JUMP-1", "no figure" if not occupied else "apart", None
    if second.there & position.occupied:
        return "MAG-JUMP-2", "taken", None
    return "MAG-JUMP-1", "closed", second


def _explain_done(position: MagicLabyrinthPosition, action: Done) -> Refusal | None:
    pulls, steps = position.ways()
    if position.may_end(pulls, steps):
        return None
    return Refusal("MAG-TURN-5", facts={"player": position.player, "why": "not stuck"}, instead=_told(position))


# -- putting walls back ------------------------------------------------------------------------------------------------


def _explain_insert(position: MagicLabyrinthPosition, action: Insert) -> Refusal | None:
    game = position.game
    facts: dict[str, str | int] = {"colour": action.colour, "slot": action.slot, "player": position.player}
    if position.walls >> game.grid.slot[action.slot] & 1:
        return Refusal("MAG-WALL-1", (f"slot:{action.slot}",), facts | {"why": "full"})
    if not position.outside[game.colour[action.colour]]:
        return Refusal("MAG-WALL-1", (f"slot:{action.slot}",), facts | {"why": "none outside"}, _told(position))
    return None


DUE: Mapping[str, tuple[type[Action], ...]] = {
    "symbol": (Draw,),
    "reveal": (Reveal,),
    "turn": TURN_ACTIONS,
    "jump": (Call, Early, Step),
    "insert": (Insert,),
}
"""What is due in each phase."""

CHECKS: Mapping[type[Action], Callable[[MagicLabyrinthPosition, Any], Refusal | None]] = {
    Draw: _explain_draw,
    Reveal: _explain_reveal,
    Call: _explain_pull,
    Early: _explain_pull,
    Step: _explain_step,
    Insert: _explain_insert,
    Done: _explain_done,
}
"""How each kind of action is checked when it is due."""
