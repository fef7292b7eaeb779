"""`companion screens`: every screen as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from companion import failures
from companion.table.errors import FolderError
from companion.ui.gallery import render


def run(folder: Path, sizes: Sequence[tuple[int, int]], languages: Sequence[str], themes: Sequence[str]) -> int:
    """Draws every screen into `folder`, and tells what the checks find wrong with them; the exit status."""
    try:
        drawn = render(folder, sizes, languages, themes)
    except OSError as error:
        raise FolderError(f"{folder}: {error.strerror or error}; name a folder that can be written to") from error
    for file, faults in drawn:
        click.echo(file)
        for fault in faults:
            click.echo(f"companion: {file.name}: {fault}", err=True)
    return failures.FAILED if any(faults for _, faults in drawn) else failures.SUCCESS
