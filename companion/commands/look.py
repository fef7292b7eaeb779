"""`companion look`: one picture, read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion import failures
from companion.configuration import Configuration
from companion.vision.look import NoBoardError, look


def run(image: Path, game: str | None, overlay: Path | None, configuration: Configuration) -> int:
    """Prints what lies on each site as one JSON object, also where there is no board; the exit status."""
    return _told(lambda: look(image, game, overlay, configuration.set_file))


def run_set(
    image: Path,
    set_file: Path,
    corners: str | None,
    empty: Path | None,
    empty_corners: str | None,
    overlay: Path | None,
) -> int:
    """The same for a board without rules, of which there is only a set file."""
    from companion.vision.anyboard.look import look_at_board
    from companion.vision.anyboard.pose import parse_corners

    places = [None if text is None else parse_corners(text) for text in (corners, empty_corners)]
    return _told(lambda: look_at_board(image, set_file, places[0], empty, places[1], overlay))


def _told(read: Callable[[], dict[str, Any]]) -> int:
    try:
        click.echo(json.dumps(read()))
    except NoBoardError as error:
        click.echo(json.dumps({"error": "no board", "text": str(error)}))
        return failures.NO_BOARD
    return failures.SUCCESS
