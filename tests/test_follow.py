"""What follows the next move, as a player would say it: worked out by hand and on random ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from evaluation.adaptive import Adaptive, FollowUp
from planner.game.notation import format_move
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.search import follow
from planner.search.candidates import candidates
from planner.search.effort import Wishes
from planner.search.exposure import field, script
from planner.search.follow import Branch, Condition, branches
from planner.search.plan import plan
from planner.search.worth import Judge
from tests.proven_positions import FAST, drawn
from tests.random_positions import write_files
from tests.situations import blue, red, situation, two_tanks

OUT = Fraction(10, 36)
"""The tank's attack eliminates on 5 or less; on 6 to 9 it suppresses."""
DOWN = Fraction(20, 36)
AGAIN = (DOWN * Fraction(9, 4) * OUT + (1 - OUT - DOWN) * (3 * OUT + DOWN * Fraction(3, 4))) / (
    1 - OUT
)
"""What a second attack on a squad gains that the first has not eliminated."""


def adaptive(position: Position, own_loss: float = 1.0) -> Adaptive:
    listed = candidates(position, Judge(position, own_loss), Wishes())
    moves: dict[str, list[object]] = {}
    for one in listed:
        moves.setdefault(one.move.unit, []).append(script(position, one.move))
    return Adaptive(field(position), moves, own_loss)  # type: ignore[arg-type]


def told(position: Position, own_loss: float = 1.0) -> list[tuple[str, float, str | None, float]]:
    """What follows the next move: conditions, probability, move, value to come."""
    return [
        (
            " and ".join(one.conditions),
            one.probability,
            None if one.move is None else format_move(position, one.move),
            one.value,
        )
        for one in plan(position, own_loss=own_loss).position.then
    ]


def near(number: Fraction | float) -> object:
    return pytest.approx(float(number), abs=1e-9)


# What is said.


@pytest.mark.parametrize(
    ("holds", "said"), [(True, "G1 able to fire"), (False, "G1 not able to fire")]
)
def test_a_condition_in_words(holds: bool, said: str) -> None:
    assert str(Condition("G1", "able to fire", holds)) == said


def test_afvs_that_do_not_bear_on_the_one_that_moves_are_not_spoken_of() -> None:
    """A tank at each end of the map, next to a truck: T2's line is worth as much in any case."""
    position = situation(
        red("T1", "tank", "0102", "S"),
        blue("V1", "truck", "0103"),
        red("T2", "tank", "0802", "S"),
        blue("V2", "truck", "0803"),
        terrain="\n".join([". . . m m . . ."] * 6),
    )
    assert told(position) == [("", near(1), None, 0.0)]
    assert plan(position).position.low == near(2 * 2 * OUT)


def test_what_worse_replies_lead_to_is_told_with_no_chance() -> None:
    """The gun fires at T2, in every case if it replies best; should it not, T1 had better stop."""
    rows = told(two_tanks())
    assert sum(p for _, p, move, _ in rows if move == "T1 0304x0404-0505") == near(1)
    assert all(p == near(0) for _, p, move, _ in rows if move is None)


def clearing() -> Position:
    """The squad in 0404 bars the way to the truck in 0403: T2 goes for the truck once T1 has
    cleared it, else for the squad."""
    return situation(
        red("T1", "tank", "0303", "SE"),
        red("T2", "tank", "0405", "N"),
        blue("S1", "squad", "0404"),
        blue("V1", "truck", "0403"),
    )


def test_one_move_if_the_squad_is_out_another_if_not() -> None:
    """The truck is worth 2; the squad ready 3 (or 0.75 for suppressing it), suppressed 2.25."""
    assert told(clearing()) == [
        ("S1 not out", near(1 - OUT), "T2 0305x0404-0504", near(AGAIN)),
        ("S1 out", near(OUT), "T2 0404x0403-0402", near(2 * OUT)),
    ]


def at_hand() -> Position:
    """Both tanks stand next to the squad; nothing else is to be had."""
    return situation(
        red("T1", "tank", "0403", "S", movement_used=3),
        red("T2", "tank", "0305", "NE", movement_used=4),
        blue("S1", "squad", "0404"),
    )


def test_to_stop_is_said_too() -> None:
    assert told(at_hand()) == [
        ("S1 not out", near(1 - OUT), "T2 x0404-0504", near(AGAIN)),
        ("S1 out", near(OUT), None, 0.0),
    ]


def afraid() -> Position:
    """T2 minds the gun's last shot so much that it strikes the gun only when that is suppressed:
    neither when it is as it was, nor, of course, when it is gone."""
    return situation(
        red("T1", "tank", "0503", "SW"),
        red("T2", "light_tank", "0105", "NE", movement_used=2),
        blue("G1", "at_gun", "0404", "SW"),
        blue("V1", "truck", "0305"),
    )


