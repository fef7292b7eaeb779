"""Glare that makes the board's own paint paler."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.geometry.lens import Array, Lens
from companion.vision.light.palette import encoded, linear
from companion.vision.light.pallor import added_light
from companion.vision.locating.board import locate
from companion.vision.readers.reader import Reader
from hardware.simulated.truth import Truth
from tests.benchmarks.pictures import picture

WOOD, BLACK = (0.22, 0.34, 0.43), (0.02, 0.02, 0.02)
LAMP = np.array([60.0, -80.0])


def board(paint: tuple[float, float, float], lamp: float = 0.0, shade: float = 0.0) -> tuple[Array, Array, Array]:
    """Places of a board 240 mm wide, the numbers of those that show a paint, and their colours: with the light of a
    lamp, and with more and more shade from left to right.
    """
    places = np.stack(np.meshgrid(*[np.arange(-120.0, 120.0, 2.0)] * 2), axis=-1)
    at = np.flatnonzero(np.random.default_rng(3).random(places.size // 2) < 0.7)
    own = places.reshape(-1, 2)[at]
    added = lamp / np.square(1 + np.square(own - LAMP).sum(axis=1) / 40.0**2)
    colours = np.array(paint) * (1 - shade * (own[:, :1] + 120) / 240) + added[:, None]
    return places, at, colours * np.random.default_rng(4).normal(1, 0.05, colours.shape)


def test_the_light_that_glare_adds_is_measured_where_it_falls() -> None:
    added = added_light(*board(WOOD, lamp=0.15, shade=0.3))
    assert added is not None
    places = board(WOOD)[0]
    at = np.unravel_index(int(added.argmax()), added.shape)
    assert np.linalg.norm(places[at] - LAMP) < 25
    assert 0.08 < added.max() < 0.16
    assert added[np.linalg.norm(places - LAMP, axis=2) > 120].max() < 0.02


def test_shade_is_no_glare_and_grey_paint_tells_none() -> None:
    assert added_light(*board(WOOD, shade=0.6)) is None
    assert added_light(*board(BLACK, lamp=0.15)) is None
    places, at, colours = board(WOOD, lamp=0.15)
    assert added_light(places, at[:20], colours[:20]) is None
    assert added_light(places, at[::60], colours[::60]) is None  # so far apart that no part shows enough


def test_what_lies_on_the_paint_is_not_taken_for_glare() -> None:
    places, at, colours = board(WOOD)
    away = np.abs(places - (-80.0, 80.0)).max(axis=2)
    colours[away.ravel()[at] < 30] = 0.8  # white
    added = added_light(places, at, colours)
    assert added is None or added[away > 50].max() < 0.03  # but under it, who knows


def mistakes(name: str, image: Array, true: Truth) -> list[float]:
    """How sure the reader is of what it mistakes, of all in full view but what lies loose or is piled."""
    game = load_game(name)
    reading = Reader(game).read(image, locate(image, game, Lens.nominal((image.shape[1], image.shape[0]))))
    fixed = [site for site in game.sites if not site.loose and true.hidden.get(site.name, 0.0) < 0.15]
    pairs = [(reading[site.name], true.sites.get(site.name, site.nothing)) for site in fixed]
    return [read.trust for read, want in pairs if read.label != want]


@pytest.mark.parametrize(
    ("name", "seed"), [("magic_labyrinth", 844001), ("labyria", 844018), ("magic_labyrinth", 844073)]
)
def test_glare_makes_nothing_surely_wrong(name: str, seed: int) -> None:
    shot = picture(load_game(name), seed)
    wrong = mistakes(name, shot.image, shot.truth)
    assert len(wrong) <= 4  # 4, 30 and 2 where nothing is known of the glare, most of them sure
    assert max(wrong, default=0.0) < 0.9


def test_light_of_two_colours_makes_nothing_surely_wrong() -> None:
    game = load_game("magic_labyrinth")
    shot = picture(game, 846010, hands=0.0)
    height, width = shot.image.shape[:2]
    y, x = np.mgrid[0:height, 0:width] - np.array([height, width]).reshape(2, 1, 1) / 2
    warmer = 0.2882 * np.tanh((1.4737 * x - 1.3521 * y) / (width / 2))[..., None] * np.array([-1.0, 0.0, 1.0])
    image = encoded(linear(shot.image.astype(np.float64)) * (1 + warmer)).round().clip(0, 255).astype(np.uint8)
    wrong = mistakes("magic_labyrinth", image, shot.truth)
    assert len(wrong) <= 3
    assert max(wrong, default=0.0) < 0.9
