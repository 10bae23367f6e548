"""What the slow twin knows of a position: the facts that never change, and the state that does."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from .ground import Ground, exact


class Weapon(NamedTuple):
    """One weapon of a unit type."""

    name: str
    apfp: Fraction
    at: tuple[tuple[int, int], ...]  # (up to this range, rating)
    weapon_class: str | None
    once: bool
    price: Fraction

    def at_rating(self, distance: int) -> int | None:
        """The AT rating at that range; None beyond the last."""
        for reach, rating in self.at:
            if distance <= reach:
                return rating
        return None


class Unit(NamedTuple):
    """A unit as it starts."""

    id: str
    side: str
    kind: str
    type: dict[str, Any]
    weapons: tuple[Weapon, ...]
    facing: str | None
    carrier: str | None
    passengers: tuple[str, ...]
    towing: tuple[str, ...]
    allowance: Fraction  # movement points left

    def weapon(self, name: str) -> Weapon | None:
        """The weapon of that name."""
        return next((w for w in self.weapons if w.name == name), None)

    @property
    def carried(self) -> tuple[str, ...]:
        """Everything that shares its fate."""
        return self.passengers + self.towing


class State(NamedTuple):
    """What changes in a Movement Phase. (The facing of an AFV that has moved never matters.)"""

    status: tuple[str, ...]  # in the order of Facts.order
    place: tuple[str | None, ...]  # likewise; None for carried units
    fired: frozenset[str]
    spent: frozenset[tuple[str, str]]  # (unit, weapon)
    moved: frozenset[str]


class Facts:
    """A scenario and its rules, and the questions that a state of it answers."""

    def __init__(
        self, scenario: dict[str, Any], rules: dict[str, Any], own_loss_weight: float = 1
    ) -> None:
        self.rules = rules
        self.ground = Ground(scenario, rules)
        self.mover: str = scenario["to_move"]
        self.defender: str = next(s["id"] for s in scenario["sides"] if s["id"] != self.mover)
        self.own_loss_weight = exact(own_loss_weight)
        self.objectives: list[dict[str, Any]] = scenario.get("objectives", [])
        listed: list[dict[str, Any]] = scenario["units"]
        carriers = {
            carried: unit["id"] for unit in listed for carried in _passengers(unit) + _towing(unit)
        }
        self.units: dict[str, Unit] = {
            entry["id"]: _unit(entry, rules["types"][entry["type"]], carriers.get(entry["id"]))
            for entry in sorted(listed, key=lambda entry: str(entry["id"]))
        }
        self.order: tuple[str, ...] = tuple(self.units)
        self.index = {name: i for i, name in enumerate(self.order)}
        by_id = {entry["id"]: entry for entry in listed}
        self.start = State(
            status=tuple(
                by_id[name].get("status", next(iter(rules["status"][self.units[name].kind])))
                for name in self.order
            ),
            place=tuple(
                None if self.units[name].carrier else by_id[name]["hex"] for name in self.order
            ),
            fired=frozenset(name for name in self.order if by_id[name].get("fired", False)),
            spent=frozenset(
                (name, weapon) for name in self.order for weapon in by_id[name].get("spent", ())
            ),
            moved=frozenset(name for name in self.order if by_id[name].get("moved", False)),
        )

    # Statuses.

    def status(self, state: State, unit: str) -> str:
        """The unit's status."""
        return state.status[self.index[unit]]

    def _flags(self, state: State, unit: str) -> dict[str, Any]:
        found: dict[str, Any] = self.rules["status"][self.units[unit].kind][
            self.status(state, unit)
        ]
        return found

    def removed(self, state: State, unit: str) -> bool:
        """Destroyed, eliminated, or whatever the rules call it."""
        return bool(self._flags(state, unit).get("removed", False))

    def may_fire(self, state: State, unit: str) -> bool:
        """Alive with a status that may fire."""
        flags = self._flags(state, unit)
        return not flags.get("removed", False) and bool(flags.get("may_fire", True))

    def may_move(self, state: State, unit: str) -> bool:
        """Alive with a status that may move."""
        flags = self._flags(state, unit)
        return not flags.get("removed", False) and bool(flags.get("may_move", True))

    def may_overrun(self, state: State, unit: str) -> bool:
        """A status that may move and may overrun (as ``may_move`` unless given)."""
        flags = self._flags(state, unit)
        return self.may_move(state, unit) and bool(flags.get("may_overrun", True))

    # Who stands where.

    def place(self, state: State, unit: str) -> str | None:
        """The unit's hex; None for a carried unit."""
        return state.place[self.index[unit]]

    def present(self, state: State, name: str, side: str) -> Iterator[str]:
        """Units of a side that stand in a hex: not removed, not carried."""
        for unit, place in zip(self.order, state.place, strict=True):
            if place == name and self.units[unit].side == side and not self.removed(state, unit):
                yield unit

    def enemy_in(self, state: State, name: str) -> bool:
        """Whether a unit of the defender stands in the hex."""
        return any(True for _ in self.present(state, name, self.defender))

    def target_in(self, state: State, name: str) -> bool:
        """OVR-2, OVR-3: something to overrun and no AFV."""
        kinds = [self.units[unit].kind for unit in self.present(state, name, self.defender)]
        return bool(kinds) and "afv" not in kinds

    def has_room(self, state: State, name: str, afv: str) -> bool:
        """Whether the AFV may end its move in the hex (its own side's stacking limit)."""
        standing = {*self.present(state, name, self.mover), afv}
        size = sum(exact(self.units[unit].type.get("size", 1)) for unit in standing)
        return size <= exact(self.rules["stacking"]["limit"])

    # Changes.

    def with_status(self, state: State, unit: str, status: str) -> State:
        """The unit takes a status; what it carries shares its destruction."""
        statuses = list(state.status)
        statuses[self.index[unit]] = status
        state = state._replace(status=tuple(statuses))
        if self.removed(state, unit):
            fate = self.rules["passengers"]["on_destroyed"]
            for carried in self.units[unit].carried:
                kind = self.units[carried].kind
                if not self.removed(state, carried) and fate in self.rules["status"][kind]:
                    state = self.with_status(state, carried, fate)
        return state

    def with_place(self, state: State, unit: str, name: str) -> State:
        """The unit stands in another hex."""
        places = list(state.place)
        places[self.index[unit]] = name
        return state._replace(place=tuple(places))

    # The payoff.

    def loss(self, unit: str, status: str) -> Fraction:
        """The share of the unit's worth that counts as lost in a status."""
        return exact(self.rules["status"][self.units[unit].kind][status].get("loss", 0))

    def payoff(self, state: State) -> float:
        """The payoff to the mover at the end of the Movement Phase."""
        total = Fraction(0)
        for unit, before, after in zip(self.order, self.start.status, state.status, strict=True):
            if before != after:
                worth = exact(self.units[unit].type.get("worth", 0))
                lost = worth * (self.loss(unit, after) - self.loss(unit, before))
                total += self._sign(unit) * lost
        for unit, name in state.spent - self.start.spent:
            weapon = self.units[unit].weapon(name)
            if weapon is not None:
                total += self._sign(unit) * weapon.price
        for objective in self.objectives:
            total += self._objective(state, objective)
        return float(total)

    def _sign(self, unit: str) -> Fraction:
        return Fraction(1) if self.units[unit].side == self.defender else -self.own_loss_weight

    def _objective(self, state: State, objective: dict[str, Any]) -> Fraction:
        """What an objective adds: gained by the mover, lost by him, or neither."""
        held_before = objective.get("held_by")
        sides = [
            side
            for side in (self.mover, self.defender)
            if any(True for _ in self.present(state, objective["hex"], side))
        ]
        held_after = sides[0] if len(sides) == 1 else held_before
        worth = exact(objective["worth"])
        if held_before != self.mover and held_after == self.mover:
            return worth
        if held_before == self.mover and held_after == self.defender:
            return -worth
        return Fraction(0)

    @cached_property
    def dice(self) -> dict[int, Fraction]:
        """The chance of each sum of the dice."""
        sums = {0: Fraction(1)}
        sides = self.rules["dice"]["sides"]
        for _ in range(self.rules["dice"]["count"]):
            rolled: dict[int, Fraction] = {}
            for total, chance in sums.items():
                for pips in range(1, sides + 1):
                    rolled[total + pips] = rolled.get(total + pips, Fraction(0)) + chance / sides
            sums = rolled
        return sums


