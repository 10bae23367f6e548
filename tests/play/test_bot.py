"""The bot on both sides: known best choices, stopping short and going on, levels, limits, the same
answer to the same question, and nothing illegal in whole games."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from time import monotonic, process_time

import pytest

import planner
from planner.game.actions import Halt, format_action
from planner.game.chance import KeyedDice
from planner.game.choices import bars, legal
from planner.game.play_state import Deciding, Game, new_game
from planner.game.resolution import apply
from planner.play.bot import SECONDS, Bot
from planner.play.lookahead import Lookahead
from planner.search.effort import Limit
from tests.gaming import done, from_tables
from tests.random_positions import random_scenario
from tests.situations import two_tanks

WORK = Limit(work=300)
FAST = range(6)
SLOW = range(100, 160)


def start() -> Game:
    return new_game(two_tanks())


def chosen(game: Game, level: str, limit: Limit = WORK) -> str:
    return format_action(game.position, Bot(level).decide(game, limit).action)


def fallen() -> Game:
    """T1 has been shot on the way, and T2 stands before the gun."""
    return done(start(), "T1 0103", "fire G1:gun", "T2 0304", "hold", dice=[2])


@pytest.mark.parametrize("level", ["veteran", "ace"])
@pytest.mark.parametrize(
    ("game", "best"),
    [
        pytest.param(start(), "T2 0402", id="the decoy goes first"),
        pytest.param(done(start(), "T2 0402"), "fire B1:bazooka", id="fire at once"),
        pytest.param(
            done(start(), "T2 0402", "fire B1:bazooka", dice=[12]), "hold", id="the gun waits"
        ),
        pytest.param(
            done(start(), "T2 0402", "fire B1:bazooka", "hold", dice=[12]),
            "T2 x0503-0603",
            id="go on",
        ),
        pytest.param(done(start(), "T1 0304"), "fire G1:gun with L1", id="with the leader"),
        pytest.param(
            done(start(), "T1 0304", "fire G1:gun with L1", dice=[12]),
            "fire B1:bazooka",
            id="the once-weapon is well spent",
        ),
        pytest.param(fallen(), "T2 halt", id="stop short"),
    ],
)
def test_known_choices(game: Game, best: str, level: str) -> None:
    assert chosen(game, level) == best


@pytest.mark.parametrize("level", ["veteran", "ace"])
def test_final_opportunity_fire_with_the_leader_or_without(level: str) -> None:
    """OVR-11, OVR-12: T1 has overrun the gun, which survives suppressed or ready."""
    game = done(start(), "T1 0304", "hold", "T1 x0404-0505", dice=[12, 6])
    assert game.deciding is Deciding.DEFENDER
    exact = dict(Lookahead().options(game))
    action = Bot(level).decide(game, WORK).action
    assert exact[action] == pytest.approx(min(exact.values()), abs=1e-9)


@pytest.mark.parametrize(
    "game",
    [
        start(),
        done(start(), "T2 0402"),
        done(start(), "T1 0304"),
        done(start(), "T1 0304", "hold"),
        fallen(),
    ],
)
def test_what_was_found_is_never_more_than_the_value(game: Game) -> None:
    """The mover's values are attained by something; so each is at most the exact one."""
    exact = dict(Lookahead().options(game))
    advice = Bot("veteran").advise(game, WORK)
    assert not advice.exact
    assert {option.action for option in advice.options} == {*legal(game)}
    for option in advice.options:
        assert option.value_to_mover is not None
        assert option.value_to_mover <= exact[option.action] + 1e-9


@pytest.mark.parametrize("level", ["recruit", "regular", "veteran", "ace"])
@pytest.mark.parametrize("game", [start(), done(start(), "T2 0402"), fallen()])
def test_what_it_advises_is_what_it_does(game: Game, level: str) -> None:
    assert Bot(level).advise(game, WORK).action == Bot(level).decide(game, WORK).action


def test_advice_says_why_in_figures() -> None:
    game = done(start(), "T2 0402")
    reason = Bot("veteran").advise(game, WORK).reason
    assert reason == "fire B1:bazooka leaves the mover +0.43; holding +2.10"
    assert Bot().advise(game, WORK).reason == (
        "fire B1:bazooka leaves the mover +0.43, exactly; the next best (fire G1:gun with L1) +1.51"
    )


