"""The lens adjusted with the pose: of other cameras, and of parts of pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import radians, tan
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.core import Game
from companion.games.registry import load_game
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Fit, Pose
from companion.vision.images import Image
from companion.vision.locating.adjustment import (
    NO_EDGES,
    OTHER_LENSES,
    UNLIKELY,
    USUAL_LENS,
    Edges,
    adjusted,
    drift_of,
    moved,
    oddness,
)
from companion.vision.locating.board import locate
from companion.vision.locating.parallax import read_settled
from companion.vision.locating.poses import PoseKeeper
from companion.vision.readers.reader import Reader
from companion.vision.reading import Reading, SiteReading
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame
from hardware.simulated.truth import Truth, truth
from tests.benchmarks.pictures import arranged, drawn, true_pose

SIZE = (1280, 720)
USUAL = Lens.nominal(SIZE)
LEANING = cv2.Rodrigues(np.array([np.pi - 0.4, 0.1, 0.2]))[0]
HIGH = 25.0
"""Millimetres above the board at which it is compared where things are seen: there a wrong lens shows."""


@cache
def taken(
    game: Game[Any, Any], seed: int, view: float, tilt: float, *, without: str | None = None
) -> tuple[Image, Truth]:
    """A picture with a field of view of so many degrees, by a camera that leans by so many, and what it shows: all but
    what stands on sites of that kind.
    """
    scene, conditions = arranged(game, seed, 0.3, hands=0.0)
    kinds = {site.name: site.kind for site in game.sites}
    scene = replace(scene, pieces={name: stack for name, stack in scene.pieces.items() if kinds[name] != without})
    lens = conditions.lens
    focal = lens.width / 2 / tan(radians(view / 2))
    above = 1.1 * lens.above * focal / lens.focal
    conditions = replace(conditions, lens=replace(lens, focal=focal, above=above, tilt=tilt))
    return drawn(game, scene, conditions), truth(game, scene, conditions)


def edges_of(fit: Fit) -> Edges:
    """Edges of both directions all over a board, found where `fit` has them."""
    x, y = (each.ravel() for each in np.meshgrid(np.linspace(-200, 200, 30), np.linspace(-200, 200, 30)))
    points = np.repeat(np.column_stack([x, y, np.zeros_like(x)]), 2, axis=0)
    normals = np.tile(np.eye(2), (len(x), 1))
    at = fit.lens.project(points @ fit.rotation.T + fit.translation)
    return Edges(points, normals, (normals * at).sum(axis=1), np.ones(len(points)))


def high_off(game: Game[Any, Any], pose: Pose, true: Pose) -> float:
    """How far off, in mm in the mean, what is `HIGH` above the game's sites is seen."""
    places = np.array([site.centre for site in game.sites if not site.loose and not site.roving]) + np.array(
        [0.0, 0.0, HIGH]
    )
    return float(np.linalg.norm(pose.project(places) - true.project(places), axis=1).mean() / true.scale(np.zeros(3)))


def located(image: Image, game: Game[Any, Any]) -> Pose:
    """Where the board is found with a lens that nobody calibrated."""
    return locate(image, game, Lens.nominal((image.shape[1], image.shape[0])))


@pytest.mark.parametrize("drift", [(-0.55, 0.0, 0.0, 0.0), (0.3, 0.0, 0.0, 0.0)])
def test_the_lens_is_found_with_which_edges_are_where_they_are_seen(drift: tuple[float, ...]) -> None:
    spread = OTHER_LENSES[0]
    start = Fit(LEANING, np.array([10.0, -20.0, 800.0]), USUAL, 0.0)
    true = moved(start, np.array([0.02, -0.01, 0.03, 5.0, 4.0, 30.0]), USUAL, np.array(drift))
    found, usual = (adjusted(edges_of(true), [], start, 3.0, 200.0, USUAL, each) for each in (spread, USUAL_LENS))
    places = np.array([[x, y, z] for x in (-150.0, 0.0, 150.0) for y in (-150.0, 150.0) for z in (0.0, HIGH)])
    off, before = (
        np.linalg.norm(Pose.of(fit).project(places) - Pose.of(true).project(places), axis=1).max()
        for fit in (found, usual)
    )
    assert off < 0.5 * before
    assert oddness(found.lens, USUAL, spread) < UNLIKELY < oddness(usual.lens, USUAL, USUAL_LENS)


