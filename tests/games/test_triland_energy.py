"""The search for moves that use up the energy exactly, against the naive one in positions put together at random."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from companion.games.magic_triland import TrilandPosition
from companion.games.magic_triland.energy import ALWAYS
from companion.games.magic_triland.landscape import FIRST_TERRACE, Landscape
from tests.games.triland_naive import NaiveTriland
from tests.games.triland_tables import GAME, anyhow, arranged, listed, naive_of


@pytest.mark.parametrize("start", range(0, 160, 20))
def test_moves_are_those_of_the_naive_search(start: int) -> None:
    for seed in range(start, start + 20):
        position = anyhow(seed)
        assert listed(position) == naive_of(position).legal(), seed


def test_a_messenger_more_spoils_exactly_what_is_said() -> None:
    """`spoilers`, which the search rests on, against trying every place."""
    tried = spoiling = 0
    for seed in range(400, 440):
        position = anyhow(seed)
        standing, own = position.standing, list(position.own)
        gone = own.pop(random.Random(seed).randrange(len(own)))
        movers = [k for k in own if not position.back >> k & 1]
        places = range(FIRST_TERRACE, len(standing.land.names))
        _, two = standing.occupied(1 << gone)
        said = standing.spoilers(movers, position.energy, 1 << gone)
        for place in places:
            if two >> place & 1:
                continue
            moved = standing._moved(gone, place)
            possible = moved.spoilers(movers, position.energy, 0) != ALWAYS
            assert possible == (not said >> place & 1), (seed, place)
            tried, spoiling = tried + 1, spoiling + (not possible)
    assert tried > 500
    assert 0 < spoiling < tried


def test_the_ways_are_all_walks_less_those_that_another_makes_useless() -> None:
    position = arranged("basic")
    land = position.land
    assert land is not None
    for start in range(len(land.names)):
        for cost in range(1, 5):
            ways, walks = land.ways(start, cost), _walks(land, start, cost)
            kept = {(crossed, end) for crossed, ends in ways for end in range(len(land.names)) if ends >> end & 1}
            assert kept <= walks
            for crossed, end in walks:
                assert any(end == other and way & crossed == way for way, other in kept)
            assert [crossed.bit_count() for crossed, _ in ways] == sorted(way.bit_count() for way, _ in ways)


def _walks(land: Landscape, start: int, cost: int) -> set[tuple[int, int]]:
    if not cost:
        return {(0, start)}
    found = set()
    for place, step in land.steps[start]:
        if step == cost:
            found.add((0, place))
        elif step < cost and place >= 3:
            found |= {(crossed | 1 << place, end) for crossed, end in _walks(land, place, cost - step)}
    return found


def perft(position: TrilandPosition, depth: int) -> int:
    legal = position.legal_actions()
    return len(legal) if depth == 1 else sum(perft(position.play(action), depth - 1) for action in legal)


def naive_perft(depth: int, done: tuple[str, ...], fresh: Callable[[], NaiveTriland]) -> int:
    game = fresh()
    for text in done:
        game.play(text)
    legal = game.legal()
    return len(legal) if depth == 1 else sum(naive_perft(depth - 1, (*done, t), fresh) for t in legal)


MEETING = {"light-blue": "B2", "dark-blue": "C2", "light-yellow": "E3", "dark-yellow": "F2", "light-red": "G6"}
CARRIED = {"light-blue": "RYB", "dark-blue": "BBO", "light-yellow": "YYG", "light-red": "RRY"}


@pytest.mark.parametrize(
    ("variant", "energy", "depth", "count"),
    [("basic", 4, 2, 343), ("master", 4, 2, 433), ("basic-duel", 2, 3, 4165), ("master-duel", 4, 2, 434)],
)
def test_counts_to_depth(variant: str, energy: int, depth: int, count: int) -> None:
    position = arranged(variant, MEETING, CARRIED, phase="go", energy=energy, player=0)
    assert perft(position, depth) == count
    assert naive_perft(depth, (), lambda: naive_of(position)) == count


@pytest.mark.parametrize(("variant", "count"), [("basic", 6**3), ("basic-duel", 18 * 12 * 6)])
def test_counts_of_first_blocks(variant: str, count: int) -> None:
    """In basic one cell for each of the first three blocks; in the duel three, two, one."""
    position = GAME.new(2 if "duel" in variant else 3, {"variant": variant})
    assert perft(position, 3) == count
