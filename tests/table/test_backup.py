"""Backups: whole or not there, checked when they are read, and nothing is lost by restoring one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.registry import load_game
from companion.main import main
from companion.table import backup
from companion.table.errors import BackupError, DiskFullError, LockedError
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store


def played(folder: Path, actions: int = 6) -> str:
    """A game with some actions, its pictures and a calibration in a data folder; the record's name."""
    game = load_game("triangle")
    with Store(folder) as store:
        session = Session.create(store, game, seated(game, ["Ada", "Ben"]), {})
        for _ in range(actions):
            session.apply([session.position.legal_actions()[0]], By.HAND)
        store.pictures.save(session.name, 1, b"\xff\xd8 a picture")
        (folder / "calibration").mkdir(exist_ok=True)
        (folder / "calibration" / "lens-webcam-0.json").write_text("{}")
        return session.name


def test_a_backup_brings_everything_back(tmp_path: Path) -> None:
    name = played(tmp_path / "data")
    made = backup.back_up(tmp_path / "data", tmp_path)
    assert (made.records, made.files) == (1, 3)
    backup.restore(made.path, tmp_path / "new")
    with Store(tmp_path / "data") as old, Store(tmp_path / "new") as new:
        assert new.record(name) == old.record(name)
        assert new.pictures.has(name)
    assert (tmp_path / "new" / "calibration" / "lens-webcam-0.json").read_text() == "{}"
    assert [path.suffix for path in tmp_path.iterdir() if path.is_file()] == [".zip"]


def test_a_backup_is_made_while_a_game_goes_on(tmp_path: Path) -> None:
    game = load_game("triangle")
    with Store(tmp_path / "data") as store:
        session = Session.create(store, game, seated(game, ["Ada", "Ben"]), {})
        session.apply([session.position.legal_actions()[0]], By.HAND)
        made = backup.back_up(tmp_path / "data", tmp_path / "backup.zip")
        session.apply([session.position.legal_actions()[0]], By.HAND)
        backup.restore(made.path, tmp_path / "new")
        with Store(tmp_path / "new") as new:
            assert len(new.record(session.name).entries) == len(store.record(session.name).entries) - 1


def test_what_a_backup_replaces_is_kept(tmp_path: Path) -> None:
    first = played(tmp_path / "data", 3)
    made = backup.back_up(tmp_path / "data", tmp_path)
    with Store(tmp_path / "data") as store:
        later = Session.create(store, load_game("via"), seated(load_game("via"), ["Cleo", "Dan"]), {}).name
    _, aside = backup.restore(made.path, tmp_path / "data")
    assert aside is not None
    with Store(tmp_path / "data") as now, Store(aside) as before:
        assert [record.name for record in now.records()] == [first]
        assert {record.name for record in before.records()} == {first, later}


def test_damaged_backups_are_refused_and_change_nothing(tmp_path: Path) -> None:
    name = played(tmp_path / "data")
    whole = backup.back_up(tmp_path / "data", tmp_path).path.read_bytes()
    for cut in (b"", whole[: len(whole) // 2], b"a text", whole.replace(b"a picture", b"b picture")):
        bad = tmp_path / "bad.zip"
        bad.write_bytes(cut)
        with pytest.raises(BackupError, match=r"bad\.zip"):
            backup.restore(bad, tmp_path / "data")
    with Store(tmp_path / "data") as store:
        assert [record.name for record in store.records()] == [name]
    assert not list((tmp_path / "data").glob("re*-*"))


def test_a_backup_that_reaches_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    evil = tmp_path / "evil.zip"
    with zipfile.ZipFile(evil, "w") as archive:
        archive.writestr("../out", "x")
        archive.writestr("contents.json", '{"companion": 1, "records": 0, "files": {"../out": [1, 0]}}')
    with pytest.raises(BackupError, match=r"\.\./out"):
        backup.restore(evil, tmp_path / "data")


def test_a_full_disk_leaves_no_half_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(tmp_path / "data")
    (tmp_path / "stick").mkdir()
    monkeypatch.setattr(backup.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 1000})())
    with pytest.raises(DiskFullError, match="no space is left"):
        backup.back_up(tmp_path / "data", tmp_path / "stick")
    assert not list((tmp_path / "stick").iterdir())


