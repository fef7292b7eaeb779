"""What others say of the same picture, what stood there before, and paint that gloss has changed."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.evidence import disputed
from companion.vision.geometry.grid import Shot
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import locate
from companion.vision.readers.reader import Reader
from companion.vision.readers.standing import StandingKind, _overruled
from companion.vision.reading import SiteReading, Told
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import scene_of
from tests.benchmarks.pictures import picture, true_pose

LABYRIA = load_game("labyria")
SPECS = {site.name: site for site in LABYRIA.sites}
CORNERS = {"c3": "NW", "d4": "NE", "e5": "NW", "f5": "SE", "g2": "SE", "b6": "NW", "c7": "NE", "f8": "SE"}
LABELS = {f"crossing:{name}": label for name, label in CORNERS.items()} | {
    "edge:e5-e6": "square",
    "edge:g4-h4": "square",
    "edge:c5-d5": "square",
    "edge:h6-h7": "square",
    "edge:d8-e8": "square",
    "cell:a1": "red*3",
    "cell:j10": "yellow*3",
    "depot": "4",
}

AROUND = {"crossing:d4": "NE", "crossing:e5": "SW", "edge:g4-h4": "square", "depot": "4"}


def photographed(conditions: Conditions, labels: Mapping[str, str] = LABELS) -> tuple[Any, Reader, Any, Any]:
    """A picture, a reader that has read it, the reader of standing things and its plan."""
    image = Renderer(LABYRIA, conditions).render(scene_of(LABYRIA, labels, 1))
    pose = locate(image, LABYRIA, Lens.nominal((image.shape[1], image.shape[0])))
    reader = Reader(LABYRIA)
    reader.read(image, pose)
    kind = next(kind for kind in reader._kinds if isinstance(kind, StandingKind))
    return image, reader, kind, reader._plans[reader._kinds.index(kind)]


EASY = Conditions.random(LABYRIA, 3, 0.1, (1280, 720), (0, 1))


@cache
def easy() -> tuple[Any, Reader, Any, Any]:
    return photographed(EASY)


@cache
def two_around_a_field() -> tuple[Any, Reader, Any, Any]:
    """Two corners around a field: their arms stand where those of two others would."""
    return photographed(EASY, AROUND)


def read(site: str, told: Mapping[str, Told]) -> SiteReading:
    image, reader, kind, plan = easy()

    def hear(names: Collection[str], pose: Pose | None = None) -> dict[str, Told]:
        return {name: reading for name, reading in told.items() if name in names}

    which = np.array([[spec.name for spec in kind.sites].index(site)])
    reading: SiteReading = kind.read(image, reader._palette, plan, which, hear)[0]
    return reading


def says(site: str, label: str, by: float) -> Told:
    """One label is likelier by so much than all others."""
    labels = SPECS[site].labels
    likelihood = np.array([0.0 if one == label else -by for one in labels], np.float32)
    return Told(labels, likelihood, 1.0, likelihood - likelihood[0])


def test_what_others_say_makes_a_site_surer_or_less_sure() -> None:
    assert read("edge:g4-h4", {}).label == "square"
    same = read("edge:g4-h4", {"edge:g4-h4": says("edge:g4-h4", "square", 6.0)})
    other = read("edge:g4-h4", {"edge:g4-h4": says("edge:g4-h4", "empty", 6.0)})
    assert (same.label, same.confidence > 0.95) == ("square", True)
    assert other.confidence < 0.9


@pytest.mark.parametrize(("lead", "sure"), [(0.5, False), (6.0, True)])
def test_a_bare_place_where_things_mirror_a_lamp_is_believed_if_a_network_sees_it_too(
    monkeypatch: pytest.MonkeyPatch, lead: float, sure: bool
) -> None:
    _image, _reader, kind, plan = easy()
    site = "cell:c3"
    number = [spec.name for spec in kind.sites].index(site)
    monkeypatch.setattr(plan, "dazzling", frozenset({number}))
    one = says(site, "empty", 9.0)
    (said,) = kind._contradicted(plan, [number], [one], lambda names: {site: says(site, "empty", lead)})
    assert (said.confidence > 0.9) is sure


def test_whose_an_arm_is_the_other_reader_decides() -> None:
    image, reader, kind, plan = two_around_a_field()
    numbers = {site.name: number for number, site in enumerate(kind.sites)}
    ring = ["crossing:d4", "crossing:e5", "crossing:d5", "crossing:e4"]
    which = np.array([numbers[name] for name in ring])

    def hear(names: Collection[str], pose: Pose | None = None) -> dict[str, Told]:
        told: dict[str, Told] = {}
        reader._hear(image, set(names), told)
        return told

    kind._stood.clear()
    explanation = kind._explain(Shot(plan.grid, image), plan.tones, plan, which.tolist(), hear)
    told = dict(zip(ring, kind._told(explanation, which.tolist(), hear), strict=True))
    for name, others in (("crossing:d4", "NE"), ("crossing:d5", "SE")):
        label = {other: told[name].cost(other) for other in SPECS[name].labels}
        assert set(sorted(label, key=label.__getitem__)[:2]) == {"empty", others}
        assert told[name].label == AROUND.get(name, "empty")
        assert sorted(label.values())[2] > 3.0
    readings = dict(zip(ring, kind.read(image, reader._palette, plan, which, hear), strict=True))
    assert {name: reading.label for name, reading in readings.items()} == {
        name: AROUND.get(name, "empty") for name in ring
    }


def test_where_the_other_reader_sees_nothing_of_what_has_to_give_way_either_nothing_is_sure() -> None:
    """In glare one thing or the other seems to stand, and the other reader knows that neither does."""
    image, reader, kind, plan = two_around_a_field()
    names = ["crossing:d4", "crossing:e5", "crossing:d5", "crossing:e4"]
    which = np.array([[site.name for site in kind.sites].index(name) for name in names])

    def hear(asked: Collection[str], pose: Pose | None = None) -> dict[str, Told]:
        return {name: says(name, "empty", 9.0) for name in names if name in asked}

    kind._stood.clear()
    explanation = kind._explain(Shot(plan.grid, image), plan.tones, plan, which.tolist(), hear)
    told = dict(zip(names, kind._told(explanation, which.tolist(), hear), strict=True))
    assert all(said is not None and said.label == "empty" and said.confidence > 0.99 for said in told.values())
    readings = dict(zip(names, kind.read(image, reader._palette, plan, which, hear), strict=True))
    assert not [name for name, reading in readings.items() if reading.label != "empty" and reading.confidence > 0.9]


def test_where_nothing_has_to_give_way_all_else_may_stay_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dark wood in the shade would be explained better, if nothing stood there, by a wall that nobody sees."""
    image, _, kind, plan = easy()
    here, there = ([site.name for site in kind.sites].index(f"crossing:{name}") for name in ("h8", "b2"))

    def hear(asked: Collection[str], pose: Pose | None = None) -> dict[str, Told]:
        told = {"crossing:h8": says("crossing:h8", "empty", 0.5), "crossing:b2": says("crossing:b2", "empty", 9.0)}
        return {name: said for name, said in told.items() if name in asked}

    monkeypatch.setattr(kind, "_stood", {})
    explanation = kind._explain(Shot(plan.grid, image), plan.tones, plan, [here, there], hear)
    ways = {state: {here: state, there: int(state == 0)} for state in range(len(plan.states[here]))}
    monkeypatch.setattr(explanation, "alternatives", lambda site: ways if site == here else {})
    (told,) = kind._told(explanation, [here], hear)
    assert told is not None
    assert told.label == "empty"
    assert told.cost("NE") == pytest.approx(0.5, abs=0.1)


