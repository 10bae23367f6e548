"""The best plans and the value of the position: the search's front door.

`planner.search.strategy` says how they are found.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from evaluation.backward import TooManyStatesError
from planner.game.moves import PlannedMove
from planner.game.position import Position
from planner.search.candidates import Kept
from planner.search.certify import PositionValue
from planner.search.effort import Cancelled, Limit, OnProgress, Wishes, never
from planner.search.proof import PROVED
from planner.search.strategy import Strategy, text_of
from planner.search.tally import BETTER, Order, Tally
from planner.search.worth import Judge


class Differ(Enum):
    """What two plans of one list must differ in.

    ``OVERRUNS``: in the overruns made, each told by AFV, target hex and direction of travel. Plans
    that differ only in a detour, in weapons, in plain moves or in their order count as one, the
    best of them. ``MOVES``: in any move, or in their order.
    """

    OVERRUNS = "overruns"
    MOVES = "moves"

    def key(self, order: Order) -> Hashable:
        """The same for two plans that count as one."""
        if self is Differ.MOVES:
            return text_of(order)
        return frozenset(one.line for one in order if one.move.target is not None)


@dataclass(frozen=True, slots=True)
class RankedPlan:
    """One plan of the list, with its exact value to the mover.

    ``bound``: no plan over the moves that ``proof_over`` names is worth more, but for those listed
    above this one and those that count as one with them (`Differ`); both None where no bound was
    derived. ``status`` is ``"optimal"`` when no plan at all is worth more than this one, otherwise
    ``"feasible"``. ``value_high`` is ``value`` when it is ``exact``.
    """

    moves: tuple[PlannedMove, ...]
    value: float
    status: str = "feasible"
    exact: bool = True
    value_high: float | None = None
    bound: float | None = None
    proof_over: str | None = None

    @property
    def proved(self) -> bool:
        """Whether it certainly has its rank: no plan that should stand above it was missed."""
        return self.bound is not None and self.bound <= self.value + PROVED


@dataclass(frozen=True, slots=True)
class PlanResult:
    """The best plans, best first, the value of the position, and what the search took.

    ``staying``: what making no move is worth. ``lines`` and ``candidates``: overrun lines with a
    candidate move, and moves looked at. ``finished``: the search ended by itself. ``additive``: the
    plan that a selection by single values alone would make, in its best order, and its value; None
    when it was not got to.
    """

    plans: tuple[RankedPlan, ...]
    position: PositionValue
    staying: float
    lines: int
    candidates: int
    seconds: float
    work: int
    finished: bool
    additive: RankedPlan | None = None
    kept: Kept | None = None


def plan(
    position: Position,
    limit: Limit | None = None,
    wishes: Wishes | None = None,
    own_loss: float = 1.0,
    plans: int = 1,
    on_progress: OnProgress | None = None,
    cancelled: Cancelled = never,
    differ: Differ = Differ.OVERRUNS,
    counts: bool = False,
) -> PlanResult:
    """Search for the best ``plans`` fixed plans and the value of the position (model page).

    Without a limit the search goes on until all is proved, or can't be: that may take minutes.
    ``on_progress`` is called now and then and at each improvement; as soon as ``cancelled()`` is
    true the best so far is returned. ``differ`` says what plans of the list must differ in. Left
    out are plans that are no better than staying, or than the same without one of their moves, and
    moves for which another is as good in every plan. Ties: fewer moves first, then text order.
    ``counts``: count the moves there are too (`PlanResult.kept`), which may take a second more.
    """
    judge = Judge(position, own_loss)
    tally = Tally(judge, limit or Limit(), on_progress, cancelled)
    tally.within = tally.poll
    wishes = wishes or Wishes()
    strategy = Strategy(judge, tally, own_loss, wishes, plans, differ.key)
    finished = strategy.run()
    bound, over = None, None
    survey, certifier = strategy.survey, strategy.certifier
    if survey is not None and survey.complete and certifier is not None:
        bound, over = certifier.bound, survey.proof_over
        if wishes != Wishes():
            over += ", as far as the wishes allow"

    def bound_of_rank(rank: int) -> float:
        known = None if certifier is None else certifier.bound_of_rank(rank)
        return float("inf") if known is None else known

    rows = list(tally.values.values())
    if finished and differ is Differ.MOVES:
        # What was tried before all moves were found is not part of what is proved.
        kept = {candidate.text for candidate in strategy.found}
        rows = [row for row in rows if kept.issuperset(text_of(row[1]))]
    rows = [row for row in rows if not row[1] or row[0] > tally.staying + BETTER]

    def value_of(order: Order) -> float:
        """What a plan is worth; minus infinity where that is not known and the time is up."""
        known = tally.values.get(text_of(order))
        if known is not None:
            return known[0]
        if finished:
            with suppress(TooManyStatesError):
                return judge.value([candidate.move for candidate in order])
        return float("-inf")

    rank_bound = None if bound is None else bound_of_rank
    ranked = tuple(_ranked(rows, plans, differ, value_of, rank_bound, over))
    best = ranked[0].moves
    value = PositionValue(tally.best_value, None, False, best[0] if best else None)
    if bound is not None and certifier is not None:
        value = certifier.position_value(best)
    return PlanResult(
        ranked,
        value,
        tally.staying,
        len({c.line for c in strategy.found if c.move.target is not None}),
        len(strategy.found),
        tally.seconds,
        tally.work,
        finished,
        None
        if strategy.additive is None
        else _rank(strategy.additive, tally.value(strategy.additive)),
        survey.kept() if counts and survey is not None and survey.complete else None,
    )


def _rank(order: Order, value: float) -> RankedPlan:
    return RankedPlan(tuple(candidate.move for candidate in order), value, value_high=value)


def _ranked(
    rows: list[tuple[float, Order]],
    most: int,
    differ: Differ,
    value_of: Callable[[Order], float],
    bound_of_rank: Callable[[int], float] | None,
    over: str | None,
) -> Iterable[RankedPlan]:
    """The best plans of the rows, those that count as one only once, none with a move that it is
    worth as much without. The plan of a rank is worth no more than ``bound_of_rank``; so no plan
    that is not listed above it is, once it is proved that those above are the best."""
    rows.sort(key=lambda row: (-round(row[0], 9), len(row[1]), text_of(row[1])))
    seen: set[Hashable] = set()
    bound, first, all_proved = float("inf"), float("inf"), True
    for value, order in rows:
        key = differ.key(order)
        if key in seen or any(
            value_of((*order[:i], *order[i + 1 :])) >= value - BETTER for i in range(len(order))
        ):
            continue
        seen.add(key)
        ranked = _rank(order, value)
        if bound_of_rank is not None:
            if all_proved:
                bound = bound_of_rank(len(seen))
            if len(seen) == 1:
                first = bound
            status = "optimal" if first <= value + PROVED else "feasible"
            ranked = RankedPlan(ranked.moves, value, status, True, value, max(bound, value), over)
            all_proved = all_proved and ranked.proved
        yield ranked
        if len(seen) == most:
            return
