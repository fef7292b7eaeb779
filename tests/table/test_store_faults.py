"""The store on full disks, in folders that cannot be written, on torn, foreign and newer databases."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.table.errors import (
    DamagedError,
    DiskFullError,
    FolderError,
    ForeignDatabaseError,
    NewerSchemaError,
)
from companion.table.film import FilmError, write_film
from companion.table.record import Record
from companion.table.schema import VERSION
from companion.table.session import Session
from companion.table.store import Store
from tests.table.conftest import MEMORY
from tests.table.playing import JPEG, Clock, begin, play

PAGE = 4096


@pytest.fixture(scope="module")
def whole() -> Iterator[tuple[Path, dict[str, Record]]]:
    """A database of a few games, closed, and what is in it."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        folder, clock = Path(place), Clock()
        with Store(folder) as store:
            store.set_setting("language", "de")
            games = [play(begin(store, 2 + seed % 3, clock), seed=seed) for seed in range(5)]
            games.append(play(begin(store, 2, clock), 30))
        yield folder, {game.name: game.record for game in games}


@pytest.fixture
def copy(whole: tuple[Path, dict[str, Record]], tmp_path: Path) -> Path:
    shutil.copy(whole[0] / "companion.db", tmp_path)
    return tmp_path / "companion.db"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 400 kB of its own."""
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", tmp_path], capture_output=True)
    if made.returncode:
        pytest.skip("a small disk needs the right to mount one")
    yield tmp_path
    subprocess.run(["umount", "-l", tmp_path], check=True)


# -- no room -----------------------------------------------------------------------------------------------------------


def test_a_full_disk_loses_nothing_and_the_game_goes_on_when_there_is_room(small_disk: Path) -> None:
    (small_disk / "fill").write_bytes(bytes(180_000))
    with Store(small_disk) as store:
        session = begin(store)
        with pytest.raises(DiskFullError, match="no space is left"):
            play_for_ever(session)
        check_nothing_lost(session)
        (small_disk / "fill").unlink()
        play(session, 1, seed=4)
        assert Session.resume(store, session.name).record == session.record


def test_a_disk_without_room_for_a_database(small_disk: Path) -> None:
    (small_disk / "fill").write_bytes(bytes(shutil.disk_usage(small_disk).free))
    with pytest.raises(DiskFullError, match="make room"):
        Store(small_disk)
    (small_disk / "fill").unlink()
    with Store(small_disk) as store:
        assert store.records() == ()


def test_a_film_that_finds_no_room(small_disk: Path, whole: tuple[Path, dict[str, Record]]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    record = next(iter(whole[1].values()))
    with pytest.raises(FilmError, match="is there room"):
        write_film(record, small_disk / "game.mp4", lambda played, position: noise)


def test_a_full_database_file(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        (pages,) = store.query("PRAGMA page_count")[0]
        session = begin(store)
        store.query(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(DiskFullError, match="no space is left"):
            play_for_ever(session)
        check_nothing_lost(session)
        store.query("PRAGMA max_page_count = 1000000")
        play(session, 1, seed=4)
        assert Session.resume(store, session.name).record == session.record


def play_for_ever(session: Session) -> None:
    for seed in range(100):
        play(session, seed=seed, picture=JPEG)
        while session.played:
            session.undo()


def check_nothing_lost(session: Session) -> None:
    """The session stands where it stood before the call that failed, and so does the database."""
    assert len(session.record.entries) > 10
    with Store(session._store.folder) as other:
        found = Session.resume(other, session.name)
        assert (found.record, found.position) == (session.record, session.position)


# -- folders -----------------------------------------------------------------------------------------------------------


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    for place in ("file", "file/below"):
        with pytest.raises(FolderError, match="name a folder that can be written to"):
            Store(tmp_path / place)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can write to")
@pytest.mark.parametrize("place", ["/proc", "/proc/companion"])
def test_a_folder_that_cannot_be_written(place: str) -> None:
    with pytest.raises(FolderError, match=r"name .*folder"):
        Store(Path(place))


def test_a_disk_that_becomes_read_only(small_disk: Path) -> None:
    with Store(small_disk) as store:
        session = play(begin(store), 3)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(FolderError, match="cannot be written"):
        Store(small_disk)
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    with Store(small_disk) as store:
        assert Session.resume(store, session.name).record == session.record


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind root")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(FolderError):
        Store(tmp_path)


# -- other databases ---------------------------------------------------------------------------------------------------


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "companion.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    content = path.read_bytes()
    with pytest.raises(ForeignDatabaseError, match="another program"):
        Store(tmp_path)
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["companion.db"]


def test_the_database_of_a_later_version_is_left_alone(copy: Path) -> None:
    with sqlite3.connect(copy) as later:
        later.execute(f"PRAGMA user_version = {VERSION + 1}")
    later.close()
    with pytest.raises(NewerSchemaError, match="later version"):
        Store(copy.parent)
    with sqlite3.connect(copy) as later:
        assert later.execute("PRAGMA user_version").fetchone() == (VERSION + 1,)
    later.close()


def test_an_empty_file_becomes_a_database_and_is_told_of_where_there_were_games(tmp_path: Path) -> None:
    (tmp_path / "companion.db").touch()
    with Store(tmp_path) as store:
        assert store.notices == ()
        play(begin(store), 1, picture=JPEG)
    (tmp_path / "companion.db").write_bytes(b"")
    with Store(tmp_path) as store:
        assert "empty" in store.notices[0]
        assert store.records() == ()


# -- torn databases ----------------------------------------------------------------------------------------------------


def check_saved(path: Path, damaged: bytes, truth: dict[str, Record]) -> int:
    """Opens the damaged database: it is kept untouched, said so, and what was saved is true; how many entries."""
    with Store(path.parent) as store:
        kept = list(path.parent.glob("companion.damaged-*.db"))
        assert [file.read_bytes() for file in kept] == [damaged]
        assert str(kept[0]) in " ".join(store.notices)
        saved = 0
        for summary in store.records():
            entries = Session.resume(store, summary.name).record.entries
            assert entries == truth[summary.name].entries[: len(entries)]
            if len(entries) < len(truth[summary.name].entries):
                assert summary.name in store.notices[0]
            saved += len(entries)
        fresh = play(begin(store), 3)
        assert Session.resume(store, fresh.name).record == fresh.record
    with Store(path.parent) as store:
        assert store.notices == ()
    left = {file.name for file in path.parent.iterdir() if file.is_file()}
    assert left <= {"companion.db", "companion.lock", kept[0].name, "companion.backup.db"}
    return saved


def test_a_database_with_a_page_overwritten(whole: tuple[Path, dict[str, Record]], tmp_path: Path) -> None:
    """Each page in turn; a page's loss costs no more than the games that lie on it."""
    content, truth = (whole[0] / "companion.db").read_bytes(), whole[1]
    total = sum(len(record.entries) for record in truth.values())
    chance, saved = random.Random(1), []
    for page in range(len(content) // PAGE):
        path = tmp_path / str(page) / "companion.db"
        path.parent.mkdir()
        damaged = bytearray(content)
        damaged[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE) if page % 2 else bytes(PAGE)
        path.write_bytes(damaged)
        saved.append(check_saved(path, bytes(damaged), truth))
    assert saved[0] == total  # the first page holds no rows: it can be made up for
    assert sum(count == total for count in saved) >= 5
    assert sum(count > total * 0.7 for count in saved) >= 11  # a page of entries costs one game or two


@pytest.mark.parametrize("damage", [b"", bytes(PAGE * 10), b"another thing " * 999])
def test_a_database_lost_altogether_comes_back_from_the_backup(tmp_path: Path, damage: bytes) -> None:
    with Store(tmp_path) as store:
        over = play(begin(store), seed=1)  # backed up at its end
        play(begin(store), 5)
    (tmp_path / "companion.db").write_bytes(damage)
    with Store(tmp_path) as store:
        assert "games 1, entries" in store.notices[0]
        assert [summary.name for summary in store.records()] == [over.name]
        assert Session.resume(store, over.name).record == over.record
        assert store.players() == ("Ben", "Ada")


def test_the_backup_fills_in_what_the_damage_took(copy: Path, whole: tuple[Path, dict[str, Record]]) -> None:
    with Store(copy.parent) as store:
        store.back_up()
        late = play(begin(store), 25, seed=8)
    content = bytearray(copy.read_bytes())
    for page in (1, 3, 10):  # all records, all players, some entries
        content[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    copy.write_bytes(content)
    with Store(copy.parent) as store:
        assert "not everything could be read" in store.notices[0]
        assert {summary.name: store.record(summary.name) for summary in store.records()} == whole[1]
        assert late.name not in whole[1]


def test_games_stay_when_the_names_are_lost(copy: Path, whole: tuple[Path, dict[str, Record]]) -> None:
    for page in (3, 5):  # the players' names; who sat where
        content = bytearray((whole[0] / "companion.db").read_bytes())
        content[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
        for old in copy.parent.glob("*.db*"):
            old.unlink()
        copy.write_bytes(content)
        with Store(copy.parent) as store:
            for name, record in whole[1].items():
                session = Session.resume(store, name)
                assert session.record.entries == record.entries
                assert len(session.players) == len(record.players)
                assert all(player.name.startswith("?") for player in session.players)
                assert name in store.notices[0]
            assert [len(s.players) for s in store.records()] == [len(r.players) for r in reversed(whole[1].values())]


def test_a_backup_is_made_once_a_day(tmp_path: Path) -> None:
    backup = tmp_path / "companion.backup.db"
    with Store(tmp_path) as store:
        play(begin(store), 10)
        assert not backup.exists()
        play(begin(store))
        first = backup.read_bytes()
        play(begin(store))
        assert backup.read_bytes() == first
        yesterday = backup.stat().st_mtime - 90_000
        os.utime(backup, (yesterday, yesterday))
        play(begin(store))
        assert backup.stat().st_size > len(first)


@pytest.mark.parametrize("part", [0.03, 0.25, 0.5, 0.9])
def test_a_database_cut_off(copy: Path, whole: tuple[Path, dict[str, Record]], part: float) -> None:
    content = copy.read_bytes()
    damaged = content[: int(len(content) * part)]
    copy.write_bytes(damaged)
    check_saved(copy, damaged, whole[1])


def test_a_text_where_the_database_should_be(copy: Path) -> None:
    copy.write_text("This is no database. " * 1000)
    assert check_saved(copy, copy.read_bytes(), {}) == 0


def test_a_changed_entry_is_not_believed(copy: Path, whole: tuple[Path, dict[str, Record]]) -> None:
    """SQLite itself does not notice a wrong letter in a text."""
    name, record = list(whole[1].items())[-1]
    action = str(record.entries[20].action)
    other = action[:-1] + ("0" if action[-1] != "0" else "1")
    content = copy.read_bytes()
    assert content.count(action.encode()) >= 1
    copy.write_bytes(content.replace(action.encode(), other.encode()))
    with Store(copy.parent) as store, pytest.raises(DamagedError, match="is missing or damaged"):
        Session.resume(store, name)


def test_damage_found_while_running_is_told(copy: Path, whole: tuple[Path, dict[str, Record]]) -> None:
    with Store(copy.parent) as store:
        size = copy.stat().st_size
        copy.write_bytes(copy.read_bytes()[:PAGE] + bytes(size - PAGE))
        store.query("PRAGMA shrink_memory")
        with pytest.raises(DamagedError, match="start the program again"):
            store.record(next(iter(whole[1])))


def test_an_exchange_interrupted_is_finished_at_the_next_start(
    copy: Path, whole: tuple[Path, dict[str, Record]], monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = copy.read_bytes()[: -PAGE * 2]
    copy.write_bytes(damaged)
    rename, renamed = Path.rename, []

    def replace(self: Path, target: Path | str) -> Path:
        if len(renamed) == 2:  # the fresh one has its name, the damaged one is aside, and then the power goes
            raise KeyboardInterrupt
        renamed.append(self)
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            Store(copy.parent)
    assert not copy.exists()
    with Store(copy.parent) as store:
        assert "kept as" in store.notices[0]
        (aside,) = copy.parent.glob("companion.damaged-*.db")
        assert aside.read_bytes() == damaged
        assert store.records() != ()


def test_a_log_cut_off_anywhere_keeps_what_is_before(tmp_path: Path) -> None:
    """What the power leaves of the write-ahead log, whole transactions are read from."""
    with Store(tmp_path / "origin") as store:
        session = play(begin(store), 40)
        database = store.path.read_bytes()
        log = Path(f"{store.path}-wal").read_bytes()
    chance, found = random.Random(2), []
    for cut in sorted(chance.sample(range(len(log)), 20)):
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / "companion.db").write_bytes(database)
        (folder / "companion.db-wal").write_bytes(log[:cut])
        with Store(folder) as store:
            assert store.notices == ()
            entries = store.record(session.name).entries if store.records() else ()
        assert entries == session.record.entries[: len(entries)]
        found.append(len(entries))
    assert found == sorted(found)
    assert found[-1] > 30
