"""What the gallery shows of the calibration: every step of it, with posed pictures and findings."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pygame

from calibration.bench import Bench
from calibration.board import BoardFit, CardsError
from calibration.charts import PRINTED, ChartError
from calibration.colours import ColoursError, Learned
from calibration.leds import Asking
from calibration.lens import LEAST_VIEWS, LensFit
from calibration.works import BoardWork, ColoursWork, LensWork
from companion.games.core import Game, View
from companion.games.registry import load_game
from companion.table.own_sets import OwnSets
from companion.table.workshop import Workshop
from companion.ui.drawing import BoardDrawing
from companion.ui.screen import Screen
from companion.ui.screens.bench import BenchScreen
from companion.ui.screens.calibration import CalibrationScreen
from companion.ui.screens.colours import ColoursScreen
from companion.ui.screens.lamps import LampsScreen
from companion.ui.screens.lens import LensScreen
from companion.ui.screens.place import PlaceScreen
from companion.ui.screens.sets import SetsScreen
from companion.ui.screens.start import StartScreen
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from hardware.camera import Camera, Image, SourceError
from hardware.lights import NoLights

if TYPE_CHECKING:
    from companion.ui.app import App

SIZE = (960, 540)
WOOD = (104, 128, 150)
SEATS = 4
GAME = "triangle"
OWN_SET = "2026-11-21-1430"


def workshop(folder: Path, sets: OwnSets) -> Workshop:
    """A workshop without a camera, with LEDs, buttons, and a set of one's own."""
    sets.add("via", OWN_SET, sets.text("via"))
    return Workshop(folder, "webcam:0", _no_camera, sets, seats=SEATS, buttons=("ok", "roll", "back"))


def _no_camera(game: str | None) -> Camera:
    raise SourceError("no camera is connected")


def _at(screen: BenchScreen, image: Image | None) -> Screen:
    """The screen with a camera that shows that picture, or none."""
    bench = Bench(partial(_no_camera, None), screen._work)
    bench.image = image
    if image is None:
        bench.fault = SourceError("no camera is connected")
    screen.enter = lambda: setattr(screen, "bench", bench)  # type: ignore[method-assign]
    return screen


@cache
def _table(game: Game[Any, Any], empty: bool) -> tuple[Image, Pose]:
    """A picture of a board from straight above, and its pose."""
    drawing = BoardDrawing(game, (SIZE[1], SIZE[1]))
    surface = pygame.Surface(drawing.size)
    surface.fill(WOOD[::-1])
    view = View({}) if empty else View(dict(ColoursWork(game, Lens.nominal).labels))
    surface.blit(drawing.picture(view), (0, 0))
    pixels = pygame.surfarray.array3d(surface).swapaxes(0, 1)[:, :, ::-1]
    left = (SIZE[0] - SIZE[1]) // 2
    image = np.full((SIZE[1], SIZE[0], 3), WOOD, np.uint8)
    image[:, left : left + SIZE[1]] = pixels
    lens = Lens.nominal(SIZE)
    away = lens.focal[0] / drawing.scale
    x, y = drawing.at((0.0, 0.0))
    place = np.array([(x + left - lens.centre[0]) / drawing.scale, (y - lens.centre[1]) / drawing.scale, away])
    return image, Pose(np.diag([1.0, -1.0, -1.0]), place, lens, game.marker.ids, 0.6, 1.0)


def _chart() -> tuple[Image, np.ndarray]:
    """A picture of the chart, and the pixels of its corners."""
    wide = 420
    chart = PRINTED.board.generateImage((wide, round(wide * PRINTED.rows / PRINTED.columns)), marginSize=0)
    grey = np.full(SIZE[::-1], 120, np.uint8)
    grey[60 : 60 + chart.shape[0], 90 : 90 + wide] = chart
    seen = PRINTED.find(grey)
    return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR).astype(np.uint8), seen.pixels if seen else np.zeros((0, 2))


def _lens(app: App, views: int, reason: str = "", found: bool = False) -> Screen:
    work = LensWork()
    image, work.corners = _chart()
    work.views, work.missing = views, ChartError("", reason)
    work.covered = np.arange(work.covered.size).reshape(work.covered.shape) % 3 < (3 if found else 2)
    if found:
        work.fit = LensFit(Lens.nominal(SIZE), 0.214, LEAST_VIEWS + 4, 1, 0.92)
    return _at(LensScreen(app, StartScreen(app), work), image)


def _place(app: App, error: CardsError | None = None, kept: bool = False) -> Screen:
    game = load_game(GAME)
    image, pose = _table(game, True)
    work = BoardWork(game, Lens.nominal)
    work.error, work.fit = error, None if error else BoardFit(pose, 0.4, 700.0, 5.0)
    screen = PlaceScreen(app, StartScreen(app), game, work)
    screen.kept = kept
    screen._push(1, -1, 0)
    screen.kept = kept
    return _at(screen, image)


def _colours(app: App, stage: str, error: ColoursError | None = None, kept: bool = False) -> Screen:
    game = load_game(GAME)
    work = ColoursWork(game, Lens.nominal)
    work.stage, work.error = stage, error
    if stage == "learned":
        colours = {solid.colour for look in game.looks.values() for solid in look}
        pairs = {colour: tuple(min(255, channel + 18) for channel in colour) for colour in colours}
        work.learned = Learned(pairs, (tuple(pairs)[:2],))  # type: ignore[arg-type]
    screen = ColoursScreen(app, StartScreen(app), game, work)
    screen.kept = kept
    screen._seen = 1
    return _at(screen, _table(game, stage == "empty")[0])


def _lamps(app: App, found: int, buttons: int) -> Screen:
    screen = LampsScreen(app, StartScreen(app))
    screen._seats = SEATS
    screen.asking = Asking(NoLights(), SEATS)
    for place in screen.asking.allowed[:found]:
        screen.asking.answer(place)
    screen.buttons_found = {name: name for name in screen._names[:buttons]}
    screen.kept = buttons > len(screen._names)
    return screen


def scenes() -> dict[str, Callable[[App], Screen]]:
    """The screens of the calibration by name."""
    every: dict[str, Callable[[App], Screen]] = {
        "calibration": lambda app: CalibrationScreen(app, StartScreen(app)),
        "lens-waiting": lambda app: _at(LensScreen(app, StartScreen(app)), None),
        "lens-found": lambda app: _lens(app, LEAST_VIEWS + 4, found=True),
        "place": lambda app: _place(app),
        "place-kept": lambda app: _place(app, kept=True),
        "place-missing": lambda app: _place(app, CardsError("", "missing", (1, 2))),
        "place-off": lambda app: _place(app, CardsError("", "off")),
        "colours-empty": lambda app: _colours(app, "empty"),
        "colours-laid": lambda app: _colours(app, "laid"),
        "colours-refused": lambda app: _colours(app, "laid", ColoursError("", "other")),
        "colours-learned": lambda app: _colours(app, "learned"),
        "colours-kept": lambda app: _colours(app, "learned", kept=True),
        "lamps": lambda app: LampsScreen(app, StartScreen(app)),
        "lamps-led": lambda app: _lamps(app, 1, 0),
        "lamps-button": lambda app: _lamps(app, SEATS + 1, 1),
        "lamps-kept": lambda app: _lamps(app, SEATS + 1, 9),
        "sets": lambda app: SetsScreen(app, StartScreen(app), "via"),
    }
    for number, reason in enumerate(("beginning", "uncovered", "few", "straight", "unsure", "misfit", "impossible")):
        every[f"lens-{reason}"] = partial(_lens, views=number, reason=reason)
    return every
