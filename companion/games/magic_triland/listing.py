"""The legal actions of a position, phase by phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.magic_triland import items as things
from companion.games.magic_triland.actions import FORFEIT, KEEP, PEARL, Action, Go, Pull, Share
from companion.games.magic_triland.cards import playable
from companion.games.magic_triland.landset import HOMES

if TYPE_CHECKING:
    from companion.games.magic_triland.position import TrilandPosition


def actions(position: TrilandPosition) -> tuple[Action, ...]:
    """Every action possible, each once."""
    match position.phase:
        case "landscape":
            cells, stock = free_cells(position), position.blocks[position.player]
            return tuple(
                blocks[cell] for blocks, n in zip(position.game.blocks, stock, strict=True) if n for cell in cells
            )
        case "pull":
            return pulls(position)
        case "cards":
            values, joker = position.game.values, position.joker
            ways = [playable(values, hand, joker) for hand in position.hands(position.player)]
            return ways[0] if len(ways) == 1 else tuple(dict.fromkeys(cards for way in ways for cards in way))
        case "go":
            return goes(position) or (FORFEIT,)
        case "trade":
            strong, weak = position.strong, position.arrived + position.other - position.strong
            give, take = things.kinds(position.items[strong]), things.kinds(position.items[weak])
            return tuple(position.game.trades[g][t] for g in give for t in take)
        case "offer":
            return tuple(position.game.offers[kind] for kind in things.kinds(position.items[position.offering]))
        case "share":
            return shares(position)
        case "pearl":
            return (PEARL, KEEP)
    return ()


def free_cells(position: TrilandPosition) -> list[int]:
    """Where the next block may go (TLD-SETUP-4)."""
    heights, home_cells = position.heights, position.game.home_cells
    if sum(map(bool, heights)) < len(HOMES):
        before = home_cells if position.variant.duel else (home_cells[position.player],)
        free = [cell for cell in before if not heights[cell]]
        if free:  # not where a block stands there by a ruling
            return free
    return [cell for cell, height in enumerate(heights) if not height]


def pulls(position: TrilandPosition) -> tuple[Pull, ...]:
    """The cards that may be pulled next (TLD-CARD-2)."""
    player, game = len(position.pulls), position.game
    deck = position.decks[(player + 1) % position.players]
    known = tuple(Pull(player, value) for value, count in zip(game.values, deck, strict=True) if count)
    return (*known, Pull(player, None)) if game.hidden_draws else known


def goes(position: TrilandPosition) -> tuple[Go, ...]:
    """The moves of one messenger after which the others can use up the rest (TLD-CARD-4)."""
    assert position.land is not None
    spots, found = position.land.spots, []
    for messenger, cost, ends in position.standing.moves(position.movers, position.energy):
        moves = position.game.goes[position.name(messenger)][cost]
        while ends:
            end = ends & -ends
            found.append(moves[spots[end.bit_length() - 1]])
            ends ^= end
    return tuple(found)


def shares(position: TrilandPosition) -> tuple[Share, ...]:
    """Every division of what both carry, and all as it is (TLD-TRADE-4)."""
    mine, theirs = position.items[position.arrived], position.items[position.other]
    piece, now = position.game.set.piece, (things.letters(mine), things.letters(theirs))
    divided = things.divisions(mine + theirs, piece.max_rings, piece.max_pearls)
    return tuple(Share(*way) for way in dict.fromkeys((now, *divided)))
