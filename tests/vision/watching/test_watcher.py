"""The watcher in the course of time, on a simulated table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.core import Game
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.ui.games import sampled
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image
from companion.vision.locating.board import locate
from companion.vision.observation import Observation, Scene
from companion.vision.readers.reader import Reader
from companion.vision.reading import Reading, SiteReading
from companion.vision.watching.memory import LOOKS
from companion.vision.watching.motion import thumbnail
from companion.vision.watching.tabletop import PARTS, Tabletop, Timing
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import HandPose, Shift, scene_of
from tests.vision.filming import GAME, HAND, LABELS, CountingReader, Filming, exposed, laid, shifted, wrong_sites

LABYRIA = load_game("labyria")
FREE = laid()
WITH_HAND = replace(FREE, hands=(HAND,))


@cache
def watched() -> Filming:
    """The table that all tests of one begin with."""
    film = Filming()
    film.show(FREE, 3 + round(LOOKS * film.rate))  # doubtful sites have been looked at again
    return film


@pytest.fixture
def film() -> Filming:
    """A table that has been watched until it was still."""
    return deepcopy(watched(), {id(GAME): GAME})


def scenes(observations: list[Observation]) -> list[Scene]:
    return [observation.scene for observation in observations]


def hidden(observation: Observation, kind: str) -> set[str]:
    assert observation.reading is not None
    return {name for name, site in observation.reading.sites.items() if name.startswith(kind) and site.visible == 0.0}


# -- still and moving ------------------------------------------------------------


def test_is_read_once_when_it_has_been_still_for_long_enough() -> None:
    film = Filming()
    seen = film.show(FREE, 5)
    assert scenes(seen) == [Scene.MOVING, Scene.MOVING, Scene.STILL, Scene.STILL, Scene.STILL]
    assert [o.reading is None for o in seen[:2]] == [True, True]
    assert wrong_sites(seen[2], FREE) == {}
    assert seen[2].since == 0.0
    assert film.reader.asked[0] is None


def test_noise_alone_is_nothing_new() -> None:
    film = Filming(difficulty=0.8)
    film.show(FREE, 3 + round(LOOKS * film.rate))
    looks = len(film.reader.asked)
    seen = film.show(FREE, 10)
    assert scenes(seen) == [Scene.STILL] * 10
    assert len({id(o.reading) for o in seen}) == 1
    assert len(film.reader.asked) == looks
    assert {o.since for o in seen} == {seen[0].since}


def test_a_tile_is_read_after_the_hand_that_laid_it_has_gone(film: Filming) -> None:
    after = laid({"cell:22": "PPP6/0", "rack:0.1": "YYR4"})
    first, last = film.show(replace(after, hands=(HAND,)), 1), film.show(after, 4)
    assert scenes(first) == [Scene.MOVING]
    assert scenes(last) == [Scene.MOVING, Scene.MOVING, Scene.STILL, Scene.STILL]
    assert wrong_sites(last[2], after) == {}
    assert last[2].since == last[0].time
    assert last[3].reading is last[2].reading


def test_only_sites_near_the_change_are_read_again(film: Filming) -> None:
    film.reader.asked.clear()
    after = laid({"cell:22": "PPP6/0"})
    assert wrong_sites(film.show(after, 3)[-1], after) == {}
    (asked,) = film.reader.asked
    assert asked is not None
    assert "cell:22" in asked
    assert len(asked) < 12


def test_what_was_read_is_used_to_align_in_a_later_picture_in_which_nothing_has_changed(film: Filming) -> None:
    after = laid({"cell:22": "PPP6/0"})
    given = []
    for shown in (replace(after, hands=(HAND,)), after, after, after, after):
        film.show(shown, 1)
        given.append(film.reader.had_time)
    assert given == [True, True, True, False, True]


class Overlooking(CountingReader):
    """Reads sites as if they were empty when it is asked for some of them the first time."""

    def read(self, image: Image, pose: Pose, only: Collection[str] | None = None, *, glance: bool = False) -> Reading:
        reading = super().read(image, pose, only, glance=glance)
        if only is None or len([asked for asked in self.asked if asked]) > 1:
            return reading
        empty = {name: np.where(np.array(site.labels) == EMPTY, 0.0, -12.0) for name, site in reading.sites.items()}
        return Reading(
            {name: replace(site, log_likelihood=empty[name].astype(np.float32)) for name, site in reading.sites.items()}
        )


def test_where_what_has_changed_shows_nothing_new_all_is_read() -> None:
    film = Filming()
    film.reader = Overlooking()
    film.watcher = Watcher(GAME, reader=film.reader)
    film.show(scene_of(GAME, {}), 3)
    after = scene_of(GAME, {"cell:22": "PPP6/0"})
    seen = film.show(after, 6)
    assert wrong_sites(seen[2], after) == {"cell:22": EMPTY}
    assert film.reader.asked[2] == {site.name for site in GAME.sites}
    assert wrong_sites(seen[-1], after) == {}
    assert len(film.reader.asked) == 3


def test_slow_movement_is_movement(film: Filming) -> None:
    pictures = [replace(FREE, hands=(HAND._replace(y=120.0 - 12 * k),)) for k in range(8)]
    seen = [film.show(picture, 1)[0] for picture in pictures]
    assert set(scenes(seen)) == {Scene.MOVING}


def test_at_thirty_frames_a_second_it_takes_as_long() -> None:
    film = Filming(rate=30.0)
    seen = film.show(FREE, 14)
    assert scenes(seen) == [Scene.MOVING] * 11 + [Scene.STILL] * 3


class Lying(CountingReader):
    """Misreads a site whenever everything is read."""

    def __init__(self, site: str, label: str) -> None:
        super().__init__()
        self._lie = site, label

    def read(self, image: Image, pose: Pose, only: Collection[str] | None = None, *, glance: bool = False) -> Reading:
        reading = super().read(image, pose, only, glance=glance)
        site, label = self._lie
        if only is not None:
            return reading
        labels = reading[site].labels
        lie = SiteReading(labels, np.where(np.array(labels) == label, 0.0, -12.0).astype(np.float32))
        return Reading({**reading.sites, site: lie})


class Astray(CountingReader):
    """Finds everything off its place."""

    @property
    def astray(self) -> bool:
        return bool(self.asked)


@pytest.mark.parametrize(("reader", "again"), [(CountingReader, False), (Astray, True)])
def test_the_board_is_looked_for_where_all_is_off_its_place(reader: type[CountingReader], again: bool) -> None:
    located: list[float] = []

    def locator(image: Image, game: Game[Any, Any], lens: Lens, before: Pose | None = None) -> Pose:
        located.append(film.time)
        return locate(image, game, lens, before)

    film = Filming()
    film.watcher = Watcher(GAME, locator=locator, reader=reader())
    film.show(FREE, 10)
    seen = len(located)
    film.show(laid({"cell:22": "PPP6/0"}), 15)
    assert (len(located) > seen) == again


def test_everything_is_read_again_in_the_course_of_time_a_part_after_another() -> None:
    film = Filming()
    reader = Lying("rack:3.3", "PPP6")
    film.watcher = Watcher(GAME, reader=reader)
    assert wrong_sites(film.show(FREE, 4)[-1], FREE).keys() == {"rack:3.3"}
    for _ in range(2 * PARTS):
        film.wait(20.0)
        seen = film.show(FREE, 1)
    assert wrong_sites(seen[-1], FREE) == {}
    everything = {site.name for site in GAME.sites}
    assert set().union(*(asked or () for asked in reader.asked)) == everything
    assert max(len(asked or ()) for asked in reader.asked) < len(everything) / 4


def test_the_pose_is_checked_when_nothing_has_just_changed() -> None:
    located: list[float] = []

    def locator(image: Image, game: Game[Any, Any], lens: Lens, before: Pose | None = None) -> Pose:
        located.append(film.time)
        return locate(image, game, lens, before)

    film = Filming()
    film.watcher = Watcher(GAME, locator=locator, reader=film.reader)
    film.show(FREE, 10)
    film.wait(Timing().recheck)
    seen, after = len(located), laid({"cell:22": "PPP6/0"})
    assert wrong_sites(film.show(after, 3)[-1], after) == {}
    assert len(located) == seen
    film.show(after, 1)
    assert len(located) == seen + 1


def test_a_tall_piece_is_no_reason_to_look_for_the_board() -> None:
    """Of a block of its height as many sites behind it are covered as a moved board would show changed."""
    game = load_game("magic_triland")
    scene = [scene_of(game, labels, 1) for labels in ({}, {"cell:D4": "6"})]
    conditions = Conditions.random(game, 3, 0.1, (1280, 720))
    images = [Renderer(game, conditions).render(one) for one in scene]
    located: list[int] = []

    def locator(image: Image, game: Game[Any, Any], lens: Lens, before: Pose | None = None) -> Pose:
        located.append(len(located))
        return locate(image, game, lens, before)

    watcher = Watcher(game, locator=locator)
    for k in range(8):
        watcher.observe(Frame(images[0], k / 5, k))
    seen = len(located)
    after = [watcher.observe(Frame(images[1], 1.6 + k / 5, 8 + k)) for k in range(4)][-1]
    assert after.reading is not None
    assert after.reading["cell:D4"].label == "6"
    assert len(located) == seen


# -- hands and things ------------------------------------------------------------


def test_a_resting_hand_is_no_piece(film: Filming) -> None:
    seen = film.show(WITH_HAND, 8)
    assert scenes(seen) == [Scene.MOVING] * 2 + [Scene.HAND] * 6
    assert {o.since for o in seen[2:]} == {seen[0].time}
    assert wrong_sites(seen[-1], FREE) == {}
    covered = hidden(seen[-1], "cell:")
    assert 4 < len(covered) < 36
    assert "cell:20" in covered or "cell:12" in covered
    assert scenes(film.show(FREE, 3))[-1] is Scene.STILL


def test_a_hand_that_is_there_from_the_beginning() -> None:
    film = Filming()
    assert scenes(film.show(WITH_HAND, 6))[2:] == [Scene.HAND] * 4
    assert film.reader.asked == []
    seen = film.show(FREE, 4)
    assert seen[-1].scene is Scene.STILL
    assert wrong_sites(seen[-1], FREE) == {}


def test_tiles_laid_where_a_hand_was_from_the_beginning_are_no_part_of_it() -> None:
    rack = {"rack:0.0": "BBR5", "rack:0.1": "PPP6", "rack:0.2": "GGY4", "rack:0.3": "YYB5"}
    film = Filming()
    hand = HandPose(-330.0, -60.0, 15.0, 250.0, look=2)
    film.show(replace(laid(dict.fromkeys(rack, EMPTY)), hands=(hand,)), 6)
    after = laid(rack)
    seen = film.show(after, 8)
    assert seen[-1].scene is Scene.STILL
    assert hidden(seen[-1], "rack:0") == set()
    assert wrong_sites(seen[-1], after) == {}


def test_an_arm_over_a_rack_leaves_the_board_readable(film: Filming) -> None:
    arm = HandPose(-285.0, -60.0, 15.0, 250.0, look=2)
    film.show(replace(FREE, hands=(arm,)), 4)
    after = laid({"cell:22": "GPR1/0"})
    seen = film.show(replace(after, hands=(arm,)), 6)
    assert seen[-1].scene is Scene.HAND
    assert seen[-1].reading is not None
    assert seen[-1].reading["cell:22"].label == "GPR1/0"
    assert seen[-1].reading["cell:22"].visible > 0.5
    assert len(hidden(seen[-1], "rack:0")) >= 2
    assert wrong_sites(seen[-1], after) == {}


def sleeve(image: Image) -> Image:
    """An arm across the picture that leaves little of the board."""
    image = image.copy()
    cv2.rectangle(image, (330, 0), (960, 640), (60, 70, 120), -1)
    return image


def test_a_board_that_hardly_shows_under_an_arm_is_not_lost(film: Filming) -> None:
    seen = film.show(FREE, 12, sleeve)
    assert set(scenes(seen)) == {Scene.MOVING, Scene.HAND}
    assert all(observation.reading is None for observation in seen)
    after = laid({"cell:22": "GPR1/0"})
    seen = film.show(after, 4)
    assert Scene.LOST not in scenes(seen)
    assert seen[-1].scene is Scene.STILL
    assert wrong_sites(seen[-1], after) == {}


def test_a_board_pushed_away_under_an_arm_is_not_read_where_it_was(film: Filming) -> None:
    film.show(FREE, 4, sleeve)
    away = replace(FREE, board=Shift(-35.0, 10.0, 3.0))
    assert {observation.reading for observation in film.show(away, 4, sleeve)} == {None}
    assert film.show(away, 8)[-1].scene is Scene.LOST


def test_what_hides_the_board_for_ever_is_no_arm(film: Filming) -> None:
    assert film.show(FREE, 4, sleeve)[-1].scene is Scene.HAND
    film.wait(20.0)
    assert film.show(FREE, 4, sleeve)[-1].scene is Scene.LOST
    assert scenes(film.show(FREE, 4))[-1] is Scene.STILL


def cup(image: Image, x: int, y: int) -> Image:
    image = image.copy()
    cv2.circle(image, (x, y), 45, (70, 60, 190), -1, cv2.LINE_AA)
    cv2.circle(image, (x, y), 36, (20, 30, 50), -1, cv2.LINE_AA)
    return image


def test_a_cup_left_on_the_rim_blocks_nothing_for_ever(film: Filming) -> None:
    pose = film.watcher.pose
    assert pose is not None
    x, y = (int(v) for v in pose.project(np.array([[-160.0, -120.0, 0.0]]))[0])
    seen = film.show(FREE, 24, lambda image: cup(image, x, y))
    assert Scene.HAND in scenes(seen)
    assert seen[-1].scene is Scene.STILL
    assert hidden(seen[-1], "hole:")
    after = laid({"cell:2": "PPP6/0"})
    seen = film.show(after, 4, lambda image: cup(image, x, y))
    assert seen[-1].scene is Scene.STILL
    assert seen[-1].reading is not None
    assert seen[-1].reading["cell:2"].label == "PPP6/0"
    seen = film.show(after, 4)
    assert seen[-1].scene is Scene.STILL
    assert hidden(seen[-1], "cell:") == set()
    assert wrong_sites(seen[-1], after) == {}


def test_things_elsewhere_on_the_table_do_not_matter(film: Filming) -> None:
    corner = next(
        (x, y)
        for x, y in ((60, 60), (1220, 60), (60, 660), (1220, 660))
        if film.watcher.around is not None and not film.watcher.around[y // 4, x // 4]
    )
    seen = film.show(FREE, 4, lambda image: cup(image, *corner))
    assert scenes(seen) == [Scene.STILL] * 4
    assert len({id(o.reading) for o in seen}) == 1


# -- light ------------------------------------------------------------


@pytest.mark.parametrize("gains", [(1.15,), (0.7,), (0.9, 1.0, 1.12)])
def test_exposure_and_white_balance_are_no_change(film: Filming, gains: tuple[float, ...]) -> None:
    before = film.show(FREE, 1)[0].reading
    seen = film.show(FREE, 5, exposed(*gains))
    assert scenes(seen) == [Scene.STILL] * 5
    assert seen[-1].reading is not None
    assert before is not None
    assert {n: s.label for n, s in seen[-1].reading.sites.items()} == {n: s.label for n, s in before.sites.items()}


def test_slow_dusk_is_no_change(film: Filming) -> None:
    reading = film.show(FREE, 1)[0].reading
    for k in range(30):
        (seen,) = film.show(FREE, 1, exposed(1 - 0.015 * k))
        assert seen.scene is Scene.STILL
    assert seen.reading is reading


def test_the_shadow_of_somebody_leaning_over_is_no_hand(film: Filming) -> None:
    shade = 1 - 0.45 / (1 + np.exp((np.linspace(0, 1, 1280)[None, :, None] - 0.5) * 12))
    seen = film.show(FREE, 5, lambda image: (image * shade).astype(np.uint8))
    assert seen[-1].scene is Scene.STILL
    assert wrong_sites(seen[-1], FREE) == {}
    assert scenes(film.show(FREE, 4))[-1] is Scene.STILL


@pytest.mark.parametrize("level", [0, 128, 255])
def test_nothing_to_see_is_dark_and_comes_back_by_itself(film: Filming, level: int) -> None:
    blank = np.full((720, 1280, 3), level, np.uint8)
    seen = [film.see(blank) for _ in range(3)]
    assert scenes(seen) == [Scene.DARK] * 3
    assert seen[-1].since == seen[0].time
    after = laid({"cell:2": "PPP6/0"})
    seen = film.show(after, 4)
    assert seen[-1].scene is Scene.STILL
    assert not any(o.board_moved for o in seen)
    assert wrong_sites(seen[-1], after) == {}


# -- the board moves ------------------------------------------------------------


def test_a_shifted_picture_is_a_moved_board_once(film: Filming) -> None:
    seen = film.show(FREE, 6, shifted(12, 0))
    assert [o.board_moved for o in seen].count(True) == 1
    assert seen[-1].scene is Scene.STILL
    assert wrong_sites(seen[-1], FREE) == {}


def test_a_board_pushed_among_its_cards_is_found(film: Filming) -> None:
    pushed = replace(FREE, board=Shift(7.0, -5.0, 1.5))
    seen = film.show(pushed, 6)
    assert [o.board_moved for o in seen].count(True) == 1
    assert {name for name in wrong_sites(seen[-1], FREE) if not name.startswith("rack")} == set()


def test_a_board_pushed_away_from_its_cards_is_found_by_its_print(film: Filming) -> None:
    pushed = replace(FREE, board=Shift(16.0, -9.0, 1.0))
    seen = film.show(pushed, 8)
    assert seen[-1].scene is Scene.STILL
    assert any(observation.board_moved for observation in seen)
    assert {name for name in wrong_sites(seen[-1], pushed) if not name.startswith("rack")} == set()


def test_a_board_pushed_far_away_from_its_cards_is_looked_for_around(film: Filming) -> None:
    pushed = replace(FREE, board=Shift(-20.0, 12.0, 1.0))
    seen = film.show(pushed, 14)
    assert Scene.LOST in scenes(seen)
    assert seen[-1].scene is Scene.STILL
    assert any(observation.board_moved for observation in seen)
    assert {name for name in wrong_sites(seen[-1], pushed) if not name.startswith("rack")} == set()


def test_a_board_pushed_out_of_reach_is_not_read_where_it_was(film: Filming) -> None:
    seen = film.show(replace(FREE, board=Shift(-35.0, 10.0, 3.0)), 8)
    assert seen[-1].scene is Scene.LOST
    assert {observation.scene for observation in seen} <= {Scene.MOVING, Scene.LOST}
    back = film.show(FREE, 8)
    assert back[-1].scene is Scene.STILL
    assert wrong_sites(back[-1], FREE) == {}


def test_a_board_full_of_pieces_is_found_again_at_once_when_the_camera_was_moved(film: Filming) -> None:
    tiles = [label for label in GAME.sites[0].labels if label.endswith("/0")]
    full = laid({f"cell:{k}": tile for k, tile in enumerate(tiles[:30])}, base={})
    assert film.show(full, 12)[-1].scene is Scene.STILL
    seen = film.show(full, 8, shifted(40.0, -25.0))
    assert Scene.LOST not in scenes(seen)
    assert seen[-1].scene is Scene.STILL
    assert any(observation.board_moved for observation in seen)


def test_pieces_laid_since_the_board_was_last_looked_for_come_along_when_the_camera_is_knocked(film: Filming) -> None:
    """An arm that lies beside the board does not keep it from being found: else it would be waited for."""
    tiles = [label for label in GAME.sites[0].labels if label.endswith("/0")]
    for count in range(3, 19, 3):
        full = laid({f"cell:{k}": tile for k, tile in enumerate(tiles[:count])}, base={})
        assert film.show(full, 3)[-1].scene is Scene.STILL
    arm = replace(full, hands=(HandPose(300.0, 150.0, 15.0, 200.0, look=2),))
    seen = film.show(arm, 4, shifted(40.0, -25.0))
    assert any(observation.board_moved for observation in seen)
    assert wrong_sites(seen[-1], full) == {}


def test_cards_moved_away_from_a_board_that_stays_do_not_hide_it(film: Filming) -> None:
    seen = film.show(replace(FREE, cards=(Shift(22.0, 8.0, 0.0), Shift(), Shift(20.0, -9.0, 0.0))), 25)
    assert Scene.LOST not in scenes(seen)
    assert {name for name in wrong_sites(seen[-1], FREE) if not name.startswith("rack")} == set()


def test_a_covered_card_does_not_move_the_board(film: Filming) -> None:
    after = laid({"cell:22": "GPR1/0"})
    seen = film.show(replace(after, covered=(1,)), 6)
    assert not any(o.board_moved for o in seen)
    assert wrong_sites(seen[-1], after) == {}


def test_a_table_without_a_board_is_lost_and_found_again(film: Filming) -> None:
    bare = np.zeros((720, 1280, 3), np.uint8)
    bare[:] = np.linspace(60, 200, 1280)[None, :, None]
    seen = [film.see(bare) for _ in range(6)]
    assert seen[-1].scene is Scene.LOST
    seen = film.show(FREE, 8)
    assert seen[-1].scene is Scene.STILL
    assert wrong_sites(seen[-1], FREE) == {}


# -- cameras that misbehave ------------------------------------------------------------


def test_a_camera_that_changes_its_size_starts_over(film: Filming) -> None:
    small = [cv2.resize(film.picture(FREE), (960, 540), interpolation=cv2.INTER_AREA) for _ in range(3)]
    seen = [film.see(np.asarray(image, np.uint8)) for image in small]
    assert scenes(seen) == [Scene.MOVING, Scene.MOVING, Scene.STILL]
    assert wrong_sites(seen[-1], FREE) == {}


def test_pictures_that_are_none(film: Filming) -> None:
    for image in (np.zeros((0, 0, 3), np.uint8), np.zeros((720, 1280, 2), np.uint8), np.zeros((720, 1280, 3))):
        assert film.see(image).scene is Scene.DARK  # type: ignore[arg-type]
    assert scenes(film.show(FREE, 4))[-1] is Scene.STILL


def test_four_channels_and_grey_are_taken(film: Filming) -> None:
    four = [cv2.cvtColor(film.picture(FREE), cv2.COLOR_BGR2BGRA) for _ in range(3)]
    seen = [film.see(np.asarray(image, np.uint8)) for image in four]
    assert scenes(seen) == [Scene.STILL] * 3
    grey = [cv2.cvtColor(film.picture(FREE), cv2.COLOR_BGR2GRAY) for _ in range(3)]
    assert Scene.DARK not in scenes([film.see(np.asarray(image, np.uint8)) for image in grey])


@pytest.mark.parametrize("jump", [-0.5, 300.0])
def test_time_that_jumps_is_distrusted(film: Filming, jump: float) -> None:
    after = laid({"cell:22": "GPR1/0", "rack:0.0": "YYR4"})
    start = film.time + jump
    seen = [film.watcher.observe(Frame(film.picture(after), start + k / 5, k)) for k in range(3)]
    assert scenes(seen) == [Scene.MOVING, Scene.MOVING, Scene.STILL]
    assert seen[-1].since == start
    assert wrong_sites(seen[-1], after) == {}


def test_light_plates_laid_on_light_wood_are_noticed_in_a_noisy_picture() -> None:
    renderer = Renderer(LABYRIA, Conditions.random(LABYRIA, 5, 0.8, (1280, 720), (0, 1)))
    edges = ["edge:a2-a3", "edge:c2-c3", "edge:g2-g3", "edge:i2-i3", "edge:f5-g5"]
    first = dict(LABYRIA.new(2).view().sites)
    before, after = (scene_of(LABYRIA, first | dict.fromkeys(some, "square"), 4) for some in ([], edges))
    pictures = [before] * 4 + [replace(after, hands=(HAND,))] + [after] * 3
    watcher = Watcher(LABYRIA)
    seen = [watcher.observe(Frame(renderer.render(scene, k % 4), k / 5, k)) for k, scene in enumerate(pictures)]
    assert [one.reading is None for one in seen[2:]] == [False, False, True, True, True, False]
    assert seen[-1].reading is not None
    assert {seen[-1].reading[edge].label for edge in edges} == {"square"}


class Resting:
    """Labyria's first position, watched, beside which a hand comes to rest."""

    def __init__(self) -> None:
        conditions = Conditions.random(LABYRIA, 23, 0.5, (1280, 720), (0, 1, 2))
        self._renderer, self._watcher, self._number = Renderer(LABYRIA, conditions), Watcher(LABYRIA), 0

    def show(self, more: Mapping[str, str], frames: int, hand: bool = True) -> Observation:
        """What the watcher says to the last of that many frames, in which `more` has been laid."""
        scene = scene_of(LABYRIA, dict(LABYRIA.new(3).view().sites) | more, 4)
        scene = replace(scene, hands=(HandPose(190.0, -190.0, 5.0, 135.0),) if hand else ())
        for _ in range(frames):
            picture = self._renderer.render(scene, self._number % 4)
            seen = self._watcher.observe(Frame(picture, self._number / 5, self._number))
            self._number += 1
        return seen


