"""The vision's thread: it follows a camera, opens one that fails again, and stops when it is told to."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.table import looking
from companion.table.errors import DiskFullError
from companion.table.looking import Looking
from companion.vitals import Vitals
from hardware.camera import Camera, CameraError, Frame

IMAGE = np.zeros((72, 128, 3), np.uint8)


class Conducted:
    """Stands for the conductor: counts frames and keeps what trouble was said."""

    def __init__(self, fail: Exception | None = None) -> None:
        self.frames = 0
        self.troubles: list[str | None] = []
        self.version = 0
        self.fail = fail

    def see(self, frame: Frame) -> None:
        self.frames += 1
        if self.fail is not None and self.frames == 2:
            raise self.fail

    def trouble(self, text: str | None, time: float | None = None, fault: Exception | None = None) -> None:
        self.troubles.append(text)


class Film(Camera):
    live = False

    def __init__(self, frames: int, breaks: bool = False) -> None:
        self.left, self.breaks, self.closed = frames, breaks, False

    def read(self, timeout: float = 2.0) -> Frame | None:
        if self.left == 0:
            if self.breaks:
                raise CameraError("the camera is gone; plug it in again")
            return None
        self.left -= 1
        return Frame(IMAGE, 0.0, 0)

    def close(self) -> None:
        self.closed = True


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "RETRY", 0.01)


def test_every_frame_of_a_film_is_seen_and_the_film_closed() -> None:
    conducted, film = Conducted(), Film(5)
    thread = Looking(conducted, lambda: film)  # type: ignore[arg-type]
    thread.start()
    thread.join(5)
    assert conducted.frames == 5
    assert film.closed


def test_a_camera_that_goes_is_opened_again() -> None:
    conducted = Conducted()
    films = iter([Film(3, breaks=True), Film(2)])
    thread = Looking(conducted, lambda: next(films))  # type: ignore[arg-type]
    thread.start()
    thread.join(5)
    assert conducted.frames == 5
    assert conducted.troubles == ["the camera is gone; plug it in again"]


@pytest.mark.parametrize("error", [DiskFullError("the disk is full"), ZeroDivisionError("nothing")])
def test_trouble_in_the_middle_is_said_and_watching_goes_on(error: Exception) -> None:
    conducted = Conducted(fail=error)
    thread = Looking(conducted, lambda: Film(4))  # type: ignore[arg-type]
    thread.start()
    wait_for(lambda: conducted.frames >= 5)
    thread.stop()
    assert str(error) in str(conducted.troubles[0])


def test_it_stops_while_a_live_camera_runs_on(tmp_path: Path) -> None:
    class Live(Film):
        live = True

    conducted, camera = Conducted(), Live(10**9)
    thread = Looking(conducted, lambda: camera)  # type: ignore[arg-type]
    thread.start()
    wait_for(lambda: conducted.frames > 1)
    thread.stop()
    assert not thread.is_alive()
    assert camera.closed


def test_nothing_is_decided_by_a_frame_that_is_too_old() -> None:
    class Late(Film):
        def age(self, frame: Frame) -> float:
            return 0.7 if self.left % 2 else 0.1

    conducted, film = Conducted(), Late(10)
    thread = Looking(conducted, lambda: film)  # type: ignore[arg-type]
    thread.start()
    thread.join(5)
    assert conducted.frames == 5


def test_signs_of_life_come_from_both_loops_and_a_hung_driver_gives_none() -> None:
    class Hung(Film):
        alive = False

    for film, loops in ((Film(3), {"vision", "frames"}), (Hung(3), {"vision"})):
        beats: list[str] = []

        class Noted(Vitals):
            def beat(self, loop: str, beats: list[str] = beats) -> None:
                beats.append(loop)
                super().beat(loop)

        vitals = Noted()
        thread = Looking(Conducted(), lambda film=film: film, vitals)  # type: ignore[arg-type,misc]
        thread.start()
        thread.join(5)
        assert set(beats) == loops
        assert vitals.stalled == ()
