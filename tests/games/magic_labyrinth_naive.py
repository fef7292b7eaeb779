"""The Magic Labyrinth once more, written naively and straight from `rules/magic_labyrinth.md`: tests compare with it.

Fields are pairs (column, row), slots are sets of two fields, and nothing is kept that can be computed.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

Field = tuple[int, int]
Slot = frozenset[Field]
SET = Path(__file__).parents[2] / "companion" / "games" / "magic_labyrinth" / "set.toml"
SEATS = {2: [0, 2], 3: [0, 1, 2], 4: [0, 1, 2, 3]}
TARGETS = {2: 5, 3: 4, 4: 3}


def name(field: Field) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[field[0]] + str(field[1] + 1)


def field_of(text: str) -> Field:
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def slot_name(slot: Slot) -> str:
    return "-".join(name(field) for field in sorted(slot))


def slot_of(text: str) -> Slot:
    return frozenset(map(field_of, text.split("-")))


class NaiveLabyrinth:
    """A running game; `play` changes it."""

    def __init__(self, players: int, options: dict[str, object] | None = None, set_file: Path = SET) -> None:
        content = tomllib.loads(set_file.read_text())
        columns, rows = content["grid"]["columns"], content["grid"]["rows"]
        self.fields = [(x, y) for x in range(columns) for y in range(rows)]
        self.around = {field: [other for other in self.fields if self.beside(field, other)] for field in self.fields}
        self.slots = [frozenset([a, b]) for a in self.fields for b in self.fields if a < b and self.beside(a, b)]
        self.arrows = [field_of(text) for text in content["grid"]["arrows"]]
        self.colours = list(content["wall"]["colours"])
        self.each = content["wall"]["count"] // len(self.colours)
        self.symbols = {k: field_of(v) for k, v in content["symbols"].items() if k != "diameter"}
        self.options = {"must_go": True, "may_stop": False, **(options or {})}
        self.players = players
        corners = [field_of(text) for text in content["grid"]["corners"]]
        self.figures = [corners[seat] for seat in SEATS[players]]
        self.walls: dict[Slot, str | None] = dict.fromkeys(self.slots)  # the colour as far as it is known
        self.pulled: list[str] = []
        self.hand: tuple[Slot, str | None] | None = None  # the slot of the wall pulled, and its colour if known
        self.said: str | None = None
        self.over_field: Field | None = None
        self.undrawn = set(self.symbols)
        self.chip: Field | None = None
        self.points = [0] * players
        self.player, self.phase, self.after_symbol = 0, "symbol", "turn"
        self.winner: int | None = None

    @staticmethod
    def beside(a: Field, b: Field) -> bool:
        return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1

    def stands(self, a: Field, b: Field) -> bool:
        return frozenset([a, b]) in self.walls

    def behind(self, here: Field, figure: Field) -> list[Field]:
        """The free fields to which a jump from `here` over `figure` leads."""
        return [f for f in self.around[figure] if f != here and f not in self.figures]

    # -- what the tests ask

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def actor(self) -> tuple[int | None, int | None]:
        if self.phase == "symbol":
            return -1, None
        if self.phase == "reveal":
            return -1, self.player
        return (None if self.over else self.player), None

    def legal(self) -> list[str]:
        match self.phase:
            case "symbol":
                return [f"symbol {symbol}" for symbol in self.undrawn]
            case "turn":
                return self.turn_actions()
            case "jump":
                return self.jump_actions()
            case "reveal":
                return [f"reveal {colour}" for colour in self.possible()]
            case "insert":
                empty = [slot for slot in self.slots if slot not in self.walls]
                return [f"insert {colour} {slot_name(slot)}" for colour in set(self.pulled) for slot in empty]
        return []

    def pulls(self, a: Field, b: Field) -> list[str]:
        slot = slot_name(frozenset([a, b]))
        return [f"early {slot}", *(f"call {colour} {slot}" for colour in self.colours)]

    def turn_actions(self) -> list[str]:
        here, found = self.figures[self.player], []
        for beside in self.around[here]:
            if beside not in self.figures:
                found += self.pulls(here, beside) if self.stands(here, beside) else [f"step {name(beside)}"]
            elif self.stands(here, beside):
                found += self.pulls(here, beside) if self.behind(here, beside) else []
            else:
                for landing in self.behind(here, beside):
                    jump = [f"step {name(beside)} {name(landing)}"]
                    found += self.pulls(beside, landing) if self.stands(beside, landing) else jump
        if not found or (self.options["may_stop"] and self.pulled):
            found.append("done")
        return found

    def jump_actions(self) -> list[str]:
        figure, found = self.over_field, []
        assert figure is not None
        for landing in self.behind(self.figures[self.player], figure):
            found += self.pulls(figure, landing) if self.stands(figure, landing) else [f"step {name(landing)}"]
        return found

    def possible(self) -> list[str]:
        assert self.hand is not None
        if self.hand[1] is not None:
            return [self.hand[1]]
        known = [*self.walls.values(), *self.pulled]
        return [colour for colour in self.colours if known.count(colour) < self.each]

    # -- acting

    def play(self, text: str) -> None:
        match text.split(" "):
            case ["symbol", symbol]:
                self.draw(symbol)
            case ["call", colour, slot]:
                self.pull(slot_of(slot), colour)
            case ["early", slot]:
                self.pull(slot_of(slot), None)
            case ["reveal", colour]:
                self.reveal(colour)
            case ["step", *fields]:
                self.go(field_of(fields[-1]))
            case ["insert", colour, slot]:
                self.pulled.remove(colour)
                self.walls[slot_of(slot)] = colour
                self.put_back()
            case ["done"]:
                self.put_back()

    def draw(self, symbol: str) -> None:
        self.undrawn.remove(symbol)
        place = self.arrows.index(self.symbols[symbol])
        order = self.arrows[place:] + self.arrows[:place]
        self.chip = next(field for field in order if field not in self.figures)
        if self.after_symbol == "turn":
            self.phase = "turn"
        else:
            self.put_back()

    def pull(self, slot: Slot, colour: str | None) -> None:
        self.hand, self.said, self.phase = (slot, self.walls.pop(slot)), colour, "reveal"

    def reveal(self, colour: str) -> None:
        assert self.hand is not None
        slot, _ = self.hand
        self.hand = None
        self.pulled.append(colour)
        if colour != self.said:
            self.over_field = None
            self.put_back()
        elif not self.options["must_go"]:
            self.phase = "turn"
        else:
            here = self.figures[self.player]
            others = [field for field in slot if field != here]
            free = [field for field in others if field not in self.figures]
            if free:
                self.go(free[0])
            else:
                self.over_field, self.phase = others[0], "jump"

    def go(self, field: Field) -> None:
        self.figures[self.player], self.over_field, self.phase = field, None, "turn"
        if field == self.chip:
            self.points[self.player] += 1
            self.chip, self.phase, self.after_symbol = None, "symbol", "walls"
            if self.points[self.player] == TARGETS[self.players]:
                self.phase, self.winner = "over", self.player

    def put_back(self) -> None:
        self.phase = "insert"
        if not self.pulled:
            self.player, self.phase = (self.player + 1) % self.players, "turn"
