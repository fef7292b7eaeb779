"""What the screens with a board have in common: board and panel side by side, taps on sites, entering an action."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from typing import Any

from pygame import Rect

from companion.games.core import Action, Position, View
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.drawing import BoardDrawing, Sign, Zoom, site_labels
from companion.ui.entry import Entry
from companion.ui.events import Input, Pointer, Touch
from companion.ui.games import Face, Overlay, Piece, Site, Step, face
from companion.ui.layout import GAP, TARGET
from companion.ui.lights import STRIP
from companion.ui.model import TableModel
from companion.ui.parts import board_drawing, draw_piece
from companion.ui.screen import Screen
from companion.ui.widgets import Button

LAST = (255, 255, 255)
LEGAL = (96, 226, 226)
CHOSEN = (255, 214, 10)
WRONG = (255, 92, 78)
ASKED = (255, 186, 60)
DARK_BADGE = (24, 18, 10)

MANY = 8
"""More pieces than this are shown over the board to choose from, fewer in the panel."""

CROWDED = 0.7
"""Places nearer to each other than so many targets are shown larger before one is chosen."""

UNSURE = 0.25
"""So are places closer than a target, when a finger is as good as between them: no clearer than so many targets."""

MOST_ZOOM = 6.0


class BoardScreen(Screen):
    """A board on one side, a panel on the other (under it in portrait)."""

    def __init__(self, app: App, model: TableModel) -> None:
        super().__init__(app)
        self.model = model
        self.entry: Entry | None = None
        self.zoom: Zoom | None = None
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
        chosen = self.entry.chosen if self.entry else ()
        sites = [Sign(step.name, CHOSEN) for step in chosen if isinstance(step, Site)]
        return [*sites, *(Sign(place, LEGAL, LEGAL) for place in self.lit())]

    def overlay(self) -> Overlay:
        """What the game draws over the board."""
        return self.face.overlay(self.position(), self.entry.chosen if self.entry else ())

    def trail(self) -> tuple[str, ...]:
        """The sites over which something has just gone."""
        return ()

    def tapped(self, site: str) -> bool:
        """A finger has tapped a site that is not an option of the entry; whether that means something."""
        return False

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
            self.board_rect, self.panel_rect = self.metrics.beside(page, width, gap)
        if self.app.screen_lights:
            cut = layout.rows if self.metrics.portrait else layout.columns
            self.lights_rect, self.board_rect = cut(self.board_rect, [self.px(STRIP), None], gap)

    def panel_height_units(self) -> int:
        """How high the panel is in portrait, in units."""
        return 380 + 20 * len(self.model.state().players)

    @property
    def drawing(self) -> BoardDrawing:
        """The drawing of the board."""
        rim, game = self.app.palette.line, self.position().game
        return board_drawing(game, self.board_rect.size, rim, self.face.spots(game), self.zoom)

    @property
    def picking(self) -> bool:
        """Whether pieces are chosen over the board, because there are many."""
        return self.entry is not None and len(self.entry.pieces) > MANY

    def build_picker(self) -> None:
        """Buttons for the pieces to choose from, over the board."""
        if not self.picking or self.entry is None:
            return
        pieces, gap = self.entry.pieces, self.px(6)
        room = Rect(self.board_rect)
        side, across = max(self._side(len(pieces), n, gap, room) for n in range(1, len(pieces) + 1))
        down = -(-len(pieces) // across)
        left = room.left + (room.width - across * (side + gap) + gap) // 2
        top = room.top + (room.height - down * (side + gap) + gap) // 2
        for k, what in enumerate(pieces):
            cell = Rect(left + k % across * (side + gap), top + k // across * (side + gap), side, side)
            self.piece_button(cell, what)

    @staticmethod
    def _side(count: int, across: int, gap: int, room: Rect) -> tuple[int, int]:
        """How large things can be, so many side by side, and how many those are."""
        down = -(-count // across)
        return min((room.width - gap * (across - 1)) // across, (room.height - gap * (down - 1)) // down), across

    def piece_button(self, rect: Rect, what: Piece, enabled: bool = True, step: Step | None = None) -> Button:
        """A button that shows a piece and chooses it, or the step given."""
        game, words = self.position().game, self.app.words
        chosen = self.entry is not None and what in self.entry.chosen
        caption = self.face.caption(what, words)

        def show(canvas: Canvas, inner: Rect) -> None:
            room = rect.inflate(-self.px(8), -self.px(8))
            dim = not enabled and not chosen
            if not caption:
                draw_piece(canvas, game, what, room, dim=dim)
            elif rect.width > 1.9 * rect.height:
                picture, beside = layout.columns(room, [room.height, None], self.px(4))
                draw_piece(canvas, game, what, picture, dim=dim)
                canvas.paragraph(caption, beside, "body", middle=True)
            else:
                picture, under = layout.rows(room, [None, self.px(24)], 0)
                draw_piece(canvas, game, what, picture, dim=dim)
                canvas.line(caption, under, "small", align="centre")

        style = "chosen" if chosen else "plain" if enabled else "quiet"
        wanted = what if step is None else step
        return self.button(rect, what.label, lambda: self.choose(wanted), style=style, enabled=enabled, face=show)

    def build_zoom(self) -> None:
        """The way back to the whole board."""
        if self.zoom is not None:
            rect = Rect(self.board_rect.left, self.board_rect.top, self.px(176), self.px(TARGET))
            self.button(rect, self.app.words("Whole board"), self.whole_board, icon="back")

    # -- taps ----------------------------------------------------------------------------------------------------------

    def choose(self, step: Step) -> None:
        """Takes a step of the entry."""
        if self.entry is None:
            return
        if step not in self.entry.options:
            self.restart()
        if self.entry is None or step not in self.entry.options:
            return
        self.zoom = None
        action = self.entry.choose(step)
        self.app.rebuild()
        if action is not None:
            self.entered(action)

    def restart(self) -> None:
        """Begins the entry anew."""

    def whole_board(self) -> None:
        """Shows the whole board again."""
        self.zoom = None
        self.app.rebuild()

    def lit(self) -> dict[str, str]:
        """The places to tap, each with the site that it means."""
        sites = self.entry.sites if self.entry else ()
        return {place: site for site in sites for place in self.face.also(self.position(), site)}

    def labels(self) -> dict[str, str]:
        """What lies on the sites that are drawn."""
        return site_labels(self.view()) | dict(self.overlay().labels)

    def spot(self, site: str) -> tuple[int, int]:
        """The pixel of the screen in the middle of a site."""
        x, y = self.drawing.place(site, self.labels())
        return self.board_rect.left + round(x), self.board_rect.top + round(y)

    def handle(self, event: Input) -> None:
        """Finds the site that a finger has tapped: a lit one within reach, otherwise the nearest."""
        if not (isinstance(event, Pointer) and event.touch is Touch.DOWN and self.board_rect.collidepoint(event.pos)):
            super().handle(event)
        elif not self.picking:
            self.touched((event.pos[0] - self.board_rect.left, event.pos[1] - self.board_rect.top))

    def touched(self, pos: tuple[int, int]) -> None:
        """Takes a touch, at a pixel from the board's upper left corner: shows a crowd larger, or finds the site."""
        lit, labels, reach = self.lit(), self.labels(), self.px(TARGET * 0.7)
        near = self.drawing.nearest(pos, lit, reach, labels)
        game = self.position().game
        names = [spec.name for spec in (*game.sites, *self.face.spots(game))]
        around = self.drawing.nearest(pos, names, reach, labels)
        hit = [name for distance, name in around if distance <= self.drawing.inside(name)]
        if not lit.keys() & set(hit) and any(self._site(name) for name in hit):
            return  # surely something that is not lit, of which the rules say why
        if self._enlarges(pos, near, lit, labels):
            return
        if near:
            self._site(lit[near[0][1]])
        elif not hit:
            any(self._site(name) for _, name in around)

    def _enlarges(
        self, pos: tuple[int, int], near: Sequence[tuple[float, str]], lit: dict[str, str], labels: dict[str, str]
    ) -> bool:
        """Shows the places around a tap larger where they are too close to each other for a finger."""
        others = [(away, place) for away, place in near if lit[place] != lit[near[0][1]]]
        if not others:
            return False
        places = [self.drawing.place(place, labels) for _, place in [near[0], *others]]
        target = self.px(TARGET)
        gap = min(dist(places[0], place) for place in places[1:])
        unsure = gap < target and others[0][0] - near[0][0] < UNSURE * target
        times = 1.15 * target / max(1.0, gap)
        if not (gap < CROWDED * target or unsure) or self._times * times > MOST_ZOOM:
            return False
        x, y = self.drawing.point(pos)
        self.zoom = Zoom(self._times * max(times, 1.5), (round(x, -1), round(y, -1)))
        self.app.rebuild()
        return True

    @property
    def _times(self) -> float:
        return self.zoom.times if self.zoom else 1.0

    def _site(self, site: str) -> bool:
        """A site has been tapped; whether that means something."""
        if self.entry is not None and site in self.entry.sites:
            self.choose(Site(site))
            return True
        if self.entry is not None and self.entry.begun and self._switches(site):
            return True
        return self.tapped(site)

    def _switches(self, site: str) -> bool:
        """Begins anew with the site, where the entry could have begun so."""
        before = self.entry
        self.restart()
        if self.entry is not None and site in self.lit():
            self.choose(Site(self.lit()[site]))
            return True
        self.entry = before
        return False

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """The board, unless pieces are to be chosen there."""
        if self.picking:
            return
        symbols = [player.symbol for player in self.model.state().players]
        picture = self.drawing.picture(self.view(), self.signs(), self.overlay(), symbols, self.trail())
        canvas.picture(picture, self.board_rect.topleft)

    def targets(self) -> list[Rect]:
        """The lit places that one tap chooses, with the reach that it has."""
        lit, reach = self.lit(), self.px(TARGET)
        spots = {place: self.spot(place) for place in lit if not self.picking}
        alone = [
            spot
            for place, spot in spots.items()
            if self.board_rect.collidepoint(spot)
            and all(dist(spot, other) >= CROWDED * reach for near, other in spots.items() if lit[near] != lit[place])
        ]
        return [Rect(0, 0, reach, reach).move(x - reach // 2, y - reach // 2) for x, y in alone]
