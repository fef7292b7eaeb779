"""Why an action is against the rules of Labyria."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.games.bits import bits
from companion.games.core import Refusal
from companion.games.labyria.actions import (
    Action,
    Add,
    Corner,
    Defend,
    Dice,
    Done,
    Evade,
    Move,
    Pass,
    Remove,
    Roll,
    Shield,
    Square,
    Turn,
)
from companion.games.labyria.walking import Walker

if TYPE_CHECKING:
    from companion.games.labyria.position import LabyriaPosition

DUE: Mapping[str, tuple[str, tuple[type[Action], ...]]] = {
    "first roll": ("LAB-SETUP-3", (Roll,)),
    "setup": ("LAB-SETUP-5", (Square, Corner)),
    "start roll": ("LAB-START-1", (Roll,)),
    "dice": ("LAB-TURN-1", (Dice,)),
    "turn": ("LAB-TURN-1", (Add, Remove, Turn, Move, Pass, Done)),
    "defend": ("LAB-EAT-1", (Defend,)),
    "shield": ("LAB-EAT-2", (Shield,)),
    "evade": ("LAB-EAT-4", (Evade,)),
}
"""What is due in each phase, and the clause that says so."""

UNTIMELY: Mapping[type[Action], str] = {
    Roll: "LAB-START-1",
    Square: "LAB-SETUP-5",
    Corner: "LAB-SETUP-5",
    Dice: "LAB-TURN-1",
    Defend: "LAB-EAT-1",
    Shield: "LAB-EAT-2",
    Evade: "LAB-EAT-4",
}
"""The clause about an action that has no place within a turn."""

SHORT = 8
"""Up to so many actions are told as what would be legal instead."""


def explain(position: LabyriaPosition, action: Action) -> Refusal | None:
    """The most specific clause that `action` breaks in `position`, or None where it is legal."""
    kind, phase = type(action), position.phase
    if phase == "over":
        return Refusal("LAB-END-1", facts={"player": position.player})
    if kind in DUE[phase][1]:
        return CHECKS[kind](position, action)
    return Refusal(UNTIMELY[kind]) if phase == "turn" else _due(position)


def may_stand(position: LabyriaPosition, action: Action, refusal: Refusal) -> bool:
    """Whether the game can go on after an action that was refused so: things are there, and there is room for them."""
    if position.over or type(action) not in DUE[position.phase][1]:
        return False
    cell, free = position.game.grid.cell, position.fields[1] & (~position.enemies | position.lane.goal)
    match action:
        case Square() | Corner():
            return refusal.clause in ("LAB-SETUP-4", "LAB-SETUP-6")
        case Add():
            return _no_place(position, action) is None
        case Remove():
            return _no_square(position, action) is None
        case Turn():
            return _no_room_to_turn(position, action) is None
        case Move(start, end):
            here, there = 1 << cell[start], 1 << cell[end]
            return position.movement == "due" and here in position.starts and bool(there & position.fields[1] & ~here)
        case Evade(end):
            return bool(1 << cell[end] & free)
        case Pass() | Done():
            return position.movement == "due"
    return False


def _due(position: LabyriaPosition) -> Refusal:
    """What has to happen now, and by whom."""
    player = position.concerns if position.concerns is not None else position.turn
    facts: dict[str, str | int] = {} if player is None else {"player": player}
    if position.attack is None:
        return Refusal(DUE[position.phase][0], facts=facts)
    cells = [position.game.name_of(cell) for cell in position.attack[:2]]
    facts |= {"start": cells[0], "end": cells[1], "number": position.number}
    return Refusal(DUE[position.phase][0], tuple(f"cell:{cell}" for cell in cells), facts)


def _told(position: LabyriaPosition, kind: type[Action]) -> tuple[str, ...]:
    """The legal actions of that kind, where they are few."""
    legal = [str(action) for action in position.legal_actions() if type(action) is kind]
    return tuple(legal) if len(legal) <= SHORT else ()


# -- dice --------------------------------------------------------------------------------------------------------------


def _explain_roll(position: LabyriaPosition, action: Roll) -> Refusal | None:
    known = action.number in position.game.set.dice.numbers
    return None if known and action.player == position.concerns else _due(position)


def _explain_dice(position: LabyriaPosition, action: Dice) -> Refusal | None:
    dice = position.game.set.dice
    return None if action.number in dice.numbers and action.symbol in dice.symbols else _due(position)


def _explain_defend(position: LabyriaPosition, action: Defend) -> Refusal | None:
    return None if action.symbol in position.game.set.dice.symbols else _due(position)


# -- obstacles ---------------------------------------------------------------------------------------------------------


def _explain_square(position: LabyriaPosition, action: Square) -> Refusal | None:
    if not position.stock[position.player][0]:
        return Refusal("LAB-SETUP-2", facts={"player": position.player, "kind": "squares"})
    edge = position.game.grid.edge[action.edge]
    taken = _taken(position, 1 << edge)
    return taken or _untouched(position, f"edge:{action.edge}", position.open_edges >> edge & 1, Square)


def _explain_corner(position: LabyriaPosition, action: Corner) -> Refusal | None:
    if not position.stock[position.player][1]:
        return Refusal("LAB-SETUP-2", facts={"player": position.player, "kind": "corners"})
    corner, site = position.game.corner[action.crossing, action.arms], f"crossing:{action.crossing}"
    if position.corners >> corner // 4 * 4 & 15:
        return Refusal("LAB-SETUP-7", (site,), {"place": action.crossing})
    taken = _taken(position, position.game.grid.corner_edges[corner])
    return taken or _untouched(position, site, position.open_corners >> corner & 1, Corner)


def _taken(position: LabyriaPosition, edges: int) -> Refusal | None:
    """LAB-SETUP-7: an obstacle stands on one of the edges."""
    taken = [position.game.grid.edges[edge] for edge in bits(edges & position.walls)]
    return Refusal("LAB-SETUP-7", tuple(f"edge:{edge}" for edge in taken), {"place": taken[0]}) if taken else None


def _untouched(position: LabyriaPosition, site: str, touches: int, kind: type[Action]) -> Refusal | None:
    if touches:
        return None
    place = site.partition(":")[2]
    if position.walls:
        return Refusal("LAB-SETUP-6", (site,), {"place": place})
    return Refusal("LAB-SETUP-4", (site,), {"place": place}, _told(position, kind))


def _explain_ability(position: LabyriaPosition, symbol: str) -> Refusal | None:
    """Whether the ability of that symbol is there to be used."""
    if position.symbol != symbol:
        return Refusal("LAB-TURN-2", facts={"symbol": position.symbol, "why": "other"})
    return Refusal("LAB-TURN-3", facts={"symbol": symbol}) if position.used else None


def _explain_add(position: LabyriaPosition, action: Add) -> Refusal | None:
    return _explain_ability(position, "plus") or _no_place(position, action)


def _no_place(position: LabyriaPosition, action: Add) -> Refusal | None:
    if not position.depot:
        return Refusal("LAB-TURN-4", ("depot",))
    return _taken(position, 1 << position.game.grid.edge[action.edge])


def _explain_remove(position: LabyriaPosition, action: Remove) -> Refusal | None:
    return _explain_ability(position, "minus") or _no_square(position, action)


def _no_square(position: LabyriaPosition, action: Remove) -> Refusal | None:
    if position.squares >> position.game.grid.edge[action.edge] & 1:
        return None
    return Refusal("LAB-TURN-2", (f"edge:{action.edge}",), {"symbol": "minus", "why": "no square"})


def _explain_turn(position: LabyriaPosition, action: Turn) -> Refusal | None:
    return _explain_ability(position, "rotate") or _no_room_to_turn(position, action)


def _no_room_to_turn(position: LabyriaPosition, action: Turn) -> Refusal | None:
    grid, site = position.game.grid, f"crossing:{action.crossing}"
    corner = position.game.corner[action.crossing, action.arms]
    stands = position.corners & 15 << corner // 4 * 4
    if not stands or stands >> corner & 1:
        facts = {"symbol": "rotate", "why": "same" if stands else "no corner"}
        return Refusal("LAB-TURN-2", (site,), facts)
    others = position.walls & ~grid.corner_edges[stands.bit_length() - 1]
    blocked = [grid.edges[edge] for edge in bits(grid.corner_edges[corner] & others)]
    if not blocked:
        return None
    return Refusal("LAB-TURN-5", (site, f"edge:{blocked[0]}"), {"place": action.crossing, "edge": blocked[0]})


def _explain_shield(position: LabyriaPosition, action: Shield) -> Refusal | None:
    edge = position.game.grid.edge[action.edge]
    taken = _taken(position, 1 << edge)
    if taken or position.shields >> edge & 1:
        return taken
    assert position.attack is not None
    clause = "LAB-EAT-5" if position.attack.again else "LAB-EAT-2"
    instead, due = _told(position, Shield), _due(position)
    return Refusal(clause, (f"edge:{action.edge}", *due.sites), due.facts, instead)


# -- walking -----------------------------------------------------------------------------------------------------------


def _explain_pass(position: LabyriaPosition, action: Pass | Done) -> Refusal | None:
    """LAB-TURN-6; `done` needs the movement to be over, `pass` that none is possible."""
    if position.movement != "due":
        return None if type(action) is Done else Refusal("LAB-TURN-6")
    for start in position.starts:
        ends, _ = position.ends_of(start)
        if ends:
            moves = _moves(position, start, ends)
            facts = {"start": position.game.name_of(start), "end": position.game.name_of(ends & -ends)}
            return Refusal("LAB-TURN-6", tuple(f"cell:{cell}" for cell in facts.values()), facts, moves)
    return None if type(action) is Pass else Refusal("LAB-TURN-6", instead=("pass",))


def _moves(position: LabyriaPosition, start: int, ends: int) -> tuple[str, ...]:
    """The moves of a figure, where they are few."""
    game = position.game
    moves = tuple(f"move {game.name_of(start)} {game.name_of(1 << end)}" for end in bits(ends))
    return moves if len(moves) <= SHORT else ()


def _explain_move(position: LabyriaPosition, action: Move) -> Refusal | None:
    if position.movement != "due":
        return Refusal("LAB-TURN-6" if position.movement == "passed" else "LAB-TURN-1")
    cell = position.game.grid.cell
    start, end = 1 << cell[action.start], 1 << cell[action.end]
    if start not in position.starts:
        in_goal = start == position.lane.goal and position.goals[position.player]
        return _walking(position, "LAB-MOVE-8", action.start, action.end, ()) if in_goal else Refusal("LAB-TURN-1")
    ends, again = position.ends_of(start)
    if ends & end:
        return None
    clause = _why_not(position, start, end, again)
    if clause == "LAB-MOVE-4" and not ends:
        clause = "LAB-MOVE-5"
    return _walking(position, clause, action.start, action.end, _moves(position, start, ends))


def _explain_evade(position: LabyriaPosition, action: Evade) -> Refusal | None:
    attack, game, evasions = position.attack, position.game, position.evasions()
    assert attack is not None
    end = 1 << game.grid.cell[action.end]
    if evasions & end:
        return None
    clause = "LAB-EAT-4"
    if end != attack.start and not end & position.enemies & ~position.lane.goal:
        through, ends = position.fields
        free = ends & (~position.enemies | position.lane.goal)
        again = not position.walker.path(attack.start, position.number, through, free)
        clause = _why_not(position, attack.start, end, again)
    return _walking(position, clause, game.name_of(attack.start), action.end, _told(position, Evade))


def _walking(position: LabyriaPosition, clause: str, start: str, end: str, instead: tuple[str, ...]) -> Refusal:
    facts: dict[str, str | int] = {"start": start, "end": end, "number": position.number}
    facts["player"] = position.player
    return Refusal(clause, (f"cell:{start}", f"cell:{end}"), facts, instead)


def _why_not(position: LabyriaPosition, start: int, end: int, again: bool) -> str:
    """The clause that keeps a figure from walking there; `again`: fields may be entered more than once."""
    lane, number, walker = position.lane, position.number, position.walker
    through, ends = position.fields
    if end & lane.closed:
        return "LAB-MOVE-7"
    if end & ~(ends | start):
        return "LAB-MOVE-3"
    if not again and walker.walk(start, number, through, end):
        return "LAB-MOVE-4"
    inexact = "LAB-MOVE-8" if end == lane.goal else "LAB-MOVE-2"
    if end & (start | walker.step(walker.region(start, number - 1, through))):
        return inexact  # it is near enough, but the number does not come out there
    walks = walker.walk if again else walker.path
    for clause, opened in (("LAB-MOVE-3", position.enemies), ("LAB-MOVE-8", lane.goal), ("LAB-MOVE-7", lane.closed)):
        if walks(start, number, through | opened, end):
            return clause
    free = Walker(position.game.grid, 0)
    if _diagonal(position, start, end) == number or (free.walk if again else free.path)(start, number, through, end):
        return "LAB-MOVE-1"
    return inexact


def _diagonal(position: LabyriaPosition, start: int, end: int) -> int:
    """How many diagonal steps lead from field to field, 0 where that is impossible."""
    rows, columns = zip(
        *(divmod(cell.bit_length() - 1, position.game.grid.columns) for cell in (start, end)), strict=True
    )
    across, up = abs(columns[0] - columns[1]), abs(rows[0] - rows[1])
    return across if across == up else 0


CHECKS: Mapping[type[Action], Callable[[LabyriaPosition, Any], Refusal | None]] = {
    Roll: _explain_roll,
    Square: _explain_square,
    Corner: _explain_corner,
    Dice: _explain_dice,
    Add: _explain_add,
    Remove: _explain_remove,
    Turn: _explain_turn,
    Move: _explain_move,
    Defend: _explain_defend,
    Shield: _explain_shield,
    Evade: _explain_evade,
    Pass: _explain_pass,
    Done: _explain_pass,
}
"""How each kind of action is checked when it is due."""
