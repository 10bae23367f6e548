"""All that moves can do to one group: its states, which can be reached, which are told apart."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from itertools import product

import numpy as np
import pytest

from evaluation.automaton import Automaton, Declared, Events, declared
from evaluation.chain import Attack
from evaluation.group import NO_LEADER, Aim, Group, State
from evaluation.rules import CombatRules
from evaluation.script import Combatant
from evaluation.worth import Losses
from tests.evaluation.fights import (
    GUN,
    LEADER,
    PER_UNIT,
    RULES,
    SQUAD,
    TRUCK,
    field,
    rocket_team,
    theirs,
)

STRONG, WEAK = Attack(6, 0), Attack(1, 0)
GUN_FIRES: Declared = (0, 0, NO_LEADER, False)
GUN_FIRES_LAST: Declared = (0, 0, NO_LEADER, True)
EMPTY, TARGET = Events(asks=frozenset(["empty"])), Events(asks=frozenset(["target"]))


def group(*units: Combatant, rules: CombatRules = RULES) -> Group:
    on = field(*units, rules=rules)
    return Group(on, "nest", Losses(on))


def events(*of: Declared | Attack, empty: bool = False, target: bool = False) -> Events:
    return Events(
        frozenset(one for one in of if not isinstance(one, Attack)),
        frozenset(one for one in of if isinstance(one, Attack)),
        frozenset(name for name, asked in (("empty", empty), ("target", target)) if asked),
    )


def names(of: Automaton, numbers: Sequence[int]) -> list[tuple[tuple[str, ...], tuple[bool, ...]]]:
    """Statuses and Fire markers of the states of those numbers."""
    states = [of.states[i] for i in numbers]
    return [(of.group.status_names(s), tuple(marked for _, marked, _ in s)) for s in states]


# Events.


def test_events_add_up() -> None:
    a, b = events(GUN_FIRES, empty=True), events(STRONG, target=True)
    assert a | b == events(GUN_FIRES, STRONG, empty=True, target=True)
    assert not Events()
    assert all((a, b, EMPTY, events(STRONG), events(GUN_FIRES)))


@pytest.mark.parametrize("final", [False, True])
def test_what_aims_declare(final: bool) -> None:
    aims = [Aim(0, 0, ((NO_LEADER, 3), (1, 4))), Aim(2, 1, ((NO_LEADER, 3),))]
    assert declared(aims, final=final) == {
        (0, 0, NO_LEADER, final),
        (0, 0, 1, final),
        (2, 1, NO_LEADER, final),
    }


# States.


def test_nothing_happens_and_it_stays_as_it_is() -> None:
    of = Automaton(group(theirs("G")), Events())
    assert of.states == [of.group.start]
    assert of.reach(Events()) == [0]


@pytest.mark.parametrize(
    ("brought", "met"),
    [
        (events(), [(("ready",), (False,))]),
        (events(GUN_FIRES), [(("ready",), (False,)), (("ready",), (True,))]),
        (
            events(STRONG),
            [(("ready",), (False,)), (("dead",), (False,)), (("down",), (False,))],
        ),
        (
            events(STRONG, GUN_FIRES),
            [
                (("ready",), (False,)),
                (("ready",), (True,)),
                (("dead",), (False,)),
                (("down",), (False,)),
                (("dead",), (True,)),
                (("down",), (True,)),
            ],
        ),
        # Strength 1 kills nobody that is ready; what is down it leaves alone.
        (events(WEAK), [(("ready",), (False,)), (("down",), (False,))]),
    ],
)
def test_what_a_gun_can_come_to(
    brought: Events, met: list[tuple[tuple[str, ...], tuple[bool, ...]]]
) -> None:
    everything = Automaton(group(theirs("G")), events(STRONG, WEAK, GUN_FIRES, GUN_FIRES_LAST))
    assert sorted(names(everything, everything.reach(brought))) == sorted(met)
    alone = Automaton(group(theirs("G")), brought)
    assert sorted(names(alone, range(len(alone.states)))) == sorted(met)


def test_a_marked_gun_declares_no_ordinary_shot_but_a_last_one() -> None:
    of = Automaton(group(theirs("G", fired=True)), events(GUN_FIRES, GUN_FIRES_LAST))
    assert len(of.states) == 1


def test_a_once_weapon_is_spent_and_the_leader_marked() -> None:
    with_leader = group(theirs("A", rocket_team()), theirs("L", LEADER))
    of = Automaton(with_leader, events((0, 0, NO_LEADER, False), (0, 0, 1, False)))
    ready = ("ready", "ready")
    assert names(of, range(3)) == [
        (ready, (False, False)),
        (ready, (True, False)),
        (ready, (True, True)),
    ]
    assert [state[0][2] for state in of.states] == [0, 1, 1]


@pytest.mark.parametrize(
    ("rules", "count"), [(RULES, 4), (PER_UNIT, 9)], ids=["one-roll-a-hex", "one-a-unit"]
)
def test_who_is_struck_together(rules: CombatRules, count: int) -> None:
    """With one roll for all both fare alike, but that a second attack may find one of them down;
    with one each, every pair of statuses comes up."""
    of = Automaton(group(theirs("G"), theirs("S", SQUAD), rules=rules), events(STRONG))
    met = {n for n, _ in names(of, of.reach(events(STRONG)))}
    assert len(met) == (3 if rules is RULES else count)
    if rules is RULES:
        assert all(a == b for a, b in met)


# Partition: what can still be told apart.


@pytest.mark.parametrize(
    ("coming", "apart"),
    [
        (events(), 1),
        (EMPTY, 2),  # dead or not
        (TARGET, 2),
        (events(GUN_FIRES), 2),  # may fire or not: marked, down and dead are one
        (events(GUN_FIRES_LAST), 2),
        (events(STRONG), 3),  # ready, down, dead: an attack costs each something else
        (events(WEAK), 2),  # it only harms who is ready
        (events(STRONG, GUN_FIRES), 4),
        (events(STRONG, GUN_FIRES, empty=True, target=True), 4),
        (events(GUN_FIRES, empty=True), 3),
    ],
)
def test_how_many_classes_a_gun_has(coming: Events, apart: int) -> None:
    of = Automaton(group(theirs("G")), events(STRONG, WEAK, GUN_FIRES, GUN_FIRES_LAST))
    assert len(of.states) == 6
    assert len(set(of.partition(coming).tolist())) == apart


def test_classes_are_numbered_as_they_come() -> None:
    of = Automaton(group(theirs("G")), events(STRONG, GUN_FIRES))
    numbers = of.partition(events(STRONG, GUN_FIRES)).tolist()
    assert numbers[0] == 0
    assert list(dict.fromkeys(numbers)) == list(range(max(numbers) + 1))
    assert of.partition(events(STRONG, GUN_FIRES)) is of.partition(events(GUN_FIRES, STRONG))


def obvious(of: Automaton, coming: Events) -> list[frozenset[int]]:
    """The coarsest partition by pairs: two states are apart if a question, a shot that only one may
    declare, or the cost of an attack says so, or an event leads to states that are apart."""
    size, within = len(of.states), of.group

    def shot(state: State, one: Declared) -> State | None:
        unit, weapon, leader, final = one
        found = list(within.options(state, [Aim(unit, weapon, ((leader, 0),))], final=final))
        return found[0][0].to if found else None

    def chances(state: State, attack: Attack, classes: Sequence[Hashable]) -> dict[Hashable, float]:
        total: dict[Hashable, float] = {}
        for new, p in within.strike(state, attack.strength, attack.cover):
            name = classes[of.index[new]]
            total[name] = total.get(name, 0.0) + p
        return total

    def costs(state: State, attack: Attack) -> float:
        return sum(
            p * within.loss(new) for new, p in within.strike(state, attack.strength, attack.cover)
        ) - within.loss(state)

    asked = {"empty": within.is_empty, "target": within.is_target}
    apart = np.zeros((size, size), dtype=bool)
    for a, b in product(range(size), repeat=2):
        s, t = of.states[a], of.states[b]
        apart[a, b] = (
            any(asked[name](s) != asked[name](t) for name in coming.asks)
            or any((shot(s, one) is None) != (shot(t, one) is None) for one in coming.shots)
            or any(abs(costs(s, one) - costs(t, one)) > 1e-9 for one in coming.attacks)
        )
    while True:
        # A class is named by the states that its states are not apart from.
        classes: list[Hashable] = [tuple(np.flatnonzero(~row).tolist()) for row in apart]
        again = apart.copy()
        for a, b in product(range(size), repeat=2):
            s, t = of.states[a], of.states[b]
            for one in coming.shots:
                to, other = shot(s, one), shot(t, one)
                if to is not None and other is not None:
                    again[a, b] |= classes[of.index[to]] != classes[of.index[other]]
            for attack in coming.attacks:
                one_way, other_way = chances(s, attack, classes), chances(t, attack, classes)
                again[a, b] |= any(
                    abs(one_way.get(name, 0.0) - other_way.get(name, 0.0)) > 1e-9
                    for name in {*one_way, *other_way}
                )
        if (again == apart).all():
            return sorted({frozenset(np.flatnonzero(~row).tolist()) for row in apart}, key=min)
        apart = again


@pytest.mark.parametrize("seed", range(40))
def test_the_partition_is_the_coarsest_one(seed: int) -> None:
    rng = random.Random(f"automaton/{seed}")
    types = [GUN, SQUAD, LEADER, TRUCK, rocket_team()]
    units = [
        theirs(f"U{i}", rng.choice(types), fired=rng.random() < 0.2)
        for i in range(rng.choice([1, 2, 2]))
    ]
    of_group = group(*units, rules=rng.choice([RULES, PER_UNIT]))
    shots: list[Declared] = [
        (unit, weapon, leader, final)
        for unit, known in enumerate(of_group.units)
        for weapon in range(len(known.type.weapons))
        for leader in (NO_LEADER, *(i for i in of_group.leaders if i != unit))
        for final in (False, True)
    ]
    attacks = [STRONG, WEAK, Attack(6, 2)]
    everything = Events(frozenset(shots), frozenset(attacks))
    of = Automaton(of_group, everything)
    for _ in range(3):
        coming = Events(
            frozenset(one for one in shots if rng.random() < 0.4),
            frozenset(one for one in attacks if rng.random() < 0.4),
            frozenset(ask for ask in ("empty", "target") if rng.random() < 0.4),
        )
        numbers = of.partition(coming)
        found = [
            frozenset(np.flatnonzero(numbers == n).tolist()) for n in range(int(numbers.max()) + 1)
        ]
        assert sorted(found, key=min) == obvious(of, coming)


# What can be lost.


def test_the_most_that_an_attack_can_be_expected_to_cost() -> None:
    """The gun is worth 12: ready it is expected to lose 12/3 + 3/3, down (9 left) 9/3."""
    of = Automaton(group(theirs("G")), events(STRONG, WEAK))
    assert of.most_lost(STRONG) == pytest.approx(5)
    assert of.most_lost(WEAK) == pytest.approx(12 * 0.25 / 3)
    assert of.most_left == pytest.approx(12)
