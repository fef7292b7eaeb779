"""A screen: builds its buttons for the size it has, takes input, paints. One is shown at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pygame import Rect

from companion.ui.canvas import Canvas
from companion.ui.events import Input, Key
from companion.ui.layout import GAP, TARGET, Metrics
from companion.ui.widgets import Button, Paint

if TYPE_CHECKING:
    from companion.ui.app import App


class Screen:
    """The base of all screens. `targets` are places other than buttons that a finger has to hit."""

    name = "screen"

    def __init__(self, app: App) -> None:
        self.app = app
        self.buttons: list[Button] = []
        self.lights_rect: Rect | None = None  # where the lights are drawn, if they are

    @property
    def metrics(self) -> Metrics:
        """The screen's size and unit."""
        return self.app.metrics

    def px(self, units: float) -> int:
        """Units in pixels."""
        return self.metrics.px(units)

    def enter(self) -> None:
        """Called when the screen comes up."""

    def leave(self) -> None:
        """Called when another screen comes up."""

    def build(self) -> None:
        """Lays out the screen and makes its buttons; called again whenever something of that changes."""

    def handle(self, event: Input) -> None:
        """Takes an input that no button has taken: `back` is the way back, `ok` presses the one thing to do."""
        if isinstance(event, Key) and event.name == "back":
            self.back()
        elif isinstance(event, Key) and event.name == "ok":
            primary = [button for button in self.buttons if button.style == "primary" and button.enabled]
            if len(primary) == 1:
                primary[0].press()

    def back(self) -> None:
        """The way back."""

    def update(self) -> None:
        """Called often, also when nothing happens: looks whether something has to be drawn anew."""

    def draw(self, canvas: Canvas) -> None:
        """Paints what lies under the buttons."""

    def targets(self) -> list[Rect]:
        """Places other than buttons that a finger has to hit, for the checks."""
        return []

    # -- what screens are made of --------------------------------------------------------------------------------------

    def button(
        self,
        rect: Rect,
        label: str,
        press: Callable[[], None],
        *,
        icon: str | None = None,
        style: str = "plain",
        enabled: bool = True,
        size: str = "body",
        face: Paint | None = None,
        wide: bool = True,
    ) -> Button:
        """Adds a button."""
        button = Button(rect, label, press, icon, style, enabled, size, face, wide)
        self.buttons.append(button)
        return button

    def page(self) -> Rect:
        """The screen without its margins."""
        return self.metrics.screen.inflate(-4 * self.px(GAP), -4 * self.px(GAP))

    def header(self, press: Callable[[], None] | None = None) -> tuple[Rect, Rect]:
        """A way back in the upper left corner; the room for the title beside it, and the room under both."""
        page, target, gap = self.page(), self.px(TARGET), self.px(GAP)
        self.button(Rect(page.left, page.top, target, target), "", press or self.back, icon="back", style="quiet")
        title = Rect(page.left + target + gap, page.top, page.width - target - gap, target)
        below = Rect(page.left, page.top + target + gap, page.width, page.height - target - gap)
        return title, below
