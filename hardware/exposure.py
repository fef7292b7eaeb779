"""When a camera's exposure and white balance are locked: a hand in the picture must not change its colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ExposureLock:
    """Decides when exposure and white balance are locked, and when they are let go again.

    Locked once they have stayed the same for `steady` pictures; let go when the brightness has been far from what it
    was at locking for `CHANGED` pictures: then it is not a hand but the light.
    """

    STEADY = 10
    CHANGED = 45
    TOLERANCE = 0.02
    DARKER, BRIGHTER = 0.5, 1.6

    def __init__(self, steady: int = STEADY) -> None:
        self._steady = steady
        self._first: tuple[float, ...] = ()  # of the pictures that have stayed the same
        self._count = 0
        self._brightness: float | None = None

    def follow(self, metadata: Mapping[str, Any], brightness: float) -> dict[str, Any]:
        """The controls to set after a picture with that metadata and mean brightness (0 to 255); mostly none."""
        if self._brightness is None:
            return self._settle(metadata, brightness)
        far = not self.DARKER < (brightness + 1) / (self._brightness + 1) < self.BRIGHTER
        self._count = self._count + 1 if far else 0
        if self._count < self.CHANGED:
            return {}
        self._brightness, self._count, self._first = None, 0, ()
        return {"AeEnable": True, "AwbEnable": True}

    def _settle(self, metadata: Mapping[str, Any], brightness: float) -> dict[str, Any]:
        now = (metadata["ExposureTime"], metadata["AnalogueGain"], *metadata.get("ColourGains", ()))
        if self._first and all(abs(a - b) <= self.TOLERANCE * abs(b) for a, b in zip(now, self._first, strict=True)):
            self._count += 1
        else:
            self._first, self._count = now, 0
        if self._count < self._steady:
            return {}
        self._brightness, self._count = brightness, 0
        values = {name: metadata[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in metadata}
        return {"AeEnable": False, "AwbEnable": False, **values}
