"""Reading pieces that stand upon others, or anywhere else that their label says: each with a foot and a coloured stick.

Whatever a piece carries is stacked on its stick, so along its axis, from the foot to the tip, it is coloured all the
way up; the tip tells which colour it is, the foot's rim the shade of its wood. All places where pieces can stand are
looked at for all pieces; then each piece gets its place so that together they explain the picture best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from companion.games.core import Game
from companion.games.looks import Area, Disc, Prism
from companion.games.sites import SiteSpec
from companion.vision.evidence import site_reading
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import NOTHING, UNSURE, Paints, Raster
from companion.vision.light.palette import Palette, averaged
from companion.vision.networks.spotting import Spotter
from companion.vision.reading import SiteReading

LEVELS = 16
"""Points along a piece's axis."""

TURNS = 16
"""Points along the rim of a foot."""

ASIDE = (0.0, 0.5)
"""How far from the middle of its host a piece may stand, in diameters of its foot: alone, or beside another one."""

AROUND = 12
"""Directions in which it may stand beside the middle: a tip is seen only where it is looked for."""

BESIDE = 0.5
"""What a foot counts that is seen beside the middle of its host: its rim may be before another host there."""

APART = 0.75
"""Diameters of a foot that two pieces are apart at least."""

CROWDED = 6.0
"""How much less likely (natural logarithm) it is that pieces share a host."""

LONELY = 8.0
"""How much less likely (natural logarithm) it is that a piece stands beside the middle of its host, and no other there.
"""

BETWEEN = 0.4
"""Diameters of a foot between places where several pieces may stand, in their places or anywhere between."""

AXIS, RIM, TIP = 12.0, 12.0, 9.0
"""As how many independent pixels count: the axis, the rim of the foot, the tip."""

TOLD, SURELY = 2.0, 8.0
"""What the word of a network counts that knows the pieces, where there is one, beside what is unlikely here anyway; and
how much it must then speak for a piece amid a host, for no others to be looked for beside it.
"""

MOST = 2.5
"""What a point says at most (natural logarithm)."""

DEEP = 0.3
"""Part of a foot's rim, and of what lies around it, that is in the deep shade of what the piece carries."""

CARRIED = 0.5
"""As likely as the wood of a foot it is that what the piece carries hides it from the camera."""

NUDGES = np.array(
    [
        (r * np.cos(2 * np.pi * k / n), r * np.sin(2 * np.pi * k / n), 0.0)
        for r, n in ((0, 1), (1.5, 6), (3, 12))
        for k in range(n)
    ]
)
"""Millimetres by which a foot, and the stick in it, may stand off its place."""

NEARBY = NUDGES[[0, *range(len(NUDGES) - 12, len(NUDGES), 3)]]
"""Some of these, between which nothing as thick as a stick is missed."""

HARDLY = -0.8
"""How much the points of an axis, or one beside it, must at least speak for colour rather than for wood, for a
piece to be thought of there at all.
"""

GLIMPSED, COARSE, CHANGED = 6, 3.0, 0.08
"""Points along an axis whose colours tell whether anything has changed there; millimetres over which these are
averaged; and by which part of the brightest of all they have to differ for that.
"""

ABSENT = 10.0
"""How much must speak against all places of a piece (natural logarithm) for it to be nowhere: it is hardly ever."""

AWAY, TOGETHER = 24.0, 0.5
"""How far (natural logarithm) under the best of all what pieces show together is considered; and what that counts: they
are seen in the same light, with the same noise.
"""

POORLY, LESS = 10.0, 0.35
"""What speaks for each of the pieces' places at least (natural logarithm) if colours are seen as they are; and what
everything counts where it does not, for then others may be mistaken too: of 106 pictures in which all were read rightly
none had such a place, of those 4 in which that was so none was right (seeds 95000 to 95109, looked for 1.3 mm around).
"""

HIDDEN = 3.0
"""How much must speak for a piece's place (natural logarithm), for it to be there rather than anywhere, hidden."""

BEST = 14
"""Places of a piece that are considered together with the others'."""


UNDOUBTED: Mapping[int, Sequence[float]] = MappingProxyType({})
"""All hosts are as high as they seem."""


class Spot(NamedTuple):
    """A place for a foot: the label that it belongs to, (x, y, z) in mm, number of the host (-1: the board); `aside`:
    beside another piece.
    """

    label: str
    place: tuple[float, float, float]
    host: int
    aside: bool = False


