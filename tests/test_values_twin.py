"""The evaluator against the slow twin, from the same files: values, outcomes, payoffs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from evaluation.value import Defence, Evaluation
from planner.game.notation import parse_move
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.search.worth import Judge
from tests.random_positions import random_plan, random_scenario, write_files
from tests.twin.play import Outcome, Play
from tests.twin.state import Facts

FAST = range(120)
SLOW = range(1000, 3000)
LARGEST_TWIN = 6  # enemy units that the twin's full tree still bears with


def compare(seed: int, directory: Path) -> int:
    """One random position and plan, every defence; returns the number of moves compared."""
    rng = random.Random(f"values/{seed}")
    scenario, rules = random_scenario(
        seed,
        orientation=("flat", "pointy")[seed % 2],
        offset=("odd", "even")[seed // 2 % 2],
        enemies=rng.randint(1, LARGEST_TWIN),
        min_lines=1,
    )
    own_loss = rng.choice([1.0, 1.0, 0.5, 1.75])
    facts = Facts(scenario, rules, own_loss)
    plan = random_plan(seed, facts)
    texts = [move.text for move in plan]
    position = load(write_files(scenario, rules, directory))
    for defence in Defence:
        judge = Judge(position, own_loss, defence)
        moves = [parse_move(position, text) for text in texts]
        want = Play(facts).outcome(plan, defence.value)
        evaluation = judge.evaluate(moves)
        where = f"seed {seed}, {defence.value}, {texts}"
        assert judge.value(moves) == pytest.approx(want.value, abs=1e-9), where
        assert_same(evaluation, want, where)
    assert_order_is_nothing(position, directory, texts)
    return len(texts)


def assert_same(evaluation: Evaluation, want: Outcome, where: str) -> None:
    assert evaluation.value == pytest.approx(want.value, abs=1e-9), where
    for unit, chances in want.statuses.items():
        got = {status: p for status, p in evaluation.outcomes[unit].items() if p > 1e-12}
        assert got == pytest.approx({s: p for s, p in chances.items() if p > 1e-12}, abs=1e-9), (
            f"{where}: {unit}"
        )
    got_payoff = [(payoff, p) for payoff, p in evaluation.payoff if p > 1e-12]
    want_payoff = [(payoff, p) for payoff, p in want.payoff if p > 1e-12]
    assert len(got_payoff) == len(want_payoff), where
    for (payoff, p), (other, q) in zip(got_payoff, want_payoff, strict=True):
        assert payoff == pytest.approx(other, abs=1e-8), where
        assert p == pytest.approx(q, abs=1e-9), where


def assert_order_is_nothing(position: Position, directory: Path, texts: list[str]) -> None:
    """The expected payoff is the mean of its distribution, and every chance adds up to 1."""
    evaluation = Judge(position).evaluate([parse_move(position, text) for text in texts])
    mean = sum(payoff * p for payoff, p in evaluation.payoff)
    assert mean == pytest.approx(evaluation.value, abs=1e-7)
    for chances in evaluation.outcomes.values():
        assert sum(chances.values()) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("seed", FAST)
def test_values_and_outcomes_as_the_twin(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_values_and_outcomes_as_the_twin_slow(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)
