"""What the screens have in common at whose end something that was found out is kept."""

from __future__ import annotations

from collections.abc import Callable

from calibration.store import CalibrationError
from companion.games.sets import SetError
from companion.table.errors import StoreError
from companion.ui.app import App
from companion.ui.screen import Screen
from companion.ui.trouble import trouble_text


class KeepingScreen(Screen):
    """`kept` once what was found out is stored; `message` says why that did not work."""

    def __init__(self, app: App, before: Screen) -> None:
        super().__init__(app)
        self._before = before
        self.message = ""
        self.kept = False

    def back(self) -> None:
        """Where one came from."""
        self.app.show(self._before)

    def keep(self, store: Callable[[], object]) -> None:
        """Stores what was found out."""
        try:
            store()
        except (CalibrationError, SetError, StoreError) as error:
            self.message = trouble_text(error, self.app.words)
        else:
            self.message, self.kept = "", True
        self.app.rebuild()
