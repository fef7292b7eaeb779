"""The kill harness with few kills; `python -m tests.benchmarks.endurance` has many."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_killed_games_go_on_without_a_loss(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.endurance", "--kills", "5", "--seed", "3"]
    command += ["--folder", str(tmp_path)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("5 kills")
    assert "none lost, none doubled" in done.stdout
