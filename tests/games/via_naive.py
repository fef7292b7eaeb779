"""VIA once more, written naively and straight from `rules/via.md`: the tests compare the rules with it.

The board is a dictionary, hands and stock are lists of codes, properties are flooded afresh whenever they are asked
for, nothing is kept that can be computed, and every field and rotation is tried.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

SET = Path(__file__).parents[2] / "companion" / "games" / "via" / "set.toml"
Half = tuple[str, int]
Land = frozenset[Half]
STEP = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
SIDE = {0: "N", 1: "E", 2: "E", 3: "S", 4: "S", 5: "W", 6: "W", 7: "N"}
MEETS = {0: 3, 3: 0, 1: 6, 6: 1, 2: 5, 5: 2, 4: 7, 7: 4}
ACROSS = {"N": "S", "S": "N", "E": "W", "W": "E"}


class NaiveVia:
    """A running game; `play` changes it."""

    def __init__(self, players: int, options: dict[str, bool] | None = None, set_file: Path = SET) -> None:
        content = tomllib.loads(set_file.read_text())
        self.columns, self.rows = content["grid"]["columns"], content["grid"]["rows"]
        self.fields = [f"{chr(97 + c)}{r + 1}" for c in range(self.columns) for r in range(self.rows)]
        self.kinds = {kind["code"]: kind for kind in content["tile"]["kinds"]}
        (self.start,) = [code for code in self.kinds if self.type(code) == "start"]
        (self.water,) = [code for code in self.kinds if self.type(code) == "water"]
        self.options = {"land_alike": True, "free_water": False, "start_counts": True, **(options or {})}
        self.players = players
        self.open = [self.start] * self.kinds[self.start]["count"] + [self.water] * players
        self.stock = [code for code, kind in self.kinds.items() for _ in range(kind["count"])]
        for code in self.open:
            self.stock.remove(code)
        self.board: dict[str, tuple[str, int]] = {}
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.houses = [{2: 7, 3: 5, 4: 4}[players]] * players
        self.castles = [1] * players
        self.built: list[tuple[int, str, Land]] = []
        self.closed: list[Land] = []
        self.early: list[Land] = []
        self.turn: list[str] = []  # what the player has done in this turn
        self.player, self.due, self.passes = 0, 0, 0
        self.phase, self.over = "start", ""

    # -- tiles and the board

    def type(self, code: str) -> str:
        return self.kinds[code]["type"]

    def exits(self, code: str, rotation: int) -> set[str]:
        return {"NESW"[("NESW".index(side) + rotation) % 4] for side in self.kinds[code]["exits"]}

    def parts(self, code: str, rotation: int) -> list[frozenset[int]]:
        return [frozenset((half + 2 * rotation) % 8 for half in part) for part in self.kinds[code]["parts"]]

    def rotations(self, code: str) -> list[int]:
        seen: list[object] = []
        found = []
        for rotation in range(4):
            shown = (self.exits(code, rotation), set(self.parts(code, rotation)))
            if shown not in seen:
                found.append(rotation)
            seen.append(shown)
        return found

    def beside(self, field: str, side: str) -> str | None:
        column, row = ord(field[0]) - 97 + STEP[side][0], int(field[1:]) - 1 + STEP[side][1]
        return f"{chr(97 + column)}{row + 1}" if 0 <= column < self.columns and 0 <= row < self.rows else None

    def roads_beside(self, field: str) -> dict[str, str]:
        """By side, the fields beside it with a road or start tile."""
        near = {side: self.beside(field, side) for side in "NESW"}
        return {s: f for s, f in near.items() if f in self.board and self.type(self.board[f][0]) != "water"}

    def broken_laying(self, code: str, field: str, rotation: int) -> str | None:
        if field in self.board:
            return "VIA-LAY-1"
        near = self.roads_beside(field)
        if self.type(code) == "water":
            return None if near or self.options["free_water"] else "VIA-LAY-5"
        if not near:
            return "VIA-LAY-2"
        mine, joined = self.exits(code, rotation), 0
        for side, other in near.items():
            theirs = self.exits(*self.board[other])
            if (side in mine) != (ACROSS[side] in theirs):
                return "VIA-LAY-3"
            joined += side in mine
        for side, other in near.items():
            if not self.alike(code, self.board[other][0]) and (self.options["land_alike"] or side in mine):
                return "VIA-LAY-4"
        return None if joined else "VIA-LAY-2"

    def alike(self, code: str, other: str) -> bool:
        if "start" in (self.type(code), self.type(other)) or self.type(code) == self.type(other):
            return True
        return len(self.kinds[code]["exits"]) == len(self.kinds[other]["exits"])

    # -- properties

    def flood(self, half: Half) -> tuple[Land, bool]:
        """All the land that hangs together with that half-side, and whether it is closed in."""
        land, waiting, closed = {half}, [half], True
        while waiting:
            field, number = waiting.pop()
            reached = [(field, h) for part in self.parts(*self.board[field]) if number in part for h in part]
            other = self.beside(field, SIDE[number])
            if other is not None and other not in self.board:
                closed = False
            elif other is not None and self.type(self.board[other][0]) != "water":
                reached.append((other, MEETS[number]))
            for one in reached:
                if one not in land:
                    land.add(one)
                    waiting.append(one)
        return frozenset(land), closed

    def properties(self) -> dict[Land, bool]:
        found: dict[Land, bool] = {}
        for field, (code, _) in self.board.items():
            for half in range(8) if self.type(code) != "water" else ():
                if not any((field, half) in land for land in found):
                    land, closed = self.flood((field, half))
                    found[land] = closed
        return found

    def names(self, land: Land) -> list[str]:
        """Its parts, the first one first."""
        found = []
        for column in range(self.columns):
            for row in range(self.rows):
                field = f"{chr(97 + column)}{row + 1}"
                if field in self.board:
                    lows = sorted(min(part) for part in self.parts(*self.board[field]))
                    found += [f"{field}.{low}" for low in lows if (field, low) in land]
        return found

    def size(self, land: Land) -> int:
        codes = [self.board[name.split(".")[0]][0] for name in self.names(land)]
        return sum(self.options["start_counts"] or code != self.start for code in codes)

    # -- what is possible

    def broken_building(self, piece: str, land: Land) -> str | None:
        mine = [(what, self.size(there)) for player, what, there in self.built if player == self.player]
        if self.turn.count("built") >= 2:
            return "VIA-BUILD-2"
        if piece == "house":
            if not self.houses[self.player]:
                return "VIA-SETUP-1"
            return "VIA-BUILD-4" if any(w == "castle" and self.size(land) >= s for w, s in mine) else None
        if not self.castles[self.player]:
            return "VIA-SETUP-1"
        return "VIA-BUILD-4" if any(self.size(land) <= s for _, s in mine) else None

    def layings(self) -> list[str]:
        if self.turn.count("laid") == 2:
            return []
        return [
            f"lay {code} {field} {rotation}"
            for code in dict.fromkeys(self.hands[self.player])
            for field in self.fields
            for rotation in self.rotations(code)
            if self.broken_laying(code, field, rotation) is None
        ]

    def buildings(self) -> list[str]:
        return [
            f"{piece} {self.names(land)[0]}"
            for land in self.closed
            for piece in ("house", "castle")
            if self.broken_building(piece, land) is None
        ]

    def legal(self) -> list[str]:
        if self.over:
            return []
        if self.due:
            return [f"draw {self.player} {code}" for code in sorted(set(self.stock))]
        if self.phase == "start":
            code, free = self.open[0], [field for field in self.fields if field not in self.board]
            return [f"lay {code} {field} {rotation}" for field in free for rotation in self.rotations(code)]
        laid, hand = self.turn.count("laid"), self.hands[self.player]
        found = self.layings() + self.buildings()
        if laid == 2 or (laid == 1 and not self.stock):
            found.append("end")
        elif laid == 1:
            found.append("take")
        else:
            if self.stock and len(hand) < 3:
                found.append("take")
            if len(self.stock) >= 2 and not hand:
                found.append("take 2")
            if not found:
                found.append("pass")
        return found

    # -- acting

    def play(self, text: str) -> None:
        assert text in self.legal()
        match text.split():
            case ["draw", _, code]:
                self.stock.remove(code)
                self.hands[self.player].append(code)
                self.due -= 1
                if not self.due:
                    self.dealt() if self.phase == "deal" else self.end_turn()
            case ["lay", code, field, rotation]:
                self.lay(code, field, int(rotation))
            case ["house" | "castle" as piece, part]:
                self.build(piece, part)
            case ["take", *two]:
                self.due, self.phase = 2 if two else 1, "draw"
            case ["end"]:
                self.end_turn()
            case ["pass"]:
                if len(self.hands[self.player]) == 3:
                    self.over = "VIA-END-2"
                else:
                    self.passes += 1
                    self.end_turn(passed=True)

    def lay(self, code: str, field: str, rotation: int) -> None:
        before = self.properties()
        self.board[field] = (code, rotation)
        self.closed = [land for land, closed in self.properties().items() if closed and not before.get(land)]
        if self.phase == "start":
            self.early += self.closed
            self.closed = []
            self.open.pop(0)
            self.player = (self.player + 1) % self.players
            if not self.open:
                self.phase, self.player = "deal", -1
                self.dealt()
        else:
            self.hands[self.player].remove(code)
            self.turn.append("laid")
            self.finish()

    def dealt(self) -> None:
        self.player += 1
        self.due = min(2, len(self.stock))
        if self.player == self.players or not self.due:
            self.phase, self.player, self.due = "play", 0, 0

    def build(self, piece: str, part: str) -> None:
        land = next(land for land in self.closed if self.names(land)[0] == part)
        if piece == "castle":
            self.castles[self.player] = 0
            houses = sum(what == "house" and player == self.player for player, what, _ in self.built)
            self.houses[self.player] += 2 if houses <= 2 else 1
        else:
            self.houses[self.player] -= 1
        self.built.append((self.player, piece, land))
        self.closed.remove(land)
        self.turn.append("built")
        if sum(self.houses) + sum(self.castles) == 0:
            self.over = "VIA-END-3"
        else:
            self.finish()

    def finish(self) -> None:
        if self.turn.count("laid") == 2 and not self.buildings():
            self.end_turn()

    def end_turn(self, *, passed: bool = False) -> None:
        if not passed:
            self.passes = 0
        self.turn, self.closed = [], []
        if len(self.fields) - len(self.board) <= 2:
            self.over = "VIA-END-1"
        elif self.passes == self.players:
            self.over = "VIA-END-4"
        else:
            self.player, self.phase = (self.player + 1) % self.players, "play"

    # -- telling

    def scores(self) -> list[int]:
        return [sum(self.size(land) for p, _, land in self.built if p == player) for player in range(self.players)]

    def castle_sizes(self) -> list[int]:
        sizes = [0] * self.players
        for player, what, land in self.built:
            if what == "castle":
                sizes[player] = self.size(land)
        return sizes

    def winners(self) -> list[int]:
        if not self.over:
            return []
        ranks = list(zip(self.scores(), self.castle_sizes(), strict=True))
        return [player for player in range(self.players) if ranks[player] == max(ranks)]

    # -- explaining

    def broken(self, text: str) -> str | None:
        """The clause that an action of the notation breaks, None for a legal one."""
        if self.over:
            return self.over
        if text in self.legal():
            return None
        what, *rest = text.split()
        if self.due:
            if what == "draw" and int(rest[0]) == self.player:
                return "VIA-SETUP-2"
            return "VIA-SETUP-4" if self.phase == "deal" else "VIA-TURN-1"
        if self.phase == "start":
            return "VIA-BUILD-3" if what in ("house", "castle") else "VIA-SETUP-3"
        if what == "lay":
            absent = rest[0] not in self.hands[self.player] or self.turn.count("laid") == 2
            return "VIA-TURN-1" if absent else self.broken_laying(rest[0], rest[1], int(rest[2]))
        if what in ("house", "castle"):
            return self.broken_place(what, rest[0])
        if what == "pass":
            return "VIA-TURN-4"
        if what == "take":
            return self.broken_taking(bool(rest))
        return "VIA-TURN-1"  # drawing, or ending too early

    def broken_taking(self, two: bool) -> str:
        hand = self.hands[self.player]
        if "laid" not in self.turn and len(hand) == 3:
            return "VIA-TURN-2"
        if self.turn.count("laid") == 2 or (two and (hand or "laid" in self.turn)):
            return "VIA-TURN-1"
        return "VIA-TURN-3"

    def broken_place(self, piece: str, part: str) -> str | None:
        field, _, half = part.partition(".")
        if field not in self.board or self.type(self.board[field][0]) == "water":
            return "VIA-BUILD-1"
        land, closed = self.flood((field, int(half)))
        if not closed:
            return "VIA-BUILD-1"
        if land in self.early:
            return "VIA-BUILD-3"
        if land not in self.closed:
            return "VIA-BUILD-2"
        return self.broken_building(piece, land) or "VIA-BUILD-2"
