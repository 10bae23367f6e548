"""Results of matches: counts, and intervals that hold at every look."""

from __future__ import annotations

import random
from math import inf

import pytest

from planner.play.standing import SAME, standing


@pytest.mark.parametrize(
    ("differences", "counted"),
    [
        ([], (0, 0, 0)),
        ([0.0], (0, 1, 0)),
        ([SAME], (0, 1, 0)),
        ([2 * SAME], (1, 0, 0)),
        ([-2 * SAME], (0, 0, 1)),
        ([1.0, -2.0, 0.0, 3.0], (2, 1, 1)),
    ],
)
def test_pairs_are_counted(differences: list[float], counted: tuple[int, int, int]) -> None:
    found = standing(differences)
    assert (found.wins, found.draws, found.losses) == counted
    assert found.pairs == len(differences)


@pytest.mark.parametrize(
    ("wins", "losses", "decided"),
    # By the mixture's likelihood ratio: beta(w + 1/2, l + 1/2) / pi * 2 ** (w + l) >= 20.
    [(0, 0, False), (6, 0, False), (7, 0, True), (0, 7, True), (29, 10, False), (30, 10, True)],
)
def test_decided_at_twenty_to_one(wins: int, losses: int, *, decided: bool) -> None:
    assert standing([1.0] * wins + [-1.0] * losses).decided is decided


@pytest.mark.parametrize(("wins", "losses"), [(8, 0), (0, 8), (30, 10), (7, 3), (50, 50)])
def test_share_excludes_a_half_just_when_decided(wins: int, losses: int) -> None:
    found = standing([1.0] * wins + [-1.0] * losses)
    assert found.share is not None
    assert found.share.low <= found.share.value <= found.share.high
    assert (found.share.low <= 0.5 <= found.share.high) is not found.decided


def test_nothing_played_and_one_pair_say_nothing() -> None:
    assert standing([]).share is None
    assert (standing([]).margin.low, standing([]).margin.high) == (-inf, inf)
    assert (standing([3.0]).margin.low, standing([3.0]).margin.high) == (-inf, inf)
    assert standing([3.0]).margin.value == 3.0


@pytest.mark.parametrize("each", [0.0, 10.0])
@pytest.mark.parametrize("pairs", [2, 10, 200])
def test_all_alike_is_no_certainty(each: float, pairs: int) -> None:
    known = standing([each] * pairs, 40.0).margin
    assert -40.0 <= known.low < known.value == each < known.high <= 40.0
    unknown = standing([each] * pairs).margin
    assert (unknown.low, unknown.value, unknown.high) == (-inf, each, inf)


def test_the_interval_where_it_is_known_how_far_differences_go() -> None:
    drawn = random.Random(3)
    seen = [drawn.choice([-2.0, 0.0, 6.0]) for _ in range(200)]
    at = [standing(seen[:pairs], 30.0).margin for pairs in (0, 1, 10, 50, 200)]
    assert (at[0].low, at[0].high) == pytest.approx((-30.0, 30.0))
    assert all(one.low <= one.value <= one.high for one in at)
    widths = [one.high - one.low for one in at]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 5.0
    # The other player sees the same the other way round.
    other = standing([-d for d in seen], 30.0).margin
    assert (other.low, other.high) == pytest.approx((-at[-1].high, -at[-1].low))


def test_where_nothing_is_at_stake() -> None:
    margin = standing([0.0, 0.0], 0.0).margin
    assert (margin.low, margin.value, margin.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("most", [0.0, 2.0])
def test_a_difference_greater_than_there_can_be(most: float) -> None:
    with pytest.raises(ValueError, match=r"greater|within"):
        standing([1.0, 2.5], most)


def test_intervals_hold_at_every_look() -> None:
    """Of fair matches no more than a twentieth are ever called decided, and in about as few (the
    interval of the mean is asymptotic) does the interval ever leave out nought."""
    drawn = random.Random(1)
    called = left_out = 0
    for _ in range(120):
        seen: list[float] = []
        wrong_call = wrong_margin = False
        for pair in range(120):
            seen.append(drawn.choice([-1.0, 0.0, 1.0]) * drawn.random())
            if pair % 6 == 5:
                found = standing(seen)
                wrong_call |= found.decided
                wrong_margin |= not found.margin.low <= 0.0 <= found.margin.high
        called += wrong_call
        left_out += wrong_margin
    assert called <= 6
    assert left_out <= 12


def test_a_better_player_is_found_out() -> None:
    drawn = random.Random(2)
    found = standing([1.0 if drawn.random() < 0.8 else -1.0 for _ in range(80)])
    assert found.decided
    assert found.margin.low > 0.0
