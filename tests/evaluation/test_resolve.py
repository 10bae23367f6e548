from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evaluation.dice import Dice
from evaluation.resolve import (
    attack_outcomes,
    attack_spends,
    attack_strength,
    shot_outcomes,
    shot_strength,
)
from evaluation.tables import Change, Check
from evaluation.units import Aspect, CombatType, Kind, Weapon
from tests.evaluation.fights import (
    GUN,
    LEADER,
    PER_UNIT,
    RULES,
    SQUAD,
    TANK,
    TRUCK,
    rocket_team,
)


@pytest.mark.parametrize(
    ("distance", "aspect", "strength"),
    [
        (1, Aspect.FRONT, 2),
        (2, Aspect.FRONT, 2),
        (3, Aspect.FRONT, 2),  # the last hex of the first band
        (4, Aspect.FRONT, 0),
        (6, Aspect.FRONT, 0),
        (7, Aspect.FRONT, None),
        (3, Aspect.SIDE, 4),
        (3, Aspect.REAR, 4),
        (4, Aspect.SIDE, 2),
    ],
)
def test_shot_strength_is_the_rating_at_the_range_less_the_armour(
    distance: int, aspect: Aspect, strength: int | None
) -> None:
    assert shot_strength(GUN.weapon("gun"), distance, TANK, aspect) == strength


def test_only_what_has_armour_is_shot_at() -> None:
    with pytest.raises(ValueError, match="truck has no armour"):
        shot_strength(GUN.weapon("gun"), 1, TRUCK, Aspect.FRONT)


@pytest.mark.parametrize(
    ("status", "strength", "modifier", "sixths"),
    [
        ("ready", -1, 0, {"ready": 6}),  # below the first column
        ("ready", 0, 0, {"stopped": 2, "ready": 4}),
        ("ready", 1, 0, {"stopped": 2, "ready": 4}),
        ("ready", 2, 0, {"dead": 1, "stopped": 2, "ready": 3}),
        ("ready", 3, 0, {"dead": 1, "stopped": 2, "ready": 3}),
        ("ready", 4, 0, {"dead": 3, "stopped": 1, "ready": 2}),
        ("ready", 4, 1, {"dead": 2, "stopped": 1, "ready": 3}),  # cover for the AFV
        ("ready", 4, -1, {"dead": 4, "stopped": 1, "ready": 1}),  # a leader helps
        ("ready", 4, 5, {"ready": 6}),
        ("stopped", 4, 0, {"dead": 3, "stopped": 3}),
        ("shaken", 2, 0, {"dead": 1, "stopped": 2, "shaken": 3}),
    ],
)
def test_shot_outcomes(status: str, strength: int, modifier: int, sixths: dict[str, int]) -> None:
    found = shot_outcomes(RULES, TANK, status, strength, modifier)
    assert [name for name, _ in found] == sorted(sixths)
    assert dict(found) == pytest.approx({name: n / 6 for name, n in sixths.items()})


def test_a_crew_checks_with_its_own_rating() -> None:
    check = Check("crew", 0, passed=Change({"ready": "shaken"}), failed=Change({"ready": "dead"}))
    rules = replace(RULES, at_effects={"M": check})
    crew = replace(TANK, ratings={"crew": 4})
    assert dict(shot_outcomes(rules, crew, "ready", 0, 0)) == pytest.approx(
        {"ready": 2 / 3, "shaken": 1 / 3 * 4 / 6, "dead": 1 / 3 * 2 / 6}
    )


Rider = tuple[CombatType, tuple[str, ...], bool]


def rider(type_: CombatType = SQUAD, *spent: str, may_fire: bool = True) -> Rider:
    return type_, spent, may_fire


FLAMER = CombatType(
    "flamer", Kind.AFV, 10.0, (Weapon("gun", apfp=2), Weapon("flame", apfp=3, once=True))
)


@pytest.mark.parametrize(
    ("afv", "afv_spent", "passengers", "chosen", "strength"),
    [
        (TANK, (), [], [], 6),  # twice 2 and 1
        (FLAMER, (), [], [], 10),
        (FLAMER, ("flame",), [], [], 4),
        (TANK, (), [rider()], [], 7),  # rifles undoubled
        (TANK, (), [rider()], [(0, "lmg")], 9),
        (TANK, (), [rider()], [(0, "charge")], 10),
        (TANK, (), [rider()], [(0, "lmg"), (0, "charge")], 12),
        (TANK, (), [rider(SQUAD, "charge")], [(0, "charge")], 7),  # spent already
        (TANK, (), [rider(may_fire=False)], [(0, "lmg")], 6),
        (TANK, (), [rider(), rider()], [(1, "lmg")], 10),
        (TANK, (), [rider(may_fire=False), rider()], [(0, "lmg"), (1, "charge")], 10),
        (TANK, (), [rider(rocket_team())], [], 6),
    ],
)
def test_ovr_16_17_attack_strength(
    afv: CombatType,
    afv_spent: tuple[str, ...],
    passengers: list[Rider],
    chosen: list[tuple[int, str]],
    strength: int,
) -> None:
    assert attack_strength(RULES, afv, afv_spent, passengers, chosen) == strength


