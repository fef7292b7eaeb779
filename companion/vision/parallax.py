"""What stands on a board tells how far above it a camera is that nobody calibrated: from straight above the board alone
does not, and things of another height are then seen in their places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism
from companion.vision.adjustment import OTHER_LENSES, UNLIKELY, oddness
from companion.vision.board import CARD_ERROR, Pose, card_corners, reduced
from companion.vision.contours import AS_GOOD, Contours, Prepared, contours_of, fit_with, joined, rims_of
from companion.vision.lens import Array, Lens
from companion.vision.places import on_board
from companion.vision.reading import Reading

HIGH = 8.0
"""From this height (mm) on things tell."""

ANY_VIEW = (0.15, 0.008, 0.008, 0.05)
"""How far a nominal lens may be off (see `USUAL_LENS`) as long as what stands tells."""

LIKELY = (0.9, 0.5)
"""Confidence from which a site is taken to show what it seems to; and where these are too few: with a wrong lens hardly
anything is sure, and of what is read a height too high or too low most else is not.
"""

FEW = 4
"""So many things at least have to stand there: each may stand a little off its place."""

ASIDE = 0.7
"""How far (mm) they typically do."""

FARTHER = 0.3
"""How far (mm in the mean) the tops of things have to be from where they were taken to be, for all to be read again."""

AGAIN = 3
"""How often that is done at most. A view of 100 degrees from straight above took two."""


def read_settled(
    image: Array, game: Game[Any, Any], pose: Pose, usual: Lens, read: Callable[[Pose], Reading]
) -> tuple[Pose, Reading]:
    """What `read` reads of a picture at the pose; where what stands there shows that the camera is elsewhere, at that
    pose. `usual` is the lens that was supposed; one that was calibrated is never changed.
    """
    reading = read(pose)
    for _ in range(AGAIN):
        other = by_heights(image, game, pose, usual, reading)
        if other is None:
            break
        pose, reading = other, read(other)
    return pose, reading


def by_heights(image: Array, game: Game[Any, Any], pose: Pose, usual: Lens, reading: Reading) -> Pose | None:
    """The pose at which the tops of what stands show where they are, if that is another one than the pose at which the
    `reading` of the picture (height, width, 3; blue-green-red) was made.
    """
    if not usual.is_nominal or pose.blurred:
        return None
    small = reduced(image, pose)
    size = (small.shape[1], small.shape[0])
    before = pose.of_size(size)
    tops = _tops(game, before, reading)
    if tops is None:
        return None
    picture, groups = Prepared(small), [contours_of(game.board), tops]
    z, smaller = -game.plate.thickness, np.divide(size, pose.lens.size)
    seen = zip(pose.markers, pose.cards, strict=True)
    corners = [(card_corners(game.marker, k, z), (card + 0.5) * smaller - 0.5) for k, card in seen]
    fit, lens = before.fit, usual.scaled(size)
    for spread in (ANY_VIEW, *OTHER_LENSES):
        fit = fit_with(picture, groups, corners, before.fit, CARD_ERROR, lens, spread)
        if oddness(fit.lens, lens, spread) < UNLIKELY:
            break
    away = np.linalg.norm(Pose.of(fit).project(tops.points) - before.project(tops.points), axis=1)
    if fit.support < AS_GOOD * pose.support or away.mean() < FARTHER * before.scale(np.zeros(3)):
        return None
    found = Pose.of(fit).of_size(pose.lens.size)
    return replace(pose, rotation=found.rotation, translation=found.translation, lens=found.lens, support=fit.support)


def _tops(game: Game[Any, Any], pose: Pose, reading: Reading) -> Contours | None:
    """The rims of the tops of what stands on the board in its place, if that is enough; what lies on other things, or
    anywhere, is not.
    """
    weight = 2 / (ASIDE * pose.scale(np.zeros(3))) ** 2
    places = (site for site in game.sites if not (site.roving or site.loose or site.on or site.on_table))
    shown = [(site, reading.sites[site.name]) for site in places if site.name in reading.sites]
    for likely in LIKELY:
        rims = [
            rims_of(on_board(site, np.array(solid.footprint)), site.centre[2] + solid.z1, weight)
            for site, read in shown
            if read.trust > likely
            for solid in game.look(site.kind, read.label)
            if isinstance(solid, Prism) and solid.z1 >= HIGH
        ]
        if len(rims) >= FEW:
            return joined(rims)
    return None
