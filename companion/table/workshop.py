"""What can be calibrated at a table, and where it is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from calibration.bench import Bench, Work
from calibration.board import Nudge
from calibration.cameras import lens_of
from calibration.colours import Learned, recoloured
from calibration.leds import ButtonOrder, LedOrder, composed
from calibration.lens import LensFit
from calibration.store import Calibrations
from companion.table.own_sets import OwnSets
from companion.vision.geometry.lens import Lens
from hardware.camera import Camera
from hardware.sources import camera_name


class Workshop:
    """Calibrations of one table. `source` names the camera, `open_camera` opens it: a simulated table shows the board
    of the game that is named. `seats` is the number of LEDs at seats, `buttons` are the names of the buttons there are.
    """

    def __init__(
        self,
        folder: Path,
        source: str,
        open_camera: Callable[[str | None], Camera],
        sets: OwnSets,
        *,
        seats: int = 0,
        buttons: Sequence[str] = (),
    ) -> None:
        self.seats, self.buttons = seats, tuple(buttons)
        self.sets = sets
        self._folder, self._source, self._open = folder, source, open_camera
        self._kept = Calibrations(folder)

    def bench(self, work: Work, game: str | None = None, before: Callable[[], None] = lambda: None) -> Bench:
        """A bench on which the camera's pictures are shown to `work`, not yet started; `before` frees the camera."""

        def opened() -> Camera:
            before()
            return self._open(game)

        return Bench(opened, work)

    def lens(self, size: tuple[int, int]) -> Lens:
        """The lens of the camera for pictures of that size (width, height): the calibrated one, or a likely one."""
        return (lens_of(self._source, self._folder) or Lens.nominal(size)).scaled(size)

    def keep_lens(self, fit: LensFit) -> None:
        """Keeps the lens for this camera.

        Raises:
            CalibrationError: it cannot be written.
        """
        self._kept.keep_lens(camera_name(self._source) or self._source, fit.lens, fit.error, fit.views)

    def nudge(self, game: str) -> Nudge:
        """How the board of the game was nudged."""
        return self._kept.load(f"board-{game}", Nudge) or Nudge()

    def keep_nudge(self, game: str, nudge: Nudge) -> None:
        """Keeps how the board is nudged.

        Raises:
            CalibrationError: it cannot be written.
        """
        self._kept.keep(f"board-{game}", nudge)

    def keep_colours(self, game: str, learned: Learned) -> str:
        """Makes a set of the learned colours, and plays new games with it; its name.

        Raises:
            SetError: the set file could not be used.
            StoreError: it cannot be written.
        """
        name = time.strftime("%Y-%m-%d-%H%M")
        self.sets.add(game, name, recoloured(self.sets.text(game), learned.colours))
        self.sets.choose(game, name)
        return name

    def keep_leds(self, found: LedOrder) -> None:
        """Keeps where the LEDs glow, as they are in order now.

        Raises:
            CalibrationError: it cannot be written.
        """
        self._kept.keep("leds", composed(self._kept.load("leds", LedOrder), found))

    def keep_buttons(self, found: ButtonOrder) -> None:
        """Keeps what each button is pressed for.

        Raises:
            CalibrationError: it cannot be written.
        """
        self._kept.keep("buttons", found)
