"""The table screen: undo, correct, verdicts and questions, what the camera says, the way back from everything."""

from __future__ import annotations

import pytest

from companion.games.core import IllegalActionError, Judgement
from companion.games.registry import load_game
from companion.referee.decision import Asks, Refuses
from companion.table.errors import DiskFullError
from companion.ui.language import Words
from companion.ui.screens.table import TableScreen
from companion.ui.trouble import trouble_text
from companion.vision.observation import Scene
from hardware.camera import CameraError
from hardware.lights import ScreenLights
from tests.ui.conftest import Program
from tests.ui.finger import Finger
from tests.ui.games import played
from tests.ui.memory import MemoryLibrary, MemoryTable


@pytest.fixture
def library() -> MemoryLibrary:
    return MemoryLibrary(["Ada", "Ben"])


def at_table(
    program: Program, library: MemoryLibrary, actions: int = 26, **options: object
) -> tuple[Finger, MemoryTable]:
    table = played(library, actions=actions)
    return program(library, model=table, **options), table


def illegal(table: MemoryTable) -> IllegalActionError:
    """A placement of the player's own tile that the rules refuse for its colours."""
    position = table.state().position
    for action in position.legal_actions():
        tile, cell = str(action).split()[1:3]
        for rotation in "012":
            try:
                position.play(position.game.parse(f"place {tile} {cell} {rotation}"))
            except IllegalActionError as error:
                return error
            except ValueError:
                continue
    raise AssertionError("nothing is illegal here")


