"""`companion look`: one picture, read."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion import failures
from companion.vision.look import NoBoardError, look


def run(image: Path, game: str | None, overlay: Path | None) -> int:
    """Prints what lies on each site as one JSON object, also where there is no board; the exit status."""
    try:
        click.echo(json.dumps(look(image, game, overlay)))
    except NoBoardError as error:
        click.echo(json.dumps({"error": "no board", "text": str(error)}))
        return failures.NO_BOARD
    return failures.SUCCESS
