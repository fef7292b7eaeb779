"""The running game: what is stored when, undo, corrections, endings, and that the record always tells the same."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.core import CHANCE, IllegalActionError, SetupError
from companion.games.triangle.actions import Draw, Pass, Place
from companion.referee.decision import Step
from companion.table.errors import (
    IllegalSequenceError,
    NothingToUndoError,
    UnknownActionError,
    UnknownRecordError,
)
from companion.table.export import export_json, export_text, import_json, import_text
from companion.table.record import Kind
from companion.table.session import Session
from companion.table.state import By, Player
from companion.table.store import Store
from tests.table.conftest import MEMORY
from tests.table.playing import GAME, JPEG, PLAYERS, Clock, begin, play, play_to_turn


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


def afresh(session: Session, folder: Path) -> Session:
    """The same game as another program would find it."""
    with Store(folder) as other:
        return Session.resume(other, session.name)


def same(one: Session, other: Session) -> bool:
    return (one.record, one.positions, one.played, one.ending, one.paused) == (
        other.record,
        other.positions,
        other.played,
        other.ending,
        other.paused,
    )


def test_a_new_game_is_on_record_at_once(store: Store, tmp_path: Path) -> None:
    session = begin(store, 3)
    assert session.position == GAME.new(3)
    assert session.played == ()
    found = afresh(session, tmp_path)
    assert same(session, found)
    assert found.players == PLAYERS[:3]
    assert store.latest_unfinished() == session.name


@pytest.mark.parametrize(
    ("players", "options", "says"),
    [
        (PLAYERS[:1], {}, "2 to 4"),
        (PLAYERS[:3], {"teams": True}, "four players"),
        (PLAYERS[:2], {"colour": 1}, "unknown option"),
        ((PLAYERS[0], Player("ada", 1, "", "")), {}, "same name"),
        ((PLAYERS[0], Player("Eve", 0, "", "")), {}, "same seat"),
        ((PLAYERS[0], Player(" ", 1, "", "")), {}, "no name"),
        ((PLAYERS[0], Player("a\nb", 1, "", "")), {}, "characters"),
        ((PLAYERS[0], Player("\udc80", 1, "", "")), {}, "characters"),
    ],
)
def test_impossible_games_are_refused_and_leave_no_record(
    store: Store, players: tuple[Player, ...], options: dict[str, object], says: str
) -> None:
    with pytest.raises(SetupError, match=says):
        Session.create(store, GAME, players, options)
    assert store.records() == ()


def test_actions_carry_what_is_known_of_them(store: Store, tmp_path: Path) -> None:
    session = begin(store)
    steps = [Step(Draw(0, "RRY5"), 0.998, "camera"), Step(Draw(1, "GBY1"), 0.9, "inferred")]
    first, second = session.accept(steps, picture=JPEG, time=12.4)
    assert (first.number, first.player, first.by, first.confidence, first.time) == (1, 0, By.CAMERA, 0.998, 12.4)
    assert (second.number, second.player, second.by) == (2, 1, By.INFERRED)
    assert first.picture == second.picture
    picture = store.pictures.path(first.picture)
    assert picture is not None
    assert picture.read_bytes() == JPEG
    assert session.played == (first, second)
    assert same(session, afresh(session, tmp_path))


def test_a_placement_tells_its_points(store: Store) -> None:
    session = play_to_turn(begin(store), 0)
    place = next(a for a in session.position.legal_actions() if str(a).startswith("place"))
    (played,) = session.apply([place], By.HAND)
    points = [event.facts["points"] for event in played.events if event.kind == "score"]
    assert points == [int(place.tile[3:])]
    assert played.confidence is None
    assert session.position.scores[played.player or 0] == points[0]


def test_all_actions_of_a_call_or_none(store: Store, tmp_path: Path) -> None:
    session = begin(store)
    with pytest.raises(IllegalSequenceError) as refused:
        session.apply([Draw(0, "RRY5"), Draw(1, "RRY5")], By.CAMERA, 0.9, picture=JPEG)
    assert refused.value.number == 2
    assert refused.value.refusal.clause == "TRI-SETUP-2"
    assert session.played == ()
    assert session.position == GAME.new(2)
    assert same(session, afresh(session, tmp_path))
    assert store.pictures.total == 0
    assert session.apply([], By.HAND) == ()


def test_a_time_is_a_number(store: Store, tmp_path: Path) -> None:
    session = begin(store)
    with pytest.raises(ValueError, match="nan seconds"):
        session.apply([Draw(0, "RRY5")], By.CAMERA, time=float("nan"))
    session.apply([Draw(0, "RRY5")], By.CAMERA, 1, time=3)
    assert same(session, afresh(session, tmp_path))


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan")])
def test_a_confidence_is_a_probability(store: Store, confidence: float) -> None:
    session = begin(store)
    with pytest.raises(ValueError, match="0 to 1"):
        session.apply([Draw(0, "RRY5")], By.CAMERA, confidence)
    assert session.played == ()


def test_nothing_can_be_undone_at_the_beginning(store: Store) -> None:
    session = begin(store)
    with pytest.raises(NothingToUndoError, match="beginning"):
        session.undo()
    assert session.record.entries == ()


def test_undo_goes_back_to_the_last_action_of_a_player(store: Store, tmp_path: Path) -> None:
    session = play_to_turn(begin(store), 5)
    before = session.positions
    assert before[-2].turn == CHANCE
    undone = session.undo("wrong cell")
    assert [str(one.action).split()[0] for one in undone] == ["place", "draw"]
    assert session.positions == before[:-2]
    assert same(session, afresh(session, tmp_path))
    assert session.record.entries[-1].text == "wrong cell"
    play(session, 3, seed=99)
    assert same(session, afresh(session, tmp_path))


def test_undo_of_a_single_action(store: Store) -> None:
    session = play_to_turn(begin(store), 5)
    before = session.positions
    (undone,) = session.undo(single=True)
    assert str(undone.action).startswith("draw")
    assert session.positions == before[:-1]


def test_undo_before_any_player_has_acted_takes_one_draw(store: Store) -> None:
    session = play(begin(store), 3)
    session.undo()
    assert len(session.played) == 2


def test_undo_skips_what_was_only_inferred(store: Store) -> None:
    session = play_to_turn(begin(store), 3)
    place = next(iter(session.position.legal_actions()))
    session.apply([place], By.INFERRED)
    undone = session.undo()
    assert [one.by for one in undone][-1] is By.INFERRED
    assert len(undone) == 3  # the placement before it, its draw, and the inferred one


def test_a_correction_replays_what_comes_after(store: Store, tmp_path: Path) -> None:
    session = begin(store)
    session.apply([Draw(0, "RRY5"), Draw(1, "GBY1"), Draw(0, "RRR6"), Draw(0, "BBB6")], By.CAMERA, 0.9, picture=JPEG)
    pictures = [one.picture for one in session.played]
    corrected = session.correct(3, Draw(0, "GGG6"), "it was green")
    assert corrected.action == Draw(0, "GGG6")
    assert corrected.by is By.HAND
    assert [str(one.action) for one in session.played] == ["draw 0 RRY5", "draw 1 GBY1", "draw 0 GGG6", "draw 0 BBB6"]
    assert [one.picture for one in session.played] == pictures
    expected = GAME.new(2)
    for one in session.played:
        expected = expected.play(one.action)
    assert session.position == expected
    assert same(session, afresh(session, tmp_path))


def test_a_correction_that_breaks_a_later_action_is_refused_with_its_number(store: Store, tmp_path: Path) -> None:
    session = begin(store)
    session.apply([Draw(0, "RRY5"), Draw(1, "GBY1"), Draw(0, "RRR6"), Draw(0, "BBB6")], By.CAMERA, 0.9)
    before = session.record
    with pytest.raises(IllegalSequenceError, match="action 4") as refused:
        session.correct(2, Draw(1, "BBB6"))
    assert refused.value.number == 4
    assert isinstance(refused.value, IllegalActionError)
    with pytest.raises(IllegalSequenceError) as refused:
        session.correct(2, Pass())
    assert refused.value.number == 2
    assert session.record == before
    assert same(session, afresh(session, tmp_path))


@pytest.mark.parametrize("number", [0, -1, 4])
def test_only_actions_that_there_are_can_be_corrected(store: Store, number: int) -> None:
    session = play(begin(store), 3)
    with pytest.raises(UnknownActionError, match="the last is 3"):
        session.correct(number, Pass())


def test_rulings_notes_and_pauses_are_entries_that_change_no_position(store: Store, tmp_path: Path) -> None:
    session = play(begin(store), 9)
    position = session.position
    session.rule("Dan, referee", "the tile was let go: it stays")
    session.note("question", "which tile lies on cell 12?")
    session.pause()
    session.pause()
    assert session.paused
    assert afresh(session, tmp_path).paused
    session.pause(False)
    assert not session.paused
    assert session.position == position
    kinds = [entry.kind for entry in session.record.entries[9:]]
    assert kinds == [Kind.RULING, Kind.NOTE, Kind.PAUSE, Kind.PAUSE]
    assert session.record.entries[9].who == "Dan, referee"
    assert same(session, afresh(session, tmp_path))


def misfit(session: Session) -> Place:
    """A tile of the player's own on a lit field, with colours that do not match."""
    for action in session.position.legal_actions():
        if isinstance(action, Place):
            for rotation in range(3):
                other = Place(action.tile, action.cell, rotation)
                refusal = session.position.explain(other)
                if refusal is not None and len(refusal.sites) > 1:
                    return other
    raise AssertionError("everything fits here")


