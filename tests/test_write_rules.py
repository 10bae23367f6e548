from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from planner.game.read_rules import parse_rules, read_rules, shipped_rules
from planner.game.rules import Rules
from planner.game.schema import schema
from planner.game.write_rules import rules_document
from tests.random_rules import random_rules

TINY = Path(__file__).parent / "cases" / "tiny-rules.toml"


def told(value: Any) -> Any:
    """A noun as plain values, fields by name, tables as lists so that their order counts."""
    if is_dataclass(value):
        return [(field.name, told(getattr(value, field.name))) for field in fields(value)]
    if isinstance(value, Mapping):
        return [(key, told(inner)) for key, inner in value.items()]
    return [told(inner) for inner in value] if isinstance(value, tuple) else value


def alike(a: Rules, b: Rules) -> bool:
    """Whether two rules say the same, the order of statuses and types included."""
    return bool(told(a) == told(b))


@pytest.mark.parametrize("rules", [read_rules(TINY), shipped_rules("standard")])
def test_rules_written_read_back_to_the_same(rules: Rules) -> None:
    written = json.loads(json.dumps(rules_document(rules)))
    assert alike(parse_rules(written), rules)
    assert list(Draft202012Validator(schema("rules")).iter_errors(written)) == []


@pytest.mark.parametrize("seed", range(20))
def test_random_rules_written_read_back_to_the_same(seed: int) -> None:
    rules = parse_rules(drawn(seed))
    assert alike(parse_rules(json.loads(json.dumps(rules_document(rules)))), rules)


def test_another_rule_is_written_otherwise() -> None:
    tables = drawn(3)
    other = {**tables, "stacking": {"limit": tables["stacking"]["limit"] + 1}}
    assert rules_document(parse_rules(tables)) != rules_document(parse_rules(other))


def drawn(seed: int) -> dict[str, Any]:
    return random_rules(random.Random(f"rules/{seed}"), 2, ("hex", "unit")[seed % 2])
