"""The candidates against every move along a simple path: no plan is worth more than theirs."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from planner.game.hexes import Hex
from planner.game.legality import blocked, no_room, wrong
from planner.game.notation import parse_move
from planner.game.position import Position, Unit
from planner.search import movers as movers_module
from planner.search.candidates import Candidate, Survey, candidates
from planner.search.effort import Wishes
from planner.search.openings import Openings
from planner.search.plan import plan
from planner.search.stacking import Stacking
from planner.search.worth import Judge
from tests.every_move import Drawn, best, drawn, every_move, plans
from tests.situations import blue, hexes, red, situation, two_tanks

FAST = range(200, 225)
SLOW = range(1000, 1200)
SLOW_THREE = range(2000, 2060)


def survey(position: Position, wishes: Wishes | None = None) -> Survey:
    return Survey(position, Judge(position), wishes or Wishes())


def texts(found: Survey) -> list[str]:
    return [candidate.text for candidate in found.candidates]


def by_unit(found: Survey) -> dict[str, list[str]]:
    listed: dict[str, list[str]] = {}
    for candidate in found.candidates:
        listed.setdefault(candidate.move.unit, []).append(candidate.text)
    return listed


def compare(one: Drawn, seed: int, most: int) -> None:
    """No plan of any moves is worth more than the best of the candidates, and every candidate is
    one of those moves."""
    found = Survey(one.position, one.judge, Wishes())
    kept = by_unit(found)
    moves = every_move(one.facts)
    for unit, listed in kept.items():
        assert set(listed) <= set(moves[unit])
    rng = random.Random(f"plans/{seed}")
    value, best_plan = best(one.judge, one.position, plans(moves, most, rng))
    candidates_value, _ = best(one.judge, one.position, plans(kept, 10**5, rng))
    assert candidates_value >= value - 1e-9, f"seed {seed}: {best_plan} is worth {value}"


@pytest.mark.parametrize("seed", FAST)
def test_no_plan_of_any_moves_is_worth_more(seed: int, tmp_path: Path) -> None:
    compare(drawn(seed, tmp_path), seed, most=400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_no_plan_of_any_moves_is_worth_more_slow(seed: int, tmp_path: Path) -> None:
    compare(drawn(seed, tmp_path), seed, most=20_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW_THREE)
def test_no_plan_of_three_afvs_is_worth_more_slow(seed: int, tmp_path: Path) -> None:
    compare(drawn(seed, tmp_path, afvs=3), seed, most=5_000)


# Each kind of move is needed: without it the best plan is worth less.


def _full_now(position: Position, unit: Unit, free: Any) -> frozenset[Hex]:
    return frozenset(h for h in position.board.ground if next(no_room(position, unit, h), None))


DROPPED: dict[str, tuple[int, object, str, Callable[..., Any]]] = {
    "overruns through hexes cleared": (29, Openings, "allowed", lambda *_: frozenset()),
    "overruns into exit hexes now full": (25, movers_module, "_closed", _full_now),
    "plain moves to objectives": (21, Stacking, "plain", lambda *_: False),
    "plain moves out of the way": (39, Stacking, "plain", lambda *_: False),
}


@pytest.mark.parametrize("kind", DROPPED)
def test_without_a_kind_of_moves_the_best_plan_is_worth_less(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, owner, name, without = DROPPED[kind]
    one = drawn(seed, tmp_path)
    full, _ = best(one.judge, one.position, plans(by_unit(_all_of(one)), 10**5, random.Random(0)))
    monkeypatch.setattr(owner, name, without)
    left, _ = best(one.judge, one.position, plans(by_unit(_all_of(one)), 10**5, random.Random(0)))
    assert left < full - 0.01


def _all_of(one: Drawn) -> Survey:
    return Survey(one.position, one.judge, Wishes())


# What candidates are.


def test_in_text_order_whatever_the_order_of_the_units() -> None:
    found = texts(survey(two_tanks()))
    assert found == sorted(found)
    assert found == [c.text for c in candidates(two_tanks(), Judge(two_tanks()), Wishes())]


def clearing() -> Position:
    """A squad in 0404 bars the way to the truck in 0403: T2 can strike the truck from below only
    through the squad's hex, once T1 has cleared it."""
    return situation(
        red("T1", "tank", "0303", "SE"),
        red("T2", "tank", "0405", "N"),
        blue("S1", "squad", "0404"),
        blue("V1", "truck", "0403"),
    )


