"""Triangle once more, written naively and straight from `rules/triangle.md`: the tests compare the rules with it.

Cells are triangles between lattice points, and two cells are neighbours where they share two of them. The board is a
dictionary, hands and bag are lists of names, nothing is kept that can be computed, and every rotation is tried.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

Side = frozenset[tuple[int, int]]
SET = Path(__file__).parents[2] / "companion" / "games" / "triangle" / "set.toml"


def sides(cell: int) -> list[Side]:
    """The lattice points at the ends of left, right, bottom; of right, left, top where the cell points down."""
    row = max(r for r in range(100) if r * r <= cell)
    column = cell - row * row
    j = column // 2
    if column % 2 == 0:
        top, left, right = (row, j), (row + 1, j), (row + 1, j + 1)
        return [frozenset((left, top)), frozenset((top, right)), frozenset((right, left))]
    left, right, bottom = (row, j), (row, j + 1), (row + 1, j + 1)
    return [frozenset((right, bottom)), frozenset((bottom, left)), frozenset((left, right))]


def turned(tile: str, rotation: int) -> str:
    """The colours left, right, bottom: with each turn what was left comes to the right, and so on."""
    left, right, bottom = tile[:3]
    for _ in range(rotation):
        left, right, bottom = bottom, left, right
    return left + right + bottom


def value(tile: str) -> int:
    return int(tile[3:])


class NaiveTriangle:
    """A running game; `play` changes it."""

    def __init__(self, players: int, teams: bool = False, set_file: Path = SET) -> None:
        content = tomllib.loads(set_file.read_text())
        self.cells = range(content["grid"]["rows"] ** 2)
        self.bonus = {int(cell): factor for cell, factor in content["grid"]["bonus"].items()}
        self.tiles: list[str] = content["tile"]["tiles"]
        numbered = [(ends, cell, side) for cell in self.cells for side, ends in enumerate(sides(cell))]
        self.across = [  # by cell: its own side, the cell beyond, and that cell's side, of all that two cells share
            [
                (number, other, side)
                for number, ends in enumerate(sides(cell))
                for same, other, side in numbered
                if same == ends and other != cell
            ]
            for cell in self.cells
        ]
        self.players, self.teams = players, teams
        self.bag = list(self.tiles)
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.board: dict[int, tuple[str, int]] = {}
        self.points = [0] * players
        self.before = [0] * players
        self.phase = "first draw"
        self.player = 0
        self.starter = 0

    # -- the board

    def meeting(self, cell: int) -> dict[int, str]:
        """For each side that meets a tile: the colour that this tile shows there."""
        shown = {}
        for side, other, theirs in self.across[cell]:
            if other in self.board:
                shown[side] = turned(*self.board[other])[theirs]
        return shown

    def fits(self, tile: str, cell: int, rotation: int) -> bool:
        if cell in self.board:
            return False
        if not self.board:
            return cell not in self.bonus
        colours, meeting = turned(tile, rotation), self.meeting(cell)
        same = [colours[side] == theirs or "W" in (colours[side], theirs) for side, theirs in meeting.items()]
        return bool(meeting) and all(same)

    def placements(self, tiles: list[str]) -> list[str]:
        found = []
        for tile in tiles:
            rotations = [k for k in range(3) if turned(tile, k) not in [turned(tile, lower) for lower in range(k)]]
            found += [f"place {tile} {c} {k}" for c in self.cells for k in rotations if self.fits(tile, c, k)]
        return found

    # -- the game

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def legal(self) -> list[str]:
        if self.over:
            return []
        if self.phase != "play":
            return [f"draw {self.player} {tile}" for tile in self.bag]
        hand = self.hands[self.player]
        found = self.placements(hand)
        return found or ["pass", *(f"swap {tile}" for tile in hand if self.bag)]

    def broken(self, text: str) -> str | None:
        """The clause that an action breaks, or None: whose it is, then the tile, then the cell, then the colours."""
        if text in self.legal():
            return None
        word, *words = text.split()
        if self.over:
            return "TRI-END-2" if self.bag else "TRI-END-1"
        if self.phase != "play" or word == "draw":
            return {"first draw": "TRI-SETUP-2", "deal": "TRI-SETUP-3"}.get(self.phase, "TRI-DRAW-1")
        hand = self.hands[self.player]
        if word in ("pass", "swap"):
            return "TRI-PASS-1" if self.placements(hand) else "TRI-PASS-2"
        if words[0] not in hand:
            return "TRI-PLACE-5" if words[0] in [tile for tile, _ in self.board.values()] else "TRI-PLACE-4"
        if not self.board:
            return "TRI-PLACE-1"
        cell = int(words[1])
        return "TRI-PLACE-3" if cell not in self.board and self.meeting(cell) else "TRI-PLACE-2"

    def play(self, text: str) -> None:
        word, *words = text.split()
        hand = self.hands[self.player]
        if word == "draw":
            self.bag.remove(words[1])
            hand.append(words[1])
            self.after_draw()
            return
        if word == "place":
            self.place(words[0], int(words[1]), int(words[2]))
        if word == "swap":
            hand.remove(words[0])
            self.bag.append(words[0])
        if word != "pass" and self.bag:
            self.phase = "draw"
        else:
            self.next_turn()

    def place(self, tile: str, cell: int, rotation: int) -> None:
        edges = len(self.meeting(cell)) if self.board else 1
        for player in range(self.players):
            if player == self.player or (self.teams and player % 2 == self.player % 2):
                self.before[player] = self.pegged(player)
        self.points[self.player] += value(tile) * edges * self.bonus.get(cell, 1)
        self.hands[self.player].remove(tile)
        self.board[cell] = (tile, rotation)

    def after_draw(self) -> None:
        if self.phase == "draw":
            self.next_turn()
        elif self.phase == "first draw":
            self.player += 1
            if self.player == self.players:
                self.compare()
        else:
            while self.player < self.players and (len(self.hands[self.player]) == 4 or not self.bag):
                self.player += 1
            if self.player == self.players:
                self.player, self.phase = self.starter, "play"

    def compare(self) -> None:
        self.player = 0
        values = [value(hand[0]) for hand in self.hands]
        best = [player for player in range(self.players) if values[player] == max(values)]
        if len(best) > 1:
            self.hands, self.bag = [[] for _ in range(self.players)], list(self.tiles)
        else:
            self.starter, self.phase = best[0], "deal"
            if not self.bag:
                self.player, self.phase = self.starter, "play"

    def next_turn(self) -> None:
        self.player, self.phase = (self.player + 1) % self.players, "play"
        in_hands = [tile for hand in self.hands for tile in hand]
        if not self.placements(in_hands + self.bag):
            self.phase = "over"

    # -- the score

    def pegged(self, player: int) -> int:
        return sum(p for k, p in enumerate(self.points) if k == player or (self.teams and k % 2 == player % 2))

    def scores(self) -> list[int]:
        own = list(self.points)
        if self.over:
            own = [points - sum(map(value, hand)) for points, hand in zip(own, self.hands, strict=True)]
        return [own[p] + own[(p + 2) % 4] if self.teams else own[p] for p in range(self.players)]

    def track(self) -> dict[int, set[str]]:
        """The counters on each hole of the track, as TRI-SCORE-5 says."""
        colours = ["red", "blue", "green", "yellow"]
        holes: dict[int, set[str]] = {}
        for side in range(2 if self.teams else self.players):
            for score in (self.before[side], self.pegged(side)):
                if score > 0:
                    holes.setdefault((score - 1) % 100 + 1, set()).add(colours[side])
        return holes
