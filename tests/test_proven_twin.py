"""What the search proves, against every ordered plan and the value of the position by the twin."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from planner.game.notation import format_move
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.search.candidates import candidates
from planner.search.certify import Follow
from planner.search.effort import Limit, Wishes
from planner.search.interactions import Interactions
from planner.search.plan import PlanResult, plan
from planner.search.proof import PROVED
from planner.search.worth import Judge
from tests.answers import ask
from tests.every_plan import EveryPlan, Left, TooLongError, distinct, every_move
from tests.proven_positions import (
    FAST,
    SLOW,
    Drawn,
    bear_on_each_other,
    drawn,
    only_together,
    order_matters,
)
from tests.random_positions import random_scenario, write_files
from tests.twin.play import Play, Situation, Turn
from tests.twin.state import Facts, State

EXACT = 1e-9


class Case(NamedTuple):
    """A position as the twin and as the program read it."""

    drawn: Drawn
    facts: Facts
    every: EveryPlan
    position: Position


@lru_cache(maxsize=1)
def case(seed: int) -> Case:
    one = drawn(seed)
    facts = one.facts
    with TemporaryDirectory() as directory:
        position = load(write_files(one.scenario, one.rules, Path(directory)))
    return Case(one, facts, EveryPlan(facts, distinct(facts, every_move(facts))), position)


# The oracle itself: the same values as the twin's own recursion, shortcut by nothing.


def small(seed: int) -> Facts:
    """A position small enough for the twin's recursion over all its moves."""
    rng = random.Random(f"small/{seed}")
    scenario, rules = random_scenario(
        seed,
        stacking=(1, 2)[seed % 2],
        afvs=2,
        enemies=rng.randint(1, 3),
        columns=4,
        rows=4,
        objectives=seed % 3 == 0,
        min_lines=2,
    )
    rules["overrun"]["movement_points"] = 0
    for unit in scenario["units"]:
        kind = rules["types"][unit["type"]]
        if unit["side"] == "red" and kind["kind"] == "afv":
            unit["movement_used"] = kind["movement"] - min(kind["movement"], 3)
    return Facts(scenario, rules, rng.choice([1.0, 0.5]))


@pytest.mark.parametrize("seed", range(8))
def test_every_plan_is_worth_what_the_twin_says(seed: int) -> None:
    facts = small(seed)
    every, play = EveryPlan(facts, distinct(facts, every_move(facts))), Play(facts)
    assert every.position_value == pytest.approx(play.position_value(), abs=EXACT)
    rng = random.Random(seed)
    for way in rng.sample(list(every.plans), min(60, len(every.plans))):
        assert every.plans[way] == pytest.approx(play.plan_value(way), abs=EXACT), way


@pytest.mark.parametrize("seed", range(8))
def test_no_plan_of_all_moves_is_worth_more_than_of_the_distinct_ones(seed: int) -> None:
    facts = small(seed)
    every, play = EveryPlan(facts, distinct(facts, every_move(facts))), Play(facts)
    moves = every_move(facts)
    rng = random.Random(seed)
    best = max(every.plans.values())
    for _ in range(60):
        units = rng.sample(sorted(moves), len(moves))
        value = play.plan_value([rng.choice(moves[unit]) for unit in units])
        assert value <= best + EXACT


def test_a_walk_that_is_too_long_is_broken_off() -> None:
    facts = small(0)
    every = EveryPlan(facts, every_move(facts), most_nodes=3)
    with pytest.raises(TooLongError):
        every.start  # noqa: B018


# Plan and position.


def text(one: Case, moves: Iterable[object]) -> tuple[str, ...]:
    return tuple(format_move(one.position, move) for move in moves)  # type: ignore[arg-type]


def check_proved(one: Case, found: PlanResult) -> None:
    """The best plan is one of the best of all, the value of the position is V."""
    best = max(one.every.plans.values())
    first = found.plans[0]
    assert found.finished
    assert first.status == "optimal"
    assert first.exact
    assert first.value == pytest.approx(best, abs=EXACT)
    assert first.bound == pytest.approx(first.value, abs=PROVED)
    assert one.every.plan_value(text(one, first.moves)) == pytest.approx(best, abs=EXACT)
    value = one.every.position_value
    assert found.position.exact
    assert found.position.low == pytest.approx(value, abs=EXACT)
    assert found.position.high == pytest.approx(value, abs=EXACT)
    assert value >= best - EXACT


