"""Films of the simulated table by the path tracer."""

from __future__ import annotations

import numpy as np

from hardware.camera import Image
from hardware.simulated.colours import Light
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene import Scene
from hardware.simulated.sensor import Development
from hardware.simulated.table import SimulatedCamera, SimulatedTable
from tests.raytracing.table import SAMPLES, traced

IN_MOTION = 4
"""Paths a pixel where a hand is over the table: nobody looks closely then."""


class TracedCamera(SimulatedCamera):
    """A camera over a simulated table whose pictures are path-traced: each scene once, each frame with its noise."""

    name = "path-traced"

    def __init__(self, table: SimulatedTable, conditions: Conditions, fps: float) -> None:
        super().__init__(table, conditions, fps)
        size = conditions.lens.width, conditions.lens.height
        self._conditions, self._size = conditions, size
        self._development = Development(conditions.sensor, size, conditions.seed)
        self._exposed: tuple[Scene, Light] | None = None

    def _picture(self) -> Image:
        if self._exposed is None or self._exposed[0] != self.scene:
            self._exposed = (self.scene, self._development.expose(self._light()))
        return self._development.develop(self._exposed[1], self._tick)

    def _light(self) -> Light:
        if self.scene.dark:
            return np.zeros((self._size[1], self._size[0], 3), np.float32)
        samples = IN_MOTION if self.scene.hands else SAMPLES
        return traced(self.table.game, self.scene, self._conditions, samples)
