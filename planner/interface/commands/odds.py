"""``overrun odds shot …`` and ``overrun odds attack …``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from planner.interface.asked import Asked, Command, json_option
from planner.interface.odds_attack import attack_odds
from planner.interface.odds_shot import shot_odds
from planner.interface.printing import print_json

_rules: Callable[[Any], Any] = click.option(
    "--rules", metavar="RULES", help="Shipped rules or a rules file; standard unless given."
)
_scenario: Callable[[Any], Any] = click.option(
    "--scenario", metavar="SCENARIO", help="Take units of this scenario instead of types."
)


@click.group("odds")
def command() -> None:
    """One shot or one attack by itself, as at the table.

    Names are unit types of --rules. With --scenario they are units of it, and what the map says
    (range, aspect, cover) need not be given.
    """


@command.command("shot", cls=Command)
@_rules
@_scenario
@click.option("--firer", metavar="TYPE", required=True, help="Who fires.")
@click.option("--weapon", metavar="W", help="With what; else that of the best rating.")
@click.option("--target", metavar="TYPE", required=True, help="The AFV fired at.")
@click.option("--range", "distance", metavar="N", help="Range in hexes.")
@click.option("--aspect", metavar="front|side|rear", help="The face of the AFV that is struck.")
@click.option("--at-cover", metavar="N", help="What the AFV's hex adds to the roll.")
@click.option("--leader", metavar="N", help="What a leader adds; in a scenario also its name.")
@click.option("--status", metavar="S", help="The AFV's status now; else the fresh one.")
@click.option("--at", metavar="HEX", help="In a scenario: fired at there, not where it is.")
@click.option("--facing", metavar="DIRECTION", help="In a scenario: facing so, not as it does.")
@json_option
def shot(as_json: bool, **given: str | None) -> None:
    """One AT shot at an AFV: strength, column, rolls, and what they do."""
    odds = shot_odds(Asked(), given)
    if as_json:
        print_json(odds.form())
        return
    from planner.interface.show_odds import show_shot

    show_shot(odds)


@command.command("attack", cls=Command)
@_rules
@_scenario
@click.option("--afv", metavar="TYPE", required=True, help="The AFV that overruns.")
@click.option(
    "--passenger",
    "passengers",
    metavar="TYPE[:WEAPON,...]",
    multiple=True,
    help="Infantry that it carries, with the light weapons used.",
)
@click.option(
    "--target",
    "targets",
    metavar="TYPE[:STATUS]",
    multiple=True,
    required=True,
    help="A unit in the target hex; in a scenario the hex.",
)
@click.option("--cover", metavar="N", help="What the target hex adds to the roll.")
@json_option
def attack(
    as_json: bool, passengers: tuple[str, ...], targets: tuple[str, ...], **given: str | None
) -> None:
    """The AP attack of one overrun: strength, column, rolls, and what they do."""
    odds = attack_odds(Asked(), given, passengers, targets)
    if as_json:
        print_json(odds.form())
        return
    from planner.interface.show_odds import show_attack

    show_attack(odds)
