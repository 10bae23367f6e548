from __future__ import annotations

import pytest

from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.plan import (
    Defence,
    Plan,
)
from evaluation.script import Combatant, Enter, Field, Move, Objective
from evaluation.units import CombatType
from evaluation.worth import Losses
from tests.evaluation.fights import (
    SQUAD,
    TANK,
    TRUCK,
    drive,
    enter,
    field,
    mine,
    overrun,
    theirs,
)


def compiler(known: Field, defence: Defence = Defence.BEST) -> Compiler:
    return Compiler(known, Effects(known.rules), Losses(known), defence, keep=False)


def plan_of(known: Field, *moves: Move) -> Plan:
    return build(compiler(known), moves)


def made(known: Field, *moves: Move) -> list[str]:
    """Of each move: never made, always made, or it depends."""
    return [
        "never" if turn.impossible else "always" if turn.guard is None else "depends"
        for turn in plan_of(known, *moves).turns
    ]


NEST = theirs("G")


@pytest.mark.parametrize(
    ("units", "move", "expected"),
    [
        ([NEST], overrun("T"), "always"),
        ([], overrun("T"), "never"),  # nobody to strike
        ([theirs("G", status="dead")], overrun("T"), "never"),
        ([NEST, theirs("E", TANK, "nest")], overrun("T"), "never"),  # an AFV with them
        ([NEST, theirs("E", TANK, "nest", status="dead")], overrun("T"), "always"),
        ([NEST, theirs("S", SQUAD, "exit")], overrun("T"), "never"),
        ([NEST, theirs("S", SQUAD, "hedge")], overrun("T", enter("hedge")), "never"),
        ([NEST, theirs("S", SQUAD, "exit", status="dead")], overrun("T"), "always"),
        ([NEST], drive("T", enter("nest")), "never"),
        ([NEST], drive("T", enter("field")), "always"),
        ([NEST], Move("T"), "always"),
    ],
)
def test_units_that_certainly_stand_in_the_way(
    units: list[Combatant], move: Move, expected: str
) -> None:
    assert made(field(mine("T"), *units), move) == [expected]


@pytest.mark.parametrize(
    ("status", "overruns", "drives"),
    [
        ("ready", "always", "always"),
        ("shaken", "never", "always"),  # it may move and not overrun
        ("stopped", "never", "never"),
        ("dead", "never", "never"),
    ],
)
def test_what_the_afvs_status_forbids(status: str, overruns: str, drives: str) -> None:
    known = field(mine("T", status=status), NEST)
    assert made(known, overrun("T")) == [overruns]
    assert made(known, drive("T", enter("field"))) == [drives]
    assert made(known, Move("T")) == ["always"]


@pytest.mark.parametrize(
    ("friends", "limit", "expected"),
    [
        ([], 1, "always"),
        ([1], 1, "never"),
        ([1], 2, "always"),  # one place left
        ([1, 1], 2, "never"),  # full
        ([2], 2, "never"),
        ([2], 3, "always"),
        ([], 0, "never"),
    ],
)
@pytest.mark.parametrize("kind", [TANK, SQUAD, TRUCK])
def test_ovr_07_room_where_the_move_ends(
    friends: list[int], limit: int, expected: str, kind: CombatType
) -> None:
    others = [mine(f"F{i}", kind, "exit", size=size) for i, size in enumerate(friends)]
    known = field(mine("T"), NEST, *others, limit=limit)
    assert made(known, overrun("T")) == [expected]


@pytest.mark.parametrize(
    "bystander",
    [
        mine("F", SQUAD, "exit", carrier="H"),  # carried
        mine("F", TANK, "exit", status="dead"),
        mine("F", SQUAD, "hedge"),  # where it only passes through
    ],
)
def test_ovr_07_who_takes_no_room(bystander: Combatant) -> None:
    known = field(mine("T"), NEST, bystander, limit=1)
    assert made(known, overrun("T", enter("hedge"))) == ["always"]


def test_ovr_07_the_moving_afv_takes_no_room_from_itself() -> None:
    known = field(mine("T", place="home"), limit=1)
    assert made(known, drive("T", enter("field"), enter("home"))) == ["always"]


