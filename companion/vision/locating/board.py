"""Where the board is: the pose of the board frame in the camera, from the corner cards and from the board itself.

The cards tell the game and, roughly, the pose: people lay them by hand, a few millimetres off. The board's own outline
and print (`companion.vision.locating.contours`) then make the pose exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.registry import game_of_markers
from companion.games.sets import Marker
from companion.vision.geometry.extents import outline_of, site_extents
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Fit, Pose, card_corners
from companion.vision.images import grey_image
from companion.vision.locating.adjustment import Corners
from companion.vision.locating.contours import (
    Contours,
    Prepared,
    contours_of,
    fit_contours,
    fit_lens,
    found_at,
    settled_around,
)
from companion.vision.locating.sharpness import blur

CARD_ERROR = 3.0
"""How far off, in mm, a card laid by hand typically is."""

AGREEING, FAINT = 4.0, 0.3
"""So many card errors the cards may be off, in the mean; half as many where less of the board's own contours is found:
pieces may cover most of them.
"""

ENOUGH, BARELY, CLOSE = 0.62, 0.45, 1.5
"""At first sight: part of the contours from which the board surely lies there; below which it does not, whatever the
cards say; and how many card errors they may be off in between. Boards in their places have shown 0.49 or
more of 200, their cards 3.5 mm off at most; of those 2 or 3 cm beside theirs some 0.43, and in a noisy picture 0.65.
"""

COVERED, BARE = 0.35, 0.65
"""The same of a board with pieces on most of its contours; and the part of those that has to show which no piece
covers: of a Magic Labyrinth full of walls under a hand 0.72, where of all 0.45 did.
"""

HARDLY, RATHER = 0.85, 1.04
"""Part of the contours that no piece covers below which, at first sight, it is looked whether the board lies a little
otherwise, as in noise, or beside its cards, where grids show on grids; and how many times as much has to show beside.
Of 64 boards one pitch beside their cards 0.76 of those contours showed at most, in much noise 0.81, and where they lay
1.09 times as much of all and more; of 300 in their places, half of them in noise, 56 showed less than that, and beside
0.94 times as much at most. Of 40 more beside their cards two, in poor light, are still taken to lie at these: no place
that is tried is theirs.
"""

SUPPORT_WITHOUT_CARDS, SUPPORT_WITH_TWO = 0.5, 0.4
"""Part of the board's own contours that must be found where the cards alone do not settle the pose."""

ASIDE = 1.5
"""Millimetres that a piece may lie off its place."""

BLURRED = 0.06
"""Standard deviation of the blur, in sizes of a card, from which on nothing is sure. Of 90 pictures of the simulated
table none had more than 0.037; of 24 blurred on purpose four were misread surely, at 0.065 and more.
"""

FINE, PLENTY = 1.9, 1.3
"""From so many pixels a millimetre on a picture is reduced to so many for its contours to be looked for: edges are soft
then, and a pixel is less than they are off.
"""

PUSHES = tuple((x, y) for x in (-12.0, 0.0, 12.0) for y in (-12.0, 0.0, 12.0) if x or y)
"""Around which places (mm) a board is looked for that was pushed away, and is not found nearer."""

ELSEWHERE = 5.0
"""From this distance (mm) on a pose is another one."""

STANDS = 0.88
"""Of the board's own contours that were found before, so many are found again where it stands. Elsewhere about half of
them are found by chance where the picture is noisy, and four fifths one square on on a chequered board.
"""

STRAY = 0.3
"""To what part of it the other cards have to be off their places without one that strays. Of 720 times four cards laid
by hand one was below that, of 1440 laid more carefully none.
"""

NOT_THERE = "the board itself is not found where its corner cards have it"


class NoBoardError(Exception):
    """The board cannot be found in the picture; the message says why, in one sentence for people."""


class MirroredError(NoBoardError):
    """The corner cards are seen as in a mirror, as cameras show people themselves."""


