"""From a changed frame to the verdict: vision and referee together, beside a marker detection on the same frame.

    python -m tests.benchmarks.verdict [--game via] [--games 2] [--actions 20]

Simulated games. For each action that was accepted from the camera, the dearest look and the dearest decision since the
one before are counted: the frame in which the change is read need not be the one in which it has lasted long enough.
Storing comes after the verdict and is not counted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import cv2

from companion.commands.simulation import FPS
from companion.games.core import Position
from companion.games.registry import GAMES, table_game
from companion.referee.decision import Accepts, Decision
from companion.referee.referee import Referee
from companion.table.conductor import Conductor
from companion.table.looking import follow
from companion.table.rehearsal import Rehearsal
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.store import Store
from companion.table.tapping import Tapping
from companion.vision.board import detect_cards
from companion.vision.observation import Observation
from companion.vision.watcher import Watcher
from hardware.camera import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedCamera, SimulatedTable
from tests.benchmarks.refereeing import NAMES, PAUSE, chosen

SIZES = ((1280, 720), (1536, 864), (2304, 1296))


class Cost(NamedTuple):
    """Milliseconds of processor time: of a detection, of seeing, of deciding."""

    detection: float
    seeing: float
    deciding: float


class TimedEye:
    """Watches, and keeps how long the dearest look took."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher, self.dearest, self.frame = watcher, 0.0, Frame(None, 0.0, 0)  # type: ignore[arg-type]

    def observe(self, frame: Frame) -> Observation:
        """What the frame shows."""
        begun = time.process_time()
        observation = self.watcher.observe(frame)
        self.dearest, self.frame = max(self.dearest, time.process_time() - begun), frame
        return observation


class TimedReferee(Referee):
    """Decides, and keeps what each accepted action of the camera has cost since the one before."""

    def __init__(self, eye: TimedEye) -> None:
        super().__init__()
        self._eye, self._dearest = eye, 0.0
        self.costs: list[Cost] = []

    def decide(self, position: Position[Any], observation: Observation) -> Decision:
        """What the observation means in the position."""
        begun = time.process_time()
        decision = super().decide(position, observation)
        self._dearest = max(self._dearest, time.process_time() - begun)
        if isinstance(decision, Accepts):
            grey = cv2.cvtColor(self._eye.frame.image, cv2.COLOR_BGR2GRAY)
            begun = time.process_time()
            detect_cards(grey)
            detection = time.process_time() - begun
            self.costs.append(Cost(*(1000 * t for t in (detection, self._eye.dearest, self._dearest))))
            self._eye.dearest = self._dearest = 0.0
        return decision


def costs(game_name: str, seed: int, actions: int, size: tuple[int, int]) -> list[Cost]:
    """What the accepted actions of a game cost; the first is left out, for the whole table is read before it."""
    game = table_game(game_name)
    names, options = chosen(game, seed)
    players = seated(game, names or NAMES)
    rehearsal = Rehearsal(game, len(players), options, seed=seed, limit=actions)
    table = SimulatedTable(game, rehearsal.steps(), seed, PAUSE if game.hands == "open" else 1.0)
    conditions = Conditions.random(game, seed, 0.4, size, [player.seat for player in players])
    with TemporaryDirectory() as folder, Store(Path(folder)) as store:
        session = Session.create(store, game, players, options)
        eye = TimedEye(Watcher(game))
        referee = TimedReferee(eye)
        conductor = Conductor(session, eye, referee=referee)
        with SimulatedCamera(table, conditions, FPS) as camera:
            follow(camera, conductor, Tapping(rehearsal, table))
    return referee.costs[1:]


def told(found: Sequence[Cost]) -> str:
    """Medians, and their ratio to a detection."""
    detection, seeing, deciding = (statistics.median(values) for values in zip(*found, strict=True))
    worst = sorted((cost.seeing + cost.deciding) / cost.detection for cost in found)[int(0.9 * (len(found) - 1))]
    return (
        f"detection {detection:.1f} ms, seeing {seeing:.1f} ms, deciding {deciding:.1f} ms: "
        f"{(seeing + deciding) / detection:.2f} of a detection, nine of ten below {worst:.2f} (wanted: 2.5)"
    )


def main() -> None:
    """Measures and prints medians for each size of picture."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, help="else all")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--actions", type=int, default=20)
    args = parser.parse_args()
    for name in [args.game] if args.game else list(GAMES):
        for size in SIZES:
            found = [cost for seed in range(7, 7 + args.games) for cost in costs(name, seed, args.actions, size)]
            print(f"{name} {size[0]}x{size[1]}, {len(found)} actions: {told(found)}", flush=True)


if __name__ == "__main__":
    main()
