"""What stands on a board tells how far above it a camera is that nobody calibrated: from straight above the board alone
does not, and things of another height are then seen in their places. Where things come in several heights, all may be
misread alike, and agree; so they are also tried at any of these, with any lens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.looks import Look, Prism
from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.points import on_board
from companion.vision.geometry.pose import Fit, Pose, card_corners
from companion.vision.locating.adjustment import OTHER_LENSES, UNLIKELY, Corners, oddness
from companion.vision.locating.board import CARD_ERROR, reduced
from companion.vision.locating.contours import (
    AS_GOOD,
    BETTER,
    Contours,
    Prepared,
    contours_of,
    fit_with,
    joined,
    rims_of,
    rims_off,
    supported,
)
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

MISJUDGED = 0.12
"""How much farther away or nearer (natural logarithm) a camera has to be for things to be taken to have other heights
than they seem to. Of 44 times 4 to 12 blocks seen through a usual lens from above none had it by more than 0.08; of as
many seen through one of 46 degrees, for which 66 were supposed, 32 of 34 that were judged wrong by a third.
"""

SHOWN = 0.5
"""Part of a thing that has to be seen for it to tell."""

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
    weight = 2 / (ASIDE * before.scale(np.zeros(3))) ** 2
    tops, things = _tops(game, reading, weight), _of_any_height(game, reading, weight)
    if tops is None and len(things) < FEW:
        return None
    z, smaller = -game.plate.thickness, np.divide(size, pose.lens.size)
    seen = zip(pose.markers, pose.cards, strict=True)
    corners = [(card_corners(game.marker, k, z), (card + 0.5) * smaller - 0.5) for k, card in seen]
    shown = _Shown(Prepared(small), contours_of(game.board), corners, usual.scaled(size))
    fit = before.fit if tops is None else shown.fitted(before.fit, tops)
    if len(things) >= FEW:
        by_rims, rims = shown.fitted_at_any_height(before.fit, things)
        if abs(np.log(Pose.of(by_rims).camera[2] / before.camera[2])) > MISJUDGED:
            fit, tops = by_rims, rims
    if tops is None or fit.support < AS_GOOD * supported(shown.picture, shown.board, before.fit).support:
        return None
    away = np.linalg.norm(Pose.of(fit).project(tops.points) - before.project(tops.points), axis=1)
    if away.mean() < FARTHER * before.scale(np.zeros(3)):
        return None
    found = Pose.of(fit).of_size(pose.lens.size)
    return replace(pose, rotation=found.rotation, translation=found.translation, lens=found.lens, support=fit.support)


def standing(game: Game[Any, Any], reading: Reading) -> int:
    """How many things stand on the board in their places, as was read, that are high enough to tell."""
    labels = ((site.kind, reading.sites[site.name].label) for site in _places(game) if site.name in reading.sites)
    return sum(len(_high(game, kind, label)) > 0 for kind, label in labels)


@cache
def _high(game: Game[Any, Any], kind: str, label: str) -> Sequence[Prism]:
    """The parts of a thing that are high enough to tell."""
    return [solid for solid in game.look(kind, label) if isinstance(solid, Prism) and solid.z1 >= HIGH]


@dataclass(frozen=True)
class _Shown:
    """A `picture`, the contours of the `board`, the `corners` of the cards, and the `usual` lens."""

    picture: Prepared
    board: Contours
    corners: Corners
    usual: Lens

    def fitted(self, fit: Fit, tops: Contours) -> Fit:
        """The pose near `fit` at which the tops show, too, with the likeliest kind of lens."""
        start = fit
        for spread in (ANY_VIEW, *OTHER_LENSES):
            fit = self._with(start, tops, spread)
            if oddness(fit.lens, self.usual, spread) < UNLIKELY:
                break
        return fit

    def fitted_at_any_height(self, start: Fit, things: Sequence[Sequence[Contours]]) -> tuple[Fit, Contours]:
        """The pose near `start`, with whatever lens, at which things show that may have several heights, and the tops
        that do: those whose rims show best, time after time.
        """
        best = start
        for spread in OTHER_LENSES:
            fit = start
            for _ in range(AGAIN):
                fit = self._with(fit, self._best(fit, things), spread)
            if best is start or fit.support > BETTER * best.support:
                best = fit
        return best, self._best(best, things)

    def _with(self, fit: Fit, tops: Contours, spread: tuple[float, ...]) -> Fit:
        return fit_with(self.picture, [self.board, tops], self.corners, fit, CARD_ERROR, self.usual, spread)

    def _best(self, fit: Fit, things: Sequence[Sequence[Contours]]) -> Contours:
        """The tops of things whose rims show nearest to where `fit` has them."""
        off = ([rims_off(self.picture, rims, fit, ASIDE) for rims in heights] for heights in things)
        return joined([heights[int(np.argmin(each))] for heights, each in zip(things, off, strict=True)])


def _tops(game: Game[Any, Any], reading: Reading, weight: float) -> Contours | None:
    """The rims of the tops of what stands on the board in its place, if that is enough; what lies on other things, or
    anywhere, is not.
    """
    shown = [(site, reading.sites[site.name]) for site in _places(game) if site.name in reading.sites]
    for likely in LIKELY:
        rims = [
            _rims(site, solid, weight)
            for site, read in shown
            if read.trust > likely
            for solid in _high(game, site.kind, read.label)
        ]
        if len(rims) >= FEW:
            return joined(rims)
    return None


def _of_any_height(game: Game[Any, Any], reading: Reading, weight: float) -> list[list[Contours]]:
    """The rims of the tops of what surely stands on the board in its place, at each height that it may have, where such
    things come in several.
    """
    things = []
    for site in (site for site in _places(game) if site.name in reading.sites):
        read = reading.sites[site.name]
        alike, chances = _alike(game, site.kind, read.labels, read.label), read.chances
        sure = sum(chances[read.labels.index(label)] for label in alike) * min(1.0, read.visible / SHOWN)
        if len(alike) > 1 and sure > LIKELY[0]:
            things.append([_rims(site, solid, weight) for solid in alike.values()])
    return things


@cache
def _alike(game: Game[Any, Any], kind: str, labels: Sequence[str], label: str) -> Mapping[str, Prism]:
    """What looks as a plain thing with that label does, but for its height, by its label among `labels`."""
    own = _plain(game.look(kind, label))
    others = {other: _plain(game.look(kind, other)) for other in labels} if own else {}
    return {k: other for k, other in others.items() if own and other and other._replace(z1=own.z1) == own}


def _plain(look: Look) -> Prism | None:
    """A thing that is a prism without any marks."""
    return look[0] if len(look) == 1 and isinstance(look[0], Prism) and not look[0].marks else None


def _places(game: Game[Any, Any]) -> Iterator[SiteSpec]:
    """The sites of what stands on the board in its place."""
    return (site for site in game.sites if not (site.roving or site.loose or site.on or site.on_table))


def _rims(site: SiteSpec, solid: Prism, weight: float) -> Contours:
    return rims_of(on_board(site, np.array(solid.footprint)), site.centre[2] + solid.z1, weight)
