"""Who sits where."""

from __future__ import annotations

import pytest

from companion.games.core import SetupError
from companion.games.registry import table_game
from companion.table.seating import numbered, seated
from companion.ui.games import playable


@pytest.mark.parametrize("name", playable())
def test_an_impossible_number_of_players_is_refused_before_anybody_is_seated(name: str) -> None:
    game = table_game(name)
    for count in game.player_counts:
        assert [player.name for player in seated(game, numbered(count))] == list(numbered(count))
    for count in (1, max(game.player_counts) + 1, 9):
        with pytest.raises(SetupError, match=str(count)):
            seated(game, numbered(count))
