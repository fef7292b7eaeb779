"""Games killed at random moments: no confirmed action may be lost, none doubled, and every game goes on to its end.

    python -m tests.benchmarks.endurance [--kills 200] [--seed 1] [--folder FOLDER]

A child process plays Triangle through a session, with pictures, undo and corrections, and says of each change that it
is stored once the call has returned. The parent kills it (SIGKILL) at a random moment and starts another, which
resumes. What the child does next follows from the record alone, so the parent knows every entry that there has to be.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from companion.games.core import CHANCE
from companion.games.registry import load_game
from companion.table.record import Kind, Record
from companion.table.session import Session
from companion.table.state import By, Player
from companion.table.store import Store

PLAYERS = (Player("Ada", 0, "red", "circle"), Player("Ben", 1, "blue", "square"))
BATCH = 3
"""The most entries that one call stores: two actions and a result."""


# -- the child ---------------------------------------------------------------------------------------------------------


def play_on(folder: Path, seed: int, finish: bool) -> None:
    """Plays one game after the other; with `finish` only the one that is not over. Tells each change once stored."""
    with Store(folder) as store:
        while session := Session.latest_unfinished(store) or (None if finish else begin(store)):
            say("resumed", session)
            while not session.position.over:
                step(session, f"{seed} {session.name}")
                say("stored", session)


def begin(store: Store) -> Session:
    return Session.create(store, load_game("triangle"), PLAYERS)


def step(session: Session, seed: str) -> None:
    """One change, chosen by nothing but the seed (another for each game) and the number of entries."""
    chance = random.Random(f"{seed} {len(session.record.entries)}")
    kind = chance.random()
    if kind < 0.08 and session.played:
        session.undo("endurance")
    elif kind < 0.12 and session.played:
        last = session.played[-1]
        session.correct(last.number, last.action, "endurance")
    else:
        actions = following(session, chance)
        session.apply(actions, By.CAMERA, 0.5, picture=picture(chance), time=1.0)


def following(session: Session, chance: random.Random) -> list[object]:
    """An action, and the draw that follows it, if one does."""
    position, actions = session.position, []
    while not actions or (len(actions) < BATCH - 1 and position.turn == CHANCE):
        actions.append(chance.choice(sorted(position.legal_actions(), key=str)))
        position = position.play(actions[-1])
    return actions


def picture(chance: random.Random) -> bytes:
    return chance.randbytes(chance.randrange(1_000, 60_000))


def say(what: str, session: Session) -> None:
    record = session.record
    print(what, record.name, len(record.entries), digest(record), flush=True)


def digest(record: Record) -> int:
    return zlib.crc32(repr([(e.kind.value, e.action, e.target) for e in record.entries]).encode())


# -- the parent --------------------------------------------------------------------------------------------------------


class Watcher:
    """What the children have confirmed, held against what later ones find."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.confirmed: dict[str, list[tuple[int, int]]] = {}  # record: (entries, digest) of each confirmed change
        self.kills = self.kills_before_first_word = 0

    def child(self, *options: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.benchmarks.endurance", "--child", "--folder", str(self.folder)]
        return subprocess.Popen(
            [*command, "--seed", str(self.seed), *options], stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def take(self, line: str) -> None:
        """Notes a confirmation; a resumed game must hold all that was confirmed, and at most one change more."""
        what, record, entries, total = line.split()
        found = (int(entries), int(total))
        known = self.confirmed.setdefault(record, [])
        if known and what == "resumed":
            before = known[-1][0]
            assert before <= found[0] <= before + BATCH, f"{record}: {before} entries confirmed, {found[0]} found"
        if not known or found[0] > known[-1][0]:
            known.append(found)
        assert known[-1] == found, f"{record}: {known[-1]} confirmed, {found} found"

    def kill_once(self, chance: random.Random) -> None:
        """Starts a child, lets it say a random number of words, and kills it a random moment later."""
        child = self.child()
        assert child.stdout is not None
        words = chance.choice([0, 0, chance.randrange(1, 12), chance.randrange(1, 60)])
        lines = 0
        while lines < words and (line := child.stdout.readline()):
            self.take(line)
            lines += 1
        time.sleep(chance.random() * (0.005 if words else 0.4))
        child.kill()
        for line in child.stdout:
            if line.endswith("\n"):
                self.take(line)
                lines += 1
        status = child.wait()
        assert status == -9, f"the child ended by itself with {status}"
        self.kills += 1
        self.kills_before_first_word += lines == 0

    def finish(self) -> None:
        """Lets a last child play to the end."""
        child = self.child("--finish")
        assert child.stdout is not None
        for line in child.stdout:
            self.take(line)
        assert child.wait() == 0

    def check(self) -> tuple[int, int]:
        """All records against a play-through without kills, and their pictures; how many games and entries."""
        entries = 0
        with Store(self.folder) as store:
            assert not store.notices, store.notices
            assert store.query("PRAGMA integrity_check")[0][0] == "ok"
            names = [summary.name for summary in store.records()]
            assert sorted(names) == sorted(self.confirmed), "games that nobody confirmed, or lost ones"
            for name in names:
                record = store.record(name)
                assert record.ending is not None, f"{name} is not over"
                entries += len(record.entries)
                check_record(record, store, self.seed, self.confirmed[name])
        return len(names), entries


def check_record(record: Record, store: Store, seed: int, confirmed: list[tuple[int, int]]) -> None:
    """The record is exactly that of a game never killed; each confirmation was true; each picture is whole."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as untouched:
        session = begin(untouched)
        truth = [(0, digest(session.record))]
        while not session.position.over:
            step(session, f"{seed} {record.name}")
            truth.append((len(session.record.entries), digest(session.record)))
        assert truth[-1] == (len(record.entries), digest(record)), f"{record.name} is another game than without kills"
        assert set(confirmed) <= set(truth)
        assert all(one < other for one, other in pairwise(n for n, _ in confirmed))
        for entry, same in zip(record.entries, session.record.entries, strict=True):
            if entry.kind is Kind.PLAY:
                one, other = store.pictures.path(entry.picture), untouched.pictures.path(same.picture)
                assert one is not None, f"the picture of {entry} is lost"
                assert other is not None
                assert one.read_bytes() == other.read_bytes(), f"the picture of {entry} is another"


def run(kills: int, seed: int, folder: Path) -> None:
    watcher, chance, start = Watcher(folder, seed), random.Random(seed), time.perf_counter()
    for count in range(1, kills + 1):
        watcher.kill_once(chance)
        if count % 20 == 0:
            print(f"{count} kills, {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    watcher.finish()
    games, entries = watcher.check()
    changes = sum(len(confirmed) for confirmed in watcher.confirmed.values())
    print(
        f"{watcher.kills} kills ({watcher.kills_before_first_word} while starting), {games} games, {changes} confirmed "
        f"changes, {entries} entries: none lost, none doubled, all games over, {time.perf_counter() - start:.0f} s"
    )
    for with_pictures in (False, True):
        print(f"bytes written for a game, pictures {with_pictures}: {' '.join(written(with_pictures, folder))}")


# -- how much is written -----------------------------------------------------------------------------------------------


def written(with_pictures: bool, folder: Path) -> Iterator[str]:
    """Bytes that reach the disk for one whole game, as the kernel counts them (Linux)."""
    chance = random.Random(7)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        before = written_so_far()
        with Store(Path(place)) as store:
            session = begin(store)
            opened, jpeg = written_so_far(), chance.randbytes(100_000) if with_pictures else None
            calls = 0
            while not session.position.over:
                session.apply(following(session, chance), By.CAMERA, 0.99, picture=jpeg, time=1.0)
                calls += 1
            played = written_so_far()
        after = written_so_far()
    yield f"{opened - before} to begin, {played - opened} in {calls} transactions"
    yield f"({(played - opened) / calls:.0f} each), {after - played} to close"


def written_so_far() -> int:
    os.sync()
    lines = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(lines["write_bytes"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--finish", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        play_on(options.folder, options.seed, options.finish)
        return
    with tempfile.TemporaryDirectory() as folder:
        run(options.kills, options.seed, options.folder or Path(folder))


if __name__ == "__main__":
    main()