@cache
def _detector(thorough: bool) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    if thorough:
        parameters.adaptiveThreshWinSizeMin = 5
        parameters.adaptiveThreshWinSizeMax = 45
        parameters.adaptiveThreshWinSizeStep = 8
        parameters.errorCorrectionRate = 0.9
        parameters.perspectiveRemovePixelPerCell = 8
        parameters.perspectiveRemoveIgnoredMarginPerCell = 0.25
        parameters.polygonalApproxAccuracyRate = 0.05
        parameters.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def _no_card(grey: Array, text: str, ids: Sequence[int] = ()) -> NoBoardError:
    """Why no card with any of these `ids`, or of any game, is seen in a grey picture: as `text` says, or as several
    are seen as in a mirror.
    """
    seen = _detect(cv2.flip(grey, 1), thorough=True)
    game = None if ids else game_of_markers(seen)
    several = len(seen.keys() & set(game.marker.ids if game else ids)) > 1
    return MirroredError("the picture is mirrored; switch that off in the camera") if several else NoBoardError(text)


def detect_cards(grey: Array, wanted: Sequence[int] = ()) -> dict[int, Array]:
    """The cards in a grey picture: corners (4, 2) in pixels by id.

    As long as some of `wanted` are missing, it looks again and longer, for blurred, noisy and dim ones.
    """
    found = _detect(grey, thorough=False)
    for retouch in (None, _sharpened, _without_bloom, _darkened):
        if set(wanted) <= set(found):
            break
        found = _detect(grey if retouch is None else retouch(grey), thorough=True) | found
    return found


def _sharpened(grey: Array) -> Array:
    fine, coarse = cv2.GaussianBlur(grey, (0, 0), 1.2), cv2.GaussianBlur(grey, (0, 0), 4)
    return cv2.addWeighted(fine, 3.0, coarse, -2.0, 0.0)


def _without_bloom(grey: Array) -> Array:
    """White takes its surroundings where it is overexposed, and makes the cards' black frames thin: grow the dark."""
    return cv2.erode(grey, np.ones((3, 3), np.uint8))


def _darkened(grey: Array) -> Array:
    """As with a shorter exposure."""
    return cv2.LUT(cv2.GaussianBlur(grey, (0, 0), 0.8), (255 * (np.arange(256) / 255) ** 3).astype(np.uint8))


def _detect(grey: Array, thorough: bool) -> dict[int, Array]:
    found, ids, _ = _detector(thorough).detectMarkers(grey)
    if ids is None:
        return {}
    return {int(k): corners.reshape(4, 2) for k, corners in zip(ids.ravel(), found, strict=True)}


def find_game(image: Array) -> tuple[Game[Any, Any], tuple[int, ...]]:
    """The game whose cards are in the picture, and the ids seen.

    Raises:
        NoBoardError: no card of any game is seen.
    """
    grey = grey_image(image)
    seen = detect_cards(grey)
    game = game_of_markers(seen) or game_of_markers(seen := detect_cards(grey, wanted=(-1,)))
    if game is None:
        raise _no_card(grey, "no corner card of any game is seen in the picture")
    return game, tuple(sorted(seen))


def locate(image: Array, game: Game[Any, Any], lens: Lens, previous: Pose | None = None) -> Pose:
    """The pose of the game's board in `image` (height, width, 3) as the lens sees it.

    Where cards are covered, `previous` (an earlier pose of the same camera) helps, as long as the board's own contours
    are found there.

    Raises:
        NoBoardError: too few cards are seen, or they do not agree with each other or with the board.
    """
    height, width = image.shape[:2]
    lens = lens.scaled((width, height))
    refine = lens.is_nominal
    if previous is not None and previous.lens.size == lens.size and refine:
        lens, refine = previous.lens, False
    grey = grey_image(image)
    z = -game.plate.thickness
    ids = game.marker.ids
    seen = detect_cards(grey, ids if previous is None else ())
    cards = _agreeing({k: seen[k] for k in ids if k in seen}, game.marker)
    starts = _starts(cards, game.marker, z, lens, previous)
    if not starts:
        raise _no_card(grey, "no corner card of the game is seen in the picture", ids)
    small = reduced(image, Pose.of(starts[0]))
    size, there = (small.shape[1], small.shape[0]), cards
    if small is not image:
        there = {k: (card + 0.5) * np.divide(size, (width, height)) - 0.5 for k, card in cards.items()}
    starts = [replace(start, lens=start.lens.scaled(size)) for start in starts]
    found = _laid(small, game, there, starts, previous and previous.of_size(size), refine)
    return _with_cards(found.of_size((width, height)), cards, grey, game.marker)


