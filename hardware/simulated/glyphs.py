"""Printed characters as outlines, in several hands.

Outlines are taken from the fonts that come with the installed packages, and varied in slant, width and weight.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.lens import Array

PIXELS = 160


FONTS = (
    ("pygame", "freesansbold.ttf"),
    ("pygame_gui", "data/NotoSans-Regular.ttf"),
    ("pygame_gui", "data/NotoSans-Bold.ttf"),
    ("pygame_gui", "data/NotoSans-Italic.ttf"),
    ("pygame_gui", "data/NotoSans-BoldItalic.ttf"),
    ("pygame_gui", "data/FiraCode-Regular.ttf"),
    ("pygame_gui", "data/NotoSansKR-Regular.ttf"),
    ("pygame_gui", "data/NotoSansKR-Bold.ttf"),
)
"""Packages and their fonts."""


@cache
def outline(font: int, slant: float, width: float, weight: int, text: str) -> tuple[Array, ...]:
    """Contours (n, 2) of a character 1 high around the origin, y up; `weight` in 1/160 of its height."""
    mask: Array = _printed(font, text)
    if weight:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(weight) + 1,) * 2)
        mask = cv2.dilate(mask, kernel) if weight > 0 else cv2.erode(mask, kernel)
    found, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    contours = [cv2.approxPolyDP(c, 0.8, True)[:, 0].astype(float) for c in found if len(c) > 8]
    points = np.concatenate(contours)
    low, high = points.min(0), points.max(0)
    scale = 1 / (high[1] - low[1])
    shear = np.array([[width, slant], [0.0, -1.0]]) * scale
    return tuple((c - (low + high) / 2) @ shear.T for c in contours)


@cache
def _printed(font: int, text: str) -> NDArray[np.uint8]:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame would greet on standard output
    import pygame.freetype

    pygame.freetype.init()
    package, name = FONTS[font % len(FONTS)]
    face = pygame.freetype.Font(str(files(package).joinpath(name)), PIXELS * 1.4)
    surface, _ = face.render(text, (255, 255, 255), (0, 0, 0))
    grey = np.ascontiguousarray(pygame.surfarray.array3d(surface)[:, :, 0].T)
    padded = cv2.copyMakeBorder(grey, 12, 12, 12, 12, cv2.BORDER_CONSTANT)
    return ((cv2.GaussianBlur(padded, (0, 0), 1.5) > 127) * np.uint8(255)).astype(np.uint8)
