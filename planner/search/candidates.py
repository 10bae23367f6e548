"""The candidate moves: every line of every AFV, its approaches worth having, its weapons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from evaluation.script import Strike
from planner.game.hexes import Direction, Hex
from planner.game.moves import PlannedMove
from planner.game.notation import format_move
from planner.game.position import Position, Unit
from planner.game.weapons import usable_weapons
from planner.search.approaches import approaches
from planner.search.effort import Wishes
from planner.search.exposure import script
from planner.search.worth import Judge

MOST_WEAPONS = 10
"""Beyond so many usable weapons not every combination is looked at, but the cheapest first."""

LineKey = tuple[str, Hex, Direction]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that a plan may use; ``line`` tells unit, target hex and direction of travel."""

    line: LineKey
    move: PlannedMove
    text: str


def candidates(position: Position, judge: Judge, wishes: Wishes) -> tuple[Candidate, ...]:
    """Every candidate move, in text order."""
    found = [
        candidate
        for unit in position.movers()
        if unit.id not in wishes.stay and (wishes.only is None or unit.id in wishes.only)
        for candidate in _of(position, unit, judge, wishes)
    ]
    return tuple(sorted(found, key=lambda candidate: candidate.text))


def _of(position: Position, unit: Unit, judge: Judge, wishes: Wishes) -> Iterator[Candidate]:
    for line in approaches(position, unit, judge.threats, wishes.avoid):
        if wishes.target is not None and line.target != wishes.target:
            continue
        direction = line.target.direction_to(line.exit)
        assert direction is not None
        weapons = tuple(_weapon_choices(position, unit, line.moves[0], judge))
        for move in line.moves:
            for choice in weapons:
                armed = replace(move, weapons=choice)
                key = (unit.id, line.target, direction)
                yield Candidate(key, armed, format_move(position, armed))


def _weapon_choices(
    position: Position, unit: Unit, move: PlannedMove, judge: Judge
) -> Iterator[tuple[tuple[str, str], ...]]:
    """For each column of the AP Combat Table in reach, the weapons that get there at the least
    price; of equal ones the fewest, then in text order. Two attacks in one column are the same
    attack, so no other choice is worth looking at."""
    usable = usable_weapons(position, unit)
    if len(usable) > MOST_WEAPONS:
        by_price = sorted(usable, key=lambda who: (_price(position, who), who))
        sets = [tuple(sorted(by_price[:count])) for count in range(len(usable) + 1)]
    else:
        sets = [s for count in range(len(usable) + 1) for s in combinations(usable, count)]
    best: dict[int, tuple[float, tuple[tuple[str, str], ...]]] = {}
    for weapons in sets:
        strike = next(
            step
            for step in script(position, replace(move, weapons=weapons)).steps
            if isinstance(step, Strike)
        )
        column, price = judge.attack(unit.id, strike)
        key = -1 if column is None else column
        if key not in best or price < best[key][0]:
            best[key] = (price, weapons)
    for _, (_, weapons) in sorted(best.items()):
        yield weapons


def _price(position: Position, who: tuple[str, str]) -> float:
    weapon = position.units[who[0]].type.combat.weapon(who[1])
    return weapon.price if weapon.once else 0.0
