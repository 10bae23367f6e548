from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.script import Combatant
from evaluation.units import Kind
from evaluation.worth import Losses
from tests.evaluation.fights import GUN, RULES, SQUAD, TRUCK, field, mine, theirs

RIDER = mine("S", SQUAD, carrier="T")
GONE = mine("Z", SQUAD, carrier="T", status="dead")
TOWED = mine("A", GUN, carrier="T")


@pytest.mark.parametrize(
    ("status", "carried", "lost"),
    [
        ("ready", [], 0.0),
        ("shaken", [], 2.0),
        ("stopped", [], 5.0),
        ("dead", [], 10.0),
        ("stopped", [RIDER], 5.0),
        ("dead", [RIDER], 13.0),
        ("dead", [RIDER, TOWED], 25.0),
        ("ready", [replace(RIDER, status="down")], 0.75),
        ("dead", [replace(RIDER, status="down")], 13.0),
        ("dead", [GONE], 10.0),  # it was lost before and is not lost again
    ],
)
def test_loss_of_an_afv_and_all_it_carries(
    status: str, carried: list[Combatant], lost: float
) -> None:
    tank = mine("T")
    losses = Losses(field(tank, *carried))
    assert losses.of(tank, RULES.status(Kind.AFV, status)) == pytest.approx(lost)


@pytest.mark.parametrize(
    ("before", "after", "rider", "change"),
    [
        ("ready", "dead", "ready", 13.0),
        ("stopped", "dead", "ready", 8.0),
        ("stopped", "stopped", "ready", 0.0),
        ("ready", "dead", "down", 12.25),  # a quarter of the squad was lost already
        ("shaken", "ready", "ready", -2.0),
    ],
)
def test_change_since_the_start(before: str, after: str, rider: str, change: float) -> None:
    tank = mine("T", status=before)
    losses = Losses(field(tank, replace(RIDER, status=rider)))
    assert losses.change(tank, RULES.status(Kind.AFV, after)) == pytest.approx(change)


@pytest.mark.parametrize(("fate", "lost"), [("dead", 2.0 + 3.0), ("down", 2.0 + 0.75)])
def test_the_rules_say_what_becomes_of_those_carried(fate: str, lost: float) -> None:
    truck = theirs("V", TRUCK)
    rules = replace(RULES, carried_fate=fate)
    losses = Losses(field(truck, theirs("P", SQUAD, carrier="V"), rules=rules))
    gone = RULES.status(Kind.VEHICLE, "dead")
    assert losses.change(truck, gone) == pytest.approx(lost)
    (carried,) = losses.carried_by(truck)
    assert losses.fate(carried, gone) == fate
    assert losses.fate(carried, RULES.status(Kind.VEHICLE, "ready")) == "ready"


def test_carried_units_come_in_text_order_and_without_those_gone() -> None:
    tank = mine("T")
    losses = Losses(field(tank, RIDER, GONE, TOWED, mine("U", SQUAD), theirs("B", SQUAD)))
    assert [unit.id for unit in losses.carried_by(tank)] == ["A", "S"]
