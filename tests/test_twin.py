"""The slow twin itself: the published numbers, its moves, settled cases and random positions."""

from __future__ import annotations

import copy
import re
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.random_positions import (
    Position,
    positions,
    random_moves,
    random_plan,
    random_scenario,
    write_files,
)
from tests.random_rules import MORE_TYPES, TINY
from tests.twin import Facts, Play, lines, load
from tests.twin.fire import Fire
from tests.twin.moves import all_overruns, all_plain_moves
from tests.twin.notation import movement_points, parse, why_not_now, why_wrong
from tests.twin.state import read

CASES = Path(__file__).parent / "cases"


@pytest.fixture(scope="module")
def two_tanks() -> Play:
    return Play(load(CASES / "two-tanks.toml"))


def changed(**of_units: dict[str, Any]) -> Facts:
    """The two-tanks case with some keys of some units changed."""
    scenario = read(CASES / "two-tanks.toml")
    for unit in scenario["units"]:
        unit |= of_units.get(unit["id"], {})
    rules = read(CASES / "tiny-rules.toml")
    rules["types"] |= MORE_TYPES
    return Facts(scenario, rules)


# The table of cases/README.md.


@pytest.mark.parametrize(
    ("unit", "costs"),
    [
        ("T1", {("0404", "SE"): 5, ("0503", "NE"): 7}),
        (
            "T2",
            {
                ("0404", "NE"): 9,
                ("0404", "SE"): 7,
                ("0404", "S"): 6,
                ("0404", "SW"): 8,
                ("0404", "NW"): 10,
                ("0503", "N"): 8,
                ("0503", "NE"): 6,
                ("0503", "SE"): 9,
            },
        ),
    ],
)
def test_published_lines(two_tanks: Play, unit: str, costs: dict[tuple[str, str], int]) -> None:
    found = lines(two_tanks.facts)
    assert {
        (line.target, line.direction): line.movement_points for line in found if line.unit == unit
    } == costs


@pytest.mark.parametrize(
    ("plan", "value"),
    [
        ([], 0.0),
        (["T1 0304x0404-0505"], -0.1619191529),
        (["T1 0304x0404-0505 +S1:LMG"], -0.1619191529),
        (["T1 0304x0404-0505 +S1:LMG +S1:satchel"], -0.3725673011),
        (["T1 0304-0403x0503-0602"], -7.0543981481),
        (["T2 0402x0503-0603"], -3.2627314815),
        (["T2 0203-0304x0404-0505"], -4.3077096193),
        (["T1 0304x0404-0505", "T2 0402x0503-0603"], -0.2024284122),
        (["T2 0402x0503-0603", "T1 0304x0404-0505"], 0.4349922840),
    ],
)
def test_published_values(two_tanks: Play, plan: list[str], value: float) -> None:
    assert two_tanks.plan_value(plan) == pytest.approx(value, abs=1e-9)
    assert two_tanks.outcome(plan).value == pytest.approx(value, abs=1e-9)


def test_best_plan_is_the_published_one(two_tanks: Play) -> None:
    candidates = [line.move for line in lines(two_tanks.facts)] + ["T2 0402x0503-0603"]
    value, plan = two_tanks.best_plan(candidates)
    assert plan == ("T2 0402x0503-0603", "T1 0304x0404-0505")
    assert value == pytest.approx(0.4349922840, abs=1e-9)


def test_the_first_value_by_hand(two_tanks: Play) -> None:
    """Gun with its leader, then bazooka, stop T1 at 0304; else the attack gains 6.483796."""
    going_on = Fraction(21, 36) * Fraction(26, 36)
    by_hand = float(going_on) * 6.483796296296 - float(1 - going_on) * 5
    found = two_tanks.outcome(["T1 0304x0404-0505"])
    assert found.value == pytest.approx(by_hand, abs=1e-9)
    assert found.statuses["T1"]["immobilised"] == pytest.approx(float(1 - going_on), abs=1e-12)


# Moves.


@pytest.mark.parametrize(
    "text",
    [
        "T1 0304x0404-0505",
        "T1 x0304-0404",
        "T1 0304-0305",
        "T1 0304-0305/NE",
        "T1 stay",
        "T1 0304x0404-0505 +S1:LMG +S1:satchel",
    ],
)
def test_printed_moves_are_read_back(text: str) -> None:
    assert parse(text).text == text


