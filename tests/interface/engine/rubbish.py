"""Messages that are none, by the thousand, each with what the engine is to say to it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from planner.game.document import DEPTH_LIMIT
from planner.interface.engine.reading import LINE_LIMIT
from planner.interface.engine.requests import PARAMS

Said = tuple[str, str | int | None]
"""Kind of the error and id of its answer."""
Rubbish = tuple[bytes, Said | None]
"""A line without its end, and what is said to it; None: nothing."""

_WRONG: list[Any] = [None, True, 1.5, -1, 10**30, "x", "", [], [[]], {}, {"a": [1]}, "\ud800"]


def _request(rng: random.Random) -> dict[str, Any]:
    id_ = rng.choice([rng.randrange(10**6, 10**9), f"id-{rng.randrange(10**9)}"])
    method = rng.choice(sorted(PARAMS))
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": {}}


def _bytes(form: Any) -> bytes:
    return json.dumps(form).encode()


def _noise(rng: random.Random) -> Rubbish:
    data = bytes(rng.choice([*range(11, 256)]) for _ in range(rng.randrange(1, 80)))
    return b"\xff" + data, ("parse_error", None)


def _cut(rng: random.Random) -> Rubbish:
    whole = _bytes(_request(rng))
    return whole[: rng.randrange(1, len(whole))], ("parse_error", None)


def _word(rng: random.Random) -> Rubbish:
    words = ["go", "uci", "position startpos", "{]", "{'id': 1}", "0x10", "+1", "NaN", "[NaN]"]
    return rng.choice(words).encode(), ("parse_error", None)


def _no_number(rng: random.Random) -> Rubbish:
    form = _request(rng)
    form["params"] = {"seconds": float(rng.choice(["nan", "inf", "-inf"]))}
    return _bytes(form), ("parse_error", None)


def _digits(rng: random.Random) -> Rubbish:
    digits = b"9" * rng.randrange(4301, 20_000)
    return b'{"jsonrpc": "2.0", "id": ' + digits + b"}", ("parse_error", None)


def _twice(rng: random.Random) -> Rubbish:
    return b'{"id": 1, "method": "go", "method": "go"}', ("parse_error", None)


def _deep(rng: random.Random) -> Rubbish:
    form = _request(rng)
    form["params"] = {"a": "@"}
    depth = rng.choice([DEPTH_LIMIT, 100, 300, 100_000])
    nested = b"[" * depth + b"]" * depth
    said: Said = ("parse_error", None) if depth > 1000 else ("invalid_request", form["id"])
    return _bytes(form).replace(b'"@"', nested), said


def _too_long(rng: random.Random) -> Rubbish:
    return b"[" + b"1," * (LINE_LIMIT // 2 + rng.randrange(9)) + b"1]", ("parse_error", None)


def _no_object(rng: random.Random) -> Rubbish:
    form = rng.choice([1, "go", None, True, [], [1, 2], [_request(rng), _request(rng)]])
    return _bytes(form), ("invalid_request", None)


def _bad_id(rng: random.Random) -> Rubbish:
    form = _request(rng)
    form["id"] = rng.choice([None, True, 1.5, 2**53, -(10**100), [], {}, "x" * 201, "\udc00"])
    return _bytes(form), ("invalid_request", None)


def _bad_envelope(rng: random.Random) -> Rubbish:
    form = _request(rng)
    key = rng.choice(["jsonrpc", "method", "params", "more"])
    if key in ("jsonrpc", "method") and rng.random() < 0.3:
        del form[key]
    elif key == "params":
        form[key] = rng.choice([None, True, 1.5, "x", [], [1]])
    else:
        form[key] = rng.choice([None, True, 1.5, 3, [], {}, ""])
    return _bytes(form), ("invalid_request", form["id"])


def _no_method(rng: random.Random) -> Rubbish:
    form = _request(rng)
    form["method"] = rng.choice(["Go", "go ", "bestmove", "Тигр", "rpc.go", "__init__"]).strip()
    if form["method"] == "go":
        form["method"] = "goo"
    return _bytes(form), ("unknown_method", form["id"])


_PARAMS = {
    "go": ["seconds", "work", "plans", "own_loss", "wishes", "wish"],
    "decide": ["seconds", "work", "level", "own_loss", "choices", "plans"],
}


def _bad_params(rng: random.Random) -> Rubbish:
    form = _request(rng)
    form["method"] = rng.choice(sorted(_PARAMS))
    key = rng.choice(_PARAMS[form["method"]])
    wrong = [value for value in _WRONG if value not in ({}, None, "\ud800")]
    # Each of these values is wrong for all of these keys, but for a few.
    right: dict[str, type] = {"seconds": float, "own_loss": float, "choices": bool}
    wrong = [value for value in wrong if type(value) is not right.get(key)]
    form["params"] = {key: rng.choice(wrong)}
    return _bytes(form), ("invalid_params", form["id"])


def _half_a_character(rng: random.Random) -> Rubbish:
    form = _request(rng)
    form["params"] = {"a": [{"b": "\ud800"}]}
    return _bytes(form), ("invalid_request", form["id"])


def _notification(rng: random.Random) -> Rubbish:
    form = _request(rng)
    del form["id"]
    if form["method"] in ("stop", "quit"):
        form["params"] = {"really": True}
    return _bytes(form), None


def _blank(rng: random.Random) -> Rubbish:
    return rng.choice([b"", b" ", b"\r", b"\t \r"]), None


MAKERS: tuple[Callable[[random.Random], Rubbish], ...] = (
    _noise,
    _cut,
    _word,
    _no_number,
    _digits,
    _twice,
    _deep,
    _no_object,
    _bad_id,
    _bad_envelope,
    _no_method,
    _bad_params,
    _half_a_character,
    _notification,
    _blank,
)


def rubbish(seed: int, count: int, too_long: int = 2) -> Iterator[Rubbish]:
    """So many messages, all kinds in turn, some of them longer than a line may be."""
    rng = random.Random(seed)
    for index in range(count):
        if too_long and index % (count // too_long) == 0:
            yield _too_long(rng)
        else:
            yield MAKERS[index % len(MAKERS)](rng)
