"""Selection by pairs against every ordered selection, one by one."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.search.candidates import candidates
from planner.search.effort import Limit, Wishes, never
from planner.search.interactions import Interactions, synergies
from planner.search.pairwise import ordered_selections, pairwise_plans
from planner.search.pairwise_problem import Problem, Room, pairwise_problem
from planner.search.pairwise_start import beside, start
from planner.search.tally import Tally
from planner.search.worth import Judge
from tests.situations import blue, red, situation, two_tanks

GAINS = st.integers(-300, 300).map(lambda n: n / 100)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Two to four AFVs with up to three options each, some pairs, some exit hexes."""
    names = ["A", "B", "C", "D"][: draw(st.integers(2, 4))]
    units = tuple(name for name in names for _ in range(draw(st.integers(1, 3))))
    gains = tuple(draw(GAINS) for _ in units)
    pairs = [(i, j) for i, j in permutations(range(len(units)), 2) if units[i] != units[j]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12))
    given_ = {pair: draw(GAINS) for pair in chosen}
    rooms = tuple(draw(st.lists(_rooms(units), max_size=3)))
    return Problem(units, gains, given_, rooms)


@st.composite
def _rooms(draw: st.DrawFn, units: Sequence[str]) -> Room:
    mine = draw(st.sampled_from(sorted(set(units))))
    own = [i for i, unit in enumerate(units) if unit == mine]
    others = [i for i, unit in enumerate(units) if unit != mine]
    moves = draw(st.lists(st.sampled_from(own), min_size=1, unique=True))
    sizes = {unit: draw(st.integers(1, 2)) for unit in sorted(set(units))}
    arriving = draw(st.lists(st.sampled_from(others), unique=True))
    away = sorted({units[i] for i in others})
    leaving = draw(st.lists(st.sampled_from(away), unique=True))
    return Room(
        tuple(moves),
        draw(st.integers(-1, 2)),
        {i: sizes[units[i]] for i in arriving},
        {unit: sizes[unit] for unit in leaving},
    )


def all_orders(problem: Problem) -> Iterator[tuple[int, ...]]:
    by_unit: dict[str, list[int | None]] = {}
    for i, unit in enumerate(problem.units):
        by_unit.setdefault(unit, [None]).append(i)
    for picked in product(*by_unit.values()):
        yield from permutations([i for i in picked if i is not None])


def slow_fits(problem: Problem, order: Sequence[int]) -> bool:
    """Play the moves one after the other and look at every exit hex."""
    for at, option in enumerate(order):
        before = order[:at]
        for room in problem.rooms:
            if option not in room.moves:
                continue
            left = room.left
            for earlier in before:
                left += room.leaving.get(problem.units[earlier], 0)
                size = room.arriving.get(earlier, 0)
                told = 0 <= room.left < size and (earlier, option) in problem.synergies
                left -= 0 if told else size
            if left < 0:
                return False
    return True


def slow_gain(problem: Problem, order: Sequence[int]) -> float:
    total = 0.0
    for at, option in enumerate(order):
        total += problem.gains[option]
        for later in order[at + 1 :]:
            total += problem.synergies.get((option, later), 0.0)
    return total


def slow_best(problem: Problem) -> list[float]:
    """The gains of all plans, each class of orders that make no difference once, best first."""
    classes: dict[tuple[frozenset[int], frozenset[tuple[int, int]]], float] = {}
    for order in all_orders(problem):
        if slow_fits(problem, order):
            told = frozenset(p for p in combinations(order, 2) if problem.matters(*p))
            classes[frozenset(order), told] = slow_gain(problem, order)
    return sorted(classes.values(), reverse=True)


@given(problems())
@settings(max_examples=60, deadline=None)
def test_the_best_plans_are_those_of_every_ordered_selection(problem: Problem) -> None:
    found = list(pairwise_plans(problem, 6))
    want = slow_best(problem)[:6]
    assert [plan.gain for plan in found] == pytest.approx(want, abs=1e-5)
    for plan in found:
        assert plan.proven
        assert plan.gain == pytest.approx(slow_gain(problem, plan.order))
        assert slow_fits(problem, plan.order)
        assert len({problem.units[i] for i in plan.order}) == len(plan.order)
    assert len({plan.order for plan in found}) == len(found)


@given(problems())
@settings(max_examples=100, deadline=None)
def test_fits_and_gain_are_those_of_the_moves_played_out(problem: Problem) -> None:
    for order in all_orders(problem):
        assert problem.fits(order) == slow_fits(problem, order)
        assert problem.gain(order) == pytest.approx(slow_gain(problem, order))
        standing = problem.canonical(order)
        assert problem.gain(standing) == pytest.approx(problem.gain(order))
        assert problem.fits(standing) == problem.fits(order)


