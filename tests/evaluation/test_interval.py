"""Both ends of an interval against the exact value, with so little room that it takes every kind of
change; and what is told of plans whose statuses do not all fit."""

from __future__ import annotations

import random
from collections import Counter
from statistics import median

import pytest

from benchmarks.generated import position as generated
from benchmarks.plans import worth_at_stake
from evaluation import backward, forward, freed
from evaluation.backward import TooManyStatesError
from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.easing import Game
from evaluation.effects import Effects
from evaluation.freed import Freed
from evaluation.interval import bounds
from evaluation.restricted import Restricted
from evaluation.script import Field, Move
from evaluation.size import crowds
from evaluation.value import Defence, Evaluation, Evaluator
from evaluation.worth import Losses
from planner.game.position import Position
from planner.search.exposure import field as field_of
from planner.search.exposure import script
from planner.search.lines import lines
from tests.evaluation.fights import at, drive, enter, field, mine, overrun, theirs
from tests.evaluation.test_obvious import draw

ROOMS = (2, 8, 20, 60)
SAME = 1e-9
WEIGHTS = (1.0, 0.0, 0.5, 2.0)


def most_states(known: Field, moves: list[Move]) -> int:
    effects = Effects(known.rules)
    compiler = Compiler(known, effects, Losses(known), Defence.BEST, keep=False)
    points = crowds(build(compiler, moves), len(effects.statuses))
    return max((point.states for point in points), default=1)


def check(known: Field, moves: list[Move], own_loss: float, rooms: tuple[int, ...]) -> float:
    """Compare on one plan; the width of the last interval."""
    exact = Evaluator(known, own_loss).value(moves)
    width = 0.0
    for room in rooms:
        low, high = bounds(known, own_loss, moves, room)
        assert low <= exact + SAME
        assert high >= exact - SAME
        width = high - low
        if room >= most_states(known, moves):
            assert width < SAME
    return width


# Fights of one to three AFVs, with all that the rules have, and hardly any room.


@pytest.mark.parametrize("own_loss", WEIGHTS)
def test_the_exact_value_lies_between(own_loss: float) -> None:
    widths = [check(*draw(seed), own_loss, ROOMS[::-1]) for seed in range(60)]
    assert sum(width > SAME for width in widths) > 25


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(0, 4000, 100))
def test_the_exact_value_lies_between_slow(seed: int) -> None:
    for number in range(seed, seed + 100):
        check(*draw(number), WEIGHTS[number % 4], ROOMS)


# Plans of whole companies, which are as long as they are in earnest.


def random_plan(size: str, seed: int) -> tuple[Position, Field, list[Move]]:
    """One line of each AFV, in any order."""
    position = generated(size, seed)
    rng = random.Random(f"interval/{seed}")
    by_unit: dict[str, list[Move]] = {}
    for line in lines(position):
        by_unit.setdefault(line.unit, []).append(script(position, line.move))
    moves = [rng.choice(found) for _, found in sorted(by_unit.items())]
    rng.shuffle(moves)
    return position, field_of(position), moves


@pytest.mark.slow
def test_companies_with_little_room() -> None:
    """With a third of the states: both ends hold, by changed games and not for want of moves, and
    the interval is narrow beside what is at stake."""
    shares, kinds = [], Counter[str]()
    for seed in range(24):
        position, known, moves = random_plan("company", seed)
        room = most_states(known, moves) // 3
        if room < 500:
            continue
        width = check(known, moves, 1.0, (room,))
        shares.append(width / worth_at_stake(position))
        for kind in (Freed, Restricted):
            game: Game = kind(known, 1.0, moves)
            game.end(room)
            kinds[f"{kind.__name__}{', cut short' if game.left_out else ''}"] += 1
    assert len(shares) >= 6
    assert median(shares) < 0.02
    assert kinds["Freed"] >= 4
    assert kinds["Restricted"] == len(shares)
    print(f"{len(shares)} plans, median width {median(shares):.2%} of the worth at stake; {kinds}")


