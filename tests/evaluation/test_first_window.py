"""The window that a course begins with: held, and every result of every shot, against the game
tree."""

from __future__ import annotations

import pytest

from planner.game.actions import Fire
from planner.game.moves import PlannedMove
from planner.game.notation import parse_move
from planner.game.play_state import Game, new_game
from planner.game.resolution import outcomes
from planner.game.score import payoff
from planner.play.onward import Onward
from tests.gaming import done
from tests.situations import two_tanks


def moves(game: Game, *texts: str) -> tuple[PlannedMove, ...]:
    return tuple(parse_move(game.position, text) for text in texts)


COURSES = [
    ("T2 0402", ("T2 x0503-0603", "T1 0304x0404-0505")),
    ("T2 0402", ("T2 stay", "T1 0304x0404-0505")),
    ("T1 0304", ("T1 x0404-0505", "T2 0402x0503-0603")),
    ("T1 0304", ("T1 stay",)),
]


@pytest.mark.parametrize(("begun", "course"), COURSES)
def test_every_result_is_worth_what_it_is_from_there(begun: str, course: tuple[str, ...]) -> None:
    game = done(new_game(two_tanks()), begun)
    whole = moves(game, *course)
    found = Onward(game).first_window(whole)
    assert found is not None
    assert found.held == pytest.approx(worth(done(game, "hold"), whole), abs=1e-9)
    for (firer, weapon, leader), results in found.shots.items():
        after = outcomes(game, Fire(firer, weapon, leader or None))
        assert len(after) == len(results)
        by_status = {g.position.units[whole[0].unit].status.name: (p, g) for p, g in after}
        for one in results:
            p, reached = by_status[one.status]
            booked = payoff(game.position, reached.position, game.position.to_move)
            assert one.probability == pytest.approx(p, abs=1e-12)
            assert one.value == pytest.approx(booked + worth(reached, whole), abs=1e-9)


def worth(game: Game, course: tuple[PlannedMove, ...]) -> float:
    """The value of a course from a moment on; a move that has ended is none of it."""
    under_way = game.under_way
    if under_way is None or under_way.unit != course[0].unit:
        course = course[1:]
    return Onward(game).value(course)


@pytest.mark.parametrize(("begun", "course"), COURSES)
def test_the_least_of_it_is_the_courses_value(begun: str, course: tuple[str, ...]) -> None:
    game = done(new_game(two_tanks()), begun)
    judge = Onward(game)
    found = judge.first_window(moves(game, *course))
    assert found is not None
    shots = (sum(one.probability * one.value for one in s) for s in found.shots.values())
    assert min(found.held, *shots) == pytest.approx(judge.value(moves(game, *course)), abs=1e-9)


def test_more_to_come_is_added_everywhere() -> None:
    game = done(new_game(two_tanks()), "T2 0402")
    found = Onward(game).first_window(moves(game, "T2 stay"))
    assert found is not None
    more = found.plus(1.5)
    assert more.held == found.held + 1.5
    for label, results in found.shots.items():
        assert [one.value + 1.5 for one in results] == [one.value for one in more.shots[label]]
