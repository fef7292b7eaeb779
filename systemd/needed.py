"""Prints the requirements of the program that the system does not meet: apt's packages go before pip's.

OpenCV is known by its module, for apt's carries none of the names that it has on PyPI.
"""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def main() -> None:
    """One requirement a line."""
    for requirement in tomllib.loads(PROJECT.read_text())["project"]["dependencies"]:
        if not _met(requirement):
            print(requirement)


def _met(requirement: str) -> bool:
    name, least = re.fullmatch(r"([\w.-]+)\s*>=\s*([\d.]+).*", requirement).groups()  # type: ignore[union-attr]
    version = _opencv() if name.startswith("opencv") else _version(name)
    return version is not None and _numbers(version) >= _numbers(least)


def _opencv() -> str | None:
    try:
        import cv2
    except ImportError:
        return None
    return str(cv2.__version__)


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)[:3]]


if __name__ == "__main__":
    main()
