"""Reading blocks of several heights and the messengers upon them."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints, rasterise
from companion.vision.light.palette import Light, Palette, TableTop, measure_light
from companion.vision.locating.board import locate
from companion.vision.readers.blocks import Blocks
from companion.vision.readers.reader import Reader
from companion.vision.readers.riders import ABSENT, LEVELS, NUDGES, Riders, Room, Spot
from companion.vision.readers.terraces import TerraceKind
from companion.vision.reading import Reading, SiteReading
from companion.vision.scene.relief import Nudged
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer, render
from hardware.simulated.scene import scene_of
from tests.benchmarks.pictures import picture as generated
from tests.vision.scene.test_relief import POINTS

GAME = load_game("magic_triland")
CELLS = [site.name for site in GAME.sites if site.kind == "cell"]
PIECES = [site.name for site in GAME.sites if site.upon]


class Shot(NamedTuple):
    """A picture, what it shows, and what was read."""

    labels: dict[str, str]
    image: Array
    pose: Pose
    reader: Reader
    reading: Reading


def landscape(seed: int) -> dict[str, str]:
    """A full board with all messengers, somewhere."""
    chance = random.Random(seed)
    heights = [str(height) for height in range(1, 7) for _ in range(6)]
    chance.shuffle(heights)
    labels = dict(zip(CELLS, heights, strict=True))
    places = [cell.partition(":")[2] for cell in chance.sample(CELLS, 3)]
    places += ["~orange", *(f"@{piece.rpartition('-')[2]}" for piece in PIECES[4:])]
    return labels | dict(zip(PIECES, places, strict=True))


def picture(seed: int, labels: dict[str, str]) -> tuple[Array, Pose]:
    conditions = Conditions.random(GAME, seed, 0.1, (1536, 864))
    carrying = {site: f"{label} RYB" if site in PIECES else label for site, label in labels.items()}
    image = render(GAME, scene_of(GAME, carrying, seed), conditions)
    return image, locate(image, GAME, Lens.nominal((1536, 864)))


@pytest.fixture(scope="module")
def shot() -> Shot:
    labels = landscape(7)
    image, pose = picture(7, labels)
    reader = Reader(GAME)
    return Shot(labels, image, pose, reader, reader.read(image, pose))


def test_a_full_board(shot: Shot) -> None:
    labels, reading = shot.labels, shot.reading
    wrong = {site: reading[site].label for site in labels if reading[site].label != labels[site]}
    assert len(wrong) <= 2, wrong  # straight under the camera all heights look alike
    assert not [site for site in wrong if reading[site].confidence > 0.9]
    assert not [site for site in wrong if site in PIECES]


def test_a_block_that_is_new_among_known_ones(shot: Shot) -> None:
    labels, pose = shot.labels, shot.pose
    places = {site.name: site.centre for site in GAME.sites}
    farthest = max(CELLS, key=lambda cell: float(np.linalg.norm(pose.camera[:2] - places[cell][:2])))
    reading = shot.reader.read(shot.image, pose, {farthest, "piece:light-blue"})
    assert set(reading.sites) == {farthest, "piece:light-blue"}
    assert {site: reading[site].label for site in reading.sites} == {site: labels[site] for site in reading.sites}


def test_an_empty_board_is_bare() -> None:
    labels = {piece: f"@{piece.rpartition('-')[2]}" for piece in PIECES}
    image, pose = picture(11, labels)
    reading = Reader(GAME).read(image, pose)
    assert {reading[cell].label for cell in CELLS} == {"empty"}
    assert {piece: reading[piece].label for piece in PIECES} == labels


@pytest.mark.parametrize("seed", [91019, 91023, 91033, 92000, 92021])
def test_messengers_that_hide_their_feet_or_share_a_block(seed: int) -> None:
    """Rings before the foot, shade on a strip, a tip under a hand, two on one block: some were taken for each other."""
    shot = generated(GAME, seed)
    size = (shot.image.shape[1], shot.image.shape[0])
    reading = Reader(GAME).read(shot.image, locate(shot.image, GAME, Lens.nominal(size)))
    free = [piece for piece in PIECES if shot.truth.hidden.get(piece, 0.0) < 0.15]
    wrong = {piece: reading[piece] for piece in free if reading[piece].label != shot.truth.sites[piece]}
    assert not wrong


def riders(image: Array, pose: Pose) -> tuple[Riders, Palette]:
    looks = [GAME.look(site.kind, label) for site in GAME.sites for label in site.labels]
    paints = Paints.of([GAME.board, *looks])
    hosts = [site for site in GAME.sites if site.kind == "cell"]
    found = Riders(GAME, [site for site in GAME.sites if site.upon], hosts, paints, rasterise(GAME.board, paints))
    light = measure_light(image, pose, GAME.marker, -GAME.plate.thickness) or Light.nominal()
    return found, Palette(paints, light, TableTop.unseen())


def test_a_foot_that_is_hidden_by_what_it_carries_tells_nothing_of_its_wood(shot: Shot) -> None:
    found, palette = riders(shot.image, shot.pose)
    spots = found.spots(np.full(len(CELLS), 12.0))
    spots = [spot for spot in spots if spot.host >= 0 and not spot.aside][:4]
    rims = found._rims(spots)
    red = np.zeros_like(shot.image)
    red[:] = (40, 40, 195)
    seen = found._feet_seen(red, palette, shot.pose, spots, rims, np.full(len(spots), found._tops[2]))
    assert np.abs(seen).max() < 0.1


def test_foot_and_stick_stand_off_their_place_together(shot: Shot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tip seen to one side and a rim to the other are no piece: a ring of another colour and its foot were one."""
    found, palette = riders(shot.image, shot.pose)
    spots = [spot for spot in found.spots(np.full(len(CELLS), 12.0)) if spot.host >= 0 and not spot.aside]
    seen = np.zeros((2, len(PIECES), len(spots), len(NUDGES)))
    seen[0, ..., 0], seen[1, ..., -1] = 20.0, 1.0
    monkeypatch.setattr(found.spotter, "fits", False)
    monkeypatch.setattr(found, "_coloured", lambda *_: np.ones(len(spots), bool))
    monkeypatch.setattr(found, "_sticks_seen", lambda *_: seen[0])
    monkeypatch.setattr(found, "_feet_seen", lambda *_: seen[1])
    gains, _ = found._gains(shot.image, palette, shot.pose, spots, np.ones(len(CELLS), np.intp), np.arange(len(CELLS)))
    assert gains.max() == pytest.approx(20.0 + ABSENT)


