"""The clause file of Magic Triland: complete in every language."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from companion.games.clauses import LANGUAGES
from companion.games.registry import load_game

GAME = load_game("magic_triland")
CLAUSES = GAME.clauses
RULES = Path(__file__).parents[3] / "shared" / "rules" / "magic_triland.md"


def test_every_clause_of_the_rules_is_there() -> None:
    if not RULES.exists():
        pytest.skip("the written rules are not on this machine")
    text = RULES.read_text()
    assert list(CLAUSES) == re.findall(r"^- (TLD-[A-Z]+-\d)", text, re.MULTILINE)
    decided = [part.split(" ", 1)[0] for part in text.split("- TLD-") if "**Decision**" in part]
    assert [clause for clause in CLAUSES if CLAUSES[clause].decision] == [f"TLD-{name}" for name in decided]


@pytest.mark.parametrize("clause", list(CLAUSES))
def test_a_clause_has_its_texts(clause: str) -> None:
    texts = [CLAUSES[clause].rule, *([case] if (case := CLAUSES[clause].case) is not None else [])]
    for text in texts:
        words = [text.in_language(language) for language in LANGUAGES]
        assert all(word.endswith(".") for word in words)
        assert len({frozenset(name for _, name, _, _ in string.Formatter().parse(word) if name) for word in words}) == 1
    assert len({texts[0].in_language(language) for language in LANGUAGES}) == 3


def test_options_are_named_by_their_clauses() -> None:
    for option in GAME.options:
        assert CLAUSES[option.clause].option == option.name


def test_no_sentence_is_the_rulebooks() -> None:
    book = RULES.parents[1] / "rulebooks" / "magic_triland.txt"
    if not book.exists():
        pytest.skip("the rulebook is not on this machine")
    printed = " ".join(re.findall(r"\w+", book.read_text().lower()))
    for clause in CLAUSES:
        for language in LANGUAGES:
            for sentence in re.split(r"[.;:]", CLAUSES[clause].rule.in_language(language).lower()):
                words = re.findall(r"\w+", sentence)
                assert len(words) < 5 or " ".join(words) not in printed, sentence
