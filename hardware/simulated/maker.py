"""How another maker would have made a set: other roofs, heads, profiles, towers, grain and emblems.

A set file gives sizes; between them there is room. What a maker decides holds for all pieces of a set, but for the
grain, which each piece of wood has of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

import cv2
import numpy as np

from companion.games.looks import Area, Ball, Colour, Disc, Look, Mark, Point, Prism, Ring, Stroke, regular
from hardware.simulated.lens import Array
from hardware.simulated.scene import ROUND
from hardware.simulated.solids import Frustum, Placed, Shape, Tint

EMBLEM = (8.0, 45.0)
"""Dark marks that together are so large (mm) are a printed emblem."""
TOUCH = 1.5
"""Marks no farther apart (mm) belong to the same emblem."""
INK = 70
"""The brightest ink of an emblem, on the average of its channels."""


@dataclass(frozen=True)
class Maker:
    """`steps`: layers stay layers (a roof of boards) where others turn or plane a slope. `profile`: factors on the
    widths of turned layers, from the second one. `head`: a factor on a figure's head. `square`: towers are square.
    `merlons`: walls have teeth between the towers. `grain`: how much lines in wood differ from it. `emblem`: mirrored,
    turned by degrees, sized by a factor; `outlined`: only its outlines are drawn, so many mm wide.
    """

    steps: bool = False
    roof: Literal["gable", "hip", "flat"] = "gable"
    roof_tone: float = 1.0
    profile: tuple[float, ...] = ()
    head: float = 1.0
    square: bool = False
    merlons: bool = False
    beads: bool = False
    grain: float = 0.0
    mirrored: bool = False
    turned: float = 0.0
    sized: float = 1.0
    outlined: float = 0.0

    @classmethod
    def random(cls, seed: int, difficulty: float) -> Maker:
        """A maker; at difficulty 0 hardly different from the nominal one."""
        random = np.random.default_rng([seed, 13])

        def happens(chance: float) -> bool:
            return bool(random.random() < chance * min(1.0, 2 * difficulty))

        roofs: tuple[Literal["gable", "hip", "flat"], ...] = ("hip", "flat")
        return cls(
            steps=happens(0.15),
            roof=roofs[int(random.integers(0, 2))] if happens(0.5) else "gable",
            roof_tone=1 - 0.25 * difficulty * random.random(),
            profile=tuple(1 + difficulty * random.uniform(-0.2, 0.12, 6)),
            head=1 + difficulty * random.uniform(-0.22, 0.12),
            square=happens(0.4),
            merlons=happens(0.5),
            beads=happens(0.7),
            grain=random.uniform(0.02, 0.05 + 0.12 * difficulty),
            mirrored=happens(0.3),
            turned=random.uniform(-12, 12) * difficulty,
            sized=1 + difficulty * random.uniform(-0.22, 0.12),
            outlined=float(random.uniform(0.5, 1.1)) if happens(0.3) else 0.0,
        )

    def piece(self, look: Look, seed: int) -> tuple[Shape, ...]:
        """A piece as this maker makes it; `seed` is its own."""
        solids = _threaded(_with_head(look, self.head))
        shapes: list[Shape] = []
        for group in _groups(solids):
            shapes += self._layers(group) if len(group) > 2 else (self._single(solid, look) for solid in group)
        if self.merlons:
            shapes += _merlons(look)
        random = np.random.default_rng([seed, 14])
        return tuple(self.printed(shape, random) for shape in _cut(shapes))

    def printed(self, shape: Shape, random: np.random.Generator) -> Shape:
        """The shape with this maker's grain and emblems on its top."""
        if not isinstance(shape, Prism):
            return shape
        lines = _grain(shape, random, self.grain) if self.grain and wooden(shape.colour) else ()
        return shape._replace(marks=(*lines, *self._emblems(shape.marks)))  # type: ignore[arg-type]  # lines are no marks

    def board(self, look: Look) -> tuple[Shape, ...]:
        """A board as this maker prints it."""
        return tuple(s._replace(marks=tuple(self._emblems(s.marks))) if isinstance(s, Prism) else s for s in look)

    def _single(self, solid: Shape, look: Look) -> Shape:
        if not isinstance(solid, Prism) or len(solid.footprint) < ROUND or solid.marks[1:]:
            return solid
        x, y = np.mean(solid.footprint, axis=0)
        radius = float(np.hypot(*(np.array(solid.footprint[0]) - (x, y))))
        tower = isinstance(look[0], Prism) and len(look[0].footprint) == 4
        if self.square and tower:
            return solid._replace(footprint=regular(4, 1.2 * radius, 45.0, (float(x), float(y))))
        bead = self.beads and solid.z0 > 0 and solid.z1 - solid.z0 < radius
        return _scaled(solid, 0.96, 0.72) if bead else solid

    def _layers(self, group: Sequence[Prism]) -> Iterator[Shape]:
        """Layers upon one another: a turned body, or walls with a roof."""
        if len(group[0].footprint) >= ROUND:
            yield from self._turned(group)
            return
        walls, *roof = group
        yield walls
        eaves, height = walls.footprint, roof[-1].z1
        colour = _toned(roof[0].colour, self.roof_tone)
        if self.roof == "flat":
            yield Prism(eaves, roof[0].z0, height, colour)
        elif self.steps:
            yield from (layer._replace(colour=colour) for layer in roof)
        else:
            ridge = 0.0 if self.roof == "hip" else 1.0
            head = tuple((x * (0.3 + 0.7 * ridge), y * 0.02) for x, y in eaves)
            yield Frustum(eaves, head, roof[0].z0, height, colour)

    def _turned(self, group: Sequence[Prism]) -> Iterator[Shape]:
        factors = (1.0, *self.profile, *(1.0 for _ in group))
        outlines: list[Array] = []
        for layer, factor in zip(group, factors, strict=False):
            middle = np.mean(layer.footprint, axis=0)
            outline = (np.array(layer.footprint) - middle) * factor + middle
            outlines.append(outline)
        if self.steps:
            yield from (p._replace(footprint=_points(o)) for p, o in zip(group, outlines, strict=True))
            return
        edges = [outlines[0], *((a + b) / 2 for a, b in pairwise(outlines)), outlines[-1]]
        for layer, low, high in zip(group, edges, edges[1:], strict=False):
            yield Frustum(_points(low), _points(high), layer.z0, layer.z1, layer.colour)

    def _emblems(self, marks: Sequence[Mark]) -> Iterator[Mark]:
        """The marks, emblems among them drawn otherwise."""
        for dark, run in groupby(_runs(marks), key=_is_emblem):
            for group in run:
                yield from self._redrawn(group) if dark else group

    def _redrawn(self, group: Sequence[Mark]) -> Iterator[Mark]:
        points = np.concatenate([_outline(mark) for mark in group])
        middle = (points.min(0) + points.max(0)) / 2
        c, s = np.cos(np.radians(self.turned)), np.sin(np.radians(self.turned))
        change = self.sized * np.array([[c, -s], [s, c]]) @ np.diag([-1.0 if self.mirrored else 1.0, 1.0])
        ink = group[0].colour

        def at(where: Sequence[Point]) -> tuple[Point, ...]:
            return _points((np.array(where) - middle) @ change.T + middle)

        for mark in group:
            match mark:
                case Area(corners, colour) if self.outlined and colour == ink:
                    yield Stroke((*at(corners), at(corners)[0]), self.outlined, colour)
                case Area(corners, colour):
                    yield Area(at(corners), colour)
                case Stroke(line, width, colour):
                    yield Stroke(at(line), width * self.sized, colour)
                case Disc(centre, diameter, colour) if self.outlined and colour == ink:
                    yield Ring(at([centre])[0], diameter * self.sized, self.outlined, colour)
                case Disc(centre, diameter, colour):
                    yield Disc(at([centre])[0], diameter * self.sized, colour)
                case Ring(centre, diameter, width, colour):
                    yield Ring(at([centre])[0], diameter * self.sized, width, colour)
                case _:
                    yield mark


