"""What the commands about records share: the store of the configuration, and records by name or file."""

from __future__ import annotations

from pathlib import Path

import click

from companion.configuration import Configuration
from companion.table.errors import UnknownRecordError
from companion.table.export import read_record
from companion.table.record import Record
from companion.table.store import Store

DEMO = "demo"
"""The part of the data folder for games of simulated players, which are nobody's results."""


def open_store(configuration: Configuration, part: str = "") -> Store:
    """The store that the configuration names, or a `part` of its folder; what it has to say goes to standard error.

    Raises:
        StoreError: it cannot be opened.
    """
    store = Store(configuration.data_folder / part, picture_limit=configuration.data.snapshot_megabytes * 1_000_000)
    for notice in store.notices:
        click.echo(f"companion: {notice}", err=True)
    return store


def find_record(name: str, configuration: Configuration) -> Record:
    """The record in the file of that name, or else in the store, or else among the demo's.

    Raises:
        RecordTextError: the file is no record.
        StoreError: there is no such record, or it cannot be read.
    """
    if Path(name).is_file():
        return read_record(Path(name))
    with open_store(configuration) as store:
        try:
            return store.record(name)
        except UnknownRecordError:
            if not (configuration.data_folder / DEMO).is_dir():
                raise
    with open_store(configuration, DEMO) as demos:
        return demos.record(name)
