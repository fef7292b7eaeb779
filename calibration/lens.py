"""The lens of a camera, from pictures of a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, degrees

import cv2
import numpy as np

from calibration.charts import Chart, ChartError, Sighting
from companion.vision.geometry.lens import Array, Lens

LEAST_VIEWS = 8
CELLS = (6, 4)
"""Columns and rows of parts of the picture that the chart should be seen in."""

COVERED = 0.7
"""Part of these that it has to be seen in."""

TILTED = 12.0
"""Degrees by which the chart has to be tilted towards the camera in some of the pictures."""

TILTED_VIEWS = 3
WORST_ERROR = 1.0
"""Root mean square error in pixels, of a picture 1280 wide, above which the chart was not as it was said to be."""

UNSURE = 0.005
"""Relative standard deviation of the focal length from which it is not known well enough."""

OUTLIER = 3.0
"""A picture with an error this many times that of the median picture is left out."""

WIDE = 80.0
"""Horizontal field of view in degrees from which a lens needs a third radial coefficient."""

NEW = 0.06
"""How far, in widths of the picture, the chart's corners have to be from those of every other view to add something."""


@dataclass(frozen=True, slots=True)
class LensFit:
    """A calibrated lens. `error`: root mean square reprojection error, pixels; `views`: pictures used; `left_out`:
    pictures that did not agree with the others; `covered`: part of the picture in which the chart was seen.
    """

    lens: Lens
    error: float
    views: int
    left_out: int
    covered: float


def coverage(views: Sequence[Sighting], size: tuple[int, int]) -> Array:
    """In which parts (rows, columns) of a picture of `size` (width, height) the chart was seen."""
    seen = np.zeros((CELLS[1], CELLS[0]), bool)
    for view in views:
        column = np.clip(view.pixels[:, 0] * CELLS[0] / size[0], 0, CELLS[0] - 1).astype(int)
        row = np.clip(view.pixels[:, 1] * CELLS[1] / size[1], 0, CELLS[1] - 1).astype(int)
        seen[row, column] = True
    return seen


def calibrate(views: Sequence[Sighting], size: tuple[int, int]) -> LensFit:
    """The lens that explains the views best, for pictures of `size` (width, height).

    Zhang's method as OpenCV has it (Z. Zhang, A Flexible New Technique for Camera Calibration, 2000), with two or three
    radial coefficients and two tangential ones.

    Raises:
        ChartError: too few or too similar views, or views that no lens explains; the message says what to do.
    """
    if len(views) < LEAST_VIEWS:
        raise ChartError(f"the chart was found in {len(views)} pictures; {LEAST_VIEWS} are needed, better 15", "few")
    covered = float(coverage(views, size).mean())
    if covered < COVERED:
        raise ChartError(
            f"the chart was seen in {covered:.0%} of the picture, and {COVERED:.0%} are needed: {_where(views, size)}",
            "uncovered",
        )
    used = list(views)
    fit = _fit(used, size)
    errors = fit.errors
    kept = [view for view, error in zip(used, errors, strict=True) if error <= OUTLIER * np.median(errors)]
    if len(kept) < len(used) and len(kept) >= LEAST_VIEWS:
        fit = _fit(kept, size)
    else:
        kept = used
    _check(fit, size)
    return LensFit(fit.lens, fit.error, len(kept), len(used) - len(kept), covered)


@dataclass(frozen=True, slots=True)
class _Fit:
    """`errors` (views,): in pixels; `tilts` (views,): degrees; `deviation`: of the focal length, relative."""

    lens: Lens
    error: float
    errors: Array
    tilts: Array
    deviation: float


def _fit(views: Sequence[Sighting], size: tuple[int, int]) -> _Fit:
    """The lens as OpenCV finds it.

    Raises:
        ChartError: it finds none, as where the corners lie in one line in the pictures.
    """
    points, pixels = [view.points for view in views], [view.pixels for view in views]
    flags = cv2.CALIB_FIX_K3
    for _ in range(2):
        try:
            result = cv2.calibrateCameraExtended(points, pixels, size, None, None, flags=flags)  # type: ignore[call-overload]
        except cv2.error as failure:
            raise ChartError(
                "no lens can be found from these pictures: is it the chart that was named, and is it seen from the "
                "front, large and sharp, in each of them? Take them anew, each from another side",
                "misfit",
            ) from failure
        error, matrix, distortion, turns, _, deviations, _, errors = result
        if flags == 0 or 2 * degrees(atan(size[0] / 2 / matrix[0, 0])) < WIDE:
            break
        flags = 0
    k1, k2, p1, p2, k3 = (float(k) for k in np.ravel(distortion)[:5])
    focal, centre = (float(matrix[0, 0]), float(matrix[1, 1])), (float(matrix[0, 2]), float(matrix[1, 2]))
    lens = Lens(size, focal, centre, (k1, k2, p1, p2, k3))
    tilts = np.array([_tilt(np.ravel(turn)) for turn in turns])
    return _Fit(lens, float(error), np.ravel(errors), tilts, float(np.ravel(deviations)[0] / focal[0]))


