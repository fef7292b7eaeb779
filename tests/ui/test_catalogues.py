"""The catalogues: every text of the screens is there and translated, and what is compiled is what is written."""

from __future__ import annotations

import gettext
import io
import string

import pytest

from companion.ui.language import DOMAIN, LANGUAGES, LOCALE, Words

messages = pytest.importorskip("babel.messages", reason="babel is one of the development tools")

from babel.messages.catalog import Catalog  # noqa: E402
from babel.messages.extract import extract_from_dir  # noqa: E402
from babel.messages.mofile import write_mo  # noqa: E402
from babel.messages.pofile import read_po  # noqa: E402

KEYWORDS = {"marked": None, "words": None, "plural": (1, 2)}
TRANSLATED = [language for language in LANGUAGES if language != "en"]


def catalogue(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file)


def used() -> set[str]:
    """The texts in the source; of a plural, the one for one thing."""
    found = extract_from_dir(str(LOCALE.parent), keywords=KEYWORDS)
    return {message if isinstance(message, str) else message[0] for _, _, message, _, _ in found}


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (text or "",) if isinstance(text, str | None) else tuple(text)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated_and_none_is_left_over(language: str) -> None:
    known = {forms(message.id)[0]: message for message in catalogue(language) if message.id}
    assert set(known) == used()
    assert [name for name, message in known.items() if not all(forms(message.string)) or message.fuzzy] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_same_places_to_fill_in(language: str) -> None:
    for message in catalogue(language):
        if message.id:
            wanted = {_places(text) for text in forms(message.id)}
            assert {_places(text) for text in forms(message.string)} == wanted, message.id


def _places(text: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name)


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(language))
    compiled.seek(0)
    committed = gettext.translation(DOMAIN, LOCALE, [language])
    assert committed._catalog == gettext.GNUTranslations(compiled)._catalog  # type: ignore[attr-defined]


def test_plurals_follow_the_language() -> None:
    assert Words("en").plural("{n} edge", "{n} edges", 1) == "1 edge"
    assert Words("en").plural("{n} edge", "{n} edges", 2) == "2 edges"
    assert Words("de").plural("{n} edge", "{n} edges", 2) == "2 Kanten"
    assert Words("fr").plural("{n} edge", "{n} edges", 1) == "1 côté"


def test_an_unknown_language_is_english() -> None:
    assert Words("it").language == "en"
