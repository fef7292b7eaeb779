"""What differs from the free table, and what of it is only shade."""

from __future__ import annotations

import numpy as np

from companion.vision.images import Image
from companion.vision.watching.cover import Background
from companion.vision.watching.motion import Thumbnail

SHADE = np.s_[40:80, 60:120]
TEXTURED = np.where(np.indices((120, 180)).sum(axis=0)[..., None] % 6 < 3, 150.0, 190.0) * np.ones(3)


def thumb(table: np.ndarray, seed: int, noise: float, shade: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Thumbnail:
    """A table of which a part lies in the shade, with noise (standard deviation, grey levels)."""
    shown = table.copy()
    shown[SHADE] *= shade
    noisy = shown + np.random.default_rng(seed).normal(0, noise, shown.shape)
    return Thumbnail(np.clip(noisy, 0, 255).astype(np.uint8), 4.0, noise=1.1 * noise)


def nowhere() -> Image:
    return np.zeros((120, 180), np.uint8)


def looked(*pictures: tuple[Thumbnail, Image]) -> Background:
    """A table seen in these pictures, with where in each it was read."""
    background = Background()
    for picture, read in pictures:
        background.update(picture, background.compare(picture), read, nowhere())
    return background


def test_the_tinted_shade_on_a_plain_table_is_no_other_surface() -> None:
    plain = np.full((120, 180, 3), 190.0)
    for noise in (0.5, 2.5, 4.5):
        background = looked((thumb(plain, 1, noise), nowhere()))
        difference = background.compare(thumb(plain, 2, noise, (0.68, 0.73, 0.75)))
        assert (difference.changed[SHADE] > 0).mean() > 0.9
        assert (difference.solid > 0).sum() < 10


def test_a_print_that_is_gone_is_another_surface_in_the_shade() -> None:
    background = looked((thumb(TEXTURED, 1, 2.5), nowhere()))
    covered = TEXTURED.copy()
    covered[SHADE] = 170.0
    difference = background.compare(thumb(covered, 2, 2.5, (0.7, 0.7, 0.7)))
    assert (difference.solid[SHADE] > 0).mean() > 0.6


def test_shade_that_was_taken_in_where_it_was_read_leaves_no_traces_when_it_has_gone() -> None:
    plain = np.full((120, 180, 3), 190.0)
    read = nowhere()
    read[50:70:2, 70:110] = 255
    shaded = thumb(plain, 2, 1.0, (0.8, 0.8, 0.8))
    background = looked((thumb(plain, 1, 1.0), nowhere()), (shaded, read))
    assert background.picture is not None
    assert background.picture.image[SHADE].min() < 170
    background.update(free := thumb(plain, 3, 1.0), background.compare(free), nowhere(), nowhere())
    assert background.picture.image[SHADE].min() > 180
    again = thumb(plain, 4, 1.0, (0.8, 0.8, 0.8))
    background.update(again, background.compare(again), nowhere(), nowhere())
    assert background.picture.image[SHADE].min() > 180


def test_what_is_taken_in_is_told_and_shade_beside_what_was_read_is_not() -> None:
    plain = np.full((120, 180, 3), 190.0)
    read = nowhere()
    read[50:70, 70:110] = 255
    background = looked((thumb(plain, 1, 1.0), nowhere()))
    shaded = thumb(plain, 2, 1.0, (0.6, 0.6, 0.6))
    taken = background.update(shaded, background.compare(shaded), read, nowhere())
    assert (taken[50:70, 70:110] > 0).all()
    assert not taken[read == 0].any()
