"""Whole random games of Labyria against the naive rules, and what holds in every position."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.core import CHANCE, IllegalActionError
from companion.games.labyria import Labyria, LabyriaPosition
from companion.games.labyria.actions import Action
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from tests.games.labyria_naive import SET, NaiveLabyria
from tests.games.labyria_sets import small

GAME: Labyria = load_game("labyria")  # type: ignore[assignment]
EVERY_ACTION: list[Action] = [
    *(roll for rolls in GAME.rolls for roll in rolls),
    *GAME.dice,
    *GAME.defences,
    *(kind[k] for kind in (GAME.squares, GAME.adds, GAME.removes, GAME.shields) for k in range(200) if kind[k].edge),
    *GAME.corners,
    *(turn for turns in GAME.turns[::4] for _, turn in turns),
    *GAME.evasions,
    *(move for cell in range(0, 100, 7) for move in GAME.moves_from(1 << cell)),
    GAME.parse("pass"),
    GAME.parse("done"),
]
OPTIONS = ({}, {"ties": "all", "start": "first", "reversal": "double"})


def lively(legal: list[str], naive: NaiveLabyria, chance: random.Random) -> str:
    """An action such that rare things happen often: any kind alike, attacks first, and seldom long walks."""
    kind = chance.choice(sorted({text.split()[0] for text in legal}))
    of_kind = [text for text in legal if text.split()[0] == kind]
    if kind == "move":
        enemies = naive.enemies() - {naive.goal[naive.player]}
        attacks = [text for text in of_kind if any(text.endswith(f" {chr(97 + x)}{y + 1}") for x, y in enemies)]
        of_kind = attacks if attacks and chance.random() < 0.9 else of_kind
    if kind == "dice":
        short = [text for text in of_kind if int(text.split()[1]) < 5 and "double" not in text]
        of_kind = short if short and chance.random() < 0.7 else of_kind
    if kind == "defend" and chance.random() < 0.4:
        return "defend plus"
    return chance.choice(of_kind)


def compare(
    game: Labyria, set_file: Path, players: int, options: dict[str, object], seed: int, most: int
) -> Counter[str]:
    """Plays a game by both rules, and counts what happened."""
    position, naive = game.new(players, options), NaiveLabyria(players, options, set_file)
    chance, happened = random.Random(seed), Counter[str]()
    while not naive.over and sum(happened.values()) < most:
        legal = sorted(map(str, position.legal_actions()))
        assert legal == sorted(naive.legal())
        assert position.phase == naive.phase
        assert (position.turn, position.concerns) == naive.actor()
        assert list(position.scores) == naive.scores()
        assert position.winners == ()
        text = lively(legal, naive, chance)
        happened[text.split()[0]] += 1
        naive.play(text)
        position = position.play(game.parse(text))
    assert position.over == naive.over
    assert position.winners == (() if naive.winner is None else (naive.winner,))
    happened["over"] = int(position.over)
    return happened


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "other"])
def test_a_random_game_goes_as_in_the_naive_rules(players: int, options: dict[str, object]) -> None:
    happened = compare(GAME, SET, players, options, players, 500)
    assert happened["move"] > 60


@pytest.mark.parametrize(
    "board", [(2, 2, 8, 2), (4, 2, 8, 0), (4, 4, 8, 5), (4, 4, 20, 12), (6, 4, 12, 4), (6, 6, 24, 8)]
)
def test_random_games_on_smaller_boards(tmp_path: Path, board: tuple[int, int, int, int]) -> None:
    columns, rows, squares, corners = board
    path = small(tmp_path, columns, rows, squares=squares, corners=corners)
    game, happened = Labyria(path), Counter[str]()
    for seed in range(6):
        happened += compare(game, path, 2 + seed % 3, dict(OPTIONS[seed % 2]), seed, 250)
    assert happened["move"] > 40
    assert happened["pass"] > 1
    if rows > 2:
        assert min(happened[kind] for kind in ("defend", "evade", "add", "remove")) > 3


def playout(players: int, seed: int, most: int = 100_000) -> list[tuple[LabyriaPosition, Action]]:
    """A random game: every position with the action that followed."""
    chance, position, game = random.Random(seed), GAME.new(players), []
    while not position.over and len(game) < most:
        action = chance.choice(position.legal_actions())
        game.append((position, action))
        position = position.play(action)
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_end_with_all_figures_of_one_player_in_the_goal(players: int) -> None:
    game = playout(players, seed=3)
    position, action = game[-1]
    after = position.play(action)
    assert (after.turn, after.concerns, after.legal_actions()) == (None, None, [])
    assert after.scores[after.winners[0]] == max(after.scores) == 3
    assert [event.kind for event in position.events(action)][-2:] == ["score", "over"]
    depots = {before.depot for before, _ in game}
    assert max(depots) > 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_is_lost_and_the_view_shows_it(players: int) -> None:
    naive = NaiveLabyria(players)
    squares = (40 // players) * players + 4
    for position, action in playout(players, 1, 700):
        view = position.view().sites
        assert position.squares.bit_count() + position.depot + sum(stock[0] for stock in position.stock) == squares
        assert position.corners.bit_count() + sum(stock[1] for stock in position.stock) == 20 // players * players
        on_board = [label for label in view.values() if label not in (EMPTY, "square")]
        assert sorted(naive.corners.values()) == sorted(
            label for label in on_board if label in ("NE", "SE", "SW", "NW")
        )
        assert int(view["depot"]) == naive.depot
        assert {site for site, label in view.items() if label == "square"} == {
            f"edge:{square}" for square in map(_edge, naive.squares)
        }
        standing = Counter((field, player) for player in range(players) for field in naive.figures[player])
        told = Counter[tuple[tuple[int, int], int]]()
        for site, label in view.items():
            if site.startswith("cell:") and label != EMPTY:
                for part in label.split("+"):
                    colour, _, count = part.partition("*")
                    seat = GAME.seat_colours.index(colour)
                    told[(ord(site[5]) - 97, int(site[6:]) - 1), GAME.seats(players).index(seat)] += int(count or 1)
        assert told == standing
        naive.play(str(action))


def _edge(square: frozenset[tuple[int, int]]) -> str:
    return "-".join(f"{chr(97 + x)}{y + 1}" for x, y in sorted(square))


def test_every_label_of_the_view_is_one_of_its_site() -> None:
    labels = {site.name: set(site.labels) for site in GAME.sites}
    for players in (2, 3, 4):
        for position, _ in playout(players, 5)[::9]:
            view = position.view().sites
            assert set(view) == set(labels)
            assert all(label in labels[site] for site, label in view.items())


def sampled(count: int, seed: int) -> list[LabyriaPosition]:
    """Positions of random games, as many of each phase as there are."""
    by_phase: dict[str, list[LabyriaPosition]] = {}
    for players in (2, 3, 4):
        for position, _ in playout(players, seed, 2500):
            by_phase.setdefault(position.phase, []).append(position)
    chance = random.Random(seed)
    return [p for phase in sorted(by_phase) for p in chance.sample(by_phase[phase], min(count, len(by_phase[phase])))]


def fresh(position: LabyriaPosition) -> LabyriaPosition:
    """The same position, which has not computed any moves yet."""
    return position._copy()


def test_exactly_the_listed_actions_play() -> None:
    phases = set()
    for position in sampled(4, seed=6):
        legal = position.legal_actions()
        phases.add(position.phase)
        assert len(set(legal)) == len(legal)
        starts = {action.start for action in legal if str(action).startswith("move")}
        moves = [move for start in starts for move in GAME.moves_from(1 << GAME.grid.cell[start])]
        known = {*EVERY_ACTION, *moves, *legal}
        assert {action for action in known if fresh(position).explain(action) is None} == set(legal)
        assert {action for action in known if position.explain(action) is None} == set(legal)
        for action in legal:
            position.play(action)
    assert {"first roll", "setup", "start roll", "dice", "turn", "defend", "evade"} <= phases


GAMES = {(players, seed): playout(players, seed, 1200) for players in (2, 3, 4) for seed in (7, 8)}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 1199), st.sampled_from(EVERY_ACTION), st.booleans())
def test_a_refusal_names_a_clause_in_plain_words(
    table: tuple[int, int], number: int, action: Action, own: bool
) -> None:
    game = GAMES[table]
    position = game[number % len(game)][0]
    if own and position.starts:  # moves of figures that are there
        moves = GAME.moves_from(position.starts[number % len(position.starts)])
        action = moves[hash(action) % len(moves)]
    before = position.key
    refusal = position.explain(action)
    assert fresh(position).explain(action) == refusal
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


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_record_replays_to_equal_positions(players: int) -> None:
    again = GAME.new(players)
    for position, action in playout(players, 4, 800):
        assert again is not position
        assert again == position
        assert hash(again) == hash(position)
        assert GAME.parse(str(action)) == action
        key = position.key
        again = again.play(GAME.parse(str(action)))
        assert position.key == key
        assert again != position


def test_events_are_told_in_every_language() -> None:
    kinds = set()
    for players in (2, 3, 4):
        for position, action in playout(players, 9, 2500):
            after = position.play(action)
            for event in position.events(action):
                kinds.add(event.kind)
                texts = [GAME.clauses.event_text(event, language) for language in ("en", "de", "fr")]
                assert all(text and "{" not in text for text in texts)
                if event.kind == "turn":
                    assert event.facts["player"] == (after.concerns if after.turn == CHANCE else after.turn)
                if event.kind == "score":
                    assert event.facts["points"] == after.scores[event.facts["player"]]
    assert kinds >= {"skip", "attack", "cloak", "devour", "reverse", "score", "turn"}


def test_signs_show_right_after_the_action() -> None:
    for position in sampled(5, seed=10):
        for action in position.legal_actions()[::3]:
            after = position.play(action)
            view = after.view().sites
            for sign in position.signs(action):
                assert view[sign.sites[0]] == sign.label


def perft(position: LabyriaPosition, depth: int) -> int:
    """How many games of `depth` actions there are from here."""
    actions = position.legal_actions()
    return len(actions) if depth == 1 else sum(perft(position.play(action), depth - 1) for action in actions)


def naive_perft(naive: NaiveLabyria, depth: int) -> int:
    legal, count = naive.legal(), 0
    for text in legal if depth > 1 else ():
        after = deepcopy(naive)
        after.play(text)
        count += naive_perft(after, depth - 1)
    return count if depth > 1 else len(legal)


@pytest.mark.parametrize(("players", "number", "depth"), [(2, 6, 2), (3, 120, 2), (4, 300, 2), (2, 500, 2)])
def test_counts_to_a_depth_agree(players: int, number: int, depth: int) -> None:
    game = playout(players, 11, number + 60)
    number = next(k for k in range(number, len(game)) if game[k][0].phase in ("setup", "dice"))
    naive = NaiveLabyria(players)
    for _, action in game[:number]:
        naive.play(str(action))
    count = perft(game[number][0], depth)
    assert count == naive_perft(naive, depth)
    assert count > 50
