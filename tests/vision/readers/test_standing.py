"""Reading what stands on the table: silhouettes, what leaves no room for what, whole pictures of two games."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.core import Game
from companion.games.looks import Prism, regular
from companion.games.registry import load_game
from companion.games.sites import SiteSpec
from companion.vision.geometry.grid import Grid
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints
from companion.vision.light.surfaces import UP, facing
from companion.vision.locating.board import locate
from companion.vision.readers.reader import Reader
from companion.vision.scene.clashes import find_clashes
from companion.vision.scene.explanation import Explanation, Fit, State
from companion.vision.scene.packing import Packing
from companion.vision.scene.silhouettes import RIM, Draughtsman, Shape
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import scene_of
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import Picture, picture, true_pose

RED, BLUE = (200, 30, 30), (30, 30, 200)
SQUARE = ((-10.0, 10.0), (10.0, 10.0), (10.0, -10.0), (-10.0, -10.0))


def looking_down(aside: float = 0.0) -> Pose:
    """A camera 600 mm over the board, `aside` mm to the right of its middle, that looks straight down."""
    rotation = np.diag([1.0, -1.0, -1.0])
    return Pose(rotation, -rotation @ np.array([aside, 0.0, 600.0]), Lens.nominal((1280, 720)), (), 0.0, 0.0)


def test_a_grid_knows_where_lines_of_sight_meet_the_board() -> None:
    pose = looking_down(120.0)
    grid = Grid.over(pose, np.array([[-80.0, -60.0, 0.0], [80.0, 60.0, 30.0]]), 0.8)
    rows, columns = np.array([3, 20, 51]), np.array([5, 64, 90])
    ground = np.column_stack([grid.ground[rows, columns], np.zeros(3)])
    places = grid.places(pose.project(ground))
    assert np.abs(places - np.column_stack([columns, rows])).max() < 0.05
    image = np.arange(1280 * 720 * 3, dtype=np.uint32).reshape(720, 1280, 3).astype(np.uint8)
    assert grid.view(image, (slice(2, 7), slice(1, 9))).shape == (5, 8, 3)


def test_a_grid_knows_what_lies_beside_a_rim() -> None:
    grid = Grid((0, 0), 1, (40, 60), np.zeros((40, 60, 2)), np.zeros(3), 1.0)
    wall = np.zeros((40, 60), bool)
    wall[10:20, 15:45] = True
    inside, outside = grid.beside_rim(np.flatnonzero(wall), 3.0)
    assert wall.ravel()[inside].all()
    assert not wall.ravel()[outside].any()
    assert len(inside) == len(outside) > 70


def test_a_box_shows_its_top_and_the_side_towards_the_camera() -> None:
    pose = looking_down(200.0)
    look = (Prism(SQUARE, 0.0, 30.0, RED),)
    grid = Grid.over(pose, np.array([[-40.0, -40.0, 0.0], [40.0, 40.0, 30.0]]), 0.8)
    shape = Shape(look, 0.0, Paints.of([look]))
    site = SiteSpec("box", "box", (0.0, 0.0, 0.0), 0.0, ("empty", "box"), 30.0)
    patch = Draughtsman(pose, grid).draw(look, shape, site, site.centre)
    seen = {shape.surfaces[slot].facing for slot in np.unique(patch.slot).tolist() if slot != RIM}
    assert seen == {UP, facing((1.0, 0.0))}
    top = patch.slot == [surface.facing for surface in shape.surfaces].index(UP)
    assert (patch.z[top] == 30.0).all()
    area = np.count_nonzero(top) / (pose.scale(np.array([0.0, 0.0, 30.0])) / grid.step) ** 2
    assert 0.75 * 400 < area < 400  # without its rim


def test_things_that_overlap_leave_no_room_for_each_other() -> None:
    looks = {
        ("wall", "empty"): (),
        ("wall", "wall"): (Prism(SQUARE, 0.0, 20.0, RED),),
        ("disc", "none"): (),
        ("disc", "there"): (Prism(regular(24, 10.0), 0.0, 3.0, BLUE),),
    }
    walls = [SiteSpec(f"wall:{x}", "wall", (x, 0.0, 0.0), 0.0, ("empty", "wall"), 30.0) for x in (0.0, 8.0, 21.0)]
    disc = SiteSpec("disc", "disc", (0.0, 0.0, 0.0), 0.0, ("none", "there"), 30.0)
    clashes = find_clashes([*walls, disc], looks)
    assert clashes == {(0, 1): frozenset({(1, 1)}), (1, 1): frozenset({(0, 1), (2, 1)}), (2, 1): frozenset({(1, 1)})}


@pytest.mark.parametrize("seed", range(20))
def test_the_heaviest_things_without_clashes_are_found(seed: int) -> None:
    chance = random.Random(seed)
    count = 11
    weights = [chance.uniform(1, 10) for _ in range(count)]
    places = [k // 2 for k in range(count)]
    pairs = {pair for pair in combinations(range(count), 2) if chance.random() < 0.25}
    pairs |= {pair for pair in combinations(range(count), 2) if places[pair[0]] == places[pair[1]]}
    clashes = [sum(1 << j for j in range(count) if (min(k, j), max(k, j)) in pairs) for k in range(count)]
    free = [
        some
        for size in range(count + 1)
        for some in combinations(range(count), size)
        if not any(pair in pairs for pair in combinations(some, 2))
    ]
    best = max(sum(weights[k] for k in some) for some in free)
    weight, chosen = Packing(weights, clashes, places).best((1 << count) - 1)
    assert weight == pytest.approx(best)
    assert sum(weights[k] for k in range(count) if chosen >> k & 1) == pytest.approx(best)
    assert not any(chosen >> a & 1 and chosen >> b & 1 for a, b in pairs)


def test_what_a_wall_hides_does_not_speak_against_what_stands_behind_it() -> None:
    wood, wall, figure = range(3)
    evidence = np.full((10, 3), -3.0, np.float32)
    evidence[:2, wood] = evidence[8:, wood] = evidence[4:8, wall] = evidence[2:4, figure] = 2.5

    def standing(label: int, at: np.ndarray[Any, Any], z: float, column: int) -> State:
        return State(label, at, np.full(len(at), z, np.float32), column * 10 + at)

    nothing, ground = standing(0, np.arange(0), 0.0, wood), np.full(10, -1.0, np.float32)
    states = {0: [nothing, standing(1, np.arange(4, 8), 20.0, wall)], 1: [nothing]}
    touches, heard = (frozenset({1}), frozenset({0})), {1: np.zeros(1)}
    explanation = Explanation(
        evidence.T.ravel(), evidence[:, wood].copy(), states, 10, {0: 0, 1: 0}, touches, {}, ground, heard
    )
    explanation.search()
    assert (explanation.covers(np.arange(2, 7), 1), explanation.covers(np.arange(4), 1)) == (True, False)
    assert explanation.without(1)[1][5] == 20.0
    explanation.arrange(1, [nothing, standing(1, np.arange(2, 7), 10.0, figure)], None)
    explanation.search([1])
    assert explanation.chosen == {0: 1, 1: 1}


def test_a_site_on_which_nothing_has_changed_stays_as_it_was() -> None:
    evidence = np.array([[0.0, 3.0], [0.0, 3.0], [0.0, 0.0]], np.float32)
    at, nowhere = np.array([0, 1]), np.empty(0, np.intp)
    states = [State(0, nowhere, np.empty(0), nowhere), State(1, at, np.full(2, 5.0), 3 + at)]
    said = []
    looked = np.zeros(2)
    for before in ({}, {0: Fit(0, states, looked)}, {0: Fit(1, states, looked)}):
        explanation = Explanation(
            evidence.T.ravel(),
            evidence[:, 0].copy(),
            {0: states, 1: states},
            3,
            {0: 0, 1: 0},
            [frozenset({1}), frozenset({0})],
            {(0, 1): frozenset({(1, 1)}), (1, 1): frozenset({(0, 1)})},
            np.full(3, -1e3, np.float32),
            {},
            before,
            before.keys(),
        )
        explanation.search()
        said.append(explanation.chosen)
    assert sum(said[0].values()) == 1  # one thing explains the picture, on either site
    assert said[1:] == [{0: 0, 1: 1}, {0: 1, 1: 0}]


@cache
def read(name: str, seed: int) -> tuple[Game[Any, Any], Picture, Pose, Reader]:
    game = load_game(name)
    shot = picture(game, seed)
    height, width = shot.image.shape[:2]
    return game, shot, locate(shot.image, game, Lens.nominal((width, height))), Reader(game)


@pytest.mark.parametrize(("name", "seed"), [("labyria", 43), ("magic_labyrinth", 28)])
def test_everything_that_stands_on_the_table_is_read(name: str, seed: int) -> None:
    """Magic Labyrinth, seed 28: of the chip only the rim shows under a figure."""
    game, shot, pose, reader = read(name, seed)
    reading = reader.read(shot.image, pose)
    asked = [site.name for site in game.sites if shot.truth.hidden.get(site.name, 0.0) < 0.15 or site.kind == "chip"]
    wrong = {site: reading[site].label for site in asked if reading[site].label != shot.truth.sites[site]}
    assert wrong == {}
    assert {site.kind for site in game.sites if shot.truth.sites[site.name] != site.nothing} >= {"cell"}


def test_a_few_sites_are_read_as_among_all() -> None:
    _game, shot, pose, reader = read("magic_labyrinth", 28)
    whole = reader.read(shot.image, pose)
    few = [site for site, label in shot.truth.sites.items() if label not in ("empty", "none")][:5]
    part = reader.read(shot.image, pose, few)
    assert set(part.sites) == set(few)
    assert {site: part[site].label for site in few} == {site: whole[site].label for site in few}


@pytest.mark.parametrize("name", ["labyria", "magic_labyrinth"])
def test_what_lies_outside_the_picture_is_not_visible(name: str) -> None:
    seed = {"labyria": 43, "magic_labyrinth": 28}[name]
    game, shot, pose, reader = read(name, seed)
    middle = int(pose.project(np.zeros((1, 3)))[0, 0])
    lens = replace(pose.lens, size=(middle, pose.lens.size[1]))
    reading = reader.read(np.ascontiguousarray(shot.image[:, :middle]), replace(pose, lens=lens))
    outside = [site.name for site in game.sites if pose.project(np.array([site.centre]))[0, 0] > middle + 60]
    assert len(outside) > 5
    assert all(reading[site].visible < 0.1 for site in outside if site not in ("chip", "depot"))
    right = sum(
        reading[site.name].label == shot.truth.sites[site.name] for site in game.sites if site.name not in outside
    )
    assert right > 0.8 * (len(game.sites) - len(outside))


def test_what_a_hand_of_one_colour_covers_is_not_sure() -> None:
    _game, shot, pose, reader = read("magic_labyrinth", 28)
    reader.read(shot.image, pose)
    covered = shot.image.copy()
    centre = pose.project(np.array([[30.0, 30.0, 10.0]]))[0].astype(int)
    reach = int(75 * pose.scale(np.zeros(3)))
    covered[centre[1] - reach : centre[1] + reach, centre[0] - reach : centre[0] + reach] = (40, 160, 90)
    reading = reader.read(covered, pose, ["slot:b2-b3", "slot:c2-c3", "slot:b3-c3"])
    assert all(site.visible < 0.5 or site.confidence < 0.9 for site in reading.sites.values())


@pytest.mark.parametrize("field", ["a1", "d1", "d4"])
def test_a_patch_of_sun_on_a_bare_field_is_not_surely_the_chip(field: str) -> None:
    game = load_game("magic_labyrinth")
    shot = picture(game, 5101, 0.2, hands=0.0)
    assert shot.truth.sites["chip"] == "c2"
    pose = true_pose(shot.image, shot.truth)
    site = next(site for site in game.sites if site.name == f"cell:{field}")
    around = [np.add(site.centre, (x, y, 0.0)) for x, y in ((-19, -19), (19, -19), (19, 19), (-19, 19))]
    lit = cv2.fillConvexPoly(np.zeros(shot.image.shape[:2], np.uint8), pose.project(np.array(around)).astype(int), 1)
    image = np.where(lit[..., None] > 0, shot.image, (0.55 * shot.image).astype(np.uint8))
    chip = Reader(game).read(image, pose)["chip"]
    assert chip.label == "c2" or chip.trust < 0.5


def test_a_table_of_the_colour_of_a_piece_is_not_surely_that_piece() -> None:
    """In the light that a board in the shade tells of, the blue stripes of a cloth have the colour of blue walls."""
    game = load_game("magic_labyrinth")
    shot = picture(game, 877020, 0.3, hands=0.1)
    pose = true_pose(shot.image, shot.truth)
    board = [(x, y, 0.0) for x, y in ((-210, -210), (210, -210), (210, 210), (-210, 210))]
    shade = cv2.fillConvexPoly(np.zeros(shot.image.shape[:2], np.uint8), pose.project(np.array(board)).astype(int), 1)
    image = np.where(shade[..., None] > 0, (0.55 * shot.image).astype(np.uint8), shot.image)
    reading = Reader(game).read(image, pose)
    tray = [site.name for site in game.sites if site.kind == "tray"]
    assert all(shot.truth.sites.get(name, "empty") == "empty" for name in tray)
    assert not [name for name in tray if reading[name].label != "empty" and reading[name].trust > 0.5]


def test_what_a_bare_board_had_not_shown_yet_is_learned_from_the_first_piece() -> None:
    game = load_game("labyria")
    conditions = Conditions.random(game, 5, 0.3, (1280, 720), game.seats(2))
    renderer, reader = Renderer(game, conditions), Reader(game)
    laid: dict[str, str] = {}
    sure = {}
    pose = looking_down()
    for corner, label in (("", ""), ("crossing:e5", "NE"), ("crossing:e7", "SW"), ("crossing:d7", "SW")):
        laid |= {corner: label} if corner else {}
        scene = scene_of(game, laid)
        image = renderer.render(scene)
        pose = true_pose(image, truth(game, scene, conditions)) if not corner else pose
        near = {site.name for site in game.sites if corner and _near(game, site, corner)}
        reading = reader.read(image, pose, near or None)
        if corner:
            assert reading[corner].label == label
            sure[corner] = reading[corner].confidence
    assert min(sure["crossing:e7"], sure["crossing:d7"]) > 0.95


@pytest.mark.parametrize(("seed", "site", "label"), [(90007, "cell:d3", "green"), (90006, "tray:7", "yellow")])
def test_pieces_that_shine_are_read(seed: int, site: str, label: str) -> None:
    game = load_game("magic_labyrinth")
    shot = picture(game, seed)
    reading = Reader(game).read(shot.image, true_pose(shot.image, shot.truth))
    assert (reading[site].label, reading[site].confidence > 0.9) == (label, True)


@pytest.mark.parametrize(
    ("seed", "site", "label", "walls"),
    [
        (5005, "cell:j10", "red+yellow*3", ["a1-b1", "a1-a2", "j9-j10"]),
        (5013, "cell:a10", "blue*3+green*2", ["a10-b10", "a9-a10"]),
    ],
)
def test_how_many_figures_stand_in_a_corner_behind_a_wall_is_never_surely_wrong(
    seed: int, site: str, label: str, walls: list[str]
) -> None:
    game = load_game("labyria")
    conditions = Conditions.random(game, seed, 0.5, (1280, 720), (0, 1, 2, 3))
    scene = scene_of(game, {site: label} | {f"edge:{edge}": "square" for edge in walls}, seed)
    image = Renderer(game, conditions).render(scene)
    reading = Reader(game).read(image, true_pose(image, truth(game, scene, conditions)))[site]
    assert reading.label == label or reading.confidence < 0.9


def _near(game: Game[Any, Any], site: SiteSpec, name: str) -> bool:
    other = next(other for other in game.sites if other.name == name)
    return float(np.hypot(*(np.array(site.centre[:2]) - other.centre[:2]))) < 50.0
