"""How a game ended, in words."""

from __future__ import annotations

from companion.table.state import TableState
from companion.ui.language import Words


def headline(state: TableState, words: Words) -> str:
    """Who has won."""
    winners = [state.players[player].name for player in state.position.winners]
    if not state.position.over:
        return words("The game is not over yet")
    if not winners:
        return words("Nobody wins")
    if len(winners) == 1:
        return words("{name} wins").format(name=winners[0])
    both = words("{names} and {name}").format(names=", ".join(winners[:-1]), name=winners[-1])
    return words("{names} win").format(names=both)
