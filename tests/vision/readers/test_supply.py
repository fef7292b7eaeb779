"""The supply: sites cannot together show more of a thing than the set has."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from companion.games.core import Rest
from companion.vision.readers.supply import TOGETHER, rationed, with_rest, with_supply
from companion.vision.reading import SiteReading

LABELS = ("empty", "1", "2")


def reading(*likelihood: float, visible: float = 1.0) -> SiteReading:
    return SiteReading(LABELS, np.array(likelihood, np.float32), visible)


def test_the_site_that_shows_it_least_gives_way() -> None:
    sites = {"a": reading(-9, 3, 0), "b": reading(-9, 0.5, 0), "c": reading(-9, 4, 0), "other": reading(0, 9, 0)}
    found = with_supply(sites, {"1": 2, "2": 2}, ["a", "b", "c"])
    assert [found[name].label for name in "abc"] == ["1", "2", "1"]
    assert found["b"].confidence < 0.9
    assert found["other"] is sites["other"]


def test_two_sites_that_can_only_have_been_exchanged_are_the_surer() -> None:
    sites = {"a": reading(-9, 2, 0), "b": reading(-9, 0, 2)}
    found = with_supply(sites, {"1": 1, "2": 1}, ["a", "b"])
    assert [found[name].label for name in "ab"] == ["1", "2"]
    assert sites["a"].confidence < 0.9 < 0.95 < found["a"].confidence < 0.99


def test_what_one_site_shows_is_told_through_others() -> None:
    """One is a 1, so the next is a 2 and the last nothing, although it looks like a 2."""
    sites = {"a": reading(-9, 9, 0), "b": reading(-9, 1, 0), "c": reading(0, -9, 2)}
    found = with_supply(sites, {"1": 1, "2": 1}, ["a", "b", "c"])
    assert [found[name].label for name in "abc"] == ["1", "2", "empty"]


def test_all_that_the_sites_may_show_together_is_weighed() -> None:
    chance, copies = np.random.default_rng(3), np.array([np.inf, 2.0, 1.0, 1.0])
    likelihood = chance.normal(0.0, 2.0, (5, 4))
    likelihood -= np.log(np.exp(likelihood).sum(axis=1, keepdims=True))
    expected = np.zeros((5, 4))
    for labels in product(range(4), repeat=5):
        if all(labels.count(label) <= copies[label] for label in range(4)):
            expected[range(5), labels] += np.exp(likelihood[range(5), labels].sum())
    expected /= expected.sum(axis=1, keepdims=True)
    found = rationed(likelihood, copies)
    assert np.allclose(np.exp((found - (1 - TOGETHER) * likelihood) / TOGETHER), expected, atol=1e-4)


def test_of_what_there_cannot_be_nothing_is_sure() -> None:
    sites = {name: reading(-99, 0, -99) for name in "abc"}
    found = with_supply(sites, {"1": 2, "2": 1}, list("abc"))
    assert {site.label for site in found.values()} == {"1"}
    assert max(site.confidence for site in found.values()) < 0.5


def test_of_what_none_is_left_no_site_shows_any() -> None:
    sites = {"a": reading(-9, 1, 0), "b": reading(-9, 0, 0.5)}
    found = with_supply(sites, {"1": 0, "2": 2}, ["a", "b"])
    assert {site.label for site in found.values()} == {"2"}


def test_enough_of_everything_changes_nothing() -> None:
    likelihood = np.array([[0.0, 5.0, 1.0], [0.0, 1.0, 5.0]])
    assert np.array_equal(rationed(likelihood, np.array([np.inf, 2.0, 2.0])), likelihood)


def test_what_is_not_seen_uses_nothing_up() -> None:
    sites = {"a": reading(-9, 3, 0), "b": reading(-9, 3.5, 0, visible=0.2)}
    found = with_supply(sites, {"1": 1, "2": 1}, ["a", "b"])
    assert found["a"].label == "1"
    assert found["b"] is sites["b"]


@pytest.mark.parametrize(("walls", "label"), [(1, "3"), (2, "2"), (4, "1")])
def test_of_piles_that_look_alike_that_is_likelier_which_is_left(walls: int, label: str) -> None:
    pile = SiteReading(("0", "1", "2", "3"), np.array([-9.0, 0.5, 0.0, -0.3], np.float32), 1.0)
    wall = SiteReading(("empty", "wall"), np.array([-9.0, 0.0], np.float32), 1.0)
    sites = {"pile": pile} | {f"edge:{k}": wall for k in range(walls)}
    found = with_rest(sites, Rest("pile", "wall", {4: 3}))
    assert found.label == label


def test_a_pile_that_is_plainly_seen_is_what_it_is_whatever_is_left() -> None:
    pile = SiteReading(("0", "1", "2"), np.array([-20.0, 0.0, -20.0], np.float32), 1.0)
    found = with_rest({"pile": pile}, Rest("pile", "wall", {2: 2, 0: 1}))
    assert found.label == "1"
    assert found.confidence > 0.99
