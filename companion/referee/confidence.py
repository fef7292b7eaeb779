"""How probable it is, by a picture, that an action was made."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import exp, prod
from typing import Any

import numpy as np

from companion.games.core import Group, Position, View
from companion.games.sites import EMPTY
from companion.referee.evidence import ILLEGAL, Evidence

COMBINED = 0.002
"""How much less likely than an action it is, before looking, that a picture shows what no action leads to, though every
site shows what one might.
"""

FIRST = 0.5
"""The probability that what is seen in a hand came before what lies there too, but cannot be told."""

MOST = 50.0
"""Exponents are cut off here."""


def confidence_of(
    before: Position[Any],
    after: Position[Any],
    evidence: Evidence,
    *,
    happened: bool,
    enough: float,
    final: View | None = None,
    drawing: bool = False,
) -> float | None:
    """How probable it is that the sites that an action changes show what they should; None where none shows it.

    `happened`: something has followed, so that the action must have been made, and no site of it be empty. `final`:
    what the picture shows after all that followed; what has changed again since is left out. `drawing`: chance is not
    done yet, so that more may lie in a hand than is seen; once it is, all that belongs there is. Where the sites, each
    by itself, do not say `enough`, all that could have been done is compared with all that the picture shows.
    """
    view, old = after.view(), before.view()
    final = final or view
    legal = _legal(before, set() if happened else {EMPTY})
    alone = _site_by_site(view, old, final, evidence, legal, drawing)
    if alone is None or alone >= enough or view.either != old.either or view.groups != old.groups:
        return alone
    others = [before.play(action).view() for action in before.legal_actions() if not before.told(action)]
    others = [other for other in others if other.sites != view.sites] + ([] if happened else [old])
    return max(alone, _together(view, old, final, others, evidence, legal))


def _legal(before: Position[Any], nothing: set[str]) -> Mapping[str, Collection[str]]:
    """For each site that an action is about, what it may show then."""
    legal: dict[str, set[str]] = {}
    for action in before.legal_actions():
        for sign in before.signs(action):
            for site in sign.sites:
                legal.setdefault(site, set(nothing)).add(sign.label)
    return legal


def _site_by_site(
    view: View, old: View, final: View, evidence: Evidence, legal: Mapping[str, Collection[str]], drawing: bool
) -> float | None:
    """The product of the sites' probabilities. What is vague on a site does not count where another site tells."""
    confidences, vague = list[float](), list[float]()
    for site, label in view.sites.items():
        if old.sites.get(site) != label == final.sites.get(site) and evidence.tells(site):
            said = vague if evidence.vague(site, (label,)) else confidences
            said.append(evidence.probability(site, (label,), legal.get(site, ())))
    for site, labels in view.either.items():
        if old.either.get(site) != labels == final.either.get(site) and evidence.tells(site):
            confidences.append(evidence.probability(site, labels, legal.get(site, ())))
    for group in view.groups:
        known = _same(group, old)
        first = FIRST if drawing and evidence.may_hide_more(_same(group, final) or group) else 1.0
        for label in group.labels:
            slot = evidence.slot_of(group, label) if known is None or label not in known.labels else None
            if slot is not None:
                confidences.append(first * evidence.probability(slot, (label,), legal.get(slot, ())))
    confidences = confidences or vague
    return prod(confidences) if confidences else None


def _same(group: Group, view: View) -> Group | None:
    """The group of a view that has the same sites, if any."""
    return next((other for other in view.groups if other.sites == group.sites), None)


def _together(
    view: View,
    old: View,
    final: View,
    others: list[View],
    evidence: Evidence,
    legal: Mapping[str, Collection[str]],
) -> float:
    """The probability among all views that might be, and what no rule leads to."""
    told = [site for site, label in view.sites.items() if label == final.sites.get(site) and evidence.tells(site)]
    likelihood = {site: evidence.likelihoods(site) for site in told}
    against = 0.0
    for other in others:
        differing = [site for site in told if other.sites.get(site, view.sites[site]) != view.sites[site]]
        worse = sum(likelihood[site][view.sites[site]] - likelihood[site][other.sites[site]] for site in differing)
        against += exp(min(MOST, -worse))
    spare = 0.0
    for site in (site for site in told if old.sites.get(site) != view.sites[site]):
        here, own = likelihood[site], likelihood[site][view.sites[site]]
        strange = [
            value for label, value in here.items() if label not in legal.get(site, ()) and label != view.sites[site]
        ]
        strange = [value for value in strange if value != here.get(old.sites.get(site, ""))]
        against += ILLEGAL * float(np.exp(np.minimum(np.array(strange) - own, MOST)).sum()) if strange else 0.0
        spare += max(here.values()) - own
    return 1.0 / (1.0 + against + COMBINED * exp(min(MOST, spare)))
