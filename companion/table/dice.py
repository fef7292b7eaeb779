"""Virtual dice that anybody can check.

Before the first roll a secret *seed* is drawn from the operating system's generator, and its *commitment*, a hash, is
shown. Every roll follows from the seed alone: roll by roll a chain of hashes goes on, and each link gives the faces of
one roll. When the seed is revealed at the end, anybody can hash it again, see that it is the seed that was committed,
and follow the chain: no roll was picked, left out or thrown twice.

Written down for checking by hand (`sha256` of UTF-8 text, as hexadecimal digits):

    commitment = sha256("commitment " + seed)
    link 0     = seed
    link n     = sha256("link " + link n-1)
    faces of roll n: the bytes of link n, one after the other. A die with k faces takes the next byte b that is below
    the largest multiple of k up to 256, and shows face number b modulo k, counted from 0. Where the bytes run out,
    those of sha256("more " + link n) follow, and so on from that.

A die is a list of faces; the same face may stand on it more than once.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from hashlib import sha256
from math import erfc, exp, lgamma, log, sqrt
from typing import NamedTuple, TypeAlias

Face: TypeAlias = int | str
Die: TypeAlias = tuple[Face, ...]

SEED_BYTES = 32
ENOUGH = 5
"""Chi-square says something once every face is expected so many times."""


class Roll(NamedTuple):
    """One throw of some dice: `number` counts throws from 1; `dice` and the `faces` that they showed go together."""

    number: int
    dice: tuple[Die, ...]
    faces: tuple[Face, ...]


class DiceError(ValueError):
    """A die that cannot be rolled, or rolls that do not follow from a seed; the message is one sentence for people."""


class Dice:
    """Dice with a committed seed.

    `rolls` is everything that was thrown, also what the game took back later; kept with `seed`, it goes on after a
    restart. The seed must stay secret until the end.
    """

    def __init__(self, seed: str | None = None, rolls: Iterable[Roll] = ()) -> None:
        """Draws a seed, or takes up dice where they were.

        Raises:
            DiceError: the seed is none, or the rolls do not follow from it.
        """
        self.seed = secrets.token_hex(SEED_BYTES) if seed is None else seed
        self.commitment = commitment_of(self.seed)
        self.rolls: list[Roll] = []
        self._link = self.seed
        for roll in rolls:
            faces = self.roll(*roll.dice)
            if self.rolls[-1] != roll:
                told, true = (", ".join(map(str, f)) for f in (roll.faces, faces))
                raise DiceError(f"roll {roll.number} was {told}, but from this seed roll {len(self.rolls)} is {true}")

    def roll(self, *dice: Sequence[Face]) -> tuple[Face, ...]:
        """Throws dice, each a list of faces; one throw takes one link of the chain.

        Raises:
            DiceError: a die has no faces, or more than 256; nothing was thrown then.
        """
        for die in dice:
            if not 1 <= len(die) <= 256:
                raise DiceError(f"a die has 1 to 256 faces, not {len(die)}")
        self._link = _hash("link", self._link)
        source = _bytes(self._link)
        faces = tuple(die[_below(len(die), source)] for die in dice)
        self.rolls.append(Roll(len(self.rolls) + 1, tuple(map(tuple, dice)), faces))
        return faces


def commitment_of(seed: str) -> str:
    """The hash that is shown before the first roll.

    Raises:
        DiceError: the text is no seed.
    """
    if len(seed) != 2 * SEED_BYTES or set(seed) - set("0123456789abcdef"):
        raise DiceError(f"a seed is {2 * SEED_BYTES} hexadecimal digits in small letters")
    return _hash("commitment", seed)


def check(commitment: str, seed: str, rolls: Iterable[Roll]) -> None:
    """What anybody can do at the end: whether the seed is the one committed, and every roll the one that it gives.

    Raises:
        DiceError: the first thing that does not fit.
    """
    if commitment_of(seed) != commitment:
        raise DiceError("this is not the seed that was committed before the first roll")
    Dice(seed, rolls)


def _hash(word: str, text: str) -> str:
    return sha256(f"{word} {text}".encode()).hexdigest()


def _bytes(link: str) -> Iterator[int]:
    """The bytes of a link and of those that follow from it."""
    while True:
        yield from bytes.fromhex(link)
        link = _hash("more", link)


def _below(count: int, source: Iterator[int]) -> int:
    """A number below `count`, each as likely: bytes beyond the largest multiple of it are left out."""
    limit = 256 - 256 % count
    return next(byte for byte in source if byte < limit) % count


# -- statistics --------------------------------------------------------------------------------------------------------


class Evenness(Enum):
    """How even a die has fallen, in words. The value names the text in the catalogues."""

    TOO_FEW = "too few rolls to tell"
    EVEN = "as even as dice are"
    UNUSUAL = "unusual, but one die in twenty does that"
    STRANGE = "hardly by chance"
    TOO_EVEN = "more even than dice are"


class Statistics(NamedTuple):
    """How one kind of die has fallen. `counts` by face, in the order of the die; `expected` the same for a fair die.

    `chi_square` with `freedom` degrees; `chance`: how often a fair die would be at least as uneven, 0 to 1.
    """

    die: Die
    rolls: int
    counts: dict[Face, int]
    expected: dict[Face, float]
    chi_square: float
    freedom: int
    chance: float

    @property
    def evenness(self) -> Evenness:
        """The chi-square figure in words."""
        if not self.freedom or min(self.expected.values()) < ENOUGH:
            return Evenness.TOO_FEW
        if self.chance < 0.001:
            return Evenness.STRANGE
        if self.chance < 0.05:
            return Evenness.UNUSUAL
        return Evenness.TOO_EVEN if self.chance > 0.999 else Evenness.EVEN


def statistics(rolls: Iterable[Roll]) -> tuple[Statistics, ...]:
    """Statistics of each kind of die among the rolls, in the order in which they were first thrown."""
    fallen: dict[Die, Counter[Face]] = {}
    for roll in rolls:
        for die, face in zip(roll.dice, roll.faces, strict=True):
            fallen.setdefault(die, Counter())[face] += 1
    return tuple(statistics_of(die, counts) for die, counts in fallen.items())


def statistics_of(die: Sequence[Face], counts: Counter[Face]) -> Statistics:
    """Statistics of one die from how often each of its faces fell, also of a real one.

    Raises:
        DiceError: a face fell that is not on the die.
    """
    rolls, on_die = sum(counts.values()), Counter(die)
    for face in set(counts) - set(on_die):
        raise DiceError(f"the die has no face {face}; it has: {', '.join(map(str, on_die))}")
    expected = {face: rolls * times / len(die) for face, times in on_die.items()}
    chi_square = sum((counts[face] - mean) ** 2 / mean for face, mean in expected.items()) if rolls else 0.0
    freedom = len(on_die) - 1
    fell = {face: counts[face] for face in on_die}
    return Statistics(tuple(die), rolls, fell, expected, chi_square, freedom, chance_of(chi_square, freedom))


def chance_of(chi_square: float, freedom: int) -> float:
    """How often chance alone gives a chi-square figure at least as high, for that many degrees of freedom."""
    if freedom < 1 or chi_square <= 0:
        return 1.0
    half = chi_square / 2
    chance = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    for degrees in range(2 - freedom % 2, freedom, 2):  # from so many degrees to two more
        chance += exp(degrees / 2 * log(half) - half - lgamma(degrees / 2 + 1))
    return chance
