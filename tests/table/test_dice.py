"""The virtual dice: anybody can check them, and they fall evenly."""

from __future__ import annotations

import random
from collections import Counter
from hashlib import sha256

import pytest

from companion.games.registry import load_game
from companion.table.dice import (
    Dice,
    DiceError,
    Evenness,
    Roll,
    chance_of,
    check,
    commitment_of,
    statistics,
    statistics_of,
)

SEED = "00112233445566778899aabbccddeeff" * 2
NUMBERS = (1, 2, 3, 4, 5, 6)
SYMBOLS = ("plus", "minus", "skip", "double", "cloak", "rotate")


def by_hand(seed: str, count: int, faces: int) -> list[int]:
    """The first throws of one die, as the description of the module says it."""
    link, shown = seed, []
    for _ in range(count):
        link = sha256(f"link {link}".encode()).hexdigest()
        more = link
        while True:
            below = [byte for byte in bytes.fromhex(more) if byte < 256 // faces * faces]
            if below:
                break
            more = sha256(f"more {more}".encode()).hexdigest()
        shown.append(below[0] % faces)
    return shown


@pytest.mark.parametrize("faces", [1, 2, 6, 100, 129, 256])
def test_rolls_follow_from_the_seed_as_described(faces: int) -> None:
    dice = Dice(SEED)
    assert dice.commitment == sha256(f"commitment {SEED}".encode()).hexdigest()
    assert [dice.roll(range(faces))[0] for _ in range(60)] == by_hand(SEED, 60, faces)


def test_two_dice_take_one_link_after_another_byte() -> None:
    both, first = Dice(SEED), Dice(SEED)
    for number in range(1, 40):
        faces = both.roll(NUMBERS, SYMBOLS)
        assert faces[0] == first.roll(NUMBERS)[0]
        assert both.rolls[-1] == Roll(number, (NUMBERS, SYMBOLS), faces)
    assert len({roll.faces for roll in both.rolls}) > 15


def test_a_throw_of_more_dice_than_a_link_has_bytes() -> None:
    faces = Dice(SEED).roll(*[range(200)] * 90)
    assert len(faces) == 90
    assert len(set(faces)) > 60


def test_seeds_come_from_the_system_and_differ() -> None:
    seeds = {Dice().seed for _ in range(50)}
    assert len(seeds) == 50
    assert all(len(seed) == 64 for seed in seeds)
    assert Dice().commitment not in seeds


def thrown(count: int = 20) -> Dice:
    dice = Dice(SEED)
    for number in range(count):
        dice.roll(*((NUMBERS, SYMBOLS), (NUMBERS,), (SYMBOLS,))[number % 3])
    return dice


def test_anybody_can_check_at_the_end() -> None:
    dice = thrown()
    check(dice.commitment, dice.seed, dice.rolls)
    check(dice.commitment, dice.seed, dice.rolls[:7])


@pytest.mark.parametrize("change", ["face", "left out", "twice", "other die", "order"])
def test_a_changed_roll_does_not_pass(change: str) -> None:
    dice = thrown()
    rolls = list(dice.rolls)
    match change:
        case "face":
            number = rolls[7].faces[0]
            rolls[7] = rolls[7]._replace(faces=(number % 6 + 1,))
        case "left out":
            del rolls[3]
        case "twice":
            rolls.insert(3, rolls[3])
        case "other die":
            rolls[2] = rolls[2]._replace(dice=(SYMBOLS[::-1],))
        case "order":
            rolls[4], rolls[5] = rolls[5], rolls[4]
    with pytest.raises(DiceError, match="from this seed"):
        check(dice.commitment, dice.seed, rolls)


def test_another_seed_does_not_pass() -> None:
    dice = thrown()
    other = "1" + SEED[1:]
    with pytest.raises(DiceError, match="not the seed"):
        check(dice.commitment, other, dice.rolls)
    for text in ("", "00", SEED.upper().replace("0", "A"), SEED + "00", "g" * 64):
        with pytest.raises(DiceError, match="64 hexadecimal digits"):
            commitment_of(text)


def test_dice_go_on_where_they_were() -> None:
    whole, begun = thrown(20), thrown(9)
    again = Dice(begun.seed, begun.rolls)
    for roll in whole.rolls[9:]:
        assert again.roll(*roll.dice) == roll.faces
    assert again.rolls == whole.rolls
    with pytest.raises(DiceError, match="roll 3 was"):
        Dice(SEED, [*begun.rolls[:2], begun.rolls[2]._replace(faces=("sword",))])


@pytest.mark.parametrize("die", [(), range(257)])
def test_a_die_that_cannot_be_thrown(die: tuple[int, ...]) -> None:
    dice = Dice(SEED)
    with pytest.raises(DiceError, match="1 to 256 faces"):
        dice.roll(NUMBERS, die)
    assert dice.rolls == []
    assert dice.roll(NUMBERS) == thrown(1).rolls[0].faces[:1]


def test_dice_fall_evenly_and_two_do_not_depend_on_each_other() -> None:
    dice = Dice(SEED)
    for _ in range(6000):
        dice.roll(NUMBERS, SYMBOLS)
    numbers, symbols = statistics(dice.rolls)
    assert (numbers.die, symbols.die, numbers.rolls, symbols.rolls) == (NUMBERS, SYMBOLS, 6000, 6000)
    assert numbers.evenness is symbols.evenness is Evenness.EVEN
    assert sum(numbers.counts.values()) == 6000
    pairs = Counter(roll.faces for roll in dice.rolls)
    both = [(number, symbol) for number in NUMBERS for symbol in SYMBOLS]
    assert statistics_of(both, pairs).evenness is Evenness.EVEN


@pytest.mark.parametrize(
    ("chi_square", "freedom", "chance"),
    # From printed tables: the figures that chance exceeds with that probability.
    [
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (11.070, 5, 0.05),
        (20.515, 5, 0.001),
        (18.307, 10, 0.05),
        (124.342, 100, 0.05),
    ],
)
def test_the_chance_of_a_chi_square_figure(chi_square: float, freedom: int, chance: float) -> None:
    assert chance_of(chi_square, freedom) == pytest.approx(chance, rel=2e-3)


def test_the_chance_at_the_ends() -> None:
    assert chance_of(0.0, 5) == 1.0
    assert chance_of(7.0, 0) == 1.0
    assert chance_of(100_000.0, 255) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("counts", "evenness"),
    [
        ([5, 4, 6, 5, 4, 5], Evenness.TOO_FEW),
        ([52, 47, 55, 44, 50, 52], Evenness.EVEN),
        ([71, 44, 50, 40, 45, 50], Evenness.UNUSUAL),
        ([90, 40, 45, 40, 45, 40], Evenness.STRANGE),
        ([50, 50, 50, 50, 50, 50], Evenness.TOO_EVEN),
        ([0, 0, 0, 0, 0, 0], Evenness.TOO_FEW),
        ([60, 60, 60, 60, 60, 0], Evenness.STRANGE),
    ],
)
def test_the_figure_in_words(counts: list[int], evenness: Evenness) -> None:
    told = statistics_of(NUMBERS, Counter(dict(zip(NUMBERS, counts, strict=True))))
    assert told.evenness is evenness
    assert list(told.counts.values()) == counts
    assert told.freedom == 5


def test_a_face_that_stands_twice_on_a_die_is_expected_twice_as_often() -> None:
    dice = Dice(SEED)
    for _ in range(3000):
        dice.roll(("hit", "miss", "miss"))
    (told,) = statistics(dice.rolls)
    assert told.expected == {"hit": 1000.0, "miss": 2000.0}
    assert told.evenness is Evenness.EVEN
    assert statistics_of(("only",), Counter(only=50)).evenness is Evenness.TOO_FEW
    with pytest.raises(DiceError, match="no face sword"):
        statistics_of(("hit", "miss"), Counter(sword=1))


def test_a_whole_game_with_these_dice() -> None:
    game, dice, chance = load_game("labyria"), Dice(SEED), random.Random(2)
    position = game.new(4)
    for _ in range(400):
        if position.dice:
            action = position.thrown(dice.roll(*position.dice))
            assert action in position.legal_actions()
        else:
            with pytest.raises(ValueError, match="no dice"):
                position.thrown((1,))
            action = chance.choice(position.legal_actions())
        position = position.play(action)
    assert {len(roll.dice) for roll in dice.rolls} == {1, 2}
    check(dice.commitment, dice.seed, dice.rolls)
    assert load_game("triangle").new(2).dice == ()
