"""From a changed frame to the verdict: vision and referee together, beside a marker detection on the same frame.

    python -m tests.benchmarks.verdict [--game via] [--games 2] [--actions 20]

Simulated games. Counted are the frames by which the reading of some site changes, and the decisions about them; whether
what they show has then lasted long enough, later frames tell, at no cost. The first frame, in which the whole table is
read, is left out. Storing comes after the verdict and is not counted.
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
from companion.referee.decision import Decision
from companion.referee.referee import Referee
from companion.table.conductor import Conductor
from companion.table.looking import follow
from companion.table.rehearsal import Rehearsal
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.store import Store
from companion.table.tapping import Tapping
from companion.vision.locating.board import detect_cards
from companion.vision.observation import Observation
from companion.vision.watching.watcher import Watcher
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
    """Watches, and keeps how long looks took by which labels changed, and decisions about what they show."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._labels: dict[str, str] = {}
        self.costs: list[Cost] = []
        self._seeing: float | None = None

    def observe(self, frame: Frame) -> Observation:
        """What the frame shows."""
        begun = time.process_time()
        observation = self._watcher.observe(frame)
        took = time.process_time() - begun
        labels = {} if observation.reading is None else {k: site.label for k, site in observation.reading.sites.items()}
        self._seeing = took if self._labels and labels and labels != self._labels else None
        self._labels, self._frame = labels or self._labels, frame
        return observation

    def decided(self, seconds: float) -> None:
        """Takes note of how long the decision took about what was observed last."""
        if self._seeing is None:
            return
        grey = cv2.cvtColor(self._frame.image, cv2.COLOR_BGR2GRAY)
        begun = time.process_time()
        detect_cards(grey)
        detection = time.process_time() - begun
        self.costs.append(Cost(*(1000 * t for t in (detection, self._seeing, seconds))))
        self._seeing = None


class TimedReferee(Referee):
    """Decides, and tells the eye how long that took."""

    def __init__(self, eye: TimedEye) -> None:
        super().__init__()
        self._eye = eye

    def decide(self, position: Position[Any], observation: Observation) -> Decision:
        """What the observation means in the position."""
        begun = time.process_time()
        decision = super().decide(position, observation)
        self._eye.decided(time.process_time() - begun)
        return decision


def costs(game_name: str, seed: int, actions: int, size: tuple[int, int]) -> list[Cost]:
    """What the frames of a game cost that show something new."""
    game = table_game(game_name)
    names, options = chosen(game, seed)
    players = seated(game, names or NAMES)
    rehearsal = Rehearsal(game, len(players), options, seed=seed, limit=actions)
    table = SimulatedTable(game, rehearsal.steps(), seed, PAUSE if game.hands == "open" else 1.0)
    conditions = Conditions.random(game, seed, 0.4, size, [player.seat for player in players])
    with TemporaryDirectory() as folder, Store(Path(folder)) as store:
        session = Session.create(store, game, players, options)
        eye = TimedEye(Watcher(game))
        conductor = Conductor(session, eye, referee=TimedReferee(eye))
        with SimulatedCamera(table, conditions, FPS) as camera:
            follow(camera, conductor, Tapping(rehearsal, table))
    return eye.costs


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
            print(f"{name} {size[0]}x{size[1]}, {len(found)} frames: {told(found)}", flush=True)


if __name__ == "__main__":
    main()
