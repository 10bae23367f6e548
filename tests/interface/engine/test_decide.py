"""The bot asked through the engine: what it answers, its limits, stops, and whole games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event
from time import sleep
from typing import Any

import pytest

from planner.game.actions import format_action
from planner.game.chance import KeyedDice
from planner.game.play_state import Game
from planner.game.read_scenario import load_game, parse_game
from planner.game.score import score
from planner.interface.engine import desk, search
from planner.interface.engine.client import Engine
from planner.play import bot as bot_module
from planner.play.advice import Advice, Option
from planner.play.bot import Bot
from planner.play.levels import LEVELS
from planner.play.player import Decision
from planner.play.session import Session
from planner.search.effort import Cancelled, Limit
from tests.edits import CASES, base
from tests.interface.engine.rubbish import rubbish
from tests.interface.engine.talk import BEST, TWO_TANKS, Form, Talk, check, talk

WORK = 200

MOMENTS: dict[str, list[Form]] = {
    "at the start": [],
    "a window is open": [{"action": "T2 0402"}],
    "in the middle of a move": [{"action": "T1 0304"}, {"action": "hold"}],
    "Final Opportunity Fire": [
        {"action": "T1 0304"},
        {"action": "hold"},
        {"action": "T1 x0404-0505", "totals": [12, 6]},
    ],
    "the other side's phase": [{"action": "end"}],
}
"""What has been done, and so who decides."""


@pytest.fixture(scope="module")
def shared() -> Iterator[Talk]:
    with talk() as talking:
        yield talking


@pytest.fixture
def engine() -> Iterator[Talk]:
    with talk() as talking:
        yield talking


def at(moment: str) -> Form:
    return {**TWO_TANKS, "actions": MOMENTS[moment]}


def written(parts: Form) -> str:
    """An action in notation, from its parts."""
    match parts["kind"]:
        case "enter":
            return f"{parts['unit']} {parts['hex']}"
        case "overrun":
            weapons = [f"{each['unit']}:{each['weapon']}" for each in parts["weapons"]]
            tail = "".join(f" +{weapon}" for weapon in weapons)
            return f"{parts['unit']} x{parts['target']}-{parts['exit']}{tail}"
        case "halt":
            turn = "" if parts["facing"] is None else f"/{parts['facing']}"
            return f"{parts['unit']} halt{turn}"
        case "fire":
            helped = "" if parts["leader"] is None else f" with {parts['leader']}"
            return f"fire {parts['firer']}:{parts['weapon']}{helped}"
    return str(parts["kind"])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("moment", MOMENTS)
def test_it_decides_as_the_bot_does_whoever_decides(shared: Talk, moment: str, level: str) -> None:
    told = shared.ask("position", **at(moment))
    legal = shared.ask("legal")["actions"]
    found = shared.ask("decide", work=WORK, level=level)
    game = standing(shared)
    expected = Bot(level).decide(game, Limit(work=WORK))
    assert found["action"] == format_action(game.position, expected.action)
    assert found["action"] in legal
    assert (found["value"], found["exact"]) == (expected.value_to_mover, expected.exact)
    assert (found["reason"], found["work"]) == (expected.reason, expected.work)
    assert (found["deciding"], found["decider"]) == (told["deciding"], told["decider"])
    assert found["value_to"] == told["to_move"]
    assert found["ended"] == "decided"
    assert written(found["parts"]) == found["action"]
    assert "choices" not in found


def standing(engine: Talk) -> Game:
    """The game as the engine has it."""
    scenario = engine.ask("scenario")["scenario"]
    return parse_game({**scenario, "rules": base("scenario")["rules"]}, CASES)


@pytest.mark.parametrize("level", ["recruit", "veteran", "ace"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_choice_has_its_value(shared: Talk, moment: str, level: str) -> None:
    told = shared.ask("position", **at(moment))
    legal = shared.ask("legal")
    found = shared.ask("decide", work=WORK, level=level, choices=True)
    choices = found["choices"]
    assert sorted(each["action"] for each in choices) == legal["actions"]
    values = [each["value"] for each in choices if each["value"] is not None]
    assert [each["value"] for each in choices[: len(values)]] == values
    sign = 1 if told["deciding"] == "defender" else -1
    assert values == sorted(values, key=lambda value: round(sign * value, 9))
    if found["exact"]:
        assert found["value"] == pytest.approx(values[0])
    assert [written(parts) for parts in legal["parts"]] == legal["actions"]


def test_the_own_loss_weight_of_the_option_and_of_the_request(shared: Talk) -> None:
    shared.ask("position", **TWO_TANKS)
    usual = shared.ask("decide", work=WORK)["value"]
    light = shared.ask("decide", work=WORK, own_loss=0)["value"]
    shared.ask("set_option", name="own_loss", value=0)
    assert shared.ask("decide", work=WORK)["value"] == light > usual
    assert shared.ask("decide", work=WORK, own_loss=1)["value"] == usual
    shared.ask("set_option", name="own_loss", value=1)


def test_the_only_legal_action_needs_no_bot(shared: Talk) -> None:
    shared.ask("position", **at("the other side's phase"))
    assert shared.ask("legal")["actions"] == ["end"]
    found = shared.ask("decide")
    assert (found["action"], found["value"], found["work"]) == ("end", None, 0)
    assert found["reason"] == "nothing else is legal"


# Whole games.


def whole_game(engine: Engine, seed: int, work: int, **position: Any) -> tuple[list[str], Form]:
    """A game in which the bot decides for both sides: what was done, and how it stood at last."""
    done = []
    told = engine.position(**position)
    while told["decider"] is not None:
        found = engine.decide(work=work)
        check({"jsonrpc": "2.0", "id": 1, "result": found}, "decide")
        assert (found["deciding"], found["decider"]) == (told["deciding"], told["decider"])
        assert found["action"] in engine.legal()
        done.append(found["action"])
        told = engine.apply(found["action"], seed=seed)["position"]
    return done, told


def in_a_session(game: Game, seed: int, work: int) -> tuple[list[str], dict[str, float]]:
    """The same game, played as ``overrun play`` does it."""
    sides = [side.id for side in game.position.sides]
    limits = {side: Limit(work=work) for side in sides}
    session = Session(game, {side: Bot() for side in sides}, KeyedDice(seed), limits)
    done = [format_action(step.before.position, step.action) for step in session.play()]
    return done, dict(score(session.game))


def test_a_whole_game_through_the_client() -> None:
    with Engine() as engine:
        done, told = whole_game(engine, 7, 40, **TWO_TANKS)
        assert engine.quit() == 0
    assert (told["over"], told["deciding"]) == (True, "nobody")
    assert (done, told["score"]) == in_a_session(parse_game(base("scenario"), CASES), 7, 40)
    assert sum(told["score"].values()) == pytest.approx(0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_of_a_shipped_scenario_through_the_client(seed: int) -> None:
    with Engine() as engine:
        done, told = whole_game(engine, seed, 20, scenario="steamroller")
    assert (done, told["score"]) == in_a_session(load_game("steamroller"), seed, 20)


# Limits, stops and faults, with bots made for it.


@dataclass
class Fake:
    """How the engine's bots decide, and what they were made with and asked."""

    decides: Callable[[Game, Cancelled], Decision]
    made: list[tuple[str, float]] = field(default_factory=list)
    asked: list[tuple[str, Limit]] = field(default_factory=list)


