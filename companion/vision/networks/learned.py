"""Reading sites by a small network that was trained on pictures of the simulated table (`tests/training`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from importlib import resources
from types import MappingProxyType
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.evidence import DOUBT, disputed, site_reading
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.light.palette import Palette
from companion.vision.networks.frames import patches_of
from companion.vision.networks.network import Network, network
from companion.vision.reading import SiteReading, Told
from companion.vision.scene.arms import ARM, arms_over

NETWORKS = resources.files(__package__)
"""Where the networks lie, a file for each game and kind of sites."""

TOGETHER = 0.7
"""What the sum of two readers' log likelihoods counts: they see the same noise, light and pose."""

CONVINCED, DISPUTED = 0.5, 1.0
"""Where both are surer than this of different labels, or the network of none by as much (natural logarithm), none is
believed more than the next by as much.
"""

BARE = 2.0
"""Where the network is no surer than this (natural logarithm) that nothing lies there, nobody is: what is pale with
glare looks bare to both.
"""

ALIKE = 1e-3
"""Labels that differ by less (natural logarithm) are one to a reader: whose an arm is, the network does not know."""

DIMLY = 2.0
"""Where the network is no surer than this of a thing that was found, nobody is: in washed-out light a castle was found
to be a house. Of 207 pieces that were surely found in place it was less sure of none.
"""

CERTAIN = 0.99
"""Where the network is as sure of what the other reader rather sees too, though he sees something else as well, it is
believed: of 41 such holes it was right about every one, and of 11 where it was a little less sure, about nine.
"""

RATHER = 0.65
"""What the reader counts who explains all that is seen, beside the network: of 21 places in full view of which they
said different things, the network, where it was sure, was right about every one.
"""

PARTLY = 3
"""To which power the part that he explains of what is seen makes him count less. Of 63 sites of Labyria of which that
was less than three quarters, and on which he and the network saw different things, he was right about 3, it about 58;
of 38 that he explained all but whole, he about 14, it about 22.
"""

DECIDED = 1.0
"""From this on (natural logarithm) the network knows whether something reaches over a site from another one."""

UNCONFIRMED = 0.03
"""How often what a network says alone may be mistaken: little enough to act on, too much not to look again."""

EVEN = 0.49
"""What the network doubts is at worst about even."""

NEVER = -30.0
"""Log likelihood of a label that the network has never seen."""

_UNKNOWN: Mapping[str, str] = MappingProxyType({})


