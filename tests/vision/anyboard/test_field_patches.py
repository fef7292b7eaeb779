"""Pictures of single fields, as the network for boards of one's own sees them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.evidence import Evidence
from companion.vision.anyboard.expectation import Expectation
from companion.vision.anyboard.occupancy import View, centres
from companion.vision.anyboard.patches import COUNT, NEARER, field_patches
from companion.vision.anyboard.surface import MARGIN, UNIT

SET = """
name = "plain"
[board]
shape = "square"
side = 300.0
thickness = 5.0
[grid]
columns = 6
rows = 5
pitch = 40.0
"""
ROWS, COLUMNS, MIDDLE = 5, 6, COUNT // 2 - round(NEARER * UNIT / 2)
"""The grid, and the row of a patch in which the middle of its field is."""


@pytest.fixture
def board(tmp_path: Path) -> BoardSet:
    path = tmp_path / "plain.toml"
    path.write_text(SET)
    return BoardSet.load(path)


def patches(board: BoardSet, tone: np.ndarray, view: View, known: np.ndarray | None = None) -> np.ndarray:
    nothing = np.zeros(tone.shape[:2], np.float32)
    known = np.ones(tone.shape[:2], bool) if known is None else known
    evidence = Evidence(nothing, nothing, nothing, nothing, nothing, tone, known, np.zeros(known.shape))
    trust, kinds = np.ones((ROWS, COLUMNS)), np.zeros((ROWS, COLUMNS), int)
    expected = Expectation(np.zeros_like(tone), np.zeros_like(tone), trust, known, np.zeros(known.shape), kinds)
    return field_patches(evidence, expected, view, board)


def blank() -> np.ndarray:
    return np.zeros(((ROWS + 2 * MARGIN) * UNIT, (COLUMNS + 2 * MARGIN) * UNIT, 3))


@pytest.mark.parametrize("degrees", range(5, 360, 35))
def test_patches_are_turned_so_that_things_lean_up_and_right(board: BoardSet, degrees: int) -> None:
    field, towards = (2, 3), np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    centre = centres(board)[field]
    view = View(np.array([*(centre + 400 * towards), 500.0]))
    tone = blank()
    x, y = np.rint(centre - 0.6 * UNIT * towards).astype(int)
    tone[y - 2 : y + 3, x - 2 : x + 3] = 1.0
    patch = patches(board, tone, view)[field]
    row, column = np.unravel_index(int(patch[0].argmax()), (COUNT, COUNT))
    offset = np.array([column + 0.5 - COUNT / 2, MIDDLE - row - 0.5]) * 2 / UNIT
    assert np.linalg.norm(offset) == pytest.approx(0.6, abs=0.1)
    assert offset[0] > -0.1
    assert offset[1] > 0.35
    right, up = (patch[-3:-1, 0, 0].astype(float) - 127.5) / 127.5
    assert np.hypot(right, up) == pytest.approx(0.8 / 2, abs=0.01)
    assert (right, up) == pytest.approx(tuple(offset / 0.6 * 0.4), abs=0.07)


def test_a_field_is_in_the_middle_of_its_patch_also_at_the_edge_of_the_board(board: BoardSet) -> None:
    tone = blank()
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = np.rint(centres(board)[row, column]).astype(int)
            tone[y - 1 : y + 3, x - 1 : x + 3] = (row + column) / 20 + 0.1
    cut = patches(board, tone, View(np.array([100.0, 900.0, 600.0])))
    for row, column in np.ndindex(ROWS, COLUMNS):
        middle = cut[row, column][0, MIDDLE - 2 : MIDDLE + 2, COUNT // 2 - 2 : COUNT // 2 + 2]
        wanted = 127.5 + 127.5 * ((row + column) / 20 + 0.1) / 1.2
        assert float(middle.max()) == pytest.approx(wanted, abs=2)


@pytest.mark.parametrize("camera", [(100.0, 900.0), (400.0, 80.0), (-300.0, 100.0), (150.0, -400.0)])
def test_around_each_patch_the_same_is_seen_half_as_finely(board: BoardSet, camera: tuple[float, float]) -> None:
    tone = np.random.default_rng(1).normal(0, 0.2, blank().shape)
    patch = patches(board, tone, View(np.array([*camera, 600.0])))[2, 3].astype(float)
    near, wide = patch[6:9], patch[9:12]
    halved = near.reshape(3, COUNT // 2, 2, COUNT // 2, 2).mean((2, 4))
    first = (COUNT - MIDDLE) // 2
    inner = wide[:, first : first + COUNT // 2, COUNT // 4 : -COUNT // 4]
    assert np.abs(inner - halved).max() <= 1
    assert wide[:, :first].std() > 1


def test_what_is_not_known_is_marked(board: BoardSet) -> None:
    known = np.ones(blank().shape[:2], bool)
    known[: UNIT * MARGIN] = False
    cut = patches(board, blank(), View(np.array([100.0, 900.0, 600.0])), known)
    assert cut.shape == (ROWS, COLUMNS, 15, COUNT, COUNT)
    assert cut[2, 2][-1].min() == 255
    above = MIDDLE - UNIT // 4
    assert cut[ROWS - 1, 2][-1, :above].max() == 0
    assert cut[ROWS - 1, 2][-1, above:].min() == 255
