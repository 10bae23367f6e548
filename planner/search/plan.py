"""The best plans found: a first selection, its rivals, and what can be made of them.

1. Every candidate move is valued by itself.
2. OR-Tools selects moves as if their values added (`planner.search.selection`); each selection is
   put in its best order and valued exactly as a whole plan.
3. The best of them, and staying, are improved move by move (`planner.search.improve`).
4. Pairs of moves are tried in both orders, for moves that only pay together; the best are improved.

The answer is ``feasible``: the best plan found, with its exact value, and no proof that there is
none better. It is never worse than staying.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from planner.game.hexes import Hex
from planner.game.moves import PlannedMove
from planner.game.position import Position
from planner.search.candidates import Candidate, LineKey, candidates
from planner.search.effort import Cancelled, Limit, OnProgress, Wishes, never
from planner.search.improve import best_order, climb
from planner.search.selection import additive_selections
from planner.search.tally import BETTER, Order, OutOfEffortError, Tally
from planner.search.worth import Judge

RIVALS = 5
"""Selections taken from the solver, and plans and pairs that are improved."""


@dataclass(frozen=True, slots=True)
class RankedPlan:
    """One plan of the list, with its exact value to the mover.

    ``status`` is ``"feasible"``: nothing better was found, nothing was proved; ``bound`` and
    ``proof_over`` are then None. ``value_high`` is ``value`` when it is ``exact``.
    """

    moves: tuple[PlannedMove, ...]
    value: float
    status: str = "feasible"
    exact: bool = True
    value_high: float | None = None
    bound: float | None = None
    proof_over: str | None = None


@dataclass(frozen=True, slots=True)
class PlanResult:
    """The best plans, best first, what staying is worth, and what the search took.

    ``lines`` and ``candidates``: overrun lines with a candidate move, and moves looked at.
    ``finished``: the search ended by itself. ``additive``: the plan that a selection by single
    values alone would make, in its best order, and its value; None when it was not got to.
    """

    plans: tuple[RankedPlan, ...]
    staying: float
    lines: int
    candidates: int
    seconds: float
    work: int
    finished: bool
    additive: RankedPlan | None = None


def plan(
    position: Position,
    limit: Limit | None = None,
    wishes: Wishes | None = None,
    own_loss: float = 1.0,
    plans: int = 1,
    on_progress: OnProgress | None = None,
    cancelled: Cancelled = never,
) -> PlanResult:
    """Search for the best ``plans`` fixed plans (model page, "Value of a plan").

    Without a limit the search goes on until no step improves its best plans. ``on_progress`` is
    called now and then and at each improvement; as soon as ``cancelled()`` is true the best so far
    is returned. Plans that differ only in a detour or in weapons count as one, the better. Ties:
    fewer moves first, then text order.
    """
    judge = Judge(position, own_loss)
    tally = Tally(judge, limit or Limit(), on_progress, cancelled)
    tally.phase("looking for overrun lines")
    found = candidates(position, judge, wishes or Wishes())
    search = _Search(position, tally, found)
    finished = search.run()
    return PlanResult(
        tuple(_ranked(tally.values.values(), tally.staying, plans)),
        tally.staying,
        len({c.line for c in found if c.move.target is not None}),
        len(found),
        tally.seconds,
        tally.work,
        finished,
        search.additive,
    )


class _Search:
    def __init__(self, position: Position, tally: Tally, found: Sequence[Candidate]) -> None:
        self._position = position
        self._tally = tally
        self._found = found
        self.additive: RankedPlan | None = None

    def run(self) -> bool:
        """Go through the phases; False when the limit cut it short."""
        try:
            self._phases()
        except OutOfEffortError:
            return False
        return True

    def _phases(self) -> None:
        tally = self._tally
        tally.phase("valuing single moves", len(self._found))
        for candidate in self._found:
            tally.value((candidate,))
        by_unit = self._best_of_each_line()
        tally.phase("selecting moves")
        single = {c.text: tally.value((c,)) for c in self._found}
        shortlist = [candidate for options in by_unit.values() for candidate in options]
        starts: list[Order] = []
        for selection in additive_selections(self._position, shortlist, single, RIVALS):
            order = best_order(tally, selection)
            starts.append(order)
            if self.additive is None:
                self.additive = _rank(order, tally.value(order))
        starts.sort(key=lambda order: (-tally.value(order), _text(order)))
        tally.phase("improving plans")
        for start in (*starts[:1], ()):
            climb(tally, start, by_unit)
        self._pairs(by_unit)
        tally.phase("improving plans")
        for start in starts[1:]:
            climb(tally, start, by_unit)
        # Last the routes and weapons that looked second best for a move by itself.
        climb(tally, tally.best, _grouped(self._found))

    def _best_of_each_line(self) -> dict[str, list[Candidate]]:
        """For each AFV the candidate that is worth most by itself, of those of one line that need
        the same hexes cleared."""
        best: dict[tuple[LineKey, tuple[Hex, ...]], Candidate] = {}
        for candidate in self._found:
            # A move that needs hexes cleared is skipped when it stands alone, and so worth nothing.
            key = (candidate.line, candidate.needs)
            known = best.get(key)
            value = self._tally.value((candidate,))
            if known is None or value > self._tally.value((known,)) + BETTER:
                best[key] = candidate
        return _grouped(best.values())

    def _pairs(self, by_unit: Mapping[str, Sequence[Candidate]]) -> None:
        """Every two moves of two AFVs, either first; the best pairs are improved."""
        tally = self._tally
        pairs = [
            (first, second)
            for unit, options in by_unit.items()
            for other, others in by_unit.items()
            if unit != other
            for first in options
            for second in others
        ]
        # The most promising first, so that a limit cuts off the least promising.
        pairs.sort(key=lambda pair: (-sum(tally.value((c,)) for c in pair), _text(pair)))
        tally.phase("trying pairs of moves", len(pairs))
        for pair in pairs:
            tally.value(pair)
        pairs.sort(key=lambda pair: (-tally.value(pair), _text(pair)))
        tally.phase("improving plans")
        for pair in pairs[:RIVALS]:
            climb(tally, pair, by_unit)


def _grouped(found: Iterable[Candidate]) -> dict[str, list[Candidate]]:
    """Candidates by AFV, AFVs and moves in text order."""
    by_unit: dict[str, list[Candidate]] = {}
    for candidate in sorted(found, key=lambda c: (c.move.unit, c.text)):
        by_unit.setdefault(candidate.move.unit, []).append(candidate)
    return by_unit


def _text(order: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(candidate.text for candidate in order)


def _rank(order: Order, value: float) -> RankedPlan:
    return RankedPlan(tuple(candidate.move for candidate in order), value, value_high=value)


def _ranked(
    valued: Iterable[tuple[float, Order]], staying: float, most: int
) -> Iterable[RankedPlan]:
    """The best plans, those that differ in a detour or in weapons once, none worse than staying."""
    rows = [row for row in valued if row[0] >= staying - BETTER]
    rows.sort(key=lambda row: (-round(row[0], 9), len(row[1]), _text(row[1])))
    seen: set[tuple[LineKey, ...]] = set()
    for value, order in rows:
        lines = tuple(candidate.line for candidate in order)
        if lines not in seen:
            seen.add(lines)
            yield _rank(order, value)
            if len(seen) == most:
                return
