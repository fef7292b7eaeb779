"""Where blocks show the board to lie."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from companion.vision.geometry.pose import Pose
from companion.vision.scene.relief import Nudged
from tests.vision.networks.test_learned import looking

POINTS = np.array([[0.0, 0.0, 0.0], [80.0, -40.0, 12.0], [-60.0, 90.0, 36.0], [10.0, 20.0, 6.0]])


def nudged(pose: Pose, offset: tuple[float, float], camera: tuple[float, float, float], level: float) -> Nudged:
    known = {field.name: getattr(pose, field.name) for field in fields(Pose)}
    x, y, z = pose.camera + camera
    return Nudged(**known, level=level, offset=offset, place=(x, y, z - level))


def test_a_pose_that_is_right_stays() -> None:
    pose = looking(20.0)
    found = nudged(pose, (0.0, 0.0), (0.0, 0.0, 0.0), 2.0)
    assert np.allclose(found.project(POINTS), pose.project(POINTS))
    assert np.allclose(found.camera, pose.camera)


def test_a_board_that_lies_elsewhere_shows_there() -> None:
    pose = looking(20.0)
    found = nudged(pose, (0.4, -0.3), (0.0, 0.0, 0.0), 0.0)
    assert np.allclose(found.project(POINTS), pose.project(np.add(POINTS, (0.4, -0.3, 0.0))))


def test_from_a_camera_that_is_higher_blocks_look_lower_and_the_board_as_before() -> None:
    pose = looking(20.0)
    found = nudged(pose, (0.0, 0.0), (0.0, 0.0, 50.0), 0.0)
    assert np.allclose(found.project(POINTS[:1]), pose.project(POINTS[:1]))
    lower = POINTS * (1.0, 1.0, pose.camera[2] / (pose.camera[2] + 50.0))
    off = np.linalg.norm(found.project(POINTS) - pose.project(lower), axis=1)
    assert off.max() < 0.25 * np.linalg.norm(pose.project(POINTS) - pose.project(POINTS * (1, 1, 0)), axis=1).max()