def wooden(colour: Colour) -> bool:
    """Whether the colour is that of bare wood."""
    red, green, blue = colour
    return red > green > blue and 0.2 < (red - blue) / red < 0.68 and 0.36 < (green - blue) / max(1, red - blue) < 0.75


def _groups(solids: Sequence[Shape]) -> Iterator[list[Prism]]:
    """Prisms that stand upon one another, each narrower than the one below; everything else by itself."""
    group: list[Prism] = []
    for solid in solids:
        if group and not (isinstance(solid, Prism) and _narrower(group[-1], solid)):
            yield group
            group = []
        group.append(solid)  # type: ignore[arg-type]
    if group:
        yield group


def _narrower(below: Shape, above: Prism) -> bool:
    if not isinstance(below, Prism) or len(below.footprint) != len(above.footprint) or abs(below.z1 - above.z0) > 0.01:
        return False
    low, high = np.array(below.footprint), np.array(above.footprint)
    sizes = np.ptp(low, axis=0), np.ptp(high, axis=0)
    level = float(np.abs(low.mean(0) - high.mean(0)).max()) < 0.1
    return level and bool((sizes[1] <= sizes[0] + 0.01).all() and (sizes[1] < 0.97 * sizes[0]).any())


def _threaded(solids: Sequence[Shape]) -> list[Shape]:
    """The solids, of a stick that goes through others only what is seen: from the highest of them upwards."""
    result = list(solids)
    for k, stick in enumerate(solids):
        if isinstance(stick, Prism) and k and stick.z1 > 4 * float(np.ptp(np.array(stick.footprint), axis=0).max()):
            tops = [Placed(solid, 0, 0, 0, 0).top for solid in solids if solid is not stick]
            result[k] = stick._replace(z0=max([stick.z0, *(top for top in tops if top < stick.z1)]))
    return result


