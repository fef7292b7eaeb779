"""Where on the board something has come that cannot be told: what happens next may have come second."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.core import Position
from companion.referee.evidence import Evidence
from companion.vision.observation import Observation, Scene

RATHER = 0.7
"""By how much (natural logarithm) a place has to show something else rather than what the position has there, where it
never was clear.
"""


class Dims:
    """The places of the board, picture after picture, as long as these show one and the same position.

    `dimmed`: places that surely showed what the position has there, until, before anything else was to be seen, they
    came to show something else about as likely; or that rather showed that, as in glare, and then rather another thing,
    or nothing that can be told, though nothing lies over them.
    """

    def __init__(self) -> None:
        self.dimmed: frozenset[str] = frozenset()
        self._clear: frozenset[str] = frozenset()
        self._rather: frozenset[str] = frozenset()
        self._sites: Mapping[str, str] | None = None  # what those pictures showed
        self._last: tuple[Position[Any], Evidence] | None = None

    def see(self, position: Position[Any], observation: Observation, evidence: Evidence) -> None:
        """Takes a picture in that shows the position, on record or about to be. What an action makes dim beside it is
        not meant, so with other things on the board all begins afresh; a hand and its shadow go again.
        """
        if observation.board_moved:
            self.forget()
        last = self._last
        known = last is not None and last[0] is position and last[1] is evidence  # most frames show nothing new
        if known or observation.scene is not Scene.STILL:
            return
        sites = position.view().sites
        if sites != self._sites:
            self.forget()
        self._last, self._sites = (position, evidence), sites
        told = {site: labels for site in sites if (labels := evidence.plausible(site))}
        clear = {site for site, labels in told.items() if len(labels) == 1}
        other = {site for site, labels in told.items() if labels.get(sites[site], 0.0) > RATHER}
        lost = {site for site in self._rather - told.keys() if evidence.reading[site].visible > 0.0}
        self.dimmed = (self.dimmed | (self._clear & told.keys()) | (self._rather & other) | lost) - clear
        self._clear |= clear
        self._rather |= told.keys() - other

    def shows(self, position: Position[Any]) -> bool:
        """Whether the pictures that were taken in showed that position."""
        return position.view().sites == self._sites

    def forget(self) -> None:
        """Begins afresh."""
        self.dimmed = self._clear = self._rather = frozenset()
        self._sites = self._last = None