def test_what_a_ruling_lets_stand_counts_from_then_on(store: Store, tmp_path: Path) -> None:
    session = play(begin(store), 40)
    action, player = misfit(session), session.position.turn or 0
    before = session.position
    with pytest.raises(IllegalActionError):
        session.apply([action], By.HAND)
    session.rule("Dan", "noticed too late: it stands", stands=action)
    assert session.played[-1].action == action
    assert session.played[-1].by is By.RULING
    assert session.position.view().sites[f"cell:{action.cell}"] == f"{action.tile}/{action.rotation}"
    value, matching, bonus, points = before.arithmetic(action)  # type: ignore[attr-defined]
    neighbours = [n for _, n in GAME.cells[action.cell].neighbours if before.board[n] >= 0]  # type: ignore[attr-defined]
    assert matching < len(neighbours)
    assert (
        session.position.totals[player]
        == before.totals[player] + points
        == (  # type: ignore[attr-defined]
            before.totals[player] + value * matching * bonus  # type: ignore[attr-defined]
        )
    )
    assert [entry.kind for entry in session.record.entries[-2:]] == [Kind.RULING, Kind.PLAY]
    assert same(session, afresh(session, tmp_path))
    again = import_text(export_text(session.record))
    assert [entry.action for entry in again.counting()] == [entry.action for entry in session.record.counting()]
    assert import_json(export_json(session.record)).counting()[-1].by is By.RULING


