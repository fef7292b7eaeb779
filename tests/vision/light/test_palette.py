"""The paints of a set as one picture has them."""

from __future__ import annotations

import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.geometry.raster import Paints
from companion.vision.light.palette import Light, Palette, TableTop, encoded, linear

WOOD, GREEN, ROAD, WATER, WHITE, BLUE = range(6)
COLOURS = ((165, 128, 88), (96, 150, 72), (226, 210, 172), (52, 122, 190), (238, 236, 230), (35, 75, 165))
MANY = 50


def pixels(number: int, gain: float = 1.0, veil: float = 0.0) -> Array:
    """What a picture shows of a paint (n, 3) in other light, under a veil of glare."""
    light = gain * linear(np.array(COLOURS[number], np.float64)[::-1]) + veil
    return np.repeat(np.rint(encoded(light)).astype(np.uint8)[None], MANY, axis=0)


def fitted(*shown: tuple[int, Array]) -> Array:
    """How far the paints (paints, 3) are from the set file where the picture shows these."""
    numbers = np.concatenate([np.full(MANY, number) for number, _ in shown])
    palette = Palette(Paints(COLOURS, ()), Light.nominal(), TableTop.unseen())
    found = palette.fitted(numbers, np.concatenate([seen for _, seen in shown]))
    return found.means - palette.nominal


BOARD = [(number, pixels(number)) for number in (WOOD, GREEN, ROAD, WATER)]


def test_blue_under_glare_that_was_taken_for_white_makes_white_no_blue() -> None:
    board = [(number, pixels(number, veil=0.04)) for number, _ in BOARD]
    assert np.abs(fitted(*board, (WHITE, pixels(BLUE, veil=0.12)))[WHITE]).max() < 0.2


def test_what_looks_as_it_should_in_the_light_of_the_picture_is_learned() -> None:
    dim = [(number, pixels(number, gain=0.5)) for number in (WOOD, GREEN, ROAD, WATER, WHITE)]
    off = fitted(*dim)
    assert np.abs(off[WHITE] - np.log(0.5)).max() < 0.1
    assert (off[BLUE, :2] < -0.2).all()


def test_a_paint_of_another_make_is_learned_where_it_is_no_other() -> None:
    greener = pixels(GREEN) + np.array([30, 10, 0], np.uint8)
    others = [shown for shown in BOARD if shown[0] != GREEN]
    off = fitted(*others, (GREEN, greener))[GREEN]
    assert off[0] > 0.4
    assert abs(off[2]) < 0.05
