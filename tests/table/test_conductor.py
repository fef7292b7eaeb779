"""The conductor with an eye that sees what it is told: what is recorded, told and asked, and what people answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.games.core import Game
from companion.games.registry import load_game, table_game
from companion.games.sites import EMPTY
from companion.referee.decision import Asks, Decision, Refuses
from companion.table.conductor import Conductor, Happening
from companion.table.session import Session
from companion.table.state import By, Player
from companion.table.store import Store
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.pose import Pose
from companion.vision.observation import Observation, Scene
from companion.vision.reading import Reading
from hardware.camera import CameraError, Frame
from tests.referee.readings import labels_of, reading_of
from tests.referee.test_referee import DEAL
from tests.referee.test_referee_labyria import BEGUN, LAID
from tests.referee.test_referee_via import BEGUN as STARTED

GAME = load_game("triangle")
IMAGE = np.full((90, 160, 3), 120, np.uint8)


class ToldEye:
    """Sees the table that it is told, as long as it is told so."""

    def __init__(self, game: Game[Any, Any] = GAME) -> None:
        self.game = game
        self.labels: dict[str, str] = {}
        self.scene = Scene.STILL
        self.lasted = 10.0
        self.unclear: tuple[str, ...] = ()
        self.doubts: dict[str, dict[str, float]] = {}
        self._reading: Reading | None = None

    def show(self, labels: dict[str, str], *, unclear: tuple[str, ...] = (), **doubts: dict[str, float]) -> None:
        self.labels, self.unclear, self.doubts, self._reading = labels, unclear, doubts, None

    def observe(self, frame: Frame) -> Observation:
        if self._reading is None:
            doubts = {k.replace("_", ":"): v for k, v in self.doubts.items()}
            self._reading = reading_of(self.game, self.labels, unclear=self.unclear, doubts=doubts)
        return Observation(
            frame.time, self.scene, frame.time - self.lasted, self._reading if self.scene is Scene.STILL else None
        )


class Table:
    def __init__(self, folder: Path, game: Game[Any, Any] = GAME) -> None:
        self.store = Store(folder)
        self.game = game
        players = [Player("Ada", 0, "red", "circle"), Player("Ben", 1, "blue", "square")]
        self.session = Session.create(self.store, game, players)
        self.eye = ToldEye(game)
        self.told: list[Happening] = []
        self.conductor = Conductor(self.session, self.eye, tell=self.told.append)
        self.frames = 0

    def deal(self) -> None:
        self.session.apply([GAME.parse(text) for text in DEAL], By.HAND)

    def look(self, times: int = 1) -> None:
        for _ in range(times):
            self.conductor.see(Frame(IMAGE, float(self.frames), self.frames))
            self.frames += 1

    def show(self, *actions: str, **changes: str) -> None:
        """The table after these actions, with these sites otherwise (`cell_12="..."`)."""
        position: Any = self.session.position
        for action in actions:
            position = position.play(self.game.parse(action))
        self.eye.show(
            labels_of(position)
            | {site.replace("_", ":", 1).replace("_", "."): label for site, label in changes.items()}
        )
        self.look()

    @property
    def actions(self) -> list[str]:
        return [str(played.action) for played in self.session.played]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.store.close()


def test_what_the_picture_shows_is_recorded_and_told_with_its_points(table: Table) -> None:
    table.deal()
    table.show("place PPP6 35 0", "draw 1 RRR6")
    assert table.actions[-2:] == ["place PPP6 35 0", "draw 1 RRR6"]
    placed, drawn = table.told[-2:]
    assert (placed["action"], placed["player"], placed["points"], placed["by"]) == ("place PPP6 35 0", 1, 6, "camera")
    assert (drawn["action"], drawn["player"]) == ("draw 1 RRR6", 1)
    assert table.session.played[-1].picture is not None


def test_a_broken_rule_is_told_once_and_settled_when_the_table_is_right_again(table: Table) -> None:
    table.deal()
    version = table.conductor.version
    table.show(cell_34="PPP6/0", rack_1_2=EMPTY)
    table.look(3)
    state = table.conductor.state()
    assert isinstance(state.issue, Refuses)
    assert [told["clause"] for told in table.told if "verdict" in told] == ["TRI-PLACE-1"]
    note = table.session.record.entries[-1]
    assert (note.who, table.store.pictures.path(note.picture) is not None) == ("verdict", True)
    assert table.conductor.version > version
    table.show()
    assert table.conductor.state().issue is None
    assert table.told[-1]["notice"] == "settled"
    table.show("place PPP6 35 0")
    assert table.actions[-1] == "place PPP6 35 0"


def test_a_ruling_lets_an_illegal_placement_stand_or_has_it_put_back(table: Table) -> None:
    table.deal()
    table.show(cell_34="PPP6/0", rack_1_2=EMPTY)
    issue = table.conductor.state().issue
    assert isinstance(issue, Refuses)
    table.conductor.rule("Dan", "It is taken back")
    assert table.conductor.state().issue is None
    table.look(2)
    assert table.conductor.state().issue is not None  # it still lies there
    table.conductor.rule("Dan", "It stands", stands=issue.judgement.action)
    assert table.actions[-1] == str(issue.judgement.action)
    table.look(2)
    assert table.conductor.state().issue is None
    assert [told["text"] for told in table.told if told.get("notice") == "ruling"] == ["It is taken back", "It stands"]


def test_what_the_camera_saw_is_cut_out_where_the_board_is_known(table: Table) -> None:
    game = table.session.game
    lens = Lens.nominal((IMAGE.shape[1], IMAGE.shape[0]))
    pose = Pose(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 700.0]), lens, (), 0.0, 1.0)
    image = IMAGE.copy()
    spec = next(spec for spec in game.sites if spec.name == "cell:34")
    x, y = pose.project(np.array([spec.centre]))[0].round().astype(int)
    image[y - 3 : y + 4, x - 3 : x + 4] = (0, 0, 255)
    observe = table.eye.observe
    table.eye.observe = lambda frame: replace(observe(frame), pose=pose)  # type: ignore[method-assign]
    table.deal()
    assert table.conductor.cut_out(["cell:34"]) is None
    table.eye.show(labels_of(table.session.position) | {"cell:34": "PPP6/0", "rack:1.2": EMPTY})
    table.conductor.see(Frame(image, 1.0, 1))
    seen = table.conductor.cut_out(["cell:34"])
    assert seen is not None
    height, width = seen.shape[:2]
    assert tuple(seen[height // 2, width // 2]) == (0, 0, 255)
    assert tuple(seen[1, 1]) == (120, 120, 120)
    table.show()
    assert table.conductor.cut_out(["cell:34"]) is None


def test_what_was_taken_back_is_not_recorded_again_while_it_still_lies(table: Table) -> None:
    table.deal()
    table.show("place PPP6 35 0")
    table.conductor.undo()
    table.look(2)
    assert table.actions == list(DEAL)
    assert isinstance(table.conductor.state().issue, Asks)
    table.show()
    assert table.conductor.state().issue is None
    table.show("place PPP6 35 0")
    assert table.actions[-1] == "place PPP6 35 0"


@pytest.mark.parametrize("entered", [False, True])
def test_what_players_take_back_is_undone_unless_they_have_entered_what_comes_next(
    tmp_path: Path, entered: bool
) -> None:
    table = Table(tmp_path, load_game("via"))
    table.eye.lasted = 9.0
    table.show()
    before = {site.name: EMPTY for site in table.game.sites}
    table.show("lay ST a7 0")
    assert table.actions == ["lay ST a7 0"]
    if entered:
        table.conductor.hear(table.game.parse("take"))
    table.eye.show(before)
    table.look(3)
    assert table.actions == (["lay ST a7 0"] if entered else [])
    table.store.close()


@pytest.mark.parametrize("lasted", [3.0, 0.5])
def test_what_shows_since_before_something_was_entered_came_first(tmp_path: Path, lasted: float) -> None:
    table = Table(tmp_path, table_game("via"))
    begun = (*STARTED, "lay W d1 0", "draw 0 S2", "draw 0 S2", "draw 1 C3", "draw 1 C3", "lay S2 a1 1")
    table.session.apply([table.game.parse(text) for text in begun], By.HAND)
    table.eye.lasted = 0.5
    table.show(cell_b2="C3/0")
    referee, first = table.conductor._referee, list[bool]()
    hear = referee.hear

    def listen(position: Any, observation: Observation, said: Any, *, now: bool) -> Decision | None:
        first.append(now)
        return hear(position, observation, said, now=now)

    referee.hear = listen  # type: ignore[method-assign]
    table.conductor.hear(table.game.parse("take"))
    table.eye.lasted = lasted
    table.look()
    assert first[:2] == [True, lasted > 1.0]
    table.eye.lasted = 9.0
    table.look(2)
    added = [str(one.action) for one in table.session.played[len(begun) :]]
    assert added == ["take", "draw 0 ?", "lay C3 b2 0"]
    table.store.close()


@pytest.mark.parametrize(("waited", "taken_back"), [(20.0, True), (40.0, False)])
def test_an_open_issue_keeps_the_time_to_take_back_from_running_out(
    tmp_path: Path, waited: float, taken_back: bool
) -> None:
    table = Table(tmp_path, load_game("via"))
    table.eye.lasted = 9.0
    table.show()
    start = labels_of(table.session.position)
    table.show("lay ST a7 0")
    table.frames = int(waited)  # a frame a second
    table.show(cell_a7=EMPTY, cell_d4="S4/0")  # taken back, with a tile that no action lays so
    table.look()
    assert table.conductor.state().issue is not None
    table.frames = 50
    table.eye.show(start)
    table.look(2)
    assert table.actions == ([] if taken_back else ["lay ST a7 0"])
    table.store.close()


@pytest.mark.parametrize("knocked_off", [True, False])
def test_what_shows_again_may_have_come_before_what_was_recorded_in_its_stead(
    tmp_path: Path, knocked_off: bool
) -> None:
    table = Table(tmp_path, load_game("labyria"))
    table.session.apply([table.game.parse(text) for text in BEGUN], By.HAND)
    table.show()
    own, next_one = LAID[:2]
    if knocked_off:
        table.eye.lasted = 2.0
        table.show(own)  # not recorded yet, as the player may think again
        assert table.actions == list(BEGUN)
        table.eye.lasted = 10.0
    table.show(next_one)
    assert table.actions == [*BEGUN, next_one]
    table.show(own)
    asked = table.conductor.state().issue
    if knocked_off:
        assert table.actions == list(BEGUN)
        assert isinstance(asked, Asks)
        assert {tuple(map(str, choice)) for choice in asked.choices} == {(own, next_one), (next_one, own)}
        table.conductor.answer(asked.choices.index(tuple(map(table.game.parse, (own, next_one)))))
        table.look(3)
        assert table.actions == [*BEGUN, own, next_one]
    else:
        assert table.actions == [*BEGUN, next_one, own]
    assert table.conductor.state().issue is None
    table.store.close()


def test_an_action_entered_by_hand_does_not_complain_while_the_table_is_behind(table: Table) -> None:
    table.deal()
    table.show()
    table.conductor.enter(GAME.parse("place PPP6 35 0"))
    table.look(3)
    assert table.conductor.state().issue is None
    assert table.actions[-1] == "place PPP6 35 0"
    table.show()
    table.show("draw 1 RRR6")
    assert table.actions[-1] == "draw 1 RRR6"


def test_a_question_is_answered_with_one_of_its_choices(table: Table) -> None:
    table.deal()
    labels = labels_of(table.session.position.play(GAME.parse("place GBP3 35 0")))
    table.eye.show(labels, cell_35={"GBP3/1": 0.1})
    table.look(2)
    issue = table.conductor.state().issue
    assert isinstance(issue, Asks)
    choice = [str(choice[0]) for choice in issue.choices].index("place GBP3 35 1")
    table.conductor.answer(choice)
    assert table.actions[-1] == "place GBP3 35 1"
    assert table.session.played[-1].by is By.HAND
    assert table.conductor.state().issue is None


def test_what_followed_on_a_question_is_recorded_in_its_order_when_that_is_answered(tmp_path: Path) -> None:
    game = load_game("labyria")
    table = Table(tmp_path, game)
    table.session.apply([game.parse(text) for text in BEGUN], By.HAND)
    position = table.session.position
    table.eye.show(labels_of(position))
    table.look(2)
    for action in LAID:
        position = position.play(game.parse(action))
        table.eye.show(labels_of(position), unclear=("crossing:d4",))
        table.look(2)
    issue = table.conductor.state().issue
    assert isinstance(issue, Asks)
    table.conductor.answer([str(choice[0]) for choice in issue.choices].index(LAID[0]))
    table.look(3)
    assert table.conductor.state().issue is None
    assert table.actions[-3:] == list(LAID)
    assert [played.by for played in table.session.played[-2:]] == [By.CAMERA] * 2
    table.store.close()


@pytest.mark.parametrize(("contained", "kept"), [(1, []), (0, ["take"])])
def test_what_was_entered_is_settled_by_the_answer_that_contains_it(
    tmp_path: Path, contained: int, kept: list[str]
) -> None:
    """Taking a tile goes without saying where nothing else is possible; then it was another player's that was meant."""
    table = Table(tmp_path, table_game("via"))
    table.session.apply([table.game.parse(text) for text in (*STARTED, "lay W d1 0")], By.HAND)
    answer = tuple(table.game.parse(text) for text in ("draw 0 S2", "draw 0 S2"))
    taken = table.game.parse("take")
    table.conductor._said.append(taken)
    table.conductor._raise(Asks("which", ("cell:d1",), (answer,), (contained,)), 0.0)
    table.conductor.answer(0)
    assert table.actions[-2:] == [str(action) for action in answer]
    assert [str(action) for action in table.conductor.said] == kept
    table.store.close()


