"""Patches around sites, cut out of a picture at several heights over the board: a plane sweep.

What lies in a plane shows in its patch just where it is, wherever the camera stands, and what lies lower or higher
shows displaced. So the patches of one site together tell what stands there and how high it is (R. T. Collins, A
Space-Sweep Approach to True Multi-Image Matching, CVPR 1996, here with one image).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians

import cv2
import numpy as np

from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture, on_board
from companion.vision.geometry.pose import Pose
from companion.vision.light.palette import SOFT, Light, averaged, linear

DARKEST, RANGE = -3.5, 4.0
"""Logarithmic scale of light in a patch: its lowest value, and how far it reaches."""

SHARED = 3
"""Layers beside those of the planes: the line of sight's slope along x and along y, and what lies in the picture."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a patch shows: `count` by `count` points, `step` mm apart, around the site, in planes at `heights` (mm)."""

    count: int
    step: float
    heights: tuple[float, ...]

    @property
    def layers(self) -> int:
        """How many layers a patch has."""
        return 3 * len(self.heights) + SHARED


class Sweep:
    """The patches of all sites of one kind. `patch`: the shape of each."""

    def __init__(self, sites: Sequence[SiteSpec], frame: Frame) -> None:
        self.sites, self.frame = tuple(sites), frame
        self.patch = (frame.layers, frame.count, frame.count)
        t = (np.arange(frame.count) - (frame.count - 1) / 2) * frame.step
        x, y = np.meshgrid(t, t)
        self._points = np.stack([x, y], axis=-1).reshape(-1, 2)

    def plan(self, pose: Pose) -> tuple[Array, Array]:
        """Pixels (sites, planes, points, 2) of the patches, and their last layers (sites, SHARED, count, count)."""
        at, count = planes(self.sites, self._points, self.frame.heights, pose), self.frame.count
        inside = in_picture(at, pose.lens.size).all(axis=1).reshape(-1, count, count)
        return at, shared_layers(slopes(self.sites, pose)[..., None, None], inside)

    def cut(self, image: Array, pose: Pose, light: Light, plan: tuple[Array, Array], which: Array) -> Array:
        """Patches (which, layers, count, count), 8 bits, of the sites with the numbers `which`."""
        at, count = plan[0][which], self.frame.count
        factor = max(1, int(self.frame.step * pose.scale(np.zeros(3)) * 0.7))
        seen = scaled(averaged(image, at.reshape(-1, 2), factor), light).reshape(*at.shape[:2], -1, 3)
        patches = np.empty((len(which), self.frame.layers, count, count), np.uint8)
        patches[:, :-SHARED] = np.moveaxis(seen, -1, 2).reshape(len(which), -1, count, count)
        patches[:, -SHARED:] = plan[1][which]
        return patches


def shared_layers(slope: Array, inside: Array) -> Array:
    """The last layers (sites, SHARED, rows, columns), 8 bits, of slopes (sites, 2, rows, columns), or such as spread
    over these, and of what is `inside` the picture (sites, rows, columns).
    """
    layers = np.empty((len(inside), SHARED, *inside.shape[1:]), np.uint8)
    layers[:, :2] = np.clip(128 + 128 * slope, 0, 255).astype(np.uint8)
    layers[:, 2] = np.where(inside, 255, 0)
    return layers


def planes(sites: Sequence[SiteSpec], points: Array, heights: Sequence[float], pose: Pose) -> Array:
    """Pixels (sites, heights, points, 2) of points (n, 2) in mm of each site's own frame, so high (mm) above it."""
    places = np.stack([on_board(site, points) for site in sites])
    base = np.array([site.centre[2] for site in sites])[:, None, None]
    at = []
    for height in heights:
        z = np.broadcast_to(base + height, (*places.shape[:2], 1))
        at.append(pose.project(np.concatenate([places, z], axis=2).reshape(-1, 3)).reshape(*places.shape[:2], 2))
    return np.stack(at, axis=1).astype(np.float32)


def slopes(sites: Sequence[SiteSpec], pose: Pose) -> Array:
    """How far (sites, 2) each line of sight goes along x and y of its site's frame on its way down by as much."""
    centres = np.array([site.centre for site in sites])
    sight = (centres - pose.camera) / (pose.camera[2] - centres[:, 2:])
    angles = np.array([radians(site.angle) for site in sites])
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([c * sight[:, 0] - s * sight[:, 1], s * sight[:, 0] + c * sight[:, 1]], axis=1)


def scaled(pixels: Array, light: Light) -> Array:
    """Pixels (n, 3), 8 bits, on the logarithmic scale, relative to the cards."""
    relative = light.relative(linear(np.arange(256.0))[:, None])
    values = np.clip((np.log(np.maximum(relative, -SOFT / 2) + SOFT) - DARKEST) / RANGE * 255, 0, 255)
    told: Array = cv2.LUT(pixels[None], values.astype(np.uint8)[None])[0]
    return told
