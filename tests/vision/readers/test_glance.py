"""What networks say at a glance is taken up to a point, and looked at more closely afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from companion.games.core import Game
from companion.games.registry import load_game
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.readers.blocks import Blocks
from companion.vision.readers.reader import Reader
from companion.vision.readers.standing import StandingKind
from companion.vision.reading import Told
from companion.vision.watching.memory import DOUBTFUL
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import scene_of
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import true_pose

BEFORE: dict[str, dict[str, str]] = {
    "labyria": {"edge:e5-f5": "square", "cell:a1": "red*3", "crossing:c3": "NE"},
    "magic_triland": {"cell:A1": "4", "cell:D2": "1", "cell:H8": "3", "cell:F5": "6"},
}
NEW = {"labyria": ("edge:g5-h5", "square"), "magic_triland": ("cell:H1", "5")}
LOOKS_CLOSELY = {"labyria": (StandingKind, "_closely"), "magic_triland": (Blocks, "look")}


class Table(NamedTuple):
    """A table before and after something was put there."""

    game: Game[Any, Any]
    before: Array
    after: Array
    pose: Pose
    reader: Reader
    site: str
    label: str


@cache
def drawn(name: str) -> tuple[Game[Any, Any], Renderer, Array, Pose, Reader]:
    """A game, what draws it, the table before, from where it is seen, and who reads it."""
    game = load_game(name)
    conditions = Conditions.random(game, 3, 0.1, (1280, 720))
    conditions = replace(conditions, lens=replace(conditions.lens, tilt=20.0))
    renderer, scene = Renderer(game, conditions), scene_of(game, BEFORE[name], 1)
    before = renderer.render(scene)
    return game, renderer, before, true_pose(before, truth(game, scene, conditions)), Reader(game)


@cache
def shown(name: str, more: tuple[str, ...]) -> Table:
    (game, renderer, before, pose, reader), (site, label) = drawn(name), NEW[name]
    new = {site: label, **dict.fromkeys(more, label)}
    after = renderer.render(scene_of(game, BEFORE[name] | new, 1))
    return Table(game, before, after, pose, reader, site, label)


def table(name: str, *more: str) -> Table:
    """What was there has just been read; `more`: sites on which something is new as well."""
    found = shown(name, more)
    found.reader.read(found.before, found.pose)
    return found


def closely(name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows with every close look."""
    owner, method = LOOKS_CLOSELY[name]
    original, looks = getattr(owner, method), list[str]()

    def look(*arguments: Any) -> Any:
        looks.append(method)
        return original(*arguments)

    monkeypatch.setattr(owner, method, look)
    return looks