def test_after_putting_the_table_right_by_hand_it_has_to_agree_first(table: Table) -> None:
    table.deal()
    table.show(cell_34="PPP6/0", rack_1_2=EMPTY)
    table.conductor.answer(None)
    table.show("place PPP6 35 0")
    assert table.actions == list(DEAL)
    issue = table.conductor.state().issue
    assert isinstance(issue, Asks)
    assert issue.sites == ("cell:35",)
    table.show()
    table.show("place PPP6 35 0")
    assert table.actions[-1] == "place PPP6 35 0"


def test_a_pass_that_follows_from_the_rules_ends_the_waiting_for_agreement(table: Table) -> None:
    rng = random.Random(2)
    while [str(action) for action in table.session.position.legal_actions()] != ["pass"]:
        assert not table.session.position.over
        table.session.apply([rng.choice(table.session.position.legal_actions())], By.HAND)
    table.conductor.answer(None)
    table.show()
    assert table.actions[-1] == "pass"
    table.show(str(table.session.position.legal_actions()[0]))
    assert table.actions[-1] != "pass"


def test_a_site_read_wrongly_is_disbelieved_until_it_changes(table: Table) -> None:
    table.deal()
    table.show("place PPP6 35 0")
    table.show(cell_35="RRP5/1")
    assert isinstance(table.conductor.state().issue, Refuses)
    table.conductor.trust()
    table.look(2)
    assert table.conductor.state().issue is None
    table.show("draw 1 RRR6", cell_35="RRP5/1")
    assert table.actions[-1] == "draw 1 RRR6"


