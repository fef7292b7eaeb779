"""A short game that follows from its record alone, so that it can be broken off anywhere and gone on with."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from companion.games.registry import load_game
from companion.table.record import Record
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store
from tests.table.playing import PLAYERS

LENGTH = 14
"""Entries after which the game has been played far enough."""

Tell = Callable[[int], None]


def go_on(store: Store, game: str = "triangle", length: int = LENGTH, tell: Tell = lambda entries: None) -> Session:
    """Plays on with the game that is not over, or begins it; after each change that is stored, `tell` gets the number
    of entries.
    """
    session = Session.latest_unfinished(store) or Session.create(store, load_game(game), PLAYERS[:2])
    while len(session.record.entries) < length and not session.position.over:
        step(session)
        tell(len(session.record.entries))
    return session


def step(session: Session) -> None:
    """One change, chosen by nothing but the number of entries."""
    count = len(session.record.entries)
    chance = random.Random(count)
    if count % 7 == 5 and session.played:
        session.undo("scripted")
    elif count % 7 == 6:
        session.note("question", "What happened here?", picture=jpeg(count))
    elif session.position.dice:
        session.roll()
    else:
        action = chance.choice(sorted(session.position.legal_actions(), key=str))
        session.apply([action], By.CAMERA, 0.9, picture=jpeg(count), time=float(count))


def jpeg(count: int) -> bytes:
    """A picture of some kilobytes."""
    return random.Random(count).randbytes(3000 + 500 * (count % 5))


def said(record: Record) -> list[tuple[object, ...]]:
    """What the entries of a record say, without the clock and the names of pictures."""
    return [(e.number, e.kind, e.action, e.by, e.target, e.who, e.text) for e in record.entries]


def check_pictures(store: Store, record: Record, *, lost: bool = False) -> int:
    """Every picture that an entry names is there whole, or, where some may be `lost`, not at all; how many."""
    named = [(store.pictures.path(entry.picture), entry) for entry in record.entries if entry.picture]
    for path, entry in named:
        assert lost or path is not None, f"the picture of {entry} is lost"
        assert path is None or path.read_bytes() == jpeg(entry.number - 1)
    return sum(path is not None for path, _ in named)


def check_folder(folder: Path) -> None:
    """Nothing half written lies about."""
    assert [path for path in folder.rglob("*") if path.suffix == ".part"] == []
