"""An engine in a thread of the test, and what is said to it and by it.

Every message that comes is held against the published JSON Schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from queue import SimpleQueue
from threading import Condition, Thread
from typing import Any

from jsonschema import Draft202012Validator

from planner.interface.engine.schema import engine_schema
from planner.interface.engine.server import Server
from planner.interface.refusals import ExitStatus
from tests.edits import base

Form = dict[str, Any]
SOON = 30.0
TWO_TANKS: Form = {"scenario": base("scenario"), "rules": base("rules")}
BEST = ["T2 0402x0503-0603", "T1 0304x0404-0505"]
VALUE = 0.4349922840


@lru_cache
def validator(definition: str) -> Draft202012Validator:
    """What holds a message against the schema; a key that the schema does not tell of is wrong."""
    found = engine_schema()
    for table in found["$defs"].values():
        if table.get("additionalProperties") is True:  # or a later version might have more
            table["additionalProperties"] = False
    form = {"$ref": f"#/$defs/{definition}", "$defs": found["$defs"]}
    return Draft202012Validator(form)


def check(message: Form, method: str | None) -> None:
    """Hold a message against the schema; ``method`` is what it answers."""
    if "method" in message:
        definition = "InfoMessage"
    elif "error" in message:
        definition = "ErrorAnswer"
    else:
        assert method is not None, message
        definition = f"answer:{method}"
    errors = list(validator(definition).iter_errors(message))
    assert errors == [], (message, errors)


class Talk:
    """A conversation. ``heard`` are the engine's messages so far, in order."""

    def __init__(self) -> None:
        self.heard: list[Form] = []
        self.status: ExitStatus | None = None
        self._ids = count(1)
        self._methods: dict[str | int, str] = {}
        self._changed = Condition()
        self._input: SimpleQueue[bytes] = SimpleQueue()
        self.server = Server(self._input.get, self._hear)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self.status = self.server.run()

    def _hear(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        message = json.loads(line.decode("ascii"))
        with self._changed:
            self.heard.append(message)
            self._changed.notify_all()

    def say(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._input.put(data)

    def send(self, method: str, /, id_: str | int | None = None, **params: Any) -> str | int:
        """Send a request; its id."""
        id_ = next(self._ids) if id_ is None else id_
        self._methods[id_] = method
        message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        self.say(json.dumps(message).encode() + b"\n")
        return id_

    def notify(self, method: str, **params: Any) -> None:
        """Send a request that wants no answer."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.say(json.dumps(message).encode() + b"\n")

    def of(self, id_: str | int | None) -> list[Form]:
        """The answers to a request so far."""
        with self._changed:
            return [m for m in self.heard if "method" not in m and m["id"] == id_]

    def infos(self, go: str | int | None = None) -> list[Form]:
        """What searches have told of themselves so far."""
        with self._changed:
            found = [m["params"] for m in self.heard if "method" in m]
        return [info for info in found if go is None or info["go"] == go]

    def until(self, id_: str | int | None) -> Form:
        """Wait for the answer to a request."""
        with self._changed:
            there = self._changed.wait_for(lambda: self.of(id_), SOON)
            assert there, f"no answer to {id_}"
        return self.of(id_)[0]

    def ask(self, method: str, /, **params: Any) -> Form:
        """Send a request and wait for its result."""
        message = self.until(self.send(method, **params))
        assert "result" in message, message
        result: Form = message["result"]
        return result

    def refused(self, method: str, /, **params: Any) -> tuple[str, list[tuple[str, str]]]:
        """Send a request that is refused: the kind, and places and faults."""
        message = self.until(self.send(method, **params))
        assert "error" in message, message
        data = message["error"]["data"]
        assert all(fault["expected"] for fault in data["faults"])
        return data["kind"], [(fault["place"], fault["fault"]) for fault in data["faults"]]

    def wait_for_info(self, go: str | int) -> None:
        """Wait until a search has told of itself."""
        with self._changed:
            assert self._changed.wait_for(lambda: self.infos(go), SOON)

    def end(self) -> ExitStatus:
        """End the input, wait for the engine to end, and check all that it has said."""
        self.say(b"")
        return self.ended()

    def ended(self) -> ExitStatus:
        """Wait for the engine to end, and check all that it has said."""
        self._thread.join(SOON)
        assert not self._thread.is_alive()
        assert self.status is not None
        answered: set[str | int] = set()
        for message in self.heard:
            id_ = message.get("id")
            check(message, None if id_ is None else self._methods.get(id_))
            if "method" in message:
                assert message["params"]["go"] not in answered, "an info after its answer"
            elif id_ is not None:
                answered.add(id_)
        return self.status


@contextmanager
def talk() -> Iterator[Talk]:
    """A conversation that is ended, and checked, at the end."""
    talking = Talk()
    yield talking
    if talking.status is None:
        talking.end()
    else:
        talking.ended()
