"""Which patches a kind of sites is read from: planes at the heights of its pieces, and of stacks of them, as wide as
these reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.sites import SiteSpec
from companion.vision.networks.outline import Outline
from companion.vision.networks.sweep import Frame, Sweep

AROUND = 16.0
"""Millimetres around the sites that belong to the patch: shadows, and what stands beside."""

STEP = 2.0
"""Millimetres between the points of a patch."""

WIDE = 64.0
"""Millimetres across which no patch is wider: of pieces that reach farther only the middle is looked at, ..."""

MIDDLE, CLOSE = 20.0, 0.5
"""... so many millimetres across, with points so many millimetres apart: how they meet their neighbours tells most. The
joint of two walls is as wide as a wall, about five pixels of a picture that shows a millimetre with 1.3, and points any
farther apart than its pixels would miss what it shows.
"""

FLAT = 0.1
"""How high what lies flat is at most, beside its width: its drawing tells, and the middle of that does not."""

PLANES = 7
"""Planes at most; of pieces with more steps than that, only the foot, the middle and the top count."""


def patches_of(game: Game[Any, Any], sites: Sequence[SiteSpec]) -> Sweep | Outline:
    """What cuts out the patches of all sites of one kind: of blocks that differ in height only, their outlines."""
    blocks = {game.look(sites[0].kind, label) for site in sites for label in site.labels}
    solids = [look[0] for look in blocks if len(look) == 1]
    prisms = [solid for solid in solids if isinstance(solid, Prism) and not solid.marks and solid.z0 == 0]
    heights = sorted({solid.z1 for solid in prisms})
    only = len(prisms) == len([look for look in blocks if look])
    if only and len(heights) > 1 and len({solid.footprint for solid in prisms}) == 1:
        return Outline(sites, prisms[0].footprint, (0.0, *heights))
    return Sweep(sites, frame_of(game, sites))


def frame_of(game: Game[Any, Any], sites: Sequence[SiteSpec]) -> Frame:
    """The frame of patches for all sites of one kind."""
    labels = {label for site in sites for label in site.labels}
    solids = [solid for label in labels for solid in game.look(sites[0].kind, label)]
    tops = {solid.z1 if isinstance(solid, Prism) else solid.z + solid.diameter / 2 for solid in solids}
    stack = max(site.stack for site in sites)
    heights = sorted({0.0, *(storey * top for top in tops for storey in range(1, stack + 1))})
    if len(heights) > PLANES or any(not isinstance(solid, Prism) for solid in solids):
        heights = [0.0, heights[-1] / 2, heights[-1]]
    extent = max(site.size for site in sites) + AROUND
    if heights[-1] < FLAT * extent:
        extent = min(extent, WIDE)
    extent, step = (extent, STEP) if extent <= WIDE else (MIDDLE, CLOSE)
    return Frame(int(np.ceil(extent / step / 2)) * 2, step, tuple(heights))
