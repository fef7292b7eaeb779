"""What a position of the Magic Labyrinth shows on the table, and what an action brings about, for people to hear.

The colour of a wall that stands in a slot is never shown, whether it is known or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.games.bits import bits
from companion.games.core import Event, Group, Sign, View
from companion.games.magic_labyrinth.actions import Action, Call, Done, Draw, Early, Insert, Reveal, Step
from companion.games.magic_labyrinth.grid import NOWHERE
from companion.games.sites import EMPTY

if TYPE_CHECKING:
    from companion.games.magic_labyrinth.position import MagicLabyrinthPosition

WALL = "wall"
CHIP = "chip"
NONE = "none"
"""The label of the chip while none lies on the board."""


def view(position: MagicLabyrinthPosition) -> View:
    """Walls, figures, the chip, and pulled walls in the tray."""
    game, grid = position.game, position.game.grid
    sites = dict(game.bare_view)
    for slot in bits(position.walls):
        sites[f"slot:{grid.slots[slot]}"] = WALL
    for seat, field in zip(game.seats(position.players), position.figures, strict=True):
        sites[f"cell:{grid.cells[field]}"] = game.seat_colours[seat]
    either = {}
    if position.phase in ("symbol", "over") and position.chip != NOWHERE:
        either[CHIP] = (NONE, grid.cells[position.chip])  # taken, perhaps not yet by hand
    else:
        sites[CHIP] = NONE if position.chip == NOWHERE else grid.cells[position.chip]
    groups = []
    for colour, name in enumerate(game.colours):
        places = tuple(f"tray:{k}" for k, other in enumerate(position.tray) if other == colour)
        left = position.outside[colour]
        if left in (0, len(places)):
            sites |= dict.fromkeys(places, name if left else EMPTY)
        else:
            groups.append(Group(places, (name,) * left))
            for place in places:
                del sites[place]
    if position.phase == "reveal":
        del sites[f"tray:{len(position.tray)}"]  # still in the hand, or there already
    return View(sites, tuple(groups), either=either)


def signs(position: MagicLabyrinthPosition, action: Action) -> tuple[Sign, ...]:
    """What certainly shows right after a legal action."""
    match action:
        case Call() | Early():
            return (Sign((f"slot:{action.slot}",), EMPTY),)
        case Insert():
            return (Sign((f"slot:{action.slot}",), WALL),)
        case Reveal(colour):
            return (Sign((f"tray:{len(position.tray)}",), colour), *_arrival(position, action))
        case Step() | Draw():
            return _arrival(position, action)
    return ()


def _arrival(position: MagicLabyrinthPosition, action: Action) -> tuple[Sign, ...]:
    """The chip, or the player's figure, on the field where it comes to."""
    game, after = position.game, position.play(action)
    if isinstance(action, Draw):
        return (Sign((CHIP,), game.grid.cells[after.chip]),)
    field = after.figures[position.player]
    if field == position.figures[position.player]:
        return ()
    colour = game.seat_colours[game.seats(position.players)[position.player]]
    return (Sign((f"cell:{game.grid.cells[field]}",), colour),)


def events(position: MagicLabyrinthPosition, action: Action, after: MagicLabyrinthPosition) -> tuple[Event, ...]:
    """`right`, `wrong`, `early`, `jump`, `score`, `symbol`, `moved` (the chip), `walls`, `turn` and `over`."""
    told, player = list(_deeds(position, action, after)), position.player
    if after.taken != position.taken:
        facts = {"player": player, "points": after.scores[player], "target": after.target}
        told.append(Event("score", facts | {"symbol": position.game.symbols[position.symbol]}))
    if after.phase == "over":
        told.append(Event("over", {"clause": "MAG-END-1", "player": player}))
    elif after.phase == "insert" != position.phase:
        told.append(Event("walls", {"player": player, "count": sum(after.outside)}))
    elif after.phase == "turn" and (after.player != player or isinstance(action, Draw)):
        told.append(Event("turn", {"player": after.player}))
    return tuple(told)


def _deeds(position: MagicLabyrinthPosition, action: Action, after: MagicLabyrinthPosition) -> Iterator[Event]:
    """What the action itself was."""
    game, player = position.game, position.player
    if isinstance(action, Draw):
        cell, printed = game.grid.cells[after.chip], game.grid.cells[game.symbol_fields[after.symbol]]
        yield Event("symbol", {"symbol": action.symbol, "cell": cell})
        if cell != printed:
            yield Event("moved", {"clause": "MAG-SYMBOL-2", "cell": cell})
    if isinstance(action, Reveal):
        facts: dict[str, str | int] = {"player": player, "colour": action.colour}
        if position.named == NOWHERE:
            yield Event("early", facts)
        else:
            named = game.colours[position.named]
            yield Event("right" if named == action.colour else "wrong", facts | {"named": named})
    if isinstance(action, Done):
        yield Event("done", {"player": player})
    if after.phase == "jump" != position.phase and position.phase == "reveal":
        yield Event("jump", {"player": player, "cell": game.grid.cells[after.jumped]})
