from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from planner.game.clauses import Clause
from planner.game.legality import Reason, blocked, wrong
from planner.game.moves import PlannedMove, cost, points_text
from planner.game.notation import parse_move
from planner.game.position import Position
from planner.game.weapons import usable_weapons
from tests.situations import blue, red, situation

Tables = dict[str, Any]
TERRAIN = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . b . .
. . . m . B . .
. . . . . 2 . .
"""
TANK = red("T1", "tank", "0203")
SQUAD = blue("E1", "squad", "0404")
OVERRUN = "T1 0304x0404-0505"


def faults(position: Position, text: str) -> list[tuple[str, str | None]]:
    """Clause and place of all that is wrong with a move."""
    return brief(position, wrong(position, parse_move(position, text)))


def in_the_way(position: Position, text: str) -> list[tuple[str, str | None]]:
    """Clause and place of all that blocks a move."""
    return brief(position, blocked(position, parse_move(position, text)))


def brief(position: Position, reasons: Sequence[Reason]) -> list[tuple[str, str | None]]:
    return [
        (reason.clause.value, None if reason.hex is None else position.board.name(reason.hex))
        for reason in reasons
    ]


def test_every_clause_has_its_number_and_its_line() -> None:
    assert [clause.number for clause in Clause] == list(range(1, 20))
    assert len({clause.text for clause in Clause}) == len(Clause)


@pytest.mark.parametrize(
    "text", [OVERRUN, "T1 x0304-0404", "T1 0304-0305", "T1 0304/N", "T1 /N", "T1 stay"]
)
def test_a_move_without_fault(text: str) -> None:
    assert faults(situation(TANK, terrain=TERRAIN), text) == []


def test_nobody_of_that_name() -> None:
    position = situation(TANK, red("T2", "tank", "0101"))
    (reason,) = wrong(position, parse_move(position, "T7 0304"))
    assert reason.text == "there is no unit T7 (AFVs of red: T1, T2)"


@pytest.mark.parametrize("type_", ["squad", "sergeant", "truck", "at_gun"])
@pytest.mark.parametrize("text", [OVERRUN, "T1 0304", "T1 /N", "T1 stay"])
def test_ovr_01_only_afvs(type_: str, text: str) -> None:
    position = situation(red("T1", type_, "0203"))
    found = [fault for fault in faults(position, text) if fault[0] in ("OVR-1", "OVR-4")]
    assert found == [("OVR-1", "0203")]


@pytest.mark.parametrize(
    ("unit", "text", "expected"),
    [
        (red("T1", "tank", "0203", moved=True), OVERRUN, ["OVR-4"]),
        (red("T1", "tank", "0203", moved=True), "T1 0304", ["OVR-4"]),
        (red("T1", "tank", "0203", moved=True), "T1 /N", ["OVR-4"]),
        (red("T1", "tank", "0203", moved=True), "T1 stay", []),
        (red("T1", "tank", "0203", status="immobilised"), OVERRUN, ["OVR-4"]),
        (red("T1", "tank", "0203", status="immobilised"), "T1 0304", ["OVR-4"]),
        (red("T1", "tank", "0203", status="immobilised"), "T1 /N", ["OVR-4"]),
        (red("T1", "tank", "0203", status="immobilised"), "T1 stay", []),
        (red("T1", "tank", "0203", status="destroyed"), OVERRUN, ["OVR-4"]),
        (red("T1", "tank", "0203", status="destroyed"), "T1 stay", []),
        (red("T1", "tank", "0203", status="shaken"), OVERRUN, []),
        (red("T1", "tank", "0203", status="wary"), OVERRUN, ["OVR-4"]),
        (red("T1", "tank", "0203", status="wary"), "T1 0304", []),
        (red("T1", "tank", "0203", fired=True), OVERRUN, []),  # its own Fire marker is no bar
        (blue("T1", "tank", "0203", "SE"), OVERRUN, ["OVR-4"]),
        (blue("T1", "tank", "0203", "SE"), "T1 stay", ["OVR-4"]),
    ],
)
def test_ovr_04_part_of_its_own_move(unit: Tables, text: str, expected: list[str]) -> None:
    def wary(charts: Tables) -> None:
        charts["status"]["afv"]["wary"] = {"loss": 0.1, "may_overrun": False}

    position = situation(unit, terrain=TERRAIN, rules=wary)
    assert [clause for clause, _ in faults(position, text)] == expected


@pytest.mark.parametrize(
    ("text", "start", "expected"),
    [
        ("T1 x0604-0605", "0603", [("OVR-5", "0604"), ("OVR-7", "0604")]),
        ("T1 x0605-0606", "0604", [("OVR-6", "0605"), ("OVR-7", "0606")]),
        ("T1 0605", "0604", []),  # a Bunker bars overruns only
    ],
)
def test_ovr_05_and_ovr_06_building_and_bunker(
    text: str, start: str, expected: list[tuple[str, str | None]]
) -> None:
    position = situation(red("T1", "tank", start, "S"), terrain=TERRAIN)
    assert faults(position, text) == expected


@pytest.mark.parametrize(
    ("text", "start", "facing", "expected"),
    [
        ("T1 x0405-0406", "0404", "S", [("OVR-7", "0405")]),  # marsh in the target hex
        ("T1 x0404-0405", "0403", "S", [("OVR-7", "0405")]),  # in the exit hex
        ("T1 0405-0406", "0404", "S", [("OVR-7", "0405")]),  # on the way
        ("T1 0604-0704", "0504", "SE", [("OVR-7", "0604")]),
        ("T1 0506-0606", "0505", "S", [("OVR-7", "0606")]),  # the climb of 2
    ],
)
def test_ovr_07_ground_that_bars(
    text: str, start: str, facing: str, expected: list[tuple[str, str | None]]
) -> None:
    position = situation(red("T1", "tank", start, facing), terrain=TERRAIN)
    assert faults(position, text) == expected


def test_ovr_07_every_place_is_named() -> None:
    position = situation(red("T1", "tank", "0404", "S"), terrain=TERRAIN)
    assert faults(position, "T1 0405-0505-0604-0605-0606") == [
        ("OVR-7", "0405"),
        ("OVR-7", "0604"),
        ("OVR-7", "0606"),
    ]


def test_ovr_07_a_path_that_leaves_the_map() -> None:
    position = situation(TANK)
    corner = position.board.numbering.parse("0101")
    off = PlannedMove("T1", (corner._replace(q=-1),))
    assert brief(position, wrong(position, off)) == [("OVR-7", None)]


@pytest.mark.parametrize(
    ("text", "expected"), [(OVERRUN, [("OVR-8", "0203")]), ("T1 0304-0305", []), ("T1 stay", [])]
)
def test_ovr_08_towing_bars_overruns_only(
    text: str, expected: list[tuple[str, str | None]]
) -> None:
    def tows(charts: Tables) -> None:
        charts["types"]["tank"]["capacity"] = 2

    tank = red("T1", "tank", "0203", towing="G1")
    position = situation(tank, red("G1", "at_gun", None, None), terrain=TERRAIN, rules=tows)
    assert faults(position, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T1 0304x0404-0505", []),
        ("T1 0304x0404-0504", [("OVR-13", "0504")]),
        ("T1 0304x0404-0304", [("OVR-13", "0304")]),
        ("T1 x0304-0305", [("OVR-13", "0305")]),
        ("T1 0305x0404-0503", [("OVR-13", "0305"), ("OVR-13", "0503")]),
        ("T1 0304x0404-0606", [("OVR-13", "0606")]),
        ("T1 0304-0504", [("OVR-13", "0504")]),
        ("T1 0203", [("OVR-13", "0203")]),  # the hex it stands in
    ],
)
def test_ovr_13_straight_on_from_neighbour_to_neighbour(
    text: str, expected: list[tuple[str, str | None]]
) -> None:
    assert faults(situation(TANK), text) == expected


@pytest.mark.parametrize(
    ("used", "wrong_"),
    [(2, False), (3, False), (3.5, True), (4, True), (8, True)],
)
def test_ovr_14_below_at_and_above_the_movement_points(used: float, wrong_: bool) -> None:
    """The overrun needs 5 of the tank's 8."""
    position = situation(red("T1", "tank", "0203", movement_used=used))
    expected = [("OVR-14", "0505")] if wrong_ else []
    assert faults(position, OVERRUN) == expected


