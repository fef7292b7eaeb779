"""Whole random games of the Magic Labyrinth against the naive rules, and what holds in every position."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.core import IllegalActionError
from companion.games.magic_labyrinth import MagicLabyrinth, MagicLabyrinthPosition
from companion.games.magic_labyrinth.actions import Action
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from tests.games.magic_labyrinth_naive import SET, NaiveLabyrinth
from tests.games.magic_labyrinth_sets import sized

GAME: MagicLabyrinth = load_game("magic_labyrinth")  # type: ignore[assignment]
OPTIONS: list[dict[str, object]] = [
    {"must_go": go, "may_stop": stop} for go, stop in product((True, False), (False, True))
]


def every_action(game: MagicLabyrinth) -> list[Action]:
    """Everything that can be written."""
    steps = [game.parse(f"step {over} {end}") for over, end in product(game.grid.cells, repeat=2)]
    inserts = [insert for colour in game.inserts for insert in colour]
    pulls = [pull for slot in game.pulls for pull in slot]
    return [*game.draws, *pulls, *game.reveals, *game.steps, *steps, *inserts, game.done]


EVERY_ACTION = every_action(GAME)


def lively(legal: list[str], naive: NaiveLabyrinth, chance: random.Random) -> str:
    """An action such that rare things happen often: right calls, jumps, steps seldom to and fro."""
    if naive.phase == "reveal" and f"reveal {naive.said}" in legal and chance.random() < 0.75:
        return f"reveal {naive.said}"
    jumps = [text for text in legal if text.startswith("step") and text.count(" ") == 2]
    if jumps and chance.random() < 0.5:
        return chance.choice(jumps)
    calls = [text for text in legal if text.startswith("call")]
    return chance.choice(calls if calls and chance.random() < 0.6 else legal)


def compare(
    game: MagicLabyrinth, set_file: Path, players: int, options: dict[str, object], seed: int, most: int = 100_000
) -> Counter[str]:
    """Plays a game by both rules, and counts what happened."""
    position, naive = game.new(players, options), NaiveLabyrinth(players, options, set_file)
    chance, happened = random.Random(seed), Counter[str]()
    while not naive.over and happened["all"] < most:
        legal = sorted(map(str, position.legal_actions()))
        assert legal == sorted(naive.legal())
        assert (position.phase, position.turn, position.concerns) == (naive.phase, *naive.actor())
        assert list(position.scores) == naive.points
        assert position.winners == ()
        text = lively(legal, naive, chance)
        happened.update(["all", text.split()[0], naive.phase])
        naive.play(text)
        position = position.play(game.parse(text))
    assert position.over == naive.over
    assert position.winners == (() if naive.winner is None else (naive.winner,))
    assert position.legal_actions() == [] or not position.over
    happened["over"] = int(position.over)
    return happened


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "stop", "stay", "stay stop"])
def test_random_games_go_as_in_the_naive_rules(players: int, options: dict[str, object]) -> None:
    happened, seeds = Counter[str](), 4 if options["must_go"] else 2
    for seed in range(seeds):
        happened += compare(GAME, SET, players, options, seed)
    assert happened["over"] == seeds
    assert min(happened[kind] for kind in ("symbol", "call", "early", "reveal", "step", "insert")) > 10
    assert (happened["jump"] > 2) == bool(options["must_go"])
    assert (happened["done"] > 0) == bool(options["may_stop"])


@pytest.mark.parametrize("board", [(2, 5), (5, 2), (3, 4), (4, 3), (5, 5), (6, 3)])
def test_random_games_on_other_boards(tmp_path: Path, board: tuple[int, int]) -> None:
    path = sized(tmp_path, *board)
    game, happened = MagicLabyrinth(path), Counter[str]()
    for seed in range(4):
        happened += compare(game, path, 2 + seed % 3, OPTIONS[seed], seed, 1500)
    assert happened["insert"] > 20
    assert happened["symbol"] > 4


def test_figures_in_a_row_may_be_stuck(tmp_path: Path) -> None:
    path = sized(tmp_path, 1, 11, ("a1", "a2", "a3", "a11"))
    game, happened = MagicLabyrinth(path), Counter[str]()
    for seed in range(6):
        happened += compare(game, path, 3 + seed % 2, {}, seed, 500)
    assert happened["done"] > 5
    assert happened["symbol"] > 6


def playout(
    players: int, seed: int, options: dict[str, object] | None = None
) -> list[tuple[MagicLabyrinthPosition, Action]]:
    """A random game: every position with the action that followed."""
    chance, position, game = random.Random(seed), GAME.new(players, options), []
    while not position.over:
        action = chance.choice(position.legal_actions())
        game.append((position, action))
        position = position.play(action)
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "stop", "stay", "stay stop"])
def test_games_end_and_nothing_is_lost(players: int, options: dict[str, object]) -> None:
    target = {2: 5, 3: 4, 4: 3}[players]
    game = playout(players, 5, options)
    for position, _ in game:
        outside, hand = sum(position.outside), int(position.phase == "reveal")
        assert position.walls.bit_count() + outside + hand == 24
        known = [position.known[k].bit_count() + position.outside[k] for k in range(4)]
        assert max(known) <= 6
        standing = {slot for slots in position.known for slot in range(24) if slots >> slot & 1}
        assert sum(slots.bit_count() for slots in position.known) == len(standing)
        assert len(set(position.figures)) == players
        on_board = position.chip >= 0 and position.phase != "symbol"
        assert sum(position.scores) + position.undrawn.bit_count() + on_board == 12
        assert max(position.scores) < target
        assert not on_board or position.chip not in position.figures
    last, action = game[-1]
    after = last.play(action)
    assert (after.turn, after.concerns, after.legal_actions()) == (None, None, [])
    assert [after.scores[player] == target for player in range(players)].count(True) == 1
    assert after.scores[after.winners[0]] == target
    assert [event.kind for event in last.events(action)][-2:] == ["score", "over"]


def test_every_label_of_the_view_is_one_of_its_site() -> None:
    labels = {site.name: set(site.labels) for site in GAME.sites}
    for players in (2, 3, 4):
        for position, action in playout(players, 5):
            for shown in (position, position.play(action)):
                view = shown.view()
                told = [*view.sites, *(site for group in view.groups for site in group.sites), *view.either]
                assert len(told) == len(set(told))
                undecided = {f"tray:{len(shown.tray)}"} if shown.phase == "reveal" else set()
                assert set(told) == set(labels) - undecided
                assert all(label in labels[site] for site, label in view.sites.items())
                pulled = [label for site, label in view.sites.items() if site.startswith("tray:") and label != EMPTY]
                pulled += [label for group in view.groups for label in group.labels]
                assert Counter(pulled) == +Counter(dict(zip(GAME.colours, shown.outside, strict=True)))


def test_known_colours_are_shown_to_nobody() -> None:
    """Positions that differ only in what is known look alike and list the same, but for walls turned over."""
    compared = 0
    for position, action in playout(3, 8):
        other = position._copy()
        other.known = tuple(reversed(position.known))
        if other.known == position.known or position.phase == "reveal":
            continue
        compared += 1
        assert other.view() == position.view()
        assert other.legal_actions() == position.legal_actions()
        assert other.signs(action) == position.signs(action)
        assert other.events(action) == position.events(action)
        for tried in EVERY_ACTION[:: 1 + compared % 7]:
            assert other.explain(tried) == position.explain(tried)
    assert compared > 40


def test_a_refused_colour_does_not_betray_the_known_one() -> None:
    seen = 0
    for position, _ in playout(2, 8):
        if position.phase != "reveal":
            continue
        known = [colour for colour, slots in enumerate(position.known) if slots >> position.pulled & 1]
        if not known:
            continue
        seen += 1
        assert position.legal_actions() == [GAME.reveals[known[0]]]
        for colour in set(range(4)) - set(known):
            refusal = position.explain(GAME.reveals[colour])
            assert refusal.clause == "MAG-WALL-1"
            assert not refusal.instead
            assert GAME.colours[known[0]] not in GAME.clauses.text(refusal, "en")
    assert seen > 5


def lively_games(seed: int) -> list[MagicLabyrinthPosition]:
    """Every position of lively games, one for each number of players with each option."""
    positions = []
    for players, options in product((2, 3, 4), OPTIONS):
        position, naive, chance = GAME.new(players, options), NaiveLabyrinth(players, options), random.Random(seed)
        while not position.over:
            positions.append(position)
            text = lively(sorted(naive.legal()), naive, chance)
            naive.play(text)
            position = position.play(GAME.parse(text))
        positions.append(position)
    return positions


PLAYED = lively_games(6)


def sampled(count: int, seed: int) -> list[MagicLabyrinthPosition]:
    """Some positions of each phase with each option."""
    chance, found = random.Random(seed), dict[object, list[MagicLabyrinthPosition]]()
    for position in PLAYED:
        found.setdefault((position.phase, position.choices), []).append(position)
    return [p for alike in found.values() for p in chance.sample(alike, min(count, len(alike)))]


SAMPLED = sampled(5, 6)


def test_exactly_the_listed_actions_play() -> None:
    for position in SAMPLED:
        legal = position.legal_actions()
        assert len(set(legal)) == len(legal)
        assert {action for action in EVERY_ACTION if position.explain(action) is None} == set(legal)
        for action in legal:
            position.play(action)
    assert {position.phase for position in SAMPLED} == {"symbol", "turn", "jump", "reveal", "insert", "over"}


def test_every_refusal_has_its_words() -> None:
    names = ["Ada", "Ben", "Cem", "Dea"]
    clauses = set()
    for position in SAMPLED:
        legal = set(position.legal_actions())
        for action in EVERY_ACTION:
            refusal = position.explain(action)
            if refusal is None:
                continue
            clauses.add(refusal.clause)
            assert all(GAME.parse(text) in legal for text in refusal.instead)
            for language in ("en", "de", "fr"):
                text = GAME.clauses.text(refusal, language, names)
                assert GAME.clauses[refusal.clause].rule.in_language(language) in text
                assert "{" not in text
                why = refusal.facts.get("why")
                assert why is None or GAME.clauses.word(why, language) != why or why in ("open", "over")
    silent = {"MAG-SETUP-1", "MAG-SETUP-2", "MAG-TURN-2", "MAG-SYMBOL-2"}
    assert clauses | silent == set(GAME.clauses)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(range(len(SAMPLED))), st.sampled_from(EVERY_ACTION))
def test_a_refused_action_changes_nothing(number: int, action: Action) -> None:
    position = SAMPLED[number]
    before, refusal = position.key, position.explain(action)
    if refusal is None:
        after = position.play(action)
        assert after != position
    else:
        with pytest.raises(IllegalActionError, match=refusal.clause):
            position.play(action)
    assert position.key == before


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 4), st.sampled_from(OPTIONS), st.integers(0, 10_000))
def test_a_record_replays_to_equal_positions(players: int, options: dict[str, object], seed: int) -> None:
    again = GAME.new(players, options)
    for position, action in playout(players, seed, options)[:250]:
        assert again is not position
        assert again == position
        assert hash(again) == hash(position)
        assert GAME.parse(str(action)) == action
        key = position.key
        again = again.play(GAME.parse(str(action)))
        assert position.key == key


def test_events_are_told_in_every_language() -> None:
    kinds = Counter[str]()
    for position in PLAYED[::4]:
        for action in position.legal_actions()[::3]:
            after = position.play(action)
            for event in position.events(action):
                kinds[event.kind] += 1
                texts = [GAME.clauses.event_text(event, language) for language in ("en", "de", "fr")]
                assert all(text and "{" not in text for text in texts)
                assert len(set(texts)) > 1
                if event.kind == "turn":
                    assert event.facts["player"] == after.turn
                if event.kind == "score":
                    assert event.facts["points"] == after.scores[event.facts["player"]]
    assert set(kinds) == {
        "symbol", "moved", "right", "wrong", "early", "jump", "done", "score", "walls", "turn", "over",
    }  # fmt: skip


def test_signs_show_right_after_the_action() -> None:
    for position in SAMPLED:
        for action in position.legal_actions():
            view = position.play(action).view()
            for (site,), label in position.signs(action):
                groups = [group for group in view.groups if site in group.sites]
                shown = groups[0].labels if groups else view.either.get(site) or (view.sites[site],)
                assert label in shown


def perft(position: MagicLabyrinthPosition, depth: int) -> int:
    """How many games of `depth` actions there are from here."""
    actions = position.legal_actions()
    return len(actions) if depth == 1 else sum(perft(position.play(action), depth - 1) for action in actions)


def naive_perft(naive: NaiveLabyrinth, depth: int) -> int:
    legal, count = naive.legal(), 0
    for text in legal if depth > 1 else ():
        after = deepcopy(naive)
        after.play(text)
        count += naive_perft(after, depth - 1)
    return count if depth > 1 else len(legal)


@pytest.mark.parametrize(
    ("players", "number", "depth"), [(2, 0, 3), (2, 1, 4), (3, 50, 3), (4, 120, 3), (3, 201, 3), (4, 33, 4)]
)
def test_counts_to_a_depth_agree(players: int, number: int, depth: int) -> None:
    naive, position, chance = NaiveLabyrinth(players), GAME.new(players), random.Random(number)
    for _ in range(number):
        if naive.over:
            break
        text = chance.choice(sorted(naive.legal()))
        naive.play(text)
        position = position.play(GAME.parse(text))
    count = perft(position, depth)
    assert count == naive_perft(naive, depth)
    assert count > 5


def test_counts_from_the_beginning() -> None:
    """12 symbols; then two walls, four calls or none; then four colours."""
    assert [perft(GAME.new(2), depth) for depth in (1, 2, 3)] == [12, 12 * 10, 12 * 10 * 4]
