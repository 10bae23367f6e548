"""Counts of moves for many positions, kept as data in ``perft.toml``: ``python -m tests.perft``.

For each AFV of the side to move:

- ``lines``: legal overrun lines;
- ``twice_points``: twice the sum of their least movement points (half points are whole so);
- ``overruns``: legal overruns along simple paths, whatever they cost within the AFV's movement
  points, without passengers' weapons; left out where there are too many to count;
- ``candidates``: moves that the search keeps of all that may be or become legal.

The first three follow from the rules alone: the slow twin counts them too. Without arguments the
program says which rows have changed; with ``--write`` it writes them.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import tomli_w

from benchmarks.instances import TWO_TANKS, Instance, case, drawn, shipped_instances
from planner.game.hexes import Hex
from planner.game.legality import no_room, unit_bars
from planner.game.position import Position, Unit
from planner.game.read_scenario import load
from planner.search.candidates import Survey
from planner.search.effort import Wishes
from planner.search.graph import EdgeKind, MovementGraph, movement_graph
from planner.search.lines import lines
from planner.search.worth import Judge
from tests.random_positions import random_scenario, write_files
from tests.twin import Facts
from tests.twin import lines as twin_lines
from tests.twin.moves import all_overruns, can_start

TABLE = Path(__file__).parent / "perft.toml"
HEAD = """\
# Counts of moves, AFV by AFV; perft.py says what they are.
# Written by `python -m tests.perft --write`.
"""
MOST_STEPS = 30_000
"""Steps of simple paths looked at for one AFV before its overruns are called too many."""

Count = int | str
"""A whole number, or a fraction as text."""
Row = dict[str, Count]
Rows = dict[str, Row]
"""By AFV."""

GENERATED = [(size, 0) for size in ("section", "platoon", "company", "battalion")]
RANDOM = [
    (orientation, offset, seed)
    for seed, (orientation, offset) in enumerate(product(("flat", "pointy"), ("odd", "even")), 11)
]


@lru_cache
def drawn_at_random(name: str) -> Instance:
    """The random position ``random-ORIENTATION-OFFSET-SEED``."""
    _, orientation, offset, seed = name.split("-")
    scenario, rules = random_scenario(
        int(seed), orientation=orientation, offset=offset, min_lines=4
    )
    return Instance(name, "tests.random_positions", scenario, rules)


def names() -> list[str]:
    """Every position of the table."""
    return [
        TWO_TANKS.stem,
        *shipped_instances(),
        *(f"{size}-{seed}" for size, seed in GENERATED),
        *("-".join(("random", *map(str, one))) for one in RANDOM),
    ]


@lru_cache
def instance(name: str) -> Instance:
    """The position of that name."""
    if name == TWO_TANKS.stem:
        return case(TWO_TANKS)
    if name.startswith("random-"):
        return drawn_at_random(name)
    known = shipped_instances()
    if name in known:
        return known[name]
    size, _, seed = name.partition("-")
    return drawn(size, int(seed))


@lru_cache
def position(name: str) -> Position:
    """The position as the program reads it."""
    known = instance(name)
    if not name.startswith("random-"):
        return known.position
    with TemporaryDirectory() as folder:
        path = write_files(dict(known.scenario), dict(known.rules), Path(folder))
        return load(path)


def line_counts(name: str) -> Rows:
    """``lines`` and ``twice_points`` of each AFV."""
    found: Rows = {}
    for unit in position(name).movers():
        own = lines(position(name), unit.id)
        twice = sum((2 * Fraction(line.movement_points) for line in own), Fraction(0))
        found[unit.id] = {"lines": len(own), "twice_points": _count(twice)}
    return found


def overrun_counts(name: str) -> Rows:
    """``overruns`` of each AFV, counted path by path on the movement graph."""
    found: Rows = {}
    for unit in position(name).movers():
        count = _overruns(position(name), unit)
        found[unit.id] = {} if count is None else {"overruns": count}
    return found


def candidate_counts(name: str) -> Rows:
    """``candidates`` of each AFV."""
    here = position(name)
    found: Rows = {unit.id: {"candidates": 0} for unit in here.movers()}
    for candidate in Survey(here, Judge(here), Wishes()).candidates:
        row = found[candidate.move.unit]
        row["candidates"] = int(row["candidates"]) + 1
    return found


def twin_counts(name: str, counted: Mapping[str, Row]) -> Rows:
    """``lines``, ``twice_points`` and ``overruns`` by the slow twin, of the AFVs whose overruns
    ``counted`` has."""
    found: Rows = {}
    for unit in (unit for unit, row in counted.items() if "overruns" in row):
        facts = _alone(name, unit)
        own = twin_lines(facts)
        twice = sum((2 * line.movement_points for line in own), Fraction(0))
        moves = (
            all_overruns(facts, facts.start, unit) if can_start(facts, facts.start, unit) else ()
        )
        found[unit] = {
            "lines": len(own),
            "twice_points": _count(twice),
            "overruns": sum(1 for _ in moves),
        }
    return found


def _alone(name: str, unit: str) -> Facts:
    """The position as the twin knows it, in which all other AFVs of the mover have moved."""
    facts = instance(name).facts()
    others = {one for one, known in facts.units.items() if known.side == facts.mover} - {unit}
    facts.start = facts.start._replace(moved=facts.start.moved | others)
    return facts


def _count(number: Fraction) -> Count:
    return number.numerator if number.denominator == 1 else str(number)


def _overruns(here: Position, unit: Unit) -> int | None:
    """None when there are too many steps."""
    if unit.facing is None or next(unit_bars(here, unit), None) is not None:
        return 0
    movement = movement_graph(here, unit.type.movement_class)
    ways: dict[int, list[tuple[int, int, bool, Hex]]] = {}
    cutoff, left, count = movement.cutoff(unit.movement_left), MOST_STEPS, 0
    start = movement.codec.node(unit.hex, unit.facing)
    stack: list[tuple[int, int, frozenset[Hex]]] = [(start, 0, frozenset({unit.hex}))]
    while stack:
        node, weight, met = stack.pop()
        if node not in ways:
            ways[node] = list(_ways(movement, node))
        for there, further, ends, hex_ in ways[node]:
            if weight + further > cutoff:
                continue
            left -= 1
            if left < 0:
                return None
            if ends:
                count += next(no_room(here, unit, hex_), None) is None
            elif hex_ not in met:
                stack.append((there, weight + further, met | {hex_}))
    return count


def _ways(movement: MovementGraph, node: int) -> Iterator[tuple[int, int, bool, Hex]]:
    """Every edge out of a node's hex, the turns before it paid: node after, weight, whether it is
    an overrun, hex after."""
    done: set[int] = set()
    heap = [(0, node)]
    while heap:
        weight, here = heappop(heap)
        if here in done:
            continue
        done.add(here)
        for _, there, edge in movement.graph.out_edges(here, data=True):
            further = weight + edge["weight"]
            if edge["kind"] is EdgeKind.TURN:
                heappush(heap, (further, there))
            else:
                hex_ = movement.codec.read(there).hex
                yield there, further, edge["kind"] is EdgeKind.OVERRUN, hex_


def table() -> dict[str, Rows]:
    """The table as it is kept."""
    found: dict[str, Rows] = tomllib.loads(TABLE.read_text("utf-8")) if TABLE.exists() else {}
    return found


def merged(*counts: Rows) -> Rows:
    """Several counts of the same AFVs in one row each."""
    found: Rows = {}
    for rows in counts:
        for unit, row in rows.items():
            found.setdefault(unit, {}).update(row)
    return found


def split(expected: Mapping[str, Row], got: Mapping[str, Row]) -> str:
    """What differs, AFV by AFV; empty when nothing does.

    >>> print(split({"T1": {"lines": 3}}, {"T1": {"lines": 2}}))
    T1     lines         expected 3  got 2
    """
    said = []
    for unit in sorted({*expected, *got}):
        before, after = expected.get(unit, {}), got.get(unit, {})
        for what in sorted({*before, *after}):
            old, new = before.get(what, "none"), after.get(what, "none")
            if old != new:
                said.append(f"{unit:6} {what:13} expected {old}  got {new}")
    return "\n".join(said)


def main(arguments: list[str]) -> int:
    """Say which rows have changed, and write them with ``--write``; 1 when any has and was not."""
    if arguments not in ([], ["--write"]):
        print("usage: python -m tests.perft [--write]", file=sys.stderr)
        return 2
    kept = table()
    counted: dict[str, Rows] = {}
    changed = [name for name in kept if name not in names()]
    for name in changed:
        print(f"{name}: no longer a position of the table")
    for name in names():
        counted[name] = merged(line_counts(name), overrun_counts(name), candidate_counts(name))
        difference = split(kept.get(name, {}), counted[name])
        if difference:
            changed.append(name)
            print(f"{name}:\n{difference}")
    if not changed:
        print("nothing has changed")
    elif "--write" in arguments:
        TABLE.write_text(f"{HEAD}\n{_written(counted)}", "utf-8")
    return int(bool(changed) and "--write" not in arguments)


def _written(counted: Mapping[str, Rows]) -> str:
    """The table as TOML, a line for each AFV."""
    said = []
    for name, rows in counted.items():
        said.append(f"[{name}]")
        for unit, row in rows.items():
            fields = tomli_w.dumps(row).strip().replace("\n", ", ")
            said.append(f"{unit} = {{ {fields} }}")
        said.append("")
    return "\n".join(said)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
