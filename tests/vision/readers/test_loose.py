"""Pieces that lie loose on a rack, at the edge of the picture."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.readers.reader import Reader
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import Piece, Scene, Shift, scene_of
from hardware.simulated.truth import Truth, truth
from tests.benchmarks.pictures import Picture, picture, true_pose

GAME = load_game("triangle")
SITES = {site.name: site for site in GAME.sites}
READER = Reader(GAME)
SHOWN = 0.35
"""How far beyond its middle a tile still shows, in its sizes: less than its corners reach."""


PALE = 87207
"""Seed of a picture of a table that is hardly darker than white tiles."""

WHITE = replace(Conditions.random(GAME, 4, 0.2, (1280, 720)), table="white")
"""A table on which white tiles hardly show."""

renderer_of = cache(partial(Renderer, GAME))
"""Draws under some conditions; what does not change from picture to picture takes longest."""


@cache
def two_tiles() -> tuple[Array, Truth]:
    """A white table on which two tiles lie, with its truth."""
    conditions = replace(Conditions.random(GAME, 4, 0.3, (1280, 720)), table="white")
    scene = scene_of(GAME, {"rack:0.0": "GPR1", "rack:1.1": "PPP6"})
    return renderer_of(conditions).render(scene), truth(GAME, scene, conditions)


@cache
def pale_table() -> Picture:
    return picture(GAME, PALE)


def cut_through(image: Array, pose: Pose, at: Array, keep: float) -> tuple[Array, Pose]:
    """The part of a picture that shows `keep` pixels more than the point `at` (x, y), to the border nearest to it."""
    height, width = image.shape[:2]
    left, top, right, bottom = at[0], at[1], width - at[0], height - at[1]
    x0, y0, x1, y1 = 0, 0, width, height
    match int(np.argmin((left, top, right, bottom))):
        case 0:
            x0 = int(at[0] - keep)
        case 1:
            y0 = int(at[1] - keep)
        case 2:
            x1 = int(at[0] + keep)
        case _:
            y1 = int(at[1] + keep)
    middle = pose.lens.centre[0] - x0, pose.lens.centre[1] - y0
    lens = replace(pose.lens, size=(x1 - x0, y1 - y0), centre=middle)
    return np.ascontiguousarray(image[y0:y1, x0:x1]), replace(pose, lens=lens)


@pytest.mark.parametrize("label", ["WWW1", "PPY5", "GPR1"])
def test_a_tile_that_the_edge_of_the_picture_cuts_off_is_read_on_a_white_table(label: str) -> None:
    for site in ("rack:0.0", "rack:1.0", "rack:2.3"):
        scene = scene_of(GAME, {site: label})
        shown = truth(GAME, scene, WHITE)
        image = renderer_of(WHITE).render(scene)
        pose = true_pose(image, shown)
        at = pose.project(np.array([SITES[site].centre]))[0]
        part, seen = cut_through(image, pose, at, SHOWN * SITES[site].size * pose.scale(np.zeros(3)))
        assert READER.read(part, seen)[site].label == label


@pytest.mark.parametrize(("seed", "site"), [(PALE, "rack:0.1"), (736122, "rack:1.3")])
def test_a_white_tile_that_is_hardly_whiter_than_the_table_is_named_by_its_print(seed: int, site: str) -> None:
    shot = pale_table() if seed == PALE else picture(GAME, seed)
    reading = Reader(GAME).read(shot.image, true_pose(shot.image, shot.truth))
    assert shot.truth.sites[site] == reading[site].label == "WWW1"


def test_a_white_tile_of_which_few_edges_show_is_read_on_a_white_table() -> None:
    conditions = Conditions.random(GAME, 729616, 0.5, (1280, 720), list(GAME.seats(4)))
    scene = Scene({"rack:2.0": (Piece("WWW1", Shift(0.0, 0.0, 10.0)),)})
    image, shown = Renderer(GAME, conditions).render(scene), truth(GAME, scene, conditions)
    reading = READER.read(image, true_pose(image, shown))["rack:2.0"]
    assert (reading.label, reading.confidence > 0.99) == ("WWW1", True)


def test_a_white_tile_on_a_white_cloth_with_stripes_is_not_surely_none() -> None:
    shot = picture(GAME, 1500182)
    assert shot.truth.sites["rack:1.1"] == "WWW1"
    read = Reader(GAME).read(shot.image, true_pose(shot.image, shot.truth))["rack:1.1"]
    assert read.label == "WWW1" or read.confidence < 0.9


def test_the_white_number_of_a_small_tile_of_one_colour_tells_it_from_a_thing() -> None:
    conditions = Conditions.random(GAME, 729360, 0.5, (1280, 720))
    scene = scene_of(GAME, {f"rack:0.{slot}": label for slot, label in enumerate(("PPP6", "BPY3", "GGY4", "PPR4"))})
    image, shown = Renderer(GAME, conditions).render(scene), truth(GAME, scene, conditions)
    reading = READER.read(image, true_pose(image, shown))["rack:0.0"]
    assert (reading.label, reading.confidence > 0.99) == ("PPP6", True)


def put_disc(image: Array, pose: Pose, site: str, radius: float, colour: tuple[int, int, int]) -> None:
    """Paints a disc around the middle of a site, radius in mm, blue-green-red."""
    angle = np.linspace(0, 2 * np.pi, 24)
    rim = np.array(SITES[site].centre) + radius * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(24)])
    cv2.fillPoly(image, [np.rint(pose.project(rim) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


@pytest.mark.parametrize("radius", [3, 5, 8])
@pytest.mark.parametrize("top", ["white", "pale"])
def test_a_dark_spot_on_a_pale_table_is_no_tile_for_sure(top: str, radius: float) -> None:
    clear, shown = two_tiles() if top == "white" else (pale_table().image, pale_table().truth)
    image = clear.copy()
    pose = true_pose(image, shown)
    site = next(n for n in reversed(SITES) if n.startswith("rack") and shown.sites.get(n, "empty") == "empty")
    put_disc(image, pose, site, radius, (18, 18, 18))
    reading = Reader(GAME).read(image, pose)[site]
    assert reading.confidence < 0.5


@pytest.mark.parametrize(("outer", "inner"), [(14, 4), (18, 5), (22, 5), (22, 8)])
def test_a_ring_of_a_tiles_colour_is_no_tile_for_sure(outer: float, inner: float) -> None:
    clear, shown = two_tiles()
    image, pose = clear.copy(), true_pose(clear, shown)
    rings = {"rack:2.1": (130, 45, 120), "rack:3.2": (40, 30, 200), "rack:2.2": (170, 80, 25)}
    for site, colour in rings.items():
        put_disc(image, pose, site, outer, colour)
        put_disc(image, pose, site, inner, (235, 235, 235))
    reading = Reader(GAME).read(image, pose)
    assert max(reading[site].confidence for site in rings) < 0.5
    assert reading["rack:1.1"].confidence > 0.9


def test_another_table_top_is_seen_where_the_board_was_carried_to() -> None:
    there = replace(WHITE, table="dark", lens=Conditions.random(GAME, 6, 0.2, (1280, 720)).lens)
    scene = scene_of(GAME, {"rack:0.0": "WWW1", "rack:1.1": "PPP6"})
    reader, fresh = Reader(GAME), Reader(GAME)
    for conditions in (WHITE, there):
        image = renderer_of(conditions).render(scene)
        pose = true_pose(image, truth(GAME, scene, conditions))
        reading = reader.read(image, pose)
    again = fresh.read(image, pose)
    for name in (name for name in SITES if name.startswith("rack")):
        assert (reading[name].label, reading[name].confidence) == (again[name].label, again[name].confidence)


@pytest.mark.parametrize("off", [16, 20, 24, 28, 34])
def test_a_tile_far_off_its_place_is_never_read_on_the_one_beside(off: float) -> None:
    own, beside = (np.array(SITES[name].centre[:2]) for name in ("rack:2.1", "rack:2.3"))
    dx, dy = (off * (beside - own) / np.linalg.norm(beside - own)).tolist()
    scene = scene_of(GAME, {"rack:2.1": "PPP6"})
    scene = Scene(scene.pieces | {"rack:2.1": (Piece("PPP6", Shift(dx, dy, 20.0)),)})
    image = renderer_of(WHITE).render(scene)
    reading = READER.read(image, true_pose(image, truth(GAME, scene, WHITE)))
    there, next_to_it = reading["rack:2.1"], reading["rack:2.3"]
    assert (there.label, there.confidence > 0.9) == ("PPP6", True) or off > 24
    assert next_to_it.label == "empty" or off > 27  # then it lies nearer to that place
    assert min(there.confidence, next_to_it.confidence) < 0.9  # at least one of the two is not believed
