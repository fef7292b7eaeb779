"""Reading blocks of several heights: the wood tells even from odd and from the bare board, the geometry the height.

First guesses come from the contrast at the edges that a block of each height would have, and from what others say who
look at the picture. Then, from near the camera to far, each block is fitted among its neighbours
(`companion.vision.scene.relief`), twice, as neighbours hide each other. Where outlines hardly tell heights apart, the
shadows that blocks throw do (`companion.vision.scene.shadows`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.looks import Look, Prism
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.evidence import disputed, site_reading, unsure
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import UNSURE, Paints, Raster
from companion.vision.light.gloss import AT_FIRST, DAZZLING, find_lobe, find_sheen
from companion.vision.light.palette import linear, sample
from companion.vision.networks.learned import CERTAIN as CERTAIN_ALONE
from companion.vision.networks.learned import EVEN, agreed, glimpsed, no_surer
from companion.vision.reading import Hear, SiteReading
from companion.vision.scene.relief import GREY, SHIFT, Relief, Solids, Stand, encoded
from companion.vision.scene.shadows import Shadows

SOFT = 0.01
"""Added to a linear value before its logarithm."""

MARGIN_STEP = 4.0
"""Millimetres between points of the bare board that its colour is taken from."""

TINT, SHADE = (0.04, 0.09, 0.2), (0.35, 0.35, 0.5)
"""How far a top's colour may be from what is expected, in tint and in brightness (natural logarithms): where the board
is bare, in the wood most like it, in the other one.
"""

ODD = 0.003
"""Density of colours that are none of these."""

CLEAR, BARE = 0.5, 2.0
"""What a grey level of contrast says for a kind of wood; how much of it the bare board has less."""

SURE = 5.0
"""So much likelier a kind of wood has to be before the others, for heights of the others not to be considered."""

UNHEARD = 5.0
"""So much likelier (natural logarithm) others have to find a height than another of the same wood, for that not to be
considered.
"""

CONTRAST = 25.0
"""Grey levels at an edge beyond which it is no clearer."""

SOFTNESS = (0.45, 0.6, 0.75, 0.95, 1.2, 1.5)
"""How soft edges may be (standard deviation in pixels)."""

SIZES = (0.0, 0.15)
"""How much smaller (mm, each side) dark and light blocks look as a rule: edges are rounded, and shades lie there."""

UNDERNEATH, NEAR, UNFORESEEN = 0.5, 0.08, 0.02
"""How often the geometry mistakes the height of a block straight under the camera; how fast that falls with the
distance from there (in heights of the camera); and how often anywhere.
"""

RATHER = 0.4
"""What the geometry's word on a height counts beside that of others who look at the picture."""

MISTAKEN, UNRESOLVED, APART = 0.01, 0.06, 1.5
"""How often a height on which both agree is mistaken, wherever the camera is; how much oftener where the picture hardly
tells it from the next one of the same wood, and by how many pixels their outlines then differ. Where they differ by
more than 1.4 pixels, 9 of 6719 heights that were surer than 90 % were mistaken, else 17 of 521 (seeds 95000 to 95299,
widths of 960 to 1920 pixels).
"""

PLAIN = 4.0
"""By how much likelier (natural logarithm) the colour of a top makes one wood than the others for it to contradict a
network that is certain: of 67 contradictions, on a hundred pictures, the network was right in every one; of 12 more
in which the colour was by 2 or more, in all but one, where it was by 4.1.
"""

BARE_BY_SIGHT, BY_SIGHT = 0.9, 0.7
"""How sure a network has to be of the bare board for anybody to see it, and of a wood for anybody to be surer: it knows
hands that have the colour of one. Of 498 places that were surely bare it was less sure of 2, even than 0.99, and both
bore blocks under hands; of 1580 blocks it was less sure of 4 (seeds 97000 to 97059). Where the board may be bare it has
to be as sure of a wood: in the shade of blocks all around, where it was sure to 0.83 of a dark one, there was none.
"""

