"""The gallery: every screen in every language, size and theme, as pictures, with what the checks say of each.

The games in it are real ones, in a library of their own in a temporary folder; only what a camera would say is posed.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import Any

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import cv2
import numpy as np
import pygame

from companion.games.core import CHANCE, Action, IllegalActionError, Judgement
from companion.games.registry import load_game
from companion.referee.decision import Asks, Refuses
from companion.table.library import Library
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By, TableState
from companion.table.store import Store
from companion.ui import gallery_calibration, gallery_games, text
from companion.ui.app import App
from companion.ui.canvas import Painted
from companion.ui.checks import faults
from companion.ui.drawing import BoardDrawing
from companion.ui.gallery_games import Moments
from companion.ui.games import playable
from companion.ui.language import LANGUAGES
from companion.ui.model import TableModel
from companion.ui.palette import PALETTES
from companion.ui.screen import Screen
from companion.ui.screens.about import AboutScreen
from companion.ui.screens.clauses import ClausesScreen
from companion.ui.screens.correct import CorrectScreen
from companion.ui.screens.failsafe import FailsafeScreen
from companion.ui.screens.history import HistoryScreen
from companion.ui.screens.menu import MenuScreen
from companion.ui.screens.naming import NameScreen
from companion.ui.screens.options import OptionsScreen
from companion.ui.screens.players import PlayersScreen
from companion.ui.screens.result import ResultScreen
from companion.ui.screens.results import ResultsScreen
from companion.ui.screens.review import ReviewScreen
from companion.ui.screens.ruling import REASONS, ReasonScreen, RulingScreen
from companion.ui.screens.settings import SettingsScreen
from companion.ui.screens.start import StartScreen
from companion.ui.screens.statistics import StatisticsScreen
from companion.ui.screens.table import TableScreen
from companion.ui.screens.track import TrackScreen
from companion.vision.observation import Scene
from hardware.camera import Image
from hardware.lights import ScreenLights

SIZES = ((800, 480), (1280, 720), (720, 1280))
SETTING_UP = 8
"""Games shorter than this are looked at while tiles are still drawn."""

NAMES = ("Peggy", "Benedikt", "Chloé", "Dorothy")


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of the gallery."""

    name: str
    size: tuple[int, int]
    language: str
    theme: str
    picture: pygame.Surface
    faults: tuple[str, ...]


class Posed:
    """A table of which the camera says something posed; everything else is the real table's."""

    def __init__(self, table: TableModel, **posed: Any) -> None:
        self._table, self._posed = table, posed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def state(self) -> TableState:
        """The real state with what is posed."""
        return replace(self._table.state(), **self._posed)

    def cut_out(self, sites: Sequence[str]) -> Image | None:
        """A picture of the board around the sites, as a camera might have taken it."""
        game = self.state().position.game
        drawing = BoardDrawing(game, (640, 640))
        places = [drawing.place(site) for site in sites if drawing.has(site)]
        if not places:
            return None
        picture = pygame.Surface(drawing.size)
        picture.fill((150, 128, 104))
        picture.blit(drawing.picture(self.state().position.view()), (0, 0))
        area = pygame.Rect(0, 0, 180, 150)
        area.center = round(places[0][0]), round(places[0][1])
        pixels = pygame.surfarray.array3d(picture.subsurface(area.clamp(picture.get_rect())))
        return np.ascontiguousarray(pixels.swapaxes(0, 1)[:, :, ::-1])


