"""The game gone on with in the engine, action by action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.interface.engine.talk import TWO_TANKS, Form, Talk, talk


@pytest.fixture(scope="module")
def shared() -> Iterator[Talk]:
    with talk() as talking:
        yield talking


@pytest.fixture
def engine(shared: Talk) -> Talk:
    shared.ask("position", **TWO_TANKS)
    return shared


def test_what_may_be_done(engine: Talk) -> None:
    found = engine.ask("legal")
    assert (found["deciding"], found["decider"]) == ("mover", "red")
    assert {"T1 0304", "T2 0402", "end"} <= set(found["actions"])
    assert found["actions"] == sorted(found["actions"])


def until_mover(engine: Talk, told: Form) -> Form:
    """Let the defender hold until the mover decides."""
    while told["position"]["deciding"] == "defender":
        assert "hold" in engine.ask("legal")["actions"]
        told = engine.ask("apply", action="hold")
    return told


def test_a_move_and_what_happens_in_it(engine: Talk) -> None:
    told = engine.ask("apply", action="T2 0402")
    assert told["events"][0] == {
        "event": "entered",
        "unit": "T2",
        "hex": "0402",
        "facing": told["events"][0]["facing"],
        "points": told["events"][0]["points"],
    }
    assert told["position"]["under_way"]["route"][-1] == "0402"
    told = until_mover(engine, told)
    for method in ("go", "lines"):
        assert engine.refused(method)[0] == "move_under_way"
    engine.ask("apply", action="T2 halt")
    assert engine.ask("go")["ended"] == "finished"


def shot(engine: Talk) -> str:
    """Move until the gun may fire; the shot that it may fire."""
    engine.ask("apply", action="T1 0304")
    actions: list[str] = engine.ask("legal")["actions"]
    return next(action for action in actions if action.startswith("fire"))


def test_dice_of_the_client(engine: Talk) -> None:
    fire = shot(engine)
    kind, faults = engine.refused("apply", action=fire)
    assert (kind, faults[0][0]) == ("invalid_params", "params.totals")
    assert "no total is left for the shot of" in faults[0][1]
    for totals, said in (([99], "show 2 to 12, not 99"), ([7, 7], "dice were thrown 1 times")):
        kind, faults = engine.refused("apply", action=fire, totals=totals)
        assert (kind, faults[0][0]) == ("invalid_params", "params.totals")
        assert said in faults[0][1]
    kind, faults = engine.refused("apply", action=fire, totals=[7], seed=7)
    assert (kind, faults[0][1]) == ("invalid_params", "there is a seed too")
    assert engine.ask("legal")["deciding"] == "defender"  # nothing has come of all that
    events = {
        event["event"]: event for event in engine.ask("apply", action=fire, totals=[12])["events"]
    }
    assert events["rolled"]["total"] == 12
    assert events["rolled"]["roll"]["purpose"] == "shot"
    assert events["fired"]["firer"] in fire


def test_dice_of_the_engine(engine: Talk) -> None:
    totals: dict[int, int] = {}
    for seed in (1, 2, 3, 1):
        engine.ask("position", **TWO_TANKS)
        events = engine.ask("apply", action=shot(engine), seed=seed)["events"]
        total = next(event["total"] for event in events if event["event"] == "rolled")
        assert totals.setdefault(seed, total) == total
    assert len(set(totals.values())) > 1


def test_a_position_with_what_has_been_done_since(engine: Talk) -> None:
    fire = shot(engine)
    engine.ask("apply", action=fire, totals=[2])
    there = engine.ask("scenario")["scenario"]
    done = [{"action": "T1 0304"}, {"action": fire, "totals": [2]}]
    engine.ask("position", **TWO_TANKS, actions=done)
    assert engine.ask("scenario")["scenario"] == there
    engine.ask("position", scenario=there, rules=TWO_TANKS["rules"])
    assert engine.ask("scenario")["scenario"] == there


@pytest.mark.parametrize(
    ("actions", "kind", "place"),
    [
        ([{"action": "T1 0304"}, {"action": "T2 0402"}], "illegal", "params.actions[1].action"),
        ([{"action": "T1 9999"}], "invalid_params", "params.actions[0].action"),
        ([{"action": "poem"}], "invalid_params", "params.actions[0].action"),
        ([{"action": "end", "totals": [7]}], "invalid_params", "params.actions[0].totals"),
        (["end"], "invalid_params", "params.actions[0]"),
    ],
)
def test_actions_that_can_not_have_been_done(
    engine: Talk, actions: list[Any], kind: str, place: str
) -> None:
    found, faults = engine.refused("position", **TWO_TANKS, actions=actions)
    assert (found, faults[0][0]) == (kind, place)


def test_an_illegal_action_is_told_with_its_clauses(engine: Talk) -> None:
    engine.refused("apply", action="T1 0304-0404")
    assert engine.refused("apply", action="hold")[0] == "illegal"
    data = engine.heard[-1]["error"]["data"]
    assert data["reasons"][0]["clause"].startswith("OVR-")


def test_to_the_end_of_the_game(engine: Talk) -> None:
    told = engine.ask("apply", action="end")
    told = engine.ask("apply", action="end")
    assert told["position"]["over"]
    assert told["position"]["decider"] is None
    assert told["events"][-1] == {"event": "game_ended"}
    found = engine.ask("legal")
    assert found == {"deciding": "nobody", "decider": None, "actions": [], "parts": []}
    assert engine.refused("decide")[0] == "game_over"