class Room:
    """Which of some `places` (n, 2) are closer than `apart`, so that two pieces do not stand there. A set of places is
    the sum of 2 to the power of their numbers; -1 is nowhere, and always free.
    """

    def __init__(self, places: Array, apart: float) -> None:
        self._places, self._apart = places, apart
        self._around: dict[int, int] = {-1: 0}

    def around(self, spot: int) -> int:
        """The places that nobody else can have where a piece has that one."""
        if spot not in self._around:
            near = np.hypot(*(self._places - self._places[spot]).T) < self._apart
            self._around[spot] = int.from_bytes(np.packbits(near, bitorder="little").tobytes(), "little")
        return self._around[spot]

    @staticmethod
    def free(spot: int, taken: int) -> bool:
        """Whether a place is none of those taken."""
        return spot < 0 or not taken >> spot & 1


class Glimpse(NamedTuple):
    """What was seen on a spot: the colours (n, 3) along its axis, and what they spoke for each piece (pieces,)."""

    colours: Array
    seen: Array


class Riders:
    """All pieces that stand upon things on sites of one kind; `standing`: where their feet were last seen (mm);
    `spotter`: the network that may know them.
    """

    def __init__(
        self, game: Game[Any, Any], sites: Sequence[SiteSpec], hosts: Sequence[SiteSpec], paints: Paints, board: Raster
    ) -> None:
        self.sites, self._hosts, self._board = tuple(sites), tuple(hosts), board.eroded(0.5)
        self._number = {host.name.partition(":")[2]: k for k, host in enumerate(hosts)}
        places: list[tuple[str, tuple[float, float]]] = []
        feet, sticks = [], []
        for site in sites:
            looks = {label: [s for s in game.look(site.kind, label) if isinstance(s, Prism)] for label in site.labels}
            foot, stick = next((look[0], look[1]) for look in looks.values() if len(look) > 1)
            feet.append(paints.number(foot.colour))
            sticks.append(paints.number(stick.colour))
            places += [(label, _middle(look[0])) for label, look in looks.items() if look]
        self.foot, self.stick = foot, stick
        self.width = float(np.ptp(np.array(foot.footprint)[:, 0]))
        self._beside_hosts = self._spots_beside_hosts(places)
        self._upon: dict[tuple[int, float], list[Spot]] = {}
        labels = dict.fromkeys(label for site in sites for label in site.labels)
        self._may = {label: np.array([label in site.labels for site in sites]) for label in labels}
        coloured = [
            m.colour
            for solid in game.board
            if isinstance(solid, Prism)
            for m in solid.marks
            if isinstance(m, Area | Disc)
        ]
        colours = [paints.number(colour) for colour in dict.fromkeys(coloured)]
        plain = [paints.number(s.colour) for h in hosts[:1] for label in h.labels for s in game.look(h.kind, label)]
        ground = [int(k) for k in np.unique(self._board.values) if k < UNSURE]
        self._columns = tuple(dict.fromkeys([*sticks, *colours, *feet, *plain, *ground, paints.table, paints.unsure]))
        column = self._columns.index
        self._sticks, self._feet = np.array([column(k) for k in sticks]), np.array([column(k) for k in feet])
        self._shaded = tuple(
            ((k, 1 - DEEP), (paints.shaded(k), DEEP)) if k in {*sticks, *colours, *feet, *plain} else k
            for k in self._columns
        )
        self._colours = np.array(sorted({column(k) for k in [*sticks, *colours]}))
        self._plain = np.array(sorted({column(k) for k in [*plain, *feet]} - set(self._colours.tolist())))
        self._unsure, self._table = column(paints.unsure), column(paints.table)
        looks_of = [game.look(hosts[0].kind, label) for label in hosts[0].labels]
        self._tops = [(column(paints.number(look[0].colour)) if look else -1) for look in looks_of]
        self.standing: tuple[tuple[float, float, float], ...] = ()
        self._column_of = np.array([column(k) if k in self._columns else self._unsure for k in range(NOTHING + 1)])
        names = [site.kind.partition(":")[2] for site in sites]
        self.spotter = Spotter(game.name, names, self.foot, self.stick)
        self._seen_under: tuple[Pose, Palette] | None = None
        self._glimpses: dict[Spot, Glimpse] = {}  # by that pose and palette

    def spots(self, heights: Array, rather: Mapping[int, Sequence[float]] = UNDOUBTED) -> list[Spot]:
        """Where feet may be: on hosts of these heights (hosts,), `rather` perhaps of others, and where labels say."""
        found = list(self._beside_hosts)
        for host, height in enumerate(heights.tolist()):
            for z in dict.fromkeys((height, *rather.get(host, ()))):
                found += self._spots_upon(host, z)
        return found

    def _spots_beside_hosts(self, places: Sequence[tuple[str, tuple[float, float]]]) -> list[Spot]:
        """Where feet may be beside all hosts, by the `places` that labels say."""
        strips: dict[str, set[tuple[float, float]]] = {}
        for label, at in places:
            if label not in self._number:
                strips.setdefault(label, set()).add(at)
        found: dict[Spot, None] = {}
        for label, ends in strips.items():
            found |= dict.fromkeys(Spot(label, (*at, 0.0), -1) for at in sorted(ends))
            if len(ends) > 1:  # several pieces have places of their own there: anywhere between will do
                first, last = np.array(min(ends)), np.array(max(ends))
                count = 1 + int(np.ceil(np.hypot(*(last - first)) / (BETWEEN * self.width)))
                between = np.linspace(first, last, count).tolist()
                found |= dict.fromkeys(Spot(label, (x, y, 0.0), -1) for x, y in between)
        return list(found)

    def _spots_upon(self, host: int, height: float) -> list[Spot]:
        """Where feet may be upon a host of that height."""
        if (host, height) not in self._upon:
            x, y, z = self._hosts[host].centre
            name = self._hosts[host].name.partition(":")[2]
            angles = np.arange(AROUND) * 2 * np.pi / AROUND
            ring = self.width * np.column_stack([np.cos(angles), np.sin(angles)])
            offsets = [(aside, at) for aside in ASIDE for at in (aside * ring[: AROUND if aside else 1]).tolist()]
            spots = [Spot(name, (x + dx, y + dy, z + height), host, aside > 0) for aside, (dx, dy) in offsets]
            self._upon[host, height] = spots
        return self._upon[host, height]

    def read(
        self,
        image: Array,
        palette: Palette,
        pose: Pose,
        labels: Array,
        heights: Array,
        which: Array,
        changed: Array,
        rather: Mapping[int, Sequence[float]] = UNDOUBTED,
    ) -> list[SiteReading]:
        """The pieces with the numbers `which`; on the hosts lie things with the labels (hosts,) of these heights,
        `rather` perhaps of others. Hosts with the numbers `changed` may show something new.
        """
        spots = self.spots(heights, rather)
        gains, visible = self._gains(image, palette, pose, spots, labels, changed)
        places = np.array([spot.place[:2] for spot in spots])
        may = np.stack([self._may[spot.label] for spot in spots], axis=1)  # which piece may have which spot
        options = self._options(gains, may, places)
        room = Room(places, APART * self.width)
        best, chosen = self._together(gains, options, spots, room, -1.0)
        self.standing = tuple(spots[k].place for k in chosen if k >= 0)
        poorly = min(gains[piece, k] if k >= 0 else 0.0 for piece, k in enumerate(chosen)) < POORLY
        together = TOGETHER * LESS if poorly else TOGETHER
        readings = []
        for piece in which.tolist():
            totals = self._totals(piece, gains, may, spots, options, room, best)
            seen = float(visible[chosen[piece]]) if chosen[piece] >= 0 else 1.0
            readings.append(
                site_reading(self.sites[piece].labels, together * totals, seen, together * (totals[0] + HIDDEN))
            )
        return readings

    @property
    def bounds(self) -> tuple[float, float]:
        """Radius and height (mm) of a piece with whatever it carries."""
        return self.width / 2, self.stick.z1

    def _axes(self, spots: Sequence[Spot], count: int) -> Array:
        """Points (spots, count, 3) on the axes of pieces, from the foot to the tip."""
        axes = np.repeat(np.array([spot.place for spot in spots])[:, None], count, axis=1)
        axes[:, :, 2] += np.linspace(self.foot.z1 + 4.0, self.stick.z1, count)
        return axes

    def _rims(self, spots: Sequence[Spot]) -> Array:
        """Points (spots, turns, 3) on the rims of feet."""
        turns = np.arange(TURNS) * 2 * np.pi / TURNS
        ring = 0.46 * self.width * np.column_stack([np.cos(turns), np.sin(turns), np.zeros(TURNS)])
        rims: Array = np.array([spot.place for spot in spots])[:, None] + ring
        rims[:, :, 2] += self.foot.z1
        return rims

    def _gains(
        self, image: Array, palette: Palette, pose: Pose, spots: Sequence[Spot], labels: Array, changed: Array
    ) -> tuple[Array, Array]:
        """What speaks for each piece on each spot (pieces, spots), and how much of it is in the picture (spots,)."""
        if self._seen_under is None or self._seen_under[0] is not pose or self._seen_under[1] is not palette:
            self._seen_under = pose, palette
            self._glimpses.clear()
        at = self._axes(spots, GLIMPSED)
        pixels = pose.project(at.reshape(-1, 3))
        inside = in_picture(pixels, pose.lens.size).reshape(at.shape[:2])
        colours = averaged(image, pixels, max(1, round(COARSE * pose.scale(np.zeros(3))))).reshape(*at.shape)
        known = self._known(spots, colours, changed)
        seen = np.full((len(self.sites), len(spots)), -AWAY - ABSENT)
        if known:
            seen[:, list(known)] = np.stack([glimpse.seen for glimpse in known.values()], axis=1)
        new = np.array([k for k in range(len(spots)) if k not in known], np.intp)
        looked = self._look(image, palette, pose, spots, labels, seen, new)
        self._glimpses.update({spots[k]: Glimpse(colours[k].copy(), seen[:, k].copy()) for k in looked.tolist()})
        aside = np.array([spot.aside for spot in spots])
        return seen - CROWDED * aside + ABSENT, inside.mean(axis=1)

    def _known(self, spots: Sequence[Spot], colours: Array, changed: Array) -> dict[int, Glimpse]:
        """What is known of spots, by their numbers, along which nothing has changed, nor on their hosts; `colours`
        (spots, levels, 3) as the picture shows them.
        """
        hosts = set(changed.tolist())
        known = {
            k: glimpse
            for k, spot in enumerate(spots)
            if spot.host not in hosts and (glimpse := self._glimpses.get(spot)) is not None
        }
        if not known:
            return {}
        before = np.array([glimpse.colours for glimpse in known.values()], np.float32)
        now = colours[list(known)].astype(np.float32)
        differs = np.abs(now - before).max(axis=(1, 2)) > CHANGED * np.percentile(colours, 99)
        return {k: glimpse for (k, glimpse), other in zip(known.items(), differs, strict=True) if not other}

    def _look(
        self,
        image: Array,
        palette: Palette,
        pose: Pose,
        spots: Sequence[Spot],
        labels: Array,
        seen: Array,
        new: Array,
    ) -> Array:
        """Fills in what is `seen` on the spots with the numbers `new`; the numbers of those that were looked at. Where
        hardly anything coloured rises, nothing does.
        """
        if not len(new):
            return new
        axes = self._axes([spots[k] for k in new.tolist()], LEVELS)
        coloured = self._coloured(image, palette, pose, axes)
        likely, plain = new[coloured], new[~coloured]
        hosts = np.array([spot.host for spot in spots])
        if not self.spotter.fits:
            tops = np.array([self._tops[int(labels[host])] if host >= 0 else -1 for host in hosts[likely]])
            some = [spots[k] for k in likely.tolist()]
            if some:
                seen[:, likely] = self._seen(image, palette, pose, some, axes[coloured], tops)
            return new
        aside = np.array([spot.aside for spot in spots])
        middle = ~aside & (hosts >= 0)
        undoubted = np.bincount(hosts[middle], minlength=len(self._hosts)) == 1
        alone, looked = np.zeros(len(spots), bool), [plain]  # beside what surely stands amid its host nothing else does
        for some in (likely[~aside[likely]], likely[aside[likely]]):
            some = some[~alone[some]]
            if len(some):
                places = np.array([spots[k].place for k in some])
                seen[:, some] = TOLD * self.spotter.beside_nothing(image, pose, palette.light, places)
            looked.append(some)
            surely = hosts[middle & (seen.max(axis=0) > SURELY)]
            alone = aside & np.isin(hosts, surely[undoubted[surely]])
        return np.concatenate(looked)

    def _seen(
        self, image: Array, palette: Palette, pose: Pose, spots: Sequence[Spot], axes: Array, tops: Array
    ) -> Array:
        """What the colours of stick and foot speak for each piece on each spot (pieces, spots)."""
        sticks = self._sticks_seen(image, palette, pose, axes)
        feet = RIM * self._feet_seen(image, palette, pose, spots, self._rims(spots), tops)
        feet = np.minimum(feet, np.maximum(sticks + AXIS, 0.0))  # a foot that bears no stick is wood of a block
        aside = np.array([spot.aside for spot in spots])
        feet = np.where(aside[:, None], np.minimum(feet, BESIDE * feet), feet)
        best: Array = (sticks + feet).max(axis=2)
        return best

    def _coloured(self, image: Array, palette: Palette, pose: Pose, axes: Array) -> Array:
        """Along which of the axes (spots, levels, 3), or beside them, something coloured may rise (spots,)."""
        nudged = (axes[:, None, ::2] + NEARBY[:, None]).reshape(-1, (LEVELS + 1) // 2, 3)
        at = pose.project(nudged.reshape(-1, 3))
        evidence = palette.read(image, at, self._shaded).reshape(*nudged.shape[:2], -1)
        plain = np.maximum(self._ground(nudged, pose.camera, evidence), evidence[..., self._plain].max(axis=-1))
        coloured = np.clip(evidence[..., self._colours].max(axis=-1) - plain, -MOST, MOST).mean(axis=1)
        rises: Array = coloured.reshape(len(axes), len(NEARBY)).max(axis=1) > HARDLY
        return rises

    def _sticks_seen(self, image: Array, palette: Palette, pose: Pose, axes: Array) -> Array:
        """How well the axes (spots, levels, 3) are coloured, tips in each piece's colour (pieces, spots, nudges)."""
        nudged = (axes[:, None] + NUDGES[:, None]).reshape(-1, LEVELS, 3)
        at = pose.project(nudged.reshape(-1, 3))
        evidence = palette.read(image, at, self._shaded).reshape(*nudged.shape[:2], -1)
        plain = np.maximum(self._ground(nudged, pose.camera, evidence), evidence[..., self._plain].max(axis=-1))
        best = evidence[..., self._colours].max(axis=-1)
        inside = in_picture(at, pose.lens.size).reshape(nudged.shape[:2])
        axis = AXIS * (np.clip(best - plain, -MOST, MOST) * inside).mean(axis=1)
        tip = np.s_[:, LEVELS - 3 :]
        own = [
            np.clip(evidence[tip][..., k] - np.maximum(best[tip], 0.0), -MOST, 0.0).mean(axis=1) for k in self._sticks
        ]
        seen: Array = (axis + TIP * np.array(own)).reshape(len(own), len(axes), len(NUDGES))
        return seen

    def _feet_seen(
        self, image: Array, palette: Palette, pose: Pose, spots: Sequence[Spot], rims: Array, tops: Array
    ) -> Array:
        """How well the rims (spots, turns, 3) show each piece's foot rather than what it stands on (pieces, spots,
        nudges).

        Where something coloured hides the rim, that tells nothing of either wood.
        """
        nudged = (rims[:, None] + NUDGES[:, None]).reshape(-1, TURNS, 3)
        at = pose.project(nudged.reshape(-1, 3))
        evidence = palette.read(image, at, self._shaded).reshape(*nudged.shape[:2], -1)
        carried = evidence[..., self._colours].max(axis=-1) + np.log(CARRIED)
        host = np.take_along_axis(evidence, np.repeat(np.maximum(tops, 0), len(NUDGES))[:, None, None], axis=2)[..., 0]
        ground = self._ground(nudged, pose.camera, evidence)
        host = np.where(np.repeat(tops >= 0, len(NUDGES))[:, None], host, ground)
        middles = np.array([spot.place[:2] for spot in spots])
        to_camera = pose.camera[:2] - middles
        to_camera /= np.maximum(np.linalg.norm(to_camera, axis=1), 1e-9)[:, None]
        outward = ((rims[:, :, :2] - middles[:, None]) * to_camera[:, None]).sum(axis=2)
        free = np.repeat(outward > -0.2 * self.width / 2, len(NUDGES), axis=0)
        seen = free & in_picture(at, pose.lens.size).reshape(free.shape)
        count = np.maximum(free.sum(axis=1), 1)
        rather = np.logaddexp(host, carried)
        feet = [np.logaddexp(evidence[..., foot], carried) for foot in self._feet]
        fits = [(np.clip(foot - rather, -MOST, MOST) * seen).sum(axis=1) / count for foot in feet]
        best: Array = np.array(fits).reshape(len(fits), len(spots), len(NUDGES))
        return best

    def _ground(self, points: Array, camera: Array, evidence: Array) -> Array:
        """How well points (spots, n, 3) show the bare board, or the table, behind them (spots, n)."""
        sight = points - camera
        behind = camera + sight * (-camera[2] / sight[..., 2:])
        shown = self._board.at(behind[..., :2].reshape(-1, 2))
        column = self._column_of[shown].reshape(points.shape[:2])
        fits = np.take_along_axis(evidence, column[..., None], axis=2)[..., 0]
        beyond = (shown == NOTHING).reshape(points.shape[:2])
        return np.where(beyond, np.maximum(evidence[..., self._table], 0.0), fits)

    def _options(self, gains: Array, may: Array, places: Array) -> list[list[int]]:
        """The spots that each piece may have, its best ones, and at last none (-1)."""
        options = []
        for piece in range(len(gains)):
            own = np.where(may[piece], gains[piece], -np.inf)
            order = np.argsort(-own)[: 4 * BEST]
            order = order[own[order] > max(0.0, own.max() - AWAY)]
            options.append([*_spread(order, places, self.width, BEST), -1])
        return options

    def _together(
        self, gains: Array, options: Sequence[Sequence[int]], spots: Sequence[Spot], room: Room, least: float
    ) -> tuple[float, list[int]]:
        """The sum of gains that is best with no two pieces in one place, if it is more than `least`; and the spot of
        each piece then, -1 for none. Options that gain more come first.
        """
        gain = [{spot: float(gains[k, spot]) if spot >= 0 else 0.0 for spot in some} for k, some in enumerate(options)]
        order = sorted(range(len(options)), key=lambda piece: len(options[piece]))  # what has no choice leaves no room
        chosen = [-1] * len(options)
        best, found = least, list(chosen)

        def place(count: int, total: float, taken: int) -> None:
            nonlocal best, found
            left = order[count:]
            most = (next((more for spot, more in gain[k].items() if room.free(spot, taken)), 0.0) for k in left)
            if total + sum(most) <= best:
                return
            if not left:
                total -= LONELY * _lonely([spots[spot] for spot in chosen if spot >= 0])
                if total > best:
                    best, found = total, list(chosen)
                return
            for spot, more in gain[left[0]].items():
                if room.free(spot, taken):
                    chosen[left[0]] = spot
                    place(count + 1, total + more, taken | room.around(spot))
            chosen[left[0]] = -1

        place(0, 0.0, 0)
        return best, found

    def _totals(
        self,
        piece: int,
        gains: Array,
        may: Array,
        spots: Sequence[Spot],
        options: Sequence[Sequence[int]],
        room: Room,
        best: float,
    ) -> Array:
        """The best sum of gains (labels,) with the piece where each label says and all others where they then fit best,
        if it is no more than `AWAY` under the best of all.
        """
        labels = self.sites[piece].labels
        others = sum(max(0.0, float(gains[k, option[0]])) for k, option in enumerate(options) if k != piece)
        totals = np.full(len(labels), best - AWAY)
        alone = [*options[:piece], [-1], *options[piece + 1 :]]
        totals[0], _ = self._together(gains, alone, spots, room, totals[0])
        own = np.flatnonzero(may[piece] & (gains[piece] + others > best - AWAY))
        for k in own[np.argsort(-gains[piece, own])].tolist():
            index = labels.index(spots[k].label)
            if float(gains[piece, k]) + others > totals[index]:
                alone = [*options[:piece], [k], *options[piece + 1 :]]
                totals[index], _ = self._together(gains, alone, spots, room, totals[index])
        return totals


def _lonely(spots: Sequence[Spot]) -> int:
    """How many stand beside the middle of their host though nothing else is there."""
    hosts = [spot.host for spot in spots]
    return sum(spot.aside and hosts.count(spot.host) == 1 for spot in spots)


def _spread(order: Array, places: Array, width: float, most: int) -> list[int]:
    """The best of spots that are close to each other, at most so many."""
    kept: dict[int, list[float]] = {}
    for k, place in zip(order.tolist(), places[order].tolist(), strict=True):
        if len(kept) < most and all(dist(place, other) > 0.2 * width for other in kept.values()):
            kept[k] = place
    return list(kept)


def _middle(solid: Prism) -> tuple[float, float]:
    points = np.array(solid.footprint)
    return float(points[:, 0].mean()), float(points[:, 1].mean())
