"""The slowest lists of legal actions and refusals of Labyria: long walks of three figures out on an open board.

Run: python -m tests.benchmarks.labyria_worst [BOARDS]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from time import perf_counter

from companion.games.labyria import Labyria, LabyriaPosition

THROWS = ("dice 6 double", "dice 5 double", "dice 6 cloak", "dice 6 plus")
TRIES = 4


def fastest(call: Callable[[LabyriaPosition], object], position: LabyriaPosition) -> float:
    """Seconds of a call on a position that has computed nothing yet, the fastest of some tries."""
    best = float("inf")
    for _ in range(TRIES):
        fresh = position._copy()
        start = perf_counter()
        call(fresh)
        best = min(best, perf_counter() - start)
    return best


def spread(game: Labyria, chance: random.Random, crowded: bool) -> LabyriaPosition:
    """All obstacles set, at random or crowded on the lower rows, and every figure somewhere on the board."""
    position = game.new(chance.choice(game.player_counts))
    while position.phase != "dice":
        legal = position.legal_actions()
        if position.phase == "setup" and crowded:
            legal = sorted(legal, key=lambda action: (int(str(action).split()[1].split("-")[0][1:]), chance.random()))[
                :3
            ]
        position = position.play(chance.choice(legal))
    cells = [cell for cell in range(game.grid.count) if game.grid.cells[cell] not in game.set.grid.corners]
    spots = chance.sample(cells, game.figures * position.players)
    standing = position._copy()
    standing.home = (0,) * position.players
    standing.afield = tuple(
        sum(1 << cell for cell in spots[player :: position.players]) for player in range(position.players)
    )
    return standing


def main(boards: str = "200") -> None:
    """Prints the figures."""
    game, chance = Labyria(), random.Random(5)
    worst = {"legal_actions": 0.0, "explain": 0.0, "play (defend plus)": 0.0}
    for number in range(int(boards)):
        standing = spread(game, chance, crowded=bool(number % 2))
        for throw in THROWS:
            position = standing.play(game.parse(throw))
            worst["legal_actions"] = max(worst["legal_actions"], fastest(lambda p: p.legal_actions(), position))
            for start in position.starts:
                move = chance.choice(game.moves_from(start))
                worst["explain"] = max(worst["explain"], fastest(lambda p, a=move: p.explain(a), position))  # type: ignore[misc]
            for action in position.legal_actions():
                after = position.play(action) if str(action).startswith("move") else position
                if after.attack is not None:
                    plus = game.parse("defend plus")
                    seconds = fastest(lambda p, a=plus: p.play(a), after)  # type: ignore[misc]
                    worst["play (defend plus)"] = max(worst["play (defend plus)"], seconds)
                    break
    for call, seconds in worst.items():
        print(f"slowest {call:<20} {seconds * 1e6:>8.0f} µs")


if __name__ == "__main__":
    main(*sys.argv[1:])
