"""The camera's lens, from a chart held before it: where it was seen, what to do next, how well the lens is known."""

from __future__ import annotations

from functools import partial

import pygame
from pygame import Rect

from calibration.lens import CELLS, LEAST_VIEWS, LensFit
from calibration.works import LensWork
from companion.ui import layout
from companion.ui.app import App
from companion.ui.brush import see_through
from companion.ui.canvas import Canvas
from companion.ui.language import marked
from companion.ui.layout import GAP
from companion.ui.screen import Screen
from companion.ui.screens.bench import BenchScreen
from companion.ui.screens.board import LEGAL, WRONG

MISSING = {
    "beginning": marked("Hold the chart before the camera, so that it fills half of the picture."),
    "uncovered": marked("Hold it where the picture is still dark."),
    "few": marked("Good. Hold it elsewhere, and tilted."),
    "straight": marked("Tilt it more: to either side, up and down."),
    "unsure": marked("Nearly there. Hold it nearer, and tilt it more."),
    "misfit": marked("The views do not fit the chart. Is it flat, sharp, and printed at true size? Begin anew."),
    "impossible": marked("No lens can be so. Is it one camera, at one zoom and focus? Begin anew."),
}
"""What to do next, by the reason why there is no lens yet."""


class LensScreen(BenchScreen):
    """Guides people who hold the chart."""

    name = "lens"

    def __init__(self, app: App, before: Screen, work: LensWork | None = None) -> None:
        self.work = work or LensWork()
        super().__init__(app, before, self.work)
        self._views = self.work.views

    def follow(self) -> None:
        """A new view, or the lens."""
        if self.work.views != self._views:
            self._views = self.work.views
            self.app.sounds.play("accepted")
            self.app.rebuild()

    def build(self) -> None:
        """The picture, facts, and what can be done."""
        words, gap = self.app.words, self.px(GAP)
        self.lay_out()
        self.facts, *lines = layout.rows(self.panel, [None, self.px(60), self.px(60)], gap)
        self.button(lines[0], words("Begin anew"), self._anew, icon="undo", enabled=self.work.views > 0)
        ready = self.work.fit is not None and not self.kept
        self.button(lines[1], words("Keep it"), self._keep, icon="save", style="primary", size="lead", enabled=ready)

    def _anew(self) -> None:
        self.work.anew()
        self.kept, self.message, self._views = False, "", 0
        self.app.rebuild()

    def _keep(self) -> None:
        workshop, fit = self.app.library.workshop, self.work.fit
        if workshop is not None and fit is not None:
            self.keep(partial(workshop.keep_lens, fit))

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """The picture with the parts in which the chart was seen, and beside it how far one is."""
        words, px = self.app.words, self.px
        canvas.line(words("The camera's lens"), self.title, "title", bold=True)
        image = self.image
        place = self.draw_camera(canvas, self.main, image)
        if place is not None and image is not None:
            self._draw_covered(canvas, place)
            self._draw_corners(canvas, place, image.shape[1])
        fit = self.work.fit
        if fit is not None:
            canvas.paragraphs(self._found(fit), self.facts, "body")
            return
        count, advice = layout.rows(self.facts, [px(72), None], px(GAP))
        canvas.line(words("{n} of {all}").format(n=self.work.views, all=LEAST_VIEWS), count, "big", bold=True)
        missing = words(MISSING.get(self.work.missing.reason, MISSING["beginning"]))
        print_it = words("To print the chart: companion print chart")
        canvas.paragraphs([(missing, True), (print_it, False)], advice, "lead")

    def _found(self, fit: LensFit) -> list[tuple[str, bool]]:
        words = self.app.words
        facts = words("{n} views, {covered} % of the picture").format(n=fit.views, covered=round(100 * fit.covered))
        focal = words("Focal length: {n} pixels").format(n=round(fit.lens.focal[0]))
        error = words("Off by {n} pixels").format(n=f"{fit.error:.2f}")
        done = words("Kept for this camera. It holds from the next game on.") if self.kept else ""
        return [(words("The lens is found."), True), (error, False), (focal, False), (facts, False), (done, True)] + (
            [(self.message, True)] if self.message else []
        )

    def _draw_covered(self, canvas: Canvas, place: Rect) -> None:
        """Darkens the parts of the picture in which the chart was not seen."""
        shade = pygame.Surface(place.size, pygame.SRCALPHA)
        cells = layout.grid(Rect((0, 0), place.size), *CELLS, 0)
        for cell, seen in zip(cells, self.work.covered.ravel(), strict=True):
            if not seen:
                shade.fill(see_through((0, 0, 0), 140), cell)
            pygame.draw.rect(shade, see_through(LEGAL, 120), cell, 1)
        canvas.surface.blit(shade, place, special_flags=pygame.BLEND_PREMULTIPLIED)

    def _draw_corners(self, canvas: Canvas, place: Rect, width: int) -> None:
        """Marks the chart where it is seen now."""
        scale = place.width / width
        for x, y in self.work.corners:
            at = place.left + round(x * scale), place.top + round(y * scale)
            pygame.draw.circle(canvas.surface, WRONG, at, max(3, self.px(3)))
