"""What follows the next move, said as a player would: if this, then that.

A move may end in many situations, and each has its best next move. They are told apart by the
fewest questions that a player can answer by looking at the table: is that unit out, can it still
fire, in which status is it. Questions are chosen one by one, the most telling first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from evaluation.adaptive import Adaptive, FollowUp
from evaluation.group import Group, State
from evaluation.plan import Key
from planner.game.hexes import Hex
from planner.game.position import Position

DIGITS = 12
SELDOM = 1e-6
"""What a situation counts for that has no probability."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something to see on the table after the move: of which unit, and what (``holds`` False: that
    it is not so)."""

    unit: str
    what: str
    holds: bool

    def __str__(self) -> str:
        return f"{self.unit} {'' if self.holds else 'not '}{self.what}"


@dataclass(frozen=True, slots=True)
class Branch:
    """If all ``conditions`` are met, ``move`` is best next (its number in the list of moves; None:
    to stop). ``probability`` of that if the defender replies best (0: only a worse reply leads
    there), and the mean ``value`` of what is still to come."""

    conditions: tuple[Condition, ...]
    probability: float
    move: int | None
    value: float


Test = Callable[[FollowUp], bool]
Question = tuple[str, str, Test]


def branches(position: Position, adaptive: Adaptive, number: int) -> tuple[Branch, ...]:
    """What follows a move that is legal now, the likeliest branch first.

    Raises as `evaluation.adaptive.Adaptive.follow_ups`.
    """
    rows = adaptive.follow_ups(number)
    questions = list(_questions(position, adaptive, rows))
    found = list(_split(rows, questions, ()))
    return tuple(sorted(found, key=lambda branch: (-branch.probability, str(branch.conditions))))


def _questions(
    position: Position, adaptive: Adaptive, rows: Sequence[FollowUp]
) -> Iterator[Question]:
    """Every question that may tell the situations apart, the simplest first."""
    keys = list(dict.fromkeys(key for row in rows for key in row.situation))
    groups = [(key, adaptive.group(key[1])) for key in keys if key[0] == "group"]
    for key, group in groups:
        for i, unit in enumerate(group.units):
            yield unit.id, "out", partial(_is_out, key=key, group=group, unit=i)
    for key, group in groups:
        for i, unit in enumerate(group.units):
            yield unit.id, "able to fire", partial(_can_fire, key=key, group=group, unit=i)
    for key, group in groups:
        for i, unit in enumerate(group.units):
            for status in position.rules.combat.statuses[unit.type.kind]:
                test = partial(_is_in, key=key, group=group, unit=i, status=status)
                yield unit.id, status, test
            yield unit.id, "marked with Fire", partial(_is_marked, key=key, unit=i)
            for bit, weapon in enumerate(w.name for w in unit.type.weapons if w.once):
                test = partial(_has_spent, key=key, unit=i, bit=bit)
                yield unit.id, f"out of {weapon}", test
    for key in keys:
        kind, unit_id = key
        if kind == "stand":
            places = {row.situation[key] for row in rows}
            for place in sorted(p for p in places if isinstance(p, Hex)):
                name = position.board.name(place)
                yield str(unit_id), f"in {name}", partial(_stands, key=key, place=place)


def _state(row: FollowUp, key: Key) -> State:
    return cast("State", row.situation[key])


def _is_out(row: FollowUp, key: Key, group: Group, unit: int) -> bool:
    return group.status(_state(row, key), unit).removed


def _can_fire(row: FollowUp, key: Key, group: Group, unit: int) -> bool:
    state = _state(row, key)
    status = group.status(state, unit)
    return status.may_fire and not status.removed and not state[unit][1]


def _is_in(row: FollowUp, key: Key, group: Group, unit: int, status: str) -> bool:
    return group.status(_state(row, key), unit).name == status


def _is_marked(row: FollowUp, key: Key, unit: int) -> bool:
    return _state(row, key)[unit][1]


def _has_spent(row: FollowUp, key: Key, unit: int, bit: int) -> bool:
    return bool(_state(row, key)[unit][2] >> bit & 1)


def _stands(row: FollowUp, key: Key, place: Hex) -> bool:
    return row.situation[key] == place


def _split(
    rows: Sequence[FollowUp], questions: Sequence[Question], so_far: tuple[Condition, ...]
) -> Iterator[Branch]:
    """Ask until only one next move is left."""
    total = sum(row.probability for row in rows)
    best = None if len({row.best for row in rows}) == 1 else _best_question(rows, questions)
    if best is None:
        # Situations that no question tells apart have the same best move.
        weights = [row.probability if total else 1.0 for row in rows]
        mean = sum(w * row.value for w, row in zip(weights, rows, strict=True)) / sum(weights)
        yield Branch(so_far, total, rows[0].best, mean)
        return
    unit, what, test = best
    yes = [row for row in rows if test(row)]
    no = [row for row in rows if not test(row)]
    yield from _split(yes, questions, (*so_far, Condition(unit, what, True)))
    yield from _split(no, questions, (*so_far, Condition(unit, what, False)))


def _best_question(rows: Sequence[FollowUp], questions: Sequence[Question]) -> Question | None:
    """The question after which the next move is surest; of equal ones that which leaves fewest
    situations to ask about, then the first."""
    best, least = None, None
    for question in questions:
        yes = [row for row in rows if question[2](row)]
        if not yes or len(yes) == len(rows):
            continue
        no = [row for row in rows if not question[2](row)]
        left = sum(len(side) for side in (yes, no) if len({row.best for row in side}) > 1)
        rank = (round(_unsure(yes) + _unsure(no), DIGITS), left)
        if least is None or rank < least:
            best, least = question, rank
    return best


def _unsure(rows: Sequence[FollowUp]) -> float:
    """How often the likeliest next move is not the one. What only a worse reply leads to counts a
    little, so that it is told apart last, but is."""
    chances: dict[int | None, float] = {}
    for row in rows:
        weight = row.probability + SELDOM
        chances[row.best] = chances.get(row.best, 0.0) + weight
    return sum(chances.values()) - max(chances.values())
