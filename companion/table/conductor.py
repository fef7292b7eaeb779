"""The conductor: joins vision, referee and session for one running game, and answers the people at it.

Frames come in on one thread (`see`), commands on another; both end in the session under one lock, and what anybody may
know is the immutable `TableState`. What happens is told as plain dictionaries, the objects of `--json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf, isfinite
from threading import RLock
from typing import Any, Protocol

import cv2

from companion.games.core import CHANCE, Action, Position
from companion.referee.decision import Accepts, Agrees, Asks, Decision, Refuses, Waits
from companion.referee.referee import Advice, Referee
from companion.referee.search import unseen
from companion.table.dice import Roll
from companion.table.drift import Drift
from companion.table.errors import StoreError
from companion.table.rolls import rolls_of
from companion.table.session import Session
from companion.table.state import By, Played, TableState
from companion.vision.cutout import cut_out
from companion.vision.geometry.pose import Pose
from companion.vision.observation import Observation, Scene
from hardware.camera import Frame, Image

Happening = dict[str, Any]

QUESTIONS = {
    "which": "What happened here?",
    "unclear": "Something cannot be recognised here. What lies there?",
    "differs": "The table differs from the record here. Please put it right, or say what happened.",
    "told": "Something happened that the camera cannot see. What was it?",
    "undone": "This was taken back, but it still lies on the table. Please remove it.",
}
"""What is asked, by the key of a question; the messages that catalogues translate."""

TROUBLES = {
    Scene.DARK: "the camera is dark",
    Scene.BLURRED: "the camera's pictures are blurred",
    Scene.LOST: "the board cannot be found",
    Scene.MIRRORED: "the camera's picture is mirrored",
}
"""Scenes in which nothing can be seen, with what is said then."""

TOO_BRIGHT = "the camera is dazzled: its picture is white"
WHITE = 200.0
"""The mean brightness (0 to 255) from which a picture that shows nothing is not dark but white."""

TOO_SMALL = "the camera's pictures are too small"
SMALLEST = 64
"""Pixels that a picture has to have in width and height."""

SECOND_THOUGHTS = 30.0
"""Seconds in which a player may take back on the table what was recorded already, as long as nothing has followed."""

TAKEN_BACK = 3
"""So many actions at most are taken back so."""

RECONSIDERED = 2
"""So many actions at most may have come after one that had been knocked off."""

PATIENCE = 10.0
"""Seconds in calm after which what was entered and is not possible is dropped."""

PICTURE_WIDTH = 960
QUALITY = 75
"""The widest picture that is kept with an action, in pixels, and the quality of its JPEG file: some 50 kB, so that days
full of games do not wear out the card.
"""


class Eye(Protocol):
    """What the conductor needs of the vision."""

    def observe(self, frame: Frame) -> Observation:
        """What the frame shows."""


class Conductor:
    """One running game with a camera or without. Safe to use from two threads."""

    def __init__(
        self,
        session: Session,
        eye: Eye | None = None,
        *,
        referee: Referee | None = None,
        tell: Callable[[Happening], None] = lambda happening: None,
    ) -> None:
        """`tell` is called with everything that happens, on the thread on which it does."""
        self._session = session
        self._eye = eye
        self._referee = referee or Referee()
        self._tell = tell
        self._lock = RLock()
        self._version = 0
        self._scene: Scene | None = None
        self._issue: Refuses | Asks | None = None
        self._issue_since = 0.0
        self._advice: Advice = ()
        self._seen: tuple[Action, ...] = ()
        self._trouble: str | None = None
        self._fault: Exception | None = None
        self._observation: Observation | None = None
        self._picture: Image | None = None
        self._evidence: tuple[Image, Pose] | None = None  # the picture from which the open issue was raised
        self._undone: frozenset[str] = frozenset()  # actions taken back that the table may still show
        self._awaited: frozenset[str] = frozenset()  # sites that the table does not yet show as entered by hand
        self._must_agree = False
        self._drift = Drift()
        self._said: list[Action] = []  # entered by hand, but not yet possible by what was recorded
        self._said_at = 0.0  # when the last of it was entered, by the picture seen then
        self._changed()

    # -- what is to be seen --------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """A number that changes whenever the state does."""
        return self._version

    def state(self) -> TableState:
        """The table now. Waits for nobody."""
        return self._published

    def before(self, number: int) -> Position[Any]:
        """The position in which the action with that number (from 1) was played. Waits for nobody."""
        return self._positions[number - 1]

    def cut_out(self, sites: Sequence[str]) -> Image | None:
        """What the camera saw of those sites when the open issue came up, from above; None where no picture shows it.
        Waits for nobody.
        """
        evidence = self._evidence
        if evidence is None:
            return None
        specs = [spec for spec in self._session.game.sites if spec.name in sites]
        return cut_out(*evidence, specs)

    def _changed(self) -> None:
        """Publishes the state, for readers who must not wait for the lock."""
        self._positions = self._session.positions
        self._published = TableState(
            self._session.players,
            self._session.position.public(),
            self._session.played,
            self._scene,
            self._issue,
            self._seen,
            self._advice,
            self._trouble,
            self._session.paused,
            self._session.name,
            self._session.commitment,
            self._session.seed,
            self._fault,
            self._drift.noticed,
        )
        self._version += 1

    # -- the camera ----------------------------------------------------------------------------------------------------

    def see(self, frame: Frame) -> None:
        """Takes a frame in: what it shows is recorded, refused or asked about."""
        if self._eye is None or self._session.paused:
            return
        observation = self._eye.observe(frame)
        with self._lock:
            self._observation, self._picture = observation, frame.image
            self._notice_scene(observation, frame.image)
            self._notice_drift(observation)
            if not self._session.position.over:
                self._decide(observation, frame.image)
            if isinstance(self._fault, StoreError):  # what could not be stored now is
                self.trouble(_trouble_of(observation.scene, frame.image), observation.time)

    def conclude(self) -> None:
        """To be called when the source has ended: what it showed last will not change any more."""
        with self._lock:
            last = self._observation
            if last is not None and self._picture is not None and not self._session.position.over:
                self._decide(replace(last, since=-inf), self._picture)

    def trouble(self, text: str | None, time: float | None = None, fault: Exception | None = None) -> None:
        """Says that the camera gives nothing, and why, or by None that it works again; `fault` is the error behind it,
        where there is one.
        """
        with self._lock:
            if text != self._trouble:
                self._trouble, self._fault = text, fault
                self._changed()
                self._tell({"notice": text or "the camera sees the table again", "time": time})

    def _notice_scene(self, observation: Observation, image: Image) -> None:
        if observation.board_moved:
            self._tell({"notice": "board moved", "time": observation.time})
        still_lost = self._trouble and self._fault is None and observation.scene is Scene.MOVING  # nothing is found yet
        if not (still_lost or isinstance(self._fault, StoreError)):
            self.trouble(_trouble_of(observation.scene, image), observation.time)
        if observation.scene is not self._scene:
            self._scene = observation.scene
            self._changed()

    def _notice_drift(self, observation: Observation) -> None:
        if observation.scene is Scene.STILL and self._drift.see(observation.drift, observation.time):
            self._changed()
            if self._drift.noticed:
                self._tell({"notice": "the colours have changed: calibrate them", "time": observation.time})

    def _decide(self, observation: Observation, image: Image) -> None:
        self._reconsider(observation)
        waiting = self._listen(observation, image) if not self._must_agree else None
        if self._session.position.over:
            return
        decision = waiting or self._referee.decide(self._session.position, observation)
        while isinstance(decision, Accepts) and self._may_accept(decision):
            self._accept(decision, observation, image)
            waiting = self._listen(observation, image)
            if self._session.position.over:
                return
            decision = waiting or self._referee.decide(self._session.position, observation)
        unclear = isinstance(decision, Refuses | Asks) or (isinstance(decision, Waits) and decision.reason == "unclear")
        if unclear and self._take_back(observation):
            decision = self._referee.decide(self._session.position, observation)
        self._note(decision, observation.time)
        self._show_seen(decision.seen if isinstance(decision, Waits) else ())

    def _take_back(self, observation: Observation) -> bool:
        """Takes the last actions back where players have done so on the table, before anything followed on them. Who
        has entered what is not recorded yet has gone on, as on a journey back, unless it followed on something else.
        """
        if self._session.game.laid_stays:
            return False
        for number, undone in self._latest(observation):
            if self._referee.explains(self._session.positions[number], observation, undone, self._said):
                self._undo_last(len(undone), observation.time)
                return True
        return False

    def _reconsider(self, observation: Observation) -> bool:
        """Takes the last actions back where what shows again may have come before them."""
        positions, played = self._session.positions, self._session.played
        for number, undone in self._latest(observation):
            actions = [one.action for one in played[number:]]
            if len(undone) <= RECONSIDERED and self._referee.reappeared(positions[number:], actions, observation):
                self._undo_last(len(undone), observation.time)
                return True
        return False

    def _latest(self, observation: Observation) -> Iterator[tuple[int, list[Action]]]:
        """What players did last, shortly before now or before an issue came up, and only the camera saw: the last
        action alone and with more and more of those before it; each with the number of the position before it.
        """
        own = [one for one in self._session.played if one.by is not By.INFERRED]
        undone: list[Action] = []
        for played in reversed(own[-TAKEN_BACK:]):
            number = played.number - 1
            if played.by is not By.CAMERA or played.time is None or self._session.positions[number].turn == CHANCE:
                return
            if (observation.time if self._issue is None else self._issue_since) - played.time > SECOND_THOUGHTS:
                return
            undone.insert(0, played.action)
            yield number, list(undone)

    def _undo_last(self, count: int, time: float) -> None:
        turns = [self._session.undo("taken back on the table") for _ in range(count)]
        undone = [one for turn in turns for one in turn]
        self._referee.withdrawn(self._session.position, turns[-1][0].action)
        self._settle(time)
        self._changed()
        self._tell({"notice": "taken back", "actions": [str(one.action) for one in undone], "time": time})

    def _show_seen(self, actions: tuple[Action, ...]) -> None:
        if actions != self._seen:
            self._seen = actions
            self._changed()

    def _may_accept(self, decision: Accepts) -> bool:
        if decision.agrees:
            self._must_agree = False
            return True
        return not self._must_agree and str(decision.steps[0].action) not in self._undone

    def _accept(self, decision: Accepts, observation: Observation, image: Image) -> None:
        before = self._session.position
        played = self._session.accept(decision.steps, picture=_jpeg(image), time=_time_of(observation))
        self._undone = self._awaited = frozenset()
        if decision.steps[-1].by == By.HAND.value:
            self._await_changes(before)
        self._settle(observation.time)
        self._tell_played(played)
        self._referee.accepted(before, self._session.position, observation.reading)

    def _listen(self, observation: Observation, image: Image) -> Decision | None:
        """Records what people have entered as soon as it is possible by what the picture shows, which came first if it
        was seen when they did so; the decision where the two go together, but not yet surely.
        """
        while self._said and not self._session.position.over:
            now = len(self._said) == 1 and observation.since <= self._said_at
            decision = self._referee.hear(self._session.position, observation, self._said, now=now)
            if isinstance(decision, Accepts):
                self._accept(decision, observation, image)
                del self._said[: sum(step.by == By.HAND.value for step in decision.steps)]
            else:
                self._give_up_waiting(observation, decision)
                return decision
        return None

    def _give_up_waiting(self, observation: Observation, decision: Decision | None) -> None:
        """Drops what was entered and has not become possible."""
        calm = observation.reading is not None and observation.time - observation.since >= PATIENCE
        if decision is None and calm and self._issue is None:
            action = self._said.pop(0)
            self._tell({"notice": "not possible now", "action": str(action), "time": observation.time})

    def _note(self, decision: Decision, time: float) -> None:
        """Keeps what has to be settled, and tells it once."""
        if isinstance(decision, Agrees):
            self._undone = self._awaited = frozenset()
            self._must_agree = False
            self._settle(time)
            self._advise(decision.advice, time)
        elif isinstance(decision, Accepts):
            first = decision.steps[0].action
            sites = tuple(site for sign in self._session.position.signs(first) for site in sign.sites)
            self._raise(Asks("undone" if str(first) in self._undone else "differs", sites), time)
        elif isinstance(decision, Refuses | Asks) and not set(decision.sites) <= self._awaited:
            self._raise(decision, time)

    def _settle(self, time: float | None) -> None:
        if self._issue is not None:
            self._issue = self._evidence = None
            self._changed()
            self._tell({"notice": "settled", "time": time})

    def _raise(self, issue: Refuses | Asks, time: float) -> None:
        if issue == self._issue:
            return
        if _same_question(self._issue, issue):
            self._issue = issue
            self._changed()
            return
        self._issue_since = time if self._issue is None else self._issue_since
        self._issue, self._evidence = issue, None
        if self._picture is not None and self._observation is not None and self._observation.pose is not None:
            self._evidence = self._picture, self._observation.pose
        self._changed()
        told = self._described(issue) | {"time": time}
        picture = None if self._picture is None else _jpeg(self._picture)
        self._tell(told)
        self._session.note("verdict" if isinstance(issue, Refuses) else "question", str(told), picture=picture)

    def _described(self, issue: Refuses | Asks) -> Happening:
        sites = list(issue.sites)
        if isinstance(issue, Asks):
            choices = [[str(action) for action in choice] for choice in issue.choices]
            return {"question": QUESTIONS[issue.key], "sites": sites} | ({"choices": choices} if choices else {})
        refusal = issue.judgement.refusal
        names = [player.name for player in self._session.players]
        text = self._session.game.clauses.text(refusal, "en", names)
        action = issue.judgement.action
        told: Happening = {"verdict": "illegal", "clause": refusal.clause, "sites": sites, "text": text}
        return told | ({"action": str(action)} if action is not None else {})

    def _advise(self, advice: Advice, time: float) -> None:
        if advice == self._advice:
            return
        for site, wanted in advice:
            if (site, wanted) not in self._advice:
                clause = self._session.game.kept_clause
                self._tell({"notice": "put right", "clause": clause, "sites": [site], "wanted": wanted, "time": time})
        self._advice = advice
        self._changed()

    # -- people --------------------------------------------------------------------------------------------------------

    def enter(self, action: Action) -> None:
        """Records an action entered by hand, and before it what the picture shows that it follows on.

        Raises:
            IllegalSequenceError: the rules refuse it.
            StoreError: it cannot be stored.
        """
        with self._lock:
            decision = self._heard((action,))
            if decision is not None and self._observation is not None and self._picture is not None:
                self._accept(decision, self._observation, self._picture)
            else:
                self._enter((action,))

    @property
    def said(self) -> tuple[Action, ...]:
        """What was taken in and is not recorded yet; see `hear`."""
        return tuple(self._said)

    def hear(self, action: Action) -> None:
        """Takes in what somebody enters while the table may be ahead of the record; it is recorded when it is possible.

        Raises:
            StoreError: it cannot be stored.
        """
        with self._lock:
            self._said.append(action)
            self._said_at = 0.0 if self._observation is None else self._observation.time
            if self._eye is None:
                self._enter((self._said.pop(0),))
            elif self._observation is not None and self._picture is not None and not self._session.paused:
                self._listen(self._observation, self._picture)

    def _heard(self, said: Sequence[Action]) -> Accepts | None:
        """What was just entered, with what the picture shows that came before it; None where both do not fit."""
        if self._observation is None:
            return None
        decision = self._referee.hear(self._session.position, self._observation, said, now=True)
        heard = isinstance(decision, Accepts) and sum(step.by == By.HAND.value for step in decision.steps) == len(said)
        return decision if heard else None  # type: ignore[return-value]

    def _enter(self, actions: Sequence[Action]) -> None:
        with self._lock:
            before = self._session.position
            played = self._session.apply(actions, By.HAND)
            self._await_changes(before)
            self._settle(None)
            self._tell_played(played)

    def roll(self) -> Played:
        """Throws the companion's own dice, those that chance throws next, and records what they show.

        Raises:
            ValueError: no dice are thrown now.
            StoreError: it cannot be stored.
        """
        with self._lock:
            self._catch_up()
            before = self._session.position
            rolled = self._session.roll()
            self._await_changes(before)
            self._settle(None)
            self._tell_played((rolled,))
            return rolled

    def _catch_up(self) -> None:
        """Where people go on, what the picture shows is not taken back any more, and what may be left is left."""
        last, position = self._observation, self._session.position
        if position.dice or last is None or self._picture is None:
            return
        decision = self._referee.decide(position, replace(last, since=-inf))
        if isinstance(decision, Accepts) and self._may_accept(decision):
            self._accept(decision, last, self._picture)
        position = self._session.position
        ends = [action for action in position.legal_actions() if not position.told(action)]
        ends = [action for action in ends if unseen(position, position.play(action)) and position.play(action).dice]
        if not position.dice and len(ends) == 1 and last.reading is not None:
            self._tell_played(self._session.apply(ends, By.INFERRED))

    def rolls(self) -> tuple[Roll, ...]:
        """All rolls of the companion's dice since their commitment, those taken back too."""
        with self._lock:
            return rolls_of(self._session.record.entries)

    def undo(self) -> None:
        """Takes the last action back.

        Raises:
            NothingToUndoError: there is none.
            StoreError: it cannot be stored.
        """
        with self._lock:
            before = self._session.position
            self._said.clear()
            undone = self._session.undo()
            self._await_changes(before)
            self._undone = frozenset(str(played.action) for played in undone)
            self._settle(None)
            self._changed()
            self._tell({"notice": "undone", "actions": [str(played.action) for played in undone]})

    def correct(self, number: int, action: Action) -> None:
        """Replaces the action with that number; those after it stay.

        Raises:
            IllegalSequenceError: the rules refuse it, or one of those after it.
            StoreError: it cannot be stored.
        """
        with self._lock:
            before = self._session.position
            corrected = self._session.correct(number, action)
            self._await_changes(before)
            self._settle(None)
            self._changed()
            self._tell({"notice": "corrected", "number": number, "action": str(corrected.action)})

    def answer(self, choice: int | None) -> None:
        """Settles the open issue: with one of its `choices`, or, by None, because the table was put right by hand.

        After None the table has to agree with the record before anything else is accepted from the camera.
        """
        with self._lock:
            issue = self._issue
            if choice is None or not isinstance(issue, Asks):
                self._must_agree = True
                self._settle(None)
            else:
                before = self._session.position
                self._enter(issue.choices[choice])
                if self._observation is not None:  # the table has shown it
                    self._referee.accepted(before, self._session.position, self._observation.reading)
                if issue.said:
                    del self._said[: issue.said[choice]]
                    return
                for action in issue.choices[choice]:  # what was entered before the question is answered with it
                    if action in self._said:
                        self._said.remove(action)

    def rule(self, who: str, text: str, *, back_to: int | None = None, stands: Action | None = None) -> None:
        """Enters a ruling; `back_to` takes that action and all after it back, `stands` counts against the rules.

        Raises:
            IllegalSequenceError: the game could not go on after the action that is to stand.
            UnknownActionError: no action has that number.
            StoreError: it cannot be stored.
        """
        with self._lock:
            before, count = self._session.position, len(self._session.played)
            taken = self._session.played[back_to - 1 :] if back_to is not None else ()
            self._session.rule(who, text, back_to=back_to, stands=stands)
            self._await_changes(before)
            self._undone = frozenset(str(played.action) for played in taken)
            self._must_agree = self._issue is not None and stands is None  # the table is to be put back
            self._settle(None)
            self._tell({"notice": "ruling", "who": who, "text": text})
            self._tell_played(self._session.played[count:])

    def give_up(self) -> None:
        """Ends the game without a result: nobody is asked any more to go on with it.

        Raises:
            StoreError: it cannot be stored.
        """
        with self._lock:
            self._session.give_up()
            self._changed()
            self._tell({"notice": "given up"})

    def trust(self) -> None:
        """Says that the record is right: what the picture shows otherwise is not believed until it changes."""
        with self._lock:
            if self._observation is not None:
                self._referee.disbelieve(self._session.position, self._observation)
            self._undone = self._awaited = frozenset()
            self._settle(None)

    def look_again(self) -> None:
        """Drops what was concluded from the picture; the next one is judged afresh."""
        with self._lock:
            self._referee.forget()
            self._settle(None)

    def pause(self) -> None:
        """Stops watching until `resume`."""
        self._pause(True)

    def resume(self) -> None:
        """Watches again."""
        self._pause(False)

    def _pause(self, on: bool) -> None:
        with self._lock:
            self._session.pause(on)
            self._changed()

    # -- telling -------------------------------------------------------------------------------------------------------

    def result(self) -> Happening:
        """How the game stands, or ended."""
        with self._lock:
            position = self._session.position
            return told_result(position, self._session.name)

    def _tell_played(self, played: Sequence[Played]) -> None:
        self._changed()
        for one in played:
            self._tell(told_played(one))
        if self._session.position.over:
            self._tell(self.result())

    def _await_changes(self, before: Position[Any]) -> None:
        """The table will only later show what was changed by hand."""
        positions = self._session.positions
        since = next((k for k in reversed(range(len(positions))) if positions[k] is before), len(positions) - 1)
        views = [before.view(), *(position.view() for position in positions[since + 1 :] or positions[-1:])]
        for old, new in pairwise(views):  # a wall that was put in and is called shows as little at the end as before
            sites = {site for site, label in new.sites.items() if old.sites.get(site) != label}
            groups = {site for group in new.groups if group not in old.groups for site in group.sites}
            self._awaited |= sites | groups


