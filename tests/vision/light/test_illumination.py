"""What screens before lamps do to the board's light: how it is told, and what is read then."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints, rasterise
from companion.vision.light.illumination import IlluminationFinder
from companion.vision.light.palette import Light, linear, measure_light
from companion.vision.readers.reader import Reader
from hardware.simulated.conditions import Screen
from hardware.simulated.light import field
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import Picture, arranged, drawn, screened, true_pose
from tests.vision.light.test_pallor import mistakes

VIA = load_game("via")
HALF = Screen(((-400.0, -400.0), (20.0, -400.0), (20.0, 400.0), (-400.0, 400.0)), False, 4.0)


@cache
def shot(screen: Screen | None) -> tuple[Picture, Pose, Array]:
    """A game of VIA with something before its lamp, which is three times as bright as all the rest; the pose; and the
    light in every pixel.
    """
    scene, conditions = arranged(VIA, 61000, 0.2, hands=0.0)
    first, *_ = conditions.light.lamps
    around = (0.15, 0.15, 0.15)
    lamp = replace(first, place=(200.0, 300.0, 1500.0), colour=(0.45, 0.45, 0.45), radius=60.0, screen=screen)
    light = replace(conditions.light, around=around, lamps=(lamp,), person=None, glare=0.0)
    conditions = replace(conditions, light=light)
    image, shown = drawn(VIA, scene, conditions), truth(VIA, scene, conditions)
    return Picture(61000, image, shown, False), true_pose(image, shown), field(light, conditions.lens).mean(axis=2)


def light_of(image: Array, pose: Pose) -> Light:
    """The light on the cards."""
    light = measure_light(image, pose, VIA.marker, -VIA.plate.thickness)
    assert light is not None
    return light.over(image)


def finder(name: str = "via") -> IlluminationFinder:
    """What tells the light of that game."""
    game = load_game(name)
    paints = Paints.of([game.board, *game.looks.values()])
    return IlluminationFinder(paints, rasterise(game.board, paints))


def test_shadow_is_told_and_taken_away() -> None:
    (dark, pose, light), (bright, _, full) = shot(HALF), shot(None)
    found = finder().measure(dark.image, pose, light_of(dark.image, pose))
    assert found.strength is not None
    pictures = dark.image, found.evened(dark.image, pose)
    places = np.array([(x, y, 0.0) for x in range(-120, 121, 15) for y in range(-120, 121, 15) if abs(x - 20) > 12])
    x, y = pose.project(places).round().astype(int).T
    shaded = (light / full)[y, x] < 0.5
    assert 0.3 < shaded.mean() < 0.7
    before, after = (np.log(linear(image[y, x]) / linear(bright.image[y, x])).mean(axis=1) for image in pictures)
    assert np.median(before[~shaded]) - np.median(before[shaded]) > 1.0
    assert abs(np.median(after[~shaded]) - np.median(after[shaded])) < 0.2
    assert np.percentile(np.abs(after - np.median(after)), 90) < 0.35


def test_picture_in_even_light_stays_as_it_is() -> None:
    taken, pose, _ = shot(None)
    found = finder().measure(taken.image, pose, light_of(taken.image, pose))
    assert found.strength is None
    assert found.evened(taken.image, pose) is taken.image


def test_light_is_told_anew_when_a_shadow_moves() -> None:
    (dark, pose, _), (bright, _, _) = shot(HALF), shot(None)
    light, teller = light_of(bright.image, pose), finder()
    first = teller.measure(bright.image, pose, light)
    assert teller.measure(bright.image, pose, light) is first
    other = teller.measure(dark.image, pose, light)
    assert other is not first
    assert other.strength is not None
    assert teller.measure(dark.image, pose, light) is other


def test_light_is_told_where_no_piece_may_be_a_shadow() -> None:
    """Dark blocks on light ones, brown walls on wood and black tiles on a black board look like shade."""
    told = {name for name in ("triangle", "labyria", "via", "magic_triland", "magic_labyrinth") if finder(name).tells}
    assert told == {"via", "magic_labyrinth"}


def test_all_is_read_in_the_shade_and_in_the_sun() -> None:
    taken, pose, _ = shot(HALF)
    reading = Reader(VIA).read(taken.image, pose)
    there = [site for site in VIA.sites if site.name in taken.truth.sites]
    assert all(reading[site.name].label == taken.truth.sites[site.name] for site in there)
    assert np.mean([reading[site.name].trust > 0.9 for site in there]) > 0.9


@pytest.mark.parametrize(("name", "seed"), [("via", 900007), ("magic_labyrinth", 900009), ("triangle", 900015)])
def test_nothing_is_surely_wrong_in_the_shade(name: str, seed: int) -> None:
    game = load_game(name)
    taken = screened(game, seed)
    assert max(mistakes(name, taken.image, taken.truth), default=0.0) < 0.9