@given(problems())
@settings(max_examples=60, deadline=None)
def test_where_the_solver_starts_is_a_plan_that_fits(problem: Problem) -> None:
    options = range(len(problem.units))
    begun = start(problem, options, never)
    assert slow_fits(problem, begun)
    assert -1e-9 <= slow_gain(problem, begun) <= slow_best(problem)[0] + 1e-9
    following = beside(problem, options, [begun])
    if following is not None:
        assert slow_fits(problem, following)
        assert following != begun


def room(moves: tuple[int, ...], left: int, arriving: dict[int, int], **leaving: int) -> Room:
    return Room(moves, left, arriving, leaving)


@pytest.mark.parametrize(
    ("units", "gains", "given_", "rooms", "order"),
    [
        ("AB", (1, 1), {}, (), (0, 1)),
        ("AA", (1, 2), {}, (), (1,)),
        ("AB", (-1, -1), {}, (), ()),
        # A decoy that loses by itself is taken when it pays, and goes first.
        ("AB", (1, -2), {(1, 0): 2.5}, (), (1, 0)),
        ("AB", (1, -2), {(1, 0): 1.5}, (), (0,)),
        ("AB", (1, 1), {(0, 1): -0.5, (1, 0): 0.25}, (), (1, 0)),
        # What hurts in both orders is left alone.
        ("AB", (1, 2), {(0, 1): -1.5, (1, 0): -1.5}, (), (1,)),
        # Room for one more, room for none.
        ("ABC", (1, 2, 3), {(0, 2): 5}, (room((2,), 1, {0: 1, 1: 1}),), (0, 2, 1)),
        ("ABC", (1, 2, 3), {(0, 2): 5, (1, 2): 5}, (room((2,), 2, {0: 1, 1: 1}),), (0, 1, 2)),
        ("AB", (1, 2), {}, (room((0,), 0, {1: 1}), room((1,), 0, {0: 1})), (1,)),
        # The same where the two's value is known: it says what comes of it.
        (
            "AB",
            (1, 2),
            {(0, 1): -0.5},
            (room((0,), 0, {1: 1}), room((1,), 0, {0: 1})),
            (0, 1),
        ),
        # An AFV that leaves makes room, when it goes first.
        ("AB", (2, 1), {}, (room((0,), -1, {}, B=1),), (1, 0)),
        ("AB", (2, -1), {}, (room((0,), -1, {}, B=1),), (1, 0)),
        ("AB", (2, -3), {}, (room((0,), -1, {}, B=1),), ()),
        ("AB", (2, 1), {(0, 1): 0.5}, (room((0,), -1, {}, B=1),), (1, 0)),
    ],
)
def test_the_best_plan(
    units: str,
    gains: tuple[float, ...],
    given_: dict[tuple[int, int], float],
    rooms: tuple[Room, ...],
    order: tuple[int, ...],
) -> None:
    problem = Problem(tuple(units), gains, given_, rooms)
    (best,) = pairwise_plans(problem, 1)
    assert best.gain == pytest.approx(slow_best(problem)[0])
    assert best.order == order


def test_three_in_a_circle_have_an_order() -> None:
    """Each wants to go before the next: one of the three has to give way, the cheapest."""
    problem = Problem(("A", "B", "C"), (1, 1, 1), {(0, 1): 3, (1, 2): 3, (2, 0): 2})
    (best,) = pairwise_plans(problem, 1)
    assert best.order == (0, 1, 2)
    assert best.gain == 9


def test_large_and_small_gains_stand_in_one_model() -> None:
    """Rows of the model stay below 2**31 whatever the gains are."""
    problem = Problem(("A", "B"), (40_000.0, 0.5), {(1, 0): 20_000.0, (0, 1): -30_000.0})
    (best,) = pairwise_plans(problem, 1)
    assert (best.order, best.gain) == ((1, 0), 60_000.5)


@pytest.mark.parametrize(
    ("moves", "order"), [(None, (0, 1, 2)), (3, (0, 1, 2)), (2, (1, 2)), (1, (0,)), (0, ())]
)
def test_no_more_moves_than_asked_for(moves: int | None, order: tuple[int, ...]) -> None:
    pairs = {(0, 1): 0.5, (1, 2): 2.0, (0, 2): 0.5}
    problem = Problem(("A", "B", "C"), (1, 0.5, 0.25), pairs, (), moves)
    plans = list(pairwise_plans(problem, 20))
    assert plans[0].order == order
    assert all(moves is None or len(plan.order) <= moves for plan in plans)


