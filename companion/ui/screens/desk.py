"""The desk: things that lie large over the board while something is decided about them: given, taken, divided."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pygame import Rect

from companion.ui import layout
from companion.ui.canvas import Canvas
from companion.ui.games import Piece, Shelf
from companion.ui.layout import GAP, TARGET
from companion.ui.parts import draw_piece, draw_symbol

if TYPE_CHECKING:
    from companion.ui.screens.table import TableScreen

LARGEST = 104
"""Things are not shown larger than this, in units."""


class Desk:
    """The shelves over the board; where their things are to be divided, a touch moves one to the next shelf."""

    def __init__(self, screen: TableScreen, shelves: tuple[Shelf, ...]) -> None:
        self.screen, self.shelves = screen, shelves
        self.parts: list[list[Piece]] = [list(shelf.pieces) for shelf in shelves]
        self.dividing = bool(shelves) and all(step is None for shelf in shelves for step in shelf.steps)
        self.places: list[list[Rect]] = []
        self._titles: list[Rect] = []
        self._cells: list[tuple[Rect, Piece]] = []

    def build(self, room: Rect) -> None:
        """Buttons for the things that can be touched, and to be done with dividing them."""
        screen, gap = self.screen, self.screen.px(GAP)
        self._titles, self._cells, self.places = [], [], [[] for _ in self.shelves]
        if self.dividing:
            room, bar = layout.rows(room, [None, screen.px(56)], gap)
            label = screen.app.words("Divide it so")
            screen.button(bar, label, self._done, icon="check", style="primary", size="lead")
        for k, (row, shelf) in enumerate(
            zip(layout.rows(room, [None] * len(self.shelves), gap), self.shelves, strict=True)
        ):
            title, things = layout.rows(row, [screen.px(34), None], screen.px(4))
            self._titles.append(title)
            self._build_shelf(k, shelf, things)

    def _build_shelf(self, number: int, shelf: Shelf, room: Rect) -> None:
        pieces, gap = self.parts[number], self.screen.px(6)
        side, across = _side(len(pieces), room, gap, self.screen.px(LARGEST), self.screen.px(TARGET))
        for k, what in enumerate(pieces):
            cell = Rect(room.left + k % across * (side + gap), room.top + k // across * (side + gap), side, side)
            self.places[number].append(cell)
            step = None if self.dividing else shelf.steps[k]
            if self.dividing:
                button = self.screen.piece_button(cell, what)
                button.press = partial(self._move, number, k)
            elif step is not None and self.screen.entry is not None and step in self.screen.entry.options:
                self.screen.piece_button(cell, what, step=step)
            else:
                self._cells.append((cell, what))

    def _move(self, number: int, k: int) -> None:
        what = self.parts[number].pop(k)
        self.parts[(number + 1) % len(self.parts)].append(what)
        self.screen.app.rebuild()

    def _done(self) -> None:
        action = self.screen.face.divided(self.screen.position(), self.parts)
        if action is not None:
            self.screen.entered(action)

    def draw(self, canvas: Canvas) -> None:
        """Whose things they are, and those that cannot be touched."""
        state = self.screen.state
        for rect, shelf in zip(self._titles, self.shelves, strict=False):
            draw_symbol(canvas, state.players[shelf.player], (rect.left + canvas.px(16), rect.centery), 26)
            room = Rect(rect.left + canvas.px(38), rect.top, rect.width - canvas.px(40), rect.height)
            canvas.line(shelf.title, room, "lead", bold=True, name=True)
        for cell, what in self._cells:
            draw_piece(canvas, state.position.game, what, cell.inflate(-canvas.px(10), -canvas.px(10)))


def _side(count: int, room: Rect, gap: int, most: int, least: int) -> tuple[int, int]:
    """How large so many things can be in a room, and how many of them stand side by side."""
    for side in range(most, least, -2):
        across = max(1, (room.width + gap) // (side + gap))
        if -(-count // across) * (side + gap) - gap <= room.height:
            return side, across
    return least, max(1, (room.width + gap) // (least + gap))