@pytest.mark.slow
@pytest.mark.parametrize("size", ["platoon", "company", "battalion"])
def test_generated_positions_with_little_room_slow(size: str) -> None:
    for seed in range(40):
        _, known, moves = random_plan(size, seed)
        most = most_states(known, moves)
        if most < 3_000_000:
            check(known, moves, WEIGHTS[seed % 4], (most // 2, most // 4, most // 20))


# By hand.


def three_tanks() -> tuple[Field, list[Move]]:
    """Each of two guns may fire at the first tank or at one of the others: what both have done at
    the first must be known when the second comes."""
    known = field(
        mine("T1"),
        mine("T2", place="there"),
        mine("T3", place="far"),
        theirs("G"),
        theirs("H", place="hill"),
    )
    return known, [
        drive("T1", enter("a", at("H")), enter("a2", at("G"))),
        drive("T2", enter("b", at("H"))),
        drive("T3", enter("c", at("G"))),
    ]


def test_prices_make_up_for_the_second_shot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The freed gun fires at both tanks; that it must pay for a shot takes that away again."""
    known, moves = three_tanks()
    one, exact = (Evaluator(known).value(plan) for plan in (moves[1:2], moves))
    assert exact == pytest.approx(2 * one)
    assert most_states(known, moves) == 16
    game = Freed(known, 1.0, moves)
    assert game.end(8) == pytest.approx(exact, abs=1e-5)
    assert not game.left_out
    monkeypatch.setattr(freed, "MOST_PRICED", 0)
    assert Freed(known, 1.0, moves).end(8) == pytest.approx(3 * one)


def test_the_restricted_gun_fires_at_one_tank_only() -> None:
    known, moves = three_tanks()
    game = Restricted(known, 1.0, moves)
    assert game.end(8) == pytest.approx(Evaluator(known).value(moves))
    assert not game.left_out


def test_a_plan_without_room_is_worth_what_is_at_stake() -> None:
    """Nothing fits: from the tank and all that it may strike lost, to the gun lost for nothing."""
    known = field(mine("T1"), theirs("G"))
    low, high = bounds(known, 0.5, [overrun("T1", enter("near", at("G")))], 1)
    assert low == pytest.approx(-12.0 - 0.5 * 10.0)
    assert high == pytest.approx(12.0)


# Through the front door.


def crowded() -> tuple[Field, list[Move]]:
    """Two tanks overrun two nests under fire of a third, another tank has nothing to do with it."""
    known = field(
        mine("T1"),
        mine("T2", place="there"),
        mine("T3", place="far"),
        theirs("G1"),
        theirs("G2", place="post"),
        theirs("G3", place="hill"),
        theirs("H", place="mound"),
    )
    moves = [
        overrun("T1", enter("near", at("G1"), at("G2"), at("H"))),
        overrun("T2", enter("by", at("G1"), at("G2"), at("H")), target="post", exit_="out"),
        drive("T3", enter("farther", at("G3"))),
    ]
    return known, moves


def evaluated(monkeypatch: pytest.MonkeyPatch, room: int) -> tuple[Evaluation, Evaluation]:
    known, moves = crowded()
    monkeypatch.undo()
    exact = Evaluator(known).evaluate(moves)
    monkeypatch.setattr(backward, "MOST_STATES", room)
    return exact, Evaluator(known).evaluate(moves)


def test_what_does_not_fit_is_left_out_and_the_rest_told(monkeypatch: pytest.MonkeyPatch) -> None:
    inexact = 0
    for room in range(8, 64, 4):
        exact, found = evaluated(monkeypatch, room)
        assert found.value <= exact.value + SAME
        assert found.value_high >= exact.value - SAME
        if not found.exact:
            inexact += 1
            assert found.value < found.value_high
            assert found.made == (None, None, 1.0)
            assert found.stages == ((), (), exact.stages[2])
            assert found.payoff == ()
            assert found.outcomes == {name: exact.outcomes[name] for name in ("G3", "H", "T3")}
    assert inexact


def test_statuses_hex_by_hex(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value fits and all statuses at once do not: what is told is the same, piece by piece."""
    told = []
    for room in range(20, 120, 4):
        exact, found = evaluated(monkeypatch, room)
        if not found.exact or None in found.made:
            continue
        told.append(set(found.outcomes))
        assert found.made == exact.made
        assert dict(found.payoff) == pytest.approx(dict(exact.payoff))
        for name, chances in found.outcomes.items():
            assert chances == pytest.approx(exact.outcomes[name])
        for ours, wanted in zip(found.stages, exact.stages, strict=True):
            for one, other in zip(ours, wanted, strict=True):
                assert one.place == other.place
                assert dict(one.shots) == pytest.approx(dict(other.shots))
                assert one.reached == pytest.approx(other.reached)
                assert one.afv == pytest.approx(other.afv)
                assert one.struck.keys() == other.struck.keys() & set(found.outcomes)
    everybody = {"T1", "T2", "T3", "G1", "G2", "G3", "H"}
    # With more room more is told: all but one nest, then all.
    assert everybody - {"G1"} in told or everybody - {"G2"} in told
    assert told[-1] == everybody


def test_too_many_payoffs_leave_the_payoff_out(monkeypatch: pytest.MonkeyPatch) -> None:
    known, moves = crowded()
    exact = Evaluator(known).evaluate(moves)
    monkeypatch.setattr(forward, "MOST_SITUATIONS", len(exact.payoff) - 1)
    found = Evaluator(known).evaluate(moves)
    assert found.value == exact.value
    assert found.payoff == ()


def test_rules_of_thumb_have_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backward, "MOST_STATES", 4)
    known, moves = crowded()
    with pytest.raises(TooManyStatesError):
        Evaluator(known, 1.0, Defence.FIRE_AT_ONCE).evaluate(moves)
