"""Speed and weight of the touchscreen program. `python -m tests.benchmarks.screens`.

Start, memory, idling, drawing, dice that tumble, and a tap while vision works at full speed in the background. Each
figure comes from a fresh process on SDL's dummy driver; the limits are those of the project. Beside times by the clock
stands the processor time of the screens' thread: on a machine that does other things too the clock tells more of those.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

START = """
import os, time
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
began = time.perf_counter()
import resource, tempfile
from pathlib import Path
from companion.table.library import Library
from companion.table.store import Store
from companion.ui.app import run
library = Library(Store(Path(tempfile.mkdtemp())))
run(library, size=(1280, 720), language="de", theme="light", max_frames=2)
print(time.perf_counter() - began, time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""

COMMON = """
import os, time
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
import resource, statistics, sys, tempfile, threading
from pathlib import Path
import cv2
import pygame
from companion.ui.app import App, IDLE
from tests.ui.finger import Finger
from tests.ui.games import played
from tests.ui.memory import MemoryLibrary
cv2.setNumThreads(1)
pygame.display.init(); pygame.font.init()
def app_of(library, model):
    return App(library, pygame.display.set_mode((1280, 720)), language="de", theme="light", model=model)
def timed(work, times=30):
    by_clock, used = [], []
    for _ in range(times):
        began, before = time.perf_counter(), time.thread_time()
        work()
        by_clock.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (time.thread_time() - before))
    return f"{statistics.median(by_clock)} {statistics.median(used)}"
"""

TABLE = (
    COMMON
    + """
library = MemoryLibrary()
table = played(library, actions=40)
app = app_of(library, table)
finger = Finger(app)
app.sounds.rest()
began, used = time.perf_counter(), time.process_time()
while time.perf_counter() - began < 10:
    if not app.round():
        time.sleep(IDLE)
idle = (time.process_time() - used) / (time.perf_counter() - began)

def built():
    app.rebuild()
    app.round()

def undo():
    finger.tap("Zurück")
    table.enter(table.state().position.legal_actions()[0])
    app.round()

peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(100 * idle, timed(app.paint), timed(built), timed(undo), peak)
"""
)

DICE = (
    COMMON
    + """
from companion.games.registry import load_game
from companion.table.library import Library
from companion.table.seating import seated
from companion.table.store import Store
from companion.ui.screens.dice import DiceScreen
store = Store(Path(tempfile.mkdtemp()))
library = Library(store)
table = library.new_game("labyria", seated(load_game("labyria"), ["Ada", "Ben"]), {})
app = app_of(library, table)
app.round()
frames, used = [], []
for _ in range(3):
    app.show(DiceScreen(app, table))
    app.round()
    while app.screen.tumbling:
        began, before, step = time.perf_counter(), time.thread_time(), app.screen._shown
        app.round()
        if app.screen._shown != step:  # the dice were painted
            frames.append(1000 * (time.perf_counter() - began))
            used.append(1000 * (time.thread_time() - before))
        time.sleep(0.004)
print(statistics.median(frames), statistics.median(used), statistics.quantiles(frames, n=20)[-1], len(frames))
"""
)

TAP = (
    COMMON
    + """
from companion.games.registry import load_game
from companion.table.following import following
from companion.table.library import Library
from companion.table.seating import seated
from companion.table.store import Store
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedCamera, SimulatedTable
game = load_game("triangle")
table = played(MemoryLibrary(), actions=40)
position = table.state().position
conditions = Conditions.random(game, 3, 0.3, (1280, 720), (0, 1))
camera = SimulatedCamera(SimulatedTable(game, following(lambda: position), 3, 0.1), conditions, 3.0, live=False)
images = [camera.read().image for _ in range(6)]
looks, stop = [0], threading.Event()
def work():
    # every frame is another picture, so that the board is read afresh again and again
    watcher = Watcher(game)
    while not stop.is_set():
        image = images[looks[0] % len(images)]
        watcher.observe(Frame(image, 0.4 * looks[0], looks[0]))
        if looks[0] % 6 == 5:
            watcher = Watcher(game)
        looks[0] += 1
thread = threading.Thread(target=work, daemon=True)
library = MemoryLibrary()
table = played(library, actions=40)
app = app_of(library, table)
finger = Finger(app)
thread.start()
waits, used, began_all = [], [], time.perf_counter()
for k in range(60):
    label = "Menü" if k % 2 == 0 else "back"
    button = next(b for b in app.screen.buttons if label in (b.label, b.icon))
    x, y = button.rect.center
    for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
        pygame.event.post(pygame.event.Event(kind, x=x / 1280, y=y / 720, dx=0.0, dy=0.0, finger_id=1, touch_id=1))
    began, before, screen = time.perf_counter(), time.thread_time(), app.screen
    time.sleep(0.5 * IDLE)  # on average the program sleeps so long when the finger comes down
    while app.screen is screen or app._stale or app._dirty:
        if not app.round():
            time.sleep(IDLE)
    waits.append(1000 * (time.perf_counter() - began))
    used.append(1000 * (time.thread_time() - before))
    time.sleep(0.05)
seconds = time.perf_counter() - began_all
stop.set(); thread.join()
print(statistics.median(waits), statistics.median(used), statistics.quantiles(waits, n=20)[-1], looks[0] / seconds)
"""
)


def _figures(program: str) -> list[float]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return [float(figure) for figure in done.stdout.splitlines()[-1].split()]


def main() -> int:
    """Measures, prints, and fails where a limit is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    start, start_used, memory = min(_figures(START) for _ in range(3))
    idle, paint, paint_used, build, build_used, tap, tap_used, later = _figures(TABLE)
    dice, dice_used, dice_slow, dice_count = _figures(DICE)
    busy, busy_used, busy_slow, looks = _figures(TAP)
    rows = [
        ("start to first screen (s)", start, 1.5, start_used),
        ("memory at the start (MB)", memory, 200, None),
        ("memory at the table (MB)", later, 200, None),
        ("idle table (% of a core)", idle, 2, None),
        ("painting a screen (ms)", paint, 16, paint_used),
        ("laying out and painting (ms)", build, 50, build_used),
        ("a tap, undone and drawn (ms)", tap, 50, tap_used),
        ("a frame while dice tumble (ms)", dice, 8, dice_used),
        ("a tap while vision works (ms)", busy, 50, busy_used),
    ]
    for name, value, limit, used in rows:
        verdict = "ok" if value <= limit else "BROKEN"
        print(f"{name:32} {value:8.2f}   limit {limit:6.1f}   {verdict:7}", f"used {used:.2f}" if used else "")
    print(f"dice: {dice_count:.0f} frames, 95 % under {dice_slow:.1f} ms")
    print(f"taps: 95 % under {busy_slow:.1f} ms, beside {looks:.1f} looks a second; load {os.getloadavg()[0]:.1f}")
    return int(any(value > limit for _, value, limit, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