def check_next_move(one: Case, found: PlanResult) -> None:
    """The next move attains V, and what follows is best in every situation that may come of it."""
    every, move = one.every, found.position.move
    if move is None:
        assert every.position_value == pytest.approx(every.plans[()], abs=EXACT)
        assert found.position.then == ()
        return
    (name,) = text(one, [move])
    others = tuple(unit for unit in every.everybody if unit != move.unit)
    assert every.legal(one.facts.start, name)
    made = every.plan_value([name], others)
    assert made == pytest.approx(every.position_value, abs=EXACT)
    check_branches(one, name, partners(one, move.unit), found.position.then)


def partners(one: Case, unit: str) -> Left:
    """The other AFVs that bear on one: the branches speak of these."""
    judge = Judge(one.position, one.drawn.own_loss)
    listed = candidates(one.position, judge, Wishes())
    (group,) = (g for g in Interactions(judge, listed).components() if unit in g)
    return tuple(sorted(other for other in group if other != unit))


def check_branches(one: Case, name: str, left: Left, then: Sequence[Follow]) -> None:
    every = one.every
    bare = Facts({**one.drawn.scenario, "objectives": []}, one.drawn.rules, one.drawn.own_loss)
    chances, values = dict.fromkeys(then, 0.0), dict.fromkeys(then, 0.0)
    likely = {state: chance for chance, state in every.after(name, left)}
    for state in every.possible(name):
        here = [f for f in then if all(meets(one.facts, state, c) for c in f.conditions)]
        assert len(here) == 1, (name, state, here)
        (branch,) = here
        best = float(every.values(left, state)[0])
        if branch.move is None:
            then_made = float(every.values((), state)[0])
        else:
            (following,) = text(one, [branch.move])
            assert every.legal(state, following)
            rest = tuple(unit for unit in left if unit != branch.move.unit)
            agenda = (Turn(every.read(following)),)
            then_made = float(every.walk(rest, Situation(state, agenda))[0])
        assert then_made == pytest.approx(best, abs=EXACT), (name, branch, state)
        chance = likely.pop(state, 0.0)
        chances[branch] += chance
        values[branch] += chance * (best - bare.payoff(state))
    assert not likely
    for branch in then:
        assert chances[branch] == pytest.approx(branch.probability, abs=EXACT)
        assert values[branch] == pytest.approx(branch.probability * branch.value, abs=EXACT)


def meets(facts: Facts, state: State, condition: str) -> bool:
    """Whether what a branch asks for is to be seen on the table."""
    unit, what = condition.split(" ", 1)
    wanted = not what.startswith("not ")
    return wanted == _seen(facts, state, unit, what.removeprefix("not "))


def _seen(facts: Facts, state: State, unit: str, what: str) -> bool:
    if what == "out":
        return facts.removed(state, unit)
    if what == "able to fire":
        return facts.may_fire(state, unit) and unit not in state.fired
    if what == "marked with Fire":
        return unit in state.fired
    if what.startswith("out of "):
        return (unit, what.removeprefix("out of ")) in state.spent
    if what.startswith("in "):
        there = facts.place(state, unit) == what.removeprefix("in ")
        return there and not facts.removed(state, unit)
    assert what in facts.rules["status"][facts.units[unit].kind], what
    return facts.status(state, unit) == what


def check_cut_short(one: Case, full: PlanResult, works: Iterable[int]) -> None:
    """However little work: no bound below the best plan's value, no low end above V."""
    best, value = max(one.every.plans.values()), one.every.position_value
    for work in works:
        found = plan(one.position, Limit(work=work), own_loss=one.drawn.own_loss)
        assert found.work <= work
        for ranked in found.plans:
            worth = one.every.plan_value(text(one, ranked.moves))
            assert ranked.value == pytest.approx(worth, abs=EXACT)
            assert worth <= best + EXACT
        first = found.plans[0]
        if first.bound is not None:
            assert first.bound >= best - EXACT
        if first.status == "optimal":
            assert first.value == pytest.approx(best, abs=PROVED)
        assert found.position.low <= value + EXACT
        assert found.position.high is None or found.position.high >= value - EXACT
        if found.position.exact:
            assert found.position.low == pytest.approx(value, abs=EXACT)
        assert found.finished or work < full.work


def check(seed: int, works: int) -> None:
    one = case(seed)
    found = plan(one.position, own_loss=one.drawn.own_loss)
    check_proved(one, found)
    check_next_move(one, found)
    check_cut_short(one, found, _spread(found.work, works))


