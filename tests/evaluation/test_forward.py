"""What happens under the replies: statuses, moves made, payoffs and stages, worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from evaluation.script import Field, Move, Objective
from evaluation.units import Aspect, Kind
from evaluation.value import Defence, Evaluation, Evaluator
from tests.evaluation.fights import (
    LEADER,
    RULES,
    SHAKY,
    SQUAD,
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

FAR = theirs("F", place="far")
STRONG = at("F", aspect=Aspect.SIDE)
WEAK = at("F", distance=6)


def told(known: Field, *moves: Move, defence: Defence = Defence.BEST) -> Evaluation:
    found = Evaluator(known, 1.0, defence).evaluate(moves)
    mean = sum(payoff * p for payoff, p in found.payoff)
    assert mean == pytest.approx(found.value, abs=1e-8)  # both passes tell the same story
    for spread in found.outcomes.values():
        assert sum(spread.values()) == pytest.approx(1.0, abs=1e-12)
    return found


def chances(found: Mapping[str, float]) -> dict[str, Fraction]:
    """As fractions of at most four dice."""
    return {name: Fraction(p).limit_denominator(1296) for name, p in found.items()}


def thirds(**numbers: int) -> dict[str, Fraction]:
    return {name: Fraction(number, 3) for name, number in numbers.items()}


def sixths(**numbers: int) -> dict[str, Fraction]:
    return {name: Fraction(number, 6) for name, number in numbers.items()}


def test_nobody_changes_without_a_move() -> None:
    known = field(mine("T", status="shaken"), theirs("G"), theirs("D", status="dead"))
    found = told(known, Move("T"))
    assert found.outcomes == {"T": {"shaken": 1.0}, "G": {"ready": 1.0}, "D": {"dead": 1.0}}
    assert found.payoff == ((0.0, 1.0),)
    assert (found.made, found.stages) == ((1.0,), ((),))


def test_one_overrun_stage_by_stage() -> None:
    known = field(mine("T"), theirs("G"), theirs("L", LEADER, fired=True))
    found = told(known, overrun("T", enter("approach")))
    approach, attack, last = found.stages[0]
    assert (approach.place, approach.reached, approach.shots) == ("approach", 1.0, ())
    assert (attack.place, attack.reached) == ("nest", 1.0)
    assert chances(attack.struck["G"]) == thirds(dead=1, down=1, ready=1)
    # An S of one in three suppresses him if he fails his check, two in six.
    assert chances(attack.struck["L"]) == {
        "dead": Fraction(1, 3),
        "down": Fraction(1, 9),
        "ready": Fraction(5, 9),
    }
    # When the gun is ready the leader is too, under one roll: he always helps.
    assert [label for label, _ in last.shots] == [("G", "gun", "L")]
    assert last.shots[0][1] == pytest.approx(1 / 3)
    assert chances(last.afv) == {
        "dead": Fraction(4, 18),
        "stopped": Fraction(1, 18),
        "ready": Fraction(13, 18),
    }
    assert chances(found.outcomes["T"]) == chances(last.afv)
    assert chances(found.outcomes["G"]) == thirds(dead=1, down=1, ready=1)
    expected = {  # gun dead with the leader; down, and he or not; a miss, a stop, a loss
        14.0: Fraction(6, 18),
        3.5: Fraction(2, 18),
        3.0: Fraction(4, 18),
        0.0: Fraction(1, 18),
        -5.0: Fraction(1, 18),
        -10.0: Fraction(4, 18),
    }
    assert [payoff for payoff, _ in found.payoff] == sorted(expected)
    assert {payoff: Fraction(p).limit_denominator(1296) for payoff, p in found.payoff} == expected


def test_hold_comes_before_fire_when_both_are_as_good() -> None:
    """A second shot at a stopped AFV that can do it no more harm costs nothing, and is not made;
    nor is a shot whose price is all it is worth."""
    known = field(mine("T"), theirs("B", rocket_team(5 / 3), "wood"))
    (stage,) = told(known, drive("T", enter("field", at("B", "tube", 2)))).stages[0]
    assert stage.shots == ()


@pytest.mark.parametrize("names", [("A", "B"), ("B", "A")])
def test_of_equally_good_shots_the_first_in_text_order_is_made(names: tuple[str, str]) -> None:
    """Two leaders at one gun, of two that may help one does; and two guns, of which one fires
    first."""
    leaders = [theirs(name, LEADER, "far") for name in names]
    (stage,) = told(field(mine("T"), FAR, *leaders), drive("T", enter("field", WEAK))).stages[0]
    assert [label for label, _ in stage.shots] == [("F", "gun", "A")]
    guns = [theirs(name, place="far") for name in names]
    shots = [at(name) for name in names]
    (stage,) = told(field(mine("T"), *guns), drive("T", enter("field", *shots))).stages[0]
    assert [label for label, _ in stage.shots] == [("A", "gun", ""), ("B", "gun", "")]
    # The other one fires unless the tank is destroyed.
    assert [p for _, p in stage.shots] == pytest.approx([1.0, 5 / 6])


@pytest.mark.parametrize(
    ("defence", "lane", "open_field", "end"),
    [
        (Defence.BEST, [], [1.0], sixths(dead=3, stopped=1, ready=2)),
        (Defence.FIRE_AT_ONCE, [1.0], [], sixths(stopped=2, ready=4)),
        (Defence.HOLD, [], [], sixths(ready=6)),
    ],
)
def test_when_the_shot_is_made(
    defence: Defence, lane: list[float], open_field: list[float], end: dict[str, Fraction]
) -> None:
    move = drive("T", enter("lane", WEAK), enter("field", STRONG))
    found = told(field(mine("T"), FAR), move, defence=defence)
    assert [[p for _, p in stage.shots] for stage in found.stages[0]] == [lane, open_field]
    assert chances(found.outcomes["T"]) == end


def test_no_shot_is_made_at_a_wreck() -> None:
    known = field(mine("T"), FAR, theirs("B", rocket_team(0.0), "wood"))
    shots = (STRONG, at("B", "tube", 2, Aspect.SIDE))
    found = told(known, drive("T", enter("field", *shots)))
    (stage,) = found.stages[0]
    assert dict(stage.shots)["F", "gun", ""] == pytest.approx(5 / 6)  # the weaker one is first
    assert dict(stage.shots)["B", "tube", ""] == 1.0


def test_a_stopped_afv_goes_no_further() -> None:
    known = field(mine("T"), FAR, theirs("H", place="ridge"), theirs("S", SQUAD))
    move = overrun("T", enter("approach", STRONG), shots=[at("H", aspect=Aspect.REAR)])
    found = told(known, move, defence=Defence.FIRE_AT_ONCE)
    assert [stage.reached for stage in found.stages[0]] == pytest.approx([1, 1 / 3, 1 / 3])
    approach, attack, last = found.stages[0]
    assert chances(approach.afv) == sixths(dead=3, stopped=1, ready=2)
    assert chances(attack.afv) == {"ready": 1}
    assert chances(attack.struck["S"]) == thirds(dead=1, down=1, ready=1)  # given it comes so far
    assert chances(last.afv) == sixths(dead=3, stopped=1, ready=2)
    assert chances(found.outcomes["S"]) == {
        "dead": Fraction(1, 9),
        "down": Fraction(1, 9),
        "ready": Fraction(7, 9),
    }


def test_one_that_may_not_overrun_stops_before_the_target_and_nowhere_else() -> None:
    """Shaken in the lane it drives on to the approach hex; shaken in the exit it was there."""
    known = field(
        mine("T"),
        FAR,
        theirs("H", place="ridge"),
        theirs("S", SQUAD),
        rules=SHAKY,
        objectives=[Objective("approach", 1.0), Objective("lane", 64.0), Objective("exit", 8.0)],
    )
    move = overrun("T", enter("lane", WEAK), enter("approach"), shots=[at("H")])
    found = told(known, move, defence=Defence.FIRE_AT_ONCE)
    assert [stage.reached for stage in found.stages[0]] == pytest.approx([1, 1, 1 / 3, 1 / 3])
    assert chances(found.outcomes["T"]) == {"shaken": Fraction(8, 9), "ready": Fraction(1, 9)}
    # Shaken in the lane (2/3): it ends in the approach hex, for 1 - 2.
    assert dict(found.payoff)[-1.0] == pytest.approx(2 / 3)
    assert min(payoff for payoff, _ in found.payoff if payoff > -1.0) == 8.0 - 2.0


@pytest.mark.parametrize(
    ("fate", "end"), [("dead", sixths(dead=3, ready=3)), ("down", sixths(down=3, ready=3))]
)
def test_passengers_share_the_fate_of_their_carrier(fate: str, end: dict[str, Fraction]) -> None:
    known = field(
        mine("T"),
        mine("S", SQUAD, carrier="T"),
        mine("X", SQUAD, carrier="T", status="dead"),
        FAR,
        rules=replace(RULES, carried_fate=fate),
    )
    found = told(known, drive("T", enter("field", STRONG)))
    assert chances(found.outcomes["S"]) == end
    assert found.outcomes["X"] == {"dead": 1.0}


def test_those_in_a_struck_truck_too() -> None:
    known = field(mine("T"), theirs("V", TRUCK), theirs("P", SQUAD, carrier="V"))
    found = told(known, overrun("T"))
    assert chances(found.outcomes["V"]) == thirds(dead=1, ready=2)
    assert chances(found.outcomes["P"]) == thirds(dead=1, ready=2)
    assert set(found.stages[0][0].struck) == {"V"}  # it is not struck itself
    assert [payoff for payoff, _ in found.payoff] == [0.0, 5.0]


def test_how_often_a_move_is_made() -> None:
    known = field(mine("T"), mine("U"), mine("W"), theirs("S", SQUAD))
    moves = [
        overrun("T"),
        drive("U", enter("nest"), enter("hill")),
        overrun("W", exit_="beyond"),
    ]
    found = told(known, *moves)
    assert found.made == pytest.approx((1.0, 1 / 3, 2 / 3))
    assert found.stages[1][0].reached == pytest.approx(1 / 3)
    assert found.stages[2][0].reached == pytest.approx(2 / 3)
    assert found.moves == tuple(moves)
    blocked = told(known, moves[1])
    assert (blocked.made, blocked.stages) == ((0.0,), ((),))


def test_where_it_stands_when_it_is_skipped() -> None:
    """It leaves the hill for the nest when that is cleared, one time in three."""
    known = field(
        mine("T"),
        mine("U", place="hill"),
        theirs("S", SQUAD),
        objectives=[Objective("hill", 6.0), Objective("nest", 1.0)],
    )
    found = told(known, overrun("T"), drive("U", enter("nest")))
    # Dead: U leaves the hill for the nest, +1; else it holds the hill, +6.
    assert dict(found.payoff) == pytest.approx({6.75: 1 / 3, 6.0: 1 / 3, 4.0: 1 / 3})


def test_prices_count_in_the_payoff() -> None:
    rules = replace(RULES, ap_effects={Kind.GUN: RULES.ap_effects[Kind.GUN]})
    known = field(
        mine("T"), mine("S", SQUAD, carrier="T"), theirs("B", rocket_team(0.25)), rules=rules
    )
    found = told(known, overrun("T", weapons=(("S", "charge"),)))
    # Strength 2 at the rear: 1/6 destroyed with the squad, 2/6 stopped, 3/6 missed.
    assert {payoff: Fraction(p).limit_denominator(6) for payoff, p in found.payoff} == {
        -13 - 0.5 + 0.25: Fraction(1, 6),
        -5 - 0.5 + 0.25: Fraction(2, 6),
        -0.5 + 0.25: Fraction(3, 6),
    }


def test_without_payoff_all_else_is_the_same() -> None:
    known = field(mine("T"), FAR, theirs("G"))
    move = overrun("T", enter("approach", WEAK))
    full, short = told(known, move), Evaluator(known).evaluate([move], payoff=False)
    assert short.payoff == ()
    assert (short.value, short.made, short.outcomes) == (full.value, full.made, full.outcomes)
    assert short.stages == full.stages


def test_a_stage_never_reached_has_no_chances() -> None:
    """Two shots that never miss stop it in the approach hex."""
    known = field(mine("T"), FAR, theirs("G"))
    certain = replace(RULES, at=replace(RULES.at, cells=(("M",) * 3,) * 5))
    move = overrun("T", enter("approach", WEAK))
    found = told(replace(known, rules=certain), move, defence=Defence.FIRE_AT_ONCE)
    approach, attack, last = found.stages[0]
    assert approach.afv == {"stopped": 1.0}
    for stage in (attack, last):
        assert (stage.reached, stage.shots, stage.afv, stage.struck) == (0.0, (), {}, {})
