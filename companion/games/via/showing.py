"""What a position of VIA shows on the table, and what an action brings about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.bits import bits
from companion.games.core import Event, Group, Sign, View
from companion.games.via.actions import Action, Build, Lay
from companion.games.via.tileset import CASTLE, HALVES

if TYPE_CHECKING:
    from companion.games.via.position import ViaPosition


def view(position: ViaPosition) -> View:
    """The tiles, and the buildings: each on one of the parts of land of its property."""
    game = position.game
    sites, groups = dict(game.empty_view), []
    for cell, lie in enumerate(position.ground.tiles):
        if lie >= 0:
            sites |= game.shown[cell][lie]
    for player, castle, land in position.buildings:
        places = building_sites(position, land)
        groups.append(Group(places, (building_label(position, player, castle=castle),)))
        for site in places:
            del sites[site]
    return View(sites, tuple(groups))


def building_sites(position: ViaPosition, land: int) -> tuple[str, ...]:
    """The parts of land of a property, as the places of buildings."""
    tiles, sites = position.ground.tiles, []
    for half in bits(land):
        site = f"building:{position.game.parts[half]}"
        cell = half // HALVES
        if site in position.game.shown[cell][tiles[cell]]:
            sites.append(site)
    return tuple(sites)


def building_label(position: ViaPosition, player: int, *, castle: bool) -> str:
    """A player's house or castle, in the words of sites."""
    return f"{'castle' if castle else 'house'}:{position.game.seat_colours[player]}"


def signs(position: ViaPosition, action: Action) -> tuple[Sign, ...]:
    """What certainly shows right after a legal action."""
    game = position.game
    match action:
        case Lay(kind, cell, rotation):
            return (Sign((f"cell:{cell}",), game.labels[game.lie[kind, rotation]]),)
        case Build(piece, part):
            land = next(land for land in position.closed if land >> game.half[part] & 1)
            label = building_label(position, position.player, castle=piece == CASTLE)
            return (Sign(building_sites(position, land), label),)
    return ()


def events(position: ViaPosition, action: Action) -> tuple[Event, ...]:
    """`close` (a property that may be built on), `score`, `reserve`, `turn`, `tie` (settled by castles), `over`."""
    after, player, found = position.let_stand(action), position.player, []
    if isinstance(action, Lay):
        found = [
            Event(
                "close",
                {"player": player, "part": after.game.parts[after.half_of(land)], "size": after.ground.size(land)},
            )
            for land in after.closed
        ]
    if isinstance(action, Build):
        points = after.scores[player] - position.scores[player]
        found.append(Event("score", {"player": player, "points": points, "part": action.part}))
        more = after.houses[player] - position.houses[player]
        if more > 0:
            found.append(Event("reserve", {"player": player, "houses": more}))
    if after.ending is not None:
        level = [other for other in range(after.players) if after.scores[other] == max(after.scores)]
        if len(after.winners) < len(level):
            found.append(Event("tie", {"player": after.winners[0], "size": after.tie_break[after.winners[0]]}))
        found.append(Event("over", {"clause": after.ending}))
    elif not after.due and (after.phase != position.phase or after.player != player):
        found.append(Event("turn", {"player": after.player}))
    return tuple(found)
