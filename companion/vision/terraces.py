"""Reading what stands upon other things: first these (blocks of several heights), then the pieces upon them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.sites import SiteSpec
from companion.vision.blocks import Blocks
from companion.vision.board import Pose
from companion.vision.lens import Array
from companion.vision.palette import Palette
from companion.vision.raster import Paints, Raster
from companion.vision.reading import Hear, SiteReading
from companion.vision.riders import Riders


class TerraceKind:
    """All sites that pieces stand upon, and those pieces."""

    def __init__(
        self, game: Game[Any, Any], hosts: Sequence[SiteSpec], riders: Sequence[SiteSpec], paints: Paints, board: Raster
    ) -> None:
        self.sites = (*hosts, *riders)
        self._count = len(hosts)
        self._blocks = Blocks(game, hosts, paints, board)
        self._riders = Riders(game, riders, hosts, paints, board)

    def plan(self, pose: Pose) -> Pose:
        """Gets ready for a pose."""
        self._blocks.plan(pose)
        return pose

    def read(self, image: Array, palette: Palette, plan: Pose, which: Array, hear: Hear) -> list[SiteReading]:
        """The sites with the numbers `which`; pieces stand upon what was last seen on the other sites. `hear` asks
        others who look at the picture.
        """
        hosts, riders = which[which < self._count], which[which >= self._count]
        blocks, pieces = self._blocks, self._riders
        afresh = not blocks.looked or len(hosts) == self._count
        if len(hosts) or afresh:
            blocks.look(image, hosts, hear)
        found: dict[int, SiteReading] = {}
        if len(riders) or afresh:
            every = np.arange(len(self.sites) - self._count)
            number = riders - self._count if len(riders) else every
            labels = blocks.stand.label
            heights = blocks.solids.heights[labels]
            found.update(
                zip(number + self._count, pieces.read(image, palette, plan, labels, heights, number), strict=True)
            )
        if len(hosts):
            beside = blocks.relief.hide(pieces.standing, *pieces.bounds)
            blocks.settle(np.arange(self._count) if afresh else np.intersect1d(beside, hosts))
        found.update(zip(hosts.tolist(), blocks.readings(hosts), strict=True))
        return [found[int(k)] for k in which]
