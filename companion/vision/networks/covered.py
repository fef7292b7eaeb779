"""What a network says of flat pieces and bare places that are read by their drawing: whether something is over them.

A hand may have the colour of the board, or of a road. The network has learned what hands look like, whatever their
colour, and need not know the pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.evidence import unsure
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.light.palette import Palette
from companion.vision.networks.frames import patches_of
from companion.vision.networks.learned import NETWORKS, known_to
from companion.vision.networks.network import Network, network
from companion.vision.reading import SiteReading

COVERED, THING = "covered", "thing"
"""What the network calls a site with something over it, and one that bears a piece."""

OVER = 0.2
"""How probable it has to be that what seems bare is not, or that a piece is covered, for nobody to be sure. Of 1733
bare fields of VIA in full view that were surely right this concerns 6, of 1073 pieces none; of 7 fields that were
surely misread, under hands, all (seeds 98000 to 98059).
"""

BESIDE, HARDLY, NEXT = 0.5, 0.02, 1.2
"""How probable it has to be that a site up to so far away (in sizes of the site) is covered, and how little that what
seems bare beside it is not, for nobody to be sure: a hand covers more than one site. Of 54 fields of VIA under
hands that seemed surely bare two are told only so; of 976 in full view this concerns 11 more (seeds 991100 to 991199).
"""


class CoverNetwork:
    """All sites of one kind, and the network that tells which are bare, and which covered.

    `fits`: whether there is one, and for sites of that size.
    """

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec]) -> None:
        self.sites = tuple(sites)
        name = f"{game.name}-{sites[0].kind}-covered"
        self._file, (known, patch) = NETWORKS / f"{name}.onnx", known_to(name)
        self._patches = patches_of(game, sites)
        self.fits = patch == list(self._patches.patch[:2])
        centres = np.array([site.centre[:2] for site in sites])
        apart = np.linalg.norm(centres[:, None] - centres, axis=-1)
        self._next = (apart > 0) & (apart < NEXT * sites[0].size)
        self._columns = [known.index(label) for label in (EMPTY, COVERED)] if self.fits else []
        self._pose: Pose | None = None

    @cached_property
    def _network(self) -> Network:
        """Loaded at the first reading: a program that never looks need not wait for it."""
        return network(self._file.read_bytes())

    def doubted(
        self, image: Array, palette: Palette, pose: Pose, sites: Mapping[str, SiteReading]
    ) -> dict[str, SiteReading]:
        """Those of some `sites` over which there may be something that is not what they seem to show."""
        which = np.array([k for k, site in enumerate(self.sites) if site.name in sites], np.intp)
        if not len(which):
            return {}
        empty, covered = self.chances(image, palette, pose, which)
        bare = np.array([sites[self.sites[k].name].label == EMPTY for k in which])
        beside = np.where(self._next[np.ix_(which, which)], covered, 0.0).max(axis=1)
        least = np.where(bare & (beside > BESIDE), HARDLY, OVER)
        names = [self.sites[k].name for k in which[np.where(bare, 1 - empty, covered) > least]]
        return {name: unsure(sites[name]) for name in names}

    def chances(self, image: Array, palette: Palette, pose: Pose, which: Array) -> Array:
        """How probable (2, which) it is that the sites with the numbers `which` are bare, and that they are covered."""
        if self._pose is not pose:
            self._pose, self._plan = pose, self._patches.plan(pose)
        scores = self._network(self._patches.cut(image, pose, palette.light, self._plan, which)).astype(np.float64)
        chances: Array = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
        return chances[:, self._columns].T
