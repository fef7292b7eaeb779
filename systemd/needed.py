"""Prints the requirements of the program that the system does not meet: apt's packages go before pip's.

OpenCV is known by its module, for apt's carries none of the names that it has on PyPI. What the system has but too old
for us is said on standard error.
"""

from __future__ import annotations

import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"

BOUNDS = {"numpy": "<2", "opencv-python-headless": "<4.12"}
"""Where the system's numpy is a 1.x, as on Bookworm, its Picamera2 works with no other; later OpenCVs want numpy 2."""

ONLY_64_BIT = {"onnxruntime"}
"""What does not exist for 32-bit systems, which may run on a 64-bit kernel, and is done without there."""


def main() -> None:
    """One requirement a line."""
    bounds = BOUNDS if (_version("numpy") or "").startswith("1.") else {}
    for requirement in tomllib.loads(PROJECT.read_text())["project"]["dependencies"]:
        name, least = re.fullmatch(r"([\w.-]+)\s*>=\s*([\d.]+).*", requirement).groups()  # type: ignore[union-attr]
        if name in ONLY_64_BIT and _bits() == 32:
            continue
        version = _opencv() if name.startswith("opencv") else _version(name)
        if version is not None and _numbers(version) >= _numbers(least):
            continue
        if version is not None:
            print(f"companion: the system's {name} is {version}, older than {least}: pip brings one", file=sys.stderr)
        print(f"{name}>={least}" + (f",{bounds[name]}" if name in bounds else ""))


def _opencv() -> str | None:
    try:
        import cv2
    except ImportError:
        return None
    return str(cv2.__version__)


def _bits() -> int:
    return 64 if sys.maxsize > 2**32 else 32


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)[:3]]


if __name__ == "__main__":
    main()
