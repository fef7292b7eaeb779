"""Other set files of VIA: smaller and odd ones play through, wrong ones are named."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games.sets import SetError
from companion.games.via import Via
from tests.games.test_via_playouts import eager
from tests.games.via_naive import NaiveVia
from tests.games.via_sets import edited, small


def agree(path: Path, players: int, seeds: range) -> set[str]:
    """Plays random games by both rules; gives how they ended."""
    game, endings = Via(path), set()
    for seed in seeds:
        chance, position, naive = random.Random(seed), game.new(players), NaiveVia(players, set_file=path)
        while not naive.over:
            legal = sorted(naive.legal())
            assert sorted(map(str, position.legal_actions())) == legal
            text = eager(chance, legal)
            naive.play(text)
            position = position.play(game.parse(text))
        assert (position.ending, list(position.scores)) == (naive.over, naive.scores())
        assert list(position.winners) == naive.winners()
        endings.add(naive.over)
    return endings


@pytest.mark.parametrize(
    ("columns", "rows", "counts", "players", "seats"),
    [
        (4, 3, {"ST": 2, "S2": 3, "S3": 3, "S4": 3, "C4": 4, "W": 5}, 2, 2),
        (3, 5, {"ST": 4, "S2": 1, "C2": 3, "C3": 3, "C4": 3, "W": 3}, 3, 3),
        (5, 4, {"ST": 1, "S2": 3, "S4": 3, "C2": 2, "C3": 2, "W": 4}, 4, 4),
        (6, 2, {"ST": 2, "S3": 2, "C3": 2, "W": 2}, 2, 2),
        (2, 2, {"ST": 2, "W": 2}, 2, 2),
        (9, 9, {"ST": 4, "S2": 2, "S3": 2, "C4": 2, "W": 4}, 4, 4),
    ],
)
def test_a_set_with_other_fields_and_counts(
    tmp_path: Path, columns: int, rows: int, counts: dict[str, int], players: int, seats: int
) -> None:
    path = small(tmp_path, columns, rows, counts, seats)
    assert agree(path, players, range(4))
    game = Via(path)
    assert len({site.name for site in game.sites}) == len(game.sites) == 5 * columns * rows
    assert game.player_counts == range(2, seats + 1)


def test_an_empty_stock_and_passing_occur(tmp_path: Path) -> None:
    path = small(tmp_path, 5, 5, {"ST": 1, "S2": 2, "C3": 2, "S4": 2, "W": 3})
    assert "VIA-END-4" in agree(path, 2, range(12))


def test_other_tiles(tmp_path: Path) -> None:
    """A start tile with three exits, a road that ends in the middle of a tile, and a new kind."""
    halved, odd = "[[0, 1], [2, 3], [4, 5, 6, 7]]", '[[tile.kinds]]\ncode = "S1X"\ncount = 5\ntype = "straight"\n'
    odd += 'exits = ["E", "W"]\nparts = [[6, 7, 0, 1], [2, 3, 4, 5]]\n\n[[tile.kinds]]\ncode = "W"'
    path = edited(
        tmp_path,
        (r'exits = \["N", "E", "S", "W"\]\nparts = .*?$', f'exits = ["N", "E", "S"]\nparts = {halved}'),
        (r'exits = \["N", "S"\]\nparts = .*?$', 'exits = ["N"]\nparts = [[0, 1, 2, 3, 4, 5, 6, 7]]'),
        (r'\[\[tile.kinds\]\]\ncode = "W"', odd),
        (r"^columns = 7", "columns = 5"),
    )
    game = Via(path)
    labels = {lie.label for lie in game.lies if lie.kind.code in ("ST", "S1X", "W")}
    assert labels == {"ST/0", "ST/1", "ST/2", "ST/3", "S1X/0", "S1X/1", "W"}
    assert len(game.new(2).legal_actions()) == 35 * 4
    assert agree(path, 3, range(6))
    for label in ("ST/2", "S2/3", "S1X/1"):
        assert game.look("cell", label)


def test_fields_beyond_nine_rows_sort_by_number(tmp_path: Path) -> None:
    game = Via(edited(tmp_path, (r"^rows = 7", "rows = 12")))
    assert game.cells[8:13] == ("a9", "a10", "a11", "a12", "b1")
    assert str(game.parse("lay S2 g12 1")) == "lay S2 g12 1"


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ((r"^seats = 4", "seats = 5"), r"at `\$.seats"),
        ((r"^columns = 7", "columns = 27"), r"at `\$.grid.columns"),
        ((r"^columns = 7", "columns = 0"), r"at `\$.grid.columns"),
        ((r"^columns = 7", "columns = 1"), "grid has 7 fields; the starting round needs 8"),
        ((r"^rows = 7", 'rows = "seven"'), r"got `str` - at `\$.grid.rows"),
        ((r"^rows = 7", ""), r"missing required field `rows` - at `\$.grid"),
        ((r"^pitch = 47.0", "pitch = -1.0"), r"at `\$.grid.pitch"),
        ((r"^pitch", "pich"), r"`pich` - at `\$.grid"),
        ((r"^land = \[96, 150, 72\]", "land = [96, 150]"), r"at `\$.tile.land"),
        ((r'code = "S2"', 'code = "S3"'), "tile.kinds names S3 twice"),
        ((r'code = "S2"', 'code = "s2"'), r"at `\$.tile.kinds\[1\].code"),
        ((r'^type = "start"', 'type = "straight"'), 'one kind of the type "start", and has 0'),
        ((r'^(code = "S2".*?)type = "straight"', r'\1type = "water"'), "water has no exits and no parts"),
        ((r'^type = "curvy"', 'type = "bent"'), r"at `\$.tile.kinds\[4\].type"),
        ((r'exits = \["N", "S"\]', 'exits = ["N", "N"]'), r"tile.kinds\[1\] \(S2\): exits needs"),
        ((r'exits = \["N", "S"\]', "exits = []"), r"tile.kinds\[1\] \(S2\): exits needs"),
        ((r'exits = \["N", "S"\]', 'exits = ["N", "X"]'), r"at `\$.tile.kinds\[1\].exits\[1\]"),
        ((r'exits = \["N", "S"\]', 'exits = ["N"]'), "half-sides 3 and 4 apart, but side S has no exit"),
        (
            (r"\[\[0, 1, 2, 3\], \[4, 5, 6, 7\]\]", "[[0, 1, 2, 4], [3, 5, 6, 7]]"),
            "2 and 3 apart, but they meet in a corner",
        ),
        ((r"\[\[0, 1, 2, 3\], \[4, 5, 6, 7\]\]", "[[0, 1, 2, 3], [4, 5, 6]]"), "each half-side, 0 to 7, exactly once"),
        ((r"\[\[0, 1, 2, 3\], \[4, 5, 6, 7\]\]", "[[0, 1, 2, 3], [4, 5, 6, 8]]"), r"at `\$.tile.kinds\[1\].parts"),
        ((r'^(code = "W".*?)count = 8', r"\1count = 3"), r"\(W\): count needs to be 4 at least"),
        ((r'^(code = "ST".*?)count = 4', r"\1count = 0"), r"\(ST\): count needs to be 1 at least"),
        ((r"^count = 36", "count = 35"), r"house.count and castle.count need 9 and 1 for each seat \(4\)"),
        ((r"^yellow = .*?$", ""), r"building.colours needs one entry a seat \(4\)"),
        ((r"^ids = \[8, 9, 10, 11\]", "ids = [8, 9]"), "one entry a card"),
        ((r'^shape = "square"', 'shape = "triangle"'), 'has to be "square"'),
        ((r"^rows = 7", "rows = = 7"), "line 13, column 8"),
    ],
)
def test_a_wrong_set_file_is_refused_with_file_and_place(tmp_path: Path, edit: tuple[str, str], words: str) -> None:
    with pytest.raises(SetError, match=words) as refused:
        Via(edited(tmp_path, edit))
    assert str(refused.value).startswith(f"{tmp_path / 'other.toml'}: ")


def test_a_file_that_is_no_set_file_is_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (binary, tmp_path, tmp_path / "none.toml"):
        with pytest.raises(SetError, match=str(path)):
            Via(path)
