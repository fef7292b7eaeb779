"""The actions of Magic Triland and their notation."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Block(NamedTuple):
    """A block of that height onto a cell."""

    height: int
    cell: str

    def __str__(self) -> str:
        return f"block {self.height} {self.cell}"


class Pull(NamedTuple):
    """Chance: the player gets a card from the player on the right. `value` is None where nobody tells which."""

    player: int
    value: int | None

    def __str__(self) -> str:
        return f"pull {self.player} {'?' if self.value is None else self.value}"


class Card(NamedTuple):
    """A card as it is laid: the printed value, and what it counts (more than printed: a 0 as a joker)."""

    value: int
    counts: int

    def __str__(self) -> str:
        return str(self.value) if self.counts == self.value else f"{self.value}={self.counts}"


class Cards(NamedTuple):
    """Two cards laid down, the lower one first."""

    first: Card
    second: Card

    @property
    def energy(self) -> int:
        """What both count together."""
        return self.first.counts + self.second.counts

    def __str__(self) -> str:
        return f"cards {self.first} {self.second}"


class Go(NamedTuple):
    """A messenger goes to a place at that cost. `who`: its shade, in the duels its colour."""

    who: str
    end: str
    cost: int

    def __str__(self) -> str:
        return f"go {self.who} {self.end} {self.cost}"


class Trade(NamedTuple):
    """What the strong messenger gives, and what it takes."""

    give: str
    take: str

    def __str__(self) -> str:
        return f"trade {self.give} {self.take}"


class Offer(NamedTuple):
    """What an equally strong messenger gives."""

    item: str

    def __str__(self) -> str:
        return f"offer {self.item}"


class Share(NamedTuple):
    """What the arriving messenger then carries, and the other of the same player; letters in order."""

    arriving: str
    other: str

    def __str__(self) -> str:
        return f"share {self.arriving}/{self.other}"


class Word(NamedTuple):
    """An action that says all in one word."""

    word: Literal["forfeit", "pearl", "keep"]

    def __str__(self) -> str:
        return self.word


FORFEIT, PEARL, KEEP = Word("forfeit"), Word("pearl"), Word("keep")

Action = Block | Pull | Cards | Go | Trade | Offer | Share | Word
