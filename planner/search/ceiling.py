"""A bound for positions too large for V: what the moves could bring if the defender never fired.

Fixing any policy of the defender's bounds every course of action from above. With nobody firing, an
AFV's attack is worth at most what it can be expected to cost its target in the state that suits it
best, and all attacks on one hex together at most what there is to lose in it. So the greatest sum
of attacks, one for each AFV, no hex counted for more than it holds, is a bound, on plans and on the
value of the position alike: a linear program, since an AFV that decides as it goes spreads one
choice over its moves. Objectives are counted as gained.
"""

from __future__ import annotations

from evaluation.adaptive import Adaptive
from evaluation.script import Place
from evaluation.units import Side
from planner.game.position import Position
from planner.search.exposure import field

SLACK = 1e-6
"""Added for the solver's own tolerance, so that the bound stays one."""


def ceiling(adaptive: Adaptive, *, objectives: float = 0.0) -> float:
    """A bound, above staying, on the value of every plan and every course of action.

    ``objectives``: worth of the objectives that could be gained.
    """
    from ortools.linear_solver import pywraplp  # heavy: only where it is used

    gains, most = adaptive.unopposed()
    solver = pywraplp.Solver.CreateSolver("GLOP")
    shares = [solver.NumVar(0.0, 1.0, "") for _ in gains]
    for unit in adaptive.units:
        row = solver.Constraint(-solver.infinity(), 1.0)
        for share, move in zip(shares, adaptive.moves, strict=True):
            if move.unit == unit:
                row.SetCoefficient(share, 1.0)
    taken: dict[Place, object] = {}
    objective = solver.Objective()
    for place, worth in most.items():
        taken[place] = solver.NumVar(0.0, worth, "")
        objective.SetCoefficient(taken[place], 1.0)
        row = solver.Constraint(-solver.infinity(), 0.0)
        row.SetCoefficient(taken[place], 1.0)
        for share, (struck, gain) in zip(shares, gains, strict=True):
            if struck == place:
                row.SetCoefficient(share, -gain)
    objective.SetMaximization()
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        return sum(most.values()) + objectives
    return float(objective.Value()) + SLACK + objectives


def objectives_to_gain(position: Position) -> float:
    """Worth of the objectives that can be worth more to the side to move than if it stays: those
    that it does not hold, and those that it loses by staying because the enemy stands there."""
    known = field(position)
    enemy_held = {
        unit.place
        for unit in known.units.values()
        if unit.side is Side.DEFENDER
        and unit.carrier is None
        and not known.rules.status(unit.type.kind, unit.status).removed
    }
    return sum(
        objective.worth
        for objective in known.objectives
        if objective.held_by is not Side.MOVER or objective.place in enemy_held
    )
