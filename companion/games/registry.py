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


def load_game(name: str, set_file: Path | None = None, hidden_draws: bool = False) -> Game[Any, Any]:
    """The game of that name, with its own set file or another; the same object whenever it is asked for again.

    `hidden_draws`: what somebody draws may stay unknown, in games in which players hold something.

    Raises:
        UnknownGameError: no game has that name.
        SetError: the set file cannot be used.
    """
    return _load(name, set_file, _changed_at(set_file), hidden_draws and _class_of(name).hands != "none")


def check_set(name: str, set_file: Path) -> None:
    """Makes sure that a set file can be used, without keeping the game.

    Raises:
        As `load_game`.
    """
    make: Any = _class_of(name)
    make(set_file)


def table_game(name: str, set_file: Path | None = None) -> Game[Any, Any]:
    """The game as it is played at a table: where hands are hidden, nobody has to tell what was drawn.

    Raises:
        As `load_game`.
    """
    return load_game(name, set_file, _class_of(name).hands == "hidden")


@cache  # on a function without defaults: `f("x")` and `f("x", None)` would be kept apart
def _load(name: str, set_file: Path | None, changed_at: int | None, hidden_draws: bool) -> Game[Any, Any]:
    make: Any = _class_of(name)
    game: Game[Any, Any] = make(set_file, hidden_draws=True) if hidden_draws else make(set_file)
    return game


def _changed_at(set_file: Path | None) -> int | None:
    """When the file was changed last: what was calibrated anew is another game object."""
    try:
        return set_file.stat().st_mtime_ns if set_file else None
    except OSError:  # what is wrong with it is said when it is read
        return None


def _class_of(name: str) -> type[Game[Any, Any]]:
    if name not in GAMES:
        raise UnknownGameError(f"there is no game {name!r}; the games are: {', '.join(GAMES)}")
    found: type[Game[Any, Any]] = getattr(import_module(f"companion.games.{name}"), GAMES[name])
    return found


def game_of_markers(ids: Iterable[int]) -> Game[Any, Any] | None:
    """The game whose corner cards these are (most of them), or None."""
    found = set(ids)
    games = [load_game(name) for name in GAMES]
    best = max(games, key=lambda game: len(found & set(game.marker.ids)))
    return best if found & set(best.marker.ids) else None
