"""Whole games played by simulated players: from the rules' actions to what hands do on the simulated table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from companion.games.core import CHANCE, Action, Game, Position, View
from hardware.simulated.lying import Lying, Move, moves, stacks_of
from hardware.simulated.pieces import base, plain
from hardware.simulated.players import (
    Mishaps,
    accidents,
    after_move,
    before_move,
    kept_moves,
    second_piece,
    the_move,
    tried,
)
from hardware.simulated.script import Carry, Cover, Done, Enter, Heed, Lay, Note, Step, Wait

KEENNESS = 0.12
"""How much a point more makes an action likelier, as an exponent."""
FEW = 6
"""Players think about so many outcomes of chance."""
LONGEST = 60.0
"""Seconds that players wait at most for the companion, where they heed it."""


class Rehearsal:
    """A game in which simulated players act: sensible at random, repeatable from the seed.

    `steps()` is the script for a simulated table, made while it plays; `actions` are the actions so far, `turns` whose
    turn it was at each (a player's number or `CHANCE`), `position` the position after them. What no picture tells is
    entered (`Enter`) when people would tap it; what follows by itself is not. `plan` gives the first actions instead of
    leaving them to the players; `limit` ends the game after so many actions.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        players: int,
        options: Mapping[str, object] | None = None,
        *,
        seed: int = 0,
        mishaps: Mishaps | None = None,
        plan: Sequence[str] = (),
        limit: int | None = None,
    ) -> None:
        self.game = game
        self.position: Position[Any] = game.new(players, options)
        self.actions: list[Action] = []
        self.turns: list[int | None] = []
        self.mishaps = mishaps or Mishaps({}, seed)
        self._plan, self._limit = list(plan), limit
        self._random = np.random.default_rng([seed, 40])
        self._lying = Lying(game)
        self._late: list[Step] = []  # what a player has forgotten to do
        self._held: list[Action] = []  # what the table does not show yet, as the piece is still in somebody's hand
        self._covered = 0  # turns for which a corner card stays covered

    def steps(self) -> Iterator[Step]:
        """The script, until the game is over."""
        for step in self._steps():
            self._lying.apply(step)
            yield step

    def _steps(self) -> Iterator[Step]:
        yield self._opening()
        while not self.position.over and (self._limit is None or len(self.actions) < self._limit):
            action = self._choose()
            before, self.position = self.position, self.position.play(action)
            self.actions.append(action)
            self.turns.append(before.turn)
            yield from self._act(before, action)
        yield from self._caught_up()
        yield from self._let_go()
        yield from self._uncovered()
        yield Wait(1.0, least=0.5)
        yield Heed(LONGEST)

    def _opening(self) -> Lay:
        """What lies on the table before anybody acts."""
        kept = self.position.view().kept
        return Lay({site: stack for site, stack in stacks_of(self.position).items() if site not in kept})

    # -- choosing ------------------------------------------------------------------------------------------------------

    def _choose(self) -> Action:
        if self._plan:
            planned: Action = self.game.parse(self._plan.pop(0))
            return planned
        hidden: Action | None = self.position.hidden_action()
        if hidden is not None:
            return hidden
        legal: list[Action] = sorted(self.position.legal_actions(), key=str)
        player = self.position.turn
        if player is None or player == CHANCE:
            return legal[int(self._random.integers(0, len(legal)))]
        if len(legal) == 1:
            return legal[0]
        gains = np.array([self._prospect(self.position.play(action), player) for action in legal], float)
        weights = np.exp(np.clip((gains - gains.max()) * KEENNESS, -30, 0))
        return legal[int(self._random.choice(len(legal), p=weights / weights.sum()))]

    def _prospect(self, position: Position[Any], player: int) -> float:
        """How well a player would then stand, on the average of what chance may bring at once."""
        outcomes = position.legal_actions() if position.turn == CHANCE else ()
        if not 0 < len(outcomes) <= FEW:
            return position.prospect(player)
        return float(np.mean([position.play(outcome).prospect(player) for outcome in outcomes]))

    # -- acting --------------------------------------------------------------------------------------------------------

    def _act(self, before: Position[Any], action: Action) -> Iterator[Step]:
        own, kept = moves(self._lying.after(self._late), self.position)
        by_chance = before.turn == CHANCE
        seat = self.game.seats(before.players)[(before.concerns if by_chance else before.turn) or 0]
        if not by_chance:
            yield Wait(float(self._random.uniform(0.5, 4.0)))
            yield Heed(LONGEST)
            yield from self._between_turns()
        yield from self._entered(before, action)
        if by_chance:
            yield from (
                self._returned(before, seat, action) if self.position.view().leaving else self._draw(seat, own, action)
            )
            return
        if self._holds(own):
            self._held.append(action)
            return
        if any(isinstance(step, Carry) and step.target in {move.source for move in own} for step in self._late):
            yield from self._caught_up()  # what is to be laid is what had been forgotten
        for move in own:
            if move.target is not None:
                yield from self._lay(before, seat, move)
            else:
                yield Carry(self._seat_of(move, seat), move.source, move.target, move.label)
        yield from self._done(action)
        yield from self._caught_up()
        yield from self._keep(seat, kept)
        for move in own:
            if move.target is not None:
                yield from after_move(self._lying, self.mishaps, seat, move)

    def _keep(self, seat: int, kept: list[Move]) -> Iterator[Step]:
        """What is kept by hand is put right, or forgotten for a while."""
        if kept and self.mishaps.strikes("late counter"):
            self._late += [
                Note("late counter"),
                *(Carry(seat, *move) for move in kept),
                Note("late counter", over=True),
            ]
        else:
            yield Wait(float(self._random.choice([0.2, 0.6, 1.5])))
            yield from kept_moves(self._lying, self.mishaps, seat, kept)

    def _entered(self, before: Position[Any], action: Action) -> Iterator[Step]:
        """Somebody taps what no picture tells; what follows by itself or ends the turn goes without saying."""
        forced = len(before.legal_actions()) == 1 or action == before.hidden_action()
        after = before.play(action)
        tells = not self._unique(before, action) if after.view() != before.view() else after.turn == before.turn
        if before.dice or (not forced and (before.told(action) or tells)):
            yield Wait(float(self._random.uniform(0.3, 1.5)), least=0.3)
            yield Enter(str(action))

    def _unique(self, before: Position[Any], action: Action) -> bool:
        """Whether the table then shows what it shows after no other action."""
        signs, view = before.signs(action), before.play(action).view()
        others = (other for other in before.legal_actions() if other != action and before.signs(other) == signs)
        return all(before.play(other).view() != view for other in others)

    def _holds(self, own: list[Move]) -> bool:
        """Whether the player keeps in hand what was taken, until chance tells where it goes: a wall is looked at."""
        away = any(move.target is None for move in own)
        return away and self.position.turn == CHANCE and self.position.concerns is not None and not self.game.copies

    def _done(self, *actions: Action) -> Iterator[Step]:
        """The table shows the actions, and with them what began with things that a player still held."""
        held, self._held = self._held, []
        for one in (*held, *actions):
            yield Done(str(one))

    def _let_go(self) -> Iterator[Step]:
        """The game was ended while somebody still held something."""
        if self._held:
            for move in moves(self._lying, self.position)[0]:
                yield Carry(0, move.source, move.target, move.label)
            yield from self._done()

    def _lay(self, before: Position[Any], seat: int, move: Move) -> Iterator[Step]:
        yield from before_move(self._lying, self.mishaps, seat, move)
        if self.mishaps.strikes("illegal"):
            yield from self._illegal(before, seat, move)
        yield from the_move(self._lying, self.mishaps, seat, move)

    def _illegal(self, before: Position[Any], seat: int, move: Move) -> Iterator[Step]:
        """The piece is laid where no action puts it so, and taken back."""
        assert move.target is not None
        views = [before.play(action).view() for action in before.legal_actions()]
        legal = {(site, label) for view in views for site, label in view.sites.items()}
        legal |= {(site, label) for view in views for site, labels in view.either.items() for label in labels}
        legal |= {(s, label) for view in views for group in view.groups for s in group.sites for label in group.labels}
        tries = [(move.target, move.label), *self._lying.spots(move.target, move.label, 12)]
        wrong = [
            (site, label)
            for site, like in tries
            for label in (self._lying.specs[site].labels if plain(like) == like else (like,))
            if base(label) == base(like) and (site, plain(label)) not in legal
        ]
        yield from tried(self._lying, self.mishaps, seat, move, wrong, "illegal", self.mishaps.a_while())

    def _draw(self, seat: int, own: list[Move], action: Action) -> Iterator[Step]:
        """What chance brings; it may be late, or come to lie elsewhere."""
        steps: list[Step] = []
        for move in own:
            target = move.target
            free = [s for s in self._hand_of(target) if self._lying.empty(s) and s != target] if target else []
            if free and self.mishaps.strikes("other place"):
                target = self.mishaps.pick(free)
                steps += [Note("other place"), Note("other place", over=True)]
            elif target and self.mishaps.strikes("rearranged"):
                full = [s for s in self._hand_of(target) if not self._lying.empty(s)]
                if full:
                    other = self.mishaps.pick(full)
                    steps += [Note("rearranged"), Carry(seat, other, target, self._lying.label(other)), Wait(0.3)]
                    steps.append(Note("rearranged", over=True))
                    target = other
            steps.append(Carry(self._seat_of(move, seat), move.source, target, move.label))
            if None not in move[:2] and self.mishaps.strikes("two at once"):
                steps += second_piece(self._lying, self.mishaps, seat, move)
        if steps and self.position.phase == "play" and not self._late and self.mishaps.strikes("forgotten draw"):
            self._late = [Note("forgotten draw"), *steps, *self._done(action), Note("forgotten draw", over=True)]
            return
        if self.mishaps.strikes("late draw"):
            yield Note("late draw")
            yield self.mishaps.a_while()
            yield Note("late draw", over=True)
        yield Wait(float(self._random.uniform(0.2, 1.2)))
        yield from steps
        yield from self._done(action)
        if own and not all(self._lying.specs[move.target or move.source or ""].loose for move in own):
            yield Wait(2.0, least=1.5)  # everybody looks at it

    def _returned(self, before: Position[Any], seat: int, action: Action) -> Iterator[Step]:
        """What was drawn is shown, and then all of it goes back."""
        for sign in before.signs(action):
            free = next(site for site in sign.sites if self._lying.empty(site))
            yield Carry(seat, None, free, sign.label)
        yield from self._done(action)
        yield Wait(1.5, least=1.0)
        for move in moves(self._lying, self.position)[0]:
            yield Carry(self._seat_of(move, seat), move.source, move.target, move.label)

    def _hand_of(self, site: str) -> tuple[str, ...]:
        """The sites of the group that a site belongs to."""
        groups: View = self.position.view()
        return next((group.sites for group in groups.groups if site in group.sites), ())

    def _seat_of(self, move: Move, seat: int) -> int:
        """Whose hand moves it: the owner of the hand where it lies, else the one whose turn it is."""
        site = move.target or move.source or ""
        owner = site.partition(":")[2].partition(".")[0]
        return int(owner) if self._lying.specs[site].loose and owner.isdigit() else seat

    def _caught_up(self) -> Iterator[Step]:
        """What was forgotten is made good."""
        late, self._late = self._late, []
        yield from late

    def _between_turns(self) -> Iterator[Step]:
        if self._covered == 1:
            yield from self._uncovered()
        self._covered = max(0, self._covered - 1)
        for step in accidents(self.game, self.mishaps, may_cover=not self._covered):
            if isinstance(step, Cover):
                self._covered = int(self.mishaps.random.integers(1, 4))
            yield step

    def _uncovered(self) -> Iterator[Step]:
        if self._covered:
            yield Cover(())
            yield Note("covered card", over=True)
