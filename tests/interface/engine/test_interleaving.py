"""Whatever is sent in whatever order: each request gets one answer, and each search one."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from tests.interface.engine.rubbish import rubbish
from tests.interface.engine.talk import BEST, TWO_TANKS, Talk, talk

SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("go", {}),
    ("go", {"work": 5}),
    ("go", {"seconds": 0.02}),
    ("go", {"seconds": 600}),
    ("go", {"seconds": 0}),
    ("go", {"plans": 2, "wishes": {"only": ["T9"]}}),
    ("decide", {}),
    ("decide", {"work": 5, "level": "veteran"}),
    ("decide", {"seconds": 600, "choices": True}),
    ("decide", {"seconds": 0, "level": "king"}),
]
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("position", TWO_TANKS),
    ("position", {"scenario": "carentan"}),
    ("position", {"scenario": "nowhere"}),
    ("evaluate", {"moves": []}),
    ("ping", {}),
    ("lines", {}),
    ("set_option", {"name": "plans", "value": 1}),
    ("apply", {"action": "T1 0304"}),
    ("legal", {}),
]


def anything(engine: Talk, rng: random.Random, steps: int) -> list[str | int]:
    """Send so much of everything; the ids of what is to be answered."""
    asked = []
    messages = [data for data, said in rubbish(rng.randrange(10**6), 30, too_long=0)]
    for _ in range(steps):
        chance = rng.random()
        if chance < 0.25:
            method, params = rng.choice(SEARCHES)
            asked.append(engine.send(method, **params))
        elif chance < 0.45:
            asked.append(engine.send("stop"))
        elif chance < 0.5:
            engine.notify("stop")
        elif chance < 0.8:
            method, params = rng.choice(OTHERS)
            asked.append(engine.send(method, **params))
        elif chance < 0.9:
            engine.say(rng.choice(messages) + b"\n")
        else:
            time.sleep(rng.random() * 0.03)
    return asked


@pytest.mark.parametrize("seed", range(6))
def test_every_request_gets_one_answer(seed: int) -> None:
    rng = random.Random(seed)
    with talk() as engine:
        asked = [engine.send("position", **TWO_TANKS)]
        asked += anything(engine, rng, 60)
        asked.append(engine.send("stop"))
        for id_ in asked:
            engine.until(id_)
        engine.ask("position", **TWO_TANKS)
        assert engine.ask("go", plans=1)["plans"][0]["moves"] == BEST
    for id_ in asked:
        assert len(engine.of(id_)) == 1, id_
    refused = {message["error"]["data"]["kind"] for message in engine.heard if "error" in message}
    assert "internal" not in refused


@pytest.mark.parametrize("seed", range(6, 9))
def test_and_so_when_the_input_ends(seed: int) -> None:
    with talk() as engine:
        asked = [engine.send("position", **TWO_TANKS)]
        asked += anything(engine, random.Random(seed), 30)
        engine.end()
    for id_ in asked:
        assert len(engine.of(id_)) == 1, id_
