"""Other set files of the Magic Labyrinth: other boards play through, wrong ones are named; the notation."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games.core import NotationError, SetupError
from companion.games.magic_labyrinth import MagicLabyrinth
from companion.games.registry import load_game
from companion.games.sets import SetError
from tests.games.magic_labyrinth_naive import SET
from tests.games.magic_labyrinth_sets import edited, sized

GAME: MagicLabyrinth = load_game("magic_labyrinth")  # type: ignore[assignment]


@pytest.mark.parametrize(("columns", "rows"), [(2, 5), (3, 4), (6, 6), (1, 12), (26, 3)])
def test_another_board_plays_through(tmp_path: Path, columns: int, rows: int) -> None:
    corners = () if columns > 1 else ("a1", "a4", "a7", "a10")
    game = MagicLabyrinth(sized(tmp_path, columns, rows, corners))
    chance, position = random.Random(1), game.new(2)
    for _ in range(800):
        if position.over:
            break
        position = position.play(chance.choice(position.legal_actions()))
    slots = columns * (rows - 1) + rows * (columns - 1)
    assert len(game.sites) == slots + columns * rows + 1 + slots
    assert position.view().sites["cell:a1"] in ("empty", *game.seat_colours)


def test_slots_of_high_rows_name_the_lower_field_first(tmp_path: Path) -> None:
    game = MagicLabyrinth(sized(tmp_path, 1, 12, ("a1", "a4", "a7", "a10")))
    assert "a9-a10" in game.grid.slot
    assert len(game.grid.slot) == 11


def test_counts_follow_the_set_file(tmp_path: Path) -> None:
    game = MagicLabyrinth(edited(tmp_path, (r"^green = \[45, 150, 75\]\n", "")))
    assert (game.colours, game.each_colour) == (("red", "yellow", "blue"), 8)
    with pytest.raises(NotationError, match="it can be: red, yellow, blue"):
        game.parse("call green a1-b1")


def test_options_are_checked() -> None:
    assert GAME.new(2, {"may_stop": True}).choices.may_stop
    with pytest.raises(SetupError, match="option must_go is 1"):
        GAME.new(2, {"must_go": 1})
    with pytest.raises(SetupError, match="unknown option 'speed'"):
        GAME.new(2, {"speed": 1})


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ((r"^columns = 4 ", "columns = 5 "), "grid.arrows needs every field once"),
        ((r"^rows = 4", "rows = 3"), "grid.corners: there is no field a4, only a1 to d3"),
        ((r"^rows = 4", "rows = 0"), r"at `\$.grid.rows"),
        ((r"^columns = 4 ", "columns = 27 "), r"at `\$.grid.columns"),
        ((r'"a1", "a4", "d4", "d1"\]', '"a1", "a4", "a1", "d1"]'), "grid.corners needs 4 different fields"),
        ((r'"a1", "a4", "d4", "d1"\]', '"a1", "a4", "d1"]'), "grid.corners needs 4 different fields"),
        ((r'"c3", "c2"\]', '"c3", "c3"]'), "grid.arrows needs every field once"),
        ((r'"c3", "c2"\]', '"c3", "c9"]'), "grid.arrows: there is no field c9"),
        ((r'^star = "a2"', 'star = "e2"'), "symbols.star is 'e2'; it has to be a field, a1 to d4"),
        ((r'^star = "a2"', "star = 2"), "symbols.star is 2.0; it has to be a field"),
        ((r'^star = "a2"', '"big star" = "a2"'), "symbols: 'big star' has to be one word"),
        ((r'^star = "a2"', 'star = "a3"'), "each one needs a field of its own"),
        ((r'^star = .*?^feather = "b3"$', ""), "symbols has 7; a game can take 10"),
        ((r"^diameter = 30.0", "diameter = -1.0"), "symbols.diameter has to be a length"),
        ((r"^diameter = 30.0", ""), "symbols.diameter has to be a length"),
        ((r"^diameter = 30.0", 'diameter = "a1"'), "symbols.diameter has to be a length"),
        ((r"^count = 24", "count = 20"), r"wall.count is 20; it has to be one a slot \(24\)"),
        ((r"^blue = \[40, 95, 185\]", "blue = [40, 95, 185]\npink = [1, 2, 3]"), "wall.colours has 5 entries"),
        ((r"^red = \[200, 40, 45\]", '"dark red" = [200, 40, 45]'), "wall.colours: 'dark red' has to be one word"),
        ((r"^blue = \[30, 80, 175\]", ""), r"figure.colours needs one entry a seat \(4\)"),
        ((r"^rows = 12", "rows = 11"), "tray has 22 places; there may be 24 walls"),
        ((r'^shape = "square"', 'shape = "triangle"'), 'has to be "square"'),
        ((r"^ids = \[16, 17, 18, 19\]", "ids = [16, 17, 18]"), "one entry a card"),
        ((r"^pitch = 60.0", "pitch = -60.0"), r"at `\$.grid.pitch"),
        ((r"^seats = 4", "seats = 3"), r"at `\$.seats"),
        ((r"^above_board", "over_board"), r"`over_board` - at `\$.wall"),
        ((r"^rows = 4", "rows = = 4"), "line 13, column 8"),
    ],
)
def test_a_wrong_set_file_is_refused_with_file_and_place(tmp_path: Path, edit: tuple[str, str], words: str) -> None:
    with pytest.raises(SetError, match=words) as refused:
        MagicLabyrinth(edited(tmp_path, edit))
    assert str(refused.value).startswith(f"{tmp_path / 'other.toml'}: ")


def test_four_fields_are_too_few_for_four_figures(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        (r"^columns = 4 ", "columns = 2 "),
        (r"^rows = 4", "rows = 2"),
        (r"^corners = .*?$", 'corners = ["a1", "a2", "b2", "b1"]'),
        (r"^arrows = .*?$", 'arrows = ["a1", "a2", "b2", "b1"]'),
    )
    with pytest.raises(SetError, match="grid has 4 fields; there have to be more than figures"):
        MagicLabyrinth(path)


def test_the_set_file_is_the_owners() -> None:
    theirs = Path(__file__).parents[3] / "shared" / "sets" / "magic_labyrinth.toml"
    if not theirs.exists():
        pytest.skip("the owner's set files are not on this machine")
    assert SET.read_text() == theirs.read_text()


@pytest.mark.parametrize(
    "text",
    [
        "", "symbol", "symbol Star", "symbol dog", "symbol star ", "call a1-b1", "call a1-b1 red", "call red b1-a1",
        "call red a1-a1", "call red a1-b2", "call red a1", "call pink a1-b1", "call red  a1-b1", "Call red a1-b1",
        "early", "early a1", "early d4-e4", "early a4-a5", "reveal", "reveal pink", "reveal red a1-b1", "step",
        "step e1", "step a0", "step a01", "step a1 b1 c1", "step A1", "insert red", "insert a1-b1", "insert red a1–b1",
        "done 1", "done ", " done", "pass",
    ],
)  # fmt: skip
def test_what_is_not_notation(text: str) -> None:
    with pytest.raises(NotationError):
        GAME.parse(text)
