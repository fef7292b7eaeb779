"""Triangle: coloured triangles on a triangular board, points by matching edges."""

from companion.games.triangle.position import TrianglePosition
from companion.games.triangle.rules import Triangle

__all__ = ["Triangle", "TrianglePosition"]
