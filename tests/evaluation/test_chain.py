from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

from evaluation.chain import Ask, Attack, Chain, Fire, Payload, place_chain
from evaluation.group import NO_LEADER, Aim, Group
from evaluation.group_chains import group_chain
from evaluation.script import Combatant
from evaluation.worth import Losses
from tests.evaluation.fights import GUN, LEADER, SQUAD, field, rocket_team, theirs

READY, FIRED, DOWN, DEAD = (
    ((0, False, 0),),
    ((0, True, 0),),
    ((1, False, 0),),
    ((2, False, 0),),
)
SHOT = Fire((Aim(0, 0, ((NO_LEADER, 0),)),), False)
FINAL = Fire((Aim(0, 0, ((NO_LEADER, 1),)),), True)
STRIKE = Attack(6, 0)


def group(*units: Combatant) -> Group:
    known = field(*units)
    return Group(known, "nest", Losses(known))


def chain(*payloads: Payload, units: tuple[Combatant, ...] = ()) -> Chain[Hashable]:
    return group_chain(group(*(units or (theirs("G"),))), payloads)


def sizes(found: Chain[Hashable]) -> list[int]:
    return [link.size for link in found.links]


def test_before_a_groups_only_shot_it_is_in_one_class_of_two() -> None:
    """It has the shot or, inside the window, has had it."""
    (link,) = chain(SHOT).links
    assert link.size == 2
    assert [len(shots) for shots in link.choices] == [0, 1]
    assert [choice.to for choice in link.choices[1]] == [0]
    assert list(link.passes) == [0, 0]


def test_fired_suppressed_and_dead_are_one_class_when_nothing_strikes_any_more() -> None:
    """After the attack only who may still fire matters; the loss is booked by the attack."""
    found = chain(SHOT, STRIKE, SHOT)
    assert sizes(found) == [2, 2, 2]
    last = found.links[2]
    assert last.choices[0] == ()
    attack = found.links[1]
    # Unfired: a third each dead, down, ready; the first two are alike for what follows.
    assert {
        tuple((one.to, round(one.probability * 3), one.loss) for one in landing)
        for landing in attack.landings
    } == {
        ((0, 1, 0.0), (0, 1, 3.0), (0, 1, 12.0)),
        ((0, 1, 3.0), (0, 1, 12.0), (1, 1, 0.0)),
    }


def test_after_the_last_event_all_states_are_one_class() -> None:
    found = chain(STRIKE)
    (link,) = found.links
    assert link.size == 1
    assert {one.to for one in link.landings[0]} == {0}
    assert link.loss == pytest.approx([(12 + 3) / 3])
    assert link.matrix is not None
    assert link.matrix.tolist() == [[pytest.approx(1.0)]]


def test_a_dead_gun_and_a_suppressed_one_differ_while_an_attack_is_to_come() -> None:
    found = chain(STRIKE, STRIKE)
    assert sizes(found) == [1, 3]
    expected = {0.0: 1, 3.0: 1, 12.0: 1}  # dead, down, ready: what the first attack leaves
    losses = found.links[1].loss
    assert losses is not None
    # From down only a kill costs anything, three quarters of 12.
    assert sorted(losses) == pytest.approx([0.0, 9 / 3, (12 + 3) / 3])
    assert {one.loss: round(one.probability * 3) for one in found.links[0].landings[0]} == expected


def test_a_marker_matters_for_an_ordinary_shot_and_not_for_a_final_one() -> None:
    assert sizes(chain(SHOT, SHOT)) == [2, 2]
    first, last = chain(SHOT, FINAL).links
    # The first shot costs nothing that follows: marked or not, it fires at the rear.
    assert (first.size, last.size) == (2, 2)
    assert list(first.passes) == [1, 1]
    first, last = chain(SHOT, SHOT).links
    assert sorted(first.passes) == [0, 1]


def test_a_question_tells_apart_what_it_asks() -> None:
    found = chain(STRIKE, Ask("empty"))
    assert sizes(found) == [1, 2]
    answer, landings = found.links[1].answer, found.links[0].landings[0]
    assert answer is not None
    yes = sum(one.probability for one in landings if answer[one.to])
    assert yes == pytest.approx(1 / 3)
    targets = chain(STRIKE, Ask("target"))
    answer, landings = targets.links[1].answer, targets.links[0].landings[0]
    assert answer is not None
    assert sum(one.probability for one in landings if answer[one.to]) == pytest.approx(2 / 3)


