"""VIA: road tiles that close in properties, with houses and castles on them."""

from companion.games.via.position import ViaPosition
from companion.games.via.rules import Via

__all__ = ["Via", "ViaPosition"]
