"""JSON Schemas of the two file formats, made from the models that read them."""

from __future__ import annotations

from typing import Any, Literal

from planner.game.rules_file import RULES_FORMAT, RulesFile
from planner.game.scenario_file import SCENARIO_FORMAT, ScenarioFile


def schema(format_: Literal["scenario", "rules"]) -> dict[str, Any]:
    """The JSON Schema (2020-12) of scenario or rules files.

    It says what form a file has; which names must agree is checked on reading.
    """
    model, title = (
        (ScenarioFile, SCENARIO_FORMAT) if format_ == "scenario" else (RulesFile, RULES_FORMAT)
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **model.model_json_schema(),
        "title": title,
    }
