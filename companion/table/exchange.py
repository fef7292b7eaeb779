"""All that is kept, exchanged for what a backup holds: whatever interrupts it, one of the two is there whole.

What is to come lies in a folder of its own. Once that is whole and on the disk it is named `restored-MOMENT`; from then
on the exchange is only renaming, which the next start finishes should this one be interrupted. What was there before
ends in `replaced-MOMENT`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from companion.table import salvage
from companion.table.pictures import PICTURES

FOLDERS: Final = (PICTURES, "calibration", "sets")
"""What is kept beside the database."""

GROWING: Final = "restoring-"
WHOLE: Final = "restored-"
ASIDE: Final = "replaced-"


def growing(folder: Path, moment: str) -> Path:
    """An empty folder for what is to come: the database and `FOLDERS`."""
    fresh = folder / f"{GROWING}{moment}"
    for name in FOLDERS:
        (fresh / name).mkdir(parents=True)
    return fresh


def exchange(path: Path, fresh: Path) -> Path | None:
    """Puts what lies in `fresh` in place of the database at `path` and its folders; where these are now, if there were
    any. Nobody else may have them open.

    Raises:
        OSError: it cannot be done. Where it had been begun the next start finishes it.
    """
    _write_through()
    whole = fresh.with_name(fresh.name.replace(GROWING, WHOLE))
    fresh.replace(whole)
    return _move(path, whole)


def finish(path: Path, patience: float) -> tuple[str, ...]:
    """Finishes an exchange that was interrupted, or clears away what had only been prepared; what people should be told
    about it.

    Raises:
        sqlite3.Error, OSError: it cannot be done now, as where somebody else is about it.
    """
    folder = path.parent
    if not any(path for begun in (GROWING, WHOLE) for path in folder.glob(f"{begun}*")):
        return ()
    with salvage.alone(path, patience):
        return (*_finished(path), *_cleared(folder))


def _finished(path: Path) -> list[str]:
    notices = []
    for whole in sorted(path.parent.glob(f"{WHOLE}*")):
        aside = _move(path, whole)
        before = f"; what was there before is in {aside}" if aside else ""
        notices.append(f"A backup was being restored when the program was interrupted; now it is{before}.")
    return notices


def _cleared(folder: Path) -> list[str]:
    notices = []
    for fresh in sorted(folder.glob(f"{GROWING}*")):
        shutil.rmtree(fresh)
        notices.append("Restoring a backup was interrupted before anything was replaced; restore it again.")
    return notices


def _move(path: Path, whole: Path) -> Path | None:
    """Moves what is there aside, and what is whole into its place; may have been interrupted anywhere before.

    Database and folders are all in `whole` at first, so that whatever is not there any more is in its place already.
    """
    folder, aside = path.parent, whole.with_name(whole.name.replace(WHOLE, ASIDE))
    only_old = (salvage.BACKUP, f"{path.name}-wal", f"{path.name}-shm")
    for name in (*only_old, path.name, *FOLDERS):
        old, new = folder / name, whole / name
        if old.exists() and (name in only_old or new.exists()):
            aside.mkdir(exist_ok=True)
            old.replace(aside / name)
        if new.exists():
            new.replace(old)
    _write_through()
    whole.rmdir()
    return aside if aside.exists() else None


def _write_through() -> None:
    if hasattr(os, "sync"):  # elsewhere a rename is durable by itself
        os.sync()
