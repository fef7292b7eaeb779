"""What was seen of points is kept, and compared again with surfaces of which the picture tells more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.geometry.grid import Shot
from companion.vision.geometry.lens import Array
from companion.vision.geometry.raster import Paints, rasterise
from companion.vision.light.palette import Light, Palette, TableTop
from companion.vision.light.tones import Gloss, Tones
from companion.vision.scene.seen import Seen
from companion.vision.scene.stage import Stage

COUNT = 400


class Colourful:
    """A picture of points of all colours; counts those that it is asked for."""

    def __init__(self, seed: int) -> None:
        self.colours = np.random.default_rng(seed).integers(5, 250, (COUNT, 3)).astype(np.uint8)
        self.asked = 0

    def pixels(self, at: Array) -> Array:
        self.asked += len(at)
        return cast(Array, self.colours[at])


def nominal(game_name: str) -> Tones:
    """How the set file has what stands on the table."""
    game = load_game(game_name)
    paints = Paints.of([game.board, *game.looks.values()])
    kinds = {"labyria": ("cell", "edge", "crossing"), "via": ("building",)}.get(game_name, ("slot", "cell"))
    stage = Stage(game, [site for site in game.sites if site.kind in kinds], paints, rasterise(game.board, paints))
    return Tones.nominal(Palette(paints, Light.nominal(), TableTop.unseen()), stage.surfaces, stage.printed)


def with_more(tones: Tones, *numbers: int) -> Tones:
    """The same where some surfaces were seen."""
    chance = np.random.default_rng(5)
    shown = np.repeat(numbers, 200)
    pixels = np.clip(chance.normal(120 + 10 * shown[:, None], 4, (len(shown), 3)), 0, 255).astype(np.uint8)
    more = tones.joined(shown, pixels, np.zeros(len(shown), np.intp))  # where no lamp is mirrored
    assert more.seen == {*tones.seen, *numbers}
    return more


def follow(tones: Tones) -> Seen:
    """What is seen with these tones: of each point one surface shows where nothing stands, or it is not known which."""
    ground = np.arange(COUNT) % (len(tones.surfaces) + 2)
    seen = Seen(ground, len(tones.surfaces), tones.printed)
    seen.follow(tones)
    return seen


def look(seen: Seen, picture: Any, reached: Array) -> None:
    seen.look(cast(Shot, picture), reached)


EVERY = np.ones(COUNT, bool)
LIGHT = np.linspace(0.0, 0.4, COUNT).astype(np.float32)


@pytest.mark.parametrize("mirrored", [{}, {"veil": LIGHT}, {"gloss": Gloss(LIGHT, np.array([2, 7, 9]))}])
@pytest.mark.parametrize("game_name", ["labyria", "magic_labyrinth", "via"])
def test_what_was_seen_is_compared_with_surfaces_that_turn_out_to_look_otherwise(
    game_name: str, mirrored: dict[str, Any]
) -> None:
    picture, tones = Colourful(1), replace(nominal(game_name), **mirrored)
    first = with_more(tones, 1)
    second = with_more(first, tones.printed, tones.printed + 2)
    seen = follow(tones)
    look(seen, picture, EVERY)
    seen.follow(first)
    look(seen, picture, np.arange(COUNT) < 100)
    seen.follow(second)
    look(seen, picture, EVERY)
    assert picture.asked == COUNT  # nothing was looked at twice
    afresh = follow(second)
    look(afresh, picture, EVERY)
    assert not np.array_equal(follow_and_look(tones, picture).evidence, afresh.evidence)
    # in single precision: how many surfaces are compared at once decides the order in which a processor adds
    np.testing.assert_allclose(seen.evidence, afresh.evidence, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(seen.bare, afresh.bare, rtol=1e-5, atol=1e-5)


def follow_and_look(tones: Tones, picture: Colourful) -> Seen:
    seen = follow(tones)
    look(seen, picture, EVERY)
    return seen


def test_what_was_not_looked_at_again_is_as_it_was_shown_before() -> None:
    before, after, tones = Colourful(1), Colourful(2), nominal("labyria")
    seen = follow(tones)
    look(seen, before, EVERY)
    seen.forget(np.arange(COUNT) < 50)
    look(seen, after, EVERY)
    seen.forget((np.arange(COUNT) >= 60) & (np.arange(COUNT) < 80))
    look(seen, after, np.arange(COUNT) < 70)
    new = (np.arange(COUNT) < 50) | ((np.arange(COUNT) >= 60) & (np.arange(COUNT) < 70))
    mixed = Colourful(1)
    mixed.colours[new] = after.colours[new]
    assert np.array_equal(seen.evidence, follow_and_look(tones, mixed).evidence)
    assert after.asked == 60


def test_in_another_light_all_is_looked_at_again() -> None:
    before, after, tones = Colourful(1), Colourful(2), nominal("labyria")
    seen = follow(tones)
    look(seen, before, EVERY)
    other = replace(tones, contrast=0.3)
    seen.follow(other)
    look(seen, after, EVERY)
    assert np.array_equal(seen.evidence, follow_and_look(other, after).evidence)
