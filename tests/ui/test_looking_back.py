"""History, statistics, the referee's look back, rulings, clauses and cases on paper, on the real library."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.core import CHANCE, Judgement
from companion.games.registry import GAMES, load_game
from companion.referee.decision import Refuses
from companion.table.conductor import Conductor
from companion.table.library import Library
from companion.table.record import Kind
from companion.table.review import moments
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store
from companion.ui.games import face, playable
from companion.ui.moments import moment_text
from companion.ui.screens.review import ReviewScreen
from companion.ui.screens.table import TableScreen
from tests.table.test_session import misfit
from tests.ui.conftest import Program
from tests.ui.finger import Finger

GAME = load_game("triangle")
JPEG = cv2.imencode(".jpg", np.full((90, 160, 3), (0, 0, 255), np.uint8))[1].tobytes()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


def recorded(store: Store, actions: int = 30, seed: int = 2) -> Session:
    """A game of Ada and Ben of so many actions at least, stopped where a player is to act, or over."""
    session = Session.create(store, GAME, seated(GAME, ["Ada", "Ben"]))
    choice, position, played = random.Random(seed), session.position, []
    while not position.over and (len(played) < actions or position.turn == CHANCE):
        played.append(choice.choice(sorted(position.legal_actions(), key=str)))
        position = position.play(played[-1])
    session.apply(played, By.HAND)
    return session


def review(finger: Finger) -> ReviewScreen:
    screen = finger.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


def test_a_record_tells_each_moment_also_what_was_taken_back(store: Store) -> None:
    session = recorded(store)
    positions, count = session.positions, len(session.played)
    undone = session.undo()
    session.note("verdict", str({"verdict": "illegal", "clause": "TRI-PLACE-3", "sites": ["cell:12"]}))
    session.note("dice roll", "{}")
    found = moments(session.record)
    assert [moment.after for moment in found[:count]] == list(positions[1:])
    assert [moment.before for moment in found[:count]] == list(positions[:-1])
    assert [moment.counts for moment in found[:count]] == [True] * (count - len(undone)) + [False] * len(undone)
    assert (found[count].entry.kind, found[count].after) == (Kind.UNDO, session.position)
    assert found[-1].clauses == ("TRI-PLACE-3",)
    assert found[-1].told["sites"] == ["cell:12"]
    assert len(found) == count + 2


def test_a_correction_is_a_moment_with_the_position_that_it_led_to(store: Store) -> None:
    session = Session.create(store, GAME, seated(GAME, ["Ada", "Ben"]))
    session.apply([GAME.parse(text) for text in ("draw 0 RRR6", "draw 1 RRY5")], By.HAND)
    session.correct(1, GAME.parse("draw 0 BBR5"))
    last = moments(session.record)[-1]
    assert last.entry.kind is Kind.CORRECT
    assert last.played is not None
    assert str(last.played.action) == "draw 0 BBR5"
    assert last.after == session.position


def test_history_leads_to_the_moments_and_their_pictures(program: Program, store: Store) -> None:
    session = recorded(store)
    action = sorted(session.position.legal_actions(), key=str)[0]
    session.apply([action], By.CAMERA, 0.97, picture=JPEG)
    finger = program(Library(store))
    finger.tap("History")
    finger.tap(session.name)
    screen = review(finger)
    assert finger.reads(f"{len(session.played)} of {len(session.played)}")
    assert finger.reads("camera · 97 %")
    spot = screen.board_rect.center
    finger.tap("The picture")
    assert finger.app.surface.get_at(spot)[:3] == pytest.approx((254, 0, 0), abs=6)
    finger.tap("The board")
    before = screen.view()
    finger.tap("back")  # the button of the header comes first
    assert finger.screen == "history"
    finger.tap(session.name)
    for _ in range(3):
        review(finger).step(-1)
    finger.settle()
    assert review(finger).position() == session.positions[-4]
    assert review(finger).view() != before
    assert finger.reads("No picture was kept")


def test_moments_are_searched_by_player_and_by_clause(program: Program, store: Store) -> None:
    session = recorded(store)
    session.note("verdict", str({"verdict": "illegal", "clause": "TRI-PLACE-3", "sites": ["cell:12"]}))
    session.apply(sorted(session.position.legal_actions(), key=str)[:1], By.HAND)
    finger = program(Library(store))
    finger.tap("History")
    finger.tap(session.name)
    finger.tap("All clauses")
    assert review(finger).moment.clauses == ("TRI-PLACE-3",)  # type: ignore[union-attr]
    assert finger.reads("Edges that meet have the same colour.")
    finger.tap("TRI-PLACE-3")
    finger.tap("Everybody")
    finger.tap("first")
    seen = set()
    while "forward" in [button.icon for button in finger.buttons()]:
        seen.add(review(finger).moment.player)  # type: ignore[union-attr]
        finger.tap("forward")
    assert seen == {0}


def test_a_ruling_takes_an_action_back_with_a_reason_and_a_name(program: Program, store: Store) -> None:
    session = recorded(store)
    finger = program(Library(store))
    finger.tap("History")
    finger.tap(session.name)
    finger.tap("Rule")
    assert "Enter the ruling" not in [button.label for button in finger.buttons()]
    finger.tap("It is taken back")
    finger.tap("Reason")
    finger.tap("All agree")
    finger.tap("Ruled by")
    for letter in "MAX":
        finger.tap(letter)
    finger.tap("Done")
    finger.tap("Enter the ruling")
    assert finger.screen == "review"
    entries = store.record(session.name).entries
    assert [entry.kind for entry in entries[-2:]] == [Kind.RULING, Kind.UNDO]
    assert entries[-2].who == "Max"
    assert entries[-2].text is not None
    assert entries[-2].text.endswith("It is taken back. All agree")
    assert entries[-1].target == len(session.played)
    finger.tap("last")
    assert finger.reads("All agree")


def test_a_verdict_is_ruled_to_stand_from_the_table(program: Program, store: Store) -> None:
    session = recorded(store, actions=40)
    action = misfit(session)
    refusal = session.position.explain(action)
    assert refusal is not None
    model = Library(store).open_game(session.name)
    finger = program(Library(store), model=model)
    model._issue = Refuses(Judgement(refusal, action), refusal.sites)
    Conductor._changed(model)
    finger.settle()
    finger.tap("Rule otherwise")
    finger.tap("It stands")
    finger.tap("Reason")
    finger.tap("It was noticed too late")
    finger.tap("Ruled by")
    finger.tap("Ada")
    finger.tap("Enter the ruling")
    assert isinstance(finger.app.screen, TableScreen)
    state = model.state()
    assert state.issue is None
    assert (state.played[-1].action, state.played[-1].by) == (action, By.RULING)
    finger.app.leave_table()
    again = Library(store).open_game(session.name).state()
    assert again.position == state.position


def test_a_case_is_one_page_of_pdf(program: Program, store: Store) -> None:
    session = recorded(store)
    action = sorted(session.position.legal_actions(), key=str)[0]
    session.apply([action], By.CAMERA, 0.97, picture=JPEG)
    session.note("verdict", str({"verdict": "illegal", "clause": "TRI-PLACE-3", "sites": ["cell:12"]}))
    session.rule("Max", "TRI-PLACE-3: It stands. All agree")
    finger = program(Library(store), language="de")
    finger.tap("Verlauf")
    finger.tap(session.name)
    finger.tap("back")
    finger.tap(session.name)
    for number in range(3):
        review(finger).at = len(review(finger).moments) - 1 - number
        finger.app.rebuild()
        finger.settle()
        finger.tap("PDF")
        assert finger.reads("Gespeichert:")
    files = sorted((store.folder / "cases").glob("*.pdf"))
    assert len(files) == 3
    for file in files:
        content = file.read_bytes()
        assert content.startswith(b"%PDF")
        assert content.count(b"/Type /Page\n") == 1


def test_a_folder_that_cannot_be_written_is_said(program: Program, store: Store) -> None:
    session = recorded(store)
    (store.folder / "cases").write_text("in the way")
    finger = program(Library(store))
    finger.tap("History")
    finger.tap(session.name)
    finger.tap("PDF")
    assert finger.reads("The folder of the records is locked.")


def test_every_clause_can_be_read_and_decisions_are_marked(program: Program, store: Store) -> None:
    finger = program(Library(store))
    finger.tap("Referee")
    seen = set()
    for game in [button.label for button in finger.buttons() if button.label == "Triangle"]:
        finger.tap(game)
        while True:
            names = [button.label for button in finger.buttons() if button.label.startswith("TRI-")]
            for name in names:
                finger.tap(name)
                assert finger.reads(GAME.clauses[name].rule.in_language("en").split(".")[0])
                assert finger.reads("A decision") is GAME.clauses[name].decision
                assert finger.reads(f"Rulebook: {GAME.clauses[name].source}")
            seen |= set(names)
            if "forward" not in [button.icon for button in finger.buttons()]:
                break
            finger.tap("forward")
    assert seen == set(GAME.clauses)
    finger.tap("Decisions only")
    names = [button.label for button in finger.buttons() if button.label.startswith("TRI-")]
    assert names
    assert all(GAME.clauses[name].decision for name in names)


def test_statistics_tell_games_wins_and_scores_of_a_person(program: Program, store: Store) -> None:
    session = recorded(store, actions=1_000)
    assert session.ending is not None
    finger = program(Library(store))
    finger.tap("Best scores")
    finger.tap("Players")
    for player, name in enumerate(("Ada", "Ben")):
        finger.tap(name)
        score = str(session.ending.scores[player]).replace("-", "−")
        shown = finger.shown()
        assert shown.count(score) == 2  # mean and best
        assert ("1", str(int(player in session.ending.winners))) == tuple(shown[shown.index(score) - 2 :][:2])


@pytest.mark.parametrize("name", list(GAMES))
def test_every_clause_names_its_place_in_the_rulebook(name: str) -> None:
    clauses = load_game(name).clauses
    assert [clause for clause in clauses if len(clauses[clause].source) < 3] == []


@pytest.mark.parametrize("name", list(GAMES))
def test_the_places_are_in_the_rulebook(name: str) -> None:
    rulebook = Path(__file__).parents[3] / "shared" / "rulebooks" / f"{name}.txt"
    if not rulebook.exists():
        pytest.skip("the rulebooks are not here")
    text = rulebook.read_text(encoding="utf-8").casefold()
    clauses = load_game(name).clauses
    for clause in clauses:
        place = clauses[clause].source.split(" (")[0].split(",")[0]
        assert place.casefold() in text, (clause, place)


@pytest.mark.parametrize("name", playable())
def test_games_of_every_kind_are_looked_back_at(program: Program, store: Store, name: str) -> None:
    game = load_game(name)
    session = Session.create(store, game, seated(game, None))
    choice, position, actions = random.Random(3), session.position, []
    while not position.over and len(actions) < 90:
        actions.append(choice.choice(sorted(position.legal_actions(), key=str)))
        position = position.play(actions[-1])
    session.apply(actions, By.HAND)
    finger = program(Library(store), language="fr")
    finger.tap("Historique")
    finger.tap(session.name)
    screen = review(finger)
    told = 0
    for number in range(len(screen.moments) - 1, -1, -6):
        screen.at = number
        finger.app.rebuild()
        finger.settle()
        assert finger.screen == "review", number
        assert screen.moment is not None
        assert screen.moment.after == session.positions[min(number + 1, len(actions))]
        told += bool(moment_text(screen.moment, screen.state, screen.face, finger.app.words))
    assert told > 10
    finger.tap("PDF")
    assert finger.reads("Enregistré")


def test_what_must_stay_hidden_is_not_looked_up_while_the_game_goes_on(program: Program, store: Store) -> None:
    game = load_game("magic_labyrinth")
    session = Session.create(store, game, seated(game, None))
    choice, position, actions = random.Random(3), session.position, []
    while not (actions and face("magic_labyrinth").secret(actions[-1])):
        actions.append(choice.choice(sorted(position.legal_actions(), key=str)))
        position = position.play(actions[-1])
    session.apply(actions, By.HAND)
    finger = program(Library(store))
    finger.tap("History")
    finger.tap(session.name)
    assert finger.reads("It stays hidden until the game is over.")
    labels = [button.label for button in finger.buttons()]
    assert not {"Rule", "PDF"} & set(labels)
    assert not finger.reads(str(actions[-1]))