def test_a_paused_table_is_not_watched(table: Table) -> None:
    table.deal()
    table.conductor.pause()
    table.show("place PPP6 35 0")
    assert table.actions == list(DEAL)
    assert table.conductor.state().paused
    table.conductor.resume()
    table.look()
    assert table.actions[-1] == "place PPP6 35 0"


@pytest.mark.parametrize(
    ("scenes", "notice"),
    [
        ((Scene.DARK, Scene.DARK, Scene.DARK), "the camera is dark"),
        ((Scene.LOST, Scene.MOVING, Scene.LOST, Scene.MOVING), "the board cannot be found"),
    ],
)
def test_that_nothing_can_be_seen_is_said_once_and_passes(table: Table, scenes: tuple[Scene, ...], notice: str) -> None:
    table.deal()
    table.show()
    for scene in scenes:
        table.eye.scene = scene
        table.look()
        assert table.conductor.state().notice == notice
    table.eye.scene = Scene.STILL
    table.look()
    assert table.conductor.state().notice is None
    assert len([told for told in table.told if "notice" in told]) == 2


def test_a_camera_that_is_back_is_told_also_where_all_moves(table: Table) -> None:
    table.deal()
    table.show()
    table.conductor.trouble("the camera is gone", fault=CameraError("the camera is gone"))
    table.eye.scene = Scene.MOVING
    table.look()
    assert table.conductor.state().notice is None


def test_a_correction_changes_the_score_and_keeps_what_came_later(table: Table) -> None:
    table.deal()
    table.show("place PPP6 35 0", "draw 1 RRR6")
    table.conductor.correct(9, GAME.parse("place PPP6 33 0"))
    assert table.actions[-2:] == ["place PPP6 33 0", "draw 1 RRR6"]
