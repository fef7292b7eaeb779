"""What an action does to a position of Labyria that has just been copied for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from companion.games.labyria.actions import (
    Action,
    Add,
    Corner,
    Defend,
    Dice,
    Done,
    Evade,
    Move,
    Pass,
    Remove,
    Roll,
    Shield,
    Square,
    Turn,
)
from companion.games.labyria.grid import Touch
from companion.games.labyria.walking import Attack

if TYPE_CHECKING:
    from companion.games.labyria.position import LabyriaPosition

T = TypeVar("T")


def act(position: LabyriaPosition, action: Action) -> None:
    """Changes the position by a legal action."""
    ACTING[type(action)](position, action)


def _roll(position: LabyriaPosition, action: Roll) -> None:
    """LAB-SETUP-3: those who tie for the highest roll again."""
    position.rolls = (*position.rolls, action.number)
    if len(position.rolls) < len(position.contenders):
        return
    best = max(position.rolls)
    tied = tuple(player for player, number in zip(position.contenders, position.rolls, strict=True) if number == best)
    position.rolls = ()
    if len(tied) > 1:
        position.contenders = tuple(range(position.players)) if position.choices.all_roll_again else tied
        return
    position.contenders = tuple(range(position.players))
    if position.phase == "start roll":
        _begin_turn(position, tied[0])
    else:
        position.starter, position.phase = tied[0], "setup"
        _next_placer(position, tied[0])


def _next_placer(position: LabyriaPosition, first: int) -> None:
    """LAB-SETUP-5: the next player, from `first` on, who can place; without any the setting up is over."""
    for step in range(position.players):
        player = (first + step) % position.players
        if any(position.placeable(player)):
            position.player = player
            return
    position.open_edges = position.open_corners = position.spoilt = 0
    position.phase = "start roll"
    if not position.choices.roll_to_start:
        _begin_turn(position, position.starter)


def _place_square(position: LabyriaPosition, action: Square) -> None:
    edge = position.game.grid.edge[action.edge]
    position.squares |= 1 << edge
    _placed(position, 1 << edge, position.game.square_touch[edge], (1, 0))


def _place_corner(position: LabyriaPosition, action: Corner) -> None:
    corner = position.game.corner[action.crossing, action.arms]
    position.corners |= 1 << corner
    edges = position.game.grid.corner_edges[corner]
    _placed(position, edges, position.game.corner_touch[corner], (0, 1))


def _placed(position: LabyriaPosition, walls: int, touch: Touch, used: tuple[int, int]) -> None:
    """An obstacle stands on the edges `walls`; `used`: squares and corners that were set."""
    if not position.walls:
        position.open_edges = position.open_corners = 0
    position.walls |= walls
    position.open_edges |= touch.edges
    position.open_corners |= touch.corners
    position.spoilt |= touch.spoilt
    squares, corners = position.stock[position.player]
    position.stock = with_(position.stock, position.player, (squares - used[0], corners - used[1]))
    _next_placer(position, (position.player + 1) % position.players)


def _begin_turn(position: LabyriaPosition, player: int) -> None:
    position.player, position.phase = player, "dice"
    position.number, position.symbol, position.used, position.movement = 0, "", False, "due"


def _end_turn(position: LabyriaPosition) -> None:
    _begin_turn(position, (position.player + 1) % position.players)


def _throw(position: LabyriaPosition, action: Dice) -> None:
    if action.symbol == "skip":
        _end_turn(position)
    else:
        position.number = action.number * (2 if action.symbol == "double" else 1)
        position.symbol, position.phase = action.symbol, "turn"


def _add(position: LabyriaPosition, action: Add | Shield) -> None:
    edge = 1 << position.game.grid.edge[action.edge]
    position.squares |= edge
    position.walls |= edge
    position.depot -= 1


def _add_and_go_on(position: LabyriaPosition, action: Add) -> None:
    _add(position, action)
    _use_up(position)


def _remove(position: LabyriaPosition, action: Remove) -> None:
    edge = 1 << position.game.grid.edge[action.edge]
    position.squares ^= edge
    position.walls ^= edge
    position.depot += 1
    _use_up(position)


def _rotate(position: LabyriaPosition, action: Turn) -> None:
    game, corner = position.game, position.game.corner[action.crossing, action.arms]
    old = position.corners & 15 << corner // 4 * 4
    position.corners ^= old | 1 << corner
    position.walls &= ~game.grid.corner_edges[old.bit_length() - 1]
    position.walls |= game.grid.corner_edges[corner]
    _use_up(position)


def _use_up(position: LabyriaPosition) -> None:
    position.used = True
    if position.movement != "due":
        _end_turn(position)


def _move(position: LabyriaPosition, action: Move) -> None:
    cell = position.game.grid.cell
    start, end = 1 << cell[action.start], 1 << cell[action.end]
    if end & position.enemies and end != position.lane.goal:
        again = not position.walker.path(start, position.number, position.fields[0], end)
        position.attack, position.phase = Attack(start, end, again), "defend"
    else:
        _walk(position, position.player, start, end)
        _end_movement(position)


def _walk(position: LabyriaPosition, player: int, start: int, end: int) -> None:
    """A figure of that player goes from field to field."""
    lane = position.game.lanes[position.players][player]
    if start == lane.start:
        position.home = with_(position.home, player, position.home[player] - 1)
    else:
        position.afield = with_(position.afield, player, position.afield[player] ^ start)
    if end == lane.start:
        position.home = with_(position.home, player, position.home[player] + 1)
    elif end == lane.goal:
        position.goals = with_(position.goals, player, position.goals[player] + 1)
    else:
        position.afield = with_(position.afield, player, position.afield[player] | end)


def _end_movement(position: LabyriaPosition) -> None:
    position.attack, position.shields, position.phase, position.movement = None, 0, "turn", "walked"
    if position.goals[position.player] == position.game.figures:
        position.phase = "over"
    elif not position.ability_left:
        _end_turn(position)


def _defend(position: LabyriaPosition, action: Defend) -> None:
    """LAB-EAT-2 and -3."""
    assert position.attack is not None
    start, end, _ = position.attack
    position.shields = position.find_shields() if action.symbol == "plus" else 0
    if action.symbol == "cloak":
        position.phase = "evade"
    elif position.shields:
        position.phase = "shield"
    elif action.symbol == position.choices.reversal:
        _walk(position, position.player, start, position.lane.start)
        _end_movement(position)
    else:
        defender = position.defender
        _walk(position, defender, end, position.game.lanes[position.players][defender].start)
        _walk(position, position.player, start, end)
        _end_movement(position)


def _shield(position: LabyriaPosition, action: Shield) -> None:
    _add(position, action)
    position.phase, position.shields = "evade", 0


def _evade(position: LabyriaPosition, action: Evade) -> None:
    assert position.attack is not None
    _walk(position, position.player, position.attack.start, 1 << position.game.grid.cell[action.end])
    _end_movement(position)


def _pass(position: LabyriaPosition, action: Pass) -> None:
    position.movement = "passed"
    if not position.ability_left:
        _end_turn(position)


def _done(position: LabyriaPosition, action: Done) -> None:
    _end_turn(position)


ACTING: Mapping[type[Any], Callable[[LabyriaPosition, Any], None]] = {
    Roll: _roll,
    Square: _place_square,
    Corner: _place_corner,
    Dice: _throw,
    Add: _add_and_go_on,
    Remove: _remove,
    Turn: _rotate,
    Move: _move,
    Defend: _defend,
    Shield: _shield,
    Evade: _evade,
    Pass: _pass,
    Done: _done,
}
"""What each kind of action does."""


def with_(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The tuple with another item at that index."""
    return (*items[:index], item, *items[index + 1 :])
