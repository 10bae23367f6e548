"""Same input, same answer, to the byte: whatever the hash seed and the order of the file's lists.

A scenario is written as it is, with every list whose order means nothing turned round, and
shuffled: units, sides, hexes, hexsides, roads, objectives, passengers, features. Commands on all of
them run in new processes with different hash seeds.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from benchmarks import generated
from planner.game.notation import format_move
from planner.game.read_scenario import load
from planner.search.lines import lines
from tests.answers import ROOT, Answers, ask, without_seconds
from tests.edits import base
from tests.random_positions import random_scenario, write_files

Tables = dict[str, Any]
Order = Callable[[list[Any]], list[Any]]

RANDOM: tuple[Mapping[str, Any], ...] = (
    {"orientation": "flat", "offset": "even", "objectives": True, "enemies": 4, "afvs": 2},
    {"orientation": "pointy", "offset": "odd", "objectives": False, "enemies": 3, "afvs": 3},
)
MOST_LINES = 4
WORK = 12
HASH_SEEDS = (0, 1, 2)


@lru_cache
def scenarios() -> Mapping[str, tuple[Tables, Tables]]:
    """Scenario and rules of each position, by a name for its file."""
    found = {"two-tanks": (base("scenario"), base("rules"))}
    for seed, knobs in enumerate(RANDOM, 21):
        found[f"random-{seed}"] = random_scenario(seed, min_lines=4, **knobs)
    found["section-1"] = (generated.raw("section", 1), {})
    return found


def as_written(rows: list[Any]) -> list[Any]:
    return rows


def turned_round(rows: list[Any]) -> list[Any]:
    return rows[::-1]


def shuffled(rows: list[Any]) -> list[Any]:
    return random.Random(len(rows)).sample(rows, len(rows))


ORDERS: Mapping[str, Order] = {
    "as-written": as_written,
    "turned-round": turned_round,
    "shuffled": shuffled,
}


def reordered(scenario: Tables, order: Order) -> Tables:
    """The same scenario with its keys and lists in another order. Of a road only the direction may
    change."""
    roads = scenario["map"].get("paths", [])
    found: Tables = _reordered(scenario, order)
    turned = [
        {**road, "hexes": road["hexes"] if order is as_written else road["hexes"][::-1]}
        for road in roads
    ]
    found["map"]["paths"] = order(turned)
    return found


def _reordered(value: Any, order: Order) -> Any:
    if isinstance(value, dict):
        return {key: _reordered(value[key], order) for key in order(list(value))}
    if isinstance(value, list):
        return order([_reordered(one, order) for one in value])
    return value


def written(folder: Path, order: str) -> list[list[str]]:
    """Write every scenario in that order; returns the commands to run on them."""
    commands: list[list[str]] = []
    for name, (scenario, rules) in scenarios().items():
        home = folder / order / name
        home.mkdir(parents=True)
        tables = reordered(scenario, ORDERS[order])
        commands += _commands(str(_write(tables, rules, home)), name)
    return commands


def _write(scenario: Tables, rules: Tables, home: Path) -> Path:
    """The scenario's file, with its rules beside it unless they are shipped."""
    if rules:
        return write_files(scenario, rules, home)
    path = home / "scenario.json"
    path.write_text(json.dumps(scenario), "utf-8")
    return path


def _commands(path: str, name: str) -> list[list[str]]:
    limited = ["hint", path, "--work", str(WORK), "--plans", "2"]
    commands = [["lines", path], limited, ["hint", path, "--plans", "3"]]
    for unit, target, direction, _ in _some_lines(name):
        commands.append(["why", path, unit, target, direction])
        commands.append(["why", path, unit, target, "NE"])
    moves = list({unit: move for unit, _, _, move in _some_lines(name)}.values())
    for defender in ("best", "fire-at-once", "hold"):
        commands.append(["evaluate", path, *moves, "--defender", defender])
    commands.append(["evaluate", path, *moves[::-1]])
    # Once more: nothing that was kept in between makes a difference.
    return [*commands, limited]


