"""A hand with forearm and sleeve: capsules in space, melted into one surface and lit."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.canvas import Roi
from hardware.simulated.colours import Light, linear
from hardware.simulated.conditions import Lighting
from hardware.simulated.lens import Array, Lens
from hardware.simulated.light import mask_blurred, shading_of, thrown
from hardware.simulated.scene import HandPose

SKINS = (
    (236, 188, 160),
    (224, 172, 138),
    (198, 142, 108),
    (152, 102, 72),
    (106, 70, 50),
    (240, 200, 176),
    (78, 52, 40),
)
SLEEVES = (
    (52, 60, 92),
    (150, 40, 48),
    (70, 70, 74),
    (228, 226, 220),
    (40, 96, 62),
    (92, 50, 120),
    (190, 160, 70),
    None,
)
"""Sleeve colours; None is a bare arm."""

# Right hand, palm down, fingers along +y, mm; the origin is where thumb and fingers meet. A row a finger: knuckle,
# middle joint, tip.
_OPEN = np.array(
    [
        [[-27, -88, 30], [-31, -42, 26], [-33, -4, 10]],
        [[-7, -82, 33], [-7, -30, 28], [-7, 12, 10]],
        [[13, -86, 31], [17, -36, 26], [19, 4, 10]],
        [[31, -96, 27], [39, -58, 22], [44, -24, 9]],
        [[-40, -128, 26], [-62, -92, 20], [-66, -56, 9]],
    ],
    float,
)
_PINCH = np.array(
    [
        [[-24, -78, 50], [-20, -32, 48], [-5, -1, 10]],
        [[-4, -74, 54], [0, -28, 52], [9, 4, 11]],
        [[15, -80, 52], [24, -40, 44], [26, -12, 20]],
        [[32, -92, 46], [42, -60, 36], [40, -36, 22]],
        [[-36, -122, 40], [-44, -70, 30], [-13, -15, 10]],
    ],
    float,
)
_RADII = np.array([[10.5, 9.0, 7.2], [10.8, 9.2, 7.4], [10.4, 8.8, 7.0], [9.4, 7.8, 6.2], [13.5, 10.5, 8.4]])
SKIN, SLEEVE, NAIL = range(3)
RISE = 150.0
"""Height (mm) above which an arm's shadow gets no softer."""
ABOVE = np.array([0.0, 0.0, 1e6])
_WRIST = np.array([-2.0, -172.0, 34.0])


class Capsule(NamedTuple):
    """A round limb from `a` to `b` (mm on the table), with its radii there; `part` is SKIN, SLEEVE or NAIL."""

    a: Array
    b: Array
    radius_a: float
    radius_b: float
    part: int


class Limb(NamedTuple):
    """A hand in a picture: `light` (h, w, 3) linear, not premultiplied, and `cover` (h, w, 1), in that part of it."""

    roi: Roi
    light: Light
    cover: Light


def capsules(pose: HandPose) -> list[Capsule]:
    """The limbs of a hand, sleeve last."""
    random = np.random.default_rng([pose.look, 8])
    size, bend = random.uniform(0.86, 1.1), random.uniform(-14, 14)
    joints = (_OPEN * (1 - pose.grip) + _PINCH * pose.grip) + random.normal(0, 1.5, _OPEN.shape)
    wrist = _WRIST + np.array([0, 0, 16 * pose.grip])
    aside = np.array([1.0, 0.0, 0.0])
    limbs: list[tuple[Array, Array, float, float, int]] = []
    for finger, radii in zip(joints, _RADII, strict=True):
        limbs += [(finger[k], finger[k + 1], radii[k], radii[k + 1], SKIN) for k in range(2)]
        back = (finger[1] - finger[2]) / np.linalg.norm(finger[1] - finger[2])
        nail = finger[2] + np.array([0, 0, 0.42 * radii[2]])
        limbs.append((nail - 1.5 * back, nail + 4.5 * back, 0.62 * radii[2], 0.6 * radii[2], NAIL))
    limbs += [(joints[k, 0], wrist + x * aside, 13.0, 20.0, SKIN) for k, x in enumerate((-12, -4, 5, 13))]
    limbs.append((joints[4, 0], wrist + np.array([-12, 14, 0]), 16.0, 19.0, SKIN))
    along = np.array([np.sin(np.radians(bend)), -np.cos(np.radians(bend)), 0.16])
    cuff, width = random.uniform(25, 130), random.uniform(33, 38)
    bare = 900.0 if sleeve(pose) is None else cuff + 25
    limbs += _arm(wrist, along, (0.0, bare), (23.0, 42.0), SKIN)
    if sleeve(pose) is not None:
        limbs += _arm(wrist, along, (cuff, 900.0), (width, 58.0), SLEEVE)
    return [_on_table(limb, pose, size, -1 if pose.look % 2 else 1) for limb in limbs]