def _trouble_of(scene: Scene, image: Image) -> str | None:
    """Why nothing can be seen, if that is so."""
    if scene is not Scene.DARK:
        return TROUBLES.get(scene)
    if image.ndim < 2 or min(image.shape[:2]) < SMALLEST:
        return TOO_SMALL
    return TOO_BRIGHT if image[::16, ::16].mean() > WHITE else TROUBLES[scene]


def _same_question(one: Refuses | Asks | None, other: Refuses | Asks) -> bool:
    """Whether the other asks what the first does, with more or other answers."""
    if not isinstance(one, Asks) or not isinstance(other, Asks) or one.key != other.key:
        return False
    return not set(one.sites).isdisjoint(other.sites)


def _time_of(observation: Observation) -> float:
    """When the table began to show what it shows."""
    return observation.since if isfinite(observation.since) else observation.time


def told_played(played: Played) -> Happening:
    """An action that counts, as it is told."""
    points = [event.facts["points"] for event in played.events if event.kind == "score"]
    happening: Happening = {"action": str(played.action), "player": played.player, "time": played.time}
    happening |= {"confidence": played.confidence, "by": played.by.value}
    return happening | ({"points": sum(points)} if points else {})


def told_result(position: Position[Any], record: str) -> Happening:
    """How a game stands, or ended, as it is told."""
    result = {
        "scores": list(position.scores),
        "winners": list(position.winners),
        "over": position.over,
        "record": record,
    }
    return {"result": result}


def _jpeg(image: Image) -> bytes | None:
    if image.shape[1] > PICTURE_WIDTH:
        scale = PICTURE_WIDTH / image.shape[1]
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if done else None
