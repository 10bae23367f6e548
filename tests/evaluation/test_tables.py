from __future__ import annotations

import pytest

from evaluation.dice import Dice
from evaluation.tables import Change, Check, CombatTable, effect_outcomes

TABLE = CombatTable(
    (1, 4, 8),
    (4, 6, 8),
    (
        ("S", "K", "K"),
        ("-", "S", "K"),
        ("-", "-", "S"),
    ),
)


@pytest.mark.parametrize(
    ("strength", "column"),
    [(-3, None), (0, None), (0.5, None), (1, 0), (3, 0), (3.5, 0), (4, 1), (7, 1), (8, 2), (99, 2)],
)
def test_column_is_the_greatest_not_above_the_strength(strength: float, column: int | None) -> None:
    assert TABLE.column(strength) == column


@pytest.mark.parametrize(
    ("roll", "row"), [(-5, 0), (3, 0), (4, 0), (5, 0), (6, 1), (7, 1), (8, 2), (9, 2), (40, 2)]
)
def test_row_is_the_greatest_not_above_the_roll_or_the_first(roll: int, row: int) -> None:
    assert TABLE.row(roll) == row


@pytest.mark.parametrize(
    ("strength", "roll", "result"),
    [
        (0, 2, "-"),  # below the first column nothing happens, whatever the roll
        (1, 2, "S"),
        (1, 5, "S"),
        (1, 6, "-"),
        (3, 5, "S"),
        (4, 5, "K"),
        (4, 6, "S"),
        (8, 7, "K"),
        (8, 8, "S"),
    ],
)
def test_result(strength: int, roll: int, result: str) -> None:
    assert TABLE.result(strength, roll) == result


@pytest.mark.parametrize(
    ("strength", "modifier", "ways"),
    [
        (0, 0, {"-": 36}),
        (4, 0, {"K": 10, "S": 11, "-": 15}),
        (4, 1, {"K": 6, "S": 9, "-": 21}),  # more is worse
        (4, -1, {"K": 15, "S": 11, "-": 10}),
        (4, -20, {"K": 36}),
        (4, 20, {"-": 36}),
        (8, 0, {"K": 21, "S": 15}),
    ],
)
def test_results_by_hand(strength: int, modifier: int, ways: dict[str, int]) -> None:
    found = TABLE.results(strength, modifier, Dice(2, 6))
    assert found == tuple((result, ways[result] / 36) for result in sorted(ways))


HURT = Change({"ready": "down"})
KILLED = Change({"ready": "dead", "down": "dead"})


@pytest.mark.parametrize(
    ("effect", "status", "ratings", "outcomes"),
    [
        (HURT, "ready", {}, {"down": 36}),
        (HURT, "down", {}, {"down": 36}),  # a status that the effect does not name stays
        (Check("morale", 0, Change({}), HURT), "ready", {"morale": 6}, {"ready": 15, "down": 21}),
        (Check("morale", 0, Change({}), HURT), "ready", {"morale": 7}, {"ready": 21, "down": 15}),
        (Check("morale", -1, Change({}), HURT), "ready", {"morale": 7}, {"ready": 15, "down": 21}),
        (Check("morale", 1, Change({}), HURT), "ready", {"morale": 6}, {"ready": 21, "down": 15}),
        (Check("morale", 0, Change({}), HURT), "ready", {"morale": 1}, {"down": 36}),  # none passes
        (Check("morale", 0, Change({}), HURT), "ready", {"morale": 12}, {"ready": 36}),
        (Check("morale", 0, Change({}), HURT), "down", {"morale": 7}, {"down": 36}),
        (
            Check("crew", 0, HURT, KILLED),
            "ready",
            {"morale": 2, "crew": 7},
            {"down": 21, "dead": 15},
        ),
    ],
)
def test_effects_and_checks(
    effect: Change | Check, status: str, ratings: dict[str, int], outcomes: dict[str, int]
) -> None:
    found = effect_outcomes(effect, status, ratings, Dice(2, 6))
    assert [name for name, _ in found] == sorted(outcomes)
    assert dict(found) == pytest.approx({name: ways / 36 for name, ways in outcomes.items()})


def test_a_check_inside_a_check_is_thrown_anew() -> None:
    inner = Check("crew", 0, passed=HURT, failed=KILLED)
    outer = Check("morale", 0, passed=Change({}), failed=inner)
    found = dict(effect_outcomes(outer, "ready", {"morale": 7, "crew": 5}, Dice(2, 6)))
    assert found == pytest.approx(
        {"ready": 21 / 36, "down": 15 / 36 * 10 / 36, "dead": 15 / 36 * 26 / 36}
    )


def test_a_check_needs_the_rating_it_names() -> None:
    with pytest.raises(KeyError, match="morale"):
        effect_outcomes(Check("morale", 0, Change({}), HURT), "ready", {"crew": 7}, Dice(2, 6))