RARELY, PIT, HIGHER = 0.002, 3, 9.0
"""How little a network has to think of the bare board for anybody to be sure of a dark block where so many blocks all
around stand so much (mm) higher: there bare board lies in their shade. Of 3450 bare places 4 were surely taken for dark
blocks, of which the network was sure to 0.9 to 0.993, all of them in pits or beside; of 420 of the lowest dark blocks
12 were in pits and less sure (seeds 1720000 to 1720299).
"""

SHADED, PASSES = 0.03, 2
"""How often the height on which shadows insist is mistaken; and how often they are asked, as each block's shadow falls
on others, whose heights they change.
"""

PERHAPS = 0.1
"""Probability from which a site may be as high as that."""

UNCLEAR, UNBELIEVED = 0.25, 0.25
"""Where a larger part of what is seen is doubtful, how often a height that seems beyond doubt is mistaken nevertheless:
noise, blur or dim light that hides so much misleads elsewhere too. In six such of 150 pictures 2 of 75 sure heights
were mistaken, in the others 5 of some 5000 (seeds 1800000 to 1800099, and 1810000 to 1810049 at their hardest).
"""

BELIEVED = 0.9
"""Confidence from which a block's height tells where the lamps hang."""

ASTRAY = 1.2
"""Millimetres that a block may seem to stand off its place: of 2385 in pictures of boards at rest 3 were farther (seeds
95000 to 95089). Else the board lies elsewhere than it is taken to, bumped by a hand, say, and what is displaced looks
higher or lower.
"""

TOGETHER = 1.0
"""The same for the mean of some blocks that are looked at together, times the square root of their number.
Of 66 times three blocks on boards at rest one was farther; of boards bumped by 2.5 mm 70 % were, one block alone on
65 %.
"""

CERTAIN, AWAY = 4.0, 0.08
"""How sure (log likelihood) a height must be, and how far from the point under the camera (in heights of the camera) a
block must stand, for its size to be taken as a measure of the others'.
"""

FEW = 6
"""Blocks from which they tell where board and camera are."""

POSE_ERROR = (0.2, 0.2, 8.0, 8.0, 25.0)
"""How far off (mm) board (x, y) and camera (x, y, z) typically are."""

LOOKS = 2
"""How often all is fitted to measure the picture."""


