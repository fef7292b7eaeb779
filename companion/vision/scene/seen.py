"""What was seen of each point of the table when the sites there were looked at last."""

from __future__ import annotations

import numpy as np

from companion.vision.geometry.grid import Shot
from companion.vision.geometry.lens import Array
from companion.vision.light.tones import Tones


class Seen:
    """The `evidence` (rows, points) of each surface, of the table top and of what is not known, and that of what shows
    where nothing stands: `bare` (points,); both wherever that was looked at.

    How surfaces look is learned by and by. What was seen before is then compared again, but only with the surfaces
    that look otherwise than was thought.
    """

    def __init__(self, ground: Array, surfaces: int, printed: int) -> None:
        count = len(ground)
        self.evidence, self.bare = np.zeros((surfaces + 2, count), np.float32), np.zeros(count, np.float32)
        self._ground, self._printed = ground, printed
        self._pixels = np.zeros((count, 3), np.uint8)
        self._known, self._stale = np.zeros(count, bool), np.zeros(count, bool)
        self._tones: Tones | None = None
        self._changed: list[int] = []

    def follow(self, tones: Tones) -> None:
        """From now on surfaces look as these tones have them."""
        if tones is self._tones:
            return
        differing = tones.differing(self._tones) if self._tones else None
        if differing is None:
            self._known[:] = self._stale[:] = False
        else:
            self._changed = sorted({*differing, *(self._changed if self._stale.any() else ())})
            self._among = tones.among(self._changed)
            self._stale |= self._known
        self._tones = tones

    def forget(self, which: Array) -> None:
        """What was seen of the points `which` (points,) is not so any more."""
        self._known[which] = self._stale[which] = False

    def look(self, shot: Shot, reached: Array) -> None:
        """Looks, at those of the points `reached` (points,) that are not known, at what the picture shows."""
        assert self._tones is not None
        new = np.flatnonzero(reached & ~self._known)
        self._pixels[new] = shot.pixels(new)
        self.evidence[:, new] = self._tones.evidence(self._pixels[new], new).T
        self._known[new], self._stale[new] = True, False
        stale = np.flatnonzero(reached & self._stale)
        if len(stale):
            self._stale[stale] = False
            for row, seen in zip(self._changed, self._among.evidence(self._pixels[stale], stale).T, strict=False):
                self.evidence[row, stale] = seen
        for at in (new, stale):
            self.bare[at] = self._shown_bare(at)
            self.evidence[-1, at] = self.bare[at]

    def _shown_bare(self, at: Array) -> Array:
        """The evidence (n,) at points `at` (n,) of what shows where nothing stands; of what is not known the best."""
        ground = self._ground[at]
        bare, unknown = self.evidence[ground, at], ground == len(self.evidence) - 1
        if unknown.any():
            bare[unknown] = self.evidence[: self._printed, at[unknown]].max(axis=0)
        return bare
