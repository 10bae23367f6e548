"""Values of positions worked out by hand on small scripts, and against all plans.

With one die and these tables the tank's attack kills on 1-2 and suppresses on 3-4 (a truck it kills
on 1-2 or leaves alone). A gun's shot at its front destroys on 1 and stops on 2-3, one at its rear
destroys on 1-3 and stops on 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product

import pytest

from evaluation.adaptive import Adaptive
from evaluation.backward import TooManyStatesError
from evaluation.script import Field, Move, Objective
from evaluation.units import Aspect, CombatType, Side
from evaluation.value import Evaluator
from tests.evaluation.fights import (
    ARMOUR,
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

PROOF = CombatType(
    "proof", TANK.kind, 10.0, TANK.weapons, armour={**ARMOUR, Aspect.REAR: 99, Aspect.FRONT: 99}
)
"""A tank that no shot can hurt."""

FIRST = overrun("T", exit_="far")
SECOND = overrun("U", enter("lane", at("G")), exit_="other")


def adaptive(on: Field, *moves: Move, own_loss: float = 1.0, most_states: int = 10**6) -> Adaptive:
    by_unit: dict[str, list[Move]] = {}
    for move in moves:
        by_unit.setdefault(move.unit, []).append(move)
    return Adaptive(on, by_unit, own_loss, most_states)


def exactly(number: Fraction | int) -> object:
    return pytest.approx(float(number), abs=1e-12)


def number_of(of: Adaptive, move: Move) -> int:
    return of.moves.index(move)


def first(of: Adaptive, move: Move) -> float:
    return next(value for value, n in of.first_moves() if n == number_of(of, move))


def stop_or_go() -> tuple[Adaptive, Field]:
    """T strikes the gun and can't be hurt. U comes by a lane under the gun's fire: it should only
    when the gun is down."""
    on = field(mine("T", PROOF), mine("U"), theirs("G"))
    return adaptive(on, FIRST, SECOND), on


# One move.


def test_nothing_to_do_is_worth_nothing() -> None:
    assert adaptive(field(mine("T"), theirs("G"))).value() == 0
    assert adaptive(field(mine("T"), theirs("G"))).first_moves() == []


def test_one_move_is_worth_its_line() -> None:
    """12 for the gun out, 3 for it down; else its last shot costs 35/6."""
    of = adaptive(field(mine("T"), theirs("G")), FIRST)
    assert of.value() == exactly((12 + 3 - Fraction(35, 6)) / 3)
    assert first(of, FIRST) == pytest.approx(of.value())


def test_a_move_that_loses_is_not_made() -> None:
    of = adaptive(field(mine("U"), theirs("G")), SECOND)
    assert first(of, SECOND) == exactly(Fraction(-65, 36))
    assert of.value() == 0
    assert of.bound(()) == 0
    assert of.bound((0,)) == exactly(Fraction(-65, 36))


@pytest.mark.parametrize(
    ("own_loss", "value"), [(0.0, Fraction(5)), (1.0, Fraction(55, 18)), (3.0, Fraction(0))]
)
def test_own_losses_weigh_what_the_player_says(own_loss: float, value: Fraction) -> None:
    of = adaptive(field(mine("T"), theirs("G")), FIRST, own_loss=own_loss)
    assert of.value() == exactly(value)


# Seeing what came of the last move.


def test_the_second_goes_only_if_the_gun_is_down() -> None:
    """5 for the first; with the gun down (1/3) an attack that gains 3 more. The plan of both goes
    on whatever came of the first, and loses 65/36 where the gun is still firing."""
    of, on = stop_or_go()
    assert of.value() == exactly(6)
    planned = 6 - Fraction(65, 36) / 3
    assert Evaluator(on).value([FIRST, SECOND]) == exactly(planned)
    assert of.bound((number_of(of, FIRST),)) == exactly(6)
    assert of.bound((number_of(of, FIRST), number_of(of, SECOND))) == exactly(planned)


def test_each_first_move_is_worth_what_follows_it_too() -> None:
    of, _ = stop_or_go()
    assert first(of, FIRST) == exactly(6)
    # U hit in the lane leaves all of it to T; through, it attacks, and T attacks what is left.
    through = (12 + 3 + 3 + (5 - Fraction(35, 6))) / 3
    hit = Fraction(1, 6) * (5 - 10) + Fraction(1, 3) * (5 - 5)
    assert first(of, SECOND) == exactly(hit + through / 2)


def test_what_follows_the_first_move() -> None:
    of, _ = stop_or_go()
    rows = of.follow_ups(number_of(of, FIRST))
    told = {
        of.group("nest").status_names(row.situation["group", "nest"]): row  # type: ignore[arg-type]
        for row in rows
    }
    second = number_of(of, SECOND)
    assert {names: row.best for names, row in told.items()} == {
        ("ready",): None,
        ("down",): second,
        ("dead",): None,
    }
    assert [row.probability for row in rows] == [exactly(Fraction(1, 3))] * 3
    assert told["down",].value == exactly(3)
    assert told["dead",].value == told["ready",].value == 0
    booked = 5
    assert booked + sum(row.probability * row.value for row in rows) == exactly(6)


def test_the_shot_is_kept_for_the_second() -> None:
    """A cheap AFV drives into the gun's view. Fired at it would cost 1/3 and leave T a line worth
    55/18; so the gun holds its fire, T does not go, and all of it is worth nothing."""
    cheap = CombatType("decoy", TANK.kind, 1.0, TANK.weapons, armour=ARMOUR)
    on = field(mine("T"), mine("U", cheap), theirs("G"))
    line = overrun("T", enter("lane", at("G")), exit_="other")
    decoy = drive("U", enter("view", at("G")))
    of = adaptive(on, line, decoy)
    assert first(of, line) == exactly(Fraction(-65, 36))
    assert first(of, decoy) == 0
    held, fired = of.follow_ups(number_of(of, decoy))
    assert (held.probability, held.best, held.value) == (1, None, 0)
    # Should the gun fire all the same, T goes.
    assert (fired.probability, fired.best) == (0, number_of(of, line))
    assert fired.value == exactly(Fraction(55, 18))
    # A plan that the defender knows to end with the decoy gives him the shot for nothing.
    assert Evaluator(on).value([decoy]) == exactly(Fraction(-1, 3))


# Legal only after another move.


def door() -> tuple[Adaptive, Move, Move]:
    """T strikes the squad in the door (1/3 out); then U can drive through it at a truck."""
    on = field(mine("T"), mine("U"), theirs("S", SQUAD, "door"), theirs("V", TRUCK))
    opener = overrun("T", target="door", exit_="far")
    through = overrun("U", enter("door"), exit_="other")
    return adaptive(on, opener, through), opener, through


def test_a_door_is_opened_and_gone_through() -> None:
    of, opener, _ = door()
    alone, truck = Fraction(5, 4), Fraction(2, 3)
    assert of.value() == exactly(alone + truck / 3)
    rows = of.follow_ups(number_of(of, opener))
    assert sorted((row.best is None, row.value) for row in rows) == [
        (False, exactly(truck)),
        *[(True, 0.0)] * (len(rows) - 1),
    ]
    assert sum(row.probability for row in rows) == exactly(1)
    assert sum(row.probability for row in rows if row.best is not None) == exactly(Fraction(1, 3))


def test_what_is_not_legal_is_no_next_move_but_skipped_in_a_plan() -> None:
    of, opener, through = door()
    assert first(of, through) == float("-inf")
    assert of.bound((number_of(of, through),)) == exactly(Fraction(5, 4))  # T is still free to go
    assert of.bound((number_of(of, through), number_of(of, opener))) == exactly(Fraction(5, 4))
    with pytest.raises(ValueError, match="not legal now"):
        of.follow_ups(number_of(of, through))


def test_a_full_hex_is_left_first() -> None:
    """U's exit is where T stands, and there is room for one. T driving off is worth nothing."""
    on = field(mine("T", place="full"), mine("U"), theirs("V", TRUCK), limit=1)
    off, strike = drive("T", enter("away")), overrun("U", exit_="full")
    of = adaptive(on, off, strike)
    assert first(of, strike) == float("-inf")
    assert of.value() == exactly(Fraction(2, 3))
    assert of.bound((number_of(of, off), number_of(of, strike))) == exactly(Fraction(2, 3))
    assert of.bound((number_of(of, strike), number_of(of, off))) == 0
    assert of.bound((number_of(of, strike),)) == 0


