"""Pictures and masks as everything here has them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
"""A picture of one channel, 255 where something holds, 0 elsewhere."""


def colour_image(image: Image) -> Image | None:
    """The picture as (height, width, 3) blue-green-red, from one, three or four channels; None where it is none."""
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or min(image.shape[:2]) < 64:
        return None
    channels = 1 if image.ndim == 2 else image.shape[2]
    if channels == 3:
        return image
    if channels not in (1, 4):
        return None
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR if channels == 1 else cv2.COLOR_BGRA2BGR), np.uint8)


def grey_image(image: Image) -> Image:
    """The brightness (height, width) of a blue-green-red picture, or of one that is grey already."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image, np.uint8)
