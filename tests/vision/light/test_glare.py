"""Glare over the board: measured, taken off, and never silently believed."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from companion.games.looks import Prism
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.points import on_board
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints, rasterise
from companion.vision.light.glare import GlareFinder
from companion.vision.light.palette import Light, encoded, linear, measure_light
from companion.vision.locating.board import locate
from companion.vision.readers.reader import Reader
from tests.benchmarks.pictures import Picture, picture, true_pose

GAME = load_game("triangle")
SEED = 17


@cache
def shot() -> tuple[Picture, Pose, Light]:
    taken = picture(GAME, SEED, 0.2, hands=0.0)
    pose = locate(taken.image, GAME, Lens.nominal((taken.image.shape[1], taken.image.shape[0])))
    light = measure_light(taken.image, pose, GAME.marker, -GAME.plate.thickness)
    assert light is not None
    return taken, pose, light.over(taken.image)


def finder() -> GlareFinder:
    looks = [GAME.look(site.kind, label) for site in GAME.sites for label in site.labels]
    paints = Paints.of([GAME.board, *looks])
    return GlareFinder(GAME, paints, rasterise(GAME.board, paints))


def veiled(image: Array, centre: Array, width: float, strength: float) -> Array:
    """The picture with light added around `centre` (x, y), pixels, linear, `strength` at the peak."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    spot = strength * np.exp(-((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / (2 * width**2))
    light = np.clip(linear(image) + spot[..., None], 0, 1)
    encoded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.rint(255 * encoded).astype(np.uint8)


def test_clear_picture_is_left_as_it_is() -> None:
    taken, pose, light = shot()
    glare = finder().measure(taken.image, pose, light)
    assert glare.taken_off(taken.image, pose, light) is taken.image


def test_added_light_is_taken_off() -> None:
    taken, pose, light = shot()
    centre = pose.project(np.array([[20.0, 10.0, 0.0]]))[0]
    image = veiled(taken.image, centre, 90 * pose.scale(np.zeros(3)), 0.25)
    clear = finder().measure(image, pose, light).taken_off(image, pose, light)
    mask = np.zeros(image.shape[:2], np.uint8)
    plate = pose.project(np.array([(x, y, 0.0) for x, y in GAME.board[0].footprint]))  # type: ignore[union-attr]
    cv2.fillConvexPoly(mask, cv2.convexHull(plate.astype(np.int32)), 1)
    before, after = (np.abs(linear(p) - linear(taken.image))[mask > 0].mean() for p in (image, clear))
    assert after < 0.35 * before


def test_tiles_and_counters_are_read_through_glare() -> None:
    taken, pose, _ = shot()
    centre = pose.project(np.array([[20.0, 10.0, 0.0]]))[0]
    reading = Reader(GAME).read(veiled(taken.image, centre, 90 * pose.scale(np.zeros(3)), 0.25), pose)
    wrong = [name for name, label in taken.truth.sites.items() if reading[name].label != label]
    assert wrong == []


@pytest.mark.parametrize("strength", [0.3, 0.6, 1.2])
def test_pale_pieces_beside_the_board_are_not_surely_missed(strength: float) -> None:
    taken, pose, _ = shot()
    racks = [site for site in GAME.sites if site.loose and taken.truth.sites[site.name] != EMPTY]
    middle = pose.project(np.array([racks[0].centre]))[0]
    reading = Reader(GAME).read(veiled(taken.image, middle, 60 * pose.scale(np.zeros(3)), strength), pose)
    for site in racks:
        seen = reading[site.name]
        assert seen.label == taken.truth.sites[site.name] or seen.confidence < 0.9 or seen.visible < 0.5


@pytest.mark.parametrize("strength", [0.08, 0.22, 0.4])
def test_tiles_that_shine_more_than_the_board_are_read(strength: float) -> None:
    taken, pose, _ = shot()
    laid = [s for s in GAME.sites if s.kind == "cell" and taken.truth.sites[s.name] != EMPTY][:6]
    gloss = np.zeros(taken.image.shape[:2], np.float32)
    for site in laid:
        tile = GAME.look("cell", taken.truth.sites[site.name])[0]
        assert isinstance(tile, Prism)
        corners = np.column_stack([on_board(site, np.array(tile.footprint)), np.full(len(tile.footprint), tile.z1)])
        cv2.fillConvexPoly(gloss, pose.project(corners).astype(np.int32), strength)
    light = np.clip(linear(taken.image) + gloss[..., None], 0, 1)
    image = np.rint(encoded(light)).astype(np.uint8)
    reading = Reader(GAME).read(image, pose)
    right = [site for site in laid if reading[site.name].label == taken.truth.sites[site.name]]
    assert len(right) == len(laid)


def test_what_glare_has_burnt_out_is_not_believed() -> None:
    taken = picture(GAME, 739001)
    reading = Reader(GAME).read(taken.image, true_pose(taken.image, taken.truth))
    assert max(reading[name].confidence for name in ("cell:2", "cell:4")) < 0.9  # yellow and red are all white there


def test_what_lies_anywhere_is_read_alone_through_glare() -> None:
    maze = load_game("magic_labyrinth")
    clear = picture(maze, 90000, 0.2, hands=0.0)
    pose = true_pose(clear.image, clear.truth)
    centre = pose.project(np.zeros((1, 3)))[0]
    image = veiled(clear.image, centre, 200.0, 0.3)
    assert Reader(maze)._settle(image, pose, glance=False) is not image
    assert set(Reader(maze).read(image, pose, {"chip"}).sites) == {"chip"}
