"""Reading flat pieces together with what stands on parts of them: tiles with their buildings.

What stands there hides parts of the pieces, and the pieces say where there are parts to stand on. So the pieces are
read first, then what stands on them is looked for, then pieces are read again without what is hidden, and last it is
said on which part each thing has its foot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Look
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.evidence import DOUBT, FOREIGN, SEEN, SURE, unsure
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import on_site
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import NOTHING, STEP, UNSURE, Paints, Raster, rasterise
from companion.vision.light.palette import EVEN, Column, Lit, Palette, averaged, sample
from companion.vision.networks.learned import CERTAIN, CONVINCED, DIMLY, DISPUTED, agreed
from companion.vision.readers.flat import LACKING, FlatKind, FlatPlan
from companion.vision.readers.roaming import Field, Found, Gain, Seeker
from companion.vision.reading import Hear, SiteReading
from companion.vision.scene.forms import Level, Thing

AROUND = 16.0
"""Millimetres beyond the pieces that are looked at: what stands at the edge hides what is there."""

EDGE = 3.0
"""A thing stands with its middle at least so many mm inside the piece."""

SLACK = 1.5
"""How far, in mm, a thing's middle typically is seen from where it is."""

NEAR = 1.05
"""Up to this distance, in sizes of the site, pieces are neighbours: what stands on one may hide parts of the other."""

HIDDEN, PERHAPS = 1, 2
"""So many points of the level around a thing are taken to be hidden, too; and perhaps so many. Of a castle that hid all
of a road's arm, and was seen 1 mm off, an edge stayed that seemed to be meadow.
"""

FAINT, LOST = 0.2, 0.15
"""Contrast (natural logarithm, in some channel) below which a thing's outline does not show; and the part of it that
may not show. Of 334 buildings none had more, of 8 fingertips and pieces of road all.
"""

MOSTLY = 0.65
"""Part of what a thing covers that has to show its colours. Of the same buildings all but one did."""

FEEBLE = 18.0
"""How much likelier (natural logarithm) a thing has to be than none: 70 is typical. Of 173 that were right none was
below 24, of 3 that were mistaken two below 13: under glare, where paints look like others in the shade.
"""

RIVAL = 0.35
"""Where a larger thing of its colour explains at least that part of what a thing does, it may as well be that one: in a
washed-out picture sides that lie in the shade do not show their colour. Of 68 houses that were found surely and rightly
it was 0.32 at most, of one that was a castle 0.40.
"""

SAME_COLOUR = 0.08
"""By how much (natural logarithm) a thing has to be darker than what it stands on in one channel than in another, lest
it be that in the shade. Of 27 green buildings on green land all had more than 0.6, of two more under strong glare one
had 0.10; of 6 hard shadows on it that nothing else made vague 5 had less than 0.06.
"""

DIM, FEWEST = 4.0, 20
"""Grey values added before the logarithm, so that noise in the dark does not look like a colour; and points that are
enough to tell one.
"""

RIM = 2.2
"""Millimetres from a thing's outline, on both sides, to where colours are compared."""

PLAUSIBLE = 0.02
"""Probability from which on a label of the piece is taken into account."""

TURNS = (0.0, 30.0, 60.0)
"""How things may stand turned, degrees."""

MOST = 4
"""Things that stand on one piece, at most."""

BARE = 0.5
"""Part of a part of the piece that has to be seen bare, for it to be known that nothing stands there."""


@dataclass(frozen=True, slots=True)
class LadenPlan:
    """What depends on the pose only: itself, the plan of the pieces, the level that things stand on, the numbers of its
    points nearest to the pieces' lattices (sites, points), and each piece's neighbours with itself.
    """

    pose: Pose
    host: FlatPlan
    level: Level
    nearest: Array
    neighbours: list[list[int]]


class _Piece(NamedTuple):
    """A piece looked at alone: its reading, the light on it, and how badly it is explained."""

    reading: SiteReading
    lit: Lit
    lack: float


@dataclass(frozen=True, slots=True)
class _Look:
    """Readings of pieces, and how badly each is explained; the part of the level that was looked at, and how well each
    point of it shows what lies there; what was found on each of the pieces on which things may stand, and places with
    the scores of what may be there besides.
    """

    hosts: Mapping[int, SiteReading]
    lack: Mapping[int, float]
    level: Level
    ground: Array
    found: Mapping[int, list[Found]]
    others: Mapping[int, tuple[Array, Mapping[str, Array]]]


