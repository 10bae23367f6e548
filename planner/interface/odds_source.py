"""Where the units of a single shot or attack come from: types of a rules file, or a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.odds import Reading, throws, whole_chance
from evaluation.rules import CombatRules
from evaluation.tables import Effect, effect_outcomes
from evaluation.units import Status
from planner.game import shipped
from planner.game.document import named_path
from planner.game.faults import listed
from planner.game.position import Position, Unit
from planner.game.read_rules import read_rules, shipped_rules
from planner.game.rules import Rules, UnitType
from planner.interface.asked import Asked
from planner.interface.forms import Form

Given = Mapping[str, str | None]
"""The options of a command as they were typed, by name."""

USUAL_RULES = "standard"
MODIFIERS = (-100, 100)
"""What cover or a leader may add to a roll, as in rules files."""


@dataclass(frozen=True, slots=True)
class Source:
    """The rules, and the position if a scenario was named."""

    rules: Rules
    position: Position | None


def source(asked: Asked, given: Given) -> Source:
    """What ``--rules`` or ``--scenario`` names. Raises FileFault when that can't be read."""
    scenario, rules = given["scenario"], given["rules"]
    if scenario is None:
        return Source(_rules(USUAL_RULES if rules is None else rules), None)
    if rules is not None:
        asked.fault("--rules", "stands beside --scenario, which names its rules", "one of the two")
    position = asked.position(scenario)
    return Source(position.rules, position)


def _rules(name: str) -> Rules:
    names = shipped.rules_names()
    if name in names:
        return shipped_rules(name)
    return read_rules(named_path(name, "a file, or shipped rules: " + listed(names)))


def status_on_map(
    asked: Asked, place: str, what: str, name: str, statuses: Mapping[str, Status]
) -> bool:
    """Whether a name is that of a status in which a unit is still on the map to be fired at."""
    if not asked.known(place, what, name, statuses):
        return False
    if statuses[name].removed:
        fit = listed(status.name for status in statuses.values() if not status.removed)
        asked.fault(place, f'a unit that is "{name}" is off the map', fit)
        return False
    return True


def on_map(asked: Asked, place: str, unit: Unit, expected: str) -> bool:
    """Whether a unit of the scenario is still on the map."""
    if unit.status.removed:
        asked.fault(place, f"{unit.id} is {unit.status.name} and off the map", expected)
    return not unit.status.removed


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
