from __future__ import annotations

from typing import Any

import pytest

from planner.game.notation import format_move
from planner.game.position import Position
from planner.search.lines import lines
from tests.situations import blue, red, situation, two_tanks

Tables = dict[str, Any]
SQUAD = blue("E1", "squad", "0404")

Listed = list[tuple[str, str, str, str, object, str]]


def listed(position: Position, unit: str | None = None) -> Listed:
    """Unit, target, direction, exit, movement points and move of each line."""
    board = position.board
    return [
        (
            line.unit,
            board.name(line.target),
            board.direction_name(line.direction),
            board.name(line.exit),
            line.movement_points,
            format_move(position, line.move),
        )
        for line in lines(position, unit)
    ]


TWO_TANKS: Listed = [
    ("T1", "0404", "SE", "0505", 5, "T1 0304x0404-0505"),
    ("T1", "0503", "NE", "0602", 7, "T1 0304-0403x0503-0602"),
    ("T2", "0404", "NE", "0504", 9, "T2 0304-0305x0404-0504"),
    ("T2", "0404", "NW", "0304", 10, "T2 0403-0504-0505x0404-0304"),
    ("T2", "0404", "S", "0405", 6, "T2 0403x0404-0405"),
    ("T2", "0404", "SE", "0505", 7, "T2 0304x0404-0505"),
    ("T2", "0404", "SW", "0305", 8, "T2 0403-0504x0404-0305"),
    ("T2", "0503", "N", "0502", 8, "T2 0403-0504x0503-0502"),
    ("T2", "0503", "NE", "0602", 6, "T2 0403x0503-0602"),
    ("T2", "0503", "SE", "0603", 9, "T2 0402x0503-0603"),
]


def test_the_lines_of_two_tanks() -> None:
    assert listed(two_tanks()) == TWO_TANKS


@pytest.mark.parametrize("unit", ["T1", "T2", "S1", "G1", "B1"])
def test_the_lines_of_one_unit(unit: str) -> None:
    assert listed(two_tanks(), unit) == [line for line in TWO_TANKS if line[0] == unit]


def test_a_unit_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"no unit T3 \(AFVs of red: T1, T2\)"):
        lines(two_tanks(), "T3")


def test_the_order_of_units_in_the_file_does_not_matter() -> None:
    units = [
        red("T1", "tank", "0203"),
        red("T10", "tank", "0303"),
        red("T2", "tank", "0302"),
        SQUAD,
        blue("E2", "squad", "0503"),
    ]
    found = listed(situation(*units))
    assert found == listed(situation(*reversed(units)))
    assert found == sorted(found, key=lambda line: line[:3])
    assert {line[0] for line in found} == {"T1", "T10", "T2"}


def far(charts: Tables) -> None:
    """Tanks that reach every hex."""
    charts["types"]["tank"]["movement"] = 40


def test_of_equal_moves_the_first_in_text_order() -> None:
    """From due north to an overrun due north it is as far round on either side."""
    position = situation(red("T1", "tank", "0402", "S"), blue("E1", "squad", "0404"), rules=far)
    found = {line[2]: line[4:] for line in listed(position)}
    assert found["N"] == (13, "T1 0303-0304-0305-0405x0404-0403")
    assert found["NE"] == (11, "T1 0303-0304-0305x0404-0504")
    assert found["NW"] == (11, "T1 0403-0504-0505x0404-0304")


def test_text_order_and_not_the_number_of_hexes_decides() -> None:
    """Round the woods is one hex more, at the same cost, and comes first in text order."""

    def charts_with_a_tie(charts: Tables) -> None:
        charts["classes"]["tracked"]["turn"] = 0
        charts["terrain"]["woods"]["cost"]["tracked"] = 2

    position = situation(
        red("T1", "tank", "0203", "SE"),
        blue("E1", "squad", "0505"),
        hexes=[{"hex": "0304", "terrain": "woods"}],
        rules=charts_with_a_tie,
    )
    assert [line[4:] for line in listed(position) if line[2] == "SE"] == [
        (7, "T1 0204-0305-0404x0505-0605")  # as dear as 0304-0404x0505-0605
    ]


@pytest.mark.parametrize(
    ("movement_used", "expected"),
    [
        (2, {"SE": 5}),
        (3, {"SE": 5}),
        (3.5, {}),
        (8, {}),
    ],
)
def test_ovr_14_below_at_and_above_the_movement_points(
    movement_used: float, expected: dict[str, int]
) -> None:
    tank = red("T1", "tank", "0203", "SE", movement_used=movement_used)
    found = listed(situation(tank, SQUAD))
    assert {line[2]: line[4] for line in found} == expected


@pytest.mark.parametrize(
    "unit",
    [
        red("T1", "truck", "0203", "SE"),  # OVR-1
        red("T1", "tank", "0203", "SE", moved=True),  # OVR-4
        red("T1", "tank", "0203", "SE", status="immobilised"),
        red("T1", "tank", "0203", "SE", status="destroyed"),
        blue("T1", "tank", "0203", "SE"),
    ],
)
def test_ovr_01_and_ovr_04_units_without_a_line(unit: Tables) -> None:
    position = situation(unit, SQUAD)
    assert lines(position) == ()
    assert lines(position, "T1") == ()


def test_ovr_08_a_towing_afv_has_no_line_and_one_with_passengers_has() -> None:
    tank = red("T1", "tank", "0203", "SE", towing="G1")
    assert lines(situation(tank, red("G1", "at_gun", None, None), SQUAD)) == ()
    tank = red("T1", "tank", "0203", "SE", passengers=["S1"])
    assert lines(situation(tank, red("S1", "squad", None, None), SQUAD)) != ()


@pytest.mark.parametrize(
    ("more", "gone"),
    [
        ([], []),
        ([red("A", "squad", "0505")], []),
        ([red("A", "squad", "0505"), red("B", "squad", "0505")], ["SE"]),  # stacking
        ([blue("E2", "tank", "0505", "N")], ["SE", "NW"]),  # an enemy in exit or approach hex
        ([blue("E2", "tank", "0404", "N")], ["N", "NE", "NW", "S", "SE", "SW"]),  # OVR-3
    ],
)
def test_ovr_07_lines_that_units_close(more: list[Tables], gone: list[str]) -> None:
    position = situation(red("T1", "tank", "0203", "SE"), SQUAD, *more, rules=far)
    every = {"N", "NE", "NW", "S", "SE", "SW"}
    assert {line[2] for line in listed(position) if line[1] == "0404"} == every - set(gone)


@pytest.mark.parametrize(("others", "back"), [(["A"], True), (["A", "B"], False)])
def test_ovr_07_the_exit_hex_may_be_the_one_it_started_in(others: list[str], back: bool) -> None:
    """Its own room there is not counted twice; where it starts is not questioned."""
    friends = [red(name, "squad", "0404") for name in others]
    tank = red("T1", "tank", "0404", "S")
    position = situation(tank, *friends, blue("E1", "squad", "0504"), rules=far)
    assert ("0404" in {line[3] for line in listed(position)}) is back
