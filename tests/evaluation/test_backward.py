"""Values worked out by hand. A hit that stops the tank costs 5, one that destroys it 10; its attack
on the gun in the nest gains (12 + 3) / 3 = 5 on average."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from evaluation.script import Combatant, Enter, Field, Move, Objective
from evaluation.tables import Change
from evaluation.units import Aspect, CombatType, Kind, Side, Weapon
from evaluation.value import Defence, Evaluator
from tests.evaluation.fights import (
    GUN,
    LEADER,
    PER_UNIT,
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
STRONG = at("F", aspect=Aspect.SIDE)  # strength 4
MIDDLING = at("F")  # strength 2
WEAK = at("F", distance=6)  # strength 0


def value(
    known: Field, *moves: Move, own_loss: float = 1.0, defence: Defence = Defence.BEST
) -> float:
    found = Evaluator(known, own_loss, defence).value(moves)
    told = Evaluator(known, own_loss, defence).evaluate(moves)
    assert told.value == pytest.approx(found, abs=1e-12)
    assert sum(payoff * p for payoff, p in told.payoff) == pytest.approx(found, abs=1e-8)
    return found


def exactly(number: Fraction | int) -> object:
    return pytest.approx(float(number), abs=1e-12)


@pytest.mark.parametrize("moves", [[], [Move("T")], [Move("T"), Move("U")]])
def test_staying_is_worth_nothing(moves: list[Move]) -> None:
    assert value(field(mine("T"), mine("U"), theirs("G")), *moves) == 0.0


@pytest.mark.parametrize(
    ("target", "cover", "expected"),
    [
        ([theirs("S", SQUAD)], 0, Fraction(3 * 1, 3) + Fraction(3, 4) / 3),
        (
            [theirs("S", SQUAD, status="down")],
            0,
            Fraction(3, 4) * 3 / 3,
        ),  # only what is still to lose
        ([theirs("S", SQUAD)], 1, Fraction(3, 6) + Fraction(3, 4) / 3),
        ([theirs("S", SQUAD), theirs("S2", SQUAD)], 0, 2 * (1 + Fraction(1, 4))),
        ([theirs("V", TRUCK)], 0, Fraction(2, 3)),
        (
            [theirs("V", TRUCK), theirs("P", SQUAD, carrier="V")],
            0,
            Fraction(5, 3),
        ),  # and who rides on it
        # Killed one time in three; of an S in three suppressed if the check at 4 fails.
        (
            [theirs("L", LEADER)],
            0,
            Fraction(2, 3) + Fraction(1, 3) * Fraction(1, 3) * Fraction(1, 2),
        ),
    ],
)
def test_ovr_16_18_19_the_attack_alone(
    target: list[Combatant], cover: int, expected: Fraction
) -> None:
    assert value(field(mine("T"), *target), overrun("T", cover=cover)) == exactly(expected)


def test_ovr_11_only_survivors_that_may_fire_make_the_last_shot() -> None:
    """Ready after the attack: one time in three. Then strength 4: 1/2 destroyed, 1/6 stopped."""
    expected = 5 - Fraction(1, 3) * (Fraction(1, 2) * 10 + Fraction(1, 6) * 5)
    assert value(field(mine("T"), theirs("G")), overrun("T")) == exactly(expected)
    assert value(field(mine("T"), theirs("G", fired=True)), overrun("T")) == exactly(expected)
    down = field(mine("T"), theirs("G", status="down"))
    assert value(down, overrun("T")) == exactly(Fraction(9, 3))  # nobody fires


@pytest.mark.parametrize("own_loss", [0.0, 0.5, 1.0, 2.5])
def test_own_losses_weigh_what_the_player_says(own_loss: float) -> None:
    expected = 5 - Fraction(own_loss) * Fraction(1, 3) * (Fraction(1, 2) * 10 + Fraction(1, 6) * 5)
    known = field(mine("T"), theirs("G"))
    assert value(known, overrun("T"), own_loss=own_loss) == exactly(expected)


@pytest.mark.parametrize(
    ("at_cover", "leader", "dead", "stopped"),
    [
        (0, [], Fraction(3, 6), Fraction(1, 6)),
        (
            1,
            [],
            Fraction(2, 6),
            Fraction(1, 6),
        ),  # the cover of the exit hex counts in the last shot too
        (0, ["L"], Fraction(4, 6), Fraction(1, 6)),
        (1, ["L"], Fraction(3, 6), Fraction(1, 6)),
        (4, [], Fraction(0), Fraction(0)),
        (4, ["L"], Fraction(0), Fraction(1, 6)),
    ],
)
@pytest.mark.parametrize("marked", [False, True])
def test_ovr_12_cover_and_leader_of_the_last_shot(
    at_cover: int, leader: list[str], dead: Fraction, stopped: Fraction, marked: bool
) -> None:
    """Under one roll for each unit, and a leader that no result touches."""
    rules = replace(PER_UNIT, ap_effects={Kind.GUN: PER_UNIT.ap_effects[Kind.GUN]})
    leaders = [theirs(name, LEADER, fired=marked) for name in leader]
    known = field(mine("T"), theirs("G", fired=marked), *leaders, rules=rules)
    expected = 5 - Fraction(1, 3) * (dead * 10 + stopped * 5)
    assert value(known, overrun("T", at_cover=at_cover)) == exactly(expected)


@pytest.mark.parametrize(("marked", "helps"), [(False, True), (True, False)])  # of an ordinary shot
def test_ovr_12_a_marked_leader_modifies_no_ordinary_shot(marked: bool, helps: bool) -> None:
    known = field(mine("T"), FAR, theirs("L", LEADER, "far", fired=marked))
    dead, stopped = (Fraction(2, 6), Fraction(2, 6)) if helps else (Fraction(1, 6), Fraction(2, 6))
    expected = -10 * dead - 5 * stopped
    assert value(known, drive("T", enter("field", MIDDLING))) == exactly(expected)


def test_a_leader_helps_units_of_his_own_place_only() -> None:
    known = field(mine("T"), FAR, theirs("L", LEADER, "elsewhere"))
    assert value(known, drive("T", enter("field", MIDDLING))) == exactly(
        -10 * Fraction(1, 6) - 5 * Fraction(2, 6)
    )


def test_ovr_12_a_leader_modifies_one_last_shot_in_a_window() -> None:
    """Nothing touches two guns and a leader: 4/6 and 1/6 with him, 3/6 and 1/6 alone."""
    rules = replace(RULES, ap_effects={})
    known = field(mine("T"), theirs("G"), theirs("H"), theirs("L", LEADER), rules=rules)
    led, alone = (Fraction(4, 6), Fraction(1, 6)), (Fraction(3, 6), Fraction(1, 6))
    unhurt = (1 - sum(led)) * (1 - sum(alone))
    dead = 1 - (1 - led[0]) * (1 - alone[0])
    assert value(known, overrun("T")) == exactly(-10 * dead - 5 * (1 - dead - unhurt))


@pytest.mark.parametrize(
    ("worth", "first_window", "expected"),
    [
        # Killing the squad gains a third of its worth, and a twelfth when it is suppressed.
        (24, False, Fraction(10) - Fraction(35, 6)),
        (30, False, Fraction(25, 2) - Fraction(35, 6)),  # equally good: either way the same
        (36, True, Fraction(2, 3) * 15 - Fraction(5, 3)),
    ],
)
def test_a_shot_can_be_kept_for_later(worth: int, first_window: bool, expected: Fraction) -> None:
    """A weak shot stops the overrun one time in three; kept, a strong one at its flank costs
    35/6. The dearer the target, the sooner the shot is made: at a gain of 25/2 it is all one."""
    target = theirs("S", replace(SQUAD, name="dear", worth=float(worth)))
    known = field(mine("T"), FAR, target)
    move = overrun("T", enter("approach", WEAK), shots=[STRONG])
    assert value(known, move) == exactly(expected)
    approach = Evaluator(known).evaluate([move]).stages[0][0]
    assert bool(approach.shots) is first_window


def test_the_shot_is_kept_from_the_decoy() -> None:
    """The first AFV shows its front, the second its flank: no shot at the first."""
    known = field(mine("T"), mine("U"), FAR)
    moves = [drive("T", enter("field", WEAK)), drive("U", enter("lane", STRONG))]
    assert value(known, *moves) == exactly(Fraction(-35, 6))
    assert value(known, *moves, defence=Defence.FIRE_AT_ONCE) == exactly(Fraction(-5, 3))


def test_a_unit_fires_at_the_same_afv_but_once() -> None:
    known = field(mine("T"), FAR)
    once = value(known, drive("T", enter("a", MIDDLING)))
    assert once == exactly(-10 * Fraction(1, 6) - 5 * Fraction(2, 6))
    assert value(known, drive("T", enter("a", MIDDLING), enter("b", MIDDLING))) == exactly(
        Fraction(once)
    )


@pytest.mark.parametrize(
    ("price", "expected"),
    [
        (0.0, Fraction(-5, 3)),
        (1.0, Fraction(-5, 3) + 1),
        (1.5, Fraction(-5, 3) + Fraction(3, 2)),
        (2.0, Fraction(0)),
        (9.0, Fraction(0)),
    ],
)
def test_a_dear_once_weapon_is_not_spent_on_a_weak_shot(price: float, expected: Fraction) -> None:
    known = field(mine("T"), theirs("B", rocket_team(price), "wood"))
    shot = at("B", "tube", 2)  # strength 0: 1/3 to stop, worth 5/3
    assert value(known, drive("T", enter("field", shot))) == exactly(expected)


def test_a_once_weapon_is_used_once_only_marker_or_not() -> None:
    """Two overruns of the same nest: the second meets a team whose tube is spent."""
    rules = replace(RULES, ap_effects={})
    known = field(mine("T"), mine("U"), theirs("B", rocket_team(0.0, rating=6)), rules=rules)
    shot = 10 * Fraction(3, 6) + 5 * Fraction(1, 6)
    both = overrun("T"), overrun("U", exit_="beyond")
    assert value(known, both[0]) == exactly(-shot)
    assert value(known, *both) == exactly(-shot)
    guns = field(mine("T"), mine("U"), theirs("G"), rules=rules)
    assert value(guns, *both) == exactly(-2 * shot)  # OVR-11: a gun fires at each
    spent = field(mine("T"), theirs("B", rocket_team(), spent=frozenset({"tube"})), rules=rules)
    assert value(spent, both[0]) == 0.0


def test_the_firer_chooses_among_its_weapons() -> None:
    dear, cheap = (
        Weapon("dear", at=((3, 6),), once=True, price=3.0),
        Weapon("cheap", at=((3, 4),)),
    )
    type_ = CombatType("both", Kind.INFANTRY, 1.0, (dear, cheap))
    known = field(mine("T"), theirs("B", type_, "wood"))
    for aspect, expected in (
        (Aspect.FRONT, Fraction(-5, 3)),  # 10/3 - 3 is less than 5/3
        (Aspect.SIDE, Fraction(-10, 3)),  # 35/6 - 3 is less than 10/3
    ):
        shots = [at("B", "cheap", 1, aspect), at("B", "dear", 1, aspect)]
        assert value(known, drive("T", enter("field", *shots))) == exactly(expected)
    spent = field(mine("T"), theirs("B", type_, "wood", spent=frozenset({"dear"})))
    assert value(
        spent, drive("T", enter("field", at("B", "cheap", 1), at("B", "dear", 1)))
    ) == exactly(Fraction(-5, 3))


def test_a_stopped_afv_is_fired_at_until_it_is_destroyed() -> None:
    known = field(mine("T"), FAR, theirs("H", place="ridge"))
    other = at("H", aspect=Aspect.SIDE)
    dead = Fraction(1, 2) + Fraction(1, 2) * Fraction(1, 2)
    ready = Fraction(1, 3) ** 2
    assert value(known, drive("T", enter("field", STRONG, other))) == exactly(
        -10 * dead - 5 * (1 - dead - ready)
    )


def test_a_stopped_afv_is_in_no_later_window() -> None:
    """Stopped by the first shot it does not come to the second one's field of fire."""
    known = field(mine("T"), FAR, theirs("H", place="ridge"))
    other = at("H", aspect=Aspect.SIDE)
    first, second = (Fraction(1, 6), Fraction(2, 6)), (Fraction(1, 2), Fraction(1, 6))
    go_on = 1 - sum(first)
    expected = -10 * (first[0] + go_on * second[0]) - 5 * (first[1] + go_on * second[1])
    move = drive("T", enter("field", MIDDLING), enter("lane", other))
    assert value(known, move) == exactly(expected)


