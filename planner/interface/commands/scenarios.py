"""``overrun scenarios``."""

from __future__ import annotations

from typing import Any

import click

from planner.game import shipped
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.interface.asked import Command, json_option
from planner.interface.printing import print_json
from planner.interface.summary import map_size


@click.command("scenarios", cls=Command)
@json_option
def command(as_json: bool) -> None:
    """The scenarios that come with the program.

    Every command takes their names in place of a file.
    """
    forms = [_form(name, load(name)) for name in shipped.scenario_names()]
    if as_json:
        print_json(forms)
        return
    from planner.interface.screen import show_table

    show_table(
        ["name", "title", "map", "AFVs to move", "enemy units", "rules"],
        [
            [
                form["name"],
                form["title"],
                f"{form['columns']} x {form['rows']}",
                str(form["afvs"]),
                str(form["enemy_units"]),
                form["rules"],
            ]
            for form in forms
        ],
        right=[3, 4],
        folding=[1],
    )


def _form(name: str, position: Position) -> dict[str, Any]:
    columns, rows = map_size(position)
    return {
        "name": name,
        "title": position.title,
        "rules": position.rules_ref,
        "columns": columns,
        "rows": rows,
        "to_move": position.to_move,
        "afvs": sum(1 for _ in position.movers()),
        "enemy_units": sum(unit.side == position.defender for unit in position.units.values()),
    }
