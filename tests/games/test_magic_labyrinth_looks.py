"""Where the sites of the Magic Labyrinth lie, what stands on them, and what somebody did who made the table look so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.looks import Area, Ball, Prism
from companion.games.magic_labyrinth import MagicLabyrinth, symbols
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from tests.games.test_magic_labyrinth_clauses import JUMPING, MISSED, PASSED, STAR, SUN, TOOK, after, called

GAME: MagicLabyrinth = load_game("magic_labyrinth")  # type: ignore[assignment]
SITES = {site.name: site for site in GAME.sites}
STILLS = Path(__file__).parents[3] / "shared" / "stills" / "magic_labyrinth"


def test_sites_are_complete_and_lie_where_the_set_file_says() -> None:
    assert len(SITES) == len(GAME.sites) == 24 + 16 + 1 + 24
    assert SITES["cell:a1"].centre == (-90.0, -90.0, 0.0)
    assert SITES["cell:d4"].centre == (90.0, 90.0, 0.0)
    assert SITES["cell:b2"].labels == (EMPTY, "red", "yellow", "green", "blue")
    assert SITES["tray:0"].centre == (189.0, 110.0, -25.0)
    assert SITES["tray:1"].centre == (241.0, 110.0, -25.0)
    assert SITES["tray:23"].centre == (241.0, -110.0, -25.0)
    assert SITES["chip"].labels == ("none", *GAME.grid.cells)
    for name in GAME.grid.slots:
        low, high = (SITES[f"cell:{cell}"].centre for cell in name.split("-"))
        site = SITES[f"slot:{name}"]
        assert site.centre == tuple((a + b) / 2 for a, b in zip(low, high, strict=True))
        assert site.angle == (0.0 if low[1] == high[1] else 90.0)
        assert site.labels == (EMPTY, "wall")


def extent(prism: Prism) -> tuple[float, float, float, float]:
    xs, ys = zip(*prism.footprint, strict=True)
    return min(xs), max(xs), min(ys), max(ys)


def test_walls_show_their_colour_only_upside_down() -> None:
    (standing,), (pulled,) = GAME.look("slot", "wall"), GAME.look("tray", "red")
    assert isinstance(standing, Prism)
    assert isinstance(pulled, Prism)
    assert (extent(standing), standing.z1, standing.marks) == ((-4.0, 4.0, -23.0, 23.0), 6.0, ())
    assert (extent(pulled), pulled.z1) == ((-23.0, 23.0, -4.0, 4.0), 22.0)
    assert [mark.colour for mark in pulled.marks] == [GAME.set.wall.colours["red"]]
    assert pulled.colour == standing.colour == GAME.set.wall.top_colour
    assert GAME.look("slot", EMPTY) == GAME.look("chip", "none") == GAME.look("tray", EMPTY) == ()


def test_the_chip_lies_on_the_field_of_its_label_with_its_symbol() -> None:
    (star,), (corner,), (moved,) = (GAME.look("chip", label) for label in ("a2", "a4", "a4 star"))
    assert isinstance(star, Prism)
    assert isinstance(corner, Prism)
    assert isinstance(moved, Prism)
    left, right, low, high = extent(star)
    assert ((left + right) / 2, (low + high) / 2) == pytest.approx(SITES["cell:a2"].centre[:2])
    assert corner.marks == ()
    assert len(moved.marks) == len(star.marks) == 6
    assert moved.footprint == corner.footprint


def test_every_symbol_has_a_drawing_of_convex_areas_within_its_circle() -> None:
    assert set(symbols.DRAWINGS) == set(GAME.symbols)
    for name in GAME.symbols:
        for mark in symbols.marks(name, (0.0, 0.0), 30.0, (0, 0, 0), (255, 255, 255)):
            points = mark.corners if isinstance(mark, Area) else getattr(mark, "points", ())
            assert all(x * x + y * y < 15.5**2 for x, y in points)
            if isinstance(mark, Area):
                assert _convex(mark.corners)


def _convex(corners: tuple[tuple[float, float], ...]) -> bool:
    around = zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2], strict=True)
    turns = [(b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) for a, b, c in around]
    return all(turn <= 1e-9 for turn in turns) or all(turn >= -1e-9 for turn in turns)


def test_figures_and_board() -> None:
    *body, head = GAME.look("cell", "blue")
    assert isinstance(head, Ball)
    assert head.z + head.diameter / 2 == 45.0
    assert all(isinstance(part, Prism) for part in body)
    (plate,) = GAME.board
    assert isinstance(plate, Prism)
    assert extent(plate) == (-140.0, 140.0, -140.0, 140.0)
    slots = [mark for mark in plate.marks if mark.colour == GAME.set.wall.slot_colour]
    assert len(slots) == 24


@pytest.mark.parametrize("name", ["magic_labyrinth_04003", "magic_labyrinth_04004", "magic_labyrinth_04009"])
def test_the_labels_of_true_pictures_are_labels_here(name: str) -> None:
    if not STILLS.exists():
        pytest.skip("the example pictures are not on this machine")
    for site, label in json.loads((STILLS / f"{name}.truth.json").read_text())["sites"].items():
        assert label in SITES[site].labels


def test_pulled_walls_stand_in_the_tray_in_order_and_go_back_from_anywhere_in_it() -> None:
    pulled = ["symbol owl", *called("a1-a2"), *called("a2-a3", "blue"), "call blue a3-a4", "reveal red"]
    view = after(pulled).view()
    assert [view.sites[f"tray:{k}"] for k in range(4)] == ["red", "blue", "red", EMPTY]
    one_back = after([*pulled, "insert red a1-a2"]).view()
    assert [(group.sites, group.labels) for group in one_back.groups] == [(("tray:0", "tray:2"), ("red",))]
    assert one_back.sites["tray:1"] == "blue"
    hidden = after([*pulled[:-1]]).view()
    assert "tray:2" not in hidden.sites
    assert hidden.sites["slot:a3-a4"] == EMPTY


@pytest.mark.parametrize(
    ("actions", "seen", "broken", "action"),
    [
        (STAR, {"slot:b2-c2": EMPTY}, "MAG-TURN-1", "early b2-c2"),
        (STAR, {"cell:a1": EMPTY, "cell:b1": "red"}, "MAG-TURN-4", "step b1"),
        (STAR, {"cell:a1": EMPTY, "cell:c3": "red"}, "MAG-TURN-4", "step c3"),
        (STAR, {"cell:d4": EMPTY, "cell:d3": "green"}, "MAG-TURN-1", None),
        (STAR, {"chip": "b3"}, "MAG-SYMBOL-2", None),
        (STAR, {"chip": "none"}, "MAG-SYMBOL-1", None),
        ([], {"chip": "a1"}, "MAG-SETUP-3", None),
        ([*SUN, *MISSED], {"cell:a1": EMPTY, "cell:a2": "red"}, "MAG-TURN-3", "step a2"),
        ([*SUN, *MISSED], {"slot:c1-c2": EMPTY}, "MAG-TURN-3", "early c1-c2"),
        ([*SUN, *called("a1-a2")], {"slot:a1-a2": "wall", "tray:0": EMPTY}, "MAG-WALL-1", "insert red a1-a2"),
        (TOOK, {"slot:a1-a2": "wall", "tray:0": EMPTY}, "MAG-SYMBOL-1", "insert red a1-a2"),
        (JUMPING, {"cell:c1": EMPTY, "cell:d2": "red"}, "MAG-JUMP-1", "step d2"),
        (PASSED, {"cell:d2": EMPTY, "cell:b2": "red"}, "MAG-JUMP-1", "step c2 b2"),
    ],
)
def test_judge_names_what_was_done(actions: list[str], seen: dict[str, str], broken: str, action: str | None) -> None:
    position = after(actions)
    shown = position.view()
    colours = {"red": "red", "green": GAME.seat_colours[GAME.seats(2)[1]]}
    judgement = position.judge({site: colours.get(label, label) for site, label in seen.items()})
    assert judgement is not None
    assert judgement.refusal.clause == broken
    assert (judgement.action and str(judgement.action)) == action
    assert "{" not in GAME.clauses.text(judgement.refusal, "fr")
    assert position.view() == shown


def test_judge_says_nothing_about_what_may_be() -> None:
    assert after(STAR).judge({"slot:a1-a2": EMPTY}) is None
    assert after([*SUN, *MISSED]).judge({"slot:a1-a2": "wall", "tray:0": EMPTY}) is None
    assert after(STAR).judge({"cell:a1": EMPTY}) is None
