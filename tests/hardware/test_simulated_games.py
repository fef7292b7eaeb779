"""The simulated table of games with walls, blocks, messengers and chips: where things stand, what truly shows."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from companion.games.core import CHANCE, Position
from companion.games.looks import Ball, Prism
from companion.games.registry import GAMES, load_game
from hardware.simulated.conditions import Conditions
from hardware.simulated.lying import Lying
from hardware.simulated.maker import Maker, wooden
from hardware.simulated.pieces import put, taken, things, together
from hardware.simulated.places import Places, Taken
from hardware.simulated.players import _others
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import HandPose, Scene, scene_of
from hardware.simulated.script import Carry, Done, Enter, Lay, Wait
from hardware.simulated.setting import Setting
from hardware.simulated.solids import Frustum, Placed
from hardware.simulated.table import SimulatedTable
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import labels_of, picture, scattered

SMALL = (640, 360)
LABYRIA, TRILAND, MAZE, VIA = (load_game(name) for name in ("labyria", "magic_triland", "magic_labyrinth", "via"))
OTHERS = ("labyria", "via", "magic_triland", "magic_labyrinth")


def somewhere(name: str, seed: int, actions: int) -> Position:
    chance = random.Random(seed)
    position = load_game(name).new(3)
    while not position.over and (actions or position.turn == CHANCE):
        position = position.play(chance.choice(sorted(position.legal_actions(), key=str)))
        actions = max(0, actions - 1)
    return position


def stacked(name: str, labels: dict[str, str], site: str) -> list[Placed]:
    game = load_game(name)
    setting = Setting(game, Conditions.random(game, 3, 0.0, SMALL))
    return setting.stack(scene_of(game, labels), site)[-1]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_truth_is_the_position(name: str, seed: int) -> None:
    game, position = load_game(name), somewhere(name, seed, 60 * seed)
    scene = scene_of(game, labels_of(position, random.Random(seed)), seed)
    found = truth(game, scene, Conditions.random(game, seed, 0.5, SMALL))
    view = position.view()
    assert {site: found.sites[site] for site in view.sites} == dict(view.sites)
    assert all(found.sites[site] in labels for site, labels in view.either.items())
    for group in view.groups:
        assert Counter(found.sites[s] for s in group.sites) - Counter(["empty"] * 99) == Counter(group.labels)
    assert all(0 < part <= 1 for part in found.hidden.values())


def test_pictures_repeat_by_seed() -> None:
    first, second = (picture(VIA, 3, 0.2) for _ in range(2))
    assert first.truth.sites == second.truth.sites
    assert first.truth.hidden == second.truth.hidden
    assert np.array_equal(first.image, second.image)


@pytest.mark.parametrize("name", OTHERS)
def test_what_lies_anyhow_has_labels_of_its_sites(name: str) -> None:
    game = load_game(name)
    specs = {spec.name: spec for spec in game.sites}
    several = [scattered(game, {}, random.Random(seed)) for seed in range(4)]
    assert len(set(map(len, several))) > 1
    assert all(label in specs[site].labels for labels in several for site, label in labels.items())


def test_a_messenger_stands_upon_its_block() -> None:
    foot, *_ = stacked("magic_triland", {"cell:C2": "4", "piece:light-red": "C2 RB"}, "piece:light-red")
    x, y, _ = next(site.centre for site in TRILAND.sites if site.name == "cell:C2")
    assert (foot.z, foot.x, foot.y) == pytest.approx((24.0, x, y), abs=3.5)
    assert foot.z == 24.0
    low, *_ = stacked("magic_triland", {"piece:light-red": "@red"}, "piece:light-red")
    assert low.z == 0.0


def test_two_messengers_share_a_block_side_by_side() -> None:
    labels = {"cell:C2": "2", "piece:light-red": "C2", "piece:dark-blue": "C2"}
    one, two = (stacked("magic_triland", labels, f"piece:{who}")[0] for who in ("light-red", "dark-blue"))
    assert np.hypot(one.x - two.x, one.y - two.y) > 15


def test_a_messenger_carries_what_its_label_tells() -> None:
    bare = stacked("magic_triland", {"piece:light-red": "@red"}, "piece:light-red")
    laden = stacked("magic_triland", {"piece:light-red": "@red RYG"}, "piece:light-red")
    assert len(laden) == len(bare) + 3
    assert sum(isinstance(solid.solid, Ball) for solid in laden) == 1
    found = truth(TRILAND, scene_of(TRILAND, {"piece:light-red": "@red RYG"}), Conditions.random(TRILAND, 1))
    assert found.sites["piece:light-red"] == "@red"
    assert found.sites["piece:dark-red"] == "off"


def test_a_chip_lifts_the_figure_upon_it() -> None:
    figure, *_ = stacked("magic_labyrinth", {"cell:a4": "red", "chip": "a4 star"}, "cell:a4")
    assert figure.z == MAZE.set.chip.thickness  # type: ignore[attr-defined]
    beside, *_ = stacked("magic_labyrinth", {"cell:a4": "red", "chip": "a3 star"}, "cell:a4")
    assert beside.z == 0.0


def test_what_bears_something_is_told_and_partly_hidden() -> None:
    labels = {"cell:C2": "3", "piece:light-red": "C2", "cell:D2": "3"}
    conditions = Conditions.random(TRILAND, 2, 0.0, (1280, 720))
    found = truth(TRILAND, scene_of(TRILAND, labels), conditions)
    assert found.bearing == {"cell:C2"}
    assert 0.2 < found.hidden["cell:C2"] < 0.6
    assert found.hidden.get("cell:D2", 0.0) < 0.15
    both = truth(MAZE, scene_of(MAZE, {"cell:a4": "red", "chip": "a4 star"}), Conditions.random(MAZE, 2, 0.0, SMALL))
    assert both.bearing == {"chip"}
    assert both.hidden["chip"] > 0.5
    assert both.sites["chip"] == "a4"


def test_a_tall_block_hides_what_is_behind_it() -> None:
    conditions = Conditions.random(TRILAND, 4, 0.0, (1280, 720))
    lens = replace(conditions.lens, tilt=35.0, azimuth=180.0, roll=0.0)
    conditions = replace(conditions, lens=lens)
    free = truth(TRILAND, scene_of(TRILAND, {"cell:D2": "1"}), conditions)
    behind = truth(TRILAND, scene_of(TRILAND, {"cell:D2": "1", "cell:E2": "6", "cell:E3": "6"}), conditions)
    assert "cell:D2" not in free.hidden
    assert behind.hidden["cell:D2"] > 0.2


def test_parts_of_tiles_are_sites_only_where_the_tile_has_them() -> None:
    found = truth(VIA, scene_of(VIA, {"cell:c5": "S2/1"}), Conditions.random(VIA, 1, 0.0, SMALL))
    parts = {site for site in found.sites if site.startswith("building")}
    assert parts == {"building:c5.0", "building:c5.2"} or len(parts) == 2
    assert all(site.startswith("building:c5.") for site in parts)
    assert not parts & found.hidden.keys()


def test_nobody_can_say_that_something_is_absent_under_a_hand() -> None:
    hand = HandPose(0, 0, 10, 180, 2, grip=0.0)
    conditions = Conditions.random(TRILAND, 2, 0.0, SMALL)
    assert truth(TRILAND, Scene(hands=(hand,)), conditions).hidden["piece:light-red"] == 1.0
    assert "piece:light-red" not in truth(TRILAND, Scene(), conditions).hidden


def test_figures_share_a_corner() -> None:
    heads = stacked("labyria", {"cell:a1": "red*2+yellow"}, "cell:a1")
    colours = Counter(solid.solid.colour for solid in heads if isinstance(solid.solid, Ball))
    red, _, yellow, _ = LABYRIA.set.figure.colours.values()  # type: ignore[attr-defined]
    assert colours == {red: 2, yellow: 1}


def test_labels_of_several_things() -> None:
    specs = {spec.name: spec for spec in LABYRIA.sites}
    corner, depot = specs["cell:a1"], specs["depot"]
    assert things(corner, "red*2+yellow") == Counter(red=2, yellow=1)
    assert together(corner, Counter(yellow=1, red=2)) == "red*2+yellow"
    assert taken(corner, ["red*2+yellow"], "red") == (0, "red+yellow")
    assert taken(corner, ["red"], "red") == (0, None)
    assert put(corner, ["yellow"], "red") == (0, "red+yellow")
    assert (taken(depot, ["4"], "square"), put(depot, ["4"], "square")) == ((0, "3"), (0, "5"))
    assert (taken(depot, ["1"], "square"), put(depot, [], "square")) == ((0, None), (0, "1"))


def test_hands_take_one_of_several() -> None:
    start = Lay({"cell:a1": ("red*3",), "depot": ("4",), "cell:j10": ("yellow*2",)})
    script = [start, Carry(0, "cell:a1", "cell:c4", "red"), Carry(0, "depot", "edge:c4-d4", "square"), Wait(1.0)]
    table = SimulatedTable(LABYRIA, script, seed=3, pause=0.1)
    labels = [table.scene(k / 10).labels for k in range(200)]
    after = {"cell:a1": "red*2", "cell:c4": "red", "depot": "3", "edge:c4-d4": "square", "cell:j10": "yellow*2"}
    assert labels[-1] == after


def test_figures_that_share_a_corner_are_not_picked_up_as_one() -> None:
    """One of them may have gone, or another come, before they are put back."""
    lying = Lying(load_game("labyria"))
    lying.apply(Lay({"cell:a1": ("red*2+yellow",), "cell:e5": ("red",), "cell:f6": ("blue",)}))
    assert _others(lying, "cell:e5") == ["cell:f6"]


def test_a_hand_carries_a_messenger_from_place_to_place() -> None:
    start = Lay({"cell:C2": ("3",), "cell:D2": ("5",), "piece:light-red": ("C2 RB",)})
    script = [start, Wait(0.5), Carry(0, "piece:light-red", "piece:light-red", "D2 RB"), Wait(1.0)]
    table = SimulatedTable(TRILAND, script, seed=3, pause=0.1)
    scenes = [table.scene(k / 20) for k in range(200)]
    x, y, _ = next(site.centre for site in TRILAND.sites if site.name == "cell:D2")
    puts = [k for k in range(1, 200) if scenes[k].labels.get("piece:light-red") == "D2"]
    (hand,) = scenes[puts[0]].hands
    assert (hand.x, hand.y, hand.z) == pytest.approx((x, y, 30.0), abs=9.0)
    gone = [scene for scene in scenes if "piece:light-red" not in scene.labels and scene.hands]
    assert any(pose.holding == ("piece:light-red", "D2 RB") for scene in gone for pose in scene.hands)


def test_what_is_entered_happens_in_its_time() -> None:
    script = [Wait(2.0, least=2.0), Enter("dice 4 plus"), Wait(1.0, least=1.0), Done("dice 4 plus")]
    table = SimulatedTable(LABYRIA, script)
    table.scene(1.9)
    assert table.happened == []
    table.scene(9.0)
    assert [(round(one.time, 1), type(one.what)) for one in table.happened] == [(2.0, Enter), (3.0, Done)]


@pytest.mark.parametrize("name", OTHERS)
def test_another_maker_keeps_the_sizes(name: str) -> None:
    """Other roofs, heads and towers: yet as high and about as wide as the set file says."""
    game = load_game(name)
    kinds = {spec.kind: spec for spec in game.sites}
    for spec in kinds.values():
        look = game.look(spec.kind, spec.labels[-1])
        for seed in range(6):
            made = [Placed(solid, 0, 0, 0, 0) for solid in Maker.random(seed, 1.0).piece(look, seed)]
            nominal = [Placed(solid, 0, 0, 0, 0) for solid in look]
            assert max(s.top for s in made) == pytest.approx(max(s.top for s in nominal), abs=0.01)
            width = max(float(np.ptp(s.footprint, axis=0).max()) for s in nominal)
            assert max(float(np.ptp(s.footprint, axis=0).max()) for s in made) <= 1.15 * width


def test_makers_build_houses_otherwise() -> None:
    look = VIA.look("building", "house:blue")
    shapes = {
        tuple(type(solid) for solid in replace(Maker(), roof=roof, steps=steps).piece(look, 1))
        for roof, steps in (("gable", False), ("flat", False), ("gable", True))
    }
    assert len(shapes) == 3
    (roof,) = (solid for solid in Maker().piece(look, 1) if isinstance(solid, Frustum))
    assert np.ptp(np.array(roof.head), axis=0).min() < 1 < np.ptp(np.array(roof.head), axis=0).max()


def test_makers_draw_emblems_otherwise_but_leave_roads_alone() -> None:
    maker = Maker(mirrored=True, turned=10.0, sized=0.8)
    (plate,), (drawn,) = MAZE.board, maker.board(MAZE.board)
    assert isinstance(drawn, Prism)
    same = [mark for mark in plate.marks if mark in drawn.marks]  # type: ignore[union-attr]
    assert 16 + 24 <= len(same) < len(plate.marks)  # type: ignore[union-attr]
    for label in ("C3/1", "S4/0", "W"):
        (tile,) = VIA.look("cell", label)
        assert maker.piece((tile,), 1) == (tile,)


def test_wood_is_known_by_its_colour() -> None:
    for wood in ((222, 190, 145), (235, 210, 170), (96, 62, 38), (80, 52, 34), (92, 60, 38)):
        assert wooden(wood)
    for paint in ((240, 200, 45), (195, 35, 40), (245, 240, 225), (96, 150, 72), (35, 75, 165)):
        assert not wooden(paint)


@pytest.mark.parametrize("name", OTHERS)
def test_every_game_is_drawn(name: str) -> None:
    """What stands on the board changes the picture, and the same scene gives the same picture."""
    game, position = load_game(name), somewhere(name, 5, 90)
    conditions = Conditions.random(game, 5, 0.3, SMALL)
    scene = scene_of(game, labels_of(position, random.Random(5)), 5)
    renderer = Renderer(game, conditions)
    full, empty = renderer.render(scene), renderer.render(Scene())
    assert (np.abs(full.astype(int) - empty).max(2) > 40).mean() > 0.004
    assert np.array_equal(full, renderer.render(scene))


@pytest.mark.parametrize("name", ["labyria", "via"])
def test_what_lies_anyhow_leaves_room_for_what_lay_there(name: str) -> None:
    game = load_game(name)
    places = Places(game)
    before = scattered(game, {}, random.Random(1))
    for seed in range(6):
        labels = scattered(game, before, random.Random(seed))
        lying = {
            site: [Taken.of(solid, spec.centre, spec.angle) for solid in places.look(spec.kind, label)]
            for site, label, spec in ((site, str(label), places.specs[site]) for site, label in labels.items())
            if not spec.on
        }
        pairs = itertools.combinations(lying.values(), 2)
        assert not any(one.meets(other) for own, others in pairs for one in own for other in others)


@pytest.mark.parametrize("label", ["red*2", "red*3+yellow*3"])
def test_figures_that_share_a_field_stand_about_its_middle_each_on_its_own(label: str) -> None:
    distances = set()
    for seed in range(4):
        setting = Setting(LABYRIA, Conditions.random(LABYRIA, seed, 0.0, SMALL))
        (figures,) = setting.stack(scene_of(LABYRIA, {"cell:a1": label}, seed), "cell:a1")
        heads = np.array([at.solid.centre for at in figures if isinstance(at.solid, Ball)])
        apart = np.hypot(*(heads[:, None] - heads[None]).transpose(2, 0, 1))[np.triu_indices(len(heads), 1)]
        assert apart.min() >= LABYRIA.set.figure.diameter
        assert np.hypot(*heads.mean(axis=0)) < 4
        distances.add(round(float(apart.min()), 3))
    assert len(distances) == 4
