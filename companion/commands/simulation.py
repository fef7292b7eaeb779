"""The simulated table as a camera: played by simulated players, or by hands that do what people enter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

from companion.games.core import Position
from companion.table.following import following
from companion.table.rehearsal import Rehearsal
from hardware.simulated.conditions import Conditions
from hardware.simulated.script import Step
from hardware.simulated.table import SimulatedCamera, SimulatedTable

DIFFICULTY = 0.3
"""A well-lit room."""

SIZE = (1280, 720)

FPS = 3.0
"""Frames a second of simulated time where every one is looked at; drawing them takes most of the time."""

LIVE_FPS = 5.0


class Simulation:
    """Simulated players who play on from `position`; `camera` sees their table, `rehearsal` knows the truth.

    `speed`: how many times shorter than usual their pauses are. `live`: the camera keeps to the clock and leaves frames
    out; otherwise every frame comes, as fast as it can be drawn.
    """

    def __init__(self, position: Position[Any], seed: int, *, speed: float = 1.0, live: bool) -> None:
        self.rehearsal = Rehearsal(position.game, position.players, seed=seed)
        self.rehearsal.position = position
        self.camera = _camera(position, self.rehearsal.steps(), seed, 1.0 / speed, live)

    def finish(self) -> None:
        """The players do, with nobody looking, what is left to do: that may have been clear before they did it."""
        self.camera.table.scene(inf)


def following_camera(position: Callable[[], Position[Any]]) -> SimulatedCamera:
    """A live camera over a simulated table on which everything that is recorded is done by simulated hands."""
    return _camera(position(), following(position), 1, 1.0, True)


def _camera(position: Position[Any], script: Iterable[Step], seed: int, pause: float, live: bool) -> SimulatedCamera:
    game = position.game
    conditions = Conditions.random(game, seed, DIFFICULTY, SIZE, game.seats(position.players))
    return SimulatedCamera(SimulatedTable(game, script, seed, pause), conditions, LIVE_FPS if live else FPS, live=live)
