"""Whole random games of Magic Triland against the naive rules, and what holds in every position."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.core import CHANCE, IllegalActionError
from companion.games.magic_triland import MagicTriland, TrilandPosition
from companion.games.magic_triland import items as things
from companion.games.magic_triland.actions import FORFEIT, KEEP, PEARL, Action, Card, Cards, Pull, Share
from companion.games.magic_triland.cards import playable
from tests.games.triland_naive import NaiveTriland
from tests.games.triland_tables import GAME, TABLES, anyhow, naive_of, start

EVERY_ACTION: list[Action] = [
    *(block for blocks in GAME.blocks[1:] for block in blocks),
    *(Pull(player, value) for player in range(3) for value in GAME.values),
    *playable(GAME.values, GAME.deck, 3),
    *(go for costs in GAME.goes.values() for gos in costs for go in gos),
    *(trade for trades in GAME.trades for trade in trades),
    *GAME.offers,
    FORFEIT,
    PEARL,
    KEEP,
    *(
        Share(*way)
        for text in ("RRRYB", "RYBOG", "BBBBB", "RRYYBB")
        for way in things.divisions(things.spelt(text), 4, 3)
    ),
    Share("RRRRRY", "B"),
    Share("", "RRR"),
]


def wished(chance: random.Random, texts: list[str]) -> str:
    """Any action, but rather one that brings pearls home, so that games have an end."""
    for sign, part in (("pearl", 1.0), ("@", 0.8), ("~", 0.6)):
        good = [text for text in texts if sign in text]
        if good and chance.random() < part:
            return chance.choice(good)
    return chance.choice(texts)


@cache
def playout(variant: str, cards: str, seed: int) -> tuple[tuple[TrilandPosition, Action], ...]:
    """A random game: every position with the action that followed."""
    chance, position, game = random.Random(seed), start(variant, cards), []
    while not position.over:
        legal = {str(action): action for action in position.legal_actions()}
        action = legal[wished(chance, sorted(legal)) if seed % 2 else chance.choice(sorted(legal))]
        game.append((position, action))
        position = position.play(action)
    return tuple(game)


@pytest.mark.parametrize(("variant", "cards"), TABLES)
@pytest.mark.parametrize("seed", range(1, 4))
def test_a_random_game_goes_as_in_the_naive_rules(variant: str, cards: str, seed: int) -> None:
    naive, position = NaiveTriland(variant, cards), start(variant, cards)
    for before, action in playout(variant, cards, seed):
        assert position == before
        legal = sorted(map(str, position.legal_actions()))
        assert legal == naive.legal()
        assert (position.phase, position.turn) == (naive.phase, naive.turn)
        assert position.concerns == (len(naive.pulled) if naive.phase == "pull" else None)
        assert list(position.scores) == naive.scores() == [0] * position.players
        assert position.winners == ()
        naive.play(str(action))
        position = position.play(GAME.parse(str(action)))
    assert naive.over
    assert (position.turn, position.concerns, position.legal_actions()) == (None, None, ())
    assert list(position.scores) == naive.scores()
    assert position.winners == (() if naive.winner is None else (naive.winner,))


@pytest.mark.parametrize(("variant", "cards"), TABLES)
def test_the_view_shows_blocks_and_messengers(variant: str, cards: str) -> None:
    naive = NaiveTriland(variant, cards)
    for position, action in playout(variant, cards, 1):
        view = position.view()
        for cell in naive.cells:
            height = naive.height.get(cell)
            assert view.sites[f"cell:{naive.name(cell)}"] == (str(height) if height else "empty")
        for name, place in naive.where.items():
            cells = tuple(naive.name(c) for c in naive.cells if naive.terrace.get(c) == place) or (place,)
            site = f"piece:{name}"
            assert view.either.get(site, (view.sites.get(site),)) == cells
            assert (site in view.sites) != (site in view.either)
        assert set(view.sites) | set(view.either) == {site.name for site in GAME.sites}
        naive.play(str(action))


@pytest.mark.parametrize(("variant", "cards"), TABLES)
def test_nothing_is_lost_and_nothing_comes_out_of_nowhere(variant: str, cards: str) -> None:
    begun = _components(playout(variant, cards, 3)[0][0])
    for position, action in playout(variant, cards, 3):
        assert _components(position.play(action)) == begun


def _components(position: TrilandPosition) -> list[object]:
    """Blocks of each height; rings of each colour, with those that became pearls; pearls; cards of each value."""
    heights = range(1, GAME.set.block.heights + 1)
    blocks = [position.heights.count(h) + sum(stock[h] for stock in position.blocks) for h in heights]
    carried = [sum(column) for column in zip(*map(things.counts, position.items), strict=True)]
    made = {kind: GAME.set.pearl.count - position.pearls[kind] for kind in range(3, 6)}
    assert carried[3:] == list(made.values())
    mixed = {"red": ("orange", "purple"), "yellow": ("orange", "green"), "blue": ("green", "purple")}
    rings = [carried[things.KIND[r]] + sum(made[things.KIND[p]] for p in mixed[r]) for r in ("red", "yellow", "blue")]
    decks = [sum(column) for column in zip(*position.decks, strict=True)]
    assert all(
        have >= gone >= 0
        for d, out in zip(position.decks, position.laid, strict=True)
        for have, gone in zip(d, out, strict=True)
    )
    assert all(sum(deck) == sum(GAME.deck) for deck in position.decks)
    assert all(things.kinds(items) for items in position.items)
    return [blocks, rings, decks]


def test_exactly_the_listed_actions_play() -> None:
    positions = [position for table in TABLES for position, _ in playout(*table, 3)]
    positions = random.Random(0).sample(positions, 70) + [anyhow(seed) for seed in range(500, 520)]
    for position in positions:
        legal = position.legal_actions()
        assert len(set(legal)) == len(legal)
        shares = [action for action in legal if isinstance(action, Share)]
        assert {action for action in [*EVERY_ACTION, *shares] if position.explain(action) is None} == set(legal)
        for action in legal[:40]:
            position.play(action)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TABLES), st.integers(0, 3), st.integers(0, 900), st.sampled_from(EVERY_ACTION))
def test_a_refusal_names_a_clause_in_plain_words(
    table: tuple[str, str], seed: int, number: int, action: Action
) -> None:
    game = playout(*table, seed)
    refused(game[number % len(game)][0], action)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 60), st.sampled_from([a for a in EVERY_ACTION if str(a).startswith("go")]))
def test_a_refused_move_names_a_clause_in_plain_words(seed: int, action: Action) -> None:
    refused(anyhow(seed), action)


def refused(position: TrilandPosition, action: Action) -> None:
    before, refusal = position.key, position.explain(action)
    if refusal is None:
        assert action in position.legal_actions()
        return
    assert action not in position.legal_actions()
    with pytest.raises(IllegalActionError, match=refusal.clause):
        position.play(action)
    assert position.key == before
    names = {site.name for site in GAME.sites}
    assert names.issuperset(refusal.sites)
    for language in ("en", "de", "fr"):
        text = GAME.clauses.text(refusal, language, names=["Ada", "Ben", "Cem"])
        assert GAME.clauses[refusal.clause].rule.in_language(language) in text
        assert "{" not in text
    assert all(GAME.parse(text) in position.legal_actions() for text in refusal.instead)


@pytest.mark.parametrize(("variant", "cards"), TABLES)
def test_a_record_replays_to_equal_positions(variant: str, cards: str) -> None:
    again = start(variant, cards)
    seen = {again}
    for position, action in playout(variant, cards, 2):
        assert again is not position
        assert again == position
        assert hash(again) == hash(position)
        assert GAME.parse(str(action)) == action
        key = position.key
        again = again.play(GAME.parse(str(action)))
        assert position.key == key
        assert again not in seen
        seen.add(again)


def test_games_end_in_every_way() -> None:
    endings = set()
    for seed in range(1, 121, 2):
        position, action = playout(*TABLES[seed // 2 % len(TABLES)], seed)[-1]
        after = position.play(action)
        assert after.ending is not None
        assert (after.ending == "TLD-END-4") == (after.winners == ())
        assert after.turns <= 200
        endings.add(after.ending)
    assert endings >= {"TLD-END-1", "TLD-END-3", "TLD-END-4"}


@pytest.mark.parametrize(("variant", "cards"), TABLES)
def test_events_have_words(variant: str, cards: str) -> None:
    kinds = set()
    for position, action in playout(variant, cards, 1):
        after = position.play(action)
        for event in position.events(action):
            kinds.add(event.kind)
            texts = [GAME.clauses.event_text(event, language, ["Ada", "Ben", "Cem"]) for language in ("en", "de", "fr")]
            assert all(texts)
            assert not any("{" in text for text in texts)
            if event.kind == "turn":
                assert event.facts["player"] == after.turn != position.turn
            if event.kind == "score":
                assert event.facts["points"] == after.scores[event.facts["player"]]
        for sign in position.signs(action):
            view = after.view()
            assert [view.sites[site] for site in sign.sites] == [sign.label]
    assert {"go", "turn", "cards", "over", "score", "trade"} <= kinds


def test_a_pull_that_nobody_shows_is_told_by_the_cards_laid() -> None:
    """Played beside the game in which everything is shown: what is true is always possible, and known again in time."""
    hidden = MagicTriland(hidden_draws=True)
    for variant in ("basic", "basic-duel"):
        count, chance = 0, random.Random(5)
        position = hidden.new(2 if "duel" in variant else 3, {"variant": variant, "cards": "chance"})
        for known, action in playout(variant, "chance", 2):
            told = Pull(action.player, None) if isinstance(action, Pull) and chance.random() < 0.7 else action
            assert told in position.legal_actions()
            assert position.hidden_action() == (Pull(len(known.pulls), None) if known.phase == "pull" else None)
            assert known.hidden_action() is None
            assert set(map(str, known.legal_actions())) <= set(map(str, position.legal_actions()))
            count += len(position.legal_actions()) > len(known.legal_actions()) and known.turn != CHANCE
            if not any(map(any, known.laid)) and known.phase == "pull" and not known.pulls:
                assert position.decks == known.decks
            position = position.play(told)
        assert count > 5
        assert position.scores == known.play(action).scores


def test_hidden_draws_are_no_notation_of_the_protocol() -> None:
    with pytest.raises(ValueError, match="card"):
        GAME.parse("pull 0 ?")
    hidden = MagicTriland(hidden_draws=True)
    assert str(hidden.parse("pull 0 ?")) == "pull 0 ?"


def test_cards_come_in_order() -> None:
    assert str(Cards(Card(0, 0), Card(0, 2))) == "cards 0 0=2"
    assert Cards(Card(0, 2), Card(3, 3)).energy == 5


def test_games_that_go_on_from_anywhere_go_as_in_the_naive_rules() -> None:
    """With pearls everywhere, so that games end in every way."""
    endings = set()
    for seed in range(730, 800):
        chance, position = random.Random(seed), anyhow(seed)
        position.turns = 192 if seed % 5 == 0 else 0
        naive = naive_of(position)
        for _ in range(50):
            legal = sorted(map(str, position.legal_actions()))
            assert (legal, position.turn) == (naive.legal(), naive.turn)
            assert list(position.scores) == naive.scores()
            assert position.winners == (() if naive.winner is None else (naive.winner,))
            if position.over:
                break
            text = wished(chance, legal)
            naive.play(text)
            position = position.play(GAME.parse(text))
        endings.add(position.ending)
    assert endings >= {"TLD-END-1", "TLD-END-2", "TLD-END-3", "TLD-END-4"}