def test_a_status_is_asked_for_where_that_tells_more() -> None:
    rows = [row for row in told(afraid(), own_loss=6.0) if row[1] > 1e-9]
    assert [(row[0].split(" and ")[0], *row[1:3]) for row in rows] == [
        ("G1 suppressed", near(DOWN), "T2 0204-0304x0404-0505"),
        ("G1 not suppressed", near(1 - DOWN), "T2 0204-0304x0305-0306"),
    ]
    # Suppressed the gun is worth 9 more; the truck is worth 2, and nobody has anything to fear.
    assert [row[3] for row in rows] == [near(9 * OUT), near(2 * OUT)]


# On random positions: every situation is in one branch, with its own best move.


def position_of(seed: int) -> tuple[Position, float]:
    one = drawn(seed)
    with TemporaryDirectory() as directory:
        return load(write_files(one.scenario, one.rules, Path(directory))), one.own_loss


def rows_of(position: Position, of: Adaptive, number: int, branch: Branch) -> list[FollowUp]:
    """The situations that meet a branch's conditions."""
    rows = of.follow_ups(number)
    tests = {(unit, what): test for unit, what, test in follow._questions(position, of, rows)}
    return [
        row for row in rows if all(tests[c.unit, c.what](row) == c.holds for c in branch.conditions)
    ]


@pytest.mark.parametrize("seed", FAST[:10])
def test_each_situation_is_in_one_branch_with_its_best_move(seed: int) -> None:
    position, own_loss = position_of(seed)
    of = adaptive(position, own_loss)
    tried = 0
    for value, number in sorted(of.first_moves(), reverse=True)[:4]:
        if value == float("-inf"):
            continue
        rows = of.follow_ups(number)
        found = branches(position, of, number)
        parts = [rows_of(position, of, number, branch) for branch in found]
        assert sum(len(part) for part in parts) == len(rows)
        for branch, part in zip(found, parts, strict=True):
            total = sum(row.probability for row in part)
            assert {row.best for row in part} == {branch.move}
            assert branch.probability == near(total)
            assert total * branch.value == near(sum(r.probability * r.value for r in part))
        assert sum(branch.probability for branch in found) == near(1)
        assert len(found) >= len({row.best for row in rows})
        assert [b.probability for b in found] == sorted(
            (b.probability for b in found), reverse=True
        )
        tried += 1
    assert tried


# Questions: the simplest that tells most.


def numbered(rows: Sequence[tuple[float, int | None, int]]) -> list[FollowUp]:
    """Situations with a number each: probability, best move, number."""
    return [FollowUp(p, {("stand", "T1"): n}, best, 1.0 + n) for p, best, n in rows]


def question(name: str, *numbers: int) -> tuple[str, str, follow.Test]:
    return name, "there", lambda row: row.situation["stand", "T1"] in numbers


def test_no_question_where_the_answer_is_the_same() -> None:
    rows = numbered([(0.25, 3, 0), (0.75, 3, 1)])
    assert list(follow._split(rows, [question("A", 0)], ())) == [
        Branch((), 1.0, 3, 0.25 * 1 + 0.75 * 2)
    ]


def test_the_question_that_tells_most_comes_first() -> None:
    rows = numbered([(0.2, 1, 0), (0.3, 1, 1), (0.4, 2, 2), (0.1, 2, 3)])
    asked = [question("A", 0), question("B", 0, 1), question("C", 3)]
    assert list(follow._split(rows, asked, ())) == [
        Branch((Condition("B", "there", True),), 0.5, 1, near(1.6)),  # type: ignore[arg-type]
        Branch((Condition("B", "there", False),), 0.5, 2, near(3.2)),  # type: ignore[arg-type]
    ]


def test_of_equal_questions_the_first() -> None:
    rows = numbered([(0.5, 1, 0), (0.5, None, 1)])
    first, *_ = follow._split(rows, [question("A", 0), question("B", 1)], ())
    assert first.conditions == (Condition("A", "there", True),)


def test_questions_go_on_until_one_move_is_left() -> None:
    rows = numbered([(0.5, 1, 0), (0.25, 2, 1), (0.25, None, 2)])
    found = list(follow._split(rows, [question("A", 0), question("B", 1)], ()))
    assert [(len(b.conditions), b.move, b.probability) for b in found] == [
        (1, 1, 0.5),
        (2, 2, 0.25),
        (2, None, 0.25),
    ]


def test_a_question_with_one_answer_is_not_asked() -> None:
    rows = numbered([(0.5, 1, 0), (0.5, 2, 1)])
    found = list(follow._split(rows, [question("A", 0, 1), question("B", 9), question("C", 1)], ()))
    assert {b.conditions[0].unit for b in found} == {"C"}
