"""Speed and weight of the touchscreen program: start, memory, idling, drawing. `python -m tests.benchmarks.screens`.

Each figure comes from a fresh process on SDL's dummy driver; the limits are those of the project.
"""

from __future__ import annotations

import subprocess
import sys

START = """
import os, time
os.environ["SDL_VIDEODRIVER"] = "dummy"
began = time.perf_counter()
import resource, tempfile
from pathlib import Path
from companion.table.library import Library
from companion.table.store import Store
from companion.ui.app import run
library = Library(Store(Path(tempfile.mkdtemp())))
run(library, size=(1280, 720), language="de", theme="light", max_frames=2)
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""

TABLE = """
import os, time
os.environ["SDL_VIDEODRIVER"] = "dummy"
import statistics, sys
import pygame
from companion.ui.app import App, IDLE
from tests.ui.finger import Finger
from tests.ui.games import played
from tests.ui.memory import MemoryLibrary
pygame.display.init(); pygame.font.init()
library = MemoryLibrary()
table = played(library, actions=40)
app = App(library, pygame.display.set_mode((1280, 720)), language="de", theme="light", model=table)
finger = Finger(app)
began, used = time.perf_counter(), time.process_time()
while time.perf_counter() - began < 5:
    if not app.round():
        time.sleep(IDLE)
idle = (time.process_time() - used) / (time.perf_counter() - began)

def timed(work):
    times = []
    for _ in range(30):
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)

def built():
    app.rebuild()
    app.round()

def undo():
    finger.tap("Zurück")
    table.enter(table.state().position.legal_actions()[0])
    app.round()

import resource
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(100 * idle, timed(app.paint), timed(built), timed(undo), peak)
"""


def _figures(program: str) -> list[float]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return [float(figure) for figure in done.stdout.splitlines()[-1].split()]


def main() -> int:
    """Measures, prints, and fails where a limit is broken."""
    start, memory = min(_figures(START) for _ in range(3))
    idle, paint, build, tap, later = _figures(TABLE)
    rows = [
        ("start to first screen (s)", start, 1.5),
        ("memory at the start (MB)", memory, 200),
        ("memory at the table (MB)", later, 200),
        ("idle table (% of a core)", idle, 3),
        ("painting a screen (ms)", paint, 16),
        ("laying out and painting (ms)", build, 50),
        ("a tap, undone and drawn (ms)", tap, 50),
    ]
    for name, value, limit in rows:
        print(f"{name:32} {value:8.2f}   limit {limit:6.1f}   {'ok' if value <= limit else 'BROKEN'}")
    return int(any(value > limit for _, value, limit in rows))


if __name__ == "__main__":
    sys.exit(main())
