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

SCALE = 10_000
"""Values are whole numbers to the solver: ten-thousandths keep every row far below 2**31 (solver
notes), and the yardstick gives the values that count."""


def additive_selections(
    position: Position, chosen_from: Sequence[Candidate], values: Mapping[str, float], most: int
) -> Iterator[tuple[Candidate, ...]]:
    """Up to ``most`` selections with the greatest sums of single values, best first.

    ``values`` are the single values by the candidates' text. Only moves worth more than staying are
    selected, so the last selection may be the empty one. One worker, a fixed seed and bounded
    deterministic time: the same answer on any machine.
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
    solver = cp_model.CpSolver()
    # Or the solver would put the system's own handler of Ctrl-C in place of ours when it is done.
    solver.parameters.catch_sigint_signal = False
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = 5.0
    solver.parameters.presolve_inclusion_work_limit = 0
    for _ in range(most):
        if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return
        chosen = [i for i in range(len(worth)) if solver.boolean_value(take[i])]
        yield tuple(worth[i] for i in chosen)
        if not chosen:
            return
        others = [take[i] for i in range(len(worth)) if i not in chosen]
        model.add(sum(take[i] for i in chosen) - sum(others) <= len(chosen) - 1)


def _size(position: Position, unit: str) -> int:
    return position.units[unit].type.size
