"""The simulated table in the course of time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from companion.games.registry import load_game
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene import Scene, Shift
from hardware.simulated.script import Carry, Cover, Dark, Done, Lay, Push, Rest, Step, Wait
from hardware.simulated.table import SimulatedCamera, SimulatedTable, seat_direction

GAME = load_game("triangle")
START = Lay({"rack:0.0": ("RRY5",), "rack:0.1": ("BBR5",), "hole:3": ("red", "blue")})


def play(*steps: Step, seed: int = 1) -> tuple[SimulatedTable, list[Scene]]:
    """The table after the script, and its scenes every tenth of a second."""
    table, scenes, tick = SimulatedTable(GAME, steps, seed), [], 0
    while table.ended is None or tick / 10 <= table.ended + 0.2:
        scenes.append(table.scene(tick / 10))
        tick += 1
    return table, scenes


def test_a_hand_carries_a_tile_from_rack_to_cell() -> None:
    table, scenes = play(START, Wait(1.0), Carry(0, "rack:0.0", "cell:12", "RRY5/1"), Done("place RRY5 12 1"))
    assert scenes[5].labels == {"rack:0.0": "RRY5", "rack:0.1": "BBR5", "hole:3": "blue"}
    assert scenes[-1].labels == {"cell:12": "RRY5/1", "rack:0.1": "BBR5", "hole:3": "blue"}
    carried = [hand.holding for scene in scenes for hand in scene.hands]
    assert carried[0] is None
    assert ("cell", "RRY5/1") in carried
    assert carried[-1] is None
    assert not scenes[5].hands
    assert not scenes[-1].hands
    assert [h.what.action for h in table.happened if isinstance(h.what, Done)] == ["place RRY5 12 1"]
    first = next(k for k, scene in enumerate(scenes) if "cell:12" in scene.pieces)
    assert (first - 1) / 10 < table.happened[0].time <= first / 10
    assert scenes[first].hands  # which has not yet gone


def test_a_piece_is_in_the_hand_or_on_the_table() -> None:
    _, scenes = play(START, Wait(0.5), Carry(0, "rack:0.0", "cell:12", "RRY5/0"), Wait(0.5))
    for scene in scenes:
        tiles = [label for label in scene.labels.values() if label.startswith("RRY5")]
        held = [hand for hand in scene.hands if hand.holding]
        assert len(tiles) + len(held) == 1


def test_hands_come_from_their_seats_and_move_smoothly() -> None:
    table = SimulatedTable(GAME, (START, Wait(0.5), Carry(2, None, "cell:20", "GGB5/0"), Wait(0.5)), 3)
    poses = [pose for k in range(400) for pose in table.scene(k / 100).hands]
    first, angle = poses[0], np.radians(seat_direction(GAME, 2))
    assert np.hypot(first.x, first.y) > 700
    assert np.dot([first.x, first.y], [np.sin(angle), np.cos(angle)]) > 600
    steps = np.abs(np.diff([(p.x, p.y, p.z) for p in poses], axis=0)).max()
    assert steps < 30  # mm in a hundredth of a second


def test_stacks_keep_their_order() -> None:
    _, scenes = play(START, Carry(0, "hole:3", "hole:9", "red"))
    assert [piece.label for piece in scenes[-1].pieces["hole:3"]] == ["blue"]
    _, scenes = play(START, Carry(0, "hole:3", "hole:9", "blue"), Carry(0, "hole:9", "hole:3", "blue"))
    assert [piece.label for piece in scenes[-1].pieces["hole:3"]] == ["red", "blue"]


def test_a_hand_stays_from_one_piece_to_the_next() -> None:
    steps = (START, Carry(0, "rack:0.0", "cell:3", "RRY5/0"), Done("x"), Carry(0, "rack:0.1", "cell:1", "BBR5/0"))
    _, scenes = play(*steps)
    busy = [bool(scene.hands) for scene in scenes]
    assert np.abs(np.diff(np.int8(busy))).sum() <= 2  # it comes once and goes once


def test_pieces_lie_still_once_they_lie() -> None:
    _, scenes = play(START, Wait(1.0), Rest(1, "cell:20", 2.0), Carry(0, "rack:0.0", "cell:3", "RRY5/0"), Wait(1.0))
    assert all(scene.pieces["rack:0.1"] == scenes[1].pieces["rack:0.1"] for scene in scenes[1:])
    resting = [scene for scene in scenes if scene.hands and scene.hands[0].grip < 0.3]
    assert len(resting) > 10


def test_knocks_covers_and_darkness() -> None:
    pushes = Push(Shift(5, 0, 1), {2: Shift(1, 1, 0)}, Shift(0, 3, 0)), Push(Shift(1, 0, 0))
    _, scenes = play(START, *pushes, Cover((1,)), Dark(True), Wait(1.0), Dark(False), Cover(()), Wait(1.0))
    last = scenes[-1]
    assert last.board == Shift(6, 0, 1)
    assert last.cards == (Shift(), Shift(), Shift(1, 1, 0))
    assert last.camera == Shift(0, 3, 0)
    assert (scenes[3].dark, last.dark) == (True, False)
    assert (scenes[3].covered, last.covered) == ((1,), ())


def test_shortened_pauses_keep_what_has_to_be_seen() -> None:
    table = SimulatedTable(GAME, (START, Wait(10.0), Wait(10.0, least=2.0)), pause=0.1)
    table.scene(100.0)
    assert table.ended == pytest.approx(3.0)


def test_taking_from_an_empty_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing lies on cell:5"):
        play(START, Carry(0, "cell:5", "cell:6", "RRY5/0"))


def test_camera_gives_every_frame_and_ends() -> None:
    conditions = Conditions.random(GAME, 1, 0.0, (320, 180))
    frames = []
    for _ in range(2):
        table = SimulatedTable(GAME, (START, Carry(0, "rack:0.0", "cell:12", "RRY5/1")), 5)
        with SimulatedCamera(table, conditions, fps=4, tail=1.0) as camera:
            frames.append(list(iter(camera.read, None)))
    first, second = frames
    assert [frame.time for frame in first] == [k / 4 for k in range(len(first))]
    assert [frame.number for frame in first] == list(range(len(first)))
    assert len(first) == len(second) > 8
    assert all(np.array_equal(a.image, b.image) for a, b in zip(first, second, strict=True))
    assert first[0].image.shape == (180, 320, 3)


def test_live_camera_keeps_to_the_clock() -> None:
    table = SimulatedTable(GAME, (START, Wait(60.0)))
    camera = SimulatedCamera(table, Conditions.random(GAME, 1, 0.0, (160, 90)), fps=20, live=True)
    times = [frame.time for frame in (camera.read() for _ in range(5)) if frame]
    assert len(times) == 5
    assert all(later > earlier for earlier, later in pairwise(times))
