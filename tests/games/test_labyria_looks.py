"""Where the sites of Labyria lie, what stands on them, and what somebody did who made the table look so."""

from __future__ import annotations

import json
from math import dist
from pathlib import Path

import pytest

from companion.games.labyria import Labyria, LabyriaPosition
from companion.games.looks import Ball, Prism, Ring, Stroke
from companion.games.registry import load_game
from companion.games.sites import EMPTY

GAME: Labyria = load_game("labyria")  # type: ignore[assignment]
SITES = {site.name: site for site in GAME.sites}
STILLS = Path(__file__).parents[3] / "shared" / "stills" / "labyria"


def test_the_grid_is_centred_and_its_sites_are_complete() -> None:
    assert len(SITES) == len(GAME.sites) == 100 + 180 + 81 + 1
    cells = [site for site in GAME.sites if site.kind == "cell"]
    assert sum(site.centre[0] for site in cells) == sum(site.centre[1] for site in cells) == pytest.approx(0)
    assert SITES["cell:a1"].centre == (-162.0, -162.0, 0.0)
    assert SITES["cell:j1"].centre == (162.0, -162.0, 0.0)
    assert {site.labels[0] for site in GAME.sites} == {EMPTY, "0"}


def test_edges_and_crossings_lie_between_their_cells() -> None:
    for site in GAME.sites:
        if site.kind == "edge":
            ends = [SITES[f"cell:{cell}"].centre for cell in site.name[5:].split("-")]
            assert site.centre[:2] == tuple(sum(values) / 2 for values in zip(ends[0][:2], ends[1][:2], strict=True))
            assert site.angle == (0.0 if ends[0][1] == ends[1][1] else 90.0)
    x, y, _ = SITES["cell:c4"].centre
    assert SITES["crossing:c4"].centre == (x + 18, y + 18, 0.0)
    assert SITES["crossing:e5"].centre == (0.0, 0.0, 0.0)


def test_start_corners_hold_those_at_home_and_those_that_arrived() -> None:
    labels = SITES["cell:a1"].labels
    assert {"red", "red*3", "red*3+yellow*2", "yellow*3", "blue", "green", "blue+yellow*2", "yellow+green"} <= set(
        labels
    )
    assert not {"blue*2", "red+blue", "yellow+red"} & set(labels)
    assert SITES["cell:j1"].labels.count("red+blue*2") == 1
    assert SITES["cell:b2"].labels == (EMPTY, "red", "blue", "yellow", "green")
    assert SITES["depot"].labels[-1] == "44"


def solids(kind: str, label: str) -> list[Prism]:
    return [solid for solid in GAME.look(kind, label) if isinstance(solid, Prism)]


def extent(prisms: list[Prism]) -> tuple[float, float, float, float]:
    points = [point for prism in prisms for point in prism.footprint]
    xs, ys = zip(*points, strict=True)
    return min(xs), max(xs), min(ys), max(ys)


def test_obstacles_have_the_sizes_of_the_set_file() -> None:
    assert extent(solids("edge", "square")) == (-2.0, 2.0, -16.5, 16.5)
    assert extent(solids("crossing", "NE")) == (-2.0, 34.0, -2.0, 34.0)
    assert extent(solids("crossing", "SW")) == (-34.0, 2.0, -34.0, 2.0)
    assert extent(solids("crossing", "NW")) == (-34.0, 2.0, -2.0, 34.0)
    assert extent(solids("crossing", "SE")) == (-2.0, 34.0, -34.0, 2.0)
    assert {prism.z1 for prism in solids("crossing", "SE")} == {20.0}
    assert GAME.look("edge", EMPTY) == ()


@pytest.mark.parametrize("label", ["red", "red*3", "red*3+yellow*2"])
def test_figures_stand_beside_each_other(label: str) -> None:
    heads = [solid for solid in GAME.look("cell", label) if isinstance(solid, Ball)]
    expected = {"red": 1, "red*3": 3, "red*3+yellow*2": 5}[label]
    assert len(heads) == expected
    assert {head.z + head.diameter / 2 for head in heads} == {32.0}
    gaps = [dist(a.centre, b.centre) for k, a in enumerate(heads) for b in heads[:k]]
    assert all(gap >= 15.0 for gap in gaps)
    assert len([h for h in heads if h.colour == GAME.set.figure.colours["yellow"]]) == (2 if "yellow" in label else 0)


