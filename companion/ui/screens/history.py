"""History: every game on record, the newest first; to be looked at step by step, gone on with, or read as a result."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from pygame import Rect

from companion.games.registry import load_game
from companion.table.errors import StoreError
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import face, playable
from companion.ui.language import Words
from companion.ui.layout import GAP
from companion.ui.parts import board_drawing
from companion.ui.screen import Screen
from companion.ui.trouble import trouble_text

if TYPE_CHECKING:
    from companion.table.store import Summary

DATES = {"en": "%d/%m/%Y", "de": "%d.%m.%Y", "fr": "%d/%m/%Y"}


def day(stamp: float, words: Words) -> str:
    """A date as the language writes it."""
    return time.strftime(DATES[words.language], time.localtime(stamp))


def signed(number: int) -> str:
    """A number with a real minus sign."""
    return str(number).replace("-", "−")


class HistoryScreen(Screen):
    """A page of the list of games."""

    name = "history"

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.first = 0
        self.message = ""
        self.games: list[Summary] = []
        self.more = False

    def enter(self) -> None:
        """No table is open while one looks for another."""
        self.app.leave_table()

    def back(self) -> None:
        """The start."""
        from companion.ui.screens.start import StartScreen

        self.app.show(StartScreen(self.app))

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """A row a game, and pages."""
        words, gap, step = self.app.words, self.px(GAP), self.px(88 if self.metrics.portrait else 66)
        self.title, below = self.header()
        self.rows, pages = layout.rows(below, [None, self.px(52)], gap)
        count = max(1, (self.rows.height + gap) // (step + gap))
        self._read(count)
        for k, game in enumerate(self.games):
            self._build_row(Rect(self.rows.left, self.rows.top + k * (step + gap), self.rows.width, step), game)
        newer, older = layout.columns(pages, [None, None], gap)
        self.button(newer, words("Newer"), partial(self._page, -count), icon="back", enabled=self.first > 0)
        self.button(older, words("Older"), partial(self._page, count), icon="forward", enabled=self.more)

    def _read(self, count: int) -> None:
        try:
            found = list(self.app.library.games(self.first, count + 1))
        except StoreError as error:
            found, self.message = [], trouble_text(error, self.app.words)
        self.games, self.more = [one for one in found[:count] if one.game in playable()], len(found) > count

    def _build_row(self, row: Rect, game: Summary) -> None:
        words = self.app.words
        narrow = self.metrics.portrait
        main, beside = layout.columns(row, [None, self.px(56 if narrow else 150)], self.px(6))
        self.button(main, game.name, partial(self._review, game), face=partial(self._paint_row, game))
        if game.ending is None:
            label = "" if narrow else words("Go on")
            self.button(beside, label, partial(self._go_on, game), icon="play", style="primary")
        elif not game.ending.given_up:
            label = "" if narrow else words("Result")
            self.button(beside, label, partial(self._result, game), icon="cup")

    def _paint_row(self, game: Summary, canvas: Canvas, inner: Rect) -> None:
        px, words = canvas.px, self.app.words
        side = min(inner.height, px(56))
        drawing = board_drawing(load_game(game.game), (side, side), canvas.palette.line)
        where = (inner.left, inner.centery - side // 2)
        canvas.picture(drawing.picture(face(game.game).sample().view()), where)
        room = Rect(inner.left + side + px(12), inner.top, inner.width - side - px(12), inner.height)
        title = ", ".join(player.name for player in game.players)
        how = " : ".join(map(signed, game.scores)) if game.over else words("not over")
        if game.ending is not None and game.ending.given_up:
            how = words("given up")
        which, when = words(face(game.game).title), f"{day(game.stamp, words)} · {how}"
        about = [which, when] if self.metrics.portrait else [f"{which} · {when}"]
        top, *lines = layout.rows(room, [None] * (1 + len(about)), 0)
        canvas.line(title, top, "body", bold=True, name=True)
        for line, said in zip(lines, about, strict=True):
            canvas.line(said, line, "small", colour=canvas.palette.muted)

    # -- what people do ------------------------------------------------------------------------------------------------

    def _page(self, by: int) -> None:
        self.first = max(0, self.first + by)
        self.app.rebuild()

    def _open(self, game: Summary, watch: bool) -> bool:
        try:
            self.app.model = self.app.library.open_game(game.name, watch=watch)
        except (ValueError, StoreError) as error:
            self.message = trouble_text(error, self.app.words)
            self.app.redraw()
            return False
        return True

    def _review(self, game: Summary) -> None:
        from companion.ui.screens.review import ReviewScreen

        if self._open(game, watch=False) and self.app.model is not None:
            self.app.show(ReviewScreen(self.app, self.app.model, self))

    def _go_on(self, game: Summary) -> None:
        from companion.ui.screens.table import TableScreen

        if self._open(game, watch=True) and self.app.model is not None:
            self.app.show(TableScreen(self.app, self.app.model))

    def _result(self, game: Summary) -> None:
        from companion.ui.screens.result import ResultScreen

        if self._open(game, watch=False) and self.app.model is not None:
            self.app.show(ResultScreen(self.app, self.app.model))

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """The title."""
        words = self.app.words
        canvas.line(words("History"), self.title, "title", bold=True)
        if self.message or not self.games:
            text = self.message or words("No game has been played yet.")
            canvas.paragraph(text, self.rows, "lead")