@pytest.mark.parametrize(
    ("text", "points"),
    [
        (OVERRUN, 5),  # three hexes and the overrun's own 2
        ("T1 x0304-0404", 4),
        ("T1 stay", 0),
        ("T1 /N", 2),  # two hexsides turned
        ("T1 0304", 1),
        ("T1 0304/NW", 4),
        ("T1 0304-0203", 5),  # turns about
        ("T1 0204", 2),
        ("T1 0303-0402x0502-0602", 8),  # a bend costs what it costs
        ("T1 0404", None),
        ("T1 0304-0404-0604", None),
    ],
)
def test_ovr_14_cost_of_a_move(text: str, points: int | None) -> None:
    position = situation(TANK)
    assert cost(position, parse_move(position, text)) == points


def test_ovr_14_says_what_is_needed_and_what_is_left() -> None:
    position = situation(red("T1", "tank", "0203", movement_used=5.5))
    (reason,) = wrong(position, parse_move(position, OVERRUN))
    assert reason.text == "needs 5 movement points, T1 has 2.5"


def test_ovr_14_the_overruns_own_points_stand_in_the_rules() -> None:
    def dear(charts: Tables) -> None:
        charts["overrun"]["movement_points"] = 5.5

    position = situation(TANK, rules=dear)
    assert cost(position, parse_move(position, OVERRUN)) == Fraction(17, 2)
    assert faults(position, OVERRUN) == [("OVR-14", "0505")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T1 0304x0404", [("OVR-15", "0404")]),
        ("T1 0304x0404-0505-0506", [("OVR-15", "0506")]),
        ("T1 0304x0404-0505/S", [("OVR-15", "0505")]),
        ("T1 0304x0404-0505/SE", []),
    ],
)
def test_ovr_15_the_move_ends_in_the_exit_hex_as_it_came(
    text: str, expected: list[tuple[str, str | None]]
) -> None:
    assert faults(situation(TANK), text) == expected


