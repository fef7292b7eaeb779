"""What stands by a ruling although the rules refuse it: in all games the game goes on from there to its end."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from companion.games.core import Action, Game, IllegalActionError, Position
from companion.games.registry import load_game

STANDING = {
    "triangle": {"TRI-PLACE-2", "TRI-PLACE-3"},
    "via": {"VIA-LAY-2", "VIA-LAY-3", "VIA-LAY-4", "VIA-BUILD-2", "VIA-BUILD-4", "VIA-TURN-4"},
    "magic_labyrinth": {"MAG-TURN-1", "MAG-TURN-4", "MAG-TURN-5", "MAG-JUMP-1"},
    "labyria": {"LAB-SETUP-6", "LAB-MOVE-1", "LAB-MOVE-2", "LAB-TURN-2", "LAB-TURN-3", "LAB-TURN-6"},
    "magic_triland": {"TLD-SETUP-4", "TLD-MOVE-2", "TLD-MOVE-4", "TLD-CARD-4", "TLD-LAND-1"},
}
"""Clauses that some action breaks, and stands, in the games played here."""

PLAYERS = {"triangle": 2, "via": 3, "magic_labyrinth": 3, "labyria": 2, "magic_triland": 3}
RARE = {"magic_labyrinth": ("done",)}
"""Actions that are hardly ever possible."""

LONGEST = 1200
"""After so many actions a game is not played on."""


@cache
def tried(name: str) -> tuple[Action, ...]:
    """Actions that were possible somewhere in random games: here they may be legal or not."""
    game, chance, found = load_game(name), random.Random(name), dict[Action, None]()
    for _ in range(2):
        position = game.new(PLAYERS[name])
        for _ in range(LONGEST):
            if position.over:
                break
            legal = sorted(position.legal_actions(), key=str)
            found |= dict.fromkeys(chance.sample(legal, min(8, len(legal))))
            position = position.play(chance.choice(legal))
    return (*found, *map(game.parse, RARE.get(name, ())))


def standing(position: Position[Any], chance: random.Random) -> Action | None:
    """An action that the rules refuse here, and that may stand."""
    for action in chance.sample(tried(position.game.name), 12):
        if position.explain(action) is None:
            continue
        try:
            position.let_stand(action)
        except IllegalActionError:
            continue
        return action
    return None


def check(position: Position[Any], game: Game[Any, Any]) -> None:
    """What holds in every position."""
    assert position.over or position.legal_actions()
    labels = {site.name: set(site.labels) for site in game.sites}
    view = position.view()
    assert all(label in labels[site] for site, label in view.sites.items())
    assert all(set(group.sites) <= set(labels) for group in view.groups)
    assert len(position.scores) == position.players


@pytest.mark.parametrize("name", STANDING)
def test_a_game_goes_on_after_what_stands(name: str) -> None:
    game, stood = load_game(name), set()
    for seed in range(4):
        chance, position = random.Random(f"{name} {seed}"), game.new(PLAYERS[name])
        for _ in range(LONGEST):
            if position.over:
                break
            action = standing(position, chance) if chance.random() < 0.4 else None
            if action is not None:
                refusal = position.explain(action)
                assert refusal is not None
                stood.add(refusal.clause)
                with pytest.raises(IllegalActionError):
                    position.play(action)
            else:
                action = chance.choice(sorted(position.legal_actions(), key=str))
            after = position.let_stand(action)
            assert game.parse(str(action)) == action
            assert position.let_stand(action) == after != position
            position.events(action)
            check(after, game)
            position = after
    assert stood >= STANDING[name], stood


@pytest.mark.parametrize("name", STANDING)
def test_a_legal_action_stands_as_it_is_played(name: str) -> None:
    chance, position = random.Random(name), load_game(name).new(PLAYERS[name])
    for _ in range(60):
        action = chance.choice(sorted(position.legal_actions(), key=str))
        assert position.let_stand(action) == position.play(action)
        position = position.play(action)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("triangle", "place RRY5 12 1"),
        ("via", "end"),
        ("magic_labyrinth", "step a1"),
        ("labyria", "shield a1-b1"),
        ("magic_triland", "pearl"),
    ],
)
def test_what_has_no_place_in_the_game_now_cannot_stand(name: str, text: str) -> None:
    game = load_game(name)
    position = game.new(PLAYERS[name])
    with pytest.raises(IllegalActionError):
        position.let_stand(game.parse(text))