@cache
def rested() -> Resting:
    resting = Resting()
    resting.show({}, 4, hand=False)
    resting.show({}, 5)
    return resting


def test_dark_walls_laid_beside_a_resting_hand_are_read_while_it_rests() -> None:
    wall = dict.fromkeys(
        [f"crossing:{place}" for place in ("b2", "b4", "b6", "b8", "d2", "d4", "f4", "f6", "f8")], "SW"
    )
    resting = deepcopy(rested(), {id(LABYRIA): LABYRIA})
    assert resting.show({}, 1).scene is Scene.HAND
    seen = resting.show(wall, 6)
    assert seen.scene is Scene.HAND
    assert seen.reading is not None
    assert {site: seen.reading[site].label for site in wall} == wall
    assert all(seen.reading[site].visible > 0.5 for site in wall)


def test_light_plates_under_the_rim_of_a_hands_shade_are_read_while_it_rests() -> None:
    plates = dict.fromkeys([site.name for site in LABYRIA.sites if site.kind == "edge"][::3], "square")
    seen = deepcopy(rested(), {id(LABYRIA): LABYRIA}).show(plates, 4)
    assert seen.scene is Scene.HAND
    assert seen.reading is not None
    shown = {site: seen.reading[site] for site in plates}
    assert {site for site, one in shown.items() if one.visible > 0.5 and one.label != "square"} == set()


