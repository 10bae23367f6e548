"""Lines and requests: what is read, and what each kind of rubbish is called."""

from __future__ import annotations

import json
from typing import Any

import pytest

from planner.game.document import DEPTH_LIMIT
from planner.interface.engine.reading import (
    LINE_LIMIT,
    BadLineError,
    LineCutter,
    Request,
    TooLong,
    read_request,
)


def request(**changes: Any) -> bytes:
    form = {"jsonrpc": "2.0", "id": 7, "method": "ping", **changes}
    return json.dumps({key: value for key, value in form.items() if value is not ...}).encode()


def nested(depth: int) -> bytes:
    """A request whose innermost value is so many levels deep."""
    inner = b"[" * (depth - 2) + b"]" * (depth - 2)
    return request(params={"a": "@"}).replace(b'"@"', inner)


@pytest.mark.parametrize(
    ("line", "id_"),
    [
        (request(), 7),
        (request(id="seven"), "seven"),
        (request(id=""), ""),
        (request(id=0), 0),
        (request(id=-(2**53) + 1), -(2**53) + 1),
        (request(id="x" * 200), "x" * 200),
        (request(id="Тигр"), "Тигр"),
        (request(params={}), 7),
        (request(id=...), None),
        (request() + b"\r", 7),
        (b"\xef\xbb\xbf" + request(), 7),
        (nested(DEPTH_LIMIT + 1), 7),
    ],
)
def test_requests(line: bytes, id_: str | int | None) -> None:
    found = read_request(line)
    assert (found.id, found.method) == (id_, "ping")


def test_parameters() -> None:
    assert read_request(request(method="go", params={"work": 3})) == Request(7, "go", {"work": 3})


PARSE, INVALID = "PARSE_ERROR", "INVALID_REQUEST"


@pytest.mark.parametrize(
    ("line", "kind", "id_", "said"),
    [
        (b"\xff\xfe{}", PARSE, None, "line 1: is not UTF-8 text (UTF-8 text)"),
        ("\u00a0".encode(), PARSE, None, "message: is empty (a JSON object)"),
        (request().decode().encode("utf-16"), PARSE, None, "is not UTF-8 text"),
        (b"hello", PARSE, None, "line 1, column 1: Expecting value (valid JSON)"),
        (request()[:-1], PARSE, None, "valid JSON"),
        (b'{"id": 1, "id": 1}', PARSE, None, "id: stands twice in one table"),
        (request(params={"seconds": float("nan")}), PARSE, None, "message: has a number NaN"),
        (request(params={"seconds": float("inf")}), PARSE, None, "has a number Infinity"),
        (b'{"id": ' + b"9" * 5000 + b"}", PARSE, None, "a number of thousands of digits"),
        (b"[" * 100_000, PARSE, None, "message: is nested too deeply (at most 24 levels)"),
        (nested(100_000), PARSE, None, "message: is nested too deeply (at most 24 levels)"),
        (TooLong(), PARSE, None, f"(a line of at most {LINE_LIMIT} bytes)"),
        (b"[]", INVALID, None, "batches are not taken"),
        (b"[" + request() + b"]", INVALID, None, "batches are not taken"),
        (b"null", INVALID, None, "null is no request"),
        (b'"ping"', INVALID, None, '"ping" is no request'),
        (b"{}", INVALID, None, "jsonrpc: is missing"),
        (nested(DEPTH_LIMIT + 2), INVALID, 7, "is nested too deeply (at most 24 levels)"),
        (request(id=None), INVALID, None, "id: null is no id"),
        (request(id=True), INVALID, None, "id: true is no id"),
        (request(id=1.5), INVALID, None, "id: 1.5 is no id"),
        (request(id=7.0), INVALID, None, "id: 7.0 is no id"),
        (request(id="@").replace(b'"@"', b"1e400"), INVALID, None, "id: inf is no id"),
        (request(id=[1]), INVALID, None, "id: a list is no id"),
        (request(id=2**53), INVALID, None, "is out of range"),
        (request(id=10**400), INVALID, None, "id: a number of more than 60 digits is out of"),
        (request(id="x" * 201), INVALID, None, "is too long"),
        (request(id="\ud800"), INVALID, None, "can't be shown"),
        (request(jsonrpc=...), INVALID, 7, "jsonrpc: is missing"),
        (request(jsonrpc="1.0"), INVALID, 7, 'jsonrpc: "1.0" is not right here ("2.0")'),
        (request(jsonrpc=2.0), INVALID, 7, "jsonrpc: 2.0 is not right here"),
        (request(method=...), INVALID, 7, "method: is missing"),
        (request(method=3), INVALID, 7, "method: 3 is no text"),
        (request(params=[1]), INVALID, 7, "params: a list is no table"),
        (request(params=None), INVALID, 7, "params: null is no table"),
        (request(param={}), INVALID, 7, 'param: is no key here (one of "id", "jsonrpc", "method"'),
        (request(params={"a": "\udfff"}), INVALID, 7, "params.a: "),
        (b'{"jsonrpc": "2.0", "id": 7, "result": {}}', INVALID, 7, "2 faults"),
    ],
)
def test_rubbish(line: bytes | TooLong, kind: str, id_: str | int | None, said: str) -> None:
    with pytest.raises(BadLineError) as caught:
        read_request(line)
    refused = caught.value.refused
    assert (refused.kind.name, caught.value.id) == (kind, id_)
    assert said in refused.message
    assert refused.faults
    assert all(fault.place and fault.expected for fault in refused.faults)


def test_all_faults_of_a_request_come_at_once() -> None:
    with pytest.raises(BadLineError) as caught:
        read_request(request(jsonrpc=1, method=2, params=3, more=4))
    places = [fault.place for fault in caught.value.refused.faults]
    assert places == ["jsonrpc", "method", "params", "more"]


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_lines_come_out_as_they_went_in(size: int) -> None:
    data = b"one\ntwo\r\n\n" + b"x" * 5000 + b"\nlast"
    cutter = LineCutter()
    found: list[bytes | TooLong] = []
    for at in range(0, len(data), size):
        found += cutter.feed(data[at : at + size])
    assert [*found, *cutter.end()] == data.split(b"\n")
    assert list(cutter.end()) == []


@pytest.mark.parametrize("size", [1000, LINE_LIMIT // 2, 3 * LINE_LIMIT])
def test_a_line_has_so_many_bytes_and_no_more(size: int) -> None:
    below, at, above = (b"x" * (LINE_LIMIT + more) for more in (-1, 0, 1))
    data = b"\n".join([below, at, above, above + above, b"short", above])
    cutter = LineCutter()
    found: list[bytes | TooLong] = []
    for start in range(0, len(data), size):
        found += cutter.feed(data[start : start + size])
        assert len(cutter._kept) <= LINE_LIMIT
    long = TooLong()
    assert [*found, *cutter.end()] == [below, at, long, long, b"short", long]
