"""`companion replay`: a record, action by action."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from companion import failures
from companion.commands.records import find_record
from companion.commands.telling import teller
from companion.configuration import Configuration
from companion.games.core import Position
from companion.table.conductor import told_played, told_result
from companion.table.film import Image, write_film
from companion.table.record import Record
from companion.table.replay import replay, rules_of
from companion.table.state import Played


def run(name: str, film: Path | None, as_json: bool, configuration: Configuration) -> int:
    """Prints each action with its points, then the result, or makes a film of it; the exit status."""
    record = find_record(name, configuration)
    if film is None:
        _print(record, as_json)
    else:
        _film(record, film)
    return failures.SUCCESS


def _print(record: Record, as_json: bool) -> None:
    tell = teller(as_json, [player.name for player in record.players])
    position = rules_of(record).new(len(record.players), record.options)
    for played, after in replay(record):
        tell(told_played(played))
        position = after
    tell(told_result(position, record.name))


def _film(record: Record, path: Path) -> None:
    from companion.ui.filming import Filming

    filming = Filming(rules_of(record), record.players)
    actions = len(record.counting())
    with click.progressbar(length=actions + 1, label=f"Filming {actions} actions", file=sys.stderr) as bar:

        def draw(played: Played | None, position: Position[Any]) -> Image:
            bar.update(1)
            return filming.draw(played, position)

        frames = write_film(record, path, draw)
    click.echo(f"{path}: {frames} frames")
