"""The result: final scores and what they are made of, the winners, the best of the week, month and year."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pygame import Rect

from companion.table.errors import StoreError
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import face
from companion.ui.language import Words
from companion.ui.layout import GAP
from companion.ui.model import Library, TableModel
from companion.ui.parts import draw_symbol
from companion.ui.result_words import headline
from companion.ui.screen import Screen

if TYPE_CHECKING:
    from companion.table.results import Period, Result

PERIODS: tuple[Period, ...] = ("week", "month", "year")


def signed(number: int) -> str:
    """A number with a real minus sign."""
    return str(number).replace("-", "−")


def period_name(period: Period, words: Words) -> str:
    """The title of a list of best scores."""
    return {"week": words("This week"), "month": words("This month"), "year": words("This year")}[period]


def best_of(library: Library, game: str, period: Period) -> tuple[Result, ...]:
    """The best scores of a period; none where they cannot be read."""
    try:
        return tuple(library.best(game, period))
    except StoreError:
        return ()


class ResultScreen(Screen):
    """How a game ended."""

    name = "result"

    def __init__(self, app: App, model: TableModel) -> None:
        super().__init__(app)
        self.model = model
        self.state = model.state()
        self.best = {period: best_of(app.library, self.state.position.game.name, period)[:1] for period in PERIODS}

    def back(self) -> None:
        """The table, where the last actions can still be corrected."""
        from companion.ui.screens.table import TableScreen

        self.app.show(TableScreen(self.app, self.model))

    def build(self) -> None:
        """Scores, best lists, ways on."""
        words, gap = self.app.words, self.px(GAP)
        self.title, below = self.header()
        best = 3 * 76 if self.metrics.portrait else 92
        self.scores, self.bests, bottom = layout.rows(below, [None, self.px(best), self.px(60)], gap)
        again, start = layout.columns(bottom, [None, None], 2 * gap)
        self.button(again, words("Play again"), self._again, icon="play", style="primary", size="lead")
        self.button(start, words("To the start"), self._start, icon="back", size="lead")

    def _again(self) -> None:
        from companion.ui.screens.players import PlayersScreen

        self.app.leave_table()
        screen = PlayersScreen(self.app, self.state.position.game.name)
        screen.names = [player.name for player in self.state.players]
        self.app.show(screen)

    def _start(self) -> None:
        from companion.ui.screens.start import StartScreen

        self.app.leave_table()
        self.app.show(StartScreen(self.app))

    def draw(self, canvas: Canvas) -> None:
        """Who has won, the table of scores, the best ones."""
        words = self.app.words
        canvas.line(headline(self.state, words), self.title, "title", bold=True, name=True)
        self._draw_scores(canvas)
        cut = layout.rows if self.metrics.portrait else layout.columns
        for period, cell in zip(PERIODS, cut(self.bests, [None] * 3, self.px(GAP)), strict=True):
            self._draw_best(canvas, cell, period_name(period, words), self.best[period])

    def _draw_scores(self, canvas: Canvas) -> None:
        words, position, px = self.app.words, self.state.position, canvas.px
        narrow = self.metrics.portrait
        parts = face(position.game.name).breakdown(position, words)
        rows = layout.rows(self.scores, [px(46 if narrow else 30), *[None] * len(self.state.players)], px(2))
        widths: list[layout.Part] = [None, *[px(92 if narrow else 116)] * len(parts), px(78 if narrow else 110)]
        _, *heads = layout.columns(rows[0].inflate(-px(16), 0), widths, px(4))
        for head, label in zip(heads, [*(label for label, _ in parts), words("Total")], strict=True):
            canvas.paragraph(label, head, "small", colour=canvas.palette.muted, align="right", middle=True)
        for k, row in enumerate(rows[1:]):
            row.height = min(row.height, px(56))
            row.top = rows[1].top + k * (row.height + px(2))
            self._draw_row(canvas, row, k, widths, [numbers[k] for _, numbers in parts])

    def _draw_row(self, canvas: Canvas, row: Rect, k: int, widths: list[layout.Part], numbers: list[int]) -> None:
        px, position = canvas.px, self.state.position
        won = k in position.winners
        canvas.panel(row, canvas.palette.soft if won else canvas.palette.surface, corner=6)
        cells = layout.columns(row.inflate(-px(16), 0), widths, px(4))
        draw_symbol(canvas, self.state.players[k], (cells[0].left + px(14), cells[0].centery), 26)
        name = Rect(cells[0].left + px(38), row.top, cells[0].width - px(74 if won else 40), row.height)
        canvas.line(self.state.players[k].name, name, "lead", bold=won, name=True)
        if won:
            canvas.shape("cup", (cells[0].right - px(16), row.centery), 26, canvas.palette.accent)
        for cell, number in zip(cells[1:], numbers, strict=False):
            canvas.line(signed(number), cell, "body", colour=canvas.palette.muted, align="right")
        canvas.line(signed(position.scores[k]), cells[-1], "title", bold=True, align="right")

    def _draw_best(self, canvas: Canvas, cell: Rect, title: str, best: tuple[Result, ...]) -> None:
        px = canvas.px
        canvas.panel(cell, canvas.palette.surface)
        top, bottom = layout.rows(cell.inflate(-px(24), -px(16)), [px(26), None], 0)
        canvas.line(title, top, "small", colour=canvas.palette.muted)
        if not best:
            canvas.line("–", bottom, "lead")
            return
        figure = Rect(bottom.right - px(70), bottom.top, px(70), bottom.height)
        canvas.line(
            best[0].name, Rect(bottom.left, bottom.top, bottom.width - px(74), bottom.height), "body", name=True
        )
        canvas.line(signed(best[0].score), figure, "lead", bold=True, align="right")