class Blocks:
    """All sites of one kind on which blocks of several heights stand.

    `relief`: the ground, since a pose is known; `stand`: what was last seen on it, once something was (`looked`);
    `bare`: points (n, 2) of the board beyond all blocks, and the numbers (n,) of their paints.
    """

    relief: Relief
    stand: Stand

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec], paints: Paints, board: Raster) -> None:
        self.sites, self.labels = tuple(sites), sites[0].labels
        looks = [_block(game.look(sites[0].kind, label)) for label in self.labels]
        corners = np.array(next(look.footprint for look in looks if look), np.float64)
        along = np.roll(corners, -1, axis=0) - corners
        normals = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
        normals *= np.sign((normals * corners).sum(axis=1))[:, None]
        heights = np.array([look.z1 if look else 0.0 for look in looks])
        centres = np.array([site.centre[:2] for site in sites])
        reach = (normals * corners).sum(axis=1)
        self.solids = Solids(corners, normals, reach, heights, centres, sites[0].centre[2])
        self._shadows = Shadows(self.solids)
        self._board, self._paints = board, paints
        place = int(board.at(centres[:1])[0])
        numbers = [paints.number(look.colour) if look else place for look in looks]
        self._woods, self._wood_of = _woods(numbers, place, paints)
        self._darker = np.array([wood.mean() < 0 for wood in self._woods])[self._wood_of]
        away = np.linalg.norm(centres[:, None] - centres, axis=2)
        nearest = away[away > 0].min()
        self._around = [np.flatnonzero((row > 0) & (row < 1.3 * nearest)) for row in away]
        self._alike = [(self._wood_of == k) & (heights > 0) for k in np.unique(self._wood_of[heights > 0])]
        self._of_wood = [self._wood_of == k for k in np.unique(self._wood_of)]
        self._wood_names = tuple(self.labels[int(same.argmax())] for same in self._of_wood)
        self._wood = np.zeros((len(sites), len(self._woods)))
        self._added = np.zeros(len(sites))  # the light that a mirrored lamp adds to blocks
        self._searched = 0  # how many blocks there were when that was looked for
        self._told: list[SiteReading | None] = [None] * len(sites)
        self._glanced: dict[int, SiteReading] = {}  # what others say of sites not looked at since they changed
        self._sizes = np.zeros(len(sites))
        self.bare = self._bare_points()
        self._margin = self.bare[0][self.bare[1] == place]
        self.looked, self._seen = False, np.empty(0, np.intp)
        self._kept: dict[int, SiteReading] = {}  # readings of which all that they rest on is as it was
        self.scores = np.zeros((len(sites), len(self.labels)))
        self._shaded = np.zeros_like(self.scores)

    def _bare_points(self) -> tuple[Array, Array]:
        """Points (n, 2) of the board that is bare beyond all blocks, and the numbers (n,) of their paints."""
        solids, sure = self.solids, self._board.eroded(3.0)
        rows, columns = self._board.values.shape
        low = np.array(self._board.origin)
        x, y = np.meshgrid(*(np.arange(0, count * 0.25, MARGIN_STEP) for count in (columns, rows)))
        points = np.column_stack([x.ravel(), y.ravel()]) + low
        away = [((points - centre) @ solids.normals.T - solids.reach).max(axis=1) for centre in solids.centres]
        paint = sure.at(points)
        free = (paint < UNSURE) & (np.min(away, axis=0) > 2 * solids.gap + 2)
        return points[free], paint[free].astype(np.intp)

    def plan(self, pose: Pose) -> None:
        """Gets ready for a pose."""
        solids = self.solids
        self.relief = Relief(solids, pose, self._board, self._paints)
        self._apart = self._outlines_apart()
        self._shadows.plan(self.relief)
        self.looked, self._seen = False, np.empty(0, np.intp)
        self._kept.clear()
        self._glanced.clear()
        middles = (solids.corners + np.roll(solids.corners, -1, axis=0)) / 2
        halves = (np.roll(solids.corners, -1, axis=0) - solids.corners) / 2
        edge = middles[:, None] + halves[:, None] * np.linspace(-0.7, 0.7, 7)[None, :, None]
        normal = solids.normals[:, None]
        rings = np.stack([edge - 1.2 * normal, edge + 1.2 * normal, edge * 0.8])
        places = solids.centres[:, None, None, None] + rings
        heights = [np.full((*places.shape[:-1], 1), solids.level + z) for z in solids.heights]
        points = np.stack([np.concatenate([places, z], axis=-1) for z in heights], axis=1)
        self._lines = pose.project(points.reshape(-1, 3)).reshape(*points.shape[:-1], 2)
        level = np.full(len(self._margin), solids.level)
        self._bare = pose.project(np.column_stack([self._margin, level]))

    def _woods_seen(self, image: Array, which: Array) -> tuple[Array, Array]:
        """Log likelihoods of the bare board and of the woods (sites, woods), and the contrast (sites, labels)."""
        bare, seen = self._tops_seen(image, which)
        contrast = self._contrast(image, which)
        contrast[:, self.solids.heights == 0] += BARE
        woods = []
        for k, (wood, spread, dim) in enumerate(zip(self._woods, TINT, SHADE, strict=True)):
            lit = np.log(np.exp(bare + wood) + self._added[which, None] * (k > 0))
            differs = seen - lit[:, None]
            shade = differs.mean(axis=-1)
            tint = (differs - shade[..., None])[..., [0, 2]]
            off = np.square(tint).sum(axis=-1) / spread**2 + np.square(shade) / dim**2
            likely = np.log(np.exp(-0.5 * off) / (spread**2 * dim * (2 * np.pi) ** 1.5) + ODD)
            woods.append((likely + CLEAR * contrast)[:, self._wood_of == k].max(axis=1))
        return np.stack(woods, axis=1), contrast

    def _tops_seen(self, image: Array, which: Array) -> tuple[Array, Array]:
        """The colours of the bare board (3,) and of the tops that blocks would have (sites, labels, 3)."""
        lines = self._lines[which][:, :, 2]
        seen = _logarithm(sample(image, lines.reshape(-1, 2))).reshape(*lines.shape[:2], -1, 3)
        return np.median(_logarithm(sample(image, self._bare)), axis=0), np.median(seen, axis=2)

    def _find_gloss(self, image: Array, label: Array) -> bool:
        """Looks whether blocks, as high as what seems to stand there (sites,), mirror a lamp, and how much light that
        adds to each; anew when there are twice as many.
        """
        count = int((self.solids.heights[label] > 0).sum())
        if self._added.any() or count < 2 * self._searched:
            return False
        self._searched = max(count, AT_FIRST)
        bare, seen = self._tops_seen(image, np.arange(len(self.sites)))
        paints, tops = bare + np.array(self._woods), seen[np.arange(len(label)), label]
        lobe = find_lobe(self.solids.centres, tops, paints[1:], BRIGHTEST, dull=paints[:1])
        if lobe:
            self._added = lobe.at(self.solids.centres)
        return lobe is not None

    def sheen(self, image: Array) -> float:
        """How much light what is around adds to all blocks alike, if no lamp does; their heights need not be known."""
        bare, seen = self._tops_seen(image, np.arange(len(self.sites)))
        paints, tops = bare + np.array(self._woods), np.median(seen, axis=1)
        sheen = find_sheen(tops, paints[1:], BRIGHTEST, dull=paints[:1])
        if sheen and find_lobe(self.solids.centres, tops, paints[1:], BRIGHTEST, dull=paints[:1]):
            return 0.0
        return sheen

    def _contrast(self, image: Array, which: Array) -> Array:
        """How clear the edges (sites, labels) of blocks of each height are."""
        lines = self._lines[which][:, :, :2]
        grey = linear(sample(image, lines.reshape(-1, 2))) @ GREY
        levels = encoded(grey).reshape(lines.shape[:-1])
        contrast = np.abs(levels[:, :, 0] - levels[:, :, 1]).mean(axis=-1)
        clear: Array = np.minimum(contrast, CONTRAST).sum(axis=-1) / 5
        return clear

    def look(self, image: Array, which: Array, hear: Hear) -> None:
        """Looks at the sites with the numbers `which`; those beside them stand as they did at the last look at all.
        `hear` asks others who look at the picture.
        """
        self.relief.see(image)
        every = np.arange(len(self.sites))
        afresh = not self.looked or len(which) == len(every)
        looked = every if afresh else which
        self._turn_to(looked)
        self._shaded[looked] = 0.0
        self._glanced = {site: told for site, told in self._glanced.items() if site not in looked}
        if afresh:
            self._added[:], self._searched = 0.0, 0
        guess = self._guessed(image, looked, hear)
        label = guess if afresh else self.stand.label.copy()
        label[looked] = guess
        if self._find_gloss(image, label):
            if not afresh:
                self.look(image, every, hear)
                return
            guess = self._guessed(image, looked, hear)
        if afresh:
            self.stand, self.looked = self._first(guess), True
            self._measure()
            for _ in range(LOOKS):
                self._sweep(every)
                self._align()
                self._resize()
            self._listen(every, hear, self.relief.nudged)
        else:
            self.stand.label[which] = guess
            self._sweep(which)

    def _guessed(self, image: Array, which: Array, hear: Hear) -> Array:
        """The labels (which,), by their numbers, that sites seem to have at first sight."""
        self._wood[which], contrast = self._woods_seen(image, which)
        self._listen(which, hear)
        told = np.array([self._heard(site) for site in which.tolist()])
        guess: Array = ((self._wood[which][:, self._wood_of] + told) * SURE + contrast).argmax(axis=1)
        return guess

    def glance(self, which: Array, hear: Hear) -> Array:
        """Believes others of the sites with the numbers `which` where they surely see something, or rather what was
        there; the rest, which is to be looked at closely at once. What is new is taken to stand where it should.
        """
        self._turn_to(which)
        last = {site: self._reading(site) for site in which.tolist()}
        self._listen(which, hear)
        believed = {
            site: told
            for site, before in last.items()
            if (told := self._told[site])
            if told.label == before.label
            or (told.trust > CERTAIN_ALONE and told.label in self.labels[1:] and not self._may_be_shade(site, told))
        }
        for site, told in believed.items():
            if told.trust > CERTAIN_ALONE and told.label == last[site].label and last[site].trust >= BELIEVED:
                continue
            self._glanced[site] = glimpsed(told)
            if told.label != last[site].label:
                self.stand.label[site], self.stand.shift[site] = self.labels.index(told.label), 0.0
        return np.array([site for site in last if site not in believed], np.intp)

    def _listen(self, which: Array, hear: Hear, pose: Pose | None = None) -> None:
        """Asks others for the sites with the numbers `which`, where the blocks show the board to lie, once known."""
        heard = hear([self.sites[site].name for site in which], pose)
        for site in which.tolist():
            told = heard.get(self.sites[site].name)
            self._told[site] = self._of_heights(told) if told and self._added[site] > DAZZLING else told
        self._renew(which)

    def _turn_to(self, which: Array) -> None:
        """These sites are looked at now."""
        self._renew(self._seen)
        self._renew(which)
        self._seen = which

    def _renew(self, which: Array) -> None:
        """What was thought of the sites with the numbers `which` holds no more."""
        for site in which.tolist():
            self._kept.pop(site, None)

    @property
    def doubtful(self) -> dict[int, list[float]]:
        """The sites that may be of other heights than they seem, with these (mm): something may hide what stands there,
        and stand upon it.
        """
        likely = np.stack([self._reading(site).log_likelihood for site in range(len(self.sites))])
        perhaps = likely - np.logaddexp.reduce(likely, axis=1, keepdims=True) > np.log(PERHAPS)
        perhaps[np.arange(len(perhaps)), self.stand.label] = False
        doubted = np.flatnonzero(perhaps.any(axis=1)).tolist()
        return {site: self.solids.heights[perhaps[site]].tolist() for site in doubted}

    @property
    def astray(self) -> bool:
        """Whether blocks that were looked at last stand off their places, as if the board lay elsewhere."""
        return bool(self._astray[self._seen].any())

    @property
    def _astray(self) -> Array:
        """Which sites (sites,) have blocks that seem to stand off their places."""
        if not self.looked:
            return np.zeros(len(self.sites), bool)
        blocks = self.solids.heights[self.stand.label] > 0
        off: Array = np.linalg.norm(self.stand.shift, axis=1) > ASTRAY
        seen = np.intersect1d(self._seen, np.flatnonzero(blocks))
        if len(seen) > 1 and np.linalg.norm(self.stand.shift[seen].mean(axis=0)) * len(seen) ** 0.5 > TOGETHER:
            off[seen] = True
        return off & blocks

    def settle(self, which: Array) -> None:
        """Looks once more at these sites."""
        self._sweep(which)

    def weigh_shadows(self, which: Array) -> None:
        """Asks the shadows for the heights of blocks on the sites with the numbers `which`."""
        for _ in range(min(PASSES, len(which))):
            believed = np.array([self._reading(site).confidence > BELIEVED for site in range(len(self.sites))])
            astray = self._astray
            self._shadows.see(self.stand, believed & ~astray)
            for site in which.tolist() if self._shadows.lamps else []:
                same = next((same for same in self._alike if same[self.stand.label[site]]), None)
                if same is not None:
                    told = self._shadows.tell(site, np.flatnonzero(same))
                    self._shaded[site] = 0.0
                    self._shaded[site, same] = _hedged(told, UNDERNEATH if astray[site] else SHADED)
            self._renew(which)
            for site in which.tolist():
                self.stand.label[site] = self.labels.index(self._reading(site).label)

    def readings(self, which: Array) -> list[SiteReading]:
        """What was seen on the sites with the numbers `which`; no height is sure where much else is doubtful."""
        found = [self._reading(int(site)) for site in which]
        return [self._rather(reading) for reading in found] if self._unclear() else found

    def _unclear(self) -> bool:
        """Whether much of what the picture shows is doubtful."""
        shown = [one for one in map(self._reading, range(len(self.sites))) if one.visible > 0.5]
        doubtful = sum(one.trust < BELIEVED for one in shown)
        return doubtful > UNCLEAR * len(shown)

    def _rather(self, reading: SiteReading) -> SiteReading:
        """The same, but less sure of the height."""
        likely = reading.log_likelihood.copy()
        for same in self._alike:
            likely[same] = np.logaddexp.reduce(likely[same]) + _hedged(likely[same], UNBELIEVED)
        return replace(reading, log_likelihood=likely)

    def _first(self, label: Array) -> Stand:
        relief = self.relief
        shift = np.zeros((len(label), 2))
        size = np.array([SIZES[1 - k % 2] if z else 0.0 for k, z in enumerate(self.solids.heights)])
        bare = (relief.weight > 0) & (relief.plain > 0.9) & ~relief.in_cell
        ground = float(np.percentile(relief.grey[bare], 70)) if bare.sum() > 50 else 0.4
        top = np.full(len(label), ground)
        for site, points in enumerate(relief.points):
            core = relief.cover(site, int(label[site]), shift[site], 0.0, points).top > 0.99
            if core.any():
                top[site] = np.median(relief.grey[points][core])
        return Stand(label, shift, top, size, ground)

    def _measure(self) -> None:
        """Measures how soft edges are in this picture, on some blocks of light wood."""
        relief, stand = self.relief, self.stand
        blocks = np.flatnonzero(self.solids.heights[stand.label] > 0)
        lightest = blocks[np.argsort(-stand.top[blocks])][:12:2]
        best = -np.inf
        softest = SOFTNESS[0]
        for soft in SOFTNESS:
            relief.soften(soft)
            fits = [relief.fits(int(site), stand.label[site : site + 1], stand)[0].score for site in lightest]
            if sum(fits) < best:
                break
            best, softest = sum(fits), soft
        relief.soften(softest)

    def _sweep(self, which: Array) -> None:
        """Fits the sites once more, from near the camera to far."""
        relief, stand = self.relief, self.stand
        chosen = set(which.tolist())
        for site in (int(k) for k in relief.order[::-1] if int(k) in chosen):
            wood = self._wood[site] - np.logaddexp.reduce(self._wood[site])
            labels = self._possible(wood, self._heard(site))
            scores = wood[self._wood_of] - SURE
            fits = relief.fits(site, labels, stand) if len(labels) else []
            doubt = self._doubt(site)
            found = np.array([fit.score for fit in fits])
            for k in np.unique(self._wood_of[labels]):
                same = self._wood_of[labels] == k
                scores[labels[same]] = wood[k] + _hedged(found[same], doubt)
            bare = self.solids.heights == 0
            scores[bare] = wood[self._wood_of[bare]]
            self.scores[site] = scores
            self._renew(self._seen)  # where one stands tells where the others do
            stand.label[site] = self.labels.index(self._reading(site).label)
            for label, fit in zip(labels, fits, strict=True):
                if label == stand.label[site]:
                    stand.shift[site], stand.top[site], self._sizes[site] = fit.shift, fit.top, fit.size
        self._renew(self._seen)

    def _heard(self, site: int) -> Array:
        """The log likelihoods (labels,) that others found; nothing but zeros if there are none."""
        told = self._told[site]
        return told.log_likelihood if told else np.zeros(len(self.labels))

    def _together(self, site: int, own: SiteReading, told: SiteReading) -> SiteReading:
        """What both readers say of a site, as log probabilities: first of the wood, then, where they agree on that, of
        the heights. About these they err in ways of their own, so that a dispute about one says nothing of the wood.
        """
        said = self._of_woods(told)
        wood = agreed(self._of_woods(own), said, together=1.0, plain=PLAIN)
        bare = float(said.chances[said.labels.index(EMPTY)])
        covered = wood.label == EMPTY and bare < BARE_BY_SIGHT
        believed = BARE_BY_SIGHT if bare > 1 - BARE_BY_SIGHT else BY_SIGHT
        wood = unsure(wood) if covered else no_surer(wood, said, believed)
        if self._may_be_shade(site, told):
            wood = disputed(wood, EVEN)
        likely = (wood.log_likelihood - np.logaddexp.reduce(wood.log_likelihood))[self._wood_of]
        unresolved = self._unresolved(site)
        for same in self._alike:
            both = RATHER * own.log_likelihood[same] + told.log_likelihood[same]
            both = _hedged(both, unresolved) + self._shaded[site, same]
            likely[same] += _hedged(both, MISTAKEN)
        return SiteReading(self.labels, likely, wood.visible)

    def _may_be_shade(self, site: int, told: SiteReading) -> bool:
        """Whether a dark block that others tell of may be bare board, darkened by higher blocks all around."""
        if not self.looked:
            return False
        label = self.labels.index(told.label)
        higher = self.solids.heights[self.stand.label[self._around[site]]] - self.solids.heights[label] > HIGHER
        bare = told.chances[self.labels.index(EMPTY)]
        return bool(self._darker[label] and higher.sum() >= PIT and bare > RARELY)

    def _of_heights(self, reading: SiteReading) -> SiteReading:
        """What a reading says of the height, whatever the wood."""
        likely = reading.log_likelihood.copy()
        for same in self._of_wood:
            likely[same] -= np.logaddexp.reduce(likely[same])
        return replace(reading, log_likelihood=likely)

    def _of_woods(self, reading: SiteReading) -> SiteReading:
        """What a reading says of the wood, each kind of wood named by the first of its labels."""
        likely = [np.logaddexp.reduce(reading.log_likelihood[same]) for same in self._of_wood]
        return replace(reading, labels=self._wood_names, log_likelihood=np.array(likely))

    def _possible(self, wood: Array, told: Array) -> Array:
        """The labels of blocks that may stand where the picture says this of the woods, and others of the labels."""
        woods = wood > wood.max() - SURE
        woods[self._wood_of[told.argmax()]] = True
        best = np.array([told[self._wood_of == k].max() for k in range(len(wood))])
        labels: Array = np.flatnonzero(
            woods[self._wood_of] & (told > best[self._wood_of] - UNHEARD) & (self.solids.heights > 0)
        )
        return labels

    def _doubt(self, site: int) -> float:
        """How often the height is not what it seems to the geometry: under the camera blocks of all heights look much
        alike.
        """
        relief = self.relief
        away = float(np.linalg.norm(self.solids.centres[site] - relief.camera[:2]))
        return UNFORESEEN + UNDERNEATH * float(np.exp(-away / (NEAR * relief.camera[2])))

    def _unresolved(self, site: int) -> float:
        """How often a height on which both readers agree is mistaken there, by what the picture's pixels can tell, if
        the block stands where it should.
        """
        if site in self._seen and self._astray[site]:
            return UNDERNEATH
        return MISTAKEN + UNRESOLVED * float(np.exp(-((self._apart[site] / APART) ** 2)))

    def _outlines_apart(self) -> Array:
        """By how many pixels (sites,) outlines of blocks differ whose heights are next to each other in one wood."""
        relief, solids = self.relief, self.solids
        steps = [np.diff(np.sort(relief.growth[same])) for same in self._alike]
        outline = np.linalg.norm(solids.centres - relief.camera[:2], axis=1) + solids.reach.min()
        apart: Array = outline * min(step.min() for step in steps if len(step)) * relief.scale
        return apart

    def _align(self) -> None:
        """Corrects where board and camera are by how all blocks seem to be shifted: higher ones more, if the camera is
        elsewhere.
        """
        relief, stand = self.relief, self.stand
        high = self.solids.heights[stand.label]
        blocks = np.flatnonzero((high > 0) & (self.scores.max(axis=1) > np.log(0.6)))
        if len(blocks) < FEW:
            return
        rise = high[blocks] / relief.camera[2]
        outward = (self.solids.centres[blocks] - relief.camera[:2]) / relief.camera[2]
        design = np.zeros((len(blocks), 2, 5))
        for a in (0, 1):
            design[:, a, a] = 1.0
            design[:, a, 2 + a] = -rise
        design[:, :, 4] = -outward * rise[:, None]
        prior = np.diag(1 / np.square(POSE_ERROR))
        x = np.zeros(5)
        for _ in range(5):
            off = stand.shift[blocks] - design @ x
            weight = 1 / (1 + np.square(off).sum(axis=1) / (4 * SHIFT**2)) ** 2 / SHIFT**2
            normal = np.einsum("nai,n,naj->ij", design, weight, design) + prior
            x = np.linalg.solve(normal, np.einsum("nai,n,na->i", design, weight, stand.shift[blocks]))
        relief.adjust(x[:2], x[2:])
        self._apart = self._outlines_apart()
        stand.shift[blocks] -= design @ x

    def _resize(self) -> None:
        """Measures how much smaller blocks look here, where height and size are not mistaken for each other."""
        relief, stand = self.relief, self.stand
        away = np.linalg.norm(self.solids.centres - relief.camera[:2], axis=1)
        confident = np.sort(self.scores, axis=1)
        clear = (confident[:, -1] - confident[:, -2] > CERTAIN) & (away > AWAY * relief.camera[2])
        for same in self._alike:
            found = self._sizes[clear & same[stand.label]]
            if len(found):
                stand.size[same] = np.median([*found, *stand.size[same][:2]])

    def _reading(self, site: int) -> SiteReading:
        if site in self._glanced:
            return self._glanced[site]
        if site not in self._kept:
            relief = self.relief
            visible = float((relief.weight[relief.points[site]] > 0).mean())
            own, told = site_reading(self.labels, self.scores[site], visible, -1e9), self._told[site]
            self._kept[site] = self._together(site, own, told) if told else own
        return self._kept[site]


