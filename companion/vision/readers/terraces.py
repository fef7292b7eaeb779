"""Reading what stands upon other things: first these (blocks of several heights), then the pieces upon them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints, Raster
from companion.vision.light.palette import Palette
from companion.vision.readers.blocks import Blocks
from companion.vision.readers.riders import Riders
from companion.vision.reading import Hear, SiteReading

SEEN = 0.5
"""Part of what should show a paint that has to, for it to be known in this picture: pieces and hands hide the rest."""


class TerraceKind:
    """All sites that pieces stand upon, and those pieces."""

    def __init__(
        self, game: Game[Any, Any], hosts: Sequence[SiteSpec], riders: Sequence[SiteSpec], paints: Paints, board: Raster
    ) -> None:
        self.sites = (*hosts, *riders)
        self._count = len(hosts)
        self._blocks = Blocks(game, hosts, paints, board)
        self._riders = Riders(game, riders, hosts, paints, board)
        self._bare, self._paint = self._blocks.bare

    @property
    def astray(self) -> bool:
        """Whether blocks that were looked at last stand off their places, as if the board lay elsewhere."""
        return self._blocks.astray

    def plan(self, pose: Pose) -> Pose:
        """Gets ready for a pose."""
        self._blocks.plan(pose)
        return pose

    def sheen(self, image: Array) -> float:
        """How much light what is around adds to all blocks alike."""
        return self._blocks.sheen(image)

    def sure(self, image: Array, palette: Palette, plan: Pose) -> tuple[Array, Array]:
        """Pixels (n, 2) whose paint is beyond doubt, and the numbers (n,) of the paints: of the board beyond all hosts,
        where most of what should show a paint does.
        """
        at = plan.project(np.column_stack([self._bare, np.zeros(len(self._bare))]))
        paints = np.unique(self._paint)
        evidence = palette.read(image, at, tuple(paints.tolist()))
        fits = np.take_along_axis(evidence, np.searchsorted(paints, self._paint)[:, None], axis=1)[:, 0]
        shown = (fits > 0) & in_picture(at, plan.lens.size)
        most = [paint for paint in paints if shown[self._paint == paint].mean() > SEEN]
        sure = shown & np.isin(self._paint, most)
        return at[sure], self._paint[sure]

    def read(
        self, image: Array, palette: Palette, plan: Pose, which: Array, hear: Hear, glance: bool = False
    ) -> list[SiteReading]:
        """The sites with the numbers `which`; pieces stand upon what was last seen on the other sites. `hear` asks
        others who look at the picture; at a `glance` they are believed of blocks where they surely see some, or rather
        what was there, and shadows are not asked.
        """
        hosts, riders = which[which < self._count], which[which >= self._count]
        blocks, pieces = self._blocks, self._riders
        afresh = not blocks.looked or len(hosts) == self._count
        glance = glance and not afresh
        closely = np.arange(self._count) if afresh else blocks.glance(hosts, hear) if glance else hosts
        if len(closely):
            blocks.look(image, closely, hear)
        found: dict[int, SiteReading] = {}
        asked = riders - self._count if len(riders) else np.arange(len(self.sites) - self._count)

        def look_upon() -> None:
            labels = blocks.stand.label
            heights, rather = blocks.solids.heights[labels], blocks.doubtful
            changed = np.arange(self._count) if afresh else hosts
            readings = pieces.read(image, palette, plan, labels, heights, asked, changed, rather)
            found.update(zip((asked + self._count).tolist(), readings, strict=True))

        if len(riders) or afresh:
            look_upon()
        if len(closely) and not glance:
            stood = blocks.stand.label.copy()
            beside = blocks.relief.hide(pieces.standing, *pieces.bounds)
            blocks.settle(closely if afresh else np.intersect1d(beside, closely))
            blocks.weigh_shadows(closely)
            if found and (stood != blocks.stand.label).any():
                look_upon()  # what a piece stands upon tells where its foot is
        found.update(zip(hosts.tolist(), blocks.readings(hosts), strict=True))
        return [found[int(k)] for k in which]
