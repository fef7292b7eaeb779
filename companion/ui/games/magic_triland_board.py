"""The board of Magic Triland on the screens: places to tap, blocks with their heights, messengers with their things."""

from __future__ import annotations

from functools import cache
from math import sqrt

from companion.games.looks import Point, Prism
from companion.games.magic_triland import MagicTriland, looks
from companion.games.magic_triland import items as things
from companion.games.magic_triland.landset import BROADSIDES, HOMES
from companion.games.magic_triland.position import TrilandPosition
from companion.games.registry import load_game
from companion.games.sites import EMPTY, SiteSpec
from companion.ui.games import Extra, Overlay, Piece

SHORE_SPOTS = (0.5, 0.1, 0.3, 0.7, 0.9)
"""Where along a broadside it can be tapped; the first is where it is marked."""

MESSENGER = 33.0
"""How wide a messenger is drawn, in mm."""


def drawn(position: TrilandPosition) -> Overlay:
    """Blocks with their heights, homes and broadsides with what belongs to them, messengers with their things."""
    size = 2 * position.game.set.block.across / sqrt(3)
    blocks = [
        Extra((cell.x, cell.y), Piece("height", str(height)), size)
        for cell, height in zip(position.game.cells, position.heights, strict=True)
        if height
    ]
    hidden = {f"cell:{cell.name}" for cell in position.game.cells} | {
        position.site(m) for m in range(len(position.places))
    }
    places, labels = _messenger_places(position)
    standing = sorted(range(len(places)), key=lambda m: -places[m][1])
    messengers = [Extra((places[m][0], places[m][1] + 12.0), carried(position, m), MESSENGER) for m in standing]
    owners = tuple((position.site(m), position.owner(m)) for m in standing)
    extras = (*blocks, *_marks(position.game), *messengers)
    return Overlay(extras=extras, hidden=frozenset(hidden), labels=tuple(labels.items()), owners=owners)


def site_of(place: str) -> str:
    """The site of a place in notation: a terrace by its first cell, a home or a broadside."""
    return f"place:{place}" if place[0] in "@~" else f"cell:{place}"


@cache
def spots(game: MagicTriland) -> tuple[SiteSpec, ...]:
    """Homes and broadsides as places to tap."""
    found = []
    for home in HOMES:
        (x, y), _ = looks.home_centre(game.set, game.cells, home)
        found.append(SiteSpec(f"place:@{home}", "place", (x, y, 0.0), 0.0, (EMPTY,), game.set.homes.diameter * 1.2))
    for shore in BROADSIDES:
        for k, (x, y) in enumerate(_along(game, shore, part) for part in SHORE_SPOTS):
            name = f"place:~{shore}.{k}" if k else f"place:~{shore}"
            found.append(SiteSpec(name, "place", (x, y, 0.0), 0.0, (EMPTY,), 1.6 * game.set.broadsides.width))
    return tuple(found)


def _along(game: MagicTriland, shore: str, part: float) -> Point:
    (ax, ay), (bx, by) = looks.strip(game.set, game.cells, shore)
    return ax + (bx - ax) * part, ay + (by - ay) * part


@cache
def _marks(game: MagicTriland) -> tuple[Extra, ...]:
    """The pearl of each broadside and the ring of each home."""
    homes = [Extra(looks.home_centre(game.set, game.cells, home)[0], Piece("item", home), 22.0) for home in HOMES]
    return (*(Extra(_along(game, shore, 0.5), Piece("item", shore), 15.0) for shore in BROADSIDES), *homes)


def _messenger_places(position: TrilandPosition) -> tuple[list[Point], dict[str, str]]:
    """Where each messenger is drawn (mm), and its label then: side by side where two share a cell."""
    labels: dict[str, str] = {}
    places: list[Point] = []
    taken: list[str] = []
    for messenger in range(len(position.places)):
        site = position.site(messenger)
        choices = _labels(position, messenger)
        label = next((choice for choice in choices if choice not in taken), choices[0])
        shift = 9.0 * taken.count(label) if label[0] not in "@~" else 0.0
        taken.append(label)
        labels[site] = label
        x, y = _middle(position.game, site, label)
        places.append((x + shift, y))
    return places, labels


def _labels(position: TrilandPosition, messenger: int) -> tuple[str, ...]:
    land, place = position.land, position.places[messenger]
    if land is None:
        return (f"@{HOMES[messenger // 2]}",)
    return tuple(position.game.cells[cell].name for cell in land.cells[place]) or (land.names[place],)


@cache
def _middle(game: MagicTriland, site: str, label: str) -> Point:
    """Where a messenger stands, as its label says."""
    look = game.look(site, label)
    assert isinstance(look[0], Prism)
    xs, ys = zip(*look[0].footprint, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def carried(position: TrilandPosition, messenger: int) -> Piece:
    """The messenger with its things, as a picture."""
    return Piece("messenger", f"{position.game.messengers[messenger]} {things.letters(position.items[messenger])}")


def default() -> MagicTriland:
    """The game with its own set file."""
    game = load_game("magic_triland")
    assert isinstance(game, MagicTriland)
    return game
