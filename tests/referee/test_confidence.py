"""How sure an action is: each site by itself, and all that could have been done beside all that is to be seen."""

from __future__ import annotations

from functools import cache
from typing import Any

from companion.games.core import Position
from companion.games.registry import table_game
from companion.games.sites import EMPTY
from companion.referee.confidence import confidence_of
from companion.referee.evidence import Evidence
from companion.table.rehearsal import Rehearsal
from tests.referee.readings import labels_of, reading_of

LABYRIA = table_game("labyria")


@cache
def first(kind: str) -> tuple[Position[Any], Position[Any]]:
    """The positions before and after the first action of that kind in a game."""
    rehearsal = Rehearsal(LABYRIA, 2, seed=1)
    before, count = rehearsal.position, 0
    for _ in rehearsal.steps():
        if len(rehearsal.actions) > count:
            count = len(rehearsal.actions)
            if str(rehearsal.actions[-1]).startswith(kind):
                return before, rehearsal.position
            before = rehearsal.position
    raise AssertionError(kind)


def sure(kind: str, happened: bool = False, **doubts: dict[str, float]) -> float:
    before, after = first(kind)
    costs = {site.replace("_", ":", 1): cost for site, cost in doubts.items()}
    evidence = Evidence(reading_of(LABYRIA, labels_of(after), doubts=costs))
    confidence = confidence_of(before, after, evidence, happened=happened, enough=0.95)
    assert confidence is not None
    return confidence


def moved() -> tuple[str, str]:
    """Where the first figure comes from, and where it goes."""
    before, after = (position.view().sites for position in first("move"))
    source, target = (site for site in after if before[site] != after[site])
    return (source, target) if after[target] != EMPTY and before[target] == EMPTY else (target, source)


def test_what_is_seen_well_is_sure() -> None:
    assert sure("move") > 0.99


def test_figures_that_hide_each_other_do_not_matter_where_one_has_surely_gone_elsewhere() -> None:
    source, _ = moved()
    before = first("move")[0].view().sites[source]
    assert sure("move", **{source.replace(":", "_"): {before: 0.0}}) > 0.95


def test_a_figure_that_is_surely_still_there_makes_the_move_doubtful() -> None:
    source, target = moved()
    before = first("move")[0].view().sites[source]
    assert sure("move", **{source.replace(":", "_"): {before: -9.0}}) < 0.95
    both = {source.replace(":", "_"): {before: 0.0}, target.replace(":", "_"): {EMPTY: 0.0}}
    assert sure("move", **both) < 0.6  # perhaps nothing has moved


def test_another_place_that_looks_as_likely_makes_it_doubtful() -> None:
    before, after = first("square")
    laid = next(site for site, label in after.view().sites.items() if before.view().sites[site] != label)
    other = next(
        site
        for action in before.legal_actions()
        for sign in before.signs(action)
        for site in sign.sites
        if site != laid and site.startswith("edge:")
    )
    doubts = {laid.replace(":", "_", 1): {EMPTY: 0.0}, other.replace(":", "_", 1): {"square": 0.0}}
    assert sure("square", **doubts) < 0.6


def test_how_high_a_pile_is_need_not_be_seen() -> None:
    before, after = first("add")
    assert before.view().sites["depot"] != after.view().sites["depot"]
    vague = {str(count): 0.1 for count in range(45)}
    assert sure("add", depot=vague) > 0.95