def reduced(image: Array, pose: Pose) -> Array:
    """The picture as the board's contours are looked for in it, if the pose is about right: it, or a smaller one."""
    scale = pose.scale(np.zeros(3))
    if scale <= FINE:
        return image
    size = (round(PLENTY / scale * image.shape[1]), round(PLENTY / scale * image.shape[0]))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def _laid(
    image: Array, game: Game[Any, Any], cards: dict[int, Array], starts: list[Fit], previous: Pose | None, refine: bool
) -> Pose:
    """The pose near one of `starts` at which the board's own contours are found in `image`, where its cards have them.

    Raises:
        NoBoardError: there is none, or the cards do not agree with it.
    """
    picture, contours, bare = Prepared(image), contours_of(game.board), _bare(game) if previous is None else None
    if image.ndim == 2:
        contours, bare = contours.part(~contours.in_colour), bare and bare.part(~bare.in_colour)
    corners = [(card_corners(game.marker, k, -game.plate.thickness), c) for k, c in cards.items()]
    sought = _Sought(picture, contours, bare, corners, refine)
    best = max((sought.fitted(start, widely=previous is None) for start in starts), key=lambda fit: fit.support)
    if refine and previous is None and len(cards) > 2:
        best = fit_lens(picture, contours, corners, starts[0], best, CARD_ERROR)
    try:
        if previous is None:
            best = sought.looked_around(best, game)
        shows = best.support >= BARELY or (previous is None and _shows(picture, _telling(game), best))
        enough = len(cards) >= min(3, len(game.marker.ids))
        found = _checked(best, corners, sure=enough, first=previous is None, shows=shows)
    except NoBoardError:
        pushed = _pushed(picture, contours, previous, starts[0].lens, 0.0)
        if pushed is None:
            raise
        return pushed
    return _pushed(picture, contours, previous, starts[0].lens, found.support) or found


@dataclass(frozen=True)
class _Sought:
    """A board that is looked for in a `picture`: its `contours`, those of them that are `bare` (no piece covers them;
    None where there are none, or where the board was seen before), and the `corners` of its cards. `refine`: the lens
    is refined too.
    """

    picture: Prepared
    contours: Contours
    bare: Contours | None
    corners: Corners
    refine: bool

    def fitted(self, start: Fit, widely: bool) -> Fit:
        """The pose near `start`, or where cards allow it, that fits best."""
        known = self.bare if widely else None
        return fit_contours(self.picture, self.contours, self.corners, start, CARD_ERROR, self.refine, widely, known)

    def looked_around(self, fit: Fit, game: Game[Any, Any]) -> Fit:
        """`fit`, or another one close to it at which more shows of the board.

        Raises:
            NoBoardError: the board shows rather beside, up to about one pitch away.
        """
        if self.bare is None or found_at(self.picture, self.bare.part(~self.bare.in_colour), fit).mean() >= HARDLY:
            return fit
        far = max((site.size for site in game.sites if not site.on_table and not site.roving), default=0.0)
        pose, z, beside = Pose.of(fit), -game.plate.thickness, 0.0
        for other in settled_around(self.picture, self.contours, self.bare, fit, far):
            if Pose.of(other).distance_from(pose, game.marker, z) > ELSEWHERE:
                beside = max(beside, other.support)
            elif other.support > fit.support:
                fit = max(fit, self.fitted(other, widely=False), key=lambda each: each.support)
        if beside > RATHER * fit.support:
            raise NoBoardError(NOT_THERE)
        return fit


def locate_around(image: Array, game: Game[Any, Any], previous: Pose) -> Pose:
    """The pose of a board that was pushed farther away from its cards than `locate` finds it: its own contours show as
    they did at the `previous` pose in one place around, and in no other.

    Raises:
        NoBoardError: they do not, or no two cards are seen, so that the board may have been put away.
    """
    grey = grey_image(image)
    seen = detect_cards(grey)
    cards = {k: seen[k] for k in game.marker.ids if k in seen}
    if len(cards) < 2:
        raise NoBoardError("too few corner cards of the game are seen in the picture")
    small = reduced(image, previous)
    pose = _around(small, game, previous.of_size((small.shape[1], small.shape[0])))
    return _with_cards(pose.of_size((image.shape[1], image.shape[0])), cards, grey, game.marker)


