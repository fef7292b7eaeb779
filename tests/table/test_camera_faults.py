"""Everything that can befall a camera in the middle of a game: each with its message, and no action is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.table import looking
from companion.table.conductor import Conductor, Happening
from companion.table.errors import DiskFullError
from companion.table.looking import Looking
from companion.table.session import Session
from companion.table.state import By, Player
from companion.table.store import Store
from companion.vision.images import Image
from companion.vision.readers.reader import Reader
from companion.vision.watching.watcher import Watcher
from hardware import live
from hardware.camera import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import scene_of
from hardware.webcam import Webcam
from tests.hardware.test_webcam import FakeWebcam
from tests.referee.readings import labels_of
from tests.referee.test_referee import DEAL
from tests.table.test_conductor import ToldEye

GAME = load_game("triangle")
MOVE = ("place PPP6 35 0", "draw 1 RRR6")
SIZE = (1280, 720)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Store(tmp_path) as store:
        players = [Player("Ada", 0, "red", "circle"), Player("Ben", 1, "blue", "square")]
        session = Session.create(store, GAME, players)
        session.apply([GAME.parse(text) for text in DEAL], By.HAND)
        yield session


def after(session: Session, *actions: str) -> dict[str, str]:
    """What lies on the table after these actions."""
    position: Any = session.position
    for action in actions:
        position = position.play(GAME.parse(action))
    return labels_of(position)


def actions_of(session: Session) -> list[str]:
    return [str(played.action) for played in session.played]


def on_record(session: Session) -> list[str]:
    """The actions in the database, as another program would find them."""
    with Store(session._store.folder) as store:
        return actions_of(Session.resume(store, session.name))


# -- the picture -------------------------------------------------------------------------------------------------------


@cache
def renderer() -> Renderer:
    return Renderer(GAME, Conditions.random(GAME, 3, 0.2, SIZE, seats=(0, 1)))


@cache
def reader() -> Reader:
    return Reader(GAME)


def filmed(labels: dict[str, str]) -> tuple[Image, Image]:
    """Two pictures of a table, which differ in their noise."""
    return _filmed(tuple(labels.items()))


@cache
def _filmed(labels: tuple[tuple[str, str], ...]) -> tuple[Image, Image]:
    scene = scene_of(GAME, dict(labels), seed=4)
    return renderer().render(scene, 0), renderer().render(scene, 1)


FAULTS: dict[str, tuple[Callable[[Image], Image], str | None]] = {
    "black": (np.zeros_like, "the camera is dark"),
    "overexposed": (lambda image: np.full_like(image, 255), "the camera is dazzled: its picture is white"),
    "nearly white": (lambda image: np.clip(image * 0.05 + 243, 0, 255).astype(np.uint8), "the camera is dazzled: its"),
    "out of focus": (lambda image: cv2.GaussianBlur(image, (0, 0), 2.5), "the camera's pictures are blurred"),
    "one colour": (lambda image: np.full_like(image, 90), "the camera is dark"),
    "a test picture": (lambda image: cv2.resize(image, (8, 8)), "the camera's pictures are too small"),
    "no picture": (lambda image: np.zeros((0, 0, 3), np.uint8), "the camera's pictures are too small"),
    "upside down": (lambda image: image[::-1, ::-1].copy(), None),
    "elsewhere": (lambda image: np.random.default_rng(1).integers(60, 180, image.shape, np.uint8), "the board cannot"),
    "another size": (lambda image: cv2.resize(image, (960, 540), interpolation=cv2.INTER_AREA), None),
}


def test_a_camera_that_shows_people_themselves_as_in_a_mirror_is_told(session: Session) -> None:
    conductor = Conductor(session, Watcher(GAME, reader=reader()))
    images = [image[:, ::-1].copy() for image in filmed(after(session))]
    for number in range(8):
        conductor.see(Frame(images[number % 2], number / 4, number))
    assert conductor.state().notice == "the camera's picture is mirrored"


@pytest.mark.parametrize("fault", FAULTS)
def test_pictures_that_show_nothing_are_said_and_nothing_is_lost(session: Session, fault: str) -> None:
    told: list[Happening] = []
    conductor = Conductor(session, Watcher(GAME, reader=reader()), tell=told.append)
    numbers = count()

    def see(images: Sequence[Image], seconds: float) -> None:
        for number in range(round(seconds * 4)):
            frame = next(numbers)
            conductor.see(Frame(images[number % 2], frame / 4, frame))

    before, later = filmed(after(session)), filmed(after(session, *MOVE))
    see(before, 2.0)
    assert conductor.state().notice is None
    spoil, message = FAULTS[fault]
    see([spoil(image) for image in later], 4.0)
    if message is None:
        assert conductor.state().notice is None
    else:
        assert (conductor.state().notice or "").startswith(message)
        assert actions_of(session) == list(DEAL)
    see(later, 4.0)
    assert conductor.state().notice is None
    assert actions_of(session) == on_record(session) == [*DEAL, *MOVE]
    assert [one for one in told if "question" in one or "verdict" in one] == []


# -- the device --------------------------------------------------------------------------------------------------------


class Table:
    """A webcam over a table of which an eye is told what it sees, and the thread that looks."""

    def __init__(self, session: Session) -> None:
        self.session, self.plug, self.eye = session, FakeWebcam(), ToldEye()
        self.plug.brightness = 100
        self.eye.show(after(session))
        self.conductor = Conductor(session, self.eye)
        self.thread = Looking(self.conductor, lambda: Webcam(0, self.plug))
        self.thread.start()

    def wait_for(self, what: Callable[[], bool]) -> None:
        end = time.monotonic() + 10
        while not what():
            assert time.monotonic() < end, f"it did not happen; {self.conductor.state().notice}"
            time.sleep(0.01)

    def wait_for_trouble(self, text: str) -> None:
        self.wait_for(lambda: text in (self.conductor.state().notice or ""))


@pytest.fixture
def table(session: Session, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(live, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(looking, "RETRY", 0.05)
    table = Table(session)
    table.wait_for(lambda: table.plug.decoded > 1)
    yield table
    table.thread.stop()
    assert table.plug.released == table.plug.opened


def play_on(table: Table) -> None:
    """What was done on the table meanwhile is recorded, once the camera is back."""
    table.wait_for(lambda: len(table.session.played) == len(DEAL) + len(MOVE))
    table.wait_for(lambda: table.conductor.state().notice is None)
    assert on_record(table.session) == [*DEAL, *MOVE]


def test_a_camera_that_falls_silent(table: Table) -> None:
    table.plug.silent = True
    begun = time.monotonic()
    table.eye.show(after(table.session, *MOVE))
    table.wait_for_trouble("webcam:0 gives no picture")
    assert time.monotonic() - begun < 3.0
    table.plug.silent = False
    play_on(table)


def test_a_camera_that_is_unplugged_and_plugged_in_again(table: Table) -> None:
    table.plug.plugged = False
    table.eye.show(after(table.session, *MOVE))
    table.wait_for_trouble("webcam:0 cannot be opened")
    table.plug.plugged = True
    play_on(table)


def test_a_camera_whose_pictures_are_torn(table: Table) -> None:
    table.plug.torn = True
    table.eye.show(after(table.session, *MOVE))
    table.wait_for_trouble("a picture came through torn")
    table.plug.torn = False
    play_on(table)


def test_without_a_camera_the_game_goes_on_by_hand(table: Table) -> None:
    table.plug.plugged = False
    table.wait_for_trouble("webcam:0")
    for text in MOVE:
        table.conductor.enter(GAME.parse(text))
    assert on_record(table.session) == [*DEAL, *MOVE]
    table.eye.show(after(table.session))
    table.plug.plugged = True
    play_on(table)


def test_the_clock_on_the_wall_jumps_and_no_decision_hears_of_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    jumps = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: (60.0, 4e9, 1.7e9)[next(jumps) % 3])
    monkeypatch.setattr(table.session, "_clock", time.time)
    table.eye.show(after(table.session, *MOVE))
    play_on(table)
    assert next(jumps) > 0
    assert [one.number for one in table.session.played] == list(range(1, len(DEAL) + len(MOVE) + 1))


def test_a_full_disk_is_said_until_there_is_room(table: Table) -> None:
    store = table.session._store
    (pages,) = store.query("PRAGMA page_count")[0]
    store.query(f"PRAGMA max_page_count = {pages}")
    for length in (300, 30, 0):  # the last page is filled up
        with suppress(DiskFullError):
            while True:
                table.session.note("filler", "x" * length)
    table.eye.show(after(table.session, *MOVE))
    table.wait_for_trouble("no space is left")
    said = table.conductor.version
    time.sleep(0.5)
    assert table.conductor.version == said  # and not again and again
    store.query("PRAGMA max_page_count = 1000000")
    play_on(table)
