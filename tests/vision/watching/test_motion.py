"""What counts as a change between two pictures, and when a picture is still."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.images import Image, colour_image
from companion.vision.watching.motion import NoiseMeter, Stillness, Thumbnail, changes, exposure, thumbnail

RANDOM = np.random.default_rng(5)


def table(seed: int = 0) -> Image:
    """A made-up table of 1280x720: smooth wood, and fields of all colours."""
    random = np.random.default_rng(seed)
    wood = cv2.resize(random.uniform(80, 150, (9, 16, 1)).astype(np.float32), (1280, 720))[:, :, None]
    image = (wood * np.array([0.6, 0.9, 1.2])).astype(np.uint8)
    for k in range(40):
        x, y = 150 + 110 * (k % 10), 150 + 130 * (k // 10)
        cv2.rectangle(image, (x, y), (x + 60, y + 60), tuple(int(c) for c in random.integers(20, 235, 3)), -1)
    return image


def noisy(image: Image, sigma: float) -> Image:
    return np.clip(image + RANDOM.normal(0, sigma, image.shape), 0, 255).astype(np.uint8)


TABLE = table()


def amount(first: Image, second: Image) -> int:
    return int(np.count_nonzero(changes(thumbnail(first), thumbnail(second))))


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1536, 864), (2304, 1296), (640, 480), (64, 64)])
def test_thumbnails_are_about_as_wide_as_wanted(width: int, height: int) -> None:
    thumb = thumbnail(np.zeros((height, width, 3), np.uint8))
    assert thumb.image.shape[1] <= 480
    assert thumb.scale == width / thumb.image.shape[1]


def test_noise_is_no_change() -> None:
    assert amount(noisy(TABLE, 3), noisy(TABLE, 3)) == 0


def test_strong_noise_is_measured_and_then_no_change() -> None:
    meter = NoiseMeter()
    first, second, third = (meter.measured(thumbnail(noisy(TABLE, 14))) for _ in range(3))
    assert np.count_nonzero(changes(Thumbnail(first.image, first.scale), Thumbnail(second.image, second.scale))) > 0
    assert np.count_nonzero(changes(second, third)) == 0
    assert second.noise == pytest.approx(
        14 / 2 * 2**0.5 * 0.8, rel=0.1
    )  # means of four, difference of two, mean of size


def test_jpeg_is_no_change() -> None:
    first, second = (cv2.imencode(".jpg", noisy(TABLE, 3), [cv2.IMWRITE_JPEG_QUALITY, 70])[1] for _ in range(2))
    pictures = [np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8) for data in (first, second)]
    assert amount(*pictures) == 0


@pytest.mark.parametrize("gains", [(1.3, 1.3, 1.3), (0.5, 0.5, 0.5), (0.85, 1.0, 1.2)])
def test_exposure_is_no_change(gains: tuple[float, float, float]) -> None:
    assert amount(TABLE, np.clip(TABLE * np.array(gains), 0, 255).astype(np.uint8)) == 0


def test_exposure_is_found_although_a_part_has_changed() -> None:
    after = (TABLE * 0.7).astype(np.uint8)
    cv2.rectangle(after, (0, 0), (500, 720), (150, 170, 220), -1)
    gains = exposure(thumbnail(TABLE), thumbnail(after))
    assert gains is not None
    assert gains == pytest.approx([0.7, 0.7, 0.7], abs=0.03)


def test_exposure_of_two_different_pictures_is_none() -> None:
    noise = RANDOM.integers(0, 255, TABLE.shape).astype(np.uint8)
    assert exposure(thumbnail(TABLE), thumbnail(noise)) is None


def test_a_pixel_of_shaking_is_no_change() -> None:
    assert amount(TABLE[:, :-16], TABLE[:, 2:-14]) == 0


@pytest.mark.parametrize("colours", [((40, 30, 200), (130, 45, 120)), ((40, 30, 200), (170, 80, 25))])
def test_colours_of_the_same_lightness_are_a_change(colours: tuple[tuple[int, int, int], ...]) -> None:
    first, second = TABLE.copy(), TABLE.copy()
    cv2.circle(first, (700, 400), 20, colours[0], -1)
    cv2.circle(second, (700, 400), 20, colours[1], -1)
    assert amount(first, second) > 20


def test_a_counter_of_eight_pixels_is_a_change_both_ways() -> None:
    after = TABLE.copy()
    cv2.circle(after, (702, 94), 5, (35, 30, 190), -1)
    assert amount(TABLE, after) > 0
    assert amount(after, TABLE) > 0


@pytest.mark.parametrize("level", [0, 90, 255])
def test_uniform_pictures_are_not_usable(level: int) -> None:
    assert not thumbnail(noisy(np.full((720, 1280, 3), level, np.uint8), 3)).usable
    assert thumbnail(TABLE).usable
    assert thumbnail((TABLE * 0.3).astype(np.uint8)).usable


def test_white_cards_on_a_dark_table_are_enough_to_see_by() -> None:
    image = noisy(np.full((720, 1280, 3), 26, np.uint8), 2.0)
    assert not thumbnail(image).usable
    for x, y in ((200, 150), (1000, 200), (600, 600)):
        image[y : y + 56, x : x + 56] = 150
    assert thumbnail(image).usable


def test_what_is_no_picture() -> None:
    assert colour_image(np.zeros((0, 0), np.uint8)) is None
    assert colour_image(np.zeros((100, 100, 2), np.uint8)) is None
    assert colour_image(np.zeros((100, 100, 3))) is None  # type: ignore[arg-type]
    grey = colour_image(np.full((100, 100), 7, np.uint8))
    assert grey is not None
    assert grey.shape == (100, 100, 3)
    four = colour_image(np.full((100, 100, 4), 7, np.uint8))
    assert four is not None
    assert four.shape == (100, 100, 3)


def test_still_is_what_has_not_changed_for_a_while() -> None:
    stillness, thumb = Stillness(0.35), thumbnail(TABLE)
    assert [stillness.restless(thumb, time) is None for time in (0.0, 0.2, 0.4, 0.6)] == [False, False, True, True]
    assert stillness.latest == 0.0


def test_only_the_changed_part_is_restless() -> None:
    stillness = Stillness(0.35)
    for time in (0, 1):
        stillness.restless(thumbnail(TABLE), time)
    after = TABLE.copy()
    cv2.rectangle(after, (0, 0), (200, 100), (0, 0, 255), -1)
    for time in (2.0, 2.2):
        restless = stillness.restless(thumbnail(after), time)
        assert restless is not None
        assert restless[5:20, 5:40].all()
        assert not restless[40:].any()
    assert stillness.restless(thumbnail(after), 2.4) is None


def test_two_frames_are_needed_however_slow_they_come() -> None:
    stillness = Stillness(0.35)
    assert stillness.restless(thumbnail(TABLE), 0.0) is not None
    assert stillness.restless(thumbnail(table(1)), 1.0) is not None
    assert stillness.restless(thumbnail(table(1)), 2.0) is None


def test_small_steps_add_up_to_movement() -> None:
    stillness, moved = Stillness(0.35), 0
    for k in range(30):
        image = TABLE.copy()
        cv2.circle(image, (300 + k, 90), 30, (20, 20, 20), -1)
        moved += stillness.restless(thumbnail(image), k / 5) is not None
    assert moved >= 8
