"""Positions of Magic Triland put together for tests, and the naive game in the same state."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from companion.games.magic_triland import MagicTriland, TrilandPosition
from companion.games.magic_triland import items as things
from companion.games.registry import load_game
from tests.games.triland_naive import SET, NaiveTriland

GAME: MagicTriland = load_game("magic_triland")  # type: ignore[assignment]
VARIANTS = ["basic", "master", "basic-duel", "master-duel"]
TABLES = [(variant, "tactical") for variant in VARIANTS] + [("basic", "chance"), ("basic-duel", "chance")]
"""Every variant with the cards that it can have."""

HILLS = """
       3
      3 1
     5 2 4
    6 2 2 1
   1 4 6 3 5
  2 5 1 4 2 6
 4 3 6 5 3 1 4
2 1 5 3 6 4 2 1
"""
"""A landscape; its terraces of more than one cell are A1 B1, C2 D2 D3, and what else touches at one height."""


def start(variant: str, cards: str = "tactical", game: MagicTriland = GAME, **options: Any) -> TrilandPosition:
    return game.new(2 if "duel" in variant else 3, {"variant": variant, "cards": cards, **options})


def after(position: TrilandPosition, *actions: str) -> TrilandPosition:
    for text in actions:
        position = position.play(position.game.parse(text))
    return position


def listed(position: TrilandPosition) -> list[str]:
    return sorted(map(str, position.legal_actions()))


def clause(position: TrilandPosition, text: str) -> str | None:
    refusal = position.explain(position.game.parse(text))
    return refusal.clause if refusal else None


def arranged(
    variant: str,
    where: dict[str, str] | None = None,
    carried: dict[str, str] | None = None,
    *,
    hills: str = HILLS,
    game: MagicTriland = GAME,
    **state: Any,
) -> TrilandPosition:
    """A position of the journey: messengers that are not named are at home as at the beginning.

    `state`: attributes of the position. A messenger in its home with a pearl has come home.
    """
    position = start(variant, game=game)._copy()
    position.heights = tuple(map(int, hills.split()))
    position.blocks = tuple((0,) * len(stock) for stock in position.blocks)
    position.land = game.landscape(position.heights)
    position.phase, position.player = "cards", 1 if "duel" in variant else 0
    places, items = list(position.places), list(position.items)
    for name, place in (where or {}).items():
        places[game.messengers.index(name)] = position.land.number[place]
    for name, letters in (carried or {}).items():
        items[game.messengers.index(name)] = things.spelt(letters)
    position.places, position.items = tuple(places), tuple(items)
    back = (k for k in range(6) if places[k] < 3 and things.pearls(items[k]))
    position.back = sum(1 << k for k in back)
    for name, value in state.items():
        assert hasattr(position, name)
        setattr(position, name, value)
    return position


def going(variant: str, energy: int, where: dict[str, str], carried: dict[str, str] | None = None, **state: Any) -> Any:
    """A position in which the player has so much energy to move."""
    return arranged(variant, where, carried, phase="go", energy=energy, **state)


def naive_of(position: TrilandPosition, set_file: Path = SET) -> NaiveTriland:
    """The naive game in the same state (of the journey, with known cards)."""
    game, land = position.game, position.land
    assert land is not None
    naive = NaiveTriland(position.variant.name, "chance" if position.chance else "tactical", position.limit, set_file)
    naive.height = {cell: position.heights[k] for k, cell in enumerate(naive.cells)}
    naive.survey()
    for k, name in enumerate(game.messengers):
        naive.where[name] = land.names[position.places[k]]
        naive.items[name] = list(things.letters(position.items[k]))
        if position.back >> k & 1:
            naive.returned.add(name)
        if position.moved >> k & 1:
            naive.moved.add(name)
    naive.stock_of_pearls = {name: position.pearls[things.KIND[name]] for name in ("green", "orange", "purple")}
    naive.decks = [_cards(game, deck) for deck in position.decks]
    naive.hands = [_cards(game, position.hands(player)[0]) for player in range(position.players)]
    naive.pulled = [game.values[pull] for pull in position.pulls]
    naive.player, naive.energy, naive.turns = position.player, position.energy, position.turns
    naive.phase, naive.winner = position.phase, position.winner
    naive.arrived = game.messengers[position.arrived] if position.arrived >= 0 else ""
    naive.other = game.messengers[position.other] if position.other >= 0 else ""
    naive.offered = things.LETTERS[position.offered] if position.offered >= 0 else ""
    return naive


def _cards(game: MagicTriland, counts: tuple[int, ...]) -> list[int]:
    return [value for value, count in zip(game.values, counts, strict=True) for _ in range(count)]


def anyhow(seed: int, game: MagicTriland = GAME) -> TrilandPosition:
    """A random position in the middle of moving: any landscape, messengers and things anywhere they can be."""
    chance = random.Random(seed)
    variant = chance.choice(VARIANTS)
    levels = chance.choice([6, 6, 6, 3, 2, 1])
    hills = " ".join(str(chance.randint(1, levels)) for _ in game.cells)
    carried = {
        name: "".join(sorted(chance.choices("RYBOGP", [4, 4, 4, 1, 1, 1], k=chance.randint(1, 5)), key="RYBOGP".index))
        for name in game.messengers
    }
    where = _anywhere(arranged(variant, hills=hills, game=game), carried, chance)
    position = arranged(variant, where, carried, hills=hills, game=game)
    position.phase, position.player = "go", chance.randrange(position.players)
    position.energy = chance.randint(1, 6)
    own = [k for k in range(6) if position.owner(k) == position.player and chance.random() < 0.2]
    position.moved = sum(1 << k for k in own)
    return position


def _anywhere(position: TrilandPosition, carried: dict[str, str], chance: random.Random) -> dict[str, str]:
    """At most two on a terrace, on broadsides only whoever may, at home anybody."""
    land = position.land
    assert land is not None
    where: dict[str, str] = {}
    for name, letters in carried.items():
        home, terraces = f"@{name.split('-')[1]}", [n for n in land.names[6:] if [*where.values()].count(n) < 2]
        shores = [
            f"~{shore}"
            for shore, pair in (("green", "YB"), ("orange", "RY"), ("purple", "RB"))
            if shore[0].upper() in letters or set(pair) <= set(letters)
        ]
        where[name] = chance.choice(chance.choice([[home], shores or [home], *[terraces or [home]] * 3]))
    return where


def edited(folder: Path, *edits: tuple[str, str]) -> Path:
    """A copy of the set file in `folder` with each pattern replaced; every pattern has to be there."""
    text = SET.read_text()
    for pattern, replacement in edits:
        text, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL | re.MULTILINE)
        assert count == 1, f"{pattern} is not in the set file"
    path = folder / "other.toml"
    path.write_text(text)
    return path