def test_one_that_may_not_overrun_stops_before_the_target() -> None:
    """Every shot shakes four times in six; a shaken AFV moves and does not overrun."""
    known = field(mine("T"), FAR, theirs("S", SQUAD), theirs("H", place="ridge"), rules=SHAKY)
    gain, shaken = Fraction(5, 4), Fraction(4, 6)
    near = overrun("T", enter("approach", WEAK))
    assert value(known, near) == exactly((1 - shaken) * gain - shaken * 2)
    # Shaken on the way it still goes on to the hex before the target.
    far = overrun("T", enter("lane", WEAK), enter("approach", at("H")))
    unshaken = (1 - shaken) ** 2
    assert value(known, far) == exactly(unshaken * gain - (1 - unshaken) * 2)
    stages = Evaluator(known).evaluate([far]).stages[0]
    assert [stage.reached for stage in stages] == pytest.approx(
        [1, 1, float(unshaken), float(unshaken)]
    )


HARSH = replace(RULES, at_effects={**RULES.at_effects, "M": Change({"ready": "shaken"})})


@pytest.mark.parametrize("overruns", [False, True])
def test_one_that_may_not_overrun_still_drives_on(overruns: bool) -> None:
    """Shaken in the lane (2/6 of the time, costing 2) it comes into the next gun's fire all the
    same, whether it was to overrun or not."""
    known = field(mine("T"), FAR, theirs("H", place="ridge"), theirs("S", SQUAD), rules=HARSH)
    steps = enter("lane", MIDDLING), enter("approach", at("H", aspect=Aspect.SIDE))
    first, second = (Fraction(1, 6), Fraction(2, 6)), (Fraction(3, 6), Fraction(1, 6))
    ready = 1 - sum(first)
    dead = first[0] + (ready + first[1]) * second[0]
    unshaken = ready * (1 - sum(second))
    expected = -10 * dead - 2 * (1 - dead - unshaken)
    move = overrun("T", *steps) if overruns else drive("T", *steps)
    gain = unshaken * Fraction(5, 4) if overruns else 0
    known = replace(known, objectives=(Objective("approach", 3.0), Objective("lane", 99.0)))
    # Alive it stands in the approach hex, unless it goes on to overrun.
    expected += 3 * ((1 - dead) - (unshaken if overruns else 0))
    defence = Defence.FIRE_AT_ONCE
    assert value(known, move, defence=defence) == exactly(expected + gain)


