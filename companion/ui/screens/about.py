"""About: which program this is, where it keeps what, and what to do when something does not work."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import pygame
from pygame import Rect

from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.screen import Screen
from companion.ui.sound import speaker


class AboutScreen(Screen):
    """What one asks when something does not work."""

    name = "about"

    def __init__(self, app: App, before: Screen) -> None:
        super().__init__(app)
        self._before = before

    def back(self) -> None:
        """Where one came from."""
        self.app.show(self._before)

    def build(self) -> None:
        """A page of text."""
        self.title, self.body = self.header()

    def draw(self, canvas: Canvas) -> None:
        """Facts, and what helps."""
        words, px = self.app.words, self.px
        canvas.line(words("About"), self.title, "title", bold=True)
        facts = self._facts()
        table, text = layout.rows(self.body, [round(px(34) * self.metrics.text) * len(facts), None], px(14))
        for (label, value), row in zip(facts, layout.rows(table, [None] * len(facts), 0), strict=True):
            left = Rect(row.left, row.top, px(200), row.height)
            canvas.line(label, left, "body", colour=canvas.palette.muted)
            canvas.line(value, Rect(left.right, row.top, row.right - left.right, row.height), "body", name=True)
        canvas.paragraph(
            words(
                "To try camera, lights and screen: companion check. To teach the camera its lens, the board and its "
                "colours: Calibrate, in the settings. Without a camera everything can be entered by hand."
            ),
            text,
            "body",
        )

    def _facts(self) -> list[tuple[str, str]]:
        words = self.app.words
        width, height = self.metrics.size
        return [
            (words("Version"), _version()),
            (words("Python and pygame"), f"{platform.python_version()}, {pygame.version.ver}"),
            (words("Screen"), f"{width} × {height}, {pygame.display.get_driver()}"),
            (words("Lights"), self.app.lights.name),
            (words("Voice"), "espeak-ng" if speaker() else words("not installed")),
        ]


def _version() -> str:
    try:
        return version("companion")
    except PackageNotFoundError:
        return "–"
