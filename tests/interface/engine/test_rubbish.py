"""A thousand malformed messages and more: none ends the engine or hangs it, each gets the error
that is right for it and no other, in order, and a search then answers as ever."""

from __future__ import annotations

import time

import pytest

from planner.game.actions import EndPhase
from planner.game.play_state import Game
from planner.interface.refusals import ExitStatus
from planner.play.bot import Bot
from planner.play.player import Decision
from planner.search.effort import Cancelled, Limit
from tests.interface.engine.rubbish import MAKERS, Said, rubbish
from tests.interface.engine.talk import BEST, TWO_TANKS, VALUE, Talk, talk

COUNT = 1500


def thinks_on(bot: Bot, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
    """A bot that decides when it is stopped."""
    while not cancelled():
        time.sleep(0.001)
    return Decision(EndPhase())


def refusals(engine: Talk) -> list[Said]:
    return [
        (message["error"]["data"]["kind"], message["id"])
        for message in engine.heard
        if "error" in message
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_each_gets_the_right_error(seed: int) -> None:
    messages = list(rubbish(seed, COUNT))
    with talk() as engine:
        for data, _ in messages:
            engine.say(data + b"\n")
        engine.ask("position", **TWO_TANKS)
        found = engine.ask("go")
    assert found["plans"][0]["moves"] == BEST
    assert found["plans"][0]["value"] == pytest.approx(VALUE)
    assert refusals(engine) == [said for _, said in messages if said is not None]


@pytest.mark.parametrize("method", ["go", "decide"])
def test_during_a_search(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bot, "decide", thinks_on)
    messages = list(rubbish(3, 300, too_long=1))
    with talk() as engine:
        engine.ask("position", scenario="carentan")
        go = engine.send(method, seconds=600)
        if method == "go":
            engine.wait_for_info(go)
        for data, _ in messages:
            engine.say(data + b"\n")
        engine.ask("ping")
        assert engine.of(go) == []
        engine.ask("stop")
        assert engine.of(go)[0]["result"]["ended"] == "stopped"
        engine.ask("position", **TWO_TANKS)
        assert engine.ask("go")["plans"][0]["moves"] == BEST
    assert refusals(engine) == [said for _, said in messages if said is not None]


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_in_pieces_of_any_size(size: int) -> None:
    messages = list(rubbish(4, 60, too_long=0))
    data = b"".join(line + b"\n" for line, said in messages if len(line) < 50_000)
    with talk() as engine:
        for at in range(0, len(data), size):
            engine.say(data[at : at + size])
        engine.ask("ping")
    expected = [said for line, said in messages if said is not None and len(line) < 50_000]
    assert refusals(engine) == expected


def test_what_ends_in_the_middle_of_a_line() -> None:
    with talk() as engine:
        engine.say(b'{"jsonrpc": "2.0", "id"')
        assert engine.end() is ExitStatus.DONE
    assert refusals(engine) == [("parse_error", None)]


def test_all_kinds_are_among_them() -> None:
    kinds = {said and said[0] for _, said in rubbish(1, COUNT)}
    assert kinds == {"parse_error", "invalid_request", "unknown_method", "invalid_params", None}
    assert len(MAKERS) * 90 <= COUNT
