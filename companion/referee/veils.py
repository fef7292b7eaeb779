"""Where in a hand something has come to lie that cannot be told: what is drawn beside it may not be the next draw."""

from __future__ import annotations

from typing import Any

from companion.games.core import Position, View
from companion.games.sites import EMPTY
from companion.referee.evidence import VISIBLE
from companion.vision.observation import Observation, Scene
from companion.vision.reading import Reading


class Veils:
    """The places of hands, picture after picture. `veiled`: those that held nothing until something came that cannot
    be told; or that never could be told, and seem to hold something.
    """

    def __init__(self) -> None:
        self.veiled: frozenset[str] = frozenset()
        self._bare: frozenset[str] = frozenset()  # held nothing when that could last be told
        self._fickle: frozenset[str] = frozenset()  # were veiled, and then bare again: a joint of planks
        self._known: frozenset[str] = frozenset()  # could be told once
        self._last: tuple[Reading, Scene] | None = None

    def see(self, position: Position[Any], observation: Observation, reading: Reading) -> None:
        """Takes a picture in. A hand that covers a place goes again; of a board that was moved the hands lie elsewhere,
        as the board has it.
        """
        if observation.board_moved:
            self.forget()
        last, self._last = self._last, (reading, observation.scene)  # most frames show nothing new
        if last is not None and last[0] is reading and last[1] is observation.scene:
            return
        places = {site: reading[site] for group in position.view().groups for site in group.sites}
        told = {site: seen.label for site, seen in places.items() if seen.visible >= VISIBLE}
        nothing = {site for site, label in told.items() if label == EMPTY}
        self._fickle |= self.veiled & nothing
        self._bare = (self._bare - told.keys() | nothing) - self._fickle
        self._known |= told.keys()
        never = {site for site, seen in places.items() if seen.visible > 0.0 and seen.label != EMPTY} - self._known
        self.veiled = (self._bare | never if observation.scene is Scene.STILL else self.veiled) - told.keys()

    def settle(self, before: View, after: View) -> None:
        """To be told when something was drawn: whatever is veiled in that hand was known then, but not what came after
        the last picture.
        """
        had = {group.sites: group.labels for group in before.groups}
        drew = [group for group in after.groups if set(group.labels) - set(had.get(group.sites, ()))]
        known = self._bare & self.veiled.intersection(site for group in drew for site in group.sites)
        self._bare, self.veiled = self._bare - known, self.veiled - known

    def forget(self) -> None:
        """Begins afresh."""
        self.veiled = self._bare = self._fickle = self._known = frozenset()
        self._last = None