def test_a_wall_pulled_beside_a_figure_is_noticed_though_its_slot_looked_like_shade() -> None:
    """The figure was read while a hand moved, and with its cell's shade the dark slot became part of the background."""
    game = load_game("magic_labyrinth")
    renderer = Renderer(game, Conditions.random(game, 113004, 0.5, (1280, 720), (0, 1, 2, 3)))
    walls = dict.fromkeys([site.name for site in game.sites if site.kind == "slot"], "wall") | {"slot:a3-a4": EMPTY}
    before = renderer.render(scene_of(game, walls | {"cell:d1": "blue"}, 4), 0)
    after = renderer.render(scene_of(game, walls | {"slot:c1-d1": EMPTY, "cell:c1": "blue"}, 4), 1)
    pose = locate(before, game, Lens.nominal(before.shape[1::-1]))
    first, then = thumbnail(before), thumbnail(after)
    table = Tabletop(game, Reader(game), pose, first, Timing())
    moving = np.zeros(then.image.shape[:2], np.uint8)
    moving[:4, :4] = 255
    table.look(before, pose, first, table.compare(first), None, 0.0)
    table.look(after, pose, then, table.compare(then), moving, 1.0)
    assert table.hand
    table.look(after, pose, then, table.compare(then), None, 2.0)
    assert table.reading is not None
    assert table.reading["cell:c1"].label == "blue"
    assert table.reading["slot:c1-d1"].label == EMPTY


