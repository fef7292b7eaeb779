"""Beginnings of games of Labyria on small boards, from which the tests of its clauses go on."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.games.labyria import Labyria, LabyriaPosition
from companion.games.registry import load_game
from tests.games.labyria_sets import small

GAME: Labyria = load_game("labyria")  # type: ignore[assignment]

BEGUN = ["roll 0 2", "roll 1 1"]
"""Player 0 places first."""
CORNERS = [*BEGUN, "corner c3 NE", "corner c4 NE", "corner b3 NE", "corner d3 NE"]
"""The arm of the corner on b3 lies where the one on c3 would turn to the west."""
PLAYING = [*BEGUN, *BEGUN]
"""Player 0 has the first turn, where there is nothing to place."""
OUT = [*PLAYING, "dice 1 minus", "move a1 b1", "dice 1 skip"]
"""Player 0 has a figure on b1 and is to throw."""
DEAD_END = [*PLAYING, "dice 4 plus", "move a1 c3", "add a1-a2", "dice 1 skip", "dice 1 plus", "add b1-b2", "move c3 c4"]
DEAD_END += ["dice 1 skip", "dice 1 plus", "add b1-c1", "move c4 c5", "dice 1 skip"]
"""a1 and b1 are cut off; player 0 has two figures there and one on c5."""
LOCKED = [*PLAYING, "dice 1 skip", "dice 1 plus", "move f6 f5", "add a1-a2", "dice 1 skip", "dice 1 plus", "add a1-b1"]
LOCKED += ["move f5 f4"]
"""Nobody leaves a1."""
BARRED = [*PLAYING, "dice 5 plus", "move a1 d3", "add c4-d4", "dice 2 minus"]
"""On the board of 4 by 4, player 1 leaves d4 only by d3, where a figure of player 0 stands."""
ATTACK = [*PLAYING, "dice 3 minus", "move a1 d1", "dice 3 minus", "move d4 d1"]
"""On the board of 4 by 4, player 1 attacks straight down from d4."""
AGAIN = [*PLAYING, "dice 1 minus", "move a1 a2", "dice 3 minus", "move b2 a2"]
"""On the board of 2 by 2, player 1 attacks by way of b1 and b2 again."""


def boards(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Labyria]:
    """The usual game; boards of 6, 4 and 2 fields a side with four squares in the depot; and with two corners each."""
    wanted = {"6": (6, 6, 4, 0), "4": (4, 4, 4, 0), "2": (2, 2, 4, 0), "corners": (6, 6, 4, 4)}
    made = {}
    for name, (columns, rows, squares, corners) in wanted.items():
        folder = tmp_path_factory.mktemp("set")
        path = small(folder, columns, rows, squares=squares, corners=corners, numbers="1, 2, 3, 4, 5, 6")
        made[name] = Labyria(path)
    return {"usual": GAME, **made}


def after(game: Labyria, actions: list[str], players: int = 2, **options: object) -> LabyriaPosition:
    position = game.new(players, options)
    for text in actions:
        position = position.play(game.parse(text))
    return position


def clause(position: LabyriaPosition, text: str) -> str | None:
    refusal = position.explain(position.game.parse(text))
    return refusal.clause if refusal else None


def lists(position: LabyriaPosition, word: str) -> list[str]:
    """The legal actions that begin with that word."""
    return sorted(str(action) for action in position.legal_actions() if str(action).split()[0] == word)


def shown(position: LabyriaPosition) -> dict[str, str]:
    """What stands on fields."""
    sites = position.view().sites.items()
    return {site.removeprefix("cell:"): label for site, label in sites if site[:4] == "cell" and label != "empty"}
