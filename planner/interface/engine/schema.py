"""JSON Schema of the engine's messages, made from the models that read and send them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from planner.game.rules_file import RulesFile
from planner.game.scenario_file import ScenarioFile
from planner.interface.engine.requests import PARAMS, PROTOCOL, RequestMessage
from planner.interface.engine.results import RESULTS, Answer, ErrorAnswer, InfoMessage


def engine_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of every message: a request, an answer, an error or ``info``.

    Of each method ``$defs`` has ``request:METHOD``, and ``answer:METHOD`` for what it is answered
    with when it is carried out.
    """
    asked: list[type[BaseModel]] = [RequestMessage, *PARAMS.values(), ScenarioFile, RulesFile]
    sent: list[type[BaseModel]] = [Answer, *RESULTS.values(), ErrorAnswer, InfoMessage]
    definitions = {**_definitions(asked, "validation"), **_definitions(sent, "serialization")}
    for method, params in PARAMS.items():
        definitions[f"request:{method}"] = _request(method, params.__name__, definitions)
        definitions[f"answer:{method}"] = {
            "title": f"answer to {method}",
            "allOf": [
                {"$ref": "#/$defs/Answer"},
                {"properties": {"result": {"$ref": f"#/$defs/{RESULTS[method].__name__}"}}},
            ],
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"overrun-engine/{PROTOCOL}",
        "description": "Any message of the engine protocol: JSON-RPC 2.0, one message a line.",
        "anyOf": [
            *({"$ref": f"#/$defs/request:{method}"} for method in PARAMS),
            *({"$ref": f"#/$defs/answer:{method}"} for method in PARAMS),
            {"$ref": "#/$defs/ErrorAnswer"},
            {"$ref": "#/$defs/InfoMessage"},
        ],
        "$defs": definitions,
    }


def _definitions(
    models: list[type[BaseModel]], mode: Literal["validation", "serialization"]
) -> dict[str, Any]:
    found: dict[str, Any] = models_json_schema([(model, mode) for model in models])[1]["$defs"]
    return found


def _request(method: str, params: str, definitions: dict[str, Any]) -> dict[str, Any]:
    message = definitions["RequestMessage"]
    needed = ["params"] if definitions[params].get("required") else []
    return {
        **message,
        "title": method,
        "properties": {
            **message["properties"],
            "method": {"const": method},
            "params": {"$ref": f"#/$defs/{params}"},
        },
        "required": ["jsonrpc", "method", *needed],
    }