@pytest.mark.parametrize(
    ("limit", "stopped"), [(1, Fraction(0)), (2, Fraction(2, 3))], ids=["no-room", "room"]
)
def test_an_afv_stopped_on_the_way_may_be_in_the_way(limit: int, stopped: Fraction) -> None:
    """T is destroyed in the middle on 1 (leaving room), stopped there on 2-3; U's exit is there."""
    on = field(mine("T"), mine("U"), theirs("G", place="hill"), theirs("V", TRUCK), limit=limit)
    past, strike = drive("T", enter("mid", at("G")), enter("end")), overrun("U", exit_="mid")
    of = adaptive(on, past, strike)
    truck = Fraction(2, 3)
    fired_at = Fraction(1, 6) * (truck - 10) + Fraction(1, 3) * (stopped - 5) + truck / 2
    assert of.bound((number_of(of, past), number_of(of, strike))) == exactly(fired_at)
    assert of.value() == exactly(truck)
    follow = of.follow_ups(number_of(of, past))
    assert sum(row.probability for row in follow) == exactly(1)
    waits = [row for row in follow if row.best is None]
    assert sum(row.probability for row in waits) == exactly(
        Fraction(1, 3) if limit == 1 else Fraction(0)
    )


# Objectives.


@pytest.mark.parametrize(
    ("held_by", "gained"), [(None, 4), (Side.DEFENDER, 4), (Side.MOVER, 0)], ids=str
)
def test_an_objective_is_driven_onto_once_it_is_cleared(held_by: Side | None, gained: int) -> None:
    """T strikes the squad on the hill (1/3 out). Then U takes it; nobody has to go where it is
    the mover's already, but then the squad on it is a loss unless it is gone."""
    hill = Objective("hill", 4.0, held_by)
    on = field(mine("T"), mine("U"), theirs("S", SQUAD, "hill"), objectives=[hill])
    strike, climb = overrun("T", target="hill", exit_="far"), drive("U", enter("hill"))
    of = adaptive(on, strike, climb)
    staying = -4 if held_by is Side.MOVER else 0
    assert Evaluator(on).value([]) == staying
    freed = 4 if held_by is Side.MOVER else gained
    assert of.value() == exactly(Fraction(5, 4) + staying + Fraction(freed, 3))
    assert first(of, climb) == float("-inf")


