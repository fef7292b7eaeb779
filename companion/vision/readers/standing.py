"""Reading what stands on the table: figures, walls, buildings. Such things hide each other, so all sites of a game on
which they stand are explained together, by rendering.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.sites import SiteSpec
from companion.vision.evidence import disputed, site_reading, unsure
from companion.vision.geometry.grid import Shot, distinct
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints, Raster
from companion.vision.light.gloss import AT_FIRST, DAZZLING, Lobe, find_lobe
from companion.vision.light.palette import SOFT, Palette
from companion.vision.light.pallor import added_light
from companion.vision.light.tones import Gloss, Tones
from companion.vision.locating.beside import Beside
from companion.vision.networks.learned import CERTAIN, CONVINCED, DISPUTED, agreed, glimpsed, no_surer
from companion.vision.readers import clarity
from companion.vision.readers.doubts import FEWEST, Doubts
from companion.vision.reading import Hear, SiteReading, Told
from companion.vision.scene.crowd import CrowdSearch
from companion.vision.scene.explanation import Explanation, Fit, State, crowd
from companion.vision.scene.seen import Seen
from companion.vision.scene.stage import Stage, StagePlan

PLAINLY_SHOWN = 0.06
"""How clear beside what is typical a site has to be, at least once, for surfaces to be learned from all sites that seem
to show them: on a bare board printed lines may look like things.
"""

TELLING = 0.4
"""How clear beside the clearest site that seems to show the same a site has to be for surfaces to be learned from it:
where a set is far from its file, walls may look like places without one.
"""

ALONE_SHOWN = 0.25
"""How clear, a point, what is alone of its kind has to be beside what is typical of another kind, for that."""

MANY = 10
"""Sites of a kind from which on they tell what is typical."""

FAR_BELOW = -1e3
"""Height of what shows where nothing stands: everything hides it."""

HEARD = 0.08
"""How much better, a point that a thing covers, it explains the picture for each e-fold by which others find it
likelier.
"""

STAYS, STAYED = 3.0, 9.0
"""How much likelier (natural logarithm) it is that a site shows what it showed before, where something has changed, and
where nothing has been seen to change: corners beside each other may look like others that are turned otherwise.
"""

KNOWN, SHOWN = 0.99, 0.5
"""Confidence and visible part from which what a site shows is kept for that: a guess must not confirm itself. Of 31
walls with a confidence of 0.9 to 0.99 two were mistaken, of 100 with one of 0.99 to 0.999 none (seeds 840000 on).
"""

ENOUGH = 0.9
"""Trust from which what was read stands as it is, where others still see the same at a glance."""

LEARNED = 0.75
"""Confidence from which a site shows how surfaces look that were not seen before."""

PART_OF_A_THING = 0.3
"""By so much, a point that a thing covers, one pose of what lies beside the board has to explain the picture better for
the others to be forgotten.
"""

FARTHER = 0.3
"""By so much, a point that it covers, something beside the board has to explain the picture better farther from its
place.
"""

PART_OF_THE_CLEAREST = 0.25
"""How well, beside the clearest thing of a pile, one more has to explain what it covers: the table beside it may look a
little like one.
"""

AROUND = 0.7
"""What those count who look at what would have to change around a site, beside who looks at it: they see the same arms.
Of 9500 crossings 39 are then misread, 47 with 1, 53 with 0.4, 219 with 0 (seeds 920000 to 920179).
"""

BARELY = 0.65
"""What has to be explained of a site for what stands around to overrule what others see on it: of 18 sites in 28
pictures, each with and without hard shadows, of which less was, 8 were mistaken; of 188 others 10.
"""

DENIED, BY_LITTLE = 4.6, 4.0
"""What others find so much less likely (natural logarithm) than what they see on a site must be likelier than anything
else by so much, given what stands around, to be sure. Of 10200 crossings that were sure this concerns 8, all right, and
one in the colour of the grooves around it that was surely misread (seed 800040).
"""

BELIEVED = 0.9
"""How sure others have to be, who see by itself what stands on a site, for anybody to be surer. Of 9000 sites of
Labyria that were surely right they doubted 4 so much, and 2 of 2 surely wrong ones.
"""

HARDLY = 1e-3
"""What is less probable than this to others is not expected."""

GROUND = 20000
"""Points of the bare board that are looked at for its colour, about."""


class StandingKind:
    """All sites of a game on which things stand."""

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec], paints: Paints, board: Raster) -> None:
        self.sites = tuple(sites)
        self._stage = Stage.of(game, sites, paints, board)
        self._surfaces, self._printed = self._stage.surfaces, self._stage.printed
        self._doubts = Doubts(self._stage)
        self._growing, self._clashes = self._stage.growing, self._stage.clashes
        self._crowd = crowd(self._clashes, range(len(self.sites)))
        self._beside = Beside(game)
        self._stood: dict[int, int] = {}  # the numbers of the labels that sites surely showed last
        self._read: dict[int, SiteReading] = {}  # what was read last
        self._fits: dict[int, Fit] = {}  # what explained that

    def plan(self, pose: Pose) -> StagePlan:
        """Which points of the picture each thing covers for the camera."""
        self._beside.follow(pose)
        return self._stage.plan(pose, self._beside.poses[0])

    @property
    def beside(self) -> Sequence[Pose]:
        """The poses that what lies beside the board may have, the likeliest first; none where no sites are there."""
        return self._beside.poses if self._stage.beside else ()

    def read(
        self, image: Array, palette: Palette, plan: StagePlan, which: Array, hear: Hear, glance: bool = False
    ) -> list[SiteReading]:
        """The sites with the numbers `which`; `hear` asks others who look at the picture. At a `glance` these
        are believed where they surely see something, or rather what was there.
        """
        shot, others, explained = Shot(plan.grid, image), hear, None
        hear = self._not_dazzled(plan, others)
        self._look_anew(plan, which.tolist())
        if plan.tones is None or plan.palette is not palette:
            if len(which) == len(self.sites):
                self._read.clear()
            (plan.tones, explained), plan.palette = self._tones(shot, palette, plan, hear), palette
            self._fits.clear()
        closely = self._glance(plan, self._moving(plan, which), hear) if glance else which
        if len(closely):
            explained = explained if len(closely) == len(self.sites) else None
            readings = self._closely(shot, plan, closely, hear, explained)
            readings = self._contradicted(plan, closely.tolist(), readings, others)
            self._read.update(zip(closely.tolist(), readings, strict=True))
            if self._may_mirror(shot, plan):  # then nothing is sure that was read so far
                plan.tones = None
                self._read.clear()
                self._stood.clear()
                return self.read(image, palette, plan, which, others)
        return [self._read[number] for number in which.tolist()]

    def _moving(self, plan: StagePlan, which: Array) -> Array:
        """The sites with the numbers `which`, without what may be anywhere and surely is where nothing has changed: it
        cannot have come to anywhere else.
        """
        placed = [number for number in which.tolist() if not self.sites[number].roving]
        stays = self._elsewhere(plan, set(which.tolist()).difference(placed), placed)
        return which[~np.isin(which, list(stays))]

    def _elsewhere(self, plan: StagePlan, roving: Collection[int], placed: Sequence[int]) -> set[int]:
        """Which of the sites `roving`, of what may be anywhere, surely show it where none of the sites `placed` is."""
        sure = {k for k in roving if k in self._read and self._read[k].trust > CERTAIN and k in self._fits}
        lies = {k: self._fits[k].states[self._fits[k].state] for k in sure}
        shown = {k for k, state in lies.items() if state.label and state.label == self._read[k].chances.argmax()}
        if not shown or not placed:
            return set()
        reached = self._reached(plan, placed, placed)
        return {k for k in shown if not reached[lies[k].at].any()}

    def _glance(self, plan: StagePlan, which: Array, hear: Hear) -> Array:
        """Believes others of the sites with the numbers `which` where they surely see something, or rather what was
        there; the rest, which is to be looked at closely at once. Where nothing is any more, a hand may be; and of
        several new things, or where a place nearby is unknown, one may be mistaken for another. Where there is no room
        for anything else, all is as it was.
        """
        names = {self.sites[number].name: number for number in which.tolist()}
        told = {names[name]: said for name, said in hear(list(names)).items() if names.get(name) in self._read}
        believed = {
            number: said
            for number, said in told.items()
            if said.label == self._read[number].label
            or (said.trust > CERTAIN and said.label in self.sites[number].labels[1:])
        }
        new = {number for number, said in believed.items() if said.label != self._read[number].label}
        unknown = {number for number in which.tolist() if number not in believed}
        open_to_change = unknown | new
        full = {k for k in open_to_change & told.keys() if self._has_no_room(k, told[k], open_to_change)}
        new, unknown = new - full, unknown - full
        believed = {number: said for number, said in believed.items() if number not in full}
        for number in new:
            if len(new) > 1 or self._crowd[number] & unknown:
                del believed[number]
        for number, said in believed.items():
            if said.trust > CERTAIN and said.label == self._read[number].label and self._read[number].trust >= ENOUGH:
                continue
            self._read[number] = glimpsed(said)
            self._fits.pop(number, None)
            if said.trust > CERTAIN:
                self._stood.pop(number, None)
        return np.array([number for number in which.tolist() if number not in believed.keys() | full], np.intp)

    def _has_no_room(self, number: int, said: Told, open_to_change: set[int]) -> bool:
        """Whether what others have `said` of a site, but for what it surely showed, cannot be beside what surely stands
        on sites that are not `open_to_change`: where arms of other things meet, they look like one's own.
        """
        was = self._read[number]

        def stands(site: int, thing: int) -> bool:
            there = self._read.get(site) if site not in open_to_change else None
            return there is not None and there.label == there.labels[thing] and there.trust > CERTAIN

        others = [k for k in np.flatnonzero(said.chances > HARDLY).tolist() if was.labels[k] != was.label]
        kept_out = (any(stands(*beside) for beside in self._clashes.get((number, label), ())) for label in others)
        return was.trust > CERTAIN and all(kept_out)

    def _closely(
        self, shot: Shot, plan: StagePlan, which: Array, hear: Hear, explained: Explanation | None
    ) -> list[SiteReading]:
        """The sites with the numbers `which`, explained together with what stands around; `explained`: how they are
        already, if what lies beside the board has but one pose.
        """
        assert plan.tones is not None
        if len(self._beside.poses) > 1 and not set(self._stage.beside).isdisjoint(which.tolist()):
            self._find_beside(shot, plan.tones, plan, hear)
            explained = None
        explanation = explained or self._explain(shot, plan.tones, plan, which.tolist(), hear)
        explanation.exchange()
        alone = {number for number in which.tolist() if number not in plan.crowds}
        self._fits |= {site: explanation.fit(site) for site in explanation.chosen.keys() & (alone | self._fits.keys())}
        told = self._told(explanation, which.tolist(), hear)
        unheard = [number for number, said in zip(which.tolist(), told, strict=True) if said is None]
        shown = self._shown(explanation, plan)
        odd = self._doubts.odd(shot, explanation, shown, plan, which.tolist(), unheard)
        labels = [explanation.state(number, explanation.chosen[number]).label for number in which.tolist()]
        own = zip(which.tolist(), clarity.readings(self._stage, explanation, plan, which.tolist()), labels, strict=True)
        seen = [unsure(one) if number in odd or one.label != one.labels[k] else one for number, one, k in own]
        agreeing = [agreed(one, said) if said else one for one, said in zip(seen, told, strict=True)]
        words = hear([self.sites[number].name for number in which.tolist()])
        talked_over = {
            number
            for number, one, said in zip(which.tolist(), seen, told, strict=True)
            if said and _overruled(words[self.sites[number].name], said, one)
        }
        agreeing = [unsure(one) if k in talked_over else one for k, one in zip(which.tolist(), agreeing, strict=True)]
        heard = (words.get(self.sites[number].name) for number in which.tolist())
        agreeing = [_no_surer(one, word) if word else one for one, word in zip(agreeing, heard, strict=True)]
        readings = self._with_room(dict(zip(which.tolist(), agreeing, strict=True)), odd)
        learned = []
        for number, label, one in zip(which.tolist(), labels, readings, strict=True):
            if one.visible >= SHOWN and one.label == one.labels[label]:
                if one.confidence > KNOWN:
                    self._stood[number] = label
                if one.confidence > LEARNED:
                    learned.append(number)
        if learned:
            before, plan.tones = plan.tones, self._joined(shot, explanation, shown, plan, learned)
            if plan.tones is not before:
                self._fits = {site: fit._replace(weights=None) for site, fit in self._fits.items()}
        return readings

    def _contradicted(
        self, plan: StagePlan, which: Sequence[int], readings: Sequence[SiteReading], hear: Hear
    ) -> list[SiteReading]:
        """The readings of some sites; where things mirror a lamp nobody is sure of what others see otherwise, or doubt:
        it may be washed out.
        """
        names = [self.sites[number].name for number in which if number in plan.dazzling]
        said = hear(names) if names else {}
        other = (said.get(self.sites[number].name) if number in plan.dazzling else None for number in which)

        def doubted(one: SiteReading, word: Told) -> SiteReading:
            return unsure(one) if word.label != one.label and word.trust > CONVINCED else _no_surer(one, word)

        return [doubted(one, word) if word else one for one, word in zip(readings, other, strict=True)]

    def _with_room(self, read: Mapping[int, SiteReading], odd: set[int]) -> list[SiteReading]:
        """Sites as they were `read` together, none surer of a thing than that none of them shows one that leaves it no
        room. Of those that are `odd` nobody knows what they show.
        """
        shown = {number: one for number, one in read.items() if number not in odd}
        chances: dict[int, Array] = {}

        def chance(number: int) -> Array:
            if number not in chances:
                chances[number] = shown[number].chances
            return chances[number]

        def crowded(number: int, label: int) -> float:
            against: dict[int, float] = {}
            for other, thing in self._clashes.get((number, label), ()):
                if other in shown:
                    against[other] = against.get(other, 0.0) + float(chance(other)[thing])
            return max(against.values(), default=0.0)

        return [disputed(one, crowded(k, one.labels.index(one.label))) for k, one in read.items()]

    def _find_beside(self, shot: Shot, tones: Tones, plan: StagePlan, hear: Hear) -> None:
        """Looks which of its poses what lies beside the board has; where nothing lies there, any is as good."""
        totals, beside = [], self._stage.beside
        for pose in self._beside.poses:
            self._stage.lay_beside(plan, pose)
            self._look_anew(plan, beside)
            totals.append(self._explain(shot, tones, plan, beside, hear).total)
        best = int(np.argmax(totals))
        thing = float(np.median([len(state.at) for number in beside for state in plan.states[number][1:]]))
        alone = totals[best] - sorted(totals)[-2] > PART_OF_A_THING * thing
        self._stage.lay_beside(plan, self._beside.poses[best])
        self._beside.prefer(best, alone=alone)

    def _joined(
        self, shot: Shot, explanation: Explanation, shown: Array, plan: StagePlan, which: Sequence[int]
    ) -> Tones:
        """How the surfaces look that the picture shows on some sites for the first time since it was measured."""
        assert plan.tones is not None
        at, numbers = self._sure_points(explanation, shown, plan, which)
        new = ~np.isin(numbers, list(plan.tones.seen))
        return plan.tones.joined(numbers[new], shot.pixels(at[new]), at[new])

    def _told(self, explanation: Explanation, which: Sequence[int], hear: Hear) -> list[SiteReading | None]:
        """What others say of sites, if anything, given what stands around: where something has to give way, what speaks
        for that counts too; where nothing has to, all may as well stay as it is. Where they see nothing of it either
        way, as where glare looks like a crowd of things of which one or the other has to be there, that is what they
        say.
        """
        told, says = self._says(list(explanation.chosen), set(which), hear)

        def word(site: int, state: int) -> float:
            return float(says[site][explanation.state(site, state).label]) if site in says else 0.0

        def given(number: int) -> SiteReading | None:
            said, ways = told.get(number), explanation.alternatives(number)
            if said is None or not ways:
                return said
            likely = said.beside_nothing.astype(np.float64)
            others = {other for there in ways.values() for other in there if other != number}
            chosen = {other: word(other, explanation.chosen[other]) for other in others}
            for state, there in ways.items():
                label = explanation.state(number, state).label
                change = sum(word(other, there[other]) - chosen[other] for other in there if other != number)
                likely[label] += AROUND * (max(change, 0.0) if explanation.leaves_room(number, state) else change)
            if likely.max() + sum(chosen.values()) < -DISPUTED:
                return said
            return site_reading(said.labels, likely, said.visible, -np.inf)

        return [given(number) for number in which]

    def _says(self, sites: Sequence[int], which: set[int], hear: Hear) -> tuple[dict[int, Told], dict[int, Array]]:
        """What others say of sites; and how much likelier (natural logarithm) than nothing that, and what stood there
        before, makes each label (labels,). How many things stand in a crowd is seen without them, and compared then.
        """
        names = {self.sites[number].name: number for number in sites}
        told = {names[name]: said for name, said in hear(list(names)).items() if name in names}
        alone = {number for number in told if self.sites[number].name not in self._stage.crowds}
        says = {number: told[number].beside_nothing.astype(np.float64) for number in alone}
        for number in self._stood.keys() & set(sites):
            stays = np.zeros(len(self.sites[number].labels))
            stays[self._stood[number]] = STAYS if number in which else STAYED
            says[number] = says.get(number, 0.0) + stays - stays[0]
        return told, says

    def _tones(self, shot: Shot, palette: Palette, plan: StagePlan, hear: Hear) -> tuple[Tones, Explanation]:
        """How the surfaces look in this picture, from what surely stands there; and what then stands everywhere."""
        everything = list(range(len(self.sites)))
        tones = self._evened(Tones.nominal(palette, self._surfaces, self._printed), shot, plan)
        plan.dazzling = frozenset()
        explanation = self._explain(shot, tones, plan, everything, hear)
        stands = {site: explanation.state(site, state) for site, state in explanation.chosen.items()}
        shown = {site: state.part(explanation.on_top(site)) for site, state in stands.items()}
        if lobe := self._lobe(shot, tones, shown, plan):
            mirroring = self._mirroring(tones, lobe, plan)
            plain = self._explain(shot, tones, plan, everything, hear).total  # heard alike
            seen, plan.seen = plan.seen, None
            mirrored = self._explain(shot, mirroring, plan, everything, hear)
            if mirrored.total > plain:
                tones, explanation = mirroring, mirrored
            else:
                plan.seen, plan.dazzling = seen, frozenset()
        for _ in range(2):
            telling = self._clearest(explanation, self._undisputed(explanation, hear))
            at, numbers = self._sure_points(explanation, self._shown(explanation, plan), plan, telling)
            convincing = np.isin(numbers, self._convincing(explanation, plan))
            at, numbers = at[convincing], numbers[convincing]
            pixels = shot.pixels(at)
            tones = tones.fitted(numbers, pixels, at).lit(plan.grid, numbers, pixels, at)
            explanation = self._explain(shot, tones, plan, everything, hear)
        plan.typical = self._typical(explanation)
        return tones, explanation

    def _not_dazzled(self, plan: StagePlan, hear: Hear) -> Hear:
        """`hear` without what others say of sites on which things mirror a lamp."""

        def heard(names: Collection[str], pose: Pose | None = None) -> Mapping[str, Told]:
            dazzling = {self.sites[number].name for number in plan.dazzling}
            return {name: said for name, said in hear(names, pose).items() if name not in dazzling}

        return heard

    def _may_mirror(self, shot: Shot, plan: StagePlan) -> bool:
        """Whether, now that many more things stand there than when that was looked for last, these mirror a lamp."""
        assert plan.tones
        assert plan.palette
        shown = {site: fit.states[fit.state] for site, fit in self._fits.items()}
        count = sum(len(state.at) > 0 for state in shown.values())
        if plan.tones.gloss or count < 2 * plan.searched:
            return False
        plan.searched = count  # whatever comes of it: who finds a lamp reads again, and must not ask again then
        tones = replace(Tones.nominal(plan.palette, self._surfaces, self._printed), contrast=plan.tones.contrast)
        return self._lobe(shot, tones, shown, plan) is not None

    def _lobe(self, shot: Shot, tones: Tones, shown: Mapping[int, State], plan: StagePlan) -> Lobe | None:
        """The light of a lamp that things mirror, if what is `shown` on the sites looks as if there were one."""
        placed = [site for site in shown if site not in plan.crowds and not self.sites[site].roving]
        places, seen = [], []
        for site in placed:
            at = shown[site].at[self._stage.level_points(shown[site], plan)]
            if len(at) >= FEWEST:
                places.append(plan.grid.ground.reshape(-1, 2)[at].mean(axis=0))
                seen.append(np.median(tones.scaled(shot.pixels(at), at), axis=0))
        plan.searched = max(plan.searched, len(places), AT_FIRST)
        kinds = {self.sites[site].kind: site for site in placed}
        may_be = [state for site in kinds.values() for state in plan.states[site]]
        tops = (state.evidence[self._stage.level_points(state, plan)] for state in may_be)
        level = [np.unique(rows // len(plan.ground)) for rows in tops]
        paints = tones.means[np.unique(np.concatenate(level))] if level else np.empty((0, 3))
        most = tones.scaled(np.full((1, 3), 255, np.uint8))[0]
        return find_lobe(np.array(places), np.array(seen), paints, most) if len(places) else None

    def _mirroring(self, tones: Tones, lobe: Lobe, plan: StagePlan) -> Tones:
        """The tones where things mirror a lamp; of the sites where these are dazzling nobody else is believed."""
        added = lobe.at(plan.grid.ground.reshape(-1, 2)).astype(np.float32)
        dazzles = (number for number, at in enumerate(plan.reach) if added[at].max(initial=0.0) > DAZZLING)
        plan.dazzling = frozenset(dazzles)
        return replace(tones, gloss=Gloss(added, np.flatnonzero(self._stage.level)))

    def _evened(self, tones: Tones, shot: Shot, plan: StagePlan) -> Tones:
        """The tones without the contrast that the camera added, and with the light that glare adds, as the paint tells
        that covers most of the board.
        """
        most = int(np.bincount(plan.ground, minlength=self._printed)[: self._printed].argmax())
        at = np.flatnonzero(plan.ground == most)
        at = at[:: max(1, len(at) // GROUND)]
        pixels = shot.pixels(at)
        tones = tones.evened(most, pixels, at)
        added = added_light(plan.grid.ground, at, np.exp(tones.scaled(pixels)) - SOFT)
        return tones if added is None else replace(tones, veil=added.ravel())

    def _undisputed(self, explanation: Explanation, hear: Hear) -> list[int]:
        """The sites of which nobody else says something other than what seems to stand there."""
        _, says = self._says(list(explanation.chosen), set(), hear)
        chosen = {site: explanation.state(site, state).label for site, state in explanation.chosen.items()}
        return [
            site
            for site, label in chosen.items()
            if site not in says or says[site][label] > says[site].max() - DISPUTED
        ]

    def _clearest(self, explanation: Explanation, sites: Sequence[int]) -> list[int]:
        """Those of some sites that show what they do about as clearly as the clearest of their kind that does."""
        said = [(self.sites[site].kind, explanation.state(site, explanation.chosen[site]).label) for site in sites]
        gaps, most = [explanation.gap(site) for site in sites], dict[tuple[str, int], float]()
        for key, gap in zip(said, gaps, strict=True):
            most[key] = max(most.get(key, 0.0), gap)
        return [site for site, key, gap in zip(sites, said, gaps, strict=True) if gap >= TELLING * most[key]]

    def _typical(self, explanation: Explanation) -> dict[str, float]:
        """By how much the two likeliest states of a site differ typically, by kind of sites."""
        gaps: dict[str, list[float]] = {}
        for number, site in enumerate(self.sites):
            gaps.setdefault(site.kind, []).append(explanation.gap(number))
        return {kind: max(1.0, float(np.median(some))) for kind, some in gaps.items() if len(some) >= MANY}

    def _convincing(self, explanation: Explanation, plan: StagePlan) -> list[int]:
        """The surfaces, by their numbers, that some site shows plainly, and those of the board."""
        typical = self._typical(explanation)
        point = [typical[site.kind] / plan.size(k) for k, site in enumerate(self.sites) if site.kind in typical]
        surfaces = set(range(self._printed))
        for number, chosen in explanation.chosen.items():
            alone = ALONE_SHOWN * min(point, default=0.0) * plan.size(number)
            kind = self.sites[number].kind
            if explanation.gap(number) >= (PLAINLY_SHOWN * typical[kind] if kind in typical else alone):
                surfaces.update(np.unique(explanation.state(number, chosen).evidence // len(plan.ground)).tolist())
        return sorted(surfaces)

    def _sure_points(
        self, explanation: Explanation, shown: Array, plan: StagePlan, which: Sequence[int]
    ) -> tuple[Array, Array]:
        """Points (n,) of some sites that are explained well, and the numbers (n,) of the surfaces that they show, given
        what all points show (points,). What might be the table top as well, as on a chequered cloth, shows no surface
        surely.
        """
        at = distinct(np.concatenate([np.empty(0, np.intp), *(plan.areas[number][0] for number in which)]))
        table, value = len(self._surfaces), explanation.value[at]
        may_be_table = (plan.ground[at] == table) & (value <= explanation.bare[at])
        at = at[~may_be_table & (shown[at] < table) & (value > 0.0)]
        return at, shown[at]

    def _shown(self, explanation: Explanation, plan: StagePlan) -> Array:
        """The row of evidence (points,) of the surface that each point shows."""
        shown = plan.ground.copy()
        for site, number in explanation.chosen.items():
            state = explanation.state(site, number)
            top = explanation.on_top(site)
            shown[state.at[top]] = state.evidence[top] // len(plan.ground)
        return shown

    def _explain(
        self,
        shot: Shot,
        tones: Tones,
        plan: StagePlan,
        which: Sequence[int],
        hear: Hear,
    ) -> Explanation:
        """What stands on some sites and on those that touch them. What may be anywhere touches all: where nothing has
        changed otherwise, all stays as it was, as does what surely is elsewhere.
        """
        placed = [site for site in which if not self.sites[site].roving]
        near = set(which).union(*(plan.touches[site] for site in placed))
        elsewhere = self._elsewhere(plan, [site for site in near.difference(which) if self.sites[site].roving], placed)
        near -= elsewhere
        around = near.union(*(plan.touches[site] for site in which)) - elsewhere
        concerned = sorted(around | elsewhere)
        before = {site: self._fits[site] for site in set(concerned).difference(which) & self._fits.keys()}
        evidence, bare = self._evidence(shot, tones, plan, self._reached(plan, sorted(around), which))
        heights = np.full(len(plan.ground), FAR_BELOW, np.float32)
        flat = evidence.ravel()
        states: dict[int, Sequence[State]] = {site: plan.states[site] for site in concerned}
        for site in states.keys() & plan.crowds.keys():
            states[site] = CrowdSearch(plan.crowds[site], flat, bare, heights).states()
        states |= {site: fit.states for site, fit in before.items()}
        plays = {site: 0 if site in plan.crowds else plan.plays[site] for site in concerned}
        heard = self._heard(plan, states, hear, set(which))
        piles = (site for site in concerned if self.sites[site].name in self._growing)
        heard |= {site: _expected_of_more(states[site], flat, bare) for site in piles}
        for site in set(concerned).intersection(self._stage.beside):
            heard[site] = heard.get(site, 0.0) + self._expected_in_place(plan, site, len(states[site]))
        explanation = Explanation(
            flat,
            bare,
            states,
            plan.grid.shape[1],
            plays,
            plan.touches,
            self._clashes,
            heights,
            heard,
            before,
            before.keys() - near,
            {site: self._fits[site].state if site in self._fits else -1 for site in states.keys() - before.keys()},
        )
        explanation.search()
        self._arrange_crowds(explanation, plan, states.keys() & plan.crowds.keys(), hear, set(which))
        return explanation

    def _reached(self, plan: StagePlan, sites: Sequence[int], which: Sequence[int]) -> Array:
        """The points (points,) that things on `sites` may cover, and those around `which` of them."""
        rows, columns = plan.grid.shape
        reached = np.zeros(len(plan.ground), bool)
        parts = [plan.reach[site] for site in sites if len(plan.reach[site])]
        if parts:
            play = max(plan.plays[site] for site in sites)
            first = max(0, min(int(at[0]) for at in parts) // columns - play)
            last = min(rows, max(int(at[-1]) for at in parts) // columns + play + 1)
            mask = np.zeros((last - first, columns), np.uint8)  # all else is far from anything
            for at in parts:
                mask.ravel()[at - first * columns] = 1
            grown = cv2.dilate(mask, np.ones((2 * play + 1, 2 * play + 1), np.uint8))
            reached[first * columns : last * columns] = grown.ravel()
        for site in which:
            reached[plan.around[site]] = True
        return reached

    def _look_anew(self, plan: StagePlan, which: Sequence[int]) -> None:
        """What was seen of the sites `which` and around them is out of date; what may be anywhere is looked for where
        the others are, if there are any.
        """
        which = [site for site in which if not self.sites[site].roving] or which
        if plan.seen is not None:
            plan.seen.forget(self._reached(plan, which, which))

    def _evidence(self, shot: Shot, tones: Tones, plan: StagePlan, reached: Array) -> tuple[Array, Array]:
        """The evidence (rows, points), and that of what shows where nothing stands (points,), wherever `reached`
        (points,): as it was when that was looked at last.
        """
        if plan.seen is None:
            plan.seen = Seen(plan.ground, len(self._surfaces), self._printed)
        plan.seen.follow(tones)
        plan.seen.look(shot, reached)
        return plan.seen.evidence, plan.seen.bare

    def _arrange_crowds(
        self, explanation: Explanation, plan: StagePlan, crowds: set[int], hear: Hear, which: set[int]
    ) -> None:
        """Looks again for crowds of which something hides a part, as a wall does, now that it is known."""
        hidden = [site for site in crowds if explanation.covers(plan.reach[site], site)]
        for site in hidden:
            states = CrowdSearch(plan.crowds[site], explanation.evidence, *explanation.without(site)).states()
            explanation.arrange(site, states, self._heard(plan, {site: states}, hear, which).get(site))
        if hidden:
            explanation.search(hidden)

    def _heard(
        self, plan: StagePlan, states: Mapping[int, Sequence[State]], hear: Hear, which: set[int]
    ) -> dict[int, Array]:
        """What speaks for each state of sites, beside its first, but what the picture shows of it: in points, as much
        as a thing there is large.
        """
        _, says = self._says(list(states), which, hear)
        heard = {}
        for number, some in states.items():
            if number in says and len(some) > 1:
                labels = [state.label for state in some]
                heard[number] = HEARD * plan.size(number) * (says[number][labels] - says[number][labels[0]])
        return heard

    def _expected_in_place(self, plan: StagePlan, site: int, count: int) -> Array:
        """What so many states (count,) of a site beside the board have to explain better than nothing does, in points,
        with the sign turned: what stands farther from its place than others do must show it.
        """
        far = np.arange(count) >= len(self.sites[site].labels)
        expected: Array = np.where(far, -FARTHER * plan.size(site), 0.0)
        return expected


def _no_surer(one: SiteReading, word: Told) -> SiteReading:
    """The same, hardly surer than others are of what it shows, where they see that alone and are not sure."""
    return no_surer(one, word, BELIEVED) if word.alone else one


def _overruled(word: SiteReading, said: SiteReading, explained: SiteReading) -> bool:
    """Whether what others say of a site, `word`, became something else, `said`, for the sake of what stands around, of
    which hardly more than a half is `explained`: in deep shade things are found where none are. Or it did by little,
    though they surely deny it.
    """
    if word.confidence <= CONVINCED or word.label == said.label:
        return False
    others = (said.cost(label) for label in said.labels if label != said.label)
    return explained.visible < BARELY or (word.cost(said.label) > DENIED and min(others) < BY_LITTLE)


def _expected_of_more(states: Sequence[State], evidence: Array, bare: Array) -> Array:
    """What the states (n,) of a pile have to explain better than nothing does, in points, with the sign turned: each
    thing more must explain what it covers at least a part as well as the clearest of the pile does.
    """
    sizes = np.array([len(state.at) for state in states])
    gains = [float((evidence[state.evidence] - bare[state.at]).sum()) for state in states]
    expected: Array = -PART_OF_THE_CLEAREST * max(0.0, max(gains / np.maximum(sizes, 1))) * sizes
    return expected
