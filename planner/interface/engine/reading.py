"""From bytes to requests: lines of bounded length, and what each of them says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from planner.game.document import SIZE_LIMIT, Form, parse_value, plain
from planner.game.faults import Fault, Faults, FileFault, shown
from planner.game.pieces import Piece, note_faults, sound
from planner.interface.engine.errors import Kind, RefusedError, refusal
from planner.interface.engine.requests import PARAMS, Id, RequestMessage

LINE_LIMIT = SIZE_LIMIT
"""Bytes that a line may have, its line feed not counted; as many as a scenario file may have."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """Stands for a line that was longer than the limit; it was not kept."""


class LineCutter:
    """Cuts what comes into lines, and never keeps more than a line may have."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._too_long = False

    def feed(self, data: bytes) -> Iterator[bytes | TooLong]:
        """The lines that end in these bytes, without their line feeds."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            self._keep(part)
            yield self._taken()
        self._keep(rest)

    def end(self) -> Iterator[bytes | TooLong]:
        """The last line, if the input ended without a line feed."""
        if self._kept or self._too_long:
            yield self._taken()

    def _keep(self, part: bytes) -> None:
        if len(self._kept) + len(part) > LINE_LIMIT:
            self._too_long = True
        if self._too_long:
            self._kept.clear()
        else:
            self._kept += part

    def _taken(self) -> bytes | TooLong:
        line: bytes | TooLong = TooLong() if self._too_long else bytes(self._kept)
        self._kept.clear()
        self._too_long = False
        return line


@dataclass(frozen=True, slots=True)
class Request:
    """A request; ``id`` is None for a notification."""

    id: Id | None
    method: str
    params: dict[str, Any]


class BadLineError(Exception):
    """A line that is no request: why, and the id to be answered to (None: unknown)."""

    def __init__(self, id_: Id | None, refused: RefusedError) -> None:
        super().__init__(refused.message)
        self.id = id_
        self.refused = refused


def read_request(line: bytes | TooLong) -> Request:
    """The request in a line. Raises BadLineError when there is none."""
    if isinstance(line, TooLong):
        said, limit = "is too long", f"a line of at most {LINE_LIMIT} bytes"
        raise BadLineError(None, refusal(Kind.PARSE_ERROR, "message", said, limit))
    try:
        raw = parse_value(line, "message", Form.JSON)
    except FileFault as error:
        raise BadLineError(None, RefusedError.of(Kind.PARSE_ERROR, _in_message(error))) from None
    if not isinstance(raw, dict):
        said = "batches are not taken" if isinstance(raw, list) else f"{shown(raw)} is no request"
        expected = "one JSON object on a line, with jsonrpc, id, method and params"
        raise BadLineError(None, refusal(Kind.INVALID_REQUEST, "message", said, expected))
    id_ = _id(raw)
    try:
        tables = plain(raw, "message")
    except FileFault as error:
        refused = RefusedError.of(Kind.INVALID_REQUEST, _in_message(error))
        raise BadLineError(id_, refused) from None
    written = RequestMessage.model_validate(tables)
    faults = Faults()
    note_faults(written, (), faults)
    if faults:
        found = FileFault("message", faults.in_order(tables))
        raise BadLineError(id_, RefusedError.of(Kind.INVALID_REQUEST, found))
    return Request(id_, written.method, written.params)


def read_params(request: Request) -> Piece:
    """What goes with a request. Raises RefusedError when method or parameters are wrong."""
    model = PARAMS.get(request.method)
    faults = Faults()
    if model is None:
        faults.unknown(("method",), "method", request.method, PARAMS)
        found = FileFault("message", faults.in_order({}))
        raise RefusedError.of(Kind.UNKNOWN_METHOD, found)
    written = model.model_validate(request.params)
    note_faults(written, ("params",), faults)
    if faults:
        found = FileFault("message", faults.in_order({"params": request.params}))
        raise RefusedError.of(Kind.INVALID_PARAMS, found)
    return written


def _id(raw: dict[Any, Any]) -> Id | None:
    """The id of what is not yet known to be a request; None when it has none that can be used."""
    found = RequestMessage.model_validate({"id": raw.get("id")}).id
    return found if sound(found) else None


_RIGHT = {"is empty": "a JSON object", "is not UTF-8 text": "UTF-8 text"}
"""What would be right where a file's reader speaks of files."""


def _in_message(error: FileFault) -> FileFault:
    """The faults with the message, not a file, as their place."""
    found = []
    for fault in error.faults:
        place = "message" if fault.place == "file" else fault.place
        found.append(Fault(place, fault.fault, _RIGHT.get(fault.fault, fault.expected)))
    return FileFault(error.file, found)
