"""The program as a whole: start to the first screen, memory, and what an idle table costs.

    python -m tests.benchmarks.program

A child process runs `companion play` on SDL's dummy driver with the simulated table, on which nothing is moved.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHILD = """
import os, sys, time
def began():
    fields = open("/proc/self/stat").read().rsplit(")", 1)[1].split()
    return int(fields[19]) / os.sysconf("SC_CLK_TCK")
import pygame
flip = pygame.display.flip
def first(*args):
    flip(*args)
    pygame.display.flip = flip
    print(time.clock_gettime(time.CLOCK_BOOTTIME) - began(), flush=True)
pygame.display.flip = first
from companion.main import main
sys.argv = ["companion", *sys.argv[1:]]
main()
"""


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """The program in a process of its own."""
    environment = os.environ | {
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "COMPANION_DATA": str(folder),
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "PYTHONDONTWRITEBYTECODE": "",  # users have modules compiled once, and not at each start
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
    }
    command = [sys.executable, "-W", "ignore", "-c", CHILD, *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def processor_seconds(pid: int) -> float:
    """User and system time that the process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """Resident memory."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def first_screen(runs: int, folder: Path) -> list[float]:
    """Seconds from the start of the process to the first picture on the screen."""
    seconds = []
    for _ in range(runs + 1):
        child = start(folder, "play")
        assert child.stdout is not None
        seconds.append(float(child.stdout.readline()))
        child.kill()
        child.wait()
    return seconds[1:]  # the first one compiles


def idle_table(settle: float, measure: float, folder: Path) -> tuple[float, float]:
    """The part of a core that an idle table takes, and its memory in megabytes."""
    child = start(folder, "play", "triangle", "--players", "Ada,Ben", "--camera", "simulated", "--lights", "screen")
    time.sleep(settle)
    before, begun = processor_seconds(child.pid), time.monotonic()
    time.sleep(measure)
    part = (processor_seconds(child.pid) - before) / (time.monotonic() - begun)
    memory = megabytes(child.pid)
    child.kill()
    child.wait()
    return part, memory


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--settle", type=float, default=15.0)
    parser.add_argument("--measure", type=float, default=30.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds = first_screen(args.runs, Path(folder))
        part, memory = idle_table(args.settle, args.measure, Path(folder))
    print(f"start to first screen: {statistics.median(seconds):.2f} s (target 1.5 s)")
    print(f"idle table: {part:.1%} of a core (target 3 %), {memory:.0f} MB (target 200 MB)")


if __name__ == "__main__":
    main()
