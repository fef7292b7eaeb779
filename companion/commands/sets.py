"""`companion set`: a set file of one's own: copied, changed by hand, checked."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click

from companion import failures
from companion.games.registry import load_game
from companion.games.sets import SetError


def copy(game_name: str, target: Path) -> int:
    """Copies the set file of a game to where it can be changed; the exit status."""
    load_game(game_name)  # refuses what is no game
    if target.exists():
        raise SetError(f"{target}: is there already; it is not overwritten")
    text = resources.files(f"companion.games.{game_name}") / "set.toml"
    try:
        target.write_bytes(text.read_bytes())
    except OSError as error:
        raise SetError(f"{target}: {error.strerror or error}") from error
    click.echo(f"{target}: change it, check it with `companion set check {game_name} {target}`, and name it as")
    click.echo(f'sets.{game_name} = "{target.resolve()}" in the configuration')
    return failures.SUCCESS


def check(game_name: str, file: Path) -> int:
    """Says whether a set file can be used for a game; the exit status."""
    game = load_game(game_name, file)
    click.echo(f"{file}: can be used for {game.name}; it has {len(game.sites)} sites")
    return failures.SUCCESS
