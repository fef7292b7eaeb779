"""Board drawings: what lies on a site is what the picture shows there, without a display."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import pygame
import pytest

from companion.games.core import Game, View
from companion.games.registry import load_game
from companion.ui import text
from companion.ui.drawing import BoardDrawing, Sign, piece, site_labels
from tests.ui.games import played
from tests.ui.memory import MemoryLibrary

Colour = tuple[int, int, int]


@pytest.fixture(autouse=True)
def fonts() -> Iterator[None]:
    pygame.font.init()
    yield
    text.forget()
    pygame.font.quit()


@pytest.fixture
def game() -> Game:  # type: ignore[type-arg]
    return load_game("triangle")


def colour(picture: pygame.Surface, x: float, y: float) -> Colour:
    red, green, blue, _ = picture.get_at((round(x), round(y)))
    return red, green, blue


def near(one: Colour, other: Colour, by: int = 12) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("size", [(536, 448), (808, 672), (300, 300)])
def test_every_tile_shows_its_colours_towards_its_edges(game: Game, size: tuple[int, int]) -> None:  # type: ignore[type-arg]
    table = played(MemoryLibrary(), actions=60)
    drawing = BoardDrawing(game, size)
    picture = drawing.picture(table.state().position.view())
    colours = game.set.tile.colours  # type: ignore[attr-defined]
    tiles = [(site, label) for site, label in table.state().position.view().sites.items() if label != "empty"]
    assert len(tiles) > 10
    reach = 0.19 * game.set.tile.edge * drawing.scale  # type: ignore[attr-defined]
    for site, label in tiles:
        tile, rotation = label.split("/")
        up = next(spec.angle for spec in game.sites if spec.name == site) == 0
        x, y = drawing.place(site)
        # The sides left, right, bottom of a tile that points up; each colour turns clockwise with the rotation.
        directions = [(-0.866, -0.5), (0.866, -0.5), (0.0, 1.0)]
        for k, letter in enumerate(tile[:3]):
            dx, dy = directions[(k + int(rotation)) % 3]
            sign = 1 if up else -1
            seen = colour(picture, x + sign * dx * reach, y + sign * dy * reach)
            assert near(seen, colours[letter]), (site, label, k)


def test_an_empty_board_shows_only_its_marks(game: Game) -> None:  # type: ignore[type-arg]
    drawing = BoardDrawing(game, (536, 448))
    empty = drawing.picture(game.new(2).view())
    x, y = drawing.place("cell:0")
    assert near(colour(empty, x, y), game.set.grid.empty_mark)  # type: ignore[attr-defined]
    assert empty.get_at((0, 0)).a == 0


def test_counters_stand_in_their_holes(game: Game) -> None:  # type: ignore[type-arg]
    drawing = BoardDrawing(game, (808, 672))
    picture = drawing.picture(View({}, (), {"hole:7": ("blue",), "hole:40": ("red", "green")}))
    counters = game.set.counter.colours  # type: ignore[attr-defined]
    assert near(colour(picture, *drawing.place("hole:7")), counters["blue"])
    x, y = drawing.place("hole:40")
    step = 0.25 * game.set.counter.diameter * 2 * drawing.scale  # type: ignore[attr-defined]
    assert near(colour(picture, x - step, y), counters["red"])
    assert near(colour(picture, x + step, y), counters["green"])


def test_an_open_hand_lies_on_its_rack_where_racks_are_drawn(game: Game) -> None:  # type: ignore[type-arg]
    position = played(MemoryLibrary(), actions=20).state().position
    drawing = BoardDrawing(game, (800, 460), loose=True)
    picture = drawing.picture(position.view())
    labels = site_labels(position.view())
    for slot in range(4):
        site = f"rack:0.{slot}"
        x, y = drawing.place(site)
        lies = labels[site] != "empty"
        assert (picture.get_at((round(x), round(y))).a > 200) == lies
    assert not BoardDrawing(game, (536, 448)).has("rack:0.0")


def test_signs_mark_the_site_and_nothing_else(game: Game) -> None:  # type: ignore[type-arg]
    drawing = BoardDrawing(game, (536, 448))
    view = game.new(2).view()
    plain, marked = drawing.picture(view), drawing.picture(view, [Sign("cell:20", (255, 0, 0), None, "cross")])
    x, y = drawing.place("cell:20")
    changed = [
        (column, row)
        for column in range(0, 536, 2)
        for row in range(0, 448, 2)
        if plain.get_at((column, row)) != marked.get_at((column, row))
    ]
    assert len(changed) > 50
    reach = 46 * drawing.scale
    assert all(hypot(column - x, row - y) < reach for column, row in changed)


def test_the_nearest_site_is_found_within_reach(game: Game) -> None:  # type: ignore[type-arg]
    drawing = BoardDrawing(game, (536, 448))
    x, y = drawing.place("cell:12")
    assert drawing.nearest((x + 9, y - 5), ["cell:12", "cell:13", "cell:30"], 40)[0][1] == "cell:12"
    assert drawing.nearest((x + 9, y - 5), ["cell:30"], 40) == []


def test_a_piece_fills_its_picture(game: Game) -> None:  # type: ignore[type-arg]
    for label in ("RRR6", "WWW1"):
        box = piece(game, "rack", label, 60).get_bounding_rect(min_alpha=128)
        assert box.width >= 54
