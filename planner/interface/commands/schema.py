"""``overrun schema scenario|rules``."""

from __future__ import annotations

from typing import Literal

import click

from planner.game.schema import schema
from planner.interface.asked import Command, json_option
from planner.interface.printing import print_json


@click.command("schema", cls=Command)
@click.argument("file_format", metavar="scenario|rules", type=click.Choice(["scenario", "rules"]))
@json_option
def command(file_format: Literal["scenario", "rules"], as_json: bool) -> None:
    """JSON Schema of the file formats.

    It says what form a file has, TOML or JSON; `overrun validate` checks what the names in it
    stand for as well. A schema is JSON, with or without --json.
    """
    print_json(schema(file_format))
