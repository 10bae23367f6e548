"""Move notation of the slow twin, and which moves are wrong whatever the other units do."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from .state import Facts, State


class Move(NamedTuple):
    """One AFV's move. An overrun has a target and an exit; ``stay`` has no hexes at all."""

    unit: str
    approach: tuple[str, ...]  # hexes entered before the target, or all hexes of a plain move
    target: str | None = None
    exit: str | None = None
    last_turn: str | None = None
    weapons: tuple[tuple[str, str], ...] = ()  # (passenger, weapon) that the player wishes to use

    @property
    def hexes(self) -> tuple[str, ...]:
        """All hexes entered, in order."""
        if self.target is None or self.exit is None:
            return self.approach
        return (*self.approach, self.target, self.exit)

    @property
    def text(self) -> str:
        """The move in notation."""
        if self.target is not None:
            route = f"{'-'.join(self.approach)}x{self.target}-{self.exit}"
        else:
            route = "-".join(self.approach) or "stay"
        if self.last_turn is not None:
            route += f"/{self.last_turn}"
        return " ".join([self.unit, route, *(f"+{unit}:{name}" for unit, name in self.weapons)])


_HEX = "[0-9A-Za-wyz]+"  # any name without an x, which stands before the target
_ROUTE = re.compile(
    rf"stay|(?P<approach>{_HEX}(?:-{_HEX})*)?x(?P<target>{_HEX})-(?P<exit>{_HEX})"
    rf"|(?P<plain>{_HEX}(?:-{_HEX})*)(?:/(?P<turn>[A-Z]+))?"
)


def parse(text: str) -> Move:
    """Read a move. Raises ValueError for what is no notation."""
    head, *chosen = text.strip().split(" +")
    unit, _, route = head.partition(" ")
    # Hex names are digits by default, so an x can only mean the overrun.
    found = _ROUTE.fullmatch(route.strip())
    if not unit or found is None:
        raise ValueError(f"not a move: {text!r}")
    weapons = tuple((w.partition(":")[0], w.partition(":")[2]) for w in chosen)
    if not all(passenger and name for passenger, name in weapons):
        raise ValueError(f"not a weapon of a passenger: {text!r}")
    if found["target"]:
        approach = tuple(found["approach"].split("-")) if found["approach"] else ()
        return Move(unit, approach, found["target"], found["exit"], None, weapons)
    if weapons:
        raise ValueError(f"weapons are used in an overrun only: {text!r}")
    return Move(
        unit, tuple(found["plain"].split("-")) if found["plain"] else (), None, None, found["turn"]
    )


def movement_points(facts: Facts, move: Move) -> Fraction:
    """What the move costs (OVR-14). The move must not be wrong but for its cost."""
    unit, ground = facts.units[move.unit], facts.ground
    movement_class = unit.type["class"]
    here, facing = facts.place(facts.start, move.unit), unit.facing
    assert here is not None
    assert facing is not None
    total = Fraction(0)
    for name in move.hexes:
        heading = ground.direction(here, name)
        assert heading is not None
        total += ground.turn_cost(movement_class, facing, heading)
        total += ground.entry(movement_class, here, name).cost
        here, facing = name, heading
    if move.last_turn is not None:
        total += ground.turn_cost(movement_class, facing, move.last_turn)
    if move.target is not None:
        total += Fraction(str(facts.rules["overrun"]["movement_points"]))
    return total


def why_wrong(facts: Facts, move: Move) -> list[str]:
    """What is wrong with a move that no other unit can change; empty if nothing."""
    if move.unit not in facts.units:
        return ["no such unit"]
    unit = facts.units[move.unit]
    if unit.kind != "afv":
        return ["not an AFV"]
    if unit.side != facts.mover:
        return ["not the side to move"]
    if not move.hexes:
        return []
    if unit.carrier is not None:
        return ["carried"]
    if move.unit in facts.start.moved:
        return ["has moved"]
    faults = _wrong_route(facts, move)
    if not faults and movement_points(facts, move) > unit.allowance:
        faults.append("too few movement points")
    if move.target is not None:
        if move.target in facts.ground.hexes:
            if facts.ground.is_building(move.target):
                faults.append("target is a building hex")
            if facts.ground.has_bunker(move.target):
                faults.append("target holds a bunker")
        if unit.towing:
            faults.append("towing")
    if len(set(move.weapons)) < len(move.weapons):
        faults.append("weapon named twice")
    usable = usable_weapons(facts, facts.start, move.unit)
    faults += [f"weapon not usable: {u}:{w}" for u, w in move.weapons if (u, w) not in usable]
    return faults


def _wrong_route(facts: Facts, move: Move) -> list[str]:
    ground, unit = facts.ground, facts.units[move.unit]
    here = facts.place(facts.start, move.unit)
    assert here is not None
    faults: list[str] = []
    headings: list[str] = []
    for name in move.hexes:
        if name not in ground.hexes:
            return [*faults, f"off the map: {name}"]
        heading = ground.direction(here, name)
        if heading is None:
            return [*faults, f"not neighbours: {here} {name}"]
        headings.append(heading)
        faults += [
            f"barred by {b}: {name}" for b in ground.entry(unit.type["class"], here, name).bars
        ]
        here = name
    if move.target is not None and headings[-1] != headings[-2]:
        faults.append("not in one line")
    if move.last_turn is not None and move.last_turn not in ground.directions:
        faults.append(f"no such facing: {move.last_turn}")
    return faults


def usable_weapons(facts: Facts, state: State, afv: str) -> list[tuple[str, str]]:
    """Weapons that passengers may add if the player wishes, in text order (OVR-17)."""
    classes = facts.rules["overrun"]["passenger_weapons"]
    return sorted(
        (passenger, weapon.name)
        for passenger in adding_passengers(facts, state, afv)
        for weapon in facts.units[passenger].weapons
        if weapon.weapon_class in classes and (passenger, weapon.name) not in state.spent
    )


def adding_passengers(facts: Facts, state: State, afv: str) -> list[str]:
    """Passengers that add their APFP: infantry (leaders are infantry) that may fire."""
    return [
        passenger
        for passenger in facts.units[afv].passengers
        if facts.units[passenger].kind in ("infantry", "leader")
        and facts.may_fire(state, passenger)
    ]


def why_not_now(facts: Facts, state: State, move: Move) -> list[str]:
    """Why a move that is not wrong is skipped now that its turn has come; empty if it is made."""
    if not move.hexes:
        return []
    reasons = []
    if move.unit in state.moved:
        reasons.append("has moved")
    if not facts.may_move(state, move.unit):
        reasons.append("may not move")
    if move.target is not None and not facts.may_overrun(state, move.unit):
        reasons.append("may not overrun")
    for name in move.hexes:
        if name != move.target and facts.enemy_in(state, name):
            reasons.append(f"enemy in {name}")
    if move.target is not None and not facts.target_in(state, move.target):
        reasons.append(f"no target in {move.target}")
    if not facts.has_room(state, move.hexes[-1], move.unit):
        reasons.append(f"no room in {move.hexes[-1]}")
    return reasons