def test_a_ruling_that_the_game_could_not_survive_is_refused_and_leaves_no_trace(store: Store, tmp_path: Path) -> None:
    session = play(begin(store), 40)
    before = session.record
    taken = next(cell for cell, code in enumerate(session.position.board) if code >= 0)  # type: ignore[attr-defined]
    own = next(a for a in session.position.legal_actions() if isinstance(a, Place))
    with pytest.raises(IllegalSequenceError):
        session.rule("Dan", "it stands", stands=Place(own.tile, taken, 0))
    assert session.record == before
    assert same(session, afresh(session, tmp_path))


def test_a_ruling_takes_back_an_action_and_all_after_it(store: Store, tmp_path: Path) -> None:
    session = play(begin(store), 20)
    position, kept = session.positions[11], session.played[:11]
    session.rule("Dan", "12 was against the rules", back_to=12)
    assert session.position == position
    assert session.played == kept
    assert [entry.kind for entry in session.record.entries[-2:]] == [Kind.RULING, Kind.UNDO]
    assert same(session, afresh(session, tmp_path))
    with pytest.raises(UnknownActionError):
        session.rule("Dan", "nothing there", back_to=12)


def test_playing_on_ends_a_pause(store: Store) -> None:
    session = play(begin(store), 2)
    session.pause()
    play(session, 1)
    assert not session.paused


