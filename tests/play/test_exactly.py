"""Decisions read off the tree: their work is counted with all other, and what was asked before
changes nothing under a limit of work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

import pytest

from planner.game.play_state import Game, new_game
from planner.play.bot import Bot
from planner.play.exactly import PART
from planner.play.generated import position
from planner.play.levels import BEST, level
from planner.play.lookahead import Lookahead, TooLarge
from planner.play.player import Decision
from planner.play.spending import TREE, Spending
from planner.search.effort import Limit, never
from planner.search.tally import OutOfEffortError
from tests.gaming import done
from tests.play.small_phases import QUICK, named
from tests.situations import two_tanks

WORKS = (0, 1, 3, 4, 8, 12, 24, 60, 300)
LARGE = Limit(work=100_000)


def start() -> Game:
    return new_game(two_tanks())


def moments() -> list[Game]:
    first = start()
    return [
        first,
        done(first, "T2 0402"),
        done(first, "T1 0304"),
        done(first, "T2 0402", "fire B1:bazooka", dice=[12]),
        done(first, "T2 0402", "fire B1:bazooka", "hold", dice=[12]),
        done(first, "T1 0304", "hold", "T1 x0404-0505", dice=[12, 6]),
    ]


def decided(bot: Bot, game: Game, work: int) -> Decision:
    """The decision; how long it took is left out."""
    return replace(bot.decide(game, Limit(work=work)), seconds=0.0)


def compare(games: Sequence[Game], own_loss: float) -> set[bool]:
    """A bot that knows the trees of all moments against one that is asked for the first time;
    whether the answers were exact."""
    used = Bot(own_loss=own_loss)
    for game in games:
        used.decide(game, LARGE)
    kinds = set()
    for game in games:
        for work in WORKS:
            want = decided(Bot(own_loss=own_loss), game, work)
            assert decided(used, game, work) == want, work
            assert want.work <= work
            kinds.add(want.exact)
    return kinds


def test_trees_solved_for_earlier_decisions_change_none_under_a_limit_of_work() -> None:
    """Neither action nor value, nor whether it is exact, nor the work: with little work the same
    moments are too large that a kept tree would hold."""
    assert compare(moments(), 1.0) == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("number", QUICK)
def test_trees_change_none_in_small_phases(number: int) -> None:
    one = named(number)
    games = [*one.twin.games.values()]
    compare(games[:: 1 + len(games) // 12], one.own_loss)


def test_under_a_limit_of_time_the_trees_of_a_phase_are_kept() -> None:
    limit = Limit(seconds=600.0)
    used = Bot()
    first, later, *_ = moments()
    alone = Lookahead()
    alone.best(first)
    assert used.decide(first, limit).work == ceil(alone.work / TREE)
    assert used.decide(later, limit).work == 0
    assert Bot().decide(later, limit).work > 0


@pytest.mark.parametrize("work", WORKS)
def test_it_advises_what_it_does_however_little_work(work: int) -> None:
    for game in moments():
        advice = Bot().advise(game, Limit(work=work))
        assert advice.action == Bot().decide(game, Limit(work=work)).action
        assert advice.work <= work


def test_a_tree_that_proves_too_large_is_paid_for() -> None:
    """A part of the work is spent on it, the rest on looking for good courses."""
    game = new_game(position("section", 2))
    look = Lookahead(in_all=int(200 * PART) * TREE)
    with pytest.raises(TooLarge):
        look.value(game)
    spent = ceil(look.work / TREE)
    assert 200 * PART * 0.5 < spent <= 200 * PART
    without = Bot(replace(level(BEST), exact=False)).decide(game, Limit(work=200 - spent))
    with_it = Bot().decide(game, Limit(work=200))
    assert (with_it.exact, with_it.action) == (False, without.action)
    assert with_it.work == without.work + spent


def test_all_trees_together_take_no_more_than_they_are_given() -> None:
    games = moments()
    look = Lookahead(in_all=100)
    for game in games:
        try:
            look.options(game)
        except TooLarge:
            continue
    assert 0 < look.work <= 100


def test_a_part_of_the_time_ends_before_the_whole() -> None:
    spending = Spending(Limit(seconds=600.0), never)
    spending.part_poll(1.0)()
    with pytest.raises(OutOfEffortError):
        spending.part_poll(0.0)()
    spending.poll()


def test_operations_on_trees_are_work_by_the_dozen() -> None:
    spending = Spending(Limit(work=10), never)
    assert spending.on_trees(0.5) == 5 * TREE
    spending.book_trees(TREE + 1)
    assert spending.work == 2
    assert spending.on_trees(0.5) == 4 * TREE
    assert Spending(Limit(seconds=1.0), never).on_trees(0.5) is None
