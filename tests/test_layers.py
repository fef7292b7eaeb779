"""What each part of the program may know of the others: imports run one way only."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PARTS = ("games", "vision", "referee", "table", "ui")
"""Each knows only those before it."""

STEPS = ("geometry", "locating", "light", "scene", "networks", "readers", "watching")
"""The same within `companion.vision`."""

KEPT_OUT = {
    "games": ("cv2", "numpy", "pygame", "pygame_gui", "hardware", "calibration", "time", "random", "datetime"),
    "vision": ("pygame", "pygame_gui"),
    "referee": ("cv2", "pygame", "pygame_gui", "hardware"),
    "table": ("pygame", "pygame_gui"),
}


@cache
def imports(file: Path) -> set[str]:
    """The modules that a file imports, anywhere in it, with dots."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def of_folder(folder: str) -> set[tuple[str, str]]:
    """Which file of a folder imports which module."""
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files, folder
    return {(str(file.relative_to(ROOT)), module) for file in files for module in imports(file)}


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@pytest.mark.parametrize("part", PARTS)
def test_parts_know_only_those_before_them(part: str):
    later = PARTS[PARTS.index(part) + 1 :]
    assert not [
        pair for pair in of_folder(f"companion/{part}") if any(within(pair[1], f"companion.{other}") for other in later)
    ]


@pytest.mark.parametrize("step", STEPS)
def test_steps_of_the_vision_know_only_those_before_them(step: str):
    later = STEPS[STEPS.index(step) + 1 :]
    assert not [
        pair
        for pair in of_folder(f"companion/vision/{step}")
        if any(within(pair[1], f"companion.vision.{other}") for other in later)
    ]


@pytest.mark.parametrize("part", KEPT_OUT)
def test_parts_import_nothing_that_is_not_theirs(part: str):
    assert not [
        pair for pair in of_folder(f"companion/{part}") if any(within(pair[1], other) for other in KEPT_OUT[part])
    ]
