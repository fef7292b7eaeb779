"""Labyria once more, written naively and straight from `rules/labyria.md`: the tests compare the rules with it.

Fields are pairs (column, row), walls are sets of two fields, figures are lists, every walk is followed to its end and
every edge is tried; nothing is kept that can be computed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

Field = tuple[int, int]
Edge = frozenset[Field]
SET = Path(__file__).parents[2] / "companion" / "games" / "labyria" / "set.toml"
SEATS = {2: [0, 2], 3: [0, 1, 2], 4: [0, 1, 2, 3]}
AROUND = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
ARMS = ("NE", "SE", "SW", "NW")


def name(field: Field) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[field[0]] + str(field[1] + 1)


def field_of(text: str) -> Field:
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def edge_name(edge: Edge) -> str:
    return "-".join(name(field) for field in sorted(edge))


def edge_of(text: str) -> Edge:
    return frozenset(map(field_of, text.split("-")))


def ends(edge: Edge) -> set[Field]:
    """The two points at which a wall between two fields ends; a point has the number of the field above and right."""
    (x0, _), (x1, y1) = sorted(edge)
    return {(x1, y1), (x1, y1 + 1)} if x1 > x0 else {(x1, y1), (x1 + 1, y1)}


def arm_edges(crossing: Field, arms: str) -> list[Edge]:
    """The edges that a corner covers; the crossing is named by its lower left field."""
    x, y = crossing
    at = {
        "N": frozenset([(x, y + 1), (x + 1, y + 1)]),
        "E": frozenset([(x + 1, y), (x + 1, y + 1)]),
        "S": frozenset([(x, y), (x + 1, y)]),
        "W": frozenset([(x, y), (x, y + 1)]),
    }
    return [at[arm] for arm in arms]


class NaiveLabyria:
    """A running game; `play` changes it."""

    def __init__(self, players: int, options: dict[str, object] | None = None, set_file: Path = SET) -> None:
        content = tomllib.loads(set_file.read_text())
        self.columns, self.rows = content["grid"]["columns"], content["grid"]["rows"]
        self.fields = [(x, y) for x in range(self.columns) for y in range(self.rows)]
        self.numbers, self.symbols = content["dice"]["numbers"], content["dice"]["symbols"]
        self.colours = list(content["figure"]["colours"])
        self.options = {"ties": "tied", "start": "roll", "reversal": "rotate", **(options or {})}
        self.players, self.seats = players, SEATS[players]
        corners = [field_of(text) for text in content["grid"]["corners"]]
        self.start = [corners[seat] for seat in self.seats]
        self.goal = [corners[(seat + 2) % 4] for seat in self.seats]
        self.figures = [[start] * (content["figure"]["count"] // 4) for start in self.start]
        self.depot = len(content["depot"]["slots"])
        self.squares_left = [(content["square"]["count"] - self.depot) // players] * players
        self.corners_left = [content["corner"]["count"] // players] * players
        self.squares: set[Edge] = set()
        self.corners: dict[Field, str] = {}
        self.phase, self.player = "first roll", 0
        self.rolling = list(range(players))
        self.rolled: dict[int, int] = {}
        self.winner: int | None = None

    # -- the board

    @property
    def edges(self) -> list[Edge]:
        steps = ((0, 1), (1, 0))
        pairs = ((f, (f[0] + dx, f[1] + dy)) for f in self.fields for dx, dy in steps)
        return [frozenset(pair) for pair in pairs if pair[1] in self.fields]

    @property
    def crossings(self) -> list[Field]:
        return [(x, y) for x, y in self.fields if x + 1 < self.columns and y + 1 < self.rows]

    def walls(self) -> set[Edge]:
        return self.squares | {edge for c, arms in self.corners.items() for edge in arm_edges(c, arms)}

    def neighbours(self, field: Field, walls: set[Edge]) -> Iterator[Field]:
        for dx, dy in AROUND.values():
            other = (field[0] + dx, field[1] + dy)
            if 0 <= other[0] < self.columns and 0 <= other[1] < self.rows and frozenset([field, other]) not in walls:
                yield other

    # -- setting up

    def touching_points(self) -> set[Field]:
        return {point for edge in self.walls() for point in ends(edge)}

    def placements(self, player: int) -> list[str]:
        walls, points, found = self.walls(), self.touching_points(), []
        middle = (self.columns // 2 - 1, self.rows // 2 - 1)
        if self.squares_left[player]:
            free = [edge for edge in self.edges if edge not in walls]
            at_middle = [arm_edges(middle, arm)[0] for arm in "NESW"]
            fits = [e for e in free if ends(e) & points] if walls else at_middle
            found += [f"square {edge_name(edge)}" for edge in fits]
        if self.corners_left[player]:
            for crossing in self.crossings:
                for arms in ARMS:
                    edges = arm_edges(crossing, arms)
                    touches = any(ends(edge) & points for edge in edges) if walls else crossing == middle
                    if crossing not in self.corners and not set(edges) & walls and touches:
                        found.append(f"corner {name(crossing)} {arms}")
        return found

    def next_placer(self, first: int) -> None:
        for k in range(self.players):
            player = (first + k) % self.players
            if self.placements(player):
                self.player, self.phase = player, "setup"
                return
        if self.options["start"] == "first":
            self.new_turn(self.placer)
        else:
            self.phase, self.rolling, self.rolled = "start roll", list(range(self.players)), {}

    def roll(self, number: int) -> None:
        self.rolled[next(p for p in self.rolling if p not in self.rolled)] = number
        if len(self.rolled) < len(self.rolling):
            return
        best = [p for p in self.rolling if self.rolled[p] == max(self.rolled.values())]
        self.rolled = {}
        if len(best) > 1:
            self.rolling = best if self.options["ties"] == "tied" else list(range(self.players))
        elif self.phase == "first roll":
            self.placer = best[0]
            self.next_placer(best[0])
        else:
            self.new_turn(best[0])

    # -- the turn

    def new_turn(self, player: int) -> None:
        self.player, self.phase = player, "dice"
        self.number, self.symbol, self.used, self.over_movement = 0, "", False, False

    def end_turn(self) -> None:
        self.new_turn((self.player + 1) % self.players)

    def abilities(self) -> list[str]:
        walls = self.walls()
        if self.used:
            return []
        if self.symbol == "plus" and self.depot:
            return [f"add {edge_name(edge)}" for edge in self.edges if edge not in walls]
        if self.symbol == "minus":
            return [f"remove {edge_name(edge)}" for edge in self.squares]
        turned = [
            (crossing, arms)
            for crossing, old in self.corners.items()
            for arms in ARMS
            if arms != old and not set(arm_edges(crossing, arms)) & (walls - set(arm_edges(crossing, old)))
        ]
        return [f"turn {name(crossing)} {arms}" for crossing, arms in turned if self.symbol == "rotate"]

    def may_end_turn(self) -> None:
        full_board_of_plus = self.symbol == "plus" and not self.used and self.depot  # not void, though nothing is free
        if not self.abilities() and not full_board_of_plus:
            self.end_turn()

    # -- walking

    def enemies(self) -> set[Field]:
        """Fields with figures of others that hinder; not those in their goals."""
        return {
            field
            for player in range(self.players)
            for field in self.figures[player]
            if player != self.player and field != self.goal[player]
        }

    def enterable(self, field: Field) -> bool:
        me = self.player
        others = [start for player, start in enumerate(self.start) if player != me]
        return field == self.goal[me] or field not in others

    def walks(self, start: Field, walls: set[Edge], again: bool) -> set[Field]:
        """Every field on which a walk of the whole number from `start` can end, attacks included."""
        me, enemies = self.player, self.enemies()
        stops = enemies | {self.goal[me]}
        if self.symbol == "cloak":
            walls = set()
        found: set[Field] = set()
        seen: set[tuple[Field, int]] = set()

        def go(here: Field, entered: tuple[Field, ...], left: int) -> None:
            if again:
                if (here, left) in seen:
                    return
                seen.add((here, left))
            if not left:
                found.add(here)
                return
            for field in self.neighbours(here, walls):
                if self.enterable(field) and (again or field not in entered) and (left == 1 or field not in stops):
                    go(field, (*entered, field), left - 1)

        go(start, (start,), self.number)
        others = list(self.figures[me])
        others.remove(start)
        shared = (self.start[me], self.goal[me])
        return {field for field in found if field not in others or field in shared}

    def moves(self) -> tuple[list[str], bool]:
        me = self.player
        movable = sorted({field for field in self.figures[me] if field != self.goal[me]})
        for again in (False, True):
            found = [(f, to) for f in movable for to in self.walks(f, self.walls(), again)]
            if found:
                return [f"move {name(f)} {name(to)}" for f, to in found], again
        return [], True

    def attacked_by(self, walls: set[Edge]) -> bool:
        start, end, again = self.attack
        return end in self.walks(start, walls, again)

    def shields(self) -> list[str]:
        walls = self.walls()
        free = [edge for edge in self.edges if edge not in walls]
        return [f"shield {edge_name(edge)}" for edge in free if not self.attacked_by(walls | {edge})]

    def evasions(self) -> list[str]:
        start = self.attack[0]
        enemies = self.enemies() - {self.goal[self.player]}
        for again in (False, True):
            found = self.walks(start, self.walls(), again) - enemies
            if found:
                return [f"evade {name(field)}" for field in found]
        return [f"evade {name(start)}"]

    def owner(self, field: Field) -> int:
        return next(
            player
            for player in range(self.players)
            if player != self.player and field in self.figures[player] and field != self.goal[player]
        )

    def walk(self, player: int, start: Field, end: Field) -> None:
        self.figures[player].remove(start)
        self.figures[player].append(end)

    def movement_over(self) -> None:
        self.phase, self.over_movement = "turn", True
        if all(field == self.goal[self.player] for field in self.figures[self.player]):
            self.phase, self.winner = "over", self.player
        else:
            self.may_end_turn()

    # -- what the tests ask

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def scores(self) -> list[int]:
        return [figures.count(goal) for figures, goal in zip(self.figures, self.goal, strict=True)]

    def actor(self) -> tuple[int | None, int | None]:
        """Who acts (-1 for chance) and for whom chance does."""
        if self.phase in ("first roll", "start roll"):
            return -1, next(player for player in self.rolling if player not in self.rolled)
        if self.phase in ("defend", "shield"):
            defender = self.owner(self.attack[1])
            return (-1, defender) if self.phase == "defend" else (defender, None)
        if self.over:
            return None, None
        return (-1, self.player) if self.phase == "dice" else (self.player, None)

    def legal(self) -> list[str]:
        match self.phase:
            case "first roll" | "start roll":
                return [f"roll {self.actor()[1]} {number}" for number in self.numbers]
            case "setup":
                return self.placements(self.player)
            case "dice":
                return [f"dice {number} {symbol}" for number in self.numbers for symbol in self.symbols]
            case "defend":
                return [f"defend {symbol}" for symbol in self.symbols]
            case "shield":
                return self.shields()
            case "evade":
                return self.evasions()
            case "turn":
                movement = ["done"] if self.over_movement else self.moves()[0] or ["pass"]
                return movement + self.abilities()
        return []

    def play(self, text: str) -> None:
        word, *rest = text.split(" ")
        match word:
            case "roll":
                self.roll(int(rest[1]))
            case "square":
                self.squares.add(edge_of(rest[0]))
                self.squares_left[self.player] -= 1
                self.next_placer((self.player + 1) % self.players)
            case "corner":
                self.corners[field_of(rest[0])] = rest[1]
                self.corners_left[self.player] -= 1
                self.next_placer((self.player + 1) % self.players)
            case "dice":
                self.throw(int(rest[0]), rest[1])
            case "add" | "remove" | "turn":
                self.use(word, *rest)
            case "move":
                self.move(*map(field_of, rest))
            case "defend":
                self.defend(rest[0])
            case "shield":
                self.squares.add(edge_of(rest[0]))
                self.depot -= 1
                self.phase = "evade"
            case "evade":
                self.walk(self.player, self.attack[0], field_of(rest[0]))
                self.movement_over()
            case "pass":
                self.over_movement = True
                self.may_end_turn()
            case "done":
                self.end_turn()

    def throw(self, number: int, symbol: str) -> None:
        if symbol == "skip":
            self.end_turn()
            return
        self.number, self.symbol, self.phase = number, symbol, "turn"
        if symbol == "double":
            self.number = 2 * number

    def use(self, word: str, place: str, arms: str = "") -> None:
        if word == "add":
            self.squares.add(edge_of(place))
            self.depot -= 1
        elif word == "remove":
            self.squares.remove(edge_of(place))
            self.depot += 1
        else:
            self.corners[field_of(place)] = arms
        self.used = True
        if self.over_movement:
            self.end_turn()

    def move(self, start: Field, end: Field) -> None:
        if end in self.enemies() and end != self.goal[self.player]:
            self.attack, self.phase = (start, end, self.moves()[1]), "defend"
        else:
            self.walk(self.player, start, end)
            self.movement_over()

    def defend(self, symbol: str) -> None:
        start, end, _ = self.attack
        if symbol == "cloak":
            self.phase = "evade"
        elif symbol == "plus" and self.depot and self.shields():
            self.phase = "shield"
        elif symbol == self.options["reversal"]:
            self.walk(self.player, start, self.start[self.player])
            self.movement_over()
        else:
            defender = self.owner(end)
            self.walk(defender, end, self.start[defender])
            self.walk(self.player, start, end)
            self.movement_over()