class Studio:
    """Games at several moments, to be looked at."""

    def close(self) -> None:
        """Closes the library."""
        self._store.close()

    def __init__(self, folder: Path) -> None:
        self._store = Store(folder)
        self.library = Library(self._store, workshop=partial(gallery_calibration.workshop, folder))
        self.game = "triangle"
        self._over(2, seed=5)
        self._over(3, seed=6)
        self.over = self._over(4, seed=7)
        self.two = self._table(2, until=26)
        self.four = self._table(4, until=43)
        self.deal = self._table(3, until=5)
        self.looked_back = self._looked_back()
        for game in playable():
            self._begun(game)
        self.moments = Moments(self._store, self.library, NAMES)

    def _begun(self, name: str) -> None:
        """A game of that name in which nothing has been done yet."""
        game = load_game(name)
        Session.create(self._store, game, seated(game, NAMES[: min(3, max(game.player_counts))]))

    def _table(self, players: int, until: int, seed: int = 3) -> TableModel:
        """A game of that many actions at least; a longer one stops where a player is to act."""
        game = load_game(self.game)
        session = Session.create(self._store, game, seated(game, NAMES[:players]))
        position, choice = session.position, random.Random(seed)
        actions: list[Action] = []
        while not position.over and (len(actions) < until or (position.turn == CHANCE and until > SETTING_UP)):
            actions.append(choice.choice(sorted(position.legal_actions(), key=str)))
            position = position.play(actions[-1])
        session.apply(actions, By.HAND)
        return self.library.open_game(session.name)

    def _over(self, players: int, seed: int) -> TableModel:
        return self._table(players, until=1_000, seed=seed)

    def _looked_back(self) -> TableModel:
        """A game with a picture, a verdict and a ruling on record."""
        session = Session.resume(self._store, self.two.state().record)
        model = self.posed(issue=self.refused().state().issue)
        image = model.cut_out(["cell:0"])
        assert image is not None
        picture = cv2.imencode(".jpg", image)[1].tobytes()
        session.apply(sorted(session.position.legal_actions(), key=str)[:1], By.CAMERA, 0.998, picture=picture)
        told = {"verdict": "illegal", "clause": "TRI-PLACE-3", "sites": ["cell:3"], "text": ""}
        session.note("verdict", str(told))
        session.rule(NAMES[0], "TRI-PLACE-3: It stands. It was noticed too late", stands=None)
        return self.library.open_game(session.name, watch=False)

    # -- moments -------------------------------------------------------------------------------------------------------

    def refused(self) -> TableModel:
        """An illegal placement seen by the camera."""
        position = self.two.state().position
        error = self._refusal(position)
        issue = Refuses(Judgement(error.refusal, error.action), error.refusal.sites)
        return Posed(self.two, scene=Scene.STILL, issue=issue)

    @staticmethod
    def _refusal(position: Any) -> IllegalActionError:
        game = position.game
        for own in position.legal_actions():
            words = str(own).split(" ")
            for rotation in ("0", "1", "2"):
                try:
                    position.play(game.parse(" ".join([*words[:3], rotation])))
                except IllegalActionError as error:
                    return error
                except ValueError:
                    continue
        raise LookupError("nothing is illegal here")

    def asked(self) -> TableModel:
        """A question with choices."""
        actions = self.two.state().position.legal_actions()[:2]
        sites = tuple(f"cell:{str(action).split()[2]}" for action in actions)
        return Posed(self.two, scene=Scene.STILL, issue=Asks("which", sites, tuple((a,) for a in actions)))

    def unordered(self) -> TableModel:
        """A question about the order in which players have laid tiles."""
        model = self.moments.table("via-turn")
        position = model.state().position
        by_field = {
            str(action).split()[2]: action for action in position.legal_actions() if str(action).startswith("lay")
        }
        fields = list(by_field)[:: len(by_field) // 3][:3]
        take = position.game.parse("take")
        ways = tuple((one, take, two, take, three) for one, two, three in permutations(by_field[at] for at in fields))
        return Posed(model, scene=Scene.STILL, issue=Asks("which", tuple(f"cell:{at}" for at in fields), ways))

    def unclear(self) -> TableModel:
        """A question without choices."""
        return Posed(self.two, scene=Scene.STILL, issue=Asks("differs", ("cell:3",)))

    def posed(self, **posed: Any) -> TableModel:
        """The camera says something of the game of two."""
        return Posed(self.two, **posed)


def scenes(studio: Studio) -> dict[str, Callable[[App], Screen]]:
    """Every screen, in every state worth a picture, by name."""

    def table(model: TableModel, *steps: int) -> Callable[[App], Screen]:
        def make(app: App) -> Screen:
            screen = TableScreen(app, model)
            for step in steps:
                if screen.entry is not None and screen.entry.options:
                    screen.choose(screen.entry.options[step % len(screen.entry.options)])
            return screen

        return make

    def correct(app: App) -> Screen:
        screen = CorrectScreen(app, studio.two)
        app.screen = screen
        screen.tapped(TableScreen(app, studio.two).last_sites[0])
        return screen

    def players(count: int, game: str = studio.game) -> Callable[[App], PlayersScreen]:
        def make(app: App) -> PlayersScreen:
            screen = PlayersScreen(app, game)
            screen.names = list(NAMES[:count])
            return screen

        return make

    def options(game: str) -> Callable[[App], Screen]:
        def make(app: App) -> Screen:
            screen = players(max(load_game(game).player_counts), game)(app)
            option = screen.usable[-1]
            screen.options[option.name] = screen.values(option)[-1]
            return OptionsScreen(app, screen)

        return make

    def put_off(app: App) -> Screen:
        screen = TableScreen(app, studio.unclear())
        screen.put_off = screen.state.issue
        return screen

    def ruling(app: App) -> Screen:
        screen = RulingScreen(app, studio.refused(), StartScreen(app))
        screen.stands, screen.reason, screen.who = True, app.words(REASONS[2]), NAMES[1]
        return screen

    def review(at: int, large: bool = False) -> Callable[[App], Screen]:
        def make(app: App) -> Screen:
            screen = ReviewScreen(app, studio.looked_back, StartScreen(app))
            screen.at, screen.large = len(screen.moments) - at, large
            return screen

        return make

    def recognised(app: App) -> Screen:
        screen = StartScreen(app)
        screen.update = lambda: None  # type: ignore[method-assign]
        screen.recognised = studio.game
        return screen

    def decisions(app: App) -> Screen:
        screen = ClausesScreen(app, StartScreen(app), studio.game, "TRI-SETUP-3")
        screen.decisions = True
        return screen

    counts = {game: max(load_game(game).player_counts) for game in playable()}
    every: dict[str, Callable[[App], Screen]] = {f"players-{game}": players(counts[game], game) for game in counts}
    many = [game for game in counts if len(load_game(game).options) > 1]
    every |= {f"options-{game}": options(game) for game in many}
    return every | {
        "start": StartScreen,
        "start-recognised": recognised,
        "history": HistoryScreen,
        "statistics": lambda app: StatisticsScreen(app, StartScreen(app)),
        "review-action": review(3),
        "review-picture": review(3, large=True),
        "review-verdict": review(2),
        "review-ruling": review(1),
        "clauses": lambda app: ClausesScreen(app, StartScreen(app), studio.game, "TRI-PLACE-3"),
        "clauses-decisions": decisions,
        "players-2": players(2),
        "players-4": players(4),
        "name": lambda app: NameScreen(app, PlayersScreen(app, studio.game), NAMES[:1], lambda name: None),
        "table-2": table(studio.two),
        "table-4": table(studio.four),
        "table-draw": table(studio.deal),
        "table-tile-chosen": table(studio.two, 0),
        "table-hand": table(studio.posed(scene=Scene.HAND)),
        "table-moving": table(studio.posed(scene=Scene.MOVING)),
        "table-seen": table(studio.posed(scene=Scene.STILL, seen=studio.two.state().position.legal_actions()[:1])),
        "table-dark": table(studio.posed(scene=Scene.DARK)),
        "table-blurred": table(studio.posed(scene=Scene.BLURRED)),
        "table-lost": table(studio.posed(scene=Scene.LOST)),
        "table-mirrored": table(studio.posed(scene=Scene.MIRRORED)),
        "table-drifted": table(studio.posed(scene=Scene.STILL, drifted=True)),
        "table-advice": table(studio.posed(scene=Scene.STILL, advice=(("hole:20", ("red",)),))),
        "table-paused": table(studio.posed(paused=True, scene=Scene.STILL)),
        "table-over": table(studio.over),
        "verdict": table(studio.refused()),
        "question-choices": table(studio.asked()),
        "question": table(studio.unclear()),
        "question-put-off": put_off,
        "ruling": ruling,
        "ruling-recorded": lambda app: RulingScreen(app, studio.two, StartScreen(app), studio.two.state().played[-1]),
        "reason": lambda app: ReasonScreen(app, StartScreen(app), [app.words(text) for text in REASONS], print),
        "correct": lambda app: CorrectScreen(app, studio.two),
        "correct-site": correct,
        "menu": lambda app: MenuScreen(app, studio.two),
        "track": lambda app: TrackScreen(app, studio.four),
        "result": lambda app: ResultScreen(app, studio.over),
        "results": ResultsScreen,
        "settings": lambda app: SettingsScreen(app, StartScreen(app)),
        "about": lambda app: AboutScreen(app, StartScreen(app)),
        "failsafe": FailsafeScreen,
        **gallery_calibration.scenes(),
        **gallery_games.scenes(studio.moments),
        "question-order": lambda app: TableScreen(app, studio.unordered()),
    }


@contextmanager
def _without_display() -> Iterator[None]:
    before = os.environ.get("SDL_VIDEODRIVER")
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    pygame.font.init()
    try:
        yield
    finally:
        text.forget()
        pygame.quit()
        if before is None:
            del os.environ["SDL_VIDEODRIVER"]
        else:
            os.environ["SDL_VIDEODRIVER"] = before


def shots(
    sizes: Sequence[tuple[int, int]] = SIZES,
    languages: Sequence[str] = tuple(LANGUAGES),
    themes: Sequence[str] = tuple(PALETTES),
    only: Callable[[str], bool] = lambda name: True,
    **preferences: str,
) -> Iterator[Shot]:
    """Paints the screens (those whose name `only` accepts), without a display, and checks each; `preferences` are
    other ones than language and theme.
    """
    with tempfile.TemporaryDirectory() as folder, _without_display(), closing(Studio(Path(folder))) as studio:
        for size, language, theme in product(sizes, languages, themes):
            surface = pygame.display.set_mode(size)
            app = App(studio.library, surface, language=language, theme=theme, lights=ScreenLights())
            app.prefer(**{"sound": "off", **preferences})
            for name, make in scenes(studio).items():
                if only(name):
                    yield _shot(app, name, make, size, language, theme)


def _shot(app: App, name: str, make: Callable[[App], Screen], size: tuple[int, int], language: str, theme: str) -> Shot:
    notes: list[Painted] = []
    app.notes = notes
    screen = make(app)
    app.model = getattr(screen, "model", None)
    app.show(screen)
    app.round()
    return Shot(name, size, language, theme, app.surface.copy(), tuple(faults(app.screen, notes)))


def render(
    folder: Path,
    sizes: Sequence[tuple[int, int]] = SIZES,
    languages: Sequence[str] = tuple(LANGUAGES),
    themes: Sequence[str] = tuple(PALETTES),
    only: Callable[[str], bool] = lambda name: True,
) -> list[tuple[Path, tuple[str, ...]]]:
    """Saves every screen as PNG into `folder`, as SIZE/LANGUAGE-THEME/NAME.png; each file with its faults.

    Raises:
        OSError: a picture cannot be written.
    """
    written = []
    for shot in shots(sizes, languages, themes, only):
        file = folder / "{}x{}".format(*shot.size) / f"{shot.language}-{shot.theme}" / f"{shot.name}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        pygame.image.save(shot.picture, file)
        written.append((file, shot.faults))
    return written