@pytest.mark.parametrize(
    ("text", "clause", "said"),
    [
        (
            "T1 0304x0404-0504",
            Clause.OVR_13,
            "0304, 0404, 0504 do not lie in one line; the exit hex of 0304x0404 is 0505",
        ),
        (
            "T1 0304x0404-0606",
            Clause.OVR_13,
            "0404 and 0606 are not neighbours; the exit hex of 0304x0404 is 0505",
        ),
        (
            "T1 x0304-0305",
            Clause.OVR_13,
            "0203, 0304, 0305 do not lie in one line; the exit hex of 0203x0304 is 0404",
        ),
        (
            "T1 0303x0302-0402",
            Clause.OVR_13,
            "0303, 0302, 0402 do not lie in one line; the exit hex of 0303x0302 is 0301",
        ),
        (
            "T1 0302x0301-0401",
            Clause.OVR_13,
            "0302, 0301, 0401 do not lie in one line; the exit hex of 0302x0301 is off the map",
        ),
        (
            "T1 0304x0404",
            Clause.OVR_15,
            "an overrun ends in the exit hex: none is given; the exit hex of 0304x0404 is 0505",
        ),
        # Where it does not come in from beside there is no exit hex.
        ("T1 0304x0506-0505", Clause.OVR_13, "0304 and 0506 are not neighbours"),
        ("T1 0304x0506-0303", Clause.OVR_13, "0506 and 0303 are not neighbours"),
        # Elsewhere on the way there is none either.
        ("T1 0305x0405-0506", Clause.OVR_13, "0203 and 0305 are not neighbours"),
        ("T1 0305", Clause.OVR_13, "0203 and 0305 are not neighbours"),
    ],
)
def test_ovr_13_and_ovr_15_say_which_exit_hex_is_right(
    text: str, clause: Clause, said: str
) -> None:
    position = situation(TANK)
    reasons = wrong(position, parse_move(position, text))
    assert said in [reason.text for reason in reasons if reason.clause is clause]


