"""Reading pieces that stand upon others, or anywhere else that their label says: each with a foot and a coloured stick.

Whatever a piece carries is stacked on its stick, so along its axis, from the foot to the tip, it is coloured all the
way up; the tip tells which colour it is, the foot's rim the shade of its wood. All places where pieces can stand are
looked at for all pieces; then each piece gets its place so that together they explain the picture best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from companion.games.core import Game
from companion.games.looks import Area, Disc, Prism
from companion.games.sites import SiteSpec
from companion.vision.board import Pose
from companion.vision.evidence import site_reading
from companion.vision.lens import Array
from companion.vision.palette import Palette
from companion.vision.places import in_picture
from companion.vision.raster import UNSURE, Paints, Raster
from companion.vision.reading import SiteReading

LEVELS = 16
"""Points along a piece's axis."""

TURNS = 16
"""Points along the rim of a foot."""

ASIDE = (0.0, 0.5)
"""How far from the middle of its host a piece may stand, in diameters of its foot: alone, or beside another one."""

APART = 0.75
"""Diameters of a foot that two pieces are apart at least."""

CROWDED = 8.0
"""How much less likely (natural logarithm) it is that pieces share a host."""

STEPS = 12
"""Places along a strip on which several pieces may stand."""

AXIS, RIM, TIP = 12.0, 12.0, 9.0
"""As how many independent pixels count: the axis, the rim of the foot, the tip."""

MOST = 2.5
"""What a point says at most (natural logarithm)."""

NUDGES = 1.3 * np.array([(x, y, 0.0) for x in (-1, 0, 1) for y in (-1, 0, 1)])
"""Millimetres by which a foot may stand off its place."""

ABSENT = 10.0
"""How much must speak against all places of a piece (natural logarithm) for it to be nowhere: it is hardly ever."""

BEST = 8
"""Places of a piece that are considered together with the others'."""


class Spot(NamedTuple):
    """A place for a foot: the label that it belongs to, (x, y, z) in mm, number of the host (-1: the board); `aside`:
    beside another piece.
    """

    label: str
    place: tuple[float, float, float]
    host: int
    aside: bool = False