class LearnedKind:
    """All sites of one kind that a network reads, and those from which all that may stand there reaches over them. What
    stands on parts of other things is looked at where they have them as they lie.
    """

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec], others: Sequence[SiteSpec] = ()) -> None:
        self._file = NETWORKS / f"{game.name}-{sites[0].kind}.onnx"
        known, patch = known_to(f"{game.name}-{sites[0].kind}")
        self._patches = patches_of(game, sites)
        self.fits = patch == list(self._patches.patch[:2])
        """Whether patches have the shape that the network was trained on: a set of one's own may have other sizes."""
        self.known = frozenset(known)
        """The labels that the network has seen, and the name of an arm."""
        self._nothing, self._arm = known.index(EMPTY), (*known, ARM).index(ARM)
        number = {label: k for k, label in enumerate(known)}
        self._columns = [np.array([number.get(label, len(known)) for label in site.labels]) for site in sites]
        reaching = (site for site in others if ARM in known and _reaches(game, site, sites))
        over = {site: arms_over(game, site, sites) for site in reaching}
        over = {site: arms for site, arms in over.items() if arms.any(axis=1).sum() == len(site.labels) - 1}
        self._over = list(over.values())
        self.sites = (*sites, *over)

    @cached_property
    def _network(self) -> Network:
        """Loaded at the first reading: a program that never looks need not wait for it."""
        return network(self._file.read_bytes())

    def looks_at(self, number: int) -> bool:
        """Whether the network looks at the site with that number itself, not only at what reaches over others."""
        return number < len(self._columns)

    def plan(self, pose: Pose) -> tuple[Pose, tuple[Array, Array]]:
        """The pose, and where the patches of each site are in the picture."""
        return pose, self._patches.plan(pose)

    def read(
        self,
        image: Array,
        palette: Palette,
        plan: tuple[Pose, tuple[Array, Array]],
        which: Array,
        lying: Mapping[str, str] = _UNKNOWN,
    ) -> list[Told]:
        """The sites with the numbers `which`. `lying`: what lies on the sites that some of them are parts of."""
        count = len(self._columns)
        over = [np.flatnonzero(self._over[k - count].any(axis=0)) for k in which[which >= count]]
        looked = np.unique(np.concatenate([which[which < count], *over]))
        patches = self._cut(image, palette, plan, looked, lying)
        scores, visible = np.full((count, len(self.known) + 1), NEVER), np.zeros(count)
        scores[looked, :-1] = self._network(patches)
        there = [self._is_there(self.sites[k], lying) for k in looked.tolist()]
        visible[looked] = (patches[:, -1] > 0).mean(axis=(1, 2)) * there
        return [
            self._own(k, scores[k], visible[k]) if k < count else self._other(k, scores, visible)
            for k in which.tolist()
        ]

    @staticmethod
    def _is_there(site: SiteSpec, lying: Mapping[str, str]) -> bool:
        """Whether what lies below has that part: else nothing of it is to be seen."""
        return site.on not in lying or site.place(lying[site.on]) is not None

    def _cut(
        self,
        image: Array,
        palette: Palette,
        plan: tuple[Pose, tuple[Array, Array]],
        which: Array,
        lying: Mapping[str, str],
    ) -> Array:
        """The patches of the sites with the numbers `which`."""
        sites = [self.sites[k] for k in which.tolist()]
        there = [site.at(lying[site.on]) if site.on in lying else site for site in sites]
        if there == sites:
            return self._patches.cut(image, plan[0], palette.light, plan[1], which)
        placed = copy(self._patches)
        placed.sites = tuple(there)
        return placed.cut(image, plan[0], palette.light, placed.plan(plan[0]), np.arange(len(there)))

    def _own(self, number: int, scores: Array, visible: float) -> Told:
        """A site from the scores (known + 1,) of its patch: with an arm over it, if any is known, it is bare."""
        site = self.sites[number]
        likely = scores[self._columns[number]]
        beside = np.maximum(likely, likely.max() - DOUBT) - max(scores[self._nothing], likely.max() - DOUBT)
        likely = np.where(np.array(site.labels) == EMPTY, np.maximum(likely, scores[self._arm]), likely)
        return _told(site, likely, visible, beside)

    def _other(self, number: int, scores: Array, visible: Array) -> Told:
        """A site from the scores (sites, known + 1) of the patches over which its things have arms."""
        over = self._over[number - len(self._columns)]
        around = over.any(axis=0)
        arms = np.clip(scores[:, self._arm] - scores[:, self._nothing], -2 * DOUBT, DOUBT)  # one alone is another's
        decided = np.abs(arms[around]) > DECIDED
        beside = over @ arms
        return _told(self.sites[number], beside, float((visible[around] * decided).mean()), beside, alone=False)


def _reaches(game: Game[Any, Any], site: SiteSpec, sites: Sequence[SiteSpec]) -> bool:
    """Whether the first thing that may stand on a site has an arm over another one: else not all have."""
    return bool(arms_over(game, site._replace(labels=site.labels[1:2]), sites).any())


def _told(site: SiteSpec, likely: Array, visible: float, beside: Array, *, alone: bool = True) -> Told:
    one = site_reading(site.labels, likely, visible, -np.inf)
    return Told(one.labels, one.log_likelihood, one.visible, beside.astype(np.float32), alone)


def known_to(name: str) -> tuple[list[str], list[int]]:
    """The labels that the network called so knows, and the shape of its patches as far as sets differ in it; nothing
    where there is no such network.
    """
    about = NETWORKS / f"{name}.json"
    told = json.loads(about.read_text("utf-8")) if about.is_file() else {"labels": [], "patch": []}
    return told["labels"], told["patch"]