def _around(image: Array, game: Game[Any, Any], previous: Pose) -> Pose:
    """The pose around the `previous` one at which the board's own contours are found in `image`.

    Raises:
        NoBoardError: there is none, or there are several.
    """
    picture, contours = Prepared(image), contours_of(game.board)
    contours = contours.part(~contours.in_colour) if image.ndim == 2 else contours
    shifts = (previous.rotation @ np.array([x, y, 0.0]) for x, y in PUSHES)
    starts = (replace(previous, translation=previous.translation + shift) for shift in shifts)
    fits = sorted((_fitted_alone(picture, contours, start) for start in starts), key=lambda fit: -fit.support)
    pose, z = Pose.of(fits[0]), -game.plate.thickness
    elsewhere = (fit for fit in fits if Pose.of(fit).distance_from(pose, game.marker, z) > ELSEWHERE)
    rival = max((fit.support for fit in elsewhere), default=0.0)
    if fits[0].support < _least_support(previous) or rival >= STANDS * fits[0].support:
        raise NoBoardError("the board is not found around the place where it was")
    return pose


def _with_cards(pose: Pose, cards: dict[int, Array], grey: Array, marker: Marker) -> Pose:
    """The pose, with the cards that were seen and whether they are blurred."""
    blurred = blur(grey, list(cards.values()), marker) > BLURRED
    return replace(pose, markers=tuple(cards), cards=tuple(cards.values()), blurred=blurred)


@cache
def _bare(game: Game[Any, Any]) -> Contours | None:
    """The contours of the game's board that no piece covers that lies or stands on it in its place, if there are any in
    grey.
    """
    contours = contours_of(game.board)
    covered = np.logical_or.reduce([np.zeros(len(contours.points), bool), *_covered(game).values()])
    return None if (covered | contours.in_colour).all() else contours.part(~covered)


def _covered(game: Game[Any, Any]) -> dict[str, Array]:
    """Which of the board's contours (n,) pieces may cover, by the kind of site on which they lie or stand."""
    points, extents = contours_of(game.board).points[:, :2], site_extents(game)
    covered: dict[str, Array] = {}
    for site in game.sites:
        if not site.on_table and not site.roving:
            inside = _inside(points, outline_of(site, extents[site.kind], ASIDE))
            covered[site.kind] = covered[site.kind] | inside if site.kind in covered else inside
    return covered


@cache
def _telling(game: Game[Any, Any]) -> tuple[Contours, ...]:
    """Contours in grey, each of which tells alone that a board shows: those that no piece covers, and those of a kind
    of sites, if they are as many. Of a hundred holes most are free, and show where a black board's edge does not.
    """
    contours, bare = contours_of(game.board), _bare(game)
    if bare is None:
        return ()
    known = bare.part(~bare.in_colour)
    kinds = (contours.part(covered & ~contours.in_colour) for covered in _covered(game).values())
    return known, *(kind for kind in kinds if len(kind.points) >= len(known.points))


def _inside(points: Array, outline: Sequence[tuple[float, float]]) -> Array:
    """Which of the points (n, 2) lie within a convex outline."""
    corners = np.array(outline)
    along, sight = np.roll(corners, -1, axis=0) - corners, points[:, None] - corners
    turns = along[:, 0] * sight[..., 1] - along[:, 1] * sight[..., 0]
    return np.asarray((turns >= 0).all(axis=1) | (turns <= 0).all(axis=1))


def _pushed(picture: Prepared, contours: Contours, previous: Pose | None, lens: Lens, support: float) -> Pose | None:
    """The pose of a board that was pushed away from its cards, which lie as they lay: near the `previous` pose, where
    its own contours show as they did, and more of them than the `support` that the cards' pose has.
    """
    if previous is None or support >= STANDS * previous.support:
        return None
    fit = _fitted_alone(picture, contours, replace(previous, lens=lens))
    return None if fit.support < max(_least_support(previous), support) else Pose.of(fit)


def _fitted_alone(picture: Prepared, contours: Contours, start: Pose) -> Fit:
    """The board's own contours fitted near `start`, whatever the cards say."""
    return fit_contours(picture, contours, [], start.fit, CARD_ERROR, refine_lens=False, widely=False)


