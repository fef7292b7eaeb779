"""Outlines of blocks, unrolled in the planes of all heights."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.looks import Prism
from companion.games.registry import load_game
from companion.vision.geometry.lens import Array
from companion.vision.light.palette import Light
from companion.vision.networks.frames import patches_of
from companion.vision.networks.learned import witnesses
from companion.vision.networks.outline import PARTS, Outline
from tests.vision.networks.test_learned import SIZE, looking

TRILAND = load_game("magic_triland")
CELLS = [site for site in TRILAND.sites if site.kind == "cell"]


def unrolled(height: int, tilt: float, site: int) -> tuple[Outline, Array]:
    """The patch of a white top of that height (in steps) on black."""
    outline = patches_of(TRILAND, CELLS)
    assert isinstance(outline, Outline)
    pose = looking(tilt)
    (block,) = TRILAND.look("cell", str(height))
    assert isinstance(block, Prism)
    middle = np.array(CELLS[site].centre)
    corners = np.array([[*(middle[:2] + corner), middle[2] + block.z1] for corner in block.footprint])
    image = np.full((SIZE[1], SIZE[0], 3), 8, np.uint8)
    cv2.fillPoly(image, [np.rint(pose.project(corners) * 16).astype(np.int32)], (240, 240, 240), cv2.LINE_AA, 4)
    return outline, outline.cut(image, pose, Light.nominal(), outline.plan(pose), np.array([site]))[0]


def edges(outline: Outline, patch: Array, plane: int) -> Array:
    """Where the white ends, in points from the outline outwards, in each part (parts,)."""
    bright = patch[3 * plane].astype(float)
    share: Array = ((bright - bright.min()) / (bright.max() - bright.min())).sum(axis=1)
    return share - outline.patch[2] / 2


@pytest.mark.parametrize("tilt", [15.0, 30.0])
@pytest.mark.parametrize("height", [1, 3, 6])
def test_in_the_plane_of_a_top_its_edge_lies_on_the_outline(height: int, tilt: float) -> None:
    outline, patch = unrolled(height, tilt, 12)
    off = [float(np.abs(edges(outline, patch, plane)).max()) for plane in range(len(outline.heights))]
    assert int(np.argmin(off)) == height
    assert off[height] < 1.5  # on the logarithmic scale what is bright looks a little wider


def test_parts_begin_where_the_line_of_sight_leaves_the_block_and_go_around() -> None:
    _, patch = unrolled(2, 30.0, 12)
    across, along = (patch[k][:, 0].astype(int) - 128 for k in (-3, -2))
    assert across.argmax() < PARTS
    assert np.allclose(np.roll(across, len(across) // 2), -across, atol=1)
    turns = np.unwrap(np.arctan2(along, across)[::PARTS])
    assert (np.diff(turns) < 0).all()


def test_only_blocks_that_differ_in_height_are_read_from_their_outlines() -> None:
    for name in ("triangle", "labyria", "via", "magic_labyrinth"):
        game = load_game(name)
        for kind in {site.kind for site in game.sites}:
            assert not isinstance(patches_of(game, [site for site in game.sites if site.kind == kind]), Outline)


def test_the_network_sees_the_same_in_a_mirror() -> None:
    """Blocks are as high in a mirror: what it says of a patch and of its mirror image is one."""
    (reader,) = witnesses(TRILAND)
    _, patch = unrolled(3, 15.0, 12)
    mirrored = np.roll(patch[:, ::-1], PARTS, axis=1)
    mirrored[-2] = 255 - mirrored[-2]
    one, other = reader._network(np.stack([patch, mirrored]))
    assert np.abs(one - other).max() < 0.05 * np.ptp(one)
