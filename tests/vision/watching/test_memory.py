"""What is kept of single looks."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.reading import Reading, SiteReading
from companion.vision.watching.memory import LOOKS, Memory

LABELS = ("empty", "red", "blue")


def site(*likelihoods: float, visible: float = 1.0) -> SiteReading:
    return SiteReading(LABELS, np.array(likelihoods, np.float32), visible)


def memory_of(**sites: SiteReading) -> Memory:
    memory = Memory()
    memory.learn(Reading(sites))
    return memory


def test_the_same_object_until_something_changes() -> None:
    memory = memory_of(a=site(0, 9, 0), b=site(9, 0, 0))
    first = memory.reading(set())
    assert memory.reading(set()) is first
    covered = memory.reading({"b"})
    assert covered is not first
    assert covered["b"].visible == 0.0
    assert covered["a"] is first["a"]
    memory.learn(Reading({"b": site(0, 0, 9)}))
    assert memory.reading(set())["b"].label == "blue"
    assert memory.reading(set())["a"].label == "red"


def test_only_visible_doubtful_sites_are_looked_at_again() -> None:
    memory = memory_of(
        sure=site(9, 0, 0), doubtful=site(1, 0, 0), covered=site(1, 0, 0), outside=site(0, 0, 0, visible=0)
    )
    assert memory.doubtful({"covered"}) == {"doubtful"}


def test_further_looks_are_averaged_without_getting_surer_by_themselves() -> None:
    memory = memory_of(a=site(2, 0, 0))
    memory.confirm(Reading({"a": site(2, 0, 0)}))
    assert memory.reading(set())["a"].confidence == pytest.approx(site(2, 0, 0).confidence)
    memory.confirm(Reading({"a": site(8, 0, 0)}))
    assert memory.reading(set())["a"].log_likelihood == pytest.approx([4, 0, 0])


def test_looking_again_comes_to_an_end() -> None:
    memory = memory_of(a=site(0.1, 0, 0))
    for _ in range(LOOKS - 1):
        assert memory.doubtful(set()) == {"a"}
        memory.confirm(Reading({"a": site(0.1, 0, 0)}))
    assert memory.doubtful(set()) == set()


def test_a_changed_site_is_learned_afresh() -> None:
    memory = memory_of(a=site(1, 0, 0))
    memory.confirm(Reading({"a": site(1, 0, 0)}))
    memory.learn(Reading({"a": site(0, 7, 0)}))
    assert memory.reading(set())["a"].log_likelihood == pytest.approx([0, 7, 0])


def test_it_is_told_whether_what_was_learned_is_new() -> None:
    memory = Memory()
    assert memory.learn(Reading({"a": site(3, 0, 0)}))
    assert not memory.learn(Reading({"a": site(2, 1, 0)}))
    assert memory.learn(Reading({"a": site(0, 7, 0)}))


def test_a_check_takes_over_only_what_differs() -> None:
    memory = memory_of(a=site(5, 0, 0), b=site(0, 5, 0))
    before = memory.reading(set())
    memory.check(Reading({"a": site(6, 0, 0), "b": site(0, 4, 1)}))
    assert memory.reading(set()) is before
    memory.check(Reading({"a": site(0, 6, 0), "b": site(0, 4, 1)}))
    assert memory.reading(set())["a"].label == "red"
    assert memory.reading(set())["b"] is before["b"]
