"""Hands and other foreign things over the board: what changed and is neither a piece on its place nor a shadow."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.images import Image, Mask, grey_image
from companion.vision.watching.motion import Thumbnail, changes, exposure, relight
from companion.vision.watching.zones import Zones

NEAR = 15.0
"""Within this distance (mm) of a hand nothing counts as lying: the hand may still hold it."""

LEAST_AREA = 500.0
"""Square millimetres outside all sites from which on a change is more than a piece laid askew."""

_DARKEST, _BRIGHTEST = 0.3, 1.35  # by which factors shade and light change what is seen
_TEXTURE = 4.0  # grey levels of contrast in a window, from which on it can be recognised
_WINDOW = (7, 7)
_MARGIN = 6  # what lies so far away may matter: two windows
_CROSS = np.ones((3, 3), np.uint8)


class Difference(NamedTuple):
    """What is different from the free table: `changed` in any way; `solid` where it shows another surface; `shade`
    where it certainly shows the same one under less or more light; between the two it cannot be told. `before`: the
    free table, exposed as the picture is.
    """

    changed: Mask
    solid: Mask
    shade: Mask
    before: Thumbnail


class Thing(NamedTuple):
    """One connected foreign region; `from_border`: it comes in over the picture's border."""

    mask: Mask
    from_border: bool


class Background:
    """The table as it was last seen free of foreign things, piece by piece."""

    def __init__(self) -> None:
        self.picture: Thumbnail | None = None

    def compare(self, thumb: Thumbnail) -> Difference:
        """What is different now; everything where there is no picture yet."""
        if self.picture is None:
            everything = np.full(thumb.image.shape[:2], 255, np.uint8)
            return Difference(everything, everything, np.zeros_like(everything), thumb)
        gains = exposure(self.picture, thumb)
        gains = np.ones(3) if gains is None else gains
        changed = changes(self.picture, thumb, gains)
        before = relight(self.picture, gains)
        return Difference(changed, *_surfaces(before, thumb, changed), before)

    def update(self, thumb: Thumbnail, difference: Difference, read: Mask, foreign: Mask) -> Mask:
        """Takes the picture in, except where `foreign` things are, and where the same things only lie in the shade.
        Returns what has changed and was taken in: it will not show as changed again.

        Shade is taken in on the sites that have just been `read`, since what was read there may be new. Elsewhere the
        background is what has been seen in the best light: shade that has gone leaves no traces.
        """
        if self.picture is None:
            self.picture = thumb
            return np.zeros_like(difference.changed)
        old = difference.before.image
        darker = cv2.compare(grey_image(thumb.image), grey_image(old), cv2.CMP_LT)
        shaded = cv2.bitwise_and(cv2.bitwise_and(difference.changed, darker), cv2.bitwise_not(difference.solid))
        keep = cv2.bitwise_or(foreign, cv2.bitwise_and(shaded, cv2.bitwise_not(read)))
        taken = np.asarray(cv2.copyTo(old, keep, thumb.image.copy()), np.uint8)
        self.picture = Thumbnail(taken, thumb.scale, thumb.noise)
        return np.asarray(cv2.bitwise_and(difference.changed, cv2.bitwise_not(keep)), np.uint8)


def _surfaces(before: Thumbnail, after: Thumbnail, changed: Mask) -> tuple[Mask, Mask]:
    """Of the changed pixels those with another surface, and those with certainly the same one.

    The same surface in the shade has all channels dimmed alike, and keeps its texture, where it has any.
    """
    dimmed = _dimmed(before, after, changed)
    same, unlike = np.zeros_like(dimmed), np.zeros_like(dimmed)
    x, y, width, height = cv2.boundingRect(dimmed)
    if width:
        part = np.s_[max(0, y - _MARGIN) : y + height + _MARGIN, max(0, x - _MARGIN) : x + width + _MARGIN]
        texture, likeness = _likeness(before.image[part], after.image[part])
        same[part] = dimmed[part] & texture & (likeness > 0.6) * np.uint8(255)
        unlike[part] = dimmed[part] & texture & (likeness < 0.2) * np.uint8(255)
        unlike = np.asarray(cv2.morphologyEx(unlike, cv2.MORPH_OPEN, _CROSS), np.uint8)
    solid = cv2.bitwise_or(cv2.bitwise_and(changed, cv2.bitwise_not(dimmed)), unlike)
    return np.asarray(solid, np.uint8), np.asarray(same, np.uint8)


