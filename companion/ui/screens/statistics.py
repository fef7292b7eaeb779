"""A person's statistics: games, wins, mean and best score, game by game."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pygame import Rect

from companion.table.errors import StoreError
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import face, playable
from companion.ui.layout import GAP
from companion.ui.screen import Screen
from companion.ui.screens.history import signed
from companion.ui.trouble import trouble_text

if TYPE_CHECKING:
    from companion.table.results import Statistics


class StatisticsScreen(Screen):
    """Names on one side, figures of the chosen one on the other."""

    name = "statistics"

    def __init__(self, app: App, before: Screen, chosen: str | None = None) -> None:
        super().__init__(app)
        self._before = before
        self.names = list(app.library.names())
        self.chosen = chosen or next(iter(self.names), "")
        self.first = 0
        self.message = ""
        self.figures: dict[str, Statistics] = {}
        self._read()

    def _read(self) -> None:
        try:
            self.figures = {game: self.app.library.statistics(self.chosen, game) for game in playable()}
        except StoreError as error:
            self.message = trouble_text(error, self.app.words)

    def back(self) -> None:
        """Where one came from."""
        self.app.show(self._before)

    def build(self) -> None:
        """The names, and the table."""
        gap, step = self.px(GAP), self.px(52)
        self.title, below = self.header()
        if self.metrics.portrait:
            self.table, names = layout.rows(below, [None, round(below.height * 0.45)], 2 * gap)
        else:
            self.table, names = self.metrics.beside(below, self.px(220), 2 * gap)
        across = 2 if self.metrics.portrait else 1
        rows, pages = layout.rows(names, [None, step], gap)
        down = max(1, (rows.height + self.px(6)) // (step + self.px(6)))
        count = across * down
        cells = layout.grid(rows, across, down, self.px(6))
        for name, cell in zip(self.names[self.first : self.first + count], cells, strict=False):
            style = "chosen" if name == self.chosen else "plain"
            self.button(cell, name, partial(self._choose, name), style=style, face=partial(self._paint_name, name))
        earlier, later = layout.columns(pages, [None, None], self.px(6))
        more = self.first + count < len(self.names)
        self.button(earlier, "", partial(self._page, -count), icon="back", enabled=self.first > 0)
        self.button(later, "", partial(self._page, count), icon="forward", enabled=more)

    def _paint_name(self, name: str, canvas: Canvas, inner: Rect) -> None:
        canvas.line(name, inner, "body", bold=name == self.chosen, name=True)

    def _choose(self, name: str) -> None:
        self.chosen = name
        self._read()
        self.app.rebuild()

    def _page(self, by: int) -> None:
        self.first = max(0, self.first + by)
        self.app.rebuild()

    def draw(self, canvas: Canvas) -> None:
        """Game by game."""
        words, px = self.app.words, self.px
        canvas.line(self.chosen or words("Players"), self.title, "title", bold=True, name=True)
        if self.message or not self.names:
            canvas.paragraph(self.message or words("No game has been played yet."), self.table, "lead")
            return
        heads = ["", words("Games"), words("Wins"), words("Mean"), words("Best")]
        rows = layout.rows(self.table, [px(34), *[px(56)] * len(self.figures), None], px(4))
        widths: list[layout.Part] = [None, *[px(62)] * 4]
        for head, cell in zip(heads, layout.columns(rows[0].inflate(-px(20), 0), widths, px(4)), strict=True):
            canvas.line(head, cell, "small", colour=canvas.palette.muted, align="right")
        for (game, figures), row in zip(self.figures.items(), rows[1:-1], strict=True):
            canvas.panel(row, canvas.palette.surface, corner=6)
            title, *cells = layout.columns(row.inflate(-px(20), 0), widths, px(4))
            canvas.paragraph(words(face(game).title), title, "body", bold=True, middle=True)
            for text, cell in zip(_texts(figures), cells, strict=True):
                canvas.line(text, cell, "body", align="right")


def _texts(figures: Statistics) -> list[str]:
    mean = "–" if figures.mean is None else signed(round(figures.mean))
    best = "–" if figures.best is None else signed(figures.best)
    return [str(figures.games), str(figures.wins), mean, best]