def test_the_own_loss_weight_changes_what_is_done() -> None:
    """A mover whom losses cost double does not begin what gains 0.43 at their price."""
    assert chosen(start(), "ace") == "T2 0402"
    decision = Bot(own_loss=2.0).decide(start(), WORK)
    assert format_action(start().position, decision.action) == "end"


def test_nobody_decides_when_the_game_is_over() -> None:
    over = Game(two_tanks(), two_tanks(), over=True)
    with pytest.raises(ValueError, match="over"):
        Bot().decide(over, WORK)


def test_a_level_that_is_not_known() -> None:
    with pytest.raises(ValueError, match="levels: recruit, regular, veteran, ace"):
        Bot("general")


def test_it_stops_when_asked() -> None:
    game = new_game(planner.load("carentan"))
    began = monotonic()
    decision = Bot().decide(game, Limit(seconds=60.0), cancelled=lambda: monotonic() > began + 0.2)
    assert monotonic() - began < 3.0
    assert not bars(game, decision.action)


@pytest.mark.parametrize("work", [0, 1, 5, 50])
def test_there_is_an_answer_for_any_work(work: int) -> None:
    for game in (start(), done(start(), "T2 0402"), fallen()):
        for level in ("recruit", "veteran", "ace"):
            assert not bars(game, Bot(level).decide(game, Limit(work=work)).action)


def test_the_time_is_kept() -> None:
    """By the processor's time, so that a busy machine does not matter."""
    game = new_game(planner.load("carentan"))
    Bot().decide(game, Limit(work=50))
    began = process_time()
    decision = Bot().decide(game)
    assert process_time() - began < SECONDS
    assert not bars(game, decision.action)


# -- the same answer -----------------------------------------------------------------------------


def test_the_same_whether_asked_first_or_after_other_questions() -> None:
    game = new_game(planner.load("steamroller"))
    limit = Limit(work=150)
    used = Bot("veteran")
    dice = KeyedDice(3)
    for _ in range(6):
        decision = used.decide(game, limit)
        assert decision.action == Bot("veteran").decide(game, limit).action
        game, _ = apply(game, decision.action, dice)


SCRIPT = """
import planner
from planner.game.actions import format_action
from planner.game.play_state import new_game
from planner.play.bot import Bot
from planner.search.effort import Limit
from planner.play.generated import position
positions = [planner.load("carentan"), *(position("section", number) for number in (1, 2, 3))]
for game in map(new_game, positions):
    for level in ("recruit", "ace"):
        decision = Bot(level).decide(game, Limit(work=200))
        print(format_action(game.position, decision.action), decision.value_to_mover)
        print(decision.work, decision.exact, decision.reason)
"""


@pytest.mark.slow
def test_the_same_under_any_hash_seed() -> None:
    def said(seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert said("0") == said("1") == said("4711")


# -- whole games ---------------------------------------------------------------------------------


def played(game: Game, bot: Bot, limit: Limit, seed: int, most: int) -> Iterator[Game]:
    """A game in which the bot decides for both, but for some actions drawn at random."""
    rng, dice = random.Random(f"bot/{seed}"), KeyedDice(seed)
    for _ in range(most):
        if game.over:
            return
        action = bot.decide(game, limit).action
        assert not bars(game, action), format_action(game.position, action)
        if rng.random() < 0.3:
            action = rng.choice(legal(game))
        game, _ = apply(game, action, dice)
        yield game


def play_random(seed: int, folder: object) -> None:
    scenario, rules = random_scenario(seed)
    position = planner.load(from_tables(scenario, rules, folder))  # type: ignore[arg-type]
    level = ("veteran", "ace", "regular", "recruit")[seed % 4]
    for _ in played(new_game(position), Bot(level), Limit(work=60), seed, 40):
        pass


@pytest.mark.parametrize("seed", FAST)
def test_nothing_illegal_is_done_in_random_positions(seed: int, tmp_path: object) -> None:
    play_random(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_nothing_illegal_is_done_in_many_random_positions(seed: int, tmp_path: object) -> None:
    play_random(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["carentan", "ponyri", "steamroller"])
@pytest.mark.parametrize("level", ["regular", "ace"])
def test_nothing_illegal_is_done_in_the_shipped_scenarios(name: str, level: str) -> None:
    halts = 0
    for game in played(new_game(planner.load(name)), Bot(level), Limit(work=120), 5, 150):
        halts += any(isinstance(action, Halt) for action in legal(game))
    assert halts
