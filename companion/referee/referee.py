"""The referee: from a position and what a picture shows to a decision.

Whole legal successors are weighed against the picture, never single sites: a smudged tile does not matter where only
one legal action fits, and an illegal one stands out because its sites are sure. What is not sure waits for a better
picture, and only then is a question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from companion.games.core import CHANCE, Action, Position, Sign, View
from companion.games.sites import EMPTY
from companion.referee.confidence import confidence_of
from companion.referee.decision import Accepts, Agrees, Asks, Decision, Refuses, Step, Waits
from companion.referee.dims import Dims
from companion.referee.evidence import Differences, Evidence
from companion.referee.search import (
    OUTWEIGHED,
    RIVAL,
    Explanation,
    Search,
    explain_pictures,
    one_place,
    sites_of,
    undecided,
)
from companion.referee.steps import (
    Ways,
    actions_seen,
    before_last_turn,
    before_open_turn,
    before_seen,
    common_start,
    could_be_first,
    first_shown,
    gone_again,
    one_by_one,
    only_way,
    said_in,
    shown_by_another,
    to_what_shows,
    told_by,
)
from companion.referee.veils import Veils
from companion.vision.observation import Observation, Scene
from companion.vision.reading import Reading
from companion.vision.watching.memory import DOUBTFUL


@dataclass(frozen=True, slots=True)
class Patience:
    """How sure and how long, in seconds that the table has shown the same.

    `accept`: probability from which an action is recorded. `sure`: confidence from which a site speaks against the
    rules. `turn`: before a player's action is believed that nothing has followed yet, so that second thoughts are not
    recorded; `open_turn`: the same while the player is still on, or chance has to act for the player; `together`: the
    same where the actions of several players came into view at once, one of which may be a piece too many. `hand`:
    before something is believed while a hand lies over the board. `refuse`: before a broken rule is said, so that a
    tile that is only put down for a moment draws no verdict; `refuse_hand`: the same where only open hands differ,
    which people sort and hold; `refuse_doubtful`: the same where what differs is doubtful, so that the camera has
    looked at it again. `ask`: before an unclear picture becomes a question; `doubt`: the same for one that may as well
    be as recorded, but shows something else rather than that; `tell`: before people are asked for what no picture
    tells; `behind`: after which the table has been ahead of the record for so long that any calm moment is used to ask.
    `advise`: before counters that stand wrong are mentioned.
    """

    accept: float = 0.95
    sure: float = 0.9
    turn: float = 4.0
    open_turn: float = 8.0
    together: float = 10.0
    hand: float = 1.2
    refuse: float = 0.7
    refuse_hand: float = 5.0
    refuse_doubtful: float = 2.0
    ask: float = 4.0
    doubt: float = 6.0
    tell: float = 2.5
    advise: float = 4.0
    behind: float = 15.0


Advice = tuple[tuple[str, tuple[str, ...]], ...]
"""Sites with the labels wanted there."""

CHOICES = 6
"""So many answers are offered at most."""

MISSED = 1
"""More actions of players than this, seen all at once with what chance brought in between, are asked about: a search
that has not come to its end may not have found what really happened.
"""

STAGES = 6
"""So many pictures, each with more than the one before, are kept of what is not settled."""


class Referee:
    """Decides picture after picture; remembers what is too old to be evidence, and since when something is wrong."""

    def __init__(self, patience: Patience | None = None) -> None:
        self.patience = patience or Patience()
        self._stale: dict[str, str] = {}
        self._veils = Veils()
        self._dims = Dims()  # of the position on record
        self._dims_ahead: list[Dims] = []  # of those about to be, one after the other
        self._wrong_since: dict[tuple[str, str], float] = {}
        self._lately: Mapping[str, tuple[str, ...]] = {}
        self._expected: tuple[Position[Any], tuple[Step, ...]] | None = None
        self._unsettled: tuple[Position[Any], tuple[Evidence, ...]] | None = None  # what has shown since, in this order
        self._ahead: tuple[Position[Any], tuple[Evidence, ...]] | None = None  # of these, those after what is accepted
        self._begun: tuple[Position[Any], tuple[tuple[Position[Any], Action], ...]] | None = None  # see `_begin`
        self._vanished: list[tuple[Position[Any], tuple[Sign, ...]]] = []  # seen there, and gone when another thing was
        self._explained: tuple[Reading, dict[tuple[tuple[Action, ...], ...], bool]] | None = None
        self._again: tuple[Position[Any], Reading, bool] | None = None
        self._open: tuple[Position[Any], Ways, tuple[int, ...]] | None = None  # what was in doubt last; see `Asks`
        self._last: tuple[Reading, Position[Any], Evidence, Search | None] | None = None
        self._agreed: tuple[Evidence, Action | None, dict[tuple[str, str], tuple[str, ...]]] | None = None
        self._behind: tuple[Position[Any], float] | None = None  # since when the table has been ahead of the record
        self._earlier: tuple[Position[Any], tuple[Evidence, ...], tuple[Explanation, ...]] | None = None
        self._heard: tuple[tuple[Position[Any], Evidence, tuple[Action, ...]], Search] | None = None
        self._doubted: tuple[Position[Any], float] | None = None  # since when something else has been likelier
        self._guessed: tuple[Position[Any], Evidence, tuple[tuple[Action, ...], ...]] | None = None
        self._dimly: tuple[Position[Any], Evidence, bool] | None = None
        self._hidden: tuple[Position[Any], frozenset[str]] | None = None  # when the position on record last showed
        self._orders: tuple[Explanation, Ways] | None = None  # see `_orders_of_hidden`
        self._between: tuple[Explanation, Ways] | None = None  # see `gone_again`

    def decide(self, position: Position[Any], observation: Observation) -> Decision:
        """What the observation means in the position. Changes nothing: the caller plays what is accepted."""
        reading, self._ahead = observation.reading, None
        if reading is None:
            return Waits(observation.scene.value)
        self._veils.see(position, observation, reading)
        evidence, search = self._understand(position, reading)
        lasted = observation.time - observation.since
        if observation.scene is Scene.HAND and lasted < self.patience.hand:
            return Waits("hand")
        if search is None and self._long_doubted(position, evidence, observation.time):
            search = self._doubt_explained(position, evidence, reading)
        if search is None:
            self._behind = None
            self._dims.see(position, observation, evidence)
            return self._agrees(position, evidence, observation.time)
        lasted = self._lasted(position, observation)
        if observation.scene is Scene.HAND and (not search.explanations or self._exchanged(position, evidence)):
            return Waits("hand")
        if search.explanations:
            self._see_ahead(position, search.explanations[0], observation, evidence)
            decision = self._to_what_is_dim(position, self._weigh(position, search, lasted))
            return self._passes(position, search, decision)
        return self._object(position, evidence, lasted)

    def hear(
        self, position: Position[Any], observation: Observation, said: Sequence[Action], *, now: bool
    ) -> Decision | None:
        """What the observation means together with what people have entered, in this order; None where the two do not
        go together (yet).

        `now`: they entered it just now, so that what the picture shows came first, as far as the rules allow it.
        """
        reading, self._ahead = observation.reading, None
        if reading is None:
            return None
        evidence, _ = self._understand(position, reading)
        key = position, evidence, tuple(said)
        if (
            self._heard is None
            or any(a is not b for a, b in zip(self._heard[0][:2], key[:2], strict=True))
            or (self._heard[0][2] != key[2])
        ):
            self._heard = key, self._understood(position, evidence, tuple(said))
        explanations = self._heard[1].explanations
        if now:
            late = min((explanation.after_said for explanation in explanations), default=0)
            explanations = tuple(one for one in explanations if one.after_said == late)
        if not explanations:
            return None
        calm = observation.time - observation.since >= self.patience.hand
        if not calm and any(unseen and position.turn != CHANCE for unseen in explanations[0].unseen):
            return Waits("settling")  # a hand may be about to do something else than nothing
        lasted = self._lasted(position, observation)
        search = replace(self._heard[1], explanations=explanations)
        return self._passes(position, search, self._weigh(position, search, lasted))

    def _lasted(self, position: Position[Any], observation: Observation) -> float:
        """How long the table has shown the same; long enough to ask where it has been ahead of the record for long."""
        lasted = observation.time - observation.since
        if self._behind is None or self._behind[0] is not position:
            self._behind = position, observation.time
        late = observation.time - self._behind[1] >= self.patience.behind and lasted >= self.patience.refuse
        return max(lasted, self.patience.ask) if late else lasted

    def explains(
        self, position: Position[Any], observation: Observation, undone: Sequence[Action], said: Sequence[Action] = ()
    ) -> bool:
        """Whether the picture shows the position, or something that may have followed on it, surely without the first
        of the actions `undone` and with none of the others but in its turn: people do not take back what something
        followed on that stays. Where people have `said` more, it has to go together with something that followed.
        """
        reading = observation.reading
        if reading is None or observation.scene is Scene.HAND:
            return False
        if observation.time - observation.since < self.patience.refuse:
            return False
        if self._explained is None or self._explained[0] is not reading:
            self._explained = reading, {}
        key, known = (tuple(undone), tuple(said)), self._explained[1]
        if key not in known:
            known[key] = self._shows_without(position, reading, undone, said)
        return known[key]

    def _shows_without(
        self, position: Position[Any], reading: Reading, undone: Sequence[Action], said: Sequence[Action]
    ) -> bool:
        evidence = self._evidence(position, reading)
        if not evidence.compare(position.view()):
            return not said
        found = explain_pictures(position, (evidence,), said).explanations
        stayed = dict(enumerate(undone[1:], start=1))  # in their turns
        return bool(found) and not any(
            action in undone and stayed.get(k) != action for one in found for k, action in enumerate(one.actions)
        )

    def reappeared(
        self, positions: Sequence[Position[Any]], actions: Sequence[Action], observation: Observation
    ) -> bool:
        """Whether something shows again that did so in the first position, and was gone when the actions, which led
        from each to the next, were recorded in its stead: it may have been knocked off when another player came next.
        Who is still on, or has put it there later, has had second thoughts.
        """
        before, *later = positions
        own = [was.signs(action) for was, action in zip(positions, actions, strict=False) if was.turn == before.turn]
        vanished = [signs for position, signs in self._vanished if signs not in own and position == before]
        reading = observation.reading if vanished and observation.scene is not Scene.HAND else None
        if reading is None or all(position.turn == before.turn for position in later):
            return False
        if self._again is None or self._again[0] is not before or self._again[1] is not reading:
            evidence = self._evidence(before, reading)
            back = [signs for signs in vanished if all(map(evidence.may_lie_on, signs))]
            found = explain_pictures(before, (evidence,)).explanations if back else ()
            first = (first_shown(before, one) for one in found)
            self._again = before, reading, any(position.signs(action) in back for position, action in first)
        return self._again[2]

    def accepted(self, before: Position[Any], after: Position[Any], reading: Reading | None) -> None:
        """To be told when the position has changed: what the picture still shows beyond it is no evidence any more."""
        self._lately = _kept(before)
        unsettled = self._ahead or self._unsettled
        if unsettled is not None and unsettled[0] is before:
            self._unsettled = after, unsettled[1]
        if reading is not None:
            leaving = after.view().leaving - before.view().leaving
            self._stale |= {site: reading[site].label for site in leaving if reading[site].label != EMPTY}
        self._veils.settle(before.view(), after.view())
        for number, dims in enumerate(self._dims_ahead):
            if dims.shows(after):
                self._dims, self._dims_ahead = dims, self._dims_ahead[number + 1 :]
                break
        self._last = None

    def withdrawn(self, before: Position[Any], action: Action) -> None:
        """To be told when an action is off the record because the table showed it no more, or not as the first."""
        self._expected = self._hidden = None
        others = [one for one in self._vanished if one[0] != before]
        if len(others) == len(self._vanished):
            self._vanish(before, before.signs(action))
        else:
            self._vanished = others

    def disbelieve(self, position: Position[Any], observation: Observation) -> None:
        """Leaves out of account, until it changes, what the picture shows otherwise than the position."""
        if observation.reading is not None:
            evidence, _ = self._understand(position, observation.reading)
            sites = self._suspects(evidence.compare(position.view()))
            self._stale |= {site: observation.reading[site].label for site in sites}
            self._last = None

    def forget(self) -> None:
        """Judges the next picture afresh."""
        self._stale, self._wrong_since = {}, {}
        self._veils.forget()
        self._dims.forget()
        self._dims_ahead = []
        self._expected = self._unsettled = self._ahead = self._open = self._last = None
        self._begun, self._vanished = None, []
        self._hidden = self._orders = self._between = None

    def _vanish(self, position: Position[Any], signs: tuple[Sign, ...]) -> None:
        """Keeps what was seen and is gone."""
        if signs:
            self._vanished = [*self._vanished, (position, signs)][-STAGES:]

    def _begin(self, position: Position[Any], explanations: Sequence[Explanation]) -> None:
        """What shows may have begun in these ways; what others began with before, and is in none of these, has
        vanished.
        """
        if self._begun is not None and self._begun[0] is position:
            shown = {action for one in explanations for action in one.actions}
            for before, action in self._begun[1]:
                if action not in shown:
                    self._vanish(before, before.signs(action))
                    if before is not position:
                        self._vanish(position, before.signs(action))
        self._begun = position, tuple(first_shown(position, one) for one in explanations)

    def _see_ahead(
        self, position: Position[Any], best: Explanation, observation: Observation, evidence: Evidence
    ) -> None:
        """Follows what the board shows that is about to be recorded, and keeps what it showed before on the way there:
        of that a part may be recorded first.
        """
        if observation.board_moved:
            self._dims_ahead = []
        if not (self._dims_ahead and self._dims_ahead[-1].shows(best.position)):
            way = list(accumulate(best.actions, lambda before, action: before.play(action), initial=position))
            kept = [dims for dims in self._dims_ahead if any(map(dims.shows, way))]
            self._dims_ahead = kept if kept and kept[-1].shows(best.position) else [*kept, Dims()]
        self._dims_ahead[-1].see(best.position, observation, evidence)

    def _to_what_is_dim(self, position: Position[Any], decision: Decision) -> Decision:
        """The decision, which accepts nothing beside which something dim had come first: that is looked into next."""
        if isinstance(decision, Accepts):
            for number, step in enumerate(decision.steps[:-1], start=1):
                position = position.play(step.action)
                if any(dims.dimmed and dims.shows(position) for dims in self._dims_ahead):
                    return replace(decision, steps=decision.steps[:number])
        return decision

    # -- understanding -------------------------------------------------------------------------------------------------

    def _understand(self, position: Position[Any], reading: Reading) -> tuple[Evidence, Search | None]:
        """The evidence, and the search for an explanation where the picture differs from the position."""
        veiled, dimmed, last = self._veils.veiled, self._dims.dimmed, self._last
        known = last is not None and last[0] is reading and last[1] is position
        if last is None or not known or (last[2].veiled, last[2].dimmed) != (veiled, dimmed):
            self._freshen(reading)
            evidence = self._evidence(position, reading, veiled, dimmed)
            view = position.view()
            differs = bool(evidence.compare(view._replace(leaving=frozenset())))
            may = differs or evidence.outweighs(view, RIVAL) or undecided(position, evidence)
            search = self._explain(position, evidence) if may else None
            if search is not None and not differs and not search.explanations:
                search = None
            self._last = (reading, position, evidence, search)
            return evidence, search
        return last[2], last[3]

    def _long_doubted(self, position: Position[Any], evidence: Evidence, time: float) -> bool:
        """Whether a site has shown for long something that is likelier than what is on record, if not surely."""
        if not evidence.outweighs(position.view(), OUTWEIGHED):
            self._doubted = None
            return False
        if self._doubted is None or self._doubted[0] is not position:
            self._doubted = position, time
        return time - self._doubted[1] >= self.patience.doubt

    def _doubt_explained(self, position: Position[Any], evidence: Evidence, reading: Reading) -> Search | None:
        """The search for what may have led to what is likelier than what is on record; None if nothing can have."""
        search = self._explain(position, evidence)
        if not search.explanations:
            return None
        self._last = (reading, position, evidence, search)
        return search

    def _evidence(
        self,
        position: Position[Any],
        reading: Reading,
        veiled: Collection[str] = (),
        dimmed: Collection[str] = (),
    ) -> Evidence:
        return Evidence(reading, {*self._stale, *position.game.incidental}, veiled, dimmed)

    def _explain(self, position: Position[Any], evidence: Evidence, said: tuple[Action, ...] = ()) -> Search:
        """By way of all that was seen before and is not settled, or as much of it, of what was seen last, as can be
        explained, or else directly; nothing where what is about to be recorded shows still, but would have come later.
        """
        if again := [one for one in self._vanished if one[0] is position and all(map(evidence.may_lie_on, one[1]))]:
            self._vanished = [one for one in self._vanished if one not in again]
            self._unsettled = None  # what the pictures showed in between came after it, or before
        unsettled = self._unsettled
        before = unsettled[1] if unsettled is not None and unsettled[0] is position else ()
        for passed in range(len(before) + 1):
            search = explain_pictures(position, (*before[passed:], evidence), said)
            if search.explanations:
                break
        first = tuple(step.action for step in self._still_there(position, evidence)) if passed else ()
        begun = any(one.actions[: len(first)] == first for one in search.explanations)
        return search if begun else replace(search, explanations=())

    def _understood(self, position: Position[Any], evidence: Evidence, said: tuple[Action, ...]) -> Search:
        """What explains the picture with what people have entered; if nothing does, what chance brought in between may
        have gone again, where it can have been one of a few things.
        """
        search = self._explain(position, evidence, said)
        if search.explanations:
            return search
        gone = explain_pictures(position, (evidence,), said, gone=True)
        few = tuple(one for one in gone.explanations if not one.at_random(CHOICES))
        return replace(gone, explanations=few, exhausted=gone.exhausted and search.exhausted)

    def _remember(self, position: Position[Any], search: Search) -> None:
        """Keeps what the pictures tell of the order in which things have happened: the last one of each stage."""
        *before, last = search.pictures
        if before and max(search.explanations[0].stages) < len(before):
            del before[-1]  # nothing has happened since
        self._unsettled = position, (*before, last)[-STAGES:]

    def _passes(self, position: Position[Any], search: Search, decision: Decision) -> Decision:
        """The decision; the pictures that what it accepts leads through are not to be led through again, as by figures
        that go back and forth.
        """
        if isinstance(decision, Accepts):
            stages, count = search.explanations[0].stages, len(decision.steps)
            stage = stages[count] if count < len(stages) else max(stages)
            self._ahead = position, search.pictures[stage:-1]
        return decision

    def _freshen(self, reading: Reading) -> None:
        self._stale = {
            site: label
            for site, label in self._stale.items()
            if reading[site].visible < 0.5 or reading[site].label == label
        }

    @staticmethod
    def _exchanged(position: Position[Any], evidence: Evidence) -> bool:
        """Whether chance is to act, and a hand that cannot be seen just now was seen to hold something else: tiles have
        gone back, say, and been drawn anew.
        """
        return position.turn == CHANCE and evidence.held_otherwise(position.view())

    # -- the board is as recorded --------------------------------------------------------------------------------------

    def _agrees(self, position: Position[Any], evidence: Evidence, time: float) -> Decision:
        self._unsettled = None
        if self._agreed is None or self._agreed[0] is not evidence:
            self._agreed = evidence, only_way(position, evidence), self._astray(position, evidence.reading)
            self._hidden = position, frozenset(site for site in position.view().sites if not evidence.tells(site))
        _, forced, astray = self._agreed
        if forced is not None:
            return Accepts((Step(forced, 1.0, "inferred"),), agrees=True)
        self._wrong_since = {wrong: self._wrong_since.get(wrong, time) for wrong in astray}
        lasting = (wrong for wrong, since in self._wrong_since.items() if time - since >= self.patience.advise)
        return Agrees(tuple((site, astray[site, label]) for site, label in lasting))

    def _astray(self, position: Position[Any], reading: Reading) -> dict[tuple[str, str], tuple[str, ...]]:
        """Sites kept by hand that show something wrong, each with that label; and what they should show."""
        astray = {}
        for site, wanted in _kept(position).items():
            seen = reading.sites.get(site)
            if seen is None or seen.visible < 0.9 or seen.label == EMPTY or seen.confidence < self.patience.sure:
                continue
            if seen.label not in wanted and seen.label not in self._lately.get(site, ()):
                astray[site, seen.label] = wanted
        return astray

    # -- the board has changed in a legal way --------------------------------------------------------------------------

    def _weigh(self, position: Position[Any], search: Search, lasted: float) -> Decision:
        evidence = search.pictures[-1]
        best, *others = search.explanations
        rivals = [other for other in others if other.cost - best.cost < RIVAL]
        self._begin(position, (best, *rivals))
        if (rivals or not search.exhausted) and all(best.choices) and not any(best.said):
            # Only chance has acted, in an order that nobody saw; the first action of a player will tell.
            self._remember(position, search)
            return Waits("order")
        if not search.exhausted and len(actions_seen(best)) > MISSED and any(count > 1 for count in best.choices):
            choices = tuple(one.actions for one in search.explanations[:CHOICES])
            said = said_in(choices, search.explanations)
            return self._unclear("unclear", position, evidence, lasted, choices, said)
        first = () if search.exhausted else could_be_first(position, best, search.pictures)
        if len(first) > 1:  # which one was, no search that was given up can tell
            self._remember(position, search)
            ways = tuple((*before_seen(best), action) for action in first[:CHOICES])
            return self._which(position, search, lasted, ways)
        if self._orders is None or self._orders[0] is not best:
            self._orders = best, self._orders_of_hidden(position, best, search.pictures)
        if orders := self._orders[1]:
            self._remember(position, search)
            return self._which(position, search, lasted, orders)
        steps = self._steps(position, best, search.pictures)
        if self._between is None or self._between[0] is not best:
            self._between = best, gone_again(position, best, search.pictures)
        if outcomes := shown_by_another(position, best, evidence) or self._between[1]:
            return self._which(position, search, lasted, outcomes)
        sure = next((k for k, step in enumerate(steps) if step.confidence < self.patience.accept), len(steps))
        if not search.exhausted:
            sure = min(sure, before_open_turn(position, best))
        if ways := self._before_last(position, best, search.pictures[: max(best.stages)]):
            return self._disputed(position, best, steps[:sure], ways, search, lasted)
        heard = max((k + 1 for k, said in enumerate(best.said) if said), default=0)
        sure = min(sure, *(common_start(best.actions, rival.actions) for rival in rivals)) if rivals else sure
        single = one_by_one(position, best)
        if max(single, heard) < sure and lasted < self.patience.together:
            return self._accept_before(max(single, heard), position, best, steps, search)
        if sure < len(steps):
            return self._accept_sure(position, (best, *rivals), steps, sure, search, lasted)
        if heard < len(steps) and lasted < self._second_thoughts(best, position.turn):
            certain = max(heard, before_last_turn(best))
            if certain:
                return Accepts(steps[:certain])
            self._expected = position, steps
            self._remember(position, search)
            return Waits("turn", best.actions)
        return Accepts(steps)

    def _orders_of_hidden(self, position: Position[Any], best: Explanation, pictures: Sequence[Evidence]) -> Ways:
        """In which orders players may have acted where something came to light, after something else had, on sites that
        were hidden already when the table last showed what is on record.
        """
        if self._hidden is None or self._hidden[0] is not position or any(best.said) or not max(best.stages):
            return ()
        before, late = position, False
        for action, stage, chance in zip(best.actions, best.stages, best.choices, strict=True):
            sites = sites_of(before.signs(action))
            late |= bool(stage and not chance and sites) and sites <= self._hidden[1]
            before = before.play(action)
        if not late:
            return ()
        found = explain_pictures(position, pictures[-1:]).explanations
        acted = [actions_seen(one) for one in (best, *found)]
        ways = [one.actions for one, own in zip(found, acted[1:], strict=True) if Counter(own) == Counter(acted[0])]
        return tuple(ways) if len(set(acted[1:])) > 1 and len(ways) > 1 else ()

    def _before_last(self, position: Position[Any], best: Explanation, pictures: Sequence[Evidence]) -> Ways:
        """In which orders players may have acted by the pictures before the last change alone, where that is open."""
        if not pictures or any(best.said):
            return ()
        if self._earlier is None or self._earlier[0] is not position or self._earlier[1] != tuple(pictures):
            found = explain_pictures(position, pictures).explanations
            likely = tuple(one for one in found if one.cost - found[0].cost < RIVAL)
            self._earlier = position, tuple(pictures), likely
        ways = tuple(one.actions for one in self._earlier[2])
        orders = tuple(way for way in ways if Counter(way) == Counter(best.actions[: len(way)]))
        differ = ((way, common_start(best.actions, way)) for way in orders)
        return orders if any(k < len(way) and not best.choices[k] for way, k in differ) else ()

    def _disputed(
        self,
        position: Position[Any],
        best: Explanation,
        sure: tuple[Step, ...],
        ways: Ways,
        search: Search,
        lasted: float,
    ) -> Decision:
        """Accepts the sure steps with which all ways begin, and asks for the order of the rest: by the last picture
        only one may be legal, but there may be a piece too many in it. That one is among the answers.
        """
        certain = to_what_shows(best, min(len(sure), *(common_start(best.actions, way) for way in ways)))
        if certain:
            return Accepts(sure[:certain])
        self._remember(position, search)
        ways = tuple(dict.fromkeys((*ways, best.actions[: max(map(len, ways))])))
        return self._which(position, search, lasted, ways)

    def _accept_before(
        self, single: int, position: Position[Any], best: Explanation, steps: tuple[Step, ...], search: Search
    ) -> Decision:
        """Accepts what comes before the actions of several players that came into view at once: these wait."""
        if single := to_what_shows(best, single):
            return Accepts(steps[:single])
        self._remember(position, search)
        return Waits("turn", best.actions)

    def _accept_sure(
        self,
        position: Position[Any],
        explanations: tuple[Explanation, ...],
        steps: tuple[Step, ...],
        sure: int,
        search: Search,
        lasted: float,
    ) -> Decision:
        """Accepts what is sure before a step that is not; that one waits, and becomes a question in the end.

        Where only in doubt is whether chance has acted yet, the next action of a player will tell.
        """
        best, evidence = explanations[0], search.pictures[-1]
        if sure := to_what_shows(best, sure):
            return Accepts(steps[:sure])
        veiled = evidence.veiled & sites_of(position.signs(best.actions[0]))
        if veiled and best.choices[0]:
            return Waits("unclear") if lasted < self.patience.behind else Asks("unclear", tuple(sorted(veiled)))
        self._remember(position, search)  # what was seen first, if only dimly, came first
        if best.choices[0] and len(explanations) == 1:
            after = position.play(best.actions[0])
            if (self._confidence(position, after, evidence, True) or 0) >= self.patience.accept:
                return Waits("unclear")
        choices = tuple(explanation.actions for explanation in explanations)
        return self._which(position, search, lasted, choices)

    def _which(self, position: Position[Any], search: Search, lasted: float, choices: Ways) -> Decision:
        """Asks which of the choices it was, or how it began where there are many; what follows can only be told once
        that is known.
        """
        evidence = search.pictures[-1]
        if len(choices) > CHOICES:
            firsts = tuple(dict.fromkeys(choice[:1] for choice in choices))
            choices = one_place(position, evidence) or (firsts if len(firsts) > 1 else choices)[:CHOICES]
        said = said_in(choices, search.explanations)
        self._open, self._expected = (position, choices, said), None
        return self._unclear("which", position, evidence, lasted, choices, said)

    def _second_thoughts(self, explanation: Explanation, player: int | None) -> float:
        """How long the last action may still be taken back: longer while the player is on, where chance will show that
        it stays, or where it has to stay once it is recorded.
        """
        if explanation.choices[-1]:
            return 0.0
        after = explanation.position
        shows = after.turn == CHANCE and any(after.signs(action) for action in after.legal_actions()[:1])
        long = shows or after.turn == player or after.game.laid_stays
        return self.patience.open_turn if long else self.patience.turn

    def _steps(
        self, position: Position[Any], explanation: Explanation, pictures: Sequence[Evidence]
    ) -> tuple[Step, ...]:
        steps, evidence = [], pictures[-1]
        end, final = explanation.position, explanation.position.view()
        last = max(explanation.stages)
        shown = [k for k, chance in enumerate(explanation.choices) if not chance and not explanation.unseen[k]]
        for number, action in enumerate(explanation.actions):
            after, unseen, said = position.play(action), explanation.unseen[number], explanation.said[number]
            happened = bool(shown) and number < shown[-1]
            seen = not (unseen or said)
            drawing = end.turn == CHANCE and end.concerns == position.concerns  # more for the same hand
            confidence = self._confidence(position, after, evidence, happened, final, drawing) if seen else None
            if confidence is None and seen and explanation.stages[number] < last:
                earlier = pictures[explanation.stages[number]]  # it has gone on since
                confidence = self._confidence(position, after, earlier, happened)
            inferred = unseen or explanation.blind[number] or explanation.choices[number] > 1
            sure = 1.0 if confidence is None else confidence
            steps.append(Step(action, sure, "hand" if said else "inferred" if inferred else "camera"))
            position = after
        return tuple(steps)

    def _confidence(
        self,
        before: Position[Any],
        after: Position[Any],
        evidence: Evidence,
        happened: bool,
        final: View | None = None,
        drawing: bool = False,
    ) -> float | None:
        enough = self.patience.accept
        return confidence_of(before, after, evidence, happened=happened, enough=enough, final=final, drawing=drawing)

    # -- the board has changed in another way --------------------------------------------------------------------------

    def _object(self, position: Position[Any], evidence: Evidence, lasted: float) -> Decision:
        differences = evidence.compare(position.view())
        covered = self._covered(position, evidence) if position.turn == CHANCE else ()
        if covered and lasted < self.patience.ask:
            return Waits("covered")
        if not differences.sites and not differences.extra:
            return Waits("in hand")
        sites = (*differences.sites, *differences.extra)
        patience = self.patience.refuse if differences.sites else self.patience.refuse_hand
        if lasted < patience:
            return Waits("settling")
        if expected := self._still_there(position, evidence):
            return Accepts(expected)
        if self._open is not None and self._open[0] is position and len(self._open[1]) > 1:
            return Asks("which", sites, *self._open[1:])  # what has followed can only be told once this is known
        dim = self._may_be_legal(position, evidence)
        unclear = dim or any(evidence.reading[site].confidence < self.patience.sure for site in sites)
        if unclear and lasted < self.patience.ask:
            return Waits("unclear")
        told = self._untold(position, evidence)
        if unclear and not told:
            return self._unclear("unclear", position, evidence, lasted)
        if told:
            patience = self.patience.refuse if position.turn == CHANCE else self.patience.tell
            return Waits("told") if lasted < patience else Asks("told", sites, told)
        doubtful = any(evidence.reading[site].confidence < DOUBTFUL for site in sites)
        if doubtful and lasted < self.patience.refuse_doubtful:
            return Waits("unclear")
        if covered:
            return Asks("unclear", covered)  # what chance has brought may lie there
        judgement = position.judge({site: evidence.reading[site].label for site in self._suspects(differences)})
        if judgement is None or self._heard_in_vain(position, evidence):
            return self._unclear("differs", position, evidence, lasted)
        return Refuses(judgement, sites)

    def _heard_in_vain(self, position: Position[Any], evidence: Evidence) -> bool:
        """Whether the search with what people have entered was given up: what shows may be legal."""
        if self._heard is None:
            return False
        (where, seen, _), search = self._heard
        return where is position and seen is evidence and not search.exhausted

    def _may_be_legal(self, position: Position[Any], evidence: Evidence) -> bool:
        """Whether what cannot be told yet may be what makes it legal: whether something explains the picture if it was
        done where that is, or nobody knows, as there are too many ways.
        """
        dim = evidence.dim(position.view())
        if not dim:
            return False
        if self._dimly is None or self._dimly[0] is not position or self._dimly[1] is not evidence:
            guessed = self._evidence(position, evidence.reading, evidence.veiled, evidence.dimmed | dim)
            search = explain_pictures(position, (guessed,))
            self._dimly = position, evidence, bool(search.explanations) or not search.exhausted
        return self._dimly[2]

    def _untold(self, position: Position[Any], evidence: Evidence) -> tuple[tuple[Action, ...], ...]:
        """What people may have done and not told, or what chance may have brought and nobody saw, as choices: what
        begins each way in which the picture then agrees.
        """
        if position.dice or not (position.turn == CHANCE or any(map(position.told, position.legal_actions()))):
            return ()
        if self._guessed is None or self._guessed[0] is not position or self._guessed[1] is not evidence:
            found = explain_pictures(position, (evidence,), guess=True).explanations
            few = (one for one in found if not one.at_random(CHOICES))
            firsts = {one.actions[: told_by(position, one.actions)]: None for one in few}
            self._guessed = position, evidence, tuple(firsts)
        return self._guessed[2]

    def _still_there(self, position: Position[Any], evidence: Evidence) -> tuple[Step, ...]:
        """What was about to be accepted, if it lies there yet, while more has happened that no rule explains."""
        if self._expected is None or self._expected[0] is not position:
            return ()
        for step in self._expected[1]:
            if not all(evidence.may_show(sign) for sign in position.signs(step.action)):
                return ()
            position = position.play(step.action)
        return self._expected[1]

    @staticmethod
    def _suspects(differences: Differences) -> tuple[str, ...]:
        groups = (site for _, group in differences.missing for site in group.sites)
        return tuple(dict.fromkeys((*differences.sites, *differences.extra, *groups)))

    @staticmethod
    def _covered(position: Position[Any], evidence: Evidence) -> tuple[str, ...]:
        """The places that cannot be told: those where chance may show its result now, else those of all hands."""
        hidden = [site for group in position.view().groups for site in group.sites if not evidence.tells(site)]
        signs = (sign for action in position.legal_actions() for sign in position.signs(action))
        now = sites_of(signs)
        return tuple(site for site in hidden if site in now) or tuple(hidden)

    def _unclear(
        self,
        key: str,
        position: Position[Any],
        evidence: Evidence,
        lasted: float,
        choices: Ways = (),
        said: tuple[int, ...] = (),
    ) -> Decision:
        if lasted < self.patience.ask:
            return Waits("unclear")
        differences = evidence.compare(position.view())
        sites = (*differences.sites, *differences.extra)
        shown = sites_of(sign for actions in choices for sign in position.signs(actions[0]))
        return Asks(key, sites or tuple(sorted(shown)), choices, said)


def _kept(position: Position[Any]) -> Mapping[str, tuple[str, ...]]:
    """What sites that no action depends on should show."""
    view = position.view()
    return {**view.kept, **{site: (view.sites[site],) for site in position.game.incidental}}
