"""Options and arguments that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.configuration import Configuration

DIGITS = 2
"""A longer number is the name of a player."""

CAMERA_HELP = "simulated, picamera, webcam:0, video:FILE or pictures:FOLDER"

camera_option = click.option("--camera", metavar="SOURCE", help=f"Where the pictures come from: {CAMERA_HELP}.")
lights_option = click.option("--lights", type=click.Choice(["gpio", "screen", "none"]), help="Which lights to use.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
options_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game, as in teams=true."
)
players_option = click.option(
    "--players", metavar="NAMES", help="The players in turn order, as in Ada,Ben, or how many there are."
)


def names_of(text: str | None) -> tuple[str, ...] | None:
    """The names in a list with commas; of a number, so many names."""
    if text is None:
        return None
    if text.strip().isdecimal() and len(text.strip()) <= DIGITS:
        from companion.table.seating import numbered

        return numbered(int(text))
    return tuple(name.strip() for name in text.split(","))


def configuration_of(context: click.Context) -> Configuration:
    """The configuration that `--config` names, else the usual one.

    Raises:
        ConfigurationError: it cannot be used.
    """
    from companion import configuration

    return configuration.load(context.find_root().params["config"])
