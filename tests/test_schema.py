"""The JSON Schemas say of a file's form what its reader says."""

from __future__ import annotations

import json
from typing import Any, Literal

import jsonschema
import pytest

from planner.game import shipped
from planner.game.document import Form, parse_document
from planner.game.schema import schema
from tests.edits import REMOVE, base, edited, matches
from tests.test_bad_input import EVERY_KEY, RANGES, REQUIRED, full

Format = Literal["scenario", "rules"]
FORMATS: tuple[Format, ...] = ("scenario", "rules")
VALIDATORS = {
    which: jsonschema.Draft202012Validator(schema(which)) for which in FORMATS
}  # building one takes longer than asking it


def is_valid(which: str, raw: Any) -> bool:
    return bool(VALIDATORS[which].is_valid(raw))  # type: ignore[index]


@pytest.mark.parametrize("which", FORMATS)
def test_the_schema_is_a_schema_and_plain_json(which: Format) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(which))
    assert json.loads(json.dumps(schema(which))) == schema(which)
    assert schema(which)["title"] == f"overrun-{which}/1"


@pytest.mark.parametrize("which", FORMATS)
def test_the_cases_are_valid(which: Format) -> None:
    assert is_valid(which, base(which))
    assert is_valid(which, full(which))


@pytest.mark.parametrize("name", shipped.rules_names())
def test_shipped_rules_are_valid(name: str) -> None:
    assert is_valid("rules", parse_document(shipped.rules_text(name), name, Form.TOML))


@pytest.mark.parametrize("name", shipped.scenario_names())
def test_shipped_scenarios_are_valid(name: str) -> None:
    assert is_valid("scenario", parse_document(shipped.scenario_text(name), name, Form.TOML))


@pytest.mark.parametrize(("which", "place"), EVERY_KEY)
def test_required_keys_are_required_by_the_schema(which: str, place: str) -> None:
    valid = is_valid(which, edited(full(which), place, REMOVE))
    # A check without `check` is a change in form; only its reader can tell what was meant.
    assert valid is not matches(place, REQUIRED[which])


@pytest.mark.parametrize(
    ("which", "place", "low", "high", "step"), RANGES, ids=[f"{r[0]}-{r[1]}" for r in RANGES]
)
def test_bounds_are_those_of_the_schema(
    which: str, place: str, low: float, high: float, step: float | None
) -> None:
    assert is_valid(which, edited(full(which), place, low))
    assert is_valid(which, edited(full(which), place, high))
    if step is not None and not place.startswith(("aspects", "units")):
        assert not is_valid(which, edited(full(which), place, low - step))
        assert not is_valid(which, edited(full(which), place, high + step))


@pytest.mark.parametrize(
    ("which", "place", "value"),
    [
        ("rules", "types.tank.wieght", 1),
        ("rules", "types.tank.kind", "ship"),
        ("rules", "types.tank.weapons[0].name", "a b"),
        ("rules", "types.tank.weapons[0].at[0]", [6]),
        ("rules", "ap.effects.leader.S.check", 7),
        ("rules", "ap.effects.leader.S.when", "never"),
        ("rules", "format", "overrun-rules/2"),
        ("scenario", "units[0].facng", "N"),
        ("scenario", "units[0].id", "T 1"),
        ("scenario", "units[0].id", "-T1"),
        ("scenario", "units[0].id", ""),
        ("scenario", "sides[2]", {"id": "green"}),
        ("scenario", "map.orientation", "round"),
        ("scenario", "map.legend.w", 7),
        ("scenario", "map.legend.w", {}),
        ("scenario", "map.edges[0].hexes", ["0101"]),
        ("scenario", "map.numbering", {"prefix": "a/b"}),
        ("scenario", "map.numbering", {"separator": "x"}),
    ],
)
def test_the_schema_refuses(which: str, place: str, value: object) -> None:
    assert not is_valid(which, edited(base(which), place, value))


@pytest.mark.parametrize(
    ("which", "place", "value"),
    [
        ("scenario", "units[0].id", "T-34/2"),
        ("scenario", "map.numbering", {"prefix": "01-", "separator": "."}),
        ("scenario", "units[4].facing", None),
        ("rules", "types.tank.weapons[0].name", "7.5cm/L48"),
        ("rules", "ap.effects.leader.S.fail", {"check": "morale"}),
    ],
)
def test_the_schema_allows(which: str, place: str, value: object) -> None:
    assert is_valid(which, edited(base(which), place, value))
