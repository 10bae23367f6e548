from __future__ import annotations

from typing import Any

import pytest

from planner.game.hexes import Direction
from planner.game.notation import format_move
from planner.game.position import Position
from planner.search.lines import lines
from planner.search.why import why
from tests.situations import blue, hexes, red, situation, two_tanks

Tables = dict[str, Any]
TANK = red("T1", "tank", "0203", "SE")
SQUAD = blue("E1", "squad", "0404")

Brief = list[tuple[str, str | None]]


def broken(position: Position, target: str, direction: str, unit: str = "T1") -> Brief:
    """Clause and place of each reason why an overrun is not legal."""
    verdict = why(position, unit, target, direction)
    assert verdict.legal == (not verdict.reasons)
    assert len(set(verdict.reasons)) == len(verdict.reasons)
    return [
        (reason.clause.value, None if reason.hex is None else position.board.name(reason.hex))
        for reason in verdict.reasons
    ]


def far(charts: Tables) -> None:
    """Tanks that reach every hex."""
    charts["types"]["tank"]["movement"] = 40


def test_a_legal_overrun_has_the_lines_move() -> None:
    position = two_tanks()
    found = {
        (line.unit, line.target, line.direction): format_move(position, line.move)
        for line in lines(position)
    }
    for (unit, target, direction), text in found.items():
        verdict = why(position, unit, target, direction)
        assert verdict.legal
        assert verdict.reasons == ()
        assert verdict.move is not None
        assert format_move(position, verdict.move) == text


def test_names_stand_for_hexes_and_directions() -> None:
    position = two_tanks()
    (target,) = hexes(position, "0404")
    assert why(position, "T1", "0404", "SE") == why(position, "T1", target, Direction.D2)


@pytest.mark.parametrize(
    ("unit", "target", "direction", "message"),
    [
        ("T9", "0404", "SE", r"there is no unit T9 \(AFVs of red: T1, T2\)"),
        ("T1", "0999", "SE", r'"0999" is not on the map \(columns 01-08, rows 01-06\)'),
        ("T1", "0404", "E", r"'E' is no direction on this map \(one of N, NE, SE, S, SW, NW\)"),
    ],
)
def test_unknown_names_say_what_would_be_right(
    unit: str, target: str, direction: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        why(two_tanks(), unit, target, direction)


def test_a_hex_off_the_map() -> None:
    position = two_tanks()
    (corner,) = hexes(position, "0101")
    with pytest.raises(ValueError, match="is not on the map"):
        why(position, "T1", corner._replace(q=-1), "N")


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (red("T1", "truck", "0203", "SE"), [("OVR-1", "0203")]),
        (red("T1", "squad", "0203"), [("OVR-1", "0203"), ("OVR-14", "0505")]),
        (blue("T1", "tank", "0203", "SE"), [("OVR-2", "0404"), ("OVR-4", "0203")]),
        (red("T1", "tank", "0203", "SE", moved=True), [("OVR-4", "0203")]),
        (red("T1", "tank", "0203", "SE", status="immobilised"), [("OVR-4", "0203")]),
        (red("T1", "tank", "0203", "SE", status="destroyed"), [("OVR-4", None)]),
    ],
)
def test_ovr_01_and_ovr_04_what_the_unit_may_not(unit: Tables, expected: Brief) -> None:
    assert broken(situation(unit, SQUAD), "0404", "SE") == expected


def test_ovr_08_towing() -> None:
    tank = red("T1", "tank", "0203", "SE", towing="G1")
    position = situation(tank, red("G1", "at_gun", None, None), SQUAD)
    assert broken(position, "0404", "SE") == [("OVR-8", "0203")]


@pytest.mark.parametrize(
    ("enemies", "expected"),
    [
        ([SQUAD], []),
        ([], [("OVR-2", "0404")]),
        ([SQUAD, blue("E2", "tank", "0404", "N")], [("OVR-3", "0404")]),
        ([blue("E2", "tank", "0404", "N")], [("OVR-2", "0404"), ("OVR-3", "0404")]),
        ([SQUAD, blue("E2", "tank", "0404", "N", status="destroyed")], []),
    ],
)
def test_ovr_02_and_ovr_03_who_is_in_the_target_hex(enemies: list[Tables], expected: Brief) -> None:
    assert broken(situation(TANK, *enemies), "0404", "SE") == expected


@pytest.mark.parametrize(
    ("ground", "expected"),
    [
        ({"hex": "0404", "features": ["bunker"]}, [("OVR-6", "0404")]),
        ({"hex": "0404", "terrain": "building"}, [("OVR-5", "0404"), ("OVR-7", "0404")]),
        ({"hex": "0404", "terrain": "marsh"}, [("OVR-7", "0404")]),
        ({"hex": "0404", "features": ["blaze"]}, [("OVR-7", "0404")]),
        (
            {"hex": "0404", "elevation": 2},  # too steep both ways
            [("OVR-7", "0404"), ("OVR-7", "0505")],
        ),
        ({"hex": "0505", "terrain": "building"}, [("OVR-7", "0505")]),
        ({"hex": "0505", "features": ["bunker"]}, []),
        ({"hex": "0505", "elevation": 1}, []),
        ({"hex": "0505", "elevation": 2}, [("OVR-7", "0505")]),
        ({"hex": "0304", "terrain": "marsh"}, [("OVR-7", "0304")]),
        ({"hex": "0304", "features": ["blaze"]}, [("OVR-7", "0304")]),
    ],
)
def test_ovr_05_to_ovr_07_ground_that_forbids(ground: Tables, expected: Brief) -> None:
    assert broken(situation(TANK, SQUAD, hexes=[ground]), "0404", "SE") == expected


