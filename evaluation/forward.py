"""What happens under a plan: one forward pass along the defender's replies.

The backward pass says what every reply is worth; this pass follows the replies actually made and
adds up how often each unit ends in each status, how often each move is made, and the payoff's whole
distribution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized
from dataclasses import dataclass, field
from enum import Enum

from evaluation.backward import Backward, TooManyStatesError
from evaluation.chain import Label
from evaluation.parts import Part, parts
from evaluation.plan import (
    Guard,
    LinkRef,
    StrikeStage,
    Turn,
    WindowStage,
    objective_change,
)
from evaluation.reply import Closing, Reply
from evaluation.script import Combatant, Field, Place

PAYOFF_DIGITS = 9
MOST_SITUATIONS = 50_000
"""So many situations, or payoffs, are followed at once: half a second for each stage of a move."""
NEVER = 1e-15
"""Chances below this are what adding and taking away leaves of none."""


class _Going(Enum):
    """The AFV is still on its way."""

    ON = 0


@dataclass(frozen=True, slots=True)
class _Here:
    """Everything that the rest of the plan can tell apart, and the payoff so far."""

    classes: tuple[int, ...]
    payoff: float
    status: int = 0
    stopped: Place | _Going = _Going.ON


Spread = dict[_Here, float]


@dataclass(frozen=True, slots=True)
class StageTrace:
    """One stage of a move as it is expected to go.

    ``reached``: the probability that the AFV comes to it still moving (for a window: that the
    window opens). All other figures are given that it was reached. ``shots``: each shot's
    probability of being made there. ``afv``: the AFV's statuses when the stage is over. ``struck``:
    for an attack, the statuses of the units it strikes.
    """

    place: Place
    reached: float
    shots: tuple[tuple[Label, float], ...] = ()
    afv: Mapping[str, float] = field(default_factory=dict)
    struck: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(eq=False)
class _Tally:
    """A stage's figures while they are being added up."""

    reached: float = 0.0
    shots: dict[Label, float] = field(default_factory=dict)
    afv: dict[str, float] = field(default_factory=dict)
    struck: dict[str, dict[str, float]] = field(default_factory=dict)


