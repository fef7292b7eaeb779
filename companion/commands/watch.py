"""`companion watch`: a film or a camera followed without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from companion import failures
from companion.commands.options import parse_options
from companion.commands.records import open_store
from companion.commands.telling import teller
from companion.commands.watching import watcher_of
from companion.configuration import Configuration
from companion.games.core import Game
from companion.games.registry import GAMES, table_game
from companion.table.conductor import Conductor
from companion.table.looking import follow
from companion.table.seating import seated
from companion.table.session import Session
from companion.vision.locating.board import NoBoardError, find_game
from hardware.camera import Camera, Frame
from hardware.sources import open_camera

PATIENCE = 100
"""How many frames may pass before cards tell the game."""


def run(
    source: str,
    game_name: str | None,
    names: Sequence[str] | None,
    options: Sequence[str],
    as_json: bool,
    configuration: Configuration,
) -> int:
    """Prints each action as it happens, then the result; the exit status."""
    game = _table_game(game_name, configuration) if game_name is not None else None
    if game is not None:
        _check(game, names, options)  # what is impossible is said before anything is opened
    with open_camera(source) as camera, open_store(configuration) as store:
        seen: list[Frame] = []
        if game is None:
            game = _recognised(camera, seen, configuration)
        players, chosen = seated(game, names), _check(game, names, options)
        watcher = watcher_of(game, source, configuration)
        session = Session.create(store, game, players, chosen, set_file=configuration.set_file(game.name))
        tell = teller(as_json, [player.name for player in players])
        conductor = Conductor(session, watcher, tell=tell)
        try:
            for frame in seen:
                conductor.see(frame)
            follow(camera, conductor)
        finally:
            if not session.position.over:
                tell(conductor.result())
    return failures.FAILED if conductor.state().issue is not None else failures.SUCCESS


def _table_game(name: str, configuration: Configuration) -> Game[Any, Any]:
    return table_game(name, configuration.set_file(name))


def _check(game: Game[Any, Any], names: Sequence[str] | None, options: Sequence[str]) -> dict[str, bool | int | str]:
    """The options chosen, if the game can be played so."""
    count = len(seated(game, names))
    chosen = parse_options(game, count, options)
    game.new(count, chosen)
    return chosen


def _recognised(camera: Camera, seen: list[Frame], configuration: Configuration) -> Game[Any, Any]:
    """The game whose cards lie on the table; the frames read meanwhile are kept in `seen`."""
    while len(seen) < PATIENCE and (frame := camera.read()) is not None:
        seen.append(frame)
        with suppress(NoBoardError):
            return _table_game(find_game(frame.image)[0].name, configuration)
    raise NoBoardError(f"no corner card of a known game is in the picture; name the game: {', '.join(GAMES)}")