class Riders:
    """All pieces that stand upon things on sites of one kind; `standing`: where their feet were last seen (mm)."""

    def __init__(
        self, game: Game[Any, Any], sites: Sequence[SiteSpec], hosts: Sequence[SiteSpec], paints: Paints, board: Raster
    ) -> None:
        self.sites, self._hosts, self._board = tuple(sites), tuple(hosts), board.eroded(0.5)
        self._number = {host.name.partition(":")[2]: k for k, host in enumerate(hosts)}
        self._spots: list[list[tuple[str, tuple[float, float]]]] = []
        feet, sticks = [], []
        for site in sites:
            looks = {label: [s for s in game.look(site.kind, label) if isinstance(s, Prism)] for label in site.labels}
            foot, stick = next((look[0], look[1]) for look in looks.values() if len(look) > 1)
            feet.append(paints.number(foot.colour))
            sticks.append(paints.number(stick.colour))
            self._spots.append([(label, _middle(look[0])) for label, look in looks.items() if look])
        self.foot, self.stick = foot, stick
        self.width = float(np.ptp(np.array(foot.footprint)[:, 0]))
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
        self._columns = tuple(dict.fromkeys([*sticks, *colours, *feet, *plain, *ground, paints.unsure]))
        column = self._columns.index
        self._sticks, self._feet = np.array([column(k) for k in sticks]), np.array([column(k) for k in feet])
        self._colours = np.array(sorted({column(k) for k in [*sticks, *colours]}))
        self._plain = np.array(sorted({column(k) for k in [*plain, *feet]} - set(self._colours.tolist())))
        self._unsure = column(paints.unsure)
        looks_of = [game.look(hosts[0].kind, label) for label in hosts[0].labels]
        self._tops = [(column(paints.number(look[0].colour)) if look else -1) for look in looks_of]
        self.standing: tuple[tuple[float, float, float], ...] = ()
        self._numbers = {number: k for k, number in enumerate(self._columns)}

    def spots(self, heights: Array) -> list[Spot]:
        """Where feet may be: on hosts of these heights (hosts,), and where labels say."""
        found: dict[tuple[str, tuple[float, float]], Spot] = {}
        strips: dict[str, list[tuple[float, float]]] = {}
        for spots in self._spots:
            for label, at in spots:
                if label not in self._number:
                    found[label, at] = Spot(label, (*at, 0.0), -1)
                    strips.setdefault(label, []).append(at)
        for label, places in strips.items():
            ends = sorted(set(places))
            if len(ends) > 2:  # several pieces have places of their own there: anywhere between will do
                for k in range(STEPS):
                    x, y = np.array(ends[0]) + (np.array(ends[-1]) - ends[0]) * k / (STEPS - 1)
                    found[label, (x, y)] = Spot(label, (float(x), float(y), 0.0), -1)
        angles = np.arange(6) * np.pi / 3
        for name, host in self._number.items():
            x, y, z = self._hosts[host].centre
            for aside in ASIDE:
                for a in angles[: 1 if not aside else 6]:
                    at = (x + aside * self.width * float(np.cos(a)), y + aside * self.width * float(np.sin(a)))
                    found[name, at] = Spot(name, (*at, z + float(heights[host])), host, aside > 0)
        return list(found.values())

    def read(
        self, image: Array, palette: Palette, pose: Pose, labels: Array, heights: Array, which: Array
    ) -> list[SiteReading]:
        """The pieces with the numbers `which`; on the hosts lie things with the labels (hosts,) of these heights."""
        spots = self.spots(heights)
        gains, visible = self._gains(image, palette, pose, spots, labels)
        chosen = self._together(gains, spots)
        self.standing = tuple(spots[k].place for k in chosen if k >= 0)
        return [self._reading(int(piece), gains, spots, chosen, visible) for piece in which]

    @property
    def bounds(self) -> tuple[float, float]:
        """Radius and height (mm) of a piece with whatever it carries."""
        return self.width / 2, self.stick.z1

    def _points(self, spots: Sequence[Spot]) -> tuple[Array, Array]:
        """Points on the axes (spots, levels, 3) and the feet's rims (spots, turns, 3)."""
        feet = np.array([spot.place for spot in spots])
        levels = np.linspace(self.foot.z1 + 4.0, self.stick.z1, LEVELS)
        axes = np.repeat(feet[:, None], LEVELS, axis=1)
        axes[:, :, 2] += levels
        turns = np.arange(TURNS) * 2 * np.pi / TURNS
        ring = 0.46 * self.width * np.column_stack([np.cos(turns), np.sin(turns)])
        rims = np.repeat(feet[:, None], TURNS, axis=1)
        rims[:, :, :2] += ring
        rims[:, :, 2] += self.foot.z1
        return axes, rims

    def _gains(
        self, image: Array, palette: Palette, pose: Pose, spots: Sequence[Spot], labels: Array
    ) -> tuple[Array, Array]:
        """What speaks for each piece on each spot (pieces, spots), and how much of it is in the picture (spots,)."""
        axes, rims = self._points(spots)
        tops = np.array([self._tops[int(labels[spot.host])] if spot.host >= 0 else -1 for spot in spots])
        inside = in_picture(pose.project(axes.reshape(-1, 3)), pose.lens.size).reshape(axes.shape[:2])
        gains = self._sticks_seen(image, palette, pose, axes)
        feet = self._feet_seen(image, palette, pose, spots, rims, tops)
        aside = np.array([spot.aside for spot in spots])
        feet = np.where(aside, np.minimum(feet, 0.0), feet)  # beside its place a rim may be before another host
        gains += RIM * feet - CROWDED * aside
        return gains + ABSENT, inside.mean(axis=1)

    def _sticks_seen(self, image: Array, palette: Palette, pose: Pose, axes: Array) -> Array:
        """How well the axes (spots, levels, 3) are coloured, the tips in each piece's colour (pieces, spots)."""
        nudged = (axes[:, None] + NUDGES[:, None]).reshape(-1, LEVELS, 3)
        at = pose.project(nudged.reshape(-1, 3))
        evidence = palette.read(image, at, self._columns).reshape(*nudged.shape[:2], -1)
        plain = np.maximum(self._ground(nudged, pose.camera, evidence), evidence[..., self._plain].max(axis=-1))
        best = evidence[..., self._colours].max(axis=-1)
        inside = in_picture(at, pose.lens.size).reshape(nudged.shape[:2])
        axis = AXIS * (np.clip(best - plain, -MOST, MOST) * inside).mean(axis=1)
        tip = np.s_[:, LEVELS - 3 :]
        own = [np.clip(evidence[tip][..., k] - best[tip], -MOST, 0.0).mean(axis=1) for k in self._sticks]
        seen: Array = (axis + TIP * np.array(own)).reshape(len(own), len(axes), len(NUDGES)).max(axis=2)
        return seen

    def _feet_seen(
        self, image: Array, palette: Palette, pose: Pose, spots: Sequence[Spot], rims: Array, tops: Array
    ) -> Array:
        """How well the rims (spots, turns, 3) show each piece's foot rather than what it stands on (pieces, spots)."""
        nudged = (rims[:, None] + NUDGES[:, None]).reshape(-1, TURNS, 3)
        at = pose.project(nudged.reshape(-1, 3))
        evidence = palette.read(image, at, self._columns).reshape(*nudged.shape[:2], -1)
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
        fits = [(np.clip(evidence[..., foot] - host, -MOST, MOST) * seen).sum(axis=1) / count for foot in self._feet]
        best: Array = np.array(fits).reshape(len(fits), len(spots), len(NUDGES)).max(axis=2)
        return best

    def _ground(self, points: Array, camera: Array, evidence: Array) -> Array:
        """How well points (spots, n, 3) show the bare board behind them (spots, n)."""
        sight = points - camera
        behind = camera + sight * (-camera[2] / sight[..., 2:])
        shown = self._board.at(behind[..., :2].reshape(-1, 2))
        column = np.array([self._numbers.get(int(k), self._unsure) for k in shown.ravel()]).reshape(points.shape[:2])
        fits: Array = np.take_along_axis(evidence, column[..., None], axis=2)[..., 0]
        return fits

    def _own(self, piece: int, spots: Sequence[Spot]) -> Array:
        """Which spots the piece may have."""
        labels = set(self.sites[piece].labels)
        return np.array([spot.label in labels for spot in spots])

    def _together(self, gains: Array, spots: Sequence[Spot]) -> list[int]:
        """The spot of each piece, -1 for none, so that no two stand in one place and the sum of gains is best."""
        places = np.array([spot.place[:2] for spot in spots])
        options = []
        for piece in range(len(gains)):
            own = np.where(self._own(piece, spots), gains[piece], -np.inf)
            order = [int(k) for k in np.argsort(-own)[: 4 * BEST] if own[k] > 0]
            options.append([*_spread(order, places, self.width)[:BEST], -1])
        most = [float(gains[k, option[0]]) if option[0] >= 0 else 0.0 for k, option in enumerate(options)]
        chosen = [-1] * len(gains)
        best, found = -1.0, list(chosen)

        def place(piece: int, total: float) -> None:
            nonlocal best, found
            if piece == len(gains):
                if total > best:
                    best, found = total, list(chosen)
                return
            if total + sum(most[piece:]) <= best:
                return
            for spot in options[piece]:
                if spot >= 0 and any(self._meet(places, spot, other) for other in chosen[:piece]):
                    continue
                chosen[piece] = spot
                place(piece + 1, total + (float(gains[piece, spot]) if spot >= 0 else 0.0))
            chosen[piece] = -1

        place(0, 0.0)
        return found

    def _meet(self, places: Array, spot: int, other: int) -> bool:
        return other >= 0 and float(np.hypot(*(places[spot] - places[other]))) < APART * self.width

    def _reading(
        self, piece: int, gains: Array, spots: Sequence[Spot], chosen: list[int], visible: Array
    ) -> SiteReading:
        """The likelihoods of a piece's labels, the others standing where they do or giving way."""
        labels = self.sites[piece].labels
        places = np.array([spot.place[:2] for spot in spots])
        scores = np.full(len(labels), -30.0)
        scores[0] = 0.0
        held = chosen[piece]
        for k in np.flatnonzero(self._own(piece, spots)).tolist():
            value = float(gains[piece, k])
            for other, spot in enumerate(chosen):
                if other != piece and spot >= 0 and self._meet(places, k, spot):
                    swapped = float(gains[other, held]) if held >= 0 and self._own(other, [spots[held]])[0] else 0.0
                    value += max(0.0, swapped) - float(gains[other, spot])
            index = labels.index(spots[k].label)
            scores[index] = max(scores[index], value)
        seen = float(visible[held]) if held >= 0 else 1.0
        return site_reading(labels, scores * 0.5, seen, -1e9)


def _spread(order: Sequence[int], places: Array, width: float) -> list[int]:
    """The best of spots that are close to each other."""
    kept: list[int] = []
    for k in order:
        if all(float(np.hypot(*(places[k] - places[j]))) > 0.2 * width for j in kept):
            kept.append(k)
    return kept


def _middle(solid: Prism) -> tuple[float, float]:
    points = np.array(solid.footprint)
    return float(points[:, 0].mean()), float(points[:, 1].mean())
