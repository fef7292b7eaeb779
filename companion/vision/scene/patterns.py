"""What labels show on a fixed set of points, put so that the likelihoods of all labels are one small matrix product.

Points at which every label shows a paint of its own, but the same one at each of them, make a *region* (a sector of a
tile, its disc): their evidence is summed first, and labels are compared on the sums.
"""

from __future__ import annotations

import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.geometry.raster import Paints


class Pattern:
    """Labels on points. `shown` (labels, points): numbers of paints, `paints.unsure` where anything may show.

    `columns`: the paints that matter, in the order in which evidence is to be given. `region` (points,): number of the
    region of each point, -1 where no label says anything. Regions of fewer than `least` points are left out.
    """

    def __init__(self, shown: Array, paints: Paints, least: int = 1) -> None:
        self.columns = tuple(int(k) for k in np.unique(shown) if k != paints.unsure)
        kinds, region, sizes = np.unique(shown, axis=1, return_inverse=True, return_counts=True)
        region = region.reshape(-1)
        sure = (kinds != paints.unsure).any(axis=0) & (sizes >= least)
        self.region = np.where(sure, np.cumsum(sure) - 1, -1)[region]
        self._order = np.argsort(self.region, kind="stable")[np.count_nonzero(self.region < 0) :]
        self._starts = np.searchsorted(self.region[self._order], np.arange(np.count_nonzero(sure)))
        shows = kinds[:, sure, None] == np.array(self.columns)  # (labels, regions, columns)
        self.shape = shows.shape[1:]
        self._labels = shows.reshape(len(shown), -1).T.astype(np.float32)

    @property
    def regions(self) -> int:
        """How many regions there are."""
        return int(self.shape[0])

    def sums(self, evidence: Array) -> Array:
        """Evidence (n, points, columns) summed by region: (n, regions, columns)."""
        sorted_by_region = evidence[:, self._order]
        return np.add.reduceat(sorted_by_region, self._starts, axis=1, dtype=np.float32)

    def scores(self, sums: Array) -> Array:
        """Scores (n, labels) from sums (n, regions, columns)."""
        scores: Array = sums.reshape(len(sums), -1) @ self._labels
        return scores
