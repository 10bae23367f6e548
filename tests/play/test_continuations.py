"""Courses of action from a moment on: what they begin with, what is remembered of them, and what
foresight adds."""

from __future__ import annotations

from itertools import chain

import pytest

import planner
from planner.game.actions import format_action
from planner.game.choices import bars, expand
from planner.game.notation import format_move, parse_move
from planner.game.play_state import Game, new_game
from planner.play.continuations import Continuations, ways_out
from planner.play.foresight import Foresight, shortlist
from planner.play.lookahead import Lookahead
from planner.play.onward import Onward
from planner.play.remembered import remember
from planner.play.spending import Spending
from planner.search.effort import Limit, never
from planner.search.tally import OutOfEffortError
from tests.gaming import choices, done
from tests.situations import blue, red, situation, two_tanks


def start() -> Game:
    return new_game(two_tanks())


def searched(game: Game, work: int = 400) -> tuple[Onward, Continuations, Spending]:
    judge = Onward(game)
    spending = Spending(Limit(work=work), never)
    found = Continuations(judge, spending.tally(judge, 0.5))
    found.search()
    return judge, found, spending


def test_nobody_under_way_a_course_may_begin_with_anybody() -> None:
    _, found, _ = searched(start())
    assert found.heads == ()
    assert [c.text for c in found.best] == ["T2 0402x0503-0603", "T1 0304x0404-0505"]
    assert found.ranked()[0][0] == pytest.approx(0.434992, abs=1e-6)


@pytest.mark.parametrize("begun", [("T2 0402",), ("T2 0402", "hold")])
def test_the_move_under_way_begins_every_course(begun: tuple[str, ...]) -> None:
    _, found, _ = searched(done(start(), *begun))
    assert {"T2 stay", "T2 x0503-0603"} <= {head.text for head in found.heads}
    assert all(order[0].move.unit == "T2" for _, order in found.ranked())


def test_in_the_last_window_the_move_is_over() -> None:
    """OVR-15."""
    game = done(start(), "T1 0304", "hold", "T1 x0404-0505", dice=[12, 6])
    _, found, _ = searched(game)
    assert [head.text for head in found.heads] == ["T1 stay"]


def test_out_of_a_full_hex_the_shortest_ways() -> None:
    """T1 has come into the hex where T2 stands; stacking allows one."""
    game = new_game(
        situation(
            red("T1", "tank", "0203"),
            red("T2", "tank", "0303", moved=True),
            blue("G1", "at_gun", "0806", "NW"),
            rules=lambda charts: charts["stacking"].update(limit=1),
        )
    )
    game = done(game, "T1 0303")
    if choices(game, "hold"):
        game = done(game, "hold")
    assert "T1 halt" not in choices(game)
    found = [*ways_out(game)]
    assert found
    for candidate in found:
        assert len(candidate.move.path) == 1
        assert not bars(game, expand(candidate.move)[0])
    _, courses, _ = searched(game)
    assert [head.text for head in courses.heads] == sorted(c.text for c in found)


@pytest.mark.parametrize(
    "begun", [(), ("T2 0402",), ("T2 0402", "hold"), ("T1 0304",), ("T1 0304", "hold")]
)
def test_foresight_lies_between_the_best_course_and_the_value(begun: tuple[str, ...]) -> None:
    game = done(start(), *begun)
    judge, found, spending = searched(game)
    ranked = found.ranked()
    moves = list({c.text: c for c in chain(found.heads, shortlist(ranked, 12))}.values())
    foresight = Foresight(judge, moves, found.heads, spending.spend, spending.poll)
    best = max(one.value for one in foresight.next_moves())
    assert ranked[0][0] - 1e-9 <= best <= Lookahead().value(game) + 1e-9


def test_the_shortlist_holds_each_move_once() -> None:
    _, found, _ = searched(start())
    few = shortlist(found.ranked(), 2)
    assert [c.text for c in few] == ["T2 0402x0503-0603", "T1 0304x0404-0505"]
    many = shortlist(found.ranked(), 50)
    assert len({c.text for c in many}) == len(many)


# -- what is remembered --------------------------------------------------------------------------


COURSE = ("T2 0402x0503-0603", "T1 0304x0404-0505")


@pytest.mark.parametrize(
    ("begun", "dice", "left"),
    [
        pytest.param((), [], COURSE, id="at once"),
        pytest.param(("T2 0402", "hold"), [], ("T2 x0503-0603", COURSE[1]), id="on its way"),
        pytest.param(("T2 0302",), [], (COURSE[1],), id="on another way"),
        pytest.param(
            ("T2 0402", "fire G1:gun with L1"), [2], (COURSE[1],), id="the AFV is out of it"
        ),
    ],
)
def test_what_is_left_of_a_course(begun: tuple[str, ...], dice: list[int], left: object) -> None:
    game = start()
    known = remember(game, [tuple(parse_move(game.position, text) for text in COURSE)])
    (course,) = known.going_on(done(game, *begun, dice=dice))
    assert tuple(format_move(game.position, move) for move in course) == left


def test_a_course_found_on_the_way_is_remembered_from_where_the_move_began() -> None:
    game = done(start(), "T2 0402", "hold")
    known = remember(game, [(parse_move(game.position, "T2 x0503-0603"),)])
    assert [format_move(game.position, m) for m in known.courses[0]] == ["T2 0402x0503-0603"]


def test_nothing_is_left_in_another_phase() -> None:
    game = start()
    known = remember(game, [tuple(parse_move(game.position, text) for text in COURSE)])
    assert [*known.going_on(done(game, "end"))] == []
    assert [*known.going_on(new_game(planner.load("carentan")))] == []


# -- effort --------------------------------------------------------------------------------------


def test_work_is_shared_out() -> None:
    judge = Onward(start())
    spending = Spending(Limit(work=10), never)
    first = spending.tally(judge, 0.5)
    for _ in range(5):
        first.spend()
    with pytest.raises(OutOfEffortError):
        first.spend()
    for _ in range(5):
        spending.spend()
    assert spending.work == 10
    with pytest.raises(OutOfEffortError):
        spending.spend()


def test_a_level_uses_its_share() -> None:
    spending = Spending(Limit(work=10), never, share=0.3)
    for _ in range(3):
        spending.spend()
    with pytest.raises(OutOfEffortError):
        spending.spend()


def test_time_and_being_stopped_end_it() -> None:
    with pytest.raises(OutOfEffortError):
        Spending(Limit(seconds=0.0), never).poll()
    with pytest.raises(OutOfEffortError):
        Spending(Limit(work=5), lambda: True).poll()


def test_actions_of_courses_read_back() -> None:
    game = done(start(), "T2 0402", "hold")
    _, found, _ = searched(game)
    for head in found.heads:
        for action in expand(head.move)[:1]:
            assert format_action(game.position, action) in choices(game)
