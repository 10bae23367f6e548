from __future__ import annotations

import pytest

from evaluation.effects import Effects
from evaluation.group import NO_LEADER, Aim, Group, State
from evaluation.script import Combatant
from evaluation.worth import Losses
from tests.evaluation.fights import (
    LEADER,
    RULES,
    SQUAD,
    TANK,
    TRUCK,
    field,
    mine,
    rocket_team,
    theirs,
)


def group(*units: Combatant) -> Group:
    known = field(*units)
    return Group(known, "nest", Losses(known))


def test_who_stands_in_a_place() -> None:
    found = group(
        theirs("G2"),
        theirs("G1", status="down", fired=True),
        theirs("gone", status="dead"),
        theirs("away", place="elsewhere"),
        theirs("V", TRUCK),
        theirs("P", SQUAD, carrier="V"),
        mine("T", place="nest"),
    )
    assert [unit.id for unit in found.units] == ["G1", "G2", "V"]
    assert found.start == ((1, True, 0), (0, False, 0), (0, False, 0))


@pytest.mark.parametrize(
    ("units", "empty", "target"),
    [
        ([], True, False),
        ([theirs("G", status="dead")], True, False),
        ([theirs("G")], False, True),
        ([theirs("G", status="down")], False, True),
        ([theirs("L", LEADER)], False, True),
        ([theirs("V", TRUCK)], False, True),
        ([theirs("E", TANK)], False, False),
        ([theirs("E", TANK), theirs("G")], False, False),
        ([theirs("E", TANK, status="dead"), theirs("G")], False, True),  # a wreck is no AFV
        ([theirs("E", TANK, status="dead")], True, False),
    ],
)
def test_ovr_02_03_what_can_be_overrun(units: list[Combatant], empty: bool, target: bool) -> None:
    found = group(*units)
    assert found.is_empty(found.start) is empty
    assert found.is_target(found.start) is target


AIM = Aim(0, 0, ((NO_LEADER, 7),))
LED = Aim(0, 0, ((NO_LEADER, 7), (1, 8)))


@pytest.mark.parametrize(
    ("gun", "leader", "final", "labels"),
    [
        ((0, False, 0), (0, False, 0), False, ["", "L"]),
        ((0, True, 0), (0, False, 0), False, []),  # the firer's marker bars an ordinary shot
        ((0, True, 0), (0, False, 0), True, ["", "L"]),  # and no final one
        ((0, False, 0), (0, True, 0), False, [""]),
        ((0, False, 0), (0, True, 0), True, ["", "L"]),  # OVR-12
        ((0, True, 0), (0, True, 0), True, ["", "L"]),
        ((1, False, 0), (0, False, 0), False, []),  # down
        ((1, False, 0), (0, False, 0), True, []),  # no waiver of that
        ((2, False, 0), (0, False, 0), True, []),  # dead
        ((0, False, 0), (1, False, 0), False, [""]),
        ((0, False, 0), (1, False, 0), True, [""]),
        ((0, False, 0), (2, False, 0), True, [""]),
    ],
)
def test_ovr_09_11_12_who_may_fire_and_lead(
    gun: tuple[int, bool, int], leader: tuple[int, bool, int], final: bool, labels: list[str]
) -> None:
    found = group(theirs("G"), theirs("L", LEADER))
    options = list(found.options((gun, leader), [LED], final=final))
    assert [option.label for option, _, _ in options] == [("G", "gun", who) for who in labels]
    for option, shot, led in options:
        assert option.to[0] == (gun[0], True, 0)  # firing marks, a final shot too
        assert shot == 0b01
        if option.label[2]:
            assert (option.effect, option.to[1], led) == (8, (leader[0], True, 0), 0b10)
        else:
            assert (option.effect, option.to[1], led) == (7, leader, 0)


@pytest.mark.parametrize(
    ("shot", "led", "labels"),
    [
        (0b00, 0b00, ["", "L"]),
        (0b01, 0b00, []),  # one Final Opportunity Fire in a window
        (0b00, 0b10, [""]),  # a leader modifies one of them
        (0b10, 0b00, ["", "L"]),  # the leader's own shot does not keep him from modifying
    ],
)
def test_ovr_11_12_once_in_a_last_window(shot: int, led: int, labels: list[str]) -> None:
    found = group(theirs("G"), theirs("L", LEADER))
    state: State = ((0, True, 0), (0, True, 0))
    options = list(found.options(state, [LED], shot, led, final=True))
    assert [option.label[2] for option, _, _ in options] == labels


@pytest.mark.parametrize("final", [False, True])
@pytest.mark.parametrize(("spent", "price"), [(0, 0.5), (1, None)])
def test_a_once_weapon_is_spent_by_use(spent: int, price: float | None, final: bool) -> None:
    found = group(theirs("B", rocket_team(0.5)))
    options = list(found.options(((0, False, spent),), [AIM], final=final))
    if price is None:
        assert options == []
    else:
        ((option, _, _),) = options
        assert (option.price, option.to) == (0.5, ((0, True, 1),))


def test_a_spent_weapon_is_known_at_the_start() -> None:
    assert group(theirs("B", rocket_team(), spent=frozenset({"tube"}))).start == ((0, False, 1),)


def test_final_shots_are_at_the_rear_at_range_1_with_every_at_weapon() -> None:
    found = group(theirs("G", fired=True), theirs("L", LEADER), theirs("B", rocket_team()))
    assert [(s.firer, s.weapon, s.distance, s.aspect.value) for s in found.final_shots()] == [
        ("B", "tube", 1, "rear"),
        ("G", "gun", 1, "rear"),
    ]


def test_an_attack_keeps_markers_and_spent_weapons() -> None:
    found = group(theirs("B", rocket_team(), fired=True, spent=frozenset({"tube"})))
    assert dict(found.strike(found.start, 6, 0)) == pytest.approx(
        {((status, True, 1),): 1 / 3 for status in (0, 1, 2)}
    )


def test_an_attack_strikes_no_afv_and_nobody_who_is_gone() -> None:
    found = group(theirs("E", TANK), theirs("G"), theirs("S", SQUAD))
    before: State = ((0, False, 0), (2, False, 0), (0, False, 0))
    after = found.strike(before, 6, 0)
    assert {state[:2] for state, _ in after} == {before[:2]}
    assert sum(p for _, p in after) == pytest.approx(1.0)
    assert len(after) == 3


def test_loss_in_a_state() -> None:
    found = group(theirs("G"), theirs("V", TRUCK), theirs("P", SQUAD, carrier="V"))
    assert found.loss(((1, False, 0), (0, False, 0))) == pytest.approx(3.0)
    assert found.loss(((2, False, 0), (1, False, 0))) == pytest.approx(12.0 + 2.0 + 3.0)


def test_effects_are_numbered_by_what_they_do() -> None:
    found = group(theirs("G"))
    effects = Effects(RULES)
    (final,) = found.final_shots()
    strength = found.strength(final, TANK)
    assert strength == 4
    assert effects.number(TANK, strength, 0) == effects.number(TANK, 5, 0)
