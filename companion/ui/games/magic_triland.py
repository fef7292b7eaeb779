"""Magic Triland on the screens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from companion.games.core import Action, Position
from companion.games.magic_triland import endings
from companion.games.magic_triland import items as things
from companion.games.magic_triland.actions import KEEP, PEARL, Block, Cards, Go, Offer, Pull, Share, Trade
from companion.games.magic_triland.items import KINDS, LETTERS, RINGS
from companion.games.magic_triland.position import NOBODY, TrilandPosition
from companion.games.sites import SiteSpec
from companion.table.state import Played
from companion.ui.games import Face, Overlay, Piece, Shelf, Site, Step, Tally, Word, sampled
from companion.ui.games import magic_triland_board as board
from companion.ui.language import Words, marked


class MagicTrilandFace(Face):
    """What Magic Triland brings for the screens."""

    title = marked("Magic Triland")
    summary = marked("Trade rings, bring a pearl home")

    # -- entering ------------------------------------------------------------------------------------------------------

    def steps(self, action: Action) -> tuple[Step, ...]:
        """Block and cell; two cards; where a messenger goes at which cost; what is given and taken; a word."""
        match action:
            case Block(height, cell):
                return Piece("height", str(height)), Site(f"cell:{cell}")
            case Pull(_, value):
                return (Word("hidden") if value is None else Piece("card", str(value)),)
            case Cards(first, second):
                return Piece("card", str(first)), Piece("card", str(second))
            case Go(_, end, cost):
                return Site(board.site_of(end)), Piece("cost", str(cost))
            case Trade(give, take):
                return Piece("give", give), Piece("take", take)
            case Offer(item):
                return (Piece("give", item),)
            case Share(arriving, other):
                return (Word(f"{arriving}/{other}"),)
        return (Word(str(action)),)

    def ways(self, position: Position[Any], action: Action) -> tuple[tuple[Step, ...], ...]:
        """Two cards, and what is given and taken, in either order; a messenger on the board or in the panel."""
        steps, here = self.steps(action), _of(position)
        if isinstance(action, Cards | Trade) and steps[0] != steps[1]:
            return steps, steps[::-1]
        if isinstance(action, Go):
            messenger = here.called(action.who)
            assert messenger is not None
            return (board.carried(here, messenger), *steps), (Site(here.site(messenger)), *steps)
        return (steps,)

    def offered(self, position: Position[Any]) -> Sequence[Action]:
        """Of a card that is pulled nothing has to be told where draws are hidden; things are divided on the desk."""
        hidden = position.hidden_action()
        return position.legal_actions() if hidden is None else [hidden]

    def spots(self, game: Any) -> tuple[SiteSpec, ...]:
        """Homes and broadsides."""
        return board.spots(game)

    def also(self, position: Position[Any], site: str) -> tuple[str, ...]:
        """A terrace is meant by each of its cells, a broadside along all of it."""
        here = _of(position)
        kind, _, name = site.partition(":")
        if kind == "place" and name.startswith("~"):
            return tuple(f"{site}.{k}" if k else site for k in range(len(board.SHORE_SPOTS)))
        if kind != "cell" or here.land is None:
            return (site,)
        terrace = here.land.cells[here.land.number[name]]
        return tuple(f"cell:{here.game.cells[cell].name}" for cell in terrace)

    def private(self, position: Position[Any]) -> frozenset[str]:
        """The cards, where a card was pulled from a neighbour and is known."""
        here = _of(position)
        own = here.phase == "cards" and here.chance and NOBODY not in here.pulls
        pull = here.phase == "pull" and here.hidden_action() is None
        return frozenset({"card"}) if own or pull else frozenset()

    def secret(self, action: Action) -> bool:
        """What somebody pulled."""
        return isinstance(action, Pull)

    def prompt(self, position: Position[Any], chosen: Sequence[Step], words: Words) -> str:
        """What to tap next."""
        here = _of(position)
        match here.phase:
            case "landscape":
                return words("Onto which field?") if chosen else words("Set a block")
            case "pull":
                return words("Pull a card on the right")
            case "cards":
                return words("The second card?") if chosen else words("Lay two cards")
            case "trade":
                return words("Give one thing, take one")
            case "offer":
                return words("Offer one thing")
            case "share":
                return words("Divide the things anew")
            case "pearl":
                return words("Turn two rings into a pearl?")
        if not here.movers or not any(isinstance(action, Go) for action in here.legal_actions()):
            return words("Energy {n} is lost").format(n=here.energy)
        if len(chosen) == 2:
            return words("At which cost?")
        text = words("Energy {n}: where to?") if chosen else words("Energy {n}: tap a messenger")
        return text.format(n=here.energy)

    def word(self, key: str, words: Words) -> str:
        """The words on buttons."""
        return {
            "forfeit": words("The rest is lost"),
            "pearl": words("Take the pearl"),
            "keep": words("Keep the rings"),
            "hidden": words("A card was pulled"),
        }.get(key, key)

    def icon(self, key: str) -> str | None:
        """The icons on buttons."""
        return {"forfeit": "skip", "pearl": "circle", "keep": "back", "hidden": "hidden"}.get(key)

    def attempt(self, position: Position[Any], chosen: Sequence[Step], site: str) -> Action | None:
        """A block on that cell, or the chosen messenger's way there with all the energy."""
        here = _of(position)
        kind, _, name = site.partition(":")
        if here.phase == "landscape" and chosen and kind == "cell":
            assert isinstance(chosen[0], Piece)
            return Block(int(chosen[0].label), name)
        if here.phase != "go" or len(chosen) != 1 or here.land is None or kind not in ("cell", "place"):
            return None
        who = next((m for m in here.own if chosen[0] in (board.carried(here, m), Site(here.site(m)))), None)
        if who is None:
            return None
        if kind == "cell":
            name = here.land.names[here.land.place_of_cell[here.game.cell_number[name]]]
        return Go(here.name(who), name.partition(".")[0], here.energy)

    # -- showing -------------------------------------------------------------------------------------------------------

    def pieces(self, position: Position[Any], player: int) -> tuple[Piece, ...]:
        """The cards in hand, where everybody knows them."""
        here = _of(position)
        if here.phase != "cards" or here.player != player or here.joker or here.chance:
            return ()
        (hand,) = here.hands(player)
        return tuple(
            Piece("card", str(value)) for value, count in zip(here.game.values, hand, strict=True) for _ in range(count)
        )

    def tallies(self, position: Position[Any], player: int, words: Words) -> tuple[Tally, ...]:
        """Blocks to set; then cards in hand, possible energy, pearls."""
        here = _of(position)
        if here.phase == "landscape":
            return (Tally(Piece("height", "1"), str(sum(here.blocks[player]))),)
        cards = sum(here.decks[player]) - sum(here.laid[player])
        energy = () if here.chance or not cards else (Tally(Piece("energy", ""), _energy_range(here, player)),)
        own = [m for m in range(len(here.places)) if here.owner(m) == player]
        counts = [sum(column) for column in zip(*(things.counts(here.items[m]) for m in own), strict=True)]
        pearls = [Tally(Piece("item", KINDS[k]), str(n)) for k, n in enumerate(counts) if n and k >= RINGS]
        return (Tally(Piece("card", "back"), str(cards)), *energy, *pearls)

    def note(self, position: Position[Any], words: Words) -> str:
        """How long the game can still last."""
        here = _of(position)
        return words("Turn {n} of {m}").format(n=min(here.turns + 1, here.limit), m=here.limit) if here.land else ""

    def overlay(self, position: Position[Any], chosen: Sequence[Step]) -> Overlay:
        """Blocks with their heights, homes and broadsides with what belongs to them, messengers with their things."""
        return board.drawn(_of(position))

    def desk(self, position: Position[Any], words: Words) -> tuple[Shelf, ...]:
        """The things of both messengers that meet."""
        here = _of(position)
        if here.phase == "share":
            return tuple(_divided_shelf(here, m, words) for m in (here.arrived, here.other))
        if here.phase == "trade":
            weak = here.arrived + here.other - here.strong
            return (
                _shelf(here, here.strong, words("{who} gives"), "give", words),
                _shelf(here, weak, words("and takes from {who}"), "take", words),
            )
        if here.phase != "offer":
            return ()
        waiting = here.arrived + here.other - here.offering
        told = words("{who} waits")
        if here.offered != NOBODY:
            told = words("{who} offers: {item}").replace("{item}", _word(KINDS[here.offered], words))
        return (
            _shelf(here, here.offering, words("{who} offers"), "give", words),
            _shelf(here, waiting, told, None, words),
        )

    def divided(self, position: Position[Any], parts: Sequence[Sequence[Piece]]) -> Action | None:
        """Who carries what then."""
        letters = [_letters([piece.label for piece in part]) for part in parts]
        return Share(letters[0], letters[1])

    def shown(self, action: Action, words: Words) -> tuple[Piece | None, str]:
        """What was set, laid, moved or exchanged."""
        match action:
            case Block(height, cell):
                return Piece("height", str(height)), words("set on {place}").format(place=cell)
            case Pull():
                return Piece("card", "back"), words("pulled a card")
            case Cards(first, second):
                return Piece("card", str(second)), f"{first} + {second}"
            case Go(who, end, cost):
                text = words("{who} to {place}, energy {n}")
                return Piece("cost", str(cost)), text.format(who=_word(who, words), place=_word(end, words), n=cost)
            case Trade(give, take):
                text = words("gave {item}, took {taken}")
                return Piece("item", give), text.format(item=_word(give, words), taken=_word(take, words))
            case Offer(item):
                return Piece("item", item), words("gave {item}").format(item=_word(item, words))
            case Share():
                return Piece("shape", "swap"), words("divided the things")
        named = {PEARL: words("took a pearl"), KEEP: words("kept the rings")}
        assert not isinstance(action, Block)
        return Piece("shape", "skip"), named.get(action, words("energy lost"))  # type: ignore[call-overload]

    def minor(self, action: Action) -> bool:
        """Cards pulled."""
        return isinstance(action, Pull)

    def telling(self, played: Played, game: Any, names: Sequence[str], words: Words) -> str:
        """What cards add up to; what happened to messengers and their things."""
        if isinstance(played.action, Cards):
            first, second = played.action
            return words("{a} + {b} = energy {n}").format(a=first, b=second, n=played.action.energy)
        return super().telling(played, game, names, words)

    def breakdown(self, position: Position[Any], words: Words) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Pearls brought home, and the bonus for ending the game."""
        here = _of(position)
        pearls = tuple(endings.points(here, player) for player in range(here.players))
        bonus = tuple(endings.BONUS if player == here.winner else 0 for player in range(here.players))
        return (words("Pearls at home"), pearls), (words("For ending"), bonus)

    # -- before the game -----------------------------------------------------------------------------------------------

    def option(self, name: str, words: Words) -> tuple[str, str]:
        """The options."""
        return {
            "variant": (
                words("Variant"),
                words(
                    "In Basic one pearl of the opposite side wins, in Master all three colours; a 0 is a joker there."
                ),
            ),
            "cards": (words("Cards"), words("By chance: one card is pulled unseen from the neighbour.")),
            "turns": (words("Longest game"), words("After so many turns the game is drawn.")),
        }[name]

    def value(self, name: str, value: object, words: Words) -> str:
        """What can be chosen."""
        return {
            "basic": words("Basic"),
            "master": words("Master"),
            "basic-duel": words("Basic Duel"),
            "master-duel": words("Master Duel"),
            "tactical": words("Tactical"),
            "chance": words("By chance"),
        }.get(str(value)) or words.plural("{n} turn", "{n} turns", int(str(value)))

    def sample(self) -> Position[Any]:
        """A game on its way, always the same one."""
        return self._sample

    @cached_property
    def _sample(self) -> Position[Any]:
        return sampled(board.default().new(3), 60)


def _energy_range(position: TrilandPosition, player: int) -> str:
    """The least and the most that two cards of the open hand give."""
    (hand,) = position.hands(player)
    values = sorted(v for v, n in zip(position.game.values, hand, strict=True) for _ in range(n))
    if len(values) < 2:
        return str(sum(values))
    most = sum(values[-2:])
    if position.variant.master:
        own = [m for m in range(len(position.places)) if position.owner(m) == player]
        joker = len({kind for m in own for kind in things.pearls(position.items[m])})
        most = sum(sorted(joker if value == 0 else value for value in values)[-2:])
    return f"{sum(values[:2])}–{most}"


def _shelf(position: TrilandPosition, messenger: int, title: str, kind: str | None, words: Words) -> Shelf:
    """A messenger and what it carries; with a kind its things can be touched."""
    carried = [KINDS[LETTERS.index(letter)] for letter in things.letters(position.items[messenger])]
    pieces = [Piece(kind or "item", item) for item in carried]
    steps: list[Step | None] = [piece if kind else None for piece in pieces]
    named = title.replace("{who}", _named(position, messenger, words))
    return Shelf(named, position.owner(messenger), (board.carried(position, messenger), *pieces), (None, *steps))


def _divided_shelf(position: TrilandPosition, messenger: int, words: Words) -> Shelf:
    pieces = tuple(Piece("item", KINDS[LETTERS.index(one)]) for one in things.letters(position.items[messenger]))
    return Shelf(_named(position, messenger, words), position.owner(messenger), pieces, (None,) * len(pieces))


def _named(position: TrilandPosition, messenger: int, words: Words) -> str:
    """A messenger by shade and colour."""
    shade, home = position.game.messengers[messenger].split("-")
    return f"{_word(home, words)}, {_word(shade, words)}"


def _letters(names: Sequence[str]) -> str:
    return "".join(sorted((LETTERS[KINDS.index(name)] for name in names), key=LETTERS.index))


def _word(key: str, words: Words) -> str:
    return board.default().clauses.word(key, words.language)


def _of(position: Position[Any]) -> TrilandPosition:
    assert isinstance(position, TrilandPosition)
    return position


FACE = MagicTrilandFace()