def test_ovr_16_the_factor_stands_in_the_rules() -> None:
    assert attack_strength(replace(RULES, afv_multiplier=3), TANK, (), [rider()], []) == 10


@pytest.mark.parametrize(
    ("strength", "cover", "sixths"),
    [
        (0, 0, {"ready": 6}),
        (3, 0, {"down": 2, "ready": 4}),
        (4, 0, {"dead": 2, "down": 2, "ready": 2}),
        (4, 1, {"dead": 1, "down": 2, "ready": 3}),
        (4, -1, {"dead": 3, "down": 2, "ready": 1}),
        (7, 0, {"dead": 2, "down": 2, "ready": 2}),
        (8, 0, {"dead": 4, "down": 2}),
    ],
)
def test_ovr_18_an_attack_on_one_unit(strength: int, cover: int, sixths: dict[str, int]) -> None:
    found = attack_outcomes(RULES, strength, cover, [(GUN, "ready")])
    assert [names for names, _ in found] == [(name,) for name in sorted(sixths)]
    assert dict(found) == pytest.approx({(name,): n / 6 for name, n in sixths.items()})


JOINT: dict[str, tuple[Any, list[tuple[CombatType, str]], dict[tuple[str, ...], int]]] = {
    # outcomes in 36ths
    "one roll for the hex": (
        RULES,
        [(GUN, "ready"), (SQUAD, "ready")],
        {("dead", "dead"): 12, ("down", "down"): 12, ("ready", "ready"): 12},
    ),
    "one roll for each unit": (
        PER_UNIT,
        [(GUN, "ready"), (SQUAD, "ready")],
        {(a, b): 4 for a in ("dead", "down", "ready") for b in ("dead", "down", "ready")},
    ),
    "kinds that a result does not name stay": (
        RULES,
        [(TRUCK, "ready"), (SQUAD, "down")],
        {("dead", "dead"): 12, ("ready", "down"): 24},
    ),
    "nobody": (RULES, [], {(): 36}),
}


@pytest.mark.parametrize("case", JOINT)
def test_ovr_02_all_are_struck_together(case: str) -> None:
    rules, struck, thirtysixths = JOINT[case]
    found = attack_outcomes(rules, 6, 0, struck)
    assert [names for names, _ in found] == sorted(thirtysixths)
    assert dict(found) == pytest.approx({names: n / 36 for names, n in thirtysixths.items()})


def test_ovr_02_one_roll_but_a_morale_check_each() -> None:
    found = dict(attack_outcomes(RULES, 6, 0, [(LEADER, "ready"), (LEADER, "ready")]))
    passed = 4 / 6
    assert found == pytest.approx(
        {
            ("dead", "dead"): 1 / 3,
            ("ready", "ready"): 1 / 3 + passed**2 / 3,
            ("ready", "down"): passed * (1 - passed) / 3,
            ("down", "ready"): passed * (1 - passed) / 3,
            ("down", "down"): (1 - passed) ** 2 / 3,
        }
    )


def test_probabilities_of_large_dice_add_up() -> None:
    rules = replace(RULES, dice=Dice(3, 10))
    for strength in range(10):
        for cover in range(-8, 9):
            found = attack_outcomes(rules, strength, cover, [(LEADER, "ready"), (GUN, "down")])
            assert sum(p for _, p in found) == pytest.approx(1.0, abs=1e-12)


ONCE = Weapon("flame", apfp=2, once=True, price=1.0)
AT_ONCE = Weapon("tube", at=((2, 4),), once=True, price=0.5)
CHARGE = SQUAD.weapon("charge")


@pytest.mark.parametrize(
    ("afv", "afv_spent", "squad", "chosen", "uses"),
    [
        ((), (), (SQUAD, (), True), [], []),
        ((), (), (SQUAD, (), True), [(0, "lmg")], []),
        ((), (), (SQUAD, (), True), [(0, "charge")], [(0, CHARGE)]),
        ((), (), (SQUAD, ("charge",), True), [(0, "charge")], []),  # spent already
        ((), (), (SQUAD, (), False), [(0, "charge")], []),  # suppressed
        ((ONCE,), (), (SQUAD, (), True), [(0, "charge")], [(None, ONCE), (0, CHARGE)]),
        ((ONCE,), ("flame",), (SQUAD, (), True), [], []),
        ((AT_ONCE,), (), (rocket_team(), (), True), [], []),  # what adds nothing is not used
    ],
)
def test_what_an_attack_uses_up(
    afv: tuple[Weapon, ...],
    afv_spent: tuple[str, ...],
    squad: tuple[CombatType, tuple[str, ...], bool],
    chosen: list[tuple[int, str]],
    uses: list[tuple[int | None, Weapon]],
) -> None:
    tank = replace(TANK, weapons=(*TANK.weapons, *afv))
    assert list(attack_spends(tank, afv_spent, [squad], chosen)) == uses
