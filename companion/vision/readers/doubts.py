"""Which sites nobody can be sure of, whatever explains the picture best: they look odd."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from companion.vision.geometry.grid import Shot
from companion.vision.geometry.lens import Array
from companion.vision.light.glare import BURNT, MUCH
from companion.vision.scene.explanation import Explanation
from companion.vision.scene.stage import Stage, StagePlan

STRANGE = 3.0
"""From this on (natural logarithm, a point) colours are so far from what they should be that nothing is sure. Of 1100
figures and pulled walls in full view 24 were as far off, and of 19 hands taken for figures or pulled walls all but one.
"""

STAIN = 2.1
"""How far (natural logarithm, a point) colours may be from what they should be where a thing would be on a bare place
on which no network looks. Of 700 bare slots and cells of the Magic Labyrinth 6 were farther off, and two figures that
were surely read as none in glare (seeds 844000 to 844039, 844073, 841031).
"""

STRAY = 0.2
"""Which part of the table top, where a thing would be on a bare place, may have other colours than the table. Of 492
bare places of walls in the tray 3 had more (seeds 844000 to 844023).
"""

BESIDE_RIM = 1.5
"""How far (mm) from the rim of what may lie anywhere, or beside the board, colours are compared."""

DIM = 8.0
"""Grey values added before the logarithm, so that noise in the dark does not look like edges."""

FLAT = 0.03
"""Contrast (natural logarithm, of some channel) that three quarters of its rim must have, to be sure that it is one: of
118 that lay there none had less than 0.07, of 18 that did not, in hard shadows, all but one less than 0.023.
"""

FEW = 150
"""Points of a site whose colours are looked at, about."""

FEWEST = 8
"""Points of a thing from which its colour tells anything."""


class Doubts:
    """Looks for what is odd about sites on which things stand."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def odd(
        self,
        shot: Shot,
        explanation: Explanation,
        shown: Array,
        plan: StagePlan,
        which: Sequence[int],
        unheard: Sequence[int],
    ) -> set[int]:
        """Those of the sites `which` that look odd, given what each point is `shown` (points,) as: what stands there
        has strange colours, no edges, or would mirror a lamp; or, where nothing does, and others are `unheard`, the
        ground is stained.
        """
        return (
            self._strange(shot, shown, plan, which)
            | self._burnt_out(shot, plan, which)
            | self._edgeless(shot, explanation, plan, which)
            | self._stained(shot, explanation, shown, plan, unheard)
        )

    def _strange(self, shot: Shot, shown: Array, plan: StagePlan, which: Sequence[int]) -> set[int]:
        """Those of some sites on which what is seen has by and large other colours than what is `shown` (points,)."""
        assert plan.tones is not None
        areas = (plan.areas[number][0] for number in which)
        plain = (at[_plainly(shown[at], plan.ground[at], len(self._stage.surfaces))] for at in areas)
        parts = [at[:: max(1, len(at) // FEW)] for at in plain]
        at = np.concatenate(parts)
        strange = plan.tones.strangeness(shot.pixels(at), at, shown[at])
        ends = np.cumsum([0, *map(len, parts)])
        spans = zip(which, pairwise(ends.tolist()), strict=True)
        return {number for number, (a, b) in spans if b > a and strange[a:b].mean() > STRANGE}

    def _stained(
        self, shot: Shot, explanation: Explanation, shown: Array, plan: StagePlan, which: Sequence[int]
    ) -> set[int]:
        """Those of some sites on which nothing seems to stand, but the ground has other colours than it should where a
        thing would be: glare may have washed out its own, or, on the table, it may lie farther off than things do.
        """
        assert plan.tones is not None
        table, bare = len(self._stage.surfaces), shown == plan.ground
        strange = np.zeros(len(bare), np.float32)
        nothings = [number for number in which if not explanation.chosen[number]]
        for number in nothings:
            at = plan.reach[number][bare[plan.reach[number]] & (shown[plan.reach[number]] < table)]
            strange[at] = plan.tones.strangeness(shot.pixels(at), at, shown[at])

        def is_stain(at: Array) -> bool:
            clear, beside = at[bare[at] & (shown[at] < table)], at[bare[at] & (shown[at] == table)]
            if len(beside) > len(at) / 2:
                return bool((explanation.bare[beside] < 0).mean() > STRAY)
            return len(clear) >= max(FEWEST, len(at) / 2) and bool(strange[clear].mean() > STAIN)

        return {number for number in nothings if any(is_stain(state.at) for state in plan.states[number][1:])}

    def _edgeless(self, shot: Shot, explanation: Explanation, plan: StagePlan, which: Sequence[int]) -> set[int]:
        """Those of some sites, of what may lie anywhere and beside the board, on which something seems to lie, but the
        picture has no edges where its own would be: beside a shadow bare ground may have its colour.
        """
        flat = set()
        for number in which:
            at, site = explanation.state(number, explanation.chosen[number]).at, self._stage.sites[number]
            if (site.roving or site.on_table) and len(at):
                beside = (shot.pixels(points) for points in plan.grid.beside_rim(at, BESIDE_RIM))
                inside, outside = (np.log(pixels + DIM) for pixels in beside)
                if np.quantile(np.abs(inside - outside).max(axis=1), 0.25) < FLAT:
                    flat.add(number)
        return flat

    def _burnt_out(self, shot: Shot, plan: StagePlan, which: Sequence[int]) -> set[int]:
        """Those of some sites on which a thing, if any stood there, would mirror a lamp so that hardly anything but
        white is seen.
        """
        burnt = set()
        for number in plan.dazzling.intersection(which):
            tops = [state.at[self._stage.level_points(state, plan)] for state in plan.states[number][1:]]
            seen = [shot.pixels(at).max(axis=1) >= BURNT for at in tops if len(at)]
            if any(white.mean() > MUCH for white in seen):
                burnt.add(number)
        return burnt


def _plainly(shown: Array, ground: Array, surfaces: int) -> Array:
    """Which of some points show things, or what most of the place is painted with: prints on it differ."""
    most = int(np.bincount(ground).argmax()) if len(ground) else 0
    plainly: Array = (shown < surfaces) & ((shown != ground) | (ground == most))
    return plainly