@pytest.mark.parametrize("name", BEFORE)
def test_a_glance_sees_what_is_new_without_a_close_look(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, looks = table(name), closely(name, monkeypatch)
    glanced = seen.reader.read(seen.after, seen.pose, {seen.site}, glance=True)[seen.site]
    assert not looks
    assert glanced.label == seen.label
    assert 0.95 < glanced.confidence < DOUBTFUL  # so it is looked at again
    again = seen.reader.read(seen.after, seen.pose, {seen.site})[seen.site]
    assert looks
    assert again.label == seen.label
    assert again.confidence > glanced.confidence


@pytest.mark.parametrize("name", BEFORE)
def test_what_is_as_it_was_stays_as_sure_as_it_was(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, looks = table(name), closely(name, monkeypatch)
    sites = set(BEFORE[name]) - {"cell:a1"}
    known = seen.reader.read(seen.before, seen.pose, sites)
    looks.clear()
    glanced = seen.reader.read(seen.after, seen.pose, sites, glance=True)
    assert not looks
    assert labels(glanced.sites) == {site: BEFORE[name][site] for site in sites}
    assert all(np.isclose(glanced[site].confidence, known[site].confidence, atol=0.01) for site in sites)


@pytest.mark.parametrize("name", BEFORE)
@pytest.mark.parametrize("new", [False, True])
def test_where_networks_are_not_sure_of_something_new_it_is_looked_at_closely(
    name: str, new: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they rather see what was there, that will do until the next look."""
    seen = table(name)
    looks, hear = closely(name, monkeypatch), Reader._hear

    def hesitant(reader: Reader, image: Array, names: set[str], told: dict[str, Told], *pose: Pose) -> None:
        hear(reader, image, names, told, *pose)
        told |= {site: replace(one, log_likelihood=0.1 * one.log_likelihood) for site, one in told.items()}

    monkeypatch.setattr(Reader, "_hear", hesitant)
    glanced = seen.reader.read(seen.after if new else seen.before, seen.pose, {seen.site}, glance=True)[seen.site]
    assert bool(looks) == new
    assert new or (glanced.label == "empty" and glanced.confidence < DOUBTFUL)


@pytest.mark.parametrize("name", BEFORE)
def test_what_has_gone_is_looked_at_closely(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand may look like nothing."""
    seen = table(name)
    assert seen.reader.read(seen.after, seen.pose, {seen.site})[seen.site].label == seen.label
    looks = closely(name, monkeypatch)
    assert seen.reader.read(seen.before, seen.pose, {seen.site}, glance=True)[seen.site].label == "empty"
    assert looks


def labels(sites: Mapping[str, Any]) -> dict[str, str]:
    return {name: site.label for name, site in sites.items()}


def test_of_several_new_things_each_is_looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them may be mistaken for another."""
    seen, looks = table("labyria"), closely("labyria", monkeypatch)
    sites = {seen.site, "edge:c7-d7"}
    seen.reader.read(seen.after, seen.pose, sites, glance=True)
    assert not looks
    seen = table("labyria", "edge:c7-d7")
    both = seen.reader.read(seen.after, seen.pose, sites, glance=True)
    assert looks
    assert labels(both.sites) == {seen.site: seen.label, "edge:c7-d7": "square"}


def test_a_new_thing_is_looked_at_closely_where_a_place_nearby_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its arm may be another's."""
    seen, looks, hear = table("labyria"), closely("labyria", monkeypatch), Reader._hear
    beside = "crossing:g5"

    def unknown(reader: Reader, image: Array, names: set[str], told: dict[str, Told], *pose: Pose) -> None:
        hear(reader, image, names, told, *pose)
        if beside in told:
            likely = np.linspace(0.0, 1.0, len(told[beside].labels), dtype=np.float32)
            told[beside] = replace(told[beside], log_likelihood=likely)

    monkeypatch.setattr(Reader, "_hear", unknown)
    glanced = seen.reader.read(seen.after, seen.pose, {seen.site, beside}, glance=True)
    assert looks
    assert glanced[seen.site].confidence > DOUBTFUL  # nothing is left of the glance


@pytest.mark.parametrize(("word", "looked"), [("SE", False), ("SW", False), ("NE", True), ("NW", True)])
@pytest.mark.parametrize("moved", [False, True])
def test_an_arm_that_has_no_room_is_taken_for_another_things(
    word: str, looked: bool, moved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If that other thing, the corner south of it, surely stands where it stood."""
    seen, looks, hear = table("labyria"), closely("labyria", monkeypatch), Reader._hear
    north, south = "crossing:c4", "crossing:c3"
    before = seen.reader.read(seen.before, seen.pose, {north})
    looks.clear()

    def mistaken(reader: Reader, image: Array, names: set[str], told: dict[str, Told], *pose: Pose) -> None:
        hear(reader, image, names, told, *pose)
        for name, label in ((north, word), (south, "SW" if moved else "NE")):
            if name in told:
                likely = np.array([9.0 * (each == label) for each in told[name].labels], np.float32)
                told[name] = replace(told[name], log_likelihood=likely)

    monkeypatch.setattr(Reader, "_hear", mistaken)
    glanced = seen.reader.read(seen.after, seen.pose, {seen.site, north, south}, glance=True)
    assert bool(looks) == (looked or moved)
    assert glanced[seen.site].label == seen.label
    if not looks:
        assert (glanced[north].label, glanced[south].label) == ("empty", "NE")
        assert glanced[north].confidence == before[north].confidence


def test_what_may_be_anywhere_is_found_where_it_has_come_to_and_stays_where_nothing_has_changed() -> None:
    """The chip of the Magic Labyrinth: a figure moves elsewhere, then takes the chip, and the next one lies on d1."""
    game = load_game("magic_labyrinth")
    conditions = Conditions.random(game, 3, 0.1, (1280, 720))
    figures = ({"cell:a1": "red"}, {"cell:a2": "red"}, {"cell:c3": "red"})
    tables = [there | {"chip": chip} for there, chip in zip(figures, ("c3", "c3", "d1"), strict=True)]
    changed = ({"cell:a1", "cell:a2", "chip"}, {"cell:a2", "cell:c3", "cell:d1", "chip"})
    scenes = [scene_of(game, labels, 1) for labels in tables]
    first, *later = (Renderer(game, conditions).render(scene) for scene in scenes)
    pose, reader = true_pose(first, truth(game, scenes[0], conditions)), Reader(game)
    assert reader.read(first, pose, glance=True)["chip"].label == "c3"
    for image, sites, labels in zip(later, changed, tables[1:], strict=True):
        seen = reader.read(image, pose, sites, glance=True)
        wanted = {site: labels.get(site, "empty") for site in sites}
        assert {site: seen[site].label for site in sites} == wanted
        assert seen["chip"].confidence > DOUBTFUL
