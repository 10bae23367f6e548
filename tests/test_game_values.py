"""Game and planner agree: written moves played out action by action, the defender taking the best
of fire and hold in every window, are worth what the yardstick says they are."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from planner.game.notation import parse_move
from planner.game.read_scenario import load
from planner.search.worth import evaluate
from tests.gaming import PlanTree, from_tables
from tests.random_positions import random_plan, random_scenario
from tests.situations import two_tanks
from tests.twin.state import Facts

FAST = range(16)
SLOW = range(100, 700)


def compare(seed: int, directory: Path) -> None:
    scenario, rules = random_scenario(seed)
    texts = [move.text for move in random_plan(seed, Facts(scenario, rules))]
    position = load(from_tables(scenario, rules, directory))
    moves = tuple(parse_move(position, text) for text in texts)
    own_loss = random.Random(f"weight/{seed}").choice([1.0, 1.0, 0.5, 1.75])
    got = PlanTree(position, own_loss).value(moves)
    want = evaluate(position, moves, own_loss).value
    assert got == pytest.approx(want, abs=1e-9), f"seed {seed}: {texts}"


@pytest.mark.parametrize("seed", FAST)
def test_a_plan_played_out_is_worth_its_value(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_many_plans_played_out_are_worth_their_values(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        ((), 0.0),
        (("T1 0304x0404-0505", "T2 0402x0503-0603"), -0.202428),
        (("T2 0402x0503-0603", "T1 0304x0404-0505"), 0.434992),
        (("T1 0304x0404-0505",), -0.161919),
        (("T2 0402x0503-0603",), -3.262731),
    ],
)
def test_the_case_of_the_model_page(texts: tuple[str, ...], value: float) -> None:
    """Figures as the model page has them."""
    position = two_tanks()
    moves = tuple(parse_move(position, text) for text in texts)
    assert PlanTree(position, 1.0).value(moves) == pytest.approx(value, abs=1e-6)
