from __future__ import annotations

from pathlib import Path

import pytest

from planner.search import candidates
from tests.interface.command import TWO_TANKS, answer, faults, run, variant


def test_every_line_with_its_keys() -> None:
    found = answer("lines", TWO_TANKS)
    assert [(line["unit"], line["target"], line["direction"]) for line in found] == [
        ("T1", "0404", "SE"),
        ("T1", "0503", "NE"),
        *(("T2", "0404", direction) for direction in ("NE", "NW", "S", "SE", "SW")),
        *(("T2", "0503", direction) for direction in ("N", "NE", "SE")),
    ]
    assert [line["movement_points"] for line in found] == [5, 7, 9, 10, 6, 7, 8, 8, 6, 9]
    assert found[0] == {
        "unit": "T1",
        "target": "0404",
        "direction": "SE",
        "exit": "0505",
        "movement_points": 5,
        "move": "T1 0304x0404-0505",
    }
    assert all(isinstance(line["movement_points"], int) for line in found)


def test_half_points_are_a_number_too(tmp_path: Path) -> None:
    path = variant(tmp_path)
    rules = tmp_path / "tiny-rules.toml"
    rules.write_text(rules.read_text().replace("movement_points = 2", "movement_points = 2.5"))
    assert answer("lines", path, "--unit", "T1")[0]["movement_points"] == 5.5
    assert "5.5   8  T1 0304x0404-0505" in run("lines", path).stdout


def test_unit_gives_its_lines_only() -> None:
    everything = answer("lines", TWO_TANKS)
    assert answer("lines", TWO_TANKS, "--unit", "T1") == everything[:2]
    assert answer("lines", TWO_TANKS, "--unit", "T2") == everything[2:]


def test_the_table() -> None:
    text = run("lines", TWO_TANKS).stdout
    assert "T1    0503    NE         0602   7   8  T1 0304-0403x0503-0602\n" in text
    assert "MP: movement points that the overrun takes; of: those that the AFV has left." in text
    assert text.endswith("10 lines\n")


@pytest.mark.parametrize(
    ("unit", "said"),
    [("G1", "OVR-1: G1 is no AFV but gun"), ("S1", "OVR-1: S1 is no AFV but infantry")],
)
def test_a_unit_without_lines_hears_why(unit: str, said: str) -> None:
    assert answer("lines", TWO_TANKS, "--unit", unit, status=1) == []
    assert said in run("lines", TWO_TANKS, "--unit", unit).stdout


def test_unknown_unit() -> None:
    assert faults("lines", TWO_TANKS, "--unit", "T9") == [("--unit", '"T9" is no unit')]


def test_counts_say_what_is_kept_on_each_line() -> None:
    found = answer("lines", TWO_TANKS, "--counts")
    assert [line["candidates"] for line in found] == [1] * 10
    assert [line["moves"] for line in found] == [4, 4, 1, 1, 1, 3, 1, 1, 2, 1]
    plain = [
        {key: line[key] for key in line if key not in ("candidates", "moves")} for line in found
    ]
    assert plain == answer("lines", TWO_TANKS)
    assert answer("lines", TWO_TANKS, "--counts", "--unit", "T1") == found[:2]
    text = run("lines", TWO_TANKS, "--counts").stdout
    assert "unit  target  direction  exit  MP  of  kept  of moves  move\n" in text
    assert "T2    0404    SE         0505   7  10     1         3  T2 0304x0404-0505\n" in text
    assert "Kept 10 of 19 moves along simple paths" in text


def test_too_many_moves_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "moves_by_line", lambda *_: None)
    found = answer("lines", TWO_TANKS, "--counts")
    assert {line["moves"] for line in found} == {None}
    text = run("lines", TWO_TANKS, "--counts").stdout
    assert "1  too many  T2 0304x0404-0505\n" in text
    assert "Kept 10 moves; there are too many to count." in text
