"""Which set of a game lies on the table: the usual one, or one of one's own."""

from __future__ import annotations

from functools import partial

from companion.table.errors import StoreError
from companion.table.own_sets import USUAL
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.language import Words
from companion.ui.layout import GAP
from companion.ui.screen import Screen
from companion.ui.trouble import trouble_text


def set_name(name: str, words: Words) -> str:
    """A set as people call it."""
    return words("The usual set") if name == USUAL else name


class SetsScreen(Screen):
    """A button for each set."""

    name = "sets"

    def __init__(self, app: App, before: Screen, game: str) -> None:
        super().__init__(app)
        self._before, self._game = before, game
        self.message = ""

    def back(self) -> None:
        """Where one came from."""
        self.app.show(self._before)

    def build(self) -> None:
        """The sets, the usual one first; as many as there is room for."""
        words, sets = self.app.words, self.app.library.sets
        self.title, below = self.header()
        self.note, below = layout.rows(below, [self.px(56), None], self.px(GAP))
        height, gap = self.px(60), self.px(GAP)
        chosen = sets.chosen(self._game)
        count = (below.height + gap) // (height + gap)
        names = sets.names(self._game)[:count]
        rows = layout.rows(below, [*[height] * len(names), None], gap)
        for name, row in zip(names, rows, strict=False):
            on = name == chosen
            style, icon = ("chosen", "check") if on else ("plain", None)
            self.button(row, set_name(name, words), partial(self._choose, name), icon=icon, style=style, size="lead")

    def _choose(self, name: str) -> None:
        try:
            self.app.library.sets.choose(self._game, name)
        except StoreError as error:
            self.message = trouble_text(error, self.app.words)
            self.app.redraw()
        else:
            self.back()

    def draw(self, canvas: Canvas) -> None:
        """The title, and what this is about."""
        words = self.app.words
        canvas.line(words("Which set?"), self.title, "title", bold=True)
        text = self.message or words("Sets of your own come from calibrating the colours, or from set files.")
        canvas.paragraph(text, self.note, "body", colour=canvas.palette.muted)
