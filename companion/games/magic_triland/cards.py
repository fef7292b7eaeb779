"""Energy cards: hands, what can be laid, and cards that change hands.

Cards are counted by value: a tuple with a number for each value of the set. A *deck* is what a player takes up; *laid*
is what the player has laid since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from companion.games.magic_triland.actions import Card, Cards

Counts = tuple[int, ...]


@cache
def left(deck: Counts, laid: Counts) -> Counts:
    """What is still in hand."""
    return tuple(have - gone for have, gone in zip(deck, laid, strict=True))


@cache
def changed(counts: Counts, index: int, by: int) -> Counts:
    """The counts with one of them changed."""
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])


@cache
def playable(values: tuple[int, ...], hand: Counts, joker: int) -> tuple[Cards, ...]:
    """Every two cards of the hand; a 0 may count up to `joker` (TLD-CARD-3)."""
    cards = [
        Card(value, counts)
        for value, number in zip(values, hand, strict=True)
        if number
        for counts in (range(joker + 1) if value == 0 else (value,))
    ]
    number = dict(zip(values, hand, strict=True))
    return tuple(
        Cards(first, second)
        for k, first in enumerate(cards)
        for second in cards[k:]
        if first.value != second.value or number[first.value] > 1
    )


def exchanged(decks: Sequence[Counts], pulls: Sequence[int]) -> tuple[Counts, ...]:
    """The decks after each player has pulled a card (its place among the values) from the next one (TLD-CARD-2)."""
    return tuple(changed(changed(deck, pulls[k - 1], -1), pulls[k], 1) for k, deck in enumerate(decks))


def worlds(decks: Sequence[Counts], pulls: Sequence[int], laid: Sequence[Counts]) -> Iterator[tuple[Counts, ...]]:
    """The decks after the pulls as they may be: -1 stands for a card that nobody has shown."""
    count = len(decks)
    drawn = [
        [pull] if pull >= 0 else [value for value, number in enumerate(decks[(k + 1) % count]) if number]
        for k, pull in enumerate(pulls)
    ]
    for way in product(*drawn):
        after = exchanged(decks, way)
        if all(
            have >= gone for deck, out in zip(after, laid, strict=True) for have, gone in zip(deck, out, strict=True)
        ):
            yield after
