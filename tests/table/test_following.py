"""The simulated table that does what is recorded."""

from __future__ import annotations

import random
from itertools import islice

from companion.games.registry import load_game
from companion.table.following import NOTHING_TO_DO, following
from hardware.simulated.table import SimulatedTable
from tests.referee.readings import labels_of

GAME = load_game("triangle")


def test_hands_make_the_table_show_what_is_recorded() -> None:
    rng = random.Random(4)
    position = GAME.new(3)
    table = SimulatedTable(GAME, following(lambda: position), 1, 0.1)
    moment = 0.0
    for _ in range(40):
        position = position.play(rng.choice(position.legal_actions()))
        moment += 25.0
        shown = table.scene(moment).labels
        wanted = {site: label for site, label in labels_of(position).items() if label != "empty"}
        assert shown.keys() >= {site for site in wanted if not site.startswith("rack")}
        for kind in ("cell", "rack"):
            assert sorted(_of(kind, shown)) == sorted(_of(kind, wanted))


def _of(kind: str, labels: dict[str, str]) -> list[str]:
    return [f"{site}={label}" if kind == "cell" else label for site, label in labels.items() if site.startswith(kind)]


def test_a_table_that_shows_it_already_is_left_alone() -> None:
    position = GAME.new(2)
    steps = list(islice(following(lambda: position), 4))
    assert steps[1:] == [NOTHING_TO_DO] * 3
