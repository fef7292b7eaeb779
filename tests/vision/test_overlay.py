"""What the overlay shows of things that stand where their labels say."""

from __future__ import annotations

import numpy as np

from companion.games.registry import load_game
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.overlay import DOUBTFUL, SURE, draw_overlay
from companion.vision.reading import Reading, SiteReading

SIZE = (2560, 1440)
GAME = load_game("magic_triland")
POSE = Pose(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 700.0]), Lens.nominal(SIZE), (), 0.0, 0.0)


def drawn(shown: dict[str, str], lead: float = 30.0) -> Array:
    """The overlay over a black picture where sites show these labels, by so much more than any other."""
    sites = {}
    for site in GAME.sites:
        likely = np.zeros(len(site.labels), np.float32)
        likely[site.labels.index(shown.get(site.name, site.nothing))] = lead if site.name in shown else 30.0
        sites[site.name] = SiteReading(site.labels, likely)
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    return draw_overlay(picture, GAME, POSE, Reading(sites))


def count(picture: Array, colour: tuple[int, int, int], around: Array, reach: int) -> int:
    """Pixels of a colour in a square around a point."""
    x, y = np.rint(around).astype(int)
    return int((picture[y - reach : y + reach, x - reach : x + reach] == colour).all(axis=-1).sum())


def place(cell: str, z: float) -> Array:
    """The pixel of a point over a cell."""
    x, y, _ = next(site.centre for site in GAME.sites if site.name == f"cell:{cell}")
    return POSE.project(np.array([[x, y, z]]))[0]


def test_a_messenger_is_named_at_the_foot_it_has_on_its_block() -> None:
    bare, shown = drawn({"cell:A1": "6"}), drawn({"cell:A1": "6", "piece:dark-red": "A1"})
    top = place("A1", next(solid.z1 for solid in GAME.look("cell", "6")))  # type: ignore[union-attr]
    assert count(shown, SURE, top, 70) > count(bare, SURE, top, 70) + 300
    middle = POSE.project(np.zeros((1, 3)))[0]
    assert count(shown, SURE, middle, 70) == count(bare, SURE, middle, 70)


def test_a_messenger_that_may_stand_nowhere_is_named_beside_the_board() -> None:
    sure, doubtful = drawn({"piece:dark-red": "off"}), drawn({"piece:dark-red": "off"}, lead=1.0)
    corner = np.array([130, 61])
    assert count(sure, DOUBTFUL, corner, 60) == 0
    assert count(doubtful, DOUBTFUL, corner, 60) > 100
    middle = POSE.project(np.zeros((1, 3)))[0]
    assert count(doubtful, DOUBTFUL, middle, 300) == 0
