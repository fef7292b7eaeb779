"""Random games of VIA against the naive rules of the tests: legal lists, scores and endings, with all options.

Run: python -m tests.benchmarks.agreement [GAMES] [FIRST SEED]
"""

from __future__ import annotations

import random
import sys
from collections import Counter

from companion.games.via import Via
from tests.games.test_via_playouts import OPTIONS, eager
from tests.games.via_naive import NaiveVia


def agree(game: Via, seed: int) -> Counter[str]:
    """Plays one game by both rules; gives how often each word of the notation was played, and how it ended.

    Raises:
        AssertionError: the rules differ.
    """
    chance, seen = random.Random(seed), Counter[str]()
    players, options = chance.choice(game.player_counts), OPTIONS[seed % len(OPTIONS)]
    position, naive = game.new(players, options), NaiveVia(players, options)
    while not naive.over:
        legal = sorted(map(str, position.legal_actions()))
        assert legal == sorted(naive.legal()), f"seed {seed}: {legal} against {sorted(naive.legal())}"
        assert (list(position.scores), position.player) == (naive.scores(), naive.player), f"seed {seed}"
        text = eager(chance, legal)
        seen[text.split(" ", 1)[0]] += 1
        naive.play(text)
        position = position.play(game.parse(text))
    assert (position.ending, list(position.winners)) == (naive.over, naive.winners()), f"seed {seed}"
    seen[naive.over] += 1
    return seen


def main(games: str = "200", first: str = "0") -> None:
    """Prints what was compared."""
    seen, game = Counter[str](), Via()
    for seed in range(int(first), int(first) + int(games)):
        seen += agree(game, seed)
    print(f"{games} games agree:", ", ".join(f"{name} {count}" for name, count in seen.most_common()))


if __name__ == "__main__":
    main(*sys.argv[1:])
