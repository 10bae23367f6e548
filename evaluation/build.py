"""Making a plan ready: events in order, and what is certain beforehand settled for good."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evaluation.chain import Ask, Chain, Payload, place_chain
from evaluation.compiler import Compiler, Ready, ReadyStrike
from evaluation.plan import (
    Guard,
    Holding,
    LinkRef,
    Plan,
    Room,
    Space,
    Stage,
    Start,
    StrikeStage,
    Turn,
    WindowStage,
    objective_change,
)
from evaluation.script import Combatant, Move, Objective, Place


def build(
    compiler: Compiler,
    moves: Sequence[Move],
    before: Space | None = None,
    after: Space | None = None,
) -> Plan:
    """Make a plan ready.

    ``before``: the situations it may begin in (None: the field as it is). ``after``: those that the
    values it leads to are over (None: the Movement Phase ends with it). Raises ValueError when a
    move's unit is no AFV of the mover's that stands on the field, or moves twice.
    """
    making = _Build(compiler, before, after)
    for move in moves:
        making.add(move)
    return making.finish()


@dataclass(slots=True)
class _Stand:
    """Where an AFV that has moved may stand; ``known``: where it stands is known beforehand, or is
    an axis of the space before the plan."""

    unit: Combatant
    places: list[Hashable]
    known: bool
    number: int
    payloads: list[Ask] = field(default_factory=list)


class _Build:
    """One plan being made ready."""

    def __init__(self, compiler: Compiler, before: Space | None, after: Space | None) -> None:
        self._c = compiler
        self._before = before
        self._after = after
        self._turns: list[Turn] = []
        self._axis: dict[Place, int] = {}
        self._payloads: list[list[Payload]] = []
        self._stands: dict[str, _Stand] = {}
        self._struck: set[Place] = set(before.struck) if before else set()
        for unit in before.moved if before else ():
            assert before is not None
            self._stand(compiler.field.units[unit], list(before.members["stand", unit]), known=True)
        for kind, place in after.axes if after else ():
            if kind == "group":
                self._group_axis(place)

    def _group_axis(self, place: Place) -> int:
        axis = self._axis.setdefault(place, len(self._payloads))
        if axis == len(self._payloads):
            self._payloads.append([])
        return axis

    def _ref(self, place: Place, payload: Payload) -> LinkRef:
        axis = self._group_axis(place)
        self._payloads[axis].append(payload)
        return LinkRef(axis, len(self._payloads[axis]) - 1)

    def _stand(self, unit: Combatant, places: list[Hashable], *, known: bool) -> None:
        self._stands[unit.id] = _Stand(unit, places, known, len(self._stands))

    def _stand_ref(self, stand: _Stand, place: Place) -> LinkRef:
        """A question to the place of an AFV that has moved; the axis is settled at the end."""
        stand.payloads.append(Ask("at", place))
        return LinkRef(-1 - stand.number, len(stand.payloads) - 1)

    def add(self, move: Move) -> None:
        """The next move of the plan."""
        ready = self._c.ready(move)
        unit = ready.unit
        if unit.id in self._stands:
            self._c.mover(move, [unit.id])  # raises: it has two moves
        guard = self._guard(ready) if ready.able else None
        if guard is None:
            self._turns.append(Turn(unit, move, impossible=bool(move.steps)))
            # A wreck stands nowhere: it takes no room and holds no objective.
            stands = unit in self._c.movers_at(unit.place)
            self._stand(unit, [unit.place if stands else None], known=True)
            return
        stages: list[Stage] = []
        places: list[Hashable] = []
        fired_at = False
        last = len(ready.steps) - 1
        for i, step in enumerate(ready.steps):
            if isinstance(step, ReadyStrike):
                ref = self._ref(step.place, step.attack)
                stages.append(StrikeStage(step.place, ref, step.price))
                self._struck.add(step.place)
                continue
            refs = tuple([self._ref(place, fire) for place, fire in step.fires])
            fired_at = fired_at or bool(refs)
            if (fired_at or i == last) and step.place not in places:
                places.append(step.place)
            stages.append(WindowStage(step.place, refs, step.before_strike))
        certain = not guard.asks and guard.room is None
        if not certain and unit.place not in places:
            places.append(unit.place)
        if fired_at:
            places.append(None)
        self._stand(unit, places, known=False)
        self._turns.append(Turn(unit, move, tuple(stages), None if certain else guard))

    def _guard(self, ready: Ready) -> Guard | None:
        """What must hold for the move to be made; None when it certainly does not."""
        unit = ready.unit
        open_questions: list[tuple[Ask, Place]] = []
        for ask, where, holds in ready.questions:
            if where in self._struck:
                open_questions.append((ask, where))
            elif not holds:
                return None
        if len({where for _, where in open_questions}) < len(open_questions):
            return None  # driven through and then overrun: empty and a target it can't both be
        place = ready.steps[-1].place
        left = self._room_left(unit, place)
        if left < 0:
            return None
        others = [stand for stand in self._stands.values() if place in stand.places]
        room = None
        if sum(stand.unit.size for stand in others) > left:
            refs = ((self._stand_ref(stand, place), stand.unit.size) for stand in others)
            room = Room(left, tuple(refs))
        asks = tuple([self._ref(where, ask) for ask, where in open_questions])
        return Guard(asks, room)

    def _room_left(self, unit: Combatant, place: Place) -> int:
        """The room for others where a move ends, beside those who certainly stand there."""
        taken = sum(
            there.size
            for there in self._c.movers_at(place)
            if there.id != unit.id and there.id not in self._stands
        )
        return self._c.field.stacking_limit - taken - unit.size

    # -- putting it together -----------------------------------------------------------------

    def finish(self) -> Plan:
        """The plan."""
        holdings, certain = self._holdings() if self._after is None else ([], [])
        places = list(self._axis)
        chains: list[Chain[Hashable]] = [
            self._c.chain(place, tuple(payloads), self._before, self._after)
            for place, payloads in zip(places, self._payloads, strict=True)
        ]
        groups = tuple(self._c.group(place) for place in places)
        starts: list[Start] = [
            self._start(("group", group.place), chain, group.start)
            for chain, group in zip(chains, groups, strict=True)
        ]
        stand_axes = self._stand_axes(chains, starts)

        def settle(ref: LinkRef) -> LinkRef:
            return ref if ref.axis >= 0 else LinkRef(stand_axes[-1 - ref.axis], ref.link)

        turns = []
        for made in self._turns:
            guard = made.guard
            if guard is not None and guard.room is not None:
                others = tuple((settle(ref), size) for ref, size in guard.room.others)
                guard = Guard(guard.asks, Room(guard.room.left, others))
            stand = self._stands[made.unit.id]
            axis = None if stand.known else stand_axes.get(stand.number)
            turns.append(replace(made, guard=guard, stand=axis))
        settled = tuple(replace(h, movers=tuple(settle(ref) for ref in h.movers)) for h in holdings)

        def axis_of(key: tuple[str, Hashable]) -> int | None:
            kind, what = key
            if kind == "group":
                return self._axis.get(what)
            stand = self._stands.get(str(what))
            return None if stand is None else stand_axes.get(stand.number)

        after = [axis_of(key) for key in (self._after.axes if self._after else ())]
        return Plan(
            tuple(turns),
            groups,
            tuple(chains),
            tuple(starts),
            settled,
            tuple(certain),
            tuple(axis for axis in after if axis is not None),
            tuple(axis_of(key) for key in (self._before.axes if self._before else ())),
        )

    def _stand_axes(self, chains: list[Chain[Hashable]], starts: list[Start]) -> dict[int, int]:
        """The axes of AFVs' places that anything asks for, by the stands' numbers."""
        axes: dict[int, int] = {}
        for stand in self._stands.values():
            key = ("stand", stand.unit.id)
            wanted = self._after is not None and key in self._after.axes
            if not stand.payloads and not wanted:
                continue
            following = self._after.classes[key] if self._after and wanted else None
            chain = place_chain(stand.places, stand.payloads, following)
            axes[stand.number] = len(chains)
            chains.append(chain)
            starts.append(self._start(key, chain, stand.places[0]) if stand.known else None)
        return axes

    def _start(self, key: tuple[str, Hashable], chain: Chain[Hashable], at: Hashable) -> Start:
        """The class that an axis begins in, for each class of the space before if it is there."""
        if self._before is None or key not in self._before.axes:
            return chain.entry[at]
        return np.array(
            [chain.entry[member] for member in self._before.members[key]], dtype=np.intp
        )

    def _holdings(self) -> tuple[list[Holding], list[tuple[Objective, float]]]:
        """The objectives that the dice may change, and those whose change is certain."""
        holdings: list[Holding] = []
        certain: list[tuple[Objective, float]] = []
        for objective in self._c.field.objectives:
            place = objective.place
            group = self._c.group(place)
            defender = self._ref(place, self._c.ask("empty")) if place in self._struck else None
            mover_there = any(u.id not in self._stands for u in self._c.movers_at(place))
            movers: tuple[LinkRef, ...] = ()
            if not mover_there:
                movers = tuple(
                    self._stand_ref(stand, place)
                    for stand in self._stands.values()
                    if place in stand.places
                )
            there = not group.is_empty(group.start)
            holding = Holding(objective, there, defender, mover_there, movers)
            if defender is None and not movers:
                certain.append((objective, objective_change(objective, mover_there, there)))
            else:
                holdings.append(holding)
        return holdings, certain
