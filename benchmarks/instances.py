"""The positions that are measured, each with a name, where it comes from and its scenario file.

The shipped scenarios, the two-tanks case, and generated positions of the same three sizes. Every
instance can be written as files, so that the command line and the slow twin read what the program
reads.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import generated
from planner.game import shipped
from planner.game.position import Position
from planner.game.read_scenario import load
from tests.twin import Facts
from tests.twin.state import read

CASES = Path(__file__).parent.parent / "tests" / "cases"
TWO_TANKS = CASES / "two-tanks.toml"
GENERATED = (("platoon", 0), ("company", 0), ("battalion", 0))


class Scale(Enum):
    """How large a position is, by the AFVs of the side to move; aims are stated for a scale."""

    CASE = "case"
    SKIRMISH = "skirmish"
    COMPANY = "company"
    BATTALION = "battalion"


MOST_AFVS = {Scale.SKIRMISH: 4, Scale.COMPANY: 8}


@dataclass(frozen=True, eq=False)
class Instance:
    """A position to measure: ``origin`` says where it comes from; ``scenario`` and ``rules`` are
    its files as plain tables; ``source`` is what the command line calls it, if it has a file."""

    name: str
    origin: str
    scenario: Mapping[str, Any]
    rules: Mapping[str, Any]
    source: str | None = None
    is_case: bool = False

    def write(self, folder: Path) -> Path:
        """Write the scenario, with its rules beside it when they are not shipped."""
        name = str(self.scenario["rules"])
        if name not in shipped.rules_names():
            (folder / name).write_text((CASES / name).read_text("utf-8"), "utf-8")
        path = folder / f"{self.name}.json"
        path.write_text(json.dumps(self.scenario), "utf-8")
        return path

    def named(self, folder: Path) -> str:
        """What the command line calls it; written into the folder when it has no file yet."""
        return str(self.write(folder)) if self.source is None else self.source

    def read(self, source: str) -> Facts:
        """The slow twin's reading of the files, from the start."""
        if source in shipped.scenario_names():
            scenario = tomllib.loads(shipped.scenario_text(source).decode("utf-8"))
        else:
            scenario = read(Path(source))
        name = str(scenario["rules"])
        shipped_too = name in shipped.rules_names()
        return Facts(scenario, _rules(name) if shipped_too else read(Path(source).parent / name))

    def fresh(self) -> Position:
        """The position, loaded anew: nothing is remembered about it."""
        with TemporaryDirectory() as folder:
            return load(self.write(Path(folder)))

    def facts(self) -> Facts:
        """The position as the slow twin knows it."""
        return Facts(dict(self.scenario), dict(self.rules))

    @cached_property
    def position(self) -> Position:
        """The position, always the same object."""
        return self.fresh()

    @cached_property
    def scale(self) -> Scale:
        """How large it is."""
        if self.is_case:
            return Scale.CASE
        count = sum(1 for _ in self.position.movers())
        return next((s for s, most in MOST_AFVS.items() if count <= most), Scale.BATTALION)

    def size(self) -> dict[str, int]:
        """AFVs of the side to move, units of the other, and hexes of the map."""
        position = self.position
        return {
            "afvs": sum(1 for _ in position.movers()),
            "enemy_units": sum(u.side == position.defender for u in position.units.values()),
            "hexes": len(position.board.ground),
        }


def instances() -> dict[str, Instance]:
    """Every instance by name: shipped scenarios, generated positions, the case."""
    found = [_shipped(name) for name in shipped.scenario_names()]
    found += [drawn(size, seed) for size, seed in GENERATED]
    found.append(case(TWO_TANKS))
    return {instance.name: instance for instance in found}


def shipped_instances() -> dict[str, Instance]:
    """The shipped scenarios by name."""
    return {name: _shipped(name) for name in shipped.scenario_names()}


def drawn(size: str, seed: int) -> Instance:
    """A generated position (`benchmarks.generated`)."""
    scenario = generated.raw(size, seed)
    origin = f"benchmarks.generated, {size}, seed {seed}"
    return Instance(f"{size}-{seed}", origin, scenario, _rules(scenario["rules"]))


def case(path: Path) -> Instance:
    """A scenario file with its rules file beside it."""
    scenario = tomllib.loads(path.read_text("utf-8"))
    rules = tomllib.loads((path.parent / scenario["rules"]).read_text("utf-8"))
    return Instance(path.stem, f"tests/cases/{path.name}", scenario, rules, str(path), True)


def _shipped(name: str) -> Instance:
    scenario = tomllib.loads(shipped.scenario_text(name).decode("utf-8"))
    return Instance(name, "shipped scenario", scenario, _rules(scenario["rules"]), name)


def _rules(name: str) -> dict[str, Any]:
    return tomllib.loads(shipped.rules_text(name).decode("utf-8"))