def dense(afvs: int, each: int, pairs: int, seed: int) -> Problem:
    """A random problem of a company's or battalion's size."""
    rng = random.Random(seed)
    units = tuple(f"T{u:02d}" for u in range(afvs) for _ in range(each))
    gains = tuple(rng.gauss(-1.5, 2) for _ in units)
    able = [p for p in combinations(range(len(units)), 2) if units[p[0]] != units[p[1]]]
    given_: dict[tuple[int, int], float] = {}
    for i, j in rng.sample(able, pairs // 2):
        given_[i, j] = rng.gauss(0.3, 1.2)
        given_[j, i] = given_[i, j] + rng.choice((0.0, rng.gauss(0, 1)))
    return Problem(units, gains, given_)


def test_staying_is_never_better_than_what_is_found_in_a_battalion() -> None:
    problem = dense(12, 8, 3000, 1)
    (best,) = pairwise_plans(problem, 1, effort=0.05)
    assert best.gain >= problem.gain(start(problem, range(len(problem.units)), never)) > 0


@pytest.mark.parametrize("after", [0.0, 0.05, 0.4, 1.0])
def test_a_stop_is_obeyed_within_a_tenth_of_a_second(after: float) -> None:
    from ortools.sat.python import cp_model  # so that importing it is not what takes the time

    assert cp_model
    problem = dense(12, 8, 3000, 1)
    until = monotonic() + after
    asked: list[float] = []

    def cancelled() -> bool:
        if monotonic() >= until:
            asked.append(monotonic())
        return bool(asked)

    plans = list(pairwise_plans(problem, 3, cancelled, effort=60.0))
    assert monotonic() - asked[0] < 0.1
    assert len(plans) == 1
    assert not plans[0].proven
    assert plans[0].gain >= 0
    for thread in threading.enumerate():
        if thread.name == "cp-sat":
            thread.join(10)
            assert not thread.is_alive()


def test_the_same_answer_again() -> None:
    problem = dense(6, 8, 800, 5)
    first, second = (list(pairwise_plans(problem, 3)) for _ in range(2))
    assert first == second
    assert len(first) == 3


# -- from a position ---------------------------------------------------------------------------


def test_two_tanks_go_in_the_order_that_gains() -> None:
    position = two_tanks()
    judge = Judge(position)
    tally = Tally(judge, Limit(), None, never)
    found = candidates(position, judge, Wishes())
    gains = {c.text: tally.value((c,)) - tally.staying for c in found}
    assert max(gains.values()) < 0
    answers = []
    for given_ in (found, found[::-1]):
        interactions = Interactions(judge, given_)
        known = synergies(tally, interactions.pairs(gains))
        answers.append([*ordered_selections(interactions, gains, known, 3)])
    assert answers[0] == answers[1]
    best = answers[0][0]
    assert [c.text for c in best] == ["T2 0402x0503-0603", "T1 0304x0404-0505"]
    assert tally.value(best) == pytest.approx(0.4349922840, abs=1e-9)


def test_only_the_best_options_of_an_afv_are_kept() -> None:
    position = two_tanks()
    judge = Judge(position)
    tally = Tally(judge, Limit(), None, never)
    interactions = Interactions(judge, candidates(position, judge, Wishes()))
    gains = {c.text: tally.value((c,)) - tally.staying for c in interactions.candidates}
    known = synergies(tally, interactions.pairs(gains))
    for each in (1, 2):
        problem, options = pairwise_problem(interactions, gains, known, each)
        assert sorted(problem.units) == sorted(["T1"] * each + ["T2"] * each)
        texts = {c.text for c in options}
        assert {"T2 0402x0503-0603", "T1 0304x0404-0505"} <= texts


def test_exits_with_room_for_one_make_rooms() -> None:
    """Two AFVs that can end in one hex where only one has room."""

    def narrow(rules: dict[str, object]) -> None:
        rules["stacking"] = {"limit": 1}

    position = situation(
        red("T1", "tank", "0304", "SE"),
        red("T2", "tank", "0403", "S"),
        blue("R1", "squad", "0404"),
        rules=narrow,
    )
    judge = Judge(position)
    tally = Tally(judge, Limit(), None, never)
    interactions = Interactions(judge, candidates(position, judge, Wishes()))
    gains = {c.text: tally.value((c,)) - tally.staying for c in interactions.candidates}
    problem, options = pairwise_problem(interactions, gains, {}, 50)
    assert problem.rooms
    for room_ in problem.rooms:
        (end,) = {options[i].move.path[-1] for i in (*room_.moves, *room_.arriving)}
        assert position.board.name(end)
        assert room_.left == (0 if not position.standing.get(end) else -1)
        assert set(room_.arriving.values()) <= {1}
