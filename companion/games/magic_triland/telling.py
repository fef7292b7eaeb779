"""What happens in a game of Magic Triland, and what the table then shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from companion.games.core import CHANCE, Event, Sign, View
from companion.games.magic_triland import endings
from companion.games.magic_triland.actions import FORFEIT, PEARL, Action, Block, Go, Offer, Share, Trade, Word
from companion.games.magic_triland.items import KINDS
from companion.games.sites import EMPTY

if TYPE_CHECKING:
    from companion.games.magic_triland.position import TrilandPosition


def view(position: TrilandPosition) -> View:
    """Cells and messengers; one on a larger terrace may stand on any of its cells."""
    sites = {
        f"cell:{cell.name}": str(height) if height else EMPTY
        for cell, height in zip(position.game.cells, position.heights, strict=True)
    }
    either = {}
    for messenger in range(len(position.places)):
        labels = spots(position, messenger)
        if len(labels) == 1:
            sites[position.site(messenger)] = labels[0]
        else:
            either[position.site(messenger)] = labels
    return View(sites, either=either)


def spots(position: TrilandPosition, messenger: int) -> tuple[str, ...]:
    """Where the messenger may be seen to stand."""
    land, place = position.land, position.places[messenger]
    if land is None:
        return (f"@{position.game.messengers[messenger].partition('-')[2]}",)
    return tuple(position.game.cells[cell].name for cell in land.cells[place]) or (land.names[place],)


def signs(position: TrilandPosition, action: Action) -> tuple[Sign, ...]:
    """A block shows on its cell; a messenger where it went, if that is one spot."""
    if isinstance(action, Block):
        return (Sign((f"cell:{action.cell}",), str(action.height)),)
    if isinstance(action, Go) and position.land is not None:
        messenger, place = position.called(action.who), position.land.number[action.end]
        if messenger is not None and len(position.land.cells[place]) <= 1:
            return (Sign((position.site(messenger),), action.end),)
    return ()


def events(position: TrilandPosition, action: Action) -> tuple[Event, ...]:
    """What the `action` brings about, one that is legal or may stand."""
    after = position.let_stand(action)
    return (*_deeds(position, action, after), *_consequences(position, after))


def _deeds(position: TrilandPosition, action: Action, after: TrilandPosition) -> Iterator[Event]:
    player = position.player
    match action:
        case Go(who, end, cost):
            yield Event("go", {"player": player, "who": who, "end": end, "cost": cost})
            if after.other >= 0:
                facts = {"player": player, "other": position.owner(after.other)}
                yield Event("meet own" if facts["player"] == facts["other"] else "meet", facts)
        case Trade() | Offer() if after.arrived < 0:
            yield Event("trade", _exchanged(position, after))
        case Offer(item):
            yield Event("offer", {"player": position.owner(position.other), "item": item})
        case Share():
            yield Event("share", {"player": player})
        case Word() if action == PEARL:
            place = position.places[position.arrived]
            yield Event("pearl", {"player": player, "item": KINDS[position.shore_pearl(place)]})
        case Word() if action == FORFEIT:
            yield Event("forfeit", {"player": player, "energy": position.energy})


def _exchanged(position: TrilandPosition, after: TrilandPosition) -> dict[str, Any]:
    """Who gets what; the player is the one who arrived."""
    arrived, other = position.arrived, position.other
    gained = after.items[arrived] - position.items[arrived]
    facts: dict[str, Any] = {"player": position.owner(arrived), "other": position.owner(other)}
    if not gained:
        return {**facts, "item": "the same", "taken": "the same"}
    lost, won = (next(k for k in range(len(KINDS)) if _one(value, k)) for value in (-gained, gained))
    return {**facts, "item": KINDS[lost], "taken": KINDS[won]}


def _one(difference: int, kind: int) -> bool:
    """Whether of one thing less and one more the one more is of that kind."""
    return any(difference == (1 << 8 * kind) - (1 << 8 * other) for other in range(len(KINDS)) if other != kind)


def _consequences(position: TrilandPosition, after: TrilandPosition) -> Iterator[Event]:
    if after.ending is not None:
        for player, points in enumerate(after.scores):
            pearls = endings.points(after, player)
            facts = {"player": player, "pearls": pearls, "bonus": points - pearls, "points": points}
            yield Event("score", facts)
        yield Event("over", {"clause": after.ending})
        return
    if after.turns > position.turns and not any(map(any, after.laid)):
        yield Event("cards", {})
    if after.turn not in (CHANCE, position.turn):
        yield Event("turn", {"player": after.turn})