def test_squares_in_the_depot_lie_apart() -> None:
    for count in (0, 3, 4, 9, 44):
        lying = solids("depot", str(count))
        assert len({(prism.footprint, prism.z0) for prism in lying}) == count
    four = solids("depot", "4")
    assert {prism.z1 for prism in four} == {4.0}
    assert {(round(prism.footprint[0][1] - 16.5), prism.z0) for prism in four} == {(y, 0.0) for y in (-54, -18, 18, 54)}


def test_the_board_has_grooves_and_rings() -> None:
    (plate,) = GAME.board
    assert isinstance(plate, Prism)
    assert len([mark for mark in plate.marks if isinstance(mark, Stroke)]) == 18
    rings = {mark.centre: mark.colour for mark in plate.marks if isinstance(mark, Ring)}
    colours = GAME.set.figure.colours
    assert rings == {
        SITES[f"cell:{cell}"].centre[:2]: colours[colour]
        for cell, colour in (("a1", "red"), ("a10", "blue"), ("j10", "yellow"), ("j1", "green"))
    }


@pytest.mark.parametrize("name", ["labyria_01003", "labyria_01004", "labyria_01009"])
def test_the_labels_of_true_pictures_are_labels_here(name: str) -> None:
    if not STILLS.exists():
        pytest.skip("the example pictures are not on this machine")
    for site, label in json.loads((STILLS / f"{name}.truth.json").read_text())["sites"].items():
        assert label in SITES[site].labels


def thrown(*actions: str) -> LabyriaPosition:
    """After the setting up with a few obstacles each, player 0 throws."""
    position, number = GAME.new(2), 0
    for text in ("roll 0 2", "roll 1 1"):
        position = position.play(GAME.parse(text))
    while position.phase == "setup":
        number += 1
        legal = position.legal_actions()
        position = position.play(legal[number * 37 % len(legal)])
    for text in ("roll 0 2", "roll 1 1", *actions):
        position = position.play(GAME.parse(text))
    return position


def test_judge_names_the_action_that_was_attempted() -> None:
    position = thrown("dice 1 cloak")
    free = next(name for name, edge in GAME.grid.edge.items() if not position.walls >> edge & 1)
    square = next(site[5:] for site, label in position.view().sites.items() if label == "square")
    corner = next(site for site, label in position.view().sites.items() if label == "NE")
    cases = {
        f"add {free}": ({f"edge:{free}": "square"}, "LAB-TURN-2"),
        f"remove {square}": ({f"edge:{square}": EMPTY}, "LAB-TURN-2"),
        f"turn {corner[9:]} SW": ({corner: "SW"}, "LAB-TURN-2"),
        "move a1 c3": ({"cell:a1": "red*2", "cell:c3": "red"}, "LAB-MOVE-2"),
        "move j10 j9": ({"cell:j10": "yellow*2", "cell:j9": "yellow"}, "LAB-TURN-1"),
        None: ({corner: EMPTY}, "LAB-TURN-2"),
    }
    for action, (seen, broken) in cases.items():
        judgement = position.judge(seen)
        assert judgement is not None
        assert judgement.refusal.clause == broken
        assert (judgement.action and str(judgement.action)) == action
        assert "{" not in GAME.clauses.text(judgement.refusal, "de")
    assert position.judge({"cell:a1": EMPTY, "cell:a2": "red", "cell:b1": "red", "cell:b2": "red"}) is None
    assert position.judge({"cell:a1": "red*2", "cell:a2": "red"}) is None  # legal


def test_judge_follows_one_action_after_the_other() -> None:
    position = thrown("dice 1 plus")
    free = [name for name, edge in GAME.grid.edge.items() if not position.walls >> edge & 1][-2:]
    judgement = position.judge({f"edge:{name}": "square" for name in free})
    assert judgement is not None
    assert (judgement.refusal.clause, str(judgement.action)) == ("LAB-TURN-3", f"add {max(free)}")
    before = GAME.new(2)
    setting_up = before.play(GAME.parse("roll 0 2")).play(GAME.parse("roll 1 1"))
    judgement = setting_up.judge({"crossing:a1": "NE"})
    assert judgement is not None
    assert (judgement.refusal.clause, str(judgement.action)) == ("LAB-SETUP-4", "corner a1 NE")
    judgement = before.judge({"edge:e5-f5": "square"})
    assert judgement is not None
    assert judgement.refusal.clause == "LAB-SETUP-3"
