"""The table under one pose: which sites are covered, which have changed, and what is known to lie on them."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np

from companion.games.core import Game
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image, Mask
from companion.vision.locating.beside import ALIKE
from companion.vision.reading import Reading
from companion.vision.watching.cover import NEAR, Background, Difference, Thing, foreign_things, vanished
from companion.vision.watching.memory import Memory
from companion.vision.watching.motion import Thumbnail
from companion.vision.watching.plain import stranger_on_plate
from companion.vision.watching.zones import Zones

PARTS = 12
"""In so many parts everything is read again: all at once would keep a slow machine from seeing for long."""

MANY = 0.05
"""Where more than this part of all sites changes at once, the board may have been moved."""

MANY_FAINTLY = 0.15
"""The same for sites that only differ on the whole: a camera that was bumped by three millimetres on the board changed
30 % of Labyria's, an obstacle with its shadow 4 %.
"""

PIECES = 2
"""Sites on which an action changes what the camera sees: where a piece was, and where it is."""

SHADED = 0.5
"""A place of which so much shows the same surface in the shade only differs by that."""


class SiteReader(Protocol):
    """Reads sites from a picture; see `companion.vision.readers.reader.Reader`."""

    def read(self, image: Image, pose: Pose, only: Collection[str] | None = None, *, glance: bool = False) -> Reading:
        """The sites named in `only`, else all; at a `glance` not as closely as one can."""

    def align(self, image: Image) -> None:
        """Gets ready for what comes next, by a picture that shows what was read last."""

    @property
    def drift(self) -> float | None:
        """How far the set's colours are from the set file, as far as that was seen."""

    @property
    def beside(self) -> Sequence[Pose]:
        """The poses that what lies beside the board may have by what was read last, the likeliest first; none where it
        is taken to lie where the board has it.
        """

    @property
    def astray(self) -> bool:
        """Whether what was read last stands off its places, as if the board lay elsewhere than the pose says."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things take, in seconds.

    `still`: without a change before a picture is read. `again`: between two looks at the same doubtful thing.
    `search`: between two searches for a lost board. `recheck`: between two searches, or the first checks of the pose,
    while nothing happens. `reread`: in which everything is read again, one part at a look.
    `thing`: after which something that lies alone on the table is no hand; `arm`: the same for what reaches in over the
    border of the picture. `gap`: without frames, after which nothing is taken for granted.
    """

    still: float = 0.35
    again: float = 0.5
    search: float = 1.0
    recheck: float = 10.0
    reread: float = 60.0
    thing: float = 3.0
    arm: float = 20.0
    gap: float = 30.0


class Findings(NamedTuple):
    """What one picture shows beside the free table: the difference, the foreign things in it, and the sites that are on
    the whole of another colour.
    """

    difference: Difference
    things: list[Thing]
    faint: set[str]


