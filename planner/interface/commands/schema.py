"""``overrun schema scenario|rules|engine``."""

from __future__ import annotations

from typing import Literal

import click

from planner.game.schema import schema
from planner.interface.asked import Command, json_option
from planner.interface.engine.schema import engine_schema
from planner.interface.printing import print_json


@click.command("schema", cls=Command)
@click.argument(
    "what", metavar="scenario|rules|engine", type=click.Choice(["scenario", "rules", "engine"])
)
@json_option
def command(what: Literal["scenario", "rules", "engine"], as_json: bool) -> None:
    """JSON Schema of the file formats, and of the engine's messages.

    It says what form a file has, TOML or JSON; `overrun validate` checks what the names in it
    stand for as well. A schema is JSON, with or without --json.
    """
    print_json(engine_schema() if what == "engine" else schema(what))
