"""Languages: gettext catalogues, chosen at run time. English is the language of the source."""

from __future__ import annotations

import gettext
import locale
from pathlib import Path

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
LOCALE = Path(__file__).parent / "locale"
DOMAIN = "companion"


class Words:
    """Texts of the screens in one language; called with an English text it gives that text."""

    def __init__(self, language: str = "en") -> None:
        self.language = language if language in LANGUAGES else "en"
        self._catalogue = gettext.translation(DOMAIN, LOCALE, [self.language], fallback=self.language == "en")

    def __call__(self, text: str) -> str:
        """The text in the language."""
        return self._catalogue.gettext(text)

    def plural(self, one: str, many: str, number: int) -> str:
        """The text for that number of things, with `{n}` filled in."""
        return self._catalogue.ngettext(one, many, number).format(n=number)


def marked(text: str) -> str:
    """The text itself; marks it for the catalogues where it is translated later."""
    return text


def system_language() -> str:
    """The language of the environment, English where it is none of ours."""
    code = (locale.getlocale()[0] or "")[:2].lower()
    return code if code in LANGUAGES else "en"