def test_pieces_are_thought_of_where_something_coloured_rises(shot: Shot) -> None:
    found, palette = riders(shot.image, shot.pose)
    heights = np.array([6.0 * int(label) if (label := shot.labels[cell]) != "empty" else 0.0 for cell in CELLS])
    spots = found.spots(heights)
    coloured = found._coloured(shot.image, palette, shot.pose, found._axes(spots, LEVELS))
    stand = {label for site, label in shot.labels.items() if site.startswith("piece:")}
    assert stand <= {spot.label for spot, some in zip(spots, coloured, strict=True) if some}
    assert coloured.mean() < 0.5


def test_only_spots_are_looked_at_again_that_have_changed(shot: Shot, monkeypatch: pytest.MonkeyPatch) -> None:
    found, palette = riders(shot.image, shot.pose)
    spots, labels, nothing = found.spots(np.full(len(CELLS), 12.0)), np.ones(len(CELLS), np.intp), np.empty(0, np.intp)
    looked: list[int] = []
    original = found._coloured

    def coloured(image: Array, palette: Palette, pose: Pose, axes: Array) -> Array:
        looked.append(len(axes))
        return original(image, palette, pose, axes)

    monkeypatch.setattr(found, "_coloured", coloured)
    first, _ = found._gains(shot.image, palette, shot.pose, spots, labels, nothing)
    assert looked == [len(spots)]
    again, _ = found._gains(shot.image, palette, shot.pose, spots, labels, nothing)
    crowded = sum(spot.aside for spot in spots)
    assert looked[1:] == [] or looked[1] < crowded  # beside what surely stands amid a block nothing is looked for
    assert np.allclose(first, again)
    looked.clear()
    found._gains(shot.image, palette, shot.pose, spots, labels, np.array([3]))
    here = sum(spot.host == 3 for spot in spots)
    assert here <= looked[0] < here + crowded
    looked.clear()
    red = shot.image.copy()
    at = shot.pose.project(found._axes([spots[k] for k in (0, 40)], LEVELS).reshape(-1, 3)).reshape(2, LEVELS, 2)
    cv2.line(red, at[1, 0].astype(int).tolist(), at[1, -1].astype(int).tolist(), (40, 40, 195), 9)
    seen, _ = found._gains(red, palette, shot.pose, spots, labels, nothing)
    assert looked
    assert np.abs(seen[:, 40] - first[:, 40]).max() > 1.0  # nothing says that its block has changed