def test_ovr_07_needs_names_the_hexes_to_be_cleared() -> None:
    position = clearing()
    found = {c.text: c for c in survey(position).candidates}
    through = found["T2 0404x0403-0402"]
    assert through.needs == hexes(position, "0404")
    assert blocked(position, through.move)
    exit_held = found["T2 x0404-0403"]
    assert exit_held.needs == hexes(position, "0403")
    openers = [
        c
        for c in found.values()
        if c.move.unit == "T1" and c.move.target_hex in through.needs and not c.needs
    ]
    assert openers
    judge = Judge(position)
    assert judge.value([through.move]) == pytest.approx(judge.value([]))
    for opener in openers:
        both = judge.value([opener.move, through.move])
        assert both > judge.value([opener.move]) + 0.01


@pytest.mark.parametrize("candidate", survey(clearing()).candidates, ids=lambda c: c.text)
def test_no_candidate_is_wrong(candidate: Candidate) -> None:
    position = clearing()
    assert not wrong(position, candidate.move)
    assert parse_move(position, candidate.text) == candidate.move


def test_an_afv_alone_has_nothing_cleared_for_it() -> None:
    found = survey(clearing(), Wishes(only=frozenset({"T2"})))
    assert {c.move.unit for c in found.candidates} == {"T2"}
    assert all(not c.needs for c in found.candidates)


def test_wishes_are_kept() -> None:
    position = clearing()
    (avoided,) = hexes(position, "0404")
    for candidate in survey(position, Wishes(avoid=frozenset({avoided}))).candidates:
        assert avoided not in candidate.move.path
    (target,) = hexes(position, "0403")
    for candidate in survey(position, Wishes(target=target)).candidates:
        assert candidate.move.target_hex in (target, None)
        assert not candidate.needs  # nobody may clear the other hex
    held = survey(position, Wishes(stay=frozenset({"T1"})))
    assert {c.move.unit for c in held.candidates} == {"T2"}


# How many are kept of how many.


@pytest.mark.parametrize("seed", range(300, 312))
def test_counts_every_move_once(seed: int, tmp_path: Path) -> None:
    """Without plain moves in question: all overruns that may become legal, by brute force."""
    one = drawn(seed, tmp_path)
    found = _all_of(one)
    kept = found.kept()
    assert kept.kept == len(found.candidates)
    assert kept.of is not None
    assert kept.kept <= kept.of
    listed = every_move(one.facts)
    names = {mover.unit.id for mover in found.movers}
    everything = sum(len(moves) for unit, moves in listed.items() if unit in names)
    assert kept.of <= everything
    legal_now = sum(
        1
        for unit in names
        for text in listed.get(unit, ())
        if "x" in text and not blocked(one.position, parse_move(one.position, text))
    )
    assert kept.of >= legal_now


def test_counting_two_tanks() -> None:
    kept = survey(two_tanks()).kept()
    assert (kept.kept, kept.of) == (10, 19)


def test_too_many_to_count_is_said_not_guessed() -> None:
    assert survey(two_tanks()).kept(most_steps=5).of is None


def test_the_plan_search_takes_all_kinds_of_candidates(tmp_path: Path) -> None:
    one = drawn(39, tmp_path)
    value, _ = best(one.judge, one.position, plans(by_unit(_all_of(one)), 10**5, random.Random(0)))
    found = plan(one.position, own_loss=one.own_loss)
    assert found.plans[0].value == pytest.approx(value)


@pytest.mark.parametrize(
    ("objectives", "said"),
    [
        ([], "and the plain moves that can make one possible"),
        ([{"hex": "0101", "worth": 1}], "possible or that change who holds an objective"),
    ],
)
def test_proof_over_says_which_moves(objectives: list[dict[str, Any]], said: str) -> None:
    position = situation(
        red("T1", "tank", "0303", "SE"),
        blue("S1", "squad", "0404"),
        scenario={"objectives": objectives},
    )
    assert survey(position).proof_over.endswith(said)
