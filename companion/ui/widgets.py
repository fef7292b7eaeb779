"""Buttons: pygame_gui's, with an icon, lines that wrap and a picture as their face."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pygame import Rect
from pygame_gui import UIManager
from pygame_gui.elements import UIButton

from companion.ui import text
from companion.ui.canvas import Canvas
from companion.ui.theme import style

Paint = Callable[[Canvas, Rect], None]
"""Paints the inside of a button."""


@dataclass
class Button:
    """What a finger can hit. `face` paints more into it than an icon and a label."""

    rect: Rect
    label: str
    press: Callable[[], None]
    icon: str | None = None
    style: str = "plain"
    enabled: bool = True
    size: str = "body"
    face: Paint | None = None
    wide: bool = True  # icon and label side by side; otherwise the label stands under the icon
    element: UIButton | None = None

    def build(self, manager: UIManager, pressed: Callable[[Button], None]) -> None:
        """Makes the widget; `pressed` is told when a finger lets go on it."""
        self.element = UIButton(Rect(self.rect), "", manager, command=lambda: pressed(self))
        if not self.enabled:
            self.element.disable()  # type: ignore[no-untyped-call]

    def paint(self, canvas: Canvas) -> None:
        """Paints the card and its face."""
        off = not self.enabled and self.style != "quiet"
        look = style(canvas.palette, "off" if off else self.style)
        held = self.element is not None and self.element.held
        canvas.panel(self.rect, look.pressed if held else look.ground, look.line)
        ink = look.ink if self.enabled else canvas.palette.faint
        inner = self.rect.inflate(-2 * canvas.px(8), -2 * canvas.px(3))
        if self.face is not None:
            self.face(canvas, inner)
        elif self.icon is None:
            canvas.paragraph(self.label, inner, self.size, colour=ink, align="centre", middle=True)
        elif not self.label:
            canvas.shape(self.icon, self.rect.center, 24, ink)
        elif self.wide:
            left = inner.left + (0 if self.style == "plain" else self._slack(canvas, inner))
            canvas.shape(self.icon, (left + canvas.px(14), inner.centery), 22, ink)
            room = Rect(left + canvas.px(34), inner.top, inner.right - left - canvas.px(34), inner.height)
            canvas.paragraph(self.label, room, self.size, colour=ink, middle=True)
        else:
            canvas.shape(self.icon, (inner.centerx, inner.top + inner.height * 0.32), 22, ink)
            room = Rect(self.rect.left + 2, inner.centery + canvas.px(1), self.rect.width - 4, canvas.px(24))
            canvas.line(self.label, room, "small", colour=ink, align="centre")

    def _slack(self, canvas: Canvas, inner: Rect) -> int:
        """Half of the room that icon and label leave, so that they stand in the middle."""
        used = text.width(self.label, canvas.size(self.size)) + canvas.px(36)
        return max(0, (inner.width - used) // 2)