def witnesses(game: Game[Any, Any]) -> list[LearnedKind]:
    """The kinds of sites of a game for which there is a network that fits its set."""
    strange = with_own_faces(game)
    kinds = [kind for kind in dict.fromkeys(site.kind for site in game.sites) if kind not in strange]
    known = [kind for kind in kinds if (NETWORKS / f"{game.name}-{kind}.onnx").is_file()]
    sites = {kind: [site for site in game.sites if site.kind == kind] for kind in known}
    learned = [LearnedKind(game, sites[kind], [site for site in game.sites if site.kind != kind]) for kind in known]
    return [kind for kind in learned if kind.fits]


def with_own_faces(game: Game[Any, Any]) -> set[str]:
    """The kinds of sites on which there are pieces that look as a set of one's own has them, and of what stands on
    these: no network knows what it would see there.
    """
    own = game.set.faces.tiles if game.set.faces else ()
    strange = {site.name for site in game.sites if any(label.partition("/")[0] in own for label in site.labels)}
    return {site.kind for site in game.sites if site.name in strange or site.on in strange}


def told_together(own: Told, arms: Told) -> Told:
    """What two networks tell of a site: one that looks at the site itself, and one that sees the arms of what stands
    there over other sites. Where things stand in a ring their arms look alike, and only the site tells whose they are.
    """
    beside = TOGETHER * (own.beside_nothing + arms.beside_nothing)
    said = site_reading(own.labels, beside, own.visible, -np.inf)
    return Told(said.labels, said.log_likelihood, said.visible, beside, alone=False)


def agreed(
    explained: SiteReading,
    learned: SiteReading,
    together: float = TOGETHER,
    plain: float = 0.0,
    least: float = 0.0,
) -> SiteReading:
    """What two readers say together, who see the picture each in a way of its own: none is believed where they
    contradict each other, where the second, who has learned what hands look like, does not know what lies below, or
    where the first sees something else there, unless the second is certain of the same. `together`: what the sum of
    their log likelihoods counts; `plain`: by how much (natural logarithm) the first has to see something else for it
    to contradict a second that is certain; `least`: by how much the second has to see a thing itself for anybody to be
    sure of it.
    """
    first, second = (reading.log_likelihood - reading.log_likelihood.max() for reading in (explained, learned))
    likely = together * (RATHER * min(1.0, explained.visible) ** PARTLY * first + second)
    same = bool(second[first.argmax()] > -ALIKE)
    if same and learned.confidence > CERTAIN:
        return SiteReading(explained.labels, likely, learned.visible)
    convinced = min(explained.confidence, learned.confidence) > CONVINCED
    certain = learned.confidence > CERTAIN and _lead(first) < plain
    contradicted = not same and convinced and not certain
    unknown = (_lead_of_all_alike(second) if same else _lead(second)) < DISPUTED
    if contradicted or unknown or explained.visible < 0.5:
        likely = _led(likely, DISPUTED)
    elif same and _lead(second) < (BARE if explained.label == EMPTY else least):
        likely = _led(likely, BARE)
    return SiteReading(explained.labels, likely, min(explained.visible, learned.visible))


def no_surer(one: SiteReading, word: SiteReading, believed: float) -> SiteReading:
    """The same, hardly surer than the network's `word` on what it shows, where that is less sure than is `believed`."""
    chance = float(word.chances[one.labels.index(one.label)])
    return disputed(one, min(1 - chance, EVEN)) if chance < believed else one


def glimpsed(said: SiteReading) -> SiteReading:
    """What a network says at a glance, while nobody else has looked."""
    likely = np.log((1 - UNCONFIRMED) * said.chances + UNCONFIRMED / len(said.labels))
    return SiteReading(said.labels, likely.astype(np.float32), said.visible)


def _led(likelihood: Array, most: float) -> Array:
    """The same with the likeliest label likelier than the next by no more than that."""
    led: Array = likelihood * min(1.0, most / max(_lead(likelihood), 1e-6))
    return led


def _lead(likelihood: Array) -> float:
    """By how much the likeliest label is likelier than the next (natural logarithm)."""
    next_best, best = np.sort(likelihood)[-2:]
    return float(best - next_best)


def _lead_of_all_alike(likelihood: Array) -> float:
    """The same of all labels together that are one with the likeliest to a reader."""
    others = likelihood[likelihood < likelihood.max() - ALIKE]
    return float(likelihood.max() - others.max()) if len(others) else 0.0
