"""The rules page clause by clause, from a scenario to the answer: who overruns what, and the move.

Fire and resolution (OVR-9 to OVR-12, OVR-16 to OVR-19) are in ``test_clauses_fire.py``. On clear
ground ``T1`` in 0302 faces south and drives over 0304: 0303, 0304 and 0305 at a point each and the
overrun's own two are 5 of its 8 movement points.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from planner import evaluate, lines, parse_move, why
from planner.game.legality import blocked, wrong
from planner.game.notation import NotationError
from planner.game.position import Position
from tests.situations import blue, red, situation

Tables = dict[str, Any]
T1 = red("T1", "tank", "0302", "S")
E1 = blue("E1", "squad", "0304")
MOVE = "T1 0303x0304-0305"


def broken(
    position: Position, target: str = "0304", direction: str = "S", unit: str = "T1"
) -> list[str]:
    """The clauses that forbid an overrun, none when it is legal; lines say the same."""
    verdict = why(position, unit, target, direction)
    listed = any(
        position.board.name(line.target) == target
        and position.board.direction_name(line.direction) == direction
        for line in lines(position, unit)
    )
    assert listed is verdict.legal
    return list(dict.fromkeys(reason.clause.value for reason in verdict.reasons))


def faulty(position: Position, text: str) -> list[str]:
    """The clauses that a move breaks whatever other units do."""
    return list(dict.fromkeys(r.clause.value for r in wrong(position, parse_move(position, text))))


def in_the_way(position: Position, text: str) -> list[str]:
    """The clauses for which a move is not made as units stand now; the evaluator skips it too."""
    move = parse_move(position, text)
    found = list(dict.fromkeys(r.clause.value for r in blocked(position, move)))
    assert evaluate(position, [move]).made == ((0.0,) if found else (1.0,))
    return found


def test_an_overrun_that_breaks_no_clause() -> None:
    position = situation(T1, E1)
    assert broken(position) == faulty(position, MOVE) == in_the_way(position, MOVE) == []


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        ("tank", []),
        ("light_tank", []),
        ("armoured_car", []),  # wheels, but armour
        ("truck", ["OVR-1"]),
        ("squad", ["OVR-1"]),
        ("sergeant", ["OVR-1"]),
        ("at_gun", ["OVR-1"]),
    ],
)
def test_ovr_01_only_afvs_overrun(type_: str, expected: list[str]) -> None:
    found = broken(situation(red("T1", type_, "0303", "S"), E1))
    assert [clause for clause in found if clause == "OVR-1"] == expected
    assert bool(found) is bool(expected)


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ([blue("E1", "squad", "0304")], []),
        ([blue("E1", "at_gun", "0304", "N")], []),
        ([blue("E1", "truck", "0304")], []),
        ([blue("E1", "sergeant", "0304")], []),  # leaders are infantry
        ([blue("E1", "squad", "0304", status="suppressed")], []),
        ([], ["OVR-2"]),
        ([blue("E1", "squad", "0304", status="eliminated")], ["OVR-2"]),
        ([red("F1", "squad", "0304")], ["OVR-2"]),  # one's own are no target
        # A truck's passenger stands not in the hex, but the truck does.
        ([blue("E1", "truck", "0304", passengers=["E2"]), blue("E2", "squad")], []),
    ],
)
def test_ovr_02_infantry_vehicles_and_guns(units: list[Tables], expected: list[str]) -> None:
    position = situation(T1, *units)
    assert broken(position) == expected
    assert in_the_way(position, MOVE) == expected


@pytest.mark.parametrize("others", [[], [E1]])
@pytest.mark.parametrize(
    ("status", "expected"),
    [("ready", ["OVR-3"]), ("shaken", ["OVR-3"]), ("immobilised", ["OVR-3"]), ("destroyed", [])],
)
def test_ovr_03_no_hex_with_an_enemy_afv(
    status: str, expected: list[str], others: list[Tables]
) -> None:
    """Whatever else is in it; a wreck is no AFV, and nothing to strike either."""
    afv = blue("P1", "tank", "0304", "N", status=status)
    expected = expected if others else ["OVR-2", *expected]
    position = situation(T1, afv, *others)
    assert broken(position) == expected
    assert in_the_way(position, MOVE) == expected


@pytest.mark.parametrize(
    ("unit", "to_move", "expected"),
    [
        (T1, "red", []),
        (T1, "blue", ["OVR-4"]),
        (red("T1", "tank", "0302", "S", moved=True), "red", ["OVR-4"]),
        (red("T1", "tank", "0302", "S", fired=True), "red", []),  # its Fire marker is no bar
        (red("T1", "tank", "0302", "S", status="shaken"), "red", []),
        (red("T1", "tank", "0302", "S", status="immobilised"), "red", ["OVR-4"]),
    ],
)
def test_ovr_04_in_its_movement_phase_as_part_of_its_move(
    unit: Tables, to_move: str, expected: list[str]
) -> None:
    position = situation(unit, E1, scenario={"to_move": to_move})
    assert [clause for clause in broken(position) if clause == "OVR-4"] == expected
    assert [clause for clause in faulty(position, MOVE) if clause == "OVR-4"] == expected


def test_ovr_04_one_overrun_in_a_phase() -> None:
    position = situation(T1, E1, blue("E2", "squad", "0306"))
    with pytest.raises(NotationError, match="more than one x"):
        parse_move(position, "T1 0303x0304-0305x0306-0307")
    moves = [parse_move(position, text) for text in (MOVE, "T1 0303")]
    with pytest.raises(ValueError, match="T1 has two moves"):
        evaluate(position, moves)


ROAD = [{"path": "road", "hexes": ["0302", "0303", "0304", "0305"]}]


def ground(hex_: str, **what: Any) -> Tables:
    return {"hexes": [{"hex": hex_, **what}]}


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (ground("0304", terrain="building"), ["OVR-5", "OVR-7"]),
        (ground("0304", terrain="building") | {"paths": ROAD}, ["OVR-5"]),  # even along a road
        (ground("0305", terrain="building") | {"paths": ROAD}, []),  # the exit hex may be one
        (ground("0303", terrain="building") | {"paths": ROAD}, []),
    ],
)
def test_ovr_05_no_building_hex(drawn: Tables, expected: list[str]) -> None:
    position = situation(T1, E1, **drawn)
    assert broken(position) == expected
    assert faulty(position, MOVE) == expected


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (ground("0304", features=["bunker"]), ["OVR-6"]),
        (ground("0304", features=["foxholes", "bunker"]), ["OVR-6"]),
        (ground("0304", features=["foxholes"]), []),
        (ground("0305", features=["bunker"]), []),
        (ground("0303", features=["bunker"]), []),
    ],
)
@pytest.mark.parametrize("friends", [[], [red("F1", "squad", "0304")]])
def test_ovr_06_no_hex_with_a_bunker_of_either_side(
    drawn: Tables, expected: list[str], friends: list[Tables]
) -> None:
    position = situation(T1, E1, *friends, **drawn)
    assert broken(position) == expected
    assert faulty(position, MOVE) == expected


def edge(a: str, b: str, kind: str = "cliff") -> Tables:
    return {"edges": [{"hexes": [a, b], "edge": kind}]}


@pytest.mark.parametrize("hex_", ["0303", "0304", "0305"])
@pytest.mark.parametrize(
    ("what", "on_road"),
    [
        ({"terrain": "marsh"}, []),  # a road lifts terrain
        ({"elevation": 2}, []),  # and climb
        ({"elevation": -2}, []),
        ({"features": ["blaze"]}, ["OVR-7"]),  # but no feature
    ],
)
def test_ovr_07_ground_that_bars_approach_target_and_exit(
    hex_: str, what: Tables, on_road: list[str]
) -> None:
    assert faulty(situation(T1, E1, **ground(hex_, **what)), MOVE) == ["OVR-7"]
    position = situation(T1, E1, **ground(hex_, **what), paths=ROAD)
    assert faulty(position, MOVE) == on_road
    assert ("OVR-7" in broken(position)) is bool(on_road)


@pytest.mark.parametrize("elevation", [1, -1])
def test_ovr_07_a_climb_at_the_limit(elevation: int) -> None:
    assert broken(situation(T1, E1, **ground("0304", elevation=elevation))) == []


@pytest.mark.parametrize(
    ("a", "b", "bars"),
    [
        ("0303", "0304", True),
        ("0304", "0305", True),
        ("0304", "0403", False),  # a hexside not crossed
        ("0305", "0306", False),
    ],
)
def test_ovr_07_hexsides_crossed(a: str, b: str, bars: bool) -> None:
    assert broken(situation(T1, E1, **edge(a, b))) == (["OVR-7"] if bars else [])
    assert broken(situation(T1, E1, **edge(b, a), paths=ROAD)) == []


@pytest.mark.parametrize(
    ("start", "target", "direction", "expected"),
    [
        ("0303", "0304", "S", []),
        ("0304", "0305", "S", []),
        ("0305", "0306", "S", ["OVR-7"]),  # the exit hex is off the map
        ("0301", "0301", "S", ["OVR-7"]),  # the approach hex is
        ("0704", "0804", "SE", ["OVR-7"]),
    ],
)
def test_ovr_07_the_edge_of_the_map(
    start: str, target: str, direction: str, expected: list[str]
) -> None:
    afv = red("T1", "tank", start if start != target else "0302", "S" if direction == "S" else "SE")
    found = broken(situation(afv, blue("E1", "squad", target)), target, direction)
    assert found == expected


@pytest.mark.parametrize(
    ("enemy", "approach", "exit_"),
    [
        (lambda hex_: blue("E2", "squad", hex_), ["OVR-7"], ["OVR-7"]),
        (lambda hex_: blue("E2", "tank", hex_, "N"), ["OVR-7"], ["OVR-7"]),
        (lambda hex_: blue("E2", "truck", hex_), ["OVR-7"], ["OVR-7"]),
        (lambda hex_: blue("E2", "squad", hex_, status="suppressed"), ["OVR-7"], ["OVR-7"]),
        (lambda hex_: blue("E2", "tank", hex_, "N", status="destroyed"), [], []),
        (lambda hex_: red("F2", "squad", hex_), [], []),
    ],
)
def test_ovr_07_enemies_are_ignored_in_the_target_hex_only(
    enemy: Callable[[str], Tables], approach: list[str], exit_: list[str]
) -> None:
    assert in_the_way(situation(T1, E1, enemy("0303")), MOVE) == approach
    assert in_the_way(situation(T1, E1, enemy("0305")), MOVE) == exit_
    assert broken(situation(T1, E1, enemy("0305"))) == exit_
    around = situation(T1, E1, enemy("0303"), rules=fast)
    assert broken(around) == approach


def fast(charts: Tables) -> None:
    charts["types"]["tank"]["movement"] = 40


F1, F2 = red("F1", "squad", "0305"), red("F2", "truck", "0305")
CARRIER = red("F1", "tank", "0305", "N", passengers=["F2"])


@pytest.mark.parametrize(
    ("friends", "limit", "expected"),
    [
        ([], 1, []),
        ([F1], 2, []),  # one place free
        ([F1], 1, ["OVR-7"]),  # full
        ([F1, F2], 2, ["OVR-7"]),
        ([F1, F2], 3, []),
        ([CARRIER, red("F2", "squad")], 2, []),  # a passenger takes no room
        ([CARRIER, red("F2", "squad")], 1, ["OVR-7"]),
        ([red("F1", "tank", "0305", "N", status="destroyed")], 1, []),
        ([red("F1", "squad", "0303"), red("F2", "squad", "0303")], 2, []),  # on the way: no matter
    ],
)
def test_ovr_07_stacking_where_the_move_ends(
    friends: list[Tables], limit: int, expected: list[str]
) -> None:
    def stacking(charts: Tables) -> None:
        charts["stacking"]["limit"] = limit

    position = situation(T1, E1, *friends, rules=stacking)
    assert broken(position) == expected
    assert in_the_way(position, MOVE) == expected


def test_ovr_07_the_enemys_stack_is_no_stack_of_ours() -> None:
    """Three enemies in the exit hex: they are in the way, but room is not what lacks."""
    crowd = [blue(f"E{i}", "squad", "0305") for i in range(2, 5)]
    verdict = why(situation(T1, E1, *crowd), "T1", "0304", "S")
    assert [reason.text for reason in verdict.reasons] == ["0305 holds E2, E3, E4 of the enemy"]


@pytest.mark.parametrize(("size", "expected"), [(1, []), (2, ["OVR-7"])])
def test_ovr_07_stacking_counts_sizes(size: int, expected: list[str]) -> None:
    def sizes(charts: Tables) -> None:
        charts["types"]["squad"]["size"] = size

    position = situation(T1, blue("E1", "truck", "0304"), F1, rules=sizes)
    assert broken(position) == expected
    assert in_the_way(position, MOVE) == expected


@pytest.mark.parametrize(
    ("carries", "expected"),
    [
        ({}, []),
        ({"passengers": ["C1"]}, []),  # passengers are no bar
        ({"towing": "C1"}, ["OVR-8"]),
    ],
)
def test_ovr_08_no_overrun_with_a_gun_in_tow(carries: Tables, expected: list[str]) -> None:
    carried = red("C1", "squad" if "passengers" in carries else "at_gun")
    if carries.get("towing"):
        carried["facing"] = "N"
    units = [T1 | carries, E1] + ([carried] if carries else [])
    position = situation(*units)
    assert broken(position) == expected
    assert faulty(position, MOVE) == expected
    assert faulty(position, "T1 0303") == []  # it may drive


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T1 0303x0304-0305", []),
        ("T1 0303x0304-0404", ["OVR-13"]),  # bent to the left
        ("T1 0303x0304-0204", ["OVR-13"]),
        ("T1 0303x0304-0303", ["OVR-13"]),  # back
        ("T1 x0304-0305", ["OVR-13"]),  # two hexes off: no approach hex
        ("T1 0303x0304-0306", ["OVR-13"]),
    ],
)
def test_ovr_13_in_one_line(text: str, expected: list[str]) -> None:
    assert faulty(situation(T1, E1), text) == expected


@pytest.mark.parametrize(
    ("facing", "points"), [("S", 4), ("SE", 5), ("SW", 5), ("NE", 6), ("NW", 6), ("N", 7)]
)
def test_ovr_13_14_it_faces_the_target_hex_when_it_goes_in(facing: str, points: int) -> None:
    """It does not back in: each hexside turned first costs a point."""
    position = situation(red("T1", "tank", "0303", facing), E1)
    (line,) = [line for line in lines(position) if line.direction.name == "D3"]
    assert line.movement_points == points


@pytest.mark.parametrize(("movement", "legal"), [(4, False), (5, True), (6, True)])
def test_ovr_14_one_point_short_exact_and_over(movement: int, legal: bool) -> None:
    def slow(charts: Tables) -> None:
        charts["types"]["tank"]["movement"] = movement

    position = situation(T1, E1, rules=slow)
    assert broken(position) == ([] if legal else ["OVR-14"])
    assert faulty(position, MOVE) == ([] if legal else ["OVR-14"])


@pytest.mark.parametrize(("used", "legal"), [(2, True), (3, True), (3.5, False), (4, False)])
def test_ovr_14_what_it_spent_before_is_taken_off(used: float, legal: bool) -> None:
    position = situation(T1 | {"movement_used": used}, E1)
    assert broken(position) == ([] if legal else ["OVR-14"])
    if legal:
        (line,) = [line for line in lines(position) if line.direction.name == "D3"]
        assert line.movement_points == 5  # the cost shown is this move's


@pytest.mark.parametrize(
    ("drawn", "own", "points"),
    [
        ({}, 2, 5),
        ({}, 0, 3),
        ({}, 2.5, Fraction(11, 2)),
        (ground("0303", terrain="woods"), 2, 7),
        (ground("0304", terrain="woods"), 2, 7),
        (ground("0305", terrain="woods"), 2, 7),  # the exit hex is paid too
        (edge("0304", "0305", "stream"), 2, 6),
        (ground("0304", elevation=1), 2, 6),
    ],
)
def test_ovr_14_hexes_hexsides_and_the_overruns_own_points(
    drawn: Tables, own: float, points: int | Fraction
) -> None:
    def costing(charts: Tables) -> None:
        charts["overrun"]["movement_points"] = own

    position = situation(T1, E1, rules=costing, **drawn)
    costs = {line.movement_points for line in lines(position) if line.direction.name == "D3"}
    assert costs == {points}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T1 0303x0304-0305", []),
        ("T1 0303x0304-0305/S", []),  # the facing it has
        ("T1 0303x0304-0305/SE", ["OVR-15"]),
        ("T1 0303x0304-0305-0306", ["OVR-15"]),  # two points are left, but the move is over
        ("T1 0303x0304", ["OVR-15"]),
    ],
)
def test_ovr_15_the_move_ends_in_the_exit_hex_as_it_came(text: str, expected: list[str]) -> None:
    assert faulty(situation(T1, E1), text) == expected


def test_the_exit_hex_may_be_one_it_came_through() -> None:
    position = situation(red("T1", "tank", "0306", "N"), E1, rules=fast)
    text = "T1 0305-0204-0203-0303x0304-0305"
    assert faulty(position, text) == in_the_way(position, text) == []
    assert broken(position) == []


def test_it_may_start_next_to_the_target_hex_and_in_the_exit_hexs_line() -> None:
    position = situation(red("T1", "tank", "0303", "S"), E1)
    assert broken(position) == []
    assert faulty(position, "T1 x0304-0305") == []


@pytest.mark.parametrize(
    ("text", "used", "expected"),
    [
        ("T1 0303-0304", 0, []),
        ("T1 0303/SE", 6, []),  # a point for the hex, one for the turn
        ("T1 0303/SE", 6.5, ["OVR-14"]),
        ("T1 0303/N", 5, ["OVR-14"]),
        ("T1 0303/N", 4, []),
        ("T1 /SE", 7, []),  # turning where it stands
        ("T1 /NE", 7, ["OVR-14"]),
        ("T1 stay", 8, []),
    ],
)
def test_a_move_without_overrun_may_end_with_a_turn(
    text: str, used: float, expected: list[str]
) -> None:
    assert faulty(situation(T1 | {"movement_used": used}), text) == expected


@pytest.mark.parametrize("unit", ["squad", "truck", "sergeant"])
def test_only_afvs_move(unit: str) -> None:
    position = situation(red("T1", unit, "0302", "S"))
    assert faulty(position, "T1 0303") == ["OVR-1"]
    with pytest.raises(ValueError, match="T1 is no AFV"):
        evaluate(position, [parse_move(position, "T1 0303")])


def test_where_units_start_is_odd_but_no_fault() -> None:
    """A tank in a building, three squads in one hex: two warnings, and it drives on."""
    crowd = [blue(f"E{i}", "squad", "0304") for i in range(1, 4)]
    position = situation(T1, *crowd, **ground("0302", terrain="building"))
    assert len(position.warnings) == 2
    assert broken(position) == []


@pytest.mark.parametrize(("orientation", "directions"), [("flat", 6), ("pointy", 6)])
def test_ovr_13_every_direction_of_travel_in_both_orientations(
    orientation: str, directions: int
) -> None:
    position = situation(
        red("T1", "tank", "0303", "SE"),
        blue("E1", "squad", "0503"),
        orientation=orientation,
        rules=fast,
    )
    found = lines(position)
    assert len({line.direction for line in found}) == len(found) == directions
    for line in found:
        assert line.target.neighbour(line.direction) == line.exit
        assert line.move.path[-2:] == (line.target, line.exit)
