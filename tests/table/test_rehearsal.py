"""Simulated players play whole games by the rules, and the table shows them."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.core import Position
from companion.games.registry import load_game
from companion.table.rehearsal import Rehearsal
from hardware.simulated.players import MISHAPS, Mishaps
from hardware.simulated.scene import Scene
from hardware.simulated.script import Done, Note
from hardware.simulated.table import SimulatedTable

GAME = load_game("triangle")


def played(rehearsal: Rehearsal, seed: int = 0) -> tuple[SimulatedTable, Scene]:
    table = SimulatedTable(GAME, rehearsal.steps(), seed, pause=0.2)
    time = 0.0
    while table.ended is None or time <= table.ended:
        table.scene(time)
        time += 0.5
    return table, table.scene(time)


def assert_shows(scene: Scene, position: Position) -> None:
    view, labels = position.view(), scene.labels
    assert {site: labels.get(site, "empty") for site in view.sites} == dict(view.sites)
    for group in view.groups:
        assert Counter(labels[site] for site in group.sites if site in labels) == Counter(group.labels)
    for site, allowed in view.kept.items():
        assert labels.get(site, "empty") in allowed


@pytest.mark.parametrize(("players", "teams"), [(2, False), (3, False), (4, True)])
def test_a_game_ends_and_the_table_shows_it(players: int, teams: bool) -> None:
    rehearsal = Rehearsal(GAME, players, {"teams": teams}, seed=players)
    table, scene = played(rehearsal)
    assert rehearsal.position.over
    assert_shows(scene, rehearsal.position)
    done = [happened.what.action for happened in table.happened if isinstance(happened.what, Done)]
    assert done == [str(action) for action in rehearsal.actions]


@pytest.mark.parametrize("seed", range(4))
def test_after_all_mishaps_the_table_is_right(seed: int) -> None:
    rehearsal = Rehearsal(GAME, 2 + seed % 3, seed=seed, mishaps=Mishaps.all(0.25, seed))
    table, scene = played(rehearsal, seed)
    assert rehearsal.position.over
    assert_shows(scene, rehearsal.position)
    assert not scene.dark
    assert not scene.covered
    done = Counter(happened.what.action for happened in table.happened if isinstance(happened.what, Done))
    assert done == Counter(map(str, rehearsal.actions))


def test_what_was_forgotten_is_drawn_before_it_is_laid() -> None:
    rehearsal = Rehearsal(GAME, 2, seed=760061, mishaps=Mishaps.all(0.02, 760061), limit=40)
    table, _ = played(rehearsal)
    done = [happened.what.action for happened in table.happened if isinstance(happened.what, Done)]
    assert sorted(done) == sorted(str(action) for action in rehearsal.actions)
    assert done.index("draw 1 YYG5") < done.index("place YYG5 17 0")


@pytest.mark.parametrize("mishap", MISHAPS)
def test_each_mishap_happens_and_passes(mishap: str) -> None:
    rehearsal = Rehearsal(GAME, 2, seed=3, mishaps=Mishaps({mishap: 0.9}, 3), limit=24)
    table, scene = played(rehearsal)
    assert_shows(scene, rehearsal.position)
    notes = [happened.what for happened in table.happened if isinstance(happened.what, Note)]
    assert {note.what for note in notes} == {mishap}
    assert [note.over for note in notes] == [False, True] * (len(notes) // 2)
    assert len(notes) > 4


def test_bumps_move_the_board_and_the_cards() -> None:
    _, alone = played(Rehearsal(GAME, 2, seed=1, mishaps=Mishaps({"bumped board": 1.0}, 1), limit=14))
    assert alone.board.dx != 0
    assert not any(any(card) for card in alone.cards)
    _, together = played(Rehearsal(GAME, 2, seed=1, mishaps=Mishaps({"bumped all": 1.0}, 1), limit=14))
    assert all(any(card) for card in together.cards)
    assert {card.turn for card in together.cards} == {together.board.turn}


def test_same_seed_same_game() -> None:
    games = [list(Rehearsal(GAME, 3, seed=8, mishaps=Mishaps.all(0.2, 8)).steps()) for _ in range(2)]
    assert games[0] == games[1]
    assert games[0] != list(Rehearsal(GAME, 3, seed=9, mishaps=Mishaps.all(0.2, 9)).steps())


def test_a_planned_game_is_played_as_planned() -> None:
    plan = ["draw 0 GPR1", "draw 1 YYP4", "draw 0 GGB5", "draw 0 GRB3", "draw 0 GPY2", "draw 1 WWW1", "draw 1 PPP6"]
    rehearsal = Rehearsal(GAME, 2, plan=plan, limit=7)
    _, scene = played(rehearsal)
    assert [str(action) for action in rehearsal.actions] == plan
    racks = {site: label for site, label in scene.labels.items() if site.startswith("rack")}
    assert racks == {
        "rack:0.0": "GPR1",
        "rack:0.1": "GGB5",
        "rack:0.2": "GRB3",
        "rack:0.3": "GPY2",
        "rack:1.0": "YYP4",
        "rack:1.1": "WWW1",
        "rack:1.2": "PPP6",
    }


def test_unknown_mishaps_are_named() -> None:
    with pytest.raises(ValueError, match="unknown mishap 'earthquake'"):
        Mishaps({"earthquake": 1.0}, 0)
