"""Dice thrown one at a time make of units what the charts' distributions say, throw by throw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from evaluation.resolve import attack_outcomes, shot_outcomes
from evaluation.rolled import Rolled, attack_rolled, shot_rolled
from evaluation.rules import CombatRules
from evaluation.tables import Change, Check
from evaluation.units import CombatType, Kind
from tests.evaluation.fights import GUN, LEADER, PER_UNIT, RULES, SQUAD, TANK, TRUCK
from tests.every_throw import frequencies

NERVOUS = replace(TANK, ratings={"nerve": 3})
CHECKED = replace(
    RULES,
    at_effects={
        **RULES.at_effects,
        "M": Check(
            "nerve",
            0,
            passed=Change({"ready": "shaken"}),
            failed=Check(
                "nerve", -1, passed=Change({"ready": "stopped"}), failed=Change({"ready": "dead"})
            ),
        ),
    },
)
"""Whoever fails a check makes another."""


@pytest.mark.parametrize(
    ("total", "rolled"),
    [
        (1, Rolled("D", "dead")),
        (2, Rolled("M", "stopped")),
        (3, Rolled("M", "stopped")),
        (4, Rolled("-", "ready")),
    ],
)
def test_a_shot_of_strength_2(total: int, rolled: Rolled) -> None:
    assert shot_rolled(RULES, TANK, "ready", 2, 0, lambda check, needed: total) == rolled


def test_below_the_first_column_nothing_is_thrown() -> None:
    assert shot_rolled(RULES, TANK, "ready", -1, 0, never) == Rolled("-", "ready")
    assert attack_rolled(RULES, 0, 0, [(SQUAD, "ready")], [never]) == (Rolled("-", "ready"),)


def never(check: int, needed: int | None) -> int:
    raise AssertionError("thrown")


def test_a_check_that_can_change_nothing_is_not_thrown_for() -> None:
    asked: list[int] = []

    def throw(check: int, needed: int | None) -> int:
        asked.append(check)
        return 3

    # Strength 4, roll 3: suppressed if the check fails, but down is down already.
    assert attack_rolled(RULES, 4, 0, [(LEADER, "down")], [throw]) == (Rolled("S", "down"),)
    assert asked == [0]


def test_each_check_is_asked_for_by_number_with_what_it_is_passed_at() -> None:
    asked: list[tuple[int, int | None]] = []

    def throw(check: int, needed: int | None) -> int:
        asked.append((check, needed))
        return {0: 2, 1: 4, 2: 2}[check]

    assert shot_rolled(CHECKED, NERVOUS, "ready", 2, 0, throw) == Rolled("M", "stopped")
    assert asked == [(0, None), (1, 3), (2, 2)]


@pytest.mark.parametrize("rules", [RULES, CHECKED])
@pytest.mark.parametrize("status", ["ready", "shaken", "stopped"])
@pytest.mark.parametrize(
    ("strength", "modifier"), [(-1, 0), (0, 0), (2, 0), (2, -1), (4, 1), (9, 4)]
)
def test_shots_as_often_as_the_distribution_says(
    rules: CombatRules, status: str, strength: int, modifier: int
) -> None:
    def shot(throw: Callable[[], int]) -> str:
        return shot_rolled(
            rules, NERVOUS, status, strength, modifier, lambda check, needed: throw()
        ).status

    want = dict(shot_outcomes(rules, NERVOUS, status, strength, modifier))
    assert frequencies(rules.dice, shot) == pytest.approx(want, abs=1e-12)


STRUCK: list[list[tuple[CombatType, str]]] = [
    [(SQUAD, "ready")],
    [(GUN, "ready"), (LEADER, "ready")],
    [(LEADER, "ready"), (LEADER, "down"), (TRUCK, "ready")],
]


@pytest.mark.parametrize("rules", [RULES, PER_UNIT])
@pytest.mark.parametrize("struck", STRUCK)
@pytest.mark.parametrize(("strength", "cover"), [(0, 0), (1, 0), (4, 0), (6, 2), (8, -3)])
def test_attacks_as_often_as_the_distribution_says(
    rules: CombatRules, struck: list[tuple[CombatType, str]], strength: int, cover: int
) -> None:
    def attack(throw: Callable[[], int]) -> tuple[str, ...]:
        throws = [lambda check, needed: throw()] * len(struck)
        return tuple(each.status for each in attack_rolled(rules, strength, cover, struck, throws))

    want = dict(attack_outcomes(rules, strength, cover, struck))
    assert frequencies(rules.dice, attack) == pytest.approx(want, abs=1e-12)


def test_one_roll_for_the_hex_or_one_each() -> None:
    struck = [(SQUAD, "ready"), (GUN, "ready")]
    first: list[int] = []
    second: list[int] = []

    def thrown(into: list[int]) -> Callable[[int, int | None], int]:
        def throw(check: int, needed: int | None) -> int:
            into.append(check)
            return 1

        return throw

    attack_rolled(RULES, 4, 0, struck, [thrown(first), thrown(second)])
    assert (first, second) == ([0], [])
    attack_rolled(PER_UNIT, 4, 0, struck, [thrown(first), thrown(second)])
    assert (first, second) == ([0, 0], [0])


def test_kinds_are_struck_each_in_their_own_way() -> None:
    rolled = attack_rolled(
        RULES, 4, 0, [(SQUAD, "ready"), (TRUCK, "ready")], [lambda check, needed: 4] * 2
    )
    assert [each.status for each in rolled] == ["down", "ready"]
    assert {SQUAD.kind, TRUCK.kind} == {Kind.INFANTRY, Kind.VEHICLE}
