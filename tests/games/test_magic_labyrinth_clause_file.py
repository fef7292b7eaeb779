"""The clause file of the Magic Labyrinth: complete in every language."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from companion.games.clauses import LANGUAGES
from companion.games.registry import load_game

GAME = load_game("magic_labyrinth")
CLAUSES = GAME.clauses
RULES = Path(__file__).parents[3] / "shared" / "rules" / "magic_labyrinth.md"


def test_every_clause_of_the_rules_is_there() -> None:
    if not RULES.exists():
        pytest.skip("the written rules are not on this machine")
    text = RULES.read_text()
    assert list(CLAUSES) == re.findall(r"^- (MAG-[A-Z]+-\d)", text, re.MULTILINE)
    decided = [part.split(" ", 1)[0] for part in text.split("- MAG-") if "**Decision**" in part]
    assert [clause for clause in CLAUSES if CLAUSES[clause].decision] == [f"MAG-{name}" for name in decided]


@pytest.mark.parametrize("clause", list(CLAUSES))
def test_a_clause_has_its_texts(clause: str) -> None:
    case = CLAUSES[clause].case
    for text in [CLAUSES[clause].rule, *([case] if case else [])]:
        words = [text.in_language(language) for language in LANGUAGES]
        assert len(set(words)) == 3
        assert all(word.endswith(".") for word in words)
        assert len({frozenset(_facts(word)) for word in words}) == 1


def _facts(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def test_options_and_their_clauses_name_each_other() -> None:
    assert {option.name: option.clause for option in GAME.options} == {
        CLAUSES[clause].option: clause for clause in CLAUSES if CLAUSES[clause].option
    }


def test_no_sentence_is_the_rulebooks() -> None:
    book = RULES.parents[1] / "rulebooks" / "magic_labyrinth.txt"
    if not book.exists():
        pytest.skip("the rulebook is not on this machine")
    printed = " ".join(re.findall(r"\w+", book.read_text().lower()))
    for clause in CLAUSES:
        for language in LANGUAGES:
            for sentence in re.split(r"[.;:]", CLAUSES[clause].rule.in_language(language).lower()):
                words = re.findall(r"\w+", sentence)
                assert len(words) < 4 or " ".join(words) not in printed
