"""The Movement Phase as a tree of choices and dice, and the values of its nodes.

A *situation* is a state and an agenda: the tasks still to come, first one first. ``Play.node``
opens the first task; everything else (best reply, fixed policies, distributions, the value of a
position) walks the same tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple

from . import moves as legal
from .fire import Fire, Shot, Window
from .notation import Move, parse, why_not_now, why_wrong
from .state import Facts, State

TIE = 1e-9


class Turn(NamedTuple):
    """A move's turn comes: it is made or skipped."""

    move: Move


class Enter(NamedTuple):
    """The AFV goes on to the hex of that index in its move, if it can."""

    move: Move
    step: int


class Choose(NamedTuple):
    """The mover chooses a next move among these AFVs, or stops."""

    left: frozenset[str]


Task = Turn | Enter | Window | Choose


class Situation(NamedTuple):
    """A node of the tree."""

    state: State
    agenda: tuple[Task, ...]


Chances = list[tuple[float, Situation]]


class Chance(NamedTuple):
    """Dice, or a single sure way on."""

    outcomes: Chances


class Reply(NamedTuple):
    """The defender's choice, in the order that breaks ties: None passes."""

    window: Window
    options: list[tuple[Shot | None, Chances]]


class Offer(NamedTuple):
    """The mover's choice: None stops."""

    options: list[tuple[Move | None, Situation]]


Policy = Callable[[Situation, Reply], int]


class Outcome(NamedTuple):
    """What a plan comes to under one way of replying."""

    value: float
    statuses: dict[str, dict[str, float]]  # unit -> final status -> probability
    payoff: list[tuple[float, float]]  # (payoff, probability), ascending