def test_a_piece_stands_beside_the_middle_only_where_another_one_does(shot: Shot) -> None:
    found, _ = riders(shot.image, shot.pose)
    middle, left, right = (Spot("A1", (x, 0.0, 0.0), 0, x != 0) for x in (0.0, -11.0, 11.0))
    room = Room(np.array([spot.place[:2] for spot in (middle, left, right)]), 15.0)
    gains = np.array([[17.0, 20.0, 20.0], [17.0, 20.0, 20.0]])
    _, alone = found._together(gains, [[1, 0, -1], [-1]], (middle, left, right), room, -1.0)
    assert alone == [0, -1]
    _, both = found._together(gains, [[1, 0, -1], [2, 0, -1]], (middle, left, right), room, -1.0)
    assert both == [1, 2]


@pytest.mark.parametrize(("pieces", "count", "most"), [(4, 10, 6_000), (6, 14, 100_000)])
def test_pieces_that_all_seem_to_be_everywhere_are_soon_placed(
    shot: Shot, monkeypatch: pytest.MonkeyPatch, pieces: int, count: int, most: int
) -> None:
    found, _ = riders(shot.image, shot.pose)
    spots = [Spot("A1", (14.0 * k, 0.0, 0.0), k) for k in range(count)]
    room, asked = Room(np.array([spot.place[:2] for spot in spots]), 15.0), list[int]()
    free = room.free
    monkeypatch.setattr(Room, "free", staticmethod(lambda spot, taken: asked.append(spot) or free(spot, taken)))
    chance = np.random.default_rng(2)
    gains = chance.uniform(1.0, 20.0, count) + chance.uniform(0.0, 3.0, (pieces, count))
    options = [[*np.argsort(-gain).tolist(), -1] for gain in gains]
    best, chosen = found._together(gains, options, spots, room, -1.0)
    assert len(asked) < most
    apart = [some for some in combinations(range(count), pieces) if np.diff(some).min() > 1]
    ways = np.array([way for some in apart for way in permutations(some)])
    totals = gains[range(pieces), ways].sum(axis=1)
    assert best == pytest.approx(totals.max())
    assert chosen == ways[totals.argmax()].tolist()


def test_a_red_table_beyond_the_board_is_no_stick(shot: Shot) -> None:
    found, palette = riders(shot.image, shot.pose)
    red = np.full_like(shot.image, (40, 40, 195))
    table = Palette(palette.paints, palette.light, TableTop(red[0, :200], red[0, :200], np.zeros(200)))
    axes = found._axes([spot for spot in found.spots(np.zeros(len(CELLS))) if spot.label == "~orange"], LEVELS)
    beside = axes - (0.0, 80.0, 0.0)
    assert found._sticks_seen(red, palette, shot.pose, beside).max() > 5.0
    assert found._sticks_seen(red, table, shot.pose, beside).max() < 2.0


def test_the_board_shows_what_its_paints_look_like(shot: Shot) -> None:
    kind = next(kind for kind in shot.reader._kinds if isinstance(kind, TerraceKind))
    _, palette = riders(shot.image, shot.pose)
    _, numbers = kind.sure(shot.image, palette, shot.pose)
    colours = {palette.paints.colours[k] for k in numbers}
    assert {(45, 140, 70), (235, 125, 35), (120, 60, 140), (205, 170, 120)} <= colours
    skin = np.full_like(shot.image, (140, 170, 215))
    _, numbers = kind.sure(skin, palette, shot.pose)
    assert {palette.paints.colours[k] for k in numbers} <= {(205, 170, 120)}


def said(**probability: float) -> SiteReading:
    """A reading of a cell from the probabilities of some labels (`h3`: of height 3); all others have hardly any."""
    labels = next(site.labels for site in GAME.sites if site.kind == "cell")
    likely = [probability.get(f"h{label}", probability.get(label, 1e-5)) for label in labels]
    return SiteReading(labels, np.log(np.array(likely, np.float32)))


def chances(reading: SiteReading) -> dict[str, float]:
    part = np.exp(reading.log_likelihood - np.logaddexp.reduce(reading.log_likelihood))
    return dict(zip(reading.labels, part.tolist(), strict=True))


def blocks_of(shot: Shot, height: float) -> tuple[Blocks, int]:
    """Blocks seen from so high (mm) above the middle of the board, with as many pixels; and the number of the cell that
    is nearest to the point under the camera.
    """
    blocks = next(kind for kind in Reader(GAME)._kinds if isinstance(kind, TerraceKind))._blocks
    turn = np.diag([1.0, -1.0, -1.0])
    blocks.plan(replace(shot.pose, rotation=turn, translation=-turn @ np.array([0.0, 0.0, height])))
    return blocks, int(np.linalg.norm(blocks.solids.centres, axis=1).argmin())


def test_readers_that_dispute_a_height_leave_no_doubt_of_its_wood(shot: Shot) -> None:
    blocks, site = blocks_of(shot, 700.0)
    both = chances(blocks._together(site, said(h3=0.97, h5=0.01), said(h3=0.04, h5=0.95)))
    assert both["3"] + both["5"] > 0.95
    assert max(both["3"], both["5"]) < 0.95
    assert both["empty"] < 1e-4


