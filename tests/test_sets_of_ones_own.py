"""Set files of one's own: copied, changed, checked, with the line of what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.registry import GAMES, load_game
from companion.games.sets import SetError, line_of
from companion.main import main

TEXT = """name = "x"
[board]
side = 3.0

[[tile.kinds]]
code = "A"
[[tile.kinds]]
code = "B"
count = 2
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("name", 1),
        ("board.side", 3),
        ("board.thickness", 2),  # missing: its table
        ("tile.kinds[1].count", 9),
        ("tile.kinds[0].count", 5),
        ("nothing.at.all", None),
    ],
)
def test_the_line_of_a_key(key: str, line: int | None) -> None:
    assert line_of(TEXT, key) == line


@pytest.mark.parametrize("name", GAMES)
def test_a_copied_set_is_the_same_game(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    assert main(["set", "copy", name, str(file)]) == 0
    assert main(["set", "check", name, str(file)]) == 0
    assert "can be used" in capsys.readouterr().out
    assert load_game(name, file).sites == load_game(name).sites
    assert main(["set", "copy", name, str(file)]) == 2  # never overwritten
    assert "is not overwritten" in capsys.readouterr().err


def test_a_wrong_value_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    main(["set", "copy", "via", str(file)])
    text = file.read_text()
    lines = text.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("road_width"))
    lines[at] = "road_width = -9.0"
    file.write_text("\n".join(lines))
    capsys.readouterr()
    assert main(["set", "check", "via", str(file)]) == 2
    said = capsys.readouterr().err
    assert f"line {at + 1}: " in said
    assert "`$.tile.road_width`" in said


def test_a_problem_between_values_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    main(["set", "copy", "via", str(file)])
    text = file.read_text().replace('exits = ["N", "E"]\n', 'exits = ["N", "N"]\n', 1)
    file.write_text(text)
    with pytest.raises(SetError, match=r"line \d+: tile\.kinds\[\d\]"):
        load_game("via", file)
