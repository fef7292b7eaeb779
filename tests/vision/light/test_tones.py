"""How surfaces look in one picture: contrast that the camera has added, and light that makes wood look like paint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.raster import Paints
from companion.vision.light.palette import Light, Palette, TableTop, encoded, linear
from companion.vision.light.surfaces import UP, Surface
from companion.vision.light.tones import Tones
from companion.vision.locating.board import locate
from companion.vision.readers.reader import Reader
from tests.benchmarks.pictures import picture

LABYRIA = load_game("labyria")


def shown(light: Array, contrast: float) -> Array:
    """Pixel values of linear light, where the camera adds contrast."""
    value = encoded(light) / 255
    s_curve = value * value * (3 - 2 * value)
    return np.clip(255 * (value + contrast * (s_curve - value)), 0, 255)


@pytest.mark.parametrize("contrast", [0.0, 0.15, 0.3, 0.45, 0.6])
def test_contrast_that_a_camera_adds_is_found_by_light_and_shade_on_the_board(contrast: float) -> None:
    paints = Paints.of([LABYRIA.board])
    white, black, wood = np.array([0.8, 0.9, 0.95]), np.full(3, 0.01), np.array([0.1, 0.35, 0.6])
    chance = np.random.default_rng(1)
    light = np.where(chance.random(4000) < 0.4, 0.05, 1.0) * chance.uniform(0.8, 1.1, 4000)
    pixels = np.rint(shown(light[:, None] * wood, contrast) + chance.normal(0, 1.5, (4000, 3))).astype(np.uint8)
    seen = Light(linear(shown(white, contrast)), linear(shown(black, contrast)))
    tones = Tones.nominal(Palette(paints, seen, TableTop.unseen()), [Surface(0, UP)])
    assert tones.evened(0, pixels, np.arange(4000)).contrast == pytest.approx(contrast, abs=0.01)


def test_wood_in_yellow_light_and_deep_shade_is_no_yellow_figure() -> None:
    shot = picture(LABYRIA, 801023)
    read = Reader(LABYRIA).read(shot.image, locate(shot.image, LABYRIA, Lens.nominal(shot.image.shape[1::-1])))
    cells = [site.name for site in LABYRIA.sites if site.kind == "cell"]
    assert {name: read[name].label for name in cells} == {name: shot.truth.sites.get(name, EMPTY) for name in cells}


WALLS = {"red": (0.06, 0.06, 0.6), "yellow": (0.07, 0.62, 0.9), "blue": (0.5, 0.15, 0.06), "green": (0.1, 0.33, 0.06)}


def walls() -> tuple[Palette, list[Surface]]:
    """The tops of walls of four colours, in even light."""
    maze = load_game("magic_labyrinth")
    paints = Paints.of([maze.look("tray", name) for name in WALLS])
    palette = Palette(paints, Light(np.ones(3), np.full(3, 0.0)), TableTop.unseen())
    return palette, [Surface(paints.number(maze.look("tray", name)[0].marks[0].colour), UP) for name in WALLS]


def guessed(colours: dict[str, tuple[float, float, float]]) -> tuple[Array, Array]:
    """How far (natural logarithm) the tone of a green wall is from its true colour, when those of walls in other
    `colours` than a set says were seen, as a set says it and as it is guessed.
    """
    palette, surfaces = walls()
    nominal = Tones.nominal(palette, surfaces)
    numbers = np.repeat(np.arange(3), 200)
    light = np.array([colours[name] for name in WALLS])
    pixels = np.rint(encoded(light[numbers])).astype(np.uint8)
    tones = nominal.fitted(numbers, pixels, np.arange(len(numbers)))
    true = np.log(light[3])
    return np.abs(nominal.means[3] - true), np.abs(tones.means[3] - true)


def test_what_was_not_seen_is_as_pale_as_what_was() -> None:
    pale = {name: tuple(0.8 * value + 0.15 for value in light) for name, light in WALLS.items()}
    said, found = guessed(pale)  # type: ignore[arg-type]
    assert said.max() > 0.7
    assert found.max() < 0.2


def test_walls_of_any_other_colours_make_none_pale() -> None:
    other = {"red": (0.3, 0.1, 0.4), "yellow": (0.05, 0.3, 0.5), "blue": (0.7, 0.4, 0.02), "green": WALLS["green"]}
    said, found = guessed(other)  # type: ignore[arg-type]
    assert found.tolist() == said.tolist()


def test_a_dark_paint_is_not_learned_where_all_is_white() -> None:
    palette, surfaces = walls()
    tones = Tones.nominal(palette, surfaces)
    dark = replace(tones, means=np.vstack([np.full(3, -2.9), tones.means[1:]]))
    white = np.full((48, 3), 200, np.uint8)
    after = dark.joined(np.zeros(48, np.intp), white, np.arange(48))
    assert after.seen == dark.seen
    assert after.means.tolist() == dark.means.tolist()
