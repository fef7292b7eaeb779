"""Telling faces apart by their whole drawings."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.geometry.lens import Array
from companion.vision.geometry.raster import STEP, Paints, rasterise
from companion.vision.scene.drawings import Drawings

GAME = load_game("via")
LABELS = ("empty", "S4/0", "ST", "S3/0")
LOOKS = [GAME.look("cell", label) for label in LABELS]
PAINTS = Paints.of(LOOKS)
DRAWINGS = Drawings(LOOKS, PAINTS)
COARSE = 1.1  # millimetres a pixel


def seen(label: str, off: tuple[float, float] = (0.0, 0.0)) -> Array:
    """What a coarse, blurred, noisy picture shows of a tile that lies a little off, in colours of another set."""
    raster = rasterise(LOOKS[LABELS.index(label)], PAINTS)
    colours = np.random.default_rng(3).uniform(40, 220, (256, 3)).astype(np.float32)
    fine = cv2.GaussianBlur(colours[raster.values], (0, 0), 0.8 / STEP)
    size = (int(fine.shape[1] * STEP / COARSE), int(fine.shape[0] * STEP / COARSE))
    coarse = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
    coarse += np.random.default_rng(4).normal(0, 12, coarse.shape).astype(np.float32)
    columns, rows = (((DRAWINGS.points - off - raster.origin) / COARSE - 0.5).astype(np.float32)).T
    pixels = cv2.remap(coarse, columns[:, None], rows[:, None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.clip(pixels[:, 0], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("off", [(0.0, 0.0), (1.2, -0.9)])
@pytest.mark.parametrize("label", ["S4/0", "ST"])
def test_a_coarse_picture_tells_faces_apart_that_differ_in_little(label: str, off: tuple[float, float]) -> None:
    everything = np.ones(len(DRAWINGS.points), bool)
    crossing, place = DRAWINGS.scores(seen(label, off), everything, (1, 2))
    assert (crossing - place if label == "S4/0" else place - crossing) > 3


def test_what_is_hidden_tells_nothing() -> None:
    crossing, three = DRAWINGS.scores(seen("S4/0"), np.ones(len(DRAWINGS.points), bool), (1, 3))
    assert crossing - three > 3
    crossing, three = DRAWINGS.scores(seen("S4/0"), DRAWINGS.points[:, 0] > -4, (1, 3))
    assert abs(crossing - three) < 1
    assert not DRAWINGS.scores(seen("S4/0"), DRAWINGS.points[:, 0] > 18, (1, 3)).any()


def test_lines_are_seen_and_hands_are_not() -> None:
    x, y = DRAWINGS.points.T
    shows = (np.abs(x) > 0.6) & (np.hypot(x - 12, y - 12) > 6)
    found = DRAWINGS.seen(shows)
    assert found[np.abs(x) < 0.6].all()
    assert not found[np.hypot(x - 12, y - 12) < 4].any()