@pytest.mark.parametrize(
    "text", ["T1", "T1 x0304", "T1 0304x0404x0505-0606", "T1 0304/", "T1 - +S1:"]
)
def test_no_notation(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("T1 0304x0404-0505", []),
        ("T1 0304x0404-0505 +S1:LMG", []),
        ("T9 0304", ["no such unit"]),
        ("S1 0304", ["not an AFV"]),
        ("G1 0405", ["not an AFV"]),
        ("T1 0303-0305", ["not neighbours: 0303 0305"]),
        ("T1 0304x0404-0405", ["not in one line"]),
        ("T1 0103-0003", ["off the map: 0003"]),
        ("T1 0202-0203-0204-0205-0206", ["too few movement points"]),
        ("T1 0304x0404-0505 +S1:rifles", ["weapon not usable: S1:rifles"]),
        ("T2 0403-0504-0604", ["barred by terrain: 0604"]),
    ],
)
def test_wrong_moves(two_tanks: Play, text: str, faults: list[str]) -> None:
    assert why_wrong(two_tanks.facts, parse(text)) == faults


@pytest.mark.parametrize(
    ("units", "text", "reasons"),
    [
        ({}, "T1 0304x0404-0505", []),
        ({"B1": {"status": "eliminated"}}, "T2 0402x0503-0603", ["no target in 0503"]),
        ({"B1": {"hex": "0505"}}, "T1 0304x0404-0505", ["enemy in 0505"]),
        ({"B1": {"hex": "0304"}}, "T1 0304x0404-0505", ["enemy in 0304"]),
        (
            {"T1": {"status": "immobilised"}},
            "T1 0304x0404-0505",
            ["may not move", "may not overrun"],
        ),
        ({"L1": {"type": "light_tank", "facing": "N"}}, "T1 0304x0404-0505", ["no target in 0404"]),
    ],
)
def test_skipped_moves(units: dict[str, Any], text: str, reasons: list[str]) -> None:
    facts = changed(**units)
    assert why_wrong(facts, parse(text)) == []
    assert why_not_now(facts, facts.start, parse(text)) == reasons


@pytest.mark.parametrize(("limit", "reasons"), [(1, ["no room in 0303"]), (2, [])])
def test_stacking_at_and_over_the_limit(limit: int, reasons: list[str]) -> None:
    rules = copy.deepcopy(TINY)
    rules["stacking"]["limit"] = limit
    facts = Facts(read(CASES / "two-tanks.toml"), rules)
    assert why_not_now(facts, facts.start, parse("T1 0303")) == reasons


# Values.


def test_marked_gun_fires_only_at_the_rear_with_its_marked_leader() -> None:
    """OVR-11, OVR-12: both marked, the gun has its final shot and the leader still helps."""
    facts = changed(G1={"fired": True}, L1={"fired": True}, B1={"status": "eliminated"})
    found = Play(facts).outcome(["T2 0304x0404-0505"])
    # Strength 4, cover 2: the hex comes off unhurt on 8 or more. Then rating 7 less rear armour 1
    # uses column 6: D below 8, M above, and the leader takes 1 off the roll.
    at_least = {low: sum(p for roll, p in facts.dice.items() if roll >= low) for low in (8, 9)}
    destroyed = float(at_least[8] * (1 - at_least[9]))
    stopped = float(at_least[8] * at_least[9])
    assert found.statuses["G1"]["ready"] == pytest.approx(float(at_least[8]), abs=1e-12)
    assert found.statuses["T2"]["destroyed"] == pytest.approx(destroyed, abs=1e-12)
    assert found.statuses["T2"]["immobilised"] == pytest.approx(stopped, abs=1e-12)


SATCHEL = ("S1", "satchel")


