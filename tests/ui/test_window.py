"""The whole program in a real window, under Xvfb, driven by real pointer events."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.table.session import Session
from companion.table.store import Store
from companion.vision.observation import Scene
from tests.ui.conftest import Program
from tests.ui.finger import Finger
from tests.ui.memory import MemoryLibrary, MemoryTable

MISSING = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

SIZE = (800, 480)
PATIENCE = 60.0
SETTLE = 0.8
"""Seconds that the program may take to show what a click has changed."""

SEEN = 6.0
"""Seconds until the simulated table has been drawn and seen for the first time, after which the screen changes."""


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of its own."""
    reads, writes = os.pipe()
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writes], stderr=subprocess.DEVNULL)
    os.close(writes)
    with os.fdopen(reads) as told:
        number = told.readline().strip()
    assert number, "Xvfb did not start"
    yield f":{number}"
    server.terminate()
    server.wait(10)


@pytest.fixture
def running(display: str, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`companion play` in that display, with a folder of its own and no camera."""
    environment = os.environ | {
        "DISPLAY": display,
        "SDL_VIDEODRIVER": "x11",
        "SDL_AUDIODRIVER": "dummy",
        "SDL_VIDEO_WINDOW_POS": "0,0",
        "COMPANION_DATA": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "LANG": "C.UTF-8",
    }
    command = [sys.executable, "-m", "companion.main", "play", "--camera", "simulated", "--lights", "none"]
    program = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    yield program
    if program.poll() is None:
        program.send_signal(signal.SIGTERM)
        program.wait(20)


def xdotool(display: str, *words: object) -> str:
    environment = os.environ | {"DISPLAY": display}
    done = subprocess.run(["xdotool", *map(str, words)], env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def window_under_the_pointer(display: str) -> str:
    return xdotool(display, "getmouselocation", "--shell").partition("WINDOW=")[2]


def until(wanted: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.1)


def recorded(folder: Path) -> list[str]:
    """The actions of the last game on record."""
    if not (folder / "companion.db").exists():
        return []
    with Store(folder) as store:
        found = store.records(1)
        return [str(one.action) for one in Session.resume(store, found[0].name).played] if found else []


def games(folder: Path) -> int:
    if not (folder / "companion.db").exists():
        return 0
    with Store(folder) as store:
        return len(store.records())


def press(display: str, at: tuple[int, int]) -> None:
    xdotool(display, "mousemove", *at, "click", 1)


def test_a_game_is_begun_and_entered_with_a_real_pointer(
    program: Program, display: str, running: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    """A program in this process, in the same state, tells where the buttons are."""
    twin: Finger = program(MemoryLibrary(), SIZE)
    folder = tmp_path / "data"

    def click(label: str) -> None:
        at = twin.button(label).rect.center
        press(display, at)
        twin.tap(label)
        time.sleep(SETTLE)

    bare = window_under_the_pointer(display)
    until(lambda: window_under_the_pointer(display) != bare)
    time.sleep(1.0)
    click("Triangle")
    click("Begin")
    until(lambda: games(folder) == 1)
    time.sleep(SEEN)
    table = twin.app.model
    assert isinstance(table, MemoryTable)
    table.change(scene=Scene.STILL)  # as there: the simulated table stands in for a camera
    twin.settle()
    click("Enter by hand")
    for number, tile in enumerate(("RRR6", "RRY5"), start=1):
        click(tile)
        until(lambda number=number: len(recorded(folder)) == number)  # type: ignore[misc]
    assert recorded(folder) == ["draw 0 RRR6", "draw 1 RRY5"]
    click("Undo")
    until(lambda: len(recorded(folder)) == len(table.actions))
    click("Menu")
    click("Leave the table")
    click("Quit")
    assert running.wait(PATIENCE) == 0
