"""What was read from a picture: for each site the likelihood of each label."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.sites import SiteSpec
from companion.vision.geometry.pose import Pose

FloatArray = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SiteReading:
    """One site: `log_likelihood[k]` (natural logarithm, up to a constant) of `labels[k]`.

    `visible`: the part (0 to 1) of the site that the picture shows; what is covered by a hand or a cup or lies outside
    the picture is not visible, and says nothing about the label.
    """

    labels: tuple[str, ...]
    log_likelihood: FloatArray
    visible: float = 1.0

    @property
    def label(self) -> str:
        """The likeliest label."""
        return self.labels[self.log_likelihood.argmax()]

    @property
    def confidence(self) -> float:
        """The probability of the likeliest label, all labels taken as equally likely beforehand."""
        return float(1.0 / np.exp(self.log_likelihood - self.log_likelihood.max()).sum())

    @property
    def chances(self) -> NDArray[np.float64]:
        """The probability (labels,) of each label, all taken as equally likely beforehand."""
        likely = self.log_likelihood.astype(np.float64)
        chances: NDArray[np.float64] = np.exp(likely - np.logaddexp.reduce(likely))
        return chances

    @property
    def trust(self) -> float:
        """The confidence, less where less than half of the site is to be seen: none in what is covered."""
        return self.confidence * min(1.0, self.visible / 0.5)

    def cost(self, label: str) -> float:
        """How much less likely `label` is than the likeliest one: a difference of log likelihoods, 0 or more."""
        likelihood = self.log_likelihood
        return float(likelihood.max() - likelihood[self.labels.index(label)])


@dataclass(frozen=True, slots=True)
class Told(SiteReading):
    """What somebody tells of a site who looks at the same picture in another way. `beside_nothing[k]`: how much
    likelier (natural logarithm) `labels[k]` is than that nothing at all is there, from other sites either. `alone`:
    what stands on the site is seen there alone, not by arms that look like others'.
    """

    beside_nothing: FloatArray = field(default_factory=lambda: np.zeros(0, np.float32))
    alone: bool = True


class Hear(Protocol):
    """Asks what others who look at the same picture say of some sites, as far as they know them."""

    def __call__(self, names: Collection[str], pose: Pose | None = None) -> Mapping[str, Told]:
        """The sites called so. `pose`: where the board is seen to lie by now, more exactly than they knew."""


@dataclass(frozen=True, slots=True)
class Reading:
    """All sites of a picture."""

    sites: Mapping[str, SiteReading]

    def __getitem__(self, site: str) -> SiteReading:
        return self.sites[site]


def sites_there(sites: Iterable[SiteSpec], reading: Reading) -> Iterator[SiteSpec]:
    """Those of `sites` that were read and that exist with what the picture shows on the sites that they are on, each
    with the place that it then has.
    """
    for site in sites:
        host = reading.sites.get(site.on)
        label = host.label if host else ""
        if site.name in reading.sites and site.place(label) is not None:
            yield site.at(label)
