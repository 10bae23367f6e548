"""``overrun validate FILE…``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from planner.game import shipped
from planner.game.document import Form, named_path, parse_document, read_document
from planner.game.faults import Fault, FileFault, listed, shown
from planner.game.read_rules import parse_rules
from planner.game.read_scenario import parse_game
from planner.game.rules_file import RULES_FORMAT
from planner.game.scenario_file import SCENARIO_FORMAT
from planner.interface.asked import Command, json_option
from planner.interface.printing import print_json
from planner.interface.refusals import ExitStatus, fault_forms
from planner.interface.summary import rules_summary, scenario_summary
from planner.interface.words import many


@dataclass(frozen=True, slots=True)
class _Checked:
    """What was found in one file."""

    file: str
    summary: str = ""
    warnings: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


@click.command("validate", cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@json_option
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Faults in scenario or rules files, or a summary of each.

    What is odd but no fault, as a hex too full, is a warning.
    Which of the two a file is, its "format" key says. Names of shipped scenarios and rules are
    taken too. Exit status 2 when any file has a fault.
    """
    found = [_checked(file) for file in files]
    if as_json:
        print_json([_form(each) for each in found])
    else:
        from planner.interface.screen import say

        for each in found:
            name = each.file or shown(each.file)
            say(str(FileFault(name, each.faults)) if each.faults else _fine(each))
    if any(each.faults for each in found):
        ctx.exit(ExitStatus.WRONG)


def _form(checked: _Checked) -> dict[str, Any]:
    return {
        "file": checked.file,
        "faults": fault_forms(checked.faults),
        "warnings": list(checked.warnings),
    }


def _fine(checked: _Checked) -> str:
    said = "no faults"
    if checked.warnings:
        said += f", {many(len(checked.warnings), 'warning')}"
    warnings = "".join(f"\n  warning: {warning}" for warning in checked.warnings)
    return f"{checked.file}: {said} ({checked.summary}){warnings}"


def _checked(file: str) -> _Checked:
    try:
        return _read(file)
    except FileFault as error:
        return _Checked(file, faults=error.faults)


def _read(file: str) -> _Checked:
    folder: Path | None = None
    if file in shipped.scenario_names():
        raw = parse_document(shipped.scenario_text(file), file, Form.TOML)
    elif file in shipped.rules_names():
        raw = parse_document(shipped.rules_text(file), file, Form.TOML)
    else:
        path = named_path(file, "a file, or a shipped scenario or rules by name")
        folder = path.parent
        raw = read_document(path)
    form = raw.get("format")
    if form == SCENARIO_FORMAT:
        position = parse_game(raw, folder, file).position
        return _Checked(file, scenario_summary(position), position.warnings)
    if form == RULES_FORMAT:
        return _Checked(file, rules_summary(parse_rules(raw, file)))
    said = "is missing" if form is None else f"{shown(form)} is no format"
    expected = listed([SCENARIO_FORMAT, RULES_FORMAT])
    return _Checked(file, faults=(Fault("format", said, expected),))
