"""Games to look at: real ones, played to a certain point by a seeded hand."""

from __future__ import annotations

import random
from collections.abc import Mapping

from companion.games.core import CHANCE
from companion.games.registry import load_game
from companion.table.seating import seated
from tests.ui.memory import MemoryLibrary, MemoryTable

NAMES = ("Ada", "Ben", "Cleo", "Dora")


def played(
    library: MemoryLibrary,
    players: int = 2,
    actions: int = 30,
    seed: int = 1,
    options: Mapping[str, object] | None = None,
) -> MemoryTable:
    """A game of that many actions at least, stopped where a player is to act, or over."""
    people = seated(load_game("triangle"), NAMES[:players])
    table = library.new_game("triangle", people, options or {})
    choice = random.Random(seed)
    while not table.state().position.over:
        position = table.state().position
        if len(table.actions) >= actions and position.turn != CHANCE:
            break
        table.enter(choice.choice(sorted(position.legal_actions(), key=str)))
    return table
