"""What a position of Labyria shows on the table, and what an action brings about, for people to hear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from companion.games.bits import bits
from companion.games.core import Event, Sign, View
from companion.games.labyria.actions import (
    Action,
    Add,
    Corner,
    Defend,
    Dice,
    Evade,
    Move,
    Remove,
    Roll,
    Shield,
    Square,
    Turn,
)
from companion.games.labyria.grid import ARMS
from companion.games.labyria.walking import Walker
from companion.games.sites import EMPTY

if TYPE_CHECKING:
    from companion.games.labyria.position import LabyriaPosition


def view(position: LabyriaPosition) -> View:
    """The label of every site."""
    game, grid = position.game, position.game.grid
    sites = dict(game.empty_view)
    for edge in bits(position.squares):
        sites[f"edge:{grid.edges[edge]}"] = "square"
    for corner in bits(position.corners):
        sites[f"crossing:{grid.crossings[corner // 4]}"] = ARMS[corner % 4]
    for cell, counts in figures(position).items():
        sites[f"cell:{grid.cells[cell]}"] = label_of(game.seat_colours, counts)
    sites["depot"] = str(position.depot)
    return View(sites)


def figures(position: LabyriaPosition) -> dict[int, dict[int, int]]:
    """How many figures of which seat stand on each field that is not empty."""
    found: dict[int, dict[int, int]] = {}
    lanes, seats = position.game.lanes[position.players], position.game.seats(position.players)
    for player, (lane, seat) in enumerate(zip(lanes, seats, strict=True)):
        places = [(lane.start, position.home[player]), (lane.goal, position.goals[player])]
        places += [(1 << cell, 1) for cell in bits(position.afield[player])]
        for cell, count in places:
            if count:
                found.setdefault(cell.bit_length() - 1, {})[seat] = count
    return found


def label_of(colours: tuple[str, ...], counts: Mapping[int, int]) -> str:
    """The label of a field with so many figures of each seat."""
    parts = (colours[seat] + (f"*{counts[seat]}" if counts[seat] > 1 else "") for seat in sorted(counts))
    return "+".join(parts) or EMPTY


def counts_of(colours: tuple[str, ...], label: str) -> dict[int, int]:
    """How many figures of each seat a field's label tells of."""
    if label == EMPTY:
        return {}
    parts = (part.partition("*") for part in label.split("+"))
    return {colours.index(colour): int(count or 1) for colour, _, count in parts}


def signs(position: LabyriaPosition, action: Action) -> tuple[Sign, ...]:
    """What certainly shows right after a legal action."""
    match action:
        case Square(edge) | Add(edge) | Shield(edge):
            return (Sign((f"edge:{edge}",), "square"),)
        case Remove(edge):
            return (Sign((f"edge:{edge}",), EMPTY),)
        case Corner(crossing, arms) | Turn(crossing, arms):
            return (Sign((f"crossing:{crossing}",), arms),)
        case Move(start, end) if start != end:
            return _arrival(position, end)
        case Evade(end) if position.attack is not None and end != position.game.name_of(position.attack.start):
            return _arrival(position, end)
    return ()


def told(position: LabyriaPosition, action: Action) -> bool:
    """Whether only people can say it: dice, a figure that comes back to where it stood, and an attack, whose figure
    stays until the defender has rolled.
    """
    match action:
        case Move(start, end):
            cell = 1 << position.game.grid.cell[end]
            return start == end or bool(cell & position.enemies and cell != position.lane.goal)
        case Evade(end):
            return position.attack is not None and end == position.game.name_of(position.attack.start)
    return isinstance(action, Roll | Dice | Defend)


def way(position: LabyriaPosition, action: Action) -> tuple[str, ...]:
    """The fields that a figure goes over when it moves or evades, one way of several; empty where none leads there."""
    through, cell = position.fields[0], position.game.grid.cell
    match action:
        case Move(start, end):
            here, again = 1 << cell[start], position.ends_of(1 << cell[start])[1]
        case Evade(end) if position.attack is not None:
            here, again = position.attack.start, False
        case _:
            return ()
    there = 1 << cell[end]
    found = position.walker.way(here, position.number, through, there, again=again)
    if not found and isinstance(action, Evade) and there != here:
        found = position.walker.way(here, position.number, through, there, again=True)
    return tuple(position.game.name_of(field) for field in found)


def _arrival(position: LabyriaPosition, end: str) -> tuple[Sign, ...]:
    """The field where a figure of the player arrives, unless it attacks there."""
    game, cell = position.game, position.game.grid.cell[end]
    if 1 << cell & position.enemies and 1 << cell != position.lane.goal:
        return ()
    seat = game.seats(position.players)[position.player]
    counts = dict(figures(position).get(cell, {}))
    counts[seat] = counts.get(seat, 0) + 1
    return (Sign((f"cell:{end}",), label_of(game.seat_colours, counts)),)


def events(position: LabyriaPosition, action: Action, after: LabyriaPosition) -> tuple[Event, ...]:
    """`skip`, `attack`, `cloak`, `shield`, `devour`, `reverse`, `score`, `order`, `turn` and `over`."""
    told = list(_deeds(position, action, after))
    for player in range(position.players):
        if after.goals[player] > position.goals[player]:
            facts = {"player": player, "points": after.goals[player], "figures": position.game.figures}
            told.append(Event("score", facts))
    if after.phase == "over":
        told.append(Event("over", {"clause": "LAB-END-1", "player": after.player}))
    elif after.phase in ("setup", "dice") and (after.phase, after.player) != (position.phase, position.player):
        told.append(Event("turn", {"player": after.player}))
    return tuple(told)


def _deeds(position: LabyriaPosition, action: Action, after: LabyriaPosition) -> Iterator[Event]:
    """What the action did to figures."""
    if isinstance(action, Dice) and action.symbol == "skip":
        yield Event("skip", {"player": position.player})
    if isinstance(action, Move) and after.attack is not None:
        yield Event("attack", {"player": position.player, "other": after.defender, "cell": action.end})
    if isinstance(action, Defend) and position.attack is not None:
        cell = position.game.name_of(position.attack.end)
        facts = {"player": position.player, "other": position.defender, "cell": cell}
        yield Event(_outcome(position, after), facts)


def _outcome(position: LabyriaPosition, after: LabyriaPosition) -> str:
    """How an attack went on once the defender had rolled."""
    if after.phase in ("shield", "evade"):
        return "shield" if after.phase == "shield" else "cloak"
    defender = position.defender
    return "devour" if after.home[defender] > position.home[defender] else "reverse"


def steps_left(position: LabyriaPosition, player: int) -> int:
    """The steps from all figures of a player to their goal past the obstacles; one that is shut in counts many."""
    lane, grid = position.game.lanes[position.players][player], position.game.grid
    walker, reached, near = Walker(grid, position.walls), 0, lane.goal
    total, steps = 0, 0
    while near != reached:
        reached, steps = near, steps + 1
        near = (walker.step(reached) & ~lane.closed) | reached
        fresh = near & ~reached
        total += steps * (fresh & position.afield[player]).bit_count()
        total += steps * position.home[player] if fresh & lane.start else 0
    shut = (position.afield[player] & ~reached).bit_count() + (0 if reached & lane.start else position.home[player])
    return total + grid.columns * grid.rows // 2 * shut
