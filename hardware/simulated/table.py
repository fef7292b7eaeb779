"""The simulated table: scenes that change in the course of time, as a script says."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import atan2, cos, degrees, hypot, radians, sin
from typing import Any, NamedTuple

import numpy as np

from companion.games.core import Game
from companion.games.sites import EMPTY, SiteSpec
from hardware.camera import Camera, Frame, Image
from hardware.simulated.conditions import Conditions
from hardware.simulated.pieces import base, put, taken
from hardware.simulated.places import Places
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import STILL, HandPose, Piece, Scene, Shift, laid
from hardware.simulated.script import Carry, Cover, Dark, Done, Enter, Heed, Lay, Note, Push, Rest, Step, Wait

FAR = 850.0
"""Distance from the middle (mm) at which a hand is out of every picture."""
SPEED = 750.0
"""A hand's usual speed, mm/s."""
HOVER = 45.0
"""Height (mm) at which a piece is carried."""
GLANCE = 0.3
"""Seconds after which people who wait look again whether they may go on."""


class Happened(NamedTuple):
    """An action (or the begin or end of a mishap) and the time, in seconds, from which the table shows it; or an action
    that somebody enters, and when.

    The hand that did it may still be there for a moment.
    """

    time: float
    what: Done | Enter | Note


class Key(NamedTuple):
    """A moment of a hand's way."""

    time: float
    x: float
    y: float
    z: float
    direction: float
    turn: float
    grip: float
    holding: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand from its coming to its going; `look` is whose it is."""

    keys: tuple[Key, ...]
    look: int

    def at(self, moment: float) -> HandPose | None:
        """The hand at that time, or None where it is not there."""
        keys = self.keys
        if not keys[0].time <= moment < keys[-1].time:
            return None
        k = bisect_right([key.time for key in keys], moment) - 1
        a, b = keys[k], keys[k + 1]
        t = (moment - a.time) / max(b.time - a.time, 1e-9)
        t = t * t * (3 - 2 * t)
        lift = 4 * t * (1 - t) * min(30.0, hypot(b.x - a.x, b.y - a.y) / 8) if max(a.z, b.z) > 8 else 0.0
        x, y, z, turn, grip = (p + (q - p) * t for p, q in zip(_path(a), _path(b), strict=True))
        swing = (b.direction - a.direction + 180) % 360 - 180
        return HandPose(x, y, z + lift, a.direction + swing * t, self.look, a.holding, turn, grip)


def _path(key: Key) -> tuple[float, ...]:
    return key.x, key.y, key.z, key.turn, key.grip


Change = Callable[[Scene], Scene]

REMARKS = (Done, Enter, Note)
"""Steps that nothing on the table moves for."""


class SimulatedTable:
    """Plays a script: `scene(t)` is the table at a time, for times that do not go back.

    Steps are taken from the script only when their time comes, so a script may be made while it plays. `pause` is a
    factor on all waiting (0.1: hardly any); hands move as fast as hands do. The same seed gives the same scenes.
    """

    def __init__(self, game: Game[Any, Any], script: Iterable[Step], seed: int = 0, pause: float = 1.0) -> None:
        self.game, self.pause = game, pause
        self.happened: list[Happened] = []
        self.may_go_on: Callable[[int], bool] = lambda done: True
        """Whether people who heed that may act again, after so many actions; see `Heed`."""
        self._done = 0
        self._heeded = 0.0
        self._steps = iter(script)
        self._queue: deque[Step] = deque()
        self._random = np.random.default_rng([seed, 20])
        self._places = Places(game)
        self._specs = self._places.specs
        self._now = 0.0  # up to here the script is planned
        self._settled = 0.0  # since then nothing on the table has changed
        self._plan = Scene()  # the scene then
        self._scene = Scene()  # the scene at the time last asked for
        self._changes: list[tuple[float, Change]] = []
        self._pending: list[Happened] = []
        self._visits: list[Visit] = []
        self._keys: list[Key] = []  # of the hand that is on the table at `_now`
        self._looks = [int(v) for v in self._random.permutation(56)]

    @property
    def ended(self) -> float | None:
        """When the script ended, seconds; None while it goes on."""
        return None if self._following() else self._now

    def scene(self, moment: float) -> Scene:
        """The table at that time, seconds."""
        while (self._now <= moment or self._keys) and self._following():
            self._perform(self._queue.popleft())
        while self._changes and self._changes[0][0] <= moment:
            self._scene = self._changes.pop(0)[1](self._scene)
        while self._pending and self._pending[0].time <= moment:
            self.happened.append(self._pending.pop(0))
        self._visits = [visit for visit in self._visits if visit.keys[-1].time > moment]
        hands = tuple(pose for pose in (visit.at(moment) for visit in self._visits) if pose is not None)
        return replace(self._scene, hands=hands)

    def _following(self) -> Step | None:
        """The step to come, remarks left out, or None when the script is over (but for remarks)."""
        for step in self._queue:
            if not isinstance(step, REMARKS):
                return step
        for step in self._steps:
            self._queue.append(step)
            if not isinstance(step, REMARKS):
                return step
        while self._queue:
            self._perform(self._queue.popleft())
        return None

    # -- steps ---------------------------------------------------------------------------------------------------------

    def _perform(self, step: Step) -> None:
        match step:
            case Carry():
                self._carry(step)
            case Rest():
                self._rest(step)
            case Wait(seconds, least):
                self._now += max(seconds * self.pause, least)
            case Lay(stacks):
                for site, labels in stacks.items():
                    there = [label for label in labels if label not in (EMPTY, self._specs[site].nothing)]
                    pieces = tuple(self._piece(site, label) for label in there)
                    self._change(partial(_with, site=site, stack=pieces))
            case Push():
                self._change(partial(_pushed, push=step))
            case Cover(cards):
                self._change(partial(replace, covered=cards))
            case Dark(on):
                self._change(partial(replace, dark=on))
            case Heed(seconds):
                self._heed(step, seconds)
                return
            case Done() | Note():
                self._done += isinstance(step, Done)
                self._pending.append(Happened(self._settled, step))
                return
            case Enter():
                self._pending.append(Happened(max(self._settled, self._now), step))
                return
        if not isinstance(step, Carry):
            self._settled = self._now

    def _heed(self, step: Step, seconds: float) -> None:
        """Waits a little, and looks again."""
        if self._heeded >= seconds or self.may_go_on(self._done):
            self._heeded = 0.0
            return
        self._heeded += GLANCE
        self._now += GLANCE
        self._queue.appendleft(step)

    def _change(self, change: Change) -> None:
        self._settled = self._now
        self._plan = change(self._plan)
        self._changes.append((self._now, change))

    def _piece(self, site: str, label: str) -> Piece:
        return laid(self.game, self._specs[site], label, int(self._random.integers(0, 2**31)))

    def _carry(self, step: Carry) -> None:
        turn, holding = 0.0, (self._kind(step), step.label)
        if step.source is None:
            self._come(step.seat, step.target, holding, float(self._random.uniform(-60, 60)))
        else:
            self._come(step.seat, step.source, None, 0.0)
            turn = self._take(step, holding)
        for site in step.via:
            self._go(step, site, holding, turn, 1.5)
            turn = 0.0
        if step.target is not None:
            self._put(step, holding, bool(step.via))
        after = self._following()
        stays = isinstance(after, Carry) and after.seat == step.seat and after.source is not None
        if not stays or step.target is None:
            self._leave(step.seat, None if step.target is not None else holding)

    def _kind(self, step: Carry) -> str:
        """The kind of site whose look the thing in the hand has: where it goes to, if it has that label there."""
        specs = [self._specs[site] for site in (step.target, step.source) if site is not None]
        named = (spec.kind for spec in specs if any(base(label) == base(step.label) for label in spec.labels))
        return next(named, specs[0].kind)

    def _take(self, step: Carry, holding: tuple[str, str]) -> float:
        """Grips the piece on the source; gives how it is turned."""
        source = step.source or ""
        stack = self._plan.pieces.get(source, ())
        if not stack:
            raise ValueError(f"nothing lies on {source} that a hand could take")
        k, rest = taken(self._specs[source], [piece.label for piece in stack], step.label)
        lying = stack[k]
        height = self._places.height(self._plan, source, k)
        self._go(step, source, None, 0.0, height, label=lying.label)
        self._now += 0.12
        left = () if rest is None else (lying._replace(label=rest),)
        self._change(partial(_with, site=source, stack=(*stack[:k], *left, *stack[k + 1 :])))
        turn = self._specs[source].angle + lying.shift.turn
        self._keys.append(self._keys[-1]._replace(time=self._now, holding=holding, turn=turn))
        return turn

    def _put(self, step: Carry, holding: tuple[str, str], pushed: bool) -> None:
        target = step.target or ""
        stack = self._plan.pieces.get(target, ())
        k, label = put(self._specs[target], [piece.label for piece in stack], step.label)
        piece = stack[k]._replace(label=label) if k < len(stack) else self._piece(target, label)
        height = self._places.height(self._plan, target, k)
        turn = self._specs[target].angle + piece.shift.turn
        if not pushed:
            self._go(step, target, holding, turn, height + HOVER * 0.5, label=label)
        self._go(step, target, holding, turn, height, piece.shift, label=label)
        self._now += 0.1
        self._change(partial(_with, site=target, stack=(*stack[:k], piece)))
        self._keys.append(self._keys[-1]._replace(time=self._now, holding=None, grip=0.8))

    def _rest(self, step: Rest) -> None:
        self._come(step.seat, step.site, None, 0.0, 0.15)
        self._go(Carry(step.seat, None, step.site, ""), step.site, None, 0.0, 12.0, Shift(), 0.1)
        last, end = self._keys[-1], self._now + step.seconds * max(self.pause, 0.3)
        while self._now < end:  # a resting hand is never quite at rest
            self._now = min(end, self._now + float(self._random.uniform(0.6, 2.5)))
            dx, dy = self._random.normal(0, 1.5, 2)
            self._keys.append(last._replace(time=self._now, x=last.x + dx, y=last.y + dy))
        self._leave(step.seat, None)

    # -- the hand's way ------------------------------------------------------------------------------------------------

    def _come(
        self, seat: int, site: str | None, holding: tuple[str, str] | None, turn: float, grip: float = 0.7
    ) -> None:
        if self._keys:
            return
        x, y = self._outside(seat, site)
        self._keys.append(Key(self._now, x, y, 70.0, self._direction(seat, (x, y)), turn, grip, holding))

    def _outside(self, seat: int, site: str | None) -> tuple[float, float]:
        angle = radians(seat_direction(self.game, seat))
        x, y, _ = self._specs[site].centre if site else (0.0, 0.0, 0.0)
        return FAR * sin(angle) + 0.25 * x, FAR * cos(angle) + 0.25 * y

    def _direction(self, seat: int, at: tuple[float, float]) -> float:
        """Where the arm comes from, for a hand at that place."""
        angle = radians(seat_direction(self.game, seat))
        return degrees(atan2(1.6 * FAR * sin(angle) - at[0], 1.6 * FAR * cos(angle) - at[1]))

    def _go(
        self,
        step: Carry,
        site: str,
        holding: tuple[str, str] | None,
        turn: float,
        height: float,
        shift: Shift = STILL,
        grip: float = 1.0,
        label: str = "",
    ) -> None:
        x, y = self._places.at(self._plan, site, label)
        z = self._places.surface(self._plan, site, label)
        x, y, z = x + shift.dx, y + shift.dy, z + height
        last = self._keys[-1]
        way = hypot(x - last.x, y - last.y) + abs(z - last.z)
        self._now += max(0.12, way / SPEED * float(self._random.uniform(0.85, 1.3))) / step.pace
        self._keys.append(Key(self._now, x, y, z, self._direction(step.seat, (x, y)), turn, grip, holding))

    def _leave(self, seat: int, holding: tuple[str, str] | None) -> None:
        last = self._keys[-1]
        x, y = self._outside(seat, None)
        x, y = x + 0.3 * last.x, y + 0.3 * last.y
        self._now += 0.15
        self._keys.append(last._replace(time=self._now, z=last.z + 30, grip=0.6, holding=holding))
        self._now += hypot(x - last.x, y - last.y) / (1.2 * SPEED)
        self._keys.append(Key(self._now, x, y, 80.0, self._direction(seat, (x, y)), last.turn, 0.4, holding))
        self._visits.append(Visit(tuple(self._keys), self._looks[seat % len(self._looks)]))
        self._keys = []


def _with(scene: Scene, site: str, stack: tuple[Piece, ...]) -> Scene:
    pieces = {name: content for name, content in scene.pieces.items() if name != site}
    if stack:
        pieces[site] = stack
    return replace(scene, pieces=pieces)


def _pushed(scene: Scene, push: Push) -> Scene:
    count = max([len(scene.cards), *(k + 1 for k in push.cards)])
    old = (*scene.cards, *(STILL for _ in range(count - len(scene.cards))))
    return replace(
        scene,
        board=_sum(scene.board, push.board),
        cards=tuple(_sum(shift, push.cards.get(k, STILL)) for k, shift in enumerate(old)),
        camera=_sum(scene.camera, push.camera),
    )


def _sum(a: Shift, b: Shift) -> Shift:
    return Shift(a.dx + b.dx, a.dy + b.dy, a.turn + b.turn)


def seat_direction(game: Game[Any, Any], seat: int) -> float:
    """Where a seat is, degrees clockwise from +y: behind its own loose sites, or, where there are none, a side each."""
    own = [spec for spec in game.sites if _seat_of(spec) == seat]
    if own:
        x, y = np.mean([spec.centre[:2] for spec in own], axis=0)
        return degrees(atan2(x, y)) % 360
    return (180.0 + 90.0 * seat) % 360


def _seat_of(spec: SiteSpec) -> int | None:
    seat, dot, _ = spec.name.partition(":")[2].partition(".")
    return int(seat) if spec.loose and dot and seat.isdigit() else None


class SimulatedCamera(Camera):
    """A camera over a simulated table.

    Not live: time is the film's own, every frame counts, as fast as they can be drawn; it ends `tail` seconds after the
    script. Live: frames come when their time has come, and late ones are left out.
    """

    name = "simulated"

    def __init__(
        self,
        table: SimulatedTable,
        conditions: Conditions,
        fps: float = 10.0,
        *,
        live: bool = False,
        tail: float = 3.0,
    ) -> None:
        self.live, self.table, self.fps, self.tail = live, table, fps, tail
        self.renderer = Renderer(table.game, conditions)
        self.scene = Scene()
        self._number = -1
        self._tick = -1
        self._start: float | None = None
        self._drawn: tuple[Scene, Image] | None = None

    def read(self, timeout: float = 2.0) -> Frame | None:
        """The next frame, or None when the script is over."""
        self._tick = self._due()
        moment = self._tick / self.fps
        self.scene = self.table.scene(moment)
        ended = self.table.ended
        if ended is not None and moment > ended + self.tail:
            return None
        self._number += 1
        return Frame(self._picture(), moment, self._number)

    def _picture(self) -> Image:
        """The scene. A live table at rest is not drawn again: it would cost more than the whole program."""
        if not self.live or self._drawn is None or self._drawn[0] != self.scene:
            self._drawn = (self.scene, self.renderer.render(self.scene, self._tick))
        return self._drawn[1]

    def _due(self) -> int:
        if not self.live:
            return self._tick + 1
        if self._start is None:
            self._start = time.monotonic()
        tick = max(self._tick + 1, int((time.monotonic() - self._start) * self.fps))
        time.sleep(max(0.0, self._start + tick / self.fps - time.monotonic()))
        return tick
