"""Where the units of a single shot or attack come from: types of a rules file, or a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.odds import Reading, throws, whole_chance
from evaluation.rules import CombatRules
from evaluation.tables import Effect, effect_outcomes
from evaluation.units import Status
from planner.game import shipped
from planner.game.faults import WHOLE_FILE, Fault, FileFault, listed
from planner.game.position import Position
from planner.game.read_rules import read_rules, shipped_rules
from planner.game.rules import Rules, UnitType
from planner.interface.asked import Asked
from planner.interface.forms import Form

Given = Mapping[str, str | None]
"""The options of a command as they were typed, by name."""

USUAL_RULES = "standard"


@dataclass(frozen=True, slots=True)
class Source:
    """The rules, and the position if a scenario was named."""

    rules: Rules
    position: Position | None


def source(asked: Asked, given: Given) -> Source:
    """What ``--rules`` or ``--scenario`` names. Raises FileFault when that can't be read."""
    scenario, rules = given["scenario"], given["rules"]
    if scenario is None:
        return Source(_rules(rules or USUAL_RULES), None)
    if rules is not None:
        asked.fault("--rules", "stands beside --scenario, which names its rules", "one of the two")
    position = asked.position(scenario)
    return Source(position.rules, position)


def _rules(name: str) -> Rules:
    names = shipped.rules_names()
    if name in names:
        return shipped_rules(name)
    if not Path(name).exists():
        expected = "a file, or shipped rules: " + listed(names)
        raise FileFault(name, [Fault(WHOLE_FILE, "there is no such file", expected)])
    return read_rules(name)


@dataclass(frozen=True, slots=True)
class Struck:
    """A unit that a throw may hurt, and what each result makes of it.

    ``by_result[result][status]`` and ``after[status]`` are probabilities; ``ways[status]`` the
    same in whole throws.
    """

    name: str
    type: UnitType
    status: Status
    by_result: Mapping[str, Mapping[str, float]]
    after: Mapping[str, float]
    ways: Mapping[str, tuple[int, int] | None]


def struck(
    rules: CombatRules,
    name: str,
    type_: UnitType,
    status: str,
    effects: Mapping[str, Effect],
    after: Mapping[str, float],
) -> Struck:
    """A unit and what results do to it; ``after`` is the resolution's answer."""
    dice, ratings = rules.dice, type_.combat.ratings or {}
    most_throws = throws(effects.values())
    statuses = rules.statuses[type_.kind]
    return Struck(
        name,
        type_,
        rules.status(type_.kind, status),
        {
            result: dict(effect_outcomes(effect, status, ratings, dice))
            for result, effect in effects.items()
        },
        {known: after[known] for known in statuses if known in after},
        {known: whole_chance(after[known], dice, most_throws) for known in after},
    )


def reading_form(reading: Reading) -> Form:
    """A table read for one throw, as JSON."""
    return {
        "strength": reading.strength,
        "column": reading.column,
        "modifier": reading.modifier,
        "results": [
            {
                "result": result.result,
                "rolls": [list(run) for run in result.rolls],
                "chance": f"{result.ways}/{result.combinations}",
                "probability": result.probability,
            }
            for result in reading.results
        ],
    }


def struck_form(unit: Struck) -> Form:
    """A unit and its chances, as JSON."""
    return {
        "unit": unit.name,
        "type": unit.type.name,
        "status": unit.status.name,
        "statuses": {
            status: {"chance": chance_text(unit.ways[status]), "probability": probability}
            for status, probability in unit.after.items()
        },
        "by_result": {result: dict(chances) for result, chances in unit.by_result.items()},
    }


def chance_text(ways: tuple[int, int] | None) -> str | None:
    """A chance in whole throws: ``21/36``."""
    return None if ways is None else f"{ways[0]}/{ways[1]}"
