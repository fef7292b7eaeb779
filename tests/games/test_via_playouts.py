"""Whole random games of VIA against the naive rules, and what holds in every position."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.core import CHANCE, IllegalActionError
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.games.via import Via, ViaPosition
from companion.games.via.actions import Action, Build, Draw, Lay
from tests.games.via_naive import NaiveVia

GAME: Via = load_game("via")  # type: ignore[assignment]
OPTIONS: list[dict[str, bool]] = [
    {},
    {"land_alike": False},
    {"free_water": True},
    {"start_counts": False},
    {"land_alike": False, "free_water": True, "start_counts": False},
]
SITES = {site.name for site in GAME.sites}
EVERY_ACTION: list[Action] = [
    *(draw for draws in GAME.draws for draw in draws),
    *(lay for lays in GAME.lays for lay in lays),
    *(Build(piece, part) for piece in ("house", "castle") for part in GAME.parts),
    *(GAME.parse(text) for text in ("take", "take 2", "end", "pass")),
]


def eager(chance: random.Random, actions: list[str]) -> str:
    """An action, mostly one that changes the board, so that there is something to build on."""
    changing = [text for text in actions if text.startswith(("lay", "house", "castle"))]
    return chance.choice(changing if changing and chance.random() < 0.8 else actions)


@cache
def playout(players: int, number: int, seed: int) -> tuple[tuple[ViaPosition, Action], ...]:
    """A random game with one of the sets of options: every position with the action that followed."""
    chance, position, game = random.Random(seed), GAME.new(players, OPTIONS[number]), []
    while not position.over:
        action = GAME.parse(eager(chance, list(map(str, position.legal_actions()))))
        game.append((position, action))
        position = position.play(action)
    return tuple(game)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_a_random_game_agrees_with_the_naive_rules(players: int, number: int) -> None:
    position, naive = GAME.new(players, OPTIONS[number]), NaiveVia(players, OPTIONS[number])
    chance = random.Random(17 * players + number)
    while not naive.over:
        legal = sorted(naive.legal())
        assert sorted(map(str, position.legal_actions())) == legal
        assert position.turn == (CHANCE if naive.due else naive.player)
        assert position.concerns == (naive.player if naive.due else None)
        assert position.phase == naive.phase
        assert (list(position.scores), list(position.tie_break)) == (naive.scores(), naive.castle_sizes())
        assert position.winners == ()
        text = eager(chance, legal)
        naive.play(text)
        position = position.play(GAME.parse(text))
    assert (position.turn, position.concerns, position.legal_actions()) == (None, None, [])
    assert (position.ending, list(position.scores)) == (naive.over, naive.scores())
    assert list(position.winners) == naive.winners()


@pytest.mark.parametrize("players", [2, 4])
def test_explain_names_the_clause_that_the_naive_rules_name(players: int) -> None:
    naive, chance, found = NaiveVia(players), random.Random(players), Counter[str | None]()
    tries = EVERY_ACTION[-4:]
    for position, action in playout(players, 0, seed=9):
        near = [land for land in EVERY_ACTION if isinstance(land, Build) and land.part[:2] in naive.board]
        held = [a for a in EVERY_ACTION if isinstance(a, Lay) and a.kind in naive.hands[naive.player]]
        for tried in [*tries, *(chance.choice(some) for some in (EVERY_ACTION, near, held, held) if some)]:
            refusal = position.explain(tried)
            assert (refusal.clause if refusal else None) == naive.broken(str(tried)), str(tried)
            found[refusal.clause if refusal else None] += 1
        naive.play(str(action))
    end = position.play(action)
    refusal = end.explain(action)
    assert refusal is not None
    assert refusal.clause == naive.broken(str(action)) == naive.over
    assert {None, "VIA-SETUP-3", "VIA-SETUP-4", "VIA-TURN-1", "VIA-TURN-4", "VIA-LAY-1", "VIA-LAY-2"} <= set(found)
    assert {"VIA-LAY-3", "VIA-BUILD-1", "VIA-BUILD-2", "VIA-BUILD-3"} <= set(found)


def test_exactly_the_listed_actions_play() -> None:
    positions = [p for players in (2, 3, 4) for number in (0, 4) for p, _ in playout(players, number, seed=3)]
    for position in random.Random(0).sample(positions, 60):
        legal = position.legal_actions()
        assert len(set(legal)) == len(legal) == len(set(map(str, legal)))
        assert {action for action in EVERY_ACTION if position.explain(action) is None} == set(legal)
        for action in legal:
            position.play(action)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_and_buildings_are_conserved(players: int) -> None:
    total = Counter({kind.code: kind.count for kind in GAME.kinds})
    for position, _ in playout(players, 0, seed=2):
        tiles = Counter(GAME.lies[lie].kind.code for lie in position.ground.tiles if lie >= 0)
        tiles += Counter(GAME.kinds[kind].code for hand in position.hands for kind in hand)
        tiles += Counter({kind.code: n for kind, n in zip(GAME.kinds, position.unseen, strict=True)})
        if position.phase == "start":
            left = 4 + players - position.laid
            tiles += Counter(ST=max(0, left - players), W=min(left, players))
        assert tiles == total
        assert all(position.held(player) <= 3 for player in range(players))
        first = {2: 7, 3: 5, 4: 4}[players]
        for player in range(players):
            houses = sum(b.player == player and not b.castle for b in position.buildings)
            castles = sum(b.player == player and b.castle for b in position.buildings)
            assert castles == (not position.castles[player])
            assert position.houses[player] + houses - first in ((1, 2) if castles else (0,))
            sizes = [position.ground.size(b.land) for b in position.buildings if b.player == player and not b.castle]
            assert not castles or max(sizes, default=0) < position.tie_break[player]
        lands = [building.land for building in position.buildings]
        assert sum(land.bit_count() for land in lands) == sum(lands).bit_count()  # one building on each


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_view_shows_tiles_and_buildings(players: int) -> None:
    naive = NaiveVia(players)
    for position, action in playout(players, 0, seed=5):
        view = position.view()
        cells = {site[5:]: label for site, label in view.sites.items() if site.startswith("cell:")}
        assert len(cells) == 49
        laid = {field: code if code in ("ST", "W") else f"{code}/{k}" for field, (code, k) in naive.board.items()}
        assert {cell: label for cell, label in cells.items() if label != EMPTY} == laid
        places = {f"building:{name}" for land in naive.properties() for name in naive.names(land)}
        groups = {site: group.labels for group in view.groups for site in group.sites}
        assert {site for site in view.sites if site.startswith("building:")} | set(groups) == places
        assert all(label == EMPTY for site, label in view.sites.items() if site.startswith("building:"))
        built = {
            f"building:{name}": (f"{piece}:{GAME.seat_colours[player]}",)
            for player, piece, land in naive.built
            for name in naive.names(land)
        }
        assert groups == built
        naive.play(str(action))


def test_signs_show_in_the_next_view() -> None:
    kinds = set()
    for players in (2, 3, 4):
        for position, action in playout(players, 0, seed=6):
            view = position.play(action).view()
            for sign in position.signs(action):
                kinds.add(sign.sites[0].split(":")[0])
                shown = {view.sites.get(site) for site in sign.sites}
                assert shown == {sign.label} or any(
                    g.sites == sign.sites and g.labels == (sign.label,) for g in view.groups
                )
            assert bool(position.signs(action)) == isinstance(action, Lay | Build)
    assert kinds == {"cell", "building"}


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(2, 4), st.integers(0, 4), st.integers(0, 5), st.integers(0, 400), st.sampled_from(EVERY_ACTION))
def test_a_refusal_names_a_clause_in_plain_words(
    players: int, options: int, seed: int, number: int, action: Action
) -> None:
    game = playout(players, options, seed)
    position = game[number % len(game)][0]
    before = position.key
    refusal = position.explain(action)
    if refusal is None:
        assert action in position.legal_actions()
        return
    with pytest.raises(IllegalActionError, match=refusal.clause):
        position.play(action)
    assert position.key == before
    for language in ("en", "de", "fr"):
        text = GAME.clauses.text(refusal, language, names=["Ada", "Ben", "Cem", "Dea"])
        assert GAME.clauses[refusal.clause].rule.in_language(language) in text
        assert "{" not in text
    assert all(GAME.parse(text) in position.legal_actions() for text in refusal.instead)
    assert set(refusal.sites) <= SITES


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_record_replays_to_equal_positions(players: int) -> None:
    again = GAME.new(players, OPTIONS[4])
    seen = {again}
    for position, action in playout(players, 4, seed=4):
        assert again is not position
        assert again == position
        assert hash(again) == hash(position)
        assert GAME.parse(str(action)) == action
        key = position.key
        again = again.play(GAME.parse(str(action)))
        assert position.key == key
        assert again not in seen
        seen.add(again)


def test_actions_are_told_apart() -> None:
    assert len(set(EVERY_ACTION)) == len(EVERY_ACTION) == len(set(map(str, EVERY_ACTION)))
    for action in EVERY_ACTION:
        assert GAME.parse(str(action)) == action
        assert type(GAME.parse(str(action))) is type(action)


@pytest.mark.parametrize("seed", range(30))
def test_games_end_and_their_last_event_says_so(seed: int) -> None:
    position, action = playout(2 + seed % 3, seed % 5, seed)[-1]
    events = position.events(action)
    assert events[-1].kind == "over"
    assert events[-1].facts == {"clause": position.play(action).ending}


def test_events_tell_closings_points_and_turns() -> None:
    kinds = Counter[str]()
    for players in (2, 3, 4):
        naive = NaiveVia(players)
        for position, action in playout(players, 0, seed=6):
            before, player, phase = naive.scores(), naive.player, naive.phase
            naive.play(str(action))
            events = position.events(action)
            kinds.update(event.kind for event in events)
            facts = {event.kind: event.facts for event in events}
            gained = [b - a for a, b in zip(before, naive.scores(), strict=True)]
            assert ("score" in facts) == isinstance(action, Build) == any(gained)
            if "score" in facts:
                assert gained[player] == facts["score"]["points"]
            if isinstance(action, Lay):
                told = [(event.facts["part"], event.facts["size"]) for event in events if event.kind == "close"]
                assert sorted(told) == sorted((naive.names(land)[0], naive.size(land)) for land in naive.closed)
            new_turn = not (naive.over or naive.due) and (naive.phase, naive.player) != (phase, player)
            assert ("turn" in facts) == new_turn
            for event in events:
                for language in ("en", "de", "fr"):
                    text = GAME.clauses.event_text(event, language)
                    assert text
                    assert "{" not in text
    assert set(kinds) >= {"close", "score", "reserve", "turn", "over"}


PERFT = [
    (2, 20, 2, 467), (2, 35, 3, 395), (2, 81, 4, 92), (3, 28, 2, 922), (3, 73, 3, 125), (4, 72, 3, 254),
    (4, 120, 4, 168),
]  # fmt: skip
"""Players, actions played of the random game, depth, count."""


def perft(position: ViaPosition, depth: int) -> int:
    """How many games of `depth` actions there are from here."""
    actions = position.legal_actions()
    return len(actions) if depth == 1 else sum(perft(position.play(action), depth - 1) for action in actions)


def naive_perft(naive: NaiveVia, depth: int) -> int:
    legal, count = naive.legal(), 0
    for text in legal if depth > 1 else ():
        after = deepcopy(naive)
        after.play(text)
        count += naive_perft(after, depth - 1)
    return count if depth > 1 else len(legal)


@pytest.mark.parametrize(("players", "number", "depth", "count"), PERFT)
def test_counts_to_a_depth_agree(players: int, number: int, depth: int, count: int) -> None:
    game = playout(players, 0, seed=8)
    naive = NaiveVia(players)
    for _, action in game[:number]:
        naive.play(str(action))
    assert perft(game[number][0], depth) == naive_perft(naive, depth) == count


def test_hidden_tiles_are_known_when_they_are_laid() -> None:
    game, seen = Via(hidden_draws=True), Counter[str]()
    for seed in range(12):
        chance, position = random.Random(seed), game.new(2 + seed % 3)
        while not position.over:
            legal = position.legal_actions()
            assert len(set(legal)) == len(legal)
            tried = [*legal, *EVERY_ACTION[-4:], *chance.sample(EVERY_ACTION, 30)]
            assert {action for action in tried if position.explain(action) is None} == set(legal)
            hidden = position.hidden_action()
            assert (hidden is not None) == bool(position.due)
            action = hidden if hidden and chance.random() < 0.8 else chance.choice(legal)
            assert game.parse(str(action)) == action
            seen[str(action).split()[0] + str(action)[-2:]] += 1
            before = position.stock, sum(map(position.held, range(position.players)))
            position = position.play(action)
            if isinstance(action, Draw):
                assert (position.stock, sum(map(position.held, range(position.players)))) == (
                    before[0] - 1,
                    before[1] + 1,
                )
            assert min(position.unseen) >= 0
            assert position.stock >= 0
    assert seen["draw ?"] > 100


def test_a_hidden_draw_needs_the_option() -> None:
    for position, action in playout(2, 0, seed=1):
        assert position.hidden_action() is None
        if isinstance(action, Draw):
            assert Draw(action.player, None) not in position.legal_actions()
            refusal = position.explain(Draw(action.player, None))
            assert refusal is not None
            assert refusal.clause == "VIA-SETUP-2"


def test_who_holds_hidden_tiles_may_pass() -> None:
    """Nobody can tell whether a hidden tile could be laid."""
    game = Via(hidden_draws=True)
    position = game.new(2)
    for text in ("a1", "a2", "g7", "d4"):
        position = position.play(game.parse(f"lay ST {text} 0"))
    for text in ["lay W b1 0", "lay W f6 0", *["draw 0 ?"] * 2, *["draw 1 ?"] * 2, "take", "draw 0 ?", "take"]:
        position = position.play(game.parse(text))
    position = position.play(game.parse("draw 1 ?"))
    legal = set(map(str, position.legal_actions()))
    assert {"pass", "lay S4 d5 0", "lay W b2 0"} <= legal
    assert "take" not in legal
    laid = position.play(game.parse("lay S4 d5 0"))
    assert (laid.held(0), laid.stock) == (2, position.stock)
