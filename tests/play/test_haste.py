"""A bot without time: it gives up no phase and no move for want of a look, a stop is heard
everywhere, and the lines found at once are those of the whole map."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import inf

import pytest

import planner
from planner.game.actions import EndPhase, Halt, format_action
from planner.game.chance import KeyedDice
from planner.game.choices import bars, legal
from planner.game.play_state import Deciding, Game, new_game
from planner.game.position import Position
from planner.game.resolution import apply
from planner.play.bot import Bot
from planner.play.generated import position as generated
from planner.play.haste import cheapest_first, lines_at_once
from planner.play.levels import level
from planner.play.lookahead import Lookahead, TooLarge
from planner.play.onward import Onward
from planner.search.candidates import first_candidates
from planner.search.effort import Limit, Wishes
from planner.search.graph import movement_graph
from tests.gaming import done, from_tables
from tests.random_positions import random_scenario
from tests.situations import two_tanks

POSITIONS = {
    "steamroller": lambda: planner.load("steamroller"),
    "carentan": lambda: planner.load("carentan"),
    "company": lambda: generated("company", 1),
    "two-tanks": two_tanks,
}
"""In the last no overrun gains by itself."""


def best_by_itself(game: Game) -> float:
    """What the best of all cheapest lines gains when no other AFV moves."""
    judge = Onward(game)
    lines = first_candidates(game.position, judge, Wishes())
    return max((judge.value([c.move]) for c in lines), default=-inf) - judge.value([])


GAINS = {"steamroller": True, "carentan": True, "company": True, "two-tanks": False}


@pytest.mark.parametrize("name", POSITIONS)
def test_where_a_line_gains_by_itself(name: str) -> None:
    assert (best_by_itself(new_game(POSITIONS[name]())) > 0.0) is GAINS[name]


LIMITS: dict[str, Callable[[], tuple[Limit, Callable[[], bool]]]] = {
    **{
        f"work {work}": lambda work=work: (Limit(work=work), lambda: False)  # type: ignore[misc]
        for work in (0, 1, 2, 5)
    },
    "no time": lambda: (Limit(seconds=0.0), lambda: False),
    "stopped": lambda: (Limit(seconds=60.0), lambda: True),
}


@pytest.mark.parametrize("which", ["veteran", "ace"])
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("name", [name for name, gains in GAINS.items() if gains])
def test_no_phase_is_given_up_unseen(name: str, limit: str, which: str) -> None:
    game = new_game(POSITIONS[name]())
    decision = Bot(which).decide(game, *LIMITS[limit]())
    assert not isinstance(decision.action, EndPhase)
    assert not bars(game, decision.action)
    assert decision.value_to_mover is not None
    assert decision.value_to_mover > 0.0


def play_phase(game: Game, work: int, seed: int) -> int:
    """Play a Movement Phase at that limit, the defender drawn by lots; where the mover ends it no
    line gains by itself. How many actions the mover took."""
    bot, lots, dice = Bot("veteran"), random.Random(seed), KeyedDice(seed)
    turn, side, taken = game.position.turn, game.position.to_move, 0
    while not game.over and (game.position.turn, game.position.to_move) == (turn, side):
        action = lots.choice(legal(game))
        if game.deciding is Deciding.MOVER:
            action = bot.decide(game, Limit(work=work)).action
            taken += 1
        if isinstance(action, EndPhase):
            assert best_by_itself(game) <= 1e-9
        game, _ = apply(game, action, dice)
    return taken


@pytest.mark.parametrize("work", [0, 2])
@pytest.mark.parametrize("name", ["steamroller", "carentan"])
def test_no_phase_is_ended_while_a_line_gains(name: str, work: int) -> None:
    assert play_phase(new_game(POSITIONS[name]()), work, 1) > 2


@pytest.mark.slow
@pytest.mark.parametrize("work", [0, 1, 2, 5, 40])
@pytest.mark.parametrize("name", POSITIONS)
def test_no_phase_is_ended_while_a_line_gains_often(name: str, work: int) -> None:
    for seed in range(2, 7):
        assert play_phase(new_game(POSITIONS[name]()), work, seed)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("which", ["veteran", "ace"])
def test_where_nothing_gains_it_ends(limit: str, which: str) -> None:
    game = new_game(two_tanks())
    action = Bot(level(which)).decide(game, *LIMITS[limit]()).action
    # Where it can count, both tanks together gain.
    assert isinstance(action, EndPhase) or limit == "work 5"


def test_what_was_begun_is_gone_on_with() -> None:
    """T1 and T2 have a way that gains, found in time; then there is no more time."""
    bot = Bot("veteran")
    game = new_game(two_tanks())
    first = bot.decide(game, Limit(seconds=30.0))
    assert format_action(game.position, first.action) == "T2 0402"
    game = done(game, "T2 0402", "hold")
    then = bot.decide(game, Limit(seconds=60.0), lambda: True)
    assert format_action(game.position, then.action) == "T2 x0503-0603"


@pytest.mark.parametrize("limit", LIMITS)
def test_a_move_under_way_that_gains_no_more_halts(limit: str) -> None:
    game = done(new_game(two_tanks()), "T1 0103", "fire G1:gun", "T2 0304", "hold", dice=[2])
    action = Bot("veteran").decide(game, *LIMITS[limit]()).action
    assert isinstance(action, Halt)


@pytest.mark.parametrize("limit", ["no time", "stopped"])
def test_the_defender_has_an_answer(limit: str) -> None:
    game = done(new_game(two_tanks()), "T2 0402")
    action = Bot().decide(game, *LIMITS[limit]()).action
    assert action in legal(game)


# -- lines found at once -------------------------------------------------------------------------


def check_lines(position: Position) -> int:
    judge = Onward(new_game(position))
    every = cheapest_first(position, first_candidates(position, judge, Wishes()))
    for unit in position.movers():
        wanted = [line for line in every if line.move.unit == unit.id]
        assert lines_at_once(position, judge, unit) == wanted
    return len(every)


@pytest.mark.parametrize("name", POSITIONS)
def test_lines_at_once_are_those_of_the_whole_map(name: str) -> None:
    assert check_lines(POSITIONS[name]()) >= 10


@pytest.mark.parametrize(
    "seeds", [range(12), pytest.param(range(100, 400), marks=pytest.mark.slow)]
)
def test_lines_at_once_in_random_positions(seeds: range, tmp_path: object) -> None:
    found = [
        check_lines(planner.load(from_tables(*random_scenario(seed), tmp_path)))  # type: ignore[arg-type]
        for seed in seeds
    ]
    assert sum(map(bool, found)) > len(seeds) / 3


# -- a stop is heard -----------------------------------------------------------------------------


class StoppedError(Exception):
    """Somebody stopped it."""


def stop_after(times: int) -> Callable[[], None]:
    left = [times]

    def poll() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise StoppedError

    return poll


@pytest.mark.parametrize("times", [0, 1, 3])
def test_a_graph_in_the_making_hears_the_stop_and_is_made_whole_later(times: int) -> None:
    position = planner.load("ponyri")
    with pytest.raises(StoppedError):
        movement_graph(position, "tracked", poll=stop_after(times))
    whole = movement_graph(planner.load("ponyri"), "tracked").graph
    assert {*movement_graph(position, "tracked").graph.edges} == {*whole.edges}


@pytest.mark.parametrize("times", [0, 1, 3])
def test_the_first_candidates_hear_it(times: int) -> None:
    position = planner.load("carentan")
    with pytest.raises(StoppedError):
        first_candidates(position, Onward(new_game(position)), Wishes(), stop_after(times))


@pytest.mark.parametrize("times", [0, 1, 3])
def test_reading_the_ground_for_the_tree_hears_it(times: int) -> None:
    game = new_game(planner.load("ponyri"))
    with pytest.raises(StoppedError):
        Lookahead(poll=stop_after(times)).best(game)
    with pytest.raises(TooLarge):
        Lookahead().best(game)
