"""From the solids on a table to triangles, collected by what they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import mapbox_earcut
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.games.looks import Area, Ball
from hardware.simulated.colours import Light
from hardware.simulated.limbs import NAIL, SLEEVE, limbs_of
from hardware.simulated.maker import wooden
from hardware.simulated.solids import Frustum, Hand, Paint, Placed, Shape, Tint, _ink, contours_of

Array = NDArray[Any]

ROUND, FINE = 12, 40
"""Outlines with so many corners stand for circles, and are drawn with so many."""

SIDES = 28
"""Sides of a limb."""

LAYER = 0.004
"""Millimetres between layers of print."""

GRAIN = 250.0
"""Millimetres of wood that one texture shows."""


class Material(NamedTuple):
    """Linear blue-green-red, whether it is wood, and how much it shines (0 to 1)."""

    colour: tuple[float, ...]
    wood: bool
    gloss: float


class Triangles:
    """Triangles of one material, with places in its texture."""

    def __init__(self) -> None:
        self._points: list[Array] = []
        self._corners: list[Array] = []
        self._texture: list[Array] = []
        self._count = 0

    def add(self, points: Array, corners: Array, texture: Array | None = None) -> None:
        """Adds triangles with corners (n, 3), numbers of points (m, 3), which are at `texture` (m, 2)."""
        self._points.append(points)
        self._corners.append(corners + self._count)
        self._texture.append(np.zeros((len(points), 2)) if texture is None else texture)
        self._count += len(points)

    def write(self, path: Path) -> None:
        """Writes a PLY file."""
        points = np.concatenate([np.concatenate(self._points), np.concatenate(self._texture)], axis=1)
        corners = np.concatenate(self._corners)
        head = ["ply", "format binary_little_endian 1.0", f"element vertex {len(points)}"]
        head += [f"property float {name}" for name in "xyzuv"]
        head += [f"element face {len(corners)}", "property list uchar int vertex_indices", "end_header\n"]
        faces = np.zeros(len(corners), np.dtype([("count", "u1"), ("corners", "<i4", 3)]))
        faces["count"], faces["corners"] = 3, corners
        path.write_bytes("\n".join(head).encode() + points.astype("<f4").tobytes() + faces.tobytes())


class Meshes:
    """Everything on a table. `triangles` by material; `balls`: centre (3,), radius and material of each.

    `bevel`: by how many mm edges of blocks are broken; `deep`, `line` and the like as printed by `hand`.
    """

    def __init__(self, paint: Paint, hand: Hand, bevel: float, seed: int) -> None:
        self.triangles: dict[Material, Triangles] = {}
        self.limbs: dict[Material, Triangles] = {}
        self.balls: list[tuple[Array, float, Material]] = []
        self._paint, self._hand, self._bevel, self._seed = paint, hand, bevel, seed

    def add(self, placed: Placed, gloss: float, tone: float = 1.0, number: int = 0) -> None:
        """Adds a solid, lighter by a factor `tone`; `number` tells its grain from others'."""
        solid = placed.solid
        colour = np.asarray(self._paint(solid.colour)) * np.float32(tone)
        material = Material(_rounded(colour), wooden(solid.colour), round(gloss, 3))
        if isinstance(solid, Ball):
            plain = material._replace(wood=False)
            self.balls.append((placed.points([solid.centre], solid.z)[0], solid.diameter / 2, plain))
            return
        rings = list(self._rings(solid))
        mesh = self.triangles.setdefault(material, Triangles())
        for (low, z0), (high, z1) in pairwise(rings):
            self._band(mesh, placed.points(low, z0), placed.points(high, z1), number)
        top, z = rings[-1]
        numbers = np.arange(1, len(top) - 1)
        fan = np.stack([np.zeros_like(numbers), numbers + 1, numbers], axis=1)
        mesh.add(placed.points(top, z), fan, self._texture(top, number))
        self._print(placed, colour, gloss)

    def add_hand(self, pose: Any, colours: Mapping[int, Light], gloss: float = 0.2) -> None:
        """Adds a hand with its arm; `colours` by part."""
        limbs = limbs_of(pose)
        for (start, end), (thick, thin), part in zip(limbs.ends, limbs.radii, limbs.parts, strict=True):
            if part == NAIL:
                continue
            material = Material(_rounded(colours[int(part) if part == SLEEVE else 0]), False, gloss)
            self.balls += [(start, float(thick), material), (end, float(thin), material)]
            self.limbs.setdefault(material, Triangles()).add(*_tube(start, end, thick, thin))

    def _rings(self, solid: Shape) -> Iterator[tuple[Array, float]]:
        """Outlines (n, 2) of a solid from below to above, with their heights (mm)."""
        assert not isinstance(solid, Ball)
        if isinstance(solid, Frustum):
            foot, head = np.array(solid.footprint), np.array(solid.head)
            both = _is_circle(foot) and _is_circle(head)
            yield (_circle(foot) if both else foot), solid.z0
            yield (_circle(head) if both else head), solid.z1
            return
        foot = np.array(solid.footprint, float)
        foot = _circle(foot) if _is_circle(foot) else foot
        height = solid.z1 - solid.z0
        bevel = min(self._bevel, 0.2 * height, 0.1 * float(np.ptp(foot, axis=0).min()))
        yield foot, solid.z0
        if bevel > 0 and height > 3 and not any(isinstance(mark, Area) for mark in solid.marks):
            middle = foot.mean(axis=0)
            yield foot, solid.z1 - bevel
            foot = middle + (foot - middle) * (1 - bevel / np.hypot(*(foot - middle).T).max())
        yield foot, solid.z1

    def _band(self, mesh: Triangles, low: Array, high: Array, number: int) -> None:
        """The sides between two outlines (n, 3)."""
        count = len(low)
        here, after = np.arange(count), (np.arange(count) + 1) % count
        quads = np.stack([low[here], low[after], high[after], high[here]], axis=1).reshape(-1, 3)
        both = np.array([[0, 2, 1], [0, 3, 2]])
        corners = (4 * here[:, None, None] + both).reshape(-1, 3)
        along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(low[after] - low[here], axis=1))])
        x = np.stack([along[:-1], along[1:], along[1:], along[:-1]], axis=1).ravel()
        mesh.add(quads, corners, self._texture(np.column_stack([x, quads[:, 2]]), number))

    def _texture(self, plane: Array, number: int) -> Array:
        """Where points (n, 2) in mm are in a texture."""
        chance = np.random.default_rng([self._seed, number])
        turn, shift = chance.uniform(0, np.pi) if number else 0.0, chance.uniform(0, 1, 2)
        c, s = np.cos(turn), np.sin(turn)
        return plane @ np.array([[c, -s], [s, c]]) / GRAIN + shift

    def _print(self, placed: Placed, ground: Light, gloss: float) -> None:
        marks = getattr(placed.solid, "marks", ())
        for layer, mark in enumerate(marks, start=1):
            if isinstance(mark, Tint):  # textures show the grain
                continue
            ink = Material(_rounded(_ink(mark, ground, self._paint, self._hand)), False, round(gloss, 3))
            for contours in contours_of(mark, self._hand):
                for group in _nested(contours):
                    points = placed.points(np.concatenate(group), placed.solid.z1 + LAYER * layer)  # type: ignore[union-attr]
                    ends = np.cumsum([len(ring) for ring in group]).astype(np.uint32)
                    corners = mapbox_earcut.triangulate_float64(points[:, :2].copy(), ends).reshape(-1, 3).astype(int)
                    if len(corners):
                        self.triangles.setdefault(ink, Triangles()).add(points, _upwards(points, corners))