class Tabletop:
    """What is known of the table as long as the board stays where it is.

    `hand`: whether a hand (or a thing that might be one) was over the board at the last look. `reading`: what the sites
    show, None before the first free look. `reached`: since when a hand has hidden so much that the board is not found.
    """

    def __init__(self, game: Game[Any, Any], reader: SiteReader, pose: Pose, thumb: Thumbnail, timing: Timing) -> None:
        self.zones = Zones(game, pose, thumb)
        self._beside: Sequence[Pose] = (pose,)  # where the zones have what lies beside the board
        self.hand = False
        self.reading: Reading | None = None
        self.reached: float | None = None
        self._game, self._reader, self._timing = game, reader, timing
        self._background, self._memory = Background(), Memory()
        self._lasting = {site.name for site in game.sites if not site.on}
        self._things: list[tuple[Thing, float]] = []  # with the times since which they lie so
        self._cards = [0.0] * len(self.zones.cards)
        self._hidden: set[str] = set()
        self._pending = set(self.zones.sites)
        self._begun: float | None = None
        self._unexplained = False  # something has changed, and nothing new is there: it may be elsewhere
        self._read = float("-inf")
        self._rota = deque(self.zones.sites)  # the site whose turn it is to be read again comes first

    @property
    def fresh(self) -> bool:
        """Whether nothing has been read yet."""
        return not self._memory

    @property
    def doubtful(self) -> bool:
        """Whether another look at the same scene may tell more."""
        return self.hand or self._unexplained or bool(self._memory.doubtful(self._hidden))

    def compare(self, thumb: Thumbnail) -> Findings:
        """What is different from the free table."""
        before = self._background.picture
        difference = self._background.compare(thumb)
        if before is None:
            return Findings(difference, [], set())
        foreign = foreign_things(difference, self.zones)
        things = [thing for thing in foreign if not vanished(thing, self.zones, before, thumb)]
        return Findings(difference, things, self.zones.differing(difference.before.image, thumb.image, thumb.noise))

    def disturbed(self, findings: Findings) -> bool:
        """Whether the board may have been moved: cards, or many sites beside a hand, or lone things have changed; or so
        many sites differ faintly, as where the camera was bumped, that no single thing can be the reason. Where a piece
        was put down or taken away is no reason, nor all that it hides.
        """
        if self._background.picture is None:
            return False
        solid = findings.difference.solid
        before, self._cards = self._cards, [card.overlap(solid) for card in self.zones.cards]
        if any(now > 0.1 and abs(now - old) > 0.1 for old, now in zip(before, self._cards, strict=True)):
            return True
        if any(self._since(thing) is None for thing in findings.things if not thing.from_border):
            return True
        covered = self.covered(findings)
        other = np.asarray(cv2.bitwise_and(solid, cv2.bitwise_not(covered)), np.uint8)
        covered |= self.zones.union(self.zones.most(other, PIECES))
        changed = self.zones.touched(np.asarray(cv2.bitwise_and(solid, cv2.bitwise_not(covered)), np.uint8), 0.1)
        free = self._lasting - self.zones.touched(covered)
        return len(changed & self._lasting) > MANY * len(free) or len(findings.faint & free) > MANY_FAINTLY * len(free)

    def changed(self, findings: Findings) -> bool:
        """Whether some site may show something new, which is waited for."""
        return not self.fresh and bool(findings.faint or self.zones.touched(findings.difference.changed))

    def covered(self, findings: Findings) -> Mask:
        """Where foreign things are or might reach to."""
        return self._near(findings.things, findings.difference.solid)

    def hidden(self, findings: Findings) -> Mask:
        """Where the board's own print is covered: by what is known to lie there, and by foreign things."""
        sites = self.reading.sites.items() if self.reading else ()
        return self.covered(findings) | self.zones.laid({name: site.label for name, site in sites})

    def gone(self, findings: Findings) -> bool:
        """Whether most of the board is not to be seen where it was."""
        board = self.zones.board
        hidden = cv2.countNonZero(cv2.bitwise_and(findings.difference.solid, board))
        return hidden > 0.5 * cv2.countNonZero(board)

    def reached_over(self, findings: Findings, time: float) -> bool:
        """Whether a hand is over the board, so that what is not to be seen of it need not be gone."""
        if not any(thing.from_border for thing in findings.things):
            return False
        self.reached = time if self.reached is None else self.reached
        self.hand = time - self.reached < self._timing.arm
        return self.hand

    def look(
        self, image: Image, pose: Pose, thumb: Thumbnail, findings: Findings, restless: Mask | None, time: float
    ) -> None:
        """Takes a settled picture in; `restless` is where, off the board, something still moves."""
        if self._background.picture is None and not self._begin(image, pose, time):
            return
        difference, self.reached = findings.difference, None
        since = [self._since(thing) for thing in findings.things]
        self._things = [(thing, time if s is None else s) for thing, s in zip(findings.things, since, strict=True)]
        self.hand = restless is not None or any(not self._settled(*entry, time) for entry in self._things)
        foreign = self._near(findings.things, difference.solid, restless)
        self._hidden = self.zones.touched(foreign)
        self._note_changes(findings)
        read = self._read_some(image, pose, time)
        self._follow_beside(pose, thumb)
        taken = self._background.update(thumb, difference, self.zones.union(read), foreign)
        self._pending |= self.zones.touched(taken) - read  # zones overlap: a place may change unread beside a read one
        self.reading = self._memory.reading(self._hidden)

    def _follow_beside(self, pose: Pose, thumb: Thumbnail) -> None:
        """Has the zones where things lie beside the board, wherever that has been pushed."""
        beside = self._reader.beside or (pose,)
        if not self._lies_alike(beside):
            self.zones, self._beside = Zones(self._game, pose, thumb, beside), beside

    def _lies_alike(self, beside: Sequence[Pose]) -> bool:
        """Whether those poses are where the zones are."""
        marker, z = self._game.marker, -self._game.plate.thickness
        return len(beside) == len(self._beside) and all(
            one.distance_from(other, marker, z) < ALIKE for one, other in zip(beside, self._beside, strict=True)
        )

    # -- hands and things ----------------------------------------------------------------------------------------------

    def _begin(self, image: Image, pose: Pose, time: float) -> bool:
        """Whether the table can be taken as free at first sight."""
        self._begun = time if self._begun is None else self._begun
        self.hand = time - self._begun < self._timing.arm and stranger_on_plate(image, pose, self._game)
        return not self.hand

    def _near(self, things: Iterable[Thing], like: Mask, restless: Mask | None = None) -> Mask:
        """Where things, or what is restless, are or might reach to: a mask `like` another."""
        union = np.zeros_like(like) if restless is None else restless.copy()
        for thing in things:
            union |= thing.mask
        return self.zones.grown(union, NEAR)

    def _since(self, thing: Thing) -> float | None:
        """Since when that thing has been lying just so."""
        for known, since in self._things:
            both = cv2.countNonZero(cv2.bitwise_and(known.mask, thing.mask))
            if both > 0.8 * cv2.countNonZero(cv2.bitwise_or(known.mask, thing.mask)):
                return since
        return None

    def _settled(self, thing: Thing, since: float, time: float) -> bool:
        """Whether the thing is no hand: it has been lying there for too long, or does not concern board and sites."""
        if time - since >= (self._timing.arm if thing.from_border else self._timing.thing):
            return True
        near = self.zones.grown(thing.mask, NEAR)
        return not cv2.countNonZero(cv2.bitwise_and(near, self.zones.board)) and not self.zones.touched(near)

    # -- reading -------------------------------------------------------------------------------------------------------

    def _note_changes(self, findings: Findings) -> None:
        """Takes note of the sites that may have changed. What surely is the same in the shade of a hand has not; but a
        dark thing on plain wood looks like shade, too, and the rim of a shade may fall on what has changed.
        """
        difference = findings.difference
        touched = self.zones.touched(difference.changed)
        other = cv2.bitwise_and(difference.changed, cv2.bitwise_not(difference.shade))
        self._pending |= self.zones.touched(np.asarray(other, np.uint8)) if self.hand else touched
        self._pending |= (findings.faint - self.zones.touched(difference.shade, SHADED)) | self._hidden

    def _read_some(self, image: Image, pose: Pose, time: float) -> set[str]:
        """Reads what may have changed and is visible, at a glance; the sites that were read. Where nothing has, reads a
        part of all again from time to time, or what is in doubt.

        Where what has changed shows nothing new, all is read as soon as no hand is there: a dark thing that stands in
        the shade is noticed by its shadow alone.
        """
        wanted = set(self.zones.sites) if self.fresh else self._pending - self._hidden
        if self._unexplained and not wanted and not self.hand:
            wanted, self._unexplained = set(self.zones.sites) - self._hidden, False
            self._memory.check(self._reader.read(image, pose, wanted, glance=True))
        elif wanted:
            everything = len(wanted) == len(self.zones.sites)
            reading = self._reader.read(image, pose, None if everything else wanted, glance=True)
            new = self._memory.learn(reading)
            self._unexplained = not everything and (self._unexplained or not new)
            self._pending -= wanted
            self._read = time if everything else self._read
        elif time - self._read >= self._timing.reread / PARTS and not self.hand:
            self._read = time
            part = list(islice(self._rota, ceil(len(self._rota) / PARTS)))
            self._rota.rotate(-len(part))
            if shown := set(part) - self._hidden:
                self._memory.check(self._reader.read(image, pose, shown))
        elif again := self._memory.doubtful(self._hidden):
            self._memory.confirm(self._reader.read(image, pose, again))
        return wanted
