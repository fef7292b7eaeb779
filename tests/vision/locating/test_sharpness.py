"""How blurred a picture is, by the edges of its cards; and what is read in one that is too blurred."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.evidence import SURE
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import locate
from companion.vision.locating.parallax import read_settled
from companion.vision.locating.sharpness import blur
from companion.vision.look import look
from companion.vision.observation import Observation, Scene
from companion.vision.reading import Reading
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame
from tests.benchmarks.pictures import picture

LABYRIA = load_game("labyria")
MARKER = LABYRIA.marker
SIDE = 60
"""Pixels of a card's black square."""


@cache
def card(turn: float = 0.0) -> tuple[Array, Array]:
    """A card on a brown table, turned clockwise by so many degrees: a grey picture, and the corners (4, 2)."""
    quiet, fine = round(SIDE * MARKER.quiet / MARKER.size), 4
    square = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 3, SIDE * fine)
    paper = cv2.copyMakeBorder(square, *(quiet * fine,) * 4, cv2.BORDER_CONSTANT, value=255)
    table = cv2.copyMakeBorder(paper, *(100 * fine,) * 4, cv2.BORDER_CONSTANT, value=90)
    grey = (40 + table * 0.7).astype(np.uint8)
    middle = (len(grey) - 1) / 2
    turning = cv2.getRotationMatrix2D((middle, middle), -turn, 1.0)
    turned = cv2.warpAffine(grey, turning, grey.shape, flags=cv2.INTER_AREA, borderValue=103)
    half = SIDE * fine / 2
    corners = middle + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners = corners @ turning[:, :2].T + turning[:, 2]
    size = len(grey) // fine
    return cv2.resize(turned, (size, size), interpolation=cv2.INTER_AREA), (corners + 0.5) / fine - 0.5


@pytest.mark.parametrize("turn", [0.0, 17.0, 45.0])
@pytest.mark.parametrize("sigma", [1.5, 2.5, 4.0])
def test_the_edges_of_a_card_tell_how_blurred_a_picture_is(sigma: float, turn: float) -> None:
    grey, corners = card(turn)
    noise = np.random.default_rng(1).normal(0, 4, grey.shape)
    soft = np.clip(cv2.GaussianBlur(grey, (0, 0), sigma) + noise, 0, 255).astype(np.uint8)
    assert blur(soft, [corners], MARKER) * SIDE == pytest.approx(sigma, rel=0.2)


def test_motion_along_one_edge_is_seen_on_the_others() -> None:
    grey, corners = card()
    moved = cv2.filter2D(grey, -1, np.full((1, 9), 1 / 9))
    assert blur(moved, [corners], MARKER) * SIDE == pytest.approx(9 / np.sqrt(2 * np.pi), rel=0.2)


def test_a_card_that_something_covers_does_not_count_against_the_others() -> None:
    grey, corners = card()
    covered = grey.copy()
    covered[:, : round(corners[:, 0].mean())] = 103
    both, beside = np.hstack([grey, covered]), corners + np.array([grey.shape[1], 0.0])
    assert blur(both, [corners, beside], MARKER) < 0.02
    assert blur(np.full_like(grey, 100), [corners], MARKER) == 0.0  # no card that tells


BLURS: dict[str, tuple[Callable[[Array], Array], bool]] = {
    "sharp": (lambda image: image, False),
    "rather soft": (lambda image: cv2.GaussianBlur(image, (0, 0), 1.3), False),
    "out of focus": (lambda image: cv2.GaussianBlur(image, (0, 0), 4.2), True),
    "moved": (lambda image: cv2.filter2D(image, -1, np.eye(11) / 11), True),
}


@cache
def shot() -> Array:
    return picture(LABYRIA, 61003, 0.2, hands=0.0).image


@pytest.mark.parametrize("kind", BLURS)
def test_nothing_is_sure_in_a_picture_that_is_too_blurred(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change, too_much = BLURS[kind]
    found: list[tuple[Pose, Reading]] = []

    def noted(*given: Any) -> tuple[Pose, Reading]:
        found.append(read_settled(*given))
        return found[-1]

    monkeypatch.setattr("companion.vision.look.read_settled", noted)
    told = look(change(shot()))
    ((pose, reading),) = found
    assert (told["game"], told["blurred"], pose.blurred) == ("labyria", too_much, too_much)
    sure = [site.confidence > SURE for site in reading.sites.values()]
    assert not any(sure) if too_much else np.mean(sure) > 0.9


def test_a_camera_that_is_focused_later_is_believed_from_then_on() -> None:
    image = shot()
    sharp, number = locate(image, LABYRIA, Lens.nominal((image.shape[1], image.shape[0]))), 0
    found = replace(sharp, blurred=True)  # at the same place, so that the pose itself is not refined
    watcher = Watcher(LABYRIA, locator=lambda *_: found)

    def shown() -> Observation:
        nonlocal number
        for _ in range(16):
            number += 1
            seen = watcher.observe(Frame(image, number / 4, number))
        return seen

    assert (shown().scene, shown().reading) == (Scene.BLURRED, None)
    found = sharp
    reading = shown().reading
    assert reading is not None
    assert np.mean([site.confidence > SURE for site in reading.sites.values()]) > 0.9
