"""VIA on the screens. Hands stay hidden: what was drawn is only shown to the one who drew it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import cos, pi, sin
from typing import Any

from companion.games.bits import bits
from companion.games.core import Action, Event, Position
from companion.games.looks import Point
from companion.games.registry import load_game
from companion.games.via import Via, looks, showing
from companion.games.via import actions as made
from companion.games.via.actions import Build, Draw, Lay
from companion.games.via.position import ViaPosition
from companion.games.via.tileset import CASTLE, HALVES, Lie
from companion.table.state import Played
from companion.ui.games import Face, Overlay, Piece, Site, Step, Tally, Tint, Word, sampled
from companion.ui.language import Words, marked

BUILDABLE = (255, 214, 10)
"""The ground on which the player may build now."""


class ViaFace(Face):
    """What VIA brings for the screens."""

    title = marked("VIA")
    summary = marked("Lay roads, close in land, build")

    # -- entering ------------------------------------------------------------------------------------------------------

    def steps(self, action: Action) -> tuple[Step, ...]:
        """Tile, field, how it lies; what is built and where; the tile drawn; a word."""
        match action:
            case Draw(_, kind):
                return (Piece("rack", kind) if kind else Word("hidden"),)
            case Lay(kind, cell, rotation):
                lie = Piece("cell", _default().labels[_default().lie[kind, rotation]])
                return Word("lay"), Piece("rack", kind), Site(f"cell:{cell}"), lie
            case Build(piece, part):
                return Word(piece), Site(f"building:{part}")
        return (Word(str(action)),)

    def offered(self, position: Position[Any]) -> Sequence[Action]:
        """Of what is drawn nothing has to be told where draws are hidden."""
        hidden = position.hidden_action()
        return position.legal_actions() if hidden is None else [hidden]

    def also(self, position: Position[Any], site: str) -> tuple[str, ...]:
        """A property is meant by each of its parts of land."""
        kind, _, part = site.partition(":")
        if kind != "building":
            return (site,)
        here = _of(position)
        land = next((land for land in here.closed if land >> here.game.half[part] & 1), 0)
        return (site, *(other for other in showing.building_sites(here, land) if other != site))

    def prompt(self, position: Position[Any], chosen: Sequence[Step], words: Words) -> str:
        """What to tap next."""
        here = _of(position)
        if here.due:
            return words("A tile is drawn")
        match [step for step in chosen if step != Word("lay")]:
            case [Piece()]:
                return words("Tap a lit field")
            case [Piece(), Site()]:
                return words("How does it lie?")
            case [Word("house" | "castle")]:
                return words("On which land?")
        if chosen:
            return words("Which tile?")
        if here.laid == 0:
            return words("Lay a tile, or take one")
        return words("Build, or go on") if here.building_actions() else words("Go on, or end the turn")

    def word(self, key: str, words: Words) -> str:
        """The words on buttons."""
        return {
            "lay": words("Lay a tile"),
            "take": words("Take a tile"),
            "take 2": words("Take two tiles"),
            "end": words("End the turn"),
            "pass": words("Pass"),
            "house": words("Build a house"),
            "castle": words("Build the castle"),
            "hidden": words("A tile was drawn"),
        }[key]

    def icon(self, key: str) -> str | None:
        """The icons on buttons."""
        icons = {"lay": "square", "house": "house", "castle": "castle", "take": "take", "take 2": "take"}
        return icons.get(key, "hidden" if key == "hidden" else "skip")

    def attempt(self, position: Position[Any], chosen: Sequence[Step], site: str) -> Action | None:
        """The chosen tile on that field, or a building on that land."""
        kind, _, name = site.partition(":")
        match [step for step in chosen if step != Word("lay")]:
            case [Piece("rack", tile)] if kind == "cell":
                return next(lay for lay in _default().lays[_default().cell[name]] if lay.kind == tile)
            case [Word("house" | "castle" as piece)] if kind == "building":
                return Build(piece, name)
        return None

    def private(self, position: Position[Any]) -> frozenset[str]:
        """A hand that is known, and a draw that is told."""
        here = _of(position)
        known = here.hidden_action() is None if here.due else here.phase == "play" and bool(here.hands[here.player])
        return frozenset({"rack"}) if known else frozenset()

    def secret(self, action: Action) -> bool:
        """What somebody drew."""
        return isinstance(action, Draw)

    # -- showing -------------------------------------------------------------------------------------------------------

    def tallies(self, position: Position[Any], player: int, words: Words) -> tuple[Tally, ...]:
        """Houses and castle left to build, tiles in hand."""
        here = _of(position)
        castle = (Tally(Piece("shape", "castle"), "1"),) if here.castles[player] else ()
        houses = Tally(Piece("shape", "house"), str(here.houses[player]))
        held = here.held(player)
        return (houses, *castle, *((Tally(Piece("back", ""), str(held)),) if held else ()))

    def note(self, position: Position[Any], words: Words) -> str:
        """Stock and free fields."""
        here = _of(position)
        return words("Stock {n}, free fields {m}").format(n=here.stock, m=here.ground.free.bit_count())

    def overlay(self, position: Position[Any], chosen: Sequence[Step]) -> Overlay:
        """The land on which can be built, and whose buildings stand where."""
        here = _of(position)
        lands = here.closed if here.building_actions() else ()
        tints = tuple(tint for land in lands for tint in self._tints(here, land))
        places = (showing.building_sites(here, building.land)[:1] for building in here.buildings)
        owners = tuple(
            (site, building.player) for building, sites in zip(here.buildings, places, strict=True) for site in sites
        )
        return Overlay(tints=tints, owners=owners)

    def _tints(self, position: ViaPosition, land: int) -> Iterator[Tint]:
        """Each part of land of a property."""
        halves, tiles = list(bits(land)), position.ground.tiles
        for cell in dict.fromkeys(half // HALVES for half in halves):
            lie = position.game.lies[tiles[cell]]
            here = sum(1 << half % HALVES for half in halves if half // HALVES == cell)
            for part in lie.parts:
                if part & here:
                    yield part_area(position.game, cell, lie, part)

    def shown(self, action: Action, words: Words) -> tuple[Piece | None, str]:
        """What was laid or built; of what was drawn only that it was."""
        match action:
            case Lay():
                piece = self.steps(action)[-1]
                assert isinstance(piece, Piece)
                return piece, words("laid")
            case Draw():
                return Piece("back", ""), words("drew a tile")
            case Build(piece, _):
                text = words("built the castle") if piece == CASTLE else words("built a house")
                return Piece("shape", piece), text
            case made.TAKE | made.TAKE_TWO:
                return Piece("shape", "take"), words("takes")
            case made.END:
                return Piece("shape", "skip"), words("ended the turn")
        return Piece("shape", "skip"), words("passed")

    def minor(self, action: Action) -> bool:
        """What follows a tile as a rule."""
        return isinstance(action, Draw) or action in (made.TAKE, made.TAKE_TWO, made.END)

    def telling(self, played: Played, game: Any, names: Sequence[str], words: Words) -> str:
        """What was closed in; `6 parts of land = 6 points`."""
        told = []
        for event in played.events:
            if event.kind == "close":
                told.append(
                    words.plural("{n} part of land closed in", "{n} parts of land closed in", event.facts["size"])
                )
            elif event.kind == "score":
                parts = words.plural("{n} part of land", "{n} parts of land", event.facts["points"])
                told.append(parts + " = " + words.plural("{n} point", "{n} points", event.facts["points"]))
            elif event.kind == "reserve":
                n = event.facts["houses"]
                told.append(words.plural("{n} house from the reserve", "{n} houses from the reserve", n))
            elif event.kind == "tie":
                told.append(game.clauses.event_text(event, words.language, names))
        return ", ".join(told)

    def gain(self, event: Event) -> int | None:
        """The points of a building."""
        return int(event.facts["points"])

    def breakdown(self, position: Position[Any], words: Words) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Points from houses and from the castle."""
        here = _of(position)
        points = [[0] * here.players, [0] * here.players]
        for building in here.buildings:
            points[building.castle][building.player] += here.ground.size(building.land)
        return (words("Houses"), tuple(points[False])), (words("Castle"), tuple(points[True]))

    # -- before the game -----------------------------------------------------------------------------------------------

    def option(self, name: str, words: Words) -> tuple[str, str]:
        """The options."""
        return {
            "land_alike": (
                words("Land keeps to its kind"),
                words("Straight and curvy tiles with a different number of exits never touch, not even with land."),
            ),
            "free_water": (words("Water anywhere"), words("A water tile may be laid on any free field.")),
            "start_counts": (
                words("Start tiles count"),
                words("The land of start tiles counts for size and points like that of road tiles."),
            ),
        }[name]

    def sample(self) -> Position[Any]:
        """A game on its way, always the same one."""
        return self._sample

    @cached_property
    def _sample(self) -> Position[Any]:
        return sampled(_default().new(3), 84)