def with_passenger(**more: Any) -> Position:
    """T1 carries S1; S2 stands by."""
    return situation(
        red("T1", "tank", "0203", passengers=["S1"]),
        red("S1", "squad", None, None, **more),
        red("S2", "squad", "0203", None),
    )


@pytest.mark.parametrize(
    ("weapons", "more", "texts"),
    [
        ("+S1:LMG", {}, []),
        ("+S1:LMG +S1:satchel", {}, []),
        ("+S2:LMG", {}, ["S2 is no passenger of T1 (passengers: S1)"]),
        ("+T1:gun", {}, ["T1 is no passenger of T1 (passengers: S1)"]),
        ("+S1:mortar", {}, ["S1 has no weapon mortar (weapons: LMG, rifles, satchel)"]),
        ("+S1:rifles", {}, ["S1:rifles is the unit's own armament and counts anyway"]),
        ("+S1:satchel", {"spent": ["satchel"]}, ["S1:satchel is spent"]),
        ("+S1:LMG", {"spent": ["satchel"]}, []),
        ("+S1:LMG", {"fired": True}, []),
        ("+S1:LMG", {"status": "suppressed"}, ["S1 is suppressed and may not fire"]),
        ("+S1:LMG", {"status": "eliminated"}, ["S1 is eliminated and may not fire"]),
        (
            "+S1:mortar +S2:LMG",
            {},
            [
                "S1 has no weapon mortar (weapons: LMG, rifles, satchel)",
                "S2 is no passenger of T1 (passengers: S1)",
            ],
        ),
    ],
)
def test_ovr_17_weapons_that_may_be_added(weapons: str, more: Tables, texts: list[str]) -> None:
    position = with_passenger(**more)
    reasons = wrong(position, parse_move(position, f"{OVERRUN} {weapons}"))
    assert [(reason.clause, reason.text) for reason in reasons] == [
        (Clause.OVR_17, text) for text in texts
    ]


def test_ovr_17_the_classes_stand_in_the_rules() -> None:
    def no_satchels(charts: Tables) -> None:
        charts["overrun"]["passenger_weapons"] = ["light_mg"]

    units = [red("T1", "tank", "0203", passengers=["S1"]), red("S1", "squad", None, None)]
    position = situation(*units, rules=no_satchels)
    (reason,) = wrong(position, parse_move(position, OVERRUN + " +S1:satchel"))
    assert reason.text == "S1:satchel is of class satchel (allowed: light_mg)"
    assert usable_weapons(position, position.units["T1"]) == (("S1", "LMG"),)


def test_ovr_17_weapons_are_of_use_in_an_overrun_only() -> None:
    position = with_passenger()
    (reason,) = wrong(position, parse_move(position, "T1 0304 +S1:LMG"))
    assert reason == Reason(Clause.OVR_17, "S1:LMG is of use in an overrun only")


def test_ovr_17_usable_weapons_are_those_not_wrong() -> None:
    position = with_passenger()
    unit = position.units["T1"]
    assert usable_weapons(position, unit) == (("S1", "LMG"), ("S1", "satchel"))
    assert usable_weapons(with_passenger(status="suppressed"), unit) == ()


def test_every_clause_broken_is_named() -> None:
    unit = red("T1", "tank", "0404", "S", moved=True, movement_used=8, status="immobilised")
    position = situation(unit, terrain=TERRAIN)
    assert faults(position, "T1 0504x0604-0704/N +S1:LMG") == [
        ("OVR-4", "0404"),
        ("OVR-4", "0404"),
        ("OVR-5", "0604"),
        ("OVR-7", "0604"),
        ("OVR-13", "0704"),
        ("OVR-15", "0704"),
        ("OVR-17", None),
    ]


