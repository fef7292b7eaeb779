"""What the screens with a board have in common: board and panel side by side, taps on sites, entering an action."""

from __future__ import annotations

from typing import Any

from pygame import Rect

from companion.games.core import CHANCE, Action, Position, View
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.drawing import BoardDrawing, Sign
from companion.ui.entry import Entry
from companion.ui.events import Input, Pointer, Touch
from companion.ui.games import Face, Piece, Site, Step, face
from companion.ui.layout import GAP, TARGET
from companion.ui.lights import STRIP
from companion.ui.model import TableModel
from companion.ui.parts import board_drawing, draw_piece
from companion.ui.screen import Screen

LAST = (255, 255, 255)
LEGAL = (96, 226, 226)
WRONG = (255, 92, 78)
ASKED = (255, 186, 60)
DARK_BADGE = (24, 18, 10)

MANY = 8
"""More pieces than this are shown over the board to choose from, fewer in the panel."""


class BoardScreen(Screen):
    """A board on one side, a panel on the other (under it in portrait)."""

    def __init__(self, app: App, model: TableModel) -> None:
        super().__init__(app)
        self.model = model
        self.entry: Entry | None = None
        self.board_rect = Rect(0, 0, 0, 0)
        self.panel_rect = Rect(0, 0, 0, 0)

    # -- what each screen says -----------------------------------------------------------------------------------------

    def position(self) -> Position[Any]:
        """The position to show."""
        return self.model.state().position

    def view(self) -> View:
        """What the board shows."""
        return self.position().view()

    def signs(self) -> list[Sign]:
        """The marks on the board."""
        sites = self.entry.sites if self.entry else ()
        return [Sign(site, LEGAL, LEGAL) for site in sites]

    def tapped(self, site: str) -> None:
        """A finger has tapped a site that is not an option of the entry."""

    def entered(self, action: Action) -> None:
        """An action has been entered completely."""

    def panel_units(self) -> int:
        """How wide the panel is in landscape, in units."""
        return 272

    # -- layout --------------------------------------------------------------------------------------------------------

    @property
    def face(self) -> Face:
        """What the game brings for the screens."""
        return face(self.position().game.name)

    def lay_out(self) -> None:
        """Cuts the screen into board and panel."""
        page, gap = self.page(), self.px(GAP)
        if self.metrics.portrait:
            self.board_rect, self.panel_rect = layout.rows(page, [None, self.px(self.panel_height_units())], 2 * gap)
        else:
            width = max(self.px(self.panel_units()), page.width - round(page.height * 1.16) - gap)
            self.board_rect, self.panel_rect = layout.columns(page, [None, width], gap)
        if self.app.screen_lights:
            cut = layout.rows if self.metrics.portrait else layout.columns
            self.lights_rect, self.board_rect = cut(self.board_rect, [self.px(STRIP), None], gap)

    def panel_height_units(self) -> int:
        """How high the panel is in portrait, in units."""
        return 420

    @property
    def drawing(self) -> BoardDrawing:
        """The drawing of the board."""
        return board_drawing(self.position().game, self.board_rect.size, self.app.palette.line)

    @property
    def picking(self) -> bool:
        """Whether pieces are chosen over the board: when chance has acted, and when there are many."""
        if self.entry is None or not self.entry.pieces:
            return False
        return self.position().turn == CHANCE or len(self.entry.pieces) > MANY

    def build_picker(self) -> None:
        """Buttons for the pieces to choose from, over the board."""
        if not self.picking or self.entry is None:
            return
        pieces, gap = self.entry.pieces, self.px(6)
        room = Rect(self.board_rect)
        least = self.px(TARGET)
        most = max(1, (room.width + gap) // (least + gap))
        across = next((n for n in range(4, most) if self._rows_fit(len(pieces), n, gap, room)), most)
        down = -(-len(pieces) // across)
        side = min((room.width - gap * (across - 1)) // across, (room.height - gap * (down - 1)) // down)
        left = room.left + (room.width - across * (side + gap) + gap) // 2
        top = room.top + (room.height - down * (side + gap) + gap) // 2
        for k, what in enumerate(pieces):
            cell = Rect(left + k % across * (side + gap), top + k // across * (side + gap), side, side)
            self.piece_button(cell, what)

    def _rows_fit(self, count: int, across: int, gap: int, room: Rect) -> bool:
        side = (room.width - gap * (across - 1)) // across
        return -(-count // across) * (side + gap) - gap <= room.height

    def piece_button(self, rect: Rect, what: Piece, enabled: bool = True) -> None:
        """A button that shows a piece and chooses it."""
        game = self.position().game
        chosen = self.entry is not None and what in self.entry.chosen

        def show(canvas: Canvas, inner: Rect) -> None:
            draw_piece(canvas, game, what, rect.inflate(-self.px(8), -self.px(8)), dim=not enabled and not chosen)

        style = "chosen" if chosen else "plain" if enabled else "quiet"
        self.button(rect, what.label, lambda: self.choose(what), style=style, enabled=enabled, face=show)

    # -- taps ----------------------------------------------------------------------------------------------------------

    def choose(self, step: Step) -> None:
        """Takes a step of the entry."""
        if self.entry is None:
            return
        if step not in self.entry.options:
            self.restart()
        if self.entry is None or step not in self.entry.options:
            return
        action = self.entry.choose(step)
        self.app.rebuild()
        if action is not None:
            self.entered(action)

    def restart(self) -> None:
        """Begins the entry anew."""

    def handle(self, event: Input) -> None:
        """Finds the site that a finger has tapped: a lit one within reach, otherwise the nearest."""
        if not (isinstance(event, Pointer) and event.touch is Touch.DOWN and self.board_rect.collidepoint(event.pos)):
            super().handle(event)
            return
        if self.picking:
            return
        pos = (event.pos[0] - self.board_rect.left, event.pos[1] - self.board_rect.top)
        self._tap(pos)

    def _tap(self, pos: tuple[int, int]) -> None:
        drawing = self.drawing
        everything = [spec for spec in self.position().game.sites if drawing.has(spec.name)]
        for spec in everything:
            spot = drawing.place(spec.name)
            if (pos[0] - spot[0]) ** 2 + (pos[1] - spot[1]) ** 2 <= (spec.size * drawing.scale * 0.3) ** 2:
                self._site(spec.name)
                return
        lit = self.entry.sites if self.entry else ()
        near = drawing.nearest(pos, lit or (spec.name for spec in everything), self.px(TARGET * 0.7))
        if near is not None:
            self._site(near)

    def _site(self, site: str) -> None:
        if self.entry is not None and site in self.entry.sites:
            self.choose(Site(site))
        else:
            self.tapped(site)

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """The board, unless pieces are to be chosen there."""
        if self.picking:
            return
        picture = self.drawing.picture(self.view(), self.signs())
        canvas.picture(picture, self.board_rect.topleft)

    def targets(self) -> list[Rect]:
        """The lit sites, with the reach that a tap on them has."""
        reach = self.px(TARGET)
        spots = [self.drawing.place(site) for site in (self.entry.sites if self.entry else ())]
        return [
            Rect(0, 0, reach, reach).move(
                round(x) + self.board_rect.left - reach // 2, round(y) + self.board_rect.top - reach // 2
            )
            for x, y in spots
        ]
