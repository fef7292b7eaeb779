"""A finger: drives the program through SDL's own queue, as a touch screen does."""

from __future__ import annotations

from collections.abc import Iterable

import pygame

from companion.ui.app import App
from companion.ui.canvas import Painted
from companion.ui.screens.board import BoardScreen
from companion.ui.widgets import Button


class Finger:
    """Touches a running program. What it hits is found on the screen, where people would see it."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.settle()

    def settle(self) -> None:
        """Lets the program take its input and draw, until there is nothing left to do."""
        for _ in range(10):
            if not self.app.round():
                return
        raise AssertionError("the program never comes to rest")

    @property
    def screen(self) -> str:
        return self.app.screen.name

    def shown(self) -> list[str]:
        """The texts on the screen now, painted afresh."""
        notes: list[Painted] = []
        self.app.notes = notes
        self.app.redraw()
        self.settle()
        self.app.notes = None
        return [note.text for note in notes]

    def reads(self, text: str) -> bool:
        """Whether the text stands on the screen, however its lines are broken."""
        return text in " ".join(self.shown())

    def at(self, x: float, y: float) -> None:
        """Down and up at a pixel."""
        width, height = self.app.metrics.size
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            pygame.event.post(
                pygame.event.Event(kind, x=x / width, y=y / height, dx=0.0, dy=0.0, finger_id=1, touch_id=1)
            )
            self.settle()

    def buttons(self) -> Iterable[Button]:
        return [button for button in self.app.screen.buttons if button.enabled]

    def button(self, label: str) -> Button:
        found = [button for button in self.buttons() if button.label == label or button.icon == label]
        assert found, f"no button {label!r} on {self.screen}; there are {[b.label or b.icon for b in self.buttons()]}"
        return found[0]

    def tap(self, label: str) -> None:
        """Touches the button with that label, or that icon."""
        self.at(*self.button(label).rect.center)

    def tap_site(self, site: str) -> None:
        """Touches a place on the board."""
        screen = self.app.screen
        assert isinstance(screen, BoardScreen)
        x, y = screen.drawing.place(site)
        self.at(screen.board_rect.left + x, screen.board_rect.top + y)
