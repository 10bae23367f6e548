"""Plain movement with a purpose, for AFVs that have no overrun worth making.

Every place that the AFV can reach is judged by what going there costs now (exactly: the value of
the plain move against the defender's best reply, objectives included) and by what standing there
promises for the turns to come (`planner.play.prospects`, an estimate). In the last turn nothing is
to come, and only objectives move anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import networkx as nx

from evaluation.backward import TooManyStatesError
from planner.game.legality import blocked, unit_bars
from planner.game.moves import PlannedMove
from planner.game.notation import format_move
from planner.game.play_state import Game
from planner.game.position import Position, Unit
from planner.play.prospects import Danger, Promise, Prospects, next_phase
from planner.search.effort import Poll, nothing
from planner.search.graph import EdgeKind, MovementGraph, movement_graph
from planner.search.tally import OutOfEffortError
from planner.search.worth import Judge

PLACES = 12
"""Of the places that look best, so many are judged exactly."""
WORTHWHILE = 1e-6
"""A move must be better than staying by more than this."""


@dataclass(frozen=True, slots=True)
class Manoeuvre:
    """A plain move, what it brings now (``payoff``, exact, against staying) and the promises of
    standing where it ends and of standing where the AFV is."""

    move: PlannedMove
    payoff: float
    promise: Promise
    staying: float

    @property
    def gain(self) -> float:
        """What it is better by than staying, now and to come."""
        return self.payoff + self.promise.value - self.staying


def manoeuvre(game: Game, own_loss: float = 1.0, poll: Poll = nothing) -> Manoeuvre | None:
    """The plain move of most gain; None when no AFV of the side to move gains by one.

    With a move under way it is the rest of that move. Of equally good ones the first in text order.
    ``poll`` is called now and then; when it raises OutOfEffortError the best so far is returned.
    """
    position = game.position
    following = next_phase(position)
    if following is None or game.over:
        return None
    judge = Judge(position, own_loss)
    best: Manoeuvre | None = None
    alike: dict[Hashable, Prospects] = {}
    with suppress(OutOfEffortError):
        for unit in _free(game):
            poll()
            key = (
                unit.type.combat.name,
                unit.status.name,
                unit.spent,
                unit.passengers,
                unit.towing,
            )
            hopes = alike.get(key)
            if hopes is None:
                turns_left = position.turns - position.turn
                hopes = alike[key] = Prospects(following, unit, own_loss, turns_left, poll)
            found = _best_of(position, judge, unit, hopes, own_loss, poll) if hopes.aims else None
            if found is not None and (best is None or found.gain > best.gain + WORTHWHILE):
                best = found
    return best


def _free(game: Game) -> Iterator[Unit]:
    """The AFVs that may begin a move, or the one whose move is under way."""
    position = game.position
    if game.under_way is not None:
        yield position.units[game.under_way.unit]
        return
    for unit in position.movers():
        if next(unit_bars(position, unit, overruns=False), None) is None:
            yield unit


def _best_of(
    position: Position, judge: Judge, unit: Unit, hopes: Prospects, own_loss: float, poll: Poll
) -> Manoeuvre | None:
    """One AFV's best plain move."""
    assert unit.facing is not None
    movement = movement_graph(position, unit.type.movement_class, poll=poll)
    start = movement.codec.node(unit.hex, unit.facing)
    here = hopes.of(start)
    staying = 0.0 if here is None else here.value
    danger = Danger(position, unit, own_loss)
    ends = []
    for node, price, path in _ways(movement, start, unit, danger, poll):
        promise = hopes.of(node)
        if promise is None or node == start:
            continue
        gain = promise.value - price - staying
        if gain > WORTHWHILE:
            move = _move(movement, unit, path)
            ends.append((-gain, format_move(position, move), move, promise))
    best: Manoeuvre | None = None
    at_rest = judge.value([])
    for _, _, move, promise in sorted(ends, key=lambda end: end[:2])[:PLACES]:
        poll()
        if blocked(position, move):
            continue
        try:
            payoff = judge.value([move]) - at_rest
        except TooManyStatesError:
            continue
        found = Manoeuvre(move, payoff, promise, staying)
        if found.gain > (WORTHWHILE if best is None else best.gain + WORTHWHILE):
            best = found
    return best


_Weight = Callable[[int, int, dict[str, Any]], float | None]


def _ways(
    movement: MovementGraph, start: int, unit: Unit, danger: Danger, poll: Poll
) -> Iterator[tuple[int, float, list[int]]]:
    """The ways to every place within the AFV's movement points: the one of least danger where the
    points allow it, else the cheapest; each with its danger."""
    cutoff = movement.cutoff(unit.movement_left)
    graph, codec = movement.graph, movement.codec

    def priced(before: int, after: int, attributes: dict[str, Any]) -> float:
        if attributes["kind"] is not EdgeKind.ENTER:
            return 0.0
        place = codec.read(after)
        return danger.entering(place.hex, place.facing)

    def points(before: int, after: int, attributes: dict[str, Any]) -> float | None:
        overruns = attributes["kind"] is EdgeKind.OVERRUN
        return None if overruns else cast("int", attributes["weight"])

    cheapest = _paths(graph, start, points, cutoff)
    poll()
    within = graph.subgraph(cheapest)
    poll()

    def safest_first(before: int, after: int, attributes: dict[str, Any]) -> float | None:
        weight = points(before, after, attributes)
        # Danger counts; of equally safe ways the one of fewer points (a millionth of all it has).
        return None if weight is None else priced(before, after, attributes) + weight * tiny

    tiny = 1e-6 / max(1, cutoff)
    safest = _paths(within, start, safest_first, None)
    for node in sorted(cheapest):
        for path in (safest.get(node), cheapest[node]):
            if path is None:
                continue
            steps = [(a, b, graph.edges[a, b]) for a, b in pairwise(path)]
            if sum(edge["weight"] for _, _, edge in steps) <= cutoff:
                yield node, sum(priced(a, b, edge) for a, b, edge in steps), path
                break


def _paths(
    graph: nx.DiGraph[int], start: int, weight: _Weight, cutoff: float | None
) -> dict[int, list[int]]:
    return nx.single_source_dijkstra_path(graph, start, cutoff=cutoff, weight=weight)


def _move(movement: MovementGraph, unit: Unit, path: list[int]) -> PlannedMove:
    """The written move of a walk on the graph."""
    codec = movement.codec
    hexes = []
    faced = unit.facing
    for before, after in pairwise(path):
        if codec.hex_of(before) != codec.hex_of(after):
            hexes.append(codec.hex_of(after))
            faced = codec.read(after).facing
    facing = codec.read(path[-1]).facing
    return PlannedMove(unit.id, tuple(hexes), None, None if facing is faced else facing)
