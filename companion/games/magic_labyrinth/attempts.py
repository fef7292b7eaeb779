"""What somebody did who made the table look so: a wall pulled or put back, a figure or the chip moved wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from companion.games.core import Judgement, Refusal
from companion.games.magic_labyrinth.actions import Action, Early, Insert
from companion.games.magic_labyrinth.showing import CHIP, NONE
from companion.games.sites import EMPTY

if TYPE_CHECKING:
    from companion.games.magic_labyrinth.position import MagicLabyrinthPosition


def judge(position: MagicLabyrinthPosition, seen: Mapping[str, str]) -> Judgement | None:
    """The first thing done that the rules refuse; None where nothing tells."""
    stranger = _stranger(position, seen)
    if stranger is not None:
        return Judgement(stranger)
    for action in (*_walls(position, seen), *_steps(position, seen)):
        refusal = position.explain(action)
        if refusal is not None:
            return Judgement(refusal, action)
    return _chip(position, seen)


def _stranger(position: MagicLabyrinthPosition, seen: Mapping[str, str]) -> Refusal | None:
    """Somebody else's figure has left its field."""
    seats = position.game.seats(position.players)
    standing = {label for site, label in seen.items() if site.startswith("cell:")}
    for player, field in enumerate(position.figures):
        site = f"cell:{position.game.grid.cells[field]}"
        mine = position.game.seat_colours[seats[player]]
        if player != position.player and seen.get(site, mine) != mine and mine in standing:
            facts: dict[str, str | int] = {"player": player, "why": "not now"}
            return Refusal("MAG-TURN-1", (site,), facts)
    return None


def _walls(position: MagicLabyrinthPosition, seen: Mapping[str, str]) -> Iterator[Action]:
    """Walls that were pulled, and walls that were put in; their colours are those that left the tray."""
    gone = [k for k in range(len(position.tray)) if seen.get(f"tray:{k}") == EMPTY]
    colours = [position.game.colours[position.tray[k]] for k in gone] or list(position.game.colours[:1])
    for site, label in sorted(seen.items()):
        kind, _, slot = site.partition(":")
        if kind == "slot":
            yield Early(slot) if label == EMPTY else Insert(colours[0], slot)


def _steps(position: MagicLabyrinthPosition, seen: Mapping[str, str]) -> Iterator[Action]:
    """The player's figure on another field."""
    game, start = position.game, position.figures[position.player]
    mine = game.seat_colours[game.seats(position.players)[position.player]]
    came = [site[5:] for site, label in seen.items() if site.startswith("cell:") and label == mine]
    if len(came) != 1:
        return
    end = game.grid.cell[came[0]]
    over = [way.field for way in game.grid.around[start] if any(on.field == end for on in way.onward)]
    occupied = [field for field in over if position.occupied >> field & 1]
    yield game.jumps[occupied[0], end] if occupied and position.phase == "turn" else game.steps[end]


def _chip(position: MagicLabyrinthPosition, seen: Mapping[str, str]) -> Judgement | None:
    """The chip taken too early, or laid on a wrong field."""
    if CHIP not in seen or CHIP not in position.view().sites:
        return None
    place = position.view().sites[CHIP]
    if place == NONE:
        return Judgement(Refusal("MAG-SETUP-3", (CHIP,), {"player": position.player, "why": "draw"}))
    if seen[CHIP] == NONE:
        return Judgement(Refusal("MAG-SYMBOL-1", (CHIP,), {"player": position.player, "why": "not now"}))
    return Judgement(Refusal("MAG-SYMBOL-2", (CHIP, f"cell:{place}"), {"place": place}))
