"""Why an action is against the rules of VIA, and what somebody did who made the table look so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.bits import bits
from companion.games.core import Judgement, Refusal
from companion.games.sites import EMPTY
from companion.games.via.actions import END, PASS, TAKE_TWO, Action, Build, Draw, Lay, Word
from companion.games.via.ground import indices
from companion.games.via.tileset import CASTLE, FULL, HALVES, LAYS, Lie

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
        case Build():
            return _explain_building(position, action)
        case Word():
            return _explain_word(position, action)
        case Draw():
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
        return None if possible else Refusal("VIA-SETUP-2", facts={"tile": action.kind or "?"})
    clause = DRAWING_CLAUSES[position.phase]
    facts: dict[str, str | int] = {"player": position.player} if clause == "VIA-SETUP-4" else {"why": "draw due"}
    return Refusal(clause, facts=facts)


def _explain_start(position: ViaPosition, action: Action) -> Refusal | None:
    game = position.game
    if isinstance(action, Build):
        return Refusal("VIA-BUILD-3", _part_sites(position, action))
    kind = game.kinds[position.opening].code
    if isinstance(action, Lay):
        if action.kind == kind and position.ground.free >> game.cell[action.cell] & 1:
            return None
        return Refusal("VIA-SETUP-3", (f"cell:{action.cell}",), {"player": position.player, "tile": kind})
    return Refusal("VIA-SETUP-3", facts={"player": position.player, "tile": kind})


def may_stand(position: ViaPosition, action: Action, refusal: Refusal) -> bool:
    """Whether the game can go on after an action that was refused so: there is room for it, and the player has it."""
    match action:
        case Lay():
            return refusal.clause in ("VIA-LAY-2", "VIA-LAY-3", "VIA-LAY-4", "VIA-LAY-5")
        case Build():
            return refusal.clause in ("VIA-BUILD-2", "VIA-BUILD-3", "VIA-BUILD-4") and _has_room(position, action)
    return refusal.clause == "VIA-TURN-4"


def _has_room(position: ViaPosition, action: Build) -> bool:
    """Whether nothing stands on the closed property that goes by that name, and the player has such a building left."""
    half, player = position.game.half[action.part], position.player
    land = position.ground.property_at(position.fields, half)
    left = position.castles[player] if action.piece == CASTLE else position.houses[player] > 0
    free = not any(building.land & land for building in position.buildings)
    return bool(land) and position.half_of(land) == half and left and free and position.phase == "play"


# -- laying ------------------------------------------------------------------------------------------------------------


def _explain_lay(position: ViaPosition, action: Lay) -> Refusal | None:
    game, ground, site = position.game, position.ground, f"cell:{action.cell}"
    cell, lie = game.cell[action.cell], game.lie[action.kind, action.rotation]
    if position.laid == LAYS:
        return _turn("two laid")
    if not position.possible >> lie & 1:
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


def _explain_building(position: ViaPosition, action: Build) -> Refusal | None:
    half, sites = position.game.half[action.part], _part_sites(position, action)
    land = next((land for land in position.closed if land >> half & 1), 0)
    if not land:
        return _explain_property(position, half, sites)
    refusal = position.unbuildable(land, castle=action.piece == CASTLE)
    if refusal is not None:
        return Refusal(refusal.clause, sites, refusal.facts)
    first = position.half_of(land)
    if half != first:
        name = position.game.parts[first]
        return Refusal("VIA-BUILD-2", sites, {"why": "other name"}, (str(Build(action.piece, name)),))
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


def _part_sites(position: ViaPosition, action: Build) -> tuple[str, ...]:
    """The part of land that the action names, by its own name; the field where there is no land."""
    cell, half = divmod(position.game.half[action.part], HALVES)
    lie = position.ground.tiles[cell]
    parts = position.game.lies[lie].parts if lie >= 0 else ()
    lead = next((part & -part for part in parts if part >> half & 1), 0)
    name = position.game.cells[cell]
    return (f"building:{name}.{lead.bit_length() - 1}" if lead else f"cell:{name}",)


# -- taking, ending, passing -------------------------------------------------------------------------------------------


def _explain_word(position: ViaPosition, action: Word) -> Refusal | None:
    if action in position.other_actions():
        return None
    if action == END:
        return _turn("take or lay" if position.laid else "nothing laid")
    if action == PASS:
        return _explain_pass(position)
    return _explain_take(position, action)


def _explain_take(position: ViaPosition, action: Word) -> Refusal:
    held, two = position.held(position.player), action == TAKE_TWO
    if position.laid:
        too_many = "two laid" if position.laid == LAYS else "one each" if two else None
        return _turn(too_many) if too_many else Refusal("VIA-TURN-3")
    if held == FULL:
        return Refusal("VIA-TURN-2", facts={"player": position.player})
    return _turn("not empty") if two and held else Refusal("VIA-TURN-3")


def _explain_pass(position: ViaPosition) -> Refusal:
    """VIA-TURN-4, with what is possible instead."""
    possible = str(next(iter((*position.other_actions(), *position.lays(position.known)))))
    return Refusal("VIA-TURN-4", facts={"example": possible}, instead=(possible,))


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
    return _first_fault(position, lays, buildings)


def _first_fault(position: ViaPosition, lays: list[Lay], buildings: list[tuple[str, int, str]]) -> Judgement | None:
    """Plays what can be played, building as soon as possible, and names the first thing that cannot."""
    player, left = position.player, list(buildings)
    while lays or left:
        actions = [_building(position, *building) for building in left]
        own = [k for k, (_, seat, _) in enumerate(left) if seat == player and position.explain(actions[k]) is None]
        lay = next((lay for lay in lays if position.explain(lay) is None), None)
        if position.player != player or (lay is None and not own):
            return _fault(position, [*lays, *actions])
        if own:
            position = position.play(actions[own[0]])
            del left[own[0]]
        elif lay is not None:
            position = position.play(lay)
            lays = [other for other in lays if other != lay]
    return None


def _fault(position: ViaPosition, actions: list[Lay | Build]) -> Judgement | None:
    """The first of these actions that is refused; a building that is not refused is another player's."""
    for action in actions:
        refusal = position.explain(action)
        if refusal is not None:
            return Judgement(refusal, action)
    builds = [action for action in actions if isinstance(action, Build)]
    return (
        Judgement(Refusal("VIA-BUILD-2", _part_sites(position, builds[0]), {"why": "not theirs"})) if builds else None
    )


def _building(position: ViaPosition, piece: str, _seat: int, part: str) -> Build:
    """The building there, by the proper name of a property that was just closed."""
    half = position.game.half[part]
    land = next((land for land in position.closed if land >> half & 1), 1 << half)
    return Build(piece, position.game.parts[position.half_of(land)])
