"""Simulated games with mishaps, seen through the simulated camera and refereed: was anything recorded wrongly?

    python -m tests.benchmarks.refereeing --games 100 --processes 2
    python -m tests.benchmarks.refereeing --labels --doubt 0.0002 --blind 0.0002 --game via --games 100

The second reads the labels on the table instead of pictures of it, with an eye that doubts and is blind now and then:
in the time of one game by the camera a hundred show what the referee does with whatever may be seen.

A recorded action is wrong if the simulated players did not make it there, or if it led to a player's turn in a position
in which the game never was. Seeds are held out from tuning.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import cv2

from companion.commands.simulation import FPS
from companion.games.core import CHANCE, Game, SetupError
from companion.games.registry import table_game
from companion.table.conductor import Conductor, Eye, Happening
from companion.table.looking import follow
from companion.table.rehearsal import Rehearsal
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store
from companion.table.tapping import Tapping
from companion.vision.watching.watcher import Watcher
from hardware.camera import Camera
from hardware.simulated.conditions import Conditions
from hardware.simulated.players import Mishaps
from hardware.simulated.table import SimulatedCamera, SimulatedTable
from tests.table.labelled import Clockwork, LabelEye, Weakness

HELD_OUT = 100_000
PAUSE = 0.25
"""How long the players think, as a part of what people take, where hands lie open: what is drawn shows that a turn is
over. In the other games they take as long as people do.
"""
NAMES = ("Ada", "Ben", "Cy", "Dee")


@dataclass
class Outcome:
    """One game. `late` verdicts and questions came while nothing was wrong on the table."""

    seed: int
    played: int = 0
    recorded: int = 0
    wrong: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    needless: list[str] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    mishaps: list[str] = field(default_factory=list)
    finished: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class Sight:
    """How the table is seen: by a camera in conditions of that difficulty, or by its labels, with that weakness."""

    difficulty: float = 0.5
    labels: bool = False
    doubt: float = 0.0
    blind: float = 0.0
    path_traced: bool = False

    def pause(self, game: Game[Any, Any]) -> float:
        """How long the players think: where labels are seen at once, an open hand needs no haste."""
        return PAUSE if game.hands == "open" and not self.labels else 1.0

    def eye(self, game: Game[Any, Any], table: SimulatedTable, seed: int, seats: Sequence[int]) -> tuple[Camera, Eye]:
        """What takes the pictures, and what reads them."""
        if self.labels:
            return Clockwork(table), LabelEye(game, table, Weakness(self.doubt, self.blind, seed))
        conditions = Conditions.random(game, seed, self.difficulty, (1280, 720), seats)
        if self.path_traced:
            from tests.raytracing.film import TracedCamera  # what it needs is not installed everywhere

            return TracedCamera(table, conditions, FPS), Watcher(game)
        return SimulatedCamera(table, conditions, FPS), Watcher(game)


def play(game_name: str, seed: int, rate: float, sight: Sight, limit: int | None) -> Outcome:
    """One game of two to four players, from the first draw to the end."""
    cv2.setNumThreads(1)
    begun = time.process_time()
    game = table_game(game_name)
    names, options = chosen(game, seed)
    players = seated(game, names)
    rehearsal = Rehearsal(game, len(players), options, seed=seed, mishaps=Mishaps.all(rate, seed), limit=limit)
    table = SimulatedTable(game, rehearsal.steps(), seed, sight.pause(game))
    told: list[Happening] = []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        session = Session.create(store, game, players, options)
        camera, eye = sight.eye(game, table, seed, [player.seat for player in players])
        conductor = Conductor(session, eye, tell=told.append)
        with camera:
            follow(camera, conductor, Tapping(rehearsal, table))
        outcome = judge(seed, rehearsal, session, table, told)
    outcome.seconds = time.process_time() - begun
    return outcome


def chosen(game: Game[Any, Any], seed: int) -> tuple[tuple[str, ...], Mapping[str, object]]:
    """How many play, and by which options: whatever the game has, by the seed."""
    rng = random.Random(seed)
    while True:
        count = rng.choice(game.player_counts)
        options = {option.name: rng.choice(option.values) for option in game.options_for(count)}
        with suppress(SetupError):
            game.new(count, options)
            return NAMES[:count], options


def judge(seed: int, rehearsal: Rehearsal, session: Session, table: SimulatedTable, told: list[Happening]) -> Outcome:
    """Compares what was recorded and said with what happened."""
    truth = [str(action) for action in rehearsal.actions]
    played = list(session.played)
    while len(played) > len(truth) and played[-1].by is By.INFERRED:
        del played[-1]  # what follows by itself on the last thing that was played
    recorded = [str(one.action) for one in played]
    reached = session.positions[: len(played) + 1]
    outcome = Outcome(seed, len(truth), len(recorded), finished=reached[-1] == rehearsal.position)
    true = set(accumulate(rehearsal.actions, lambda position, action: position.play(action), initial=reached[0]))
    strange = [
        str(one.action)
        for one, position in zip(played, reached[1:], strict=True)
        if position.turn != CHANCE and position not in true
    ]
    never_made = [] if outcome.finished else sorted((Counter(recorded) - Counter(truth)).elements())
    outcome.wrong = never_made + strange[:1]
    troubled = _troubled(table)
    for happening in told:
        when = happening.get("time") or 0.0
        calm = not any(begin - 1.0 <= when <= end + 4.0 for begin, end in troubled)
        if "question" in happening:
            outcome.questions.append(f"{when:.1f} {happening['question']} {happening['sites']}")
        if "verdict" in happening:
            outcome.verdicts.append(f"{when:.1f} {happening['clause']} {happening['sites']}")
            if calm:
                outcome.needless.append(outcome.verdicts[-1])
    outcome.mishaps = [one.what.what for one in table.happened if hasattr(one.what, "what") and not one.what.over]
    return outcome


def _troubled(table: SimulatedTable) -> list[tuple[float, float]]:
    """From when to when something was wrong on the table."""
    open_since: dict[str, float] = {}
    spans = []
    for one in table.happened:
        name = getattr(one.what, "what", None)
        if name is None:
            continue
        if one.what.over:
            spans.append((open_since.pop(name, one.time), one.time))
        else:
            open_since[name] = one.time
    return spans + [(begin, float("inf")) for begin in open_since.values()]


def main() -> None:
    """Plays the games, and prints what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="triangle")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=HELD_OUT)
    parser.add_argument("--rate", type=float, default=0.02, help="of each mishap, a turn")
    parser.add_argument("--difficulty", type=float, default=0.5)
    parser.add_argument("--labels", action="store_true", help="read labels instead of pictures")
    parser.add_argument("--doubt", type=float, default=0.0, help="of each site and label, with --labels")
    parser.add_argument("--blind", type=float, default=0.0, help="the same")
    parser.add_argument("--raytraced", action="store_true", help="path-traced; needs mitsuba and mapbox_earcut")
    parser.add_argument("--limit", type=int, help="ends a game after so many actions")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.games)
    sight = Sight(args.difficulty, args.labels, args.doubt, args.blind, args.raytraced)
    outcomes = []
    with ProcessPoolExecutor(args.processes) as pool:
        jobs = [pool.submit(play, args.game, seed, args.rate, sight, args.limit) for seed in seeds]
        for job in jobs:
            outcome = job.result()
            outcomes.append(outcome)
            print(json.dumps(asdict(outcome), ensure_ascii=False), file=sys.stderr, flush=True)
    actions = sum(outcome.played for outcome in outcomes)
    questions = sum(len(outcome.questions) for outcome in outcomes)
    print(f"{len(outcomes)} games, {actions} actions, {sum(len(o.mishaps) for o in outcomes)} mishaps")
    print(f"finished with the true position: {sum(o.finished for o in outcomes)}")
    print(f"games with a wrong action recorded: {sum(bool(o.wrong) for o in outcomes)}")
    print(f"questions: {questions} ({questions / max(1, actions):.2%} of actions)")
    verdicts, needless = sum(len(o.verdicts) for o in outcomes), sum(len(o.needless) for o in outcomes)
    print(f"verdicts: {verdicts}, without a mishap: {needless}")


if __name__ == "__main__":
    main()
