"""A hidden hand: the screen is handed to somebody, who looks alone and covers it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pygame import Rect

from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import Piece, acting
from companion.ui.layout import GAP, TARGET
from companion.ui.parts import draw_piece, draw_symbol
from companion.ui.screen import Screen
from companion.ui.widgets import Paint

if TYPE_CHECKING:
    from companion.ui.screens.table import TableScreen

LARGEST = 132
"""Pieces are not shown larger than this, in units."""


class PrivateScreen(Screen):
    """What only one player may see. It opens covered, and is covered again by leaving it."""

    name = "private"

    def __init__(self, app: App, table: TableScreen) -> None:
        super().__init__(app)
        self.table = table
        self.open = False
        self.version = table.model.version
        self.player = table.state.players[acting(table.state.position) or 0]

    def back(self) -> None:
        """Back to the table; nothing has happened."""
        self.table.restart()
        self.app.show(self.table)

    def update(self) -> None:
        """Covers everything at once when the game goes on under it."""
        if self.table.model.version != self.version:
            self.back()

    def build(self) -> None:
        """The cover with one button, or the pieces."""
        words = self.app.words
        self.title, below = self.header()
        self.text, self.room, bottom = layout.rows(
            below, [self.px(120 if not self.open else 34), None, self.px(64)], self.px(GAP)
        )
        if not self.open:
            label = words("I am {name}: show").format(name=self.player.name)
            self.button(bottom, label, self._show, icon="look", style="primary", size="lead")
            return
        self.button(bottom, words("Cover again"), self.back, icon="hidden", size="lead")
        self._build_pieces()

    def _build_pieces(self) -> None:
        pieces, gap = self.table.entry.pieces if self.table.entry else (), self.px(GAP)
        side, across = self._side(len(pieces), gap)
        game = self.table.position().game
        for k, what in enumerate(pieces):
            left = self.room.left + k % across * (side + gap)
            cell = Rect(left, self.room.top + k // across * (side + gap), side, side)

            def show(canvas: Canvas, inner: Rect, what: Piece = what, cell: Rect = cell) -> None:
                draw_piece(canvas, game, what, cell.inflate(-canvas.px(12), -canvas.px(12)))

            self._piece(cell, what, show)

    def _piece(self, cell: Rect, what: Piece, show: Paint) -> None:
        self.button(cell, what.label, lambda: self._choose(what), face=show)

    def _side(self, count: int, gap: int) -> tuple[int, int]:
        """How large the pieces can be, and how many stand side by side."""
        for side in range(self.px(LARGEST), self.px(TARGET), -2):
            across = (self.room.width + gap) // (side + gap)
            if across and -(-count // across) * (side + gap) - gap <= self.room.height:
                return side, across
        return self.px(TARGET), max(1, (self.room.width + gap) // (self.px(TARGET) + gap))

    def _show(self) -> None:
        self.open = True
        self.app.rebuild()

    def _choose(self, what: Piece) -> None:
        """The piece is played, or noted, on the table, where all see what follows."""
        self.table.choose(what)
        if self.app.screen is self and self.table.hidden and self.table.model.version == self.version:
            self.app.rebuild()  # there is more to choose
        elif self.app.screen is self:
            self.app.show(self.table)

    def draw(self, canvas: Canvas) -> None:
        """Whom the screen is for."""
        words = self.app.words
        spot = Rect(self.title.left, self.title.top, self.px(44), self.title.height)
        draw_symbol(canvas, self.player, spot.center, 34)
        room = Rect(
            spot.right + self.px(8), self.title.top, self.title.right - spot.right - self.px(8), self.title.height
        )
        canvas.line(self.player.name, room, "title", bold=True, name=True)
        if self.open:
            position, face = self.table.state.position, self.table.face
            canvas.line(
                face.prompt(position, self.table.entry.chosen if self.table.entry else (), words),
                self.text,
                "body",
                bold=True,
            )
            return
        hand = words("Hand the screen to {name}. Nobody else looks.").format(name=self.player.name)
        canvas.paragraph(hand, self.text, "title", align="centre", middle=True)
        canvas.shape("hidden", self.room.center, 120, canvas.palette.muted)
