"""What is found out from a camera's pictures while people look on: a lens, where the board lies, the set's colours.

Each is used by two threads: `see` by the one that has the camera, everything else by the screens'. What changes is
replaced whole, never altered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from calibration.board import BoardFit, CardsError, Nudge, fit_board
from calibration.charts import PRINTED, Chart, ChartError
from calibration.colours import ColoursError, Learned, arrangement, learn
from calibration.lens import CELLS, Guide, LensFit, coverage
from companion.games.core import Game
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import NoBoardError, locate
from hardware.camera import Image

LensOf = Callable[[tuple[int, int]], Lens]
"""The lens of the camera for pictures of a size (width, height)."""


class LensWork:
    """Collects views of a chart until they give a lens. `fit` is the lens, None until it is found; `missing` says what
    to do next; `covered` (rows, columns) tells in which parts of the picture the chart was seen; `corners` (n, 2) are
    the pixels where it is seen now.
    """

    def __init__(self, chart: Chart = PRINTED) -> None:
        self._chart = chart
        self.anew()

    def anew(self) -> None:
        """Forgets all views."""
        self._guide: Guide | None = None
        self.views = 0
        self.covered: Array = np.zeros((CELLS[1], CELLS[0]), bool)
        self.corners: Array = np.zeros((0, 2))
        self.fit: LensFit | None = None
        self.missing = ChartError("", "beginning")

    def see(self, image: Image) -> None:
        """Takes the picture in if it adds a view."""
        if self.fit is not None:
            return
        size, guide = (image.shape[1], image.shape[0]), self._guide
        if guide is None or guide.size != size:
            guide = self._guide = Guide(self._chart, size)
        added = guide.offer(image)
        self.corners = np.zeros((0, 2)) if guide.seen is None else guide.seen.pixels
        if not added or guide is not self._guide:
            return
        self.covered, self.views = coverage(guide.views, size), len(guide.views)
        outcome = guide.outcome()
        if isinstance(outcome, LensFit):
            self.fit = outcome
        else:
            self.missing = outcome


class BoardWork:
    """Finds the board again and again. `fit` is how it lies without any nudge, None while it is not found, and `error`
    then says why.
    """

    def __init__(self, game: Game[Any, Any], lens_of: LensOf) -> None:
        self.game, self._lens_of = game, lens_of
        self.fit: BoardFit | None = None
        self.error: NoBoardError | CardsError | None = None

    def see(self, image: Image) -> None:
        """Looks where the board lies."""
        try:
            fit = fit_board(image, self.game, self._lens_of((image.shape[1], image.shape[0])), Nudge())
        except NoBoardError as error:
            self.error, self.fit = error, None
        else:
            self.error, self.fit = None, fit


class ColoursWork:
    """Learns the set's colours from a picture of the empty board and one of pieces laid out as `labels` says.

    `stage` is `empty`, `laid` or `learned`. `take` asks for the picture of the stage; until it is taken `busy` is true.
    `error` says why a picture was refused.
    """

    def __init__(self, game: Game[Any, Any], lens_of: LensOf) -> None:
        self.game, self._lens_of = game, lens_of
        self.labels: Final[Mapping[str, str]] = arrangement(game)
        self.stage, self.busy = "empty", False
        self.error: ColoursError | NoBoardError | None = None
        self.learned: Learned | None = None
        self._empty: tuple[Array, Pose] | None = None

    def take(self) -> None:
        """The next picture counts."""
        self.error, self.busy = None, True

    def anew(self) -> None:
        """Begins with the empty board again."""
        self.stage, self.busy, self.error, self.learned = "empty", False, None, None

    def see(self, image: Image) -> None:
        """Uses the picture, if one was asked for."""
        if not self.busy:
            return
        try:
            self._use(image)
        except (ColoursError, NoBoardError) as error:
            self.error = error
        self.busy = False

    def _use(self, image: Image) -> None:
        located = image, locate(image, self.game, self._lens_of((image.shape[1], image.shape[0])))
        if self.stage == "empty":
            learn(
                self.game, located, located, {}
            )  # the board's own colours, so that a wrong picture is refused at once
            self._empty, self.stage = located, "laid"
        elif self.stage == "laid" and self._empty is not None:
            self.learned = learn(self.game, self._empty, located, self.labels)
            self.stage = "learned"