@pytest.mark.parametrize(
    ("edge", "expected"),
    [
        ([], []),
        (["0304", "0404"], [("OVR-7", "0404")]),
        (["0404", "0505"], [("OVR-7", "0505")]),
        (["0404", "0405"], []),
    ],
)
def test_ovr_07_hexsides(edge: list[str], expected: Brief) -> None:
    edges = [{"hexes": edge, "edge": "cliff"}] if edge else []
    assert broken(situation(TANK, SQUAD, edges=edges), "0404", "SE") == expected


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([blue("E2", "squad", "0505")], [("OVR-7", "0505")]),
        ([blue("E2", "tank", "0505", "N")], [("OVR-7", "0505")]),
        ([blue("E2", "squad", "0304")], [("OVR-7", "0304")]),
        ([red("A", "squad", "0505")], []),
        ([red("A", "squad", "0505"), red("B", "squad", "0505")], [("OVR-7", "0505")]),
        ([red("A", "squad", "0304"), red("B", "squad", "0304")], []),
    ],
)
def test_ovr_07_units_in_the_way(others: list[Tables], expected: Brief) -> None:
    assert broken(situation(TANK, SQUAD, *others), "0404", "SE") == expected


@pytest.mark.parametrize(
    ("target", "direction", "expected", "text"),
    [
        ("0801", "NE", [("OVR-7", None)], "the exit hex, NE of 0801, is off the map"),
        ("0801", "SW", [("OVR-7", None)], "the approach hex, NE of 0801, is off the map"),
    ],
)
def test_ovr_07_off_the_map(target: str, direction: str, expected: Brief, text: str) -> None:
    position = situation(TANK, blue("E1", "squad", target), rules=far)
    assert broken(position, target, direction) == expected
    assert [reason.text for reason in why(position, "T1", target, direction).reasons] == [text]


def test_ovr_07_both_ends_off_the_map() -> None:
    """Along the short side of a corner hex there is neither approach nor exit."""
    position = situation(TANK, blue("E1", "squad", "0101"), rules=far)
    assert broken(position, "0101", "NE") == [("OVR-7", None), ("OVR-7", None)]


def test_ovr_07_an_approach_hex_that_no_way_leads_to() -> None:
    """Cliffs all round it; no one of them bars it by itself from every side."""
    around = ("0303", "0403", "0305", "0204", "0203")
    cliffs = [{"hexes": ["0304", name], "edge": "cliff"} for name in around]
    position = situation(TANK, SQUAD, edges=cliffs, rules=far)
    (reason,) = why(position, "T1", "0404", "SE").reasons
    assert (reason.clause.value, reason.text) == ("OVR-7", "T1 has no way to 0304")


@pytest.mark.parametrize(
    ("movement_used", "expected"), [(2, []), (3, []), (3.5, [("OVR-14", "0505")])]
)
def test_ovr_14_below_at_and_above_the_movement_points(
    movement_used: float, expected: Brief
) -> None:
    tank = red("T1", "tank", "0203", "SE", movement_used=movement_used)
    assert broken(situation(tank, SQUAD), "0404", "SE") == expected


@pytest.mark.parametrize(
    ("ground", "text"),
    [
        ([], "needs 5 movement points, T1 has 4"),
        ([{"hex": "0505", "terrain": "woods"}], "needs 7 movement points, T1 has 4"),
        ([{"hex": "0404", "features": ["blaze"]}], None),
        (
            [{"hex": "0404", "features": ["blaze"]}, {"hex": "0505", "terrain": "woods"}],
            "needs at least 6 movement points, T1 has 4",
        ),
    ],
)
def test_ovr_14_says_what_it_needs(ground: list[Tables], text: str | None) -> None:
    """Where something is barred it counts what is known."""
    tank = red("T1", "tank", "0203", "SE", movement_used=4)
    verdict = why(situation(tank, SQUAD, hexes=ground), "T1", "0404", "SE")
    found = [reason.text for reason in verdict.reasons if reason.clause.value == "OVR-14"]
    assert found == ([] if text is None else [text])


def test_every_clause_and_place_is_named() -> None:
    position = situation(
        red("T1", "tank", "0203", "SE", moved=True, movement_used=7, towing="G1"),
        red("G1", "at_gun", None, None),
        blue("E2", "tank", "0404", "N"),
        blue("E3", "squad", "0505"),
        hexes=[
            {"hex": "0404", "terrain": "building", "features": ["bunker", "blaze"]},
            {"hex": "0505", "terrain": "marsh"},
            {"hex": "0304", "terrain": "marsh"},
        ],
    )
    assert broken(position, "0404", "SE") == [
        ("OVR-2", "0404"),
        ("OVR-3", "0404"),
        ("OVR-4", "0203"),
        ("OVR-5", "0404"),
        ("OVR-6", "0404"),
        ("OVR-7", "0304"),
        ("OVR-7", "0404"),
        ("OVR-7", "0404"),
        ("OVR-7", "0505"),
        ("OVR-7", "0505"),
        ("OVR-8", "0203"),
        ("OVR-14", "0505"),
    ]
