"""The published JSON Schema: what it takes and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evaluation.plan import Defence
from planner.interface.engine.errors import Kind, RefusedError
from planner.interface.engine.reading import read_params, read_request
from planner.interface.engine.requests import PARAMS, EvaluateParams, GoParams
from planner.interface.engine.results import RESULTS
from planner.interface.engine.schema import engine_schema
from planner.search.plan import Differ
from tests.interface.command import answer, run
from tests.interface.engine.talk import TWO_TANKS, Form, validator

VALIDATOR = Draft202012Validator(engine_schema())


def test_it_is_published_and_a_schema() -> None:
    found = engine_schema()
    Draft202012Validator.check_schema(found)
    assert json.loads(run("schema", "engine").stdout) == found == answer("schema", "engine")
    assert found["title"] == "overrun-engine/1"
    assert set(RESULTS) == set(PARAMS)


def request(method: str, **params: Any) -> Form:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.mark.parametrize(
    "message",
    [
        request("hello"),
        request("position", **TWO_TANKS),
        request("position", scenario="ponyri", actions=[{"action": "end", "totals": [7]}]),
        request("go", seconds=1.5, work=3, plans=2, own_loss=0, wishes={"only": ["T1"]}),
        request("decide", seconds=1.5, work=3, level="recruit", own_loss=0, choices=True),
        request("evaluate", moves=["T1 stay"], defender="hold"),
        request("apply", action="hold", seed=7),
        {"jsonrpc": "2.0", "method": "stop"},
        {"jsonrpc": "2.0", "id": 1, "result": {"stopped": True}},
        {"jsonrpc": "2.0", "id": 1, "result": {}, "later": "more"},
    ],
)
def test_messages(message: Form) -> None:
    assert list(VALIDATOR.iter_errors(message)) == []


@pytest.mark.parametrize(
    "message",
    [
        {},
        request("poem"),
        request("position"),
        request("position", scenario={**TWO_TANKS["scenario"], "format": "poem/1"}),
        request("position", scenario="ponyri", rules={"format": "overrun-rules/1"}),
        request("go", second=1),
        request("go", work=0),
        request("decide", level="king"),
        request("decide", plans=1),
        request("evaluate", moves="T1 stay"),
        {**request("ping"), "id": 1.5},
        {**request("ping"), "id": None},
        {**request("ping"), "jsonrpc": "1.0"},
        {**request("ping"), "more": 1},
        {"jsonrpc": "2.0", "method": "info", "params": {"go": 1}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 5, "message": "", "data": {}}},
    ],
)
def test_no_messages(message: Form) -> None:
    assert list(VALIDATOR.iter_errors(message)) != []


def test_every_code_has_its_kind() -> None:
    error = engine_schema()["$defs"]
    assert set(error["ErrorObject"]["properties"]["code"]["enum"]) == {k.value for k in Kind}
    assert set(error["ErrorData"]["properties"]["kind"]["enum"]) == {k.word for k in Kind}


def test_plans_differ_as_those_of_the_search() -> None:
    choices = GoParams.model_json_schema()["properties"]["differ"]["enum"]
    assert set(choices) == {differ.value for differ in Differ}


def test_the_defenders_are_those_of_the_evaluation() -> None:
    choices = EvaluateParams.model_json_schema()["properties"]["defender"]["enum"]
    assert set(choices) == {defence.value for defence in Defence}


VALUES: list[Any] = [None, True, False, 1.5, 5.0, -1, 0, 1, 101, 10**30, "x", "ace", "", [], {}]
NEEDED: dict[str, Form] = {"evaluate": {"moves": []}, "apply": {"action": "end"}}


@pytest.mark.parametrize(
    ("method", "key"),
    [
        (method, key)
        for method in ("go", "decide", "evaluate", "apply", "lines")
        for key in (*PARAMS[method].keys(), "no_key")
    ],
)
def test_the_engine_reads_what_the_schema_takes_and_nothing_else(method: str, key: str) -> None:
    for value in VALUES:
        message = request(method, **{**NEEDED.get(method, {}), key: value})
        taken = not list(validator(f"request:{method}").iter_errors(message))
        try:
            read_params(read_request(json.dumps(message).encode()))
        except RefusedError:
            assert not taken, message
        else:
            assert taken, message
