"""Checks of a screen as it was painted: clipped text, overlaps, targets too small for a finger, weak contrast."""

from __future__ import annotations

from itertools import combinations

from pygame import Rect

from companion.ui.canvas import Painted
from companion.ui.layout import TARGET
from companion.ui.palette import contrast
from companion.ui.screen import Screen

LEAST_CONTRAST = 4.5


def faults(screen: Screen, painted: list[Painted]) -> list[str]:
    """Everything that is wrong with a screen, in words; empty for a good one."""
    return [
        *(f"text is clipped: {one.text!r}" for one in painted if one.clipped),
        *(f"text is cut by an ellipsis: {one.text!r}" for one in painted if one.shortened),
        *_weak(painted),
        *_overlaps(painted),
        *_buttons(screen),
    ]


def _weak(painted: list[Painted]) -> list[str]:
    ratios = [(contrast(one.colour, one.ground), one.text) for one in painted]
    return [f"contrast of {text!r} is {ratio:.1f} to 1" for ratio, text in ratios if ratio < LEAST_CONTRAST]


def _overlaps(painted: list[Painted]) -> list[str]:
    return [
        f"texts overlap: {one.text!r} and {other.text!r}"
        for one, other in combinations(painted, 2)
        if one.ink.clip(other.ink).width > 1 and one.ink.clip(other.ink).height > 1
    ]


def _buttons(screen: Screen) -> list[str]:
    least = screen.px(TARGET) - 1
    places = [(button.rect, button.label or button.icon or "") for button in screen.buttons]
    targets = [*places, *((rect, "site") for rect in screen.targets())]
    whole: Rect = screen.metrics.screen
    return [
        *(
            f"target {name!r} is {rect.width}x{rect.height}, less than {least}"
            for rect, name in targets
            if rect.width < least or rect.height < least
        ),
        *(f"button {name!r} is not wholly on the screen" for rect, name in places if not whole.contains(rect)),
        *(
            f"buttons overlap: {name!r} and {other!r}"
            for (rect, name), (place, other) in combinations(places, 2)
            if rect.colliderect(place)
        ),
    ]