def test_what_stood_there_before_counts_a_little() -> None:
    kind = easy()[2]
    number = [spec.name for spec in kind.sites].index("crossing:d4")
    assert kind.sites[number].labels[kind._stood[number]] == "NE"
    gaps = []
    for before in ("NE", "empty"):
        kind._stood[number] = kind.sites[number].labels.index(before)
        gaps.append(float(np.ptp(read("crossing:d4", {}).log_likelihood)))
        assert read("crossing:d4", {}).label == "NE"
    assert gaps[0] >= gaps[1]


def test_what_stood_there_tells_whose_an_arm_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second corner beside the first: alone, and to one who has not learned how walls meet, the two look much like
    two others around the same field.
    """
    monkeypatch.setattr("companion.vision.readers.reader.witnesses", lambda _: [])
    image = two_around_a_field()[0]
    reader = photographed(EASY, {site: label for site, label in AROUND.items() if site != "crossing:e5"})[1]
    afterwards, alone = reader.read(image, reader._pose), Reader(LABYRIA).read(image, reader._pose)
    for name in ("crossing:d4", "crossing:e5"):
        assert (afterwards[name].label, afterwards[name].confidence > 0.9) == (AROUND[name], True)
        assert alone[name].cost("empty") < afterwards[name].cost("empty") - 2.0
    assert afterwards["crossing:e4"].label == afterwards["crossing:d5"].label == "empty"


@pytest.mark.parametrize(
    ("seed", "names"), [(800073, ("c2", "d2", "d3")), (800040, ("b5", "b6", "c6", "a7"))], ids=["groove", "ring"]
)
def test_arms_that_could_be_of_other_corners_are_told_apart_where_they_meet(seed: int, names: Sequence[str]) -> None:
    """Walls in the colour of grooves: from the arms alone, three corners in a row and a ring of arms around a field
    seemed to be others, surely.
    """
    taken = picture(LABYRIA, seed)
    pose = locate(taken.image, LABYRIA, Lens.nominal((taken.image.shape[1], taken.image.shape[0])))
    reader = Reader(LABYRIA)
    for _ in range(2):
        reading = reader.read(taken.image, pose)
        wrong = [name for name in names if reading[f"crossing:{name}"].label != taken.truth.sites[f"crossing:{name}"]]
        assert not [name for name in wrong if reading[f"crossing:{name}"].trust > 0.9]


def test_looking_again_makes_a_guess_no_surer() -> None:
    """Corners in a chain that can be put together in two ways: one of them alone seemed sure of the other way."""
    taken = picture(LABYRIA, 770053)
    pose = locate(taken.image, LABYRIA, Lens.nominal((taken.image.shape[1], taken.image.shape[0])))
    reader = Reader(LABYRIA)
    for _ in range(2):
        reading = reader.read(taken.image, pose)
        for name in ("c2", "b3", "c3", "b4", "b2", "c4"):
            site = reading[f"crossing:{name}"]
            assert site.label == taken.truth.sites[f"crossing:{name}"] or site.trust < 0.9


def test_dark_paint_that_gloss_makes_light_is_known_again() -> None:
    conditions = Conditions.random(LABYRIA, 15, random.Random(15).random(), (1280, 720), (0, 1))
    image, reader, _, _ = photographed(conditions)
    reading = reader.read(image, reader._pose)
    right = [name for name in LABELS if "crossing" in name and reading[name].label == LABELS[name]]
    assert len(right) >= 7


def test_the_colour_of_corners_is_not_learned_from_the_lines_of_a_bare_board() -> None:
    conditions = Conditions.random(LABYRIA, 81204, 0.5, (1280, 720), (0, 1))
    labels = dict(LABYRIA.new(2).view().sites) | {"edge:f5-f6": "square"}
    image = Renderer(LABYRIA, conditions).render(scene_of(LABYRIA, labels, 1))
    pose = locate(image, LABYRIA, Lens.nominal((image.shape[1], image.shape[0])))
    reading = Reader(LABYRIA).read(image, pose)
    crossings = [reading[name] for name in SPECS if name.startswith("crossing")]
    assert len([one for one in crossings if one.label != "empty" or one.confidence < 0.9]) <= 2


def test_an_empty_slot_is_seen_where_none_had_shown_before() -> None:
    maze = load_game("magic_labyrinth")
    conditions = Conditions.random(maze, 753000, 0.5, (1280, 720), (0, 1))
    renderer, reader = Renderer(maze, conditions), Reader(maze)
    full = dict(maze.new(2).view().sites) | {site.name: "wall" for site in maze.sites if site.kind == "slot"}
    pulled = "slot:a1-a2"
    first = renderer.render(scene_of(maze, full, 1))
    pose = locate(first, maze, Lens.nominal((first.shape[1], first.shape[0])))
    assert reader.read(first, pose)[pulled].label == "wall"
    then = reader.read(renderer.render(scene_of(maze, full | {pulled: "empty"}, 1)), pose, [pulled])[pulled]
    assert (then.label, then.confidence > 0.9) == ("empty", True)


def test_walls_in_the_shade_of_a_hand_are_not_learned_as_the_bottom_of_slots() -> None:
    maze = load_game("magic_labyrinth")
    slots = [site.name for site in maze.sites if site.kind == "slot"]
    for seed in (849001, 849032):  # in the first the hand itself looked like light print
        shot = picture(maze, seed)
        reading = Reader(maze).read(shot.image, locate(shot.image, maze, Lens.nominal(shot.image.shape[1::-1])))
        wrong = [reading[name].trust for name in slots if reading[name].label != shot.truth.sites[name]]
        assert max(wrong, default=0.0) < 0.9


def test_nothing_is_surer_than_that_nothing_else_leaves_it_no_room() -> None:
    shot = picture(LABYRIA, 848038)  # in the dark, walls under the arms of corners were surely taken for walls
    reading = Reader(LABYRIA).read(shot.image, locate(shot.image, LABYRIA, Lens.nominal(shot.image.shape[1::-1])))
    read = {site.name: reading[site.name] for site in LABYRIA.sites if not site.loose}
    wrong = [one.trust for name, one in read.items() if one.label != shot.truth.sites.get(name, SPECS[name].nothing)]
    assert len(wrong) > 5
    assert max(wrong) < 0.9


def test_who_says_that_something_cannot_be_makes_it_less_sure() -> None:
    surely = SiteReading(("empty", "square"), np.array([-9.0, 0.0], np.float32))
    assert disputed(surely, 0.0).confidence == pytest.approx(surely.confidence)
    assert disputed(surely, 0.05).confidence == pytest.approx(0.95)
    assert disputed(surely, 0.99).confidence == pytest.approx(0.8)
    hardly = SiteReading(("empty", "square"), np.array([-0.1, 0.0], np.float32))
    assert disputed(hardly, 0.99) is hardly


def test_deep_shade_hides_no_wall_that_others_see() -> None:
    """In hard shadows little is explained, and that is mistaken."""
    shot = picture(LABYRIA, 877006, 0.3, hands=0.1)
    pose = true_pose(shot.image, shot.truth)
    corners = [[(951, 385), (1029, 618), (751, 711), (673, 478)], [(982, 463), (1082, 687), (955, 744), (855, 520)]]
    dark = np.zeros(shot.image.shape[:2], np.float32)
    for four in corners:
        cv2.fillConvexPoly(dark, np.array(four), 0.52)
    image = (shot.image * (1 - cv2.GaussianBlur(dark, (0, 0), 3.756))[..., None]).astype(np.uint8)
    reading = Reader(LABYRIA).read(image, pose)
    wrong = [
        name
        for name, site in SPECS.items()
        if site.kind in ("edge", "crossing") and reading[name].label != shot.truth.sites.get(name, "empty")
    ]
    assert not [name for name in wrong if reading[name].trust > 0.9]


@pytest.mark.parametrize(("visible", "sure", "overruled"), [(0.3, 3.0, True), (0.9, 3.0, False), (0.3, 0.0, False)])
def test_what_is_hardly_explained_overrules_nobody(visible: float, sure: float, overruled: bool) -> None:
    labels = ("empty", "square")
    word = SiteReading(labels, np.array([0.0, sure], np.float32))
    said = SiteReading(labels, np.array([5.0, 0.0], np.float32))
    explained = SiteReading(labels, np.array([1.0, 0.0], np.float32), visible)
    assert _overruled(word, said, explained) == overruled


@pytest.mark.parametrize(("denied", "lead", "overruled"), [(6.0, 3.0, True), (6.0, 5.0, False), (3.0, 3.0, False)])
def test_who_surely_denies_something_is_not_overruled_by_little(denied: float, lead: float, overruled: bool) -> None:
    labels = ("empty", "NE", "NW")
    word = SiteReading(labels, np.array([-denied, -8.0, 0.0], np.float32))
    said = SiteReading(labels, np.array([0.0, -lead, -9.0], np.float32))
    explained = SiteReading(labels, np.array([1.0, 0.0, 0.0], np.float32), 1.0)
    assert _overruled(word, said, explained) == overruled
