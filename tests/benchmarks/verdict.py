"""From a changed frame to the verdict: vision and referee together, beside a marker detection on the same frame.

    python -m tests.benchmarks.verdict [--games 2] [--actions 40]

Simulated games; counted are the frames from which an action was accepted. Storing it comes after the verdict and is not
counted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import chain

import cv2

from companion.games.registry import load_game
from companion.referee.decision import Accepts
from companion.referee.referee import Referee
from companion.table.rehearsal import Rehearsal
from companion.vision.board import detect_cards
from companion.vision.watcher import Watcher
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedCamera, SimulatedTable


def game(seed: int, actions: int, size: tuple[int, int]) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of detection, of seeing and of deciding, for each frame that led to an action."""
    rules = load_game("triangle")
    rehearsal = Rehearsal(rules, 2, seed=seed, limit=actions)
    table = SimulatedTable(rules, rehearsal.steps(), seed, 0.25)
    conditions = Conditions.random(rules, seed, 0.4, size, [0, 1])
    watcher, referee, position = Watcher(rules), Referee(), rules.new(2)
    detections: list[float] = []
    seen: list[float] = []
    decided: list[float] = []
    with SimulatedCamera(table, conditions, 3.0) as camera:
        while (frame := camera.read()) is not None:
            begun = time.process_time()
            observation = watcher.observe(frame)
            read = time.process_time()
            decision = referee.decide(position, observation)
            done = time.process_time()
            if not isinstance(decision, Accepts):
                continue
            before = position
            for step in decision.steps:
                position = position.play(step.action)
            referee.accepted(before, position, observation.reading)
            grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
            start = time.process_time()
            detect_cards(grey)
            detections.append((time.process_time() - start) * 1000)
            seen.append((read - begun) * 1000)
            decided.append((done - read) * 1000)
    return detections, seen, decided


def main() -> None:
    """Measures and prints medians for each size of picture."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--actions", type=int, default=40)
    args = parser.parse_args()
    for size in ((1280, 720), (1536, 864), (2304, 1296)):
        figures = [game(seed, args.actions, size) for seed in range(7, 7 + args.games)]
        detection, seen, decided = (statistics.median(chain.from_iterable(f[k] for f in figures)) for k in range(3))
        ratio = (seen + decided) / detection
        print(
            f"{size[0]}x{size[1]}: detection {detection:.1f} ms, seeing {seen:.1f} ms, deciding {decided:.1f} ms: "
            f"{ratio:.2f} of a detection (target 2.0)"
        )


if __name__ == "__main__":
    main()
