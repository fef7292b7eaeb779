"""Edges that show in colour only, and printed lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.core import Game
from companion.games.looks import Area, Disc, Prism, Stroke, regular
from companion.games.registry import load_game
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.images import grey_image
from companion.vision.locating.board import locate
from companion.vision.locating.contours import Prepared, contours_of, found_at, settled
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import Shift, scene_of
from hardware.simulated.truth import truth
from tests.benchmarks import pictures
from tests.benchmarks.recognition import pose_error

SIZE = (1280, 720)
BOARD = load_game("magic_triland").board
POSE = Pose(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 700.0]), Lens.nominal(SIZE), (), 0.0, 0.0)


def picture(table: int = 40) -> Array:
    """The bare board from straight above on a grey table, a dark one."""
    image = np.full((SIZE[1], SIZE[0], 3), table, np.uint8)
    for solid in BOARD:
        if isinstance(solid, Prism):
            marks = [(m.corners, m.colour) for m in solid.marks if isinstance(m, Area)]
            marks += [
                (regular(64, m.diameter / 2, centre=m.centre), m.colour) for m in solid.marks if isinstance(m, Disc)
            ]
            for corners, colour in [(solid.footprint, solid.colour), *marks]:
                at = POSE.project(np.column_stack([np.array(corners), np.full(len(corners), solid.z1)]))
                cv2.fillPoly(image, [np.rint(at * 16).astype(np.int32)], colour[::-1], cv2.LINE_AA, 4)
            for line in (m for m in solid.marks if isinstance(m, Stroke)):
                at = POSE.project(np.column_stack([np.array(line.points), np.full(len(line.points), solid.z1)]))
                cv2.polylines(image, [np.rint(at * 16).astype(np.int32)], False, line.colour[::-1], 1, cv2.LINE_AA, 4)
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


def test_the_outline_is_found_on_a_table_as_bright_as_the_board() -> None:
    outline = contours_of(BOARD).part(contours_of(BOARD).sign == 0)
    shot = picture(round(float(np.dot(BOARD[0].colour, (0.299, 0.587, 0.114)))))
    assert found_at(Prepared(grey_image(shot)), outline, POSE.fit).mean() < 0.7
    assert found_at(Prepared(shot), outline, POSE.fit).mean() > 0.9


def taken(name: str, seed: int) -> tuple[Game[Any, Any], Array, Pose]:
    """A game, a picture of it, and where its board truly is."""
    game, shot = load_game(name), pictures.picture(load_game(name), seed)
    return game, shot.image, pictures.true_pose(shot.image, shot.truth)


# the outline as bright as the table; lines under walls in shadow, in strong light; and cards 2 mm off
@pytest.mark.parametrize(
    ("name", "seed", "most"),
    [("via", 800044, 0.3), ("via", 800122, 0.3), ("labyria", 800059, 0.4), ("labyria", 770023, 1.0)],
)
def test_a_board_is_located_by_its_outline_in_colour_and_its_lines(name: str, seed: int, most: float) -> None:
    game, image, true = taken(name, seed)
    pose = locate(image, game, Lens.nominal((image.shape[1], image.shape[0])))
    assert pose_error(game, pose, true) < most


def test_a_frame_is_not_taken_for_the_outline_of_a_board_pushed_among_its_cards() -> None:
    game, seed = load_game("via"), 53004
    pushed = replace(scene_of(game, {}, seed), board=Shift(9.3, 3.6, 0.0))
    conditions = Conditions.random(game, seed, 0.49, SIZE)
    image = Renderer(game, conditions).render(pushed)
    pose = locate(image, game, Lens.nominal(SIZE))
    assert pose_error(game, pose, pictures.true_pose(image, truth(game, pushed, conditions))) < 1.0
