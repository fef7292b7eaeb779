"""Options of a game, as people write them on a command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.core import Game, SetupError


def parse_options(game: Game[Any, Any], players: int, texts: Sequence[str]) -> dict[str, bool | int | str]:
    """The options that texts like `teams=true` choose.

    Raises:
        SetupError: an option that the game does not have, or a value that it cannot have.
    """
    known = {option.name: option for option in game.options_for(players)}
    chosen: dict[str, bool | int | str] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            raise SetupError(f"{game.name} has no option {name!r}; its options are: {', '.join(known) or 'none'}")
        values = {str(allowed).lower(): allowed for allowed in known[name].values}
        if value.lower() not in values:
            raise SetupError(f"option {name} is {value!r}; it can be: {', '.join(values)}", known[name].clause)
        chosen[name] = values[value.lower()]
    return chosen
