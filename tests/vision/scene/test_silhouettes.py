"""Which points of the picture's grid a look covers."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.looks import Prism
from companion.games.sites import SiteSpec
from companion.vision.geometry.grid import Grid
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints
from companion.vision.scene.silhouettes import RIM, Draughtsman, Shape

ABOVE = 700.0
BLOCK = (Prism(((-5.0, -5.0), (-5.0, 5.0), (5.0, 5.0), (5.0, -5.0)), 0.0, 20.0, (200, 0, 0)),)


def covered(z: float) -> int:
    """How many points of a grid of one millimetre a block surely covers that stands so high under a camera."""
    pose = Pose(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, ABOVE]), Lens.nominal((1280, 720)), (), 0.0, 0.0)
    corners = np.array([(x, y, 0.0) for x, y in ((-100, -100), (100, -100), (100, 100), (-100, 100))])
    site = SiteSpec("cell:a1", "cell", (0.0, 0.0, 0.0), 0.0, ("block",), 20.0)
    shape = Shape(BLOCK, 0.0, Paints.of([BLOCK]))
    patch = Draughtsman(pose, Grid.over(pose, corners, 1.0)).draw(BLOCK, shape, site, (0.0, 0.0, z))
    return int((patch.slot != RIM).sum())


def test_what_is_nearer_the_camera_covers_more() -> None:
    assert 0 < covered(0.0) < covered(100.0)


@pytest.mark.parametrize("z", [ABOVE - 10, ABOVE + 100])
def test_what_lies_behind_the_camera_covers_nothing(z: float) -> None:
    assert covered(z) == 0
