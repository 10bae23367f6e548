"""The evaluator against the obvious one on random scripts: any places, any shots, no map."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.dice import Dice
from evaluation.rules import CombatRules
from evaluation.script import Combatant, Enter, Field, Move, Objective, Place, Shot, Strike
from evaluation.tables import Change, Check, CombatTable
from evaluation.units import Aspect, CombatType, Kind, Side, Weapon
from evaluation.value import Defence, Evaluator
from tests.evaluation.fights import (
    GUN,
    LEADER,
    PER_UNIT,
    RULES,
    SQUAD,
    TANK,
    TRUCK,
    mine,
    rocket_team,
    theirs,
)
from tests.evaluation.obvious import Obvious, Result

PLACES = "abcde"
SHAKEN = CombatTable(
    (0, 2, 4),
    (1, 2, 3, 4, 5),
    (
        ("S", "D", "D"),
        ("S", "S", "D"),
        ("-", "S", "M"),
        ("-", "-", "S"),
        ("-", "-", "-"),
    ),
)
"""An AT table that shakes crews more often than it stops AFVs."""
FAUST_LEADER = CombatType(
    "faust leader",
    Kind.LEADER,
    4.0,
    (Weapon("faust", at=((1, 6),), once=True, price=0.5),),
    leadership=-2,
    ratings={"morale": 3},
)
FLAMER = CombatType(
    "flamer",
    Kind.AFV,
    7.0,
    (Weapon("gun", apfp=1), Weapon("flame", apfp=2, once=True, price=0.75)),
    armour={Aspect.FRONT: 3, Aspect.SIDE: 2, Aspect.REAR: 0},
    ratings={"crew": 4},
)
CREWED = replace(TANK, ratings={"crew": 3})
TWO_TUBES = CombatType(
    "two tubes",
    Kind.INFANTRY,
    3.5,
    (
        Weapon("faust", at=((1, 8),), once=True, price=0.5),
        Weapon("mine", at=((2, 4),), once=True, price=0.25),
    ),
)
DEFENDERS = [GUN, GUN, rocket_team(0.5, rating=6), TWO_TUBES, SQUAD, LEADER, FAUST_LEADER, TRUCK]


def draw_rules(rng: random.Random) -> CombatRules:
    rules = rng.choice([RULES, PER_UNIT])
    effects = dict(rules.at_effects)
    if rng.random() < 0.4:
        effects["M"] = Check(
            "crew",
            rng.choice([-1, 0, 1]),
            passed=Change({"ready": "shaken"}),
            failed=Change({"ready": "stopped", "shaken": "stopped"}),
        )
    shaken = replace(rules.statuses[Kind.AFV]["shaken"], may_overrun=rng.random() < 0.4)
    statuses = {**rules.statuses, Kind.AFV: {**rules.statuses[Kind.AFV], "shaken": shaken}}
    return replace(
        rules,
        at=rng.choice([rules.at, SHAKEN]),
        at_effects=effects,
        statuses=statuses,
        carried_fate=rng.choice(["dead", "down"]),
        dice=rng.choice([Dice(1, 6), Dice(2, 3)]),
    )


def draw_units(rng: random.Random, rules: CombatRules) -> list[Combatant]:
    units: list[Combatant] = []
    nests = rng.sample(PLACES, 3)
    for i in range(rng.randint(1, 4)):
        type_ = rng.choice(DEFENDERS)
        unit = theirs(f"d{i}", type_, rng.choice(nests), fired=rng.random() < 0.15)
        if rng.random() < 0.15:
            unit = replace(unit, status=rng.choice(list(rules.statuses[type_.kind])))
        once = [weapon.name for weapon in type_.weapons if weapon.once]
        if once and rng.random() < 0.1:
            unit = replace(unit, spent=frozenset(once[:1]))
        units.append(unit)
        if type_ is TRUCK:
            units.append(theirs(f"d{i}'s", SQUAD, unit.place, carrier=unit.id))
    for name in "TUV"[: rng.choice([1, 2, 2, 3])]:
        place = rng.choice(["home", "home", "lane", rng.choice(PLACES)])
        tank = mine(name, rng.choice([CREWED, FLAMER]), place, size=rng.choice([1, 1, 2]))
        if rng.random() < 0.1:
            tank = replace(tank, status=rng.choice(["shaken", "stopped", "dead"]))
        units.append(tank)
        if rng.random() < 0.3:
            rider = rng.choice([SQUAD, FAUST_LEADER])
            units.append(mine(f"{name}'s", rider, place, carrier=name))
    if rng.random() < 0.3:
        units.append(mine("friend", SQUAD, rng.choice(PLACES)))
    return units


def draw_shots(rng: random.Random, units: list[Combatant]) -> tuple[Shot, ...]:
    return tuple(
        Shot(unit.id, weapon.name, rng.choice([1, 2, 4, 7]), rng.choice(list(Aspect)))
        for unit in units
        if unit.side is Side.DEFENDER
        for weapon in unit.type.weapons
        if weapon.at and rng.random() < 0.6
    )


def draw_move(rng: random.Random, unit: Combatant, units: list[Combatant]) -> Move:
    def enter(place: Place, final_against: Place | None = None) -> Enter:
        shots = [s for s in draw_shots(rng, units) if _place(units, s.firer) != final_against]
        cover = rng.choice([0, 0, 1, -1])
        return Enter(place, cover, tuple(shots), final_against)

    ways = [*PLACES, "home", "lane", "lane"]
    steps: list[Enter | Strike] = [enter(rng.choice(ways)) for _ in range(rng.choice([0, 0, 1, 2]))]
    if rng.random() < 0.75:
        target = rng.choice([u.place for u in units if u.side is Side.DEFENDER])
        wishes = [
            (rider.id, weapon.name)
            for rider in units
            if rider.carrier == unit.id
            for weapon in rider.type.weapons
            if weapon.weapon_class == "light" and rng.random() < 0.5
        ]
        steps.append(Strike(target, rng.choice([0, 0, 1]), tuple(wishes)))
        steps.append(enter(rng.choice(ways), target))
    return Move(unit.id, tuple(steps))


def _place(units: list[Combatant], name: str) -> Place:
    return next(unit.place for unit in units if unit.id == name)


def draw(seed: int) -> tuple[Field, list[Move]]:
    rng = random.Random(seed)
    rules = draw_rules(rng)
    units = draw_units(rng, rules)
    objectives = tuple(
        Objective(rng.choice([*PLACES, "lane"]), rng.choice([1.0, 4.0]), rng.choice([None, *Side]))
        for _ in range(rng.choice([0, 0, 1, 2]))
    )
    field = Field(rules, {u.id: u for u in units}, rng.choice([1, 2, 2, 3]), objectives)
    tanks = [u for u in units if u.side is Side.MOVER and u.type.kind is Kind.AFV]
    rng.shuffle(tanks)
    return field, [draw_move(rng, tank, units) for tank in tanks]


@settings(
    max_examples=80,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(seed=st.integers(0, 10**9), own_loss=st.sampled_from([1.0, 0.0, 0.5, 2.0]))
def test_the_obvious_evaluator_says_the_same(seed: int, own_loss: float) -> None:
    field, moves = draw(seed)
    for defence in Defence:
        compare(field, moves, own_loss, defence)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2000))
def test_the_obvious_evaluator_says_the_same_slow(seed: int) -> None:
    field, moves = draw(seed)
    for defence in Defence:
        compare(field, moves, 1.0, defence)


def compare(field: Field, moves: list[Move], own_loss: float, defence: Defence) -> None:
    want: Result = Obvious(field, moves, own_loss, defence).result()
    evaluator = Evaluator(field, own_loss, defence)
    assert evaluator.value(moves) == pytest.approx(want.value, abs=1e-9)
    found = evaluator.evaluate(moves)
    assert found.value == pytest.approx(want.value, abs=1e-9)
    assert found.outcomes.keys() == want.outcomes.keys()
    for name, chances in want.outcomes.items():
        assert dict(found.outcomes[name]) == pytest.approx(
            {status: p for status, p in chances.items() if p > 1e-13}, abs=1e-9
        )
    assert [round(payoff, 6) for payoff, _ in found.payoff] == [
        round(payoff, 6) for payoff in sorted(want.payoff)
    ]
    assert [p for _, p in found.payoff] == pytest.approx(
        [want.payoff[payoff] for payoff in sorted(want.payoff)], abs=1e-9
    )


def test_scripts_drawn_are_worth_comparing_on() -> None:
    """Among the first few hundred: moves skipped for want of room, for enemies, moves that depend;
    final shots by several; objectives that change hands."""
    depends = several = objectives = 0
    for seed in range(150):
        field, moves = draw(seed)
        found = Evaluator(field).evaluate(moves)
        depends += any(p is not None and 0.0 < p < 1.0 for p in found.made)
        objectives += bool(field.objectives)
        several += any(
            len({label[0] for label, _ in stage.shots}) > 1
            for stages in found.stages
            for stage in stages
        )
    assert depends > 15
    assert several > 5
    assert objectives > 30
