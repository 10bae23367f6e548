"""Saying no: the codes of the errors, and what an error says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

from planner.game.faults import Fault, FileFault

MOST_FAULTS = 100
"""So many faults are told; of the others only how many they are."""


class Kind(Enum):
    """Why a request is refused: JSON-RPC's codes and our own."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    UNKNOWN_METHOD = -32601
    INVALID_PARAMS = -32602
    INTERNAL = -32603
    SEARCHING = -32000
    NO_POSITION = -32001
    BAD_POSITION = -32002
    ILLEGAL = -32003
    TOO_LARGE = -32004
    BUSY = -32005
    STOPPED = -32006
    MOVE_UNDER_WAY = -32007
    GAME_OVER = -32008

    @property
    def word(self) -> str:
        """The name that a message gives it."""
        return self.name.lower()


class RefusedError(Exception):
    """A request that can't be carried out.

    ``message`` says it in one sentence; ``faults`` are all that is wrong, ``file`` the document
    they are in when it is not the message; ``reasons`` are clauses broken, as `reason_form` has
    them.
    """

    def __init__(
        self,
        kind: Kind,
        message: str,
        faults: Iterable[Fault] = (),
        file: str | None = None,
        reasons: Sequence[dict[str, Any]] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.faults = tuple(faults)
        self.file = file
        self.reasons = tuple(reasons)

    @classmethod
    def of(cls, kind: Kind, fault: FileFault, file: str | None = None) -> RefusedError:
        """A refusal for the faults of a document."""
        first, *more = fault.faults
        message = str(first) if not more else f"{len(fault.faults)} faults, the first: {first}"
        return cls(kind, message, fault.faults, file)

    def form(self) -> dict[str, Any]:
        """The error object of the answer."""
        data: dict[str, Any] = {
            "kind": self.kind.word,
            "faults": [
                {"place": fault.place, "fault": fault.fault, "expected": fault.expected}
                for fault in self.faults[:MOST_FAULTS]
            ],
        }
        if len(self.faults) > MOST_FAULTS:
            data["more"] = len(self.faults) - MOST_FAULTS
        if self.file is not None:
            data["file"] = self.file
        if self.reasons:
            data["reasons"] = list(self.reasons)
        return {"code": self.kind.value, "message": self.message, "data": data}


def refusal(kind: Kind, place: str, fault: str, expected: str) -> RefusedError:
    """A refusal for one fault; ``message`` is the place of what is no part's of the message."""
    found = Fault(place, fault, expected)
    message = f"{fault} ({expected})" if place == "message" else str(found)
    return RefusedError(kind, message, [found])
