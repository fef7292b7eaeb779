"""What simulated people say when they are asked what happened."""

from __future__ import annotations

import pytest

from companion.games.registry import load_game
from companion.table.tapping import comes_next

GAME = load_game("triangle")
MISSING = (
    ("draw 1 PPP6", True),
    ("draw 0 GGR5", True),
    ("place BBB6 3 0", False),
    ("draw 0 GBY1", True),
    ("place BBR5 2 2", False),
    ("draw 1 GPR1", True),
)


@pytest.mark.parametrize(
    ("choice", "right"),
    [
        (("draw 1 PPP6", "draw 0 GGR5", "place BBB6 3 0"), True),
        (("draw 0 GGR5", "draw 1 PPP6", "place BBB6 3 0"), True),
        (("draw 1 PPP6", "place BBB6 3 0", "place BBR5 2 2"), True),
        (("place BBR5 2 2",), False),
        (("draw 1 GPR1", "place BBB6 3 0"), False),
        (("place BBB6 3 0", "draw 1 GPR1", "place BBR5 2 2"), False),
        (("draw 1 PPP6", "draw 1 PPP6"), False),
        (("draw 1 YYY6",), False),
    ],
)
def test_people_tell_what_happened_next_and_in_which_order(choice: tuple[str, ...], right: bool) -> None:
    assert comes_next([GAME.parse(text) for text in choice], MISSING) == right
