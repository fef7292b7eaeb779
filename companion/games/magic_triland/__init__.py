"""Magic Triland: messengers on terraces who trade rings for pearls and bring them home."""

from companion.games.magic_triland.position import TrilandPosition
from companion.games.magic_triland.rules import MagicTriland

__all__ = ["MagicTriland", "TrilandPosition"]
