"""What the shadows of blocks tell of their heights."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints, rasterise
from companion.vision.locating.board import locate
from companion.vision.readers.blocks import Blocks
from companion.vision.scene.relief import Relief, Solids, Stand
from companion.vision.scene.shadows import Shadows
from hardware.simulated.conditions import Conditions, Lamp, Lighting
from hardware.simulated.renderer import render
from hardware.simulated.scene import scene_of
from tests.vision.readers.test_terraces import CELLS, GAME, landscape

LAMP = (900.0, -500.0, 1500.0)
OTHER = (-600.0, -900.0, 1400.0)
LABELS = next(site for site in GAME.sites if site.kind == "cell").labels
EVERY = np.ones(len(CELLS), bool)


class Table(NamedTuple):
    """Blocks on the board, and where their reader's parts come from."""

    heights: dict[str, str]
    solids: Solids
    relief: Relief
    stand: Stand


def photographed(heights: dict[str, str], *lamps: tuple[float, float, float]) -> tuple[Array, Pose]:
    conditions = Conditions.random(GAME, 11, 0.1, (1280, 720))
    share = 0.5 / max(1, len(lamps))
    light = Lighting((0.5, 0.5, 0.5), tuple(Lamp(lamp, (share, share, share), 40.0) for lamp in lamps))
    image = render(GAME, scene_of(GAME, heights, 11), replace(conditions, light=light))
    return image, locate(image, GAME, Lens.nominal((1280, 720)))


def table(*lamps: tuple[float, float, float], few: bool = False) -> Table:
    """A board under some lamps, with its true heights."""
    heights = {site: label for site, label in landscape(7).items() if site in CELLS[: 2 if few else None]}
    image, pose = photographed(heights, *lamps)
    looks = [GAME.look("cell", label) for label in LABELS]
    paints = Paints.of([GAME.board, *looks])
    board = rasterise(GAME.board, paints)
    solids = Blocks(GAME, [site for site in GAME.sites if site.kind == "cell"], paints, board).solids
    relief = Relief(solids, pose, board, paints)
    relief.see(image)
    label = np.array([LABELS.index(heights.get(cell, LABELS[0])) for cell in CELLS])
    none = np.zeros(len(label))
    return Table(heights, solids, relief, Stand(label, np.zeros((len(label), 2)), none, none, 0.4))


def shadows_on(table: Table) -> Shadows:
    shadows = Shadows(table.solids)
    shadows.plan(table.relief)
    shadows.see(table.stand, EVERY)
    return shadows


@pytest.fixture(scope="module")
def lit() -> Table:
    return table(LAMP)


def test_the_lamp_is_found(lit: Table) -> None:
    lamp = shadows_on(lit).lamps[0]
    turn = np.degrees(np.arctan2(lamp[1], lamp[0]) - np.arctan2(LAMP[1], LAMP[0]))
    assert abs(turn) < 15.0
    assert np.hypot(*lamp[:2]) / lamp[2] == pytest.approx(np.hypot(*LAMP[:2]) / LAMP[2], rel=0.25)


def told(shadows: Shadows, site: int, label: int) -> tuple[int, float]:
    """The height that shadows tell of a block, and how much likelier it is than the next one."""
    same = np.arange(1 if label % 2 else 2, len(LABELS), 2)
    scores = shadows.tell(site, same)
    return int(same[scores.argmax()]), float(np.diff(np.sort(scores)[-2:])[0])


def test_shadows_tell_most_heights_and_are_seldom_sure_of_a_wrong_one(lit: Table) -> None:
    shadows = shadows_on(lit)
    found = [(*told(shadows, site, label), label) for site, label in enumerate(lit.stand.label)]
    right = [height == label for height, _, label in found]
    assert np.mean(right) > 0.85
    assert sum(sure > 3.0 and height != label for height, sure, label in found) <= 1


def test_blocks_that_are_taken_for_others_are_told(lit: Table) -> None:
    shadows, right = shadows_on(lit), []
    for site, label in enumerate(lit.stand.label.tolist()):
        mistaken = label - 2 if label > 2 else label + 2
        stand = replace(lit.stand, label=np.where(np.arange(len(CELLS)) == site, mistaken, lit.stand.label))
        shadows.see(stand, EVERY)
        right.append(told(shadows, site, label)[0] == label)
    assert np.mean(right) > 0.75


def test_where_light_comes_from_everywhere_no_lamp_is_found() -> None:
    assert shadows_on(table()).lamps == []


def test_two_blocks_do_not_tell_where_the_lamp_hangs() -> None:
    assert shadows_on(table(LAMP, few=True)).lamps == []


def test_another_lamp_is_looked_for_when_the_light_has_changed(lit: Table) -> None:
    shadows = shadows_on(lit)
    lit.relief.see(photographed(lit.heights, OTHER)[0])
    shadows.see(lit.stand, EVERY)
    assert np.dot(shadows.lamps[0][:2], OTHER[:2]) > 0.8 * np.hypot(*shadows.lamps[0][:2]) * np.hypot(*OTHER[:2])
