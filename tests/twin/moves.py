"""Plain enumeration of the moves that are legal in a state, path by path."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from .ground import exact
from .notation import Move, usable_weapons
from .state import Facts, State


class Path(NamedTuple):
    """A simple path: hexes entered, the facing at its end, the movement points spent."""

    hexes: tuple[str, ...]
    facing: str
    cost: Fraction


class Line(NamedTuple):
    """An overrun line at its least cost, as the ``lines`` command lists it."""

    unit: str
    target: str
    direction: str
    exit: str
    movement_points: Fraction
    move: str


def can_start(facts: Facts, state: State, unit: str) -> bool:
    """Whether the unit is an AFV of the mover that may still move in this phase."""
    known = facts.units[unit]
    return (
        known.kind == "afv"
        and known.side == facts.mover
        and known.carrier is None
        and unit not in state.moved
        and facts.may_move(state, unit)
    )


def all_paths(facts: Facts, state: State, unit: str) -> Iterator[Path]:
    """Every simple path the AFV can drive, the empty one included, whatever stacks at its end."""
    if not can_start(facts, state, unit):
        return
    ground, known = facts.ground, facts.units[unit]
    movement_class = known.type["class"]
    start = facts.place(state, unit)
    assert start is not None
    assert known.facing is not None

    def go_on(path: Path) -> Iterator[Path]:
        yield path
        here = path.hexes[-1] if path.hexes else start
        for heading in ground.directions:
            there = ground.neighbour(here, heading)
            entry = ground.entry(movement_class, here, there)
            if there is None or entry.bars or there == start or there in path.hexes:
                continue
            turning = ground.turn_cost(movement_class, path.facing, heading)
            cost = path.cost + turning + entry.cost
            if cost <= known.allowance and not facts.enemy_in(state, there):
                yield from go_on(Path((*path.hexes, there), heading, cost))

    yield from go_on(Path((), known.facing, Fraction(0)))


def all_plain_moves(facts: Facts, state: State, unit: str) -> Iterator[tuple[Move, Fraction]]:
    """Every plain move along a simple path, without a last turn, and its cost."""
    for path in all_paths(facts, state, unit):
        if path.hexes and facts.has_room(state, path.hexes[-1], unit):
            yield Move(unit, path.hexes), path.cost


def all_overruns(facts: Facts, state: State, unit: str) -> Iterator[tuple[Move, Fraction]]:
    """Every overrun whose approach is a simple path, without chosen weapons, and its cost."""
    ground, known = facts.ground, facts.units[unit]
    if known.towing or not facts.may_overrun(state, unit):
        return
    for path in all_paths(facts, state, unit):
        here = path.hexes[-1] if path.hexes else facts.place(state, unit)
        assert here is not None
        for heading in ground.directions:
            target = ground.neighbour(here, heading)
            if target is None or ground.is_building(target) or ground.has_bunker(target):
                continue
            beyond = ground.neighbour(target, heading)
            into_target = ground.entry(known.type["class"], here, target)
            into_exit = ground.entry(known.type["class"], target, beyond)
            if beyond is None or into_target.bars or into_exit.bars:
                continue
            cost = path.cost + ground.turn_cost(known.type["class"], path.facing, heading)
            cost += into_target.cost + into_exit.cost
            cost += exact(facts.rules["overrun"]["movement_points"])
            if cost > known.allowance or not facts.target_in(state, target):
                continue
            if facts.enemy_in(state, beyond) or not facts.has_room(state, beyond, unit):
                continue
            yield Move(unit, path.hexes, target, beyond), cost


def with_weapons(facts: Facts, state: State, move: Move) -> Iterator[Move]:
    """The overrun with every choice of its passengers' weapons, none first."""
    usable = usable_weapons(facts, state, move.unit)
    for count in range(len(usable) + 1):
        for chosen in combinations(usable, count):
            yield move._replace(weapons=chosen)


def lines(facts: Facts, state: State | None = None) -> set[Line]:
    """Every legal overrun line at its least cost; of equal ones the move first in text order.

    With hexes that cost something a loop never comes cheaper than turning on the spot, so simple
    paths hold all the moves of least cost.
    """
    state = facts.start if state is None else state
    best: dict[tuple[str, str, str], Line] = {}
    for unit in facts.units:
        if not can_start(facts, state, unit):
            continue
        for move, cost in all_overruns(facts, state, unit):
            assert move.target is not None
            assert move.exit is not None
            heading = facts.ground.direction(move.target, move.exit)
            assert heading is not None
            line = Line(unit, move.target, heading, move.exit, cost, move.text)
            key = (unit, move.target, heading)
            old = best.get(key)
            if old is None or (line.movement_points, line.move) < (old.movement_points, old.move):
                best[key] = line
    return set(best.values())
