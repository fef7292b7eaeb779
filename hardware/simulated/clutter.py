"""What lies beside a board on living-room tables, made of the same solids as the games."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.games.looks import Area, Colour, Disc, Look, Mark, Point, Prism, Ring, Stroke, regular, rounded
from hardware.simulated.lens import Array, Lens
from hardware.simulated.solids import Placed


def _colour(random: np.random.Generator, low: int = 20, high: int = 240) -> Colour:
    r, g, b = (int(v) for v in random.integers(low, high, 3))
    return r, g, b


def _rectangle(width: float, height: float, radius: float, centre: Point = (0.0, 0.0)) -> tuple[Point, ...]:
    x, y = centre
    w, h = width / 2, height / 2
    corners = ((x - w, y + h), (x + w, y + h), (x + w, y - h), (x - w, y - h))
    return rounded(corners, radius, 4) if radius else corners


def playing_card(random: np.random.Generator) -> Look:
    """A playing card with some figure on it."""
    paper, ink = (
        ((238, 236, 230), _colour(random)) if random.random() < 0.4 else (_colour(random, 60), _colour(random, 5, 90))
    )
    marks: list[Mark] = [Area(_rectangle(57, 82, 3), paper)]
    for _ in range(int(random.integers(1, 6))):
        x, y = random.uniform(-18, 18), random.uniform(-28, 28)
        if random.random() < 0.5:
            marks.append(Disc((x, y), random.uniform(4, 12), ink))
        else:
            marks.append(Area(_rectangle(random.uniform(4, 16), random.uniform(3, 10), 0, (x, y)), ink))
    return (Prism(_rectangle(63, 88, 4), 0.0, 0.5, (236, 234, 228), tuple(marks)),)


def pencil(random: np.random.Generator) -> Look:
    """A pencil with its point."""
    paint, length = _colour(random), random.uniform(100, 170)
    light: Colour = (min(255, paint[0] + 45), min(255, paint[1] + 45), min(255, paint[2] + 45))
    point = ((-length / 2, 3.6), (-length / 2, -3.6), (-length / 2 - 20, -0.6), (-length / 2 - 20, 0.6))
    lead = ((-length / 2 - 15, 1.3), (-length / 2 - 15, -1.3), (-length / 2 - 20, -0.6), (-length / 2 - 20, 0.6))
    return (
        Prism(point[::-1], 1.0, 5.5, (206, 168, 120), (Area(lead[::-1], (50, 48, 52)),)),
        Prism(
            _rectangle(length, 7.2, 0), 0.0, 7.0, paint, (Stroke(((-length / 2, 1.2), (length / 2, 1.2)), 1.6, light),)
        ),
    )


def cup(random: np.random.Generator) -> Look:
    """A cup of coffee or tea."""
    paint, radius, height = _colour(random, 40), random.uniform(36, 46), random.uniform(60, 95)
    drink: Colour = (52, 30, 16) if random.random() < 0.6 else (150, 84, 26)
    handle = _rectangle(26, 12, 5, (radius + 8, 0.0))
    marks = (Disc((0.0, 0.0), 2 * radius - 7, drink), Ring((0.0, 0.0), 2 * radius - 12, 4.0, _darker(drink)))
    return (Prism(handle, 15.0, height - 12, paint), Prism(regular(32, radius), 0.0, height, paint, marks))


def _darker(colour: Colour) -> Colour:
    return colour[0] * 2 // 3, colour[1] * 2 // 3, colour[2] * 2 // 3


def die(random: np.random.Generator) -> Look:
    """A die with its pips."""
    face, pip = (
        ((235, 232, 224), (24, 24, 26)) if random.random() < 0.6 else (_colour(random, 30, 200), (240, 240, 240))
    )
    spots = {1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679"}[int(random.integers(1, 7))]
    marks = [Disc(((int(s) - 1) % 3 * 4.4 - 4.4, (int(s) - 1) // 3 * 4.4 - 4.4), 3.2, pip) for s in spots]
    return (Prism(_rectangle(16, 16, 2), 0.0, 16.0, face, tuple(marks)),)


def coin(random: np.random.Generator) -> Look:
    """A coin."""
    metal: Colour = [(196, 164, 84), (170, 170, 172), (168, 108, 70)][int(random.integers(0, 3))]
    radius = random.uniform(8, 13)
    return (Prism(regular(24, radius), 0.0, 2.0, metal, (Ring((0.0, 0.0), 1.7 * radius, 0.8, _darker(metal)),)),)


def phone(random: np.random.Generator) -> Look:
    """A telephone, face up."""
    marks = (Area(_rectangle(66, 140, 6), (12, 13, 16)), Disc((0.0, 66.0), 3.0, (30, 34, 44)))
    return (Prism(_rectangle(72, 148, 9), 0.0, 8.0, _colour(random, 20, 70), marks),)


def coaster(random: np.random.Generator) -> Look:
    """A round wooden coaster."""
    wood: Colour = (186, 138, 88)
    return (Prism(regular(32, random.uniform(36, 48)), 0.0, 5.0, wood, (Ring((0.0, 0.0), 60.0, 1.2, _darker(wood)),)),)


def eraser(random: np.random.Generator) -> Look:
    """A rubber in its sleeve."""
    sleeve = Area(_rectangle(26, 18, 0, (8.0, 0.0)), _colour(random))
    return (Prism(_rectangle(44, 18, 3), 0.0, 11.0, (232, 230, 226), (sleeve,)),)


def note(random: np.random.Generator) -> Look:
    """A sheet of paper with writing."""
    lines: list[Mark] = []
    for k in range(int(random.integers(3, 9))):
        right = random.uniform(-10, 45)
        lines.append(Stroke(((-45.0, 55.0 - 13 * k), (right, 55.0 - 13 * k)), 1.6, (60, 70, 130)))
    return (Prism(_rectangle(105, 148, 0), 0.0, 0.4, (240, 238, 230), tuple(lines)),)


THINGS: tuple[Callable[[np.random.Generator], Look], ...] = (
    playing_card, playing_card, pencil, cup, die, coin, phone, coaster, eraser, note,
)  # fmt: skip


def strewn(seed: int, count: int, lens: Lens, kept_free: Array, table: float) -> list[Placed]:
    """Up to so many things on the table, none of them in the camera's way to the points `kept_free` (n, 3) mm."""
    random = np.random.default_rng([seed, 7])
    free = cv2.convexHull(lens.project(kept_free).astype(np.float32))
    corners = lens.unproject([[0, 0], [lens.width, 0], [lens.width, lens.height], [0, lens.height]], table)
    low, high = corners.min(0), corners.max(0)
    placed: list[Placed] = []
    taken = [free]
    for _ in range(12 * count):
        look = THINGS[int(random.integers(0, len(THINGS)))](random)
        (x, y), turn = random.uniform(low, high), random.uniform(0, 360)
        group = [Placed(solid, x, y, table, turn) for solid in look]
        shade = _silhouette(group, lens)
        if all(cv2.intersectConvexConvex(shade, other)[0] <= 0 for other in taken):
            placed += group
            taken.append(shade)
            count -= 1
        if not count:
            break
    return placed


def _silhouette(group: list[Placed], lens: Lens) -> Array:
    points = [
        np.c_[thing.footprint, np.full(len(thing.footprint), z)] for thing in group for z in (thing.bottom, thing.top)
    ]
    hull: Array = cv2.convexHull(lens.project(np.concatenate(points)).astype(np.float32))
    return hull