def test_an_objective_that_is_left_may_be_lost_to_nobody() -> None:
    """It stays the mover's when he drives off and nobody comes; the two of them change places."""
    hill = Objective("hill", 4.0)
    on = field(mine("T", place="hill"), mine("U"), theirs("V", TRUCK), limit=1, objectives=[hill])
    strike, climb = overrun("T", exit_="far"), drive("U", enter("hill"))
    of = adaptive(on, strike, climb)
    assert Evaluator(on).value([]) == 4
    assert first(of, strike) == exactly(4 + Fraction(2, 3))
    assert first(of, climb) == float("-inf")
    assert of.bound((number_of(of, climb), number_of(of, strike))) == exactly(Fraction(2, 3))


# Limits.


def test_too_many_situations_are_said_not_guessed() -> None:
    _, on = stop_or_go()
    with pytest.raises(TooManyStatesError):
        adaptive(on, FIRST, SECOND, most_states=1).value()


def test_the_check_is_called_and_may_stop_it() -> None:
    class Stopped(Exception):  # noqa: N818
        pass

    _, on = stop_or_go()
    calls = 0

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise Stopped

    of = Adaptive(on, {"T": [FIRST], "U": [SECOND]}, check=check)
    with pytest.raises(Stopped):
        of.value()
    assert calls == 3
    assert of.value() == exactly(6)  # what was begun can be taken up again


# Against all plans.


