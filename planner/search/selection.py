"""Selection by OR-Tools: which moves together, when each is counted for itself.

Values of overruns do not add (model page); a selection that adds them is where the search starts,
never its answer. CP-SAT takes at most one move of each AFV, with room in every exit hex, so that
the sum of the moves' own values is greatest; asked again without the selections found, it gives the
next best ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from planner.game.hexes import Hex
from planner.game.position import Position
from planner.search.candidates import Candidate
from planner.search.effort import Cancelled, never
from planner.search.solving import solve

EFFORT = 5.0
"""The solver's deterministic seconds for one selection."""
SCALE = 10_000
"""Values are whole numbers to the solver: ten-thousandths keep every row far below 2**31 (solver
notes), and the yardstick gives the values that count."""


def additive_selections(
    position: Position,
    chosen_from: Sequence[Candidate],
    values: Mapping[str, float],
    most: int,
    cancelled: Cancelled = never,
) -> Iterator[tuple[Candidate, ...]]:
    """Up to ``most`` selections with the greatest sums of single values, best first.

    ``values`` are the single values by the candidates' text. Only moves worth more than staying are
    selected, so the last selection may be the empty one. The same answer on any machine, unless
    ``cancelled()`` becomes true: then there are no more selections.
    """
    from ortools.sat.python import cp_model  # heavy: only where it is used

    worth = [c for c in chosen_from if round(values[c.text] * SCALE) > 0]
    model = cp_model.CpModel()
    take = [model.new_bool_var(candidate.text) for candidate in worth]
    by_unit: dict[str, list[int]] = {}
    by_exit: dict[Hex, list[int]] = {}
    for i, candidate in enumerate(worth):
        by_unit.setdefault(candidate.move.unit, []).append(i)
        by_exit.setdefault(candidate.move.path[-1], []).append(i)
    for indices in by_unit.values():
        model.add_at_most_one(take[i] for i in indices)
    for exit_, indices in by_exit.items():
        taken = [_size(position, worth[i].move.unit) * take[i] for i in indices]
        room = position.rules.stacking_limit
        for unit in position.standing.get(exit_, ()):
            if unit.side == position.to_move:
                room -= unit.type.size
                # An AFV that leaves the hex on a move of its own makes room, in the right order.
                taken += [-unit.type.size * take[i] for i in by_unit.get(unit.id, ())]
        model.add(sum(taken) <= room)
    model.maximize(sum(round(values[c.text] * SCALE) * take[i] for i, c in enumerate(worth)))
    for _ in range(most):
        solved = solve(model, take, cancelled, EFFORT)
        if solved.values is None or solved.stopped:
            return
        chosen = [i for i, taken in enumerate(solved.values) if taken]
        yield tuple(worth[i] for i in chosen)
        if not chosen:
            return
        others = [take[i] for i in range(len(worth)) if i not in chosen]
        model.add(sum(take[i] for i in chosen) - sum(others) <= len(chosen) - 1)


def _size(position: Position, unit: str) -> int:
    return position.units[unit].type.size
