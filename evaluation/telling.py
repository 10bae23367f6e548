"""What a plan leads to, as far as its states fit in memory.

To tell what becomes of every unit all statuses must be told apart, from the first strike to the
end, and that may be too many states where the value alone is not. Then the same replies are
followed several times: once with no more told apart than the replies depend on, for the AFVs and
the payoff, and once for each hex struck, with the statuses of its units. The replies are the same
every time, for shots declared differently are always told apart (`evaluation.chain`), and of
equally good ones always the first in the stated order is made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from evaluation import backward
from evaluation.backward import Backward, Sweeps, TooManyStatesError
from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.forward import Forward, StageTrace
from evaluation.parts import Part, parts
from evaluation.plan import Defence, Plan, StrikeStage
from evaluation.script import Field, Move, Place
from evaluation.size import crowds_of_part
from evaluation.worth import Losses

MOST_RECORDED = 20_000_000
"""So many states are kept for following the replies: up to 320 MB."""

Turns = frozenset[int]
"""Numbers of moves."""
Payoff = tuple[tuple[float, float], ...]


@dataclass(eq=False)
class Told:
    """What is told of a plan; see `evaluation.value.Evaluation`."""

    made: list[float | None]
    stages: list[tuple[StageTrace, ...]]
    outcomes: dict[str, Mapping[str, float]]
    payoff: Payoff = ()
    objectives: dict[Place, tuple[float, float]] = field(default_factory=dict)
    untold: frozenset[Place] = frozenset()


class Teller:
    """Tells what plans on one field lead to."""

    def __init__(
        self,
        field: Field,
        effects: Effects,
        losses: Losses,
        own_loss: float,
        defence: Defence,
    ) -> None:
        self._field = field
        self._effects = effects
        self._losses = losses
        self._own_loss = own_loss
        self._defence = defence
        self._sweeps: Sweeps = {}
        self._everything = self._compiler(True)
        self._replies = self._compiler(())

    def _compiler(self, keep: bool | Collection[Place]) -> Compiler:
        field_, defence = self._field, self._defence
        return Compiler(field_, self._effects, self._losses, defence, keep, labelled=True)

    def tell(self, moves: Sequence[Move], known: Collection[Turns], *, payoff: bool) -> Told:
        """What a plan leads to. ``known``: its parts whose value is exactly known; of the others
        nothing can be told. The payoff's distribution is left out unless all are."""
        plan = build(self._everything, moves)
        turns = frozenset[int]().union(*known)
        whole = turns == frozenset(range(len(moves)))
        if all(self._fits(plan, part) for part in parts(plan) if set(part.turns) & turns):
            for with_payoff in (payoff and whole, False):
                try:
                    run = self._follow(plan, turns, with_payoff=with_payoff)
                except TooManyStatesError:
                    continue
                told = self._blank(plan)
                self._add(told, plan, run, turns, self._struck(plan, turns))
                told.payoff = tuple(run.payoff) if with_payoff else ()
                return told
        return self._piecemeal(moves, known, payoff=payoff and whole)

    def _fits(self, plan: Plan, part: Part) -> bool:
        points = list(crowds_of_part(plan, part, len(self._effects.statuses)))
        return (
            max((one.states for one in points), default=1) <= backward.MOST_STATES
            and sum(one.states for one in points) <= MOST_RECORDED
        )

    def _follow(self, plan: Plan, turns: Turns, *, with_payoff: bool) -> Forward:
        """Follow the replies to some of the plan's parts, the others left out. Raises
        TooManyStatesError."""
        some = _only(plan, turns)
        back = Backward(
            some, self._effects, self._losses, self._own_loss, self._defence, record=True
        )
        back.sweeps = self._sweeps
        back.value()
        run = Forward(self._field, back, with_payoff)
        run.run()
        return run

    # -- putting it together -------------------------------------------------------------------

    def _blank(self, plan: Plan) -> Told:
        """What is told when nothing of a plan is known: what no move has to do with."""
        moved = {turn.unit.id for turn in plan.turns if turn.stages}
        struck = self._struck(plan, frozenset(range(len(plan.turns))))
        units = self._units(struck) | moved | self._carried(moved)
        return Told(
            [None if turn.stages else float(not turn.impossible) for turn in plan.turns],
            [()] * len(plan.turns),
            {
                name: {unit.status: 1.0}
                for name, unit in sorted(self._field.units.items())
                if name not in units
            },
            objectives={
                one.place: (max(change, 0.0) and 1.0, min(change, 0.0) and 1.0)
                for one, change in plan.settled
            },
            untold=frozenset(holding.objective.place for holding in plan.holdings),
        )

    def _add(
        self, told: Told, plan: Plan, run: Forward, turns: Turns, struck: Collection[Place]
    ) -> None:
        """What following the replies to some moves tells, statuses told apart in the hexes
        ``struck``."""
        for i in turns:
            told.made[i] = run.made[i]
            told.stages[i] = run.traces[i]
        moved = {plan.turns[i].unit.id for i in turns}
        for name in sorted(moved | self._carried(moved) | self._units(struck)):
            told.outcomes[name] = run.outcomes[name]
        for part in parts(plan):
            if set(part.turns) & turns or not part.turns:
                for holding in part.holdings:
                    place = holding.objective.place
                    told.objectives[place] = run.held.get(place, (0.0, 0.0))
                    told.untold -= {place}

    def _struck(self, plan: Plan, turns: Turns) -> list[Place]:
        """The hexes that moves strike, in their order."""
        stages = (stage for i in sorted(turns) for stage in plan.turns[i].stages)
        return list(dict.fromkeys(s.place for s in stages if isinstance(s, StrikeStage)))

    def _units(self, places: Collection[Place]) -> set[str]:
        """The defender's units of some hexes, with those they carry."""
        there = {u.id for place in places for u in self._everything.group(place).units}
        return there | self._carried(there)

    def _carried(self, carriers: Iterable[str]) -> set[str]:
        units = self._field.units
        return {u.id for name in carriers for u in self._losses.carried_by(units[name])}

    # -- piece by piece ------------------------------------------------------------------------

    def _piecemeal(self, moves: Sequence[Move], known: Collection[Turns], *, payoff: bool) -> Told:
        """Part by part, and in each one hex struck after the other."""
        plan = build(self._replies, moves)
        told = self._blank(plan)
        by_turns = {frozenset(part.turns): part for part in parts(plan)}
        followed = [
            turns
            for turns in known
            if self._fits(plan, by_turns[turns]) and self._tell_part(told, plan, moves, turns)
        ]
        if payoff and len(followed) == len(known):
            try:
                run = self._follow(plan, frozenset[int]().union(*known), with_payoff=True)
                told.payoff = tuple(run.payoff)
            except TooManyStatesError:
                pass
        return told

    def _tell_part(self, told: Told, plan: Plan, moves: Sequence[Move], turns: Turns) -> bool:
        try:
            self._add(told, plan, self._follow(plan, turns, with_payoff=False), turns, ())
        except TooManyStatesError:
            return False
        for place in self._struck(plan, turns):
            finer = build(self._compiler((place,)), moves)
            part = next(one for one in parts(finer) if frozenset(one.turns) == turns)
            if not self._fits(finer, part):
                continue
            try:
                run = self._follow(finer, turns, with_payoff=False)
            except TooManyStatesError:
                continue
            for name in sorted(self._units([place])):
                told.outcomes[name] = run.outcomes[name]
            for i in turns:
                told.stages[i] = tuple(
                    replace(mine, struck=theirs.struck) if theirs.struck else mine
                    for mine, theirs in zip(told.stages[i], run.traces[i], strict=True)
                )
        return True


def _only(plan: Plan, turns: Turns) -> Plan:
    """A plan of which only some parts are left, their moves under the same numbers."""
    holdings = [
        holding
        for part in parts(plan)
        if set(part.turns) & turns or not part.turns
        for holding in part.holdings
    ]
    return replace(
        plan,
        turns=tuple(
            turn if i in turns else replace(turn, stages=(), guard=None, stand=None)
            for i, turn in enumerate(plan.turns)
        ),
        holdings=tuple(one for one in plan.holdings if one in holdings),
    )
