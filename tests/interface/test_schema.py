from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Literal

import pytest
from jsonschema import Draft202012Validator

from planner.game.schema import schema
from tests.interface.command import TINY, TWO_TANKS, answer, run


@pytest.mark.parametrize(("file_format", "file"), [("scenario", TWO_TANKS), ("rules", TINY)])
def test_a_schema_that_files_keep(file_format: Literal["scenario", "rules"], file: str) -> None:
    found = json.loads(run("schema", file_format).stdout)
    assert found == schema(file_format) == answer("schema", file_format)
    validator = Draft202012Validator(found)
    raw = tomllib.loads(Path(file).read_text())
    assert list(validator.iter_errors(raw)) == []
    assert list(validator.iter_errors({**raw, "format": "poem/1"})) != []
