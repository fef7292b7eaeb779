"""The pose, and the lens where nobody calibrated it, adjusted to edges and cards that were found in a picture.

What is adjusted are ten numbers: a turn about the board's origin (radians, camera axes), a shift (mm), and how far the
lens is from another one: relative focal length, centre (parts of the longer side), first distortion term.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Fit

USUAL_LENS = (0.05, 0.008, 0.008, 0.05)
"""How far a nominal lens may be off: focal length (relative), centre (parts of the longer side), distortion (k1)."""

OTHER_LENSES = ((0.5, 0.008, 0.008, 0.15), (0.4, 0.12, 0.12, 0.05))
"""The same where the camera sees less or more than usual ones do, through a lens that may bend lines; and where the
picture is but a part of what it saw.
"""

UNLIKELY = 2.5
"""How odd a lens is (see `oddness`) from which it is no lens of its kind. Of 200 pictures of the simulated table, where
focal lengths differ by a tenth, 16 were odder; of 40 cut from stills or taken, leaning, with views of 52 or 100
degrees, all but 4.
"""

OUTLIER = 16.0
"""Squared distance, in those expected, from which a card is mistrusted."""

ALIKE = 0.25
"""What edges count beside cards and what is known of lenses, where these are of another kind: neighbours err alike, and
edges of things that lie on the board are taken for its own. With 1 focal lengths went astray by a half of them.
"""

ROUNDS, TRIES, DAMPED, SETTLED = 30, 8, 1e-3, 1e-3
"""How often equations are solved anew at most, and how often they are damped more, by ten each time; how much they are
at first (relative); and the gain below which nothing more is to be had.
"""

Corners = list[tuple[Array, Array]]
"""Corners of cards in the board frame (4, 3), and of the same cards in the picture (4, 2)."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges that were found: `points` (n, 3) in the board frame, unit `normals` (n, 2) in the picture, where `along`
    these (n,) they were found (pixels from the picture's origin), and what each counts: `trust` (n,).
    """

    points: Array
    normals: Array
    along: Array
    trust: Array

    def offsets(self, fit: Fit) -> Array:
        """How far (n,), in pixels along their normals, they are from where `fit` has them."""
        at = fit.lens.project(self.points @ fit.rotation.T + fit.translation)
        offsets: Array = self.along - (self.normals * at).sum(axis=1)
        return offsets


NO_EDGES = Edges(np.empty((0, 3)), np.empty((0, 2)), np.empty(0), np.empty(0))


def step(edges: Edges, cards: Corners, fit: Fit, card_error: float, scale: float, drift: Array | None) -> Array:
    """One robust Gauss-Newton step (10,).

    `card_error`: how far off (mm) cards are laid. `scale`: offset in pixels from which an edge is mistrusted. `drift`:
    how far the lens is off already, as usual ones are; None keeps it.
    """
    a, b = _equations(edges, cards, fit, card_error, scale)
    known = np.diag(1 / np.square(USUAL_LENS))
    if drift is None:
        known *= 1e9
    else:
        b[6:] -= known @ drift
    a[6:, 6:] += known
    return np.linalg.solve(a + 1e-9 * np.diag(np.diag(a)) + 1e-9 * np.eye(10), b)


def moved(fit: Fit, change: Array, lens: Lens, drift: Array) -> Fit:
    """The fit after a step; `drift` (4,) is how far its lens is from `lens`."""
    (fx, fy), (cx, cy), side = lens.focal, lens.centre, max(lens.size)
    k1, k2, p1, p2, k3 = lens.distortion
    grown = float(np.exp(drift[0]))
    refined = Lens(
        lens.size,
        (fx * grown, fy * grown),
        (cx + float(drift[1]) * side, cy + float(drift[2]) * side),
        (k1 + float(drift[3]), k2, p1, p2, k3),
    )
    rotation = cv2.Rodrigues(change[:3])[0] @ fit.rotation
    return Fit(rotation, fit.translation + change[3:6], refined, fit.support)


def drift_of(lens: Lens, usual: Lens) -> Array:
    """How far (4,) a lens is from the usual one."""
    side = max(usual.size)
    shift = np.subtract(lens.centre, usual.centre) / side
    longer = np.log(lens.focal[0] / usual.focal[0])
    return np.array([longer, *shift, lens.distortion[0] - usual.distortion[0]])


def oddness(lens: Lens, usual: Lens, spread: tuple[float, ...]) -> float:
    """How far a lens is from the usual one: the sum of the squares of that, in parts of how far such lenses may be off,
    `spread` (4,).
    """
    return float(np.square(drift_of(lens, usual) / spread).sum())


def adjusted(
    edges: Edges, cards: Corners, fit: Fit, card_error: float, scale: float, usual: Lens, spread: tuple[float, ...]
) -> Fit:
    """The fit adjusted to edges and cards (see `step`), with a lens that may be off `usual` by as much as `spread` (4,)
    says: focal length and distance hardly differ from above, so that plain steps go astray (Levenberg-Marquardt).
    """
    known, damping = np.diag(1 / np.square(spread)), DAMPED
    drift = drift_of(fit.lens, usual)
    edges = replace(edges, trust=ALIKE * edges.trust)

    def cost(fit: Fit, drift: Array) -> float:
        return _misfit(edges, cards, fit, card_error, scale) + float(drift @ known @ drift)

    least = cost(fit, drift)
    for _ in range(ROUNDS):
        a, b = _equations(edges, cards, fit, card_error, scale)
        a[6:, 6:] += known
        b[6:] -= known @ drift
        before = least
        for _ in range(TRIES):
            change = np.linalg.solve(a + damping * np.diag(np.diag(a)) + 1e-9 * np.eye(10), b)
            other = moved(fit, change, usual, drift + change[6:])
            if other.translation[2] > 0 and (costs := cost(other, drift + change[6:])) < least:
                fit, drift, least = other, drift + change[6:], costs
                damping /= 10
                break
            damping *= 10
        if before - least < SETTLED:
            break
    return fit


def _equations(edges: Edges, cards: Corners, fit: Fit, card_error: float, scale: float) -> tuple[Array, Array]:
    """The normal equations, (10, 10) and (10,), of what edges and cards say."""
    a, b = np.zeros((10, 10)), np.zeros(10)
    if len(edges.points):
        jacobian = _jacobian(edges.points @ fit.rotation.T + fit.translation, fit)
        j = np.einsum("ni,nij->nj", edges.normals, jacobian)
        r = edges.offsets(fit)
        weight = edges.trust / (1 + (r / scale) ** 2) ** 2
        a += (j * weight[:, None]).T @ j
        b += (j * weight[:, None]).T @ r
    for model, seen in cards:
        camera = model @ fit.rotation.T + fit.translation
        jacobian = _jacobian(camera, fit)
        error = seen - fit.lens.project(camera)
        expected = _expected(fit, camera, card_error)
        factor = 1 / (1 + np.square(error).sum() / (OUTLIER * expected**2)) ** 2 / expected**2
        a += factor * np.einsum("nki,nkj->ij", jacobian, jacobian)
        b += factor * np.einsum("nki,nk->i", jacobian, error)
    return a, b


def _misfit(edges: Edges, cards: Corners, fit: Fit, card_error: float, scale: float) -> float:
    """What `_equations` make less: the loss of Geman and McClure over edges and cards; endless behind the camera."""
    off = np.square(edges.offsets(fit) / scale)
    total = float((edges.trust * scale**2 * off / (1 + off)).sum())
    for model, seen in cards:
        camera = model @ fit.rotation.T + fit.translation
        error = seen - fit.lens.project(camera)
        away = float(np.square(error).sum()) / (OUTLIER * _expected(fit, camera, card_error) ** 2)
        total += OUTLIER * away / (1 + away)
    return total if np.isfinite(total) else float("inf")


def _expected(fit: Fit, camera: Array, card_error: float) -> float:
    """How far off, in pixels, the corners (n, 3; camera frame) of a card may be."""
    return max(0.5, float(card_error * fit.lens.focal[0] / camera[:, 2].mean()))


def _jacobian(camera: Array, fit: Fit) -> Array:
    """Change (n, 2, 10) of the pixels of points (n, 3) in the camera frame by each of the ten numbers."""
    (fx, fy), z = fit.lens.focal, camera[:, 2]
    zero = np.zeros_like(z)
    u, v = camera[:, 0] / z, camera[:, 1] / z
    by_place = np.stack(
        [np.stack([fx / z, zero, -fx * u / z], axis=1), np.stack([zero, fy / z, -fy * v / z], axis=1)], axis=1
    )
    x, y, w = (camera - fit.translation).T
    turn = np.stack(
        [np.stack([zero, w, -y], axis=1), np.stack([-w, zero, x], axis=1), np.stack([y, -x, zero], axis=1)], axis=1
    )
    side, r2 = np.full_like(z, max(fit.lens.size)), u * u + v * v
    lens = np.stack(
        [np.stack([fx * u, side, zero, fx * u * r2], axis=1), np.stack([fy * v, zero, side, fy * v * r2], axis=1)],
        axis=1,
    )
    return np.concatenate([by_place @ turn, by_place, lens], axis=2)
