"""Which things stand together, where some leave no room for others: the heaviest set without clashes, exactly."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.bits import bits

LIMIT = 300
"""Subproblems of one question that are solved exactly; beyond, the heaviest things come first."""


class Packing:
    """Things with `weights` (all positive) of which some clash: `clashes` has, for each, the others as a bit set.

    Those of one of the `places` clash anyhow.
    """

    def __init__(self, weights: Sequence[float], clashes: Sequence[int], places: Sequence[int]) -> None:
        self._weights, self._clashes, self._places = weights, clashes, places
        self._known: dict[int, tuple[float, int]] = {0: (0.0, 0)}
        self._bounds: dict[int, float] = {}
        self._left = 0

    def best(self, among: int) -> tuple[float, int]:
        """The weight of the heaviest set of things without a clash among a bit set of them, and that set."""
        self._left = LIMIT
        return self._apart(among)

    def _solve(self, among: int) -> tuple[float, int]:
        """The same for connected things."""
        if among in self._known:
            return self._known[among]
        self._left -= 1
        weight, chosen, left = self._clear(among)
        if left != among:
            rest = self._apart(left)
        elif self._left < 0:
            return self._greedy(among)
        else:
            crowded = max(bits(among), key=lambda k: (self._clashes[k] & among).bit_count())
            with_it, others = self._apart(among & ~self._clashes[crowded] & ~(1 << crowded))
            taken = with_it + self._weights[crowded], others | 1 << crowded
            rest = max(taken, self._apart(among & ~(1 << crowded)))
        self._known[among] = weight + rest[0], chosen | rest[1]
        return self._known[among]

    def _clear(self, among: int) -> tuple[float, int, int]:
        """What weighs as much as all that it clashes with is taken: the weight of that, it, and what is left of some
        things.
        """
        weight, chosen, before = 0.0, 0, 0
        while among != before:
            before = among
            for k in bits(among):
                near = self._clashes[k] & among
                if among >> k & 1 and self._weights[k] >= self._most(near):
                    weight, chosen, among = weight + self._weights[k], chosen | 1 << k, among & ~near & ~(1 << k)
        return weight, chosen, among

    def _most(self, among: int) -> float:
        """More than any set of some things weighs: of those at one place there is only one."""
        if among not in self._bounds:
            heaviest: dict[int, float] = {}
            for k in bits(among):
                place = self._places[k]
                heaviest[place] = max(heaviest.get(place, 0.0), self._weights[k])
            self._bounds[among] = sum(heaviest.values())
        return self._bounds[among]

    def _apart(self, among: int) -> tuple[float, int]:
        total, chosen = 0.0, 0
        while among:
            part = self.connected(among, among & -among)
            weight, some = self._solve(part)
            total, chosen, among = total + weight, chosen | some, among & ~part
        return total, chosen

    def connected(self, among: int, edge: int) -> int:
        """The things among some that clash with one of those in the bit set `edge`, or with one that does, and so on;
        and these.
        """
        part = 0
        while edge:
            part |= edge
            reached = 0
            for k in bits(edge):
                reached |= self._clashes[k]
            edge = reached & among & ~part
        return part

    def _greedy(self, among: int) -> tuple[float, int]:
        total, chosen = 0.0, 0
        for k in sorted(bits(among), key=lambda k: -self._weights[k]):
            if not self._clashes[k] & chosen:
                total, chosen = total + self._weights[k], chosen | 1 << k
        return total, chosen
