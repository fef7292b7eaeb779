"""A whole game with a fault at every system call that changes a file: nothing confirmed is lost, nothing comes twice.

    python -m tests.benchmarks.faults [--fault killed full filling] [--every 1] [--length 1000] [--folder FOLDER]

`killed`: the process is killed there. `full`: that call finds the disk full, the next one does not. `filling`: the disk
is full from there on. strace injects the faults (`apt install strace`), into a process that has everything loaded.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from companion.table.errors import StoreError
from companion.table.session import Session
from companion.table.store import Store
from tests.table.scripted import check_folder, check_pictures, go_on, said

CALLS = "write,pwrite64,fsync,fdatasync,ftruncate,fallocate,rename,renameat,renameat2,mkdir,mkdirat"
REMOVALS = ",unlink,unlinkat,rmdir,openat"
"""Calls at which a process may be killed as well, but which need no room."""

FAULTS = {
    "killed": (CALLS + REMOVALS, "{}:signal=KILL:when={}"),
    "full": (CALLS, "{}:error=ENOSPC:when={}"),
    "filling": (CALLS, "{}:error=ENOSPC:when={}+"),
}
TRIES = 3
GIVEN_UP = 4
ENDS = {"killed": {-9}, "full": {0}, "filling": {0, GIVEN_UP}}


def play_stubbornly(folder: Path, length: int, words: int) -> int:
    """Plays on whatever the store says, until it has refused three times in a row; the exit status."""
    refused = 0

    def tell(entries: int) -> None:
        nonlocal refused
        refused = 0
        os.writev(words, [entries.to_bytes(2, "big")])  # no fault hits `writev`

    while refused < TRIES:
        try:
            with Store(folder) as store:
                while refused < TRIES:
                    try:
                        go_on(store, length=length, tell=tell)
                        return 0
                    except StoreError:
                        refused += 1
        except StoreError:
            refused += 1
    return GIVEN_UP


def run_once(folder: Path, length: int, calls: str, injected: str | None) -> tuple[int, int, list[str]]:
    """Plays in a process with that fault; its end, the entries that it confirmed, and the calls that there were."""
    start_reading, start = os.pipe()
    words_reading, words = os.pipe()
    child = os.fork()
    if not child:
        os.read(start_reading, 1)
        try:
            os._exit(play_stubbornly(folder, length, words))
        finally:
            os._exit(99)
    os.close(words)
    log = folder.with_suffix(".strace")
    command = ["strace", "-q", "-q", "-e", f"trace={calls}", "-o", str(log), "-p", str(child)]
    inject = ["-e", f"inject={injected}"] if injected else []
    tracer = subprocess.Popen([*command, *inject], stderr=subprocess.DEVNULL)
    while "TracerPid:\t0\n" in Path(f"/proc/{child}/status").read_text():
        time.sleep(0.002)
    os.write(start, b".")
    with os.fdopen(words_reading, "rb") as said_words:
        confirmed = said_words.read()
    end = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    tracer.wait()
    for pipe in (start_reading, start):
        os.close(pipe)
    made = [line.partition("(")[0] for line in log.read_text().splitlines() if "(" in line]
    log.unlink()
    return end, int.from_bytes(confirmed[-2:], "big") if confirmed else 0, made


def check(folder: Path, truth: list[tuple[object, ...]], confirmed: int, length: int, lost: bool) -> int:
    """What was confirmed is there, at most one change (of two entries) more, and the game goes on to its end; how many
    pictures it has.

    Where the disk refuses to make sure of what was written already, a change that was refused may be found at the next
    start after all, without its picture (`lost`).
    """
    with Store(folder) as store:
        assert store.notices == (), store.notices
        assert store.query("PRAGMA integrity_check")[0][0] == "ok"
        records = store.records()
        assert len(records) <= 1, "a game came twice"
        if records:
            found = said(store.record(records[0].name))
            assert confirmed <= len(found) <= confirmed + 2, f"{confirmed} confirmed, {len(found)} found"
            assert found == truth[: len(found)]
        else:
            assert confirmed == 0
        over = bool(records) and len(said(store.record(records[0].name))) == len(truth)
        record = store.record(records[0].name) if over else go_on(store, length=length).record
        assert said(record) == truth
        assert Session.resume(store, record.name).record == record
        return check_pictures(store, record, lost=lost)


def sweep(fault: str, every: int, length: int, place: Path) -> None:
    """That fault at each call of a game, or at each of so many."""
    calls, inject = FAULTS[fault]
    with Store(place / "truth") as store:
        whole = go_on(store, length=length)
        truth, pictures = said(whole.record), check_pictures(store, whole.record)
    end, confirmed, made = run_once(place / "counted", length, calls, None)
    assert (end, confirmed) == (0, len(truth)), "the game without faults"
    ends: Counter[int] = Counter()
    lost, begun = 0, time.perf_counter()
    counts: Counter[str] = Counter()
    for number, call in enumerate(made):
        counts[call] += 1  # strace counts the calls of each kind by themselves
        if number % every:
            continue
        folder = place / f"{fault}-{number}"
        end, confirmed, _ = run_once(folder, length, calls, inject.format(call, counts[call]))
        ends[end] += 1
        assert end in ENDS[fault], f"{fault} at {call} {counts[call]}: ended with {end}"
        lost = max(lost, pictures - check(folder, truth, confirmed, length, fault == "filling"))
        if fault == "full":
            check_folder(folder)
        shutil.rmtree(folder)
        if (number // every) % 50 == 0:
            print(f"{fault}: {number} of {len(made)}, {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - begun
    print(
        f"{fault}: at {ends.total()} of {len(made)} calls of a game of {len(truth)} entries, ends {dict(ends)}: "
        f"nothing lost, nothing twice, at most {lost} of {pictures} pictures left out, {seconds:.0f} s",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fault", nargs="+", choices=FAULTS, default=list(FAULTS))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--length", type=int, default=1000, help="entries of the game at most")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    for fault in options.fault:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            sweep(fault, options.every, options.length, Path(folder))


if __name__ == "__main__":
    main()
