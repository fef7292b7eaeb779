"""What is remembered of the colours that pictures have shown."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.geometry.lens import Array
from companion.vision.light import colours
from companion.vision.light.colours import STEP, Colours


def pixels(count: int, seed: int) -> Array:
    return np.random.default_rng(seed).normal(-1.0, 0.3, (count, 3)).astype(np.float32)


class Asked:
    """Tells the sum of each colour, and how many it was asked for."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, seen: Array) -> Array:
        self.count += len(seen)
        return seen.sum(axis=1, keepdims=True)


def test_each_colour_is_asked_for_once_and_told_about_as_it_is() -> None:
    known, asked = Colours(), Asked()
    first, second = pixels(5000, 1), pixels(5000, 2)
    for seen in (first, second, first[::-1]):
        told = known.rows("sum", known.numbered(seen), asked)
        assert told.shape == (5000, 1)
        assert np.abs(told[:, 0] - seen.sum(axis=1)).max() <= 3 * STEP / 2 + 1e-5
    cells = np.floor(np.concatenate([first, second]) / np.float32(STEP)).astype(int)
    assert asked.count == pytest.approx(len(np.unique(cells, axis=0)), abs=20)  # but for what lies just between two


def test_of_no_colours_there_are_no_rows_but_their_width_is_known() -> None:
    known = Colours()
    nothing = known.numbered(np.empty((0, 3), np.float32))
    assert known.rows("sum", nothing, Asked()).shape == (0, 1)


def test_what_is_asked_under_another_name_is_another_thing() -> None:
    known, seen = Colours(), pixels(100, 3)
    numbers = known.numbered(seen)
    plain = known.rows("sum", numbers, Asked())
    assert np.array_equal(known.rows("none", numbers[:50], np.zeros_like), np.zeros((50, 3)))
    assert np.array_equal(known.rows("sum", numbers, Asked()), plain)


def test_black_and_what_outshines_white_have_numbers() -> None:
    known = Colours()
    ends = np.array([[-9.0, -9.0, -9.0], [-4.0, -4.0, -4.0], [5.0, 5.0, 5.0]], np.float32)
    numbers = known.numbered(ends)
    assert (numbers >= 0).all()
    assert numbers[0] == numbers[1] != numbers[2]
    assert known.rows("sum", numbers, Asked())[2, 0] > 5.0
    assert known.rows("sum", known.numbered(np.empty((0, 3), np.float32)), Asked()).shape == (0, 1)


def test_of_too_many_colours_none_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colours, "MOST", 1000)
    known, asked = Colours(), Asked()
    for seed in range(6):
        seen = pixels(800, seed)
        told = known.rows("sum", known.numbered(seen), asked)
        assert np.abs(told[:, 0] - seen.sum(axis=1)).max() <= 3 * STEP / 2 + 1e-5
    assert known.numbered(pixels(800, 9)).max() < 3000
