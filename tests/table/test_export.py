"""Records as text and JSON and back, and as films; and every way in which such a file can be wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.core import Position
from companion.games.registry import UnknownGameError
from companion.table.errors import IllegalSequenceError, RecordTextError
from companion.table.export import export_json, export_text, import_json, import_text, read_record
from companion.table.film import RATE, FilmError, Image, write_film
from companion.table.record import Entry, Kind, Record
from companion.table.replay import replay
from companion.table.session import Session
from companion.table.state import By, Played, Player
from companion.table.store import Store
from tests.table.playing import GAME, PLAYERS, begin, play


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Store(tmp_path / "data") as store:
        session = play(begin(store, 3), 30)
        session.undo()
        yield play(session, 12, seed=4)


def told(record: Record) -> tuple[object, ...]:
    """What a text keeps of a record."""
    actions = [entry.action for entry in record.counting()]
    date = round(record.started, 6)
    return record.name, record.game, record.players, record.options, record.set_file, date, actions


def test_a_text_reads_back_as_the_record_it_was_written_from(session: Session) -> None:
    text = export_text(session.record)
    found = import_text(text)
    assert told(found) == told(session.record)
    assert export_text(found).split("\n\n")[0] == text.split("\n\n")[0]
    assert list(replay(found))[-1][1] == session.position


def test_json_reads_back_with_where_each_action_came_from(session: Session) -> None:
    text = export_json(session.record)
    found = import_json(text)
    assert told(found) == told(session.record)
    assert [played for played, _ in replay(found)] == list(session.played)
    assert export_json(found) == text
    content = json.loads(text)
    assert content["players"] == 3
    assert content["options"] == {"teams": False}
    assert content["actions"] == [str(one.action) for one in session.played]
    assert content["details"][0]["by"] == "camera"


def test_a_text_tells_points_and_where_an_action_came_from(session: Session) -> None:
    place = next(one for one in session.played if str(one.action).startswith("place"))
    after = session.positions[place.number]
    name, points = session.players[place.player or 0].name, place.events[0].facts["points"]
    line = next(line for line in export_text(session.record).splitlines() if line.startswith(str(place.action)))
    assert f"; {name} +{points} = {after.scores[place.player or 0]}, camera 0.970 {place.time:.1f} s" in line


def test_a_game_without_actions_is_a_record_too(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        record = begin(store, 4).record
    assert told(import_text(export_text(record))) == told(record)
    assert told(import_json(export_json(record))) == told(record)


NAMES = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12)


@given(names=st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=2, max_size=4), started=st.floats(0, 4e9))
def test_any_names_and_dates_survive(names: list[tuple[str, str, str]], started: float) -> None:
    players = tuple(Player(name, seat, colour, symbol) for seat, (name, colour, symbol) in enumerate(names))
    record = Record("r", "triangle", players, started, {"teams": False})
    for found in (import_text(export_text(record)), import_json(export_json(record))):
        assert found.players == players
        assert found.started == pytest.approx(started, abs=1e-6)


SHORT = """[Game "triangle"]
[Date "2026-11-21 09:00"]
[Player 0 "Ada"]
[Seat 0 0]
[Player 1 "Ben"]
[Seat 1 1]

; typed by hand
draw 0 RRY5
  draw  1 GBY1   ; spaces do not matter
