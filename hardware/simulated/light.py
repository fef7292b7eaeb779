"""Light on the table: how much each place gets, who throws shadows where, and what shines."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.canvas import Roi
from hardware.simulated.colours import Light, threefold
from hardware.simulated.conditions import Lamp, Lighting, Screen
from hardware.simulated.lens import Array, Lens
from hardware.simulated.solids import Placed, Shading

COARSE = 16
"""Light changes slowly: it is computed in every 16th pixel."""
REACH = 900
"""So many mm from the board's middle is it told apart what stands before a lamp."""


def falloff(lamp: Lamp, places: Array) -> Array:
    """Light of a lamp on level faces at places (..., 3), 1 at the origin."""
    away = np.asarray(lamp.place) - places
    square = (away * away).sum(-1)
    at_origin = lamp.place[2] / np.linalg.norm(lamp.place) ** 3
    light: Array = np.maximum(away[..., 2], 0) / square**1.5 / at_origin
    return light


def shading_of(lighting: Lighting) -> Shading:
    """The lamps' directions and shares at the origin."""
    colours = np.array([lamp.colour for lamp in lighting.lamps]).reshape(-1, 3)
    total = colours.sum(0) + np.asarray(lighting.around)
    return Shading(np.array([lamp.place for lamp in lighting.lamps]).reshape(-1, 3), colours / total)


