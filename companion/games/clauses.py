"""Clauses: what a referee can point at, with texts in each language.

A clause file is TOML: one table a clause, named by its id, with the rule in plain words (`en`, `de`, `fr`), optionally
`case` (a table with the same languages: the rule applied, with `{facts}` in braces), `decision = true` where the
rulebook left the point open, `option` (the option that chooses another way) and `source` (the place in the rulebook).
The table `words` translates facts that are words; the table `events` says what happened, by kind of event.

In the texts the facts `player` and `other` are players' numbers and become names; `clause` becomes the clause's rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from companion.games.core import Event, Refusal

LANGUAGES = ("en", "de", "fr")
PLAYER_FACTS = ("player", "other")


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same text in each language."""

    en: str
    de: str
    fr: str

    def in_language(self, language: str) -> str:
        """The text in `language`, English where it is none of ours."""
        return str(getattr(self, language if language in LANGUAGES else "en"))


NAMELESS = Text("Player {}", "Person {}", "Joueur {}")


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clause: its rule, and optionally how it reads when applied to a case."""

    en: str
    de: str
    fr: str
    case: Text | None = None
    decision: bool = False
    option: str | None = None
    source: str = ""

    @property
    def rule(self) -> Text:
        """The rule in plain words."""
        return Text(self.en, self.de, self.fr)


class ClauseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a clause file."""

    clauses: dict[str, Clause]
    words: dict[str, Text] = {}
    events: dict[str, Text] = {}


class Clauses:
    """The clauses of one game, by id, in the order of the file."""

    def __init__(self, toml: bytes) -> None:
        content = msgspec.toml.decode(toml, type=ClauseFile)
        self._clauses: Mapping[str, Clause] = content.clauses
        self._words: Mapping[str, Text] = content.words
        self._events: Mapping[str, Text] = content.events

    def __iter__(self) -> Iterator[str]:
        return iter(self._clauses)

    def __contains__(self, clause: object) -> bool:
        return clause in self._clauses

    def __getitem__(self, clause: str) -> Clause:
        return self._clauses[clause]

    def word(self, key: str, language: str) -> str:
        """A fact's word in `language`; the key itself where it is not a word."""
        text = self._words.get(key)
        return text.in_language(language) if text else key

    def text(self, refusal: Refusal, language: str = "en", names: Sequence[str] = ()) -> str:
        """The refusal in one or two sentences: the case, where the clause has one, then the rule.

        `names` are the players' names by number; without them a player is called "Player 1" and so on.
        """
        clause = self._clauses[refusal.clause]
        rule = clause.rule.in_language(language)
        if clause.case is None or not refusal.facts:
            return rule
        case = clause.case.in_language(language).format_map(self._facts(refusal.facts, language, names))
        return f"{case} {rule}"

    def event_text(self, event: Event, language: str = "en", names: Sequence[str] = ()) -> str:
        """What happened, in one sentence; empty where the game has no words for that kind of event."""
        text = self._events.get(event.kind)
        return text.in_language(language).format_map(self._facts(event.facts, language, names)) if text else ""

    def _facts(self, facts: Mapping[str, Any], language: str, names: Sequence[str]) -> dict[str, object]:
        said: dict[str, object] = {}
        for name, value in facts.items():
            if name in PLAYER_FACTS:
                said[name] = names[value] if value < len(names) else NAMELESS.in_language(language).format(value + 1)
            elif name == "clause":
                said[name] = self._clauses[value].rule.in_language(language)
            else:
                said[name] = self.word(value, language) if isinstance(value, str) else value
        return said
