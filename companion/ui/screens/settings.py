"""Settings: language, theme, size of texts, hand, sounds, spoken turns."""

from __future__ import annotations

from functools import partial

from pygame import Rect

from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.language import LANGUAGES, Words
from companion.ui.layout import GAP
from companion.ui.preferences import CHOICES
from companion.ui.screen import Screen
from companion.ui.sound import speaker


class SettingsScreen(Screen):
    """What people choose once."""

    name = "settings"

    def __init__(self, app: App, before: Screen) -> None:
        super().__init__(app)
        self._before = before
        self._labels: list[tuple[Rect, str, str]] = []

    def back(self) -> None:
        """Where one came from."""
        self.app.show(self._before)

    def build(self) -> None:
        """A row for each preference: what it is, and the choices."""
        words, gap = self.app.words, self.px(GAP)
        self.title, below = self.header()
        names = _names(words)
        about = Rect(0, 0, self.px(190), self.px(52))
        about.topright = self.title.topright
        self.button(about, words("About"), self._about, icon="info", style="quiet")
        self.title.width -= about.width + gap
        if self.app.library.workshop is not None:
            below = self._build_calibration(about, below)
        height = self.px(100 if self.metrics.portrait else 58)
        self._labels = []
        for (name, label), row in zip(names.items(), layout.rows(below, [height] * len(names), gap), strict=True):
            self._build_row(name, label, row)

    def _build_calibration(self, about: Rect, below: Rect) -> Rect:
        """The way to the calibration: beside `about`, or in portrait at the bottom; the room that is left."""
        words, gap = self.app.words, self.px(GAP)
        if self.metrics.portrait:
            below, rect = layout.rows(below, [None, self.px(56)], gap)
        else:
            rect = Rect(about.left - about.width - gap, about.top, about.width, about.height)
            self.title.width -= rect.width + gap
        self.button(rect, words("Calibrate"), self._calibrate, icon="look", style="quiet")
        return below

    def _build_row(self, name: str, label: str, row: Rect) -> None:
        gap = self.px(GAP)
        if self.metrics.portrait:
            head, room = layout.rows(row, [self.px(34), None], 0)
        else:
            head, room = layout.columns(row, [self.px(188), None], gap)
        missing = name == "speech" and speaker() is None
        note = self.app.words("espeak-ng is missing") if missing else ""
        self._labels.append((head, label, note))
        chosen = getattr(self.app.preferences, name)
        labels = choice_labels(name, self.app.words)
        for value, cell in zip(CHOICES[name], layout.columns(room, [None] * len(CHOICES[name]), gap), strict=True):
            on = value == chosen
            self.button(
                cell,
                labels[value],
                partial(self._choose, name, value),
                icon="check" if on else None,
                style="chosen" if on else "plain",
                enabled=not missing or value == "off",
            )

    def _choose(self, name: str, value: str) -> None:
        self.app.prefer(**{name: value})
        if name == "sound":
            self.app.sounds.play("accepted")
        if name == "speech":
            self.app.voice.say(self.app.words("Spoken turns"), self.app.words.language)

    def _calibrate(self) -> None:
        """The camera is needed: an open table is left, and gone on with from the start."""
        from companion.ui.screens.calibration import CalibrationScreen
        from companion.ui.screens.start import StartScreen

        if self.app.model is None:
            self.app.show(CalibrationScreen(self.app, self))
            return
        game = self.app.model.state().position.game.name
        self.app.leave_table()
        self.app.show(CalibrationScreen(self.app, StartScreen(self.app), game))

    def _about(self) -> None:
        from companion.ui.screens.about import AboutScreen

        self.app.show(AboutScreen(self.app, self))

    def draw(self, canvas: Canvas) -> None:
        """Titles."""
        canvas.line(self.app.words("Settings"), self.title, "title", bold=True)
        for rect, label, note in self._labels:
            if note:
                cut = layout.columns if self.metrics.portrait else layout.rows
                top, bottom = cut(rect, [None, None], 0)
                canvas.line(label, top, "body", bold=True)
                canvas.line(note, bottom, "small", colour=canvas.palette.muted)
            else:
                canvas.paragraph(label, rect, "body", bold=True, middle=True)


def _names(words: Words) -> dict[str, str]:
    """The preferences in the order in which they are shown, with their names."""
    return {
        "language": words("Language"),
        "theme": words("Theme"),
        "text": words("Size of texts"),
        "hand": words("Touched with"),
        "sound": words("Sounds"),
        "speech": words("Spoken turns"),
    }


def choice_labels(name: str, words: Words) -> dict[str, str]:
    """The values of a preference, as buttons name them."""
    if name == "language":
        return LANGUAGES
    if name == "text":
        return {value: f"{value} %" for value in CHOICES["text"]}
    return {
        "theme": {"light": words("Light"), "dark": words("Dark"), "contrast": words("High contrast")},
        "hand": {"right": words("Right hand"), "left": words("Left hand")},
        "sound": {"on": words("On"), "off": words("Off")},
        "speech": {"on": words("On"), "off": words("Off")},
    }[name]