def _rounded(colour: ArrayLike) -> tuple[float, ...]:
    return tuple(float(value) for value in np.round(np.clip(np.asarray(colour, float), 0.002, 0.95), 4))


def _is_circle(outline: Array) -> bool:
    away = np.hypot(*(outline - outline.mean(axis=0)).T)
    return len(outline) >= ROUND and float(np.ptp(away)) < 0.02 * float(away.max())


def _circle(outline: Array) -> Array:
    middle = outline.mean(axis=0)
    angle = -2 * np.pi * np.arange(FINE) / FINE
    return middle + np.hypot(*(outline - middle).T).max() * np.column_stack([np.cos(angle), np.sin(angle)])


def _upwards(points: Array, corners: Array) -> Array:
    """The triangles (n, 3), turned so that all face upwards."""
    a, b, c = (points[corners[:, k]] for k in range(3))
    down = np.cross(b - a, c - a)[:, 2] < 0
    return np.where(down[:, None], corners[:, ::-1], corners)


def _tube(start: Array, end: Array, thick: float, thin: float) -> tuple[Array, Array]:
    """Points (2 n, 3) and triangles of a limb without its ends."""
    axis = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    side = np.cross(axis, (0.0, 0.0, 1.0) if abs(axis[2]) < 0.9 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    angle = 2 * np.pi * np.arange(SIDES) / SIDES
    ring = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.cross(side, axis)
    here, after = np.arange(SIDES), (np.arange(SIDES) + 1) % SIDES
    corners = np.concatenate(
        [np.stack([here, after + SIDES, after], axis=1), np.stack([here, here + SIDES, after + SIDES], axis=1)]
    )
    return np.concatenate([start + ring * thick, end + ring * thin]), corners


def _nested(contours: Sequence[Array]) -> Iterator[list[Array]]:
    """Outlines each with its holes, of contours that are painted even-odd."""
    rings = [np.asarray(ring, np.float32).reshape(-1, 1, 2) for ring in contours]

    def inside(inner: int, outer: int) -> bool:
        x, y = rings[inner][0, 0].tolist()
        return inner != outer and cv2.pointPolygonTest(rings[outer], (x, y), False) > 0

    count = range(len(rings))
    depth = [sum(inside(k, other) for other in count) for k in count]
    for k in count:
        if depth[k] % 2 == 0:
            holes = [contours[j] for j in count if depth[j] == depth[k] + 1 and inside(j, k)]
            yield [contours[k], *holes]
