"""The clause files of all games: complete in every language."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import Any

import pytest

from companion.games.clauses import LANGUAGES, Text
from companion.games.core import Event, Game, Refusal
from companion.games.registry import GAMES, load_game

SHARED = Path(__file__).parents[3] / "shared"
CLAUSES = [(name, clause) for name in GAMES for clause in load_game(name).clauses]
ONLY_FACTS = re.compile(r"(\{\w+\} ?)+\.")
"""Texts that are the same in every language: all of their words come from elsewhere."""

MANY = 5
"""So many words in a row are a sentence of the rulebook's, and no turn of phrase."""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game[Any, Any]:
    return load_game(request.param)


def test_every_clause_of_the_rules_is_there(game: Game[Any, Any]) -> None:
    rules = SHARED / "rules" / f"{game.name}.md"
    if not rules.exists():
        pytest.skip("the written rules are not on this machine")
    text, clauses = rules.read_text("utf-8"), game.clauses
    assert list(clauses) == re.findall(r"^- ([A-Z]{3}-[A-Z]+-\d)", text, re.MULTILINE)
    parts = re.split(r"^- (?=[A-Z]{3}-)", text, flags=re.MULTILINE)[1:]
    decided = [part.split(" ", 1)[0] for part in parts if "**Decision**" in part]
    assert [clause for clause in clauses if clauses[clause].decision] == decided


@pytest.mark.parametrize(("name", "clause"), CLAUSES)
def test_a_clause_has_its_texts(name: str, clause: str) -> None:
    rule, case = load_game(name).clauses[clause].rule, load_game(name).clauses[clause].case
    for text in [rule, *([case] if case is not None else [])]:
        words = [text.in_language(language) for language in LANGUAGES]
        assert len(set(words)) == len(LANGUAGES) or all(map(ONLY_FACTS.fullmatch, words))
        assert all(word.endswith(".") for word in words)
        assert len({frozenset(_facts(word)) for word in words}) == 1
    assert not ONLY_FACTS.fullmatch(rule.en)


def _facts(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def test_options_and_their_clauses_name_each_other(game: Game[Any, Any]) -> None:
    naming = [(game.clauses[clause].option, clause) for clause in game.clauses if game.clauses[clause].option]
    assert {(option.name, option.clause) for option in game.options} <= set(naming)
    assert {option for option, _ in naming} == {option.name for option in game.options}


def test_clauses_of_via_tell_how_its_options_are_called() -> None:
    game = load_game("via")
    for option in game.options:
        for language in LANGUAGES:
            assert option.name in game.clauses[option.clause].rule.in_language(language)


def test_no_sentence_is_the_rulebooks(game: Game[Any, Any]) -> None:
    book = SHARED / "rulebooks" / f"{game.name}.txt"
    if not book.exists():
        pytest.skip("the rulebook is not on this machine")
    printed = " ".join(re.findall(r"\w+", book.read_text("utf-8").lower()))
    for clause in game.clauses:
        for language in LANGUAGES:
            for sentence in re.split(r"[.;:]", game.clauses[clause].rule.in_language(language).lower()):
                words = re.findall(r"\w+", sentence)
                assert len(words) < MANY or " ".join(words) not in printed, sentence


def test_texts_name_players_words_and_clauses() -> None:
    clauses = load_game("triangle").clauses
    refusal = Refusal("TRI-PLACE-4", facts={"tile": "RRR6", "player": 1})
    assert clauses.text(refusal).startswith("Player 2 does not hold RRR6.")
    assert clauses.text(refusal, "de", ["Ada", "Ben"]).startswith("Ben hat RRR6 nicht")
    over = clauses.event_text(Event("over", {"clause": "TRI-END-1"}), "fr")
    assert clauses["TRI-END-1"].rule.fr in over
    assert clauses.event_text(Event("unheard-of", {})) == ""
    clauses = load_game("via").clauses
    refusal = Refusal("VIA-LAY-3", facts={"mine": "exit", "theirs": "land", "neighbour": "c4"})
    assert clauses.text(refusal).startswith("Here a road meets land of c4.")
    assert clauses.text(refusal, "de").startswith("Hier trifft ein Weg auf Land von c4.")


def test_an_unknown_language_falls_back_to_english() -> None:
    assert Text("one", "eins", "un").in_language("nl") == "one"
