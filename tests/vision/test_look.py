"""Pictures of the simulated table, located and read; and what cannot be read."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.core import Game
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import MirroredError, NoBoardError, find_game, locate
from companion.vision.look import NotAPictureError, load_picture, look
from companion.vision.readers.reader import Reader
from companion.vision.reading import Reading
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import STILL, Shift, scene_of
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import Picture, picture, true_pose
from tests.benchmarks.recognition import pose_error

GAME = load_game("triangle")
SEEDS = (3, 4, 17, 31)
STILLS = Path(__file__).parents[3] / "shared" / "stills"


@cache
def shot(seed: int) -> Picture:
    return picture(GAME, seed, 0.5, hands=0.0)


@cache
def located(seed: int) -> Pose:
    image = shot(seed).image
    return locate(image, GAME, Lens.nominal((image.shape[1], image.shape[0])))


@cache
def as_read(seed: int) -> tuple[Reader, Reading]:
    """A reader that has read that one picture, and what it read."""
    reader = Reader(GAME)
    return reader, reader.read(shot(seed).image, located(seed))


@cache
def of_any(name: str, seed: int, difficulty: float) -> Picture:
    """A picture of any game without hands."""
    return picture(load_game(name), seed, difficulty, hands=0.0)


def off(pose: Pose, shot: Picture) -> float:
    return pose_error(GAME, pose, true_pose(shot.image, shot.truth))


@pytest.mark.parametrize("seed", SEEDS)
def test_board_is_located(seed: int) -> None:
    assert located(seed).markers == GAME.marker.ids
    assert off(located(seed), shot(seed)) < 0.3


@pytest.mark.parametrize("seed", [5024, 5047, 719013, 1502059, 1502071])
def test_a_board_full_of_tiles_is_located_by_its_holes(seed: int) -> None:
    full = picture(GAME, seed)
    pose = locate(full.image, GAME, Lens.nominal((full.image.shape[1], full.image.shape[0])))
    assert len(pose.markers) >= 3
    assert off(pose, full) < 0.3


def test_a_board_is_located_whose_lines_were_taken_for_others_beside_them() -> None:
    labyria = load_game("labyria")
    shown = picture(labyria, 770012)
    pose = locate(shown.image, labyria, Lens.nominal((shown.image.shape[1], shown.image.shape[0])))
    assert pose_error(labyria, pose, true_pose(shown.image, shown.truth)) < 0.6


def found_off(image: Array, game: Game[Any, Any], true: Pose) -> float:
    """How far (mm, in the mean) from its `true` pose the board is found."""
    return pose_error(game, locate(image, game, Lens.nominal((image.shape[1], image.shape[0]))), true)


def on_end(pose: Pose) -> Pose:
    """The pose in the picture turned by 90 degrees, to the left."""
    turn = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    (width, height), (fx, fy), (cx, cy) = pose.lens.size, pose.lens.focal, pose.lens.centre
    lens = Lens((height, width), (fy, fx), (cy, width - 1 - cx), pose.lens.distortion)
    return replace(pose, rotation=turn @ pose.rotation, translation=turn @ pose.translation, lens=lens)


@pytest.mark.parametrize(("name", "seed"), [("labyria", 28001), ("via", 28001), ("magic_labyrinth", 28002)])
def test_a_camera_that_stands_on_end_is_the_same_camera(name: str, seed: int) -> None:
    game = load_game(name)
    shown = of_any(name, seed, 0.5)
    turned = np.ascontiguousarray(np.rot90(shown.image))
    assert turned.shape[0] > turned.shape[1]
    assert found_off(turned, game, on_end(true_pose(shown.image, shown.truth))) < 0.5


@pytest.mark.parametrize(("name", "seed"), [("via", 28001), ("via", 28005), ("magic_triland", 28008)])
def test_a_dim_picture_shows_where_the_board_is(name: str, seed: int) -> None:
    game = load_game(name)
    shown = of_any(name, seed, 0.6)
    dim = (0.2 * shown.image).astype(np.uint8)
    assert found_off(dim, game, true_pose(shown.image, shown.truth)) < 0.8


@pytest.mark.parametrize(("name", "seed"), [("magic_triland", 28008), ("triangle", 28001)])
def test_a_picture_of_many_soft_pixels_shows_where_the_board_is(name: str, seed: int) -> None:
    game = load_game(name)
    shown = of_any(name, seed, 0.6)
    larger = 4032 / shown.image.shape[1]
    image = cv2.resize(shown.image, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC)
    true = true_pose(shown.image, shown.truth).of_size((image.shape[1], image.shape[0]))
    assert found_off(image, game, true) < 0.8


@pytest.mark.parametrize("seed", SEEDS)
def test_every_site_is_read(seed: int) -> None:
    _, reading = as_read(seed)
    truth = shot(seed).truth
    wrong = [
        (site.name, truth.sites[site.name], reading[site.name].label)
        for site in GAME.sites
        if truth.hidden.get(site.name, 0.0) < 0.15 and reading[site.name].label != truth.sites[site.name]
    ]
    assert wrong == []


def test_some_sites_are_read_as_all_are() -> None:
    reader, whole = as_read(3)
    some = {"cell:35", "rack:0.1", "hole:7"}
    part = reader.read(shot(3).image, located(3), some)
    assert set(part.sites) == some
    for name in some:
        assert part[name].label == whole[name].label
        assert np.allclose(part[name].log_likelihood, whole[name].log_likelihood, atol=1e-3)


def test_covered_tile_is_not_read_with_confidence() -> None:
    name = next(k for k, label in shot(4).truth.sites.items() if k.startswith("cell:") and label != EMPTY)
    site = next(site for site in GAME.sites if site.name == name)
    image = shot(4).image.copy()
    middle = located(4).project(np.array([site.centre]))[0]
    radius = round(0.55 * site.size * located(4).scale(np.array(site.centre)))
    cv2.circle(image, np.rint(middle).astype(int).tolist(), radius, (140, 170, 220), -1)
    read = Reader(GAME).read(image, located(4))[name]
    assert read.confidence < 0.9
    assert read.visible < 0.3


def test_sites_outside_the_picture_are_not_visible() -> None:
    image = shot(3).image
    pose = located(3)
    aside = replace(pose, lens=replace(pose.lens, centre=(pose.lens.centre[0] + 5000.0, pose.lens.centre[1])))
    reader = Reader(GAME)
    reader.read(image, pose)
    for reading in (reader.read(image, aside), Reader(GAME).read(image, aside)):
        assert {site.visible for site in reading.sites.values()} == {0.0}


def test_covered_card_does_not_matter_when_the_board_was_known() -> None:
    image = shot(3).image.copy()
    before = located(3)
    x, y = GAME.marker.centres[0]
    middle = before.project(np.array([[x, y, -GAME.plate.thickness]]))[0]
    radius = round(30 * before.scale(np.zeros(3)))
    cv2.circle(image, np.rint(middle).astype(int).tolist(), radius, (90, 120, 160), -1)
    now = locate(image, GAME, before.lens, before)
    assert now.markers == GAME.marker.ids[1:]
    assert now.moved_from(before, GAME.marker, -GAME.plate.thickness) < 3.0


def test_a_mirrored_picture_is_told() -> None:
    mirrored = picture(GAME, 5203).image[:, ::-1].copy()
    with pytest.raises(MirroredError):
        locate(mirrored, GAME, Lens.nominal((mirrored.shape[1], mirrored.shape[0])))
    with pytest.raises(MirroredError):
        find_game(mirrored)


@pytest.mark.parametrize(
    ("name", "seed", "angle"), [("triangle", 5203, 0.6), ("labyria", 5203, 3.8), ("via", 5209, 0.6)]
)
def test_a_board_beside_its_cards_is_not_believed_at_first_sight(name: str, seed: int, angle: float) -> None:
    game = load_game(name)
    conditions = Conditions.random(game, seed, 0.3, (1280, 720))
    aside = replace(scene_of(game, {}, seed), board=Shift(30 * np.cos(angle), 30 * np.sin(angle), 0.0))
    with pytest.raises(NoBoardError, match="corner cards"):
        locate(Renderer(game, conditions).render(aside), game, Lens.nominal((1280, 720)))


@pytest.mark.parametrize("seed", [820043, 820044])
def test_a_board_full_of_walls_under_a_hand_is_found(seed: int) -> None:
    """Walls cover most of its lines, and their own edges were taken for these, or nothing was believed."""
    game = load_game("magic_labyrinth")
    shot = picture(game, seed)
    pose = locate(shot.image, game, Lens.nominal((shot.image.shape[1], shot.image.shape[0])))
    assert pose_error(game, pose, true_pose(shot.image, shot.truth)) < 1.0


def test_a_board_straight_under_the_camera_is_found() -> None:
    game = load_game("magic_labyrinth")
    shot = picture(game, 849056)
    pose = locate(shot.image, game, Lens.nominal((shot.image.shape[1], shot.image.shape[0])))
    assert pose_error(game, pose, true_pose(shot.image, shot.truth)) < 0.6


@pytest.mark.parametrize("number", range(4))
def test_a_card_that_lies_far_off_its_place_does_not_hide_the_board(number: int) -> None:
    game = load_game("labyria")
    conditions, scene = Conditions.random(game, 43, 0.3, (1280, 720)), scene_of(game, {}, 43)
    astray = tuple(Shift(30.0, -20.0, 12.0) if k == number else STILL for k in range(4))
    image = Renderer(game, conditions).render(replace(scene, cards=astray))
    pose = locate(image, game, Lens.nominal((1280, 720)))
    assert pose.markers == tuple(one for k, one in enumerate(game.marker.ids) if k != number)
    assert pose_error(game, pose, true_pose(image, truth(game, scene, conditions))) < 0.6


def test_no_board() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8)
    with pytest.raises(NoBoardError):
        locate(noise, GAME, Lens.nominal((1280, 720)))
    with pytest.raises(NoBoardError):
        find_game(np.full((720, 1280, 3), 90, np.uint8))


def test_look_tells_the_game_and_writes_the_overlay(tmp_path: Path) -> None:
    path, overlay = tmp_path / "table.png", tmp_path / "overlay.png"
    cv2.imwrite(str(path), shot(3).image)
    told = json.loads(json.dumps(look(path, None, overlay)))
    assert told["game"] == "triangle"
    assert told["markers"] == list(GAME.marker.ids)
    assert set(told["sites"]) == {site.name for site in GAME.sites}
    assert all(0 <= site["confidence"] <= 1 for site in told["sites"].values())
    drawn = cv2.imread(str(overlay))
    height, width = shot(3).image.shape[:2]
    zoom = drawn.shape[1] // width
    assert drawn.shape == (height * zoom, width * zoom, 3)
    plain = cv2.resize(shot(3).image, (width * zoom, height * zoom), interpolation=cv2.INTER_CUBIC)
    green = (drawn[..., 1] > 200) & (drawn[..., 0] < 150) & (plain[..., 1] < 150)
    assert green.sum() > 1000


def test_look_refuses_what_is_no_picture(tmp_path: Path) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("no picture")
    for path in (text, tmp_path / "missing.jpg", tmp_path):
        with pytest.raises(NotAPictureError):
            look(path)


def test_a_picture_stands_as_the_camera_was_held(tmp_path: Path) -> None:
    picture = np.zeros((40, 60, 3), np.uint8)
    picture[:20, :30] = 255
    content = cv2.imencode(".jpg", picture)[1].tobytes()
    turned_right = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    path = tmp_path / "held-upright.jpg"
    path.write_bytes(content[:2] + b"\xff\xe1" + struct.pack(">H", len(turned_right) + 2) + turned_right + content[2:])
    upright = load_picture(path)
    assert upright.shape == (60, 40, 3)
    assert upright[5, -5].min() > 250
    assert max(upright[5, 5].max(), upright[-5, 5].max(), upright[-5, -5].max()) < 5


def test_lens_scales_with_the_picture() -> None:
    lens = Lens.nominal((2304, 1296))
    direction = np.array([[0.2, -0.1, 1.0]])
    half = lens.scaled((1152, 648))
    assert np.allclose((half.project(direction) + 0.5) * 2 - 0.5, lens.project(direction))


@pytest.mark.skipif(not STILLS.is_dir(), reason="the shared stills are not here")
@pytest.mark.parametrize("name", ["triangle_00002", "triangle_00004", "triangle_00009"])
def test_stills_have_no_sure_mistake(name: str) -> None:
    path = STILLS / "triangle" / f"{name}.jpg"
    truth = json.loads(path.with_suffix(".truth.json").read_text())
    told = look(path)
    wrong = {
        site: read
        for site, read in told["sites"].items()
        if site not in truth["occluded"] and read["label"] != truth["sites"].get(site, EMPTY)
    }
    assert len(wrong) <= 1
    assert all(read["confidence"] < 0.9 for read in wrong.values())


def test_one_tile_in_two_places_is_believed_in_neither() -> None:
    reader, reading = as_read(3)
    sites = dict(reading.sites)
    lying = [name for name, site in sites.items() if name.startswith("rack:") and site.label != EMPTY]
    assert min(sites[name].confidence for name in lying[:2]) > 0.9
    doubted = reader._doubted(sites | {lying[1]: sites[lying[0]]})
    for name in lying[:2]:
        assert doubted[name].confidence < 0.5
        assert doubted[name].visible < 0.5
    assert doubted[lying[2]] is sites[lying[2]]
