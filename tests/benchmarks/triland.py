"""Magic Triland: all variants beside python-chess, and the slowest single lists and explanations.

The slowest calls are measured with nothing kept from before: a landscape made anew for every call, the best of three,
since others share the machine. Besides the positions of random games, positions put together at random on landscapes
of a few large terraces, which have the most ways.

Run: python -m tests.benchmarks.triland [GAMES]
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable
from time import perf_counter

from companion.games.magic_triland import TrilandPosition
from tests.benchmarks.playouts import chess_playout, rates
from tests.games.test_triland_playouts import EVERY_ACTION
from tests.games.triland_tables import GAME, TABLES, anyhow, start


def playout(chance: random.Random) -> int:
    """A whole random game of any variant; gives the number of actions."""
    position, count = start(*chance.choice(TABLES)), 0
    while not position.over:
        position = position.play(chance.choice(position.legal_actions()))
        count += 1
    return count


def afresh(position: TrilandPosition) -> TrilandPosition:
    """The same position with nothing kept."""
    copy = position._copy()
    if copy.land is not None:
        copy.land = GAME._landscape(copy.heights)
    return copy


def seconds(position: TrilandPosition, call: Callable[[TrilandPosition], object]) -> float:
    """How long the call takes: the best of three."""
    best = 1.0
    for _ in range(3):
        copy = afresh(position)
        begun = perf_counter()
        call(copy)
        best = min(best, perf_counter() - begun)
    return best


def positions(games: int) -> list[TrilandPosition]:
    """Positions of random games, and some put together."""
    found = [anyhow(seed) for seed in range(10 * games)]
    for seed in range(games):
        chance, position = random.Random(seed), start(*TABLES[seed % len(TABLES)])
        while not position.over:
            found.append(position)
            position = position.play(chance.choice(position.legal_actions()))
    return found


def main(games: str = "60") -> None:
    """Prints the figures."""
    found = rates({"magic_triland": playout, "python-chess": chess_playout}, int(games))
    medians = {which: statistics.median(values) for which, values in found.items()}
    for which, median in medians.items():
        print(f"{which:<14} {median:>10,.0f} actions a second (median of {games} random games)")
    print(f"{'ratio':<14} {medians['magic_triland'] / medians['python-chess']:>10.2f} (wanted: at least 0.5)")
    chance, tried = random.Random(0), positions(int(games) // 4)
    lists = sorted(seconds(position, TrilandPosition.legal_actions) for position in tried)
    actions = [chance.choice(EVERY_ACTION) for _ in tried]
    whys = sorted(seconds(p, lambda q, a=a: q.explain(a)) for p, a in zip(tried, actions, strict=True))  # type: ignore[misc]
    for name, values in (("legal list", lists), ("explain", whys)):
        print(f"{name:<14} median {statistics.median(values) * 1e6:.0f} µs, slowest {values[-1] * 1e6:,.0f} µs")


if __name__ == "__main__":
    main(*sys.argv[1:])
