"""All ordered plans of a small position and the value of the position, by the twin's tree of play:
the slow obvious counterpart of the search and its proofs.

``EveryPlan(facts)`` walks the twin's tree once for each move and situation. What it carries back is
not one number but an array: V first, then the value of every way to go on (a plan for the AFVs that
are left). Chance takes the mean of the arrays, the defender, who knows the plan, the least of each
entry. Nothing here knows the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.twin.ground import exact
from tests.twin.moves import all_overruns, all_plain_moves, can_start, with_weapons
from tests.twin.notation import Move, parse, why_not_now
from tests.twin.play import TIE, Chance, Play, Reply, Situation, Turn
from tests.twin.state import Facts, State

Values = NDArray[np.float64]
Left = tuple[str, ...]
"""AFVs that have not had their turn yet, in text order."""
Texts = tuple[str, ...]
V = 0
"""The place of V in an array of values; plans come after it."""


class TooLongError(Exception):
    """The tree has more nodes than were allowed."""


class End(NamedTuple):
    """What a move may come to when the defender replies best: its chance and the state then."""

    chance: float
    state: State


def every_move(facts: Facts) -> dict[str, list[Move]]:
    """For each AFV every overrun along a simple path that may become legal, with every choice of
    weapons, and every such plain move. AFVs without any are left out.

    What may make it legal: other AFVs leave or are lost, and each empties one enemy hex at most.
    """
    found: dict[str, list[Move]] = {}
    able = [unit for unit in facts.units if can_start(facts, facts.start, unit)]
    for unit in able:
        moves: dict[str, Move] = {}
        for state in _thinned(facts, [other for other in able if other != unit]):
            for move, _ in all_overruns(facts, state, unit):
                for armed in with_weapons(facts, state, move):
                    moves[armed.text] = armed
            for move, _ in all_plain_moves(facts, state, unit):
                moves[move.text] = move
        if moves:
            found[unit] = [moves[text] for text in sorted(moves)]
    return found


def _thinned(facts: Facts, others: Sequence[str]) -> Iterator[State]:
    """The start without the other AFVs and with up to as many enemy hexes emptied."""
    start = facts.start
    for other in others:
        start = _gone(facts, start, other)
    held = sorted({p for p in start.place if p is not None and facts.enemy_in(start, p)})
    for count in range(len(others) + 1):
        for emptied in combinations(held, count):
            state = start
            for place in emptied:
                for enemy in list(facts.present(state, place, facts.defender)):
                    state = _gone(facts, state, enemy)
            yield state


def _gone(facts: Facts, state: State, unit: str) -> State:
    statuses = facts.rules["status"][facts.units[unit].kind]
    removed = next(name for name, flags in statuses.items() if flags.get("removed"))
    return facts.with_status(state, unit, removed)


def distinct(facts: Facts, moves: Mapping[str, Sequence[Move]]) -> dict[str, list[Move]]:
    """The moves without those that are alike in everything that happens on the way.

    A hex on the way in which no enemy unit stood and into which none can fire may as well not be
    there: nobody is in the way, no window has a shot in it, the AFV can't come to harm and so not
    to a halt in it. The hex before the target is kept: an AFV that may not overrun stops there.
    """
    fire = Play(facts).fire
    enemies = [
        unit.id
        for unit in facts.units.values()
        if unit.side == facts.defender
        and not unit.carrier
        and not facts.removed(facts.start, unit.id)
    ]

    def quiet(name: str) -> bool:
        return not facts.enemy_in(facts.start, name) and not any(
            fire.reach(enemy, name) for enemy in enemies
        )

    kept: dict[str, list[Move]] = {}
    for unit, listed in moves.items():
        seen: set[tuple[object, ...]] = set()
        for move in sorted(listed, key=lambda m: (len(m.hexes), m.text)):
            here = facts.place(facts.start, unit)
            assert here is not None
            entered = []
            for i, name in enumerate(move.approach):
                if not quiet(name):
                    entered.append((name, facts.ground.direction(here, name)))
                elif i == len(move.approach) - 1:
                    entered.append((name, None))  # which way it faces is nothing to anybody
                here = name
            key = (tuple(entered), move.target, move.exit, frozenset(move.weapons))
            if key not in seen:
                seen.add(key)
                kept.setdefault(unit, []).append(move)
    return kept


class EveryPlan:
    """Values of every plan and of the position; ``most_nodes`` bounds the walk.

    Only ``units`` (all unless given) have moves.
    """

    def __init__(
        self,
        facts: Facts,
        moves: Mapping[str, Sequence[Move]],
        most_nodes: int | None = None,
    ) -> None:
        self.facts = facts
        self.play = Play(facts)
        self.moves = {unit: list(moves[unit]) for unit in sorted(moves)}
        self.nodes = 0
        self._most_nodes = most_nodes
        self._ways: dict[Left, list[Texts]] = {}
        self._known: dict[tuple[Left, State], Values] = {}
        self._walked: dict[tuple[Left, Situation], Values] = {}
        self._payoffs: dict[State, float] = {}
        self._concerns: dict[Left, set[str | None]] = {}
        self._goals = {objective["hex"] for objective in facts.objectives}
        self._read: dict[str, Move] = {m.text: m for own in self.moves.values() for m in own}

    @property
    def everybody(self) -> Left:
        """All AFVs with a move."""
        return tuple(self.moves)

    def ways(self, left: Left) -> list[Texts]:
        """Every ordered plan for these AFVs, in the order of the arrays after V."""
        if left not in self._ways:
            found: list[Texts] = [()]
            for unit in left:
                rest = self.ways(_without(left, unit))
                tried = self._worth_trying(left, unit)
                found += [(move.text, *way) for move in tried for way in rest]
            self._ways[left] = found
        return self._ways[left]

    def _worth_trying(self, left: Left, unit: str) -> list[Move]:
        """The moves that may be an AFV's next. Without objectives the last AFV need not try a move
        without an overrun: nothing comes of it if the defender holds his fire."""
        if len(left) > 1 or self.facts.objectives:
            return self.moves[unit]
        return [move for move in self.moves[unit] if move.target is not None]

    # Values.

    def values(self, left: Left, state: State) -> Values:
        """V(left, state), then the value of each of ``ways(left)`` from that state on."""
        if not left:
            return np.full(2, self._payoff(state))
        plain = self._plain(left, state)
        if (left, plain) not in self._known:
            self._known[left, plain] = self._values(left, plain)
        # What can't matter any more has been booked: it is paid in every case.
        return self._known[left, plain] + (self._payoff(state) - self._payoff(plain))

    def _values(self, left: Left, state: State) -> Values:
        stopping = self._payoff(state)
        best, each = stopping, [np.array([stopping])]
        for unit in left:
            rest = _without(left, unit)
            for move in self._worth_trying(left, unit):
                if why_not_now(self.facts, state, move):
                    each.append(self.values(rest, state)[1:])
                    continue
                made = self.walk(rest, Situation(state, (Turn(move),)))
                best = max(best, made[V])
                each.append(made[1:])
        return np.concatenate([[best], *each])

    def walk(self, left: Left, situation: Situation) -> Values:
        """The values when these AFVs are left once the agenda is done."""
        state, agenda = situation
        if not agenda:
            return self.values(left, state)
        key = (left, situation)
        if key not in self._walked:
            self.nodes += 1
            if self._most_nodes is not None and self.nodes > self._most_nodes:
                raise TooLongError
            node = self.play.node(situation)
            if isinstance(node, Chance):
                self._walked[key] = self._mean(left, node.outcomes)
            else:
                assert isinstance(node, Reply)
                replies = [self._mean(left, outcomes) for _, outcomes in node.options]
                self._walked[key] = np.minimum.reduce(replies)
        return self._walked[key]

    def _mean(self, left: Left, outcomes: Sequence[tuple[float, Situation]]) -> Values:
        total: Values = sum(  # type: ignore[assignment]
            chance * self.walk(left, after) for chance, after in outcomes
        )
        return total

    def _payoff(self, state: State) -> float:
        if state not in self._payoffs:
            self._payoffs[state] = self.facts.payoff(state)
        return self._payoffs[state]

    # What can't matter any more.

    def _plain(self, left: Left, state: State) -> State:
        """The state as it might be, without what nothing to come depends on.

        Put back to what it was at the start: all about the defender's hexes from which nobody can
        fire at an AFV that is left, and which none of these strikes or enters; Fire markers and
        spent weapons of his units that will never fire again; how an AFV that is not left to move
        fares unless it is removed, its passengers and weapons. Where such an AFV stands is
        forgotten when nobody can want to end his move there, or all fit in.
        """
        facts, start = self.facts, self.facts.start
        status, place = list(state.status), list(state.place)
        over = set()
        for i, name in enumerate(facts.order):
            unit, there = facts.units[name], state.place[i]
            if unit.side == facts.defender:
                if there not in self._concerned(left):
                    status[i] = start.status[i]
                    over.add(name)
                elif (unit.kind, status[i]) in self._silent:
                    over.add(name)
            elif not {name, unit.carrier} & set(left):
                over.add(name)
                if facts.removed(state, name):
                    place[i] = start.place[i]
                else:
                    if not facts.removed(start, name):
                        status[i] = start.status[i]
                    if there not in self._narrow(left):
                        place[i] = None
        return State(
            tuple(status),
            tuple(place),
            frozenset(n for n in state.fired if n not in over) | (start.fired & over),
            frozenset(s for s in state.spent if s[0] not in over)
            | frozenset(s for s in start.spent if s[0] in over),
            start.moved,
        )

    def _concerned(self, left: Left) -> set[str | None]:
        """The defender's hexes that may still bear on these AFVs' moves, or that are objectives."""
        if left not in self._concerns:
            facts = self.facts
            moves = [move for unit in left for move in self.moves[unit]]
            entered: set[str | None] = {name for move in moves for name in move.hexes}
            found = {*entered, *self._goals}
            for unit in facts.units:
                here = facts.place(facts.start, unit)
                if any(
                    self.play.fire.reach(unit, name) for name in entered if name and name != here
                ):
                    found.add(here)
            self._concerns[left] = found
        return self._concerns[left]

    def _narrow(self, left: Left) -> set[str | None]:
        """The hexes where it may matter which AFVs stand there."""
        facts, found = self.facts, set[str | None](self._goals)
        sizes = [
            exact(unit.type.get("size", 1))
            for unit in facts.units.values()
            if unit.side == facts.mover and not unit.carrier
        ]
        if sum(sizes) > exact(facts.rules["stacking"]["limit"]):
            found |= {m.hexes[-1] for unit in left for m in self._worth_trying(left, unit)}
        return found

    @cached_property
    def _silent(self) -> set[tuple[str, str]]:
        """Kinds and statuses of units that do not fire, whatever still befalls them."""
        found = set()
        for kind, statuses in self.facts.rules["status"].items():
            effects = self.facts.rules["ap"]["effects"].get(kind, {})
            for status in statuses:
                met, frontier = {status}, [status]
                while frontier:
                    here = frontier.pop()
                    for effect in effects.values():
                        parts = [effect.get(p, {}) for p in ("pass", "fail")]
                        for part in parts if "check" in effect else [effect]:
                            after = part.get(here, here)
                            if after not in met:
                                met.add(after)
                                frontier.append(after)
                if not any(
                    statuses[s].get("may_fire", True) and not statuses[s].get("removed")
                    for s in met
                ):
                    found.add((kind, status))
        return found

    # Questions.

    @cached_property
    def start(self) -> Values:
        """The values of the position: V, then those of all plans."""
        return self.values(self.everybody, self.facts.start)

    @property
    def position_value(self) -> float:
        """model.md's V."""
        return float(self.start[V])

    @cached_property
    def plans(self) -> dict[Texts, float]:
        """The value of every plan."""
        return dict(zip(self.ways(self.everybody), self.start[1:].tolist(), strict=True))

    def plan_value(self, plan: Sequence[str], left: Left = (), state: State | None = None) -> float:
        """The value of one plan, its moves among those known or not."""
        agenda = tuple(Turn(self.read(text)) for text in plan)
        state = self.facts.start if state is None else state
        return float(self.walk(left, Situation(state, agenda))[V])

    def read(self, text: str) -> Move:
        """The move of that notation."""
        return self._read.setdefault(text, parse(text))

    def after(self, text: str, left: Left) -> list[End]:
        """What making a move now may come to if the defender replies best to what is best for
        these AFVs then; of equal replies holding, then unit, weapon, leader in text order."""
        ends: dict[State, float] = {}

        def visit(situation: Situation, chance: float) -> None:
            state, agenda = situation
            if not agenda:
                ends[state] = ends.get(state, 0.0) + chance
                return
            node = self.play.node(situation)
            if isinstance(node, Reply):
                worth = [float(self._mean(left, outcomes)[V]) for _, outcomes in node.options]
                chosen = next(i for i, value in enumerate(worth) if value <= min(worth) + TIE)
                outcomes = node.options[chosen][1]
            else:
                assert isinstance(node, Chance)
                outcomes = node.outcomes
            for p, after in outcomes:
                if p > 0:
                    visit(after, chance * p)

        visit(Situation(self.facts.start, (Turn(self.read(text)),)), 1.0)
        return [End(chance, state) for state, chance in ends.items()]

    def possible(self, text: str) -> list[State]:
        """Everything that making a move now may come to, however the defender replies."""
        ends: dict[State, None] = {}
        met: set[Situation] = set()
        frontier = [Situation(self.facts.start, (Turn(self.read(text)),))]
        while frontier:
            here = frontier.pop()
            if here in met:
                continue
            met.add(here)
            node = self.play.node(here)
            if isinstance(node, Chance):
                frontier += [after for p, after in node.outcomes if p > 0]
            elif isinstance(node, Reply):
                frontier += [a for _, outcomes in node.options for p, a in outcomes if p > 0]
            else:
                ends[here.state] = None
        return list(ends)

    def legal(self, state: State, text: str) -> bool:
        """Whether a move can be made in a state."""
        return not why_not_now(self.facts, state, self.read(text))


def _without(left: Left, unit: str) -> Left:
    return tuple(other for other in left if other != unit)