def test_readers_that_contradict_each_other_about_a_block_leave_it_open(shot: Shot) -> None:
    blocks, site = blocks_of(shot, 700.0)
    both = chances(blocks._together(site, said(h1=0.99), said(empty=0.8, h1=0.2)))
    assert max(both.values()) < 0.8


def test_a_height_is_believed_as_far_as_the_pixels_can_tell_it(shot: Shot) -> None:
    """Both agree, very surely or less so: near the camera that is enough, from far away only the first."""
    surely, rather = (said(h3=0.99, h5=0.005), said(h3=0.9998)), (said(h3=0.9, h5=0.05), said(h3=0.93, h5=0.05))
    near, far = blocks_of(shot, 500.0), blocks_of(shot, 1200.0)
    assert chances(near[0]._together(near[1], *surely))["3"] < 0.995
    assert chances(near[0]._together(near[1], *rather))["3"] > 0.95
    assert chances(far[0]._together(far[1], *surely))["3"] > 0.94
    assert chances(far[0]._together(far[1], *rather))["3"] < 0.95


def test_blocks_off_their_places_tell_that_the_board_was_bumped_and_not_how_high_they_are(shot: Shot) -> None:
    reader, corners = Reader(GAME), {"cell:A1", "cell:H1", "cell:H8"}
    reader.read(shot.image, shot.pose)
    assert not reader.astray
    reading = reader.read(np.roll(shot.image, (3, -3), (0, 1)), shot.pose, corners)
    assert reader.astray
    assert any(read.confidence < 0.8 for read in reading.sites.values())


def test_others_are_asked_again_where_the_blocks_show_the_board_to_lie(shot: Shot) -> None:
    kind = next(kind for kind in Reader(GAME)._kinds if isinstance(kind, TerraceKind))
    _, palette = riders(shot.image, shot.pose)
    poses: list[Pose | None] = []

    def hear(names: Collection[str], pose: Pose | None = None) -> dict[str, SiteReading]:
        poses.append(pose)
        return {}

    kind.read(shot.image, palette, kind.plan(shot.pose), np.arange(len(kind.sites)), hear)
    assert poses[0] is None
    assert isinstance(poses[-1], Nudged)
    assert 0 < np.abs(poses[-1].project(POINTS) - shot.pose.project(POINTS)).max() < 2.0


def test_pieces_may_stand_anywhere_between_their_places_at_home_and_on_a_strip(shot: Shot) -> None:
    """A piece alone at home stands amid it."""
    found, _ = riders(shot.image, shot.pose)
    spots = found.spots(np.zeros(len(CELLS)))
    for label in ("@red", "@blue", "~orange"):
        places = np.array([spot.place[:2] for spot in spots if spot.label == label])
        ends = places[[places[:, 0].argmin(), places[:, 0].argmax()]]
        for part in np.linspace(0.0, 1.0, 23):
            at = ends[0] + part * (ends[1] - ends[0])
            assert np.hypot(*(places - at).T).min() < 0.25 * found.width


@cache
def shady() -> Renderer:
    """Draws in a light in which blocks throw deep shade."""
    return Renderer(GAME, Conditions.random(GAME, 660001, 0.5, (1280, 720)))


@pytest.mark.parametrize("seed", [1, 2, 4, 660001])
def test_bare_board_in_the_shade_of_blocks_all_around_is_not_surely_a_dark_one(seed: int) -> None:
    """It was recorded as one, and nobody was asked."""
    low = {"A1": 1, "C2": 1, "D3": 3, "F2": 2, "F4": 3, "G2": 3, "H7": 2, "H8": 3, "E1": 4, "E2": 4, "H3": 4}
    high = {"E3": 6, "E5": 6, "G3": 5, "G4": 6, "G6": 6, "H1": 6, "H2": 6}
    labels = {f"cell:{cell}": str(height) for cell, height in (low | high).items()}
    image = shady().render(scene_of(GAME, labels, seed))
    pose = locate(image, GAME, Lens.nominal((1280, 720)))
    shaded = Reader(GAME).read(image, pose)["cell:F3"]
    assert shaded.label == "empty" or shaded.trust <= 0.9


def test_where_much_of_the_picture_is_doubtful_no_height_is_sure() -> None:
    """One that seemed so was mistaken."""
    image = generated(GAME, 1810010, 1.0).image
    pose = locate(image, GAME, Lens.nominal((image.shape[1], image.shape[0])))
    reading = Reader(GAME).read(image, pose)
    assert [cell for cell in CELLS if reading[cell].label != "empty" and reading[cell].trust > 0.9] == []