def _least_support(previous: Pose) -> float:
    """What has to show of a board that has shown as at its `previous` pose."""
    return max(SUPPORT_WITHOUT_CARDS, STANDS * previous.support)


def _shows(picture: Prepared, telling: Sequence[Contours], fit: Fit) -> bool:
    """Whether a board shows, most of whose contours pieces cover."""
    return fit.support >= COVERED and any(found_at(picture, part, fit).mean() >= BARE for part in telling)


def _checked(fit: Fit, corners: Corners, sure: bool, first: bool, shows: bool) -> Pose:
    pose = Pose.of(fit)
    residual = _residual(pose, corners) if corners else 0.0
    if first:
        errors_allowed = AGREEING if fit.support >= ENOUGH else CLOSE
    else:
        errors_allowed = AGREEING if fit.support >= FAINT else AGREEING / 2
    allowed = errors_allowed * CARD_ERROR * pose.scale(np.zeros(3))
    if not sure and fit.support < (SUPPORT_WITHOUT_CARDS if len(corners) < 2 else SUPPORT_WITH_TWO):
        raise NoBoardError(f"only {len(corners)} corner cards are seen, and the board itself is not found beside them")
    if residual > allowed:
        raise NoBoardError(f"the corner cards do not lie as they should: they are {residual:.0f} pixels off")
    if first and not shows:
        raise NoBoardError(NOT_THERE)
    return replace(pose, residual=residual)


def _starts(cards: dict[int, Array], marker: Marker, z: float, lens: Lens, previous: Pose | None) -> list[Fit]:
    """Poses to start from."""
    starts = []
    if previous is not None and len(cards) < len(marker.ids):
        starts.append(replace(previous, lens=lens).fit)
    if cards:
        found = _solved(cards, marker, z, lens)
        starts += [fit for fit, _ in found[: 1 if len(cards) > 2 else 2]]
    return starts


def _solved(cards: dict[int, Array], marker: Marker, z: float, lens: Lens) -> list[tuple[Fit, float]]:
    """The poses of cards, the best one first, and how far (pixels) their corners are off then."""
    model = np.concatenate([card_corners(marker, k, z) for k in cards])
    seen = np.concatenate(list(cards.values())).astype(np.float64)
    centre = model.mean(axis=0)
    known = model - centre, seen, lens.matrix, lens.coefficients
    found = []
    for rvec, tvec in zip(*cv2.solvePnPGeneric(*known, flags=cv2.SOLVEPNP_IPPE)[1:3], strict=True):
        rvec, tvec = cv2.solvePnPRefineLM(*known, rvec, tvec)  # else pixels off where the camera looks straight down
        rotation = cv2.Rodrigues(rvec)[0]
        fit = Fit(rotation, tvec.ravel() - rotation @ centre, lens, 0.0)
        found.append((fit, _residual(Pose.of(fit), [(model, seen)])))
    return sorted(found, key=lambda one: one[1])


def _agreeing(cards: dict[int, Array], marker: Marker) -> dict[int, Array]:
    """The cards, without one that lies, or seems to, where it should not, as one of which a hand hides a part."""
    if len(cards) <= 3:
        return cards
    fewer = [{k: card for k, card in cards.items() if k != one} for one in cards]
    off = [_off_plane(some, marker) for some in fewer]
    return fewer[int(np.argmin(off))] if min(off) < STRAY * _off_plane(cards, marker) else cards


def _off_plane(cards: dict[int, Array], marker: Marker) -> float:
    """How far (pixels) cards' corners are from lying in one plane as they should, whatever the focal length is."""
    model = np.concatenate([card_corners(marker, k, 0.0)[:, :2] for k in cards]).astype(np.float32)
    seen = np.concatenate(list(cards.values())).astype(np.float32)
    homography = cv2.findHomography(model, seen)[0]
    if homography is None:
        return float("inf")
    return float(np.sqrt(np.square(cv2.perspectiveTransform(model[None], homography)[0] - seen).sum(axis=1).mean()))


def _residual(pose: Pose, corners: Sequence[tuple[Array, Array]]) -> float:
    """How far (pixels) cards' corners are seen from where they should be."""
    errors = np.concatenate([pose.project(model) - seen for model, seen in corners])
    return float(np.sqrt(np.mean(np.square(errors).sum(axis=1))))