def _woods(numbers: Sequence[int], place: int, paints: Paints) -> tuple[list[Array], Array]:
    """The colours (3,) of the bare board and of the blocks, the likest first, relative to the board's; and which each
    label has.
    """
    nominal = _logarithm(np.array([colour[::-1] for colour in paints.colours], np.float64))
    others = sorted(set(numbers) - {place}, key=lambda k: float(np.abs(nominal[k] - nominal[place]).sum()))
    order = [place, *others]
    return [nominal[k] - nominal[place] for k in order], np.array([order.index(number) for number in numbers])


def _hedged(likely: Array, doubt: float) -> Array:
    """Log probabilities of alternatives that are so likely (log likelihoods), if they are not simply mistaken for each
    other, which is as probable as `doubt`.
    """
    part: Array = np.exp(likely - np.logaddexp.reduce(likely))
    return np.log((1 - doubt) * part + doubt / len(part))


def _logarithm(pixels: Array) -> Array:
    scaled: Array = np.log(np.asarray(linear(pixels), np.float64) + SOFT)
    return scaled


BRIGHTEST = _logarithm(np.full(3, 255.0))
"""The brightest colour that a camera sees."""


def _block(look: Look) -> Prism | None:
    return next((solid for solid in look if isinstance(solid, Prism)), None)
