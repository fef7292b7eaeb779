"""Backups: whole or not there, checked when they are read, and nothing is lost by restoring one."""

from __future__ import annotations

import zipfile
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
