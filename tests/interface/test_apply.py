from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner.game.document import Form, parse_document
from planner.game.read_scenario import load_game, parse_game
from tests.interface.command import CASES, TWO_TANKS, answer, faults, run

MOVE = "T1 0304x0404-0505 +S1:satchel"


def test_the_new_scenario_is_printed() -> None:
    text = run("apply", TWO_TANKS, MOVE, "--result", "G1 eliminated").stdout
    game = parse_game(parse_document(text.encode(), "printed", Form.TOML), CASES)
    units = game.position.units
    assert units["T1"].moved
    assert units["G1"].status.name == "eliminated"
    assert units["S1"].spent == {"satchel"}
    as_json = answer("apply", TWO_TANKS, MOVE, "--result", "G1 eliminated")
    assert parse_game(as_json, CASES).key == game.key


def test_nothing_printed_is_lost_between_moves(tmp_path: Path) -> None:
    """A turn of the table, file by file; the first has the rules beside it, the others not."""
    first, second, third = (str(tmp_path / name) for name in ("1.toml", "2.json", "3.toml"))
    assert run(
        "apply",
        TWO_TANKS,
        MOVE,
        "--result",
        "G1 fired",
        "--result",
        "L1 suppressed",
        "--out",
        first,
    ).stdout.splitlines() == [
        "G1: fired no -> yes",
        "L1: status ready -> suppressed",
        "S1: hex 0203 -> 0505",
        "S1: spent none -> satchel",
        "T1: hex 0203 -> 0505",
        "T1: moved no -> yes",
        "T1: movement_used 0 -> 5",
        f"written to {first}",
    ]
    found = answer("apply", first, "T2 0402", "--result", "T2 destroyed at 0402", "--out", second)
    assert found["file"] == second
    assert {"what": "T2", "key": "status", "before": "ready", "after": "destroyed"} in found[
        "changes"
    ]
    assert run("apply", second, "end", "--out", third).exit_code == 0
    position = load_game(third).position
    assert position.to_move == "blue"
    assert position.units["T2"].status.removed
    assert position.units["G1"].fired


def test_the_end_of_the_phase_comes_after_what_happened() -> None:
    found = answer("apply", TWO_TANKS, "end", "--result", "B1 eliminated")
    assert found["to_move"] == "blue"
    assert next(unit for unit in found["units"] if unit["id"] == "B1")["status"] == "eliminated"


def test_events_alone() -> None:
    found = answer("apply", TWO_TANKS, "--result", "G1 suppressed")
    assert next(unit for unit in found["units"] if unit["id"] == "G1")["status"] == "suppressed"
    assert found["to_move"] == "red"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["T1 0304-0404"], "T1 0304-0404 is not legal:\n  OVR-7: 0404 holds G1, L1 of the enemy\n"),
        (["T1 0101"], "T1 0101 is not legal:\n  OVR-13: 0203 and 0101 are not neighbours\n"),
    ],
)
def test_a_move_that_is_not_legal(arguments: list[str], said: str) -> None:
    result = run("apply", TWO_TANKS, *arguments)
    assert (result.exit_code, result.stdout) == (1, said)
    found = answer("apply", TWO_TANKS, *arguments, status=1)
    assert found["legal"] is False
    assert found["move"] == arguments[0]
    assert set(found["reasons"][0]) == {"clause", "text", "hex"}


def test_the_phase_does_not_end_in_the_middle_of_a_move(tmp_path: Path) -> None:
    mid = answer("apply", TWO_TANKS, "--result", "T1 at 0304/SE")
    mid["under_way"] = {"unit": "T1", "route": ["0203", "0304"]}
    (tmp_path / "tiny-rules.toml").write_bytes((CASES / "tiny-rules.toml").read_bytes())
    mid["rules"] = "tiny-rules.toml"
    path = tmp_path / "mid.json"
    path.write_text(json.dumps(mid))
    result = run("apply", str(path), "end")
    assert (result.exit_code, result.stdout) == (
        1,
        "end is not legal:\n  OVR-4: the move of T1 has not ended (in 0304)\n",
    )
    assert "under_way" not in answer("apply", str(path), "T1 x0404-0505")


def test_every_fault_at_once() -> None:
    found = faults(
        "apply",
        TWO_TANKS,
        "T1 0304-04",
        "--result",
        "G9 fired",
        "--result",
        "G1 sad",
        "--result",
        "G1 ready",
        "--result",
        "G1 suppressed",
    )
    assert found == [
        ("MOVE", '"T1 0304-04": "04" is not on the map (columns 01-08, rows 01-06)'),
        ("--result[0]", '"G9 fired": there is no unit "G9"'),
        ("--result[1]", '"G1 sad": "sad" is no status of kind gun'),
        ("--result[3]", '"G1 suppressed" and "G1 ready" can\'t both be'),
    ]


def test_where_it_can_t_have_stopped() -> None:
    assert faults("apply", TWO_TANKS, MOVE, "--result", "T1 destroyed at 0404") == [
        ("--result[0]", "T1 does not stop in 0404 on this move")
    ]


def test_nothing_happened() -> None:
    assert faults("apply", TWO_TANKS) == [("MOVE", "nothing happened")]


def test_a_place_that_can_t_be_written(tmp_path: Path) -> None:
    path = str(tmp_path / "no" / "such.toml")
    ((place, said),) = faults("apply", TWO_TANKS, "end", "--out", path)
    assert place == "--out"
    assert said.endswith("can't be written: No such file or directory")


def test_who_has_got_off_may_get_on_elsewhere_and_no_carrier_is_overfull() -> None:
    """Each thing is read as it stands after those before it."""
    off = ("--result", "S1 at 0203", "--result", "S1 fired")
    units = {unit["id"]: unit for unit in answer("apply", TWO_TANKS, *off)["units"]}
    assert "passengers" not in units["T1"]
    assert units["S1"]["hex"] == "0203"
    both = ("--result", "S1 on T1", "--result", "S1 at 0304")
    assert faults("apply", TWO_TANKS, *both) == [
        ("--result[1]", '"S1 at 0304" and "S1 on T1" can\'t both be')
    ]
    lost = ("--result", "T1 destroyed", "--result", "S1 on T1")
    assert faults("apply", TWO_TANKS, *lost) == [
        ("--result[1]", '"S1 on T1": S1 is eliminated and off the map')
    ]
