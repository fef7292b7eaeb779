"""How much processor time the watcher takes for a frame, against marker detection on the same frame in the same run.

    python -m tests.benchmarks.watching [TURNS]

Wanted: a frame in which nothing changed at most 0.25 of a detection; a changed and settled frame, with the referee's
verdict, at most 2.0.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from typing import TypeVar

import cv2

from companion.games.registry import load_game
from companion.vision.geometry.lens import Lens
from companion.vision.images import Image
from companion.vision.locating.board import locate
from companion.vision.observation import Scene
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame
from hardware.simulated.conditions import SIZES, Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import HandPose, scene_of

GAME = load_game("triangle")
START = {"cell:12": "RRY5/1", "rack:0.0": "BBR5", "rack:0.1": "PPP6", "rack:1.2": "GRB3", "hole:5": "red"}
LAID = [
    ("cell:22", "GPR1/0", "rack:0.1", "YYR4", "hole:9", "blue"),
    ("cell:3", "BBY4/1", "rack:0.2", "GGY4", "hole:40", "red"),
    ("cell:30", "PPB4/0", "rack:1.1", "PYR2", "hole:77", "blue"),
    ("cell:8", "YYB5/0", "rack:1.2", "GRY3", "hole:15", "red"),
    ("cell:17", "RRP5/2", "rack:0.3", "BPY3", "hole:60", "blue"),
]
T = TypeVar("T")


def timed(work: Callable[[], T], into: list[float]) -> T:
    """The result of the work; its milliseconds are added to `into`."""
    start = time.thread_time()
    result = work()
    into.append(1000 * (time.thread_time() - start))
    return result


def measure(size: tuple[int, int], turns: int) -> dict[str, list[float]]:
    """Milliseconds of each kind of frame, and of the detection of markers beside it."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    conditions = Conditions.random(GAME, 3, 0.4, size, seats=(0, 1))
    renderer, watcher = Renderer(GAME, conditions), Watcher(GAME)
    spent: dict[str, list[float]] = {k: [] for k in ("detection", "first", "unchanged", "moving", "hand", "changed")}
    clock = iter(range(10**6))

    def see(image: Image, kind: str | None = None) -> Scene:
        number = next(clock)
        found: list[float] = []
        seen = timed(lambda: watcher.observe(Frame(image, number / 5, number)), found)
        if kind is not None:
            spent[kind] += found
            timed(lambda: detector.detectMarkers(image), spent["detection"])
        return seen.scene

    labels = dict(START)
    scene = scene_of(GAME, labels, 1)
    for kind in (None, None, "first", *[None] * 12):
        see(renderer.render(scene, 0), kind)
    for turn in range(turns):
        cell, tile, slot, drawn, hole, counter = LAID[turn % len(LAID)]
        if labels.pop(cell, None) is None:
            labels |= {cell: tile, slot: drawn, hole: counter}
        after = scene_of(GAME, labels, 1)
        hand = HandPose(10.0 * turn, 0.0, 15.0, 200.0, look=turn)
        over = renderer.render(replace(after, hands=(hand,)), turn)
        for kind in ("moving", None, "hand"):
            see(over, kind)
        free = renderer.render(after, turn)
        for kind in ("moving", None, "changed"):
            scene_seen = see(free, kind)
        assert scene_seen is Scene.STILL
        for k in range(12):
            see(renderer.render(after, 100 + k), "unchanged" if k > 8 else None)
    spent["locate"] = []
    for _ in range(3):
        timed(lambda: locate(free, GAME, Lens.nominal(size), watcher.pose), spent["locate"])
    return spent


def main() -> None:
    """Prints medians and ratios for each size."""
    cv2.setNumThreads(1)
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    for size in SIZES:
        spent = measure(size, turns)
        base = median(spent["detection"])
        print(f"{size[0]}x{size[1]}: detection {base:.1f} ms")
        for kind, values in spent.items():
            if kind != "detection":
                print(f"  {kind:10} {median(values):7.2f} ms  {median(values) / base:5.2f} of a detection")


if __name__ == "__main__":
    main()