"""


def test_a_text_typed_by_hand() -> None:
    record = import_text(SHORT)
    assert [player.name for player in record.players] == ["Ada", "Ben"]
    assert [entry.action for entry in record.entries] == ["draw 0 RRY5", "draw 1 GBY1"]
    assert record.entries[0].by is By.HAND


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('[Game "triangle"]', "", "game"),
        ('"triangle"', '"chess"', "no game 'chess'"),
        ('"triangle"', "3", "Expected `str`, got `int`"),
        ('"2026-11-21 09:00"', '"yesterday"', "yesterday"),
        ('"2026-11-21 09:00"', "[]", "Expected `str`"),
        ("[Seat 1 1]", '[Seat 1 "left"]', "Expected `int`, got `str`"),
        ("[Seat 1 1]", "[Seat 1 -1]", ">= 0"),
        ("[Seat 1 1]", "", "seat"),
        ("[Seat 1 1]", "[Seat one 1]", "line 6.*no header"),
        ("[Seat 1 1]", "[Seat 1 1", "line 6.*no header"),
        ("[Seat 1 1]", "[Chair 1 1]", "line 6.*no header"),
        ("[Seat 1 1]", "[Seat 1 1]\n[Option teams true]", "teams are for four"),
        ("[Seat 1 1]", '[Seat 1 1]\n[Option teams "yes"]', "option teams is 'yes'"),
        ("[Seat 1 1]", "[Seat 1 1]\n[Option speed 3]", "unknown option"),
        ("[Seat 1 1]", "[Seat 1 1]\n[Scores [1, 2]]", r"said to be \[1, 2\], but the actions give \[0, 0\]"),
        ("[Seat 1 1]", '[Seat 1 1]\n[Set "/nowhere.toml"]', "/nowhere.toml"),
        ('[Player 1 "Ben"]\n[Seat 1 1]', "", "2 to 4 players, not 1"),
        ("draw 0 RRY5", "draw 0 XXX9", "action 1: there is no tile 'XXX9'"),
        ("draw 0 RRY5", "jump", "action 1: 'jump' is no action"),
        ("draw  1 GBY1", "draw 1 RRY5", "action 2 .*TRI-SETUP-2"),
    ],
)
def test_a_text_that_is_wrong_says_where(old: str, new: str, says: str) -> None:
    assert old in SHORT
    with pytest.raises(RecordTextError, match=says):
        import_text(SHORT.replace(old, new))


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("players", 2, "as many names as players"),
        ("players", "three", "Expected `int`"),
        ("actions", {}, "Expected `array`"),
        ("actions", [1], r"actions\[0\]"),
        ("details", [], "as many details"),
        ("options", [], "Expected `object`"),
        ("scores", [0, 0, 1], "the actions give"),
        ("colour", "red", "unknown field `colour`"),
        ("date", None, "Expected `str`"),
    ],
)
def test_json_that_is_wrong_says_where(session: Session, key: str, value: object, says: str) -> None:
    content = {**json.loads(export_json(session.record)), key: value}
    with pytest.raises(RecordTextError, match=says):
        import_json(json.dumps(content))


@pytest.mark.parametrize("text", ["", "{", "[]", "nonsense", "[[[[", '{"game": 1}', "[Game \udc80]"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(RecordTextError):
        import_text(text)
    with pytest.raises(RecordTextError):
        import_json(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(content)
    with pytest.raises(RecordTextError, match=r"any\.txt"):
        read_record(path)


def test_files_are_recognised_by_their_content(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "record"
    for text in (export_text(session.record), export_json(session.record)):
        path.write_text(text, encoding="utf-8")
        assert told(read_record(path)) == told(session.record)
    with pytest.raises(RecordTextError, match="No such file"):
        read_record(tmp_path / "none")
    with pytest.raises(RecordTextError, match="directory"):
        read_record(tmp_path)


# -- replay and film ---------------------------------------------------------------------------------------------------


def test_replay_gives_every_step(session: Session) -> None:
    steps = list(replay(session.record))
    assert [played for played, _ in steps] == list(session.played)
    assert [position for _, position in steps] == list(session.positions[1:])


def test_replay_tells_what_breaks() -> None:
    record = Record("r", "triangle", PLAYERS[:2], 0.0, {}, entries=(Entry(1, Kind.PLAY, 0.0, "draw 1 RRY5"),))
    with pytest.raises(IllegalSequenceError, match="action 1"):
        list(replay(record))
    with pytest.raises(UnknownGameError, match="go"):
        list(replay(replace(record, game="go")))


def draw(played: Played | None, position: Position[Any]) -> Image:
    return np.full((120, 160, 3), 4 * played.number if played else 0, np.uint8)


def test_a_film_shows_each_position_in_turn(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    frames = write_film(session.record, path, draw, seconds=0.3)
    assert frames == 3 * (len(session.played) + 1)
    film = cv2.VideoCapture(str(path))
    shown = []
    while True:
        there, image = film.read()
        if not there:
            break
        shown.append(float(image.mean()))
    assert film.get(cv2.CAP_PROP_FPS) == RATE
    film.release()
    expected = [4 * number for number in range(len(session.played) + 1) for _ in range(3)]
    assert shown == pytest.approx(expected, abs=4)


def test_a_film_that_cannot_be_written(session: Session, tmp_path: Path) -> None:
    with pytest.raises(FilmError, match="cannot be written as a film"):
        write_film(session.record, tmp_path / "none" / "game.mp4", draw)

    def grow(played: Played | None, position: Position[Any]) -> Image:
        return np.zeros((120 + 2 * (played.number if played else 0), 160, 3), np.uint8)

    with pytest.raises(FilmError, match="same size"):
        write_film(session.record, tmp_path / "game.mp4", grow)


def test_other_rules_can_be_given(session: Session) -> None:
    asked: list[tuple[str, Path | None, bool]] = []

    def rules(name: str, set_file: Path | None, hidden_draws: bool) -> Any:
        asked.append((name, set_file, hidden_draws))
        return GAME

    assert list(replay(session.record, rules))[-1][1] == session.position
    assert asked == [("triangle", None, False)]
