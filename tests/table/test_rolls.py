"""Dice of a running game: committed before the first roll, on record, and revealed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.core import CHANCE
from companion.games.registry import load_game, table_game
from companion.table import rolls
from companion.table.dice import DiceError, commitment_of
from companion.table.record import Kind
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store

LABYRIA = load_game("labyria")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


@pytest.fixture
def session(store: Store) -> Session:
    return Session.create(store, LABYRIA, seated(LABYRIA, None))


def test_the_commitment_is_there_before_the_first_roll_and_the_seed_at_the_end(store: Store, session: Session) -> None:
    shown = session.commitment
    assert shown is not None
    for _ in range(2):
        assert session.roll().by is By.DICE
    assert session.seed is None
    assert not any(entry.who == rolls.SEED for entry in store.record(session.name).entries)
    session.give_up()
    assert session.seed is not None
    assert commitment_of(session.seed) == shown
    stored = store.record(session.name).entries
    rolls.verify(stored)
    assert [roll.faces[0] for roll in rolls.rolls_of(stored)][:2] == [
        int(str(one.action).split()[-1]) for one in session.played[:2]
    ]


def test_the_chain_goes_on_after_a_restart_and_keeps_what_was_taken_back(store: Store, session: Session) -> None:
    session.roll()
    session.undo()
    again = Session.resume(store, session.name)
    assert again.commitment == session.commitment
    again.roll()
    assert [roll.number for roll in rolls.rolls_of(again.record.entries)] == [1, 2]
    again.give_up()
    rolls.verify(again.record.entries)


def test_a_roll_that_was_changed_is_found(session: Session) -> None:
    session.roll()
    session.give_up()
    entries = list(session.record.entries)
    k = next(k for k, entry in enumerate(entries) if entry.who == rolls.ROLL)
    faces = rolls.to_roll(entries[k].text or "")
    other = faces._replace(faces=(faces.faces[0] % 6 + 1,))  # type: ignore[operator]
    entries[k] = type(entries[k])(entries[k].number, Kind.NOTE, 0.0, who=rolls.ROLL, text=rolls.of_roll(other))
    with pytest.raises(DiceError, match="roll 1"):
        rolls.verify(entries)


def test_nothing_is_rolled_where_chance_throws_no_dice(session: Session) -> None:
    while session.position.turn == CHANCE:
        session.roll()
    with pytest.raises(ValueError, match="no dice"):
        session.roll()


@pytest.mark.parametrize(("name", "hidden"), [("via", True), ("magic_triland", True), ("triangle", False)])
def test_hidden_draws_are_remembered(store: Store, name: str, hidden: bool) -> None:
    game = table_game(name)
    assert game.hidden_draws is hidden
    session = Session.create(store, game, seated(game, None))
    assert Session.resume(store, session.name).game is game
    told = load_game(name, None, True)
    assert Session.resume(store, Session.create(store, told, seated(told, None)).name).game.hidden_draws


def test_a_drawn_tile_that_nobody_tells_is_on_record(store: Store) -> None:
    game = table_game("via")
    session = Session.create(store, game, seated(game, None))
    while session.position.phase == "start":
        session.apply([session.position.legal_actions()[0]], By.HAND)
    session.apply([game.parse("draw 0 ?")], By.INFERRED)
    assert Session.resume(store, session.name).position == session.position
