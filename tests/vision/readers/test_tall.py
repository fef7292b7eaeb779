"""Reading pieces that hide each other: stacks in the dark, and how many explanations are tried."""

from __future__ import annotations

from itertools import product

import pytest

from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.geometry.lens import Lens
from companion.vision.locating.board import locate
from companion.vision.readers.reader import Reader
from companion.vision.readers.tall import TOGETHER, Stack, _configurations
from tests.benchmarks.pictures import picture


@pytest.mark.parametrize("seed", [33, 110])
def test_stacks_whose_lower_pieces_lie_in_the_dark(seed: int) -> None:
    """Seed 33: red on dark blue and yellow on dark blue, in dim light. Seed 110: a hole in sight beside a counter."""
    game = load_game("triangle")
    shot = picture(game, seed)
    height, width = shot.image.shape[:2]
    holes = [site.name for site in game.sites if site.kind == "hole" and shot.truth.hidden.get(site.name, 0.0) < 0.15]
    reading = Reader(game).read(shot.image, locate(shot.image, game, Lens.nominal((width, height))), holes)
    standing = {hole: shot.truth.sites[hole] for hole in holes if shot.truth.sites.get(hole, EMPTY) != EMPTY}
    assert standing
    assert {hole: reading[hole].label for hole in holes if reading[hole].label != EMPTY} == standing


def test_no_stack_is_made_of_what_stands_behind() -> None:
    """A red counter, and a yellow one where the top of a high stack on the red one would be."""
    game = load_game("triangle")
    shot = picture(game, 730187)
    height, width = shot.image.shape[:2]
    pose = locate(shot.image, game, Lens.nominal((width, height)))
    for only in (["hole:31"], ["hole:31", "hole:36"]):
        reading = Reader(game).read(shot.image, pose, only)
        assert {hole: reading[hole].label for hole in only} == {hole: shot.truth.sites[hole] for hole in only}
        assert min(reading[hole].confidence for hole in only) > 0.9


def test_few_configurations_are_all_tried() -> None:
    choices: list[list[Stack]] = [[(), (0,)], [(), (1,), (1, 0)]]
    assert set(_configurations(choices, lambda _: 0.0)) == set(product(*choices))


def test_many_configurations_are_searched_from_a_good_one() -> None:
    choices: list[list[Stack]] = [[(), (0,), (1,), (0, 1), (1, 0), (0, 0, 1)]] * 40
    best = [choices[k][k % 6] for k in range(40)]

    def score(configuration: object) -> float:
        assert isinstance(configuration, (list, tuple))
        return float(sum(stack == wanted for stack, wanted in zip(configuration, best, strict=True)))

    found = _configurations(choices, score)
    assert tuple(best) in found
    assert len(found) < 40 * 6 * (6 + 1) + 2
    assert len(found) > TOGETHER
    for place in range(40):  # every label of every place is among them, so that each gets a score
        assert {configuration[place] for configuration in found} == set(choices[place])
