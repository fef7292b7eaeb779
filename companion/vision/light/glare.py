"""Takes off the veil that glare, the mirror image of a lamp, lays over a part of the board: light that is added evenly.

What is dark on the board stays dark in any light and shade, but not under a veil. So where even the darkest points of a
patch of the board are lighter than the darkest paint there can be, the rest is veil (the "dark channel" of K. He,
J. Sun and X. Tang, Single Image Haze Removal Using Dark Channel Prior, CVPR 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import UNSURE, Paints, Raster
from companion.vision.light.palette import Light, averaged, encoded, linear, sample

PATCH = 20.0
"""Millimetres between the centres of patches; they overlap by half."""

STEP = 3.0
"""Millimetres between the points of a patch."""

SMOOTH = 1.5
"""Millimetres over which the picture is smoothed, at least two pixels: the darkest of noisy ones are too dark."""

DARK = 0.1
"""The part of a patch's points that counts as its darkest."""

LIT = 1.4
"""How much brighter than the cards a part of the board may be lit."""

MOSTLY = 0.6
"""Part of a patch that lies on the board, at least."""

FAINT = 0.025
"""Veils thinner than this (relative to white) are none."""

PRINTED = 0.015
"""Part of the surroundings of a piece that is as dark as its darkest print."""

TINT = 1.5
"""How much more of one colour than of another a veil may add: lamps are not quite white."""

WIDE = 3
"""Patches that a veil covers at least, across; what is smaller is a thing."""

REACH = 1
"""Patches beyond the board to which a veil is continued."""

BURNT, MUCH = 250, 0.3
"""From this grey level a channel tells nothing; and the part of a site's points with such a channel that is much."""

INNER = 0.3
"""How far from the middle of a site, in its sizes, its points are looked at for that."""

COARSE = 16
"""Pixels of a picture to one of the veil's map."""