@dataclass
class FakeBot:
    """A bot that decides as it is told to."""

    fake: Fake
    level: str

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        self.fake.asked.append((self.level, limit))
        return self.fake.decides(game, cancelled)

    def advise(self, game: Game, limit: Limit, cancelled: Cancelled) -> Advice:
        action = self.decide(game, limit, cancelled).action
        options = (Option(action, float("-inf")),)
        return Advice(options, action, float("-inf"), False, "for a reason")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    usual = Bot().decide
    found = Fake(lambda game, cancelled: usual(game, Limit(work=1)))

    def make(level: str, own_loss: float) -> FakeBot:
        found.made.append((level, own_loss))
        return FakeBot(found, level)

    monkeypatch.setattr(bot_module, "Bot", make)
    return found


@pytest.mark.parametrize(
    ("params", "limit"),
    [
        ({}, Limit(seconds=3.5)),
        ({"work": 7}, Limit(work=7)),
        ({"seconds": 2}, Limit(seconds=2.0)),
        ({"seconds": 0, "work": 7}, Limit(0.0, 7)),
    ],
)
def test_limits_are_those_of_a_go(engine: Talk, fake: Fake, params: Form, limit: Limit) -> None:
    engine.ask("set_option", name="seconds", value=3.5)
    engine.ask("position", **TWO_TANKS)
    engine.ask("decide", level="regular", **params)
    assert fake.asked == [("regular", limit)]


