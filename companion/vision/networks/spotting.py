"""What a network says of pieces that stand upon others: which of them, if any, stands at a place.

Seen from above, a piece hides what it stands on, and what it carries hides most of the piece; how all that lies around
its tip, in planes at several heights (`companion.vision.networks.sweep`), is easier learned than told.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from companion.games.looks import Prism
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.light.palette import Light
from companion.vision.networks.learned import NETWORKS, known_to
from companion.vision.networks.network import Network, network
from companion.vision.networks.sweep import Frame, Sweep

BEYOND, STEP = 14.0, 1.5
"""Millimetres across that a patch shows beyond the foot of a piece, and between its points."""


class Spotter:
    """The network that knows the pieces called `names`, with such a foot and such a stick.

    `fits`: whether there is one; a set of one's own may have other sizes.
    """

    def __init__(self, game: str, names: Sequence[str], foot: Prism, stick: Prism) -> None:
        self._file, (known, patch) = NETWORKS / f"{game}-riders.onnx", known_to(f"{game}-riders")
        width = float(np.ptp(np.array(foot.footprint)[:, 0]))
        count = int(np.ceil((width + BEYOND) / STEP / 2)) * 2
        self.frame = Frame(count, STEP, (foot.z1, (foot.z1 + stick.z1) / 2, stick.z1))
        self.fits = patch == [self.frame.layers, count] and {EMPTY, *names} == set(known)
        self._columns = [known.index(name) for name in (EMPTY, *names)] if self.fits else []

    @cached_property
    def _network(self) -> Network:
        """Loaded at the first reading: a program that never looks need not wait for it."""
        return network(self._file.read_bytes())

    def patches(self, image: Array, pose: Pose, light: Light, places: Array) -> Array:
        """Patches (n, layers, count, count), 8 bits, of places for a foot (n, 3) in the board frame (mm)."""
        sweep = Sweep([SiteSpec("", "", (x, y, z), 0.0, (), 0.0) for x, y, z in places.tolist()], self.frame)
        return sweep.cut(image, pose, light, sweep.plan(pose), np.arange(len(places)))

    def beside_nothing(self, image: Array, pose: Pose, light: Light, places: Array) -> Array:
        """How much likelier (natural logarithm) each piece stands at each place than none does (pieces, places)."""
        scores = self._network(self.patches(image, pose, light, places))
        said: Array = scores[:, self._columns].astype(np.float64).T
        return said[1:] - said[:1]
