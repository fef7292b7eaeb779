"""Pictures of a camera on the screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygame
from pygame import Rect

from companion.ui.canvas import Canvas
from hardware.camera import Image


def surface_of(image: Image) -> pygame.Surface:
    """A picture (height, width, 3), blue-green-red, as a surface."""
    height, width = image.shape[:2]
    return pygame.image.frombuffer(np.ascontiguousarray(image[:, :, ::-1]).tobytes(), (width, height), "RGB")


def load_picture(path: Path | None) -> pygame.Surface | None:
    """The picture in a file; None where there is none that can be read."""
    if path is None:
        return None
    try:
        return pygame.image.load(path)
    except (pygame.error, OSError):
        return None


def inside(size: tuple[int, int], rect: Rect) -> Rect:
    """The largest rectangle of that shape in the middle of another one."""
    scale = min(rect.width / size[0], rect.height / size[1])
    found = Rect(0, 0, max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    found.center = rect.center
    return found


def draw_picture(canvas: Canvas, picture: pygame.Surface, rect: Rect) -> Rect:
    """Paints a picture as large as it fits into the middle of a rectangle; where it is then."""
    place = inside(picture.get_size(), rect)
    canvas.surface.blit(pygame.transform.smoothscale(picture, place.size), place)
    return place
