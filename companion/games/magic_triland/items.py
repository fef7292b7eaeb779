"""What messengers carry: rings and pearls, a multiset kept as one number with a byte a kind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

KINDS = ("red", "yellow", "blue", "orange", "green", "purple")
"""Rings, then pearls, in the order of the notation."""
RINGS = 3
"""How many of the kinds are rings."""
LETTERS = "RYBOGP"
KIND = {name: kind for kind, name in enumerate(KINDS)}

Items = int


def some(kind: int, count: int = 1) -> Items:
    """So many things of a kind."""
    return count << 8 * kind


def counts(items: Items) -> tuple[int, ...]:
    """How many there are of each kind."""
    return tuple(items.to_bytes(len(KINDS), "little"))


@cache
def kinds(items: Items) -> tuple[int, ...]:
    """The kinds that occur."""
    return tuple(kind for kind, count in enumerate(counts(items)) if count)


def pearls(items: Items) -> tuple[int, ...]:
    """The kinds of pearls that occur."""
    return tuple(kind for kind in kinds(items) if kind >= RINGS)


def letters(items: Items) -> str:
    """In notation: a letter a thing, in order."""
    return "".join(letter * count for letter, count in zip(LETTERS, counts(items), strict=True))


def spelt(text: str) -> Items:
    """The things that letters stand for."""
    return sum(some(LETTERS.index(letter)) for letter in text)


def divisions(items: Items, max_rings: int, max_pearls: int) -> Iterator[tuple[str, str]]:
    """Every way to divide the things between two messengers, in letters: at least one and at most so many for each."""
    owned = counts(items)
    pearl_parts = _parts(LETTERS[RINGS:], owned[RINGS:], max_pearls)
    for rings, other_rings in _parts(LETTERS[:RINGS], owned[:RINGS], max_rings):
        for balls, other_balls in pearl_parts:
            one, other = rings + balls, other_rings + other_balls
            if one and other:
                yield one, other


def _parts(kinds: str, owned: tuple[int, ...], most: int) -> list[tuple[str, str]]:
    """Things of these kinds divided in two, at most so many in each part."""
    total = sum(owned)
    ways = product(*(range(count + 1) for count in owned))
    return [
        (
            "".join(letter * taken for letter, taken in zip(kinds, part, strict=True)),
            "".join(letter * (count - taken) for letter, count, taken in zip(kinds, owned, part, strict=True)),
        )
        for part in ways
        if total - most <= sum(part) <= most
    ]