def test_a_camera_that_was_bumped_a_little_is_noticed_by_all_that_differs_faintly() -> None:
    renderer = Renderer(LABYRIA, Conditions.random(LABYRIA, 84600, 0.5, (1280, 720), (0, 1, 2, 3)))
    still = [renderer.render(scene_of(LABYRIA, LABYRIA.new(4).view().sites, 4), k) for k in range(4)]
    watcher, bumped = Watcher(LABYRIA), shifted(4.0, -2.0)
    pictures = still + [bumped(picture) for picture in still]
    seen = [watcher.observe(Frame(picture, k / 5, k)) for k, picture in enumerate(pictures)]
    before, after = seen[3].pose, seen[-1].pose
    assert before is not None
    assert after is not None
    moved = after.project(np.zeros((1, 3))) - before.project(np.zeros((1, 3)))
    assert np.abs(moved - (4.0, -2.0)).max() < 0.5


def test_labels_are_what_the_scene_holds() -> None:
    assert FREE.labels == LABELS


@pytest.mark.parametrize("name", ["magic_triland", "magic_labyrinth", "labyria"])
def test_a_board_with_things_that_may_stand_anywhere_is_not_lost_while_nothing_moves(name: str) -> None:
    game = load_game(name)
    conditions = Conditions.random(game, 5, 0.3, (1280, 720))
    position = sampled(game.new(2), 8)
    image = Renderer(game, conditions).render(scene_of(game, position.view().sites))
    watcher = Watcher(game)
    seen = [watcher.observe(Frame(image, time, k)) for k, time in enumerate((0.0, 0.2, 0.4, 0.6, 11.0, 11.2, 32.0))]
    assert scenes(seen)[3:] == [Scene.STILL] * 4
    assert seen[-1].reading is not None
