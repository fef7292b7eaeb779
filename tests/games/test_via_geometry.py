"""Where the sites of VIA lie and how tiles and buildings look there."""

from __future__ import annotations

import json
from collections import Counter
from math import dist
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.looks import Area, Disc, Prism
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.games.via import Via
from companion.games.via.tileset import Lie
from tests.games.via_naive import NaiveVia

GAME: Via = load_game("via")  # type: ignore[assignment]
SITES = {site.name: site for site in GAME.sites}
STILLS = Path(__file__).parents[3] / "shared" / "stills" / "via"
HALVES = [(6, 22), (22, 6), (22, -6), (6, -22), (-6, -22), (-22, -6), (-22, 6), (-6, 22)]
"""A point near the rim on each half-side, mm from the middle of a tile."""
EXITS = {"N": (0, 22), "E": (22, 0), "S": (0, -22), "W": (-22, 0)}


def inside(corners: tuple[tuple[float, float], ...], point: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(np.array(corners, np.float32), point, False) >= 0


def painted(tile: Prism, point: tuple[float, float]) -> tuple[int, int, int]:
    """The colour of a tile's top there."""
    colour = tile.colour
    for mark in tile.marks:
        if isinstance(mark, Area) and inside(mark.corners, point):
            colour = mark.colour
        if isinstance(mark, Disc) and dist(mark.centre, point) <= mark.diameter / 2:
            colour = mark.colour
    return colour


def test_fields_and_places_are_complete() -> None:
    cells = [site for site in GAME.sites if site.kind == "cell"]
    places = [site for site in GAME.sites if site.kind == "building"]
    assert [site.name for site in cells] == [f"cell:{cell}" for cell in GAME.cells]
    assert len(SITES) == len(GAME.sites) == 49 * 5
    assert SITES["cell:a1"].centre == (-141, -141, 0)
    assert SITES["cell:b1"].centre == (-94, -141, 0)
    assert SITES["cell:g7"].centre == (141, 141, 0)
    assert set(cells[0].labels) == {EMPTY, *(lie.label for lie in GAME.lies)}
    assert {site.name.rpartition(".")[2] for site in places} == {"0", "2", "4", "6"}
    assert len(places[0].labels) == 1 + 2 * 4
    assert {site.labels[0] for site in GAME.sites} == {EMPTY}


def test_places_of_buildings_are_the_parts_that_a_tile_has() -> None:
    naive = NaiveVia(2)
    for lie in GAME.lies:
        lows = {min(part) for part in naive.parts(lie.kind.code, lie.rotation)}
        there = [SITES[f"building:c4.{half}"] for half in (0, 2, 4, 6)]
        assert {int(site.name[-1]) for site in there if lie.label in dict(site.places)} == lows
        assert all(site.on == "cell:c4" and site.centre in dict(site.places).values() for site in there)
        assert {int(site.name[-1]) for site in there if site.place(lie.label) is not None} == lows
    assert SITES["building:c4.0"].place(EMPTY) is None
    assert SITES["cell:c4"].place(EMPTY) == SITES["cell:c4"].centre


@pytest.mark.parametrize("lie", GAME.lies, ids=lambda lie: lie.label)
def test_a_tile_shows_its_roads_and_its_land(lie: Lie) -> None:
    (tile,) = GAME.look("cell", lie.label)
    assert isinstance(tile, Prism)
    colours, naive = GAME.set.tile, NaiveVia(2)
    if lie.kind.type == "water":
        assert (tile.colour, len(tile.marks)) == (colours.water, 3)
        return
    exits = naive.exits(lie.kind.code, lie.rotation)
    assert {side for side, point in EXITS.items() if painted(tile, point) == colours.road} == exits
    assert {painted(tile, point) for point in HALVES} == {colours.land}
    assert all(abs(v) <= 22.5 + 1e-9 for mark in tile.marks if isinstance(mark, Area) for c in mark.corners for v in c)
    assert _regions(tile) == sorted(map(sorted, naive.parts(lie.kind.code, lie.rotation)))


def _regions(tile: Prism) -> list[list[int]]:
    """The half-sides that hang together by land, as the tile is painted."""
    steps = np.arange(-22, 22.5, 0.5)
    land = np.array([[painted(tile, (x, y)) == GAME.set.tile.land for x in steps] for y in steps])
    _, regions = cv2.connectedComponents(land.astype(np.uint8), connectivity=4)
    found: dict[int, list[int]] = {}
    for half, (x, y) in enumerate(HALVES):
        found.setdefault(int(regions[round((y + 22) * 2), round((x + 22) * 2)]), []).append(half)
    return sorted(found.values())


@pytest.mark.parametrize("lie", [lie for lie in GAME.lies if lie.parts], ids=lambda lie: lie.label)
def test_buildings_stand_on_their_part(lie: Lie) -> None:
    (tile,) = GAME.look("cell", lie.label)
    (house, *_) = GAME.look("building", "house:blue")
    assert isinstance(tile, Prism)
    assert isinstance(house, Prism)
    centres = []
    for part in lie.parts:
        site = SITES[f"building:d4.{(part & -part).bit_length() - 1}"]
        x, y, z = dict(site.places)[lie.label]  # d4 is the middle of the board
        centres.append((x, y))
        assert z == tile.z1
        assert painted(tile, (x, y)) == GAME.set.tile.land
        corners = [painted(tile, (x + dx, y + dy)) for dx, dy in house.footprint]
        assert corners.count(GAME.set.tile.road) == 0
    assert all(dist(a, b) > 18 for k, a in enumerate(centres) for b in centres[:k])


@pytest.mark.parametrize(("label", "height"), [("house:white", 14.0), ("castle:green", 22.0)])
def test_buildings_have_their_size_and_colour(label: str, height: float) -> None:
    solids = GAME.look("building", label)
    assert max(solid.z1 for solid in solids if isinstance(solid, Prism)) == height
    assert min(solid.z0 for solid in solids if isinstance(solid, Prism)) == 0
    assert solids[0].colour == GAME.set.building.colours[label.partition(":")[2]]
    assert GAME.look("building", EMPTY) == GAME.look("cell", EMPTY) == ()


def test_the_board_shows_its_fields() -> None:
    (plate,) = GAME.board
    assert isinstance(plate, Prism)
    assert (plate.z0, plate.z1, plate.colour) == (-12, 0, GAME.set.board.colour)
    fields = [mark for mark in plate.marks if isinstance(mark, Area)]
    assert len(fields) == 49
    assert all(abs(v) <= 180 for field in fields for corner in field.corners for v in corner)


TRUTHS = sorted(STILLS.glob("*.truth.json"))


@pytest.mark.parametrize("truth", TRUTHS or ["none"], ids=str)
def test_a_foreign_picture_shows_the_colours_where_the_sites_say(truth: Path | str) -> None:
    if isinstance(truth, str):
        pytest.skip("the pictures are not on this machine")
    told = json.loads(truth.read_text())
    for name, label in told["sites"].items():
        assert label in SITES[name].labels
        assert not SITES[name].on or told["sites"][SITES[name].on] in dict(SITES[name].places)
    image = cv2.GaussianBlur(cv2.imread(str(truth.with_name(told["image"]))), (0, 0), 1.5)
    samples = list(_samples(told, cv2.cvtColor(image, cv2.COLOR_BGR2LAB)))
    mean = {c: np.mean([lab for colour, lab in samples if colour == c], axis=0) for c in {c for c, _ in samples}}
    wrong = [c for c, lab in samples if min(mean, key=lambda other: float(np.linalg.norm(lab - mean[other]))) != c]
    assert Counter(colour for colour, _ in samples)["road"] >= 30
    assert set(mean) == {"road", "land", "water"}
    assert len(wrong) <= 0.03 * len(samples)


def _samples(told: dict, lab: np.ndarray):  # type: ignore[no-untyped-def, type-arg]
    """What each visible tile should show near its rim, where no building stands, and what the picture shows there."""
    c = told["camera"]
    matrix = np.array([[c["fx"], 0, c["cx"]], [0, c["fy"], c["cy"]], [0, 0, 1.0]])
    turn, lens = cv2.Rodrigues(np.array(c["R"]))[0], np.array([c["k1"], c["k2"], 0, 0])
    built = {name.partition(":")[2].partition(".")[0] for name in told["sites"] if name.startswith("building:")}
    names = {getattr(GAME.set.tile, name): name for name in ("road", "land", "water")}
    for name, label in told["sites"].items():
        if not name.startswith("cell:") or name in told["occluded"] or name[5:] in built:
            continue
        (tile,) = GAME.look("cell", label)
        for dx, dy in [*EXITS.values(), *HALVES]:
            point = 0.85 * dx, 0.85 * dy
            if label == "W" and abs(dx) < 22:
                continue  # the waves
            x, y = SITES[name].centre[0] + point[0], SITES[name].centre[1] + point[1]
            place = np.array([[[x, y, GAME.set.tile.thickness]]])
            u, v = cv2.projectPoints(place, turn, np.array(c["t"]), matrix, lens)[0].ravel()
            colour = painted(tile, point)  # type: ignore[arg-type]
            if colour in names:
                yield names[colour], lab[round(v), round(u)].astype(float)
