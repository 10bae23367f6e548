"""The client, end to end with an engine in a process of its own."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest

from planner.interface.engine.client import (
    Engine,
    EngineError,
    EngineGoneError,
    EngineTimeoutError,
)
from tests.interface.engine.talk import BEST, TWO_TANKS, VALUE, Form


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as found:
        yield found


def test_two_tanks(engine: Engine) -> None:
    assert engine.hello()["name"] == "overrun-planner"
    told = engine.position(**TWO_TANKS)
    assert (told["to_move"], told["afvs"], told["deciding"]) == ("red", ["T1", "T2"], "mover")
    infos: list[Form] = []
    found = engine.go(on_info=infos.append, timeout=30)
    assert found["plans"][0]["moves"] == BEST
    assert round(found["plans"][0]["value"], 6) == 0.434992
    assert infos[0]["phase"] == "looking for overrun lines"
    assert engine.evaluate(BEST)["value"] == pytest.approx(VALUE)
    assert len(engine.lines("T1")) + len(engine.lines("T2")) == len(engine.lines()) == 10
    assert not engine.why("T1", "0404", "N")["legal"]
    engine.ping()


def test_a_shipped_scenario(engine: Engine) -> None:
    assert engine.position("steamroller")["title"] == "Steamroller Farm"
    found = engine.go(seconds=20, plans=2)
    assert found["ended"] == "finished"
    best, second = found["plans"]
    assert best["status"] == "optimal"
    assert best["bound"] == pytest.approx(best["value"], abs=1e-6)
    assert best["value"] >= second["value"]
    assert found["next"]["value"] >= best["value"]
    assert engine.evaluate(best["moves"])["value"] == pytest.approx(best["value"])


def test_a_refusal(engine: Engine) -> None:
    engine.position(**TWO_TANKS)
    with pytest.raises(EngineError, match="no shipped scenario") as caught:
        engine.position("steamrolle")
    assert (caught.value.code, caught.value.kind) == (-32602, "invalid_params")
    assert caught.value.faults[0]["place"] == "params.scenario"
    assert 'did you mean "steamroller"?' in caught.value.faults[0]["expected"]
    with pytest.raises(EngineError) as caught:
        engine.evaluate(["T1 0304-0304"])
    assert caught.value.reasons[0]["clause"] == "OVR-13"
    engine.set_option("plans", 2)
    with pytest.raises(EngineError):
        engine.set_option("plans", 0)
    assert len(engine.go()["plans"]) == 2
    engine.set_option("plans", 1)


def test_an_info_may_stop_the_search(engine: Engine) -> None:
    engine.position("carentan")

    def on_info(info: Form) -> None:
        if info["moves"]:
            engine.stop()

    found = engine.go(seconds=600, on_info=on_info, timeout=60)
    assert found["ended"] == "stopped"
    assert found["plans"][0]["moves"]
    assert found["plans"][0]["value"] > 0


def test_a_stop_is_prompt(engine: Engine) -> None:
    engine.position("carentan")
    late = []
    for after in (0.02, 0.1, 0.3, 0.5, 0.8):
        going = engine.begin(seconds=600)
        time.sleep(after)
        assert not going.done
        with pytest.raises(EngineTimeoutError, match=r"no answer within 0\.01 s"):
            going.result(0.01)
        asked = time.monotonic()
        going.stop()
        assert going.result(10)["ended"] == "stopped"
        late.append(time.monotonic() - asked)
        going.stop()  # does nothing any more
    assert median(late) < 0.1
    assert max(late) < 1


def test_a_bot_that_decides_may_be_stopped(engine: Engine) -> None:
    engine.position("ponyri")
    going = engine.begin("decide", seconds=600)
    assert not going.done
    going.stop()
    found = going.result(30)
    assert found["ended"] == "stopped"
    assert found["action"] in engine.legal()


def test_play_goes_on_in_the_engine(engine: Engine) -> None:
    engine.position(**TWO_TANKS)
    assert "T1 0304" in engine.legal()
    told = engine.apply("T1 0304")
    while told["position"]["deciding"] == "defender":
        told = engine.apply("hold")
    saved = engine.scenario()
    assert saved["under_way"]["route"] == ["0203", "0304"]
    actions = engine.legal()
    engine.position(saved, rules=TWO_TANKS["rules"])
    assert engine.legal() == actions
    with pytest.raises(EngineError, match="move of T1 has not ended"):
        engine.go()


def test_when_it_has_quit() -> None:
    with Engine() as engine:
        engine.position(**TWO_TANKS)
        assert engine.quit() == 0
        with pytest.raises(EngineGoneError):
            engine.ping()
    assert engine.quit() == 0


def test_what_can_not_be_started() -> None:
    with pytest.raises(EngineGoneError, match="can't be started"):
        Engine(["no such program anywhere"])


def test_what_on_info_raises_ends_the_search_and_is_raised(engine: Engine) -> None:
    def on_info(info: Form) -> None:
        raise TimeoutError("no time for this")

    engine.position("carentan")
    with pytest.raises(TimeoutError, match="no time for this"):
        engine.go(seconds=600, on_info=on_info, timeout=60)
    engine.position(**TWO_TANKS)
    assert engine.go()["plans"][0]["moves"] == BEST


def test_what_can_not_be_said(engine: Engine) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        engine.go(seconds=float("nan"))
    with pytest.raises(TypeError):
        engine.request("go", work=object())
    engine.ping()


def test_many_threads_ask_at_once(engine: Engine) -> None:
    engine.position(**TWO_TANKS)
    with ThreadPoolExecutor(8) as pool:
        values = list(pool.map(lambda _: engine.evaluate(BEST)["value"], range(40)))
    assert values == [pytest.approx(VALUE)] * 40


NO_ENGINES = {
    "silent": "",
    "greets": "print('hello')",
    "reads": "input()",
    "a list": "print([])",
    "a number": "print(1)",
    "an id that is none": "print('{\"id\": []}'); input()",
    "no result": "input(); print('{\"id\": 1}')",
    "no error": 'input(); print(\'{"id": 1, "error": 1}\')',
    "no info": 'input(); print(\'{"method": "info"}\')',
    "not UTF-8": "import sys; sys.stdout.buffer.write(b'\\xff\\n')",
}


@pytest.mark.parametrize("code", NO_ENGINES.values(), ids=NO_ENGINES)
def test_what_is_no_engine(code: str) -> None:
    with Engine([sys.executable, "-c", code]) as engine:
        with pytest.raises(EngineGoneError):
            engine.ping()
        with pytest.raises(EngineGoneError):
            engine.go()


def test_what_does_not_answer() -> None:
    code = "import time; time.sleep(60)"
    engine = Engine([sys.executable, "-c", code], timeout=0.2)
    with pytest.raises(EngineTimeoutError, match=r"no answer within 0\.2 s"):
        engine.ping()
    assert engine.quit(patience=0.2) != 0
