"""Results: the best scores of the week, month and year, and the games played last."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pygame import Rect

from companion.table.errors import StoreError
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import playable
from companion.ui.layout import GAP
from companion.ui.screen import Screen
from companion.ui.screens.history import day
from companion.ui.screens.result import PERIODS, best_of, period_name, signed
from companion.ui.screens.tabs import build_tabs
from companion.ui.trouble import trouble_text

if TYPE_CHECKING:
    from companion.table.results import Period
    from companion.table.store import Summary

SHOWN = 6


class ResultsScreen(Screen):
    """What was played, and who was best."""

    name = "results"

    def __init__(self, app: App, game: str | None = None) -> None:
        super().__init__(app)
        self.game = game or playable()[0]
        self.best = {period: best_of(app.library, self.game, period) for period in PERIODS}
        self.message = ""
        self.recent: list[Summary] = []
        try:
            self.recent = [one for one in app.library.recent() if one.game == self.game]
        except StoreError as error:
            self.message = trouble_text(error, self.app.words)

    def back(self) -> None:
        """The start."""
        from companion.ui.screens.start import StartScreen

        self.app.show(StartScreen(self.app))

    def build(self) -> None:
        """Games to choose from where there are several; three lists; the last games, to look at."""
        gap = self.px(GAP)
        self.title, below = self.header()
        players = Rect(0, 0, self.px(180), self.px(48))
        players.topright = self.title.topright
        self.title.width -= players.width + gap
        self.button(players, self.app.words("Players"), self._players, icon="team")
        below = build_tabs(self, below, self.game, self._tab)
        if self.metrics.portrait:
            bests, self.games = layout.rows(below, [None, None], 2 * gap)
        else:
            bests, self.games = layout.columns(below, [None, round(below.width * 0.42)], 2 * gap)
        self.bests = layout.rows(bests, [None] * 3, gap)
        self._build_games()

    def _build_games(self) -> None:
        step, gap = self.px(58), self.px(6)
        room = Rect(self.games.left, self.games.top + self.px(34), self.games.width, self.games.height - self.px(34))
        for k, game in enumerate(self.recent[: min(SHOWN, (room.height + gap) // (step + gap))]):
            row = Rect(room.left, room.top + k * (step + gap), room.width, step)

            def show(canvas: Canvas, inner: Rect, game: Summary = game) -> None:
                self._paint_game(canvas, inner, game)

            self.button(row, game.name, partial(self._open, game), face=show)

    def _paint_game(self, canvas: Canvas, inner: Rect, game: Summary) -> None:
        px, words = canvas.px, self.app.words
        top, bottom = layout.rows(inner.inflate(0, -px(4)), [None, None], 0)
        names = ", ".join(player.name for player in game.players)
        canvas.line(names, top, "body", bold=True, name=True)
        how = " : ".join(map(signed, game.ending.scores)) if game.ending else words("not over")
        canvas.line(day(game.stamp, words), Rect(bottom.left, bottom.top, bottom.width // 2, bottom.height), "small",
                    colour=canvas.palette.muted)  # fmt: skip
        right = Rect(bottom.centerx, bottom.top, bottom.right - bottom.centerx, bottom.height)
        canvas.line(how, right, "small", colour=canvas.palette.muted, align="right")

    def _players(self) -> None:
        from companion.ui.screens.statistics import StatisticsScreen

        self.app.show(StatisticsScreen(self.app, self))

    def _tab(self, game: str) -> None:
        self.app.show(ResultsScreen(self.app, game))

    def _open(self, game: Summary) -> None:
        from companion.ui.screens.result import ResultScreen
        from companion.ui.screens.table import TableScreen

        self.app.leave_table()
        try:
            self.app.model = self.app.library.open_game(game.name)
        except (ValueError, StoreError) as error:
            self.message = trouble_text(error, self.app.words)
            self.app.redraw()
            return
        screen = ResultScreen if game.ending and not game.ending.given_up else TableScreen
        self.app.show(screen(self.app, self.app.model))

    def draw(self, canvas: Canvas) -> None:
        """Titles and lists."""
        words, px = self.app.words, canvas.px
        title = words("Best scores") if not self.message else self.message
        canvas.line(title, self.title, "title", bold=True)
        for period, cell in zip(PERIODS, self.bests, strict=True):
            canvas.panel(cell, canvas.palette.surface)
            inner = cell.inflate(-px(24), -px(12))
            head = Rect(inner.left, inner.top, inner.width, px(26))
            canvas.line(period_name(period, words), head, "small", colour=canvas.palette.muted)
            self._draw_list(canvas, Rect(inner.left, head.bottom, inner.width, inner.bottom - head.bottom), period)
        top = Rect(self.games.left, self.games.top, self.games.width, px(28))
        canvas.line(words("Last games"), top, "small", colour=canvas.palette.muted)
        if not self.recent:
            canvas.paragraph(words("No game has been played yet."), self.games.move(0, px(36)), "body")

    def _draw_list(self, canvas: Canvas, room: Rect, period: Period) -> None:
        px, step = canvas.px, canvas.px(28)
        for k, result in enumerate(self.best[period][: max(1, room.height // step)]):
            row = Rect(room.left, room.top + k * step, room.width, step)
            canvas.line(f"{k + 1}", Rect(row.left, row.top, px(22), step), "body", colour=canvas.palette.muted)
            canvas.line(result.name, Rect(row.left + px(26), row.top, row.width - px(100), step), "body", name=True)
            figure = Rect(row.right - px(70), row.top, px(70), step)
            canvas.line(signed(result.score), figure, "body", bold=True, align="right")
        if not self.best[period]:
            canvas.line("–", Rect(room.left, room.top, room.width, min(room.height, step)), "body")
