"""The start: choose a game, go on with the last one, look back, change settings, leave."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pygame import Rect

from companion.games.registry import load_game
from companion.table.errors import StoreError
from companion.ui import layout, text
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import face, playable
from companion.ui.layout import GAP
from companion.ui.parts import board_drawing
from companion.ui.screen import Screen
from companion.ui.trouble import trouble_text

if TYPE_CHECKING:
    from companion.table.store import Summary


class StartScreen(Screen):
    """The first screen."""

    name = "start"

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.message = ""
        self.unfinished: Summary | None = None
        self.recognised: str | None = None  # the game whose corner cards the camera sees

    def enter(self) -> None:
        """Finds the game to go on with, and looks which one lies on the table."""
        self.message, self.unfinished = "", None
        self.app.library.recognise(True)
        try:
            recent = self.app.library.recent()
        except StoreError as error:
            self.message = trouble_text(error, self.app.words)
            return
        self.unfinished = next((game for game in recent if game.ending is None and game.game in playable()), None)

    def leave(self) -> None:
        """The camera may be needed elsewhere."""
        self.app.library.recognise(False)

    def update(self) -> None:
        """Marks the game that lies on the table."""
        seen = self.app.library.recognised
        if seen != self.recognised:
            self.recognised = seen
            self.app.rebuild()

    def build(self) -> None:
        """Games on one side, everything else on the other."""
        page, gap = self.page(), self.px(GAP)
        self.title = Rect(page.left, page.top, page.width, self.px(84 if self.metrics.portrait else 60))
        below = Rect(page.left, self.title.bottom + gap, page.width, page.bottom - self.title.bottom - gap)
        if self.metrics.portrait:
            games, side = layout.rows(below, [None, self.px(366)], 2 * gap)
        else:
            games, side = self.metrics.beside(below, self.px(250), 2 * gap)
        self._build_games(games)
        self._build_side(side)

    def _build_side(self, side: Rect) -> None:
        words, gap, px = self.app.words, self.px(GAP), self.px
        first, *lines, last = layout.rows(side, [px(96), *[None] * 4], gap)
        if self.unfinished is not None:
            self.button(first, words("Go on playing"), self._resume, style="primary", face=self._paint_resume)
        entries: list[tuple[str, str, Callable[[], None]]] = [
            (words("History"), "history", self._history),
            (words("Best scores"), "cup", self._results),
            (words("Referee"), "gavel", self._referee),
        ]
        for rect, (label, icon, press) in zip(lines, entries, strict=True):
            self.button(rect, label, press, icon=icon, size="lead")
        left, right = layout.columns(last, [None, None], gap)
        self.button(left, words("Settings"), self._settings, icon="settings", wide=False)
        self.button(right, words("Quit"), self.app.quit, icon="quit", wide=False)

    def _build_games(self, room: Rect) -> None:
        games = playable()
        across = 1 if len(games) == 1 else 2 if self.metrics.portrait or len(games) <= 4 else 3
        down = -(-len(games) // across)
        for name, cell in zip(games, layout.grid(room, across, down, self.px(GAP)), strict=False):
            style = "chosen" if name == self.recognised else "plain"
            label = self.app.words(face(name).title)
            self.button(cell, label, partial(self._choose, name), style=style, face=partial(self._paint_game, name))

    def _paint_game(self, name: str, canvas: Canvas, inner: Rect) -> None:
        words, look, px = self.app.words, face(name), canvas.px
        roomy, room = inner.height >= px(240), inner.inflate(-px(4), -px(6))
        if room.width > 1.6 * room.height:
            picture, title = layout.columns(room, [room.height, None], px(8))
            summary = Rect(title.bottomleft, (0, 0))
        else:
            picture, title, summary = layout.rows(room, [None, px(34 if roomy else 44), px(48 if roomy else 0)], px(2))
        drawing = board_drawing(load_game(name), picture.size, canvas.palette.line)
        position = look.sample()
        canvas.picture(drawing.picture(position.view(), (), look.overlay(position, ())), picture.topleft)
        size = "title" if roomy else "lead"
        canvas.paragraph(words(look.title), title, size, bold=True, align="centre", middle=True)
        if name == self.recognised:
            self._paint_recognised(canvas, inner, beside=picture.width < title.left - inner.left)
        if roomy:
            canvas.paragraph(words(look.summary), summary, "small", colour=canvas.palette.muted, align="centre")

    def _paint_recognised(self, canvas: Canvas, inner: Rect, *, beside: bool) -> None:
        px, palette, label = canvas.px, canvas.palette, self.app.words("On the table")
        width = text.width(label, px(text.SIZES["small"]), bold=True) + px(46)
        tag = Rect(0, 0, min(width, inner.width), px(30))
        tag.topright = inner.right, inner.top + px(4)
        if not beside:
            tag.centerx = inner.centerx
        canvas.panel(tag, palette.accent, corner=8)
        canvas.shape("look", (tag.left + px(18), tag.centery), 20, palette.on_accent)
        room = Rect(tag.left + px(34), tag.top, tag.width - px(40), tag.height)
        canvas.line(label, room, "small", bold=True, colour=palette.on_accent)

    def _paint_resume(self, canvas: Canvas, inner: Rect) -> None:
        assert self.unfinished is not None
        words, px, ink = self.app.words, canvas.px, canvas.palette.on_accent
        canvas.shape("play", (inner.left + px(18), inner.centery), 30, ink)
        room = Rect(inner.left + px(46), inner.top, inner.width - px(46), inner.height)
        top, middle, bottom = layout.rows(room.inflate(0, -px(6)), [None, px(24), px(24)], 0)
        canvas.line(words("Go on playing"), top, "lead", bold=True, colour=ink)
        canvas.line(words(face(self.unfinished.game).title), middle, "small", colour=ink)
        names = ", ".join(player.name for player in self.unfinished.players)
        canvas.line(names, bottom, "small", colour=ink, name=True)

    def draw(self, canvas: Canvas) -> None:
        """The title."""
        words, px = self.app.words, canvas.px
        top, bottom = layout.rows(self.title, [px(38), None], 0)
        canvas.line("Companion", top, "title", bold=True)
        line = self.message or words("The board stays wooden. The companion looks, counts, and knows the rules.")
        colour = canvas.palette.wrong if self.message else canvas.palette.muted
        canvas.paragraph(line, bottom, "small", colour=colour)

    def back(self) -> None:
        """There is nothing before the start."""

    def _choose(self, game: str) -> None:
        from companion.ui.screens.players import PlayersScreen

        self.app.show(PlayersScreen(self.app, game))

    def _resume(self) -> None:
        from companion.ui.screens.table import TableScreen

        assert self.unfinished is not None
        try:
            self.app.model = self.app.library.open_game(self.unfinished.name)
        except (ValueError, StoreError) as error:
            self.message = trouble_text(error, self.app.words)
            self.app.redraw()
            return
        self.app.show(TableScreen(self.app, self.app.model))

    def _history(self) -> None:
        from companion.ui.screens.history import HistoryScreen

        self.app.show(HistoryScreen(self.app))

    def _referee(self) -> None:
        from companion.ui.screens.clauses import ClausesScreen

        self.app.show(ClausesScreen(self.app, self, self.recognised))

    def _results(self) -> None:
        from companion.ui.screens.results import ResultsScreen

        self.app.show(ResultsScreen(self.app))

    def _settings(self) -> None:
        from companion.ui.screens.settings import SettingsScreen

        self.app.show(SettingsScreen(self.app, self))
