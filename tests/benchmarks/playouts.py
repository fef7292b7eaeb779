"""Random playouts with the list of legal actions before every action, beside python-chess in the same run.

Run: python -m tests.benchmarks.playouts [GAME] [GAMES]
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import chess

from companion.games.core import Game
from companion.games.registry import load_game

Playout = Callable[[random.Random], int]
CHESS_PLIES = 200


def playout_of(game: Game[Any, Any]) -> Playout:
    """A whole random game; gives the number of actions."""

    def play(chance: random.Random) -> int:
        position, count = game.new(chance.choice(game.player_counts)), 0
        while not position.over:
            position = position.play(chance.choice(position.legal_actions()))
            count += 1
        return count

    return play


def chess_playout(chance: random.Random) -> int:
    """A random game of chess, to its end or `CHESS_PLIES` moves."""
    board = chess.Board()
    for count in range(CHESS_PLIES):
        moves = list(board.legal_moves)
        if not moves:
            return count
        board.push(chance.choice(moves))
    return CHESS_PLIES


def rates(playouts: dict[str, Playout], games: int) -> dict[str, list[float]]:
    """Actions a second of each whole game, taken in turns so that a busy machine slows all alike."""
    found: dict[str, list[float]] = {name: [] for name in playouts}
    for seed in range(games):
        for name, playout in playouts.items():
            chance = random.Random(seed)
            start = perf_counter()
            count = playout(chance)
            found[name].append(count / (perf_counter() - start))
    return found


def slowest(game: Game[Any, Any], games: int) -> dict[str, float]:
    """The slowest single call in random games, seconds; of three tries the fastest, since others share the machine."""
    worst = {"legal_actions": 0.0, "explain": 0.0, "play": 0.0, "view": 0.0, "events": 0.0}
    for seed in range(games):
        chance = random.Random(seed)
        position, last = game.new(chance.choice(game.player_counts)), None
        while not position.over:
            action = chance.choice(position.legal_actions())
            calls: dict[str, Callable[[], object]] = {
                "legal_actions": position.legal_actions,
                "explain": lambda p=position, a=last or action: p.explain(a),  # type: ignore[misc]
                "play": lambda p=position, a=action: p.play(a),  # type: ignore[misc]
                "events": lambda p=position, a=action: p.events(a),  # type: ignore[misc]
                "view": position.view,
            }
            for name, call in calls.items():
                worst[name] = max(worst[name], min(_seconds(call) for _ in range(3)))
            position, last = position.play(action), action
    return worst


def _seconds(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def main(name: str = "triangle", games: str = "150") -> None:
    """Prints the figures."""
    game = load_game(name)
    found = rates({name: playout_of(game), "python-chess": chess_playout}, int(games))
    medians = {which: statistics.median(values) for which, values in found.items()}
    for which, median in medians.items():
        print(f"{which:<14} {median:>10,.0f} actions a second (median of {games} random games)")
    print(f"{'ratio':<14} {medians[name] / medians['python-chess']:>10.2f} (wanted: at least 1)")
    for call, seconds in slowest(game, 30).items():
        print(f"slowest {call:<14} {seconds * 1e6:>8.0f} µs")


if __name__ == "__main__":
    main(*sys.argv[1:])
