"""The choices in the panel: pieces in a grid, and under them buttons with words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pygame import Rect

from companion.games.core import CHANCE
from companion.ui import layout
from companion.ui.entry import Entry
from companion.ui.games import Piece, acting

if TYPE_CHECKING:
    from companion.ui.screens.board import BoardScreen
    from companion.ui.screens.table import TableScreen

SPACE = 6
"""Between two choices, in units."""

PIECE, CAPTIONED, TIGHT, BUTTON = (60, 60), (124, 52), (60, 56), (124, 48)
"""The least width and the height of a piece, of one with a caption beside or under it, and of a button with words, in
units."""


LARGE = 96
"""The greatest height of pieces where there are few, in units."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A button with words."""

    label: str
    press: Callable[[], None]
    icon: str | None = None
    style: str = "plain"


def lay_choices(
    screen: BoardScreen,
    room: Rect,
    pieces: Sequence[tuple[Piece, bool]],
    buttons: Sequence[Choice],
    spare: int = 0,
) -> int:
    """Makes the buttons from the lower end of the room up, each piece with whether it can be chosen; how high they
    are together with the space above them, in pixels. The upper `spare` pixels are left free where that is possible.
    """
    bottom, gap = room.bottom, screen.px(SPACE)
    for rect, choice in zip(_cells(screen, room, bottom, len(buttons), BUTTON), buttons, strict=True):
        screen.button(rect, choice.label, choice.press, icon=choice.icon, style=choice.style)
        bottom = min(bottom, rect.top - gap)
    captioned = any(screen.face.caption(what, screen.app.words) for what, _ in pieces)
    cells = _cells(screen, room, bottom, len(pieces), CAPTIONED if captioned else PIECE)
    if captioned and cells and cells[0].top < room.top + spare:  # there is only room for captions under their pieces
        cells = _cells(screen, room, bottom, len(pieces), TIGHT)
    for rect, (what, enabled) in zip(cells, pieces, strict=True):
        screen.piece_button(rect, what, enabled)
        bottom = min(bottom, rect.top - gap)
    return room.bottom - bottom


def _cells(screen: BoardScreen, room: Rect, bottom: int, count: int, size: tuple[int, int]) -> list[Rect]:
    """A grid of so many cells whose last row ends at `bottom`; rows that are not full are as wide as the others."""
    if not count:
        return []
    width, height = (screen.px(units) for units in size)
    gap = screen.px(SPACE)
    most = max(1, (room.width + gap) // (width + gap))
    down = -(-count // most)
    across = max(-(-count // down), min(most, 4) if size in (PIECE, TIGHT) else 1)
    if size is PIECE and count < across:  # few pieces may be larger
        across, height = max(3, count), max(height, min(screen.px(LARGE), (bottom - room.top) * 2 // 5))
    area = Rect(room.left, bottom - down * (height + gap) + gap, room.width, down * (height + gap) - gap)
    return layout.grid(area, across, down, gap)[:count]


def choices(table: TableScreen) -> tuple[list[tuple[Piece, bool]], list[Choice]]:
    """What can be chosen at the table now: pieces, each with whether it fits anywhere, and buttons with words."""
    words, position = table.app.words, table.state.position
    if position.over:
        return [], [Choice(words("Result"), table.result, "cup", "primary")]
    if table.entry is None:
        return [], []
    if table.waiting:
        return [], _chance(table)
    if table.hidden:
        label = words("{name} looks alone").format(name=table.state.players[acting(position) or 0].name)
        return [], [*_words(table, table.entry), Choice(label, table.open_hand, "hidden", "primary")]
    buttons = _words(table, table.entry)
    if position.turn == CHANCE and table.drawing_open and (table.state.scene is not None or position.dice):
        label = words("The companion rolls") if position.dice else words("The camera will see it")
        buttons.append(Choice(label, table.toggle_draw, "dice" if position.dice else "look"))
    return [] if table.picking else _pieces(table, table.entry), buttons


def _chance(table: TableScreen) -> list[Choice]:
    """While chance acts: the companion's dice, or what would otherwise be seen, entered by hand."""
    words = table.app.words
    if table.state.position.dice:
        own = Choice(words("Our own dice"), table.toggle_draw, "hand")
        return [own, Choice(words("Roll"), table.roll, "dice", "primary")]
    return [Choice(words("Enter by hand"), table.toggle_draw, "hand")]


def _pieces(table: TableScreen, entry: Entry) -> list[tuple[Piece, bool]]:
    """The pieces of the next step; before the first one the whole open hand, with what fits nowhere."""
    position = table.state.position
    hand = () if position.turn == CHANCE else table.face.pieces(position, acting(position) or 0)
    if not hand or (entry.chosen and entry.pieces):
        return [(what, True) for what in entry.pieces]
    fresh = Entry(table.face, position, table.face.offered(position)).pieces
    return [(what, what in {*entry.options, *entry.chosen, *fresh}) for what in hand]


def _words(table: TableScreen, entry: Entry) -> list[Choice]:
    """The words of the next step, and the way back to the first."""
    words = table.app.words
    buttons = [
        Choice(table.face.word(word.key, words), partial(table.choose, word), table.face.icon(word.key))
        for word in (() if table.desk.dividing else entry.words)
    ]
    return [*buttons, Choice(words("Another one"), table.restart, "back")] if entry.begun else buttons
