"""The defender's units of one place: the states they can be in together, and what changes them.

A *local state* is a tuple with, for each unit, ``(status index, Fire marker, once-weapons spent as
a bit mask)``. Everything a plan does to a place's units is a walk through such states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.resolve import attack_outcomes, shot_strength
from evaluation.rules import CombatRules
from evaluation.script import Combatant, Field, Place, Shot
from evaluation.units import Aspect, CombatType, Kind, Side, Status
from evaluation.worth import Losses

UnitState = tuple[int, bool, int]
State = tuple[UnitState, ...]

NO_LEADER = -1
FINAL_RANGE = 1


@dataclass(frozen=True, slots=True)
class Aim:
    """A shot a unit of the group may make in some window: unit, weapon, and for each leader who may
    help (or ``NO_LEADER``) the number of the shot's effect in the evaluator's register."""

    unit: int
    weapon: int
    effects: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One shot that may be declared in a local state: its label in the notation's terms, the number
    of its effect, the price of the once-weapon it spends, and the state it leads to."""

    label: tuple[str, str, str]
    effect: int
    price: float
    to: State


class Group:
    """The defender's units that stand in one place when the script starts, in text order."""

    def __init__(self, field: Field, place: Place, losses: Losses) -> None:
        self.place = place
        self.rules: CombatRules = field.rules
        self.losses = losses
        self.units: tuple[Combatant, ...] = tuple(
            unit
            for _, unit in sorted(field.units.items())
            if unit.side is Side.DEFENDER
            and unit.place == place
            and unit.carrier is None
            and not field.rules.status(unit.type.kind, unit.status).removed
        )
        self.index = {unit.id: i for i, unit in enumerate(self.units)}
        self._statuses: list[tuple[Status, ...]] = [
            tuple(field.rules.statuses[unit.type.kind].values()) for unit in self.units
        ]
        self._once: list[dict[int, int]] = [
            {w: 1 << bit for bit, w in enumerate(_once_weapons(unit.type))} for unit in self.units
        ]
        self.leaders = tuple(
            i
            for i, unit in enumerate(self.units)
            if unit.type.kind is Kind.LEADER and unit.type.leadership != 0
        )
        self.start: State = tuple(self._start(i) for i in range(len(self.units)))
        self._strikes: dict[tuple[int, int, State], tuple[tuple[State, float], ...]] = {}
        self._lost: dict[State, float] = {}

    def _start(self, index: int) -> UnitState:
        unit = self.units[index]
        names = [status.name for status in self._statuses[index]]
        mask = 0
        for weapon, bit in self._once[index].items():
            if unit.type.weapons[weapon].name in unit.spent:
                mask |= bit
        return (names.index(unit.status), unit.fired, mask)

    def status(self, state: State, index: int) -> Status:
        """The status of one unit of the group in a local state."""
        return self._statuses[index][state[index][0]]

    def status_names(self, state: State) -> tuple[str, ...]:
        """Every unit's status in a local state, by name."""
        return tuple(self.status(state, i).name for i in range(len(self.units)))

    def is_empty(self, state: State) -> bool:
        """Whether nobody is left in the place."""
        return all(self.status(state, i).removed for i in range(len(self.units)))

    def is_target(self, state: State) -> bool:
        """Whether the place can be overrun: somebody to strike and no AFV (OVR-2, OVR-3)."""
        left = [
            unit.type.kind for i, unit in enumerate(self.units) if not self.status(state, i).removed
        ]
        return bool(left) and all(kind.is_struck for kind in left)

    def loss(self, state: State) -> float:
        """Worth lost by the group's units, and those they carry, in a local state."""
        found = self._lost.get(state)
        if found is None:
            units = enumerate(self.units)
            found = sum(self.losses.of(unit, self.status(state, i)) for i, unit in units)
            self._lost[state] = found
        return found

    def strike(self, state: State, strength: int, cover: int) -> tuple[tuple[State, float], ...]:
        """Where an overrun's attack leads from a local state, with probabilities."""
        key = (strength, cover, state)
        found = self._strikes.get(key)
        if found is None:
            found = self._strikes[key] = tuple(self._strike(state, strength, cover))
        return found

    def _strike(self, state: State, strength: int, cover: int) -> Iterator[tuple[State, float]]:
        there = [
            i
            for i, unit in enumerate(self.units)
            if unit.type.kind.is_struck and not self.status(state, i).removed
        ]
        struck = [(self.units[i].type, self.status(state, i).name) for i in there]
        for names, p in attack_outcomes(self.rules, strength, cover, struck):
            new = list(state)
            for i, name in zip(there, names, strict=True):
                position = [status.name for status in self._statuses[i]].index(name)
                new[i] = (position, state[i][1], state[i][2])
            yield tuple(new), p

    def final_shots(self) -> tuple[Shot, ...]:
        """The Final Opportunity Fire that the group's units could ever make (OVR-11)."""
        return tuple(shot for unit in self.units for shot in final_shots(unit.id, unit.type))

    def strength(self, shot: Shot, target: CombatType) -> int | None:
        """The strength of a shot at an AFV, None when the weapon does not reach."""
        unit = self.units[self.index[shot.firer]]
        return shot_strength(unit.type.weapon(shot.weapon), shot.distance, target, shot.aspect)

    def options(
        self, state: State, aims: Sequence[Aim], shot: int = 0, led: int = 0, final: bool = False
    ) -> Iterator[tuple[Option, int, int]]:
        """The shots that may be declared in a local state, in text order.

        In a ``final`` window ``shot`` and ``led`` are the units that have fired and the leaders who
        have helped in this very window, as bit masks; Fire markers then bar nobody (OVR-11,
        OVR-12). Yields each option with the masks after it.
        """
        for aim in aims:
            status, fired, spent = state[aim.unit]
            ready = self._statuses[aim.unit][status]
            used = shot >> aim.unit & 1 if final else fired
            once = self._once[aim.unit].get(aim.weapon, 0)
            if not ready.can_fire or used or spent & once:
                continue
            unit = self.units[aim.unit]
            weapon = unit.type.weapons[aim.weapon]
            for leader, effect in aim.effects:
                new = list(state)
                new[aim.unit] = (status, True, spent | once)
                led_after = led
                name = ""
                if leader != NO_LEADER:
                    rank, marked, gone = state[leader]
                    able = self._statuses[leader][rank]
                    busy = led >> leader & 1 if final else marked
                    if not able.can_fire or busy:
                        continue
                    new[leader] = (rank, True, gone)
                    led_after |= 1 << leader
                    name = self.units[leader].id
                price = weapon.price if once else 0.0
                option = Option((unit.id, weapon.name, name), effect, price, tuple(new))
                yield option, shot | 1 << aim.unit, led_after


def final_shots(unit: str, type_: CombatType) -> Iterator[Shot]:
    """The Final Opportunity Fire that a unit of that type could ever make (OVR-11), by weapon."""
    for weapon in sorted(type_.weapons, key=lambda weapon: weapon.name):
        if weapon.at_rating(FINAL_RANGE) is not None:
            yield Shot(unit, weapon.name, FINAL_RANGE, Aspect.REAR)


def _once_weapons(type_: CombatType) -> tuple[int, ...]:
    return tuple(i for i, weapon in enumerate(type_.weapons) if weapon.once)
