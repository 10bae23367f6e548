"""The shipped scenarios keep what their descriptions promise: sizes, forces, ground."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from planner.game.read_scenario import load
from planner.game.shipped import scenario_names
from planner.search.lines import lines

FOLDER = files("planner.data.scenarios")
RULES = tomllib.loads((files("planner.data.rules") / "standard.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Promise:
    columns: int
    rows: int
    afvs: int
    enemies: range
    at_shooters: int


PROMISES = {
    "steamroller": Promise(14, 10, 3, range(6, 9), 3),
    "carentan": Promise(26, 18, 6, range(18, 21), 6),
    "ponyri": Promise(44, 32, 12, range(38, 43), 12),
}
NAMES = sorted(PROMISES)


@cache
def raw(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def kind(unit: dict[str, Any]) -> str:
    return str(RULES["types"][unit["type"]]["kind"])


def side(name: str, *, mover: bool) -> list[dict[str, Any]]:
    return [u for u in raw(name)["units"] if (u["side"] == raw(name)["to_move"]) is mover]


def carried(name: str) -> set[str]:
    return {
        carried_id
        for unit in raw(name)["units"]
        for carried_id in [*unit.get("passengers", []), unit.get("towing", "")]
    }


def test_these_three_are_shipped() -> None:
    assert sorted(scenario_names()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_it_loads_without_a_warning(name: str) -> None:
    position = load(name)
    assert position.warnings == ()
    assert len(position.units) == len(raw(name)["units"])


@pytest.mark.parametrize("name", NAMES)
def test_sizes_and_forces(name: str) -> None:
    promise = PROMISES[name]
    rows = [line.split() for line in raw(name)["map"]["terrain"].strip().splitlines()]
    assert (len(rows[0]), len(rows)) == (promise.columns, promise.rows)
    assert sum(kind(unit) == "afv" for unit in side(name, mover=True)) == promise.afvs
    enemies = side(name, mover=False)
    assert len(enemies) in promise.enemies
    shooters = [
        unit
        for unit in enemies
        if unit["id"] not in carried(name)
        and any("at" in weapon for weapon in RULES["types"][unit["type"]].get("weapons", []))
    ]
    assert len(shooters) >= promise.at_shooters
    soft = [unit for unit in enemies if unit not in shooters and kind(unit) != "afv"]
    assert 3 * len(soft) >= len(enemies)


@pytest.mark.parametrize("name", NAMES)
def test_ground_and_loads(name: str) -> None:
    map_ = raw(name)["map"]
    meanings = [m if isinstance(m, dict) else {"terrain": m} for m in map_["legend"].values()]
    terrains = {meaning["terrain"] for meaning in meanings}
    assert any(RULES["terrain"][terrain].get("building") for terrain in terrains)
    assert "woods" in terrains
    assert any(meaning.get("elevation", 0) for meaning in meanings)
    assert any(path["path"] == "road" for path in map_["paths"])
    assert any(edge["edge"] == "stream" for edge in map_["edges"])
    assert any("bunker" in entry["features"] for entry in map_["hexes"])
    units = raw(name)["units"]
    assert any(unit.get("passengers") for unit in side(name, mover=True))
    assert any(unit.get("towing") and kind(unit) == "afv" for unit in units)
    assert any(kind(unit) == "leader" for unit in side(name, mover=False))


@pytest.mark.parametrize("name", NAMES)
def test_notes_say_what_is_invented(name: str) -> None:
    assert "Invented:" in raw(name)["notes"]


@pytest.mark.parametrize("name", NAMES)
def test_every_afv_that_may_overrun_has_a_line_and_targets_are_shared(name: str) -> None:
    found = lines(load(name))
    able = {u["id"] for u in side(name, mover=True) if kind(u) == "afv" and "towing" not in u}
    assert {line.unit for line in found} == able
    chasers: dict[object, set[str]] = {}
    for line in found:
        chasers.setdefault(line.target, set()).add(line.unit)
    assert sum(len(units) > 1 for units in chasers.values()) >= 2
