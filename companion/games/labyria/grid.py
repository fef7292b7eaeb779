"""The fields of Labyria with the edges and crossings between them, by number and by name.

Sets of fields, edges and corners are bit masks by number. Field `row * columns + column`. An edge has the number of its
lower field where it stands to the right of it (east), and that plus the number of fields where it lies above it
(north); so a mask of walls is, cut in two, also the masks of the fields that have a wall in the east and in the north.
Corner `crossing * 4 + k` has the arms `ARMS[k]`. Points are the ends of edges, those on the board's rim included.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from companion.games.bits import bits

ARMS = ("NE", "SE", "SW", "NW")
"""The directions of a corner: its arms are number k and k + 1 of north, east, south, west."""


def cell_names(columns: int, rows: int) -> tuple[str, ...]:
    """The names of the fields by number: a1 lower left, columns are letters."""
    return tuple(f"{chr(97 + column)}{row + 1}" for row in range(rows) for column in range(columns))


class Touch(NamedTuple):
    """What an obstacle means for the next one: what touches it, and the corners that it makes impossible."""

    edges: int
    corners: int
    spoilt: int


class Grid:
    """The fields, edges and crossings of a board."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows, self.count = columns, rows, columns * rows
        self.cells = cell_names(columns, rows)
        self.cell = {name: k for k, name in enumerate(self.cells)}
        self.every_cell = (1 << self.count) - 1
        self.east = sum(1 << k for k in range(self.count) if k % columns < columns - 1)
        self.north = (1 << (self.count - columns)) - 1
        self.every_edge = self.east | self.north << self.count
        self._name_edges_and_crossings()

    def _name_edges_and_crossings(self) -> None:
        # Edges beyond the rim have numbers too, so that masks can be cut; nothing is ever there, and they have no name.
        self.edges = tuple(self._edge_name(k) for k in range(2 * self.count))
        self.edge = {self.edges[k]: k for k in bits(self.every_edge)}
        self.lower_left = tuple(bits(self.east & self.north))
        self.crossings = tuple(self.cells[k] for k in self.lower_left)
        self.crossing = {name: k for k, name in enumerate(self.crossings)}
        self.middle = self.lower_left.index((self.rows // 2 - 1) * self.columns + self.columns // 2 - 1)
        self.arms = tuple(self._arms_at(cell) for cell in self.lower_left)
        self.corner_edges = tuple(1 << arms[k] | 1 << arms[(k + 1) % 4] for arms in self.arms for k in range(4))

    def _edge_name(self, edge: int) -> str:
        if not self.every_edge >> edge & 1:
            return ""
        cell = edge % self.count
        return f"{self.cells[cell]}-{self.cells[cell + (1 if edge < self.count else self.columns)]}"

    def _arms_at(self, cell: int) -> tuple[int, int, int, int]:
        """The edges that go north, east, south and west from the crossing at the upper right of the field."""
        return cell + self.columns, self.count + cell + 1, cell, self.count + cell

    def ends(self, edge: int) -> tuple[int, int]:
        """The two points at which an edge ends."""
        row, column = divmod(edge % self.count, self.columns)
        upper_right = (row + 1) * (self.columns + 1) + column + 1
        return (upper_right, upper_right - (self.columns + 1 if edge < self.count else 1))

    def touches(self) -> tuple[tuple[Touch, ...], tuple[Touch, ...]]:
        """For each edge and for each corner, what it means to stand there.

        A corner ends on the points of its edges; its crossing is one of them.
        """
        edge_points = [self._points(1 << k) for k in range(2 * self.count)]
        corner_points = [self._points(mask) for mask in self.corner_edges]

        @cache
        def at(point: int) -> tuple[int, int]:
            edges = sum(1 << k for k, points in enumerate(edge_points) if point in points)
            return edges, sum(1 << k for k, points in enumerate(corner_points) if point in points)

        def touch(points: Iterable[int], spoilt: int) -> Touch:
            edges, corners = reduce(lambda a, b: (a[0] | b[0], a[1] | b[1]), map(at, points), (0, 0))
            return Touch(edges, corners, spoilt)

        using = [
            sum(1 << k for k, mask in enumerate(self.corner_edges) if mask >> e & 1) for e in range(2 * self.count)
        ]
        on_edges = tuple(touch(points, using[edge]) for edge, points in enumerate(edge_points))
        on_crossings = tuple(
            touch(points, reduce(or_, (using[e] for e in bits(self.corner_edges[k])), 15 << k // 4 * 4))
            for k, points in enumerate(corner_points)
        )
        return on_edges, on_crossings

    def _points(self, edges: int) -> frozenset[int]:
        return frozenset(point for edge in bits(edges & self.every_edge) for point in self.ends(edge))