def test_two_units_with_the_same_shot_are_alike() -> None:
    """Which of two equal guns has fired can't be told apart: none, one or both."""
    units = (theirs("G1"), theirs("G2"))
    both = Fire((Aim(0, 0, ((NO_LEADER, 0),)), Aim(1, 0, ((NO_LEADER, 0),))), False)
    assert sizes(chain(both, units=units)) == [3]
    known = group(*units)
    told = group_chain(known, [both], labelled=True)
    assert sizes(told) == [4]  # when the shots are to be named, each gun is one by itself


def test_statuses_are_kept_apart_when_they_are_to_be_told() -> None:
    known = group(theirs("G"))
    plain = group_chain(known, [STRIKE, SHOT])
    kept = group_chain(known, [STRIKE, SHOT], keep_statuses=True)
    assert [link.size for link in plain.links] == [1, 2]
    # dead, down, ready, and ready with its shot made inside the window
    assert sorted(kept.links[1].statuses) == [("dead",), ("down",), ("ready",), ("ready",)]


def events(seed: int, leaders: int, firers: int) -> list[Payload]:
    rng = random.Random(seed)
    found: list[Payload] = []
    for _ in range(rng.randint(1, 6)):
        kind = rng.choice(["fire", "fire", "final", "strike", "ask"])
        if kind == "strike":
            found.append(Attack(rng.choice([3, 6, 9]), rng.choice([0, 1])))
        elif kind == "ask":
            found.append(Ask(rng.choice(["empty", "target"])))
        else:
            aims = tuple(
                Aim(
                    unit,
                    0,
                    tuple(
                        (who, rng.randrange(3))
                        for who in (NO_LEADER, *range(firers, firers + leaders))
                    ),
                )
                for unit in range(firers)
                if rng.random() < 0.8
            )
            if aims:
                found.append(Fire(aims, kind == "final"))
    return found


UNITS = (
    theirs("A"),
    theirs("B", rocket_team(0.25)),
    theirs("C", rocket_team(0.25, name="other")),
    theirs("L", LEADER),
    theirs("S", SQUAD),
)


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_every_shot_leads_to_a_lower_number_and_classes_are_whole(
    seed: int, labelled: bool
) -> None:
    known = group(*UNITS)
    payloads = events(seed, leaders=1, firers=3)
    found = group_chain(known, payloads, labelled=labelled)
    for number, link in enumerate(found.links):
        following = found.links[number + 1].size if number + 1 < len(found.links) else 1
        assert len(link.passes) == link.size
        assert all(0 <= to < following for to in link.passes)
        for cell, shots in enumerate(link.choices):
            assert all(choice.to < cell for choice in shots)
            assert len(set(shots)) == len(shots)
        for landing in link.landings:
            assert sum(one.probability for one in landing) == pytest.approx(1.0)
            assert all(0 <= one.to < following for one in landing)
        if link.matrix is not None:
            assert link.matrix.shape == (link.size, following)
            assert link.matrix.sum(axis=1) == pytest.approx([1.0] * link.size)
    if found.links:
        assert found.entry[known.start] < found.links[0].size


@pytest.mark.parametrize("seed", range(30))
def test_names_only_split_classes(seed: int) -> None:
    """What is kept for telling refines what is kept for valuing."""
    known = group(*UNITS)
    payloads = events(seed, leaders=1, firers=3)
    plain = group_chain(known, payloads)
    told = group_chain(known, payloads, labelled=True, keep_statuses=True)
    for coarse, fine in zip(plain.links, told.links, strict=True):
        assert coarse.size <= fine.size


def test_classes_do_not_grow_with_events_that_ask_nothing_new() -> None:
    """A gun with one shot in each of ten windows has it or not; ten strikes leave three states."""
    assert set(sizes(chain(*[SHOT] * 10))) == {2}
    assert max(sizes(chain(*[STRIKE] * 10))) == 3


def test_where_an_afv_stands() -> None:
    asks = [Ask("at", "exit"), Ask("at", "start")]
    found = place_chain(["exit", "start", "hedge", None], asks)
    assert [link.size for link in found.links] == [3, 2]
    assert found.entry["hedge"] == found.entry[None]  # neither is asked for
    for place in ("exit", "start", "hedge", None):
        here = found.entry[place]
        for ask, link in zip(asks, found.links, strict=True):
            assert link.answer is not None
            assert bool(link.answer[here]) is (ask.place == place)
            here = int(link.passes[here])


def test_no_events_no_links() -> None:
    found = chain()
    assert found.links == ()
    assert found.entry == {READY: 0}
    assert group(theirs("G", GUN)).start == READY
