"""A client of the engine: starts it, asks it, and listens to it while it searches.

::

    from planner.interface.engine.client import Engine

    with Engine() as engine:
        engine.position("steamroller")
        found = engine.go(seconds=1, on_info=lambda info: print(info["phase"], info["value"]))
        print(found["next"]["move"], found["next"]["value"])

and a whole game, the bot deciding for both sides::

        decider = engine.position("steamroller")["decider"]
        while decider is not None:
            found = engine.decide(work=20)
            told = engine.apply(found["action"], seed=7)
            print(decider, found["action"], found["reason"])
            decider = told["position"]["decider"]
        print(told["position"]["score"])

Answers are the results of the protocol (`planner.interface.engine`), as plain dicts. An engine may
be used by several threads at once.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from itertools import count
from threading import Lock, Thread
from types import TracebackType
from typing import IO, Any, Literal, Self

Form = dict[str, Any]
OnInfo = Callable[[Form], None]

COMMAND = (sys.executable, "-c", "from planner.interface.cli import main; main()", "engine")
"""Starts the engine of this very Python, whether or not ``overrun`` is on the path."""


class EngineError(Exception):
    """The engine refused a request: ``code`` and ``kind`` say why, ``faults`` where and what would
    be right, ``reasons`` which clauses are broken."""

    def __init__(self, error: Form) -> None:
        data = error.get("data") or {}
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.kind: str = data.get("kind", "")
        self.file: str | None = data.get("file")
        self.faults: list[dict[str, str]] = data.get("faults", [])
        self.reasons: list[dict[str, str]] = data.get("reasons") or []
        super().__init__(f"{self.kind}: {self.message}")


class EngineGoneError(Exception):
    """The engine ended, or can't be started or spoken to."""


class EngineTimeoutError(Exception):
    """The engine did not answer in time; it may still do so."""


class Going:
    """A search that has been asked for."""

    def __init__(self, engine: Engine, future: Future[Form]) -> None:
        self._engine = engine
        self._future = future

    @property
    def done(self) -> bool:
        """Whether it has been answered."""
        return self._future.done()

    def stop(self) -> None:
        """End it soon; `result` then gives the best so far. May be called while an info is told,
        and when it has ended already."""
        if not self.done:
            self._engine.stop()

    def result(self, timeout: float | None = None) -> Form:
        """Its answer. Raises as `Engine.request`."""
        return _wait(self._future, timeout)


