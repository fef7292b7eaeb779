"""`companion check` of the machine: its disk, clock, heat and power. A part that a machine does not have is None."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from companion.commands.finding import Finding

MODEL = Path("/proc/device-tree/model")
MOUNTS = Path("/proc/mounts")
THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
SOUND_CARDS = Path("/proc/asound/cards")

HOT = 80.0
"""Degrees Celsius from which a Raspberry Pi slows down."""

SPACE_MEGABYTES = 100
"""Free space below which nothing should be begun."""

WRITTEN = 1_735_700_000.0
"""Seconds since 1970; an earlier time is wrong, for then there was no such program."""

VOLATILE = ("tmpfs", "ramfs", "overlay")
"""File systems whose contents are lost when the power goes."""

THROTTLED = {0x1: "the supply voltage is too low", 0x2: "the clock is capped", 0x4: "it is slowed down by heat"}


def machine() -> Finding:
    """Which one it is."""
    try:
        model = MODEL.read_text().rstrip("\0\n")
    except (OSError, UnicodeDecodeError):
        model = platform.machine()
    return Finding("machine", True, f"{model}, {platform.system()} {platform.release()}")


def data_folder(folder: Path) -> Finding:
    """Whether records can be kept there."""
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(b"\0")
        free = shutil.disk_usage(existing).free // 1_000_000
    except OSError as error:
        advice = "make it writable, or name another one as data.folder in the configuration"
        return Finding("data folder", False, f"{folder}: {error.strerror}", advice, essential=True)
    enough = free >= SPACE_MEGABYTES
    advice = "" if enough else f"make room; at least {SPACE_MEGABYTES} MB are wanted"
    return Finding("data folder", enough, f"{folder}, {free} MB free", advice, essential=True)


def disks(folder: Path) -> Finding | None:
    """Whether the system is guarded against a pulled plug, and the records outlast it."""
    try:
        mounts = [line.split() for line in MOUNTS.read_text().splitlines()]
    except OSError:
        return None
    types = {mount[1]: (mount[2], mount[3].split(",")) for mount in mounts if len(mount) > 3}
    root, options = types.get("/", ("", []))
    guarded = root == "overlay" or "ro" in options
    found = "the system is read-only" if guarded else "the system is writable"
    here = next(path for path in (folder, *folder.absolute().parents) if str(path) in types or path == Path("/"))
    kind = types.get(str(here), ("", []))[0]
    if kind in VOLATILE:
        advice = "give the records a partition of their own, and name it as data.folder in the configuration"
        return Finding("disks", False, f"{found}; the records lie in memory ({kind}): they go with the power", advice)
    advice = "" if guarded else "a table that is just switched off lasts longer with a read-only system, see the docs"
    return Finding("disks", True, f"{found}; the records outlast the power", advice)


def clock() -> Finding:
    """Whether the time is right: the games' dates and the results of the week depend on it, nothing else."""
    now, synchronised = time.time(), _synchronised()
    found = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < WRITTEN:
        return Finding(
            "clock", False, f"{found}, which is long past", "sudo date --set='2026-01-31 20:15', or a network"
        )
    if synchronised is None:
        return Finding("clock", True, f"{found}; nobody tells whether that is right")
    advice = "" if synchronised else "a network sets it; without one: sudo date --set='2026-01-31 20:15'"
    return Finding("clock", synchronised, f"{found}, {'' if synchronised else 'not '}synchronised", advice)


def _synchronised() -> bool | None:
    answer = _answer("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return None if answer is None else {"yes": True, "no": False}.get(answer.strip())


def temperature() -> Finding | None:
    """Whether it is too hot."""
    try:
        celsius = int(THERMAL.read_text()) / 1000
    except (OSError, ValueError):
        return None
    advice = "" if celsius < HOT else "too hot: it slows down; give it air, or a fan"
    return Finding("temperature", celsius < HOT, f"{celsius:.0f} °C", advice)


def power() -> Finding | None:
    """Whether a Raspberry Pi gets enough power, now and since it was started."""
    try:
        bits = int((_answer("vcgencmd", "get_throttled") or "").partition("=")[2], 16)
    except ValueError:
        return None
    now = [text for bit, text in THROTTLED.items() if bits & bit]
    before = [f"earlier {text}" for bit, text in THROTTLED.items() if bits & bit << 16 and text not in now]
    advice = "use the Pi's own power supply and a short cable, and give it air" if bits else ""
    return Finding("power", not bits, "; ".join((*now, *before)) or "good", advice)


def sound() -> Finding:
    """What there is to be heard; nothing depends on it."""
    try:
        cards = re.findall(r"\]: .* - (.+)", SOUND_CARDS.read_text())
    except OSError:
        cards = []
    speech = "espeak-ng speaks" if shutil.which("espeak-ng") else "nobody speaks"
    missing = [] if cards else ["without a loudspeaker it is silent: HDMI, USB or the audio jack"]
    missing += [] if shutil.which("espeak-ng") else ["for speech: sudo apt install espeak-ng"]
    return Finding("sound", bool(cards), f"{', '.join(cards) or 'no sound card'}; {speech}", "; ".join(missing))


def _answer(*command: str) -> str | None:
    """What a command says; None where it is not there or fails."""
    if not shutil.which(command[0]):
        return None
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
