"""What each request gives, and what it is refused for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.interface.engine.talk import BEST, TWO_TANKS, VALUE, Talk, talk


@pytest.fixture
def engine() -> Iterator[Talk]:
    with talk() as talking:
        yield talking


@pytest.fixture(scope="module")
def shared() -> Iterator[Talk]:
    """An engine for many tests, with the two tanks."""
    with talk() as talking:
        talking.ask("position", **TWO_TANKS)
        yield talking


@pytest.mark.parametrize(
    ("option", "value", "go"),
    [
        ("plans", 3, {"plans": 3}),
        ("own_loss", 0.0, {"own_loss": 0.0}),
        ("seconds", 0, {"seconds": 0}),
    ],
)
def test_an_option_is_what_a_go_says_nothing_of(
    engine: Talk, option: str, value: float, go: dict[str, Any]
) -> None:
    def outcome(found: dict[str, Any]) -> object:
        return found["plans"], found["next"], found["ended"]

    engine.ask("position", **TWO_TANKS)
    usual = outcome(engine.ask("go"))
    said = outcome(engine.ask("go", **go))
    assert engine.ask("set_option", name=option, value=value) == {"name": option, "value": value}
    assert outcome(engine.ask("go")) == said != usual
    options = {found["name"]: found["value"] for found in engine.ask("hello")["options"]}
    assert options[option] == value


def test_between_infos_passes_the_time_that_the_option_says(engine: Talk) -> None:
    engine.ask("position", scenario="steamroller")
    counts = []
    for interval in (3600, 0):
        engine.ask("set_option", name="info_interval", value=interval)
        id_ = engine.send("go", work=60)
        engine.until(id_)
        counts.append(len(engine.infos(id_)))
    assert counts[0] == 1 < counts[1]


def test_work_makes_the_same_answer_each_time(engine: Talk) -> None:
    engine.ask("position", scenario="steamroller")
    found = [engine.ask("go", work=80, plans=3) for _ in range(2)]
    first, second = ({k: v for k, v in one.items() if k != "seconds"} for one in found)
    assert first == second
    assert (found[0]["ended"], found[0]["work"]) == ("limit", 80)


def overrun(move: str) -> str:
    """The AFV, target hex and exit hex of a written move."""
    return f"{move.split()[0]} {move.partition('x')[2].split()[0]}"


def test_the_plans_of_a_list_differ_as_asked(engine: Talk) -> None:
    engine.ask("position", scenario="steamroller")
    made = {}
    for differ in ("overruns", "moves"):
        plans = engine.ask("go", work=60, plans=9, differ=differ)["plans"]
        assert all(plan["exact"] and plan["value_high"] == plan["value"] for plan in plans)
        made[differ] = [frozenset(map(overrun, plan["moves"])) for plan in plans]
    assert len(set(made["overruns"])) == len(made["overruns"]) == 9
    assert len(set(made["moves"])) < len(made["moves"]) == 9


def test_a_whole_number_may_be_written_with_a_point(engine: Talk) -> None:
    engine.ask("position", **TWO_TANKS)
    assert engine.ask("go", work=20.0)["work"] == engine.ask("go", work=20)["work"]
    assert engine.ask("set_option", name="plans", value=2.0)["value"] == 2
    assert len(engine.ask("go")["plans"]) == 2


@pytest.mark.parametrize(
    ("wishes", "moves"),
    [
        ({"only": ["T1"]}, []),
        ({"stay": ["T2"]}, []),
        ({"stay": ["T2"], "target": "0404"}, []),
        ({"avoid": ["0603"]}, None),
    ],
)
def test_wishes(engine: Talk, wishes: dict[str, Any], moves: list[str] | None) -> None:
    engine.ask("position", **TWO_TANKS)
    found = engine.ask("go", wishes=wishes)["plans"][0]["moves"]
    assert found != BEST
    assert moves is None or found == moves
    assert not any("0603" in move for move in found)


def test_lines_why_and_evaluate(engine: Talk) -> None:
    engine.ask("position", **TWO_TANKS)
    found = engine.ask("lines")["lines"]
    assert len(found) == 10
    own = engine.ask("lines", unit="T1")["lines"]
    assert own == [line for line in found if line["unit"] == "T1"]
    first = found[0]
    where = {"unit": first["unit"], "target": first["target"], "direction": first["direction"]}
    assert engine.ask("why", **where) == {"legal": True, "reasons": [], "move": first["move"]}
    reasons = engine.ask("why", unit="G1", target="0404", direction="n")["reasons"]
    assert reasons[0]["clause"] == "OVR-1"
    best = engine.ask("evaluate", moves=BEST)
    assert best["value"] == pytest.approx(VALUE)
    assert sum(p for _, p in best["payoff"]) == pytest.approx(1)
    easier = engine.ask("evaluate", moves=BEST, defender="hold")
    assert easier["value"] > best["value"]
    assert engine.ask("evaluate", moves=BEST, own_loss=0)["value"] > best["value"]
    assert engine.ask("evaluate", moves=[])["value"] == 0


@pytest.mark.parametrize(
    ("method", "params", "kind", "place"),
    [
        ("hello", {"client": 3}, "invalid_params", "params.client"),
        ("set_option", {"name": "plans"}, "invalid_params", "params.value"),
        ("set_option", {"name": "plan", "value": 1}, "invalid_params", "params.name"),
        ("set_option", {"name": "plans", "value": 0}, "invalid_params", "params.value"),
        ("set_option", {"name": "plans", "value": 1.5}, "invalid_params", "params.value"),
        ("set_option", {"name": "seconds", "value": "x"}, "invalid_params", "params.value"),
        ("set_option", {"name": "seconds", "value": True}, "invalid_params", "params.value"),
        ("set_option", {"name": "seconds", "value": -1}, "invalid_params", "params.value"),
        ("position", {}, "invalid_params", "params.scenario"),
        ("position", {"scenario": 1}, "invalid_params", "params.scenario"),
        ("position", {"scenario": "steamrolle"}, "invalid_params", "params.scenario"),
        ("position", {"scenario": "ponyri", "rules": "x"}, "invalid_params", "params.rules"),
        ("position", {"scenario": {}}, "bad_position", "format"),
        ("position", {"scenario": "ponyri", "rules": {}}, "bad_position", "format"),
        ("go", {"seconds": -1}, "invalid_params", "params.seconds"),
        ("go", {"seconds": 10**7}, "invalid_params", "params.seconds"),
        ("go", {"work": 0}, "invalid_params", "params.work"),
        ("go", {"work": 1.5}, "invalid_params", "params.work"),
        ("go", {"plans": 101}, "invalid_params", "params.plans"),
        ("go", {"own_loss": "1"}, "invalid_params", "params.own_loss"),
        ("go", {"differ": "weapons"}, "invalid_params", "params.differ"),
        ("go", {"wishes": []}, "invalid_params", "params.wishes"),
        ("go", {"wishes": {"only": "T1"}}, "invalid_params", "params.wishes.only"),
        ("go", {"wishes": {"only": ["T9"]}}, "invalid_params", "params.wishes.only[0]"),
        ("go", {"wishes": {"stay": ["G1"]}}, "invalid_params", "params.wishes.stay[0]"),
        (
            "go",
            {"wishes": {"only": ["T1"], "stay": ["T1"]}},
            "invalid_params",
            "params.wishes.stay[0]",
        ),
        ("go", {"wishes": {"target": "9999"}}, "invalid_params", "params.wishes.target"),
        ("go", {"wishes": {"avoid": ["0404", "x"]}}, "invalid_params", "params.wishes.avoid[1]"),
        (
            "go",
            {"wishes": {"target": "0404", "avoid": ["0404"]}},
            "invalid_params",
            "params.wishes.avoid[0]",
        ),
        ("decide", {"seconds": -1}, "invalid_params", "params.seconds"),
        ("decide", {"work": 0}, "invalid_params", "params.work"),
        ("decide", {"level": "king"}, "invalid_params", "params.level"),
        ("decide", {"level": None}, "invalid_params", "params.level"),
        ("decide", {"level": ["ace"]}, "invalid_params", "params.level"),
        ("decide", {"own_loss": -0.1}, "invalid_params", "params.own_loss"),
        ("decide", {"choices": 1}, "invalid_params", "params.choices"),
        ("decide", {"choices": None}, "invalid_params", "params.choices"),
        ("decide", {"plans": 2}, "invalid_params", "params.plans"),
        ("stop", {"now": True}, "invalid_params", "params.now"),
        ("evaluate", {}, "invalid_params", "params.moves"),
        ("evaluate", {"moves": ["T1"]}, "invalid_params", "params.moves[0]"),
        ("evaluate", {"moves": [], "defender": "sleep"}, "invalid_params", "params.defender"),
        ("evaluate", {"moves": ["T1 0304-0304"]}, "illegal", "params.moves[0]"),
        ("evaluate", {"moves": ["T1 stay", "T1 stay"]}, "illegal", "params.moves[1]"),
        ("lines", {"unit": "T9"}, "invalid_params", "params.unit"),
        ("why", {"unit": "T1", "target": "0404"}, "invalid_params", "params.direction"),
        (
            "why",
            {"unit": "T1", "target": "0404", "direction": "E"},
            "invalid_params",
            "params.direction",
        ),
        (
            "why",
            {"unit": "T1", "target": "4", "direction": "N"},
            "invalid_params",
            "params.target",
        ),
        ("legal", {"x": 1}, "invalid_params", "params.x"),
        ("ping", {"x": 1}, "invalid_params", "params.x"),
        ("bestmove", {}, "unknown_method", "method"),
    ],
)
def test_refusals(shared: Talk, method: str, params: dict[str, Any], kind: str, place: str) -> None:
    engine = shared
    found, faults = engine.refused(method, **params)
    assert (found, faults[0][0]) == (kind, place)
    # And nothing has become of it.
    assert engine.ask("evaluate", moves=BEST)["value"] == pytest.approx(VALUE)


@pytest.mark.parametrize("method", ["go", "decide", "lines", "legal", "scenario"])
def test_without_a_position(engine: Talk, method: str) -> None:
    assert engine.refused(method)[0] == "no_position"


def test_all_faults_of_a_scenario_come_at_once(engine: Talk) -> None:
    scenario = json.loads(json.dumps(TWO_TANKS["scenario"]))
    scenario["units"][0]["hex"] = "9999"
    scenario["to_move"] = "green"
    kind, faults = engine.refused("position", scenario=scenario, rules=TWO_TANKS["rules"])
    assert kind == "bad_position"
    assert [place for place, _ in faults] == ["to_move", "units[0].hex"]
    data = engine.heard[-1]["error"]["data"]
    assert data["file"] == "scenario"


def test_rules_in_place_of_those_that_a_shipped_scenario_names(engine: Talk) -> None:
    rules = engine.ask("position", scenario="steamroller", rules="standard")
    assert rules["title"] == "Steamroller Farm"
    kind, faults = engine.refused("position", scenario="steamroller", rules=TWO_TANKS["rules"])
    assert kind == "bad_position"
    assert len(faults) > 3  # its unit types are not there


def test_faults_beyond_a_hundred_are_counted(shared: Talk) -> None:
    shared.refused("go", **{f"key-{number}": 1 for number in range(130)})
    data = shared.heard[-1]["error"]["data"]
    assert (len(data["faults"]), data["more"]) == (100, 30)
