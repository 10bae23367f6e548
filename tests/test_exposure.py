from __future__ import annotations

from typing import Any

import pytest

from evaluation.script import Combatant, Enter, Objective, Shot, Strike
from evaluation.units import Aspect, Side
from planner.game.moves import PlannedMove
from planner.game.notation import parse_move
from planner.game.position import Position
from planner.search.exposure import field, script
from tests.situations import blue, hexes, red, situation, two_tanks

Tables = dict[str, Any]
FRONT, SIDE, REAR = Aspect.FRONT, Aspect.SIDE, Aspect.REAR


def windows(position: Position, text: str) -> list[tuple[str, list[tuple[str, str, int, Aspect]]]]:
    """Each window of a move: where, and the shots."""
    found = []
    for step in script(position, parse_move(position, text)).steps:
        if isinstance(step, Enter):
            shots = [(s.firer, s.weapon, s.distance, s.aspect) for s in step.shots]
            (name,) = [position.board.name(h) for h in position.board.ground if h == step.place]
            found.append((name, shots))
    return found


def firers(position: Position, text: str) -> list[str]:
    """Who has a shot in the first window."""
    return [firer for firer, *_ in windows(position, text)[0][1]]


def test_ovr_09_ovr_10_and_ovr_19_the_steps_of_an_overrun() -> None:
    """A window in each hex but the target hex, the attack between, the last window at the exit."""
    position = two_tanks()
    move = script(position, parse_move(position, "T1 0304x0404-0505 +S1:LMG"))
    approach, target, beyond = hexes(position, "0304 0404 0505")
    bazooka = Shot("B1", "bazooka", 2, SIDE)
    assert move.unit == "T1"
    assert move.label == "T1 0304x0404-0505 +S1:LMG"
    assert move.steps == (
        Enter(approach, 0, (bazooka, Shot("G1", "gun", 1, FRONT))),
        Strike(target, 2, (("S1", "LMG"),)),
        Enter(beyond, 0, (bazooka,), final_against=target),
    )


def test_ovr_09_no_window_before_an_overrun_of_the_next_hex() -> None:
    position = situation(red("T1", "tank", "0304", "SE"), blue("G1", "at_gun", "0404", "NW"))
    first, last = script(position, parse_move(position, "T1 x0404-0505")).steps
    assert isinstance(first, Strike)
    assert isinstance(last, Enter)
    assert last.final_against == first.place


def test_ovr_09_faced_as_it_moved() -> None:
    """Going round the gun it shows front, side and rear."""
    position = situation(red("T1", "tank", "0203", "SE"), blue("G1", "tank", "0404", "NW"))
    assert windows(position, "T1 0304-0303-0203") == [
        ("0304", [("G1", "gun", 1, FRONT)]),
        ("0303", [("G1", "gun", 2, REAR)]),
        ("0203", [("G1", "gun", 2, SIDE)]),
    ]


@pytest.mark.parametrize("text", ["T1 stay", "T1 /N"])
def test_staying_and_turning_open_no_window(text: str) -> None:
    position = two_tanks()
    move = script(position, parse_move(position, text))
    assert move.steps == ()
    assert move.label == text


@pytest.mark.parametrize(("row", "reaches"), [(9, True), (10, True), (11, True), (12, False)])
def test_range_one_below_at_and_over(row: int, reaches: bool) -> None:
    """The gun's ratings end at 10; the tank enters row 01, the gun faces north to it."""
    position = situation(
        red("T1", "tank", "0102", "N"),
        blue("G1", "at_gun", f"01{row:02d}", "N"),
        terrain="\n".join(["."] * 12),
    )
    expected = [("G1", "gun", row - 1, REAR)] if reaches else []
    assert windows(position, "T1 0101") == [("0101", expected)]