@dataclass(slots=True)
class _Memory:
    """What was seen last by a plan in some light: the pieces looked at alone, what stood on them, and what all sites
    were read as.
    """

    plan: LadenPlan
    palette: Palette
    pieces: dict[int, _Piece]
    found: dict[int, list[Found]]
    read: dict[int, SiteReading]


class LadenKind:
    """Sites of flat pieces, and the sites of what stands on them."""

    def __init__(
        self, game: Game[Any, Any], hosts: Sequence[SiteSpec], riders: Sequence[SiteSpec], paints: Paints, board: Raster
    ) -> None:
        looks = {label: game.look(riders[0].kind, label) for label in riders[0].labels if label != EMPTY}
        self._things = [Thing(label, look, paints, turn) for label, look in looks.items() for turn in TURNS]
        self._upright = [thing for thing in self._things if thing.turn == TURNS[0]]
        over = dict.fromkeys(n for thing in self._things for n, _ in thing.colour if n < paints.unsure)
        self.host = FlatKind(game, hosts, paints, board, tuple(over))
        self.sites = (*hosts, *riders)
        self._count = len(hosts)
        numbers = {site.name: k for k, site in enumerate(self.sites)}
        self._bearing = {label for site in riders for label, _ in site.places}
        self._riders: list[list[int]] = [[] for _ in hosts]
        for k, site in enumerate(riders, start=self._count):
            self._riders[numbers[site.on]].append(k)
        faces = {label: game.look(hosts[0].kind, label) for label in self.host.labels}
        self._faces = {label: rasterise(look, paints) for label, look in faces.items() if look}
        self._plain = {label: face.eroded(0.8) for label, face in self._faces.items()}
        self._reach = max(float(np.abs(_outline(look)).max()) for look in faces.values() if look)
        shown = {k for face in (*self._faces.values(), board) for k in np.unique(face.values).tolist()}
        ground = sorted(k for k in shown if k < len(paints.colours))
        self._grounds = len(ground)  # so many columns, before those of things
        self._column_of = np.full(NOTHING + 1, -1)  # by the number of the paint; -1: none
        self._column_of[ground] = np.arange(len(ground))
        blends = (blend for thing in self._upright for blend in (thing.colour, thing.sides))
        self._columns: tuple[Column, ...] = (*ground, *blends)
        self._away: dict[tuple[str, float, float], Raster] = {}
        self._memory: _Memory | None = None
        self.astray = False
        """Whether pieces lie so far off their places as if the board lay elsewhere than the pose says: then nothing
        that is read of them is sure.
        """
        self.lying: dict[str, str] = {}
        """The labels of the pieces' sites, as they were read last."""

    def plan(self, pose: Pose) -> LadenPlan:
        """Where everything is in the picture."""
        places = np.array([site.centre for site in self.host.sites])
        reach = self._reach + AROUND
        low, high = places[:, :2].min(axis=0) - reach, places[:, :2].max(axis=0) + reach
        level = Level.over(pose, low, high, float(places[0, 2]) + self.host.top)
        on_level = np.stack([level.number(points) for points in self.host.places()])
        apart = np.linalg.norm(places[:, None, :2] - places[None, :, :2], axis=-1)
        near = [np.flatnonzero(row <= NEAR * self.host.sites[0].size).tolist() for row in apart]
        return LadenPlan(pose, self.host.plan(pose), level, on_level, near)

    def read(
        self, image: Array, palette: Palette, plan: LadenPlan, which: Array, hear: Hear, glance: bool = False
    ) -> list[SiteReading]:
        """The sites with the numbers `which`; `hear` asks others who look at the picture. At a `glance` what they still
        see stays as it was read, and what stands around is taken to be what was seen there last.
        """
        names = [self.sites[k].name for k in which.tolist()]
        seen = dict(zip(names, self._see(image, palette, plan, which, hear if glance else None), strict=True))
        self.lying |= {name: seen[name].label for name, k in zip(names, which.tolist(), strict=True) if k < self._count}
        told = hear(names)
        seen |= {name: unsure(seen[name]) for name in self.disputed(seen, told)}
        overlooked = self.overlooked(seen, told)
        both = {name: agreed(one, told[name], least=DIMLY) if name in told else one for name, one in seen.items()}
        doubtful = both if self.astray else overlooked  # others look at the wrong places, too
        return [unsure(one) if name in doubtful else one for name, one in both.items()]

    def look_around(self, image: Array, palette: Palette, plan: LadenPlan) -> None:
        """Sees all pieces and what stands on them, for later glances."""
        self._see(image, palette, plan, np.arange(len(self.sites)), None)

    def _see(
        self, image: Array, palette: Palette, plan: LadenPlan, which: Array, glance: Hear | None
    ) -> list[SiteReading]:
        """The sites with the numbers `which`, as they look by themselves; or at a `glance`, which asks others."""
        if self._memory is None or self._memory.plan is not plan or self._memory.palette is not palette:
            self._memory = _Memory(plan, palette, {}, {}, {})
        memory = self._memory
        rider_of = {k: host for host, riders in enumerate(self._riders) for k in riders}
        wanted = sorted({rider_of.get(k, k) for k in which.tolist()})
        pieces = self._alone(image, palette, plan, wanted)
        if glance:
            wanted = [host for host in wanted if not self._stays(host, pieces[host].reading, memory.read, glance)]
        if wanted:
            around = {other for host in wanted for other in plan.neighbours[host]}.difference(wanted)
            known = memory.pieces.keys() & around if glance else set()
            pieces |= {k: memory.pieces[k] for k in known - pieces.keys()}
            pieces |= self._alone(image, palette, plan, sorted(around - pieces.keys()))
            found = {k: memory.found[k] for k in sorted(known & memory.found.keys())}
            look = self._look(image, palette, plan, wanted, pieces, found)
            for host in wanted:  # what stands around may be covered just now
                memory.pieces[host], memory.found[host] = pieces[host], look.found.get(host, [])
                memory.read |= self._read(host, look)
        return [memory.read[k] for k in which.tolist()]

    def _stays(self, host: int, piece: SiteReading, read: Mapping[int, SiteReading], hear: Hear) -> bool:
        """Whether a piece and what stands on it surely are what was read last: it shows the same alone, and others see
        the same on all of its parts.
        """
        if host not in read or piece.label != read[host].label or min(piece.trust, read[host].trust) < SURE:
            return False
        parts = [k for k in self._riders[host] if read[k].visible > 0]
        told = hear([self.sites[k].name for k in parts]) if parts else {}
        heard = [told.get(self.sites[k].name) for k in parts]
        return all(
            said is not None and said.label == read[k].label and said.trust > CERTAIN and read[k].trust >= SURE
            for k, said in zip(parts, heard, strict=True)
        )

    def _read(self, host: int, look: _Look) -> dict[int, SiteReading]:
        """A piece that was looked at, and what stands on its parts."""
        found = look.found.get(host, [])
        parts = {label: self._parts(host, label) for label in self._labels(look.hosts[host])}
        read = self._standing(look.hosts[host], host, parts, found)
        return {host: read, **self._ride(host, read, parts, found, look)}

    def disputed(self, seen: Mapping[str, SiteReading], told: Mapping[str, SiteReading]) -> set[str]:
        """Those of the pieces `seen` on which a network that looks has `told` of another thing than was found: what is
        taken for a thing, or for none, is taken for a part of the piece too. Where it was found, if not surely, the
        piece was read without it as well.
        """
        riders = [site for site in self.sites[self._count :] if site.name in seen.keys() & told.keys()]
        return {
            site.on
            for site in riders
            if seen[site.name].visible > 0
            and seen[site.name].label != told[site.name].label
            and seen[site.name].chances[seen[site.name].labels.index(told[site.name].label)] < PLAUSIBLE
            and told[site.name].confidence > CONVINCED
        } & seen.keys()

    def overlooked(self, seen: Mapping[str, SiteReading], told: Mapping[str, SiteReading]) -> set[str]:
        """Those of the parts `seen`, none of them surely, that a network has `told` to be bare, while on the same part,
        where another tile would have one of its own, it sees a thing: it looks at a small piece of a large part.
        """
        found = set()
        for host, riders in enumerate(self._riders):
            piece = seen.get(self.sites[host].name)
            if piece is None:
                continue
            things = [k for k in riders if self._is_thing(told.get(self.sites[k].name))]
            if not things:
                continue
            where = np.array([self.sites[k].at(piece.label).centre[:2] for k in things])
            places = on_site(self.host.sites[host], where)
            parts = self._parts(host, piece.label)
            for k in (k for k in riders if k in parts and self.sites[k].name in seen):
                name = self.sites[k].name
                bare = seen[name].trust < SURE and name in told and told[name].label == EMPTY
                if bare and (parts[k].at(places) == 0).any():
                    found.add(name)
        return found

    @staticmethod
    def _is_thing(told: SiteReading | None) -> bool:
        return told is not None and told.label != EMPTY and told.confidence > CONVINCED

    def _alone(self, image: Array, palette: Palette, plan: LadenPlan, hosts: Sequence[int]) -> dict[int, _Piece]:
        """Some pieces, each looked at alone."""
        if not hosts:
            return {}
        looked = self.host.look(image, palette, plan.host, np.array(hosts))
        pieces = map(_Piece, looked.readings, looked.lit, looked.lack.tolist())
        return dict(zip(hosts, pieces, strict=True))

    def _look(
        self,
        image: Array,
        palette: Palette,
        plan: LadenPlan,
        wanted: Sequence[int],
        pieces: Mapping[int, _Piece],
        known: Mapping[int, list[Found]],
    ) -> _Look:
        """The pieces with the numbers `wanted`, and what stands on them and on their neighbours: all `pieces` were
        looked at alone, and on some it is `known` what stands there.
        """
        near = sorted({other for host in wanted for other in plan.neighbours[host]})
        first = {k: pieces[k].reading for k in near}
        around = (plan.level.window(np.array(self.host.sites[k].centre[:2]), self._reach + AROUND) for k in near)
        level = plan.level.part(list(around))
        ground, gains = self._gains(image, palette, level, first, {k: pieces[k].lit for k in near})
        laden = [host for host in near if not self._bearing.isdisjoint(self._labels(first[host]))]
        laden = [host for host in laden if host not in known]
        fields = [Field(np.array(self.host.sites[host].centre[:2]), self._reach - EDGE) for host in laden]
        seeker = Seeker(self._things, level, fields, ground, gains)
        found: dict[int, list[Found]] = {host: [] for host in laden}
        for one in seeker.find(MOST, [one for there in known.values() for one in there]):
            host = laden[one.field]
            vague = self._vague(image, palette, plan, one) or self._shaded(image, plan, one, host, first[host].label)
            found[host].append(one.doubted() if vague else self._or_larger(one))
        found |= known
        every = [one for there in found.values() for one in there]
        lack = {k: pieces[k].lack for k in near}
        hosts = first | self._again(image, palette, plan, wanted, every, lack)
        for host in self._behind(plan, wanted, [one for one in every if one.vague]):
            hosts[host] = _either(first[host], hosts[host])
        others = {host: seeker.others(k) for k, host in enumerate(laden)}
        return _Look(hosts, lack, level, ground, found, others)

    def aligned(self, image: Array, palette: Palette, plan: LadenPlan) -> LadenPlan:
        """The plan with the pose as the pieces tell it."""
        readings = self.host.read(image, palette, plan.host, np.arange(self._count))
        pose, self.astray = self.host.aligned(image, palette, plan.pose, readings)
        return plan if pose is None else self.plan(pose)

    def sure(self, image: Array, palette: Palette, plan: LadenPlan) -> tuple[Array, Array]:
        """Pixels (n, 2) whose paint is beyond doubt, and the numbers (n,) of the paints."""
        at, numbers = self.host.sure(image, palette, plan.host)
        better = palette.fitted(numbers, sample(image, at))
        every = range(self._count)
        look = self._look(image, better, plan, every, self._alone(image, better, plan, every), {})
        for one in (one for there in look.found.values() for one in there):
            if one.score > DOUBT and one.fits > SEEN and not one.vague:
                upper, paints = one.thing.upper(plan.pose, one.place, plan.level.z)
                at, numbers = np.concatenate([at, upper]), np.concatenate([numbers, paints])
        return at, numbers

    def _labels(self, host: SiteReading) -> dict[str, float]:
        """The labels that the piece may have, with their probabilities."""
        likelihood = np.exp(host.log_likelihood - host.log_likelihood.max())
        labels = zip(host.labels, (likelihood / likelihood.sum()).tolist(), strict=True)
        return {label: p for label, p in labels if p > PLAUSIBLE and label != EMPTY}

    def _gains(
        self, image: Array, palette: Palette, level: Level, hosts: Mapping[int, SiteReading], lit: Mapping[int, Lit]
    ) -> tuple[Array, dict[str, Gain]]:
        """How well what lies at each point of the level explains it, and how much better the things' colours do."""
        concerned = np.zeros(level.shape, bool)
        windows = {k: level.window(np.array(self.host.sites[k].centre[:2]), self._reach + AROUND) for k in hosts}
        for window in windows.values():
            concerned[window] = True
        concerned &= level.inside
        at, shape = level.at.reshape(-1, 2), (len(self._columns), *level.shape)
        evidence = np.ascontiguousarray(palette.read(image, at, self._columns).T).reshape(shape)
        for k in (k for k in hosts if lit[k] != EVEN):
            window = level.window(np.array(self.host.sites[k].centre[:2]), self._reach)
            read = palette.read(image, level.at[window].reshape(-1, 2), self._columns, lit[k])
            here = evidence[:, *window]
            here[:] = read.T.reshape(here.shape)
        evidence *= concerned
        count = self._grounds
        ground = evidence[:count].max(axis=0)
        for k, host in hosts.items():
            window = level.window(np.array(self.host.sites[k].centre[:2]), self._reach)
            self._expect(k, self._labels(host), level.points(window), evidence[:, *window], ground[window])
        things = evidence[count:] - np.maximum(ground, FOREIGN)
        gains = zip(things[::2], things[1::2], strict=True)
        return ground, {thing.label: Gain(*gain) for thing, gain in zip(self._upright, gains, strict=True)}

    def _expect(self, host: int, labels: Collection[str], points: Array, evidence: Array, ground: Array) -> None:
        """Narrows `ground` down to what the piece may show at `points` with one of the labels, where that is sure."""
        if not labels:
            return
        places = on_site(self.host.sites[host], points.reshape(-1, 2))
        shown = np.stack([self._plain[label].at(places).reshape(points.shape[:2]) for label in labels])
        sure = (shown < UNSURE).all(axis=0)
        column = self._column_of[shown]
        told = np.where(column < 0, -np.inf, np.take_along_axis(evidence, column, axis=0))
        np.copyto(ground, told.max(axis=0), where=sure)

    def _again(
        self,
        image: Array,
        palette: Palette,
        plan: LadenPlan,
        wanted: Sequence[int],
        found: Sequence[Found],
        lack: dict[int, float],
    ) -> dict[int, SiteReading]:
        """The pieces of which things hide a part, read without it; `lack` is renewed. Of what lies close to a thing it
        is not said whether it is a part of the thing, so nobody is sure who is only with it, or only without.
        """
        read: dict[int, SiteReading] = {}
        for around in (PERHAPS, HIDDEN):
            behind = self._behind(plan, wanted, found, around)
            if not behind:
                break
            look = self.host.look(image, palette, plan.host, np.array(list(behind)), np.stack(list(behind.values())))
            lack.update(zip(behind, look.lack.tolist(), strict=True))
            for host, seen in zip(behind, look.readings, strict=True):
                read[host] = _either(read[host], seen) if host in read else seen
        return read

    def _behind(
        self, plan: LadenPlan, wanted: Sequence[int], found: Sequence[Found], around: int = HIDDEN
    ) -> dict[int, Array]:
        """Those of the pieces with the numbers `wanted` of which things, and so many points `around` them, hide a part,
        and at which points (n,).
        """
        mask = np.zeros(plan.level.shape, np.uint8)
        for one in found:
            plan.level.fill(mask, one.outlines)
        hidden = np.asarray(cv2.dilate(mask, np.ones((2 * around + 1, 2 * around + 1), np.uint8))).ravel()
        return {host: points for host in wanted if (points := hidden[plan.nearest[host]] > 0).any()}

    def _vague(self, image: Array, palette: Palette, plan: LadenPlan, found: Found) -> bool:
        """Whether it may be no thing at all: where a part of its outline does not show, as of fingers and roads that go
        on where it should end, or too little of its colours does, as where it may be a shadow; or whether it hardly
        explains more than none does.
        """
        if found.fits < MOSTLY or found.score < FEEBLE:
            return True
        factor = max(2, round(RIM / 2 * plan.pose.scale(np.zeros(3))))
        seen = [palette.scale(averaged(image, at, factor)) for at in plan.level.along(found.outlines, RIM)]
        return float((np.abs(seen[0] - seen[1]).max(axis=1) < FAINT).mean()) > LOST

    def _shaded(self, image: Array, plan: LadenPlan, found: Found, host: int, label: str) -> bool:
        """Whether it may be but a part of the piece in the shade: from above it has the colour of the parts on which
        things stand, as the piece shows it elsewhere, only darker or brighter.
        """
        site, level = self.host.sites[host], plan.level
        places = [place[:2] for k in self._riders[host] if (place := self.sites[k].place(label)) is not None]
        if not places:
            return False
        below = self._faces[label].at(on_site(site, np.array(places)))
        window = level.window(np.array(site.centre[:2]), self._reach)
        hidden = np.zeros(level.shape, np.uint8)
        level.fill(hidden, found.outlines)
        shown = self._plain[label].at(on_site(site, level.points(window).reshape(-1, 2))).reshape(hidden[window].shape)
        ground = level.at[window][np.isin(shown, below) & level.inside[window] & (hidden[window] == 0)]
        upper, _ = found.thing.upper(plan.pose, found.place, level.z)
        if min(len(ground), len(upper)) < FEWEST:
            return False
        one, other = (np.log(np.median(sample(image, at), axis=0) + DIM) for at in (upper, ground))
        return float(np.ptp(one - other)) < SAME_COLOUR

    def _or_larger(self, found: Found) -> Found:
        """The same, hardly likelier than a larger thing of its colour that explains a good part of what it does."""
        own = {paint for paint, _ in found.thing.colour}
        alike = [one for one in self._upright if not own.isdisjoint(paint for paint, _ in one.colour)]
        larger = {one.label for one in alike if one.area > found.thing.area}
        best = max((float(found.scores[label].max()) for label in larger & found.scores.keys()), default=-np.inf)
        if best < RIVAL * found.score:
            return found
        limited = np.minimum(found.scores[found.label], best + DISPUTED)
        return replace(found, scores={**found.scores, found.label: limited})

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _standing(
        self, read: SiteReading, host: int, parts: Mapping[str, Mapping[int, Raster]], found: Sequence[Found]
    ) -> SiteReading:
        """The reading of a piece, its labels less likely where found things would stand beside all of their parts."""
        sure = [one for one in found if not one.vague]
        if not sure:
            return read
        cost = np.zeros(len(read.labels))
        for one in sure:
            place = on_site(self.host.sites[host], one.place[None])
            for k, label in enumerate(read.labels):
                away = min((float(raster.at(place)[0]) for raster in parts.get(label, {}).values()), default=np.inf)
                cost[k] += 0.5 * (away / SLACK) ** 2
        likelihood = read.log_likelihood - np.minimum(cost, DOUBT)
        return replace(read, log_likelihood=likelihood.astype(np.float32))

    def _ride(
        self,
        host: int,
        read: SiteReading,
        parts: Mapping[str, Mapping[int, Raster]],
        found: Sequence[Found],
        look: _Look,
    ) -> dict[int, SiteReading]:
        """What stands on the parts of a piece; parts that it does not have are not visible."""
        riders = self._riders[host]
        labels = self.sites[riders[0]].labels
        total = {k: np.full(len(labels), -np.inf) for k in riders}
        trust = 1 / max(1.0, look.lack[host] / LACKING) ** 2
        seen: dict[int, float] = {}
        for label, probability in self._labels(read).items():
            for k, scores in self._scores(labels, parts.get(label, {}), found, look, host).items():
                chances = trust * scores - np.logaddexp.reduce(trust * scores)
                total[k] = np.logaddexp(total[k], np.log(probability) + chances)
                if k not in seen:
                    seen[k] = self._seen(host, parts[label][k], look.level, look.ground)
        fits = {one.label: one.fits for one in found}
        return {k: _reading(labels, total[k], seen[k], fits) if k in seen else _nothing(labels) for k in riders}

    def _scores(
        self, labels: Sequence[str], away: Mapping[int, Raster], found: Sequence[Found], look: _Look, host: int
    ) -> dict[int, Array]:
        """For each part (by its site) how much likelier each label is than none (natural logarithms)."""
        things = np.array([label != EMPTY for label in labels])
        best = self._at(labels, away, *look.others.get(host, (np.empty((0, 2)), {})), host)
        for k in away:
            best[k] = np.where(things, np.minimum(best[k], 0.0), 0.0)
        for one in found:
            here = self._at(labels, away, one.places, one.scores, host)
            for k in away:
                elsewhere = max((float(here[other].max()) for other in away if other != k), default=0.0)
                best[k][things] = np.maximum(best[k], here[k] - max(0.0, elsewhere))[things]
        return best

    def _at(
        self, labels: Sequence[str], away: Mapping[int, Raster], places: Array, scores: Mapping[str, Array], host: int
    ) -> dict[int, Array]:
        """For each part (by its site) the best score of each label at one of the places (n, 2)."""
        on_piece = on_site(self.host.sites[host], places)
        cost = {k: 0.5 * np.square(raster.at(on_piece) / SLACK) for k, raster in away.items()}
        best = {}
        for k in away:
            found = [float((scores[n] - cost[k]).max()) if n in scores else -DOUBT for n in labels]
            best[k] = np.maximum(np.array(found), -DOUBT)
        return best

    def _parts(self, host: int, label: str) -> dict[int, Raster]:
        """For each part that the piece has with that label (by its site) how far away it is, in mm."""
        parts = {}
        for k in self._riders[host]:
            place = self.sites[k].place(label)
            if place is not None:
                x, y = on_site(self.host.sites[host], np.array([place[:2]]))[0]
                parts[k] = self._part(label, round(float(x), 1), round(float(y), 1))
        return parts

    def _part(self, label: str, x: float, y: float) -> Raster:
        """How far (mm) points are from the area of one colour in which (x, y) lies on the piece's face."""
        key = (label, x, y)
        if key not in self._away:
            face = self._faces[label]
            column, row = round((x - face.origin[0]) / STEP), round((y - face.origin[1]) / STEP)
            alike = (face.values == face.values[row, column]).astype(np.uint8)
            _, areas = cv2.connectedComponents(alike, connectivity=4)
            others = (np.asarray(areas) != areas[row, column]).astype(np.uint8)
            self._away[key] = Raster(_distances(others) * STEP, face.origin)
        return self._away[key]

    def _seen(self, host: int, away: Raster, level: Level, ground: Array) -> float:
        """Which part of an area of the piece is seen to be bare."""
        window = level.window(np.array(self.host.sites[host].centre[:2]), self._reach)
        points = level.points(window)
        inside = away.at(on_site(self.host.sites[host], points.reshape(-1, 2))).reshape(points.shape[:2]) == 0
        return float((ground[window][inside] > 0).mean()) if inside.any() else 0.0


