"""An evaluator of scripts that hides nothing: one state for all, every die and every reply played
out, nothing merged. Slow, and meant to be read next to the rules page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from evaluation.rules import RollPer
from evaluation.script import Combatant, Enter, Field, Move, Place, Shot, Strike
from evaluation.tables import Change, Effect
from evaluation.units import Aspect, Kind, Side, Status
from evaluation.value import Defence

Chances = dict[str, float]


class State(NamedTuple):
    """Of every unit in text order: status, place, marker, weapons spent; and who has moved."""

    status: tuple[str, ...]
    place: tuple[Place, ...]
    fired: tuple[bool, ...]
    spent: tuple[frozenset[str], ...]


class Final(NamedTuple):
    """A last window's own count: units that have made their last shot, leaders who have helped."""

    shot: frozenset[str] = frozenset()
    led: frozenset[str] = frozenset()


class Declared(NamedTuple):
    """A shot as it is declared; in text order."""

    firer: str
    weapon: str
    leader: str


Where = tuple[State, int, int, Final | None]
"""A node: the state, the move and step that come next, and the open window's count."""
Reply = tuple[Declared | None, list[tuple[float, Where]]]
"""What the defender may do, None to hold, and the chances of where it leads."""


def _course(where: Where) -> tuple[int, int, bool, int]:
    state, turn, step, final = where
    return turn, step, final is not None, sum(state.fired) + (len(final.shot) if final else 0)


class Result(NamedTuple):
    """What a plan comes to: value, every unit's final statuses, payoffs."""

    value: float
    outcomes: dict[str, Chances]
    payoff: dict[float, float]


