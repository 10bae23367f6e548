from __future__ import annotations

import json
from pathlib import Path

from planner.game import shipped
from tests.interface.command import TINY, TWO_TANKS, answer, named_sides, run, variant


def test_files_without_faults() -> None:
    assert answer("validate", TWO_TANKS, TINY) == [
        {"file": TWO_TANKS, "faults": [], "warnings": []},
        {"file": TINY, "faults": [], "warnings": []},
    ]
    scenario, rules = run("validate", TWO_TANKS, TINY).stdout.splitlines()
    assert scenario == (
        f"{TWO_TANKS}: no faults (Two tanks against an anti-tank gun; 8 x 6 hexes; tiny rules; "
        "red to move; red: 2 AFVs and 1 infantry unit; blue: 1 Gun, 1 infantry unit and 1 leader)"
    )
    assert rules == (
        f"{TINY}: no faults (tiny rules; 2d6; 4 terrains; AP table of 3 columns; AT table of 3 "
        "columns; unit types: 2 AFVs, 1 unarmoured vehicle, 1 Gun, 2 infantry units and 1 leader)"
    )


def test_every_fault_of_every_file(tmp_path: Path) -> None:
    bad = variant(tmp_path, ('type = "at_gun"', 'type = "at_gum"'), ('hex = "0503"', 'hex = "9"'))
    rules = tmp_path / "rules.toml"
    rules.write_text(Path(TINY).read_text().replace('name = "tiny"', "name = 3"))
    found = answer("validate", bad, TINY, str(rules), status=2)
    assert [entry["file"] for entry in found] == [bad, TINY, str(rules)]
    assert [[fault["place"] for fault in entry["faults"]] for entry in found] == [
        ["units[3].type", "units[5].hex"],
        [],
        ["name"],
    ]
    assert all(set(fault) == {"place", "fault", "expected"} for fault in found[0]["faults"])
    text = run("validate", bad, TINY).stdout
    assert f"{bad}: 2 faults\n  units[3].type: " in text
    assert f"{TINY}: no faults (" in text


def test_shipped_files_by_their_names() -> None:
    names = [*shipped.rules_names(), *shipped.scenario_names()]
    found = answer("validate", *names)
    assert found == [{"file": name, "faults": [], "warnings": []} for name in names]


def test_a_scenario_in_json(tmp_path: Path) -> None:
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps({"format": "overrun-scenario/1"}))
    (entry,) = answer("validate", str(path), status=2)
    assert {"place": "units", "fault": "is missing", "expected": "the units"} in entry["faults"]


def test_the_empty_name_is_spoken_of() -> None:
    (entry,) = answer("validate", "", status=2)
    assert [fault["fault"] for fault in entry["faults"]] == ["the name is empty"]
    assert run("validate", "").stdout.startswith('"": file: the name is empty (a file, or a ')


def test_a_directory_is_told_once(tmp_path: Path) -> None:
    said = f"{tmp_path}: file: is no file but a directory (a TOML or JSON file)\n"
    assert run("validate", str(tmp_path)).stdout == said
    assert run("lines", str(tmp_path)).stderr == f"overrun: {said}"


def test_a_file_of_no_known_format(tmp_path: Path) -> None:
    poem, empty = tmp_path / "poem.toml", tmp_path / "none.toml"
    poem.write_text('format = "poem/1"')
    empty.write_text("verse = 1")
    wanted = 'one of "overrun-rules/1", "overrun-scenario/1"'
    found = answer("validate", str(poem), str(empty), str(tmp_path / "x"), status=2)
    first, second, third = (entry["faults"] for entry in found)
    assert first == [{"place": "format", "fault": '"poem/1" is no format', "expected": wanted}]
    assert second == [{"place": "format", "fault": "is missing", "expected": wanted}]
    assert third[0]["fault"] == "there is no such file"


def test_warnings_are_no_faults(tmp_path: Path) -> None:
    crowded = variant(tmp_path, ('hex = "0503"', 'hex = "0404"'))
    result = run("validate", crowded)
    said = "units of blue in 0404 take room 3, more than 2"
    assert (result.exit_code, result.stderr) == (0, "")
    first, second = result.stdout.splitlines()
    assert first.startswith(f"{crowded}: no faults, 1 warning (Two tanks")
    assert second == f"  warning: {said}"
    (entry,) = answer("validate", crowded)
    assert entry == {"file": crowded, "faults": [], "warnings": [said]}


def test_the_summary_calls_sides_by_their_names(tmp_path: Path) -> None:
    text = run("validate", named_sides(tmp_path)).stdout
    assert "; Red Army to move; Red Army: 2 AFVs and 1 infantry unit; Wehrmacht: 1 Gun" in text
