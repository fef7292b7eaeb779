"""From texts to actions: spelling is exact."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.games.core import NotationError
from companion.games.magic_triland.actions import FORFEIT, KEEP, PEARL, Action, Card, Cards, Go, Pull, Share
from companion.games.magic_triland.items import KIND, LETTERS
from companion.games.magic_triland.landset import BROADSIDES, HOMES, SHADES

if TYPE_CHECKING:
    from companion.games.magic_triland.rules import MagicTriland

WORDS = {word.word: word for word in (FORFEIT, PEARL, KEEP)}
FORMS = (
    "`block HEIGHT CELL`, `pull PLAYER VALUE`, `cards VALUE VALUE`, `go MESSENGER PLACE COST`, `forfeit`, "
    "`trade GIVE TAKE`, `offer ITEM`, `share ITEMS/ITEMS`, `pearl` or `keep`"
)


def parse(game: MagicTriland, text: str) -> Action:
    """The action that `text` stands for.

    Raises:
        NotationError: the text stands for no action.
    """
    match text.split(" "):
        case ["block", height, cell]:
            heights = range(1, game.set.block.heights + 1)
            return game.blocks[_number(height, heights, "height")][_cell(game, cell)]
        case ["pull", player, value]:
            return _pull(game, player, value)
        case ["cards", first, second]:
            return _cards(game, first, second)
        case ["go", who, end, cost]:
            return _go(game, who, end, cost)
        case ["trade", give, take]:
            return game.trades[_item(give)][_item(take)]
        case ["offer", item]:
            return game.offers[_item(item)]
        case ["share", items] if items.count("/") == 1:
            arriving, other = items.split("/")
            return Share(_letters(arriving), _letters(other))
        case [word] if word in WORDS:
            return WORDS[word]
    raise NotationError(f"{text!r} is no action; write {FORMS}")


def _pull(game: MagicTriland, player: str, value: str) -> Pull:
    number = _number(player, range(max(game.player_counts)), "player")
    if value == "?" and game.hidden_draws:
        return Pull(number, None)
    return Pull(number, _value(game, value))


def _value(game: MagicTriland, text: str) -> int:
    value = _number(text, range(max(game.values) + 1), "card")
    if value not in game.values:
        raise NotationError(f"there is no card {value}; the cards are {', '.join(map(str, game.values))}")
    return value


def _cards(game: MagicTriland, first: str, second: str) -> Cards:
    cards = Cards(_card(game, first), _card(game, second))
    if cards.first > cards.second:
        raise NotationError(f"the lower card comes first: write `{Cards(cards.second, cards.first)}`")
    return cards


def _card(game: MagicTriland, text: str) -> Card:
    value, equals, counts = text.partition("=")
    if not equals:
        return Card(_value(game, value), int(value))
    if value != "0" or 0 not in game.values:
        raise NotationError(f"{text!r} is no card: only a 0 can count more than it says")
    return Card(0, _number(counts, range(1, len(BROADSIDES) + 1), "what a 0 counts"))


def _go(game: MagicTriland, who: str, end: str, cost: str) -> Go:
    if who not in (*SHADES, *HOMES):
        raise NotationError(f"there is no messenger {who!r}; it is called {', '.join((*SHADES, *HOMES))}")
    if (end[:1] == "@" and end[1:] in HOMES) or (end[:1] == "~" and end[1:] in BROADSIDES):
        place = end
    else:
        place = game.cells[_cell(game, end)].name
    return Go(who, place, _number(cost, range(100), "cost"))


def _cell(game: MagicTriland, name: str) -> int:
    if name not in game.cell_number:
        raise NotationError(f"there is no cell {name!r}; the cells are A1 to {game.cells[-1].name}")
    return game.cell_number[name]


def _item(name: str) -> int:
    if name not in KIND:
        raise NotationError(f"there is no ring or pearl {name!r}; the colours are {', '.join(KIND)}")
    return KIND[name]


def _letters(text: str) -> str:
    if not set(text) <= set(LETTERS) or len(text) > 40 or list(text) != sorted(text, key=LETTERS.index):
        raise NotationError(f"{text!r} does not name things: write the letters {LETTERS} in this order")
    return text


def _number(text: str, allowed: range, what: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,3}", text) or int(text) not in allowed:
        raise NotationError(f"{what} {text!r} is none; it can be {allowed[0]} to {allowed[-1]}")
    return int(text)
