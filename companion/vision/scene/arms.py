"""Things that reach over other sites: the arms of a corner stand on edges, where squares could stand.

Who looks at such a site sees an arm there, if not whose it is, and so hears of the sites that it may belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import on_board

ARM = "arm"
"""How those who look at a site call what reaches over it from another one."""


def arms_over(game: Game[Any, Any], site: SiteSpec, sites: Sequence[SiteSpec]) -> Array:
    """Which labels of a site have an arm over the middles of which of `sites` (labels, sites)."""
    middles = np.array([other.centre[:2] for other in sites], np.float32)
    over = np.zeros((len(site.labels), len(sites)), bool)
    for row, label in enumerate(site.labels):
        for solid in game.look(site.kind, label):
            if isinstance(solid, Prism):
                foot = on_board(site, np.array(solid.footprint)).astype(np.float32)
                near = ((middles > foot.min(axis=0)) & (middles < foot.max(axis=0))).all(axis=1)
                for k in np.flatnonzero(near):  # few: the test of a polygon takes its time
                    over[row, k] |= cv2.pointPolygonTest(foot, middles[k].tolist(), False) > 0
    return over
