"""How long the simulated camera takes for a picture: `python -m tests.benchmarks.rendering`.

Milliseconds of processor time on one core: the first picture, a still one, one with a hand, one after a piece has
changed, one after the board was pushed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from companion.games.registry import load_game
from hardware.simulated.conditions import SIZES, Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import HandPose, Scene, Shift, scene_of

GAME = load_game("triangle")
TILES = {f"cell:{k}": f"{tile}/0" for k, tile in enumerate(GAME.tiles[:16])}
RACKS = {f"rack:{k // 4}.{k % 4}": tile for k, tile in enumerate(GAME.tiles[16:32])}


def milliseconds(draw: Callable[[int], object], times: int) -> float:
    """Processor time of a call, on average."""
    start = time.process_time()
    for k in range(times):
        draw(k)
    return (time.process_time() - start) / times * 1000


def measure(conditions: Conditions) -> list[float]:
    """The five times for one set of conditions."""
    renderer, scene = Renderer(GAME, conditions), scene_of(GAME, {**TILES, **RACKS})

    def fewer(k: int) -> Scene:
        return replace(scene, pieces={site: p for n, (site, p) in enumerate(scene.pieces.items()) if n != k})

    return [
        milliseconds(lambda k: renderer.render(scene, k), 1),
        milliseconds(lambda k: renderer.render(scene, k), 6),
        milliseconds(lambda k: renderer.render(replace(scene, hands=(HandPose(5.0 * k, 0, 20, 40, 3),)), k), 6),
        milliseconds(lambda k: renderer.render(fewer(k), k), 4),
        milliseconds(lambda k: renderer.render(replace(scene, board=Shift(0.1 * k)), k), 3),
    ]


def main() -> None:
    """Prints a line for each size, as it is and quick."""
    cv2.setNumThreads(1)
    print(f"{'size':>10}  mode   first  still   hand  piece  board")
    for size in SIZES:
        for quick in (False, True):
            drawn = [Conditions.random(GAME, seed, 0.5, size) for seed in range(4)]
            times = np.mean([measure(c.quick() if quick else c) for c in drawn], axis=0)
            print(f"{size[0]:>5}x{size[1]:<4}  {'quick' if quick else 'full '}" + "".join(f"{t:7.0f}" for t in times))


if __name__ == "__main__":
    main()
