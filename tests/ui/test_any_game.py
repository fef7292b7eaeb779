"""What holds for the table of any game: whatever is touched, nothing fails, and the record stays legal."""

from __future__ import annotations

import random

import pytest

from companion.games.registry import table_game
from companion.table.seating import seated
from companion.ui.games import face, playable
from companion.ui.language import Words
from tests.ui.conftest import Program
from tests.ui.memory import MemoryLibrary

NAMES = ("Ada", "Ben", "Cleo", "Dora")
AWAY = ("Leave the table", "Quit")


@pytest.mark.parametrize("name", playable())
def test_random_touches_at_the_table_never_fail(program: Program, name: str) -> None:
    library, game, choice = MemoryLibrary(list(NAMES)), table_game(name), random.Random(4)
    table = library.new_game(name, seated(game, NAMES[: max(game.player_counts)]), {})
    while len(table.actions) < 60:
        position = table.state().position
        legal = sorted(position.legal_actions(), key=str)
        table.enter(position.hidden_action() or choice.choice(legal))
    finger = program(library, model=table)
    for _ in range(90):
        assert finger.screen != "failsafe"
        buttons = [button for button in finger.buttons() if button.label not in AWAY]
        if buttons and choice.random() < 0.6:
            finger.at(*choice.choice(buttons).rect.center)
        else:
            finger.at(choice.randrange(800), choice.randrange(480))
    position = game.new(len(table.players))
    for action in table.actions:
        position = position.play(action)


@pytest.mark.parametrize("name", playable())
def test_every_option_and_value_has_words(name: str) -> None:

    game, look = table_game(name), face(name)
    for option in game.options:
        for language in ("en", "de", "fr"):
            words = Words(language)
            label, explanation = look.option(option.name, words)
            assert label
            assert explanation
            values = [look.value(option.name, value, words) for value in option.values]
            assert len(set(values)) == len(values)
            assert all(values)
