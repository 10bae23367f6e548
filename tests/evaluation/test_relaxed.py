"""Bounds of the relaxed game: never below V or a plan, and V the same with and without them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from evaluation.adaptive import Adaptive
from evaluation.relaxed import Relaxed
from evaluation.script import Field, Move, Objective
from evaluation.units import Side
from evaluation.value import Evaluator
from planner.game.read_scenario import load
from planner.search.candidates import candidates
from planner.search.effort import Wishes
from planner.search.exposure import field, script
from planner.search.worth import Judge
from tests.proven_positions import drawn
from tests.random_positions import write_files
from tests.test_proof import crowd, door

TOLERANCE = 1e-9
SEEDS = (3, 17, 42, 61, 77, 104, 150, 205)
CELLS = (1, 64, 4096)


def by_unit(moves: Sequence[Move]) -> dict[str, list[Move]]:
    own: dict[str, list[Move]] = {}
    for move in moves:
        own.setdefault(move.unit, []).append(move)
    return own


def random_field(seed: int) -> tuple[Field, list[Move]]:
    """A random position of `tests.proven_positions` with all its candidates; objectives left out,
    as the bounds do."""
    one = drawn(seed)
    with TemporaryDirectory() as directory:
        position = load(write_files(one.scenario, one.rules, Path(directory)))
    found = candidates(position, Judge(position), Wishes())
    on = field(position)
    bare = Field(on.rules, on.units, on.stacking_limit)
    return bare, [script(position, candidate.move) for candidate in found]


def plans(of: Relaxed) -> list[tuple[int, ...]]:
    own = [[i for i, m in enumerate(of.moves) if m.unit == unit] for unit in of.units]
    return [
        plan
        for count in range(len(own) + 1)
        for units in permutations(own, count)
        for plan in product(*units)
    ]


def check(on: Field, moves: list[Move], cells: int) -> None:
    of = Relaxed(on, by_unit(moves), most_cells=cells)
    value = Adaptive(on, by_unit(moves)).value()
    assert of.value() >= value - TOLERANCE
    judge = Evaluator(on)
    some = plans(of)[:: max(1, len(plans(of)) // 150)]
    for plan in some:
        worth = judge.value([of.moves[i] for i in plan])
        for length in range(len(plan) + 1):
            beginning = of.beginning(plan[:length])
            assert beginning.bound >= worth - TOLERANCE, (plan, length)
            longer = {number: bound for bound, number in beginning.longer}
            if length < len(plan) and plan[length] in longer:
                assert longer[plan[length]] >= worth - TOLERANCE, (plan, length)
        assert of.beginning(plan).value == pytest.approx(worth, abs=TOLERANCE)
    spared = Adaptive(on, by_unit(moves), relaxed=lambda: of)
    assert spared.value() == pytest.approx(value, abs=TOLERANCE)


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("scripts", [door, crowd])
def test_bounds_of_fights_by_hand(scripts: object, cells: int) -> None:
    on, moves = scripts()  # type: ignore[operator]
    check(on, moves, cells)


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_of_random_positions(seed: int) -> None:
    on, moves = random_field(seed)
    for cells in CELLS:
        check(on, moves, cells)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300, 400))
def test_bounds_of_random_positions_slow(seed: int) -> None:
    on, moves = random_field(seed)
    for cells in CELLS:
        check(on, moves, cells)


def test_more_cells_tell_more() -> None:
    on, moves = crowd()
    bounds = [Relaxed(on, by_unit(moves), most_cells=cells).value() for cells in (1, 4096)]
    assert bounds[1] <= bounds[0] + TOLERANCE


def test_a_move_left_out_is_never_better() -> None:
    """With bounds V takes fewer tables, and the same first moves attain it."""
    on, moves = crowd()
    of = Relaxed(on, by_unit(moves))
    counted: list[int] = []
    plain = Adaptive(on, by_unit(moves), check=lambda: counted.append(0))
    value = plain.value()
    spared = Adaptive(on, by_unit(moves), relaxed=lambda: of)
    assert spared.value() == pytest.approx(value)
    for wanted in (value - TOLERANCE, value - 0.5):
        assert sorted(spared.best_first_moves(wanted)) == sorted(plain.best_first_moves(wanted))


def test_objectives_are_left_out() -> None:
    on, moves = door()
    with_one = Field(on.rules, on.units, on.stacking_limit, (Objective("far", 7.0, Side.MOVER),))
    assert Relaxed(with_one, by_unit(moves)).value() == Relaxed(on, by_unit(moves)).value()


def test_it_can_be_stopped() -> None:
    class StoppedError(Exception):
        pass

    def stop() -> None:
        raise StoppedError

    on, moves = crowd()
    of = Relaxed(on, by_unit(moves), check=stop)
    with pytest.raises(StoppedError):
        of.value()
