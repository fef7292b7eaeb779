"""Why an action is against the rules of VIA, and what somebody did who made the table look so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.core import Judgement, Refusal
from companion.games.sites import EMPTY
from companion.games.via.actions import Action, Castle, Draw, End, House, Lay, Pass, Take
from companion.games.via.ground import bits, indices
from companion.games.via.tileset import FULL, HALVES, LAYS, Lie

if TYPE_CHECKING:
    from companion.games.via.position import ViaPosition

DRAWING_CLAUSES = {"deal": "VIA-SETUP-4", "draw": "VIA-TURN-1"}
"""The clause on drawing, by phase."""


def explain(position: ViaPosition, action: Action) -> Refusal | None:
    """The most specific clause that `action` breaks in `position`, or None where it is legal."""
    if position.ending is not None:
        return Refusal(position.ending)
    if position.due:
        return _explain_draw(position, action)
    if position.phase == "start":
        return _explain_start(position, action)
    match action:
        case Lay():
            return _explain_lay(position, action)
        case House() | Castle():
            return _explain_building(position, action)
        case Take():
            return _explain_take(position, action)
        case End():
            return _explain_end(position)
        case Pass():
            return _explain_pass(position)
        case _:
            return _turn("nothing due")


def _turn(why: str) -> Refusal:
    return Refusal("VIA-TURN-1", facts={"why": why})


def _explain_draw(position: ViaPosition, action: Action) -> Refusal | None:
    """A tile is due: nothing but drawing it is possible."""
    if isinstance(action, Draw) and action.player == position.player:
        if action.kind is None:
            possible = position.hidden_action() is not None
        else:
            possible = position.unseen[position.game.number[action.kind]] > 0
        if possible:
            return None
    clause = DRAWING_CLAUSES[position.phase]
    facts: dict[str, str | int] = {"player": position.player} if clause == "VIA-SETUP-4" else {"why": "draw due"}
    return Refusal(clause, facts=facts)


def _explain_start(position: ViaPosition, action: Action) -> Refusal | None:
    game = position.game
    if isinstance(action, House | Castle):
        return Refusal("VIA-BUILD-3", _part_sites(action))
    kind = game.kinds[position.opening].code
    if isinstance(action, Lay):
        if action.kind == kind and position.ground.free >> game.cell[action.cell] & 1:
            return None
        return Refusal("VIA-SETUP-3", (f"cell:{action.cell}",), {"player": position.player, "tile": kind})
    return Refusal("VIA-SETUP-3", facts={"player": position.player, "tile": kind})


# -- laying ------------------------------------------------------------------------------------------------------------


def _explain_lay(position: ViaPosition, action: Lay) -> Refusal | None:
    game, ground, site = position.game, position.ground, f"cell:{action.cell}"
    cell, lie = game.cell[action.cell], game.lie[action.kind, action.rotation]
    if position.laid == LAYS:
        return _turn("two laid")
    if not position.may_hold(position.player) >> lie & 1:
        return _turn("absent")
    if not ground.free >> cell & 1:
        return Refusal("VIA-LAY-1", (site,), {"cell": action.cell})
    if game.lies[lie].kind.type == "water":
        lone = not position.shore >> cell & 1
        return Refusal("VIA-LAY-5", (site,), {"cell": action.cell}) if lone else None
    if ground.fits[cell] >> lie & ground.ends >> cell & 1:
        return None
    return _explain_borders(position, cell, lie)


def _explain_borders(position: ViaPosition, cell: int, lie: int) -> Refusal:
    """VIA-LAY-3, -4 and -2 for a road tile on a free field where it does not fit."""
    game, mine, site = position.game, position.game.lies[lie], f"cell:{position.game.cells[cell]}"
    near = _neighbours(position, cell)
    instead = _instead(position, cell, mine)
    for side, other, theirs in near:
        if not mine.meets(side, theirs):
            what = ("exit", "land") if mine.exits >> side & 1 else ("land", "exit")
            facts: dict[str, str | int] = {"mine": what[0], "theirs": what[1], "neighbour": game.cells[other]}
            return Refusal("VIA-LAY-3", (site, f"cell:{game.cells[other]}"), facts, instead)
    for side, other, theirs in near:
        if not mine.fits(side, theirs, land_alike=position.options.land_alike):
            facts = {"tile": mine.kind.code, "theirs": theirs.kind.code, "neighbour": game.cells[other]}
            return Refusal("VIA-LAY-4", (site, f"cell:{game.cells[other]}"), facts, instead)
    why = "not continued" if near else "alone"
    return Refusal("VIA-LAY-2", (site,), {"cell": game.cells[cell], "why": why}, instead)


def _neighbours(position: ViaPosition, cell: int) -> list[tuple[int, int, Lie]]:
    """The road and start tiles beside a field: side, field, tile."""
    tiles, lies = position.ground.tiles, position.game.lies
    near = [(side, other, tiles[other]) for side, other in position.fields.neighbours[cell]]
    return [(side, other, lies[lie]) for side, other, lie in near if lie >= 0 and lies[lie].parts]


def _instead(position: ViaPosition, cell: int, mine: Lie) -> tuple[str, ...]:
    """The other rotations in which the tile fits there."""
    ground, game = position.ground, position.game
    if not ground.ends >> cell & 1:
        return ()
    fitting = ground.fits[cell] & game.lies_of_kind[mine.number]
    return tuple(str(game.lays[cell][lie]) for lie in indices(fitting))


# -- building ----------------------------------------------------------------------------------------------------------


def _explain_building(position: ViaPosition, action: House | Castle) -> Refusal | None:
    half, sites = position.game.half[action.part], _part_sites(action)
    land = next((land for land in position.closed if land >> half & 1), 0)
    if not land:
        return _explain_property(position, half, sites)
    refusal = position.unbuildable(land, castle=isinstance(action, Castle))
    if refusal is not None:
        return Refusal(refusal.clause, sites, refusal.facts)
    first = position.half_of(land)
    if half != first:
        name = position.game.parts[first]
        return Refusal("VIA-BUILD-2", sites, {"why": "other name"}, (str(type(action)(name)),))
    return None


def _explain_property(position: ViaPosition, half: int, sites: tuple[str, ...]) -> Refusal:
    """Why nothing can be built there: no property, an open one, or one that was closed before."""
    ground = position.ground
    lie = ground.tiles[half // HALVES]
    if lie < 0 or not position.game.lies[lie].parts:
        return Refusal("VIA-BUILD-1", sites, {"why": "no land"})
    land = next((land for land in ground.properties if land >> half & 1), 0)
    if land:
        gaps = [cell for cell in bits(ground.free) if position.fields.around[cell] & land]
        return Refusal(
            "VIA-BUILD-1",
            (*sites, *(f"cell:{position.game.cells[cell]}" for cell in gaps)),
            {"why": "open"},
        )
    if position.early >> half & 1:
        return Refusal("VIA-BUILD-3", sites)
    taken = any(building.land >> half & 1 for building in position.buildings)
    return Refusal("VIA-BUILD-2", sites, {"why": "built on" if taken else "too late"})


def _part_sites(action: House | Castle) -> tuple[str, ...]:
    return (f"building:{action.part}",)


# -- taking, ending, passing -------------------------------------------------------------------------------------------


def _explain_take(position: ViaPosition, action: Take) -> Refusal | None:
    if action in position.other_actions():
        return None
    held = position.held(position.player)
    if position.laid:
        too_many = "two laid" if position.laid == LAYS else "one each" if action.tiles > 1 else None
        return _turn(too_many) if too_many else Refusal("VIA-TURN-3")
    if held == FULL:
        return Refusal("VIA-TURN-2", facts={"player": position.player})
    return _turn("not empty") if action.tiles > 1 and held else Refusal("VIA-TURN-3")


def _explain_end(position: ViaPosition) -> Refusal | None:
    if End() in position.other_actions():
        return None
    return _turn("take or lay" if position.laid else "nothing laid")


def _explain_pass(position: ViaPosition) -> Refusal | None:
    if position.laid:
        return Refusal("VIA-TURN-4", facts={"example": str(position.other_actions()[0])})
    possible = [*position.other_actions(), *position.lays(position.known)]
    if Pass() in possible:
        return None
    return Refusal("VIA-TURN-4", facts={"example": str(possible[0])}, instead=(str(possible[0]),))


# -- what lies on the table --------------------------------------------------------------------------------------------


def judge(position: ViaPosition, seen: Mapping[str, str]) -> Judgement | None:
    """What was done against the rules, where tiles or buildings have come to the table.

    What has gone, or lies otherwise than it did, has no clause: that cannot be told.
    """
    game, lays, buildings = position.game, [], []
    for site, label in sorted(seen.items()):
        kind, _, name = site.partition(":")
        if label == EMPTY or (kind == "cell" and position.ground.tiles[game.cell[name]] >= 0):
            return None
        if kind == "cell":
            lays.append(game.lay_of(name, label))
        else:
            what, _, colour = label.partition(":")
            buildings.append((what, game.seat_colours.index(colour), name))
    if position.turn != position.player:
        return None
    return _judge_tiles(position, lays, buildings)


def _judge_tiles(position: ViaPosition, lays: list[Lay], buildings: list[tuple[str, int, str]]) -> Judgement | None:
    """Plays what can be played, and names the first thing that cannot."""
    while lays:
        lay = next((lay for lay in lays if position.explain(lay) is None), None)
        if lay is None or position.turn != position.player:
            refusal = position.explain(lays[0])
            return Judgement(refusal, lays[0]) if refusal else None
        lays.remove(lay)
        position = position.play(lay)
    for what, seat, part in buildings:
        action = _building(position, what, part)
        refusal = position.explain(action)
        if refusal is None and seat != position.player:
            refusal = Refusal("VIA-BUILD-2", _part_sites(action), {"why": "not theirs"})
        if refusal is not None:
            return Judgement(refusal, action)
        position = position.play(action)
    return None


def _building(position: ViaPosition, what: str, part: str) -> House | Castle:
    """The building there, on the property that was just closed by its proper name."""
    half = position.game.half[part]
    land = next((land for land in position.closed if land >> half & 1), 1 << half)
    name = position.game.parts[position.half_of(land)]
    return House(name) if what == "house" else Castle(name)
