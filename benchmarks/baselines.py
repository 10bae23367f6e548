"""Plain ways to the same answers, to hold ours against. Slow ones are given up in time.

Where a baseline ends, its answer is compared with ours: a benchmark of wrong answers says nothing.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import networkx as nx

from benchmarks.figures import Baseline
from benchmarks.instances import Instance
from benchmarks.timing import Times, TooSlowError, time_once, within
from planner.game.moves import PlannedMove
from planner.game.notation import format_move
from planner.game.position import Position
from planner.search.graph import EdgeKind, movement_graph
from planner.search.lines import Line
from tests.twin import Facts, Play
from tests.twin import lines as twin_lines
from tests.twin.moves import all_overruns, can_start, with_weapons

TWIN = "slow twin"
DIJKSTRA = "plain Dijkstra per query"
SEED = 0
SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is spent on each baseline: seconds before it is given up, queries of a sample."""

    seconds: float
    queries: int


def too_slow(name: str, effort: Effort) -> Baseline:
    """A baseline that was given up."""
    return Baseline(name, None, f"not run: too slow (over {effort.seconds:g} s)")


def twin_load(instance: Instance, source: str) -> Baseline:
    """The slow twin's reader: the same files, nothing checked."""
    took, _ = time_once(lambda: instance.read(source))
    return Baseline("slow twin's reader, no checks", took.wall)


def twin_graph(instance: Instance, classes: Sequence[str]) -> Baseline:
    """The same graph of an empty map, every entry asked of the slow twin's ground."""
    ground = instance.facts().ground
    ways = ground.directions

    def build() -> None:
        for movement_class in classes:
            graph: nx.DiGraph[tuple[str, str]] = nx.DiGraph()
            for here in ground.hexes:
                for index, heading in enumerate(ways):
                    for other in (ways[index - 1], ways[(index + 1) % 6]):
                        turn = ground.turn_cost(movement_class, heading, other)
                        graph.add_edge((here, heading), (here, other), points=turn)
                    there = ground.neighbour(here, heading)
                    entry = ground.entry(movement_class, here, there)
                    if there is not None and not entry.bars:
                        graph.add_edge((here, heading), (there, heading), points=entry.cost)

    return Baseline("slow twin's ground, edge by edge", time_once(build)[0].wall)


def dijkstra_lines(position: Position, found: Sequence[Line], effort: Effort) -> Baseline:
    """`networkx.dijkstra_path_length` from the AFV to every approach, nothing shared.

    One query for each AFV that has a line and each overrun edge. Of more queries than a sample
    holds, a seeded sample is timed and scaled up. Costs are compared with those of our lines.
    """
    ours = {(line.unit, line.target, line.direction): line.movement_points for line in found}
    queries = []
    for unit in position.movers():
        if unit.facing is None or all(unit.id != line.unit for line in found):
            continue
        movement = movement_graph(position, unit.type.movement_class)
        start = movement.codec.node(unit.hex, unit.facing)
        for approach, _, edge in movement.graph.edges(data=True):
            if edge["kind"] is EdgeKind.OVERRUN:
                queries.append((unit, movement, start, approach, edge))
    sample = random.Random(SEED).sample(queries, min(effort.queries, len(queries)))

    def run() -> None:
        for unit, movement, start, approach, edge in sample:
            try:
                way = nx.dijkstra_path_length(movement.graph, start, approach, weight="weight")
            except nx.NetworkXNoPath:
                continue
            points = movement.points(int(way) + edge["weight"])
            key = (unit.id, edge["target"], movement.codec.read(approach).facing)
            # What is within reach but no line has no room in its exit hex.
            assert ours.get(key, points) == points, key

    seconds = time_once(run)[0].wall * len(queries) / max(1, len(sample))
    note = f"{len(sample)} of {len(queries)} queries (seed {SEED}), scaled up"
    return Baseline(DIJKSTRA, seconds, note if len(sample) < len(queries) else "")


def twin_all_lines(instance: Instance, position: Position, ours: Sequence[Line],
                   effort: Effort) -> Baseline:  # fmt: skip
    """The slow twin's lines: every simple path of every AFV."""
    facts = instance.facts()
    try:
        with within(effort.seconds):
            took, found = time_once(lambda: twin_lines(facts))
    except TooSlowError:
        return too_slow(TWIN, effort)
    assert {line.move for line in found} == {format_move(position, line.move) for line in ours}
    return Baseline(TWIN, took.wall)


def twin_moves(instance: Instance, effort: Effort) -> Baseline:
    """Every legal overrun along a simple path with every choice of weapons, listed one by one."""
    name = "slow twin: every overrun listed"
    facts = instance.facts()
    try:
        with within(effort.seconds):
            took, count = time_once(lambda: _count(facts))
    except TooSlowError:
        return too_slow(name, effort)
    return Baseline(name, took.wall, f"{count} moves")


def _count(facts: Facts) -> int:
    return sum(
        1
        for unit in facts.units
        if can_start(facts, facts.start, unit)
        for move, _ in all_overruns(facts, facts.start, unit)
        for _ in with_weapons(facts, facts.start, move)
    )


def twin_singles(instance: Instance, position: Position, moves: Sequence[PlannedMove],
                 ours: Sequence[float], times: Times, effort: Effort) -> Baseline:  # fmt: skip
    """The slow twin's values of single moves, as many as end in time, held against the medians of
    ours for the same moves."""
    facts, spent, found = instance.facts(), 0.0, []
    for move, value in zip(moves, ours, strict=True):
        if spent >= effort.seconds:
            break
        try:
            with within(effort.seconds - spent):
                took, twins = time_once(partial(_value, facts, position, (move,)))
        except TooSlowError:
            break
        assert abs(twins - value) < SAME, format_move(position, move)
        spent += took.wall
        found.append(took.wall)
    if not found:
        return too_slow(TWIN, effort)
    same = Times(times.seconds[: len(found)])
    note = f"median of the first {len(found)} of {len(moves)} moves"
    return Baseline(TWIN, Times(tuple(found)).median, note, same.median)


def twin_plan(instance: Instance, position: Position, moves: Sequence[PlannedMove],
              ours: float, effort: Effort) -> Baseline:  # fmt: skip
    """The slow twin's value of a whole plan."""
    facts = instance.facts()
    try:
        with within(effort.seconds):
            took, twins = time_once(lambda: _value(facts, position, moves))
    except (TooSlowError, RecursionError):
        return too_slow(TWIN, effort)
    assert abs(twins - ours) < SAME, instance.name
    return Baseline(TWIN, took.wall)


def twin_best_plan(
    instance: Instance, texts: Sequence[str], ours: float, effort: Effort
) -> Baseline:
    """The slow twin's values of all plans over the candidates, one after the other."""
    name = "slow twin: every plan of the candidates"
    facts = instance.facts()
    try:
        with within(effort.seconds):
            took, (value, _) = time_once(lambda: Play(facts).best_plan(texts))
    except (TooSlowError, RecursionError):
        return too_slow(name, effort)
    assert ours <= value + SAME, instance.name
    return Baseline(name, took.wall, f"its best {value:.6f}")


def _value(facts: Facts, position: Position, moves: Sequence[PlannedMove]) -> float:
    """By a new tree each time: nothing of one plan helps with the next."""
    return Play(facts).plan_value([format_move(position, move) for move in moves])
