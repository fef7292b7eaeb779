"""What the rules refuse when it is entered by hand stands by a ruling, in every game, by touch alone."""

from __future__ import annotations

import random

import pytest

from companion.games.core import CHANCE, IllegalActionError
from companion.games.registry import GAMES, load_game
from companion.table.seating import seated
from companion.ui.screens.ruling import RulingScreen
from tests.games.test_let_stand import PLAYERS, standing
from tests.ui.conftest import Program
from tests.ui.finger import Finger
from tests.ui.memory import MemoryLibrary, MemoryTable
from tests.ui.playing import table_of

NAMES = ("Ada", "Ben", "Cleo", "Dora")


def at_a_fault(table: MemoryTable, chance: random.Random) -> IllegalActionError:
    """Plays on until something can be done that the rules refuse and that can stand."""
    for _ in range(400):
        position = table.state().position
        action = standing(position, chance) if position.turn != CHANCE else None
        if action is not None:
            refusal = position.explain(action)
            assert refusal is not None
            return IllegalActionError(action, refusal)
        table.enter(chance.choice(sorted(position.legal_actions(), key=str)))
    raise AssertionError("nothing can stand")


def opened(
    program: Program, name: str, size: tuple[int, int] = (800, 480)
) -> tuple[Finger, MemoryTable, random.Random]:
    library = MemoryLibrary()
    table = library.new_game(name, seated(load_game(name), NAMES[: PLAYERS[name]]), {})
    return program(library, size, model=table), table, random.Random(name)


@pytest.mark.parametrize("name", GAMES)
def test_an_entry_that_is_refused_stands_by_a_ruling(program: Program, name: str) -> None:
    finger, table, chance = opened(program, name)
    error = at_a_fault(table, chance)
    finger.settle()
    before = table.state().position
    table_of(finger).attempt(table.enter, error.action)
    finger.settle()
    assert finger.reads("Not allowed")
    finger.tap("Rule otherwise")
    assert isinstance(finger.app.screen, RulingScreen)
    assert finger.reads("If it stands, this counts:")
    finger.tap("It stands")
    finger.tap("Reason")
    finger.tap("All agree")
    finger.tap("Ruled by")
    for letter in "Dan":
        finger.tap(letter.upper())
    finger.tap("check")
    finger.tap("Enter the ruling")
    assert table.told == [f"ruling by Dan: {error.refusal.clause} {error.action}: It stands. All agree"]
    assert table.state().position == before.let_stand(error.action)
    assert finger.screen in ("table", "result")
    finger.settle()


def test_what_cannot_stand_is_not_offered(program: Program) -> None:
    finger, table, _ = opened(program, "triangle")
    with pytest.raises(IllegalActionError):
        table.enter(load_game("triangle").parse("place RRY5 12 1"))
    table_of(finger).attempt(table.enter, load_game("triangle").parse("place RRY5 12 1"))
    finger.settle()
    assert finger.reads("Not allowed")
    assert "Rule otherwise" not in [button.label for button in finger.buttons()]