def test_where_nothing_tells_the_lens_stays_as_it_is() -> None:
    start = Fit(LEANING, np.array([0.0, 0.0, 800.0]), USUAL, 0.0)
    card = np.array([[-10.0, 10.0, 0.0], [10.0, 10.0, 0.0], [10.0, -10.0, 0.0], [-10.0, -10.0, 0.0]])
    seen = USUAL.project(card @ start.rotation.T + start.translation)
    for cards in ([], [(card, seen)]):
        found = adjusted(NO_EDGES, cards, start, 3.0, 1.0, USUAL, USUAL_LENS)
        assert np.allclose(drift_of(found.lens, USUAL), 0.0, atol=1e-6)
        assert np.allclose(found.rotation, start.rotation, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("triangle", 1610002),
        ("labyria", 1610002),
        ("via", 1610002),
        ("magic_triland", 1610002),
        ("magic_labyrinth", 1610005),
    ],
)
def test_a_camera_that_sees_much_more_than_usual_ones_is_known(name: str, seed: int) -> None:
    """Through a usual lens the board is not found."""
    game = load_game(name)
    image, shown = taken(game, seed, 100.0, 28.0)
    assert high_off(game, located(image, game), true_pose(image, shown)) < 0.6


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("triangle", 1610002),
        ("labyria", 1610005),
        ("via", 1610003),
        ("magic_triland", 1610002),
        ("magic_labyrinth", 1610005),
    ],
)
def test_the_board_is_found_in_a_part_of_a_picture(name: str, seed: int) -> None:
    """Through a usual lens it is not, or what stands is seen millimetres beside its place."""
    game = load_game(name)
    image, shown = taken(game, seed, 66.0, 28.0)
    true = true_pose(image, shown)
    cards = np.array([(*centre, -game.plate.thickness) for centre in game.marker.centres])
    at, margin = true.project(cards)[:, 0], game.marker.size * true.scale(cards[0])
    left, right = max(0, int(at.min() - margin)), int(at.max() + margin)
    left, right = (left, image.shape[1]) if left > image.shape[1] - right else (0, right)
    part = np.ascontiguousarray(image[:, left:right])
    assert part.shape[1] < 0.85 * image.shape[1], "the board fills the picture"
    x, y = true.lens.centre
    lens = replace(true.lens, size=(part.shape[1], part.shape[0]), centre=(x - left, y))
    assert high_off(game, located(part, game), replace(true, lens=lens)) < 0.8


def mistakes(game: Game[Any, Any], reading: Reading, shown: Truth) -> set[str]:
    """The sites in plain view that are not read as what they show."""
    plain = (site for site in game.sites if shown.hidden.get(site.name, 0.0) < 0.15 and site.name in reading.sites)
    return {site.name for site in plain if reading[site.name].label != shown.sites.get(site.name, site.nothing)}


@pytest.mark.parametrize(("seed", "view"), [(1610001, 100.0), (1610000, 80.0)])
def test_what_stands_tells_how_high_a_camera_is_that_looks_straight_down(seed: int, view: float) -> None:
    """The board alone does not tell, and heights are misread: all alike."""
    game = load_game("magic_triland")
    image, shown = taken(game, seed, view, 2.0)
    true, pose, reader = true_pose(image, shown), located(image, game), Reader(game)
    readings: list[Reading] = []

    def read(there: Pose) -> Reading:
        readings.append(reader.read(image, there))
        return readings[-1]

    settled, reading = read_settled(image, game, pose, Lens.nominal(pose.lens.size), read)
    assert mistakes(game, readings[0], shown)
    assert not mistakes(game, reading, shown)
    assert high_off(game, settled, true) < 0.5 * high_off(game, pose, true)


def test_a_lens_that_was_calibrated_is_never_changed() -> None:
    game = load_game("magic_triland")
    image, shown = taken(game, 1610001, 100.0, 2.0)
    pose, lens, reading = located(image, game), true_pose(image, shown).lens, Reading(dict[str, SiteReading]())
    assert read_settled(image, game, pose, lens, lambda _: reading) == (pose, reading)


def test_the_table_is_looked_at_again_from_where_the_camera_is() -> None:
    game = load_game("magic_triland")
    image, shown = taken(game, 1610001, 100.0, 2.0)
    watcher, reading = Watcher(game), None
    for number in range(6):
        reading = watcher.observe(Frame(image, 0.3 * number, number)).reading
    assert reading is not None
    assert not mistakes(game, reading, shown)


def test_blocks_that_come_later_tell_how_high_the_camera_is() -> None:
    game = load_game("magic_triland")
    empty, _ = taken(game, 1610000, 80.0, 2.0, without="cell")
    laid, shown = taken(game, 1610000, 80.0, 2.0)
    watcher, reading = Watcher(game), None
    for number in range(9):
        reading = watcher.observe(Frame(empty if number < 4 else laid, 0.3 * number, number)).reading
    assert reading is not None
    assert not mistakes(game, reading, shown)


def test_a_board_stays_where_it_was_nudged_by_hand() -> None:
    game = load_game("magic_triland")
    image, shown = taken(game, 1610001, 100.0, 2.0)
    pose, read = located(image, game), Reading(dict[str, SiteReading]())
    surely = {s.name: shown.sites.get(s.name, s.nothing) for s in game.sites}
    sites = {
        s.name: SiteReading(s.labels, np.where(np.array(s.labels) == surely[s.name], 0.0, -20.0), 1.0)
        for s in game.sites
    }
    for locator, settles in ((locate, True), (lambda *_: pose, False)):
        keeper = PoseKeeper(game, None, locator)
        keeper.update(image, np.zeros((image.shape[0] // 4, image.shape[1] // 4), np.uint8))
        assert not keeper.settle(image, read)
        assert keeper.settle(image, Reading(sites)) is settles


def test_a_picture_of_a_usual_camera_is_read_once() -> None:
    game = load_game("magic_triland")
    image, _ = taken(game, 1610001, 66.0, 10.0)
    reads: list[Array] = []
    reader, pose = Reader(game), located(image, game)

    def read(there: Pose) -> Reading:
        reads.append(there.translation)
        return reader.read(image, there)

    read_settled(image, game, pose, Lens.nominal(pose.lens.size), read)
    assert len(reads) == 1
