"""The simulated camera's pictures against what is on the simulated table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion.games.looks import Area, Prism, regular
from companion.games.registry import load_game
from hardware.camera import Image
from hardware.simulated.canvas import Roi
from hardware.simulated.conditions import Conditions, Lamp, Lighting, Screen
from hardware.simulated.lens import Array, Lens
from hardware.simulated.light import field, shadows
from hardware.simulated.order import painters_order
from hardware.simulated.renderer import Renderer, render
from hardware.simulated.scene import HandPose, Scene, Shift, scene_of
from hardware.simulated.setting import Setting
from hardware.simulated.solids import Placed
from hardware.simulated.truth import truth

GAME = load_game("triangle")
SMALL = (960, 540)
USUAL = (1280, 720)
LABELS = {"cell:6": "RRB4/1", "cell:7": "BBY4/2", "rack:1.0": "GGP4", "hole:20": ("red", "blue")}


def kind(seed: int) -> Conditions:
    """Easy conditions without noise, blur and compression."""
    conditions = Conditions.random(GAME, seed, 0.0, USUAL)
    clear = replace(conditions.sensor, noise=0.0, defocus=0.3, motion=0.0, sharpen=0.0, jpeg=None)
    light = Lighting((0.85, 0.85, 0.85), ())
    return replace(conditions, sensor=clear, light=light, clutter=0)


@cache
def picture(seed: int) -> Image:
    return render(GAME, scene_of(GAME, LABELS, seed), kind(seed))


def sharp_corners(image: Image) -> dict[int, Array]:
    """Marker corners, halfway between black and white in light (a blurred edge looks shifted in grey values)."""
    linear = (np.float32(255) * (image / np.float32(255)) ** 2.2).astype(np.uint8)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3  # within the marker's rim
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    found, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(linear)
    return {int(ident): corners[0] for ident, corners in zip(ids.ravel(), found, strict=True)}


@pytest.mark.parametrize("seed", [1, 5, 7])
def test_markers_are_where_the_truth_says(seed: int) -> None:
    """Cards of 40 pixels: finding the corners of smaller ones is itself no better than half a pixel."""
    true = truth(GAME, scene_of(GAME, LABELS, seed), kind(seed)).markers
    found = sharp_corners(picture(seed))
    assert found.keys() == true.keys()
    for ident, corners in found.items():
        assert np.abs(corners - true[ident]).max() < 0.4
        assert np.abs((corners - true[ident]).mean(0)).max() < 0.15


def test_pose_agrees_with_opencv() -> None:
    conditions = Conditions.random(GAME, 5, 1.0, SMALL)
    true = truth(GAME, Scene(board=Shift(7.0, -3.0, 2.0)), conditions)
    points = np.array([[0, 0, 0], [100, 50, 5], [-150, 20, -10], [30, -90, 40.0]])
    rotation, _ = cv2.Rodrigues(true.rotation)
    pixels, _ = cv2.projectPoints(points, rotation, true.translation, true.matrix, true.distortion)
    pushed = Placed(Prism(tuple(regular(3, 1.0)), 0, 1, (0, 0, 0)), 7.0, -3.0, 0.0, 2.0)
    own = [conditions.lens.project(pushed.points([p[:2]], p[2]))[0] for p in points]
    assert np.allclose(pixels[:, 0], own, atol=1e-6)


def test_unproject_inverts_project() -> None:
    lens = Conditions.random(GAME, 9, 1.0, SMALL).lens
    places = np.array([[-200.0, 100.0, -10.0], [0, 0, -10], [250, -160, -10]])
    assert np.allclose(lens.unproject(lens.project(places), -10.0), places[:, :2], atol=0.01)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("site", ["cell:6", "cell:7", "rack:1.0"])
def test_sectors_show_their_colours(seed: int, site: str) -> None:
    """Up and down cells, turned tiles, a tile lying anyhow: each sector's middle has the colour of the tile's edge."""
    conditions = kind(seed)
    setting, renderer = Setting(GAME, conditions), Renderer(GAME, conditions)
    (tile,) = setting.stack(scene_of(GAME, LABELS, seed), site)[0]
    for mark in tile.solid.marks:
        if isinstance(mark, Area):
            inside = np.mean([*mark.corners[:2], *mark.corners[:2], mark.corners[2]], axis=0)
            x, y = np.round(conditions.lens.project(tile.points([inside], tile.solid.z1))[0]).astype(int)
            level = picture(seed)[y, x].astype(float)
            wanted = (renderer.paint(mark.colour) * 0.85).clip(0, 1) ** (1 / 2.2) * 255
            assert np.abs(level - wanted).max() < 30


def test_upright_tile_has_its_edges_left_right_bottom() -> None:
    tile = GAME.look("cell", "GRB3/0")[0]
    centres = {mark.colour: np.mean(mark.corners, axis=0) for mark in tile.marks if isinstance(mark, Area)}
    green, red, blue = (centres[tuple(GAME.set.tile.colours[c])] for c in "GRB")
    assert green[0] < 0 < red[0]
    assert blue[1] < min(green[1], red[1])


def test_of_a_stack_the_upper_piece_is_seen() -> None:
    found = truth(GAME, scene_of(GAME, LABELS), kind(1))
    assert found.sites["hole:20"] == "blue"
    assert found.sites["cell:6"] == "RRB4/1"
    assert found.sites["cell:0"] == "empty"


def test_stack_is_drawn_on_top() -> None:
    setting = Setting(GAME, kind(1))
    lower, upper = setting.stack(scene_of(GAME, LABELS), "hole:20")
    assert upper[0].bottom == lower[0].top == GAME.set.counter.height


def test_same_seed_same_picture() -> None:
    conditions = Conditions.random(GAME, 11, 0.8, (640, 360))
    scene = replace(scene_of(GAME, LABELS, 4), hands=(HandPose(0, 0, 5, 100, 3),))
    one, two = (render(GAME, scene, conditions, 7) for _ in range(2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, render(GAME, scene, conditions, 8))


def test_pictures_do_not_depend_on_what_was_drawn_before() -> None:
    conditions = Conditions.random(GAME, 12, 0.6, (640, 360))
    renderer, scene = Renderer(GAME, conditions), scene_of(GAME, LABELS, 4)
    for before in (Scene(), replace(scene, camera=Shift(4, 2, 1)), replace(scene, hands=(HandPose(0, 0, 5, 9, 3),))):
        renderer.render(before, 1)
    assert np.array_equal(renderer.render(scene, 2), render(GAME, scene, conditions, 2))


def test_hand_hides_what_it_covers() -> None:
    conditions, scene = kind(1), scene_of(GAME, LABELS, 1)
    spec = next(spec for spec in GAME.sites if spec.name == "cell:7")
    hand = HandPose(spec.centre[0], spec.centre[1] + 60, 10, 180, 2, grip=0.0)
    free, covered = truth(GAME, scene, conditions), truth(GAME, replace(scene, hands=(hand,)), conditions)
    assert "cell:7" not in free.hidden
    assert covered.hidden["cell:7"] > 0.5
    assert covered.sites == free.sites
    pictures = [render(GAME, s, conditions) for s in (scene, replace(scene, hands=(hand,)))]
    x, y = np.round(conditions.lens.project([*spec.centre[:2], 5.0])).astype(int)
    assert np.abs(pictures[0][y, x].astype(int) - pictures[1][y, x]).max() > 25


def test_covered_card_and_picture_edge() -> None:
    conditions = kind(1)
    assert truth(GAME, Scene(covered=(1,)), conditions).markers_hidden == (1,)
    assert 1 not in sharp_corners(render(GAME, Scene(covered=(1,)), conditions))
    near = replace(conditions, lens=replace(conditions.lens, above=420.0))
    assert any(part == 1.0 for part in truth(GAME, Scene(), near).hidden.values())


def test_dark_camera_shows_nothing() -> None:
    assert render(GAME, Scene(dark=True), Conditions.random(GAME, 3, 0.5, SMALL)).mean() < 25


def test_pushed_board_takes_its_pieces_along_and_leaves_cards_and_racks() -> None:
    setting, scene = Setting(GAME, kind(1)), scene_of(GAME, LABELS)
    pushed = replace(scene, board=Shift(10.0, 0.0, 90.0))
    (before,), (after,) = setting.stack(scene, "cell:6")[0], setting.stack(pushed, "cell:6")[0]
    assert (after.x, after.y) == pytest.approx((before.y + 10, -before.x))
    assert after.turn - before.turn == pytest.approx(90)
    assert setting.stack(scene, "rack:1.0") == setting.stack(pushed, "rack:1.0")
    assert setting.cards(scene) == setting.cards(pushed)


def test_all_content_is_in_the_picture_as_a_rule() -> None:
    whole = sum(
        not any(truth(GAME, Scene(), Conditions.random(GAME, seed, 0.5, SMALL)).hidden.values()) for seed in range(12)
    )
    assert whole >= 10


def test_front_covers_back() -> None:
    """From the right, a low box in front of a tall one comes later, and what stands on it later still."""
    square = regular(4, 10.0, 45.0)
    tall = Placed(Prism(square, 0, 60, (1, 1, 1)), 0, 0, 0, 0)
    low = Placed(Prism(square, 0, 20, (2, 2, 2)), 16, 0, 0, 0)
    on_low = Placed(Prism(square, 0, 5, (3, 3, 3)), 16, 0, 20, 0)
    eye = np.array([400.0, 0.0, 700.0])
    assert painters_order([on_low, low, tall], eye) == [tall, low, on_low]
    assert painters_order([on_low, low, tall], eye * (-1, 1, 1)) == [low, on_low, tall]


def test_shadow_falls_away_from_the_lamp() -> None:
    lens = Lens(400, 300, 400.0, 199.5, 149.5, 0.0, 0.0, (0.0, 0.0), 700.0, 0.0, 0.0, 0.0)
    light = Lighting((0.5, 0.5, 0.5), (Lamp((-800.0, 0.0, 800.0), (0.5, 0.5, 0.5), 20.0),))
    box = Placed(Prism(regular(4, 20.0, 45.0), 0, 40, (9, 9, 9)), 0, 0, 0, 0)
    lit = shadows(light, lens, Roi(0, 0, 400, 300), [box], 0.0)
    right, left = lens.project([[30.0, 0, 0], [-30.0, 0, 0]]).round().astype(int)
    assert lit[right[1], right[0]].max() < 0.8
    assert lit[left[1], left[0]].min() > 0.85


@pytest.mark.parametrize("window", [False, True])
def test_what_stands_before_a_lamp_keeps_its_light_off(window: bool) -> None:
    lens = Lens(400, 300, 400.0, 199.5, 149.5, -0.1, 0.0, (0.0, 0.0), 700.0, 10.0, 30.0, 20.0)
    screen = Screen(((0.0, -50.0), (100.0, -50.0), (100.0, 50.0), (0.0, 50.0)), window, 3.0)
    lamp = Lamp((0.0, 0.0, 3000.0), (0.3, 0.4, 0.5), 20.0, screen)
    lit = field(Lighting((0.5, 0.4, 0.3), (lamp,)), lens)
    inside, outside = (lit[y, x] for x, y in lens.project([[6.0, 0, 0], [-6.0, 0, 0]]).round().astype(int))
    bright, dim = (inside, outside) if window else (outside, inside)
    assert bright == pytest.approx((0.8, 0.8, 0.8), rel=0.02)
    assert dim == pytest.approx((0.5, 0.4, 0.3), rel=0.02)


def test_screens_leave_some_of_the_board_lit() -> None:
    shares = []
    for seed in range(40):
        conditions = Conditions.random(GAME, seed, 0.5, SMALL)
        clear, screened = (field(each.light, each.lens) for each in (conditions, conditions.screened()))
        ratio = np.log(screened.mean(axis=2) / clear.mean(axis=2))
        shares.append(float((ratio < np.median(ratio) - 0.3).mean() + (ratio > np.median(ratio) + 0.3).mean()))
    assert np.mean(np.array(shares) > 0.03) > 0.6  # in most pictures a good part is in other light
    assert max(shares) < 0.7