def test_whose_turn_the_scores_and_the_arithmetic_are_shown(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    shown = finger.shown()
    state = table.state()
    assert shown[0] == state.players[state.position.turn or 0].name
    assert {str(score) for score in state.position.scores} <= set(shown)
    scored = [event for one in state.played for event in one.events if event.kind == "score"][-1]
    value, edges, bonus, points = (scored.facts[key] for key in ("value", "edges", "bonus", "points"))
    assert value * edges * bonus == points
    assert any(text.startswith(f"{value} × {edges} edge") and text.endswith(f" = {points}") for text in shown)


def test_undo_takes_the_last_action_back(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    before = list(table.actions)
    finger.tap("Undo")
    assert table.actions == before[:-1]


def test_nothing_to_undo_is_no_button(program: Program, library: MemoryLibrary) -> None:
    table = library.new_game("triangle", played(library, actions=1).players, {})
    finger = program(library, model=table)
    assert "Undo" not in [button.label for button in finger.buttons()]


def test_an_illegal_field_tells_the_clause_and_leads_back(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    screen = finger.app.screen
    assert isinstance(screen, TableScreen)
    finger.tap(next(iter(screen.entry.pieces)).label)  # type: ignore[union-attr]
    far = next(
        site
        for site in (f"cell:{cell}" for cell in range(36))
        if screen.face.attempt(screen.state.position, screen.entry.chosen, site) is not None  # type: ignore[union-attr]
        and site not in screen.entry.sites  # type: ignore[union-attr]
        and table.state().position.view().sites[site] == "empty"
    )
    before = list(table.actions)
    finger.tap_site(far)
    assert finger.reads("Not allowed")
    assert any("TRI-PLACE" in clause for clause in _clauses_shown(finger, table))
    finger.tap("All right")
    assert not finger.reads("Not allowed")
    assert table.actions == before


def _clauses_shown(finger: Finger, table: MemoryTable) -> list[str]:
    clauses = table.state().position.game.clauses
    return [clause for clause in clauses if finger.reads(clauses[clause].rule.in_language("en"))]


def test_a_verdict_shows_the_clause_the_place_and_what_to_do(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    error = illegal(table)
    issue = Refuses(Judgement(error.refusal, error.action), error.refusal.sites)
    table.change(scene=Scene.STILL, issue=issue)
    finger.settle()
    screen = finger.app.screen
    assert isinstance(screen, TableScreen)
    assert finger.reads("Not allowed")
    assert error.refusal.clause in _clauses_shown(finger, table)
    assert {sign.site for sign in screen.signs() if sign.badge == "cross"} == set(error.refusal.sites)
    finger.tap("We put it back")
    assert table.told == ["answer None"]
    assert not finger.reads("Not allowed")


@pytest.mark.parametrize("answer", ["I don't know, look again", "The record is right", "We put it back"])
def test_every_question_has_answers_that_settle_it(program: Program, library: MemoryLibrary, answer: str) -> None:
    finger, table = at_table(program, library)
    table.change(scene=Scene.STILL, issue=Asks("differs", ("cell:3",)))
    finger.settle()
    assert finger.reads("A question")
    finger.tap(answer)
    assert not finger.reads("A question")
    assert len(table.told) == 1


def test_a_choice_of_a_question_is_recorded(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    first, second = table.state().position.legal_actions()[:2]
    table.change(scene=Scene.STILL, issue=Asks("which", ("cell:3",), ((first,), (second,))))
    finger.settle()
    choices = [button for button in finger.buttons() if button.label.startswith("placed")]
    finger.at(*choices[1].rect.center)
    assert table.actions[-1] == second


def test_a_question_can_wait_while_people_enter_by_hand(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    table.change(scene=Scene.STILL, issue=Asks("differs", ("cell:3",)))
    finger.settle()
    finger.tap("Enter by hand")
    assert not finger.reads("A question")
    assert "Undo" in [button.label for button in finger.buttons()]
    finger.tap("Back to the question")
    assert finger.reads("A question")


def test_what_is_said_covers_nothing_of_the_board(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    screen = finger.app.screen
    assert isinstance(screen, TableScreen)
    whole = screen.board_rect.copy()
    for change in ({"scene": Scene.LOST}, {"issue": Asks("differs", ("cell:3",))}):
        table.change(**change)
        finger.settle()
        if "issue" in change:
            finger.tap("Enter by hand")
        assert whole.height - screen.board_rect.height >= 56
        sites = [site.name for site in table.state().position.game.sites if screen.drawing.has(site.name)]
        assert all(screen.board_rect.collidepoint(screen.spot(site)) for site in sites)


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        (Scene.HAND, "Hand away, please"),
        (Scene.MOVING, "Hold on"),
        (Scene.DARK, "The camera sees nothing."),
        (Scene.BLURRED, "The camera's picture is blurred."),
        (Scene.LOST, "The board is not in the picture."),
        (Scene.MIRRORED, "The camera's picture is mirrored."),
    ],
)
def test_the_camera_state_is_shown(program: Program, library: MemoryLibrary, scene: Scene, text: str) -> None:
    finger, table = at_table(program, library)
    table.change(scene=scene)
    assert finger.reads(text)
    table.change(scene=Scene.STILL)
    assert not finger.reads(text)


def test_a_board_that_is_lost_while_all_moves_is_no_broken_camera(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    table.change(scene=Scene.MOVING, notice="the board cannot be found")
    assert finger.reads("Hold on")
    assert not finger.reads(trouble_text(CameraError(), Words("en")))


def test_what_the_camera_sees_but_does_not_count_yet_is_shown_as_such(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    action = table.state().position.legal_actions()[0]
    site = f"cell:{str(action).split()[2]}"
    screen = finger.app.screen
    assert isinstance(screen, TableScreen)
    table.change(scene=Scene.STILL, seen=(action,))
    assert finger.reads("Seen, counts soon")
    assert screen.view().sites[site] != "empty" == table.state().position.view().sites[site]
    table.change(seen=())
    assert not finger.reads("Seen, counts soon")
    assert screen.view().sites[site] == "empty"


def test_what_is_being_entered_stays_when_the_camera_sees_something_else(
    program: Program, library: MemoryLibrary
) -> None:
    finger, table = at_table(program, library)
    screen = finger.app.screen
    assert isinstance(screen, TableScreen)
    finger.tap(screen.entry.pieces[0].label)  # type: ignore[union-attr]
    chosen = screen.entry.chosen  # type: ignore[union-attr]
    assert chosen
    for scene in (Scene.MOVING, Scene.HAND, Scene.STILL):
        table.change(scene=scene)
        finger.settle()
        assert screen.entry.chosen == chosen  # type: ignore[union-attr]


def test_pause_stops_entering_and_goes_on(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    finger.tap("Menu")
    finger.tap("Pause")
    assert table.state().paused
    assert finger.reads("Paused")
    finger.tap("Go on")
    assert not table.state().paused


def test_correct_by_the_place_on_the_board(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library, actions=12)
    number, site, other = _correctable(table)
    finger.tap("Correct")
    finger.tap_site(site)
    words = str(other).split()
    finger.tap(words[1])
    if table.actions[number - 1] != other:  # the rotation is left to choose
        finger.tap(f"{words[1]}/{words[3]}")
    assert table.actions[number - 1] == other
    assert finger.screen == "table"


def _correctable(table: MemoryTable):  # type: ignore[no-untyped-def]
    """A placement that could have been another one on the same field, with everything after it still legal."""
    for number, action in enumerate(table.actions, start=1):
        words = str(action).split()
        if words[0] != "place":
            continue
        for other in table.before(number).legal_actions():
            if str(other).split()[2] != words[2] or other == action:
                continue
            trial = MemoryTable("trial", "triangle", table.players, {})
            try:
                for one in [*table.actions[: number - 1], other, *table.actions[number:]]:
                    trial.enter(one)
            except IllegalActionError:
                continue
            return number, f"cell:{words[2]}", other
    raise AssertionError("nothing can be corrected in this game")


def test_correct_a_draw_by_the_list(program: Program, library: MemoryLibrary) -> None:
    table = library.new_game("triangle", played(library, actions=1).players, {})
    game = load_game("triangle")
    for text in ("draw 0 RRR6", "draw 1 RRY5"):
        table.enter(game.parse(text))
    finger = program(library, model=table)
    finger.tap("Correct")
    finger.tap("draw 1 RRY5")
    finger.tap("BBR5")
    assert [str(action) for action in table.actions] == ["draw 0 RRR6", "draw 1 BBR5"]


def test_a_correction_that_breaks_what_follows_is_refused_and_said(program: Program, library: MemoryLibrary) -> None:
    finger, table = at_table(program, library)
    before = list(table.actions)
    used = str(next(action for action in table.actions if str(action).startswith("place"))).split()[1]
    first = next(action for action in table.actions if str(action).endswith(used))
    table_number = table.actions.index(first) + 1
    finger.tap("Correct")
    screen = finger.app.screen
    screen._begin(table_number)  # type: ignore[attr-defined]  # the list may be many pages long
    finger.settle()
    other = next(
        button.label for button in finger.buttons() if button.label not in (used, "") and len(button.label) == 4
    )
    finger.tap(other)
    assert finger.reads("Not allowed")
    assert table.actions == before
    finger.tap("All right")
    finger.tap("back")
    finger.tap("back")
    assert finger.screen == "table"


def test_nothing_is_drawn_while_nothing_happens(program: Program, library: MemoryLibrary) -> None:
    finger, _ = at_table(program, library)
    assert [finger.app.round() for _ in range(20)] == [False] * 20


def test_the_lights_follow_the_table_and_are_drawn(program: Program, library: MemoryLibrary) -> None:
    lights = ScreenLights()
    finger, table = at_table(program, library, lights=lights)
    rect = finger.app.screen.lights_rect
    assert rect is not None
    player = table.state().position.turn
    assert lights.signals.seats[table.players[player or 0].seat].colour != (0, 0, 0)
    calm = finger.app.surface.subsurface(rect).copy()
    table.change(scene=Scene.DARK)
    finger.settle()
    assert finger.app.surface.subsurface(rect).copy().get_buffer().raw != calm.get_buffer().raw


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (CameraError("webcam:0 cannot be opened; is it connected?"), "Benutzt sie ein anderes Programm?"),
        (CameraError("picamera gives no picture; check its cable, it is being opened again"), "liefert kein Bild"),
        (CameraError("a camera of a new kind hiccups"), "Die Kamera geht nicht."),
        (DiskFullError("no space is left"), "Der Speicher ist voll."),
        (KeyError("x"), "Etwas Unerwartetes ging schief: 'x'"),
    ],
)
def test_trouble_is_said_in_the_language_of_the_screens(
    program: Program, library: MemoryLibrary, error: Exception, text: str
) -> None:
    finger, table = at_table(program, library, language="de")
    table.change(scene=Scene.STILL, notice=str(error), fault=error)
    assert finger.reads(text)
    table.change(notice=None, fault=None)
    assert not finger.reads(text)
