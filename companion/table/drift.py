"""Whether the set's colours, as the camera sees them, are no longer those of the set file: noticed late, and rarely."""

from __future__ import annotations

LIMIT = 0.5
"""How far colours may be off, brightness aside (natural logarithm); under odd lamps 0.3 is usual."""

STEADY = 90.0
"""Seconds for which they have to be off before anybody is told."""


class Drift:
    """Follows how far colours are off. `noticed`: they have been off for long, and are not right again."""

    def __init__(self) -> None:
        self.noticed = False
        self._since: float | None = None

    def see(self, drift: float | None, time: float) -> bool:
        """Takes in how far colours are off in a picture (None: not seen), at a time in seconds; whether `noticed` has
        changed.
        """
        if drift is None:
            return False
        before = self.noticed
        if drift <= LIMIT:
            self._since, self.noticed = None, False
        elif self._since is None:
            self._since = time
        elif time - self._since >= STEADY:
            self.noticed = True
        return self.noticed != before
