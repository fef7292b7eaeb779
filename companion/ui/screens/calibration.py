"""Calibration: lens, board, colours, lights; each is done once, and again when something has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pygame import Rect

from companion.games.core import Game
from companion.games.registry import load_game
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import playable
from companion.ui.layout import GAP
from companion.ui.screen import Screen
from companion.ui.screens.colours import ColoursScreen
from companion.ui.screens.lamps import LampsScreen
from companion.ui.screens.lens import LensScreen
from companion.ui.screens.menu import entry_face
from companion.ui.screens.place import PlaceScreen
from companion.ui.screens.tabs import build_tabs


class CalibrationScreen(Screen):
    """The way to each calibration; board and colours are those of one game."""

    name = "calibration"

    def __init__(self, app: App, before: Screen, game: str | None = None) -> None:
        super().__init__(app)
        self._before = before
        self.game = game or app.library.recognised or playable()[0]

    def back(self) -> None:
        """Where one came from."""
        self.app.show(self._before)

    def build(self) -> None:
        """Games, and a big button for each calibration."""
        words, gap = self.app.words, self.px(GAP)
        self.title, below = self.header()
        below = build_tabs(self, below, self.game, self._choose)
        entries: list[tuple[str, str, str, Callable[[], None]]] = [
            (words("Lens"), words("By a chart, once for each camera"), "look", self._lens),
            (words("Board"), words("How it lies beside its cards"), "corner", self._place),
            (words("Colours"), words("Those of your own set"), "edit", self._colours),
            (words("Lights and buttons"), words("Which is where"), "alert", self._lamps),
        ]
        across = 1 if self.metrics.portrait else 2
        down = -(-len(entries) // across)
        area = Rect(below.left, below.top + gap, below.width, min(below.height - gap, self.px(118) * down))
        for cell, (label, note, icon, press) in zip(layout.grid(area, across, down, 2 * gap), entries, strict=False):
            self.button(cell, label, press, face=entry_face(label, note, icon))

    def _choose(self, game: str) -> None:
        self.game = game
        self.app.rebuild()

    def _lens(self) -> None:
        self.app.show(LensScreen(self.app, self))

    def _place(self) -> None:
        self.app.show(PlaceScreen(self.app, self, self._own()))

    def _colours(self) -> None:
        self.app.show(ColoursScreen(self.app, self, self._own()))

    def _lamps(self) -> None:
        self.app.show(LampsScreen(self.app, self))

    def _own(self) -> Game[Any, Any]:
        """The game with the set that is chosen for it."""
        return load_game(self.game, self.app.library.sets.file(self.game))

    def draw(self, canvas: Canvas) -> None:
        """The title."""
        canvas.line(self.app.words("Calibration"), self.title, "title", bold=True)
