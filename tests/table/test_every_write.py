"""A short game with a fault at every single write: the disk full, the program killed. Nothing that was confirmed is
lost, nothing comes twice, and the game goes on. The whole of it, by system calls: `python -m tests.benchmarks.faults`.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.table.errors import DiskFullError, StoreError
from companion.table.pictures import PICTURES
from companion.table.session import Session
from companion.table.store import Store
from tests.table.scripted import LENGTH, check_folder, check_pictures, go_on, said, step

Said = list[tuple[object, ...]]
PAGE = 4096


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Said:
    """The game without faults."""
    with Store(tmp_path_factory.mktemp("truth")) as store:
        return said(go_on(store).record)


def check(folder: Path, truth: Said, confirmed: int) -> int:
    """What was confirmed is there, at most one change more; then the game goes on to its end; how many pictures it has.

    The last may have been stored without being confirmed.
    """
    with Store(folder) as store:
        assert store.notices == ()
        assert store.query("PRAGMA integrity_check")[0][0] == "ok"
        if session := Session.latest_unfinished(store):
            found = said(session.record)
            assert confirmed <= len(found) <= confirmed + 1
            assert found == truth[: len(found)]
        else:
            assert confirmed == 0
        session = go_on(store)
        assert said(session.record) == truth
        return check_pictures(store, session.record)


# -- the disk is full --------------------------------------------------------------------------------------------------


def test_no_room_at_each_new_page_of_the_database(tmp_path: Path, truth: Said) -> None:
    """The database may grow only after the change that needed it was refused."""
    with Store(tmp_path) as store:
        session = go_on(store, length=1)
        (room,) = store.query("PRAGMA page_count")[0]
        refused = 0
        while not session.position.over:
            store.query(f"PRAGMA max_page_count = {room}")
            before = session.record, session.position
            try:
                step(session)
            except DiskFullError:
                refused, room = refused + 1, room + 1
                assert (session.record, session.position) == before
                with Store(tmp_path) as other:
                    assert Session.resume(other, session.name).record == before[0]
        assert refused >= 3
        assert said(session.record)[: len(truth)] == truth
        check_pictures(store, session.record)
    check_folder(tmp_path)


class Faulty:
    """Functions of the operating system, one call of which fails: that with the number `fails` (from 1)."""

    def __init__(self, fails: int) -> None:
        self.left = fails

    def __call__(self, function: Callable[..., object], concerns: Callable[..., bool]) -> Callable[..., object]:
        def call(*arguments: object, **named: object) -> object:
            if concerns(*arguments):
                self.left -= 1
                if self.left == 0:
                    raise OSError(errno.ENOSPC, "No space left on device")
            return function(*arguments, **named)

        return call


def in_pictures(path: Path, *rest: object) -> bool:
    return PICTURES in path.parts


def test_no_room_at_each_step_of_keeping_a_picture(
    tmp_path: Path, truth: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture is never worth an action: it is left out, and no rest of it stays."""
    fails, pictures = 0, [0]
    while True:
        fails += 1
        folder = tmp_path / str(fails)
        with Store(folder) as store:
            faulty = Faulty(fails)
            with monkeypatch.context() as patch:
                for name in ("mkdir", "open", "replace"):
                    patch.setattr(Path, name, faulty(getattr(Path, name), in_pictures))
                patch.setattr(os, "fsync", faulty(os.fsync, lambda descriptor: True))
                session = go_on(store)
            assert said(session.record) == truth
            pictures.append(check_pictures(store, session.record))
        check_folder(folder)
        named = {entry.picture for entry in session.record.entries if entry.picture}
        assert {path.relative_to(folder).as_posix() for path in (folder / PICTURES).rglob("*.jpg")} == named
        shutil.rmtree(folder)
        if faulty.left > 0:
            break
    assert set(pictures[1:-1]) == {pictures[-1] - 1}
    assert fails > 40


# -- killed ------------------------------------------------------------------------------------------------------------


def in_a_child(folder: Path, prepare: Callable[[], None]) -> tuple[int, int]:
    """Plays the game in a process of its own; how that ended, and the number of entries that it confirmed last."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            prepare()
            with Store(folder) as store:
                go_on(store, tell=lambda entries: os.write(writing, bytes([entries])))
        except StoreError:
            os._exit(4)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as words:
        confirmed = words.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), confirmed[-1] if confirmed else 0


def kill_before(step: int) -> None:
    """Kills this process before its call with that number (from 1) that changes files, as Python knows of them."""
    left = step

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        writes = event in ("os.rename", "os.mkdir", "os.remove") or (event == "open" and "w" in str(arguments[1]))
        left -= writes
        if writes and not left:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


def test_killed_at_each_write_of_a_file(tmp_path: Path, truth: Said) -> None:
    ends: list[int] = []
    for number in range(1, 1000):
        folder = tmp_path / str(number)
        end, confirmed = in_a_child(folder, lambda number=number: kill_before(number))
        ends.append(end)
        check(folder, truth, confirmed)
        shutil.rmtree(folder)
        if end == 0:
            break
    assert ends[:-1] == [-signal.SIGKILL] * (len(ends) - 1)
    assert len(ends) > 2 * LENGTH


def limits(folder: Path) -> Iterator[int]:
    """Sizes that no file may exceed, from nothing to more than the log of the database needs, half a page each."""
    with Store(folder) as store:
        go_on(store)
        largest = max(path.stat().st_size for path in folder.iterdir())
    yield from range(0, largest + PAGE, PAGE // 2)


@pytest.mark.parametrize("dies", [True, False])
def test_each_size_at_which_a_file_cannot_grow(tmp_path: Path, truth: Said, dies: bool) -> None:
    """The log of the database breaks off in the middle of a page; the program is killed by it, or told of it."""
    ends: list[int] = []
    for limit in limits(tmp_path / "whole"):
        folder = tmp_path / str(limit)

        def prepare(limit: int = limit) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL if dies else signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

        end, confirmed = in_a_child(folder, prepare)
        ends.append(end)
        check(folder, truth, confirmed)
        shutil.rmtree(folder)
    assert set(ends) == {-signal.SIGXFSZ if dies else 4, 0}
    assert ends[0] != 0
    assert ends[-1] == 0
