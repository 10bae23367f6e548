"""Matches: pairs under the same luck, wherever they are played."""

from __future__ import annotations

import pytest

from planner.game.play_state import new_game
from planner.play.match import (
    Contestant,
    Fixture,
    MatchResult,
    Pair,
    match,
    most_of_a_pair,
    tasks,
)
from planner.play.players import Both, UnknownPlayerError, names, player
from planner.play.spread import Alone, Cluster, Processes, Spread
from planner.play.standing import Standing
from planner.search.effort import Limit
from tests.situations import blue, red, situation, two_tanks

WORK = Limit(work=20)
TANKS = Fixture("two-tanks", new_game(two_tanks()))
DUEL = Fixture(
    "duel",
    new_game(
        situation(
            red("T1", "tank", "0203", "SE"),
            red("S2", "squad", "0706"),
            blue("S1", "squad", "0304"),
            blue("T9", "tank", "0806", "NW"),
            scenario={"turn": 1, "turns": 2},
        )
    ),
)
ACE, PLAIN, LOT = (Contestant(n, WORK) for n in ("ace", "own-line/fire-at-once", "random"))


def told(found: MatchResult) -> list[tuple[object, ...]]:
    """All of a match that does not hang on the clock."""
    return [
        (pair.number, pair.fixture, pair.difference, *((g.score, g.moves) for g in pair.games))
        for pair in found.pairs
    ]


@pytest.mark.parametrize("contestant", [ACE, PLAIN, LOT], ids=lambda c: c.name)
def test_paired_mirror_games_are_identical(contestant: Contestant) -> None:
    found = match([TANKS, DUEL], contestant, contestant, 4)
    for pair in found.pairs:
        assert pair.games[0].moves == pair.games[1].moves
        assert pair.difference == 0.0
    assert found.standing.draws == 4


def test_unpaired_mirror_is_within_its_interval() -> None:
    found = match([TANKS, DUEL], LOT, LOT, 60, same_luck=False)
    margin = found.standing.margin
    assert margin.low < 0.0 < margin.high
    assert not found.standing.decided
    assert any(pair.difference != 0.0 for pair in found.pairs)


def test_what_a_pair_may_be_worth() -> None:
    """The two tanks 10 and 6, their squad 3 and its satchel 0.5, the gun 12, the sergeant 3, the
    bazooka 2; a free objective may come to either side, one that is held be lost or kept."""
    assert most_of_a_pair(TANKS.game) == 2 * (10 + 6 + 3 + 0.5 + 12 + 3 + 2)
    held = [{"hex": "0202", "worth": 4.0, "held_by": "blue"}, {"hex": "0303", "worth": 1.5}]
    plain = situation(red("T1", "tank", "0203", "SE"), blue("S1", "squad", "0304"))
    more = situation(
        red("T1", "tank", "0203", "SE"),
        blue("S1", "squad", "0304"),
        scenario={"objectives": held},
    )
    assert most_of_a_pair(new_game(more)) - most_of_a_pair(new_game(plain)) == 2 * (4 + 2 * 1.5)


@pytest.mark.parametrize("fixture", [TANKS, DUEL], ids=lambda fixture: fixture.name)
def test_no_pair_is_worth_more_than_it_may_be(fixture: Fixture) -> None:
    most = most_of_a_pair(fixture.game)
    found = match([fixture], ACE, LOT, 12, most=most)
    assert found.standing.most == most
    assert 0.0 < max(abs(pair.difference) for pair in found.pairs) <= most


def test_each_pair_changes_sides() -> None:
    found = match([DUEL], PLAIN, LOT, 3)
    back = match([DUEL], LOT, PLAIN, 3)
    assert [pair.difference for pair in found.pairs] == [-p.difference for p in back.pairs]
    assert found.pairs[0].games[0].moves == back.pairs[0].games[1].moves


def test_seeds_of_dice() -> None:
    wanted = list(tasks([TANKS, DUEL], ACE, PLAIN, 4, seed=7))
    assert [task.fixture.name for task in wanted] == ["two-tanks", "duel"] * 2
    assert len({task.seeds[0] for task in wanted}) == 4
    assert all(task.seeds[0] == task.seeds[1] for task in wanted)
    apart = list(tasks([TANKS], ACE, PLAIN, 1, seed=7, same_luck=False))
    assert apart[0].seeds[0] != apart[0].seeds[1]


def test_until_decided_stops_and_counts_in_order() -> None:
    found = match([DUEL], PLAIN, LOT, 60, until_decided=True)
    assert found.stopped_early
    assert found.standing.decided
    shorter = match([DUEL], PLAIN, LOT, len(found.pairs) - 1)
    assert not shorter.standing.decided


def test_a_stop_keeps_what_was_played() -> None:
    seen: list[Pair] = []

    def on_pair(pair: Pair, standing: Standing) -> None:
        seen.append(pair)

    found = match([TANKS], PLAIN, PLAIN, 9, on_pair=on_pair, cancelled=lambda: len(seen) >= 2)
    assert len(found.pairs) == 2


@pytest.mark.parametrize("spread", [Alone(), Processes(2)], ids=["alone", "processes"])
def test_the_same_wherever_it_is_played(spread: Spread) -> None:
    assert told(match([DUEL], LOT, PLAIN, 3, spread=spread)) == told(match([DUEL], LOT, PLAIN, 3))


@pytest.mark.filterwarnings("ignore")
def test_the_same_on_a_cluster_of_two_workers() -> None:
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        spread = Cluster(cluster.scheduler_address)
        there = match([DUEL], LOT, PLAIN, 3, spread=spread)
    assert told(there) == told(match([DUEL], LOT, PLAIN, 3))


def test_a_match_needs_a_position() -> None:
    with pytest.raises(ValueError, match="needs a position"):
        match([], ACE, PLAIN, 1)


@pytest.mark.parametrize("name", names())
def test_every_player_is_made_by_its_name(name: str) -> None:
    made = player(name)
    assert made.name.removeprefix("bot:") == name or isinstance(made, Both)


@pytest.mark.parametrize("name", ["grandmaster", "ace/own-line", "fire-at-once/ace", "/", ""])
def test_nobody_of_that_name(name: str) -> None:
    with pytest.raises(UnknownPlayerError, match="there is no player"):
        player(name)
