"""Whole games before the simulated camera, shown on the screens from the first action to the result.

    python -m tests.benchmarks.seen [GAME …] [--seed N] [--left N]

Simulated players play and tap; the program runs on SDL's dummy driver and is touched where it asks. For each game: how
many actions were recorded as they were made, the time that it took, and where it stalled if it did. The exit status is
1 where a game was not seen to its end, or not as it was played.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"

import cv2
import pygame

from companion.games.registry import GAMES
from companion.ui.app import App
from tests.ui.finger import Finger
from tests.ui.seeing import Play, wait_until


def played(name: str, seed: int, left: int | None, seconds: float) -> bool:
    """Plays the game and prints how it went; whether all of it was recorded as it was played."""
    with tempfile.TemporaryDirectory() as folder:
        play = Play(Path(folder), name, left, seed=seed)
        with play.store:
            finger = Finger(App(play.library, pygame.display.set_mode((800, 480)), language="en", theme="light"))
            began, stalled = time.monotonic(), ""
            finger.tap("Go on playing")
            model = finger.app.model
            assert model is not None
            try:
                wait_until(finger, lambda: finger.screen == "result", seconds)
            except AssertionError as error:
                stalled = f"; stalled: {error}"
            seen = [str(one.action) for one in model.state().played[play.before :]]
            finger.app.leave_table()
            right = next((k for k, (a, b) in enumerate(zip(seen, play.left, strict=False)) if a != b), len(seen))
            print(f"{name}: {right} of {len(play.left)} actions, {time.monotonic() - began:.0f} s{stalled}", flush=True)
            return seen == play.left


def main() -> int:
    """Plays and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--left", type=int, help="only so many of the last actions before the camera")
    parser.add_argument("--seconds", type=float, default=1800.0, help="after which a game has stalled")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    pygame.display.init()
    pygame.font.init()
    right = [played(name, options.seed, options.left, options.seconds) for name in options.games]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
