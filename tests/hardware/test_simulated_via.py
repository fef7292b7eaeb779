"""The simulated table of VIA: buildings stand on the land of the tile below them."""

from __future__ import annotations

import pytest

from companion.games.registry import load_game
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene import Scene, Shift, centre_of, scene_of
from hardware.simulated.script import Carry
from hardware.simulated.setting import Setting
from hardware.simulated.table import SimulatedTable

GAME = load_game("via")
SITES = {site.name: site for site in GAME.sites}


@pytest.mark.parametrize(("tile", "dx", "dy"), [("S2/1", 0, -13.5), ("S4/0", 13.5, -13.5), ("C2/0", -4.5, -4.5)])
def test_a_building_stands_on_its_part_of_the_tile(tile: str, dx: float, dy: float) -> None:
    x, y, _ = SITES["cell:c5"].centre
    scene = scene_of(GAME, {"cell:c5": tile, "building:c5.2": "house:blue"})
    assert centre_of(scene, SITES["building:c5.2"]) == pytest.approx((x + dx, y + dy, 4.0))
    setting = Setting(GAME, Conditions.random(GAME, 1))
    ((house, *_),) = setting.stack(scene, "building:c5.2")
    assert (house.x, house.y, house.z) == pytest.approx((x + dx, y + dy, 4.0), abs=1.5)
    pushed = Scene(scene.pieces, board=Shift(10.0, 5.0))
    ((house, *_),) = setting.stack(pushed, "building:c5.2")
    assert (house.x, house.y) == pytest.approx((x + dx + 10, y + dy + 5), abs=1.5)


def test_without_a_tile_a_site_is_where_it_is_listed() -> None:
    site = SITES["building:c5.2"]
    assert centre_of(Scene(), site) == site.centre
    assert centre_of(Scene(), SITES["cell:c5"]) == SITES["cell:c5"].centre


def test_a_hand_goes_where_the_building_will_stand() -> None:
    script = [Carry(0, None, "cell:c5", "S2/1"), Carry(0, None, "building:c5.2", "house:blue")]
    table = SimulatedTable(GAME, script, seed=3, pause=0.1)
    scenes = [table.scene(k / 20) for k in range(400)]
    x, y, _ = SITES["cell:c5"].centre
    puts = [
        k for k in range(1, 400) if "building:c5.2" in scenes[k].pieces and "building:c5.2" not in scenes[k - 1].pieces
    ]
    assert len(puts) == 1
    (hand,) = scenes[puts[0]].hands
    assert (hand.x, hand.y) == pytest.approx((x, y - 13.5), abs=2.0)
    assert scenes[-1].labels == {"cell:c5": "S2/1", "building:c5.2": "house:blue"}