def test_a_size_of_its_own() -> None:
    known = field(mine("T", size=2), NEST, mine("F", SQUAD, "exit"), limit=2)
    assert made(known, overrun("T")) == ["never"]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (overrun("U"), "depends"),  # is somebody left?
        (drive("U", enter("nest")), "depends"),  # are all gone?
        (drive("U", enter("hedge"), enter("nest"), enter("field")), "depends"),
        (drive("U", enter("field")), "always"),
        (overrun("U", target="trench"), "always"),
        (overrun("U", enter("nest"), target="trench", exit_="beyond"), "depends"),
    ],
)
def test_what_an_earlier_overrun_leaves_open(second: Move, expected: str) -> None:
    known = field(mine("T"), mine("U", place="flank"), NEST, theirs("S", SQUAD, "trench"))
    assert made(known, overrun("T"), second) == ["always", expected]
    assert made(known, Move("T"), second)[1] == (
        "never" if "nest" in _entered(second) else "always"
    )


def _entered(move: Move) -> list[object]:
    return [step.place for step in move.steps if isinstance(step, Enter)]


def test_a_hex_is_not_driven_through_and_overrun_in_one_move() -> None:
    known = field(mine("T"), mine("U"), NEST)
    both = overrun("U", enter("nest"), exit_="beyond")
    assert made(known, both) == ["never"]
    assert made(known, overrun("T"), both) == ["always", "never"]


def test_an_impossible_move_strikes_nobody() -> None:
    """So what a later move needs is certain again."""
    known = field(mine("T", status="stopped"), mine("U"), NEST)
    assert made(known, overrun("T"), drive("U", enter("nest"))) == ["never", "never"]


@pytest.mark.parametrize(
    ("limit", "expected"), [(1, "never"), (2, "depends"), (3, "depends"), (4, "always")]
)
def test_room_that_earlier_moves_may_have_taken(limit: int, expected: str) -> None:
    """One friend stays in the exit, two AFVs may have come there before the third."""
    known = field(
        *(mine(name, place=f"{name}'s") for name in "TUV"),
        mine("F", SQUAD, "exit"),
        *(theirs(f"G{name}", place=f"nest {name}") for name in "TUV"),
        limit=limit,
    )
    moves = [overrun(name, target=f"nest {name}") for name in "TUV"]
    assert made(known, *moves)[2] == expected


def test_an_afv_that_has_left_takes_no_room() -> None:
    known = field(mine("T", place="exit"), mine("U"), NEST, limit=1)
    leaves = drive("T", enter("field"))
    assert made(known, leaves, overrun("U")) == ["always", "always"]
    assert made(known, overrun("U")) == ["never"]
    # If the first may have been skipped, room is a question.
    first = drive("T", enter("trench"))
    known = field(
        mine("T", place="exit"), mine("U"), mine("V"), NEST, theirs("S", SQUAD, "trench"), limit=1
    )
    strike = overrun("V", target="trench", exit_="beyond")
    assert made(known, strike, first, overrun("U")) == ["always", "depends", "depends"]


@pytest.mark.parametrize(
    ("units", "moves", "constant", "open_"),
    [
        ([mine("F", SQUAD, "hill")], [], 4.0, 0),  # he is there and nobody disputes it
        ([theirs("S", SQUAD, "hill")], [], 0.0, 0),
        ([mine("F", SQUAD, "hill", carrier="T")], [], 0.0, 0),  # carried: it does not stand there
        ([], [drive("T", enter("hill"))], 0.0, 1),
        ([mine("F", SQUAD, "hill")], [drive("T", enter("hill"))], 4.0, 0),
        ([theirs("S", SQUAD, "hill")], [overrun("T", target="hill")], 0.0, 1),
    ],
)
def test_objectives_certain_and_open(
    units: list[Combatant], moves: list[Move], constant: float, open_: int
) -> None:
    known = field(mine("T"), *units, objectives=[Objective("hill", 4.0)])
    found = plan_of(known, *moves)
    assert (found.constant, len(found.holdings)) == (constant, open_)


def test_no_place_is_remembered_that_nobody_asks_for() -> None:
    known = field(mine("T"), mine("U"), NEST, theirs("S", SQUAD, "trench"))
    apart = plan_of(known, overrun("T"), overrun("U", target="trench", exit_="beyond"))
    assert [turn.stand for turn in apart.turns] == [None, None]
    # One place in the exit, both end there: the second asks where the first stands.
    tight = field(mine("T"), mine("U"), NEST, theirs("S", SQUAD, "trench"), limit=1)
    same = plan_of(
        tight, overrun("T", enter("hedge")), overrun("U", enter("lane"), target="trench")
    )
    assert [turn.stand is None for turn in same.turns] == [False, True]
    # The gun's last shot may destroy it there: in the exit, or gone.
    axis = same.turns[0].stand
    assert axis is not None
    assert set(same.chains[axis].entry) == {"exit", None}
    assert len(set(same.chains[axis].entry.values())) == 2
