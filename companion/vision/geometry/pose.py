"""The pose: where the board is, as a camera sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from companion.games.sets import Marker
from companion.vision.geometry.lens import Array, Lens


@dataclass(frozen=True, slots=True)
class Fit:
    """A pose: `rotation` (3, 3), `translation` (3,) in mm, the lens, and the part (0 to 1) of the contours found."""

    rotation: Array
    translation: Array
    lens: Lens
    support: float


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the board is: x_camera = `rotation` (3, 3) x_board + `translation` (3,) in mm, seen through `lens`.

    `markers`: ids of the cards that were seen; `cards`: the corners (4, 2), in pixels, of each. `residual`: root mean
    square distance, in pixels, between these and where they should be. `support`: part (0 to 1) of the board's own
    contours that were found in place. `blurred`: whether the picture is too blurred to tell thin things apart.
    """

    rotation: Array
    translation: Array
    lens: Lens
    markers: tuple[int, ...]
    residual: float
    support: float
    cards: tuple[Array, ...] = ()
    blurred: bool = False

    def of_size(self, size: tuple[int, int]) -> Pose:
        """The same in the picture reduced, or enlarged, to `size` (width, height); without its cards."""
        larger = size[0] / self.lens.size[0]
        return replace(self, lens=self.lens.scaled(size), residual=self.residual * larger, cards=())

    def project(self, points: Array) -> Array:
        """Pixels (n, 2) of points (n, 3) in the board frame (mm)."""
        return self.lens.project(points @ self.rotation.T + self.translation)

    @staticmethod
    def of(fit: Fit) -> Pose:
        """The pose of contours that were fitted without regard to the cards."""
        return Pose(fit.rotation, fit.translation, fit.lens, (), 0.0, fit.support)

    @property
    def fit(self) -> Fit:
        """The same as a start for fitting contours."""
        return Fit(self.rotation, self.translation, self.lens, self.support)

    @property
    def camera(self) -> Array:
        """The camera's place (3,) in the board frame (mm)."""
        return -self.rotation.T @ self.translation

    def scale(self, point: Array) -> float:
        """Pixels per millimetre at a point (3,) of the board frame, across the line of sight."""
        depth = (self.rotation @ point + self.translation)[2]
        return float(self.lens.focal[0] / depth)

    def card(self, marker: Marker, number: int, z: float) -> Array:
        """The corners (4, 2), in pixels, of that card's black square: where it was seen, else where it should be."""
        if number in self.markers and self.cards:
            return self.cards[self.markers.index(number)]
        return self.project(card_corners(marker, number, z))

    def moved_from(self, other: Pose, marker: Marker, z: float) -> float:
        """How far, in pixels at most, the corners of the cards are from where `other` has them."""
        corners = np.concatenate([card_corners(marker, k, z) for k in marker.ids])
        return float(np.abs(self.project(corners) - other.project(corners)).max())

    def distance_from(self, other: Pose, marker: Marker, z: float) -> float:
        """The same in mm on the board."""
        return self.moved_from(other, marker, z) / self.scale(np.zeros(3))


def card_corners(marker: Marker, number: int, z: float) -> Array:
    """The corners (4, 3) of that card's black square, in the order in which they are detected."""
    x, y = marker.centres[marker.ids.index(number)]
    half = marker.size / 2
    return np.array([[x + dx * half, y + dy * half, z] for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
