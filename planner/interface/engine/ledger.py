"""Which requests wait for their answer; each gets exactly one."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Final

from planner.interface.engine.errors import RefusedError
from planner.interface.engine.requests import Id
from planner.interface.engine.results import Answer, ErrorAnswer, Info, InfoMessage
from planner.interface.engine.sent import Sent
from planner.interface.engine.writing import Outbox, line_of

VERSION: Final = "2.0"


@dataclass(frozen=True, eq=False)
class Ticket:
    """A request that is to be answered; ``answered`` tells that it has been."""

    id: Id
    answered: Event = field(default_factory=Event)


class Ledger:
    """The tickets of all requests that wait. For several threads at once."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._lock = Lock()
        self._open: dict[Id, Ticket] = {}

    def open(self, id_: Id) -> Ticket | None:
        """A ticket for a request; None when one of that id waits already."""
        with self._lock:
            if id_ in self._open:
                return None
            ticket = self._open[id_] = Ticket(id_)
            return ticket

    def waiting(self) -> list[Ticket]:
        """All tickets not answered yet."""
        with self._lock:
            return list(self._open.values())

    def answer(self, ticket: Ticket, result: Sent) -> bool:
        """Answer a request; False when it has been answered before."""
        told = result.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return self._settle(ticket, Answer(jsonrpc=VERSION, id=ticket.id, result=told))

    def refuse(self, ticket: Ticket, refused: RefusedError) -> bool:
        """Answer a request with an error; False when it has been answered before."""
        return self._settle(ticket, _error(ticket.id, refused))

    def complain(self, id_: Id | None, refused: RefusedError) -> None:
        """Answer what is no request that could wait."""
        self._outbox.post(line_of(_error(id_, refused)))

    def inform(self, ticket: Ticket, info: Info) -> None:
        """Tell how a search gets on, unless it has been answered."""
        line = line_of(InfoMessage(jsonrpc=VERSION, method="info", params=info))
        with self._lock:
            if self._open.get(ticket.id) is ticket:
                self._outbox.offer(line)

    def _settle(self, ticket: Ticket, message: Sent) -> bool:
        line = line_of(message)
        with self._lock:
            if self._open.get(ticket.id) is not ticket:
                return False
            del self._open[ticket.id]
            self._outbox.post(line)
            ticket.answered.set()
            return True


def _error(id_: Id | None, refused: RefusedError) -> ErrorAnswer:
    return ErrorAnswer.model_validate({"jsonrpc": VERSION, "id": id_, "error": refused.form()})