def _cut(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """Upright solids that stand partly in lower ones (towers in a keep), cut level with these: so they can be drawn."""
    outlines = [Placed(shape, 0, 0, 0, 0).footprint.astype(np.float32) for shape in shapes]
    for k, shape in enumerate(shapes):
        if not isinstance(shape, Prism):
            yield shape
            continue
        lower = (
            other.z1
            for other, outline in zip(shapes, outlines, strict=True)
            if isinstance(other, Prism) and shape.z0 < other.z1 < shape.z1 and other.z0 < shape.z1
            if cv2.intersectConvexConvex(outlines[k], outline)[0] > 1.0
        )
        levels = [shape.z0, *sorted(set(lower)), shape.z1]
        for low, high in pairwise(levels):
            yield shape._replace(z0=low, z1=high, marks=shape.marks if high == shape.z1 else ())


def _with_head(look: Look, factor: float) -> list[Shape]:
    """The look with the ball on top of a turned body larger or smaller; its top stays where it is."""
    solids: list[Shape] = list(look)
    for k, (below, solid) in enumerate(pairwise(look), start=1):
        if isinstance(solid, Ball) and isinstance(below, Prism) and len(below.footprint) >= ROUND and k > 2:
            size = solid.diameter * factor
            solids[k] = solid._replace(diameter=size, z=solid.z + (solid.diameter - size) / 2)
    return solids


def _scaled(solid: Prism, foot: float, head: float) -> Frustum:
    """A prism whose upper edge is rounded off, roughly."""
    middle = np.mean(solid.footprint, axis=0)
    low, high = ((np.array(solid.footprint) - middle) * part + middle for part in (foot, head))
    return Frustum(_points(low), _points(high), solid.z0, solid.z1, solid.colour)


def _merlons(look: Look) -> Iterator[Prism]:
    """Teeth in the middle of a keep's walls, as high as its towers."""
    keep, *towers = look
    if not isinstance(keep, Prism) or len(keep.footprint) != 4 or len(towers) < 4:
        return
    high = max(tower.z1 for tower in towers if isinstance(tower, Prism))
    middle = np.mean(keep.footprint, axis=0)
    corners = np.array(keep.footprint)
    for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
        centre = (a + b) / 2 + (middle - (a + b) / 2) * 0.18
        side = 0.16 * float(np.linalg.norm(b - a))
        yield Prism(regular(4, side, 45.0, (float(centre[0]), float(centre[1]))), keep.z1, high, keep.colour)


def _grain(prism: Prism, random: np.random.Generator, strength: float) -> tuple[Tint, ...]:
    """Lines across the top of a piece of wood, all one way: along a slim piece, else any."""
    corners = np.array(prism.footprint)
    width, height = np.ptp(corners, axis=0)
    slim = {True: 0.0, False: np.pi / 2}[bool(width > height)] if max(width, height) > 2 * min(width, height) else None
    angle = random.uniform(0, np.pi) if slim is None else slim + random.normal(0, 0.03)
    across = np.array([-np.sin(angle), np.cos(angle)])
    reach = corners @ across
    lines, place = [], reach.min() + random.uniform(0.3, 2.0)
    while place < reach.max() - 0.3:
        ends = _chord(corners, across, place)
        width = random.uniform(0.4, 1.8)
        if len(ends) == 2:
            lines.append(Tint(_points(np.array(ends)), width, float(1 + strength * random.normal())))
        place += width + random.uniform(0.5, 4.0)
    return tuple(lines)


def _chord(corners: Array, across: Array, place: float) -> list[Array]:
    """Where the line of points with that `place` along `across` crosses the outline."""
    ends = []
    for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
        low, high = a @ across - place, b @ across - place
        if (low < 0) != (high < 0):
            ends.append(a + (b - a) * (low / (low - high)))
    return ends


def _runs(marks: Sequence[Mark]) -> Iterator[list[Mark]]:
    """Marks one after the other that touch or cover one another."""
    run: list[Mark] = []
    box: Array = np.zeros((2, 2))
    for mark in marks:
        points = _outline(mark)
        own = np.array([points.min(0), points.max(0)])
        apart = (own[0] > box[1] + TOUCH).any() or (own[1] < box[0] - TOUCH).any()
        if run and (apart or not _small(own)):
            yield run
            run = []
        box = np.array([np.minimum(box[0], own[0]), np.maximum(box[1], own[1])]) if run else own
        run.append(mark)
        if not _small(box):
            yield run
            run = []
    if run:
        yield run


def _small(box: Array) -> bool:
    return bool((np.diff(box, axis=0) < EMBLEM[1]).all())


def _is_emblem(run: Sequence[Mark]) -> bool:
    points = np.concatenate([_outline(mark) for mark in run])
    size = float(np.ptp(points, axis=0).max())
    drawn = all(isinstance(mark, Area | Disc | Ring | Stroke) for mark in run)
    return len(run) > 1 and drawn and sum(run[0].colour) < 3 * INK and EMBLEM[0] < size < EMBLEM[1]


def _outline(mark: Mark) -> Array:
    match mark:
        case Area(corners):
            return np.array(corners)
        case Stroke(line, width):
            points = np.array(line)
            return np.concatenate([points - width / 2, points + width / 2])
        case Disc((x, y), size) | Ring((x, y), size):
            return np.array([(x - size / 2, y - size / 2), (x + size / 2, y + size / 2)])
        case _:
            return np.array([mark.centre])


def _toned(colour: Colour, part: float) -> Colour:
    red, green, blue = (round(channel * part) for channel in colour)
    return red, green, blue


def _points(outline: Array) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in outline)
