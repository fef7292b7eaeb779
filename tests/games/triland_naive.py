"""Magic Triland once more, written naively from `rules/magic_triland.md`: the tests compare the rules with it.

Messengers are names, places are texts (a terrace is its first cell), nothing is kept that can be computed, and every
walk is tried step by step.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

SET = Path(__file__).parents[2] / "companion" / "games" / "magic_triland" / "set.toml"
COLOURS = ["blue", "yellow", "red"]
LETTER = {"red": "R", "yellow": "Y", "blue": "B", "orange": "O", "green": "G", "purple": "P"}
NAME = {letter: name for name, letter in LETTER.items()}
MIXED = {"orange": "RY", "purple": "RB", "green": "YB"}
OPPOSITE = {"blue": "O", "red": "G", "yellow": "P"}
ORDER = "RYBOGP"


def spelt(items: list[str]) -> str:
    return "".join(sorted(items, key=ORDER.index))


class NaiveTriland:
    """A running game; `play` changes it."""

    def __init__(self, variant: str, cards: str = "tactical", turns: int = 200, set_file: Path = SET) -> None:
        self.set: dict[str, Any] = tomllib.loads(set_file.read_text())
        self.duel, self.master, self.chance = "duel" in variant, "master" in variant, cards == "chance"
        self.players, self.limit = 2 if self.duel else 3, turns
        rows = self.set["grid"]["rows"]
        self.cells = [(r, c) for r in range(rows) for c in range(r + 1)]
        self.height: dict[tuple[int, int], int] = {}
        share, heights = self.set["block"]["count_per_height"] // self.players, self.set["block"].get("heights", 6)
        self.stock = [Counter(dict.fromkeys(range(1, heights + 1), share)) for _ in range(self.players)]
        self.where = {f"{shade}-{colour}": f"@{colour}" for colour in COLOURS for shade in ("light", "dark")}
        rings = 4 if self.master else 3
        self.items = {name: [LETTER[name.split("-")[1]]] * rings for name in self.where}
        self.returned: set[str] = set()
        self.stock_of_pearls = {pearl: self.set["pearl"].get("count", 4) for pearl in MIXED}
        deck = [v for v in self.set["cards"]["values"] for _ in range(self.set["cards"]["per_value_per_player"])]
        self.decks = [list(deck) for _ in range(self.players)]
        self.hands: list[list[int]] = [[] for _ in range(self.players)]
        self.pulled: list[int] = []
        self.player, self.energy, self.turns, self.phase = 0, 0, 0, "landscape"
        self.moved: set[str] = set()
        self.arrived = self.other = self.offered = ""
        self.winner: int | None = None
        self.terrace: dict[tuple[int, int], str] = {}
        self.touching: dict[str, set[str]] = {}

    # -- the landscape

    @staticmethod
    @cache
    def name(cell: tuple[int, int]) -> str:
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[cell[0]] + str(cell[1] + 1)

    @staticmethod
    @cache
    def cell(name: str) -> tuple[int, int]:
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(name[0]), int(name[1:]) - 1

    def neighbours(self, cell: tuple[int, int]) -> list[tuple[int, int]]:
        r, c = cell
        around = [(r, c - 1), (r, c + 1), (r - 1, c - 1), (r - 1, c), (r + 1, c), (r + 1, c + 1)]
        return [other for other in around if other in self.cells]

    def level(self, place: str) -> int:
        return 0 if place[0] in "@~" else self.height[self.cell(place)]

    def first_cell(self, cell: tuple[int, int]) -> str:
        """The first cell of the terrace: spread over cells of the same height until nothing is new."""
        terrace = {cell}
        while True:
            more = {n for c in terrace for n in self.neighbours(c) if self.height[n] == self.height[cell]} - terrace
            if not more:
                return self.name(min(terrace))
            terrace |= more

    def shore(self, broadside: str) -> list[tuple[int, int]]:
        """The cells between the corner cells of that side: those with one coordinate in common with both corners."""
        a, b = (self.cell(self.set["homes"][home]) for home in self.set["broadsides"][broadside])
        sides = {
            "left": [cell for cell in self.cells if cell[1] == 0],
            "right": [cell for cell in self.cells if cell[1] == cell[0]],
            "lower": [cell for cell in self.cells if cell[0] == max(self.cells)[0]],
        }
        side = next(cells for cells in sides.values() if a in cells and b in cells)
        return [cell for cell in side if cell not in (a, b)]

    def survey(self) -> None:
        self.terrace = {cell: self.first_cell(cell) for cell in self.cells}
        pairs = {(self.terrace[a], self.terrace[b]) for a in self.cells for b in self.neighbours(a)}
        pairs |= {(f"@{colour}", self.terrace[self.cell(self.set["homes"][colour])]) for colour in COLOURS}
        pairs |= {(f"~{side}", self.terrace[cell]) for side in MIXED for cell in self.shore(side)}
        self.touching = {}
        for a, b in pairs:
            if a != b:
                self.touching.setdefault(a, set()).add(b)
                self.touching.setdefault(b, set()).add(a)

    # -- who is who

    def owner(self, messenger: str) -> int:
        shade, colour = messenger.split("-")
        return ["light", "dark"].index(shade) if self.duel else COLOURS.index(colour)

    def called(self, messenger: str) -> str:
        return messenger.split("-")[1 if self.duel else 0]

    def own(self, player: int) -> list[str]:
        return [name for name in self.where if self.owner(name) == player]

    def strong(self, messenger: str) -> bool:
        return messenger.startswith("dark" if self.level(self.where[messenger]) % 2 else "light")

    # -- moving

    def may_enter(self, messenger: str, place: str) -> bool:
        """Whether it may be on that broadside or in that home."""
        items = self.items[messenger]
        if place[0] == "@":
            return place[1:] == messenger.split("-")[1] and any(item in "OGP" for item in items)
        if place[0] == "~":
            return LETTER[place[1:]] in items or all(ring in items for ring in MIXED[place[1:]])
        return True

    def walks(self, messenger: str, energy: int, where: dict[str, str]) -> set[tuple[str, int]]:
        """Every end of a move with every cost up to the energy."""
        others = Counter(place for name, place in where.items() if name != messenger and place[0] not in "@~")
        ends, going, seen = set(), [(where[messenger], 0)], set()
        while going:
            place, spent = going.pop()
            for nearby in self.touching.get(place, ()):
                cost = spent + abs(self.level(place) - self.level(nearby))
                if cost > energy or not self.may_enter(messenger, nearby) or others[nearby] > 1:
                    continue
                ends.add((nearby, cost))
                if not others[nearby] and nearby[0] != "@" and (nearby, cost) not in seen:
                    seen.add((nearby, cost))
                    going.append((nearby, cost))
        return ends

    def movable(self, energy: int, messengers: frozenset[str], where: dict[str, str], known: dict[Any, bool]) -> bool:
        """Whether these messengers can move exactly that, one after the other."""
        if energy == 0:
            return True
        key = (energy, messengers, tuple(where.values()))
        if key not in known:
            known[key] = any(
                cost and self.movable(energy - cost, messengers - {name}, {**where, name: end}, known)
                for name in sorted(messengers)
                for end, cost in self.walks(name, energy, where)
            )
        return known[key]

    def goes(self) -> list[str]:
        still = frozenset(n for n in self.own(self.player) if n not in self.moved and n not in self.returned)
        known: dict[Any, bool] = {}
        return [
            f"go {self.called(name)} {end} {cost}"
            for name in still
            for end, cost in self.walks(name, self.energy, self.where)
            if self.movable(self.energy - cost, still - {name}, {**self.where, name: end}, known)
        ]

    # -- what is possible

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def turn(self) -> int | None:
        if self.phase == "over":
            return None
        if self.phase == "pull":
            return -1
        if self.phase == "trade":
            return self.owner(self.arrived if self.strong(self.arrived) else self.other)
        if self.phase == "offer":
            return self.owner(self.arrived if self.offered else self.other)
        return self.player

    def legal(self) -> list[str]:
        return sorted(getattr(self, f"legal_{self.phase}")())

    def legal_over(self) -> list[str]:
        return []

    def legal_landscape(self) -> list[str]:
        free = [cell for cell in self.cells if cell not in self.height]
        homes = [self.cell(self.set["homes"][colour]) for colour in COLOURS]
        if len(self.height) < 3:
            free = [cell for cell in (homes if self.duel else [homes[self.player]]) if cell in free]
        return [f"block {h} {self.name(c)}" for h, n in self.stock[self.player].items() if n for c in free]

    def legal_pull(self) -> list[str]:
        player = len(self.pulled)
        return [f"pull {player} {value}" for value in set(self.decks[(player + 1) % self.players])]

    def joker(self) -> int:
        return len({i for n in self.own(self.player) for i in self.items[n] if i in "OGP"}) if self.master else 0

    def legal_cards(self) -> list[str]:
        hand = self.hands[self.player]
        faces = [(value, counts) for value in set(hand) for counts in ([0, 1, 2, 3] if value == 0 else [value])]
        faces = sorted(face for face in faces if face[0] or face[1] <= self.joker())
        said = {face: f"{face[0]}={face[1]}" if face[0] != face[1] else f"{face[0]}" for face in faces}
        return [
            f"cards {said[a]} {said[b]}"
            for a, b in combinations_with_replacement(faces, 2)
            if not Counter([a[0], b[0]]) - Counter(hand)
        ]

    def legal_go(self) -> list[str]:
        return self.goes() or ["forfeit"]

    def legal_trade(self) -> list[str]:
        strong, weak = self.arrived, self.other
        if not self.strong(strong):
            strong, weak = weak, strong
        return [f"trade {NAME[g]} {NAME[t]}" for g in set(self.items[strong]) for t in set(self.items[weak])]

    def legal_offer(self) -> list[str]:
        return [f"offer {NAME[item]}" for item in set(self.items[self.arrived if self.offered else self.other])]

    def legal_share(self) -> list[str]:
        now = f"share {spelt(self.items[self.arrived])}/{spelt(self.items[self.other])}"
        both = sorted(self.items[self.arrived] + self.items[self.other])
        found = {now}
        for sides in product("ab", repeat=len(both)):
            parts = [[item for item, side in zip(both, sides, strict=True) if side == which] for which in "ab"]
            if all(self.bearable(part) for part in parts):
                found.add(f"share {spelt(parts[0])}/{spelt(parts[1])}")
        return list(found)

    def bearable(self, part: list[str]) -> bool:
        rings = sum(item in "RYB" for item in part)
        return len(part) >= 1 and rings <= 4 and len(part) - rings <= 3

    def legal_pearl(self) -> list[str]:
        return ["pearl", "keep"]

    # -- acting

    def play(self, text: str) -> None:
        assert text in self.legal(), text
        word, *rest = text.split(" ")
        getattr(self, f"do_{word}")(*rest)

    def do_block(self, height: str, cell: str) -> None:
        self.height[self.cell(cell)] = int(height)
        self.stock[self.player][int(height)] -= 1
        self.player = (self.player + 1) % self.players
        if len(self.height) == len(self.cells):
            self.survey()
            self.player = 1 if self.duel else 0
            self.take_up()

    def take_up(self) -> None:
        self.phase = "pull" if self.chance else "cards"
        self.pulled = []
        self.hands = [list(deck) for deck in self.decks]

    def do_pull(self, player: str, value: str) -> None:
        self.pulled.append(int(value))
        if len(self.pulled) == self.players:
            for puller, card in enumerate(self.pulled):
                self.decks[(puller + 1) % self.players].remove(card)
            for puller, card in enumerate(self.pulled):
                self.decks[puller].append(card)
            self.hands = [list(deck) for deck in self.decks]
            self.phase = "cards"

    def do_cards(self, *cards: str) -> None:
        for card in cards:
            self.hands[self.player].remove(int(card[0]))
        self.energy, self.moved = sum(int(card[-1]) for card in cards), set()
        self.go_on()

    def go_on(self) -> None:
        self.arrived = self.other = self.offered = ""
        self.phase = "go"
        if self.energy == 0:
            self.turns += 1
            self.player = (self.player + 1) % self.players
            self.phase = "over" if self.turns == self.limit else "cards"
            if not self.over and not any(self.hands):
                self.take_up()

    def do_forfeit(self) -> None:
        self.energy = 0
        self.go_on()

    def do_go(self, who: str, end: str, cost: str) -> None:
        name = next(name for name in self.own(self.player) if self.called(name) == who)
        there = [other for other, place in self.where.items() if place == end and other != name]
        self.where[name] = end
        self.moved.add(name)
        self.energy -= int(cost)
        self.arrived = name
        if end[0] == "@":
            self.come_home(name)
        elif end[0] == "~":
            rings = all(ring in self.items[name] for ring in MIXED[end[1:]])
            if rings and self.stock_of_pearls[end[1:]]:
                self.phase = "pearl"
            else:
                self.go_on()
        elif there:
            self.other = there[0]
            if self.owner(name) == self.owner(self.other):
                self.phase = "share"
            else:
                self.phase = "offer" if self.strong(name) == self.strong(self.other) else "trade"
        else:
            self.go_on()

    def come_home(self, name: str) -> None:
        self.returned.add(name)
        colour = name.split("-")[1]
        here = {item for other in self.returned if other.endswith(colour) for item in self.items[other]}
        won = {"O", "G", "P"} <= here if self.master else OPPOSITE[colour] in self.items[name]
        if won:
            self.winner, self.phase = self.owner(name), "over"
        elif len(self.returned) == len(self.where):
            self.phase = "over"
        else:
            self.go_on()

    def swap(self, to_other: str, to_arrived: str) -> None:
        self.items[self.arrived].remove(to_other)
        self.items[self.other].remove(to_arrived)
        self.items[self.arrived].append(to_arrived)
        self.items[self.other].append(to_other)
        self.go_on()

    def do_trade(self, give: str, take: str) -> None:
        if self.strong(self.arrived):
            self.swap(LETTER[give], LETTER[take])
        else:
            self.swap(LETTER[take], LETTER[give])

    def do_offer(self, item: str) -> None:
        if self.offered:
            self.swap(LETTER[item], self.offered)
        else:
            self.offered = LETTER[item]

    def do_share(self, division: str) -> None:
        mine, theirs = division.split("/")
        self.items[self.arrived], self.items[self.other] = list(mine), list(theirs)
        self.go_on()

    def do_pearl(self) -> None:
        side = self.where[self.arrived][1:]
        for ring in MIXED[side]:
            self.items[self.arrived].remove(ring)
        self.items[self.arrived].append(LETTER[side])
        self.stock_of_pearls[side] -= 1
        self.go_on()

    def do_keep(self) -> None:
        self.go_on()

    # -- the end

    def scores(self) -> list[int]:
        points = [0] * self.players
        if self.over:
            for name in self.returned:
                for item in self.items[name]:
                    if item in "OGP":
                        points[self.owner(name)] += 2 if OPPOSITE[name.split("-")[1]] == item else 1
            if self.winner is not None:
                points[self.winner] += 2
        return points
