"""Every move along a simple path that could ever become legal, and what plans of them are worth:
the slow obvious counterpart of the candidates."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from math import prod
from pathlib import Path
from typing import NamedTuple

from planner.game.moves import PlannedMove
from planner.game.notation import parse_move
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.search.worth import Judge
from tests.random_positions import random_scenario, write_files
from tests.twin.moves import all_overruns, all_plain_moves, can_start, with_weapons
from tests.twin.state import Facts, State

OVERRUNS = 0.8
"""The share of moves in sampled plans that are overruns for certain, where there are any."""


class Drawn(NamedTuple):
    """A random position, read twice: by the twin and by the program."""

    facts: Facts
    position: Position
    judge: Judge
    own_loss: float


def drawn(seed: int, directory: Path, afvs: int = 2, enemies: int | None = None) -> Drawn:
    """A small random position of that many AFVs that starts with four lines at least."""
    rng = random.Random(f"every/{seed}")
    scenario, rules = random_scenario(
        seed,
        orientation=("flat", "pointy")[seed % 2],
        stacking=(1, 2)[seed // 2 % 2],
        afvs=afvs,
        enemies=enemies or rng.randint(2, 5),
        columns=rng.randint(5, 6),
        rows=rng.randint(5, 6),
        objectives=rng.random() < 0.3,
        min_lines=4,
    )
    own_loss = rng.choice([1.0, 1.0, 0.5, 0.0, 1.75])
    facts = Facts(scenario, rules, own_loss)
    position = load(write_files(scenario, rules, directory))
    return Drawn(facts, position, Judge(position, own_loss), own_loss)


def every_move(facts: Facts) -> dict[str, list[str]]:
    """By AFV the text of every overrun, with every choice of weapons, and of every plain move that
    is legal at the start or would be with some enemy hexes emptied and the other AFVs gone."""
    found: dict[str, set[str]] = {}
    for unit in facts.units:
        if not can_start(facts, facts.start, unit):
            continue
        texts = found.setdefault(unit, set())
        for state in _thinned(facts, unit):
            for move, _ in all_overruns(facts, state, unit):
                texts.update(armed.text for armed in with_weapons(facts, state, move))
            texts.update(move.text for move, _ in all_plain_moves(facts, state, unit))
    return {unit: sorted(texts) for unit, texts in found.items() if texts}


def _thinned(facts: Facts, unit: str) -> Iterator[State]:
    """The start without the other AFVs, with up to as many enemy hexes emptied as there are."""
    others = [u for u in facts.units if u != unit and can_start(facts, facts.start, u)]
    start = facts.start
    for other in others:
        start = _gone(facts, start, other)
    places = sorted({p for p in start.place if p is not None and facts.enemy_in(start, p)})
    for count in range(len(others) + 1):
        for emptied in combinations(places, count):
            state = start
            for place in emptied:
                for enemy in list(facts.present(state, place, facts.defender)):
                    state = _gone(facts, state, enemy)
            yield state


def _gone(facts: Facts, state: State, unit: str) -> State:
    statuses = facts.rules["status"][facts.units[unit].kind]
    removed = next(name for name, flags in statuses.items() if flags.get("removed"))
    return facts.with_status(state, unit, removed)


def plans(
    moves: Mapping[str, Sequence[str]], most: int, rng: random.Random
) -> list[tuple[str, ...]]:
    """Every ordered plan of one move of each of some AFVs, or a sample of so many."""
    orders = [
        order
        for count in range(1, len(moves) + 1)
        for units in combinations(sorted(moves), count)
        for order in permutations(units)
    ]
    sizes = [_size(moves, order) for order in orders]
    if sum(sizes) <= most:
        return [p for order in orders for p in product(*(moves[unit] for unit in order))]
    chosen = rng.choices(orders, [len(order) for order in orders], k=most)
    return [tuple(_any(moves[unit], rng) for unit in order) for order in chosen]


def _any(texts: Sequence[str], rng: random.Random) -> str:
    """One of the moves; more often an overrun than their number says."""
    overruns = [text for text in texts if "x" in text]
    return rng.choice(overruns if overruns and rng.random() < OVERRUNS else texts)


def _size(moves: Mapping[str, Sequence[str]], order: Iterable[str]) -> int:
    return prod(len(moves[unit]) for unit in order)


def best(
    judge: Judge, position: Position, listed: Iterable[Sequence[str]]
) -> tuple[float, tuple[str, ...]]:
    """The plan of greatest value of those listed, and of staying."""
    read: dict[str, PlannedMove] = {}

    def value(plan: Sequence[str]) -> float:
        for text in plan:
            if text not in read:
                read[text] = parse_move(position, text)
        return judge.value([read[text] for text in plan])

    rows = ((value(plan), tuple(plan)) for plan in [(), *listed])
    return max(rows, key=lambda row: row[0])