def field(lighting: Lighting, lens: Lens) -> Light:
    """Light on level faces in every pixel (height, width, 3). What stands before a lamp keeps its light off the faces
    of things, whatever their height, where it keeps it off the board; shadows of things stay as dark there.
    """
    size = (-(-lens.width // COARSE), -(-lens.height // COARSE))
    grid = np.stack(np.meshgrid(*((np.arange(n) + 0.5) * COARSE - 0.5 for n in size)), -1)
    places = np.concatenate([lens.unproject(grid), np.zeros((*grid.shape[:2], 1))], -1)
    passed = np.ones(places.shape[:2])
    if lighting.person:
        angle, distance, strength = lighting.person
        towards = np.array([np.sin(np.radians(angle)), np.cos(np.radians(angle))])
        passed -= strength * (1 + np.tanh((places[..., :2] @ towards - distance) / 90.0)) / 2
    light = _fine(passed[..., None] * lighting.around, lens)
    for lamp in lighting.lamps:
        part = _fine((passed * falloff(lamp, places))[..., None] * lamp.colour, lens)
        light += part if lamp.screen is None else part * threefold(_let_through(lamp.screen, places, lens))
    return light


def _fine(coarse: Array, lens: Lens) -> Light:
    """Values (h, w, 3) of every `COARSE`th pixel in every pixel."""
    size = (coarse.shape[1] * COARSE, coarse.shape[0] * COARSE)
    full = cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return full[: lens.height, : lens.width]


def _let_through(screen: Screen, places: Array, lens: Lens) -> Light:
    """The part (height, width, 1) of a lamp's light that what stands before it lets through; the board's `places` are
    those that every `COARSE`th pixel sees.
    """
    outline = np.round((np.array(screen.outline) + REACH) * 8).astype(np.int32)
    mask = np.zeros((2 * REACH, 2 * REACH), np.uint8)
    cv2.fillPoly(mask, [outline], 255, cv2.LINE_AA, 3)
    inside = mask_blurred(mask, 0.5 * screen.soft)
    x, y, _ = cv2.split(_fine(places + REACH, lens))
    inside = cv2.remap(inside, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[..., None]
    return inside if screen.window else 1 - inside


def shadows(lighting: Lighting, lens: Lens, roi: Roi, casters: Sequence[Placed], plane: float) -> Light:
    """The part (h, w, 3) of the light that reaches the plane at height `plane` past the casters that rise above it."""
    shape = (max(1, roi.height // 2), max(1, roi.width // 2))
    lit = np.ones((*shape, 3), np.float32)
    standing = [caster for caster in casters if caster.top > plane + 0.1]
    if standing:
        scale = lens.scale(plane) / 2
        shares = shading_of(lighting).shares
        for lamp, share in zip(lighting.lamps, shares, strict=True):
            hidden = _shadow(lamp, lens, roi, shape, standing, plane, scale)
            lit *= cv2.transform(hidden, np.stack([-share, np.ones(3)], axis=1))  # 1 - hidden * share
        lit *= threefold(1 - _contact(lens, roi, shape, standing, plane, scale))
    return cv2.resize(lit, (roi.width, roi.height), interpolation=cv2.INTER_LINEAR)


def _shadow(
    lamp: Lamp, lens: Lens, roi: Roi, shape: tuple[int, int], casters: Sequence[Placed], plane: float, scale: float
) -> Light:
    """How much of one lamp is hidden, 0 to 1; tall things throw softer shadows."""
    place, total = np.asarray(lamp.place), np.zeros(shape, np.float32)
    for low, high in ((0, 7), (7, 18), (18, 45), (45, 1e9)):
        group = [caster for caster in casters if low <= caster.top - plane < high]
        if not group:
            continue
        outlines = []
        for caster in group:
            foot, level = caster.footprint, (max(caster.bottom, plane), caster.top)
            outlines.append(np.concatenate([thrown(place, foot, z, plane) for z in level]))
        mask = _filled(lens, roi, shape, outlines, plane)
        rise = float(np.mean([caster.top - plane for caster in group]))
        sigma = 0.5 * lamp.radius * rise / (lamp.place[2] - rise) * scale + 0.3
        total = np.maximum(total, mask_blurred(mask, sigma))
    return total


def thrown(lamp: Array, foot: Array, z: float, plane: float) -> Array:
    """Where a lamp throws points (n, 2) at height z on a plane."""
    t = (lamp[2] - plane) / (lamp[2] - z)
    places: Array = lamp[:2] + (foot - lamp[:2]) * t
    return places


def _contact(
    lens: Lens, roi: Roi, shape: tuple[int, int], casters: Sequence[Placed], plane: float, scale: float
) -> Light:
    """The dim seam around things, and the dark between tall ones, where light from all around is kept off."""
    feet = [caster.footprint for caster in casters if caster.bottom < plane + 5]
    rise = float(np.mean([min(caster.top - plane, 20.0) for caster in casters]))
    depth = 0.3 + 0.4 * min(max(rise - 8.0, 0.0) / 12.0, 1.0)
    return depth * mask_blurred(_filled(lens, roi, shape, feet, plane), 0.6 * rise * scale + 0.3)


def _filled(lens: Lens, roi: Roi, shape: tuple[int, int], outlines: Sequence[Array], plane: float) -> NDArray[np.uint8]:
    mask = np.zeros(shape, np.uint8)
    if not outlines:
        return mask
    points = np.concatenate(outlines)
    pixels = lens.project(np.concatenate([points, np.full((len(points), 1), plane)], 1))
    places = np.round(np.clip((pixels - (roi.x, roi.y)) / 2 - 0.25, -9000, 9000) * 8).astype(np.int32)
    for part in np.split(places, np.cumsum([len(o) for o in outlines])[:-1]):
        cv2.fillConvexPoly(mask, cv2.convexHull(part), 255, cv2.LINE_AA, 3)
    return mask


def mask_blurred(mask: NDArray[np.uint8], sigma: float) -> Light:
    """Gaussian blur, at a coarser scale where it is wide."""
    factor = max(1, int(sigma / 3))
    if factor > 1:
        small = cv2.resize(
            mask, (max(1, mask.shape[1] // factor), max(1, mask.shape[0] // factor)), interpolation=cv2.INTER_AREA
        )
        soft = cv2.GaussianBlur(small, (0, 0), sigma / factor)
        soft = cv2.resize(soft, mask.shape[::-1], interpolation=cv2.INTER_LINEAR)
    else:
        soft = cv2.GaussianBlur(mask, (0, 0), sigma)
    return soft.astype(np.float32) / 255


def glare(lighting: Lighting, lens: Lens, plane: float) -> Light:
    """What lamps shine off a level and perfectly glossy face in every pixel (height, width, 3)."""
    size = (-(-lens.width // COARSE), -(-lens.height // COARSE))
    grid = np.stack(np.meshgrid(*((np.arange(n) + 0.5) * COARSE - 0.5 for n in size)), -1)
    places = lens.unproject(grid, plane)
    shine = np.zeros((*places.shape[:2], 3))
    eye = lens.eye
    for lamp in lighting.lamps:
        t = (eye[2] - plane) / (eye[2] + lamp.place[2] - 2 * plane)
        spot = eye[:2] + (np.asarray(lamp.place[:2]) - eye[:2]) * t  # where the mirrored lamp is seen
        away = np.linalg.norm(places - spot, axis=-1) - lamp.radius * t
        haze = 0.25 * np.exp(-np.maximum(away, 0) / 120.0)
        core = 1 / (1 + np.exp(np.clip(away / 12.0, -30, 30)))
        shine += (haze + core)[..., None] * lamp.colour
    shine *= lighting.glare
    full = cv2.resize(shine.astype(np.float32), (size[0] * COARSE, size[1] * COARSE), interpolation=cv2.INTER_CUBIC)
    return np.maximum(full[: lens.height, : lens.width], 0)
