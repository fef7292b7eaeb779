"""`companion games`: the games that can be played, and those on record."""

from __future__ import annotations

import json
import time
from typing import Any

import click

from companion import failures
from companion.commands.records import open_store
from companion.configuration import Configuration
from companion.games.registry import GAMES, load_game
from companion.table.store import Summary


def run(as_json: bool, configuration: Configuration) -> int:
    """Prints both lists; the exit status."""
    with open_store(configuration) as store:
        records = store.records()
    if as_json:
        games = [_game_as_dict(name) for name in GAMES]
        click.echo(json.dumps({"games": games, "records": [_as_dict(record) for record in records]}, indent=2))
        return failures.SUCCESS
    for name in GAMES:
        counts = load_game(name).player_counts
        click.echo(f"{name:<18} {min(counts)} to {max(counts)} players")
        for option in load_game(name).options:
            default, *others = (str(value).lower() for value in option.values)
            click.echo(f"  --option {f'{option.name}={default}':<20} or {', '.join(others)} ({option.clause})")
    click.echo("\nOn record:" if records else "\nNothing is on record yet.")
    for record in records:
        click.echo(_line(record))
    return failures.SUCCESS


def _game_as_dict(name: str) -> dict[str, Any]:
    game = load_game(name)
    options = [{"name": one.name, "values": list(one.values), "clause": one.clause} for one in game.options]
    return {"game": name, "players": list(game.player_counts), "options": options}


def _line(record: Summary) -> str:
    return f"{record.name:<18} {record.game:<16} {_outcome(record)}"


def _outcome(record: Summary) -> str:
    ending = record.ending
    if ending is None or ending.given_up:
        standing = "goes on" if ending is None else "given up"
        return f"{', '.join(_names(record))}: {standing} after {record.actions} actions"
    return ", ".join(
        f"{name} {score}{' (won)' if player in ending.winners else ''}"
        for player, (name, score) in enumerate(zip(_names(record), ending.scores, strict=True))
    )


def _names(record: Summary) -> list[str]:
    return [player.name for player in record.players]


def _as_dict(record: Summary) -> dict[str, Any]:
    ending = record.ending
    return {
        "record": record.name,
        "game": record.game,
        "players": _names(record),
        "started": time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(record.started)),
        "over": ending is not None and not ending.given_up,
        "given_up": ending is not None and ending.given_up,
        "scores": list(ending.scores) if ending else [],
        "winners": list(ending.winners) if ending else [],
        "actions": record.actions,
    }
