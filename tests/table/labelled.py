"""Simulated games seen without a camera: observations made from the labels that lie on the simulated table.

The eye is as good as a camera's, or worse: it doubts sites now and then, does not see some that are hidden behind
others or by a hand, and sees nothing while something moves. Whole games of any kind run in seconds that way.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.table.conductor import Conductor, Happening
from companion.table.looking import follow
from companion.table.rehearsal import Rehearsal
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store
from companion.table.tapping import Tapping
from companion.vision.observation import Observation, Scene
from companion.vision.reading import Reading, SiteReading
from hardware.camera import Camera, Frame
from hardware.simulated.players import Mishaps
from hardware.simulated.scene import Scene as Pieces
from hardware.simulated.table import SimulatedTable

NAMES = ("Ada", "Ben", "Cy", "Dee")
FPS = 3.0
CALM = 0.35
"""Seconds without a change before a picture is read."""
ARM = 3.0
"""Seconds after which what does not move any more is a resting hand."""
REACH = 70.0
"""Millimetres around a hand's finger tips that it hides."""
WHILE = 30.0
"""Seconds after which an eye may see better, or worse."""
IMAGE = np.full((24, 32, 3), 128, np.uint8)


class Weakness:
    """What an eye cannot see well: `doubt` and `blind` are probabilities a site and label, the same for a while."""

    def __init__(self, doubt: float, blind: float, seed: int) -> None:
        self.doubt, self.blind, self.seed = doubt, blind, seed
        self._cache: dict[tuple[str, str, int], SiteReading] = {}

    def reading(self, site: Any, label: str, time: float) -> SiteReading:
        """What the eye makes of a site that shows the label."""
        key = (site.name, label, int(time / WHILE))
        if key not in self._cache:
            chance = random.Random(f"{self.seed} {key}")
            likelihood = np.array([-chance.uniform(5, 14) for _ in site.labels], np.float32)
            likelihood[site.labels.index(label)] = 0.0
            if chance.random() < self.doubt:
                likelihood[chance.randrange(len(site.labels))] = -chance.uniform(-1.0, 3.0)
            visible = chance.uniform(0.0, 0.5) if chance.random() < self.blind else 1.0
            self._cache[key] = SiteReading(site.labels, likelihood, visible)
        return self._cache[key]


class LabelEye:
    """Sees what lies on a simulated table."""

    def __init__(self, game: Game[Any, Any], table: SimulatedTable, weakness: Weakness) -> None:
        self._game, self._table, self._weakness = game, table, weakness
        self._scene: Pieces | None = None
        self._changed = -1.0
        self._last: tuple[object, Reading] | None = None

    def observe(self, frame: Frame) -> Observation:
        """What the table shows at the frame's time."""
        scene, time = self._table.scene(frame.time), frame.time
        if scene != self._scene:
            self._scene, self._changed = scene, time
        if scene.dark:
            return Observation(time, Scene.DARK, self._changed)
        if time - self._changed < (ARM if scene.hands else CALM):
            return Observation(time, Scene.MOVING, self._changed)
        kind = Scene.HAND if scene.hands else Scene.STILL
        return Observation(time, kind, self._changed, self._read(scene, time))

    def _read(self, scene: Pieces, time: float) -> Reading:
        shown = {site: label.partition(" ")[0] for site, label in scene.labels.items()}
        under = tuple((hand.x, hand.y) for hand in scene.hands)
        key = (shown, under, int(time / WHILE) if self._weakness.blind else 0)
        if self._last is None or self._last[0] != key:
            sites = {}
            for site in self._game.sites:
                seen = self._weakness.reading(site, shown.get(site.name, site.nothing), time)
                if any(hypot(site.centre[0] - x, site.centre[1] - y) < REACH for x, y in under):
                    seen = SiteReading(seen.labels, seen.log_likelihood, 0.0)
                sites[site.name] = seen
            self._last = key, Reading(sites)
        return self._last[1]


class Clockwork(Camera):
    """Frames that show nothing, as often as a camera's, until the table's script has ended."""

    def __init__(self, table: SimulatedTable, tail: float = 12.0) -> None:
        self._table, self._tail, self._number = table, tail, 0

    def read(self, timeout: float = 2.0) -> Frame | None:
        """The next frame, or None a while after the end."""
        self._number += 1
        moment = self._number / FPS
        self._table.scene(moment)
        ended = self._table.ended
        return None if ended is not None and moment > ended + self._tail else Frame(IMAGE, moment, self._number)

    def close(self) -> None:
        """Nothing to free."""


@dataclass
class Seen:
    """A game that was played and refereed: what happened, what was said, and what is on record."""

    rehearsal: Rehearsal
    table: SimulatedTable
    told: list[Happening] = field(default_factory=list)
    recorded: list[str] = field(default_factory=list)
    position: Any = None
    by_hand: int = 0

    @property
    def questions(self) -> list[Happening]:
        """What people were asked."""
        return [told for told in self.told if "question" in told]

    @property
    def verdicts(self) -> list[Happening]:
        """What was refused."""
        return [told for told in self.told if "verdict" in told]

    @property
    def agrees(self) -> bool:
        """Whether the record has led to the position that was played."""
        return bool(self.position == self.rehearsal.position)

    @property
    def wrong(self) -> list[str]:
        """What is on record, but never happened."""
        return sorted((Counter(self.recorded) - Counter(self.played)).elements())

    @property
    def played(self) -> list[str]:
        """What truly happened."""
        return [str(action) for action in self.rehearsal.actions]


def watch_game(
    folder: Path,
    game: Game[Any, Any],
    players: int,
    options: Mapping[str, object] | None = None,
    *,
    seed: int = 0,
    rate: float = 0.0,
    doubt: float = 0.0,
    blind: float = 0.0,
    pause: float = 0.25,
    limit: int | None = None,
    attentive: bool = False,
) -> Seen:
    """Plays a game and referees it by labels. `rate`: of each mishap, a turn; `pause`: how long people think;
    `attentive`: whether they wait for the companion.
    """
    mishaps = Mishaps.all(rate, seed)
    rehearsal = Rehearsal(game, players, options, seed=seed, mishaps=mishaps, limit=limit)
    table = SimulatedTable(game, rehearsal.steps(), seed, pause)
    seen = Seen(rehearsal, table)
    with Store(folder) as store:
        session = Session.create(store, game, seated(game, NAMES[:players]), options)
        eye = LabelEye(game, table, Weakness(doubt, blind, seed))
        conductor = Conductor(session, eye, tell=seen.told.append)
        tapping = Tapping(rehearsal, table, attentive=attentive)
        follow(Clockwork(table), conductor, tapping)
        seen.by_hand = tapping.by_hand
        played = list(session.played)
        while len(played) > len(rehearsal.actions) and played[-1].by is By.INFERRED:
            del played[-1]  # what follows by itself on what was played
        seen.recorded = [str(one.action) for one in played]
        seen.position = session.positions[len(played)]
    return seen