@pytest.mark.parametrize(
    ("enemies", "expected"),
    [
        ([], [("OVR-2", "0404")]),
        ([SQUAD], []),
        ([blue("E1", "truck", "0404", "N")], []),
        ([blue("E1", "at_gun", "0404", "N")], []),
        ([blue("E1", "sergeant", "0404")], []),
        ([blue("E1", "squad", "0404", status="suppressed")], []),
        ([blue("E1", "squad", "0404", status="eliminated")], [("OVR-2", "0404")]),
        ([red("E1", "squad", "0404")], [("OVR-2", "0404")]),
        ([blue("E1", "tank", "0404", "N")], [("OVR-2", "0404"), ("OVR-3", "0404")]),
        ([SQUAD, blue("E2", "tank", "0404", "N")], [("OVR-3", "0404")]),
        ([SQUAD, blue("E2", "tank", "0404", "N", status="destroyed")], []),  # a wreck is no AFV
        ([SQUAD, blue("E2", "tank", "0404", "N", status="immobilised")], [("OVR-3", "0404")]),
    ],
)
def test_ovr_02_and_ovr_03_what_stands_in_the_target_hex(
    enemies: list[Tables], expected: list[tuple[str, str | None]]
) -> None:
    assert in_the_way(situation(TANK, *enemies), OVERRUN) == expected


@pytest.mark.parametrize(
    ("enemy", "text", "expected"),
    [
        (blue("E2", "squad", "0304"), OVERRUN, [("OVR-7", "0304")]),
        (blue("E2", "squad", "0505"), OVERRUN, [("OVR-7", "0505")]),
        (blue("E2", "tank", "0505", "N"), OVERRUN, [("OVR-7", "0505")]),
        (blue("E2", "squad", "0505", status="eliminated"), OVERRUN, []),
        (blue("E2", "squad", "0304"), "T1 0304-0305", [("OVR-7", "0304")]),
        (blue("E2", "squad", "0305"), "T1 0304-0305", [("OVR-7", "0305")]),
        (blue("E2", "squad", "0203"), "T1 0304-0305", []),  # where it starts is not questioned
        (blue("E2", "squad", "0203"), "T1 /N", []),
    ],
)
def test_ovr_07_an_enemy_in_the_way(
    enemy: Tables, text: str, expected: list[tuple[str, str | None]]
) -> None:
    assert in_the_way(situation(TANK, SQUAD, enemy), text) == expected


@pytest.mark.parametrize(
    ("others", "text", "expected"),
    [
        ([], OVERRUN, []),
        ([red("A", "squad", "0505")], OVERRUN, []),  # one and the tank: the limit of 2
        ([red("A", "squad", "0505"), red("B", "squad", "0505")], OVERRUN, [("OVR-7", "0505")]),
        ([red("A", "truck", "0505", passengers=["B"]), red("B", "squad", None)], OVERRUN, []),
        (
            [red("A", "squad", "0505"), red("B", "squad", "0505", status="eliminated")],
            OVERRUN,
            [],
        ),
        # only where the move ends
        ([red("A", "squad", "0304"), red("B", "squad", "0304")], OVERRUN, []),
        ([red("A", "squad", "0304"), red("B", "squad", "0304")], "T1 0304-0305", []),
        (
            [red("A", "squad", "0305"), red("B", "squad", "0305")],
            "T1 0304-0305",
            [("OVR-7", "0305")],
        ),
        # its own room is not taken twice, and a turn enters nothing
        ([red("A", "squad", "0203")], "T1 0304-0203", []),
        ([red("A", "squad", "0203"), red("B", "squad", "0203")], "T1 /N", []),
    ],
)
def test_ovr_07_room_below_at_and_above_the_stacking_limit(
    others: list[Tables], text: str, expected: list[tuple[str, str | None]]
) -> None:
    assert in_the_way(situation(TANK, SQUAD, *others), text) == expected


@pytest.mark.parametrize(("size", "fits"), [(1, True), (2, True), (3, False)])
def test_ovr_07_room_counts_sizes(size: int, fits: bool) -> None:
    def larger(charts: Tables) -> None:
        charts["types"]["tank"]["size"] = size
        charts["stacking"]["limit"] = 3

    position = situation(TANK, SQUAD, red("A", "squad", "0505"), rules=larger)
    assert (in_the_way(position, OVERRUN) == []) is fits


@pytest.mark.parametrize(
    ("points", "text"),
    [(4, "4"), (Fraction(5, 2), "2.5"), (Fraction(1, 3), "1/3"), (Fraction(1, 40), "0.025")],
)
def test_points_are_written_as_on_a_chart(points: int | Fraction, text: str) -> None:
    assert points_text(points) == text
