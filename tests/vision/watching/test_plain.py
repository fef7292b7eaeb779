"""Whether something foreign lies on the plain part of the board, told from one picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image
from companion.vision.locating.board import locate
from companion.vision.watching.plain import plain_points, stranger_on_plate
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import HandPose, Scene, scene_of

GAME = load_game("triangle")
SIZE = (1280, 720)
SCENE = scene_of(GAME, {"cell:12": "RRY5/1"}, 1)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(GAME, Conditions.random(GAME, 7, 0.5, SIZE, seats=(0, 1)))


def located(renderer: Renderer, scene: Scene) -> tuple[Image, Pose]:
    return renderer.render(scene, 1), locate(renderer.render(SCENE), GAME, Lens.nominal(SIZE))


def test_a_free_board(renderer: Renderer) -> None:
    assert not stranger_on_plate(*located(renderer, SCENE), GAME)


@pytest.mark.parametrize("turn", [15.0, 200.0])
def test_a_hand(renderer: Renderer, turn: float) -> None:
    hand = HandPose(0.0, 10.0, 15.0, turn, look=2)
    assert stranger_on_plate(*located(renderer, replace(SCENE, hands=(hand,))), GAME)


def test_glare_is_nothing_that_lies_there(renderer: Renderer) -> None:
    image, pose = located(renderer, SCENE)
    x, y = pose.project(plain_points(GAME)[:1])[0]
    columns, rows = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    veil = 120 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 40.0**2))
    lit = np.clip(image + veil[..., None], 0, 255).astype(np.uint8)
    assert not stranger_on_plate(lit, pose, GAME)