@lru_cache
def _some_lines(name: str) -> tuple[tuple[str, str, str, str], ...]:
    """Unit, target, direction and move of some legal lines."""
    scenario, rules = scenarios()[name]
    with TemporaryDirectory() as home:
        here = load(_write(scenario, rules, Path(home)))
    found = [
        (
            line.unit,
            here.board.name(line.target),
            here.board.direction_name(line.direction),
            format_move(here, line.move),
        )
        for line in lines(here)
    ]
    return tuple(random.Random(0).sample(found, min(MOST_LINES, len(found))))


def differences(commands: list[list[str]], found: Answers, reference: Answers) -> list[str]:
    """Which commands were answered otherwise."""
    return [
        " ".join(command)
        for command, one, other in zip(commands, found.answers, reference.answers, strict=True)
        if one != other
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("orders")


@pytest.fixture(scope="module")
def reference(folder: Path) -> tuple[list[list[str]], Answers]:
    """The commands on the files as they are, and their answers with hash seed 0."""
    commands = written(folder / "reference", "as-written")
    return commands, ask(commands, 0)


CROSS = [
    pytest.param(order, seed, marks=[pytest.mark.slow] * (place != seed))
    for place, order in enumerate(ORDERS)
    for seed in HASH_SEEDS
    if (order, seed) != ("as-written", 0)
]


@pytest.mark.parametrize(("order", "hash_seed"), CROSS)
def test_order_and_hash_seed_are_nothing(
    order: str, hash_seed: int, folder: Path, reference: tuple[list[list[str]], Answers]
) -> None:
    commands = written(folder / f"seed-{hash_seed}", order)
    found = ask(commands, hash_seed)
    assert (found.hashed == reference[1].hashed) == (hash_seed == 0)
    assert differences(commands, found, reference[1]) == []


def test_the_commands_are_answered(reference: tuple[list[list[str]], Answers]) -> None:
    """So that refusals that are alike prove nothing: everything is read, much of it has moves."""
    commands, found = reference
    for command, one in zip(commands, found.answers, strict=True):
        assert one.status in (0, 1), (command, one.said)
        assert json.loads(one.text) != []
    assert {command[0] for command in commands} == {"lines", "hint", "why", "evaluate"}


def test_a_limited_hint_is_the_same_the_second_time(
    reference: tuple[list[list[str]], Answers],
) -> None:
    by_text: dict[str, set[str]] = {}
    for command, one in zip(reference[0], reference[1].answers, strict=True):
        if "--work" in command:
            by_text.setdefault(" ".join(command), set()).add(one.text)
            assert 0 < json.loads(one.text)["work"] <= WORK
    assert len(by_text) == len(scenarios())
    assert all(len(texts) == 1 for texts in by_text.values())


def test_the_program_itself_prints_the_same(reference: tuple[list[list[str]], Answers]) -> None:
    """Run as the installed script runs it."""
    index = next(i for i, command in enumerate(reference[0]) if command[0] == "evaluate")
    program = [sys.executable, "-c", "from planner.interface.cli import main; main()"]
    done = subprocess.run(
        [*program, *reference[0][index], "--json"], cwd=ROOT, capture_output=True, text=True
    )
    assert without_seconds(done.stdout) == reference[1].answers[index].text


@pytest.mark.parametrize("order", [name for name in ORDERS if name != "as-written"])
def test_the_files_do_differ(order: str) -> None:
    for name, (scenario, _) in scenarios().items():
        changed = reordered(scenario, ORDERS[order])
        assert changed["units"] != scenario["units"], name
        ids = [unit["id"] for unit in changed["units"]]
        assert sorted(ids) == sorted(unit["id"] for unit in scenario["units"])


def test_the_sides_come_in_both_orders() -> None:
    for scenario, _ in scenarios().values():
        assert reordered(scenario, turned_round)["sides"] == scenario["sides"][::-1]