class Obvious:
    """Plays every branch of a plan on one field."""

    def __init__(self, field: Field, moves: list[Move], own_loss: float, defence: Defence) -> None:
        self.field = field
        self.rules = field.rules
        self.moves = moves
        self.own_loss = own_loss
        self.defence = defence
        self.names = sorted(field.units)
        self.number = {name: i for i, name in enumerate(self.names)}
        units = [field.units[name] for name in self.names]
        self.start = State(
            tuple(unit.status for unit in units),
            tuple(unit.place for unit in units),
            tuple(unit.fired for unit in units),
            tuple(unit.spent for unit in units),
        )
        self.nexts = cache(self._nexts)
        self.value_of = cache(self._value_of)

    def result(self) -> Result:
        """The plan's value and, along the replies made, all that may happen."""
        outcomes: dict[str, Chances] = {name: {} for name in self.names}
        payoffs: dict[float, float] = {}
        for state, p in self._ends().items():
            for name, status in zip(self.names, state.status, strict=True):
                outcomes[name][status] = outcomes[name].get(status, 0.0) + p
            payoff = round(self.payoff(state), 9) + 0.0
            payoffs[payoff] = payoffs.get(payoff, 0.0) + p
        return Result(self.value_of(self.start, 0, 0, None), outcomes, payoffs)

    # -- looking at a state ------------------------------------------------------------------

    def unit(self, name: str) -> Combatant:
        return self.field.units[name]

    def status(self, state: State, name: str) -> Status:
        kind = self.unit(name).type.kind
        return self.rules.statuses[kind][state.status[self.number[name]]]

    def standing(self, state: State, place: Place, side: Side) -> list[str]:
        return [
            name
            for name in self.names
            if self.unit(name).side is side
            and self.unit(name).carrier is None
            and state.place[self.number[name]] == place
            and not self.status(state, name).removed
        ]

    def payoff(self, state: State) -> float:
        total = 0.0
        for i, name in enumerate(self.names):
            unit = self.unit(name)
            sign = 1.0 if unit.side is Side.DEFENDER else -self.own_loss
            before = self.rules.statuses[unit.type.kind][unit.status].loss
            lost = self.status(state, name).loss - before
            prices = sum(unit.type.weapon(w).price for w in state.spent[i] - unit.spent)
            total += sign * (unit.type.worth * lost + prices)
        for objective in self.field.objectives:
            mine = bool(self.standing(state, objective.place, Side.MOVER))
            theirs = bool(self.standing(state, objective.place, Side.DEFENDER))
            if mine and not theirs and objective.held_by is not Side.MOVER:
                total += objective.worth
            if theirs and not mine and objective.held_by is Side.MOVER:
                total -= objective.worth
        return total

    # -- changing it -------------------------------------------------------------------------

    def with_status(self, state: State, name: str, new: str) -> State:
        status = list(state.status)
        status[self.number[name]] = new
        state = state._replace(status=tuple(status))
        if self.status(state, name).removed:
            for other in self.names:
                known = self.unit(other)
                gone = self.rules.statuses[known.type.kind][known.status].removed
                if known.carrier == name and not gone:
                    state = self.with_status(state, other, self.rules.carried_fate)
        return state

    def with_place(self, state: State, name: str, place: Place) -> State:
        places = list(state.place)
        places[self.number[name]] = place
        return state._replace(place=tuple(places))

    def marked(self, state: State, name: str) -> State:
        fired = list(state.fired)
        fired[self.number[name]] = True
        return state._replace(fired=tuple(fired))

    def used(self, state: State, name: str, weapon: str) -> State:
        if not self.unit(name).type.weapon(weapon).once:
            return state
        spent = list(state.spent)
        spent[self.number[name]] |= {weapon}
        return state._replace(spent=tuple(spent))

    # -- dice --------------------------------------------------------------------------------

    def rolls(self) -> Iterator[tuple[int, float]]:
        dice = self.rules.dice
        throws = list(product(range(1, dice.sides + 1), repeat=dice.count))
        for throw in throws:
            yield sum(throw), 1.0 / len(throws)

    def changed(self, effect: Effect, name: str, status: str) -> Chances:
        if isinstance(effect, Change):
            return {effect.to.get(status, status): 1.0}
        ratings = self.unit(name).type.ratings
        assert ratings is not None
        found: Chances = {}
        for roll, p in self.rolls():
            passes = roll <= ratings[effect.rating] + effect.modifier
            branch = effect.passed if passes else effect.failed
            for new, q in self.changed(branch, name, status).items():
                found[new] = found.get(new, 0.0) + p * q
        return found

    # -- the course of a plan: move by move, step by step ----------------------------------

    def _nexts(self, state: State, turn: int, step: int, final: Final | None) -> list[Reply]:
        """The replies open to the defender and the chances of each; with one reply there is no
        choice. ``final`` is a window's count while it is open, None between windows."""
        move = self.moves[turn]
        if final is None:
            if step == 0 and not self._may_make(state, move):
                return [(None, [(1.0, (state, turn + 1, 0, None))])]
            if step == len(move.steps):
                return [(None, [(1.0, (state, turn + 1, 0, None))])]
            known = self.status(state, move.unit)
            now = move.steps[step]
            stops = known.removed or not known.may_move
            if isinstance(now, Strike):
                stops = stops or not known.may_overrun
            if step > 0 and stops:
                return [(None, [(1.0, (state, turn + 1, 0, None))])]
            state = self.with_place(state, move.unit, now.place)
            if isinstance(now, Strike):
                struck = self._struck(state, move, now)
                return [(None, [(p, (s, turn, step + 1, None)) for s, p in struck])]
            return [(None, [(1.0, (state, turn, step, Final()))])]
        step_now = move.steps[step]
        assert isinstance(step_now, Enter)
        closes: list[tuple[float, Where]] = [(1.0, (state, turn, step + 1, None))]
        replies: list[Reply] = [(None, closes)]
        for declared, shot, last in self._shots(state, move.unit, step_now, final):
            after = self.used(self.marked(state, declared.firer), declared.firer, declared.weapon)
            count = final
            if declared.leader:
                after = self.marked(after, declared.leader)
            if last:
                count = Final(final.shot | {declared.firer}, final.led | ({declared.leader} - {""}))
            chances = self._hit(state, move.unit, step_now, shot, declared.leader)
            replies.append(
                (
                    declared,
                    [
                        (p, (self.with_status(after, move.unit, new), turn, step, count))
                        for new, p in chances.items()
                    ],
                )
            )
        return replies

    def _value_of(self, state: State, turn: int, step: int, final: Final | None) -> float:
        if turn == len(self.moves):
            return self.payoff(state)
        replies = self.nexts(state, turn, step, final)
        if self.defence is not Defence.BEST and len(replies) > 1:
            replies = [self._rule(state, turn, step, replies)]
        return min(self._expected(chances) for _, chances in replies)

    def _expected(self, chances: list[tuple[float, Where]]) -> float:
        return sum(p * self.value_of(*where) for p, where in chances)

    def _ends(self) -> dict[State, float]:
        """How likely each state is at the end, along the replies made."""
        ends: dict[State, float] = {}
        front: dict[Where, float] = {(self.start, 0, 0, None): 1.0}
        while front:
            # What comes first in the plan, and in a window after fewest shots, is complete.
            where = min(front, key=_course)
            p = front.pop(where)
            if where[1] == len(self.moves):
                ends[where[0]] = ends.get(where[0], 0.0) + p
                continue
            for q, after in self._made(where):
                front[after] = front.get(after, 0.0) + p * q
        return ends

    def _made(self, where: Where) -> list[tuple[float, Where]]:
        """The chances under the reply that the defender makes."""
        replies = self.nexts(*where)
        if self.defence is Defence.BEST:
            worth = [self._expected(chances) for _, chances in replies]
            return next(r[1] for r, w in zip(replies, worth, strict=True) if w <= min(worth) + 1e-9)
        return replies[0][1] if len(replies) == 1 else self._rule(*where[:3], replies)[1]

    def _rule(
        self,
        state: State,
        turn: int,
        step: int,
        replies: list[Reply],
    ) -> Reply:
        """The shot expected to cost the AFV most of its own worth, the first of equals."""
        unit, now = self.moves[turn].unit, self.moves[turn].steps[step]
        assert isinstance(now, Enter)
        before = self.status(state, unit).loss
        best, most = replies[0], float("-inf")
        for reply in replies[1:]:
            declared, chances = reply
            assert declared is not None
            last = self.unit(declared.firer).place == now.final_against
            if self.defence is Defence.HOLD and not last:
                continue
            cost = sum(p * (self.status(where[0], unit).loss - before) for p, where in chances)
            if cost > most + 1e-9:
                best, most = reply, cost
        return best

    def _may_make(self, state: State, move: Move) -> bool:
        known = self.status(state, move.unit)
        if not move.steps or known.removed or not known.may_move:
            return False
        for step in move.steps:
            there = self.standing(state, step.place, Side.DEFENDER)
            if isinstance(step, Enter):
                if there:
                    return False
                continue
            kinds = [self.unit(name).type.kind for name in there]
            if not known.may_overrun or not kinds or Kind.AFV in kinds:
                return False
        friends = self.standing(state, move.steps[-1].place, Side.MOVER)
        room = sum(self.unit(name).size for name in friends if name != move.unit)
        return room + self.unit(move.unit).size <= self.field.stacking_limit

    def _shots(
        self, state: State, afv: str, step: Enter, final: Final
    ) -> Iterator[tuple[Declared, Shot, bool]]:
        """Every shot that may be declared and can do something, in text order."""
        found: list[tuple[Declared, Shot, bool]] = []
        if self.status(state, afv).removed:
            return
        open_ = [(shot, False) for shot in step.shots]
        for name in self.standing(state, step.final_against, Side.DEFENDER):
            for weapon in self.unit(name).type.weapons:
                open_.append((Shot(name, weapon.name, 1, Aspect.REAR), True))
        for shot, last in open_:
            i, unit = self.number[shot.firer], self.unit(shot.firer)
            if not last and unit.place == step.final_against:
                continue
            able = self.status(state, shot.firer)
            done = shot.firer in final.shot if last else state.fired[i]
            if unit.carrier or able.removed or not able.may_fire or done:
                continue
            weapon = unit.type.weapon(shot.weapon)
            if weapon.at_rating(shot.distance) is None or weapon.name in state.spent[i]:
                continue
            leaders = [
                name
                for name in self.standing(state, unit.place, Side.DEFENDER)
                if name != shot.firer
                and self.unit(name).type.kind is Kind.LEADER
                and self.status(state, name).may_fire
                and name not in final.led
                and (last or not state.fired[self.number[name]])
            ]
            for leader in ("", *leaders):
                chances = self._hit(state, afv, step, shot, leader)
                if chances.keys() != {self.status(state, afv).name}:
                    found.append((Declared(shot.firer, shot.weapon, leader), shot, last))
        yield from sorted(found, key=lambda one: one[0])

    def _hit(self, state: State, afv: str, step: Enter, shot: Shot, leader: str) -> Chances:
        target = self.unit(afv).type
        assert target.armour is not None
        rating = self.unit(shot.firer).type.weapon(shot.weapon).at_rating(shot.distance)
        assert rating is not None
        modifier = step.at_cover + (self.unit(leader).type.leadership if leader else 0)
        found: Chances = {}
        for roll, p in self.rolls():
            result = self.rules.at.result(rating - target.armour[shot.aspect], roll + modifier)
            effect = self.rules.at_effects.get(result, Change({}))
            for new, q in self.changed(effect, afv, self.status(state, afv).name).items():
                found[new] = found.get(new, 0.0) + p * q
        return {new: p for new, p in found.items() if p}

    def _struck(self, state: State, move: Move, strike: Strike) -> list[tuple[State, float]]:
        strength = 0
        for name in self.names:
            unit, spent = self.unit(name), state.spent[self.number[name]]
            infantry = unit.type.kind in (Kind.INFANTRY, Kind.LEADER)
            able = self.status(state, name)
            rides = unit.carrier == move.unit and infantry and able.may_fire and not able.removed
            for weapon in unit.type.weapons:
                if weapon.name in spent:
                    continue
                wished = (name, weapon.name) in strike.weapons
                if name == move.unit and weapon.apfp:
                    strength += self.rules.afv_multiplier * weapon.apfp
                    state = self.used(state, name, weapon.name)
                elif rides and (wished or (weapon.weapon_class is None and weapon.apfp)):
                    strength += weapon.apfp
                    state = self.used(state, name, weapon.name)
        struck = [
            name
            for name in self.standing(state, strike.place, Side.DEFENDER)
            if self.unit(name).type.kind is not Kind.AFV
        ]
        found = [(state, 1.0)]
        if self.rules.ap_roll_per is RollPer.HEX:
            return [
                (after, p * q)
                for roll, p in self.rolls()
                for after, q in self._all(state, struck, strength, roll + strike.cover)
            ]
        for name in struck:
            found = [
                (after, p * q * r)
                for before, p in found
                for roll, q in self.rolls()
                for after, r in self._all(before, [name], strength, roll + strike.cover)
            ]
        return found

    def _all(
        self, state: State, struck: list[str], strength: int, roll: int
    ) -> list[tuple[State, float]]:
        result = self.rules.ap.result(strength, roll)
        found = [(state, 1.0)]
        for name in struck:
            effect = self.rules.ap_effects.get(self.unit(name).type.kind, {}).get(
                result, Change({})
            )
            found = [
                (self.with_status(before, name, new), p * q)
                for before, p in found
                for new, q in self.changed(effect, name, self.status(before, name).name).items()
            ]
        merged: dict[State, float] = {}
        for after, p in found:
            merged[after] = merged.get(after, 0.0) + p
        return list(merged.items())
