"""One search, or the plain ways to a plan, in a process of its own: what ``plans`` is made of.

``main`` is run in a new process with a scenario and, for a search, its limit in seconds; it prints
one line of JSON. Before the clock starts a small position has been searched, so that all libraries
are loaded; nothing is known of the position itself.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from time import monotonic

from benchmarks.instances import TWO_TANKS
from evaluation.kernels import settle_cells_when_ready
from planner.game.notation import format_move
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.search import improve
from planner.search.candidates import Candidate, LineKey, Survey
from planner.search.effort import Limit, Progress, Wishes
from planner.search.improve import best_order, greedy
from planner.search.plan import plan
from planner.search.selection import additive_selections
from planner.search.strategy import grouped
from planner.search.tally import BETTER, Order, OutOfEffortError, Tally
from planner.search.worth import Judge

COMMAND = "from benchmarks.plan_run import main; main()"
PLAIN_SECONDS = 300.0
"""The plain ways are given up after so long."""


@dataclass(frozen=True, slots=True)
class Search:
    """One search with a limit. ``status`` and ``bound`` are the plan's; ``low`` and ``high`` (None:
    no bound) are those of the value of the position, ``exact`` when they are one.

    Seconds since the search began: ``listed`` when there were moves to value, ``first`` when there
    was a plan better than staying, ``best`` when there was none better any more (both None: it
    found none better than staying), ``seconds`` when it ended.
    """

    value: float
    staying: float
    moves: tuple[str, ...]
    status: str
    bound: float | None
    low: float
    high: float | None
    exact: bool
    candidates: int
    lines: int
    listed: float | None
    first: float | None
    best: float | None
    seconds: float
    work: int
    finished: bool

    @property
    def proven(self) -> bool:
        """Whether no plan is better."""
        return self.status == "optimal"


@dataclass(frozen=True, slots=True)
class Plain:
    """A plan made in a plain way, valued exactly; None: given up after `PLAIN_SECONDS`."""

    name: str
    value: float | None
    moves: tuple[str, ...]
    seconds: float


class _Watch:
    """Notes when what happened."""

    def __init__(self) -> None:
        self.started = monotonic()
        self.value: float | None = None
        self.listed: float | None = None
        self.first: float | None = None
        self.best: float | None = None

    def __call__(self, progress: Progress) -> None:
        now = monotonic() - self.started
        if self.listed is None and progress.total is not None:
            self.listed = now
        # The first to be told is what staying is worth.
        if self.value is not None and progress.value_to_mover > self.value + BETTER:
            self.first = now if self.first is None else self.first
            self.best = now
        self.value = progress.value_to_mover


def search(position: Position, seconds: float) -> Search:
    """Search for the best plan of a position for so long at most."""
    watch = _Watch()
    result = plan(position, Limit(seconds), on_progress=watch)
    ended = monotonic() - watch.started
    best = result.plans[0]
    return Search(
        best.value,
        result.staying,
        tuple(format_move(position, move) for move in best.moves),
        best.status,
        best.bound,
        result.position.low,
        result.position.high,
        result.position.exact,
        result.candidates,
        result.lines,
        watch.listed,
        watch.first,
        watch.best,
        ended,
        result.work,
        result.finished,
    )


def plain_ways(position: Position) -> list[Plain]:
    """Additive selection in its best order, and two greedy ways that value whole plans exactly;
    each begins anew."""
    judge = Judge(position)
    found = Survey(position, judge, Wishes()).candidates

    def additive(tally: Tally) -> Order:
        single = {candidate.text: tally.value((candidate,)) for candidate in found}
        (selection,) = additive_selections(position, found, single, 1)
        return best_order(tally, selection)

    ways: dict[str, Callable[[Tally], Order]] = {
        "additive selection": additive,
        "greedy, best singles": lambda tally: greedy(tally, found),
        "greedy, move by move": lambda tally: move_by_move(tally, found),
    }
    return [_plain(position, name, way) for name, way in ways.items()]


def move_by_move(tally: Tally, found: Iterable[Candidate]) -> Order:
    """Again and again the move, of an AFV that has none yet, that makes the plan worth most when it
    is added at its end, until none makes it better.

    Of each line the candidate that is worth most by itself takes part. Ties: text order.
    """
    by_line: dict[LineKey, Candidate] = {}
    for candidate in sorted(found, key=lambda c: (-tally.value((c,)), c.text)):
        by_line.setdefault(candidate.line, candidate)
    return improve.move_by_move(tally, grouped(by_line.values()))


def _plain(position: Position, name: str, way: Callable[[Tally], Order]) -> Plain:
    started = monotonic()
    tally = Tally(Judge(position), Limit(PLAIN_SECONDS), None, lambda: False)
    try:
        made = way(tally)
    except OutOfEffortError:
        return Plain(name, None, (), monotonic() - started)
    texts = tuple(candidate.text for candidate in made)
    return Plain(name, tally.value(made), texts, monotonic() - started)


def main(arguments: Sequence[str] | None = None) -> None:
    """``SCENARIO SECONDS``: a search; ``SCENARIO`` alone: the plain ways."""
    source, *limit = sys.argv[1:] if arguments is None else arguments
    settle_cells_when_ready()
    plan(load(TWO_TANKS))
    position = load(source)
    if limit:
        print(json.dumps(asdict(search(position, float(limit[0])))))
    else:
        print(json.dumps([asdict(one) for one in plain_ways(position)]))
