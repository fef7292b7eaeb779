"""The lens adjusted with the pose: of other cameras, and of parts of pictures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.adjustment import (
    NO_EDGES,
    OTHER_LENSES,
    UNLIKELY,
    USUAL_LENS,
    Edges,
    Fit,
    adjusted,
    drift_of,
    moved,
    oddness,
)
from companion.vision.board import Pose, locate
from companion.vision.lens import Array, Lens
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import scene_of
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import picture, true_pose

SIZE = (1280, 720)
USUAL = Lens.nominal(SIZE)
LEANING = cv2.Rodrigues(np.array([np.pi - 0.4, 0.1, 0.2]))[0]
HIGH = 25.0
"""Millimetres above the board at which it is compared where things are seen: there a wrong lens shows."""


def edges_of(fit: Fit) -> Edges:
    """Edges of both directions all over a board, found where `fit` has them."""
    x, y = (each.ravel() for each in np.meshgrid(np.linspace(-200, 200, 9), np.linspace(-200, 200, 9)))
    points = np.repeat(np.column_stack([x, y, np.zeros_like(x)]), 2, axis=0)
    normals = np.tile(np.eye(2), (len(x), 1))
    at = fit.lens.project(points @ fit.rotation.T + fit.translation)
    return Edges(points, normals, (normals * at).sum(axis=1), np.ones(len(points)))


def off_at(height: float, places: Array, pose: Pose, true: Pose) -> float:
    """How far off, in mm in the mean, what is so high above some places (n, 3) is seen."""
    at = places + np.array([0.0, 0.0, height])
    return float(np.linalg.norm(pose.project(at) - true.project(at), axis=1).mean() / true.scale(np.zeros(3)))


@pytest.mark.parametrize(
    "drift", [(-0.55, 0.0, 0.0, 0.0), (0.3, 0.0, 0.0, 0.0), (0.2, 0.15, -0.08, 0.0)], ids=["wide", "narrow", "part"]
)
def test_the_lens_is_found_with_which_edges_are_where_they_are_seen(drift: tuple[float, ...]) -> None:
    start = Fit(LEANING, np.array([10.0, -20.0, 800.0]), USUAL, 0.0)
    true = moved(start, np.array([0.02, -0.01, 0.03, 5.0, 4.0, 30.0]), USUAL, np.array(drift))
    found = adjusted(edges_of(true), [], start, 3.0, 50.0, USUAL, OTHER_LENSES[drift[1] != 0.0])
    heights = np.array([[x, y, z] for x in (-150.0, 0.0, 150.0) for y in (-150.0, 150.0) for z in (0.0, HIGH)])
    off = np.linalg.norm(Pose.of(found).project(heights) - Pose.of(true).project(heights), axis=1)
    assert off.max() < 1.5
    usual = adjusted(edges_of(true), [], start, 3.0, 50.0, USUAL, USUAL_LENS)
    assert oddness(found.lens, USUAL, OTHER_LENSES[drift[1] != 0.0]) < UNLIKELY < oddness(usual.lens, USUAL, USUAL_LENS)


def test_where_nothing_tells_the_lens_stays_as_it_is() -> None:
    start = Fit(LEANING, np.array([0.0, 0.0, 800.0]), USUAL, 0.0)
    found = adjusted(NO_EDGES, [], start, 3.0, 1.0, USUAL, USUAL_LENS)
    assert np.allclose(drift_of(found.lens, USUAL), 0.0)
    assert np.allclose(found.rotation, start.rotation)


@pytest.mark.parametrize("name", ["triangle", "labyria", "via", "magic_triland", "magic_labyrinth"])
def test_a_camera_that_sees_much_more_than_usual_ones_is_known(name: str) -> None:
    """What stands would be seen two to five millimetres beside its place with a usual lens."""
    game = load_game(name)
    conditions = Conditions.random(game, 1610002, 0.3, SIZE)
    wide = replace(conditions.lens, focal=conditions.lens.focal * 0.56, above=conditions.lens.above * 0.56)
    conditions, scene = replace(conditions, lens=wide), scene_of(game, {}, 1610002)
    true = true_pose(np.empty((SIZE[1], SIZE[0])), truth(game, scene, conditions))
    pose = locate(Renderer(game, conditions).render(scene), game, USUAL)
    places = np.array([site.centre for site in game.sites if not site.loose and not site.roving])
    assert abs(drift_of(pose.lens, USUAL)[0] - drift_of(true.lens, USUAL)[0]) < 0.15
    assert off_at(HIGH, places, pose, true) < 1.2


@pytest.mark.parametrize(("name", "seed"), [("labyria", 1610002), ("magic_triland", 1610003), ("via", 1610001)])
def test_a_part_of_a_picture_is_read_like_the_whole(name: str, seed: int) -> None:
    game = load_game(name)
    shot = picture(game, seed, 0.3, hands=0.0)
    true, places = true_pose(shot.image, shot.truth), np.array([s.centre for s in game.sites if not s.roving])
    cards = np.array([(*centre, -game.plate.thickness) for centre in game.marker.centres])
    left = int(
        true.project(np.concatenate([places, cards]))[:, 0].min() - 1.2 * game.marker.size * true.scale(cards[0])
    )
    assert left > 0.15 * shot.image.shape[1], "the board fills the picture"
    part = np.ascontiguousarray(shot.image[:, left:])
    x, y = true.lens.centre
    true = replace(true, lens=replace(true.lens, size=(part.shape[1], part.shape[0]), centre=(x - left, y)))
    pose = locate(part, game, Lens.nominal(true.lens.size))
    assert off_at(HIGH, places, pose, true) < 0.7
