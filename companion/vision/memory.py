"""What has been read so far: single readings of sites put together into the reading of the whole table."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

import numpy as np

from companion.vision.reading import Reading, SiteReading

DOUBTFUL = 0.99
"""Below this confidence a site is looked at again."""

LOOKS = 5
"""After so many looks a doubtful site does not get better."""


class Memory:
    """The newest reading of each site, averaged over the looks at an unchanged one.

    Looks at a still scene share most of their errors, so that many of them count no more than one: only the noise goes.
    """

    def __init__(self) -> None:
        self._sites: dict[str, SiteReading] = {}
        self._looks: dict[str, int] = {}
        self._whole = Reading({})
        self._hidden: Set[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self._sites)

    def __contains__(self, site: str) -> bool:
        return site in self._sites

    def learn(self, reading: Reading, sites: Iterable[str] | None = None) -> None:
        """Takes over what was read of `sites` (else of all) after they have changed."""
        for site in reading.sites if sites is None else sites:
            if site in reading.sites:
                self._sites[site] = reading[site]
                self._looks[site] = 1
        self._whole = Reading({})

    def confirm(self, reading: Reading, sites: Iterable[str]) -> None:
        """Adds one more look at `sites` that have not changed."""
        for site in sites:
            if site in reading.sites and site in self._sites:
                self._looks[site] += 1
                self._sites[site] = _averaged(self._sites[site], reading[site], self._looks[site])
        self._whole = Reading({})

    def doubtful(self, hidden: Set[str]) -> set[str]:
        """The visible sites that another look may make surer."""
        return {
            name
            for name, site in self._sites.items()
            if name not in hidden and self._looks[name] < LOOKS and site.visible > 0.5 and site.confidence < DOUBTFUL
        }

    def reading(self, hidden: Set[str]) -> Reading:
        """The whole table, with `hidden` sites not visible; the very same object while nothing has changed."""
        if not self._whole.sites or hidden != self._hidden:
            self._hidden = frozenset(hidden)
            self._whole = Reading(
                {name: replace(site, visible=0.0) if name in hidden else site for name, site in self._sites.items()}
            )
        return self._whole


def _averaged(known: SiteReading, new: SiteReading, looks: int) -> SiteReading:
    """`known` of `looks` - 1 looks with one more."""
    if known.labels != new.labels:
        return new
    mean = (known.log_likelihood * (looks - 1) + new.log_likelihood) / looks
    return SiteReading(known.labels, np.asarray(mean, np.float32), min(known.visible, new.visible))
