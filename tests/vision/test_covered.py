"""Whether a network tells what a hand covers, whatever the hand's colour is."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.board import Pose
from companion.vision.covered import CoverNetwork
from companion.vision.lens import Array
from companion.vision.palette import linear
from companion.vision.reader import Reader
from companion.vision.reading import Reading
from hardware.simulated.truth import Truth
from tests.benchmarks.pictures import picture, true_pose

GAME = load_game("via")
CELLS = [site for site in GAME.sites if site.kind == "cell"]
SKIN = {"pale": (0.35, 0.42, 0.62), "tanned": (0.12, 0.2, 0.38), "dark": (0.03, 0.05, 0.09)}
"""What skins send back of blue, green and red light."""

SEEDS = (97100, 97103, 97106)


@cache
def table(seed: int) -> tuple[Array, Truth, Pose]:
    """A picture without hands, what it shows, and where the board is."""
    shot = picture(GAME, seed, difficulty=0.4, hands=0.0)
    return shot.image, shot.truth, true_pose(shot.image, shot.truth)


def arm(image: Array, pose: Pose, site: SiteSpec, skin: tuple[float, float, float]) -> tuple[Array, Array]:
    """The picture with an arm over a site, along the board, lit as its cards are and rounder than a plank; and what it
    covers, 0 to 1.
    """
    along = np.array([[-400.0, 0.0], [30.0, 0.0], [30.0, 56.0], [-400.0, 56.0]]) - [0, 28]
    corners = np.column_stack([along + site.centre[:2], np.full(4, 30.0)])
    mask = np.zeros(image.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, np.rint(pose.project(corners)).astype(np.int32), 1.0)
    middle = cv2.distanceTransform((mask > 0.5).astype(np.uint8), cv2.DIST_L2, 5)
    round_ = 0.75 + 0.25 * np.sqrt(middle / max(1.0, float(middle.max())))
    white = np.percentile(linear(image.reshape(-1, 3)), 99, axis=0)
    light = np.clip(white * np.array(skin) * round_[..., None], 0, 1)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0)[..., None]
    covered = soft * 255 * light ** (1 / 2.2) + (1 - soft) * image
    return np.clip(covered + 0.5, 0, 255).astype(np.uint8), soft[..., 0]


def under(mask: Array, pose: Pose) -> list[str]:
    """The cells that are covered as a whole."""
    at = {site.name: pose.project(np.array([site.centre]))[0].astype(int) for site in CELLS}
    reach = round(20 * pose.scale(np.zeros(3)))
    return [
        name
        for name, (x, y) in at.items()
        if min(mask[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach].mean(), 1) > 0.95
    ]


@pytest.mark.parametrize("skin", SKIN)
@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_is_sure_of_what_an_arm_covers(seed: int, skin: str) -> None:
    image, _, pose = table(seed)
    shown, mask = arm(image, pose, CELLS[24], SKIN[skin])
    covered = under(mask, pose)
    assert len(covered) >= 3
    reading = Reader(GAME).read(shown, pose)
    assert [name for name in covered if reading[name].trust > 0.5] == []


@cache
def plainly(seed: int) -> Reading:
    """What is read without an arm."""
    image, _, pose = table(seed)
    return Reader(GAME).read(image, pose)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_nothing_covers_stays_sure(seed: int) -> None:
    shown = table(seed)[1]
    sure = [plainly(seed)[site.name].trust > 0.9 for site in CELLS]
    assert np.mean(sure) > 0.95
    assert all(plainly(seed)[site.name].label == shown.sites.get(site.name, EMPTY) for site in CELLS)


def test_a_game_without_such_a_network_asks_none() -> None:
    game = load_game("magic_triland")
    assert not CoverNetwork(game, [site for site in game.sites if site.kind == "cell"]).fits
