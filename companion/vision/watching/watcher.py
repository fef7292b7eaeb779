"""Watches the table, frame by frame: still or moving, free or covered, where the board is, and what lies on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.vision.evidence import SURE
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image, Mask, colour_image
from companion.vision.locating.board import MirroredError, NoBoardError, locate
from companion.vision.locating.parallax import AGAIN, FEW, standing
from companion.vision.locating.poses import Locate, Pieces, PoseKeeper
from companion.vision.locating.steadying import UNLIKE, Steadying
from companion.vision.observation import Observation, Scene
from companion.vision.readers.reader import Reader
from companion.vision.reading import Reading
from companion.vision.watching.motion import NoiseMeter, Stillness, Thumbnail, thumbnail
from companion.vision.watching.tabletop import SiteReader, Tabletop, Timing
from companion.vision.watching.zones import Zones
from hardware.camera import Frame

NEVER = float("-inf")
CALM = (Scene.STILL, Scene.HAND)

RARER = 2
"""So many times the wait for the next check of the pose doubles."""


class Watcher:
    """Observes one table through one camera.

    `lens`: of the camera, else the nominal one. `locator` and `reader` find the board and read its sites.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        lens: Lens | None = None,
        *,
        locator: Locate = locate,
        reader: SiteReader | None = None,
        timing: Timing | None = None,
    ) -> None:
        self._game, self._lens, self._locator = game, lens, locator
        self._reader: SiteReader = reader or Reader(game)
        self._timing = timing or Timing()
        self._last, self._lost = Observation(NEVER, Scene.DARK, NEVER), Scene.LOST
        self._start_over(())

    def observe(self, frame: Frame) -> Observation:
        """What the next frame shows. Any array is taken; one that shows nothing is `Scene.DARK`."""
        image = colour_image(frame.image)
        if image is not None and image.shape == self._size:
            image = self._steadying.steadied(image, frame.time)
            if self._steadying.knocked:
                self._located = NEVER
        thumb = thumbnail(image) if image is not None else None
        if image is None or thumb is None or not thumb.usable:
            self._stillness.forget()
            self._changed = True
            return self._say(frame.time, Scene.DARK)
        if image.shape != self._size:
            self._start_over(image.shape)
        elif not 0 <= frame.time - self._last.time <= self._timing.gap:
            self._distrust(thumb)
        thumb = self._noise.measured(thumb)
        unlike = replace(thumb, noise=max(thumb.noise, UNLIKE)) if self._steadying.moved else thumb
        restless = self._stillness.restless(unlike, frame.time)
        if self._table is None:
            return self._search(image, thumb, frame.time, restless)
        return self._watch(self._table, image, thumb, frame.time, restless)

    @property
    def pose(self) -> Pose | None:
        """Where the board is, as far as that is known."""
        return self._poses.pose

    @property
    def around(self) -> Mask | None:
        """Where, on a small copy of the picture, something may matter; None while the board is not known."""
        return None if self._table is None else self._table.zones.around

    # -- where the board is --------------------------------------------------------------------------------------------

    def _start_over(self, size: tuple[int, ...]) -> None:
        self._size = size
        self._noise, self._stillness = NoiseMeter(), Stillness(self._timing.still)
        self._poses, self._steadying = PoseKeeper(self._game, self._lens, self._locator), Steadying()
        self._table: Tabletop | None = None
        self._moved = False
        self._changed, self._changed_at = True, NEVER
        self._looked = self._located = NEVER
        self._weighed: Reading | None = None  # what was read when it was last asked whether the camera is elsewhere
        self._standing = 0  # and how much stood there, if enough
        self._confirmed = 0  # checks of the pose since something has changed

    def _distrust(self, thumb: Thumbnail) -> None:
        """Forgets all that may have changed while nobody looked; the old pose is checked."""
        self._stillness.forget()
        if self._table is not None:
            self._new_table(thumb)
        self._changed = True
        self._looked = self._located = NEVER

    def _new_table(self, thumb: Thumbnail) -> Tabletop:
        assert self._poses.pose is not None
        self._table = Tabletop(self._game, self._reader, self._poses.pose, thumb, self._timing)
        return self._table

    def _search(self, image: Image, thumb: Thumbnail, time: float, restless: Mask | None) -> Observation:
        """Looks for the board, from time to time."""
        self._changed = self._changed or restless is not None
        wait = self._timing.search if self._changed else self._timing.recheck
        if time - self._located >= wait:
            self._changed = restless is not None
            if self._locate(image, thumb, time, np.zeros(thumb.image.shape[:2], np.uint8)) and self._table is not None:
                return self._watch(self._table, image, thumb, time, restless)
            self._poses.forget()
        return self._say(time, self._lost if restless is None else Scene.MOVING)

    def _pieces(self, image: Image, thumb: Thumbnail) -> Pieces:
        """Tells what surely lies on a board that is elsewhere: what lay there before, which has come along; what lies
        there now, if it was not seen for a while and may have been filled meanwhile.
        """
        known = self._table.reading if self._table is not None else None

        def pieces(pose: Pose) -> Mask:
            sites = (known or self._reader.read(image, pose)).sites.items()
            sure = {name: site.label for name, site in sites if site.confidence >= SURE}
            return Zones(self._game, pose, thumb).laid(sure)

        return pieces

    def _locate(self, image: Image, thumb: Thumbnail, time: float, hidden: Mask, refine: bool = True) -> bool:
        """Looks for the board; whether it was found. A table that is elsewhere than before is a new one."""
        calm = self._table is not None and self._changed_at <= self._located
        self._located = time
        try:
            lost, pieces = self._table is None, self._pieces(image, thumb)
            moved = self._poses.update(image, hidden, refine, pieces, lost=lost, calm=calm)
        except NoBoardError as error:
            self._lost = Scene.MIRRORED if isinstance(error, MirroredError) else Scene.LOST
            return False
        if moved or self._table is None:
            self._new_table(thumb)
            self._steadying.let_go()
        if refine or not self._steadying.holds:
            self._steadying.hold(image, self._poses.cards)
        self._moved = self._moved or moved
        return True

    # -- what lies there -----------------------------------------------------------------------------------------------

    def _watch(
        self, table: Tabletop, image: Image, thumb: Thumbnail, time: float, restless: Mask | None
    ) -> Observation:
        """The board is known: waits until it is calm, and looks closely when there is a reason to."""
        if restless is not None and _meet(restless, table.zones.around):
            self._changed, self._changed_at, self._confirmed = True, self._stillness.latest, 0
            if _meet(restless, table.zones.near_board):
                return self._say(time, Scene.MOVING)
        else:
            restless = None
        if not self._due(table, time, restless is not None):
            if self._last.scene is Scene.STILL:  # there is time now, and none when something changes
                self._reader.align(image)
                settled = self._settle(table, image, thumb, time)
                if settled is not table:
                    return self._say(time, Scene.HAND if settled.hand else Scene.STILL, settled.reading)
            return self._say(time, self._last.scene, self._last.reading)
        self._looked, self._changed = time, restless is not None
        return self._look(table, image, thumb, time, restless)

    def _look(self, table: Tabletop, image: Image, thumb: Thumbnail, time: float, restless: Mask | None) -> Observation:
        """Looks closely at a calm picture."""
        assert self._poses.pose is not None
        findings = table.compare(thumb)
        wait = self._timing.still if table.fresh else self._recheck
        wait *= 2 if table.changed(findings) else 1  # whoever waits for what has changed does not wait for that as well
        due = time - self._located >= wait and not table.hand
        self._confirmed += due
        astray = (self._reader.astray or self._poses.pose.blurred) and time - self._located >= self._timing.search
        if table.disturbed(findings) or table.reached is not None or due or astray:
            hidden = table.hidden(findings)
            if not self._locate(image, thumb, time, hidden, refine=not findings.things) and (
                table.gone(findings) or not self._poses.stands(image, hidden)
            ):  # never to be read at a place that it has left
                if table.reached_over(findings, time):
                    return self._say(time, Scene.HAND)
                self._table, self._changed = None, True
                return self._say(time, Scene.LOST)
            if self._table is not None and self._table is not table:
                table = self._table
                findings = table.compare(thumb)
        if self._poses.pose.blurred:
            self._changed = True
            return self._say(time, Scene.BLURRED)
        fresh = table.fresh
        table.look(image, self._poses.pose, thumb, findings, restless, time)
        if fresh:
            self._weighed, self._standing = None, 0
            table = self._settle(table, image, thumb, time, restless)
        moved, self._moved = self._moved, False
        return self._say(time, Scene.HAND if table.hand else Scene.STILL, table.reading, moved)

    def _settle(
        self, table: Tabletop, image: Image, thumb: Thumbnail, time: float, restless: Mask | None = None
    ) -> Tabletop:
        """The table; or, where what stands there shows that the camera is elsewhere, that table looked at from there.
        That is asked at first sight, and again whenever twice as much stands there: few things tell little.
        """
        if not self._grown(table.reading):
            return table
        for _ in range(AGAIN):
            if table.reading is None or not self._poses.settle(image, table.reading) or self._poses.pose is None:
                break
            table = self._new_table(thumb)
            table.look(image, self._poses.pose, thumb, table.compare(thumb), restless, time)
            self._weighed = table.reading
        return table

    def _grown(self, reading: Reading | None) -> bool:
        """Whether enough stands there, and twice as much as when that was asked last."""
        if reading is None or reading is self._weighed:
            return False
        self._weighed, count = reading, standing(self._game, reading)
        if count < max(FEW, 2 * self._standing):
            return False
        self._standing = count
        return True

    def _due(self, table: Tabletop, time: float, restless: bool) -> bool:
        """Whether there is a reason to look closely at a calm picture, part of which, off the board, is `restless`."""
        if self._last.scene not in CALM:
            return True
        if self._changed and not (restless and self._last.scene is Scene.HAND):
            return True
        if self._changed or table.doubtful:
            return time - self._looked >= self._timing.again
        return time - self._located >= self._recheck

    @property
    def _recheck(self) -> float:
        """Seconds from one check of the pose to the next: the longer nothing has changed, the rarer."""
        return float(self._timing.recheck * 2 ** min(self._confirmed, RARER))

    def _say(self, time: float, scene: Scene, reading: Reading | None = None, moved: bool = False) -> Observation:
        last = self._last
        since = self._changed_at if scene in CALM else time
        if scene is last.scene and time >= last.time:
            since = last.since
        self._last = Observation(time, scene, since, reading, moved, self._poses.pose, self._reader.drift)
        return self._last


def _meet(first: Mask, second: Mask) -> bool:
    return bool(cv2.countNonZero(cv2.bitwise_and(first, second)))
