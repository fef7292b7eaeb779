"""Why an action is against the rules of Magic Triland, and what somebody did who made the table look so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.core import Judgement, Refusal
from companion.games.magic_triland import items as things
from companion.games.magic_triland import listing, moving
from companion.games.magic_triland.actions import FORFEIT, Action, Block, Cards, Go, Offer, Pull, Share, Trade, Word
from companion.games.magic_triland.items import KIND, RINGS
from companion.games.sites import EMPTY

if TYPE_CHECKING:
    from companion.games.magic_triland.position import TrilandPosition

PHASES: Mapping[type[tuple[object, ...]], str] = {
    Block: "landscape", Pull: "pull", Cards: "cards", Go: "go", Trade: "trade", Offer: "offer", Share: "share",
}  # fmt: skip
"""The phase to which each kind of action belongs."""
EXCHANGES = {"trade": "TLD-TRADE-2", "offer": "TLD-TRADE-3", "share": "TLD-TRADE-4"}
"""The clause on meeting, by phase."""
BELONGS = {
    "landscape": "TLD-SETUP-5", "pull": "TLD-CARD-2", "cards": "TLD-CARD-1", "go": "TLD-CARD-1",
    "trade": "TLD-TRADE-1", "offer": "TLD-TRADE-1", "share": "TLD-TRADE-1", "pearl": "TLD-PEARL-1",
}  # fmt: skip
"""The clause about what belongs to a phase."""


def explain(position: TrilandPosition, action: Action) -> Refusal | None:
    """The most specific clause that `action` breaks in `position`, or None where it is legal."""
    if position.ending is not None:
        return Refusal(position.ending)
    if _phase_of(action) != position.phase:
        return _out_of_turn(position, action)
    match action:
        case Block():
            return _explain_block(position, action)
        case Pull():
            return None if action in listing.pulls(position) else _pulling(position)
        case Cards():
            return _explain_cards(position, action)
        case Go():
            return moving.explain(position, action)
        case Trade():
            strong = position.strong
            weak = position.arrived + position.other - strong
            return _lacks(position, strong, action.give) or _lacks(position, weak, action.take)
        case Offer():
            return _lacks(position, position.offering, action.item)
        case Share():
            return _explain_share(position, action)
    return _explain_forfeit(position) if action == FORFEIT else None


def may_stand(position: TrilandPosition, action: Action, refusal: Refusal) -> bool:
    """Whether the game can go on after an action that was refused so: things are there, and there is room for them."""
    if position.over or _phase_of(action) != position.phase:
        return False
    match action:
        case Block():
            return refusal.clause == "TLD-SETUP-4" and not position.heights[position.game.cell_number[action.cell]]
        case Cards():
            return refusal.clause == "TLD-CARD-3"
        case Go():
            return moving.may_stand(position, action)
    return action == FORFEIT


def _phase_of(action: Action) -> str:
    if isinstance(action, Word):
        return "go" if action == FORFEIT else "pearl"
    return PHASES[type(action)]


def _out_of_turn(position: TrilandPosition, action: Action) -> Refusal:
    """The action belongs to another part of the game."""
    phase, belongs = position.phase, _phase_of(action)
    if phase == "landscape":
        return Refusal("TLD-SETUP-5", facts={"count": position.heights.count(0)})
    if phase == "pull":
        return _pulling(position)
    if belongs in ("landscape", "pull"):
        return Refusal(BELONGS[belongs])
    if phase in EXCHANGES:
        return Refusal(EXCHANGES[phase] if belongs in EXCHANGES else "TLD-TRADE-1")
    if phase == "pearl" and isinstance(action, Go):
        return Refusal("TLD-MOVE-1", facts={"who": action.who, "why": "unsettled"})
    if phase == "pearl" and belongs not in EXCHANGES:
        return Refusal("TLD-PEARL-1")
    return Refusal(BELONGS["cards" if belongs == "go" else belongs])


def _pulling(position: TrilandPosition) -> Refusal:
    """Who pulls a card now, and from whom."""
    player = len(position.pulls)
    return Refusal("TLD-CARD-2", facts={"player": player, "other": (player + 1) % position.players})


def _explain_block(position: TrilandPosition, action: Block) -> Refusal | None:
    site = (f"cell:{action.cell}",)
    if not position.blocks[position.player][action.height]:
        return Refusal("TLD-SETUP-3", site, {"player": position.player, "height": action.height})
    cells = listing.free_cells(position)
    if position.game.cell_number[action.cell] in cells:
        return None
    height = position.heights[position.game.cell_number[action.cell]]
    why = "taken" if height else "not before a home"
    instead = tuple(str(position.game.blocks[action.height][cell]) for cell in cells) if len(cells) <= 3 else ()
    return Refusal("TLD-SETUP-4", site, {"cell": action.cell, "why": why}, instead)


def _explain_cards(position: TrilandPosition, action: Cards) -> Refusal | None:
    values = position.game.values
    wanted = [card.value for card in action]
    hands = position.hands(position.player)
    if not any(all(hand[values.index(v)] >= wanted.count(v) for v in wanted) for hand in hands):
        return Refusal("TLD-CARD-1", facts={"player": position.player, "cards": f"{action.first} {action.second}"})
    most = max((card.counts for card in action if card.value == 0), default=0)
    if most > position.joker:
        return Refusal("TLD-CARD-3", facts={"player": position.player, "count": position.joker})
    return None


def _lacks(position: TrilandPosition, messenger: int, item: str) -> Refusal | None:
    if KIND[item] in things.kinds(position.items[messenger]):
        return None
    facts: dict[str, str | int] = {"player": position.owner(messenger), "who": position.name(messenger), "item": item}
    return Refusal(EXCHANGES[position.phase], (position.site(messenger),), facts)


def _explain_share(position: TrilandPosition, action: Share) -> Refusal | None:
    parts = [things.spelt(action.arriving), things.spelt(action.other)]
    carried = [position.items[position.arrived], position.items[position.other]]
    if parts == carried:
        return None
    piece = position.game.set.piece
    counts = [things.counts(part) for part in parts]
    if sum(parts) != sum(carried):
        why = "other things"
    elif not all(parts):
        why = "nothing left"
    elif any(sum(c[:RINGS]) > piece.max_rings or sum(c[RINGS:]) > piece.max_pearls for c in counts):
        why = "too many"
    else:
        return None
    sites = (position.site(position.arrived), position.site(position.other))
    return Refusal("TLD-TRADE-4", sites, {"why": why, "rings": piece.max_rings, "pearls": piece.max_pearls})


def _explain_forfeit(position: TrilandPosition) -> Refusal | None:
    move = next(position.standing.moves(position.movers, position.energy), None)
    if move is None:
        return None
    messenger, cost, ends = move
    place = position.standing.land.names[(ends & -ends).bit_length() - 1]
    instead = (str(Go(position.name(messenger), place, cost)),)
    return Refusal("TLD-CARD-4", facts={"energy": position.energy, "why": "possible"}, instead=instead)


def judge(position: TrilandPosition, seen: Mapping[str, str]) -> Judgement | None:
    """What was done against the rules: a block or a messenger put where it may not be, or moved out of turn."""
    for site, label in sorted(seen.items()):
        kind, _, name = site.partition(":")
        judgement = _judge_cell(position, name, label) if kind == "cell" else _judge_piece(position, name, label)
        if judgement is not None:
            return judgement
    return None


def _judge_cell(position: TrilandPosition, cell: str, label: str) -> Judgement | None:
    height = position.heights[position.game.cell_number[cell]]
    if position.land is not None or height:
        return Judgement(Refusal("TLD-SETUP-5" if position.land else "TLD-SETUP-4", (f"cell:{cell}",)))
    if label == EMPTY:
        return None
    action = position.game.blocks[int(label)][position.game.cell_number[cell]]
    refusal = position.explain(action)
    return Judgement(refusal, action) if refusal else None


def _judge_piece(position: TrilandPosition, name: str, label: str) -> Judgement | None:
    messenger = position.game.messengers.index(name)
    if label == "off" or (position.land is None and label[:1] == "@"):
        return None
    if position.phase != "go":
        clause = position.ending or BELONGS[position.phase]
        return Judgement(Refusal(clause, (f"piece:{name}",)))
    if position.owner(messenger) != position.player:
        facts = {"who": position.name(messenger), "why": "not yours"}
        return Judgement(Refusal("TLD-MOVE-1", (f"piece:{name}",), facts))
    return moving.judge(position, messenger, label)
