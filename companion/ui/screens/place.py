"""Where the board lies: the cards that are seen, how far they are off, all sites over the picture; nudged by hand."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from calibration.board import BoardFit, CardsError, Nudge, drawn
from calibration.works import BoardWork
from companion.games.core import Game
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.layout import GAP
from companion.ui.screen import Screen
from companion.ui.screens.bench import BenchScreen
from companion.vision.geometry.lens import Lens
from hardware.camera import Image

LINE = 1.6
"""Pixels of the screen, about, that the sites' lines are wide."""

STEP = 0.5
"""Millimetres, and degrees, of one touch."""


class PlaceScreen(BenchScreen):
    """Shows what is found, and lets people put it right."""

    name = "place"

    def __init__(self, app: App, before: Screen, game: Game[Any, Any], work: BoardWork | None = None) -> None:
        workshop = app.library.workshop
        self.work = work or BoardWork(game, workshop.lens if workshop else Lens.nominal)
        super().__init__(app, before, self.work, game.name)
        self.nudge = workshop.nudge(game.name) if workshop else Nudge()
        self._over: tuple[BoardFit, Nudge, Image] | None = None

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """The picture, facts, arrows, and what can be done."""
        words, gap = self.app.words, self.px(GAP)
        self.lay_out()
        self.facts, arrows, bottom = layout.rows(self.panel, [None, self.px(164), self.px(60)], gap)
        cells = layout.grid(arrows, 3, 3, self.px(6))
        ways = {
            0: ("", "ccw", (0, 0, -1)),
            1: ("", "up", (0, 1, 0)),
            2: ("", "cw", (0, 0, 1)),
            3: ("", "back", (-1, 0, 0)),
            5: ("", "forward", (1, 0, 0)),
            7: ("", "down", (0, -1, 0)),
        }
        for k, (label, icon, way) in ways.items():
            self.button(cells[k], label, partial(self._push, *way), icon=icon)
        self.button(cells[4], "0", self._zero, enabled=self.nudge != Nudge())
        ready = self.work.fit is not None and not self.kept
        self.button(bottom, words("Keep it"), self._keep, icon="save", style="primary", size="lead", enabled=ready)

    def follow(self) -> None:
        """The board was found, or lost."""
        keep = self.buttons[-1] if self.buttons else None
        if keep is not None and keep.enabled != (self.work.fit is not None and not self.kept):
            self.app.rebuild()

    def _push(self, right: int, up: int, turn: int) -> None:
        now = self.nudge
        try:
            self.nudge = replace(now, dx=now.dx + STEP * right, dy=now.dy + STEP * up, turn=now.turn + STEP * turn)
        except ValueError:
            self.message = self.app.words("So far off the board cannot be. Move the cards.")
        else:
            self.kept, self.message = False, ""
        self.app.rebuild()

    def _zero(self) -> None:
        self.nudge, self.kept, self.message = Nudge(), False, ""
        self.app.rebuild()

    def _keep(self) -> None:
        workshop = self.app.library.workshop
        if workshop is not None:
            self.keep(partial(workshop.keep_nudge, self.work.game.name, self.nudge))

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """The picture with the sites over it, and how well they fit."""
        words = self.app.words
        canvas.line(words("Where the board lies"), self.title, "title", bold=True)
        self.draw_camera(canvas, self.main, self._picture())
        canvas.paragraphs([*self._told(), *self._nudged()], self.facts, "body")

    def _picture(self) -> Image | None:
        """The newest picture, with the sites where they should be."""
        image, fit = self.image, self.work.fit
        if image is None or fit is None:
            return image
        if self._over is None or self._over[0] is not fit or self._over[1] != self.nudge:
            width = max(1, round(LINE * image.shape[1] / self.main.width))
            over = drawn(image, self.work.game, self.nudge.applied(fit.pose), width).astype(np.uint8)
            self._over = fit, self.nudge, over
        return self._over[2]

    def _told(self) -> list[tuple[str, bool]]:
        words, fit, error = self.app.words, self.work.fit, self.work.error
        if fit is not None:
            cards = words("Cards seen: {cards}").format(cards=", ".join(map(str, fit.pose.markers)))
            off = words("Off by {pixels} pixels, {mm} mm").format(
                pixels=f"{fit.pose.residual:.1f}", mm=f"{fit.millimetres:.1f}"
            )
            return [(cards, False), (off, True)]
        if isinstance(error, CardsError) and error.reason == "missing":
            return [(words("These cards are not seen: {cards}").format(cards=", ".join(map(str, error.cards))), True)]
        if isinstance(error, CardsError):
            return [(words("The cards do not lie as they should. Lay them flat where they belong."), True)]
        text = words("The board is not found. Are its corner cards in the picture?") if error is not None else ""
        return [(text, True)]

    def _nudged(self) -> list[tuple[str, bool]]:
        words, now = self.app.words, self.nudge
        said = words("Nudged: {x} mm right, {y} mm up, {turn}°").format(
            x=f"{now.dx:g}", y=f"{now.dy:g}", turn=f"{now.turn:g}"
        )
        done = self.message or (words("Kept. It holds from the next game on.") if self.kept else "")
        return [(said, False), (done, True)]