@pytest.mark.parametrize(
    ("units", "weapons", "strength", "used"),
    [
        ({}, "", 8, set()),  # twice 2 + 1, and the rifles' 2
        ({}, " +S1:LMG", 10, set()),
        ({}, " +S1:LMG +S1:satchel", 13, {SATCHEL}),
        ({"S1": {"status": "suppressed"}}, "", 6, set()),
        ({"S1": {"fired": True}}, "", 8, set()),  # a marker is no bar
        ({"T1": {"status": "shaken"}}, "", 8, set()),  # nor is the AFV's own status
        ({"T1": {"passengers": []}, "S1": {"hex": "0101"}}, "", 6, set()),
        ({"S1": {"type": "engineers"}}, "", 9, {("S1", "charge")}),  # class-less: always counts
        ({"S1": {"type": "engineers", "spent": ["charge"]}}, "", 7, set()),
        (
            {"S1": {"type": "engineers"}},
            " +S1:grenades +S1:satchel",
            13,
            {("S1", "charge"), SATCHEL},
        ),
        ({"S1": {"type": "lieutenant"}}, "", 6, set()),  # a faust without APFP adds nothing
        ({"T1": {"type": "flame_tank"}}, "", 10, {("T1", "flame")}),
        ({"T1": {"type": "flame_tank", "spent": ["flame"]}}, "", 4, set()),
    ],
)
def test_ovr_16_17_strength_and_weapons_used(
    units: dict[str, Any], weapons: str, strength: int, used: set[tuple[str, str]]
) -> None:
    facts = changed(**units)
    move = parse("T1 0304x0404-0505" + weapons)
    assert why_wrong(facts, move) == []
    assert Fire(facts).attack_strength(facts.start, move) == (Fraction(strength), frozenset(used))


@pytest.mark.parametrize(
    ("flags", "ends"),
    [
        ({}, {"0505"}),
        ({"may_overrun": False}, {"0304", "0505"}),  # on to the hex before the target, no further
        ({"may_move": False}, {"0203", "0304", "0505"}),  # stops where it was hit
        ({"may_move": False, "may_overrun": True}, {"0203", "0304", "0505"}),
    ],
)
def test_where_a_shaken_afv_ends_its_move(flags: dict[str, bool], ends: set[str]) -> None:
    scenario, rules = read(CASES / "two-tanks.toml"), copy.deepcopy(TINY)
    rules["status"]["afv"]["shaken"] |= flags
    rules["at"]["effects"]["afv"] = {result: {"ready": "shaken"} for result in "MD"}
    play = Play(Facts(scenario, rules))
    found = play.final_states(play.plan(["T2 0203-0304x0404-0505"]), play.fire_at_once)
    assert {play.facts.place(state, "T2") for state in found} == ends


@pytest.mark.parametrize(
    ("fate", "status", "end"),
    [
        ("eliminated", "ready", "eliminated"),
        ("suppressed", "ready", "suppressed"),
        ("suppressed", "eliminated", "eliminated"),  # already removed: stays so
        ("destroyed", "ready", "ready"),  # no status of infantry
    ],
)
def test_passengers_share_their_carriers_fate(fate: str, status: str, end: str) -> None:
    facts = changed(S1={"status": status})
    facts.rules["passengers"]["on_destroyed"] = fate
    assert facts.status(facts.with_status(facts.start, "T1", "destroyed"), "S1") == end
    assert facts.status(facts.with_status(facts.start, "T1", "immobilised"), "S1") == status


@pytest.mark.parametrize(
    ("held_by", "red", "blue", "payoff"),
    [
        ("red", "0606", "0505", -4),
        ("red", "0505", "0606", 0),
        ("red", "0606", "0606", 0),
        ("blue", "0505", "0606", 4),
        ("blue", "0606", "0606", 0),
        ("blue", "0505", "0505", 0),
        (None, "0505", "0606", 4),
        (None, "0606", "0505", 0),
        (None, "0505", "0505", 0),
        (None, "0606", "0606", 0),
    ],
)
def test_objective_in_0505(held_by: str | None, red: str, blue: str, payoff: int) -> None:
    scenario = read(CASES / "two-tanks.toml")
    held = {} if held_by is None else {"held_by": held_by}
    scenario["objectives"] = [{"hex": "0505", "worth": 4} | held]
    for unit in scenario["units"]:
        unit |= {"T2": {"hex": red}, "B1": {"hex": blue}}.get(unit["id"], {})
    facts = Facts(scenario, TINY)
    assert facts.payoff(facts.start) == payoff


def test_own_losses_weigh_what_the_player_says() -> None:
    facts = load(CASES / "two-tanks.toml", own_loss_weight=1.5)
    lost = facts.with_status(facts.start, "T1", "destroyed")
    assert facts.payoff(lost) == -1.5 * (10 + 3)
    assert facts.payoff(lost._replace(spent=frozenset({("S1", "satchel")}))) == -1.5 * 13.5
    assert facts.payoff(facts.with_status(facts.start, "G1", "suppressed")) == 3


