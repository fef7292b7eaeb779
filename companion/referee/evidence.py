"""How well a view agrees with a reading: which sites differ, and how sure that is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from companion.games.core import Group, Sign, View
from companion.games.sites import EMPTY
from companion.vision.reading import Reading

PLAUSIBLE = 4.0
"""A label this much less likely than the likeliest one (natural logarithm) is not ruled out yet: about 1 in 55."""

VISIBLE = 0.5
"""A site of which less is to be seen says nothing."""

ILLEGAL = 0.05
"""How much less likely than a legal one a label is that no legal action leads to, before looking."""


VAGUE = 0.3
"""Confidence below which a site that may show what is expected says nothing more: how high a pile is, say."""


KNOWN = 0.95
"""Confidence from which what a covered site showed last is taken to be there."""


def item_of(label: str) -> str:
    """The thing that a label names, however it lies: `RRY5/1` is `RRY5`."""
    return label.partition("/")[0]


def kind_of(site: str) -> str:
    """The kind of a site: `cell:12` is a `cell`."""
    return site.partition(":")[0]


class Differences(NamedTuple):
    """What a view has otherwise than the picture. `cost`: how unlikely the rest is, 0 where every site shows its best.

    `sites`: fixed sites that show something else; `missing`: labels of groups that lie nowhere on their sites, with the
    sites; `extra`: sites of groups that show something the group does not have. `found`: those of the missing labels
    that lie on one of the differing sites, as a tile that has left the hand for the board.
    """

    sites: tuple[str, ...]
    missing: tuple[tuple[str, Group], ...]
    extra: tuple[str, ...]
    found: frozenset[str]
    cost: float

    def __bool__(self) -> bool:
        return bool(self.sites or self.missing or self.extra)

    @property
    def distance(self) -> float:
        """How far view and picture are apart: one for each thing that differs, half of it for one that was found."""
        return len(self.sites) + len(self.missing) + len(self.extra) - 1.5 * len(self.found)


class Evidence:
    """A reading, asked for agreement. `stale` sites are left out: what they show is older than the position. `veiled`
    and `dimmed` ones were clear, in a hand and on the board, until something came that cannot be told.
    """

    def __init__(
        self,
        reading: Reading,
        stale: Collection[str] = (),
        veiled: Collection[str] = (),
        dimmed: Collection[str] = (),
    ) -> None:
        self.reading = reading
        self.stale = frozenset(stale)
        self.veiled = frozenset(veiled)
        self.dimmed = frozenset(dimmed)
        self.compared = 0  # how often it was asked, the measure of a search's effort
        self._plausible: dict[str, Mapping[str, float] | None] = {}
        self._elsewhere: dict[str, frozenset[str]] = {}
        self._groups: dict[Group, tuple[tuple[tuple[str, Group], ...], tuple[str, ...], float]] = {}

    def tells(self, site: str) -> bool:
        """Whether the picture says anything about the site."""
        return self.plausible(site) is not None

    def plausible(self, site: str) -> Mapping[str, float] | None:
        """The labels that are not ruled out, with their costs; None where the picture says nothing."""
        if site not in self._plausible:
            self._plausible[site] = self._labels_of(site)
        return self._plausible[site]

    def _labels_of(self, site: str) -> Mapping[str, float] | None:
        seen = self.reading.sites.get(site)
        if seen is None or seen.visible < VISIBLE or site in self.stale:
            return None
        likelihoods = seen.log_likelihood.tolist()  # faster than arrays for a few labels
        best = max(likelihoods)
        return {
            label: best - value
            for label, value in zip(seen.labels, likelihoods, strict=True)
            if best - value <= PLAUSIBLE
        }

    def may_show(self, sign: Sign) -> bool:
        """Whether the label may be on one of the sites, or its thing has gone on to a site of another kind since."""
        if self.may_lie_on(sign):
            return True
        return len(sign.sites) > 1 and item_of(sign.label) in self._gone_on(kind_of(sign.sites[0]))

    def may_lie_on(self, sign: Sign) -> bool:
        """Whether the label may be on one of the sites."""
        return any(sign.label in (self.plausible(site) or ()) for site in sign.sites)

    def _gone_on(self, kind: str) -> frozenset[str]:
        """Everything that may lie on sites of another kind."""
        if kind not in self._elsewhere:
            others = (site for site in self.reading.sites if kind_of(site) != kind)
            self._elsewhere[kind] = frozenset(item_of(label) for site in others for label in self.plausible(site) or ())
        return self._elsewhere[kind]

    def compare(self, view: View) -> Differences:
        """What differs between the view and the picture; what is `leaving` its site does not count."""
        self.compared += 1
        sites: list[str] = []
        cost = 0.0
        for site, label in view.sites.items():
            labels = self.plausible(site)
            if labels is not None:
                if label in labels:
                    cost += labels[label]
                else:
                    sites.append(site)
        for site, either in view.either.items():
            labels = self.plausible(site)
            if labels is not None:
                costs = [labels[label] for label in either if label in labels]
                cost += min(costs, default=0.0)
                if not costs:
                    sites.append(site)
        missing: list[tuple[str, Group]] = []
        extra: list[str] = []
        for group in view.groups:
            if not view.leaving.isdisjoint(group.sites):
                continue
            group_missing, group_extra, group_cost = self._compare_group(group)
            missing.extend(group_missing)
            extra.extend(group_extra)
            cost += group_cost
        return Differences(tuple(sites), tuple(missing), tuple(extra), self._found(sites, missing), cost)

    def dim(self, view: View) -> frozenset[str]:
        """The sites that seem to show something else than the view, but not surely."""
        return frozenset(
            site
            for site, label in view.sites.items()
            if len(labels := self.plausible(site) or ()) > 1 and label in labels and self.reading[site].label != label
        )

    def _found(self, sites: list[str], missing: list[tuple[str, Group]]) -> frozenset[str]:
        if not sites or not missing:
            return frozenset()
        seen = {item_of(label) for site in sites for label in self.plausible(site) or ()}
        return frozenset(label for label, _ in missing if label in seen)

    def _compare_group(self, group: Group) -> tuple[tuple[tuple[str, Group], ...], tuple[str, ...], float]:
        if group not in self._groups:
            self._groups[group] = self._match(group)
        return self._groups[group]

    def _match(self, group: Group) -> tuple[tuple[tuple[str, Group], ...], tuple[str, ...], float]:
        """The cheapest way to lay the group's labels on its sites; a few sites, so every way is tried."""
        slots = self._telling(group)
        hidden = len(group.sites) - len(slots)
        unmatched, extra, cost = self._lay(slots, group.labels)
        missing = tuple((label, group) for label in unmatched) if len(unmatched) > hidden else ()
        return missing, extra, cost

    def _telling(self, group: Group) -> list[tuple[str, Mapping[str, float]]]:
        return [(site, labels) for site in group.sites if (labels := self.plausible(site)) is not None]

    def _lay(
        self, slots: list[tuple[str, Mapping[str, float]]], labels: tuple[str, ...]
    ) -> tuple[tuple[str, ...], tuple[str, ...], float]:
        if not slots:
            return labels, (), 0.0
        (site, plausible), rest = slots[0], slots[1:]
        ways = []
        for label in dict.fromkeys(labels):
            if label in plausible:
                left = list(labels)
                left.remove(label)
                unmatched, extra, cost = self._lay(rest, tuple(left))
                ways.append((unmatched, extra, cost + plausible[label]))
        if EMPTY in plausible:
            unmatched, extra, cost = self._lay(rest, labels)
            ways.append((unmatched, extra, cost + plausible[EMPTY]))
        if not ways or EMPTY not in plausible:
            unmatched, extra, cost = self._lay(rest, labels)
            ways.append((unmatched, (site, *extra), cost))
        return min(ways, key=lambda way: (len(way[0]) + len(way[1]), way[2]))

    def probability(self, site: str, labels: Collection[str], legal: Collection[str]) -> float:
        """How probable it is that the site shows one of the labels, where `legal` ones are likelier beforehand than
        those that no legal action gives.
        """
        seen = self.reading[site]
        prior = np.array([1.0 if other in legal or other in labels else ILLEGAL for other in seen.labels])
        weights = np.exp(seen.log_likelihood - seen.log_likelihood.max()) * prior
        return float(sum(weights[seen.labels.index(label)] for label in labels) / weights.sum())

    def likelihoods(self, site: str) -> dict[str, float]:
        """The log likelihood of each label."""
        seen = self.reading[site]
        return dict(zip(seen.labels, seen.log_likelihood.tolist(), strict=True))

    def behind(self, sign: Sign) -> float:
        """How much less likely (natural logarithm) than another label this one is on the likeliest of the sites, also
        where the picture tells hardly anything.
        """
        told = [self.likelihoods(site) for site in sign.sites if site in self.reading.sites]
        return min((max(labels.values()) - labels[sign.label] for labels in told if sign.label in labels), default=0.0)

    def vague(self, site: str, labels: Collection[str]) -> bool:
        """Whether the site may show one of the labels, or almost anything else."""
        plausible = self.plausible(site) or ()
        return self.reading[site].confidence < VAGUE and any(label in plausible for label in labels)

    def may_hide_more(self, group: Group) -> bool:
        """Whether something has come to a place of the group that cannot be told, and more of its places cannot be told
        than labels of it lie nowhere to be seen.
        """
        telling = self._telling(group)
        nowhere = self._lay(telling, group.labels)[0]
        return not self.veiled.isdisjoint(group.sites) and len(group.sites) - len(telling) > len(nowhere)

    def outweighs(self, view: View, cost: float) -> bool:
        """Whether a site shows something else that is likelier than the view by that cost, or more."""
        return any((self.plausible(site) or {}).get(label, 0.0) >= cost for site, label in view.sites.items())

    def held_otherwise(self, view: View) -> bool:
        """Whether a hand that is covered now was surely seen to hold something that it has not got, just before."""
        return any(
            seen.visible == 0.0 and seen.confidence >= KNOWN and seen.label not in (EMPTY, *group.labels)
            for group in view.groups
            for site in group.sites
            if site not in self.stale and (seen := self.reading.sites.get(site)) is not None
        )

    def slot_of(self, group: Group, label: str) -> str | None:
        """The site of the group on which the label is likeliest to lie, where it is plausible on any."""
        slots = [(labels[label], site) for site in group.sites if (labels := self.plausible(site)) and label in labels]
        return min(slots)[1] if slots else None