def _tilt(turn: Array) -> float:
    """The angle between the chart's normal and the line of sight, from a rotation vector (3,)."""
    normal = cv2.Rodrigues(turn)[0][:, 2]
    return degrees(float(np.arccos(np.clip(abs(normal[2]), 0, 1))))


def _check(fit: _Fit, size: tuple[int, int]) -> None:
    """Refuses a lens that cannot be.

    Raises:
        ChartError: it says why, and what to do.
    """
    worst = WORST_ERROR * max(1.0, size[0] / 1280)
    if fit.error > worst:
        raise ChartError(
            f"the pictures do not fit the chart: {fit.error:.2f} pixels off, {worst:.1f} at most are allowed. Is it "
            "the chart that was named, printed at true size, and flat (glued to a board)? Were the pictures sharp?",
            "misfit",
        )
    if np.count_nonzero(fit.tilts > TILTED) < TILTED_VIEWS:
        raise ChartError(
            f"the chart was nearly always held straight to the camera; tilt it by {TILTED:.0f} to 40 degrees, to "
            f"either side, up and down, in {TILTED_VIEWS} pictures at least",
            "straight",
        )
    view = 2 * degrees(atan(size[0] / 2 / fit.lens.focal[0]))
    if not 15 < view < 150 or not 0.9 < fit.lens.focal[0] / fit.lens.focal[1] < 1.1:
        raise ChartError(
            f"the pictures lead to a lens that cannot be ({view:.0f} degrees across); are they all from one camera, at "
            "one zoom and focus, and not cropped?",
            "impossible",
        )
    if fit.deviation > UNSURE:
        raise ChartError(
            f"the focal length is known to {fit.deviation:.1%} only, {UNSURE:.1%} are needed: take more pictures, the "
            "chart nearer and tilted more",
            "unsure",
        )


def _where(views: Sequence[Sighting], size: tuple[int, int]) -> str:
    """Where the chart should be held next."""
    seen = coverage(views, size)
    rows, columns = np.nonzero(~seen)
    if not len(rows):
        return "hold it anywhere, tilted"
    row, column = rows[len(rows) // 2], columns[len(rows) // 2]
    side = ("left", "middle", "right")[int(column * 3 / CELLS[0])]
    level = ("upper", "middle", "lower")[min(2, int(row * 3 / CELLS[1]))]
    return f"hold it to the {level} {side} of the picture"


class Guide:
    """Collects views of a chart from a camera's pictures and says what is missing.

    `views` grows with each picture that adds something.
    """

    def __init__(self, chart: Chart, size: tuple[int, int]) -> None:
        """`size` (width, height) of the pictures."""
        self.chart, self.size = chart, size
        self.views: list[Sighting] = []
        self.seen: Sighting | None = None  # the chart in the last picture

    def offer(self, image: Array) -> bool:
        """Whether the picture added a view: it shows the chart, and elsewhere or otherwise than the views before."""
        sighting = self.seen = self.chart.find(image)
        if sighting is None or not all(self._new(sighting, view) for view in self.views):
            return False
        self.views.append(sighting)
        return True

    def _new(self, sighting: Sighting, view: Sighting) -> bool:
        known = {tuple(point): pixel for point, pixel in zip(view.points.tolist(), view.pixels, strict=True)}
        shared = [
            np.linalg.norm(known[tuple(point)] - pixel)
            for point, pixel in zip(sighting.points.tolist(), sighting.pixels, strict=True)
            if tuple(point) in known
        ]
        return not shared or float(np.mean(shared)) > NEW * self.size[0]

    @property
    def advice(self) -> str | None:
        """What to do next, in one sentence; None when there are views enough."""
        found = self.outcome()
        return str(found) if isinstance(found, ChartError) else None

    def outcome(self) -> LensFit | ChartError:
        """The lens, or what is missing for it: what to do next."""
        if not self.views:
            return ChartError(
                "hold the chart in front of the camera, so that it fills half of the picture", "beginning"
            )
        if coverage(self.views, self.size).mean() < COVERED:
            return ChartError(_where(self.views, self.size), "uncovered")
        if len(self.views) < LEAST_VIEWS:
            return ChartError("hold it elsewhere, and tilted", "few")
        try:
            return calibrate(self.views, self.size)
        except ChartError as error:
            return error
