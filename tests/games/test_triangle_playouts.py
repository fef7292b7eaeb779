"""Whole random games of Triangle against the naive rules, and what holds in every position."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.core import CHANCE, IllegalActionError
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.games.triangle import Triangle, TrianglePosition
from companion.games.triangle.actions import Action, Draw, Place, Swap
from tests.games.triangle_naive import NaiveTriangle

GAME: Triangle = load_game("triangle")  # type: ignore[assignment]
TABLES = [(2, False), (3, False), (4, False), (4, True)]
EVERY_ACTION: list[Action] = [
    *(draw for draws in GAME.draws for draw in draws),
    *GAME.swaps,
    GAME.parse("pass"),
    *(
        GAME.places[cell][tile][rotation]
        for cell in range(36)
        for tile in range(36)
        for rotation in GAME.fits.rotations[tile]
    ),
]


def playout(players: int, teams: bool, seed: int) -> list[tuple[TrianglePosition, Action]]:
    """A random game: every position with the action that followed."""
    chance, position, game = random.Random(seed), GAME.new(players, {"teams": teams}), []
    while not position.over:
        action = chance.choice(position.legal_actions())
        game.append((position, action))
        position = position.play(action)
    return game


def tiles_of(position: TrianglePosition) -> list[str]:
    """The tiles on the board, in hands and unseen, as the view and the legal draws tell them."""
    view = position.view()
    on_board = [label.split("/")[0] for site, label in view.sites.items() if label != EMPTY]
    in_hands = [label for group in view.groups for label in group.labels]
    return sorted(on_board + in_hands + [tile for k, tile in enumerate(GAME.tiles) if position.unseen >> k & 1])


@pytest.mark.parametrize(("players", "teams"), TABLES)
@pytest.mark.parametrize("seed", range(6))
def test_a_random_game_goes_as_in_the_naive_rules(players: int, teams: bool, seed: int) -> None:
    naive, position = NaiveTriangle(players, teams), GAME.new(players, {"teams": teams})
    chance = random.Random(1000 * players + 100 * teams + seed)
    while not naive.over:
        legal = sorted(map(str, position.legal_actions()))
        assert legal == sorted(naive.legal())
        assert (position.phase, position.turn) == (naive.phase, naive.player if naive.phase == "play" else CHANCE)
        assert position.concerns == (None if naive.phase == "play" else naive.player)
        assert list(position.scores) == naive.scores()
        assert position.winners == ()
        text = chance.choice(legal)
        naive.play(text)
        position = position.play(GAME.parse(text))
    assert position.over
    assert (position.turn, position.concerns, position.legal_actions()) == (None, None, [])
    assert list(position.scores) == naive.scores()
    assert position.winners == tuple(p for p, score in enumerate(naive.scores()) if score == max(naive.scores()))


@pytest.mark.parametrize(("players", "teams"), TABLES)
def test_the_view_shows_the_board_the_hands_and_the_track(players: int, teams: bool) -> None:
    naive = NaiveTriangle(players, teams)
    for position, action in playout(players, teams, seed=5):
        view = position.view()
        tiles = {f"cell:{cell}": f"{tile}/{rotation}" for cell, (tile, rotation) in naive.board.items()}
        assert {site: label for site, label in view.sites.items() if label != EMPTY} == tiles
        assert [sorted(group.labels) for group in view.groups] == [sorted(hand) for hand in naive.hands]
        holes = {f"hole:{hole}": colours for hole, colours in naive.track().items()}
        assert {site: set(labels) for site, labels in view.kept.items() if labels != (EMPTY,)} == holes
        naive.play(str(action))


@pytest.mark.parametrize(("players", "teams"), TABLES)
def test_every_tile_is_in_exactly_one_place(players: int, teams: bool) -> None:
    for position, action in playout(players, teams, seed=2):
        assert tiles_of(position) == sorted(GAME.tiles)
        assert position.bag == position.unseen.bit_count()
        assert tiles_of(position.play(action)) == sorted(GAME.tiles)


def test_exactly_the_listed_actions_play() -> None:
    positions = [position for players, teams in TABLES for position, _ in playout(players, teams, seed=3)]
    for position in random.Random(0).sample(positions, 60):
        legal = position.legal_actions()
        assert len(set(legal)) == len(legal)
        assert {action for action in EVERY_ACTION if position.explain(action) is None} == set(legal)
        for action in legal:
            position.play(action)


@pytest.mark.parametrize(("players", "teams"), TABLES)
def test_explain_names_the_clause_that_the_naive_rules_name(players: int, teams: bool) -> None:
    naive, chance, found = NaiveTriangle(players, teams), random.Random(players), set()
    for position, action in playout(players, teams, seed=9):
        for tried in chance.sample(EVERY_ACTION, 20) + chance.sample(GAME.swaps, 3) + [GAME.parse("pass")]:
            refusal = position.explain(tried)
            assert (refusal.clause if refusal else None) == naive.broken(str(tried)), str(tried)
            found.add(refusal.clause if refusal else None)
        naive.play(str(action))
    end = position.play(action)
    refusal = end.explain(action)
    assert refusal is not None
    assert refusal.clause == naive.broken(str(action))
    assert {None, "TRI-SETUP-3", "TRI-PLACE-2", "TRI-PLACE-4", "TRI-PLACE-5", "TRI-PASS-1", "TRI-DRAW-1"} <= found


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TABLES), st.integers(0, 7), st.integers(0, 200), st.sampled_from(EVERY_ACTION))
def test_a_refusal_names_a_clause_in_plain_words(
    table: tuple[int, bool], seed: int, number: int, action: Action
) -> None:
    game = playout(*table, seed)
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


@pytest.mark.parametrize(("players", "teams"), TABLES)
def test_a_record_replays_to_equal_positions(players: int, teams: bool) -> None:
    again = GAME.new(players, {"teams": teams})
    seen = {again}
    for position, action in playout(players, teams, seed=4):
        assert again is not position
        assert again == position
        assert hash(again) == hash(position)
        assert GAME.parse(str(action)) == action
        key = position.key
        again = again.play(GAME.parse(str(action)))
        assert position.key == key
        assert again not in seen
        seen.add(again)


@pytest.mark.parametrize("seed", range(20))
def test_games_end_and_their_last_event_says_so(seed: int) -> None:
    position, action = playout(2 + seed % 3, False, seed)[-1]
    kinds = [event.kind for event in position.events(action)]
    assert kinds[-1] == "over"
    deducted = [event.facts for event in position.events(action) if event.kind == "deduct"]
    after = position.play(action)
    assert sum(after.scores) == sum(after.totals) - sum(facts["points"] for facts in deducted)


def test_events_tell_points_and_turns() -> None:
    naive = NaiveTriangle(3)
    for position, action in playout(3, False, seed=6):
        before = naive.scores()
        naive.play(str(action))
        events = {event.kind: event.facts for event in position.events(action)}
        assert ("score" in events) == isinstance(action, Place)
        if isinstance(action, Place) and not naive.over:
            facts = events["score"]
            assert facts["points"] == naive.scores()[facts["player"]] - before[facts["player"]]
            assert facts["points"] == facts["value"] * facts["edges"] * facts["bonus"]
        if naive.phase == "play":
            assert events["turn"] == {"player": naive.player}
        for event in position.events(action):
            for language in ("en", "de", "fr"):
                text = GAME.clauses.event_text(event, language)
                assert text
                assert "{" not in text


PERFT = [(2, 30, 2), (3, 45, 2), (4, 60, 3), (2, 62, 4)]


def perft(position: TrianglePosition, depth: int) -> int:
    """How many games of `depth` actions there are from here."""
    actions = position.legal_actions()
    return len(actions) if depth == 1 else sum(perft(position.play(action), depth - 1) for action in actions)


def naive_perft(naive: NaiveTriangle, depth: int) -> int:
    legal, count = naive.legal(), 0
    for text in legal if depth > 1 else ():
        after = deepcopy(naive)
        after.play(text)
        count += naive_perft(after, depth - 1)
    return count if depth > 1 else len(legal)


@pytest.mark.parametrize(("players", "number", "depth"), PERFT)
def test_counts_to_a_depth_agree(players: int, number: int, depth: int) -> None:
    game = playout(players, False, seed=8)
    naive = NaiveTriangle(players)
    for _, action in game[:number]:
        naive.play(str(action))
    count = perft(game[number][0], depth)
    assert count == naive_perft(naive, depth)
    assert count > 10


def test_hidden_tiles_are_shown_when_they_are_used_or_counted() -> None:
    game = Triangle(hidden_draws=True)
    for seed in range(12):
        chance, position = random.Random(seed), game.new(3)
        while not position.over:
            legal = position.legal_actions()
            assert len(set(legal)) == len(legal)
            tried = [*legal, *game.swaps, *chance.sample(EVERY_ACTION, 10)]
            assert {action for action in tried if position.explain(action) is None} == set(legal)
            hidden = [action for action in legal if isinstance(action, Draw) and action.tile is None]
            assert position.hidden_action() == (hidden[0] if hidden else None)
            action = hidden[0] if hidden and chance.random() < 0.7 else chance.choice(legal)
            assert game.parse(str(action)) == action
            position = position.play(action)
        assert sum(position.unknown) == 0
        left = [sum(int(label[3:]) for label in group.labels) for group in position.view().groups]
        assert list(position.scores) == [t - minus for t, minus in zip(position.totals, left, strict=True)]


def test_a_hidden_draw_needs_the_option() -> None:
    position = playout(2, False, seed=1)[8][0]
    hidden = Draw(position.player, None)
    assert hidden not in position.legal_actions()
    for before, action in playout(2, False, seed=1):
        if isinstance(action, Draw):
            refusal = before.explain(Draw(action.player, None))
            assert refusal is not None
            assert refusal.clause in ("TRI-SETUP-2", "TRI-SETUP-3", "TRI-DRAW-1")


def test_the_swapped_tile_may_come_again() -> None:
    swaps = [(p, a) for seed in range(30) for p, a in playout(2, False, seed) if isinstance(a, Swap)]
    assert swaps
    for position, swap in swaps:
        drawing = position.play(swap)
        again = drawing.play(Draw(position.player, swap.tile))
        assert again.hands == position.hands
        assert again.over or again.player != position.player
