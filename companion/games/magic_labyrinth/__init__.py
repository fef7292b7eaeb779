"""The Magic Labyrinth: figures go through walls whose colours must be remembered, in search of symbols."""

from companion.games.magic_labyrinth.position import MagicLabyrinthPosition
from companion.games.magic_labyrinth.rules import MagicLabyrinth

__all__ = ["MagicLabyrinth", "MagicLabyrinthPosition"]