def test_carried_units_are_lost_with_the_afv() -> None:
    known = field(mine("T"), mine("S", SQUAD, carrier="T"), FAR)
    expected = -13 * Fraction(1, 6) - 5 * Fraction(2, 6)
    assert value(known, drive("T", enter("field", MIDDLING))) == exactly(expected)
    kept = replace(known, rules=replace(RULES, carried_fate="down"))
    assert value(kept, drive("T", enter("field", MIDDLING))) == exactly(
        -(10 + Fraction(3, 4)) * Fraction(1, 6) - 5 * Fraction(2, 6)
    )


def test_ovr_17_a_charge_is_worth_using_when_it_gains_more_than_its_price() -> None:
    """From strength 7 to 10 the attack goes up a column: killed 4 in 6, suppressed 2 in 6."""
    rider = mine("S", SQUAD, carrier="T")
    known = field(mine("T"), rider, theirs("G", status="ready"))
    plain, charge = overrun("T"), overrun("T", weapons=(("S", "charge"),))
    survivor = Fraction(1, 3) * (Fraction(1, 2) * 13 + Fraction(1, 6) * 5)
    assert value(known, plain) == exactly(5 - survivor)
    assert value(known, charge) == exactly(
        Fraction(4, 6) * 12 + Fraction(2, 6) * 3 - Fraction(1, 2)
    )
    assert value(known, charge, own_loss=3.0) == exactly(
        Fraction(4, 6) * 12 + Fraction(2, 6) * 3 - Fraction(3, 2)
    )