class Play:
    """The tree of one scenario."""

    def __init__(self, facts: Facts, *, futile_shots: bool = False) -> None:
        self.facts = facts
        self.fire = Fire(facts, futile_shots=futile_shots)
        self._values: dict[Situation, float] = {}
        self._legal: dict[tuple[State, str], list[Move]] = {}

    # The tree.

    def node(self, situation: Situation) -> Chance | Reply | Offer | None:
        """What happens next; None at the end of the Movement Phase."""
        state, agenda = situation
        if not agenda:
            return None
        task, rest = agenda[0], agenda[1:]
        if isinstance(task, Turn):
            return self._turn(state, task.move, rest)
        if isinstance(task, Enter):
            return self._enter(state, task, rest)
        if isinstance(task, Window):
            return self._window(state, task, rest)
        return self._choose(state, task, rest)

    def _turn(self, state: State, move: Move, rest: tuple[Task, ...]) -> Chance:
        if not move.hexes or why_not_now(self.facts, state, move):
            return _surely(state, rest)
        state = state._replace(moved=state.moved | {move.unit})
        return _surely(state, (Enter(move, 0), *rest))

    def _enter(self, state: State, task: Enter, rest: tuple[Task, ...]) -> Chance:
        move, step = task
        if step == len(move.hexes) or not self.facts.may_move(state, move.unit):
            return _surely(state, rest)
        name = move.hexes[step]
        if move.target is not None and step == len(move.approach):
            if not self.facts.may_overrun(state, move.unit):
                return _surely(state, rest)
            state = self.facts.with_place(state, move.unit, name)
            after = (Enter(move, step + 1), *rest)
            struck = self.fire.attack(state, move)
            return Chance([(float(p), Situation(s, after)) for s, p in struck])
        before = self.facts.place(state, move.unit)
        assert before is not None
        facing = self.facts.ground.direction(before, name)
        assert facing is not None
        leaving = move.target if step > len(move.approach) else None
        state = self.facts.with_place(state, move.unit, name)
        window = Window(move.unit, name, facing, leaving)
        return _surely(state, (window, Enter(move, step + 1), *rest))

    def _window(self, state: State, window: Window, rest: tuple[Task, ...]) -> Reply:
        passing: Chances = [(1.0, Situation(state, rest))]
        options: list[tuple[Shot | None, Chances]] = [(None, passing)]
        for shot in self.fire.shots(state, window):
            goes_on, outcomes = self.fire.after_shot(state, window, shot)
            options.append(
                (shot, [(float(p), Situation(s, (goes_on, *rest))) for s, p in outcomes])
            )
        return Reply(window, options)

    def _choose(self, state: State, task: Choose, rest: tuple[Task, ...]) -> Offer:
        options: list[tuple[Move | None, Situation]] = [(None, Situation(state, rest))]
        for unit in sorted(task.left):
            following = Choose(task.left - {unit})
            options += [
                (move, Situation(state, (Turn(move), following, *rest)))
                for move in self.legal_moves(state, unit)
            ]
        return Offer(options)

    def legal_moves(self, state: State, unit: str) -> list[Move]:
        """Every overrun along a simple path, with every choice of weapons, and every plain move."""
        key = (state, unit)
        if key not in self._legal:
            overruns = [
                armed
                for move, _ in legal.all_overruns(self.facts, state, unit)
                for armed in legal.with_weapons(self.facts, state, move)
            ]
            plain = [move for move, _ in legal.all_plain_moves(self.facts, state, unit)]
            self._legal[key] = sorted(overruns + plain, key=lambda move: move.text)
        return self._legal[key]

    # Values under the defender's best reply.

    def value(self, situation: Situation) -> float:
        """The payoff the mover can count on, by full recursion."""
        if situation not in self._values:
            self._values[situation] = self._value(situation)
        return self._values[situation]

    def _value(self, situation: Situation) -> float:
        node = self.node(situation)
        if node is None:
            return self.facts.payoff(situation.state)
        if isinstance(node, Chance):
            return self._mean(node.outcomes)
        if isinstance(node, Reply):
            return min(self._mean(outcomes) for _, outcomes in node.options)
        return max(self.value(after) for _, after in node.options)

    def _mean(self, outcomes: Chances) -> float:
        return sum(chance * self.value(after) for chance, after in outcomes)

    # Ways of replying: each gives the index of the option taken.

    def best_reply(self, _: Situation, node: Reply) -> int:
        """The best option; of equal ones holding, then unit, weapon, leader in text order."""
        values = [self._mean(outcomes) for _, outcomes in node.options]
        least = min(values)
        return next(i for i, value in enumerate(values) if value <= least + TIE)

    def fire_at_once(self, situation: Situation, node: Reply) -> int:
        """The shot that costs the AFV most, as long as one can change its status."""
        return self._hardest(situation, node, only_final=False)

    def hold(self, situation: Situation, node: Reply) -> int:
        """Final Opportunity Fire only, chosen as in ``fire_at_once``."""
        return self._hardest(situation, node, only_final=True)

    def _hardest(self, situation: Situation, node: Reply, *, only_final: bool) -> int:
        state, window = situation.state, node.window
        ranked = [
            (-self.fire.expected_loss(state, window, shot), shot, index)
            for index, (shot, _) in enumerate(node.options)
            if shot is not None
            and (shot.final or not only_final)
            and self.fire.can_change(state, window, shot)
        ]
        return min(ranked)[2] if ranked else 0

    # Distributions.

    def final_states(self, situation: Situation, policy: Policy) -> dict[State, float]:
        """The chance of each state at the end of the Movement Phase."""
        memo: dict[Situation, dict[State, float]] = {}

        def visit(here: Situation) -> dict[State, float]:
            if here not in memo:
                node = self.node(here)
                if node is None:
                    memo[here] = {here.state: 1.0}
                else:
                    assert not isinstance(node, Offer)
                    chosen = (
                        node.outcomes
                        if isinstance(node, Chance)
                        else node.options[policy(here, node)][1]
                    )
                    ends: dict[State, float] = {}
                    for chance, after in chosen:
                        for state, share in visit(after).items():
                            ends[state] = ends.get(state, 0.0) + chance * share
                    memo[here] = ends
            return memo[here]

        return visit(situation)

    def outcome(self, plan: Sequence[Move | str], defender: str = "best") -> Outcome:
        """Value and distributions of a plan; ``defender``: best, fire-at-once or hold."""
        policies: dict[str, Policy] = {
            "best": self.best_reply,
            "fire-at-once": self.fire_at_once,
            "hold": self.hold,
        }
        ends = self.final_states(self.plan(plan), policies[defender])
        statuses: dict[str, dict[str, float]] = {unit: {} for unit in self.facts.order}
        payoffs: dict[float, float] = {}
        for state, chance in ends.items():
            for unit, status in zip(self.facts.order, state.status, strict=True):
                statuses[unit][status] = statuses[unit].get(status, 0.0) + chance
            payoff = round(self.facts.payoff(state), 9) + 0.0
            payoffs[payoff] = payoffs.get(payoff, 0.0) + chance
        value = sum(self.facts.payoff(state) * chance for state, chance in ends.items())
        return Outcome(value, statuses, sorted(payoffs.items()))

    # Plans and positions.

    def plan(self, plan: Sequence[Move | str]) -> Situation:
        """The situation in which a plan begins. Raises ValueError for a wrong move."""
        read = [parse(move) if isinstance(move, str) else move for move in plan]
        for move in read:
            faults = why_wrong(self.facts, move)
            if faults:
                raise ValueError(f"{move.text}: {'; '.join(faults)}")
        return Situation(self.facts.start, tuple(Turn(move) for move in read))

    def plan_value(self, plan: Sequence[Move | str]) -> float:
        """The exact expected payoff of an ordered plan against the defender's best reply."""
        return self.value(self.plan(plan))

    def position_value(self) -> float:
        """model.md's V: the mover chooses each next move after seeing what came of the last."""
        return self.value(self._position())

    def next_moves(self) -> list[tuple[float, str]]:
        """Every first choice ("stop" among them) with its value, best first, then in text order."""
        node = self.node(self._position())
        assert isinstance(node, Offer)
        rows = [(self.value(s), "stop" if m is None else m.text) for m, s in node.options]
        return sorted(rows, key=lambda row: (-row[0], row[1]))

    def _position(self) -> Situation:
        left = frozenset(
            unit for unit in self.facts.units if legal.can_start(self.facts, self.facts.start, unit)
        )
        return Situation(self.facts.start, (Choose(left),))

    def best_plan(self, candidates: Iterable[Move | str]) -> tuple[float, tuple[str, ...]]:
        """The best ordered plan over some moves; of equal ones the shortest, then in text order."""
        by_unit: dict[str, set[str]] = {}
        for candidate in candidates:
            move = parse(candidate) if isinstance(candidate, str) else candidate
            by_unit.setdefault(move.unit, set()).add(move.text)
        rows: list[tuple[float, tuple[str, ...]]] = []
        for count in range(len(by_unit) + 1):
            for units in combinations(sorted(by_unit), count):
                for order in permutations(units):
                    for plan in product(*(sorted(by_unit[unit]) for unit in order)):
                        rows.append((self.plan_value(plan), plan))
        best = max(value for value, _ in rows)
        ties = [(value, plan) for value, plan in rows if value >= best - TIE]
        return min(ties, key=lambda row: (len(row[1]), row[1]))


def _surely(state: State, agenda: tuple[Task, ...]) -> Chance:
    return Chance([(1.0, Situation(state, agenda))])
