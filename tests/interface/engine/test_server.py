"""The engine's contract: what is answered, when, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from planner.game.position import Position
from planner.interface.engine import server as server_module
from planner.interface.engine.requests import PARAMS
from planner.interface.engine.results import Nothing
from planner.interface.refusals import ExitStatus
from planner.search import plan as plan_module
from planner.search.effort import Progress
from planner.search.plan import PlanResult
from tests.interface.engine.talk import BEST, TWO_TANKS, VALUE, Talk, talk

SLOW = {"scenario": "carentan"}
"""A position whose search goes on for long."""


@pytest.fixture
def engine() -> Iterator[Talk]:
    with talk() as talking:
        yield talking


def test_hello(engine: Talk) -> None:
    found = engine.ask("hello", client="a test")
    assert (found["name"], found["protocol"]) == ("overrun-planner", 1)
    assert found["methods"] == list(PARAMS)
    assert found["scenarios"] == ["carentan", "ponyri", "steamroller"]
    options = {option["name"]: option for option in found["options"]}
    assert set(options) == {"seconds", "plans", "own_loss", "info_interval"}
    assert (options["plans"]["type"], options["plans"]["min"], options["plans"]["max"]) == (
        "integer",
        1,
        100,
    )


def test_the_best_plan_of_two_tanks(engine: Talk) -> None:
    engine.ask("position", **TWO_TANKS)
    found = engine.ask("go")
    assert found["ended"] == "finished"
    assert found["plans"][0]["moves"] == BEST
    assert found["plans"][0]["value"] == pytest.approx(VALUE, abs=1e-9)
    assert found["plans"][0]["status"] == "optimal"
    assert found["next"]["move"] == BEST[0]
    assert found["next"]["exact"]
    assert found["staying"] == 0
    infos = engine.infos()
    assert infos[0]["moves"] == []
    assert all(info["value"] <= VALUE + 1e-9 for info in infos)


def test_one_request_after_the_other_without_waiting(engine: Talk) -> None:
    asked = [
        engine.send("position", **TWO_TANKS),
        engine.send("evaluate", moves=BEST),
        engine.send("set_option", name="plans", value=2),
        engine.send("go", work=100_000),
    ]
    found = [engine.until(id_)["result"] for id_ in asked]
    assert found[1]["value"] == pytest.approx(found[3]["plans"][0]["value"])
    assert len(found[3]["plans"]) == 2
    order = [message["id"] for message in engine.heard if "method" not in message]
    assert order == asked


# While a search runs.


@pytest.fixture
def searching(engine: Talk) -> tuple[Talk, str | int]:
    engine.ask("position", **SLOW)
    go = engine.send("go", seconds=600)
    engine.wait_for_info(go)
    return engine, go


def test_stop_is_obeyed_and_the_go_answered_first(searching: tuple[Talk, str | int]) -> None:
    engine, go = searching
    assert engine.ask("stop") == {"stopped": True}
    assert engine.of(go)[0]["result"]["ended"] == "stopped"
    order = [message["id"] for message in engine.heard if "method" not in message]
    assert order.index(go) == len(order) - 2
    assert engine.ask("stop") == {"stopped": False}
    assert len(engine.of(go)) == 1


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("go", {}),
        ("position", TWO_TANKS),
        ("set_option", {"name": "plans", "value": 2}),
        ("evaluate", {"moves": []}),
        ("lines", {}),
        ("scenario", {}),
    ],
)
def test_a_search_bars_other_requests(
    searching: tuple[Talk, str | int], method: str, params: dict[str, Any]
) -> None:
    engine, go = searching
    assert engine.refused(method, **params)[0] == "searching"
    assert engine.ask("ping") == {}
    assert engine.ask("hello")["name"]
    assert engine.of(go) == []
    engine.ask("stop")
    engine.ask("position", **TWO_TANKS)
    assert engine.ask("go")["plans"][0]["moves"] == BEST


def test_rubbish_does_not_end_a_search(searching: tuple[Talk, str | int]) -> None:
    engine, go = searching
    for line in (b"\xff\n", b"{\n", b"[]\n", b"\n", b"x" * 3_000_000 + b"\n"):
        engine.say(line)
    assert engine.ask("ping") == {}
    assert len(engine.of(None)) == 4
    assert engine.of(go) == []
    engine.ask("stop")


def test_an_id_that_waits_is_not_taken_again(searching: tuple[Talk, str | int]) -> None:
    engine, go = searching
    engine.send("ping", id_=go)
    refused = engine.until(None)["error"]["data"]
    assert refused["kind"] == "invalid_request"
    assert refused["faults"][0]["place"] == "id"
    engine._methods[go] = "go"
    engine.ask("stop")
    assert len(engine.of(go)) == 1
    engine.send("ping", id_=go)  # and now it may be used again
    engine.ask("ping")
    assert [m["result"] for m in engine.of(go)][1:] == [{}]
    engine.heard.remove(engine.of(go)[1])
    engine._methods[go] = "go"


def test_a_stop_that_wants_no_answer(searching: tuple[Talk, str | int]) -> None:
    engine, go = searching
    engine.notify("stop")
    assert engine.until(go)["result"]["ended"] == "stopped"


def test_other_notifications_are_passed_over(searching: tuple[Talk, str | int]) -> None:
    engine, go = searching
    for method in ("position", "go", "ping", "poem", "set_option"):
        engine.notify(method, value=1)
    engine.notify("stop", now=True)
    before = len([m for m in engine.heard if "method" not in m])
    engine.ask("ping")
    assert len([m for m in engine.heard if "method" not in m]) == before + 1
    assert engine.of(go) == []
    engine.ask("stop")


@pytest.mark.parametrize("answered", [True, False])
def test_quit_ends_a_search_and_the_engine(
    searching: tuple[Talk, str | int], answered: bool
) -> None:
    engine, go = searching
    if answered:
        engine.send("quit")
    else:
        engine.notify("quit")
    assert engine.ended() is ExitStatus.DONE
    answers = [message for message in engine.heard if "method" not in message]
    assert answers[-1 - answered]["id"] == go
    assert answers[-1]["result"] == ({} if answered else engine.of(go)[0]["result"])


def test_the_end_of_the_input_ends_a_search(searching: tuple[Talk, str | int]) -> None:
    engine, go = searching
    assert engine.end() is ExitStatus.DONE
    assert engine.of(go)[0]["result"]["ended"] == "stopped"


def test_ctrl_c_ends_a_search(searching: tuple[Talk, str | int]) -> None:
    engine, go = searching
    engine.server.interrupt()
    assert engine.ended() is ExitStatus.STOPPED
    assert engine.of(go)[0]["result"]["ended"] == "stopped"


def test_what_was_asked_before_the_end_of_the_input_is_answered() -> None:
    with talk() as engine:
        asked = [
            engine.send("position", **TWO_TANKS),
            engine.send("evaluate", moves=BEST),
            engine.send("go"),
        ]
        engine.end()
    found = [engine.of(id_)[0]["result"] for id_ in asked]
    assert found[2]["plans"][0]["moves"] == BEST
    assert found[2]["ended"] == "finished"


# A search that does not mind a stop, and a bug.


def stubborn(release: Event, tells: bool) -> Any:
    """A search that goes on, whatever anybody says, until it is released."""
    real = plan_module.plan

    def plan(*arguments: Any) -> PlanResult:
        position, _, _, _, _, on_progress, *_ = arguments
        assert isinstance(position, Position)
        if tells:
            on_progress(Progress("musing", 0, None, 0.25, 7, (), 1.5))
        release.wait()
        return real(*arguments)

    return plan


@pytest.mark.parametrize("tells", [True, False])
def test_a_stop_does_not_wait_for_a_search_that_goes_on(
    engine: Talk, monkeypatch: pytest.MonkeyPatch, tells: bool
) -> None:
    release = Event()
    engine.ask("position", **TWO_TANKS)
    with monkeypatch.context() as patch:
        patch.setattr(plan_module, "plan", stubborn(release, tells))
        go = engine.send("go")
        if tells:
            engine.wait_for_info(go)
        assert engine.ask("stop") == {"stopped": True}
        answer = engine.of(go)[0]
        if tells:
            found = answer["result"]
            assert (found["ended"], found["work"], found["plans"][0]["bound"]) == (
                "stopped",
                7,
                1.5,
            )
            assert found["next"]["value"] == 0.25
        else:
            assert answer["error"]["data"]["kind"] == "stopped"
        second = engine.send("go")  # waits until the other has ended
        engine.ask("ping")
        assert engine.of(second) == []
    release.set()
    assert engine.until(second)["result"]["plans"][0]["moves"] == BEST
    assert len(engine.of(go)) == 1


def test_a_bug_is_told_and_survived(
    engine: Talk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*arguments: Any) -> PlanResult:
        raise ZeroDivisionError

    engine.ask("position", **TWO_TANKS)
    with monkeypatch.context() as patch:
        patch.setattr(plan_module, "plan", broken)
        assert engine.refused("go") == ("internal", [("message", "ZeroDivisionError in go")])
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert engine.ask("go")["plans"][0]["moves"] == BEST


def test_so_many_requests_wait_and_no_more(engine: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "MOST_WAITING", 3)
    release = Event()
    engine.ask("position", **TWO_TANKS)
    monkeypatch.setattr(engine.server._desk, "_lines", lambda params: release.wait() and Nothing())
    engine.send("lines")
    waiting = [engine.send("evaluate", moves=[]) for _ in range(2)]
    assert engine.refused("evaluate", moves=[])[0] == "busy"
    assert engine.ask("ping") == {}
    engine.send("quit")
    engine._thread.join(20)
    kinds = [engine.of(id_)[0]["error"]["data"]["kind"] for id_ in waiting]
    assert kinds == ["stopped"] * 2
    release.set()
