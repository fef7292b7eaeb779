"""What the screens have in common that calibrate by the camera: its picture, large, beside what is to be done."""

from __future__ import annotations

import pygame
from pygame import Rect

from calibration.bench import Bench, Work
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.layout import GAP
from companion.ui.photos import inside, surface_of
from companion.ui.screen import Screen
from companion.ui.screens.keeping import KeepingScreen
from companion.ui.trouble import trouble_text
from hardware.camera import Image


class BenchScreen(KeepingScreen):
    """A camera's pictures on one side, what is found out from them on the other (under it in portrait)."""

    def __init__(self, app: App, before: Screen, work: Work, game: str | None = None) -> None:
        super().__init__(app, before)
        self._work, self._game = work, game
        self.bench: Bench | None = None
        self.main = self.panel = Rect(0, 0, 0, 0)
        self._seen = 0
        self._shown: tuple[Image, tuple[int, int], pygame.Surface] | None = None

    def enter(self) -> None:
        """The camera is opened."""
        self.app.leave_table()
        self.bench = self.app.library.bench(self._work, self._game)

    def leave(self) -> None:
        """The camera is given back."""
        if self.bench is not None:
            self.bench.stop()

    def update(self) -> None:
        """Shows new pictures, and what was found out from them."""
        if self.bench is not None and self.bench.version != self._seen:
            self._seen = self.bench.version
            self.follow()
            self.app.redraw()

    def follow(self) -> None:
        """A picture was worked on: whatever has to be laid out anew for that."""

    @property
    def image(self) -> Image | None:
        """The newest picture, blue-green-red."""
        return self.bench.image if self.bench is not None else None

    # -- layout --------------------------------------------------------------------------------------------------------

    def lay_out(self) -> None:
        """Cuts the screen into header, picture and panel."""
        self.title, below = self.header()
        gap = self.px(GAP)
        if self.metrics.portrait:
            self.main, self.panel = layout.rows(below, [round(below.width * 0.75), None], 2 * gap)
        else:
            self.main, self.panel = self.metrics.beside(below, self.px(276), 2 * gap)

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw_camera(self, canvas: Canvas, rect: Rect, image: Image | None) -> Rect | None:
        """The picture in a rectangle, or why there is none; where it is."""
        words = self.app.words
        if image is None:
            canvas.panel(rect, canvas.palette.surface)
            fault = self.bench.fault if self.bench is not None else None
            text = trouble_text(fault, words) if fault is not None else words("Waiting for the camera …")
            canvas.paragraph(text, rect.inflate(-self.px(32), -self.px(32)), "lead", align="centre", middle=True)
            return None
        place = inside((image.shape[1], image.shape[0]), rect)
        if self._shown is None or self._shown[0] is not image or self._shown[1] != place.size:
            self._shown = image, place.size, pygame.transform.smoothscale(surface_of(image), place.size)
        canvas.surface.blit(self._shown[2], place)
        return place
