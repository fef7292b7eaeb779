"""A day at the table: what twelve hours cost in memory, open files and bytes written to the disk.

    python -m tests.benchmarks.day [--hours 12] [--games triangle via] [--count 8] [--before 4] [--size 960x540]

Real parts in one process: frames of a simulated table, vision, referee, conductor, session and store on the disk, the
touchscreen program on SDL's dummy driver, lights on gpiozero's mock pins. What is compressed: the clock is that of the
frames, nobody waits for it; while nothing happens the last two pictures of the table come again, once a second; between
two actions the players think for 20 s of that time, and the games are spread over the day.

The games of the evening before are the warm-up: modules are loaded, what is kept of letters, pieces and patches, within
its limits, fills up, and so does the heap. All is counted from there.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import cv2
import pygame
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.games.registry import table_game
from companion.table.conductor import Conductor
from companion.table.library import Library
from companion.table.looking import give_back_memory
from companion.table.rehearsal import Rehearsal
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.store import Store
from companion.table.tapping import Tapping
from companion.ui import app
from companion.ui.screens.start import StartScreen
from companion.ui.screens.table import TableScreen
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame, Image
from hardware.lights import GpioLights
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedCamera, SimulatedTable

FPS = 3.0
REST = 1.0
"""Seconds between two frames while nothing happens."""

THINKING = 20.0
SEATS, STATUS = ((17, 27, 22), (23, 24, 25), (5, 6, 13), (12, 16, 26)), (18, 19, 20)
GROWTH_MB, WRITTEN_MB = 5.0, 50.0


class Table(Conductor):
    """A table whose frames come from outside."""

    def finish(self) -> None:
        """Nothing runs on."""


@dataclass
class Cost:
    """Of this process, so far. `used`: what of the C library's heap is in use, not only kept for later."""

    resident: float
    used: float
    files: int
    threads: int
    written: float

    @classmethod
    def now(cls) -> Cost:
        gc.collect()
        give_back_memory()
        status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        io = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
        return cls(
            int(status["VmRSS"].split()[0]) / 1024,
            _heap_in_use() / 2**20,
            len(list(Path("/proc/self/fd").iterdir())),
            int(status["Threads"]),
            int(io["write_bytes"]) / 1e6,
        )

    def __str__(self) -> str:
        memory = f"{self.resident:7.1f} MB resident, {self.used:.1f} of it heap in use"
        return f"{memory}, {self.files} files, {self.threads} threads, {self.written:6.2f} MB"


class _MallInfo(ctypes.Structure):
    """glibc's `struct mallinfo2`."""

    _fields_: ClassVar = [
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keep",
        )
    ]


def _heap_in_use() -> int:
    library = ctypes.CDLL("libc.so.6")
    library.mallinfo2.restype = _MallInfo
    info = library.mallinfo2()
    return int(info.uordblks + info.hblkhd)


class Day:
    """The program, and the clock of its frames."""

    def __init__(self, folder: Path, size: tuple[int, int], longest: float) -> None:
        self.store, self.size, self.longest = Store(folder), size, longest
        self.now, self.frames, self.actions, self.over = 0.0, 0, 0, 0
        pygame.display.init()
        pygame.font.init()
        self.lights = GpioLights(SEATS, STATUS)
        surface = pygame.display.set_mode((800, 480))
        self.app = app.App(Library(self.store), surface, language="en", lights=self.lights)

    def see(self, table: Table, image: Image) -> None:
        """The next frame, and a round of the screens."""
        table.see(Frame(image, self.now, self.frames))
        self.frames += 1
        self.app.round()

    def play(self, name: str, seed: int) -> tuple[Table, list[Image]]:
        """A whole game; its table, and its last pictures."""
        game = table_game(name)
        session = Session.create(self.store, game, seated(game, None), {})
        rehearsal = Rehearsal(game, session.position.players, seed=seed)
        rehearsal.position = session.position
        conditions = Conditions.random(game, seed, 0.3, self.size, game.seats(session.position.players))
        camera = SimulatedCamera(SimulatedTable(game, rehearsal.steps(), seed, 0.1), conditions, FPS)
        table, tapping = Table(session, Watcher(game)), Tapping(rehearsal, camera.table, attentive=True)
        self.app.model = table
        self.app.show(TableScreen(self.app, table))
        begun, pause, last = self.now, 0.0, []  # `pause`: how much longer than the camera's it all takes
        while not session.position.over and (frame := camera.read()) is not None:
            known, last = len(session.played), [*last[-1:], frame.image]
            self.now = begun + pause + frame.time
            tapping.tap(table, frame.time)
            self.see(table, frame.image)
            if len(session.played) > known:
                pause += sum(REST for _ in self.rest(table, last, THINKING))
            if self.now - begun > self.longest:
                session.give_up("stuck")
                break
        table.conclude()
        self.actions += len(session.played)
        self.over += session.position.over
        return table, last

    def rest(self, table: Table, images: list[Image], seconds: float) -> Iterator[None]:
        """The table as it is, for so long."""
        end = self.now + seconds
        for image in itertools.cycle(images):
            if self.now + REST > end:
                return
            self.now += REST
            self.see(table, image)
            yield

    def leave(self) -> None:
        """Back to the start screen."""
        self.app.leave_table()
        self.app.show(StartScreen(self.app))
        self.app.round()


def run(hours: float, games: list[str], before: int, count: int, day: Day) -> bool:
    """The day, after so many games `before` it; whether it cost no more than it may."""
    random.seed(1)
    begun, morning = time.perf_counter(), 0.0
    warm = cost = Cost.now()
    for number in range(before + count):
        table, last = day.play(games[number % len(games)], 70_000 + number)
        if number >= before:
            for _ in day.rest(table, last, morning + hours * 3600 * (number + 1 - before) / count - day.now):
                pass
        day.leave()
        del table, last
        cost = Cost.now()
        told = (
            f"{day.now / 3600:5.2f} h, {number + 1} games, {day.over} over, {day.actions} actions, {day.frames} frames"
        )
        print(f"{told}: {cost}; {time.perf_counter() - begun:.0f} s", flush=True)
        if number + 1 == before:
            warm, morning, day.actions = cost, day.now, 0
    growth, files, written = cost.resident - warm.resident, cost.files - warm.files, cost.written - warm.written
    print(
        f"{(day.now - morning) / 3600:.1f} h at the table: memory grew by {growth:.1f} MB since the warm-up "
        f"({cost.used - warm.used:+.1f} MB in use), "
        f"{files:+d} open files, {written:.1f} MB written, {day.actions} actions in {count} games"
    )
    day.lights.close()
    day.store.close()
    return growth < GROWTH_MB and files <= 0 and written < WRITTEN_MB


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=12.0)
    parser.add_argument("--games", nargs="+", default=["triangle", "via"])
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--before", type=int, default=4, help="games of the evening before")
    parser.add_argument("--size", default="960x540")
    parser.add_argument("--longest", type=float, default=3600.0, help="seconds after which a game is given up")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    width, height = map(int, options.size.split("x"))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        day = Day(Path(folder), (width, height), options.longest)
        sys.exit(not run(options.hours, options.games, options.before, options.count, day))


if __name__ == "__main__":
    main()
