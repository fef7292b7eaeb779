"""The supply: sites cannot together show more of a thing than the set has."""

from __future__ import annotations

import numpy as np

from companion.vision.reading import SiteReading
from companion.vision.supply import rationed, with_supply

LABELS = ("empty", "1", "2")


def reading(*likelihood: float, visible: float = 1.0) -> SiteReading:
    return SiteReading(LABELS, np.array(likelihood, np.float32), visible)


def test_the_site_that_shows_it_least_gives_way() -> None:
    sites = {"a": reading(-9, 3, 0), "b": reading(-9, 0.5, 0), "c": reading(-9, 4, 0), "other": reading(0, 9, 0)}
    found = with_supply(sites, {"1": 2, "2": 2}, ["a", "b", "c"])
    assert [found[name].label for name in "abc"] == ["1", "2", "1"]
    assert found["b"].confidence < 0.9
    assert found["other"] is sites["other"]


def test_enough_of_everything_changes_nothing() -> None:
    likelihood = np.array([[0.0, 5.0, 1.0], [0.0, 1.0, 5.0]])
    assert np.array_equal(rationed(likelihood, np.array([np.inf, 2.0, 2.0])), likelihood)


def test_what_is_not_seen_uses_nothing_up() -> None:
    sites = {"a": reading(-9, 3, 0), "b": reading(-9, 3.5, 0, visible=0.2)}
    found = with_supply(sites, {"1": 1, "2": 1}, ["a", "b"])
    assert found["a"].label == "1"
    assert found["b"] is sites["b"]