@pytest.mark.parametrize("seed", range(12))
def test_no_reply_beats_the_best_one(seed: int) -> None:
    facts = Facts(*random_scenario(seed, min_lines=1))
    play, plan = Play(facts), random_plan(seed, facts)
    best = play.plan_value(plan)
    assert play.outcome(plan, "best").value == pytest.approx(best, abs=1e-9)
    for defender in ("fire-at-once", "hold"):
        assert play.outcome(plan, defender).value >= best - 1e-9
    for chances in play.outcome(plan).statuses.values():
        assert sum(chances.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_shots_without_effect_never_matter(seed: int) -> None:
    facts = Facts(*random_scenario(seed, enemies=4, min_lines=1))
    plan = random_plan(seed, facts)
    every_shot = Play(facts, futile_shots=True).plan_value(plan)
    assert Play(facts).plan_value(plan) == pytest.approx(every_shot, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_position_is_worth_no_less_than_its_best_plan(seed: int) -> None:
    scenario, rules = random_scenario(seed, afvs=2, enemies=3, columns=5, rows=5, min_lines=1)
    for unit in scenario["units"]:
        if rules["types"][unit["type"]]["kind"] == "afv" and unit["side"] == "red":
            unit["movement_used"] = max(0, rules["types"][unit["type"]]["movement"] - 6)
    play = Play(Facts(scenario, rules))
    candidates = [m for moves in random_moves(seed, play.facts, 4).values() for m in moves]
    best, _ = play.best_plan(candidates)
    value = play.position_value()
    assert value >= best - 1e-9
    assert play.next_moves()[0][0] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_enumerated_moves_are_legal_and_cost_what_they_cost(seed: int) -> None:
    facts = Facts(*random_scenario(seed))
    for unit in facts.units:
        for enumerate_moves in (all_overruns, all_plain_moves):
            for move, cost in islice(enumerate_moves(facts, facts.start, unit), 200):
                assert why_wrong(facts, move) == []
                assert why_not_now(facts, facts.start, move) == []
                assert movement_points(facts, move) == cost
                assert parse(move.text) == move


# The random positions.


@pytest.mark.parametrize("seed", range(10))
def test_files_hold_the_position(seed: int, tmp_path: Path) -> None:
    scenario, rules = random_scenario(seed, min_lines=1)
    assert (scenario, rules) == random_scenario(seed, min_lines=1)
    from_file = load(write_files(scenario, rules, tmp_path))
    from_dictionary = Facts(scenario, rules)
    assert from_file.units == from_dictionary.units
    assert lines(from_file) == lines(from_dictionary) != set()


@pytest.mark.parametrize("seed", range(10))
def test_order_of_units_in_the_file_is_nothing(seed: int) -> None:
    scenario, rules = random_scenario(seed, min_lines=1)
    facts = Facts(scenario, rules)
    plan = random_plan(seed, facts)
    turned = Facts(scenario | {"units": scenario["units"][::-1]}, rules)
    assert lines(turned) == lines(facts)
    assert Play(turned).outcome(plan) == Play(facts).outcome(plan)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(positions(afvs=2, stacking=1, plain_rules=True))
def test_knobs_of_the_random_positions(position: Position) -> None:
    scenario, rules = position
    assert rules["stacking"]["limit"] == 1
    assert rules["at"] == TINY["at"]
    hexes = [unit["hex"] for unit in scenario["units"] if "hex" in unit]
    assert len(hexes) == len(set(hexes))
    afvs = [u for u in scenario["units"] if u["side"] == "red" and u["id"].startswith("T")]
    assert len(afvs) == 2


def test_the_twin_stands_alone() -> None:
    for module in (Path(__file__).parent / "twin").glob("*.py"):
        text = module.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import) (planner|evaluation)", text, re.MULTILINE)


def test_random_positions_are_worth_testing_on() -> None:
    """Most have a line; many have a plan that draws fire; every rule of the generator turns up."""
    drawn = [random_scenario(seed) for seed in range(80)]
    with_lines = sum(bool(lines(Facts(*position))) for position in drawn)
    assert with_lines >= 40
    units = [unit for scenario, _ in drawn for unit in scenario["units"]]
    for key in ("fired", "moved", "movement_used", "spent", "status", "passengers", "towing"):
        assert any(key in unit for unit in units), key
    for orientation in ("flat", "pointy"):
        for offset in ("odd", "even"):
            assert any(
                (s["map"]["orientation"], s["map"]["offset"]) == (orientation, offset)
                for s, _ in drawn
            )
    assert any(s.get("objectives") for s, _ in drawn)
    assert any("hexes" in s["map"] and s["map"]["edges"] and s["map"]["paths"] for s, _ in drawn)
