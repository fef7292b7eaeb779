"""Other set files of Triangle: smaller ones play through, wrong ones are named."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games.sets import SetError
from companion.games.triangle import Triangle
from tests.games.triangle_naive import NaiveTriangle
from tests.games.triangle_sets import edited, small

MIXED = ["RRR6", "RRY5", "BBR4", "GRY3", "BPR2", "WWW1", "YYR4", "PPR4", "GBY1", "BRY1", "RRG4", "RRP5", "BBY4"]


@pytest.mark.parametrize(
    ("rows", "count", "players"), [(3, 9, 2), (3, 5, 2), (2, 13, 3), (4, 6, 4), (3, 13, 4), (2, 4, 4), (1, 6, 2)]
)
def test_a_smaller_set_plays_through(tmp_path: Path, rows: int, count: int, players: int) -> None:
    path = small(tmp_path, rows, MIXED[:count], seats=players)
    game = Triangle(path)
    for seed in range(15):
        chance, position, naive = random.Random(seed), game.new(players), NaiveTriangle(players, set_file=path)
        while not naive.over:
            legal = sorted(map(str, position.legal_actions()))
            assert legal == sorted(naive.legal())
            text = chance.choice(legal)
            naive.play(text)
            position = position.play(game.parse(text))
        assert position.over
        assert list(position.scores) == naive.scores()
        assert len({site.name for site in game.sites}) == len(game.sites) == rows * rows + 4 * players + 100


def test_larger_boards_have_notation_for_every_cell(tmp_path: Path) -> None:
    game = Triangle(edited(tmp_path, (r"^rows = 6", "rows = 11")))
    assert str(game.parse("place RRR6 120 0")) == "place RRR6 120 0"


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ((r'"PPP6"', '"XXX6"'), "tile.colours has no colour X"),
        ((r'"RRR6", "BBB6"', '"RRR6", "RRR6"'), "tile.tiles names RRR6 twice"),
        ((r'"RRR6"', '"RR6"'), r"at `\$.tile.tiles\[0\]"),
        ((r"^34 = 3", "36 = 3"), "there is no cell 36, only 0 to 35"),
        ((r"^34 = 3", "apex = 3"), "there is no cell apex"),
        ((r"^34 = 3", "34 = 0"), r"`int` >= 1 - at `\$.grid.bonus"),
        ((r"^rows = 6", 'rows = "six"'), r"got `str` - at `\$.grid.rows"),
        ((r"^rows = 6", "rows = 0"), r"at `\$.grid.rows"),
        ((r"^rows = 6", ""), "missing required field `rows` - at `\\$.grid"),
        ((r"^cell_edge = 46.0", "cell_edge = -46.0"), r"at `\$.grid.cell_edge"),
        ((r"^cell_edge = 46.0", "cell_edge = nan"), r"at `\$.grid.cell_edge"),
        ((r"^cell_edge", "cel_edge"), r"`cel_edge` - at `\$.grid"),
        ((r"^colour = \[28, 28, 30\]", "colour = [28, 28, 300]"), r"at `\$.board.colour"),
        ((r"^slots = 4", "slots = 3"), r"at `\$.rack.slots"),
        ((r"^seats = 4", "seats = 5"), r"at `\$.seats"),
        ((r"^green = .*?^yellow", "yellow"), r"one entry a seat \(4\)"),
        ((r"^ids = \[0, 1, 2\]", "ids = [0, 1]"), "one entry a card"),
        ((r'^shape = "triangle"', 'shape = "square"'), 'has to be "triangle"'),
        ((r"^tiles = \[.*?^\]", 'tiles = ["RRR6", "BBB6", "GGG6", "YYY6"]'), "every first draw can be a tie"),
        ((r"^tiles = \[.*?^\]", "tiles = []"), "every first draw can be a tie"),
        ((r"^rows = 6", "rows = = 6"), "line 13, column 8"),
    ],
)
def test_a_wrong_set_file_is_refused_with_file_and_place(tmp_path: Path, edit: tuple[str, str], words: str) -> None:
    with pytest.raises(SetError, match=words) as refused:
        Triangle(edited(tmp_path, edit))
    assert str(refused.value).startswith(f"{tmp_path / 'other.toml'}: ")


def test_a_file_that_is_no_set_file_is_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (binary, tmp_path, tmp_path / "none.toml"):
        with pytest.raises(SetError, match=str(path)):
            Triangle(path)
