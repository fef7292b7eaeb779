"""Labyria: twelve figures in a labyrinth whose walls move, each to the corner across."""

from companion.games.labyria.position import LabyriaPosition
from companion.games.labyria.rules import Labyria

__all__ = ["Labyria", "LabyriaPosition"]
