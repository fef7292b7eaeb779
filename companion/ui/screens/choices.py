"""The choices in the panel: pieces in a grid, and under them buttons with words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pygame import Rect

from companion.ui import layout
from companion.ui.games import Piece

if TYPE_CHECKING:
    from companion.ui.screens.board import BoardScreen

SPACE = 6
"""Between two choices, in units."""

PIECE, CAPTIONED, BUTTON = (60, 60), (124, 52), (124, 50)
"""The least width and the height of a piece, of one with a caption, and of a button with words, in units."""


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
    screen: BoardScreen, room: Rect, pieces: Sequence[tuple[Piece, bool]], buttons: Sequence[Choice]
) -> int:
    """Makes the buttons from the lower end of the room up, each piece with whether it can be chosen; how high they
    are together with the space above them, in pixels.
    """
    bottom, gap = room.bottom, screen.px(SPACE)
    for rect, choice in zip(_cells(screen, room, bottom, len(buttons), BUTTON), buttons, strict=True):
        screen.button(rect, choice.label, choice.press, icon=choice.icon, style=choice.style)
        bottom = min(bottom, rect.top - gap)
    captioned = any(screen.face.caption(what, screen.app.words) for what, _ in pieces)
    cells = _cells(screen, room, bottom, len(pieces), CAPTIONED if captioned else PIECE)
    if captioned and cells and cells[0].top < room.top:  # there is only room for captions under their pieces
        cells = _cells(screen, room, bottom, len(pieces), PIECE)
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
    across = max(-(-count // down), min(most, 4) if size is PIECE else 1)
    if size is PIECE and count < across:  # few pieces may be larger
        across, height = max(3, count), max(height, min(screen.px(LARGE), (bottom - room.top) * 2 // 5))
    area = Rect(room.left, bottom - down * (height + gap) + gap, room.width, down * (height + gap) - gap)
    return layout.grid(area, across, down, gap)[:count]
