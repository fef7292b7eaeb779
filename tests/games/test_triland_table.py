"""What the table shows in Magic Triland: sites, looks, set files, and what people do against the rules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games.looks import Ball, Disc, Prism
from companion.games.magic_triland import MagicTriland
from companion.games.sets import SetError
from tests.games.triland_naive import NaiveTriland
from tests.games.triland_tables import GAME, VARIANTS, after, arranged, edited, going, listed, start

CELLS = {site.name: site for site in GAME.sites if site.kind == "cell"}
SHARED = Path(__file__).parents[3] / "shared" / "sets" / "magic_triland.toml"


def test_sites_and_labels() -> None:
    assert len(GAME.sites) == 36 + 6
    assert CELLS["cell:A1"].labels == ("empty", "1", "2", "3", "4", "5", "6")
    pieces = {site.name: site for site in GAME.sites if site.name.startswith("piece:")}
    assert set(pieces) == {
        f"piece:{shade}-{colour}" for shade in ("light", "dark") for colour in ("red", "yellow", "blue")
    }
    assert pieces["piece:light-red"].labels[0] == "off"
    assert set(pieces["piece:light-red"].labels[-4:]) == {"@red", "~green", "~orange", "~purple"}
    assert len(pieces["piece:light-red"].labels) == 1 + 36 + 4


def test_cells_lie_as_the_set_file_says() -> None:
    down = 40.0 * 3**0.5 / 2
    assert CELLS["cell:A1"].centre == pytest.approx((0.0, 14 / 3 * down, 0.0))
    assert CELLS["cell:H1"].centre == pytest.approx((-140.0, -7 / 3 * down, 0.0))
    assert CELLS["cell:H8"].centre == pytest.approx((140.0, -7 / 3 * down, 0.0))
    for axis in range(2):
        assert sum(cell.centre[axis] for cell in CELLS.values()) == pytest.approx(0.0)
    for cell in GAME.cells:
        near = {
            k for k, other in enumerate(GAME.cells) if 1 < (cell.x - other.x) ** 2 + (cell.y - other.y) ** 2 < 41**2
        }
        assert near == set(cell.neighbours)


def test_homes_and_broadsides_are_printed_outside_the_fields() -> None:
    (plate,) = GAME.board
    assert isinstance(plate, Prism)
    discs = {mark.colour: mark for mark in plate.marks if isinstance(mark, Disc)}
    assert discs[GAME.set.colours["blue"]].centre == pytest.approx((0.0, CELLS["cell:A1"].centre[1] + 40.0))
    assert discs[GAME.set.colours["red"]].centre[0] > CELLS["cell:H8"].centre[0]
    assert discs[GAME.set.colours["yellow"]].centre[1] < CELLS["cell:H1"].centre[1]
    spot = GAME.look("piece:dark-red", "~orange")[0]
    assert isinstance(spot, Prism)
    assert min(y for _, y in spot.footprint) < CELLS["cell:H1"].centre[1] - 37
    for shore, cells in zip(("green", "orange", "purple"), GAME.shore_cells, strict=True):
        base = GAME.look("piece:light-blue", f"~{shore}")[0]
        assert isinstance(base, Prism)
        x, y = (sum(c) / len(base.footprint) for c in zip(*base.footprint, strict=True))
        nearest = min(range(36), key=lambda k: (GAME.cells[k].x - x) ** 2 + (GAME.cells[k].y - y) ** 2)
        assert nearest in cells
        assert [GAME.cells[k].name for k in cells] == {
            "green": ["B1", "C1", "D1", "E1", "F1", "G1"],
            "orange": ["H2", "H3", "H4", "H5", "H6", "H7"],
            "purple": ["B2", "C3", "D4", "E5", "F6", "G7"],
        }[shore]


def test_blocks_and_messengers_look_as_in_the_set() -> None:
    (block,) = GAME.look("cell", "4")
    assert isinstance(block, Prism)
    assert (block.z0, block.z1, block.colour) == (0.0, 24.0, GAME.set.block.light)
    across = [x for x, _ in block.footprint]
    assert max(across) - min(across) == pytest.approx(38.5)
    assert GAME.look("cell", "3")[0].colour == GAME.set.block.dark
    assert GAME.look("cell", "empty") == GAME.look("piece:dark-red", "off") == ()
    foot, stick = GAME.look("piece:dark-red", "C2")
    assert (foot.colour, stick.colour) == (GAME.set.piece.dark, GAME.set.colours["red"])
    loaded = GAME.look("piece:dark-red", "C2 RRO")
    assert len(loaded) == 5
    assert isinstance(loaded[-1], Ball)
    assert loaded[-1].z == pytest.approx(6.0 + 2 * 5.0 + 7.0)
    assert loaded[-1].colour == GAME.set.colours["orange"]


def test_two_stand_side_by_side_at_home() -> None:
    centres = []
    for shade in ("light", "dark"):
        foot = GAME.look(f"piece:{shade}-yellow", "@yellow")[0]
        assert isinstance(foot, Prism)
        centres.append([sum(c) / len(foot.footprint) for c in zip(*foot.footprint, strict=True)])
    (ax, ay), (bx, by) = centres
    assert (ax - bx) ** 2 + (ay - by) ** 2 > GAME.set.piece.base_diameter**2


def test_a_messenger_may_stand_on_any_cell_of_its_terrace() -> None:
    view = arranged("basic", {"light-blue": "C2", "dark-red": "B2", "light-red": "~orange"}).view()
    assert view.either == {"piece:light-blue": ("C2", "D2", "D3")}
    assert view.sites["piece:dark-red"] == "B2"
    assert view.sites["piece:light-red"] == "~orange"
    assert view.sites["piece:dark-blue"] == "@blue"
    assert view.sites["cell:C1"] == "5"


AWAY = {"light-blue": "B2", "light-red": "C2", "dark-red": "C2", "light-yellow": "A1"}


@pytest.mark.parametrize(
    ("seen", "clause", "action"),
    [
        ({"piece:light-blue": "C2"}, "TLD-MOVE-3", "go light C2 1"),
        ({"piece:light-blue": "D2"}, "TLD-MOVE-3", "go light C2 1"),
        ({"piece:light-blue": "~purple"}, "TLD-MOVE-4", "go light ~purple 1"),
        ({"piece:light-blue": "@blue"}, "TLD-MOVE-5", "go light @blue 1"),
        ({"piece:light-blue": "H8"}, "TLD-LAND-1", "go light H8 1"),
        ({"piece:dark-red": "E2"}, "TLD-MOVE-1", None),
        ({"cell:A1": "4"}, "TLD-SETUP-5", None),
        ({"piece:light-blue": "off"}, None, None),
        ({"piece:light-blue": "A1"}, None, None),  # a move of cost 2, which is legal
    ],
)
def test_what_somebody_did_is_judged(seen: dict[str, str], clause: str | None, action: str | None) -> None:
    judgement = going("basic", 2, AWAY).judge(seen)
    assert (judgement.refusal.clause if judgement else None) == clause
    assert (str(judgement.action) if judgement and judgement.action else None) == action


def test_blocks_out_of_place_are_judged() -> None:
    first = start("basic").judge({"cell:C2": "4"})
    assert first is not None
    assert (first.refusal.clause, str(first.action)) == ("TLD-SETUP-4", "block 4 C2")
    assert start("basic").judge({"cell:A1": "4"}) is None
    moved = after(start("basic"), "block 4 A1").judge({"cell:A1": "empty", "cell:B1": "4"})
    assert moved is not None
    assert moved.refusal.clause == "TLD-SETUP-4"
    early = start("basic").judge({"piece:light-blue": "C2"})
    assert early is not None
    assert early.refusal.clause == "TLD-SETUP-5"
    without = arranged("basic").judge({"piece:light-blue": "C2"})
    assert without is not None
    assert without.refusal.clause == "TLD-CARD-1"


def test_the_set_file_that_came_with_the_rules_can_be_used() -> None:
    if not SHARED.exists():
        pytest.skip("the owner's set files are not on this machine")
    game = MagicTriland(SHARED)
    assert game.sites == GAME.sites
    assert game.board == GAME.board
    assert (game.set.ring.count, game.set.pearl.count, game.set.block.heights) == (8, 4, 6)


@pytest.mark.parametrize(
    ("edits", "cells"),
    [
        ([(r"^rows = 8", "rows = 5"), ('"H1"', '"E1"'), ('"H8"', '"E5"')], 15),
        ([(r"^rows = 8", "rows = 2"), ('"H1"', '"B1"'), ('"H8"', '"B2"')], 3),
        ([(r"^rows = 8", "rows = 11"), ('"H1"', '"K1"'), ('"H8"', '"K11"'), (r"^heights = 6", "heights = 11")], 66),
        ([(r"^blue = \"A1\"", 'blue = "H8"'), (r"^red = \"H8\"", 'red = "A1"')], 36),
        ([(r"^values = .*?]", "values = [0, 1, 2, 3, 4]")], 36),
        ([(r"^per_value_per_player = 2", "per_value_per_player = 1"), (r"^count = 4", "count = 1")], 36),
    ],
)
def test_other_sets_play_through(tmp_path: Path, edits: list[tuple[str, str]], cells: int) -> None:
    path = edited(tmp_path, *edits)
    game = MagicTriland(path)
    assert len(game.cells) == cells
    assert len({site.name for site in game.sites}) == cells + 6
    for seed, variant in enumerate(VARIANTS):
        chance, position, naive = random.Random(seed), start(variant, game=game, turns=100), None
        naive = NaiveTriland(variant, turns=100, set_file=path)
        while not position.over:
            legal = listed(position)
            if naive.turns < 25 or chance.random() < 0.1:
                assert legal == naive.legal()
            text = chance.choice(legal)
            getattr(naive, f"do_{text.split(' ')[0]}")(*text.split(" ")[1:])
            position = after(position, text)
        assert naive.over


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ((r"^rows = 8", "rows = 9"), "homes has to name the corner cells A1, I1, I9"),
        ((r"^rows = 8", "rows = 1"), r"at `\$.grid.rows"),
        ((r"^yellow = \"H1\"", 'yellow = "A1"'), "homes has to name the corner cells A1, H1, H8"),
        ((r"^orange = .*?]", 'orange = ["blue", "yellow"]'), "broadsides has to name each pair of homes once"),
        ((r"^orange = .*?]", 'orange = ["blue", "white"]'), r"at `\$.broadsides.orange"),
        ((r"^count_per_height = 6", "count_per_height = 5"), "18 blocks, too few for 36 cells"),
        ((r"^count_per_height = 6", "count_per_height = 2"), r"at `\$.block.count_per_height"),
        ((r"^values = .*?]", "values = [0, 1, 1, 3]"), "cards.values has to be ascending"),
        ((r"^values = .*?]", "values = [0, 1, 2, 9]"), r"at `\$.cards.values"),
        ((r"^per_value_per_player = 2", "per_value_per_player = 0"), r"at `\$.cards"),
        ((r"^count = 8", "count = 7"), r"at `\$.ring.count"),
        ((r"^purple = \[120", "violet = [120"), "colours has no purple"),
        ((r"^ids = \[12, 13, 14\]", "ids = [12]"), "one entry a card"),
        ((r'^shape = "triangle"', 'shape = "square"'), 'has to be "triangle"'),
        ((r"^seats = 3", "seats = 2"), r"at `\$.seats"),
        ((r"^step = 6.0", ""), "missing required field `step`"),
        ((r"^max_rings = 4", "max_rings = 0"), r"at `\$.piece.max_rings"),
    ],
)
def test_a_wrong_set_file_is_refused_with_file_and_place(tmp_path: Path, edit: tuple[str, str], words: str) -> None:
    with pytest.raises(SetError, match=words) as refused:
        MagicTriland(edited(tmp_path, edit))
    assert str(refused.value).startswith(f"{tmp_path / 'other.toml'}: ")


@pytest.mark.parametrize(
    "text",
    [
        "", "block", "block 0 A1", "block 7 A1", "block 3 I1", "block 3 a1", "block 03 A1", "block 3 A1 ",
        " block 3 A1",
        "pull 3 1", "pull 0 4", "pull 0 ?", "pull 0 01", "cards 2 1", "cards 1", "cards 1 2 3", "cards 0=0 1",
        "cards 0=4 1", "cards 1=2 3", "cards 0=1 0", "cards 1 0=1", "cards 4 4", "cards -1 2", "go light C2",
        "go green C2 1", "go light @green 1", "go light ~red 1", "go light C2 -1", "go light C2 100", "go light C2 1.0",
        "forfeit 1", "trade red", "trade red white", "trade Red red", "offer", "offer R", "share R", "share YR/B",
        "share R/B/G", "share r/b", "share R B", "pearl green", "keep ", "Keep", "pass", "go  light C2 1",
    ],
)  # fmt: skip
def test_what_is_no_notation(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        GAME.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "block 4 C2", "pull 1 3", "cards 1 3", "cards 0=2 3", "cards 0 0=1", "cards 0=1 0=1", "cards 3 3",
        "go light F3 2",
        "go red ~orange 4", "go dark @blue 0", "forfeit", "trade red green", "offer red", "share RRB/Y", "share /RRB",
        "pearl", "keep",
    ],
)  # fmt: skip
def test_notation_goes_both_ways(text: str) -> None:
    assert str(GAME.parse(text)) == text
