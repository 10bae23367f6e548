"""Levels of strength: each changes decisions, and a weaker one gives away more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from planner.game.actions import EndPhase, Hold
from planner.game.choices import legal
from planner.game.play_state import Deciding, new_game
from planner.play.bot import Bot
from planner.play.levels import LEVELS, Level, level, misjudged
from tests.gaming import done
from tests.play.policy_value import given_away
from tests.play.small_phases import ALONE, named
from tests.situations import two_tanks

FEW = (*ALONE[:8], 471)
PAIRS = (35, 83, 103, 125, 151, 211, 315, 467, 471, 513, 579, 793, 835)
SALTS = ("", "1", "2")


def drawings(name: str) -> Iterator[Level]:
    """The level with its noise drawn several times; as it is when it has none."""
    for salt in SALTS if level(name).noise else SALTS[:1]:
        yield replace(level(name), salt=salt)


def mean_given_away(numbers: Iterable[int]) -> dict[str, float]:
    """By level what it gives away in these phases, as a share of what is at stake, to an opponent
    who knows its policy: the mean over phases, sides and drawings of the noise."""
    lost: dict[str, list[float]] = {name: [] for name in LEVELS}
    for one in map(named, numbers):
        for name in LEVELS:
            for each in drawings(name):
                for of in (Deciding.MOVER, Deciding.DEFENDER):
                    lost[name].append(given_away(one, Bot(each, one.own_loss), of))
    return {name: sum(shares) / len(shares) for name, shares in lost.items()}


def ordered(lost: dict[str, float], *, alone: bool = False) -> None:
    """Each level gives away clearly more than the next, and the best nothing; where there is but
    one AFV the last but one nothing either."""
    told = ", ".join(f"{name} {100 * share:.3f} %" for name, share in lost.items())
    print(f"given away on average: {told}")
    assert lost["recruit"] > 1.5 * lost["regular"], told
    assert lost["regular"] > 1.5 * lost["veteran"], told
    assert alone or lost["veteran"] > 1e-6, told
    assert lost["ace"] == pytest.approx(0.0, abs=1e-9), told


def test_weaker_levels_give_away_more() -> None:
    ordered(mean_given_away(FEW))


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [ALONE, PAIRS], ids=["one AFV", "two AFVs"])
def test_weaker_levels_give_away_more_in_many_phases(numbers: tuple[int, ...]) -> None:
    ordered(mean_given_away(numbers), alone=numbers is ALONE)


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


def test_another_salt_other_mistakes() -> None:
    start, recruit = new_game(two_tanks()), level("recruit")
    offs = {misjudged(replace(recruit, salt=salt), start, EndPhase()) for salt in SALTS}
    assert len(offs) == len(SALTS)


def test_noise_is_bounded_and_the_best_have_none() -> None:
    """The mean worth of T1 and T2 is 8."""
    start = new_game(two_tanks())
    for action in legal(start):
        assert abs(misjudged(level("recruit"), start, action)) <= 0.3 * 8
        assert misjudged(level("ace"), start, action) == 0.0