# Several moves.


def test_the_second_overrun_finds_what_the_first_has_left() -> None:
    """Squads can't fire at AFVs. Dead after the first: the second is skipped."""
    known = field(mine("T"), mine("U"), theirs("S", SQUAD))
    down_then = Fraction(1, 3) * Fraction(3, 4) * 3  # a kill in three, of a suppressed one
    ready_then = Fraction(5, 4)
    expected = Fraction(5, 4) + Fraction(1, 3) * down_then + Fraction(1, 3) * ready_then
    moves = overrun("T"), overrun("U", exit_="beyond")
    assert value(known, *moves) == exactly(expected)
    assert Evaluator(known).evaluate(moves).made == pytest.approx((1.0, 2 / 3))


@pytest.mark.parametrize("rules", [RULES, PER_UNIT])
def test_a_cleared_hex_opens_the_way(rules: object) -> None:
    """The second AFV drives through the nest when both squads are dead: under one roll a third,
    under two a ninth."""
    known = field(mine("T"), mine("U"), theirs("A", SQUAD), theirs("B", SQUAD), rules=rules)  # type: ignore[arg-type]
    known = replace(known, objectives=(Objective("hill", 9.0),))
    through = drive("U", enter("nest"), enter("hill"))
    clear = Fraction(1, 3) if rules is RULES else Fraction(1, 9)
    assert value(known, overrun("T"), through) == exactly(2 * Fraction(5, 4) + 9 * clear)
    assert value(known, through) == 0.0


