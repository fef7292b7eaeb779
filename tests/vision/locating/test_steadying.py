"""Pictures of a trembling camera are held still by the corner cards."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.geometry.lens import Lens
from companion.vision.images import Image, grey_image
from companion.vision.locating.board import locate
from companion.vision.locating.steadying import MOST, Steadying
from companion.vision.observation import Observation, Scene
from hardware.simulated.scene import Shift
from tests.vision.filming import GAME, Filming, laid, moved, renderer_of, shifted, wrong_sites

FREE = laid()


def held(image: Image) -> Steadying:
    """What holds others where this picture is."""
    steadying = Steadying()
    steadying.hold(image, locate(image, GAME, Lens.nominal(image.shape[1::-1])).cards)
    return steadying


@pytest.mark.parametrize("width", [640, 1280])
@pytest.mark.parametrize("way", [(0.4, -0.3, 0.0), (-2.6, 1.7, 0.1), (5.0, 3.2, -0.15)])
def test_a_picture_is_moved_to_where_the_first_was(width: int, way: tuple[float, float, float]) -> None:
    first = renderer_of(1, 0.3).render(FREE, 0)
    first = np.asarray(cv2.resize(first, (width, width * 9 // 16), interpolation=cv2.INTER_AREA), np.uint8)
    steadying = held(first)
    there = steadying.steadied(moved(first, *way), 1.0)
    assert steadying.moved
    assert not steadying.knocked
    left = np.eye(2, 3, dtype=np.float32)
    cv2.findTransformECC(grey_image(first), grey_image(there), left, cv2.MOTION_EUCLIDEAN)
    assert np.abs(left - np.eye(2, 3))[:, 2].max() < 0.1


def test_a_picture_that_lies_still_or_far_away_is_left_as_it_is() -> None:
    first = renderer_of(1, 0.3).render(FREE, 0)
    steadying = held(first)
    noisy = renderer_of(1, 0.3).render(FREE, 1)
    assert steadying.steadied(noisy, 1.0) is noisy
    far = moved(first, 1.04 * MOST * first.shape[1], 0.0)
    assert steadying.steadied(far, 2.0) is far
    assert steadying.knocked


def test_cards_that_were_moved_tell_nothing() -> None:
    first = renderer_of(1, 0.3).render(FREE, 0)
    steadying = held(first)
    other = renderer_of(1, 0.3).render(replace(FREE, cards=(Shift(3.0, 2.0, 1.0), Shift(), Shift())), 0)
    assert steadying.steadied(other, 1.0) is other
    assert not steadying.knocked


def test_cards_that_leave_the_picture_one_after_another_do_no_harm() -> None:
    first = renderer_of(1, 0.3).render(FREE, 0)
    first = np.asarray(cv2.resize(first, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    steadying = held(first)
    for step in range(1, 90):
        away = moved(first, 0.0, 4.0 * step)
        steadying.steadied(away, float(step))
    assert steadying.steadied(away, 100.0) is away


class Trembling(Filming):
    """Filmed by a camera that is by some pixels elsewhere in each picture."""

    def see(self, image: Image) -> Observation:
        chance = np.random.default_rng([5, self.number])
        return super().see(moved(image, *chance.normal(0.0, 1.2, 2), chance.normal(0.0, 0.03)))


def test_a_trembling_camera_sees_what_is_laid() -> None:
    film = Trembling()
    assert film.show(FREE, 12)[-1].scene is Scene.STILL
    for cell in (22, 23, 24):
        after = laid({f"cell:{cell}": "PPP6/0"})
        seen = film.show(after, 5)
        assert [observation.scene for observation in seen[2:]] == [Scene.STILL] * 3
        assert wrong_sites(seen[-1], after) == {}
        assert not any(observation.board_moved for observation in seen)


def test_a_camera_that_was_knocked_a_little_is_known_to_be_elsewhere() -> None:
    film = Filming()
    before = film.show(FREE, 12)[-1]
    after = film.show(FREE, 6, shifted(4.0, -3.0))[-1]
    assert before.pose is not None
    assert after.pose is not None
    assert after.scene is Scene.STILL
    assert wrong_sites(after, FREE) == {}
    corner = np.array([[100.0, -50.0, 0.0]])
    assert np.abs(after.pose.project(corner) - before.pose.project(corner) - (4.0, -3.0)).max() < 0.5


def test_a_trembling_camera_that_is_knocked_is_held_where_it_is_then() -> None:
    film = Trembling()
    film.show(FREE, 12)
    seen = film.show(FREE, 20, shifted(6.0, 5.0))
    assert seen[-1].scene is Scene.STILL
    assert wrong_sites(seen[-1], FREE) == {}


def test_two_cards_are_enough_and_a_covered_one_counts_when_it_is_free() -> None:
    film = Trembling()
    covered = replace(FREE, covered=(1,))
    assert film.show(covered, 6)[-1].scene is Scene.STILL
    film.show(FREE, round(12 * film.rate))
    seen = film.show(replace(FREE, covered=(0,)), 20)
    assert seen[-1].scene is Scene.STILL
    assert wrong_sites(seen[-1], FREE) == {}


def test_a_trembling_camera_is_held_still_after_a_while_without_pictures() -> None:
    film = Trembling()
    film.show(FREE, 12)
    film.wait(40.0)
    seen = film.show(FREE, 6)
    assert seen[-1].scene is Scene.STILL
    assert wrong_sites(seen[-1], FREE) == {}
