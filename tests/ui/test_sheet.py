"""What the sheet over the table says."""

from __future__ import annotations

import pytest

from companion.games.registry import table_game
from companion.ui.games import face
from companion.ui.language import Words
from companion.ui.sheet import choice_texts, told_apart


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        (["take; draw 2 ?; lay W d7 0", "take; draw 2 ?; lay W f1 0"], ["lay W d7 0", "lay W f1 0"]),
        (["lay W d7 0; take; draw 1 ?", "lay W f1 0; take"], ["lay W d7 0; take", "lay W f1 0; take"]),
        (["draw 2 ?; take", "draw 2 ?; take; draw 3 ?"], ["take", "take; draw 3 ?"]),
        (["take; draw 2 ?; lay W d7 0"], ["take; draw 2 ?"]),
        (
            ["lay W d7 0; take; draw 1 ?; lay W f1 0; take", "lay W d7 0; take; draw 1 ?; lay W b3 0", "lay W f1 0"],
            ["lay W d7 0; lay W f1 0", "lay W d7 0; lay W b3 0", "lay W f1 0"],
        ),
        (
            ["lay W d7 0; take", "take; draw 1 ?", "lay W d7 0; take; draw 1 ?; take"],
            ["lay W d7 0; take", "take; draw 1 ?", "lay W d7 0; take; draw 1 ?"],
        ),
        (["take", "take"], ["take", "take"]),
        ([], []),
    ],
)
def test_choices_are_told_from_where_they_differ(choices: list[str], told: list[str]) -> None:
    game = table_game("via")
    shown = told_apart([tuple(map(game.parse, choice.split("; "))) for choice in choices])
    assert ["; ".join(map(str, actions)) for actions in shown] == told


@pytest.mark.parametrize(
    ("choices", "texts"),
    [
        (["lay W d7 0; lay W f1 0", "lay W f1 0; lay W d7 0"], ["field d7; field f1", "field f1; field d7"]),
        (["lay W d7 0", "lay W f1 0"], ["laid, field d7", "laid, field f1"]),
        (["lay W d7 0; lay W f1 0; take", "take"], ["laid, field d7; field f1; takes", "takes"]),
    ],
)
def test_orders_of_the_same_are_told_by_their_places(choices: list[str], texts: list[str]) -> None:
    game = table_game("via")
    told = [tuple(map(game.parse, choice.split("; "))) for choice in choices]
    assert choice_texts(told, face("via"), Words("en")) == texts
