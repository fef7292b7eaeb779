"""What a small network says of fields, trained on boards of the simulated table and path-traced ones
(`tests/training`): it sees the whole body of what stands on a field, and what leans over it from nearer ones.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from companion.games.sites import EMPTY
from companion.vision.anyboard.boardset import OCCUPIED, BoardSet
from companion.vision.anyboard.evidence import Evidence
from companion.vision.anyboard.expectation import Expectation
from companion.vision.anyboard.occupancy import View
from companion.vision.anyboard.patches import field_patches
from companion.vision.geometry.lens import Array
from companion.vision.networks.learned import NETWORKS, known_to
from companion.vision.networks.network import Network, network

TOO_SURE = 15.0
"""Networks are not believed beyond these odds (natural logarithm)."""


@cache
def _loaded(kind: str) -> tuple[Network, int, int]:
    """The network for a kind of expectation, and its columns for something and for nothing."""
    labels, _ = known_to(f"board-{kind}")
    return network((NETWORKS / f"board-{kind}.onnx").read_bytes()), labels.index(OCCUPIED), labels.index(EMPTY)


def learned_odds(evidence: Evidence, expected: Expectation, view: View, board: BoardSet, with_empty: bool) -> Array:
    """The logarithm of the odds (rows, columns) that a field holds something, as the network sees it."""
    net, something, nothing = _loaded("empty" if with_empty else "likes")
    patches = field_patches(evidence, expected, view, board)
    scores = net(patches.reshape(-1, *patches.shape[2:])).reshape(*patches.shape[:2], -1)
    odds: Array = np.clip(scores[..., something] - scores[..., nothing], -TOO_SURE, TOO_SURE)
    return odds