def test_records_in_use_are_not_replaced(tmp_path: Path) -> None:
    played(tmp_path / "data")
    made = backup.back_up(tmp_path / "data", tmp_path)
    with Store(tmp_path / "data") as store:
        with pytest.raises(LockedError, match="close it"):
            backup.restore(made.path, tmp_path / "data")
        assert len(store.records()) == 1


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    assert main(["backup", str(tmp_path)]) == 4
    assert "no records" in capsys.readouterr().err
    played(tmp_path / "data")
    assert main(["backup", str(tmp_path / "all.zip")]) == 0
    assert main(["restore", str(tmp_path / "all.zip")]) == 0
    assert "1 records, 3 files" in capsys.readouterr().out
    assert main(["restore", str(tmp_path / "none.zip")]) == 4
    (tmp_path / "data" / "restoring-20250101-120000" / "pictures").mkdir(parents=True)
    assert main(["backup", str(tmp_path)]) == 0
    assert "restore it again" in capsys.readouterr().err


# -- odd files ---------------------------------------------------------------------------------------------------------


def zipped(path: Path, contents: object, **files: bytes) -> Path:
    """A ZIP file with a list of contents and files, whose names have a slash for `__`."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/"), data)
        archive.writestr("contents.json", contents if isinstance(contents, bytes) else json.dumps(contents))
    return path


def listed(**files: bytes) -> dict[str, object]:
    """A list of contents that is true of these files."""
    sums = {name.replace("__", "/"): [len(data), zlib.crc32(data)] for name, data in files.items()}
    return {"companion": 1, "records": 1, "files": sums}


def encrypted(path: Path) -> Path:
    """As if it had been packed with a password: only the flags say so."""
    zipped(path, listed())
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    return path


def packed_by(path: Path, method: int) -> Path:
    """As if it had been packed by another method than was used, or one that nobody knows."""
    zipped(path, listed())
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x03\x04") + 8] = method
    data[data.index(b"PK\x01\x02") + 10] = method
    path.write_bytes(data)
    return path


DATA = {"pictures__1": b"x", "pictures__1__2": b"y"}
TEXT = {"companion.db": b"It was a dark and stormy night." * 200}
ODD = {
    "a password": encrypted,
    "an unknown method": lambda path: packed_by(path, 99),
    "torn bzip2": lambda path: packed_by(path, 12),
    "torn lzma": lambda path: packed_by(path, 14),
    "a list of contents that is a list": lambda path: zipped(path, []),
    "no text": lambda path: zipped(path, b"\xff\xfe{}"),
    "a number of files": lambda path: zipped(path, {"companion": 1, "records": 0, "files": 3}),
    "files in a list": lambda path: zipped(path, {"companion": 1, "records": 0, "files": ["companion.db"]}),
    "sums that are words": lambda path: zipped(path, {"companion": 1, "records": 0, "files": {"a": ["b", "c"]}}),
    "deep": lambda path: zipped(path, b'{"files":' + b"[" * 100_000),
    "no records": lambda path: zipped(path, listed()),
    "a file in place of a folder": lambda path: zipped(path, listed(pictures=b"x"), pictures=b"x"),
    "a file elsewhere": lambda path: zipped(path, listed(demo__1=b"x"), demo__1=b"x"),
    "a file that is also a folder": lambda path: zipped(path, listed(**DATA), **DATA),
    "records of nobody": lambda path: zipped(
        path, listed(**{"companion.db": b"x" * 5000}), **{"companion.db": b"x" * 5000}
    ),
    "a folder": lambda path: path.mkdir() or path,
}


@pytest.mark.parametrize("what", ODD)
def test_odd_files_are_no_backups_and_change_nothing(tmp_path: Path, what: str) -> None:
    name = played(tmp_path / "data", 2)
    odd = ODD[what](tmp_path / "odd.zip")
    with pytest.raises(BackupError, match=r"odd\.zip"):
        backup.restore(odd, tmp_path / "data")
    with Store(tmp_path / "data") as store:
        assert [record.name for record in store.records()] == [name]
    assert not list((tmp_path / "data").glob("re*-*"))


def test_a_stick_that_is_not_there_is_said(tmp_path: Path) -> None:
    played(tmp_path / "data", 2)
    with pytest.raises(BackupError, match="there is no such folder"):
        backup.back_up(tmp_path / "data", tmp_path / "stick")


# -- interrupted -------------------------------------------------------------------------------------------------------

WRITES = {"os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.truncate", "sqlite3.connect"}


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Does the work in a process that is killed before its step of that number that changes files (from 1); whether it
    came so far.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    left = step

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        writes = event in WRITES or (event == "open" and "w" in str(arguments[1] or ""))
        left -= writes
        if writes and not left:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    work()
    os._exit(0)


def test_a_restore_killed_anywhere_is_finished_or_undone_at_the_next_start(tmp_path: Path) -> None:
    """Whatever is found afterwards is all old or all new, with every record, picture and calibration."""
    new = played(tmp_path / "new", 3)
    made = backup.back_up(tmp_path / "new", tmp_path / "new.zip").path
    old = played(tmp_path / "old", 5)
    with Store(tmp_path / "old") as store:
        store.back_up()
    (tmp_path / "old" / "calibration" / "board-via.json").write_text("{}")
    whole = {name: kept(tmp_path / name) for name in ("old", "new")}
    step, told = 0, []
    while True:
        step += 1
        data = tmp_path / f"data-{step}"
        shutil.copytree(tmp_path / "old", data)
        if not killed_at(step, lambda data=data: backup.restore(made, data)):
            break
        with Store(data) as store:
            notices = " ".join(store.notices)
            told.append("finished" if "now it is" in notices else "undone" if "restore it again" in notices else "")
            (found,) = (record.name for record in store.records())
            assert found == (new if told[-1] == "finished" else old)
        assert kept(data) == whole["new" if told[-1] == "finished" else "old"]
        for aside in data.glob("replaced-*"):
            assert kept(aside) == whole["old"]
        assert [path.name for path in data.glob("rest*-*")] == []
        with Store(data) as store:
            assert store.notices == ()
    assert told.count("finished") >= 6
    assert told.count("undone") >= 6
    assert "undone" not in told[told.index("finished") :]


def kept(folder: Path) -> dict[str, object]:
    """The actions on record, and the other files that a backup holds."""
    with Store(folder) as store:
        records = [store.record(record.name).entries for record in store.records()]
    files = [path for name in ("pictures", "calibration") for path in (folder / name).rglob("*") if path.is_file()]
    return {"records": records} | {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_finishing_a_restore_may_be_interrupted_too(tmp_path: Path) -> None:
    new = played(tmp_path / "new", 3)
    made = backup.back_up(tmp_path / "new", tmp_path / "new.zip").path
    played(tmp_path / "data", 5)
    step = 0
    while not list((tmp_path / "data").glob("restored-*")):  # until the exchange itself has begun
        step += 1
        for torn in (tmp_path / "data").glob("restoring-*"):
            shutil.rmtree(torn)
        assert killed_at(step, lambda: backup.restore(made, tmp_path / "data"))
    step, finished = 1, 0
    while not finished:
        again = tmp_path / f"again-{step}"
        shutil.copytree(tmp_path / "data", again)
        assert killed_at(step, lambda again=again: Store(again))
        finished = not list(again.glob("restored-*"))
        with Store(again) as store:
            assert [record.name for record in store.records()] == [new]
        step += 1
    assert step > 6
