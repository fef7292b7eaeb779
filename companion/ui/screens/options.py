"""Options of a game: each with what it means in plain words, and its values side by side."""

from __future__ import annotations

from functools import partial

from pygame import Rect

from companion.games.core import Option
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.layout import GAP
from companion.ui.screen import Screen
from companion.ui.screens.players import PlayersScreen

TWO_ROWS = 4
"""So many values stand in two rows."""


class OptionsScreen(Screen):
    """Chooses the options of the game that is about to begin."""

    name = "options"

    def __init__(self, app: App, players: PlayersScreen) -> None:
        super().__init__(app)
        self._players = players
        self._texts: list[tuple[Rect, Option]] = []

    def back(self) -> None:
        """The players."""
        self.app.show(self._players)

    def build(self) -> None:
        """A part of the page for each option."""
        gap, options = self.px(GAP), self._players.usable
        self.title, below = self.header()
        height = min(self.px(220), (below.height - gap * (len(options) - 1)) // len(options))
        self._texts = []
        for k, option in enumerate(options):
            self._build_option(Rect(below.left, below.top + k * (height + gap), below.width, height), option)

    def _build_option(self, part: Rect, option: Option) -> None:
        players, gap = self._players, self.px(6)
        values = players.values(option)
        if self.metrics.portrait:
            text, room = layout.rows(part, [None, self.px(108 if len(values) >= TWO_ROWS else 52)], gap)
        else:
            text, room = layout.columns(part, [None, round(part.width * 0.46)], 2 * gap)
        self._texts.append((text, option))
        down = 2 if len(values) >= TWO_ROWS else 1
        room.height = min(room.height, self.px(56) * down + gap)
        cells = layout.grid(room, -(-len(values) // down), down, gap)
        for value, cell in zip(values, cells, strict=False):
            on = value == players.chosen(option)
            label = players.value_text(option, value)
            choose = partial(self._choose, option, value)
            self.button(cell, label, choose, icon="check" if on else None, style="chosen" if on else "plain")

    def _choose(self, option: Option, value: object) -> None:
        self._players.choose(option.name, value)
        self.app.rebuild()

    def draw(self, canvas: Canvas) -> None:
        """What each option means."""
        words = self.app.words
        canvas.line(words("Options"), self.title, "title", bold=True)
        for rect, option in self._texts:
            label, explanation = self._players.face.option(option.name, words)
            canvas.paragraphs([(label, True), (explanation, False)], rect.inflate(0, -self.px(6)), "body")
