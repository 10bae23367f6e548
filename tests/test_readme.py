"""What README.md shows: its Python runs as a doctest, the rest is held to here."""

from __future__ import annotations

import re
import shlex
import tomllib
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest

from planner.game.read_scenario import parse_scenario
from planner.interface.commands.hint import USUAL_SECONDS
from planner.interface.program import COMMANDS
from tests.interface.command import run

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.M | re.S)


SHOWN = [
    example.partition("\n")[::2]
    for block in blocks("console")
    for example in re.split(r"^\$ ", block, flags=re.M)[1:]
]


@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_every_command_shown_prints_what_is_shown(
    command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    assert program == "overrun"
    result = run(*arguments)
    assert OutputChecker().check_output(output, result.stdout, ELLIPSIS), result.stdout


def test_the_table_of_commands_is_whole() -> None:
    named = re.findall(r"^\| `overrun (\w+)", TEXT, re.M)
    assert named == list(COMMANDS)


def test_the_first_command_asks_for_a_hint() -> None:
    (install, check) = blocks("sh")
    scenario = install.split()[-1]
    assert f"overrun hint {scenario}" in install
    assert run("hint", scenario, "--work", "1").exit_code == 0
    assert check.rstrip().endswith("python -m tests")


def test_the_second_command_installs_all_that_benchmarks_and_slow_tests_need() -> None:
    (_, check) = blocks("sh")
    assert "'.[test]'" in check
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    assert {*extras["fast"], *extras["benchmark"]} <= {*extras["test"]}
    assert set(extras) == {"fast", "benchmark", "plot", "cluster", "test"}
    assert {*extras["cluster"], *extras["plot"]} <= {*extras["test"]}
    prose = " ".join(TEXT.split())
    commands = ("benchmarks", "benchmarks scenarios", "benchmarks plans", "tests --all")
    for named in (*(f"python -m {command}" for command in commands), *extras):
        assert f"`{named}`" in prose


def test_the_usual_limit_is_told() -> None:
    assert f"stops after {USUAL_SECONDS:g} s unless" in " ".join(TEXT.split())


def test_the_scenario_shown_has_no_faults() -> None:
    (shown,) = blocks("toml")
    position = parse_scenario(tomllib.loads(shown))
    assert (len(position.units), position.warnings) == (2, ())


def test_every_room_and_only_those_there_are() -> None:
    (picture,) = blocks("text")
    named = re.findall(r"^ *(\w+)/", picture, re.M)
    there = [
        path.name
        for folder in (ROOT, ROOT / "planner")
        for path in folder.iterdir()
        if path.is_dir() and (path / "__init__.py").exists()
    ]
    assert sorted(named) == sorted(there)
