"""Folders for the tests of the table."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where writing through to the disk costs nothing: every action that a test plays waits for it."""


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder of the test's own."""
    with tempfile.TemporaryDirectory(dir=MEMORY, ignore_cleanup_errors=True) as folder:
        yield Path(folder)