def _dimmed(before: Thumbnail, after: Thumbnail, changed: Mask) -> Mask:
    """The changed pixels of which all channels changed by the same factor."""
    rows, columns = np.nonzero(changed)
    first = before.image[rows, columns].astype(np.float32)
    second = after.image[rows, columns].astype(np.float32)
    factor = second.sum(axis=1) / np.maximum(first.sum(axis=1), 1.0)
    error = np.abs(second - factor[:, None] * first).max(axis=1, initial=0.0)
    tolerance = max(8.0, 2.5 * after.noise)
    shaded = (factor > _DARKEST) & (factor < _BRIGHTEST) & (error < tolerance + 0.1 * second.max(axis=1, initial=0.0))
    dimmed = np.zeros_like(changed)
    dimmed[rows[shaded], columns[shaded]] = 255
    return dimmed


def _likeness(before: Image, after: Image) -> tuple[Mask, NDArray[np.float32]]:
    """Where `before` has texture, and how much (-1 to 1) that of `after` is like it."""
    first, second = (grey_image(image).astype(np.float32) for image in (before, after))
    first -= cv2.blur(first, _WINDOW)
    second -= cv2.blur(second, _WINDOW)
    power, other = cv2.blur(first * first, _WINDOW), cv2.blur(second * second, _WINDOW)
    likeness = cv2.blur(first * second, _WINDOW) / np.sqrt(np.maximum(power * other, 1.0))
    return np.where(power > _TEXTURE**2, 255, 0).astype(np.uint8), likeness


def foreign_things(difference: Difference, zones: Zones) -> list[Thing]:
    """The foreign things near the board and its sites in what is different from the free table.

    Pieces come and go on sites, so a region is foreign by what it shows outside of all sites: an arm, the rest of a
    cup. All that is connected with that, and not certainly its shadow, belongs to it.
    """
    outside = cv2.bitwise_and(difference.solid, cv2.bitwise_not(zones.places))
    if zones.area(np.asarray(outside, np.uint8)) < LEAST_AREA:
        return []
    unsure = cv2.bitwise_and(difference.changed, cv2.bitwise_not(difference.shade))
    region = cv2.morphologyEx(cv2.bitwise_or(unsure, difference.solid), cv2.MORPH_CLOSE, _CROSS)
    count, labels = cv2.connectedComponents(region, connectivity=8)
    sizes = np.bincount(labels[outside > 0], minlength=count) / zones.millimetre**2
    edges = (labels[:2], labels[-2:], labels[:, :2], labels[:, -2:])
    at_border = set(np.concatenate([edge.ravel() for edge in edges]))
    masks = {k: np.where(labels == k, 255, 0).astype(np.uint8) for k in range(1, count) if sizes[k] >= LEAST_AREA}
    return [
        Thing(mask, k in at_border)
        for k, mask in masks.items()
        if cv2.countNonZero(cv2.bitwise_and(mask, zones.around))
    ]


def vanished(thing: Thing, zones: Zones, before: Thumbnail, after: Thumbnail) -> bool:
    """Whether the region differs because something was taken away: then it stood out in `before`, not in `after`. That
    is to be seen outside of the sites, on which pieces may have come since.
    """
    outline = np.asarray(cv2.morphologyEx(thing.mask, cv2.MORPH_GRADIENT, _CROSS), np.uint8)
    outline[:3], outline[-3:], outline[:, :3], outline[:, -3:] = 0, 0, 0, 0
    outside = np.asarray(cv2.bitwise_and(outline, cv2.bitwise_not(zones.places)), np.uint8)
    outline = outside if cv2.countNonZero(outside) else outline
    if not cv2.countNonZero(outline):
        return False
    return _standing_out(thing, after, outline) < 0.85 * _standing_out(thing, before, outline)


def _standing_out(thing: Thing, thumb: Thumbnail, outline: Mask) -> float:
    """How much the colours differ, on the average, between the inner and the outer side of a thing's outline."""
    inner = (thing.mask > 0).astype(np.float32)
    image = thumb.image.astype(np.float32)
    sides = []
    for part in (inner, 1 - inner):
        total = cv2.blur(image * part[:, :, None], (5, 5))[outline > 0]
        weight = cv2.blur(part, (5, 5))[outline > 0]
        sides.append(total / np.maximum(weight, 1e-3)[:, None])
    return float(np.abs(sides[0] - sides[1]).max(axis=1).mean())
