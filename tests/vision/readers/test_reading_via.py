"""Tiles with buildings: read together, wherever on its part of land a building stands."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.evidence import SURE
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import locate
from companion.vision.look import look
from companion.vision.readers.laden import LadenKind
from companion.vision.readers.reader import Reader
from companion.vision.readers.roaming import Found
from companion.vision.reading import Reading, SiteReading, sites_there
from companion.vision.watching.motion import Thumbnail
from companion.vision.watching.zones import Zones
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import Piece, Scene, Shift, scene_of
from hardware.simulated.truth import Truth, exists, truth
from tests.benchmarks.pictures import arranged, drawn, picture, spread, true_pose

GAME = load_game("via")
SITES = {site.name: site for site in GAME.sites}
READER = Reader(GAME)

TABLE = {
    "cell:c3": "S3/0",
    "cell:c4": "S4/0",
    "cell:c5": "ST",
    "cell:d2": "S3/0",
    "cell:d3": "C4/0",
    "cell:d4": "C2/3",
    "cell:d5": "W",
    "cell:e4": "S2/1",
    "cell:e5": "C3/1",
    "building:c3.4": "castle:green",
    "building:c4.0": "house:yellow",
    "building:d4.0": "house:blue",
    "building:e4.2": "castle:white",
}


@cache
def table(shift: float = 0.0, turn: float = 0.0) -> tuple[cv2.typing.MatLike, Truth]:
    """A picture of `TABLE` with its truth; buildings stand `shift` mm off their places, turned by `turn` degrees."""
    conditions = Conditions.random(GAME, 11, 0.2)
    scene = scene_of(GAME, TABLE)
    moved = {
        name: (Piece(stack[0].label, Shift(shift, -shift, turn)),)
        for name, stack in scene.pieces.items()
        if name.startswith("building")
    }
    scene = Scene({**scene.pieces, **moved})
    return Renderer(GAME, conditions).render(scene), truth(GAME, scene, conditions)


@cache
def table_read(shift: float = 0.0, turn: float = 0.0) -> Reading:
    """What is read in that picture."""
    return READER.read(table(shift, turn)[0], true_pose(*table(shift, turn)))


shot_of = cache(picture)
"""The picture with a seed; drawing one takes long."""


def mistakes(reading: Reading, shown: Truth) -> list[tuple[str, str, str]]:
    return [
        (site.name, shown.sites[site.name], reading[site.name].label)
        for site in GAME.sites
        if exists(site, shown.sites)
        and shown.hidden.get(site.name, 0.0) < 0.15
        and reading[site.name].label != shown.sites[site.name]
    ]


@pytest.mark.parametrize("seed", [42001, 42004])
def test_every_tile_and_building_is_read(seed: int) -> None:
    shot = picture(GAME, seed, 0.4, hands=0.0)
    reading = READER.read(shot.image, true_pose(shot.image, shot.truth))
    assert not mistakes(reading, shot.truth)
    assert any(site.startswith("building") and label != EMPTY for site, label in shot.truth.sites.items())


@pytest.mark.parametrize(("shift", "turn"), [(0.0, 0.0), (3.0, 35.0), (-3.0, 70.0)])
def test_buildings_stand_anywhere_on_their_part(shift: float, turn: float) -> None:
    assert not mistakes(table_read(shift, turn), table(shift, turn)[1])


@pytest.mark.parametrize("seed", [937010, 937011])
def test_buildings_are_seen_wherever_they_stand_on_land_of_any_shape(seed: int) -> None:
    scene, conditions = arranged(GAME, seed, 0.4, hands=0.0, anyhow=1.0, plenty=True)
    scene = spread(GAME, scene, np.random.default_rng(seed))
    shown = truth(GAME, scene, conditions)
    image = drawn(GAME, scene, conditions)
    reading = READER.read(image, true_pose(image, shown))
    there = [site for site in SITES.values() if site.kind == "building" and exists(site, shown.sites)]
    seen = [site for site in there if shown.hidden.get(site.name, 0.0) < 0.3]
    wrong = [site.name for site in seen if reading[site.name].label != shown.sites.get(site.name, EMPTY)]
    assert sum(shown.sites[site.name] != EMPTY for site in seen) > 70
    assert len(wrong) <= 1
    assert not [name for name in wrong if reading[name].trust > SURE]


def test_a_road_an_arm_of_which_a_building_hides_is_not_surely_one_without() -> None:
    shot = picture(GAME, 948018)
    pose = locate(shot.image, GAME, Lens.nominal((shot.image.shape[1], shot.image.shape[0])))
    tile = READER.read(shot.image, pose)["cell:g3"]
    assert shot.truth.sites["building:g3.0"] == "castle:green"
    assert tile.label == shot.truth.sites["cell:g3"] or tile.trust < SURE


def test_land_that_a_tile_has_not_is_not_seen() -> None:
    reading, (_, shown) = table_read(), table()
    absent = [site.name for site in SITES.values() if site.kind == "building" and not exists(site, shown.sites)]
    assert absent
    assert not [name for name in absent if reading[name].visible > 0]


def test_a_part_of_the_table_is_read_like_the_whole() -> None:
    image, shown = table()
    pose = true_pose(image, shown)
    whole = READER.read(image, pose)
    few = {"cell:c3", "building:c3.4", "building:e4.2"}
    part = READER.read(image, pose, few)
    assert set(part.sites) == few
    assert {site: part[site].label for site in few} == {site: whole[site].label for site in few}


def test_a_pose_that_is_off_is_made_exact_by_the_tiles() -> None:
    image, shown = table()
    pose = true_pose(image, shown)
    off = replace(pose, translation=pose.translation + pose.rotation @ np.array([2.5, -2.0, 0.0]))
    assert not mistakes(READER.read(image, off), shown)


def test_labels_that_differ_only_where_it_is_hidden_are_equally_likely() -> None:
    image, shown = table()
    pose = true_pose(image, shown)
    READER.read(image, pose)
    kind = next(kind for kind in READER._kinds if isinstance(kind, LadenKind)).host
    palette, plan = READER._palette, kind.plan(pose)
    assert palette is not None
    number = [site.name for site in kind.sites].index("cell:d2")
    one, other = (kind.shown[kind.labels.index(label)] for label in ("S3/0", "S2/0"))
    masks = np.zeros((1, len(one)), bool), (one != other)[None]
    open_, covered = (kind.look(image, palette, plan, np.array([number]), mask).readings[0] for mask in masks)
    assert open_.label == "S3/0"
    assert open_.cost("S2/0") > 4
    assert abs(covered.cost("S3/0") - covered.cost("S2/0")) < 0.1
    assert min(covered.cost(label) for label in ("S4/0", "C2/0", "W", EMPTY)) > 2


def test_crossings_and_start_tiles_are_told_apart_in_coarse_pictures() -> None:
    shot = picture(GAME, 60031)
    reading = READER.read(shot.image, true_pose(shot.image, shot.truth))
    crossings = [site for site, label in shot.truth.sites.items() if label in ("S4/0", "ST")]
    free = [site for site in crossings if shot.truth.hidden.get(site, 0.0) < 0.15]
    assert {"S4/0", "ST"} == {shot.truth.sites[site] for site in free}
    assert all(reading[site].label == shot.truth.sites[site] for site in free)
    assert min(reading[site].confidence for site in free) > 0.95


def test_fingers_that_end_nowhere_are_no_buildings() -> None:
    shot = picture(GAME, 61019, hands=1.0)
    reading = Reader(GAME).read(shot.image, true_pose(shot.image, shot.truth))
    there = [site for site in GAME.sites if site.kind == "building" and exists(site, shot.truth.sites)]
    wrong = [site.name for site in there if reading[site.name].label != shot.truth.sites.get(site.name, EMPTY)]
    assert not [site for site in wrong if reading[site].trust > 0.9]


def test_what_hardly_explains_more_than_nothing_is_not_sure() -> None:
    """Under glare a blue house looks like a white one in the shade."""
    shot = picture(GAME, 841094)
    reading = Reader(GAME).read(shot.image, true_pose(shot.image, shot.truth))
    for name in ("building:e5.4", "building:g2.2"):
        assert shot.truth.sites[name] == "house:blue"
        assert reading[name].label == "house:blue" or reading[name].trust < 0.5


@pytest.mark.parametrize("reach", [30.0, 75.0])
def test_land_in_the_shade_is_not_surely_a_green_house(reach: float) -> None:
    shot = shot_of(GAME, 877024, 0.3, hands=0.1)
    pose = true_pose(shot.image, shot.truth)
    x, y, z = SITES["cell:f1"].centre
    corners = np.array([(x + u * reach, y + v * reach, z) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    shade = cv2.fillConvexPoly(np.zeros(shot.image.shape[:2], np.uint8), pose.project(corners).astype(int), 1)
    image = np.where(shade[..., None] > 0, (0.45 * shot.image).astype(np.uint8), shot.image)
    reading = Reader(GAME).read(image, pose)
    assert not [wrong for wrong in mistakes(reading, shot.truth) if reading[wrong[0]].trust > 0.5]


@pytest.mark.parametrize(("castle", "most"), [(23.0, 1.0), (15.0, 42.0)])
def test_a_house_that_may_be_a_part_of_a_castle_is_not_sure(castle: float, most: float) -> None:
    (kind,) = (kind for kind in READER._kinds if isinstance(kind, LadenKind))
    house = next(thing for thing in kind._upright if thing.label == "house:green")
    scores = {"house:green": np.array([57.0]), "castle:green": np.array([castle]), "castle:white": np.array([50.0])}
    told = kind._or_larger(Found(0, house, np.zeros(2), 57.0, np.zeros((1, 2)), scores, [], 0.9)).scores
    assert float((told["house:green"] - told["castle:green"])[0]) == most


def test_only_parts_that_the_laid_tile_has_are_told() -> None:
    image, _ = table()
    told = look(image, "via")["sites"]
    parts = {name.partition(".")[2] for name in told if name.startswith("building:c3.")}
    assert parts == {
        name.partition(".")[2] for name in SITES if SITES[name].on == "cell:c3" and SITES[name].place("S3/0")
    }
    assert not [name for name in told if name.startswith(("building:a1.", "building:d5."))]
    assert told["building:c3.4"]["label"] == "castle:green"


@pytest.mark.parametrize(
    ("plain", "thing", "found"),
    [(0.0, "building:c3.2", True), (0.0, "building:c3.4", False), (0.0, "", False), (9.0, "building:c3.2", False)],
)
def test_nobody_is_sure_of_land_of_which_a_network_sees_a_corner(plain: float, thing: str, found: bool) -> None:
    (kind,) = (kind for kind in READER._kinds if isinstance(kind, LadenKind))
    parts = [name for name in SITES if SITES[name].on == "cell:c3"]

    def said(name: str, label: str, lead: float) -> SiteReading:
        labels = SITES[name].labels
        return SiteReading(labels, lead * (np.array(labels) == label).astype(np.float32))

    seen = {"cell:c3": said("cell:c3", "S2/0", 9.0)} | {name: said(name, EMPTY, plain) for name in parts}
    told = {name: said(name, "castle:white" if name == thing else EMPTY, 9.0) for name in parts}
    assert kind.overlooked(seen, told) == ({"building:c3.0"} if found else set())


def test_a_part_of_a_tile_is_where_the_tile_has_it() -> None:
    there = {site.name: site.centre for site in sites_there(GAME.sites, table_read())}
    assert there["building:c3.4"] == SITES["building:c3.4"].place("S3/0")
    assert "building:a1.0" not in there


def test_what_changes_on_a_tile_concerns_all_that_may_stand_on_it() -> None:
    image, shown = table()
    thumb = Thumbnail(np.asarray(cv2.resize(image, None, fx=0.25, fy=0.25)), 4.0, 1.0)
    zones = Zones(GAME, true_pose(image, shown), thumb)
    mask = np.zeros(thumb.image.shape[:2], np.uint8)
    x, y = (true_pose(image, shown).project(np.array([[*SITES["cell:c4"].centre[:2], 4.0]]))[0] / 4).astype(int)
    mask[y - 1 : y + 2, x - 1 : x + 2] = 255
    assert {name for name in SITES if SITES[name].on == "cell:c4"} <= zones.touched(mask)


@pytest.mark.parametrize(("turn", "astray"), [(0.0, False), (0.5, False), (2.0, True), (3.0, True)])
def test_nothing_is_sure_where_the_tiles_lie_as_if_the_pose_were_wrong(turn: float, astray: bool) -> None:
    shot = shot_of(GAME, 61003, 0.2, hands=0.0)
    pose = true_pose(shot.image, shot.truth)
    turned = replace(pose, rotation=pose.rotation @ cv2.Rodrigues(np.array([0.0, 0.0, np.radians(turn)]))[0])
    reader = Reader(GAME)
    sites = reader.read(shot.image, turned).sites.values()
    assert reader.astray is astray
    assert np.mean([site.confidence > SURE for site in sites if site.visible > 0]) == (0.0 if astray else 1.0)


@cache
def more_and_more_tiles() -> tuple[dict[str, str], list[cv2.typing.MatLike], Pose]:
    """Tiles on all places but one; pictures with none of them, some, and all; and where the first tells the board to
    be.
    """
    cells = [name for name in SITES if name.startswith("cell") and name != "cell:d4"]
    labels = np.random.default_rng(3).choice([label for label in SITES["cell:c3"].labels if label != EMPTY], len(cells))
    tiles = dict(zip(cells, labels.tolist(), strict=True))
    renderer = Renderer(GAME, Conditions.random(GAME, 11, 0.2))
    counts = (0, 2, 5, 10, len(cells))
    images = [renderer.render(scene_of(GAME, dict(list(tiles.items())[:count]))) for count in counts]
    return tiles, images, locate(images[0], GAME, Lens.nominal((images[0].shape[1], images[0].shape[0])))


@pytest.mark.parametrize("shift", [(2.0, 0.0), (3.0, 0.0), (2.0, 2.0)])
def test_tiles_that_came_later_correct_what_the_first_ones_told_of_the_pose(shift: tuple[float, float]) -> None:
    tiles, images, pose = more_and_more_tiles()
    off = replace(pose, translation=pose.translation + pose.rotation @ np.array([*shift, 0.0]))
    reader = Reader(GAME)
    for image in images:
        reading = reader.read(image, off)
        reader.align(image)
    assert {name: reading[name].label for name in tiles} == tiles