class Engine:
    """An engine in a process of its own. Use it in a ``with`` statement, or `quit` it.

    ``command`` starts it; ``timeout`` is how many seconds an answer may take where nothing else is
    said (None: for ever). What the engine prints on its standard error stream goes to ours.
    """

    def __init__(self, command: Sequence[str] = COMMAND, timeout: float | None = 30.0) -> None:
        self.timeout = timeout
        self._lock = Lock()
        self._speaking = Lock()  # not the same: who speaks may wait until the engine listens
        self._ids = count(1)
        self._waiting: dict[int, tuple[Future[Form], OnInfo | None]] = {}
        self._gone = False
        try:
            self._process = subprocess.Popen(
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise EngineGoneError(f"the engine can't be started: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._listener = Thread(
            target=self._listen, args=(self._process.stdout,), name="engine client", daemon=True
        )
        self._listener.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.quit()

    # What can be asked.

    def request(self, method: str, *, timeout: float | None = None, **params: Any) -> Form:
        """Ask for anything, and wait for the answer.

        Raises:
            EngineError: it was refused.
            EngineTimeoutError: no answer came in ``timeout`` seconds (the engine's if None).
            EngineGoneError: the engine has ended.
        """
        future = self._ask(method, params, None)
        return _wait(future, self.timeout if timeout is None else timeout)

    def hello(self) -> Form:
        """Name and versions, limits, methods and options."""
        return self.request("hello")

    def set_option(self, name: str, value: float) -> None:
        """A usual value from now on."""
        self.request("set_option", name=name, value=value)

    def position(
        self,
        scenario: str | Mapping[str, Any],
        rules: str | Mapping[str, Any] | None = None,
        actions: Sequence[str | Mapping[str, Any]] = (),
    ) -> Form:
        """Set a position: a shipped scenario by name, or the tables of a scenario file; rules in
        place of those it names likewise; and what has been done since (text, or ``{"action": …,
        "totals": […]}`` where dice were thrown)."""
        params: Form = {"scenario": scenario}
        if rules is not None:
            params["rules"] = rules
        if actions:
            params["actions"] = [
                {"action": action} if isinstance(action, str) else action for action in actions
            ]
        return self.request("position", **params)

    def begin(
        self,
        method: Literal["go", "decide"] = "go",
        *,
        on_info: OnInfo | None = None,
        **limits: Any,
    ) -> Going:
        """Start a search and don't wait for it; see `go` and `decide`."""
        return Going(self, self._ask(method, limits, on_info))

    def go(
        self, *, on_info: OnInfo | None = None, timeout: float | None = None, **limits: Any
    ) -> Form:
        """Search, and wait for the answer for ``timeout`` seconds (None: for ever).

        ``limits`` are the parameters of the protocol's ``go``: ``seconds``, ``work``, ``plans``,
        ``own_loss``, ``wishes``. ``on_info`` is told how the search gets on, on the thread that
        listens to the engine: it may `stop` the search, but not wait for answers. What it raises
        ends the search, and is raised here. Raises as `request` besides.
        """
        return self.begin(on_info=on_info, **limits).result(timeout)

    def decide(self, *, timeout: float | None = None, **limits: Any) -> Form:
        """What the bot does at this moment, whoever decides; waits as `go` does.

        ``limits`` are the parameters of the protocol's ``decide``: ``seconds``, ``work``,
        ``level``, ``own_loss``, ``choices``. Raises as `request`.
        """
        return self.begin("decide", **limits).result(timeout)

    def stop(self) -> None:
        """End the search, if there is one: its answer comes at once. Waits for nothing."""
        self._send({"jsonrpc": "2.0", "method": "stop"})

    def evaluate(self, moves: Sequence[str], **more: Any) -> Form:
        """The exact value of moves in that order; ``more``: ``defender``, ``own_loss``."""
        return self.request("evaluate", moves=list(moves), **more)

    def lines(self, unit: str | None = None) -> list[Form]:
        """Every legal overrun line, or those of one AFV."""
        params: Form = {} if unit is None else {"unit": unit}
        return list(self.request("lines", **params)["lines"])

    def why(self, unit: str, target: str, direction: str) -> Form:
        """Whether an overrun is legal, and every clause it breaks if not."""
        return self.request("why", unit=unit, target=target, direction=direction)

    def legal(self) -> list[str]:
        """Every legal action at this moment."""
        return list(self.request("legal")["actions"])

    def apply(
        self, action: str, totals: Sequence[int] | None = None, seed: int | None = None
    ) -> Form:
        """Carry out an action, with the totals of the dice or the engine's own by a seed."""
        params: Form = {"action": action}
        if totals is not None:
            params["totals"] = list(totals)
        if seed is not None:
            params["seed"] = seed
        return self.request("apply", **params)

    def scenario(self) -> Form:
        """The position as the tables of a scenario file."""
        found: Form = self.request("scenario")["scenario"]
        return found

    def ping(self) -> None:
        """Come back as soon as the engine has answered."""
        self.request("ping")

    def quit(self, patience: float = 5.0) -> int | None:
        """End the engine, by force if it has not ended after ``patience`` seconds; its exit status.
        A search under way is answered first."""
        with suppress(EngineGoneError, EngineError, EngineTimeoutError):
            self.request("quit", timeout=patience)
        with suppress(OSError):
            self._input.close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join(patience)
        return self._process.returncode

    # Speaking and listening.

    def _ask(self, method: str, params: Mapping[str, Any], on_info: OnInfo | None) -> Future[Form]:
        future: Future[Form] = Future()
        with self._lock:
            if self._gone:
                raise EngineGoneError("the engine has ended")
            id_ = next(self._ids)
            self._waiting[id_] = (future, on_info)
        try:
            self._send({"jsonrpc": "2.0", "id": id_, "method": method, "params": dict(params)})
        except BaseException:
            with self._lock:
                self._waiting.pop(id_, None)
            raise
        return future

    def _send(self, message: Form) -> None:
        line = json.dumps(message, allow_nan=False).encode() + b"\n"
        try:
            with self._speaking:
                self._input.write(line)
                self._input.flush()
        except (OSError, ValueError) as error:  # a closed stream is a ValueError
            raise EngineGoneError("the engine has ended") from error

    def _listen(self, output: IO[bytes]) -> None:
        # What can't be read, or is no message of the protocol, comes from no engine of ours.
        with output, suppress(ValueError, LookupError, TypeError, AttributeError):
            for line in output:
                self._hear(json.loads(line))
        with self._lock:
            self._gone = True
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for future, _ in waiting:
            future.set_exception(EngineGoneError("the engine ended before it answered"))

    def _hear(self, message: Form) -> None:
        if message.get("method") == "info":
            info = message["params"]
            with self._lock:
                _, on_info = self._waiting.get(info["go"], (None, None))
            if on_info is not None:
                self._tell(on_info, info)
            return
        error = EngineError(message["error"]) if "error" in message else None
        result = message["result"] if error is None else {}
        with self._lock:
            future, _ = self._waiting.pop(message["id"], (None, None))
        if future is None:  # nobody waits any more
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def _tell(self, on_info: OnInfo, info: Form) -> None:
        try:
            on_info(info)
        except Exception as error:  # the search is ended, and whoever waits for it has to know
            with self._lock:
                future, _ = self._waiting.pop(info["go"], (None, None))
            with suppress(EngineGoneError):
                self.stop()
            if future is not None:
                future.set_exception(error)


def _wait(future: Future[Form], timeout: float | None) -> Form:
    try:
        return future.result(timeout)
    except FutureTimeoutError:
        if future.done():  # an error of that kind is the answer
            raise
        raise EngineTimeoutError(f"no answer within {timeout:g} s") from None