def test_an_afv_destroyed_in_the_exit_leaves_room() -> None:
    """One place. The first is destroyed by a final shot (1/3 · 1/2), else stands in the exit."""
    known = field(mine("T"), mine("U"), theirs("G"), theirs("S", SQUAD, "trench"), limit=1)
    room = Fraction(1, 3) * Fraction(1, 2)
    first = 5 - Fraction(1, 3) * (Fraction(1, 2) * 10 + Fraction(1, 6) * 5)
    moves = overrun("T"), overrun("U", target="trench")
    assert value(known, *moves) == exactly(first + room * Fraction(5, 4))
    assert Evaluator(known).evaluate(moves).made == pytest.approx((1.0, float(room)))
    roomy = replace(known, stacking_limit=2)
    assert value(roomy, *moves) == exactly(first + Fraction(5, 4))


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_room_counts_sizes(size: int, limit: int) -> None:
    known = field(
        mine("T", size=size), mine("U", place="start"), theirs("S", SQUAD, "trench"), limit=limit
    )
    moves = drive("T", enter("exit")), overrun("U", target="trench")
    moved = size <= limit
    second = (not moved or size + 1 <= limit) and limit >= 1
    assert value(known, *moves) == exactly(Fraction(5, 4) if second else 0)


def test_an_afv_stopped_on_the_way_takes_room_there() -> None:
    """T is stopped in the lane two times in six by a weak shot; then U can't end there."""
    known = field(mine("T"), mine("U"), FAR, limit=1, objectives=[Objective("lane", 7.0)])
    moves = drive("T", enter("lane", WEAK), enter("field")), drive("U", enter("lane"))
    # Stopped there it holds the lane itself; else U comes: the lane is gained either way.
    assert value(known, *moves, defence=Defence.FIRE_AT_ONCE) == exactly(7 - Fraction(5, 3))
    assert Evaluator(known, 1.0, Defence.FIRE_AT_ONCE).evaluate(moves).made == pytest.approx(
        (1.0, 4 / 6)
    )


