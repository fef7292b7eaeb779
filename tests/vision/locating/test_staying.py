"""Whether a board is where it seems to be, by its own contours."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image, Mask
from companion.vision.locating.board import STANDS, NoBoardError, locate, locate_around
from companion.vision.locating.contours import Prepared
from companion.vision.locating.poses import PoseKeeper
from companion.vision.locating.staying import Staying
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import STILL, Scene, Shift, scene_of
from tests.benchmarks.pictures import arranged, drawn, picture, true_pose

SIZE = (1280, 720)
NOTHING: Mask = np.zeros((90, 160), np.uint8)


class Table:
    """Pictures of a board that lies shifted among its cards, and how far a pose is off there."""

    def __init__(self, name: str, seed: int, difficulty: float) -> None:
        self.game = load_game(name)
        self._renderer = Renderer(self.game, Conditions.random(self.game, seed, difficulty, SIZE, seats=(0, 1)))
        self._bare: dict[tuple[Shift, int], Image] = {}

    def picture(self, shift: Shift, labels: dict[str, str] | None = None, noise: int = 1) -> Image:
        if labels:
            return self._rendered(shift, labels, noise)
        if (shift, noise) not in self._bare:
            self._bare[shift, noise] = self._rendered(shift, {}, noise)
        return self._bare[shift, noise].copy()

    def _rendered(self, shift: Shift, labels: dict[str, str], noise: int) -> Image:
        scene: Scene = scene_of(self.game, labels, seed=1)
        return self._renderer.render(replace(scene, board=shift), noise)

    def off(self, pose: Pose, before: Pose, shift: Shift) -> float:
        """Millimetres between a pose and the pose `before`, shifted."""
        angle = np.radians(shift.turn)
        turn = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        points = np.array([[100.0, 100.0, 0.0], [-100.0, 100.0, 0.0], [-100.0, -100.0, 0.0]])
        wanted = before.project(points @ turn.T + np.array([shift.dx, shift.dy, 0.0]))
        return float(np.abs(pose.project(points) - wanted).max()) / before.scale(np.zeros(3))


@cache
def table_of(name: str, seed: int, difficulty: float) -> Table:
    """The one such table of all tests, which keeps its pictures."""
    return Table(name, seed, difficulty)


def test_faint_lines_that_show_in_every_other_picture_do_not_lose_the_board() -> None:
    table = Table("via", 985000, 0.5)
    for first in range(4):
        keeper = PoseKeeper(table.game, None, locate)
        keeper.update(table.picture(Shift(), noise=first), NOTHING)
        assert not keeper.update(table.picture(Shift(), noise=4), NOTHING, calm=True)
        for noise in range(5, 8):
            assert not keeper.update(table.picture(Shift(), noise=noise), NOTHING, refine=noise == 6)


SHIFTS = (Shift(-9.0, 12.0, -1.0), Shift(17.0, 3.0, 1.0), Shift(-30.0, 22.0, 2.0))


def test_a_board_that_shows_elsewhere_is_no_measure_of_the_noise() -> None:
    table = Table("via", 985001, 0.5)
    for shift in (Shift(16.0, 0.0, 0.0), *SHIFTS):
        keeper = PoseKeeper(table.game, None, locate)
        keeper.update(table.picture(Shift()), NOTHING)
        before = keeper.pose
        assert before is not None
        with suppress(NoBoardError):
            keeper.update(table.picture(shift), NOTHING, calm=True)
            assert table.off(keeper.pose, before, shift) < 2.5


@pytest.mark.parametrize("name", ["triangle", "labyria", "via", "magic_triland", "magic_labyrinth"])
def test_a_pushed_board_is_found_or_lost_but_never_elsewhere(name: str) -> None:
    table = table_of(name, 11, 0.5)
    first = table.picture(Shift())
    found = 0
    for shift in SHIFTS:
        keeper = PoseKeeper(table.game, None, locate)
        keeper.update(first, NOTHING)
        before = keeper.pose
        assert before is not None
        picture = table.picture(shift)
        try:
            assert keeper.update(picture, NOTHING)
        except NoBoardError:
            assert not keeper.stands(picture, NOTHING)
            for _ in range(60):
                keeper.forget()
            with pytest.raises(NoBoardError):
                keeper.update(picture, NOTHING)
            continue
        assert keeper.pose is not None
        assert table.off(keeper.pose, before, shift) < 2.5
        found += 1
    assert found >= 1


@pytest.mark.parametrize("name", ["via", "magic_triland", "magic_labyrinth"])
def test_a_board_pushed_far_is_found_in_pictures_of_many_soft_pixels(name: str) -> None:
    table, large, shift = table_of(name, 11, 0.5), (2 * SIZE[0], 2 * SIZE[1]), SHIFTS[1]
    first, after = (
        cv2.resize(table.picture(where), large, interpolation=cv2.INTER_CUBIC) for where in (Shift(), shift)
    )
    before = locate(first, table.game, Lens.nominal(large))
    assert table.off(locate_around(after, table.game, before), before, shift) < 2.5


@pytest.mark.parametrize(("name", "pitch"), [("labyria", 36.0), ("via", 47.0)])
def test_a_board_one_pitch_beside_its_cards_is_refused_at_first_sight(name: str, pitch: float) -> None:
    """Its grid lies on where the grid should be, and all that is read would be one field off."""
    game = load_game(name)
    scene, conditions = arranged(game, 962101, hands=0.0)
    for shift in (STILL, Shift(pitch, 0.0, 0.4), Shift(0.0, -pitch, -0.4)):
        image = drawn(game, replace(scene, board=shift), conditions)
        lens = Lens.nominal((image.shape[1], image.shape[0]))
        if shift is STILL:
            assert locate(image, game, lens).support > 0.5
        else:
            with pytest.raises(NoBoardError, match="where its corner cards have it"):
                locate(image, game, lens)


def test_a_board_in_noise_is_found_as_exactly_as_it_shows() -> None:
    """The nearest place where some of its contours seemed to be was 4 mm off."""
    game = load_game("magic_triland")
    shot = picture(game, 950028)
    pose = locate(shot.image, game, Lens.nominal((shot.image.shape[1], shot.image.shape[0])))
    true, places = true_pose(shot.image, shot.truth), np.array([s.centre for s in game.sites if s.kind == "cell"])
    off = np.linalg.norm(pose.project(places) - true.project(places), axis=1)
    assert off.mean() / true.scale(np.zeros(3)) < 1.0


def test_contours_under_pieces_and_hands_do_not_count() -> None:
    table = table_of("triangle", 3, 0.3)
    bare = table.picture(Shift())
    pose = locate(bare, table.game, Lens.nominal(SIZE))
    staying = Staying(table.game)

    def part(image: Image, hidden: Mask) -> float:
        return staying.part(staying.look(Prepared(image), pose, hidden))

    assert part(bare, NOTHING) == 1.0
    staying.remember(staying.look(Prepared(bare), pose, NOTHING))
    tiles = {f"cell:{k}": "PPP6/0" for k in range(0, 36, 2)}
    laid, over = table.picture(Shift(), tiles), NOTHING.copy()
    for site in table.game.sites:
        if site.name in tiles:
            (x, y), reach = pose.project(np.array([site.centre]))[0] / 8, site.size / 2 * pose.scale(np.zeros(3)) / 8
            cv2.circle(over, (round(x), round(y)), round(reach), 255, -1)
    assert part(laid, NOTHING) < STANDS
    assert part(laid, over) > STANDS
    assert part(laid, np.full_like(over, 255)) == 0.0


def test_nothing_is_told_by_contours_of_which_none_was_found() -> None:
    table = table_of("triangle", 3, 0.3)
    bare = table.picture(Shift())
    pose = locate(bare, table.game, Lens.nominal(SIZE))
    assert Staying(table.game).beside(Prepared(bare), pose, NOTHING) is None
    keeper = PoseKeeper(table.game, None, locate)
    everything = np.full_like(NOTHING, 255)
    assert not keeper.update(bare, everything)
    assert not keeper.stands(bare, everything)


def test_after_searches_in_vain_less_has_to_show() -> None:
    table = table_of("triangle", 3, 0.3)
    keeper = PoseKeeper(table.game, None, locate)
    keeper.update(table.picture(Shift()), NOTHING)
    covered = table.picture(Shift(), {f"cell:{k}": "PPP6/0" for k in range(0, 36, 4)})
    with pytest.raises(NoBoardError, match="not found where its corner cards"):
        keeper.update(covered, NOTHING)
    for _ in range(30):
        keeper.forget()
    assert not keeper.update(covered, NOTHING)
