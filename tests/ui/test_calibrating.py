"""Calibration by touch: lens, board, colours and lights, with simulated pictures, kept, and used from then on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pygame
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from calibration.board import SITE, Nudge
from calibration.charts import PRINTED
from calibration.colours import arrangement
from calibration.leds import ButtonOrder, LedOrder
from calibration.store import Calibrations
from companion.games.registry import load_game
from companion.table.library import Library
from companion.table.own_sets import OwnSets
from companion.table.store import Store
from companion.table.workshop import Workshop
from companion.ui.events import press
from companion.ui.screens.colours import ColoursScreen
from companion.ui.screens.lens import LensScreen
from companion.ui.screens.place import PlaceScreen
from companion.vision.geometry.lens import Lens
from hardware.camera import Camera, Frame, Image, SourceError
from hardware.lights import GpioLights
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import Scene, scene_of
from tests.calibration.charting import taken
from tests.ui.conftest import Program
from tests.ui.finger import Finger

SIZE = (640, 360)
LENS = Lens(SIZE, (492.0, 492.0), (324.0, 176.5), (-0.08, 0.03, 0.0005, -0.0003, 0.0))
PATIENCE = 60.0


class Shown(Camera):
    """A camera that shows what a test puts before it."""

    live = False

    def __init__(self, pictures: Iterator[Image] | None = None) -> None:
        self.pictures = pictures
        self.image: Image | None = None
        self.closed = False
        self._number = -1

    def read(self, timeout: float = 2.0) -> Frame | None:
        if self.pictures is not None:
            self.image = next(self.pictures, self.image)
        time.sleep(0.01)
        assert self.image is not None
        self._number += 1
        return Frame(self.image, self._number / 10, self._number)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


Made = Callable[..., Library]


@pytest.fixture
def library(store: Store) -> Iterator[Made]:
    """Makes libraries with a workshop, and frees their cameras in the end."""
    made: list[Library] = []

    def make(camera: Camera | None, **options: object) -> Library:
        def opened(game: str | None) -> Camera:
            if camera is None:
                raise SourceError("no camera is connected")
            return camera

        def workshop(sets: OwnSets) -> Workshop:
            return Workshop(store.folder, "webcam:0", opened, sets, **options)  # type: ignore[arg-type]

        made.append(Library(store, workshop=workshop))
        return made[-1]

    yield make
    for one in made:
        one.close()


def wait_until(finger: Finger, wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end, finger.shown()
        finger.app.round()
        time.sleep(0.01)
    finger.settle()


def enabled(finger: Finger, label: str) -> bool:
    return label in [button.label for button in finger.buttons()]


def calibrating(finger: Finger, what: str, game: str = "Triangle") -> None:
    finger.tap("Settings")
    finger.tap("Calibrate")
    finger.tap(game)
    finger.tap(what)


def views() -> Iterator[Image]:
    """Pictures of the chart, held here and there."""
    for seed in range(60):
        yield cv2.cvtColor(taken(PRINTED, LENS, seed), cv2.COLOR_GRAY2BGR)  # type: ignore[misc]


def scene(labels: dict[str, str], covered: tuple[int, ...] = ()) -> Image:
    game = load_game("triangle")
    pieces = scene_of(game, labels).pieces
    return Renderer(game, Conditions.random(game, 5, 0.2, (1280, 720))).render(Scene(pieces, covered=covered))


def test_the_lens_is_found_by_a_chart_and_kept(program: Program, store: Store, library: Made) -> None:
    camera = Shown(views())
    finger = program(library(camera))
    calibrating(finger, "Lens")
    screen = finger.app.screen
    assert isinstance(screen, LensScreen)
    assert not enabled(finger, "Keep it")
    wait_until(finger, lambda: screen.work.views > 0)
    assert finger.reads("of 8")
    wait_until(finger, lambda: screen.work.fit is not None and enabled(finger, "Keep it"))
    assert finger.reads("The lens is found.")
    finger.tap("Keep it")
    assert finger.reads("Kept for this camera.")
    kept = Calibrations(store.folder).lens("webcam:0")
    assert kept is not None
    assert abs(kept.focal[0] / LENS.focal[0] - 1) < 0.02
    finger.tap("Begin anew")
    assert screen.work.views <= 1
    finger.tap("back")
    assert finger.screen == "calibration"
    wait_until(finger, lambda: camera.closed)


def test_the_board_is_shown_nudged_and_kept(program: Program, store: Store, library: Made) -> None:
    camera = Shown()
    camera.image = scene({}, covered=(1,))
    finger = program(library(camera))
    calibrating(finger, "Board")
    screen = finger.app.screen
    assert isinstance(screen, PlaceScreen)
    wait_until(finger, lambda: screen.work.error is not None)
    assert finger.reads("These cards are not seen: 1")
    assert not enabled(finger, "Keep it")
    camera.image = scene({})
    wait_until(finger, lambda: enabled(finger, "Keep it"))
    assert finger.reads("Cards seen: 0, 1, 2")
    before = pygame.surfarray.array3d(finger.app.surface.subsurface(screen.main))
    drawn = np.abs(before.astype(int) - SITE[::-1]).max(axis=2) < 90
    assert drawn.sum() > 500  # the sites are drawn over the picture
    for icon in ("forward", "forward", "up", "cw", "ccw", "ccw"):
        finger.tap(icon)
    assert finger.reads("Nudged: 1 mm right, 0.5 mm up, -0.5°")
    after = pygame.surfarray.array3d(finger.app.surface.subsurface(screen.main))
    assert (before != after).any(axis=2).sum() > 500  # and have moved
    finger.tap("Keep it")
    assert Calibrations(store.folder).load("board-triangle", Nudge) == Nudge(1.0, 0.5, -0.5)
    finger.tap("0")
    finger.tap("Keep it")
    assert Calibrations(store.folder).load("board-triangle", Nudge) == Nudge()
    screen.nudge = Nudge(0.0, -15.0, 0.0)
    finger.tap("down")
    assert finger.reads("So far off the board cannot be.")
    finger.tap("back")
    wait_until(finger, lambda: camera.closed)


def test_colours_are_learned_in_two_pictures_and_new_games_use_them(
    program: Program, store: Store, library: Made
) -> None:
    game, camera = load_game("triangle"), Shown()
    camera.image = scene({})
    finger = program(library(camera))
    calibrating(finger, "Colours")
    screen = finger.app.screen
    assert isinstance(screen, ColoursScreen)
    wait_until(finger, lambda: enabled(finger, "Take the picture"))
    assert finger.reads("Clear the board")
    finger.tap("Take the picture")
    wait_until(finger, lambda: screen.work.stage == "laid" and enabled(finger, "Take the picture"))
    finger.tap("Take the picture")  # nothing was laid
    wait_until(finger, lambda: screen.work.error is not None and not screen.work.busy)
    assert finger.reads("Do the pieces lie as shown")
    camera.image = scene(arrangement(game))
    finger.tap("Take the picture")
    wait_until(finger, lambda: enabled(finger, "Use this set"))
    assert finger.reads("colours learned")
    finger.tap("Use this set")
    assert finger.reads("New games are played with this set.")
    finger.tap("back")
    finger.tap("back")
    finger.tap("back")
    finger.tap("Triangle")
    own = finger.app.library.sets.chosen("triangle")
    finger.tap(own)
    assert finger.screen == "sets"
    finger.tap("The usual set")
    assert finger.screen == "players"
    finger.tap("The usual set")
    finger.tap(own)
    finger.tap("Begin")
    assert finger.app.model is not None
    colours = finger.app.model.state().position.game.set.tile.colours  # type: ignore[attr-defined]
    usual = game.set.tile.colours  # type: ignore[attr-defined]
    assert colours != usual
    assert all(np.abs(np.array(colours[letter]) - np.array(usual[letter])).max() < 60 for letter in usual)


def test_a_camera_that_is_not_there_is_said(program: Program, store: Store, library: Made) -> None:
    finger = program(library(None))
    calibrating(finger, "Lens")
    wait_until(finger, lambda: finger.reads("No camera is connected."))
    finger.tap("back")
    assert finger.screen == "calibration"


def test_lights_and_buttons_are_found_and_kept(program: Program, store: Store, library: Made) -> None:
    lights = GpioLights([(17,), (23,)], (18,), pin_factory=MockFactory(pin_class=MockPWMPin))
    finger = program(library(None, seats=2, buttons=("ok", "roll")), lights=lights)
    calibrating(finger, "Lights and buttons")
    glowing = [signal.colour != (0, 0, 0) for signal in (*lights.signals.seats, lights.signals.status)]
    assert glowing == [True, False, False]
    assert finger.reads("LED 1 glows white now.")
    finger.tap("Seat 2")
    assert finger.reads("LED 2 glows white now.")
    finger.tap("Nowhere")
    assert finger.reads("Check its wires")
    finger.tap("Seat 1")
    finger.tap("Status")
    assert finger.reads("Press the button that confirms.")
    press("roll")  # the buttons are wired the other way round
    finger.settle()
    assert finger.reads("Press the button that rolls the dice.")
    press("roll")
    press("ok")
    finger.settle()
    assert finger.reads("All are found.")
    finger.tap("Keep it")
    kept = Calibrations(store.folder)
    assert kept.load("leds", LedOrder) == LedOrder((1, 0), 2)
    assert kept.load("buttons", ButtonOrder) == ButtonOrder({"roll": "ok", "ok": "roll"})
    finger.tap("back")
    assert all(signal.colour == (0, 0, 0) for signal in lights.signals.seats)
    lights.close()


def test_without_leds_and_buttons_there_is_nothing_to_ask(program: Program, store: Store, library: Made) -> None:
    finger = program(library(None))
    calibrating(finger, "Lights and buttons")
    assert finger.reads("No LEDs and no buttons are connected.")
    assert not enabled(finger, "Keep it")


def test_a_table_is_left_for_a_calibration_and_gone_on_with_afterwards(
    program: Program, store: Store, library: Made
) -> None:
    finger = program(library(None))
    finger.tap("VIA")
    finger.tap("Begin")
    record = finger.app.model.state().record  # type: ignore[union-attr]
    finger.tap("Menu")
    finger.tap("Settings")
    finger.tap("Calibrate")
    assert finger.screen == "calibration"
    assert finger.app.model is None
    assert finger.app.screen.game == "via"  # type: ignore[attr-defined]
    finger.tap("back")
    finger.tap("Go on playing")
    assert finger.app.model is not None
    assert finger.app.model.state().record == record
