from __future__ import annotations

from planner.game import shipped
from planner.game.read_scenario import load
from tests.interface.command import answer, run

KEYS = ["name", "title", "rules", "columns", "rows", "to_move", "afvs", "enemy_units"]


def test_every_shipped_scenario_with_its_sizes() -> None:
    found = answer("scenarios")
    assert [entry["name"] for entry in found] == list(shipped.scenario_names())
    for entry in found:
        position = load(entry["name"])
        assert list(entry) == KEYS
        assert entry["columns"] * entry["rows"] == len(position.board.ground)
        assert entry["afvs"] == len(list(position.movers()))


def test_the_table_has_a_row_for_each() -> None:
    rows = run("scenarios").stdout.splitlines()
    assert [row.split()[0] for row in rows] == ["name", *shipped.scenario_names()]
