"""The simulated table as a camera: its players go on with the game from any position."""

from __future__ import annotations

from typing import Any

from companion.games.core import Position
from companion.table.rehearsal import Rehearsal
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedCamera, SimulatedTable

DIFFICULTY = 0.3
"""A well-lit room."""

SIZE = (1280, 720)
FRAME_RATE = 5.0
"""Frames a second; drawing them takes most of the time."""

FPS = 3.0
"""Frames a second of simulated time where every one is looked at."""

PAUSE = 0.25
"""How long the players then think, as a part of what people take."""


class Simulation:
    """Simulated players who play on from `position`; `camera` sees their table, `rehearsal` knows the truth.

    `speed`: how many times shorter than usual their pauses are. `live`: the camera keeps to the clock and leaves frames
    out; otherwise every frame comes, as fast as it can be drawn.
    """

    def __init__(self, position: Position[Any], seed: int, *, speed: float = 1.0, live: bool) -> None:
        game, seats = position.game, position.game.seats(position.players)
        self.rehearsal = Rehearsal(game, position.players, seed=seed)
        self.rehearsal.position = position
        table = SimulatedTable(game, self.rehearsal.steps(), seed, (1.0 if live else PAUSE) / speed)
        conditions = Conditions.random(game, seed, DIFFICULTY, SIZE, seats)
        self.camera = SimulatedCamera(table, conditions, live=True) if live else SimulatedCamera(table, conditions, FPS)