@pytest.mark.parametrize(
    ("enemy", "seen"),
    [
        (blue("G1", "at_gun", "0404", "NW"), ["G1"]),
        (blue("G1", "at_gun", "0404", "NW", fired=True), []),
        (blue("G1", "at_gun", "0404", "NW", status="suppressed"), []),
        (blue("G1", "at_gun", "0404", "NW", status="eliminated"), []),
        (blue("G1", "bazooka_team", "0404"), ["G1"]),
        (blue("G1", "bazooka_team", "0404", spent=["bazooka"]), []),
        (blue("G1", "squad", "0404"), []),  # no AT rating
        (blue("G1", "tank", "0404", "S"), ["G1"]),  # AFVs fire too
        (blue("G1", "tank", "0404", "S", status="immobilised"), ["G1"]),
        (blue("G1", "tank", "0404", "S", status="shaken"), []),
        (red("G1", "tank", "0404", "S"), []),
    ],
)
def test_ovr_09_who_may_fire(enemy: Tables, seen: list[str]) -> None:
    assert firers(situation(red("T1", "tank", "0203"), enemy), "T1 0304") == seen


@pytest.mark.parametrize("role", ["passengers", "towing"])
def test_ovr_09_a_carried_unit_never_fires(role: str) -> None:
    carried = "G1"
    given: Tables = {role: [carried]} if role == "passengers" else {role: carried}
    type_ = "bazooka_team" if role == "passengers" else "at_gun"
    truck = blue("V1", "truck", "0404", "N", **given)
    position = situation(red("T1", "tank", "0203"), truck, blue(carried, type_, None))
    assert firers(position, "T1 0304") == []
    assert field(position).units[carried].carrier == "V1"


@pytest.mark.parametrize(
    ("facing", "hex_", "seen"),
    [
        ("NW", "0304", True),
        ("N", "0304", True),  # 60 degrees off: the edge of its arc
        ("SW", "0304", True),
        ("NE", "0304", False),
        ("S", "0304", False),
        ("SE", "0304", False),
    ],
)
def test_ovr_09_field_of_fire(facing: str, hex_: str, seen: bool) -> None:
    gun = blue("G1", "at_gun", "0404", facing)
    position = situation(red("T1", "tank", "0203"), gun)
    assert firers(position, f"T1 {hex_}") == (["G1"] if seen else [])


@pytest.mark.parametrize(("arc", "seen"), [(59.9, False), (60, True), (60.1, True)])
def test_ovr_09_field_of_fire_below_at_and_above_its_edge(arc: float, seen: bool) -> None:
    def narrow(charts: Tables) -> None:
        charts["types"]["at_gun"]["arc"] = arc

    gun = blue("G1", "at_gun", "0404", "N")
    position = situation(red("T1", "tank", "0203"), gun, rules=narrow)
    assert firers(position, "T1 0304") == (["G1"] if seen else [])


@pytest.mark.parametrize(("terrain", "seen"), [("clear", True), ("woods", False)])
def test_ovr_09_line_of_sight(terrain: str, seen: bool) -> None:
    position = situation(
        red("T1", "tank", "0203"),
        blue("G1", "at_gun", "0505", "NW"),
        hexes=[{"hex": "0404", "terrain": terrain}],
    )
    assert firers(position, "T1 0304") == (["G1"] if seen else [])


def test_shots_come_in_text_order_of_firer_and_weapon() -> None:
    def two_guns(charts: Tables) -> None:
        gun = charts["types"]["tank"]["weapons"][0]
        charts["types"]["tank"]["weapons"] = [gun, gun | {"name": "Gun"}, gun | {"name": "bow"}]

    units = [blue(name, "tank", "0404", "N") for name in ("G2", "G10", "a")]
    position = situation(red("T1", "tank", "0203"), *units, rules=two_guns)
    shots = windows(position, "T1 0304")[0][1]
    assert [(firer, weapon) for firer, weapon, *_ in shots] == [
        (firer, weapon) for firer in ("G10", "G2", "a") for weapon in ("Gun", "bow", "gun")
    ]


