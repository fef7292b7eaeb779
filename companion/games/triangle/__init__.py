"""Triangle: coloured triangles on a triangular board, points by matching edges."""

from companion.games.triangle.rules import Triangle, TrianglePosition

__all__ = ["Triangle", "TrianglePosition"]
