"""Edges of print that show in colour only."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.games.looks import Area, Disc, Prism, regular
from companion.games.registry import load_game
from companion.vision.board import Pose
from companion.vision.contours import Prepared, contours_of, found_at, settled
from companion.vision.lens import Array, Lens
from companion.vision.motion import grey_image

SIZE = (1280, 720)
BOARD = load_game("magic_triland").board
POSE = Pose(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 700.0]), Lens.nominal(SIZE), (), 0.0, 0.0)


def picture() -> Array:
    """The bare board from straight above on a dark table."""
    image = np.full((SIZE[1], SIZE[0], 3), 40, np.uint8)
    for solid in BOARD:
        if isinstance(solid, Prism):
            marks = [(m.corners, m.colour) for m in solid.marks if isinstance(m, Area)]
            marks += [
                (regular(64, m.diameter / 2, centre=m.centre), m.colour) for m in solid.marks if isinstance(m, Disc)
            ]
            for corners, colour in [(solid.footprint, solid.colour), *marks]:
                at = POSE.project(np.column_stack([np.array(corners), np.full(len(corners), solid.z1)]))
                cv2.fillPoly(image, [np.rint(at * 16).astype(np.int32)], colour[::-1], cv2.LINE_AA, 4)
    return image


def test_yellow_on_light_wood_helps_to_tell_where_the_board_is() -> None:
    contours = contours_of(BOARD)
    assert contours.in_colour.sum() > 100
    shot = Prepared(picture())
    assert found_at(shot, contours.part(contours.in_colour), POSE.fit).mean() > 0.9
    beside = replace(POSE.fit, translation=POSE.translation + np.array([2.0, -1.5, 0.0]))
    off = {}
    for name, some in (("all", contours), ("grey", contours.part(~contours.in_colour))):
        off[name] = np.linalg.norm(settled(shot, some, beside).translation[:2] - POSE.translation[:2])
    assert off["all"] < 0.2
    assert off["all"] < 0.5 * off["grey"]


def test_in_a_grey_picture_the_board_is_found_by_the_others() -> None:
    contours = contours_of(BOARD)
    grey = Prepared(grey_image(picture()))
    assert found_at(grey, contours.part((contours.sign != 0) & ~contours.in_colour), POSE.fit).mean() > 0.9
