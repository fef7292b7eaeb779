"""The store when all is well, and with two programs on it; players, settings, and what may never change."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.triangle.actions import Draw
from companion.table.errors import ConflictError, LockedError, UnknownRecordError
from companion.table.schema import APPLICATION, VERSION
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store
from tests.table.playing import JPEG, PLAYERS, Clock, begin, play


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


def test_the_database_is_safe_against_a_pulled_plug(store: Store) -> None:
    (journal,) = store.query("PRAGMA journal_mode")[0]
    (synchronous,) = store.query("PRAGMA synchronous")[0]
    (foreign_keys,) = store.query("PRAGMA foreign_keys")[0]
    (application,) = store.query("PRAGMA application_id")[0]
    (version,) = store.query("PRAGMA user_version")[0]
    assert (journal, synchronous, foreign_keys, application, version) == ("wal", 2, 1, APPLICATION, VERSION)


@pytest.mark.parametrize("sql", ["UPDATE entries SET action = 'pass'", "DELETE FROM entries"])
def test_entries_are_never_changed_nor_deleted(store: Store, sql: str) -> None:
    session = play(begin(store), 5)
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        store._database.execute(sql)
    assert Session.resume(store, session.name).record == session.record


def test_players_are_remembered_the_last_ones_first(store: Store) -> None:
    clock = Clock()
    Session.create(store, begin(store, 3, clock).game, PLAYERS[2:], clock=clock)
    assert store.players() == ("Dan", "Cleo", "Ben", "Ada")


def test_settings(store: Store, tmp_path: Path) -> None:
    assert store.setting("language") is None
    assert store.setting("language", "en") == "en"
    store.set_setting("language", "de")
    store.set_setting("lights", {"brightness": 0.5, "on": [1, 2]})
    store.set_setting("language", "fr")
    with Store(tmp_path) as other:
        assert other.setting("language") == "fr"
        assert other.setting("lights") == {"brightness": 0.5, "on": [1, 2]}


def test_records_are_listed_the_latest_first(store: Store) -> None:
    clock = Clock()
    over, running = play(begin(store, 3, clock)), play(begin(store, 2, clock), 4)
    late, early = store.records()
    assert (late.name, late.players, late.ending, late.actions) == (running.name, PLAYERS[:2], None, 4)
    assert (early.name, early.over, early.scores) == (over.name, True, over.position.scores)
    assert early.winners == over.position.winners
    assert late.stamp == running.record.entries[-1].stamp
    assert store.records(1) == (late,)


def test_a_call_is_one_transaction(store: Store) -> None:
    session = begin(store)
    said: list[str] = []
    store._database.set_trace_callback(said.append)
    session.apply([Draw(0, "RRY5"), Draw(1, "GBY1"), Draw(0, "RRR6")], By.CAMERA, 0.9, picture=JPEG)
    store._database.set_trace_callback(None)
    assert [word for word in said if word.startswith(("BEGIN", "COMMIT"))] == ["BEGIN IMMEDIATE", "COMMIT"]
    assert sum(word.startswith("INSERT") for word in said) == 3


def test_two_sessions_on_one_record_cannot_both_go_on(store: Store, tmp_path: Path) -> None:
    first = play(begin(store), 3)
    with Store(tmp_path) as other:
        second = Session.resume(other, first.name)
        play(first, 1, picture=b"the picture that counts")
        before = second.record
        with pytest.raises(ConflictError, match="resume"):
            play(second, 1, picture=JPEG)
        assert second.record == before
        again = Session.resume(other, first.name)
        play(again, 1, seed=3)
    assert Session.resume(store, first.name).record == again.record
    picture = store.pictures.path(again.played[3].picture)
    assert picture is not None
    assert picture.read_bytes() == b"the picture that counts"
    assert [path.name for path in tmp_path.glob("pictures/*/*")] == ["0004.jpg"]


def test_two_programs_play_their_own_games_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=_play_two_games, args=(tmp_path,)) for _ in range(2)]
    for other in others:
        other.start()
    for other in others:
        other.join(60)
    assert [other.exitcode for other in others] == [0, 0]
    with Store(tmp_path) as store:
        assert len(store.records()) == 4
        assert all(summary.over for summary in store.records())
        for summary in store.records():
            assert Session.resume(store, summary.name).ending == summary.ending
        assert store.query("PRAGMA integrity_check")[0][0] == "ok"


def _play_two_games(folder: Path) -> None:
    with Store(folder, patience=30.0) as store:
        for seed in range(2):
            play(begin(store), seed=seed)


def test_threads_may_share_a_store(store: Store) -> None:
    sessions = [begin(store), begin(store)]
    threads = [threading.Thread(target=play, args=(session,)) for session in sessions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for session in sessions:
        assert session.ending is not None
        assert Session.resume(store, session.name).record == session.record


def test_a_database_that_another_program_holds(tmp_path: Path) -> None:
    with Store(tmp_path, patience=0.05) as store:
        session = play(begin(store), 3)
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        before = session.record
        with pytest.raises(LockedError, match="another program holds"):
            play(session, 1)
        assert session.record == before
        other.execute("ROLLBACK")
        other.close()
        play(session, 1)
        assert Session.resume(store, session.name).record == session.record


@pytest.mark.parametrize("exchange", [False, True])
def test_a_database_deleted_while_in_use_is_noticed(store: Store, exchange: bool) -> None:
    session = play(begin(store), 3)
    store.path.rename(store.folder / "elsewhere.db")
    if exchange:
        store.path.write_bytes(b"")
    with pytest.raises(ConflictError, match="deleted or exchanged"):
        play(session, 1)
    assert len(session.played) == 3


def test_pictures_are_limited_and_those_of_the_oldest_finished_game_go_first(tmp_path: Path) -> None:
    with Store(tmp_path, picture_limit=100 * len(JPEG)) as store:
        first = play(begin(store), picture=JPEG)
        first_pictures = len(list(tmp_path.glob(f"pictures/{first.name}/*.jpg")))
        assert 50 < first_pictures < 100
        running = play(begin(store), 20, picture=JPEG)
        play(begin(store), seed=3, picture=JPEG)
        assert store.pictures.total <= 100 * len(JPEG)
        assert store.pictures.total == sum(path.stat().st_size for path in tmp_path.glob("pictures/*/*.jpg"))
        assert store.pictures.path(first.played[0].picture) is None
        assert all(store.pictures.path(one.picture) for one in running.played)
        assert Session.resume(store, first.name).record == first.record


def test_a_limit_that_leaves_no_room_leaves_the_picture_out(tmp_path: Path) -> None:
    with Store(tmp_path, picture_limit=3 * len(JPEG)) as store:
        session = play(begin(store), 5, picture=JPEG)
        assert [one.picture is not None for one in session.played] == [True, True, True, False, False]
    with Store(tmp_path, picture_limit=0) as store:
        assert play(begin(store), 2, picture=JPEG).played[-1].picture is None


def test_a_picture_that_cannot_be_written_does_not_stop_the_record(store: Store) -> None:
    (store.folder / "pictures").write_text("a file where the folder of pictures should be")
    session = play(begin(store), 3, picture=JPEG)
    assert [one.picture for one in session.played] == [None, None, None]
    assert Session.resume(store, session.name).record == session.record


def test_pictures_leave_the_last_room_on_the_disk_to_the_record(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.pictures.RESERVE", 10**18)
    assert play(begin(store), 1, picture=JPEG).played[0].picture is None


def test_nobody_adds_to_a_record_that_there_is_not(store: Store) -> None:
    session = begin(store)
    with pytest.raises(UnknownRecordError, match="no record 2020"), store.writing() as write:
        write.add("2020", session.record.entries)
