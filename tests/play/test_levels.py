"""Levels of strength: each changes decisions, and a weaker one gives away more."""

from __future__ import annotations

import pytest

from planner.game.actions import EndPhase, Hold
from planner.game.choices import legal
from planner.game.play_state import new_game
from planner.play.bot import Bot
from planner.play.levels import LEVELS, level, misjudged, situation_text
from planner.play.lookahead import Lookahead
from planner.search.effort import Limit
from tests.gaming import done
from tests.situations import two_tanks

LIMIT = Limit(work=300)


def given_away(name: str) -> float:
    """What a level's choices at some moments of the case give away, together."""
    start = new_game(two_tanks())
    total = 0.0
    for game in (
        start,
        done(start, "T2 0402"),
        done(start, "T1 0304"),
        done(start, "T2 0402", "fire B1:bazooka", dice=[12]),
        done(start, "T1 0304", "fire G1:gun", dice=[12]),
    ):
        look = Lookahead()
        made = dict(look.options(game))[Bot(name).decide(game, LIMIT).action]
        total += abs(made - look.value(game))
    return total


def test_weaker_levels_give_away_more() -> None:
    lost = {name: given_away(name) for name in LEVELS}
    assert lost["ace"] == pytest.approx(0.0, abs=1e-9)
    assert lost["veteran"] >= lost["ace"] - 1e-9
    assert lost["regular"] > lost["veteran"] + 0.1
    assert lost["recruit"] >= lost["regular"] - 1e-9


def test_they_are_listed_from_the_weakest_on() -> None:
    assert [*LEVELS] == ["recruit", "regular", "veteran", "ace"]
    noises = [each.noise for each in LEVELS.values()]
    assert noises == sorted(noises, reverse=True)


def test_noise_hangs_on_the_position_and_the_choice_alone() -> None:
    start = new_game(two_tanks())
    recruit = level("recruit")
    again = new_game(two_tanks())
    assert misjudged(recruit, start, EndPhase()) == misjudged(recruit, again, EndPhase())
    offs = {misjudged(recruit, start, action) for action in legal(start)}
    assert len(offs) == len(legal(start))
    other = done(start, "T2 0402")
    assert misjudged(recruit, other, Hold()) != misjudged(recruit, start, EndPhase())


def test_noise_is_bounded_and_the_best_have_none() -> None:
    """The mean worth of T1 and T2 is 8."""
    start = new_game(two_tanks())
    for action in legal(start):
        assert abs(misjudged(level("recruit"), start, action)) <= 0.3 * 8
        assert misjudged(level("ace"), start, action) == 0.0


def test_the_text_of_a_moment_tells_moments_apart() -> None:
    start = new_game(two_tanks())
    texts = {situation_text(g) for g in (start, done(start, "T2 0402"), done(start, "T1 0304"))}
    assert len(texts) == 3
