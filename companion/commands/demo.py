"""`companion demo`: a whole game on the simulated table."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from companion import failures
from companion.commands.options import parse_options
from companion.commands.records import DEMO, open_store
from companion.commands.simulation import Simulation
from companion.commands.telling import teller
from companion.commands.watching import watcher_of
from companion.configuration import Configuration
from companion.games.registry import table_game
from companion.table.conductor import Conductor, Happening
from companion.table.looking import follow
from companion.table.rehearsal import Rehearsal
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.tapping import Tapping


def run(
    game_name: str,
    seed: int,
    speed: float,
    names: Sequence[str] | None,
    options: Sequence[str],
    as_json: bool,
    configuration: Configuration,
) -> int:
    """Plays a game without a screen, seen only through the simulated camera; the exit status is 0 where all that was
    played was recorded, and nothing else.
    """
    set_file = configuration.set_file(game_name)
    game = table_game(game_name, set_file)
    players = seated(game, names)
    chosen = parse_options(game, len(players), options)
    game.new(len(players), chosen)  # what is impossible is said before anything is stored
    with open_store(configuration, DEMO) as store:
        session = Session.create(store, game, players, chosen, set_file=set_file)
        simulation = Simulation(session.position, seed, speed=speed, live=False)
        tell = teller(as_json, [player.name for player in players])
        conductor = Conductor(session, watcher_of(game, "simulated", configuration), tell=tell)
        with simulation.camera as camera:
            tapping = Tapping(simulation.rehearsal, camera.table, attentive=True)
            follow(camera, conductor, tapping)
        simulation.finish()
        if not session.position.over:
            tell(conductor.result())
    compared = compare(session, simulation.rehearsal, tapping.by_hand)
    tell(compared)
    return failures.SUCCESS if compared["demo"]["agrees"] else failures.FAILED


def compare(session: Session, rehearsal: Rehearsal, by_hand: int) -> Happening:
    """How what was recorded agrees with what was played, in the actions and in the position that they lead to; and how
    often the players had to put the record right by hand.
    """
    played = [str(action) for action in rehearsal.actions]
    recorded = [str(one.action) for one in session.played]
    matches = SequenceMatcher(None, played, recorded, autojunk=False).get_matching_blocks()
    told = {
        "actions": len(played),
        "recognised": sum(match.size for match in matches),
        "put_right_by_hand": by_hand,
        "scores": list(rehearsal.position.scores),
        "agrees": session.position == rehearsal.position,
    }
    return {"demo": told}