def part_area(game: Via, cell: int, lie: Lie, part: int) -> Tint:
    """The ground of a part of land of a tile on a field, without the roads."""
    tile = game.set.tile
    half, road = tile.size / 2, tile.road_width / 2 + looks.KERB
    x, y = next(spec.centre[:2] for spec in game.sites if spec.name == f"cell:{game.cells[cell]}")
    roads = [] if lie.kind.type == "water" else looks.roads(game.set, lie.kind, 90.0 * lie.rotation, 2 * road)
    if lie.kind.type == "curvy":
        alone = [k for k in range(4) if 3 << 2 * k in lie.parts]
        corners = [k for k in alone if part == 3 << 2 * k]
        if corners:
            areas = [_fan(half, half - road, corners[0])]
            roads = []
        else:
            areas = [((half, half), (half, -half), (-half, -half), (-half, half))]
            roads += [_fan(half, half + road, k) for k in alone]
    else:
        areas = [_triangle(half, k) for k in range(HALVES) if part >> k & 1]
    if lie.kind.type == "start":
        plaza = tile.plaza_diameter / 2 + looks.KERB
        roads = [*roads, tuple((plaza * sin(k / 12 * pi), plaza * cos(k / 12 * pi)) for k in range(24))]
    moved = [tuple(tuple((px + x, py + y) for px, py in area) for area in shape) for shape in (areas, roads)]
    return Tint(BUILDABLE, moved[0], moved[1])


def _triangle(half: float, number: int) -> tuple[Point, ...]:
    """The triangle from the middle of a tile to one of its half-sides."""
    middles = ((0.0, half), (half, 0.0), (0.0, -half), (-half, 0.0))
    corners = ((half, half), (half, -half), (-half, -half), (-half, half))
    k = number // 2
    return ((0.0, 0.0), corners[k], middles[(k + 1) % 4] if number % 2 else middles[k])


def _fan(half: float, radius: float, corner: int) -> tuple[Point, ...]:
    """The quarter of a disc around a corner of a tile (0 upper right, clockwise)."""
    x, y = ((half, half), (half, -half), (-half, -half), (-half, half))[corner]
    start = pi - corner * pi / 2
    arc = [(x + radius * cos(start + pi / 2 * k / 10), y + radius * sin(start + pi / 2 * k / 10)) for k in range(11)]
    return ((x, y), *arc)


def _default() -> Via:
    game = load_game("via")
    assert isinstance(game, Via)
    return game


def _of(position: Position[Any]) -> ViaPosition:
    assert isinstance(position, ViaPosition)
    return position


FACE = ViaFace()