def _spread(work: int, count: int) -> Iterator[int]:
    """So many amounts of work, from hardly any to hardly short of all."""
    for i in range(count):
        yield 1 + (work - 2) * i // max(count - 1, 1)


@pytest.mark.parametrize("seed", FAST)
def test_proved_as_every_plan(seed: int) -> None:
    check(seed, works=2)
    assert shape(seed).only_together  # taken down while the values are at hand


@pytest.mark.slow
@pytest.mark.parametrize("seed", FAST + SLOW)
def test_proved_as_every_plan_slow(seed: int) -> None:
    check(seed, works=5)
    assert shape(seed).only_together


# What these positions are.


class Shape(NamedTuple):
    """What a position has in it; of the first two, all must be so."""

    bear_on_each_other: bool
    only_together: bool
    order_matters: bool
    seen_first_is_worth_more: bool
    two_afvs: bool
    three_afvs: bool
    flat: bool
    pointy: bool
    stacking_one: bool
    stacking_two: bool
    roll_per_hex: bool
    roll_per_unit: bool
    passengers: bool
    leaders: bool
    once_weapons: bool
    marked: bool
    own_loss_weighed: bool
    objectives: bool


@cache
def shape(seed: int) -> Shape:
    one = case(seed)
    units = one.drawn.scenario["units"]
    types = one.drawn.rules["types"]
    plans = one.every.plans
    return Shape(
        bear_on_each_other(one.facts),
        only_together(plans),
        order_matters(one.every),
        one.every.position_value > max(plans.values()) + 1e-6,
        len(one.every.everybody) == 2,
        len(one.every.everybody) == 3,
        one.drawn.scenario["map"]["orientation"] == "flat",
        one.drawn.scenario["map"]["orientation"] == "pointy",
        one.drawn.rules["stacking"]["limit"] == 1,
        one.drawn.rules["stacking"]["limit"] == 2,
        one.drawn.rules["ap"]["roll_per"] == "hex",
        one.drawn.rules["ap"]["roll_per"] == "unit",
        any(unit["side"] == "red" and "passengers" in unit for unit in units),
        any(u["side"] == "blue" and types[u["type"]]["kind"] == "leader" for u in units),
        any(w.get("once") for u in units for w in types[u["type"]].get("weapons", ())),
        any(unit.get("fired") or "status" in unit for unit in units),
        one.drawn.own_loss != 1,
        bool(one.drawn.scenario.get("objectives")),
    )


def check_shapes(seeds: Sequence[int]) -> None:
    """All seeds count, in a third the order changes the value, and everything is met with."""
    shapes = [shape(seed) for seed in seeds]
    shares = {
        name: sum(column)
        for name, column in zip(Shape._fields, zip(*shapes, strict=True), strict=True)
    }
    for name, count in shares.items():
        print(f"{name.replace('_', ' '):26}{count:5} of {len(shapes)}")
    assert shares["bear_on_each_other"] == shares["only_together"] == len(shapes)
    assert 3 * shares["order_matters"] >= len(shapes)
    assert all(shares.values())


def test_what_the_positions_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(set(FAST)) >= 30
    with capsys.disabled():
        print()
        check_shapes(FAST)


@pytest.mark.slow
def test_what_the_positions_are_slow(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(set(FAST + SLOW)) >= 300
    with capsys.disabled():
        print()
        check_shapes(FAST + SLOW)


# Same answer whatever the order of the file and the hash seed.


def test_the_same_whatever_the_order_of_units_and_the_hash_seed(tmp_path: Path) -> None:
    commands: list[list[str]] = []
    for seed in FAST[:: max(len(FAST) // 4, 1)]:
        for turn in (1, -1):
            one = drawn(seed)
            one.scenario["units"] = one.scenario["units"][::turn]
            directory = tmp_path / f"{seed}.{turn}"
            directory.mkdir()
            path = write_files(one.scenario, one.rules, directory)
            commands.append(["hint", str(path), "--own-loss", str(one.own_loss), "--plans", "3"])
    first, second = (ask(commands, hash_seed) for hash_seed in (1, 2))
    assert first.hashed != second.hashed
    assert first.answers == second.answers
    for forwards, backwards in zip(first.answers[::2], first.answers[1::2], strict=True):
        assert forwards.status == 0
        assert forwards.text == backwards.text
