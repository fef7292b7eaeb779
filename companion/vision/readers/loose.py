"""Reading pieces that lie loose: at any angle, and a little beside the middle of their place.

First the place of the piece is searched with what every piece of the kind shows at a given distance from its middle,
however it is turned; then the turn and the label are found together on circles around that middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Look
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.evidence import FITS, MOST, NO_GROUND, PIXELS, over_thing, site_reading, unsure
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture, on_board
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import NOTHING, UNSURE, Paints
from companion.vision.light.glare import darkest_print, unveiled
from companion.vision.light.palette import Palette, averaged, sample
from companion.vision.reading import SiteReading
from companion.vision.scene.patterns import Pattern
from companion.vision.scene.prints import print_kernels, standing_out
from companion.vision.scene.sampling import classes, height

STEP = 2.0
"""Millimetres between the points on which the middle is searched."""

RING = 2.0
"""Millimetres between the circles around a middle."""

TURNS = 36
"""Turns that are tried, and points on a circle."""

MARGIN = 1.2
"""Millimetres by which the found middle may be off without mattering."""

CANDIDATES, APART = (3, 2), 5
"""Middles that are looked at closely in each place: around the likeliest, and around the likeliest one so many steps of
the grid away.
"""

LEAST_PART = 0.3
"""Part of a ring that says something about the rest of it, where that is not in the picture."""

LEAST = 20
"""Points of a region of a piece that is worth looking at."""

REACH, FAR = 0.38, 0.46
"""How far from the middle of its site a piece may lie, in its sizes, as racks stay behind when a board is pushed; and
how far is looked where one seems to lie farther off.
"""

POORLY = 2 * PIXELS
"""Log likelihood, over something foreign, below which a piece explains its pixels so poorly that none is named."""

HARDLY = 15.0
"""How much better than something foreign a piece has to explain pixels that it hardly explains at all."""

ROUGH = 8.0
"""Millimetres over which a picture's roughness is measured."""

SMOOTH = 0.2
"""Part of a bare place that may be rougher than the table is nearly everywhere: more, and something lies there."""

STRANGE = 0.15
"""How far (natural logarithm, brightness aside) the colour of a bare place may be from the table's."""

POINTS = 90
"""So many points of a picture stand for all, about."""

SURE = 0.9
"""Confidence from which a reading needs no second look."""

STANDS_OUT = 0.9
"""How much darker (natural logarithm) than all that is around it something is that must be a piece's dark print."""

PRINTED = 5.0
"""How much likelier (natural logarithm) a piece then lies there than nothing."""

HALF = 0.5
"""Part of the points that have to show some paint of the set for a piece to be named."""

PIECE = -6.0
"""How much better than by the bare table a piece has to explain the picture."""


UNLIKE = 60.0
"""By how much (0 to 255, in some channel) colours differ that are not taken for each other."""

ROUND = 0.035
"""How much more than the worst turn of a piece with corners the best one must explain the picture, as a part of what it
explains better than the table: what looks the same however it is turned is a ring or a lid.

Of 137 tiles of one colour it was 0.077 or more, of 180 discs with a pale middle 0.017 or less.
"""

RIM, RIMMED = 0.7, 0.37
"""From that part of a piece's reach on its edges show, and so much of what is there is rough then.

Of white tiles on white tables 0.40 or more is rough, of what is around beans and buttons at most 0.32.
"""


class _Signs(NamedTuple):
    """How much better a piece explains the picture than the bare table, than that where it has no print, and than some
    thing of one colour.
    """

    over_table: float
    plain: float
    over_thing: float


@dataclass(frozen=True, slots=True)
class LoosePlan:
    """Pixels of a square grid around each site, (sites, rows, columns, 2), those inside the picture; pixels a mm."""

    at: Array
    inside: Array
    scale: float


def roughness(image: Array, at: Array, pixels: float) -> Array:
    """How much the picture changes over a distance of `pixels` at `at` (n, 2), the largest change of a channel (n,)."""
    along, down = np.array([pixels, 0.0]), np.array([0.0, pixels])
    seen = averaged(image, np.concatenate([at, at + along, at + down]), max(1, int(pixels / 2))).astype(np.int16)
    first, *others = seen.reshape(3, len(at), 3)
    changes: Array = np.max([np.abs(other - first).max(axis=1) for other in others], axis=0)
    return changes


