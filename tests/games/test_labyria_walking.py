"""Where figures get to, compared with following every walk to its end."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.labyria.grid import Grid
from companion.games.labyria.walking import Walker

GRID = Grid(10, 10)


def ends_of(walker: Walker, start: int, steps: int, through: int, *, again: bool) -> int:
    """The fields where walks end, each step taken singly."""
    found = 0

    def go(cell: int, entered: int, left: int) -> None:
        nonlocal found
        around = walker.step(cell)
        for field in range(GRID.count):
            bit = around & 1 << field
            if bit and (again or not bit & entered):
                if left == 1:
                    found |= bit
                elif bit & through:
                    go(bit, entered | bit, left - 1)

    go(start, start, steps)
    return found


def board(chance: random.Random, share: float) -> tuple[Walker, int, int]:
    """A walker between random walls, a start, and the fields to walk through."""
    walls = sum(1 << edge for edge in GRID.edge.values() if chance.random() < share)
    start = 1 << chance.randrange(GRID.count)
    stops = sum(1 << field for field in range(GRID.count) if chance.random() < 0.07)
    return Walker(GRID, walls), start, GRID.every_cell & ~stops & ~start | start


@pytest.mark.parametrize(("share", "most"), [(0.0, 5), (0.2, 6), (0.44, 9), (0.55, 12)])
def test_paths_enter_no_field_twice(share: float, most: int) -> None:
    chance = random.Random(int(share * 100))
    for number in range(60):
        walker, start, through = board(chance, share)
        steps = number % most + 1
        expected = ends_of(walker, start, steps, through, again=False)
        assert walker.paths(start, steps, through, GRID.every_cell) == expected
        some = expected & chance.getrandbits(100)
        assert walker.paths(start, steps, through, some) == some


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_walks_may_enter_fields_again(seed: int, steps: int) -> None:
    walker, start, through = board(random.Random(seed), 0.5)
    expected = ends_of(walker, start, steps, through, again=True)
    assert walker.walk(start, steps, through, GRID.every_cell) == expected


def test_a_path_holds_a_way_to_its_end() -> None:
    chance = random.Random(5)
    for number in range(200):
        walker, start, through = board(chance, 0.4)
        steps, end = number % 8 + 1, 1 << chance.randrange(GRID.count)
        path = walker.path(start, steps, through, end)
        assert bool(path) == bool(walker.paths(start, steps, through, end))
        if path:
            assert path & start
            assert path & end
            assert walker.paths(start, steps, through & path, end)


def test_the_region_is_everything_near_enough() -> None:
    walker, start, through = board(random.Random(6), 0.4)
    near = start
    for steps in range(1, 7):
        near |= walker.walk(start, steps, through, through)
        assert walker.region(start, steps, through) == near


@pytest.mark.parametrize("again", [False, True])
def test_a_way_goes_step_by_step_to_every_end(again: bool) -> None:
    chance, grid = random.Random(5), GRID
    for _ in range(30):
        walls = sum(1 << edge for edge in chance.sample(range(2 * grid.count), 40)) & grid.every_edge
        walker, start = Walker(grid, walls), 1 << chance.randrange(grid.count)
        through, steps = grid.every_cell & ~(1 << chance.randrange(grid.count)), chance.randint(1, 7)
        ends = (walker.walk if again else walker.paths)(start, steps, through, grid.every_cell)
        for end in (1 << cell for cell in range(grid.count)):
            way = walker.way(start, steps, through, end, again=again)
            if not end & ends:
                assert way == ()
                continue
            assert (way[0], way[-1], len(way)) == (start, end, steps + 1)
            assert all(walker.step(one) & other for one, other in pairwise(way))
            assert all(field & through for field in way[1:-1])
            assert again or len(set(way)) == len(way)