@dataclass(eq=False)
class Forward:
    """One forward pass after a recorded backward pass over the same plan."""

    field_: Field
    back: Backward
    with_payoff: bool = True
    outcomes: dict[str, dict[str, float]] = field(default_factory=dict)
    payoff: list[tuple[float, float]] = field(default_factory=list)
    made: list[float] = field(default_factory=list)
    held: dict[Place, tuple[float, float]] = field(default_factory=dict)
    traces: list[tuple[StageTrace, ...]] = field(default_factory=list)
    _bounded: bool = False
    _played: dict[object, tuple[Closing, ...]] = field(default_factory=dict)

    def run(self) -> None:
        """Fill in ``outcomes``, ``payoff``, ``made``, ``held`` and ``traces``. Raises
        TooManyStatesError.

        Moves that have nothing to do with each other are followed apart; their payoffs add."""
        self._bounded = True
        self._begin()
        self.payoff = [(self._booked(self.back.plan.constant), 1.0)]
        for objective, change in self.back.plan.settled:
            self._hold(objective.place, change, 1.0)
        for part in parts(self.back.plan):
            final: dict[float, float] = {}
            for here, p in self._follow(part).items():
                payoff = self._booked(here.payoff + self._objectives(part, here.classes, p))
                final[payoff] = final.get(payoff, 0.0) + p
            self.payoff = self._summed(self.payoff, sorted(final.items()))
        for chances in self.outcomes.values():
            for status in [status for status, p in chances.items() if p <= NEVER]:
                del chances[status]

    def ends(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """Every joint class of the plan's axes when it is over, with its probability."""
        self._begin()
        plan = self.back.plan
        everything = Part(tuple(range(len(plan.turns))), frozenset(range(len(plan.chains))), ())
        for here, p in self._follow(everything).items():
            yield here.classes, p

    def _begin(self) -> None:
        turns = self.back.plan.turns
        self.outcomes = {
            unit.id: {unit.status: 1.0} for _, unit in sorted(self.field_.units.items())
        }
        self.made = [0.0 if turn.impossible else 1.0 for turn in turns]
        self.traces = [()] * len(turns)

    def _follow(self, part: Part) -> Spread:
        plan = self.back.plan
        spread: Spread = {_Here(plan.first_classes, 0.0): 1.0}
        for number in part.turns:
            if plan.turns[number].stages:
                spread = self._turn(spread, number, plan.turns[number])
        return spread

    def _summed(
        self, ours: list[tuple[float, float]], theirs: list[tuple[float, float]]
    ) -> list[tuple[float, float]]:
        """The distribution of the sum of two independent payoffs."""
        total: dict[float, float] = {}
        for payoff, p in ours:
            for other, q in theirs:
                both = self._booked(payoff + other)
                total[both] = total.get(both, 0.0) + p * q
            self._check(total)
        return sorted(total.items())

    def _check(self, found: Sized) -> None:
        if self._bounded and len(found) > MOST_SITUATIONS:
            raise TooManyStatesError(f"more than {MOST_SITUATIONS:,} situations")

    def _booked(self, payoff: float) -> float:
        return round(payoff, PAYOFF_DIGITS) + 0.0 if self.with_payoff else 0.0

    def _says(self, classes: tuple[int, ...], ref: LinkRef) -> bool:
        answer = self.back.plan.link(ref).answer
        assert answer is not None
        return bool(answer[classes[ref.axis]])

    def _move_on(self, unit: Combatant, old: str, new: str, p: float) -> None:
        """A unit, and what it carries, goes from one status to another with probability ``p``."""
        if old == new:
            return
        kind = unit.type.kind
        statuses = self.field_.rules.statuses[kind]
        pairs = [(unit.id, old, new)]
        for carried in self.back.losses.carried_by(unit):
            before = self.back.losses.fate(carried, statuses[old])
            after = self.back.losses.fate(carried, statuses[new])
            pairs.append((carried.id, before, after))
        for who, was, is_ in pairs:
            chances = self.outcomes[who]
            chances[was] = chances.get(was, 0.0) - p
            chances[is_] = chances.get(is_, 0.0) + p

    def _objectives(self, part: Part, classes: tuple[int, ...], p: float) -> float:
        """What the part's objectives bring in one way the phase may end; with which probability
        each is gained or lost is added up."""
        total = 0.0
        for holding in part.holdings:
            theirs = holding.defender_there
            if holding.defender:
                theirs = not self._says(classes, holding.defender)
            mine = holding.mover_there or any(self._says(classes, ref) for ref in holding.movers)
            change = objective_change(holding.objective, mine, theirs)
            total += change
            self._hold(holding.objective.place, change, p)
            # An AFV's place answers for one objective after the other.
            classes = self.back.plan.passed(classes, holding.movers)
        return total

    def _hold(self, place: Place, change: float, p: float) -> None:
        gained, lost = self.held.get(place, (0.0, 0.0))
        self.held[place] = (gained + p * (change > 0), lost + p * (change < 0))

    # -- one move ----------------------------------------------------------------------------

    def _turn(self, spread: Spread, number: int, turn: Turn) -> Spread:
        start = self.back.effects.index[turn.unit.status]
        begun: Spread = {}
        made = 0.0
        for here, p in spread.items():
            goes = turn.guard is None or self._allows(turn.guard, here.classes)
            classes = here.classes
            if turn.guard is not None:
                others = turn.guard.room.others if turn.guard.room else ()
                classes = self.back.plan.passed(
                    classes, (*turn.guard.asks, *(ref for ref, _ in others))
                )
            made += p if goes else 0.0
            stopped = _Going.ON if goes else turn.unit.place
            _add(begun, _Here(classes, here.payoff, start, stopped), p)
        self.made[number] = made
        traces: list[StageTrace] = []
        for at, stage in enumerate(turn.stages):
            tally = _Tally()
            if isinstance(stage, StrikeStage):
                begun = self._strike(begun, stage, tally)
            else:
                last = at == len(turn.stages) - 1
                begun = self._window(begun, stage, (number, at), last, tally)
            traces.append(_traced(stage.place, tally))
            self._check(begun)
        self.traces[number] = tuple(traces)
        return self._end(begun, turn)

    def _allows(self, guard: Guard, classes: tuple[int, ...]) -> bool:
        if not all(self._says(classes, ref) for ref in guard.asks):
            return False
        if guard.room is None:
            return True
        taken = sum(size for ref, size in guard.room.others if self._says(classes, ref))
        return taken <= guard.room.left

    def _end(self, begun: Spread, turn: Turn) -> Spread:
        """The move is over: book what it cost, and where the AFV stands."""
        statuses = self.back.effects.statuses
        ended: Spread = {}
        for here, p in begun.items():
            status = statuses[here.status]
            self._move_on(turn.unit, turn.unit.status, status.name, p)
            cost = self.back.own_loss * self.back.losses.change(turn.unit, status)
            classes = here.classes
            if turn.stand is not None:
                place = None if status.removed else here.stopped
                new = list(classes)
                new[turn.stand] = self.back.plan.chains[turn.stand].entry[place]
                classes = tuple(new)
            _add(ended, _Here(classes, self._booked(here.payoff - cost)), p)
        return ended

    def _strike(self, begun: Spread, stage: StrikeStage, tally: _Tally) -> Spread:
        link = self.back.plan.link(stage.ref)
        axis = stage.ref.axis
        units = self.back.plan.groups[axis].units
        price = self.back.own_loss * stage.price
        after: Spread = {}
        for here, p in begun.items():
            if here.stopped is not _Going.ON:
                classes = self.back.plan.passed(here.classes, [stage.ref])
                _add(after, _Here(classes, here.payoff, here.status, here.stopped), p)
                continue
            tally.reached += p
            name = self.back.effects.statuses[here.status].name
            tally.afv[name] = tally.afv.get(name, 0.0) + p
            number = here.classes[axis]
            for landing in link.landings[number]:
                q = p * landing.probability
                # Where statuses are not told apart, what becomes of the units is not told either.
                names = link.statuses[number] if link.statuses else ()
                for unit, old, new in zip(units, names, landing.statuses, strict=bool(names)):
                    self._move_on(unit, old, new, q)
                    chances = tally.struck.setdefault(unit.id, {})
                    chances[new] = chances.get(new, 0.0) + q
                moved = list(here.classes)
                moved[axis] = landing.to
                payoff = self._booked(here.payoff + landing.loss - price)
                _add(after, _Here(tuple(moved), payoff, here.status), q)
        return after

    # -- one window --------------------------------------------------------------------------

    def _window(
        self,
        begun: Spread,
        stage: WindowStage,
        key: tuple[int, int],
        last: bool,
        tally: _Tally,
    ) -> Spread:
        statuses = self.back.effects.statuses
        after: Spread = {}
        for here, p in begun.items():
            if here.stopped is not _Going.ON:
                classes = self.back.plan.passed(here.classes, stage.fires)
                _add(after, _Here(classes, here.payoff, here.status, here.stopped), p)
                continue
            tally.reached += p
            for close in self._play(here, stage, key):
                q = p * close.probability
                for label in close.shots:
                    tally.shots[label] = tally.shots.get(label, 0.0) + q
                status = statuses[close.status]
                tally.afv[status.name] = tally.afv.get(status.name, 0.0) + q
                halted = last or stage.halts(status)
                stopped = stage.place if halted else _Going.ON
                payoff = self._booked(here.payoff + close.price)
                _add(after, _Here(close.classes, payoff, close.status, stopped), q)
        return after

    def _play(self, here: _Here, stage: WindowStage, key: tuple[int, int]) -> tuple[Closing, ...]:
        """All ways a window can go from here, by the defender's replies."""
        if not stage.fires:
            return (Closing(here.classes, here.status, 0.0, 1.0, ()),)
        known = (key, here.classes, here.status)
        found = self._played.get(known)
        if found is None:
            recorded = self.back.windows[key]
            links = [(ref.axis, self.back.plan.link(ref)) for ref in stage.fires]
            play = Reply(self.back, recorded, links)
            found = self._played[known] = tuple(
                Closing(
                    self.back.plan.passed(c.classes, stage.fires),
                    c.status,
                    c.price,
                    c.probability,
                    c.shots,
                )
                for c in play.closings(here.classes, here.status)
            )
        return found


def _add(spread: Spread, here: _Here, p: float) -> None:
    spread[here] = spread.get(here, 0.0) + p


def _traced(place: Place, tally: _Tally) -> StageTrace:
    reached = tally.reached

    def given(chances: Mapping[str, float]) -> dict[str, float]:
        return {name: p / reached for name, p in sorted(chances.items())} if reached else {}

    return StageTrace(
        place,
        reached,
        tuple(sorted((label, p / reached) for label, p in tally.shots.items())) if reached else (),
        given(tally.afv),
        {unit: given(chances) for unit, chances in sorted(tally.struck.items())},
    )