def _arm(
    wrist: Array, along: Array, reach: tuple[float, float], radii: tuple[float, float], part: int
) -> list[tuple[Array, Array, float, float, int]]:
    """Two rows of short limbs, side by side, from `reach[0]` to `reach[1]` mm behind the wrist."""
    stops = np.linspace(*reach, 2 + int((reach[1] - reach[0]) / 130))
    width = np.interp(stops, (reach[0], 500.0), radii)
    rows = [
        wrist + np.outer(stops, along) + np.outer(9 * (1 + stops / 330) * side, (1.0, 0.0, 0.0)) for side in (-1, 1)
    ]
    return [(row[k], row[k + 1], width[k], width[k + 1], part) for row in rows for k in range(len(stops) - 1)]


def sleeve(pose: HandPose) -> tuple[int, int, int] | None:
    """The colour of its sleeve, None for a bare arm."""
    return SLEEVES[(pose.look * 5 + pose.look // 7) % len(SLEEVES)]


def _on_table(limb: tuple[Array, Array, float, float, int], pose: HandPose, size: float, mirror: int) -> Capsule:
    angle = np.radians(pose.direction + 180)
    along, across = np.array([np.sin(angle), np.cos(angle)]), np.array([np.cos(angle), -np.sin(angle)])
    ends = []
    for point in limb[:2]:
        x, y, z = point * size * (mirror, 1, 1)
        ends.append(np.array([*(np.array([pose.x, pose.y]) + x * across + y * along), pose.z + z - 9 * size]))
    return Capsule(ends[0], ends[1], limb[2] * size, limb[3] * size, limb[4])


def hand_shadow(pose: HandPose, lighting: Lighting, lens: Lens, roi: Roi, plane: float) -> Light:
    """The part (h, w, 3) of the light that reaches the plane past the hand, for the given part of the picture."""
    shape = (max(1, roi.height // 4), max(1, roi.width // 4))
    lit = np.ones((*shape, 3), np.float32)
    limbs = capsules(pose)
    for lamp, share in zip(lighting.lamps, shading_of(lighting).shares, strict=True):
        dark = np.zeros(shape, np.float32)
        for low, high in ((-99, 30), (30, 70), (70, 999)):
            group = [limb for limb in limbs if low <= (limb.a[2] + limb.b[2]) / 2 - plane < high]
            if group:
                place = np.asarray(lamp.place)
                mask = _discs_mask([_shade(limb, place, plane) for limb in group], lens, roi, shape, plane)
                rise = float(np.mean([min(limb.a[2], RISE) - plane for limb in group]))
                sigma = 0.5 * lamp.radius * rise / (lamp.place[2] - rise) * lens.scale(plane) / 4 + 0.5
                dark = np.maximum(dark, mask_blurred(mask, sigma))
        lit *= 1 - dark[..., None] * share.astype(np.float32)
    below = _discs_mask([_shade(limb, ABOVE, plane) for limb in limbs], lens, roi, shape, plane)
    lit *= 1 - 0.4 * mask_blurred(below, 22 * lens.scale(plane) / 4)[..., None]
    return cv2.resize(lit, (roi.width, roi.height), interpolation=cv2.INTER_LINEAR)


def shadow_roi(pose: HandPose, lighting: Lighting, lens: Lens, plane: float) -> Roi:
    """The part of the picture that a hand changes: itself and its shadows on the plane, with their soft edges."""
    limbs, places = capsules(pose), [np.asarray(lamp.place) for lamp in lighting.lamps]
    shades = [_shade(limb, place, plane) for limb in limbs for place in (*places, ABOVE)]
    centres, radii = np.concatenate([c for c, _ in shades]), np.concatenate([r for _, r in shades])
    softness = max([1.3 * lamp.radius * RISE / (lamp.place[2] - RISE) for lamp in lighting.lamps], default=0.0) + 70
    reach = (radii + softness)[:, None]
    corners = np.concatenate([centres - reach, centres + reach])
    pixels, spans, _ = _projected(limbs, lens)
    edges = [pixels - spans[..., None], pixels + spans[..., None]]
    shaded = lens.project(np.c_[corners, np.full(len(corners), plane)])
    return Roi.around(np.concatenate([shaded, *(edge.reshape(-1, 2) for edge in edges)]), lens, 6)


def _projected(limbs: list[Capsule], lens: Lens) -> tuple[Array, Array, Array]:
    """Pixels (n, 2, 2) of the limbs' ends, their radii there in pixels (n, 2) and depths (n, 2) in mm."""
    ends = np.stack([[limb.a, limb.b] for limb in limbs])
    radii = np.array([[limb.radius_a, limb.radius_b] for limb in limbs])
    depth = np.maximum((ends @ lens.rotation.T + lens.translation)[..., 2], 60.0)
    return lens.project(ends), radii * lens.focal / depth, depth


def _shade(limb: Capsule, lamp: Array, plane: float) -> tuple[Array, Array]:
    """Centres (2, 2) and radii (2,) of a capsule's shadow on a plane."""
    ends = np.stack([limb.a, limb.b])
    heights = np.clip(ends[:, 2], plane, lamp[2] - 200)
    grown = (lamp[2] - plane) / (lamp[2] - heights)
    centres = np.stack([thrown(lamp, end[None, :2], z, plane)[0] for end, z in zip(ends, heights, strict=True)])
    return centres, np.array([limb.radius_a, limb.radius_b]) * grown


def _discs_mask(
    shades: list[tuple[Array, Array]], lens: Lens, roi: Roi, shape: tuple[int, int], plane: float
) -> NDArray[np.uint8]:
    mask = np.zeros(shape, np.uint8)
    angles = np.arange(14) * 2 * np.pi / 14
    circle = np.stack([np.sin(angles), np.cos(angles)], 1)
    for centres, radii in shades:
        points = (centres[:, None] + circle[None] * radii[:, None, None]).reshape(-1, 2)
        pixels = lens.project(np.concatenate([points, np.full((len(points), 1), plane)], 1))
        places = np.round(np.clip((pixels - (roi.x, roi.y)) / 4 - 0.375, -9000, 9000) * 8).astype(np.int32)
        cv2.fillConvexPoly(mask, cv2.convexHull(places), 255, cv2.LINE_AA, 3)
    return mask


def draw_hand(pose: HandPose, lighting: Lighting, lens: Lens, step: int = 2) -> Limb | None:
    """The hand in the picture, or None where it is outside; computed in every `step`-th pixel."""
    limbs = capsules(pose)
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
    middle: Array, spans: Array, rise: Array, limbs: list[Capsule], shape: tuple[int, int]
) -> tuple[Light, Light, NDArray[np.uint8]]:
    """Distance from the outline (negative inside), height of the surface and its part, in every sample."""
    away = np.full(shape, 50.0, np.float32)
    height = np.full(shape, -1e4, np.float32)
    part = np.zeros(shape, np.uint8)
    for (a, b), (ra, rb), (za, zb), limb in zip(middle, spans, rise, limbs, strict=True):
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
        part[window] = np.where(higher, limb.part, part[window])
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
