"""The list of the best plans: what its rows differ in, how they are ranked, how well known."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from planner.game.hexes import Direction, Hex
from planner.game.moves import PlannedMove
from planner.game.notation import parse_move
from planner.game.position import Position
from planner.search.candidates import candidates
from planner.search.effort import Limit, Wishes
from planner.search.plan import Differ, RankedPlan, plan
from planner.search.proof import PROVED
from planner.search.tally import BETTER
from planner.search.worth import Judge
from tests.every_move import Drawn, drawn, plans
from tests.situations import blue, red, situation, two_tanks
from tests.test_strategy import field_of_trucks, texts

Overruns = frozenset[tuple[str, Hex, Direction | None]]


def overruns(one: RankedPlan) -> Overruns:
    return frozenset(
        (move.unit, move.target_hex, move.target_hex.direction_to(move.path[-1]))
        for move in one.moves
        if move.target_hex is not None
    )


@pytest.mark.parametrize("differ", Differ)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_n_best(count: int, differ: Differ) -> None:
    position = field_of_trucks()
    found = plan(position, plans=count, differ=differ)
    assert len(found.plans) == count
    values = [one.value for one in found.plans]
    assert values == sorted(values, reverse=True)
    assert len({one.moves for one in found.plans}) == count
    judge = Judge(position)
    for one in found.plans:
        assert judge.value(one.moves) == pytest.approx(one.value)


def test_what_plans_differ_in() -> None:
    position = field_of_trucks()
    by_overruns = plan(position, plans=20).plans
    by_moves = plan(position, plans=20, differ=Differ.MOVES).plans
    assert len({overruns(one) for one in by_overruns}) == len(by_overruns) == 20
    assert len({one.moves for one in by_moves}) == len(by_moves) == 20
    assert len({overruns(one) for one in by_moves}) < 20
    # The best of each set of overruns is the first of those moves that make them.
    first: dict[Overruns, tuple[PlannedMove, ...]] = {}
    for one in by_moves:
        first.setdefault(overruns(one), one.moves)
    shared = [one.moves for one in by_overruns if overruns(one) in first]
    assert shared == list(first.values())


def test_ties_go_to_fewer_moves_then_to_text_order() -> None:
    position = field_of_trucks()
    found = plan(position, plans=40, differ=Differ.MOVES).plans
    ranks = [(-round(one.value, 9), len(one.moves), texts(position, one)) for one in found]
    assert ranks == sorted(ranks)
    assert any(one[0] == other[0] for one, other in pairwise(ranks))


def test_no_plan_is_offered_that_is_worse_than_staying() -> None:
    found = plan(two_tanks(), plans=50)
    assert found.plans[-1].moves == ()
    assert min(one.value for one in found.plans) == 0


def test_each_row_says_how_well_it_is_known() -> None:
    """No plan is worth more than the bound of the first row; the first is proved to be the best."""
    found = plan(field_of_trucks(), plans=6).plans
    best = found[0]
    assert (best.status, best.proved) == ("optimal", True)
    for one in found:
        assert one.bound is not None
        assert one.value <= one.bound <= best.value + PROVED
        assert one.proved == (one.bound <= one.value + PROVED)
        assert (one.status == "optimal") == (one.value >= best.value - PROVED)
        assert one.proof_over == best.proof_over


def test_without_a_bound_nothing_is_proved() -> None:
    found = plan(two_tanks(), Limit(work=1), plans=3).plans
    assert [(one.status, one.bound, one.proved) for one in found] == [("feasible", None, False)]


def every_plan(one: Drawn) -> list[tuple[float, tuple[PlannedMove, ...]]]:
    """Every ordered plan of the candidates that is better than staying and than the same without
    any one of its moves, with its value, and staying itself."""
    kept: dict[str, list[str]] = {}
    for candidate in candidates(one.position, one.judge, Wishes()):
        kept.setdefault(candidate.move.unit, []).append(candidate.text)
    listed = [(), *plans(kept, 10**6, random.Random(0))]
    read = [tuple(parse_move(one.position, text) for text in texts) for texts in listed]
    values = {moves: one.judge.value(moves) for moves in read}
    return [
        (value, moves)
        for moves, value in values.items()
        if not moves
        or value
        > max(values[()] + PROVED, *(values[tuple(m for m in moves if m is not x)] for x in moves))
        + BETTER
    ]


def compare(seed: int, directory: Path) -> int:
    """The n best of all plans, and of each set of overruns the best, are those listed, and proved;
    how many rows."""
    one = drawn(seed, directory)
    rows = every_plan(one)
    count = 0
    for differ in Differ:
        best: dict[object, float] = {}
        for value, moves in rows:
            key = moves if differ is Differ.MOVES else overruns(RankedPlan(moves, value))
            best[key] = max(value, best.get(key, value))
        wanted = sorted(best.values(), reverse=True)[:8]
        found = plan(one.position, own_loss=one.own_loss, plans=8, differ=differ).plans
        assert [one.value for one in found] == pytest.approx(wanted, abs=1e-6)
        assert all(one.proved for one in found)
        count += len(found)
    return count


@pytest.mark.parametrize("seed", [200, 201, 204, 206, 212, 215])
def test_the_n_best_of_every_plan(seed: int, tmp_path: Path) -> None:
    assert compare(seed, tmp_path) > 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_the_n_best_of_every_plan_slow(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


def one_squad() -> Position:
    """One tank, one squad, and two routes to one of the lines."""
    return situation(red("T1", "tank", "0303", "SE"), blue("S1", "squad", "0505"))


@pytest.mark.parametrize("wishes", [Wishes(), Wishes(only=frozenset({"T1"}))])
def test_counts_are_given_when_asked_for(wishes: Wishes) -> None:
    position = one_squad()
    assert plan(position, wishes=wishes).kept is None
    found = plan(position, wishes=wishes, counts=True)
    assert found.kept is not None
    assert found.kept.kept == found.candidates
    assert found.kept.of is not None
    assert found.kept.of > found.kept.kept


def test_no_counts_before_all_moves_were_found() -> None:
    assert plan(one_squad(), Limit(work=0), counts=True).kept is None