def _passengers(entry: dict[str, Any]) -> tuple[str, ...]:
    return tuple(entry.get("passengers", ()))


def _towing(entry: dict[str, Any]) -> tuple[str, ...]:
    return (entry["towing"],) if "towing" in entry else ()


def _unit(entry: dict[str, Any], unit_type: dict[str, Any], carrier: str | None) -> Unit:
    weapons = tuple(
        Weapon(
            weapon["name"],
            exact(weapon.get("apfp", 0)),
            tuple((reach, rating) for reach, rating in weapon.get("at", ())),
            weapon.get("class"),
            bool(weapon.get("once", False)),
            exact(weapon.get("price", 0)),
        )
        for weapon in unit_type.get("weapons", ())
    )
    return Unit(
        entry["id"],
        entry["side"],
        unit_type["kind"],
        unit_type,
        weapons,
        entry.get("facing"),
        carrier,
        _passengers(entry),
        _towing(entry),
        exact(unit_type.get("movement", 0)) - exact(entry.get("movement_used", 0)),
    )


def read(path: Path) -> dict[str, Any]:
    """A TOML or JSON file as plain dictionaries."""
    text = path.read_text(encoding="utf-8")
    parsed: dict[str, Any] = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    return parsed


def load(
    scenario: Path | str, rules: Path | str | None = None, *, own_loss_weight: float = 1
) -> Facts:
    """Read a scenario file, and its rules file (beside it unless another is given)."""
    path = Path(scenario)
    parsed = read(path)
    rules_path = Path(rules) if rules is not None else path.parent / parsed["rules"]
    return Facts(parsed, read(rules_path), own_loss_weight)
