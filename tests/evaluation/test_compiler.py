from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.plan import (
    Defence,
    Plan,
    StrikeStage,
    WindowStage,
)
from evaluation.script import Combatant, Enter, Field, Move
from evaluation.units import Aspect, CombatType, Kind, Weapon
from evaluation.worth import Losses
from tests.evaluation.fights import (
    GUN,
    LEADER,
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


def compiler(known: Field, defence: Defence = Defence.BEST) -> Compiler:
    return Compiler(known, Effects(known.rules), Losses(known), defence, keep=False)


def plan_of(known: Field, *moves: Move) -> Plan:
    return build(compiler(known), moves)


NEST = theirs("G")


@pytest.mark.parametrize(
    ("shots", "windows"),
    [
        ([], []),
        ([at("F")], [True]),
        ([at("F", distance=7)], []),  # out of range
        ([at("F", distance=6, aspect=Aspect.FRONT)], [True]),
        ([at("A")], []),  # of the same carrier's hex, but carried
        ([at("W", weapon="tube", distance=1)], []),  # too weak for the armour
        ([at("W", weapon="tube", distance=1, aspect=Aspect.REAR)], [True]),
    ],
)
def test_shots_that_can_do_nothing_are_left_out(shots: list[object], windows: list[bool]) -> None:
    weak = rocket_team(rating=2, name="weak")
    known = field(
        mine("T"),
        theirs("F", place="far"),
        theirs("V", TRUCK, "road"),
        theirs("A", place="road", carrier="V"),
        theirs("W", weak, "wood"),
    )
    (turn,) = plan_of(known, drive("T", Enter("field", 0, tuple(shots)))).turns  # type: ignore[arg-type]
    (stage,) = turn.stages
    assert isinstance(stage, WindowStage)
    assert [True for _ in stage.fires] == windows


def test_cover_may_make_a_shot_do_nothing() -> None:
    known = field(mine("T"), theirs("F", place="far"))
    for at_cover, open_ in ((1, True), (2, True), (3, False)):
        step = enter("field", at("F"), at_cover=at_cover)
        assert bool(compiler(known).fires(step, known.units["T"])) is open_


def test_ovr_11_the_last_window_holds_final_shots_of_the_target_and_nobody_elses() -> None:
    known = field(
        mine("T"),
        NEST,
        theirs("G9", fired=True),
        theirs("L", LEADER),
        theirs("S", SQUAD),
        theirs("F", place="far"),
    )
    step = enter("exit", at("F"), at("G"), final_against="nest")
    fires = compiler(known).fires(step, known.units["T"])
    assert [(place, fire.final) for place, fire in fires.items()] == [
        ("far", False),
        ("nest", True),
    ]
    group = compiler(known).group("nest")
    assert [group.units[aim.unit].id for aim in fires["nest"].aims] == ["G", "G9"]
    assert all(len(aim.effects) == 2 for aim in fires["nest"].aims)  # alone, or with the leader


def test_ovr_11_no_ordinary_shot_from_the_target_hex_in_the_last_window() -> None:
    """Whatever the script lists; here its last shot can't harm a rear that is better armoured."""
    armour = {Aspect.FRONT: 2, Aspect.SIDE: 2, Aspect.REAR: 9}
    known = field(mine("T", replace(TANK, name="backwards", armour=armour)), NEST)
    listed = enter("exit", at("G"), final_against="nest")
    assert compiler(known).fires(listed, known.units["T"]) == {}
    assert list(compiler(known).fires(enter("exit", at("G")), known.units["T"])) == ["nest"]


def test_holding_leaves_ordinary_shots_out() -> None:
    known = field(mine("T"), NEST, theirs("F", place="far"))
    step = enter("exit", at("F"), final_against="nest")
    assert list(compiler(known, Defence.HOLD).fires(step, known.units["T"])) == ["nest"]


FLAMER = CombatType(
    "flamer",
    Kind.AFV,
    10.0,
    (
        Weapon("gun", apfp=2),
        Weapon("flame", apfp=3, once=True, price=0.75),
        Weapon("rocket", at=((2, 6),), once=True, price=4.0),  # of no use in an overrun
    ),
    armour=TANK.armour,
)
FAUST_LEADER = CombatType(
    "faust leader",
    Kind.LEADER,
    2.0,
    (Weapon("faust", at=((1, 6),), once=True, price=3.0),),
    leadership=-1,
    ratings={"morale": 4},
)


@pytest.mark.parametrize(
    ("afv", "rider", "weapons", "strength", "price"),
    [
        (mine("T"), None, (), 6, 0.0),
        (mine("T", FLAMER), None, (), 10, 0.75),
        (mine("T", FLAMER, spent=frozenset({"flame"})), None, (), 4, 0.0),
        (mine("T"), mine("S", SQUAD, carrier="T"), (), 7, 0.0),
        (mine("T"), mine("S", SQUAD, carrier="T"), (("S", "lmg"),), 9, 0.0),
        (mine("T"), mine("S", SQUAD, carrier="T"), (("S", "charge"),), 10, 0.5),
        (
            mine("T"),
            mine("S", SQUAD, carrier="T", spent=frozenset({"charge"})),
            (("S", "charge"),),
            7,
            0.0,
        ),
        (mine("T"), mine("S", SQUAD, carrier="T", status="down"), (("S", "charge"),), 6, 0.0),
        (mine("T"), mine("S", SQUAD, carrier="T", status="dead"), (("S", "charge"),), 6, 0.0),
        (mine("T"), mine("S", SQUAD, carrier="U"), (("S", "charge"),), 6, 0.0),  # not its own
        (mine("T"), mine("A", GUN, carrier="T"), (), 6, 0.0),  # towed: a Gun adds nothing
        (mine("T"), mine("L", FAUST_LEADER, carrier="T"), (), 6, 0.0),  # an AT weapon stays unused
    ],
)
def test_ovr_16_17_strength_and_price_of_the_attack(
    afv: Combatant,
    rider: Combatant | None,
    weapons: tuple[tuple[str, str], ...],
    strength: int,
    price: float,
) -> None:
    known = field(afv, mine("U"), NEST, *([rider] if rider else []))
    (turn,) = plan_of(known, overrun("T", weapons=weapons, cover=1)).turns
    stage = turn.stages[0]
    assert isinstance(stage, StrikeStage)
    assert stage.price == price
    attack, spends = compiler(known).attack(afv, overrun("T", weapons=weapons, cover=1).steps[0])  # type: ignore[arg-type]
    assert (attack.strength, attack.cover, spends) == (strength, 1, price)
