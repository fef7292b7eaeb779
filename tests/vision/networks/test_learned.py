"""Networks that read sites: their patches, their labels, and what they say together with the other readers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.games.registry import GAMES, load_game
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.light.palette import Light
from companion.vision.locating.board import locate
from companion.vision.networks.frames import frame_of
from companion.vision.networks.learned import DIMLY, TOGETHER, agreed, told_together, witnesses
from companion.vision.networks.sweep import SHARED, Sweep
from companion.vision.readers.reader import Reader
from companion.vision.reading import SiteReading, Told
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import render
from hardware.simulated.scene import HandPose, Scene, scene_of
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import picture, true_pose
from tests.games.labyria_sets import edited
from tests.training.patches import shown

LABYRIA, TRIANGLE = load_game("labyria"), load_game("triangle")
SIZE = (1280, 720)


def looking(tilt: float, height: float = 800.0) -> Pose:
    """A camera over the board, tilted by so many degrees about its own x axis."""
    a = np.radians(180 - tilt)
    rotation = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    return Pose(rotation, np.array([0.0, 0.0, height]), Lens.nominal(SIZE), (), 0.0, 0.0)


@pytest.mark.parametrize("tilt", [0.0, 15.0, 30.0])
def test_what_lies_in_a_plane_shows_in_its_patch_where_it_is(tilt: float) -> None:
    sites = [site for site in LABYRIA.sites if site.name == "edge:e5-f5"]
    frame = frame_of(LABYRIA, sites)
    top = frame.heights[-1]
    pose = looking(tilt)
    x, y, z = sites[0].centre
    at = pose.project(np.array([[x + 8.0, y, z + top]]))[0]
    columns, rows = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    spot = np.hypot(columns - at[0], rows - at[1]) < 5
    image = np.where(spot[..., None], np.array([240, 240, 240]), np.array([20, 20, 20])).astype(np.uint8)
    sweep = Sweep(sites, frame)
    patch = sweep.cut(image, pose, Light.nominal(), sweep.plan(pose), np.array([0]))[0]
    assert patch.shape == (frame.layers, frame.count, frame.count)
    bright = patch[-SHARED - 1].astype(float) - patch[-SHARED - 1].min()
    middle = (np.arange(frame.count) * bright.sum(axis=0)).sum() / bright.sum() - (frame.count - 1) / 2
    assert middle * frame.step == pytest.approx(8.0, abs=1.0)


def test_what_lies_outside_the_picture_is_marked() -> None:
    sites = [site for site in LABYRIA.sites if site.kind == "cell"]
    sweep, pose = Sweep(sites, frame_of(LABYRIA, sites)), replace(looking(0.0), lens=Lens.nominal((320, 240)))
    pose = replace(pose, translation=np.array([60.0, 0.0, 300.0]))
    image = np.zeros((240, 320, 3), np.uint8)
    patches = sweep.cut(image, pose, Light.nominal(), sweep.plan(pose), np.arange(len(sites)))
    inside = (patches[:, -1] > 0).mean(axis=(1, 2))
    assert inside.min() == 0
    assert inside.max() == 1


@pytest.mark.parametrize("name", GAMES)
def test_networks_know_the_labels_of_their_sites(name: str) -> None:
    game = load_game(name)
    for witness in witnesses(game):
        for site in (site for site in witness.sites if site.kind == witness.sites[0].kind):
            assert witness.known >= {label for label in site.labels if "*" not in label and "+" not in label}


def test_the_edges_of_labyria_tell_of_its_crossings() -> None:
    kinds = [{site.kind for site in witness.sites} for witness in witnesses(LABYRIA)]
    assert {"edge", "crossing"} in kinds


def test_what_a_site_shows_and_its_arms_are_told_together() -> None:
    """Arms tell nothing of whose they are: `SW` there and `NE` here are alike, and what the site shows decides."""
    labels = ("empty", "NE", "SE", "SW", "NW")

    def said(*beside: float) -> Told:
        likely = np.array(beside, np.float32)
        return Told(labels, likely, 1.0, likely)

    arms, own = said(0.0, 18.0, 9.0, 0.0, 9.0), said(0.0, -5.0, -9.0, -9.0, -9.0)
    both = told_together(own, arms)
    assert both.beside_nothing[1] == pytest.approx(TOGETHER * 13.0)
    assert (arms.label, both.label) == ("NE", "NE")
    assert both.cost("empty") < arms.cost("empty")
    assert told_together(own, said(0.0, 4.0, 2.0, 0.0, 2.0)).label == "empty"


@pytest.mark.parametrize("seed", [3, 4, 5, 6])
def test_the_crossings_network_knows_whose_arms_stand_in_a_ring(seed: int) -> None:
    """Two corners around a field: their arms stand where those of two others would."""
    true, false = {"d4": "NE", "e5": "SW"}, {"d5": "SE", "e4": "NW"}
    conditions = Conditions.random(LABYRIA, seed, 0.1, SIZE, (0, 1))
    scene = scene_of(LABYRIA, {f"crossing:{name}": label for name, label in true.items()}, seed)
    shot, there = render(LABYRIA, scene, conditions), truth(LABYRIA, scene, conditions)
    (witness,) = (one for one in witnesses(LABYRIA) if one.sites[0].kind == "crossing")
    palette = type("Lit", (), {"light": Light.nominal().over(shot)})()
    told = witness.read(shot, palette, witness.plan(true_pose(shot, there)), np.arange(len(witness.sites)))
    said = {site.name: one for site, one in zip(witness.sites, told, strict=True)}

    def likely(corners: Mapping[str, str]) -> float:
        those = ((said[f"crossing:{name}"], label) for name, label in corners.items())
        return sum(float(one.beside_nothing[one.labels.index(label)]) for one, label in those)

    assert likely(true) > likely(false) + 3.0


def test_a_bare_crossing_between_walls_is_not_hidden_from_a_network() -> None:
    """Walls around it hide its middle, but what stood there would show between them; a hand hides everything."""
    walls = {"edge:e5-f5": "square", "edge:e6-f6": "square", "edge:e5-e6": "square", "edge:f5-f6": "square"}
    conditions = Conditions.random(LABYRIA, 3, 0.1, SIZE, (0, 1))
    shown_there = truth(LABYRIA, scene_of(LABYRIA, walls, 1), conditions)
    crossings = [site for site in LABYRIA.sites if site.kind == "crossing"]
    number = [site.name for site in crossings].index("crossing:e5")
    labels, hidden = shown(LABYRIA, crossings, shown_there)
    assert shown_there.hidden["crossing:e5"] > 0.15
    assert (labels[number], hidden[number]) == ("empty", 0.0)
    x, y, _ = crossings[number].centre
    hand = truth(LABYRIA, Scene(scene_of(LABYRIA, walls, 1).pieces, (HandPose(x, y - 40.0, 30.0, 180.0),)), conditions)
    assert max(shown(LABYRIA, crossings, hand)[1]) > 0.5


def test_networks_are_left_out_where_a_set_of_ones_own_has_other_sizes(tmp_path: Path) -> None:
    own = edited(tmp_path, (r"^pitch = 36.0", "pitch = 40.0"))
    larger = load_game("labyria", own)
    assert witnesses(LABYRIA)
    assert not {site.kind for witness in witnesses(larger) for site in witness.sites} & {"cell"}
    shot = picture(larger, 33002, 0.2, hands=0.0)
    pose = locate(shot.image, larger, Lens.nominal((shot.image.shape[1], shot.image.shape[0])))
    assert set(Reader(larger).read(shot.image, pose, {"cell:a1"}).sites) == {"cell:a1"}


LEAST = {"cell": 0.97, "edge": 0.97, "crossing": 0.8}
"""The part that a network has to read by itself: whose arms stand on a crossing is told by the ones around it too."""


def test_a_network_reads_what_stands_on_the_board() -> None:
    shot = picture(LABYRIA, 33001, 0.3, hands=0.0)
    true = shot.truth
    pose = true_pose(shot.image, true)
    palette = type("Lit", (), {"light": Light.nominal().over(shot.image)})()
    for witness in witnesses(LABYRIA):
        readings = witness.read(shot.image, palette, witness.plan(pose), np.arange(len(witness.sites)))
        asked = [
            (site.name, reading)
            for site, reading in zip(witness.sites, readings, strict=True)
            if true.hidden.get(site.name, 0.0) < 0.15 and site.kind == witness.sites[0].kind
        ]
        right = [reading.label == true.sites[name] for name, reading in asked]
        assert np.mean(right) > LEAST[witness.sites[0].kind]
        assert not [name for name, r in asked if r.label != true.sites[name] and r.confidence > 0.99]


def test_readers_that_contradict_each_other_are_not_believed() -> None:
    labels = ("empty", "square")
    first = SiteReading(labels, np.array([0.0, -8.0], np.float32))
    second = SiteReading(labels, np.array([-7.5, 0.0], np.float32), 0.4)
    assert agreed(first, first).confidence > first.confidence
    assert agreed(first, second).confidence < 0.9
    assert agreed(first, second).label == "square"  # a sure network is right more often
    undecided = SiteReading(labels, np.array([-1.5, 0.0], np.float32))
    assert agreed(first, undecided).label == "empty"
    assert agreed(first, second).visible == 0.4


def test_what_a_network_cannot_tell_is_not_believed() -> None:
    labels = ("empty", "red", "blue")
    sure = SiteReading(labels, np.array([-9.0, 0.0, -9.0], np.float32))
    undecided = SiteReading(labels, np.array([0.0, -0.2, -0.1], np.float32))
    assert sure.confidence > 0.99
    assert agreed(sure, undecided).label == "red"
    assert agreed(sure, undecided).confidence < 0.6  # a finger may look like a piece
    bare = SiteReading(labels, np.array([0.0, -10.6, -10.5], np.float32))
    rather = SiteReading(labels, np.array([0.0, -3.6, -1.7], np.float32))
    assert agreed(bare, rather).label == "empty"
    assert agreed(bare, rather).confidence < 0.9  # what is pale with glare looks bare
    house = SiteReading(("empty", "house", "castle"), np.array([-9.0, 0.0, -9.0], np.float32))
    either = SiteReading(house.labels, np.array([-11.2, 0.0, -1.2], np.float32))
    assert agreed(house, either).confidence > 0.9
    assert agreed(house, either, least=DIMLY).label == "house"
    assert agreed(house, either, least=DIMLY).confidence < 0.9  # washed out, a castle is much like one


def test_labels_that_are_alike_to_a_network_are_one_to_it() -> None:
    labels = ("empty", "NE", "SW")
    first = SiteReading(labels, np.array([-9.0, 0.0, -6.0], np.float32))
    second = SiteReading(labels, np.array([-9.0, -0.0002, 0.0], np.float32))
    assert agreed(first, second).label == "NE"
    assert agreed(first, second).confidence > 0.9
    other = SiteReading(labels, np.array([-9.0, -0.8, 0.0], np.float32))
    assert agreed(first, other).confidence < 0.9


def test_a_network_that_says_next_to_nothing_agrees_with_nobody() -> None:
    labels = ("empty", "red", "blue")
    surely = SiteReading(labels, np.array([-9.0, 0.0, -9.0], np.float32))
    for lead in (0.0, 0.3):
        assert agreed(surely, SiteReading(labels, np.array([-lead, 0.0, -lead], np.float32))).confidence < 0.9


def test_a_network_sees_what_lies_on_a_stack() -> None:
    stacks = {f"hole:{10 * k}": ("red", "blue", "green", "yellow")[: k % 4 + 1] for k in range(1, 10)}
    conditions = Conditions.random(TRIANGLE, 33003, 0.2, (1920, 1080))
    scene = scene_of(TRIANGLE, stacks, 33003)
    image = render(TRIANGLE, scene, conditions)
    (witness,) = witnesses(TRIANGLE)
    palette = type("Lit", (), {"light": Light.nominal().over(image)})()
    pose = true_pose(image, truth(TRIANGLE, scene, conditions))
    readings = witness.read(image, palette, witness.plan(pose), np.arange(len(witness.sites)))
    told = {site.name: reading for site, reading in zip(witness.sites, readings, strict=True)}
    assert {hole: told[hole].label for hole in stacks} == {hole: stack[-1] for hole, stack in stacks.items()}
    assert {reading.label for hole, reading in told.items() if hole not in stacks} == {"empty"}
