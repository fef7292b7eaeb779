"""The network that tells which piece stands at a place."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.games.looks import Prism
from companion.games.registry import load_game
from companion.vision.light.palette import Light
from companion.vision.networks.spotting import Spotter
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import scene_of
from hardware.simulated.setting import Setting
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import true_pose
from tests.training.patches import standing

GAME = load_game("magic_triland")
PIECES = [site for site in GAME.sites if site.upon]
NAMES = [site.kind.partition(":")[2] for site in PIECES]
FOOT, STICK = (solid for solid in GAME.look(PIECES[0].kind, "A1") if isinstance(solid, Prism))


@pytest.mark.parametrize("seed", [70001, 70002, 70003])
def test_pieces_are_known_by_their_sticks_and_feet_whatever_they_carry(seed: int) -> None:
    chance = random.Random(seed)
    cells = [site.name for site in GAME.sites if site.kind == "cell"]
    labels = {cell: chance.choice("123456") for cell in cells}
    hosts = chance.sample(cells, len(PIECES) + 6)
    for site, host in zip(PIECES, hosts, strict=False):
        labels[site.name] = f"{host.partition(':')[2]} {''.join(chance.sample('RRYYBB', 3))}"
    scene, conditions = scene_of(GAME, labels, seed), Conditions.random(GAME, seed, 0.4, (1280, 720))
    image, true = Renderer(GAME, conditions).render(scene), truth(GAME, scene, conditions)
    feet = standing(Setting(GAME, conditions), scene, true)
    assert [foot.name for foot in feet] == NAMES
    block = GAME.look("cell", "1")[0]
    assert isinstance(block, Prism)
    centres = {site.name: site.centre for site in GAME.sites}
    places = [(*centres[host][:2], block.z1 * int(labels[host])) for host in hosts]
    spotter = Spotter("magic_triland", NAMES, FOOT, STICK)
    pose, light = true_pose(image, true), Light.nominal().over(image)
    told = spotter.beside_nothing(image, pose, light, np.array(places))
    assert told.shape == (len(PIECES), len(hosts))
    free = [k for k, foot in enumerate(feet) if foot.hidden < 0.15]
    assert len(free) > 2
    assert [int(told[:, k].argmax()) for k in free] == free
    assert all(told[k, k] > 1.0 for k in free)
    assert told[:, len(PIECES) :].max() < -1.0


def test_pieces_of_other_sizes_or_names_are_not_known() -> None:
    assert Spotter("magic_triland", NAMES, FOOT, STICK).fits
    assert not Spotter("magic_triland", NAMES[1:], FOOT, STICK).fits
    larger = FOOT._replace(footprint=tuple((1.5 * x, 1.5 * y) for x, y in FOOT.footprint))
    assert not Spotter("magic_triland", NAMES, larger, STICK).fits
    assert not Spotter("labyria", NAMES, FOOT, STICK).fits
