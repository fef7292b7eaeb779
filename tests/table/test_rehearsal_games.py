"""Simulated players of every game: the table shows what they play, and they enter what no picture tells."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from companion.games.core import Position
from companion.games.registry import GAMES, load_game, table_game
from companion.table.following import following
from companion.table.rehearsal import Rehearsal
from hardware.simulated.lying import Lying, moves, stacks_of
from hardware.simulated.players import Mishaps
from hardware.simulated.scene import Scene
from hardware.simulated.script import Carry, Done, Enter, Lay, Note
from hardware.simulated.table import SimulatedTable

OTHERS = ("labyria", "via", "magic_triland", "magic_labyrinth")
EVERY_COUNT = [(name, players) for name in OTHERS for players in load_game(name).player_counts]
OPTIONS = [
    (name, option.name, value)
    for name in OTHERS
    for option in load_game(name).options
    for value in option.values[1:]
    if any(value in one.values for one in load_game(name).options_for(3) if one.name == option.name)
]


def played(rehearsal: Rehearsal, seed: int = 0) -> tuple[SimulatedTable, Scene]:
    table, time = SimulatedTable(rehearsal.game, rehearsal.steps(), seed, pause=0.1), 0.0
    while table.ended is None or time <= table.ended:
        table.scene(time)
        time += 1.0
    return table, table.scene(time)


def assert_shows(scene: Scene, position: Position[Any]) -> None:
    game, view, labels = position.game, position.view(), scene.labels
    shown = {spec.name: labels.get(spec.name, spec.nothing) for spec in game.sites}
    assert {site: shown[site] for site in view.sites} == dict(view.sites)
    assert all(shown[site] in allowed for site, allowed in view.either.items())
    for group in view.groups:
        assert Counter(labels[site] for site in group.sites if site in labels) == Counter(group.labels)


def told(table: SimulatedTable, kind: type) -> list[str]:
    return [one.what.action for one in table.happened if isinstance(one.what, kind)]


@pytest.mark.parametrize(("name", "players"), EVERY_COUNT)
def test_the_table_shows_what_is_played(name: str, players: int) -> None:
    rehearsal = Rehearsal(table_game(name), players, seed=players, limit=90)
    table, scene = played(rehearsal)
    assert_shows(scene, rehearsal.position)
    assert told(table, Done) == [str(action) for action in rehearsal.actions]


@pytest.mark.parametrize(("name", "option", "value"), OPTIONS)
def test_every_option_can_be_played(name: str, option: str, value: object) -> None:
    rehearsal = Rehearsal(table_game(name), 3, {option: value}, seed=2, limit=60)
    table, scene = played(rehearsal)
    assert_shows(scene, rehearsal.position)
    assert told(table, Done) == [str(action) for action in rehearsal.actions]


def test_players_get_to_the_end() -> None:
    rehearsal = Rehearsal(load_game("magic_labyrinth"), 4, seed=1, limit=600)
    _, scene = played(rehearsal)
    assert rehearsal.position.over
    assert_shows(scene, rehearsal.position)


@pytest.mark.parametrize("name", OTHERS)
def test_what_no_picture_tells_is_entered_before_it_shows(name: str) -> None:
    game = table_game(name)
    rehearsal = Rehearsal(game, 3, seed=6, limit=140)
    table, _ = played(rehearsal)
    due = []
    position: Position[Any] = game.new(3)
    for action in rehearsal.actions:
        choice = len(position.legal_actions()) > 1 and action != position.hidden_action()
        if position.dice or (choice and position.told(action)):
            due.append(str(action))
        position = position.play(action)
    entered = Counter(told(table, Enter))
    assert not Counter(due) - entered
    assert len(due) > 2
    assert entered.total() < 0.7 * len(rehearsal.actions)
    for one in (one for one in table.happened if isinstance(one.what, Enter)):
        assert any(later.what == Done(one.what.action) for later in table.happened if later.time >= one.time)


def test_hidden_draws_stay_hidden() -> None:
    rehearsal = Rehearsal(table_game("via"), 2, seed=3, limit=60)
    table, _ = played(rehearsal)
    draws = [text for text in told(table, Done) if text.startswith("draw")]
    assert draws
    assert all(text.endswith("?") for text in draws)
    assert not any(text.startswith("draw") for text in told(table, Enter))


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("seed", [1, 2])
def test_after_all_mishaps_the_table_is_right(name: str, seed: int) -> None:
    rehearsal = Rehearsal(table_game(name), 2 + seed % 2, seed=seed, mishaps=Mishaps.all(0.2, seed), limit=70)
    table, scene = played(rehearsal, seed)
    assert_shows(scene, rehearsal.position)
    assert Counter(told(table, Done)) == Counter(map(str, rehearsal.actions))
    notes = Counter((one.what.what, one.what.over) for one in table.happened if isinstance(one.what, Note))
    assert all(notes[what, False] == notes[what, True] for what, _ in notes)
    assert {"rest", "taken back", "pushed", "knocked off"} & {what for what, _ in notes}


@pytest.mark.parametrize(
    ("name", "mishap"),
    [
        ("labyria", "illegal"),
        ("labyria", "knocked off"),
        ("via", "elsewhere"),
        ("magic_triland", "illegal"),
        ("magic_triland", "moved"),
        ("magic_labyrinth", "two at once"),
        ("magic_labyrinth", "knocked off"),
    ],
)
def test_mishaps_make_sense(name: str, mishap: str) -> None:
    """They happen, nothing is put where there is no room, and each of them passes."""
    game = table_game(name)
    rehearsal = Rehearsal(game, 3, seed=4, mishaps=Mishaps({mishap: 0.6}, 4), limit=60)
    lying, during = Lying(game), 0
    for step in rehearsal.steps():
        if isinstance(step, Note):
            assert step.what == mishap
            during += step.over
        if isinstance(step, Carry) and step.target is not None:
            spec = lying.specs[step.target]
            assert lying.empty(step.target) or spec.roving or step.target == step.source or "*" in "".join(spec.labels)
        lying.apply(step)
    assert during > 2


def test_devoured_figures_leave_before_the_attacker_comes() -> None:
    chance, devoured = random.Random(3), 0
    position: Position[Any] = load_game("labyria").new(4)
    while devoured < 3:
        before = position
        action = chance.choice(sorted(position.legal_actions(), key=str))
        position = position.play(action)
        if position.over:
            position = load_game("labyria").new(4)
        elif str(action).startswith("defend") and position.view() != before.view():
            lying = Lying(position.game)
            lying.apply(Lay(stacks_of(before)))
            way, _ = moves(lying, position)
            assert all(move.source is not None and move.target is not None for move in way)
            if len(way) == 2:
                assert way[0].target != way[1].source
                devoured += way[1].target == way[0].source


def test_a_wall_goes_from_its_slot_to_the_tray_and_back() -> None:
    game = load_game("magic_labyrinth")
    rehearsal = Rehearsal(game, 2, seed=3, limit=25)
    steps = [step for step in rehearsal.steps() if isinstance(step, Carry)]
    ways = {tuple((site or "nowhere").partition(":")[0] for site in (step.source, step.target)) for step in steps}
    assert {("slot", "tray"), ("tray", "slot"), ("cell", "cell")} <= ways
    assert not ways & {("nowhere", "tray"), ("slot", "nowhere")}


@pytest.mark.parametrize("name", GAMES)
def test_hands_follow_what_is_entered(name: str) -> None:
    game, chance = load_game(name), random.Random(5)
    course: list[Position[Any]] = [game.new(3)]
    while len(course) < 80 and not course[-1].over:
        course.append(course[-1].play(chance.choice(sorted(course[-1].legal_actions(), key=str))))
    now = course[0]
    table, time = SimulatedTable(game, following(lambda: now), 1, 0.1), 0.0
    for now in (*course[::8], course[-1]):
        time += 40.0
        assert_shows(table.scene(time), now)
    now = course[10]  # all the rest is taken back
    assert_shows(table.scene(time + 250.0), now)
