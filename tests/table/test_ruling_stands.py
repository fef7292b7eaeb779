"""An illegal action that a ruling lets stand, in every game: in the record with who, when and why, undone, resumed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games.core import Action, IllegalActionError
from companion.games.registry import GAMES, load_game
from companion.table.export import export_json, import_json
from companion.table.record import Kind
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store
from tests.games.test_let_stand import PLAYERS, standing

NAMES = ("Ada", "Ben", "Cleo", "Dora")
WHY = "an honest mistake"


def at_a_fault(session: Session, chance: random.Random) -> Action:
    """Plays on until something can be done that the rules refuse and that can stand."""
    for _ in range(400):
        found = standing(session.position, chance)
        if found is not None:
            return found
        session.apply([chance.choice(sorted(session.position.legal_actions(), key=str))], By.HAND)
    raise AssertionError("nothing can stand")


def play_on(session: Session, chance: random.Random, count: int) -> None:
    for _ in range(count):
        if not session.position.over:
            session.apply([chance.choice(sorted(session.position.legal_actions(), key=str))], By.HAND)


@pytest.mark.parametrize("name", GAMES)
def test_what_stands_is_kept_undone_and_resumed(name: str, tmp_path: Path) -> None:
    game, chance = load_game(name), random.Random(name)
    with Store(tmp_path) as store:
        session = Session.create(store, game, seated(game, NAMES[: PLAYERS[name]]), clock=lambda: 1.7e9)
        fault = at_a_fault(session, chance)
        before, count = session.position, len(session.played)
        with pytest.raises(IllegalActionError):
            session.apply([fault], By.HAND)
        session.rule("Dan", WHY, stands=fault)
        after = session.position
        ruling, play = session.record.entries[-2:]
        assert (ruling.kind, ruling.who, ruling.text, ruling.stamp) == (Kind.RULING, "Dan", WHY, 1.7e9)
        assert (play.kind, play.action, play.by) == (Kind.PLAY, str(fault), By.RULING)
        assert session.played[-1].events == before.events(fault)
        assert after == before.let_stand(fault) != before
        session.undo()
        assert len(session.played) <= count
        assert session.position == session.positions[-1] != after
        play_on(session, chance, 3)
        fault = at_a_fault(session, chance)
        session.rule("Dan", WHY, stands=fault)
        play_on(session, chance, 12)
        resumed = Session.resume(store, session.name)
        assert resumed.positions == session.positions
        assert resumed.played == session.played
        play_on(resumed, chance, 5)
        again = import_json(export_json(resumed.record))
        assert [entry.by for entry in again.counting()].count(By.RULING) == 1
