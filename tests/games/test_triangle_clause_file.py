"""The clause file of Triangle: complete in every language."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from companion.games.clauses import LANGUAGES, Text
from companion.games.core import Event, Refusal
from companion.games.registry import load_game

CLAUSES = load_game("triangle").clauses
RULES = Path(__file__).parents[3] / "shared" / "rules" / "triangle.md"


def test_every_clause_of_the_rules_is_there() -> None:
    if not RULES.exists():
        pytest.skip("the written rules are not on this machine")
    text = RULES.read_text()
    assert list(CLAUSES) == re.findall(r"^- (TRI-[A-Z]+-\d)", text, re.MULTILINE)
    decided = [part.split(" ", 1)[0] for part in text.split("- TRI-") if "**Decision**" in part]
    assert [clause for clause in CLAUSES if CLAUSES[clause].decision] == [f"TRI-{name}" for name in decided]


@pytest.mark.parametrize("clause", list(CLAUSES))
def test_a_clause_has_its_texts(clause: str) -> None:
    texts = [CLAUSES[clause].rule]
    if CLAUSES[clause].case is not None:
        texts.append(CLAUSES[clause].case)  # type: ignore[arg-type]
    for text in texts:
        words = [text.in_language(language) for language in LANGUAGES]
        assert len(set(words)) == 3
        assert all(word.endswith(".") for word in words)
        assert len({frozenset(_facts(word)) for word in words}) == 1


def _facts(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def test_texts_name_players_and_clauses() -> None:
    refusal = Refusal("TRI-PLACE-4", facts={"tile": "RRR6", "player": 1})
    assert CLAUSES.text(refusal).startswith("Player 2 does not hold RRR6.")
    assert CLAUSES.text(refusal, "de", ["Ada", "Ben"]).startswith("Ben hat RRR6 nicht")
    over = CLAUSES.event_text(Event("over", {"clause": "TRI-END-1"}), "fr")
    assert CLAUSES["TRI-END-1"].rule.fr in over
    assert CLAUSES.event_text(Event("unheard-of", {})) == ""


def test_an_unknown_language_falls_back_to_english() -> None:
    assert Text("one", "eins", "un").in_language("nl") == "one"


def test_no_sentence_is_the_rulebooks() -> None:
    book = RULES.parents[1] / "rulebooks" / "triangle.txt"
    if not book.exists():
        pytest.skip("the rulebook is not on this machine")
    printed = " ".join(re.findall(r"\w+", book.read_text().lower()))
    for clause in CLAUSES:
        for language in LANGUAGES:
            for sentence in re.split(r"[.;:]", CLAUSES[clause].rule.in_language(language).lower()):
                words = re.findall(r"\w+", sentence)
                assert len(words) < 4 or " ".join(words) not in printed
