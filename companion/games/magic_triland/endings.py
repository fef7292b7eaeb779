"""How a game of Magic Triland ends, and what it counts then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.magic_triland import items as things
from companion.games.magic_triland.items import KINDS, RINGS

if TYPE_CHECKING:
    from companion.games.magic_triland.position import TrilandPosition

BONUS = 2
"""Points for whoever ends the game."""


def won_by(position: TrilandPosition, messenger: int) -> str | None:
    """The clause by which this messenger, just come home, wins the game (TLD-END-1 to -3)."""
    home, variant = messenger // 2, position.variant
    if not variant.master:
        brought = position.game.opposite[home] in things.pearls(position.items[messenger])
        return ("TLD-END-3" if variant.duel else "TLD-END-1") if brought else None
    at_home = (k for k in (2 * home, 2 * home + 1) if position.back >> k & 1)
    colours = {kind for k in at_home for kind in things.pearls(position.items[k])}
    if len(colours) < len(KINDS) - RINGS:
        return None
    return "TLD-END-3" if variant.duel else "TLD-END-2"


def points(position: TrilandPosition, player: int) -> int:
    """What the pearls count that the player has brought home (TLD-CUP-1): 1, from the broadside opposite 2."""
    total = 0
    for messenger, items in enumerate(position.items):
        if position.back >> messenger & 1 and position.owner(messenger) == player:
            counts = things.counts(items)
            total += sum(counts[RINGS:]) + counts[position.game.opposite[messenger // 2]]
    return total


def scores(position: TrilandPosition) -> tuple[int, ...]:
    """The points of the tournament."""
    bonus = [BONUS if player == position.winner else 0 for player in range(position.players)]
    return tuple(points(position, player) + more for player, more in enumerate(bonus))
