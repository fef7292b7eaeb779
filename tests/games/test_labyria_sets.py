"""Other set files of Labyria: other boards play through, wrong ones are named."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games.bits import bits
from companion.games.core import NotationError, Rest
from companion.games.labyria import Labyria
from companion.games.registry import load_game
from companion.games.sets import SetError
from tests.games.labyria_sets import edited, small

GAME: Labyria = load_game("labyria")  # type: ignore[assignment]


@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (4, 6), (8, 4), (12, 12)])
def test_another_board_plays_through(tmp_path: Path, columns: int, rows: int) -> None:
    game = Labyria(small(tmp_path, columns, rows, squares=12, corners=4))
    chance, position = random.Random(1), game.new(2)
    for _ in range(600):
        if position.over:
            break
        position = position.play(chance.choice(position.legal_actions()))
    fields, edges = columns * rows, columns * (rows - 1) + rows * (columns - 1)
    assert len(game.sites) == fields + edges + (columns - 1) * (rows - 1) + 1
    assert len(game.grid.edge) == edges


def test_counts_follow_the_set_file(tmp_path: Path) -> None:
    game = Labyria(
        edited(tmp_path, (r"^slots = .*?\]\]", "slots = [[232.0, 0.0], [232.0, 36.0]]"), (r"count = 12", "count = 8"))
    )
    assert (game.depot, game.figures, game.shares(3)) == (2, 2, (14, 6))
    assert game.rest == Rest("depot", "square", {44: 2, 42: 1})  # two stay in the bag where four play
    fewer = Labyria(
        edited(tmp_path, (r'"plus", "minus", "skip", "double", "cloak", "rotate"', '"plus", "plus", "skip"'))
    )
    assert [str(action) for action in fewer.dice][:3] == ["dice 1 plus", "dice 1 skip", "dice 2 plus"]
    with pytest.raises(NotationError, match="plus, plus, skip"):
        fewer.parse("dice 1 cloak")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ((r"^columns = 10 ", "columns = 9 "), "grid.columns is 9; it has to be even"),
        ((r"^rows = 10", "rows = 8"), "grid.corners: there is no field a10, only a1 to j8"),
        ((r"^rows = 10", "rows = 0"), r"at `\$.grid.rows"),
        ((r"^columns = 10 ", "columns = 28 "), r"at `\$.grid.columns"),
        ((r'"a10", "j10"', '"a1", "j10"'), r"grid.corners needs 4 different fields"),
        ((r'"a10", "j10", "j1"', '"a10", "j10"'), r"grid.corners needs 4 different fields"),
        ((r"^count = 12", "count = 11"), "figure.count is 11"),
        ((r"^count = 12", "count = 0"), r"at `\$.figure.count"),
        ((r"^count = 44", "count = 3"), "depot.slots has 4 places, but there are only 3 squares"),
        ((r"^green = .*?$", ""), r"figure.colours needs one entry a seat \(4\)"),
        ((r"^numbers = \[1, 2, 3, 4, 5, 6\]", "numbers = [1, 1]"), "dice.numbers needs two different faces"),
        ((r"^numbers = \[1, 2", "numbers = [0, 2"), r"at `\$.dice.numbers"),
        ((r'"plus", "minus"', '"plus", "sword"'), r"'sword' - at `\$.dice.symbols"),
        ((r'^shape = "square"', 'shape = "triangle"'), 'has to be "square"'),
        ((r"^ids = \[4, 5, 6, 7\]", "ids = [4, 5, 6]"), "one entry a card"),
        ((r"^pitch = 36.0", "pitch = -36.0"), r"at `\$.grid.pitch"),
        ((r"^pitch = 36.0", ""), "missing required field `pitch` - at `\\$.grid"),
        ((r"^arm = 34.0", "arms = 34.0"), r"`arms` - at `\$.corner"),
        ((r"^seats = 4", "seats = 3"), r"at `\$.seats"),
        ((r"^rows = 10", "rows = = 10"), "line 13, column 8"),
    ],
)
def test_a_wrong_set_file_is_refused_with_file_and_place(tmp_path: Path, edit: tuple[str, str], words: str) -> None:
    with pytest.raises(SetError, match=words) as refused:
        Labyria(edited(tmp_path, edit))
    assert str(refused.value).startswith(f"{tmp_path / 'other.toml'}: ")


@pytest.mark.parametrize(
    "text",
    [
        "", "roll", "roll 0", "roll 4 1", "roll 0 7", "roll 0 01", "roll 00 1", "roll -1 1", "roll ² 1", "roll 0 ２",
        "dice 4", "dice cloak 4", "dice 4 Cloak", "square a1-a1", "square b1-a1", "square a1-c1", "square a1–b1",
        "corner j10 NE", "corner a10 NE", "corner e5 EN", "corner e5", "add a1", "add a1-b1 ", " add a1-b1", "remove",
        "turn e5 ne", "move a1", "move a1  b1", "move a0 a1", "move a1 k1", "move a1 a01", "move A1 b1", "defend",
        "defend 3", "shield c4", "evade", "evade d11", "pass 1", "Pass", "done ",
    ],
)  # fmt: skip
def test_what_is_not_notation(text: str) -> None:
    with pytest.raises(NotationError):
        GAME.parse(text)


def test_edges_and_crossings_lie_between_their_fields() -> None:
    grid = GAME.grid
    arms = [grid.edges[edge] for edge in grid.arms[grid.crossing["c4"]]]
    assert arms == ["c5-d5", "d4-d5", "c4-d4", "c4-c5"]
    corner = GAME.corner["c4", "SW"]
    assert {grid.edges[edge] for edge in bits(grid.corner_edges[corner])} == {"c4-d4", "c4-c5"}
    assert (len(grid.edge), len(grid.crossings), grid.crossings[grid.middle]) == (180, 81, "e5")
    assert "a9-a10" in grid.edge
    assert "j1-k1" not in grid.edge