class LooseKind:
    """All sites of one kind where pieces lie loose."""

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec], paints: Paints) -> None:
        self.sites, self.paints = tuple(sites), paints
        self.labels = sites[0].labels
        self.pieces = tuple(label for label in self.labels if label != EMPTY)
        looks = [game.look(sites[0].kind, label) for label in self.pieces]
        self.top = max(height(look) for look in looks)
        self.radii = np.arange(0.4 * RING, _reach(looks), RING)
        shown = np.stack([self._circles(look) for look in looks])  # (pieces, radii, turns)
        inner = np.where(shown == paints.table, paints.unsure, shown)  # beside it a piece is no better than the table
        self.pattern = self._pattern_of(inner.reshape(len(looks), -1))
        self.columns = (*(k for k in self.pattern.columns if k != paints.table), paints.table)
        prints = [k for k in self.columns if len(paints.colours) <= k < paints.table]
        pairs = [paints.prints[k - len(paints.colours)] for k in prints]
        others = dict.fromkeys(k for pair in pairs for k in pair if k not in self.columns)
        self.columns = (*self.columns[:-1], *others, paints.table)
        self._darkest = darkest_print(paints, prints)
        self._plain = [k for k, paint in enumerate(self.columns) if paint < len(paints.colours)]
        self._prints = np.array([self.columns.index(k) for k in prints], np.intp)
        printed_with = np.array([[self.columns.index(k) for k in pair] for pair in pairs], np.intp).reshape(-1, 2)
        self._grounds, self._inks = printed_with.T
        self._inked = np.array([[self._inks_tell(circles, ink) for _, ink in pairs] for circles in shown], bool)
        self._shown = np.array([[[self._column(k) for k in circle] for circle in piece] for piece in shown.tolist()])
        self._masks = self._turned_regions()
        self._round = (shown == shown[:, :, :1]).all(axis=(1, 2))
        self._weights = np.repeat(
            self.radii / self.radii.sum() / TURNS, TURNS
        )  # a point stands for its share of the area
        self._zones = self._zones_of(shown)
        printed = [radius for radius, share in self._zones if prints and share[self._prints].sum() > 0.5]
        around = [radius for radius, _ in self._zones if radius not in printed]
        self._kernels = print_kernels(printed, around, RING, STEP)
        reach, far = (share * sites[0].size + STEP for share in (REACH, FAR))  # what is on the last step may lie beyond
        self._near, self._far = int(reach / STEP), int(far / STEP)
        half = int(np.ceil((far + max(radius for radius, _ in self._zones) + RING) / STEP))
        self._grid = np.arange(-half, half + 1) * STEP

    def _pattern_of(self, shown: Array) -> Pattern:
        """The regions of pieces that show `shown` (pieces, points): where all of them are pictures hardly two points
        show the same, and some points stand for all.
        """
        pattern = Pattern(shown, self.paints, LEAST)
        if pattern.regions:
            return pattern
        step = max(1, shown.shape[1] // POINTS)
        few = np.full_like(shown, self.paints.unsure)
        few[:, ::step] = shown[:, ::step]
        return Pattern(few, self.paints)

    def _circles(self, look: Look) -> Array:
        """What a piece shows on circles around its middle, (radii, turns)."""
        shown = classes(look, self._polar().reshape(-1, 2), self.paints, MARGIN)
        shown = np.where(shown == NOTHING, self.paints.table, shown)
        return np.where(shown == UNSURE, self.paints.unsure, shown).reshape(len(self.radii), TURNS)

    def _inks_tell(self, shown: Array, ink: int) -> bool:
        """Whether that ink has another colour than everything else on a piece that shows these paints."""
        own = [k for k in np.unique(shown).tolist() if k < len(self.paints.colours)]
        colours = np.array(self.paints.colours, np.float64)
        return bool(np.abs(colours[own] - colours[ink]).max(axis=1).min(initial=np.inf) > UNLIKE)

    def _column(self, number: int) -> int:
        return self.columns.index(number) if number in self.columns else -1

    def _polar(self) -> Array:
        """Points (radii, turns, 2) in mm around a middle."""
        angle = 2 * np.pi * np.arange(TURNS) / TURNS
        points: Array = self.radii[:, None, None] * np.stack([np.sin(angle), np.cos(angle)], axis=-1)
        return points

    def _turned_regions(self) -> Array:
        """The regions of a piece turned by each of the turns, as masks (turns x regions, radii x turns)."""
        region = self.pattern.region.reshape(len(self.radii), TURNS)
        masks = [[np.roll(region, turn, axis=1) == k for k in range(self.pattern.regions)] for turn in range(TURNS)]
        return np.array(masks, np.float32).reshape(TURNS * self.pattern.regions, -1)

    def _zones_of(self, shown: Array) -> list[tuple[float, Array]]:
        """Rings around the middle that a piece covers however it is turned, and the share of each paint there; of
        pieces so colourful that hardly a point is surely of one paint, the ring with the most of these.
        """
        counts = [
            np.array([np.count_nonzero(circle == column) for column in self.columns[:-1]], np.float32)
            for circle in shown.swapaxes(0, 1)
        ]
        least = min(0.7 * shown[:, 0].size, max(float(count.sum()) for count in counts))
        rings = zip(self.radii.tolist(), counts, strict=True)
        return [(radius, count / count.sum()) for radius, count in rings if count.sum() >= least]

    def plan(self, pose: Pose) -> LoosePlan:
        """Where the grid of each site is in the picture."""
        x, y = np.meshgrid(self._grid, self._grid)
        square = np.stack([x, y], axis=-1).reshape(-1, 2)
        z = [np.full(len(square), site.centre[2] + self.top) for site in self.sites]
        places = [np.column_stack([on_board(site, square), top]) for site, top in zip(self.sites, z, strict=True)]
        at = pose.project(np.concatenate(places)).reshape(len(self.sites), *x.shape, 2).astype(np.float32)
        return LoosePlan(at, in_picture(at, pose.lens.size), pose.scale(np.zeros(3)))

    def read(self, image: Array, palette: Palette, plan: LoosePlan, which: Array) -> list[SiteReading]:
        """The sites with the numbers `which`."""
        readings = self._read(image, palette, plan, which)
        for k, reading in enumerate(readings):
            if reading.confidence < SURE or reading.visible < 0.5:
                clear = self._unveiled(image, palette, plan, which[k : k + 1])
                least = reading.confidence if reading.label == EMPTY else SURE
                readings[k] = reading if clear is None or clear.confidence < least else clear
        return readings

    def _unveiled(self, image: Array, palette: Palette, plan: LoosePlan, which: Array) -> SiteReading | None:
        """The piece on one site, if one shows once the glare is taken off that its darkest print shows."""
        at = plan.at[which[0]][plan.inside[which[0]]]
        clear = unveiled(image, at, palette.light, self._darkest) if len(self._prints) else None
        if clear is None:
            return None
        reading = self._read(clear, palette, plan, which)[0]
        return reading if reading.label != EMPTY and reading.visible >= 0.5 else None

    def _read(self, image: Array, palette: Palette, plan: LoosePlan, which: Array) -> list[SiteReading]:
        at, inside = plan.at[which], plan.inside[which]
        evidence = palette.read(image, at.reshape(-1, 2), self.columns).reshape(*inside.shape, -1)
        middles = np.stack([self._middles(e, seen, self._near) for e, seen in zip(evidence, inside, strict=True)])
        seen, shown = self._around(image, palette, at, middles)
        pieces, turns, turned = self._match(seen)
        likeliest = middles[np.arange(len(which)), pieces.max(axis=2).argmax(axis=1)]
        off = [row for row, middle in enumerate(likeliest) if self._beside(middle, self._near)]
        if off:
            middles[off] = np.stack([self._middles(evidence[row], inside[row], self._far) for row in off])
            seen[off], shown[off] = self._around(image, palette, at[off], middles[off])
            pieces[off], turns[off], turned[off] = self._match(seen[off])
        known = (seen.max(axis=-1) > 0) @ self._weights
        readings = []
        for row in range(len(which)):
            nearest, best = np.unravel_index(int(pieces[row].argmax()), pieces[row].shape)
            signs = self._signs(seen[row, nearest], int(best), int(turns[row, nearest, best]))
            ground = PIXELS * float(seen[row, nearest, :, -1] @ self._weights)
            likely = pieces[row].max(axis=0) - pieces[row, nearest, best] + ground + signs.over_table - PIECE
            scores = np.array([ground if label == EMPTY else likely[self.pieces.index(label)] for label in self.labels])
            foreign = max(ground, likely[best]) - (signs.over_thing if likely[best] > ground else max(0.0, ground))
            strange = foreign > scores.max() - HARDLY * (1 - scores.max() / POORLY) and scores.max() < POORLY
            if strange or known[row, nearest] < HALF or self._beside(middles[row, nearest], self._far):
                # nothing can be said, so no piece is named
                scores[self.labels.index(EMPTY)] = scores.max()
            named = self.labels[int(scores.argmax())] != EMPTY
            visible = float(known[row, nearest] * (shown[row, nearest] if named else inside[row].mean()))
            reading = site_reading(self.labels, scores, visible, foreign)
            if named and signs.plain < -PIECE:  # it stands out by its print alone
                believed = self._edged(image, palette, plan, which[row], middles[row, nearest])
            else:
                believed = not named or self._cornered(int(best), float(turned[row, nearest, best]), signs)
            readings.append(reading if believed else unsure(reading))
        return self._doubted(readings, image, palette, plan, which)

    def _cornered(self, piece: int, turned: float, signs: _Signs) -> bool:
        """Whether a piece with these signs, if it has corners, shows them: turned as it fits worst, it explains the
        picture less well by `turned`.
        """
        return bool(self._round[piece]) or signs.plain == np.inf or turned > ROUND * signs.plain

    def _beside(self, middle: Array, reach: int) -> bool:
        """Whether a piece with that middle (row, column) may belong to the place beside: its true middle is farther off
        than was looked for, so many steps.
        """
        return int(np.abs(middle - len(self._grid) // 2).max()) >= reach

    def _doubted(
        self, readings: list[SiteReading], image: Array, palette: Palette, plan: LoosePlan, which: Array
    ) -> list[SiteReading]:
        """The readings, without trust in bare places that are rougher than the table, for glare makes pieces pale, or
        of a colour that the table top has not, or on which a print shows. One that is rough and shows a print bears a
        piece that is much as the table top is.
        """
        bare = [k for k, each in enumerate(readings) if each.label == EMPTY and each.visible >= 0.5]
        if not bare:
            return readings
        for k, rough in zip(bare, self._rough(image, palette, plan, which[bare]), strict=True):
            middle = self._print(image, palette, plan, which[k])
            printed = None if middle is None or not rough else self._by_print(image, palette, plan, which[k], middle)
            if printed is not None:
                readings[k] = printed
            elif rough or middle is not None or self._strange(image, palette, plan, which[k]):
                readings[k] = unsure(readings[k])
        return readings

    def _rough(self, image: Array, palette: Palette, plan: LoosePlan, which: Array) -> Array:
        """Which (n,) of the places with the numbers `which` are rougher than the table."""
        middle, reach = len(self._grid) // 2, int(0.75 * self.radii[-1] / STEP)
        window = np.s_[middle - reach : middle + reach + 1]
        at = plan.at[which][:, window, window]
        changes = roughness(image, at.reshape(-1, 2), ROUGH * plan.scale).reshape(len(which), -1)
        rough: Array = (changes > palette.roughness).mean(axis=1) > SMOOTH
        return rough

    def _print(self, image: Array, palette: Palette, plan: LoosePlan, number: Any) -> Array | None:
        """Where (row, column) on a place a print stands out from what is around it, if one does."""
        if not self._kernels:
            return None
        at = plan.at[number]
        light = palette.scale(sample(image, at.reshape(-1, 2))).mean(axis=1).reshape(at.shape[:2])
        low, high = len(self._grid) // 2 - self._near, len(self._grid) // 2 + self._near + 1
        contrast = standing_out(light, self._kernels)[low:high, low:high]
        middle = np.array(np.unravel_index(int(contrast.argmax()), contrast.shape)) + low
        return middle if contrast.max() >= STANDS_OUT and not self._beside(middle, self._near) else None

    def _by_print(
        self, image: Array, palette: Palette, plan: LoosePlan, number: Any, middle: Array
    ) -> SiteReading | None:
        """The piece of which a print stands out there, if edges show around that."""
        if not self._edged(image, palette, plan, number, middle):
            return None
        seen, shown = self._around(image, palette, plan.at[number][None], middle[None, None])
        pieces = self._match(seen)[0][0, 0]
        likely = np.array([-np.inf if k == EMPTY else pieces[self.pieces.index(k)] for k in self.labels])
        scores = np.maximum(likely - likely.max(), -MOST)
        scores[self.labels.index(EMPTY)] = -PRINTED
        return site_reading(self.labels, scores, float(shown[0, 0]), -MOST)

    def _edged(self, image: Array, palette: Palette, plan: LoosePlan, number: Any, middle: Array) -> bool:
        """Whether edges show around that middle (row, column): else what is known by its print alone may be a bean."""
        points = self._circles_at(plan.at[number][None], middle[None, None])[0, 0].reshape(len(self.radii), TURNS, 2)
        rim = points[self.radii > RIM * self.radii[-1]].reshape(-1, 2)
        changes = roughness(image, rim[in_picture(rim, (image.shape[1], image.shape[0]))], ROUGH * plan.scale)
        return len(changes) > 0 and float((changes > palette.roughness).mean()) > RIMMED

    def _strange(self, image: Array, palette: Palette, plan: LoosePlan, number: Any) -> bool:
        """Whether the middle of a place has a colour that the table top has not."""
        inner = np.hypot(*np.meshgrid(self._grid, self._grid)) < 0.4 * self.radii[-1]
        return palette.off_table(sample(image, plan.at[number][inner])) > STRANGE

    def _signs(self, evidence: Array, piece: int, turn: int) -> _Signs:
        """What speaks for a piece at points (radii x turns, columns), all its regions counting alike.

        No surface can fit better than well, and a character's ground must show: so a white piece stands out from a
        white table, or a white sleeve, by its disc. From a thing of its colour a piece stands out by its ink as well.
        """
        shown = np.roll(self._shown[piece], turn, axis=1).ravel()
        region = np.roll(self.pattern.region.reshape(-1, TURNS), turn, axis=1).ravel()
        fits = np.minimum(evidence, FITS)
        fits[:, self._prints] = np.maximum(fits[:, self._grounds], NO_GROUND)
        over_table, plain = [], []
        for k in range(self.pattern.regions):
            points = region == k
            column = int(shown[points][0])
            if column >= 0:
                better = fits[points, column] - fits[points, -1]
                over_table.append(float(np.average(better, weights=self._weights[points])))
                plain += [over_table[-1]] if column in self._plain else []
        sure, told = (region >= 0) & (shown >= 0), self._inked[piece]
        fits[:, self._prints[told]] = np.maximum(fits[:, self._prints[told]], fits[:, self._inks[told]])
        over = over_thing(shown[sure], shown[sure], fits[sure], self._weights[sure], self._plain, part=False)
        return _Signs(PIXELS * float(np.mean(over_table)), PIXELS * max(plain, default=np.inf), over)

    def _middles(self, evidence: Array, inside: Array, reach: int) -> Array:
        """The likeliest middles of a piece (candidates, 2), rows and columns of the grid, at most so many steps from
        its middle. What is not `inside` the picture is taken to be as the rest of its ring is.
        """
        score, seen, whole = np.zeros(inside.shape, np.float32), inside.astype(np.float32), bool(inside.all())
        density, table = np.exp(evidence[..., :-1]), evidence[..., -1]
        for radius, share in self._zones:
            over, ring = (np.log(density @ share) - table) * seen, _ring(radius)
            part: Array | float = 1.0
            if not whole:
                part = cv2.filter2D(seen, -1, ring, borderType=cv2.BORDER_REPLICATE) / ring.sum()
            score += cv2.filter2D(over, -1, ring, borderType=cv2.BORDER_REPLICATE) / np.maximum(part, LEAST_PART)
        low, high = len(self._grid) // 2 - reach, len(self._grid) // 2 + reach + 1
        window = score[low:high, low:high]
        middles = []
        for count in CANDIDATES:  # around the best place, and then around the best one farther off
            order = np.argpartition(-window.ravel(), count)[:count]
            places = np.column_stack(np.unravel_index(order, window.shape))
            middles.append(places)
            row, column = places[window[places[:, 0], places[:, 1]].argmax()]
            window = window.copy()
            window[max(0, row - APART) : row + APART + 1, max(0, column - APART) : column + APART + 1] = -np.inf
        return np.concatenate(middles) + low

    def _around(self, image: Array, palette: Palette, at: Array, middles: Array) -> tuple[Array, Array]:
        """Evidence (sites, candidates, radii x turns, columns) on circles around the middles, and the part (sites,
        candidates) of these circles that is in the picture.
        """
        points = self._circles_at(at, middles)
        evidence = palette.read(image, points.reshape(-1, 2), self.columns)
        shown = in_picture(points, (image.shape[1], image.shape[0])) @ self._weights
        return evidence.reshape(*points.shape[:-1], -1), shown

    def _circles_at(self, at: Array, middles: Array) -> Array:
        """The pixels (sites, candidates, radii x turns, 2) of circles around the middles (sites, candidates, 2)."""
        rows, columns = middles[..., 0], middles[..., 1]
        site = np.arange(len(middles))[:, None]
        middle = at[site, rows, columns]
        right = (at[site, rows, columns + 1] - at[site, rows, columns - 1]) / (2 * STEP)
        up = (at[site, rows + 1, columns] - at[site, rows - 1, columns]) / (2 * STEP)
        x, y = self._polar().reshape(-1, 2).T.astype(np.float32)
        points: Array = middle[:, :, None] + right[:, :, None] * x[:, None] + up[:, :, None] * y[:, None]
        return points

    def _match(self, evidence: Array) -> tuple[Array, Array, Array]:
        """How much better pieces explain the picture than the bare table does (sites, candidates, pieces), each turned
        as it fits best; the turns; and how much better that is than the worst turn.
        """
        sites, candidates, points, _ = evidence.shape
        order = [self.columns.index(k) for k in self.pattern.columns]
        gain = (evidence[..., order] - evidence[..., -1:]) * (PIXELS * self._weights[:, None]).astype(np.float32)
        flat = gain.transpose(2, 0, 1, 3).reshape(points, -1)
        sums = (self._masks @ flat).reshape(TURNS, self.pattern.regions, sites * candidates, len(order))
        sums = sums.transpose(0, 2, 1, 3).reshape(TURNS * sites * candidates, *self.pattern.shape)
        scores = self.pattern.scores(sums).reshape(TURNS, sites, candidates, -1)
        best = scores.max(axis=0)
        return best, scores.argmax(axis=0), best - scores.min(axis=0)


def _reach(looks: Sequence[Look]) -> float:
    """Distance in mm of the farthest corner of the pieces from their middle."""
    return max(
        float(np.hypot(*corner)) for look in looks for solid in look for corner in getattr(solid, "footprint", ())
    )


def _ring(radius: float) -> Array:
    """A kernel that sums over a ring, as wide as circles are apart."""
    size = int(np.ceil((radius + RING / 2) / STEP))
    t = np.arange(-size, size + 1) * STEP
    distance = np.hypot(*np.meshgrid(t, t))
    kernel: Array = np.clip(0.5 + (RING / 2 - np.abs(distance - radius)) / STEP, 0, 1).astype(np.float32)
    return kernel
