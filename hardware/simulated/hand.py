"""A hand in the picture: its limbs melted into one surface and lit, and its shadow."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.canvas import Roi
from hardware.simulated.colours import Light, linear
from hardware.simulated.conditions import Lighting
from hardware.simulated.lens import Array, Lens
from hardware.simulated.light import mask_blurred, shading_of
from hardware.simulated.limbs import NAIL, SKINS, SLEEVE, Limbs, limbs_of, sleeve
from hardware.simulated.scene import HandPose

ABOVE = np.array([0.0, 0.0, 1e6])
"""A place from which everything throws its shadow straight down."""
RISE = 150.0
"""Height (mm) above which an arm's shadow gets no softer."""
CIRCLE = np.stack([np.sin(np.arange(14) * np.pi / 7), np.cos(np.arange(14) * np.pi / 7)], 1)


class Limb(NamedTuple):
    """A hand in a picture: `light` (h, w, 3) linear, not premultiplied, and `cover` (h, w, 1), in that part of it."""

    roi: Roi
    light: Light
    cover: Light


def hand_shadow(pose: HandPose, lighting: Lighting, lens: Lens, roi: Roi, plane: float) -> Light:
    """The part (h, w, 3) of the light that reaches the plane past the hand, for the given part of the picture."""
    shape = (max(1, roi.height // 4), max(1, roi.width // 4))
    lit = np.ones((*shape, 3), np.float32)
    limbs = limbs_of(pose)
    rises = limbs.ends[..., 2].mean(1) - plane
    for lamp, share in zip(lighting.lamps, shading_of(lighting).shares, strict=True):
        dark = np.zeros(shape, np.float32)
        for low, high in ((-99, 30), (30, 70), (70, 9999)):
            group = (rises >= low) & (rises < high)
            if group.any():
                mask = _discs_mask(*_shade(limbs, np.asarray(lamp.place), plane), group, lens, roi, shape, plane)
                rise = float(np.minimum(rises[group], RISE).mean())
                sigma = 0.5 * lamp.radius * rise / (lamp.place[2] - rise) * lens.scale(plane) / 4 + 0.5
                dark = np.maximum(dark, mask_blurred(mask, sigma))
        lit *= 1 - dark[..., None] * share.astype(np.float32)
    below = _discs_mask(*_shade(limbs, ABOVE, plane), rises > -99, lens, roi, shape, plane)
    lit *= 1 - 0.4 * mask_blurred(below, 22 * lens.scale(plane) / 4)[..., None]
    return cv2.resize(lit, (roi.width, roi.height), interpolation=cv2.INTER_LINEAR)


def shadow_roi(pose: HandPose, lighting: Lighting, lens: Lens, plane: float) -> Roi:
    """The part of the picture that a hand changes: itself and its shadows on the plane, with their soft edges."""
    limbs = limbs_of(pose)
    shades = [_shade(limbs, place, plane) for place in (*(np.asarray(lamp.place) for lamp in lighting.lamps), ABOVE)]
    centres = np.concatenate([c.reshape(-1, 2) for c, _ in shades])
    radii = np.concatenate([r.ravel() for _, r in shades])
    softness = max([1.3 * lamp.radius * RISE / (lamp.place[2] - RISE) for lamp in lighting.lamps], default=0.0) + 70
    reach = (radii + softness)[:, None]
    corners = np.concatenate([centres - reach, centres + reach])
    pixels, spans, _ = _projected(limbs, lens)
    edges = [pixels - spans[..., None], pixels + spans[..., None]]
    shaded = lens.project(np.c_[corners, np.full(len(corners), plane)])
    return Roi.around(np.concatenate([shaded, *(edge.reshape(-1, 2) for edge in edges)]), lens, 6)


def _projected(limbs: Limbs, lens: Lens) -> tuple[Array, Array, Array]:
    """Pixels (n, 2, 2) of the limbs' ends, their radii there in pixels (n, 2) and depths (n, 2) in mm."""
    depth = np.maximum((limbs.ends @ lens.rotation.T + lens.translation)[..., 2], 60.0)
    return lens.project(limbs.ends), limbs.radii * lens.focal / depth, depth


def _shade(limbs: Limbs, lamp: Array, plane: float) -> tuple[Array, Array]:
    """Centres (n, 2, 2) and radii (n, 2), mm, of the limbs' shadows on a plane."""
    heights = np.clip(limbs.ends[..., 2], plane, lamp[2] - 200)
    grown = (lamp[2] - plane) / (lamp[2] - heights)
    centres = lamp[:2] + (limbs.ends[..., :2] - lamp[:2]) * grown[..., None]
    return centres, limbs.radii * grown


def _discs_mask(
    centres: Array,
    radii: Array,
    group: NDArray[np.bool_],
    lens: Lens,
    roi: Roi,
    shape: tuple[int, int],
    plane: float,
) -> NDArray[np.uint8]:
    """The hulls of pairs of discs on a plane, for the limbs of a group, at a quarter of the picture's resolution."""
    mask = np.zeros(shape, np.uint8)
    points = (centres[group][:, :, None] + CIRCLE * radii[group][:, :, None, None]).reshape(-1, 2 * len(CIRCLE), 2)
    pixels = lens.project(np.concatenate([points, np.full((*points.shape[:2], 1), plane)], 2))
    places = np.round(np.clip((pixels - (roi.x, roi.y)) / 4 - 0.375, -9000, 9000) * 8).astype(np.int32)
    for outline in places:
        cv2.fillConvexPoly(mask, cv2.convexHull(outline), 255, cv2.LINE_AA, 3)
    return mask


def draw_hand(pose: HandPose, lighting: Lighting, lens: Lens, step: int = 2) -> Limb | None:
    """The hand in the picture, or None where it is outside; computed in every `step`-th pixel."""
    limbs = limbs_of(pose)
    pixels, spans, depth = _projected(limbs, lens)
    low = (pixels - spans[..., None]).reshape(-1, 2).min(0)
    high = (pixels + spans[..., None]).reshape(-1, 2).max(0)
    if (high < 0).any() or (low > (lens.width, lens.height)).any():
        return None
    roi = Roi.around(np.stack([low, high]), lens, 2 * step)
    shape = (-(-roi.height // step), -(-roi.width // step))
    rise = (float(depth.mean()) - depth) * lens.focal / float(depth.mean())
    scale = 1 / step
    middle = (pixels - (roi.x, roi.y) + 0.5) * scale - 0.5
    away, height, part = _melted(middle, spans * scale, rise * scale, limbs, shape)
    light = _lit(height, part, pose, lighting, lens)
    size = (shape[1] * step, shape[0] * step)
    whole = (slice(0, roi.height), slice(0, roi.width))
    away = cv2.resize(away, size, interpolation=cv2.INTER_LINEAR)[whole] * step
    cover = np.clip(0.5 - away, 0, 1)[..., None]
    return Limb(roi, cv2.resize(light, size, interpolation=cv2.INTER_LINEAR)[whole], cover)


def _melted(
    middle: Array, spans: Array, rise: Array, limbs: Limbs, shape: tuple[int, int]
) -> tuple[Light, Light, NDArray[np.uint8]]:
    """Distance from the outline (negative inside), height of the surface and its part, in every sample."""
    away = np.full(shape, 50.0, np.float32)
    height = np.full(shape, -1e4, np.float32)
    part = np.zeros(shape, np.uint8)
    for (a, b), (ra, rb), (za, zb), kind in zip(middle, spans, rise, limbs.parts, strict=True):
        reach = max(ra, rb) + 6
        x0, y0 = (int(v) for v in np.maximum(np.floor(np.minimum(a, b) - reach), 0))
        x1, y1 = (int(v) for v in np.minimum(np.ceil(np.maximum(a, b) + reach), (shape[1], shape[0])))
        if x1 <= x0 or y1 <= y0:
            continue
        y, x = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        axis = (b - a).astype(np.float32)
        t = ((x - np.float32(a[0])) * axis[0] + (y - np.float32(a[1])) * axis[1]) / max(float(axis @ axis), 1e-6)
        np.clip(t, 0, 1, out=t)
        dx, dy = x - (a[0] + t * axis[0]), y - (a[1] + t * axis[1])
        square = (dx * dx + dy * dy).astype(np.float32)
        radius = (ra + t * (rb - ra)).astype(np.float32)
        window = (slice(y0, y1), slice(x0, x1))
        away[window] = _smooth_min(away[window], np.sqrt(square) - radius, 1.5)
        top = (za + t * (zb - za)).astype(np.float32) + np.sqrt(np.maximum(radius * radius - square, 0))
        top = np.where(square < radius * radius, top, -1e4)
        higher = top > height[window]
        part[window] = np.where(higher, kind, part[window])
        height[window] = np.maximum(height[window], top)
    return away, height, part


def _smooth_min(a: Light, b: Light, k: float) -> Light:
    mix = np.clip(k - np.abs(a - b), 0, None)
    melted: Light = np.minimum(a, b) - mix * mix / (4 * k)
    return melted


def _lit(height: Light, part: NDArray[np.uint8], pose: HandPose, lighting: Lighting, lens: Lens) -> Light:
    inside = height > -9e3
    floor = float(height[inside].min()) if inside.any() else 0.0
    surface = cv2.GaussianBlur(np.maximum(height, floor), (0, 0), 1.6)
    gx, gy = cv2.Sobel(surface, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(surface, cv2.CV_32F, 0, 1, scale=1 / 8)
    normal: Light = np.stack([-gx, -gy, np.ones_like(gx)], -1)
    normal[..., 2] += 0.12  # creases between fingers are not black
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    flip = np.diag([1.0, 1.0, -1.0]) @ lens.rotation  # from the table to picture axes with depth towards the eye
    shading = shading_of(lighting)
    amount = np.maximum(1 - shading.shares.sum(0), 0) * (0.62 + 0.38 * normal @ (flip @ (0, 0, 1.0)))[..., None]
    for place, share in zip(shading.direct, shading.shares, strict=True):
        towards = place - (pose.x, pose.y, pose.z + 40)
        towards /= np.linalg.norm(towards)
        cosine = np.maximum(0.15 + 0.85 * (normal @ (flip @ towards)), 0) / max(towards[2], 0.25)
        amount = amount + np.minimum(cosine, 1.8)[..., None] * share
    light: Light = (amount * _skin(part, pose)).astype(np.float32)
    return light


def _skin(part: NDArray[np.uint8], pose: HandPose) -> Light:
    random = np.random.default_rng([pose.look, 9])
    skin = linear(np.clip(np.array(SKINS[pose.look % len(SKINS)]) * random.uniform(0.93, 1.05), 0, 255).tolist())
    cloth = linear(sleeve(pose) or SKINS[0])
    blotch: Light = random.standard_normal((max(2, part.shape[0] // 12), max(2, part.shape[1] // 12))).astype(
        np.float32
    )
    blotch = cv2.resize(blotch, part.shape[::-1], interpolation=cv2.INTER_CUBIC)[..., None]
    weave = cv2.GaussianBlur(random.standard_normal(part.shape).astype(np.float32), (0, 0), 0.7)[..., None]
    tinted = skin * (1 + 0.05 * blotch * np.array([1.0, 0.9, 0.35], np.float32))
    tinted = np.where(part[..., None] == NAIL, tinted * 0.9 + np.array([0.05, 0.05, 0.09], np.float32), tinted)
    return np.where(part[..., None] == SLEEVE, cloth * (1 + 0.12 * weave + 0.06 * blotch), tinted)
