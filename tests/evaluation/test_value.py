from __future__ import annotations

from dataclasses import replace

import pytest

import evaluation.backward
from evaluation.backward import TooManyStatesError
from evaluation.script import Combatant, Move
from evaluation.units import Weapon
from evaluation.value import Defence, Evaluator
from tests.evaluation.fights import (
    SQUAD,
    TANK,
    TRUCK,
    at,
    drive,
    enter,
    field,
    mine,
    overrun,
    rocket_team,
    theirs,
)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([Move("X")], "there is no unit 'X'"),
        ([Move("G")], "G is no AFV of the moving side"),
        ([Move("V")], "V is no AFV of the moving side"),
        ([Move("E")], "E is no AFV of the moving side"),
        ([Move("C")], "C is no AFV of the moving side"),
        ([overrun("T"), drive("T", enter("field"))], "T has two moves"),
        ([Move("T"), Move("T")], "T has two moves"),
        ([overrun("T"), Move("U"), Move("X")], "there is no unit 'X'"),
    ],
)
def test_units_that_have_no_move(moves: list[Move], message: str) -> None:
    known = field(
        mine("T"),
        mine("U"),
        mine("V", TRUCK),
        mine("C", carrier="V"),
        theirs("G"),
        theirs("E", mine("T").type),
    )
    for ask in (Evaluator(known).value, Evaluator(known).evaluate):
        with pytest.raises(ValueError, match=message):
            ask(moves)


def test_a_hex_driven_through_and_overrun_in_one_move() -> None:
    """Only when an earlier overrun may have emptied it is that not certain, and then it is one or
    the other: never made. A truck that a weak attack can't harm is all one to that attack."""
    weak = replace(TANK, name="weak", weapons=(Weapon("gun", apfp=1),))
    known = field(mine("T"), mine("U", weak), theirs("V", TRUCK))
    moves = [overrun("T"), overrun("U", enter("nest"), exit_="beyond")]
    assert Evaluator(known).value(moves) == pytest.approx(2 / 3)
    assert Evaluator(known).evaluate(moves).made == (1.0, 0.0)


def test_a_unit_that_is_gone_stays_gone() -> None:
    known = field(mine("T", status="dead"), theirs("S", SQUAD))
    found = Evaluator(known).evaluate([overrun("T")])
    assert (found.value, found.made) == (0.0, (0.0,))


CROWD = [
    *(mine(name, place=f"{name}'s") for name in "TUV"),
    *(theirs(f"G{i}", place=f"nest {i}") for i in range(3)),
]


def crossfire() -> list[Move]:
    """Three AFVs, each in the sights of three guns that all have one shot."""
    shots = [at(f"G{i}") for i in range(3)]
    return [drive(name, enter(f"field {name}", *shots)) for name in "TUV"]


@pytest.mark.parametrize(("limit", "fits"), [(32, True), (31, False), (1, False)])
def test_too_many_states_are_refused(
    limit: int, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three live groups of two classes each and an AFV of four statuses: 32 joint states."""
    monkeypatch.setattr(evaluation.backward, "MOST_STATES", limit)
    evaluator = Evaluator(field(*CROWD))
    if fits:
        evaluator.value(crossfire())
    else:
        with pytest.raises(TooManyStatesError, match=f"more than {limit} joint states"):
            evaluator.value(crossfire())
        # It is a ValueError, and the evaluator is none the worse for it.
        monkeypatch.undo()
        assert evaluator.value(crossfire()) == Evaluator(field(*CROWD)).value(crossfire())


def test_one_evaluator_for_many_plans_says_the_same_as_a_fresh_one() -> None:
    known = field(
        mine("T"),
        mine("U", place="flank"),
        theirs("G"),
        theirs("B", rocket_team(0.25)),
        theirs("F", place="far"),
    )
    near = enter("approach", at("F"), at("G", distance=1), at("B", "tube", 1))
    plans = [
        [overrun("T", near)],
        [overrun("U", near, exit_="beyond"), overrun("T", near)],
        [drive("T", near)],
        [overrun("T"), overrun("U", exit_="beyond")],
        [],
    ]
    for defence in Defence:
        kept = Evaluator(known, 1.25, defence)
        for plan in [*plans, *reversed(plans)]:
            fresh = Evaluator(known, 1.25, defence)
            assert kept.value(plan) == fresh.value(plan)
            assert kept.evaluate(plan) == fresh.evaluate(plan)


@pytest.mark.parametrize("defence", list(Defence))
def test_order_of_units_is_nothing(defence: Defence) -> None:
    units: list[Combatant] = [
        mine("T"),
        mine("S", SQUAD, carrier="T"),
        theirs("G"),
        theirs("B", rocket_team(0.25)),
        theirs("F", place="far"),
        theirs("F2", place="far"),
    ]
    plan = [overrun("T", enter("approach", at("F"), at("F2"), at("B", "tube", 1)))]
    there = Evaluator(field(*units), 1.0, defence).evaluate(plan)
    back = Evaluator(field(*reversed(units)), 1.0, defence).evaluate(plan)
    assert there == back


def test_the_best_reply_is_never_dearer_to_the_defender_than_a_rule_of_thumb() -> None:
    known = field(mine("T"), theirs("G"), theirs("B", rocket_team(1.0)), theirs("F", place="far"))
    plan = [overrun("T", enter("approach", at("F"), at("B", "tube", 1)), shots=[at("F")])]
    best = Evaluator(known).value(plan)
    for defence in Defence:
        assert best <= Evaluator(known, 1.0, defence).value(plan) + 1e-12


def test_threats_are_the_shots_that_can_do_anything() -> None:
    known = field(mine("T"), theirs("G"), theirs("F", place="far"))
    evaluator = Evaluator(known)
    one = evaluator.threats("T", enter("a", at("F")))
    both = evaluator.threats("T", enter("b", at("F"), at("G", distance=1)))
    assert one < both
    assert {place for place, _ in both} == {"far", "nest"}
    assert evaluator.threats("T", enter("c", at("F", distance=9))) == frozenset()
    assert evaluator.threats("T", enter("d", at("F", distance=2))) == one  # the same band


@pytest.mark.parametrize(
    ("weapons", "column", "price"),
    [((), 1, 0.0), ((("S", "lmg"),), 2, 0.0), ((("S", "charge"),), 2, 0.5)],
)
def test_the_attack_by_its_column(
    weapons: tuple[tuple[str, str], ...], column: int, price: float
) -> None:
    known = field(mine("T"), mine("S", SQUAD, carrier="T"), theirs("G"))
    strike = overrun("T", weapons=weapons).steps[0]
    assert Evaluator(known).attack("T", strike) == (column, price)  # type: ignore[arg-type]
