"""What lies beside the board, when board or camera have been pushed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.evidence import SURE
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image
from companion.vision.locating.beside import Beside
from companion.vision.locating.board import locate
from companion.vision.readers.reader import Reader
from companion.vision.reading import SiteReading
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import STILL, Shift, scene_of
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import true_pose

SIZE = (1280, 720)
PUSH = Shift(8.0, -6.0)
WALL = {"slot:a1-b1": "empty", "tray:0": "green"}


@cache
def renderer_of(name: str) -> Renderer:
    game = load_game(name)
    return Renderer(game, Conditions.random(game, 6, 0.2, SIZE, (0, 1)))


@cache
def unmoved(name: str) -> Image:
    """The picture with nothing pushed, of the first position."""
    return renderer_of(name).render(scene_of(load_game(name), load_game(name).new(2).view().sites, 4))


def pushed(
    name: str, changes: Mapping[str, str], *, board: Shift = STILL, cards: bool = False, camera: Shift = STILL
) -> tuple[dict[str, str], dict[str, str]]:
    """What is read on the sites of `changes`: before, with nothing changed; and after the push."""
    game = load_game(name)
    reader, scene = Reader(game), scene_of(game, dict(game.new(2).view().sites) | changes, 4)
    scene = replace(scene, board=board, cards=(board,) * 4 if cards else (), camera=camera)
    pose: Pose | None = None
    read = []
    for image in (unmoved(name), renderer_of(name).render(scene)):
        pose = locate(image, game, Lens.nominal(SIZE), pose)
        reading = reader.read(image, pose, changes.keys())
        read.append({site: reading[site].label for site in changes})
    return read[0], read[1]


@pytest.mark.parametrize("cards", [False, True])
def test_a_wall_beside_a_board_that_was_pushed_is_read_where_it_lies(cards: bool) -> None:
    before, after = pushed("magic_labyrinth", WALL, board=PUSH, cards=cards)
    assert before == {"slot:a1-b1": "wall", "tray:0": "empty"}
    assert after == WALL


def test_a_wall_beside_the_board_is_read_where_it_lies_when_the_camera_was_pushed() -> None:
    assert pushed("magic_labyrinth", WALL, camera=PUSH)[1] == WALL


def test_squares_beside_a_board_that_was_pushed_are_counted() -> None:
    before, after = pushed("labyria", {"depot": "3"}, board=PUSH, cards=True)
    assert (before, after) == ({"depot": "4"}, {"depot": "3"})


def test_a_wall_is_noticed_beside_a_board_that_was_pushed_far_in_several_steps() -> None:
    game, renderer = load_game("magic_labyrinth"), renderer_of("magic_labyrinth")
    full = dict(game.new(2).view().sites)
    scenes = [scene_of(game, full | change, 4) for change in (WALL, {}, {"slot:a2-b2": "empty", "tray:0": "red"})]
    steps = [(scenes[0], 0.0), (scenes[0], 9.0), (scenes[0], 18.0), *((scene, 27.0) for scene in scenes)]
    watcher, time, labels = Watcher(game), 0.0, []
    for scene, push in steps:
        image = renderer.render(replace(scene, board=Shift(push, push)))
        for _ in range(12):
            time += 0.5
            seen = watcher.observe(Frame(image, time, round(2 * time)))
        assert seen.reading is not None
        labels.append(seen.reading["tray:0"].label)
    assert labels == ["green", "green", "green", "green", "empty", "red"]


def test_a_board_and_a_camera_may_be_pushed_in_turn_before_anything_lies_beside_the_board() -> None:
    """Each time all that lies there may have gone along, or stayed."""
    game = load_game("magic_labyrinth")
    image = renderer_of("magic_labyrinth").render(scene_of(game, {}, 4))
    first = locate(image, game, Lens.nominal(SIZE))
    pushes = np.array([[9.0, 0.0, 0.0], [0.0, -11.0, 0.0], [-17.0, 5.0, 0.0]])
    beside = Beside(game)
    for push in (np.zeros(3), *np.cumsum(pushes, axis=0)):
        beside.follow(replace(first, translation=first.translation + push))
    ways = [np.zeros(3)]
    for push in pushes:
        ways += [way + push for way in ways]
    moved = [pose.translation - first.translation for pose in beside.poses]
    assert len(moved) == len(ways)
    assert all(min(np.abs(way - one).max() for one in moved) < 1e-6 for way in ways)


@cache
def seen_by(seed: int) -> Renderer:
    """The Magic Labyrinth as that camera sees it."""
    game = load_game("magic_labyrinth")
    return Renderer(game, Conditions.random(game, seed, 0.3, SIZE))


def lying_aside(seed: int, shift: Shift) -> dict[str, SiteReading]:
    """What is read in the tray of the Magic Labyrinth if the first wall in it stands off its place."""
    game = load_game("magic_labyrinth")
    scene = scene_of(game, {"tray:0": "red", "tray:1": "yellow"}, 1)
    wall = scene.pieces["tray:0"][0]._replace(shift=shift)
    scene = replace(scene, pieces={**scene.pieces, "tray:0": (wall,)})
    image = seen_by(seed).render(scene)
    reading = Reader(game).read(image, true_pose(image, truth(game, scene, seen_by(seed).conditions)))
    return {name: site for name, site in reading.sites.items() if name.startswith("tray")}


@pytest.mark.parametrize("seed", [3, 4, 5])
@pytest.mark.parametrize("shift", [Shift(0.0, 8.0, 2.0), Shift(0.0, -7.0, 1.0), Shift(8.0, 8.0, 2.0)], ids=str)
def test_a_wall_that_stands_nearer_its_place_than_the_next_one_stands_there(seed: int, shift: Shift) -> None:
    read = lying_aside(seed, shift)
    shown = {name: site.label for name, site in read.items() if site.label != "empty"}
    assert shown == {"tray:0": "red", "tray:1": "yellow"}
    assert read["tray:0"].confidence > SURE


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_where_a_wall_stands_in_the_middle_between_two_places_it_is_not_surely_missing(seed: int) -> None:
    read = lying_aside(seed, Shift(0.0, -10.0, 0.0))
    either = [read["tray:0"], read["tray:2"]]
    assert not all(site.label == "empty" and site.confidence > SURE for site in either)
