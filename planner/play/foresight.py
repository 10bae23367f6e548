"""What a moment of a game is worth when every move is chosen after seeing what came of the last.

The moves of the best continuations are few enough for dynamic programming over all situations
(`evaluation.adaptive`), AFVs that have nothing to do with each other apart. The result is attained
by playing on with just these moves: at least what the best continuation among them is worth, and no
more than the value of the moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from evaluation.adaptive import Adaptive
from evaluation.first_window import FirstWindow
from planner.play.onward import Onward
from planner.search.candidates import Candidate
from planner.search.effort import Poll
from planner.search.tally import Order

MOST_STATES = 6_000
"""Situations of one table."""
MOST_IN_ALL = 400_000
"""Situations of all tables."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A move that may be made now, what the moment is worth to the mover with it, and the window
    that it begins with (None: not asked for, or none is open)."""

    value: float
    candidate: Candidate
    window: FirstWindow | None = None


class Foresight:
    """The values of the next moves among a few, with every later one chosen among them as best.

    With a move under way (``heads`` not empty) one of those is next. ``check`` is called for each
    move valued over a table, ``poll`` now and then; both may raise to stop.
    """

    def __init__(
        self,
        judge: Onward,
        moves: Sequence[Candidate],
        heads: Sequence[Candidate],
        check: Callable[[], None],
        poll: Poll,
    ) -> None:
        self._judge = judge
        self._poll = poll
        self._heads = {c.text for c in heads}
        self._candidates = {c.text: c for c in moves}
        self.staying = judge.value([])
        planned = [c.move for c in moves]
        self._parts = [
            Adaptive(
                judge.field,
                {
                    unit: [judge.script(move) for move in planned if move.unit == unit]
                    for unit in units
                },
                judge.own_loss,
                MOST_STATES,
                MOST_IN_ALL,
                check,
                poll,
            )
            for units in judge.components(planned, poll)
        ]

    def next_moves(self, *, windows: bool = False) -> list[Foreseen]:
        """Every move that may be made next, the best first, equal ones in text order; their windows
        too if asked for. Raises TooManyStatesError."""
        head_unit = next((c.move.unit for t, c in self._candidates.items() if t in self._heads), "")
        own = [part for part in self._parts if not head_unit or head_unit in part.units]
        # The others' share is what they are worth by themselves.
        apart = {id(part): part.value() - self.staying for part in self._parts if part not in own}
        if not head_unit:
            apart = {id(part): part.value() - self.staying for part in own}
        found = []
        for part in own:
            rest = sum(gain for number, gain in apart.items() if number != id(part))
            for number, move in enumerate(part.moves):
                if head_unit and move.label not in self._heads:
                    continue
                self._poll()
                value = part.first_move(number)
                if value == -inf:
                    continue
                window = part.first_window(number) if windows else None
                found.append(
                    Foreseen(
                        value + rest,
                        self._candidates[move.label],
                        None if window is None else window.plus(rest),
                    )
                )
        return sorted(found, key=lambda one: (-round(one.value, 9), one.candidate.text))


def shortlist(ranked: Sequence[tuple[float, Order]], most: int) -> list[Candidate]:
    """The moves of the best continuations, so many at most."""
    found: dict[str, Candidate] = {}
    for _, order in ranked:
        for candidate in order:
            if len(found) == most:
                return [*found.values()]
            found.setdefault(candidate.text, candidate)
    return [*found.values()]
