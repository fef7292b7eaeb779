"""The board's own contours: its outline and the edges of its print, and the pose that lays them over the picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.games.looks import Area, Disc, Look, Point, Prism, Ring, regular
from companion.vision.lens import Array, Lens
from companion.vision.raster import Paints, rasterise

SPACING = 2.0
"""Millimetres between samples along a contour."""

CONTRAST = 30.0
"""Least difference in brightness (0 to 255) across a printed edge that is worth looking for."""

SEARCH = (7.0, 4.0, 2.5, 2.0, 2.0)
"""How far to look along the normal in each round, in pixels of a picture 1536 wide."""


@dataclass(frozen=True, slots=True)
class Contours:
    """Samples along edges: `points` (n, 3) and unit `normals` (n, 2), outward, in the board frame.

    `sign` (n,): 1 where the inside is brighter, -1 where it is darker, 0 where nobody knows (the board's outline
    against the table). `low` (n, 3): where the outline's silhouette is when its side faces the camera; else = points.
    """

    points: Array
    normals: Array
    sign: Array
    low: Array


@dataclass(frozen=True, slots=True)
class Fit:
    """A pose as rotation vector (3,) and translation (3,) in mm, and the part (0 to 1) of the contours found there."""

    rvec: Array
    tvec: Array
    support: float


@lru_cache(maxsize=8)
def contours_of(board: Look) -> Contours:
    """The contours of an empty board worth looking for."""
    paints = Paints.of([board])
    raster = rasterise(board, paints)
    brightness = np.full(256, np.nan)  # unknown on characters and beside the board
    brightness[: len(paints.colours)] = [0.3 * r + 0.59 * g + 0.11 * b for r, g, b in paints.colours]
    points: list[Array] = []
    normals: list[Array] = []
    signs: list[Array] = []
    lows: list[Array] = []
    for solid in board:
        if not isinstance(solid, Prism):
            continue
        at, normal = _along(solid.footprint)
        points.append(np.column_stack([at, np.full(len(at), solid.z1)]))
        lows.append(np.column_stack([at, np.full(len(at), solid.z0)]))
        normals.append(normal)
        signs.append(np.zeros(len(at)))
        for outline in (o for mark in solid.marks for o in _outlines(mark)):
            at, normal = _along(outline)
            inside, outside = raster.at(at - 0.7 * normal), raster.at(at + 0.7 * normal)
            step = brightness[inside] - brightness[outside]
            keep = np.abs(step) >= CONTRAST
            points.append(np.column_stack([at, np.full(len(at), solid.z1)])[keep])
            lows.append(points[-1])
            normals.append(normal[keep])
            signs.append(np.sign(step[keep]))
    return Contours(*(np.concatenate(parts) for parts in (points, normals, signs, lows)))


def _outlines(mark: object) -> list[tuple[Point, ...]]:
    match mark:
        case Area(corners, _):
            return [corners]
        case Disc(centre, diameter, _):
            return [regular(24, diameter / 2, centre=centre)]
        case Ring(centre, diameter, width, _):
            inner, outer = (diameter - width) / 2, (diameter + width) / 2
            return [regular(48, outer, centre=centre), regular(48, inner, centre=centre)]
    return []


def _along(corners: tuple[Point, ...]) -> tuple[Array, Array]:
    """Points (n, 2) every `SPACING` mm along a convex polygon, away from its sharp corners, and outward normals."""
    shape = np.asarray(corners, np.float64)
    middle = shape.mean(axis=0)
    ends = np.roll(shape, -1, axis=0)
    lengths = np.linalg.norm(ends - shape, axis=1)
    total = lengths.sum()
    count = max(8, int(total / SPACING))
    marks = (np.arange(count) + 0.5) * total / count
    starts = np.concatenate([[0.0], np.cumsum(lengths)])
    side = np.clip(np.searchsorted(starts, marks, side="right") - 1, 0, len(shape) - 1)
    part = (marks - starts[side]) / np.maximum(lengths[side], 1e-9)
    at = shape[side] + (ends - shape)[side] * part[:, None]
    along = (ends - shape)[side] / np.maximum(lengths[side], 1e-9)[:, None]
    normal = np.column_stack([along[:, 1], -along[:, 0]])
    normal *= np.sign(((at - middle) * normal).sum(axis=1))[:, None]
    return at, normal


def fit_contours(
    grey: Array,
    contours: Contours,
    cards: list[tuple[Array, Array]],
    lens: Lens,
    rvec: Array,
    tvec: Array,
    card_error: float,
) -> Fit:
    """The pose near (`rvec`, `tvec`) that fits the contours and, within `card_error` mm, the cards.

    `cards`: pairs of corners in the board frame (4, 3) and in the picture (4, 2).
    """
    rotation = cv2.Rodrigues(np.asarray(rvec, np.float64))[0]
    translation = np.asarray(tvec, np.float64).copy()
    picture = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    unit = lens.size[0] / 1536
    support = 0.0
    for reach in SEARCH:
        seen = _visible_contours(contours, rotation, translation)
        found = _search(picture, seen, lens, rotation, translation, max(2.0, reach * unit))
        support = (
            float(np.mean(np.abs(found.offset[found.sure]) < 1.5)) * float(found.sure.mean())
            if len(found.sure)
            else 0.0
        )
        step = _step(found, cards, lens, rotation, translation, card_error, max(1.0, 0.5 * reach * unit))
        rotation = cv2.Rodrigues(step[:3])[0] @ rotation
        translation = translation + step[3:]
    return Fit(cv2.Rodrigues(rotation)[0].ravel(), translation, support)


@dataclass(frozen=True, slots=True)
class _Found:
    """Where edges were found: distance along the normal in pixels, and whether there is one."""

    camera: Array  # (n, 3) samples in the camera frame
    normals: Array  # (n, 2) unit normals in the picture
    offset: Array  # (n,) pixels
    sure: Array  # (n,) bool


def _visible_contours(contours: Contours, rotation: Array, translation: Array) -> Contours:
    """The outline where its silhouette is: at the foot where its side faces the camera, else at the top."""
    camera = -rotation.T @ translation
    facing = ((camera[:2] - contours.points[:, :2]) * contours.normals).sum(axis=1) > 0
    points = np.where(facing[:, None], contours.low, contours.points)
    return Contours(points, contours.normals, contours.sign, contours.low)


def _search(picture: Array, seen: Contours, lens: Lens, rotation: Array, translation: Array, reach: float) -> _Found:
    camera = seen.points @ rotation.T + translation
    beside = np.column_stack([seen.points[:, :2] + seen.normals, seen.points[:, 2]]) @ rotation.T + translation
    at = lens.project(camera)
    direction = lens.project(beside) - at
    normals = direction / np.maximum(np.linalg.norm(direction, axis=1), 1e-9)[:, None]
    steps = np.arange(-np.ceil(reach) - 2, np.ceil(reach) + 3, dtype=np.float64)
    where = (at[:, None, :] + normals[:, None, :] * steps[None, :, None]).astype(np.float32)
    height, width = picture.shape
    inside = (
        (where.min(axis=(1, 2)) > 0)
        & (where[..., 0].max(axis=1) < width - 1)
        & (where[..., 1].max(axis=1) < height - 1)
    )
    profile = cv2.remap(picture, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    slope = profile[:, :-2] - profile[:, 2:]  # positive where the inside is brighter
    signed = np.where(seen.sign[:, None] == 0, np.abs(slope), slope * seen.sign[:, None])
    peak = np.argmax(signed * np.exp(-0.5 * (steps[1:-1] / (reach + 1)) ** 2), axis=1)
    rows = np.arange(len(peak))
    inner = np.clip(peak, 1, signed.shape[1] - 2)
    left, top, right = signed[rows, inner - 1], signed[rows, inner], signed[rows, inner + 1]
    bend = np.maximum(2 * top - left - right, 1e-3)
    offset = steps[1:-1][inner] + np.clip((right - left) / (2 * bend), -1, 1)
    strong = max(6.0, 0.35 * float(np.median(np.maximum(top, 0))))
    sure = inside & (top > strong) & (peak == inner) & (np.abs(offset) <= reach)
    return _Found(camera, normals, offset, sure)


def _step(
    found: _Found,
    cards: list[tuple[Array, Array]],
    lens: Lens,
    rotation: Array,
    translation: Array,
    card_error: float,
    scale: float,
) -> Array:
    """One robust Gauss-Newton step: a rotation vector and a shift (6,)."""
    a, b = np.zeros((6, 6)), np.zeros(6)
    if found.sure.any():
        jacobian = _jacobian(found.camera[found.sure], translation, lens)
        j = np.einsum("ni,nij->nj", found.normals[found.sure], jacobian)
        r = found.offset[found.sure]
        weight = 1 / (1 + (r / scale) ** 2) ** 2
        a += (j * weight[:, None]).T @ j
        b += (j * weight[:, None]).T @ r
    for model, seen in cards:
        camera = model @ rotation.T + translation
        jacobian = _jacobian(camera, translation, lens)
        error = seen - lens.project(camera)
        deviation = card_error * lens.focal[0] / camera[:, 2].mean()
        weight = 1 / (1 + np.square(error).sum() / (16 * deviation**2)) ** 2 / max(0.5, deviation) ** 2
        a += weight * np.einsum("nki,nkj->ij", jacobian, jacobian)
        b += weight * np.einsum("nki,nk->i", jacobian, error)
    return np.linalg.solve(a + 1e-9 * np.trace(a) * np.eye(6) + 1e-12 * np.eye(6), b)


def _jacobian(camera: Array, translation: Array, lens: Lens) -> Array:
    """Change (n, 2, 6) of pixels by a turn about the board's origin (radians, camera axes) and a shift (mm)."""
    (fx, fy), z = lens.focal, camera[:, 2]
    zero = np.zeros_like(z)
    by_place = np.stack(
        [
            np.stack([fx / z, zero, -fx * camera[:, 0] / z**2], axis=1),
            np.stack([zero, fy / z, -fy * camera[:, 1] / z**2], axis=1),
        ],
        axis=1,
    )
    x, y, w = (camera - translation).T
    turn = np.stack(
        [
            np.stack([zero, w, -y], axis=1),
            np.stack([-w, zero, x], axis=1),
            np.stack([y, -x, zero], axis=1),
        ],
        axis=1,
    )
    return np.concatenate([by_place @ turn, by_place], axis=2)
