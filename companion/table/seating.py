"""Who sits where: players from names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.core import Game
from companion.table.state import Player

SYMBOLS = ("circle", "square", "triangle", "diamond")
"""What marks the players beside their colours, by seat."""


def seated(game: Game[Any, Any], names: Sequence[str] | None) -> tuple[Player, ...]:
    """The players by their names, in the order of play, seat after seat; without names the fewest that can play."""
    count = min(game.player_counts)
    called = names if names is not None else [f"Player {number}" for number in range(1, count + 1)]
    colours = game.seat_colours
    return tuple(
        Player(name, seat, colours[seat % len(colours)], SYMBOLS[seat % len(SYMBOLS)])
        for seat, name in zip(game.seats(len(called)), called, strict=True)
    )
