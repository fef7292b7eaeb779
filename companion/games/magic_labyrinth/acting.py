"""What an action does to a position of the Magic Labyrinth that has just been copied for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.games.magic_labyrinth.actions import Action, Call, Done, Draw, Early, Insert, Reveal, Step
from companion.games.magic_labyrinth.grid import NOWHERE

if TYPE_CHECKING:
    from companion.games.magic_labyrinth.position import MagicLabyrinthPosition


def act(position: MagicLabyrinthPosition, action: Action) -> None:
    """Changes the position by a legal action."""
    ACTING[type(action)](position, action)


def _draw(position: MagicLabyrinthPosition, action: Draw) -> None:
    """MAG-SETUP-3, MAG-SYMBOL-1 and -2: the chip goes to the symbol's field or to the next one without a figure."""
    game = position.game
    symbol = game.symbol[action.symbol]
    position.undrawn ^= 1 << symbol
    field = game.symbol_fields[symbol]
    while position.occupied >> field & 1:
        field = game.arrows[field]
    position.symbol, position.chip = symbol, field
    if position.ended:
        _put_walls_back(position)
    else:
        position.phase = "turn"


def _pull(position: MagicLabyrinthPosition, action: Call | Early) -> None:
    game = position.game
    position.pulled = game.grid.slot[action.slot]
    position.named = game.colour[action.colour] if type(action) is Call else NOWHERE
    position.walls ^= 1 << position.pulled
    position.phase = "reveal"


def _reveal(position: MagicLabyrinthPosition, action: Reveal) -> None:
    """MAG-TURN-2 and -3, MAG-JUMP-1: right calls lead on, all else ends the turn."""
    colour, slot = position.game.colour[action.colour], position.pulled
    right = colour == position.named
    if position.known[colour] >> slot & 1:
        position.known = _added(position.known, colour, -(1 << slot))
    position.tray += (colour,)
    position.outside = _added(position.outside, colour, 1)
    position.pulled = position.named = NOWHERE
    if not right:
        _end_turn(position, "MAG-TURN-3")
    elif position.choices.must_go:
        _go_through(position, slot)
    else:
        position.phase = "turn"


def _go_through(position: MagicLabyrinthPosition, slot: int) -> None:
    """The figure goes through the slot of a wall called right, or is in the middle of a jump."""
    here, (low, high) = position.figures[position.player], position.game.grid.ends[slot]
    if here in (low, high):
        field = low + high - here
        if position.occupied >> field & 1:
            position.phase, position.jumped = "jump", field
        else:
            _go(position, field)
        return
    over, field = (low, high) if position.occupied >> low & 1 else (high, low)
    way = position.game.grid.way(here, over)
    if way is None or way.wall & position.walls or not way.there & position.occupied & ~(1 << field):
        position.phase = "turn"  # a wall elsewhere, whose being pulled stands by a ruling
    else:
        _go(position, field)


def _go(position: MagicLabyrinthPosition, field: int) -> None:
    """The player's figure arrives on a field; with the chip on it, it takes the symbol (MAG-SYMBOL-1)."""
    player = position.player
    position.occupied ^= 1 << position.figures[player] | 1 << field
    position.figures = (*position.figures[:player], field, *position.figures[player + 1 :])
    position.phase, position.jumped = "turn", NOWHERE
    if field == position.chip:
        position.taken = _added(position.taken, player, 1 << position.symbol)
        won = position.taken[player].bit_count() == position.target
        position.phase, position.ended = "over" if won else "symbol", "MAG-SYMBOL-1"


def _step(position: MagicLabyrinthPosition, action: Step) -> None:
    _go(position, position.game.grid.cell[action.end])


def _done(position: MagicLabyrinthPosition, action: Done) -> None:
    _end_turn(position, "MAG-TURN-5")


def _end_turn(position: MagicLabyrinthPosition, clause: str) -> None:
    position.ended, position.jumped = clause, NOWHERE
    _put_walls_back(position)


def _put_walls_back(position: MagicLabyrinthPosition) -> None:
    """MAG-WALL-1; without any wall outside it is the next player's turn."""
    if any(position.outside):
        position.phase = "insert"
        return
    position.tray, position.ended, position.phase = (), "", "turn"
    position.player = (position.player + 1) % position.players


def _insert(position: MagicLabyrinthPosition, action: Insert) -> None:
    colour, slot = position.game.colour[action.colour], 1 << position.game.grid.slot[action.slot]
    position.walls |= slot
    position.known = _added(position.known, colour, slot)
    position.outside = _added(position.outside, colour, -1)
    _put_walls_back(position)


ACTING: Mapping[type[Any], Callable[[MagicLabyrinthPosition, Any], None]] = {
    Draw: _draw,
    Call: _pull,
    Early: _pull,
    Reveal: _reveal,
    Step: _step,
    Insert: _insert,
    Done: _done,
}
"""What each kind of action does."""


def _added(numbers: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """The tuple with so much more at that index."""
    return (*numbers[:index], numbers[index] + more, *numbers[index + 1 :])
