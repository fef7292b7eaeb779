"""Why an action is against the rules of Triangle, and what somebody did who made the table look so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.core import Judgement, Refusal
from companion.games.sites import EMPTY
from companion.games.triangle.actions import Action, Draw, Pass, Place, Swap
from companion.games.triangle.tileset import JOKER, edges

if TYPE_CHECKING:
    from companion.games.triangle.position import TrianglePosition

DRAWING_CLAUSES = {
    "first draw": "TRI-SETUP-2",
    "deal": "TRI-SETUP-3",
    "play": "TRI-DRAW-1",
    "draw": "TRI-DRAW-1",
    "show": "TRI-SCORE-3",
}
"""The clause on drawing, by phase."""


def explain(position: TrianglePosition, action: Action) -> Refusal | None:
    """The most specific clause that `action` breaks in `position`, or None where it is legal."""
    if position.ending is not None:
        return Refusal(position.ending)
    if isinstance(action, Draw):
        return _explain_draw(position, action)
    if position.due:
        return _drawing(position)
    if isinstance(action, Place):
        return _explain_place(position, action)
    return _explain_pass(position, action)


def _drawing(position: TrianglePosition) -> Refusal:
    """Who draws now, if anybody."""
    facts = {"player": position.player} if position.due else {}
    return Refusal(DRAWING_CLAUSES[position.phase], facts=facts)


def _explain_draw(position: TrianglePosition, action: Draw) -> Refusal | None:
    if not position.due or action.player != position.player:
        return _drawing(position)
    unseen = position.may_hide if action.tile is None else position.unseen >> position.game.index[action.tile] & 1
    return None if unseen else _drawing(position)


def _explain_place(position: TrianglePosition, action: Place) -> Refusal | None:
    game, cell, site = position.game, action.cell, f"cell:{action.cell}"
    tile = game.index[action.tile]
    if not position.may_hold(position.player) >> tile & 1:
        lies = _cell_of(position, tile)
        if lies is not None:
            return Refusal("TRI-PLACE-5", (f"cell:{lies}", site), {"tile": action.tile, "cell": lies})
        return Refusal("TRI-PLACE-4", (site,), {"tile": action.tile, "player": position.player})
    if not position.frontier >> cell & 1:
        if position.first:
            return Refusal("TRI-PLACE-1", (site,), {"cell": cell, "bonus": game.bonus[cell]})
        why = "alone" if position.board[cell] < 0 else "taken"
        return Refusal("TRI-PLACE-2", (site,), {"cell": cell, "why": why})
    fitting = game.fits.by_need[position.need[cell]][tile]
    if action.rotation not in fitting:
        return _explain_colours(position, action, tuple(str(game.places[cell][tile][k]) for k in fitting))
    return None


def _cell_of(position: TrianglePosition, tile: int) -> int | None:
    return next((cell for cell, code in enumerate(position.board) if code >= 0 and code // 3 == tile), None)


def _explain_colours(position: TrianglePosition, action: Place, instead: tuple[str, ...]) -> Refusal | None:
    """TRI-PLACE-3 for the first edge where the colours differ."""
    for neighbour, mine, theirs in mismatches(position, action):
        facts: dict[str, str | int] = {"mine": mine, "theirs": theirs, "tile": action.tile, "cell": neighbour}
        return Refusal("TRI-PLACE-3", (f"cell:{action.cell}", f"cell:{neighbour}"), facts, instead)
    # The edges fit: the rotation is not the lowest one that shows them, so it is no action of the notation.
    return Refusal("TRI-PLACE-3", (f"cell:{action.cell}",), instead=instead)


def mismatches(position: TrianglePosition, action: Place) -> list[tuple[int, str, str]]:
    """Where the colours differ: the cell on the other side of the edge, the tile's colour there, and the other's."""
    mine, found = edges(action.tile, action.rotation), []
    for side, neighbour in position.game.cells[action.cell].neighbours:
        if position.board[neighbour] < 0:
            continue
        theirs = _edges_at(position, neighbour)
        if mine[side] != theirs[side] and JOKER not in (mine[side], theirs[side]):
            found.append((neighbour, mine[side], theirs[side]))
    return found


def may_stand(refusal: Refusal) -> bool:
    """Whether the game can go on after an action that was refused so: a tile of one's own on an empty field."""
    if refusal.clause == "TRI-PLACE-2":
        return refusal.facts["why"] == "alone"
    return refusal.clause == "TRI-PLACE-1" or (refusal.clause == "TRI-PLACE-3" and len(refusal.sites) > 1)


def _edges_at(position: TrianglePosition, cell: int) -> str:
    tile, rotation = divmod(position.board[cell], 3)
    return edges(position.game.tiles[tile], rotation)


def _explain_pass(position: TrianglePosition, action: Pass | Swap) -> Refusal | None:
    able = position.hands[position.player] & position.fitting
    if able:
        return _can_place(position, able)
    return _explain_swap(position, action.tile) if isinstance(action, Swap) else None


def _can_place(position: TrianglePosition, tiles: int) -> Refusal:
    place = next(place for place in position.placements() if tiles >> position.game.index[place.tile] & 1)
    return Refusal("TRI-PASS-1", (f"cell:{place.cell}",), {"tile": place.tile, "cell": place.cell}, (str(place),))


def _explain_swap(position: TrianglePosition, name: str) -> Refusal | None:
    bit = 1 << position.game.index[name]
    if not position.may_hold(position.player) & bit:
        return Refusal("TRI-PASS-2", facts={"tile": name, "why": "absent"})
    if not position.bag:
        return Refusal("TRI-PASS-2", facts={"tile": name, "why": "no bag"})
    if position.fitting & bit:  # a tile that nobody had shown
        return _can_place(position, bit)
    return None


def judge(position: TrianglePosition, seen: Mapping[str, str]) -> Judgement | None:
    """What was done against the rules: a tile moved or taken away, one too many, or one where it may not lie."""
    cells = sorted((int(site[len("cell:") :]), label) for site, label in seen.items() if site.startswith("cell:"))
    lifted = [cell for cell, _ in cells if position.board[cell] >= 0]
    laid = [_placement(position, cell, label) for cell, label in cells if label != EMPTY]
    sites = tuple(f"cell:{cell}" for cell in dict.fromkeys([*lifted, *(place.cell for place in laid)]))
    if lifted:
        tile = position.game.tiles[position.board[lifted[0]] // 3]
        return Judgement(Refusal("TRI-PLACE-5", sites, {"tile": tile, "cell": lifted[0]}))
    for place in laid:
        refusal = position.explain(place)
        if refusal is not None:
            return Judgement(refusal, place)
    if len(laid) > 1:
        return Judgement(Refusal("TRI-DRAW-1", sites), laid[-1])
    return None


def _placement(position: TrianglePosition, cell: int, label: str) -> Place:
    tile, _, rotation = label.partition("/")
    return position.game.places[cell][position.game.index[tile]][int(rotation)]
