"""Looking at a table: a source followed to its end, and the vision's own thread, which survives the camera."""

from __future__ import annotations

import ctypes
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import NamedTuple

from companion.table.conductor import Conductor, Eye
from companion.table.errors import StoreError
from companion.table.tapping import Tapping
from companion.vitals import Vitals
from hardware.camera import Camera, CameraError

LOG = logging.getLogger(__name__)

PACE = 0.1
"""Seconds from one look at a live camera to the next."""

PACE_AT_REST = 0.25
"""The same after nothing has happened for `REST` seconds: an idle table costs next to nothing."""

REST = 3.0
LONG = 0.03
"""Seconds that only a close look at a picture takes."""

STALE = 0.5
"""Seconds after which a frame of a live camera is too old to decide anything by."""

RETRY = 2.0
"""Seconds after which a camera that failed is opened again."""


def follow(camera: Camera, conductor: Conductor, tapping: Tapping | None = None) -> None:
    """Shows every frame to the conductor until the source ends or the game is over; at a simulated table, people tap.

    Raises:
        CameraError: the camera fails.
    """
    while not conductor.state().position.over and (frame := camera.read()) is not None:
        if tapping is not None:
            tapping.tap(conductor, frame.time)
        conductor.see(frame)
    conductor.conclude()


def nobody(camera: Camera) -> Tapping | None:
    """At a real table people tap on the screen themselves."""
    return None


class Watching(NamedTuple):
    """What watches a game: `eye` sees, `camera` opens the camera, `people` are those who tap at its table, if that is
    simulated.
    """

    eye: Eye
    camera: Callable[[], Camera]
    people: Callable[[Camera], Tapping | None] = nobody


class Looking(Thread):
    """Looks until it is stopped, the film ends or the game is over. A camera that fails is opened again and again."""

    def __init__(
        self,
        conductor: Conductor,
        open_camera: Callable[[], Camera],
        vitals: Vitals | None = None,
        people: Callable[[Camera], Tapping | None] = nobody,
    ) -> None:
        """`vitals` gets the signs of life of the loops `vision` and `frames`; `people` tap at a simulated table."""
        super().__init__(name="looking", daemon=True)
        self._vitals = vitals or Vitals()
        self._conductor = conductor
        self._open_camera = open_camera
        self._people = people
        self._asked_to_stop = Event()

    def stop(self) -> None:
        """Ends the thread and frees the camera; returns when that is done."""
        self._asked_to_stop.set()
        if self.is_alive():
            self.join(timeout=10.0)

    def run(self) -> None:
        """Opens the camera and follows it."""
        try:
            self._run()
        finally:
            self._vitals.ended("vision")
            self._vitals.ended("frames")

    def _run(self) -> None:
        while not self._asked_to_stop.is_set():
            self._vitals.beat("vision")
            try:
                with self._open_camera() as camera:
                    self._follow(camera)
                return
            except (CameraError, StoreError) as error:
                self._vitals.ended("frames")  # until there is a camera again
                self._conductor.trouble(str(error), fault=error)
            except Exception as error:  # a fault of ours must not end the watching of a game without a word
                LOG.exception("the watching of the table failed")
                self._conductor.trouble(f"an unexpected error: {error}", fault=error)
            self._asked_to_stop.wait(RETRY)

    def _follow(self, camera: Camera) -> None:
        changed, version, resting = time.monotonic(), -1, False
        tapping = self._people(camera)
        while not self._asked_to_stop.is_set():
            begun = time.monotonic()
            self._vitals.beat("vision")
            if camera.alive:
                self._vitals.beat("frames")
            frame = camera.read()
            if frame is None:
                return
            if tapping is not None:
                tapping.tap(self._conductor, frame.time)
            if camera.age(frame) > STALE:
                continue
            shown = time.monotonic()
            self._conductor.see(frame)
            looked = time.monotonic() - shown > LONG
            if self._conductor.version != version:
                changed, version = begun, self._conductor.version
            if camera.live:
                was_resting, resting = resting, begun - changed >= REST
                if resting and (looked or not was_resting):
                    give_back_memory()
                pace = PACE_AT_REST if resting else PACE
                self._asked_to_stop.wait(max(0.0, begun + pace - time.monotonic()))


def give_back_memory() -> None:
    """Gives memory that pictures were worked on in back to the system; glibc keeps tens of megabytes otherwise."""
    with suppress(OSError, AttributeError):  # another C library than glibc
        ctypes.CDLL("libc.so.6").malloc_trim(0)