@pytest.mark.parametrize("move", [Move("W"), drive("W", enter("field"))])
@pytest.mark.parametrize(
    ("status", "moves_on", "holds"), [("ready", 0, 1), ("stopped", 0, 1), ("dead", 1, 0)]
)
def test_a_wreck_that_a_plan_names_takes_no_room_and_holds_nothing(
    move: Move, status: str, moves_on: int, holds: int
) -> None:
    """It stands in the exit hex as the phase begins; only one may."""
    known = field(mine("W", place="exit", status=status), mine("T"), theirs("S", SQUAD), limit=1)
    held = replace(known, objectives=(Objective("exit", 7.0),))
    if move.steps and status == "ready":
        moves_on, holds = 1, 0  # it drives off
    assert value(known, move, overrun("T")) == exactly(moves_on * Fraction(5, 4))
    assert value(held, move) == exactly(7 * holds)


# Objectives.


@pytest.mark.parametrize(
    ("held_by", "expected"),
    [
        (None, Fraction(1, 3) * 6),
        (Side.DEFENDER, Fraction(1, 3) * 6),
        (Side.MOVER, Fraction(-2, 3) * 6),
    ],
)
def test_an_objective_that_is_overrun(held_by: Side | None, expected: Fraction) -> None:
    """A friend in the same place gains it when the squad is dead; lost if only the squad is in it.
    It was the mover's: then he loses nothing by the attack alone."""
    known = field(mine("T"), theirs("S", SQUAD), objectives=[Objective("nest", 6.0, held_by)])
    friend = field(
        mine("T"),
        mine("F", SQUAD, "nest"),
        theirs("S", SQUAD),
        objectives=[Objective("nest", 6.0, held_by)],
    )
    if held_by is Side.MOVER:
        assert value(known, overrun("T")) == exactly(Fraction(5, 4) + expected)
        assert value(friend, overrun("T")) == exactly(Fraction(5, 4))
    else:
        assert value(known, overrun("T")) == exactly(Fraction(5, 4))
        assert value(friend, overrun("T")) == exactly(Fraction(5, 4) + expected)


def test_several_objectives_and_where_an_afv_is_stopped() -> None:
    """A weak shot in the lane stops T there (1/3): it holds the lane and not the hill."""
    known = field(
        mine("T"),
        FAR,
        objectives=[Objective("hill", 6.0), Objective("lane", 2.0), Objective("start", 1.0)],
    )
    move = drive("T", enter("lane", WEAK), enter("hill"))
    # On the start it would gain 1 by staying; fire: -5/3 + (2 + 2·6)/3, hold: 6.
    fire, hold = Fraction(-5, 3) + Fraction(1, 3) * 2 + Fraction(2, 3) * 6, Fraction(6)
    assert value(known, move) == exactly(min(fire, hold))
    assert value(known, move, defence=Defence.HOLD) == exactly(hold)
    assert value(known) == exactly(1)


def test_two_objectives_in_one_place_are_both_gained() -> None:
    known = field(mine("T"), FAR, objectives=[Objective("hill", 6.0), Objective("hill", 2.0)])
    move = drive("T", enter("hill", MIDDLING))
    # Destroyed 1/6 of the time it holds nothing; stopped it does.
    assert value(known, move) == exactly(
        Fraction(5, 6) * 8 - 10 * Fraction(1, 6) - 5 * Fraction(2, 6)
    )