def test_the_end_gives_a_result_which_undo_takes_back(store: Store, tmp_path: Path) -> None:
    session = play(begin(store))
    assert session.ending is not None
    assert session.ending.scores == session.position.scores
    assert session.ending.winners == session.position.winners
    assert session.record.entries[-1].kind is Kind.RESULT
    assert store.latest_unfinished() is None
    with pytest.raises(IllegalSequenceError, match="TRI-END"):
        session.apply([Pass()], By.HAND)
    session.undo()
    assert session.ending is None
    assert store.latest_unfinished() == session.name
    assert not store.records()[0].over
    play(session, seed=5)
    assert same(session, afresh(session, tmp_path))
    assert store.records()[0].scores == session.position.scores


def test_a_game_given_up_has_no_result_and_can_be_taken_up_again(store: Store, tmp_path: Path) -> None:
    session = play(begin(store), 12)
    session.give_up("supper")
    assert store.latest_unfinished() is None
    assert store.records()[0].scores == ()
    session.give_up()
    assert len(session.record.entries) == 13
    assert same(session, afresh(session, tmp_path))
    play(session, 1)
    assert session.ending is None
    assert store.latest_unfinished() == session.name


def test_a_game_that_is_over_cannot_be_given_up(store: Store) -> None:
    session = play(begin(store))
    before = session.record
    session.give_up()
    assert session.record == before
    assert store.records()[0].scores == session.position.scores


def test_the_game_begun_last_is_resumed_first(store: Store) -> None:
    first, second = begin(store), begin(store)
    assert first.name != second.name
    found = Session.latest_unfinished(store)
    assert found is not None
    assert found.name == second.name
    play(second)
    found = Session.latest_unfinished(store)
    assert found is not None
    assert found.name == first.name
    play(first)
    assert Session.latest_unfinished(store) is None


def test_no_record_of_that_name(store: Store) -> None:
    with pytest.raises(UnknownRecordError, match="no record 2020"):
        Session.resume(store, "2020")


def test_a_clock_that_jumps_back_does_no_harm(store: Store, tmp_path: Path) -> None:
    clock = Clock()
    session = play(begin(store, clock=clock), 4)
    clock.now = 5.0  # a Raspberry Pi that has lost the time
    play(session, 4, seed=2)
    other = begin(store, clock=clock)
    assert other.name.startswith("1970")
    assert [one.number for one in session.played] == list(range(1, 9))
    assert session.played[4].stamp < session.played[3].stamp
    assert same(session, afresh(session, tmp_path))
    assert store.latest_unfinished() == other.name
    clock.now = other.record.started - 1.0
    assert begin(store, clock=clock).name == f"{other.name}-2"


Deed = st.tuples(st.sampled_from(["play", "play", "play", "undo", "single", "correct"]), st.integers(0, 10_000))


@settings(max_examples=100, deadline=None)
@given(deeds=st.lists(Deed, max_size=40), players=st.integers(2, 4))
def test_the_record_always_leads_to_the_same_position(deeds: list[tuple[str, int]], players: int) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Store(Path(folder)) as store:
        session = begin(store, players)
        session.apply(
            [Draw(p, tile) for p, tile in enumerate(["RRY5", "RRB4", "BPY3", "BRY1"][:players])], By.CAMERA, 1
        )
        for deed, number in deeds:
            do(session, deed, number)
        found = afresh(session, Path(folder))
        assert same(session, found)
    position = GAME.new(players)
    for entry in found.record.counting():
        position = position.play(GAME.parse(entry.action or ""))
    assert session.position == position


def do(session: Session, deed: str, number: int) -> None:
    """Does it where it can be done; where it cannot, nothing may have changed."""
    before = (session.record, session.positions)
    try:
        if deed == "play":
            actions = sorted(session.position.legal_actions(), key=str)
            session.apply([actions[number % len(actions)]], By.CAMERA, 0.5)
        elif deed == "correct":
            where = number % len(session.played)
            actions = sorted(session.positions[where].legal_actions(), key=str)
            session.correct(where + 1, actions[number % len(actions)])
        else:
            session.undo(single=deed == "single")
    except (IllegalSequenceError, NothingToUndoError, ZeroDivisionError):
        assert (session.record, session.positions) == before
