"""``overrun schema scenario|rules|record|engine``."""

from __future__ import annotations

from typing import Literal

import click

from planner.game.schema import schema
from planner.interface.asked import Command, json_option
from planner.interface.engine.schema import engine_schema
from planner.interface.printing import print_json
from planner.play.record_file import record_schema


@click.command("schema", cls=Command)
@click.argument(
    "what",
    metavar="scenario|rules|record|engine",
    type=click.Choice(["scenario", "rules", "record", "engine"]),
)
@json_option
def command(what: Literal["scenario", "rules", "record", "engine"], as_json: bool) -> None:
    """JSON Schema of files, of records and of the engine's messages.

    It says what form a file has, TOML or JSON; `overrun validate` checks what the names in it
    stand for as well. A schema is JSON, with or without --json.
    """
    if what == "record":
        print_json(record_schema())
    else:
        print_json(engine_schema() if what == "engine" else schema(what))