def test_a_destroyed_afv_loses_what_it_alone_would_have_held() -> None:
    """Held by the mover and left: it stays his, unless the defender stands in it alone."""
    known = field(mine("T", place="hill"), FAR, objectives=[Objective("hill", 6.0, Side.MOVER)])
    assert value(known, drive("T", enter("field"))) == 0.0
    both = field(
        mine("T", place="hill"),
        theirs("S", SQUAD, "hill"),
        objectives=[Objective("hill", 6.0, Side.MOVER)],
    )
    assert value(both) == 0.0
    assert value(both, drive("T", enter("field"))) == exactly(-6)


# Rules of thumb.


@pytest.mark.parametrize(
    ("defence", "expected"),
    [
        (Defence.BEST, Fraction(-35, 6)),  # waits for the flank
        (Defence.FIRE_AT_ONCE, Fraction(-5, 3)),  # spends its shot on the front
        (Defence.HOLD, Fraction(0)),  # no ordinary shot at all
    ],
)
def test_defences_in_two_windows(defence: Defence, expected: Fraction) -> None:
    known = field(mine("T"), FAR)
    move = drive("T", enter("lane", WEAK), enter("field", STRONG))
    assert value(known, move, defence=defence) == exactly(expected)


@pytest.mark.parametrize("defence", list(Defence))
def test_every_defence_makes_the_last_shot(defence: Defence) -> None:
    known = field(mine("T"), theirs("G"))
    expected = 5 - Fraction(1, 3) * Fraction(35, 6)
    assert value(known, overrun("T"), defence=defence) == exactly(expected)


@pytest.mark.parametrize("defence", [Defence.FIRE_AT_ONCE, Defence.HOLD])
def test_rules_of_thumb_mind_no_price(defence: Defence) -> None:
    """The dear last shot costs 10/3 and is worth 5/3: only the best reply leaves it."""
    rules = replace(RULES, ap_effects={})
    known = field(mine("T"), theirs("B", rocket_team(10 / 3, rating=2)), rules=rules)
    assert value(known, overrun("T"), defence=defence) == exactly(Fraction(10, 3) - Fraction(5, 3))
    assert value(known, overrun("T")) == 0.0


def test_fire_at_once_makes_the_shot_first_that_costs_most() -> None:
    """The strong shot destroys half the time: then the other's rocket is not spent."""
    known = field(mine("T"), FAR, theirs("B", rocket_team(6.0), "wood"))
    move = drive("T", enter("field", at("B", "tube", 2), STRONG))
    dead, stopped = Fraction(1, 2), Fraction(1, 6)
    # A weak shot can do no more to a stopped AFV: it is not made.
    ready = 1 - dead - stopped
    expected = -10 * dead - 5 * stopped + ready * (6 - 5 * Fraction(2, 6))
    assert value(known, move, defence=Defence.FIRE_AT_ONCE) == exactly(expected)


def test_a_shot_that_mends_is_never_declared() -> None:
    """A result may do the AFV good: the best reply leaves it, as it must be able to."""
    rules = replace(SHAKY, at_effects={"S": Change({"shaken": "ready"})})
    known = field(mine("T", status="shaken"), FAR, rules=rules)
    assert value(known, drive("T", enter("field", WEAK))) == 0.0
    assert value(known, drive("T", enter("field", WEAK)), defence=Defence.FIRE_AT_ONCE) == exactly(
        2 * Fraction(4, 6)
    )


def test_a_window_without_shots_changes_nothing() -> None:
    known = field(mine("T"), theirs("G", GUN), FAR)
    steps: list[Enter] = [enter(f"hex {i}") for i in range(20)]
    assert value(known, overrun("T", *steps)) == exactly(Fraction(value(known, overrun("T"))))
