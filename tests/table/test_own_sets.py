"""Sets of one's own in the data folder: kept, chosen, played with; and what a calibration keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.colours import Learned
from calibration.leds import LedOrder, composed
from companion.games.registry import load_game
from companion.games.sets import SetError
from companion.table.library import Library
from companion.table.own_sets import USUAL, OwnSets
from companion.table.seating import seated
from companion.table.store import Store
from companion.table.workshop import Workshop
from hardware.camera import Camera, SourceError

GAME = load_game("triangle")


def no_camera(game: str | None) -> Camera:
    raise SourceError("there is none")


def test_learned_colours_make_a_set_that_new_games_are_played_with(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        library = Library(store, workshop=lambda sets: Workshop(tmp_path, "webcam:0", no_camera, sets))
        assert library.workshop is not None
        old = GAME.set.tile.colours["R"]  # type: ignore[attr-defined]
        name = library.workshop.keep_colours("triangle", Learned({old: (201, 30, 41)}, ()))
        assert library.sets.names("triangle") == (USUAL, name)
        table = library.new_game("triangle", seated(GAME, ["Ada", "Ben"]), {})
        assert table.state().position.game.set.tile.colours["R"] == (201, 30, 41)  # type: ignore[attr-defined]
        again = library.open_game(table.state().record, watch=False)
        assert again.state().position.game.set.tile.colours["R"] == (201, 30, 41)  # type: ignore[attr-defined]
        library.sets.choose("triangle", USUAL)
        other = library.new_game("triangle", seated(GAME, ["Ada", "Ben"]), {})
        assert other.state().position.game.set.tile.colours["R"] == old  # type: ignore[attr-defined]
        assert library.sets.names("via") == (USUAL,)


def test_a_set_that_cannot_be_used_is_not_kept(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        sets = OwnSets(store)
        with pytest.raises(SetError):
            sets.add("triangle", "broken", "[board]\nshape = 'round'\n")
        assert sets.names("triangle") == (USUAL,)
        assert list((tmp_path / "sets").iterdir()) == []


def test_a_set_whose_file_has_gone_is_not_chosen_any_more(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        sets = OwnSets(store, lambda game: tmp_path / "configured.toml")
        path = sets.add("triangle", "mine", sets_text())
        sets.choose("triangle", "mine")
        assert sets.file("triangle") == path
        path.unlink()
        assert sets.chosen("triangle") == USUAL
        assert sets.file("triangle") == tmp_path / "configured.toml"


def sets_text() -> str:
    from importlib import resources

    return (resources.files("companion.games.triangle") / "set.toml").read_text("utf-8")


def test_the_order_of_leds_is_told_by_the_pins() -> None:
    before = LedOrder((2, 0), 1)
    assert composed(None, before) == before
    assert composed(before, LedOrder((1, 0), 2)) == LedOrder((0, 2), 1)
    assert composed(LedOrder((0,), 1), before) == before
