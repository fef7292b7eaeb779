"""What goes wrong when simulated players move things: mishaps, drawn from a seed.

Nothing here knows rules: what has to be changed is given as labels that sites should show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from companion.games.core import Game
from hardware.simulated.lying import Lying, Move
from hardware.simulated.pieces import base, shared
from hardware.simulated.scene import Shift
from hardware.simulated.script import Carry, Cover, Dark, Note, Push, Rest, Step, Wait

MISHAPS: Final = (
    "rest",  # a hand rests over the board for a while
    "pushed",  # a piece is pushed over several places before it lies
    "two at once",  # two pieces laid, one taken back
    "elsewhere",  # laid, and laid elsewhere before the hand goes
    "taken back",  # laid, put back as it was, and the right one laid later
    "moved",  # a piece that lies is moved, and put right later
    "knocked off",  # a piece goes off its place, and is put back later
    "illegal",  # laid against the rules, and put right later
    "wrong counter",  # what is kept by hand is kept wrongly, and put right later
    "late counter",  # the same, but forgotten for a turn
    "covered card",  # a corner card is covered for a while
    "bumped board",  # the board is pushed
    "bumped all",  # board and corner cards are pushed alike
    "bumped camera",  # the camera is knocked
    "dark",  # the camera sees nothing for a while
    "forgotten draw",  # drawn only after the next player has played
    "late draw",  # what is drawn comes after a while
    "other place",  # what is drawn is laid in another free place
    "rearranged",  # the pieces of a hand are laid otherwise
)


class Mishaps:
    """Draws, from a seed, which mishaps happen: `rates` are probabilities a turn, by name (`MISHAPS`)."""

    def __init__(self, rates: Mapping[str, float], seed: int) -> None:
        unknown = sorted(set(rates) - set(MISHAPS))
        if unknown:
            raise ValueError(f"unknown mishap {unknown[0]!r}; there are: {', '.join(MISHAPS)}")
        self.rates = dict(rates)
        self.random = np.random.default_rng([seed, 30])

    @classmethod
    def all(cls, rate: float, seed: int) -> Mishaps:
        """Every kind at the same rate."""
        return cls(dict.fromkeys(MISHAPS, rate), seed)

    def strikes(self, name: str) -> bool:
        """Whether it happens now."""
        rate = self.rates.get(name, 0.0)
        return rate > 0 and bool(self.random.random() < rate)

    def pick(self, items: list[str]) -> str:
        """One of them."""
        return items[int(self.random.integers(0, len(items)))]

    def a_while(self) -> Wait:
        """Long enough to be noticed."""
        return Wait(float(self.random.uniform(3, 8)), least=2.5)


def before_move(lying: Lying, mishaps: Mishaps, seat: int, move: Move) -> Iterator[Step]:
    """What may go wrong before a player lays a piece (`move` says which and where)."""
    assert move.target is not None
    if mishaps.strikes("rest"):
        yield Note("rest")
        yield Rest(seat, move.target, float(mishaps.random.uniform(3, 9)))
        yield Note("rest", over=True)
    if mishaps.strikes("taken back"):
        wait = mishaps.a_while() if mishaps.random.random() < 0.5 else Wait(0.4)
        yield from tried(lying, mishaps, seat, move, lying.spots(move.target, move.label, 6), "taken back", wait)


def tried(
    lying: Lying,
    mishaps: Mishaps,
    seat: int,
    move: Move,
    spots: Sequence[tuple[str, str]],
    name: str,
    wait: Wait,
) -> Iterator[Step]:
    """The piece is laid on one of those spots (sites with the label there), and taken back after a while."""
    if not spots:
        return
    wrong, label = spots[int(mishaps.random.integers(0, len(spots)))]
    back = lying.kept_as(move.source, base(move.label)) if move.source is not None else base(label)
    yield Note(name)
    yield Carry(seat, move.source, wrong, label)
    yield wait
    yield Carry(seat, wrong, move.source, back)
    yield Note(name, over=True)


def the_move(lying: Lying, mishaps: Mishaps, seat: int, move: Move) -> Iterator[Step]:
    """The move itself, with what may go wrong on the way; at the end the table is right."""
    assert move.target is not None
    pushed, elsewhere = mishaps.strikes("pushed"), mishaps.strikes("elsewhere")
    near = lying.spots(move.target, move.label, 8) if pushed or elsewhere else []
    if near and pushed:
        way = tuple(near[int(k)][0] for k in mishaps.random.integers(0, len(near), int(mishaps.random.integers(1, 4))))
        yield Note("pushed")
        yield Carry(seat, move.source, move.target, move.label, via=way, pace=0.7)
        yield Note("pushed", over=True)
    elif near:
        wrong, label = near[int(mishaps.random.integers(0, min(6, len(near))))]
        yield Note("elsewhere")
        yield Carry(seat, move.source, wrong, label)
        yield Carry(seat, wrong, move.target, move.label)
        yield Note("elsewhere", over=True)
    else:
        yield Carry(seat, move.source, move.target, move.label)
        if mishaps.strikes("two at once"):
            yield from second_piece(lying, mishaps, seat, move)


def second_piece(lying: Lying, mishaps: Mishaps, seat: int, move: Move) -> Iterator[Step]:
    """Another piece is laid too, from the same hand or from beside the board, or taken from where this one stood."""
    assert move.target is not None
    source, others = move.source, [] if move.source is None else _others(lying, move.source)
    if source is not None and lying.specs[source].loose:
        others = [other for other in others if _same_hand(other, source)]
    elif others:  # two walls pulled
        yield from _lifted(lying, seat, mishaps.pick(others), mishaps, "two at once")
        return
    other = mishaps.pick(others) if others else None
    spots = lying.spots(move.target, move.label, 5)
    if not spots or (source is not None and other is None):
        return
    site = mishaps.pick([site for site, _ in spots])
    piece = lying.label(other) if other else move.label
    lies = [label for label in lying.specs[site].labels if base(label) == base(piece)]
    if lies:
        spot = (site, mishaps.pick(lies))
        yield from tried(lying, mishaps, seat, Move(other, *spot), [spot], "two at once", mishaps.a_while())


def _others(lying: Lying, site: str) -> list[str]:
    """Other sites of the same kind on which something lies that can be taken: alone, with nothing upon it."""
    spec = lying.specs[site]
    alike = (other for other in lying.stacks if other != site and lying.specs[other].kind == spec.kind)
    alone = (other for other in alike if not shared(spec) and not shared(lying.specs[other]))
    return [other for other in alone if not lying.empty(other) and not lying.bears(other)]


def _same_hand(a: str, b: str) -> bool:
    return a.rpartition(".")[0] == b.rpartition(".")[0]


def after_move(lying: Lying, mishaps: Mishaps, seat: int, move: Move) -> Iterator[Step]:
    """What may go wrong once a piece lies."""
    assert move.target is not None
    moved, knocked = mishaps.strikes("moved"), mishaps.strikes("knocked off")
    if not moved and not knocked:
        return
    laid = [*_others(lying, move.target), *([] if lying.empty(move.target) else [move.target])]
    laid = [site for site in laid if not shared(lying.specs[site]) and not lying.bears(site)]
    if laid and moved:
        piece = mishaps.pick(laid)
        label = lying.stacks[piece][-1]
        spots = lying.spots(piece, label, 8)
        yield from tried(lying, mishaps, seat, Move(piece, piece, label), spots, "moved", mishaps.a_while())
    if laid and knocked:
        yield from _lifted(lying, seat, mishaps.pick(laid), mishaps, "knocked off")


def _lifted(lying: Lying, seat: int, site: str, mishaps: Mishaps, name: str) -> Iterator[Step]:
    """What lies on a site goes off it, and back after a while."""
    label = lying.stacks[site][-1]
    yield Note(name)
    yield Carry(seat, site, None, label)
    yield mishaps.a_while()
    yield Carry(seat, None, site, label)
    yield Note(name, over=True)


def kept_moves(lying: Lying, mishaps: Mishaps, seat: int, kept: list[Move]) -> Iterator[Step]:
    """Moves of what is kept by hand (counters), perhaps first to a wrong place."""
    for move in kept:
        target = move.target
        if target is not None and mishaps.strikes("wrong counter"):
            wrong = mishaps.pick(lying.free_like(target)[:5])
            yield Note("wrong counter")
            yield Carry(seat, move.source, wrong, move.label)
            yield mishaps.a_while()
            yield Carry(seat, wrong, target, move.label)
            yield Note("wrong counter", over=True)
        else:
            yield Carry(seat, move.source, target, move.label)


def accidents(game: Game[Any, Any], mishaps: Mishaps, *, may_cover: bool = True) -> Iterator[Step]:
    """What may happen to board, camera and light between two turns. A covered card is for the caller to uncover."""
    random = mishaps.random
    push = _push(mishaps)
    cards = {k: _turned_about(push, centre) for k, centre in enumerate(game.marker.centres)}
    bumps = {"bumped board": Push(push), "bumped all": Push(push, cards), "bumped camera": Push(camera=push)}
    for name, step in bumps.items():
        if mishaps.strikes(name):
            yield Note(name)
            yield step
            yield Wait(0.5)
            yield Note(name, over=True)
    if mishaps.strikes("dark"):
        yield Note("dark")
        yield Dark(True)
        yield Wait(float(random.uniform(2, 6)), least=1.5)
        yield Dark(False)
        yield Note("dark", over=True)
    if may_cover and mishaps.strikes("covered card"):
        yield Note("covered card")
        yield Cover((int(random.integers(0, len(game.marker.ids))),))


def _push(mishaps: Mishaps) -> Shift:
    dx, dy = (float(v) for v in mishaps.random.normal(0, 5.0, 2))
    return Shift(dx, dy, float(mishaps.random.normal(0, 1.0)))


def _turned_about(shift: Shift, centre: tuple[float, float]) -> Shift:
    """How a thing at `centre` is displaced when all around it is turned about the origin and moved."""
    c, s = np.cos(np.radians(shift.turn)), np.sin(np.radians(shift.turn))
    x, y = centre
    return Shift(float(x * c + y * s - x + shift.dx), float(-x * s + y * c - y + shift.dy), shift.turn)
