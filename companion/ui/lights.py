"""The lights, drawn on the screen where there are no LEDs: a dot a seat, and one for the status."""

from __future__ import annotations

import pygame
from pygame import Rect

from companion.ui.canvas import Canvas
from hardware.lights import DARK, Pattern, Signals

STRIP = 26
"""How wide the strip is, in units."""

STEP = 0.1
"""Seconds between two pictures of a light that blinks or pulses."""


def moving(signals: Signals) -> bool:
    """Whether a light blinks or pulses."""
    return any(signal.pattern is not Pattern.STEADY for signal in (*signals.seats, signals.status))


def draw_lights(canvas: Canvas, rect: Rect, signals: Signals, time: float) -> None:
    """The seats' lights from the first corner of the strip on, the status at its other end; `time` in seconds.

    The strip is upright or lies, as the rectangle does.
    """
    pygame.draw.rect(canvas.surface, canvas.palette.ground, rect)
    side = min(rect.size)
    upright = rect.height > rect.width
    places = [side * (0.5 + k) for k in range(len(signals.seats))]
    places.append(max(rect.size) - side * 0.5)
    for place, signal in zip(places, (*signals.seats, signals.status), strict=True):
        spot = (rect.left + side / 2, rect.top + place) if upright else (rect.left + place, rect.top + side / 2)
        canvas.shape("circle", spot, STRIP * 0.62, canvas.palette.line)
        if signal != DARK:
            pygame.draw.aacircle(canvas.surface, signal.at(time), spot, canvas.px(STRIP * 0.24))
