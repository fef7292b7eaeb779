"""What has been read so far: single readings of sites put together into the reading of the whole table."""

from __future__ import annotations

from collections.abc import Set
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
        self._doubtful: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._sites)

    def learn(self, reading: Reading) -> bool:
        """Takes over what was read after it has changed; whether any site shows something else than before."""
        known, read = self._sites, reading.sites
        new = any(name not in known or known[name].label != site.label for name, site in read.items())
        for name, site in read.items():
            self._sites[name] = site
            self._looks[name] = 1
        self._renew(reading)
        return new

    def check(self, reading: Reading) -> None:
        """Takes over what differs from what is known, although no change was seen."""
        known = self._sites
        different = {name: site for name, site in reading.sites.items() if site.label != known[name].label}
        if different:
            self.learn(Reading(different))

    def confirm(self, reading: Reading) -> None:
        """Adds one more look at sites that have not changed."""
        for name, site in reading.sites.items():
            self._looks[name] += 1
            self._sites[name] = _averaged(self._sites[name], site, self._looks[name])
        self._renew(reading)

    def doubtful(self, hidden: Set[str]) -> set[str]:
        """The visible sites that another look may make surer."""
        return self._doubtful - hidden

    def _renew(self, read: Reading) -> None:
        """Takes note of what is doubtful of the sites that were just read."""
        self._whole = Reading({})
        self._doubtful -= read.sites.keys()
        self._doubtful |= {
            name
            for name in read.sites
            if self._looks[name] < LOOKS and self._sites[name].visible > 0.5 and self._sites[name].confidence < DOUBTFUL
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
