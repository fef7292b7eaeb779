"""The start: choose a game, go on with the last one, look at results, change settings, leave."""

from __future__ import annotations

from collections.abc import Callable

from pygame import Rect

from companion.games.registry import load_game
from companion.table.errors import StoreError
from companion.ui import layout
from companion.ui.canvas import Canvas
from companion.ui.games import face, playable
from companion.ui.layout import GAP
from companion.ui.parts import board_drawing
from companion.ui.screen import Screen
from companion.ui.trouble import trouble_text


class StartScreen(Screen):
    """The first screen."""

    name = "start"

    def enter(self) -> None:
        """Finds the game to go on with."""
        self.message = ""
        self.unfinished = None
        try:
            recent = self.app.library.recent()
        except StoreError as error:
            self.message = trouble_text(error, self.app.words)
            return
        self.unfinished = next((game for game in recent if game.ending is None and game.game in playable()), None)

    def build(self) -> None:
        """Games on one side, everything else on the other."""
        page, gap, words = self.page(), self.px(GAP), self.app.words
        self.title = Rect(page.left, page.top, page.width, self.px(84 if self.metrics.portrait else 60))
        below = Rect(page.left, self.title.bottom + gap, page.width, page.bottom - self.title.bottom - gap)
        if self.metrics.portrait:
            games, side = layout.rows(below, [None, self.px(300)], 2 * gap)
        else:
            games, side = layout.columns(below, [None, self.px(272)], 2 * gap)
        self._build_games(games)
        entries: list[tuple[str, str, Callable[[], None]]] = [
            (words("Results"), "cup", self._results),
            (words("Settings"), "settings", self._settings),
            (words("Quit"), "quit", self.app.quit),
        ]
        first, *others = layout.rows(side, [self.px(100), *[self.px(58)] * 3], gap)
        if self.unfinished is not None:
            self.button(first, words("Go on playing"), self._resume, style="primary", face=self._paint_resume)
        else:
            others = layout.rows(Rect(side.left, side.top, side.width, 3 * self.px(58) + 2 * gap), [None] * 3, gap)
        for rect, (label, icon, press) in zip(others, entries, strict=True):
            self.button(rect, label, press, icon=icon, size="lead")

    def _build_games(self, room: Rect) -> None:
        games = playable()
        across = min(len(games), 2 if self.metrics.portrait else 3)
        down = -(-len(games) // across)
        for name, cell in zip(games, layout.grid(room, across, down, self.px(GAP)), strict=False):
            self._game_button(name, cell)

    def _game_button(self, name: str, cell: Rect) -> None:
        words, look = self.app.words, face(name)

        def show(canvas: Canvas, inner: Rect) -> None:
            px = canvas.px
            picture, title, summary = layout.rows(inner.inflate(-px(8), -px(16)), [None, px(40), px(30)], px(2))
            drawing = board_drawing(load_game(name), picture.size, canvas.palette.line)
            canvas.picture(drawing.picture(look.sample().view()), picture.topleft)
            canvas.line(words(look.title), title, "title", bold=True, align="centre")
            canvas.line(words(look.summary), summary, "small", colour=canvas.palette.muted, align="centre")

        self.button(cell, words(look.title), lambda: self._choose(name), face=show)

    def _paint_resume(self, canvas: Canvas, inner: Rect) -> None:
        assert self.unfinished is not None
        words, px, ink = self.app.words, canvas.px, canvas.palette.on_accent
        canvas.shape("play", (inner.left + px(18), inner.centery), 30, ink)
        room = Rect(inner.left + px(46), inner.top, inner.width - px(46), inner.height)
        top, middle, bottom = layout.rows(room.inflate(0, -px(12)), [None, px(24), px(24)], 0)
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

    def _results(self) -> None:
        from companion.ui.screens.results import ResultsScreen

        self.app.show(ResultsScreen(self.app))

    def _settings(self) -> None:
        from companion.ui.screens.settings import SettingsScreen

        self.app.show(SettingsScreen(self.app, self))
