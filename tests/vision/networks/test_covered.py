"""Whether anybody is sure of what an arm covers, whatever the colour of its skin."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.core import Game
from companion.games.registry import load_game
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.light.palette import linear
from companion.vision.networks.covered import CoverNetwork
from companion.vision.readers.reader import Reader
from companion.vision.reading import Reading
from hardware.simulated.truth import Truth
from tests.benchmarks.pictures import picture, true_pose

SKIN = {"pale": (0.35, 0.42, 0.62), "tanned": (0.12, 0.2, 0.38), "dark": (0.03, 0.05, 0.09)}
"""What skins send back of blue, green and red light."""

TABLES = {"via": 97100, "triangle": 97204, "magic_triland": 97200, "labyria": 97201, "magic_labyrinth": 97200}


@cache
def table(name: str, seed: int) -> tuple[Game[Any, Any], Array, Truth, Pose]:
    """A picture without hands, what it shows, and where the board is."""
    game = load_game(name)
    shot = picture(game, seed, difficulty=0.4, hands=0.0)
    return game, shot.image, shot.truth, true_pose(shot.image, shot.truth)


def fixed(game: Game[Any, Any]) -> list[SiteSpec]:
    """The sites that always exist, at their places."""
    return [site for site in game.sites if not (site.loose or site.roving or site.on)]


def arm(image: Array, pose: Pose, site: SiteSpec, skin: tuple[float, float, float]) -> tuple[Array, Array]:
    """The picture with an arm over a site, along the board, lit as what is brightest and rounder than a plank; and what
    it covers, 0 to 1.
    """
    half = max(28.0, site.size / 2 + 4)
    along = np.array([[-400.0, -half], [half, -half], [half, half], [-400.0, half]])
    corners = np.column_stack([along + site.centre[:2], np.full(4, 30.0)])
    mask = np.zeros(image.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, np.rint(pose.project(corners)).astype(np.int32), 1.0)
    inwards = cv2.distanceTransform((mask > 0.5).astype(np.uint8), cv2.DIST_L2, 5)
    shading = 0.75 + 0.25 * np.sqrt(inwards / max(1.0, float(inwards.max())))
    white = np.percentile(linear(image.reshape(-1, 3)), 99, axis=0)
    light = np.clip(white * np.array(skin) * shading[..., None], 0, 1)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0)[..., None]
    shown = soft * 255 * light ** (1 / 2.2) + (1 - soft) * image
    return np.clip(shown + 0.5, 0, 255).astype(np.uint8), soft[..., 0]


def under(mask: Array, pose: Pose, sites: list[SiteSpec]) -> list[SiteSpec]:
    """The sites that are covered as a whole."""
    covered = []
    for site in sites:
        x, y = pose.project(np.array([site.centre]))[0].astype(int)
        reach = max(3, round(0.45 * site.size * pose.scale(np.zeros(3))))
        around = mask[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
        if around.size and around.mean() > 0.95:
            covered.append(site)
    return covered


@cache
def read_under_arm(name: str, skin: str) -> tuple[list[SiteSpec], Reading]:
    """The sites that an arm over the one in the middle covers, and what is read of the picture."""
    game, image, _, pose = table(name, TABLES[name])
    sites = fixed(game)
    shown, mask = arm(image, pose, sites[len(sites) // 2], SKIN[skin])
    return under(mask, pose, sites), Reader(game).read(shown, pose)


@pytest.mark.parametrize("skin", SKIN)
@pytest.mark.parametrize("name", TABLES)
def test_nobody_is_sure_of_what_an_arm_covers(name: str, skin: str) -> None:
    covered, reading = read_under_arm(name, skin)
    assert covered
    truth = table(name, TABLES[name])[2]
    sure = {site.name: reading[site.name].label for site in covered if reading[site.name].trust > 0.9}
    assert {place: label for place, label in sure.items() if label != truth.sites.get(place, EMPTY)} == {}


@pytest.mark.parametrize("skin", SKIN)
def test_nobody_rather_believes_in_a_bare_board_than_in_an_arm(skin: str) -> None:
    covered, reading = read_under_arm("via", skin)
    assert len(covered) >= 3
    assert {site.kind for site in covered} == {"cell"}
    assert [site.name for site in covered if reading[site.name].trust > 0.5] == []


def test_a_hand_that_evened_light_gives_the_boards_colour_is_none_of_it() -> None:
    game, shot = load_game("via"), picture(load_game("via"), 926007)
    reading = Reader(game).read(shot.image, true_pose(shot.image, shot.truth))
    assert shot.truth.sites["cell:d7"] == "S3/1"
    assert reading["cell:d7"].trust < 0.5


@pytest.mark.parametrize(("name", "kind"), [("via", "cell"), ("triangle", "cell")])
def test_what_nothing_covers_stays_sure(name: str, kind: str) -> None:
    game, image, truth, pose = table(name, TABLES[name])
    reading = Reader(game).read(image, pose)
    sites = [site for site in fixed(game) if site.kind == kind]
    assert np.mean([reading[site.name].trust > 0.9 for site in sites]) > 0.95
    assert all(reading[site.name].label == truth.sites.get(site.name, EMPTY) for site in sites)


def test_a_game_without_such_a_network_asks_none() -> None:
    game = load_game("magic_triland")
    assert not CoverNetwork(game, [site for site in game.sites if site.kind == "cell"]).fits


def test_a_field_between_others_that_a_hand_covers_is_not_surely_bare() -> None:
    game = load_game("via")
    shot = picture(game, 991123)  # a hand of the colour of the board
    reading = Reader(game).read(shot.image, true_pose(shot.image, shot.truth))
    covered = [name for name in ("cell:d6", "cell:e7") if shot.truth.hidden[name] > 0.9]
    assert len(covered) == 2
    assert max(reading[name].confidence for name in covered) < 0.9
