"""`companion export`: records as files."""

from __future__ import annotations

from pathlib import Path

import click

from companion import failures
from companion.commands.records import open_store
from companion.configuration import Configuration
from companion.table.errors import FolderError, StoreError
from companion.table.export import export_json, export_text
from companion.table.record import Record


def run(name: str | None, folder: Path, as_json: bool, configuration: Configuration) -> int:
    """Writes one record or all into `folder`, and prints the names of the files; the exit status.

    A damaged record does not keep the others from being written.
    """
    status = failures.SUCCESS
    with open_store(configuration) as store:
        names = [name] if name else [summary.name for summary in store.records()]
        for one in names:
            try:
                click.echo(_write(store.record(one), folder, as_json))
            except FolderError:
                raise
            except (StoreError, ValueError) as error:
                status = failures.report(error)
    if not names:
        click.echo("Nothing is on record yet.", err=True)
    return status


def _write(record: Record, folder: Path, as_json: bool) -> Path:
    path = folder / f"{record.name}{'.json' if as_json else '.txt'}"
    content = export_json(record) if as_json else export_text(record)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    except OSError as error:
        raise FolderError(f"{path}: {error.strerror}; name a folder that can be written to, with --to") from error
    return path
