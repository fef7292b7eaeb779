"""Whether what seems bare is: a hand may have nearly the colour of the board."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.geometry.raster import Paints, rasterise
from companion.vision.readers.bare import BareGround, Marks, strangers
from companion.vision.readers.reader import Reader
from companion.vision.reading import Reading
from hardware.simulated.truth import Truth
from tests.benchmarks.pictures import picture, true_pose

GAME = load_game("via")
CELLS = [site.name for site in GAME.sites if site.kind == "cell"]


@cache
def read(seed: int, hands: float) -> tuple[Reading, Truth]:
    """A picture of the simulated table, read, and what it shows."""
    shot = picture(GAME, seed, hands=hands)
    return Reader(GAME).read(shot.image, true_pose(shot.image, shot.truth)), shot.truth


@pytest.mark.parametrize(
    ("seed", "cell"),
    [(96063, "a6"), (96086, "a7"), (96078, "b7"), (96018, "f6"), (96051, "f1"), (96052, "a5")],
)
def test_a_hand_is_no_bare_board(seed: int, cell: str) -> None:
    reading, shown = read(seed, 1.0)
    name = f"cell:{cell}"
    assert shown.sites[name] != EMPTY
    assert shown.hidden[name] > 0.6
    assert reading[name].trust < 0.5


@pytest.mark.parametrize("seed", [96063, 96086, 96078, 96018])
def test_a_bare_board_is_bare_beside_a_hand(seed: int) -> None:
    reading, shown = read(seed, 1.0)
    bare = [name for name in CELLS if shown.sites.get(name, EMPTY) == EMPTY and shown.hidden.get(name, 0.0) == 0.0]
    assert len(bare) > 3
    sure = [reading[name].label == EMPTY and reading[name].trust > 0.9 for name in bare]
    assert np.mean(sure) > 0.95


def alike(count: int) -> Marks:
    """Places that look alike, their print much darker than their ground."""
    return Marks(
        np.zeros((count, 3)), np.zeros(count), np.full(count, 0.03), np.full(count, 0.01), np.full(count, -0.3)
    )


@pytest.mark.parametrize(
    ("tint", "bright", "uneven", "mottled", "contrast", "strange"),
    [
        (0.1, 0.0, 0.03, 0.01, -0.3, False),  # coloured light, but the print shows
        (0.1, 0.0, 0.03, 0.01, 0.0, True),
        (0.2, 0.0, 0.03, 0.01, -0.3, True),
        (0.0, 0.4, 0.03, 0.01, -0.3, False),  # in the light of a window
        (0.0, 0.2, 0.03, 0.01, 0.0, True),
        (0.0, -0.2, 0.03, 0.01, 0.0, True),
        (0.0, 0.0, 0.18, 0.01, -0.3, False),  # a shadow's edge
        (0.0, 0.0, 0.18, 0.01, 0.0, True),
        (0.0, 0.0, 0.03, 0.01, 0.0, False),  # worn print
        (0.0, 0.0, 0.03, 0.04, -0.3, False),
        (0.0, 0.0, 0.03, 0.04, 0.0, True),
        (0.0, 0.0, 0.03, 0.07, -0.3, True),
        (0.0, 0.0, 0.4, 0.01, -0.3, True),
    ],
)
def test_what_looks_unlike_the_others(
    tint: float, bright: float, uneven: float, mottled: float, contrast: float, strange: bool
) -> None:
    one = Marks(
        np.array([[tint, 0.0, -tint]]),
        np.array([bright]),
        np.array([uneven]),
        np.array([mottled]),
        np.array([contrast]),
    )
    assert strangers(one, alike(9)).tolist() == [strange]


def test_places_that_are_alike_are_no_strangers() -> None:
    assert not strangers(alike(5), alike(5)).any()


def test_places_that_differ_are_not_compared() -> None:
    game = load_game("triangle")
    paints = Paints.of([game.board])
    cells = [site for site in game.sites if site.kind == "cell"]
    assert not BareGround(cells, paints, rasterise(game.board, paints)).tells