@pytest.mark.parametrize(
    ("effects", "seen"),
    [
        ({}, False),
        ({"S": {"suppressed": "ready"}}, True),
        ({"S": {"suppressed": "dug in"}}, False),
        ({"S": {"suppressed": "dug in"}, "K": {"dug in": "ready"}}, True),
        ({"S": {"check": "morale", "pass": {"suppressed": "ready"}, "fail": {}}}, True),
        ({"S": {"suppressed": "eliminated"}}, False),
    ],
)
def test_a_status_that_may_not_fire_keeps_the_shot_if_a_result_can_lift_it(
    effects: Tables, seen: bool
) -> None:
    """No chart of sense has that, but the yardstick must not lose a shot by it."""

    def odd(charts: Tables) -> None:
        charts["status"]["gun"]["dug in"] = {"loss": 0.1, "may_fire": False}
        charts["types"]["at_gun"]["ratings"] = {"morale": 7}
        charts["ap"]["effects"]["gun"] = effects

    gun = blue("G1", "at_gun", "0404", "NW", status="suppressed")
    position = situation(red("T1", "tank", "0203"), gun, rules=odd)
    assert firers(position, "T1 0304") == (["G1"] if seen else [])


def test_ovr_11_units_of_the_target_hex_have_no_ordinary_shot_in_the_last_window() -> None:
    position = situation(
        red("T1", "tank", "0304", "SE"),
        blue("B1", "bazooka_team", "0404"),
        blue("B2", "bazooka_team", "0504"),
    )
    assert windows(position, "T1 x0404-0505") == [("0505", [("B2", "bazooka", 1, SIDE)])]
    # The same hex entered without an overrun, or after one of another hex, is another window.
    assert [firer for firer, *_ in windows(position, "T1 0305-0405-0505")[2][1]] == ["B1", "B2"]


@pytest.mark.parametrize(
    ("terrain", "features", "cover", "at_cover"),
    [
        ("clear", [], 0, 0),
        ("woods", [], 1, 1),
        ("clear", ["foxholes"], 2, 0),
        ("woods", ["foxholes", "smoke"], 3, 4),
    ],
)
def test_ovr_18_cover_of_terrain_and_features(
    terrain: str, features: list[str], cover: int, at_cover: int
) -> None:
    def smoke(charts: Tables) -> None:
        charts["features"]["smoke"] = {"at_cover": 3}

    ground = [{"hex": name, "terrain": terrain, "features": features} for name in ("0404", "0505")]
    position = situation(
        red("T1", "tank", "0304", "SE"), blue("E1", "squad", "0404"), hexes=ground, rules=smoke
    )
    strike, window = script(position, parse_move(position, "T1 x0404-0505")).steps
    assert isinstance(strike, Strike)
    assert isinstance(window, Enter)
    assert strike.cover == cover
    assert window.at_cover == at_cover


def test_the_field_holds_everybody() -> None:
    def larger(charts: Tables) -> None:
        charts["types"]["tank"]["size"] = 2

    position = situation(
        red("T1", "tank", "0203", "SE", passengers=["S1"], fired=True),
        red("S1", "squad", None, None, spent=["satchel"]),
        blue("E1", "squad", "0404", status="eliminated"),
        rules=larger,
    )
    found = field(position)
    start, there = hexes(position, "0203 0404")
    types = position.rules.types
    assert found.rules is position.rules.combat
    assert found.stacking_limit == 2
    assert dict(found.units) == {
        "T1": Combatant("T1", Side.MOVER, types["tank"].combat, "ready", start, fired=True, size=2),
        "S1": Combatant(
            "S1",
            Side.MOVER,
            types["squad"].combat,
            "ready",
            start,
            spent=frozenset({"satchel"}),
            carrier="T1",
        ),
        "E1": Combatant("E1", Side.DEFENDER, types["squad"].combat, "eliminated", there),
    }
    assert field(position) is found


def test_objectives_are_held_by_mover_defender_or_nobody() -> None:
    held = [("0101", "red"), ("0201", "blue"), ("0301", None)]
    objectives = [
        {"hex": hex_, "worth": 2} | ({} if side is None else {"held_by": side})
        for hex_, side in held
    ]
    position = situation(red("T1", "tank", "0203"), scenario={"objectives": objectives})
    places = hexes(position, "0101 0201 0301")
    assert field(position).objectives == tuple(
        Objective(place, 2, side)
        for place, side in zip(places, (Side.MOVER, Side.DEFENDER, None), strict=True)
    )


def test_hexes_that_are_no_neighbours_have_no_script() -> None:
    position = situation(red("T1", "tank", "0203"))
    jump = PlannedMove("T1", hexes(position, "0304 0505"))
    with pytest.raises(ValueError, match="0304 and 0505 are no neighbours"):
        script(position, jump)
