"""Tiles that look otherwise than the set file has them: learned from pictures, written, and read from then on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.colours import ColoursError
from calibration.tiles import learn_faces, sheets, with_faces
from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.registry import load_game
from companion.games.sets import Faces, SetError
from companion.main import main
from companion.vision.geometry.lens import Array, Lens
from companion.vision.locating.board import locate
from companion.vision.readers.reader import Reader
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import scene_of

SIZE = (1280, 720)
COLOURS = ((30, 40, 90), (220, 200, 60), (190, 60, 50), (230, 230, 225))
COUNT = 40


def set_text(name: str) -> str:
    return (resources.files(f"companion.games.{name}") / "set.toml").read_text("utf-8")


def another_edition(name: str, folder: Path) -> Game:  # type: ignore[type-arg]
    """The game with tiles that show blobs of four colours."""
    game, chance = load_game(name), np.random.default_rng(7)
    site, label = next(iter(sheets(game)[0].items()))
    solid = next(solid for solid in game.look(site.partition(":")[0], label) if isinstance(solid, Prism))
    side, tiles = 2 * max(abs(value) for corner in solid.footprint for value in corner), {}
    for tile in game.set.tile_names:
        blobs = cv2.resize(chance.random((5, 5)).astype(np.float32), (COUNT, COUNT), interpolation=cv2.INTER_CUBIC)
        numbers = np.clip((blobs * 4).astype(int), 0, 3)
        tiles[tile] = tuple("".join(map(str, row)) for row in numbers)
    file = folder / f"{name}-edition.toml"
    file.write_text(with_faces(set_text(name), Faces(side, COLOURS, tiles)), "utf-8")
    return load_game(name, file)


def taken(game: Game, labels: dict[str, str], seed: int) -> Array:  # type: ignore[type-arg]
    conditions = Conditions.random(game, seed, 0.2, SIZE).quick()
    return Renderer(game, conditions).render(scene_of(game, labels))


@pytest.mark.parametrize("name", ["via", "triangle"])
def test_faces_are_learned_from_pictures_and_read_from_then_on(name: str, tmp_path: Path) -> None:
    usual, edition = load_game(name), another_edition(name, tmp_path)
    files = []
    for number, sheet in enumerate(sheets(usual)):
        files.append(str(tmp_path / f"{name}{number}.png"))
        cv2.imwrite(files[-1], taken(edition, dict(sheet), 11 + number))
    out = tmp_path / "mine.toml"
    assert main(["calibrate", "tiles", name, *files, "--out", str(out)]) == 0
    own, chance = load_game(name, out), random.Random(3)
    assert own.set.faces is not None
    assert set(own.set.faces.tiles) == set(usual.set.tile_names)
    sites = [site for site in usual.sites if site.name in sheets(usual)[0]]
    tiles = chance.sample(own.set.tile_names, min(len(sites), 6))
    labels = {
        site.name: chance.choice([label for label in site.labels if label.partition("/")[0] == tile])
        for site, tile in zip(chance.sample(sites, len(tiles)), tiles, strict=True)
    }
    image = taken(edition, labels, 33)
    pose = locate(image, own, Lens.nominal(SIZE))
    reading = Reader(own).read(image, pose)
    assert {site.name: reading[site.name].label for site in sites} == {
        site.name: labels.get(site.name, "empty") for site in sites
    }
    assert min(reading[name].trust for name in labels) > 0.9  # no network that knows other tiles is asked
    before = Reader(usual).read(image, pose)
    assert any(before[site].label != label for site, label in labels.items())


def test_what_stands_on_tiles_of_ones_own_is_read_by_no_network_that_knows_others(tmp_path: Path) -> None:
    """It took what these tiles show for buildings, so that neither was believed."""
    edition = another_edition("via", tmp_path)
    labels = {"cell:b2": "S2/0", "cell:d4": "C3/1", "cell:f6": "S4/0", "building:d4.0": "house:green"}
    image = taken(edition, labels, 21)
    reading = Reader(edition).read(image, locate(image, edition, Lens.nominal(SIZE)))
    assert all(reading[site].label == label for site, label in labels.items())
    assert min(reading[site].trust for site in labels) > 0.9


def test_faces_are_drawn_in_the_same_order_at_each_start() -> None:
    """Where parts of a face meet, the later one is seen: pictures must not depend on how a run happens to hash."""
    code = (
        "from companion.games.faces import face_of; from companion.games.sets import Faces; "
        "faces = Faces(40.0, ((9, 9, 9), (9, 9, 0), (9, 0, 0)), {'W': ('01210', '22110', '01221', '00121', '00121')}); "
        "print(face_of(faces, 'W', 0.0, ((-20.0, 20.0), (20.0, 20.0), (20.0, -20.0), (-20.0, -20.0))))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "123"
    }
    assert len(told) == 1
    assert b"Area" in told.pop()


def test_what_is_to_be_laid_out_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "tiles", "via"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(load_game("via").set.tile_names)
    assert all(line.startswith("picture 1   cell:") for line in lines)
    assert main(["calibrate", "tiles", "labyria"]) == 2
    assert "has no tiles with faces" in capsys.readouterr().err


def test_pictures_of_something_else_are_refused() -> None:
    game = load_game("via")
    empty = taken(game, {}, 4)
    pose = locate(empty, game, Lens.nominal(SIZE))
    with pytest.raises(ColoursError, match="look alike"):
        learn_faces(game, [(empty, pose)])
    with pytest.raises(ColoursError, match="the tiles are laid out for 1 "):
        learn_faces(game, [])


def test_faces_take_the_place_of_those_before() -> None:
    one, other = (Faces(40.0, COLOURS, {"W": (letter * 2,) * 2}) for letter in "01")
    text = with_faces(set_text("via"), one)
    assert with_faces(text, other) == with_faces(set_text("via"), other)
    assert text.startswith(set_text("via").rstrip("\n"))


@pytest.mark.parametrize(
    ("tiles", "complaint"),
    [
        ({"XX": ("00", "00")}, "the tiles of this game are"),
        ({"W": ("00", "0")}, "rows of another length"),
        ({"W": ("09", "00")}, "names a colour in W that is not there"),
    ],
)
def test_impossible_faces_are_refused_with_their_line(
    tmp_path: Path, tiles: dict[str, tuple[str, ...]], complaint: str
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(with_faces(set_text("via"), Faces(40.0, COLOURS, tiles)), "utf-8")
    with pytest.raises(SetError, match=r"line \d+: faces.tiles .*" + complaint):
        load_game("via", file)


def test_a_game_without_tiles_has_no_faces(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(with_faces(set_text("labyria"), Faces(40.0, COLOURS, {"W": ("00", "00")})), "utf-8")
    with pytest.raises(SetError, match="the tiles of this game are: none"):
        load_game("labyria", file)