@dataclass(frozen=True, slots=True)
class Glare:
    """Light added over patches (rows, columns, 3) of the board's plane, linear blue-green-red relative to white;
    `origin` (x, y) in mm is the centre of [0, 0].
    """

    added: Array
    origin: Array

    def taken_off(self, image: Array, pose: Pose, light: Light) -> Array:
        """`image` without the glare; `image` itself where there is none."""
        if not self.added.any():
            return image
        glare = self._in_picture(pose, image.shape)
        rows, columns = (np.flatnonzero(glare.any(axis=axes)) for axes in ((1, 2), (0, 2)))
        if not len(rows):
            return image
        part = np.s_[rows[0] * COARSE : (rows[-1] + 1) * COARSE, columns[0] * COARSE : (columns[-1] + 1) * COARSE]
        glare = glare[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        clear = image.copy()
        clear[part] = _without(image[part], glare, light)
        return clear

    def _in_picture(self, pose: Pose, shape: tuple[int, ...]) -> Array:
        """The light added in a picture of that shape, coarser by `COARSE`; 0 beside the board."""
        rows, columns, _ = self.added.shape
        corners = np.array([[0.0, 0.0], [columns - 1, 0.0], [columns - 1, rows - 1], [0.0, rows - 1]])
        places = np.column_stack([self.origin + corners * PATCH, np.zeros(4)])
        pixels = (pose.project(places) - (COARSE - 1) / 2) / COARSE
        seen = cv2.getPerspectiveTransform(corners.astype(np.float32), pixels.astype(np.float32))
        size = (-(-shape[1] // COARSE), -(-shape[0] // COARSE))
        coarse: Array = cv2.warpPerspective(self.added, seen, size, flags=cv2.INTER_LINEAR)
        return coarse


def _without(image: Array, glare: Array, light: Light) -> Array:
    """A part of a picture without its glare (coarser by `COARSE`)."""
    size = (glare.shape[1] * COARSE, glare.shape[0] * COARSE)
    fine = cv2.resize(glare * (light.white - light.black).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return _darker(image, fine[: image.shape[0], : image.shape[1]])


def burnt_out(image: Array, clear: Array, pose: Pose, sites: Sequence[SiteSpec]) -> Array:
    """Of which sites (n,) glare has burnt out much, by `image` and the same with the glare taken off: colours end where
    a channel can get no brighter, and everything looks paler than it is.
    """
    t = np.linspace(-INNER, INNER, 7)
    offsets = np.stack([*np.meshgrid(t, t), np.zeros((7, 7))], axis=-1).reshape(-1, 3)
    sizes = np.array([site.size for site in sites]).reshape(-1, 1, 1)
    centres = np.array([site.centre for site in sites]).reshape(-1, 1, 3)
    at = pose.project((centres + offsets * sizes).reshape(-1, 3))
    seen = sample(image, at).max(axis=1)
    veiled = (seen >= BURNT) & (sample(clear, at).max(axis=1) < seen)
    much: Array = veiled.reshape(len(sites), len(offsets)).mean(axis=1) > MUCH
    return much


def darkest_print(paints: Paints, numbers: Sequence[int]) -> Array:
    """The reflectance (3,), blue-green-red, of the darkest ink or ground among the prints with these numbers of paints;
    black where there are none.
    """
    pairs = [paints.prints[number - len(paints.colours)] for number in numbers]
    colours = [paints.colours[k] for pair in pairs for k in pair] or [(0, 0, 0)]
    darkest: Array = linear(np.array(colours, np.float64)).min(axis=0)[::-1]
    return darkest


def unveiled(image: Array, at: Array, light: Light, darkest: Array) -> Array | None:
    """`image` around a piece, without the glare that the piece's darkest print, of reflectance `darkest` (3,), shows
    among the pixels `at` (n, 2); None where it shows none. Glossy pieces shine more than the board around them.
    """
    if not len(at):
        return None
    dark = np.sort(light.relative(linear(averaged(image, at, 2))), axis=0)[int(PRINTED * len(at))]
    veil = np.maximum(0.0, dark - LIT * darkest)
    veil = np.minimum(veil, TINT * veil.min())
    if veil.max() < FAINT:
        return None
    (left, top), (right, bottom) = at.min(axis=0).astype(int), at.max(axis=0).astype(int) + 2
    part = np.s_[top:bottom, left:right]
    clear = image.copy()
    even = np.broadcast_to((veil * (light.white - light.black)).astype(np.float32), image[part].shape)
    clear[part] = _darker(image[part], even)
    return clear


def _darker(image: Array, glare: Array) -> Array:
    """A picture without the linear light `glare` (height, width, 3) that was added to it."""
    left = cv2.subtract(cv2.LUT(image, _LEVELS), glare * np.float32(len(_ENCODED) - 1), dtype=cv2.CV_16U)
    return _ENCODED.take(np.asarray(left))


def evenly_darker(image: Array, added: float) -> Array:
    """A picture without the linear light that was `added` everywhere."""
    left = np.maximum(linear(np.arange(256.0)) - added, 0.0)
    return np.asarray(cv2.LUT(image, np.rint(encoded(left)).astype(np.uint8)))


class GlareFinder:
    """Measures the glare over the board of one game."""

    def __init__(self, game: Game[Any, Any], paints: Paints, board: Raster) -> None:
        """`board`: the empty board; its darkest paint in a patch is what the patch's darkest points should show."""
        rows, columns = board.values.shape
        self._origin = np.array(board.origin) + PATCH / 2
        x = np.arange(self._origin[0], board.origin[0] + columns * 0.25, PATCH)
        y = np.arange(self._origin[1], board.origin[1] + rows * 0.25, PATCH)
        t = np.arange(-PATCH * 0.75, PATCH * 0.75 + 1e-6, STEP)
        offsets = np.stack(np.meshgrid(t, t), axis=-1).reshape(-1, 2)
        centres = np.stack(np.meshgrid(x, y), axis=-1)
        points = centres[:, :, None, :] + offsets
        shown = board.at(points.reshape(-1, 2)).reshape(points.shape[:3])
        known = shown < min(UNSURE, len(paints.colours))
        self._known = known.mean(axis=2) > MOSTLY
        self._points = points[self._known].reshape(-1, 2)
        self._on_board = known[self._known]
        dark = linear(np.array(paints.colours, np.float64))[:, ::-1]
        self._expected = self._darkest(dark[np.where(known, shown, 0)][self._known], np.inf)
        self._places: tuple[Pose, Array] | None = None  # the pixels of the points, by the last pose

    def measure(self, image: Array, pose: Pose, light: Light) -> Glare:
        """The glare in `image`."""
        added = np.zeros((*self._known.shape, 3), np.float32)
        if len(self._expected):
            factor = max(2, round(SMOOTH * pose.scale(np.zeros(3))))
            seen = averaged(image, self._pixels(pose), factor).reshape(len(self._expected), -1, 3)
            darkest = light.relative(linear(self._darkest(seen, 255)))
            veil = np.maximum(0.0, darkest - LIT * self._expected)
            added[self._known] = np.minimum(veil, TINT * veil.min(axis=1, keepdims=True))
        return Glare(self._spread(added), self._origin)

    def _pixels(self, pose: Pose) -> Array:
        """Where the points of all patches are in the picture (n, 2)."""
        if self._places is None or self._places[0] is not pose:
            self._places = pose, pose.project(np.column_stack([self._points, np.zeros(len(self._points))]))
        return self._places[1]

    def _darkest(self, light: Array, most: float) -> Array:
        """The darkest there is on the board in each patch (patches, 3), of the light (patches, points, 3); `most`: more
        than that it cannot be.
        """
        points = np.where(self._on_board[..., None], light, light.dtype.type(most)).transpose(0, 2, 1)
        darkest = (DARK * self._on_board.sum(axis=1)).astype(int)
        points = np.partition(points, np.unique(darkest), axis=2)
        return np.take_along_axis(points, darkest[:, None, None], axis=2)[:, :, 0]

    def _spread(self, strength: Array) -> Array:
        """The light added, without what is small or faint, and continued beyond the board."""
        if strength.max(initial=0.0) < FAINT:
            return np.zeros_like(strength)
        known = self._known.astype(np.uint8)
        kernel = np.ones((WIDE, WIDE), np.uint8)
        inside = np.where(self._known[..., None], strength, np.float32(1.0))
        opened = cv2.dilate(cv2.erode(inside, kernel) * known[..., None], kernel)
        strength = np.minimum(strength, opened)
        if strength.max(initial=0.0) < FAINT:
            return np.zeros_like(strength)
        for _ in range(REACH):
            weight = cv2.boxFilter(known.astype(np.float32), -1, (3, 3), normalize=False)
            mean = cv2.boxFilter(strength, -1, (3, 3), normalize=False) / np.maximum(weight, 1)[..., None]
            strength = np.where(known[..., None] > 0, strength, mean)
            known = (weight > 0).astype(np.uint8)
        return strength


_ENCODED = np.rint(encoded(np.arange(4096) / 4095)).astype(np.uint8)
_LEVELS = linear(np.arange(256.0)) * np.float32(len(_ENCODED) - 1)
