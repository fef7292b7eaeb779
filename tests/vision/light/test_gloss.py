"""Things that mirror a lamp."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.points import on_board
from companion.vision.light.gloss import Lobe, find_lobe, find_sheen
from companion.vision.light.palette import SOFT, encoded, linear, measure_light
from companion.vision.locating.board import locate
from companion.vision.readers.reader import Reader
from companion.vision.readers.standing import StandingKind
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import scene_of
from hardware.simulated.truth import Truth, truth
from tests.benchmarks.pictures import Picture, arranged, picture, true_pose

DARK, LIGHT = (0.02, 0.05, 0.12), (0.4, 0.64, 0.83)
MOST = np.log(np.full(3, 1.6) + SOFT)
KINDS = {"labyria": ("edge", "crossing"), "magic_triland": ("cell",)}
LAMP = Lobe((20.0, -40.0), 110.0, 0.9)


def things(lobe: Lobe | None = None, haze: float = 0.0) -> tuple[Array, Array, Array]:
    """Places and colours of dark and light things all over a board, and the paints."""
    chance = np.random.default_rng(5)
    places = np.stack(np.meshgrid(*[np.arange(-160.0, 161.0, 40.0)] * 2), axis=-1).reshape(-1, 2)
    paints = np.array([DARK, LIGHT])
    shown = paints[chance.integers(0, 2, len(places))] * chance.uniform(0.85, 1.15, (len(places), 1))
    added = haze + (lobe.at(places)[:, None] if lobe else 0.0)
    return places, np.log(shown + added + SOFT), np.log(paints + SOFT)


def test_a_lamp_is_found_where_things_mirror_it() -> None:
    found = find_lobe(*things(LAMP), MOST)
    assert found is not None
    assert np.hypot(*np.subtract(found.place, LAMP.place)) < 25
    off = found.at(things()[0]) - LAMP.at(things()[0])
    assert np.abs(off).max() < 0.25


def test_no_lamp_is_found_in_what_is_dull_or_hazy_or_strange() -> None:
    assert find_lobe(*things(), MOST) is None
    assert find_lobe(*things(haze=0.4), MOST) is None
    places, colours, _ = things(LAMP)
    assert find_lobe(places, colours, np.log(np.array([[0.5, 0.1, 0.1], [0.1, 0.1, 0.5]]) + SOFT), MOST) is None
    assert find_lobe(places[:3], colours[:3], np.log(np.array([DARK, LIGHT]) + SOFT), MOST) is None
    assert find_lobe(*things(Lobe((600.0, 0.0), 150.0, 1.6)), MOST) is None  # it would have to be somewhere else


def test_what_all_things_mirror_alike_is_measured() -> None:
    for haze in (0.0, 0.03, 0.08):
        _, colours, paints = things(haze=haze)
        assert abs(find_sheen(colours, paints, MOST) - haze) < 0.011


def test_a_mirrored_lamp_and_strange_things_are_no_sheen() -> None:
    _, colours, paints = things(LAMP)
    assert find_sheen(colours, paints, MOST) == 0.0
    assert find_sheen(colours, np.log(np.array([[0.5, 0.1, 0.1], [0.1, 0.1, 0.5]]) + SOFT), MOST) == 0.0


@cache
def drawn(name: str, seed: int) -> tuple[Renderer, Picture]:
    """A picture without hands, and what has drawn it."""
    game = load_game(name)
    scene, conditions = arranged(game, seed, difficulty=0.3, hands=0.0)
    renderer = Renderer(game, conditions)
    return renderer, Picture(seed, renderer.render(scene), truth(game, scene, conditions), False)


def mirroring(game: Game[Any, Any], shot: Picture, added: Callable[[Array], float]) -> Array:
    """The picture, with light `added` to the tops of all walls and blocks, by their place."""
    pose, light = true_pose(shot.image, shot.truth), linear(shot.image)
    cards = measure_light(shot.image, pose, game.marker, -game.plate.thickness)
    assert cards
    for site in (site for site in game.sites if site.kind in KINDS[game.name]):
        label = shot.truth.sites.get(site.name, site.nothing)
        for solid in (solid for solid in game.look(site.kind, label) if isinstance(solid, Prism)):
            foot = on_board(site, np.array(solid.footprint))
            at = pose.project(np.column_stack([foot, np.full(len(foot), site.centre[2] + solid.z1)]))
            mask = np.zeros(shot.image.shape[:2], np.uint8)
            cv2.fillPoly(mask, [np.round(at * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
            light += mask[..., None] / 255 * cards.white * added(foot.mean(axis=0))
    return np.clip(np.round(encoded(light)), 0, 255).astype(np.uint8)


def mistakes(game: Game[Any, Any], image: Array, true: Truth, before: Array | None = None) -> list[float]:
    """How sure the reader is of each wall or block that it mistakes, if it has seen the picture `before`."""
    pose = locate(image, game, Lens.nominal((image.shape[1], image.shape[0])))
    reader, sites = Reader(game), [site.name for site in game.sites if site.kind in KINDS[game.name]]
    if before is not None:
        reader.read(before, pose)
    reading = reader.read(image, pose, sites if before is not None else None)
    return [reading[name].trust for name in sites if reading[name].label != true.sites.get(name, EMPTY)]


@pytest.mark.parametrize(("name", "seed", "at_first"), [("labyria", 304, True), ("magic_triland", 302, False)])
def test_dark_things_that_mirror_a_lamp_are_not_taken_for_light_ones(name: str, seed: int, at_first: bool) -> None:
    game, (renderer, shot) = load_game(name), drawn(name, seed)
    bare = renderer.render(scene_of(game, {}, seed)) if at_first else None  # a lamp shows only when things are there
    image = mirroring(game, shot, lambda place: float(LAMP.at(place)))
    found = mistakes(game, image, shot.truth, bare)  # 29 and 3, most of them sure, where no lamp is thought of
    assert len(found) <= 1
    assert max(found, default=0.0) < 0.9


def test_varnished_blocks_that_mirror_all_that_is_around_are_not_taken_for_others() -> None:
    game = load_game("magic_triland")
    shot = picture(game, 305, 0.3, hands=0.0)
    image = mirroring(game, shot, lambda _: 0.14)
    assert not mistakes(game, image, shot.truth)  # 3, sure, where no sheen is thought of


def test_where_things_mirror_a_lamp_nobody_is_sure_of_what_others_see_otherwise() -> None:
    game = load_game("labyria")
    shot = picture(game, 871034)  # in which a lamp is thought of, wrongly, and the networks are right
    assert max(mistakes(game, shot.image, shot.truth)) < 0.9


def test_a_lamp_that_explains_nothing_is_not_looked_for_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = load_game("labyria"), list[int]()
    image = drawn(game.name, 304)[1].image
    elsewhere = Lobe((9000.0, 9000.0), 50.0, 0.4)
    monkeypatch.setattr(StandingKind, "_lobe", lambda *_: asked.append(1) or elsewhere)
    reading = Reader(game).read(image, locate(image, game, Lens.nominal((image.shape[1], image.shape[0]))))
    assert reading["edge:a1-b1"].label in ("empty", "square")
    assert 2 <= len(asked) <= 4  # at first, once more for the things that are there then, and as all is read again