def crowd() -> tuple[Field, list[Move]]:
    """Three AFVs with two moves each, on two nests, with a once-weapon and short room."""
    on = field(
        mine("T"),
        mine("U"),
        mine("W", place="gate"),
        theirs("G"),
        theirs("R", rocket_team(), "wood"),
        theirs("V", TRUCK, "wood"),
        limit=1,
        objectives=[Objective("gate", 1.5)],
    )
    return on, [
        overrun("T", enter("lane", at("G")), exit_="far"),
        overrun("T", target="wood", exit_="gate", shots=[at("G")]),
        overrun("U", enter("lane", at("G"), at("R", "tube", 2)), exit_="gate"),
        overrun("U", enter("nest"), target="wood", exit_="far"),
        drive("W", enter("lane", at("G"))),
        overrun("W", enter("wood"), exit_="far"),
    ]


@pytest.mark.parametrize("own_loss", [0.5, 1.0])
def test_no_plan_is_worth_more_than_the_bound_of_its_beginning(own_loss: float) -> None:
    on, moves = crowd()
    of, judge = adaptive(on, *moves, own_loss=own_loss), Evaluator(on, own_loss)
    by_unit = {u: [i for i, m in enumerate(of.moves) if m.unit == u] for u in of.units}
    bounds: dict[tuple[int, ...], float] = {}

    def bound(beginning: tuple[int, ...]) -> float:
        if beginning not in bounds:
            bounds[beginning] = of.bound(beginning)
        return bounds[beginning]

    assert bound(()) == pytest.approx(of.value())
    gained = 0
    for units in permutations(by_unit):
        for plan in product(*(by_unit[unit] for unit in units)):
            for length in range(len(plan) + 1):
                made = judge.value([of.moves[i] for i in plan[:length]])
                for known in range(length + 1):
                    assert bound(plan[:known]) >= made - 1e-9
                    gained += bound(plan[:known]) > made + 1e-6
            # Nobody is left to move: nothing is free any more.
            assert bound(plan) == pytest.approx(judge.value([of.moves[i] for i in plan]))
    assert gained


@pytest.mark.parametrize("own_loss", [0.5, 1.0])
def test_a_bound_is_no_more_than_that_of_a_shorter_beginning(own_loss: float) -> None:
    on, moves = crowd()
    of = adaptive(on, *moves, own_loss=own_loss)
    for a, b in permutations(range(len(of.moves)), 2):
        if of.moves[a].unit != of.moves[b].unit:
            assert of.bound((a, b)) <= of.bound((a,)) + 1e-9
            assert of.bound((a,)) <= of.value() + 1e-9


@pytest.mark.parametrize("own_loss", [0.5, 1.0])
def test_what_may_follow_is_all_that_may_and_what_is_best_then(own_loss: float) -> None:
    on, moves = crowd()
    of = adaptive(on, *moves, own_loss=own_loss)
    told = 0
    for value, n in of.first_moves():
        if value == float("-inf"):
            with pytest.raises(ValueError, match="not legal now"):
                of.follow_ups(n)
            continue
        rows = of.follow_ups(n)
        assert sum(row.probability for row in rows) == pytest.approx(1, abs=1e-12)
        assert [row.probability for row in rows] == sorted(
            (row.probability for row in rows), reverse=True
        )
        assert all(row.best is None or of.moves[row.best].unit != of.moves[n].unit for row in rows)
        told += len({row.best for row in rows}) > 1
    assert told


def best_plan(of: Adaptive, judge: Evaluator, plan: Sequence[int] = ()) -> float:
    """The value of the best fixed plan that begins so."""
    moved = {of.moves[i].unit for i in plan}
    best = judge.value([of.moves[i] for i in plan])
    for i, move in enumerate(of.moves):
        if move.unit not in moved:
            best = max(best, best_plan(of, judge, (*plan, i)))
    return best


@pytest.mark.parametrize("own_loss", [0.0, 0.5, 1.0, 2.0])
def test_the_position_is_worth_no_less_than_its_best_plan(own_loss: float) -> None:
    on, moves = crowd()
    of, judge = adaptive(on, *moves, own_loss=own_loss), Evaluator(on, own_loss)
    assert of.value() >= best_plan(of, judge) - 1e-9
    assert of.value() == pytest.approx(max(judge.value([]), *(v for v, _ in of.first_moves())))
