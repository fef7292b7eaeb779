"""`companion backup` and `companion restore`: everything that is kept, in one file and back."""

from __future__ import annotations

from pathlib import Path

import click

from companion import failures
from companion.configuration import Configuration
from companion.table import backup


def make(target: Path, configuration: Configuration) -> int:
    """Writes a backup; the exit status."""
    made = backup.back_up(configuration.data_folder, target)
    _tell(made)
    click.echo(f"{made.path}: {made.records} records, {made.files} files")
    return failures.SUCCESS


def restore(file: Path, configuration: Configuration) -> int:
    """Puts a backup back; the exit status."""
    restored, aside = backup.restore(file, configuration.data_folder)
    _tell(restored)
    click.echo(f"{configuration.data_folder}: {restored.records} records, {restored.files} files")
    if aside is not None:
        click.echo(f"what was there before is in {aside}")
    return failures.SUCCESS


def _tell(done: backup.Backup) -> None:
    for notice in done.notices:
        click.echo(f"companion: {notice}", err=True)
