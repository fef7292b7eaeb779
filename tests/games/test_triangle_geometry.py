"""Where the sites of Triangle lie and how tiles look there."""

from __future__ import annotations

import json
from math import cos, dist, radians, sin, sqrt
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.looks import Area, Disc, Glyph, Prism
from companion.games.registry import load_game
from companion.games.sites import EMPTY, SiteSpec
from companion.games.triangle import Triangle
from tests.games.triangle_naive import sides, turned

GAME: Triangle = load_game("triangle")  # type: ignore[assignment]
SITES = {site.name: site for site in GAME.sites}
STILLS = Path(__file__).parents[3] / "shared" / "stills" / "triangle"


def on_board(site: SiteSpec, point: tuple[float, float]) -> tuple[float, float]:
    """A point of the site's frame in the board frame."""
    angle, (x, y) = radians(site.angle), point
    return (site.centre[0] + x * cos(angle) + y * sin(angle), site.centre[1] - x * sin(angle) + y * cos(angle))


def lattice(point: tuple[int, int]) -> tuple[float, float]:
    """A corner of the grid, (line from the apex, number from the left), in the board frame."""
    edge, (line, number) = GAME.set.grid.cell_edge, point
    height = edge * sqrt(3) / 2
    return (number - line / 2) * edge, 4 * height - line * height


def test_the_grid_is_centred_and_its_sites_are_complete() -> None:
    cells = [SITES[f"cell:{cell}"] for cell in range(36)]
    assert sum(site.centre[0] for site in cells) == pytest.approx(0)
    assert sum(site.centre[1] for site in cells) == pytest.approx(0)
    assert len(SITES) == len(GAME.sites) == 36 + 16 + 100
    assert len(cells[0].labels) == 1 + 6 + 30 * 3
    assert {site.labels[0] for site in GAME.sites} == {EMPTY}


def test_neighbours_share_the_side_that_they_say() -> None:
    for number, cell in enumerate(GAME.cells):
        expected = [
            (side, other)
            for side, ends in enumerate(sides(number))
            for other in range(36)
            if other != number and ends in sides(other)
        ]
        assert list(cell.neighbours) == expected


@pytest.mark.parametrize("cell", [0, 2, 5, 12, 35])
@pytest.mark.parametrize("rotation", [0, 1, 2])
def test_a_tile_shows_its_colours_at_its_sides(cell: int, rotation: int) -> None:
    site = SITES[f"cell:{cell}"]
    (tile,) = GAME.look("cell", f"BPR2/{rotation}")
    assert isinstance(tile, Prism)
    areas = [mark for mark in tile.marks if isinstance(mark, Area)]
    colours = {colour: name for name, colour in GAME.set.tile.colours.items()}
    for side, ends in enumerate(sides(cell)):
        (x0, y0), (x1, y1) = map(lattice, ends)
        middle = (x0 + x1) / 2, (y0 + y1) / 2
        nearest = min(areas, key=lambda area: dist(middle, on_board(site, _centre(area))))
        assert colours[nearest.colour] == turned("BPR2", rotation)[side]


def _centre(area: Area) -> tuple[float, float]:
    return sum(x for x, _ in area.corners) / 3, sum(y for _, y in area.corners) / 3


def test_a_tile_lies_inside_its_cell() -> None:
    for cell in range(36):
        site = SITES[f"cell:{cell}"]
        corners = [lattice(point) for ends in sides(cell) for point in ends]
        (tile,) = GAME.look("cell", "GRY3/2")
        assert isinstance(tile, Prism)
        for corner in tile.footprint:
            gap = min(dist(on_board(site, corner), other) for other in corners)
            assert gap == pytest.approx((46.0 - 44.0) / sqrt(3))


def test_holes_run_clockwise_from_the_apex() -> None:
    places = [SITES[f"hole:{hole}"].centre[:2] for hole in range(1, 101)]
    apex, step = (0.0, 372.0 / sqrt(3)), 3 * 372.0 / 100
    assert dist(places[0], apex) == pytest.approx(step / 2)
    assert dist(places[99], apex) == pytest.approx(step / 2)
    assert places[0][0] > 0 > places[99][0]
    turns = [a[0] * b[1] - a[1] * b[0] for a, b in zip(places, places[1:] + places[:1], strict=True)]
    assert max(turns) < 0
    (plate,) = GAME.board
    assert isinstance(plate, Prism)
    drawn = [mark.centre for mark in plate.marks if isinstance(mark, Disc)]
    assert drawn == places


def test_racks_are_read_from_the_upper_left() -> None:
    for seat, (x, y) in enumerate(GAME.set.rack.centres):
        corners = [(x - 27, y + 27, -10), (x + 27, y + 27, -10), (x - 27, y - 27, -10), (x + 27, y - 27, -10)]
        assert [SITES[f"rack:{seat}.{slot}"].centre for slot in range(4)] == corners


def test_bonus_digits_point_to_the_apex_corner_of_their_cell() -> None:
    (plate,) = GAME.board
    assert isinstance(plate, Prism)
    digits = {mark.centre: (mark.text, mark.up) for mark in plate.marks if isinstance(mark, Glyph)}
    sites = {cell: SITES[f"cell:{cell}"] for cell, factor in enumerate(GAME.bonus) if factor}
    assert digits == {site.centre[:2]: (str(GAME.bonus[cell]), site.angle) for cell, site in sites.items()}
    assert [cell for cell, site in sites.items() if site.angle] == [2, 10, 14, 26, 30, 34]


@pytest.mark.parametrize("truth", sorted(STILLS.glob("*.truth.json")) or ["none"], ids=str)
def test_a_foreign_picture_shows_the_colours_where_the_sites_say(truth: Path | str) -> None:
    if isinstance(truth, str):
        pytest.skip("the pictures are not on this machine")
    told = json.loads(truth.read_text())
    image = cv2.GaussianBlur(cv2.imread(str(truth.with_name(told["image"]))), (0, 0), 1.5)
    samples = list(_samples(told, cv2.cvtColor(image, cv2.COLOR_BGR2LAB)))
    mean = {c: np.mean([lab for colour, lab in samples if colour == c], axis=0) for c in {c for c, _ in samples}}
    wrong = [c for c, lab in samples if min(mean, key=lambda other: float(np.linalg.norm(lab - mean[other]))) != c]
    assert len(samples) >= 30
    assert len(wrong) <= 0.02 * len(samples)


def _samples(told: dict, lab: np.ndarray):  # type: ignore[no-untyped-def, type-arg]
    """The colour that each sector of each visible tile on a cell should have, and what the picture shows there."""
    c = told["camera"]
    matrix = np.array([[c["fx"], 0, c["cx"]], [0, c["fy"], c["cy"]], [0, 0, 1.0]])
    turn, lens = cv2.Rodrigues(np.array(c["R"]))[0], np.array([c["k1"], c["k2"], 0, 0])
    for name, label in told["sites"].items():
        if not name.startswith("cell:") or name in told["occluded"]:
            continue
        (tile,) = GAME.look("cell", label)
        colours = {colour: letter for letter, colour in GAME.set.tile.colours.items()}
        for area in (mark for mark in tile.marks if isinstance(mark, Area)):  # type: ignore[union-attr]
            x, y = on_board(SITES[name], tuple(1.25 * v for v in _centre(area)))  # type: ignore[arg-type]
            point = np.array([[[x, y, GAME.set.tile.thickness]]])
            u, v = cv2.projectPoints(point, turn, np.array(c["t"]), matrix, lens)[0].ravel()
            yield colours[area.colour], lab[round(v), round(u)].astype(float)
