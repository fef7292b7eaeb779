"""Who sits where: players from names, and seats around the board."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees
from typing import Any

from companion.games.core import Game
from companion.table.state import Player

SYMBOLS = ("circle", "square", "triangle", "diamond")
"""What marks the players beside their colours, by seat."""


def numbered(count: int) -> tuple[str, ...]:
    """The names of so many players that gave none."""
    return tuple(f"Player {number}" for number in range(1, count + 1))


def seated(game: Game[Any, Any], names: Sequence[str] | None) -> tuple[Player, ...]:
    """The players by their names, in the order of play, seat after seat; without names the fewest that can play.

    Raises:
        SetupError: an impossible number of players.
    """
    count = min(game.player_counts)
    called = names if names is not None else numbered(count)
    game.new(len(called))  # says what is impossible before anybody is seated
    colours = game.colours_for(len(called))
    return tuple(
        Player(name, seat, colours[seat % len(colours)], SYMBOLS[seat % len(SYMBOLS)])
        for seat, name in zip(game.seats(len(called)), called, strict=True)
    )


def directions(game: Game[Any, Any], players: int) -> dict[int, float]:
    """Where each seat is, in degrees clockwise from the board's +y: behind what is the seat's own on the table, or
    behind where its pieces start; where there is neither, around the board in the order of the seats.
    """
    seats = game.seats(players)
    own = {seat: _own_places(game, players, seat) for seat in seats}
    if all(own.values()):
        return {seat: _direction(places) for seat, places in own.items()}
    step = 360.0 / max(len(seats), len(game.seat_colours)) * (1 if game.clockwise else -1)
    return {seat: (180.0 + step * seat) % 360 for seat in seats}


def _own_places(game: Game[Any, Any], players: int, seat: int) -> list[tuple[float, float]]:
    """Where the seat's racks lie, or else where its pieces lie before the game."""
    loose = [spec for spec in game.sites if spec.loose and spec.name.partition(":")[2].startswith(f"{seat}.")]
    colour = game.seat_colours[seat]
    labels = game.new(players).view().sites
    start = [spec for spec in game.sites if labels.get(spec.name, "").partition("*")[0] == colour]
    return [spec.centre[:2] for spec in loose or start]


def _direction(places: Sequence[tuple[float, float]]) -> float:
    x, y = (sum(part) / len(places) for part in zip(*places, strict=True))
    return degrees(atan2(x, y)) % 360