def _reading(labels: tuple[str, ...], scores: Array, seen: float, fits: Mapping[str, float]) -> SiteReading:
    """A part that the piece has. `seen`: how much of it is seen bare; `fits`: how well each thing on the piece fits."""
    scores = np.maximum(scores, scores.max() - DOUBT).astype(np.float32)
    reading = SiteReading(labels, scores)
    if reading.label != EMPTY:
        return replace(reading, visible=min(1.0, fits.get(reading.label, 0.0) / 0.8))
    return unsure(reading) if seen < BARE else replace(reading, visible=min(1.0, seen / 0.9))


def _either(one: SiteReading, other: SiteReading) -> SiteReading:
    """What is read if one of two readings is right, and nobody knows which."""
    chances = [read.log_likelihood - np.logaddexp.reduce(read.log_likelihood) for read in (one, other)]
    return SiteReading(one.labels, np.logaddexp(*chances), min(one.visible, other.visible))


def _nothing(labels: tuple[str, ...]) -> SiteReading:
    """A part that the piece has not."""
    return SiteReading(labels, np.zeros(len(labels), np.float32), 0.0)


def _distances(mask: Array) -> Array:
    """How far (points) each point of a mask is from its zeros."""
    return np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 5))


def _outline(look: Look) -> Array:
    return np.array([point for solid in look for point in getattr(solid, "footprint", ())])