def test_bots_remember_until_another_position_is_set(engine: Talk, fake: Fake) -> None:
    engine.ask("position", **TWO_TANKS)
    for level in ("ace", "recruit", "ace", "recruit"):
        engine.ask("decide", level=level)
    engine.ask("apply", action="end")
    engine.ask("decide")
    assert fake.made == [("ace", 1.0), ("recruit", 1.0)]
    engine.ask("position", **TWO_TANKS)
    engine.ask("decide")
    assert fake.made[2:] == [("ace", 1.0)]
    for weight in range(2, 2 + desk.MOST_BOTS):
        engine.ask("decide", own_loss=weight)
    engine.ask("decide")
    assert fake.made[-1] == ("ace", 1.0)
    assert len(engine.server._desk._bots) == desk.MOST_BOTS


def test_a_value_that_no_message_can_hold(engine: Talk, fake: Fake) -> None:
    engine.ask("position", **TWO_TANKS)
    found = engine.ask("decide", choices=True)
    assert (found["value"], [each["value"] for each in found["choices"]]) == (None, [None])


def test_a_stop_ends_it_with_the_best_so_far(engine: Talk, fake: Fake) -> None:
    begun = Event()
    usual = fake.decides

    def patient(game: Game, cancelled: Cancelled) -> Decision:
        begun.set()
        while not cancelled():
            sleep(0.001)
        return usual(game, cancelled)

    fake.decides = patient
    engine.ask("position", **TWO_TANKS)
    id_ = engine.send("decide", seconds=600)
    assert begun.wait(20)
    for method in ("decide", "go", "position", "legal", "apply"):
        assert refused_as(engine, method) == ("searching", f"a search runs, for the decide {id_!r}")
    for data, _ in rubbish(5, 60, too_long=0):
        engine.say(data + b"\n")
    assert engine.ask("ping") == {}
    assert engine.of(id_) == []
    assert engine.ask("stop") == {"stopped": True}
    found = engine.of(id_)[0]["result"]
    assert found["ended"] == "stopped"
    assert found["reason"]
    assert engine.ask("stop") == {"stopped": False}
    assert len(engine.of(id_)) == 1
    assert engine.infos() == []


def refused_as(engine: Talk, method: str) -> tuple[str, str]:
    params = {"position": TWO_TANKS, "apply": {"action": "end"}}.get(method, {})
    kind, faults = engine.refused(method, **params)
    return kind, faults[0][1]


@pytest.mark.parametrize(
    ("moment", "action"),
    [
        ("at the start", "end"),
        ("a window is open", "hold"),
        ("in the middle of a move", "T1 halt"),
        ("the other side's phase", "end"),
    ],
)
def test_a_stop_does_not_wait_for_a_bot_that_goes_on(
    engine: Talk,
    fake: Fake,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
    action: str,
) -> None:
    monkeypatch.setattr(search, "SILENT_GRACE", 0.05)
    release = Event()
    usual = fake.decides

    def stubborn(game: Game, cancelled: Cancelled) -> Decision:
        release.wait()
        return usual(game, cancelled)

    fake.decides = stubborn
    engine.ask("position", **at(moment))
    first = engine.send("decide")
    while not fake.asked:
        engine.ask("ping")
    assert engine.ask("stop") == {"stopped": True}
    found = engine.of(first)[0]["result"]
    assert (found["action"], found["value"], found["exact"]) == (action, None, False)
    assert found["reason"] == f"{action}: there was no time to judge"
    second = engine.send("decide")  # waits until the other has ended
    assert engine.ask("stop") == {"stopped": True}
    assert engine.of(second)[0]["error"]["data"]["kind"] == "stopped"
    third = engine.send("decide")
    release.set()
    assert engine.until(third)["result"]["ended"] == "decided"
    assert [len(engine.of(id_)) for id_ in (first, second, third)] == [1, 1, 1]


def test_a_bug_of_the_bot_is_told_and_survived(
    engine: Talk, fake: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(game: Game, cancelled: Cancelled) -> Decision:
        raise ZeroDivisionError

    fake.decides = broken
    engine.ask("position", **TWO_TANKS)
    assert engine.refused("decide") == ("internal", [("message", "ZeroDivisionError in decide")])
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert engine.ask("go")["plans"][0]["moves"] == BEST


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seconds", [0, 1e-9])
def test_without_time_it_still_decides(shared: Talk, level: str, seconds: float) -> None:
    shared.ask("position", scenario="steamroller")
    found = shared.ask("decide", seconds=seconds, level=level)
    assert found["action"] in shared.ask("legal")["actions"]
