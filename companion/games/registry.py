"""The games that there are, by name; a game is loaded only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.games.core import Game, GameError

GAMES = {
    "labyria": "Labyria",
    "triangle": "Triangle",
    "via": "Via",
    "magic_triland": "MagicTriland",
    "magic_labyrinth": "MagicLabyrinth",
}
"""Name of the game (and of its package): name of its class."""


class UnknownGameError(GameError):
    """No game has that name."""


def load_game(name: str, set_file: Path | None = None) -> Game[Any, Any]:
    """The game of that name, with its own set file or another; the same object whenever it is asked for again.

    Raises:
        UnknownGameError: no game has that name.
        SetError: the set file cannot be used.
    """
    return _load(name, set_file)


@cache  # on a function without defaults: `f("x")` and `f("x", None)` would be kept apart
def _load(name: str, set_file: Path | None) -> Game[Any, Any]:
    if name not in GAMES:
        raise UnknownGameError(f"there is no game {name!r}; the games are: {', '.join(GAMES)}")
    package = import_module(f"companion.games.{name}")
    game: Game[Any, Any] = getattr(package, GAMES[name])(set_file)
    return game


def game_of_markers(ids: Iterable[int]) -> Game[Any, Any] | None:
    """The game whose corner cards these are (most of them), or None."""
    found = set(ids)
    games = [load_game(name) for name in GAMES]
    best = max(games, key=lambda game: len(found & set(game.marker.ids)))
    return best if found & set(best.marker.ids) else None
