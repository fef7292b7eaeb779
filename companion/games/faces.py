"""Faces of tiles as they really are: pictures of a few colours in the set file, as marks of a look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import cos, radians, sin

from companion.games.looks import Area, Colour, Point
from companion.games.sets import Faces


def face_of(faces: Faces | None, name: str, turn: float, outline: tuple[Point, ...]) -> tuple[Area, ...] | None:
    """The marks of the tile of that name, turned by `turn` degrees clockwise, within its convex `outline` (clockwise);
    None where there is no picture of it. Where the picture shows nothing, there is no mark.
    """
    if faces is None or name not in faces.tiles:
        return None
    return _marks(faces.tiles[name], faces.side, faces.colours, turn, outline)


@lru_cache(maxsize=1024)
def _marks(
    rows: tuple[str, ...], side: float, colours: tuple[Colour, ...], turn: float, outline: tuple[Point, ...]
) -> tuple[Area, ...]:
    cell, half = side / len(rows), side / 2
    a = radians(turn)
    areas = []
    for top, bottom, left, right, colour in _rectangles(rows):
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        points = [(column * cell - half, half - row * cell) for column, row in corners]
        turned = [(x * cos(a) + y * sin(a), y * cos(a) - x * sin(a)) for x, y in points]
        clipped = _clipped(turned, outline)
        if len(clipped) > 2:
            areas.append(Area(tuple(clipped), colours[int(colour, 36)]))
    return tuple(areas)


def _rectangles(rows: Sequence[str]) -> Iterator[tuple[int, int, int, int, str]]:
    """Rectangles of one letter that together make the picture: top, bottom, left, right, letter."""
    open_: dict[tuple[int, int, str], int] = {}
    for number, row in enumerate((*rows, "")):
        runs = dict.fromkeys(_runs(row))  # in order, so that a face is the same at each start
        for left, right, letter in [run for run in open_ if run not in runs]:
            yield open_.pop((left, right, letter)), number, left, right, letter
        for run in runs:
            open_.setdefault(run, number)


def _runs(row: str) -> Iterator[tuple[int, int, str]]:
    """Runs of a letter in a row: where they begin and end, and the letter; dots are nothing."""
    begin = 0
    for k in range(1, len(row) + 1):
        if k == len(row) or row[k] != row[begin]:
            if row[begin] != ".":
                yield begin, k, row[begin]
            begin = k


def _clipped(corners: Sequence[Point], outline: Sequence[Point]) -> list[Point]:
    """A convex area cut off at a convex outline (clockwise), as Sutherland and Hodgman do."""
    found = list(corners)
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in found]
        kept = []
        for k, (x, y) in enumerate(found):
            (px, py), before = found[k - 1], sides[k - 1]
            if (before <= 0) != (sides[k] <= 0):
                t = before / (before - sides[k])
                kept.append((px + t * (x - px), py + t * (y - py)))
            if sides[k] <= 0:
                kept.append((x, y))
        found = kept
    return found
