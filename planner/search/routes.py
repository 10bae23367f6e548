"""Of all the cheapest routes to a node, the one whose printed move comes first in text order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from planner.game.board import Board
from planner.game.hexes import Hex
from planner.search.graph import EdgeKind, MovementGraph


def first_in_text_order(
    movement: MovementGraph,
    board: Board,
    weights: Mapping[int, int],
    start: int,
    approach: int,
    target: Hex,
) -> tuple[Hex, ...]:
    """The hexes entered from ``start`` to ``approach``, before the target hex.

    ``weights`` are least weights from ``start`` (`MovementGraph.distances`); an edge is *tight*
    when it lies on some route of least weight. What a route prints depends on the hexes it enters,
    and its node after each is fixed by them: the hex, faced as it was entered. So from each node
    where a hex has just been entered the best rest of the text is the least of "name of the next
    hex, then the best rest from there", over all hexes that tight turns and one tight entry lead
    to. Entries weigh at least 1, so nodes taken in order of falling weight find their successors
    done; the texts are compared whole, whatever marks the hexes' names hold.
    """
    between = _on_the_way(movement, weights, approach)
    ending = "x" + board.name(target)
    best: dict[int, tuple[str, int | None]] = {}
    for node in sorted(between, key=lambda node: -weights[node]):
        if node != start and not _just_entered(movement, weights, node):
            continue
        choices: list[tuple[str, int | None]] = []
        for facing in _turned(movement, weights, node):
            if facing == approach:
                choices.append((ending, None))
            for following in _entered(movement, weights, facing):
                if following in between:
                    name = board.name(movement.codec.read(following).hex)
                    joined = name if node == start else "-" + name
                    choices.append((joined + best[following][0], following))
        best[node] = min(choices, key=lambda choice: choice[0])
    path = []
    at = best[start][1]
    while at is not None:
        path.append(movement.codec.read(at).hex)
        at = best[at][1]
    return tuple(path)


def _on_the_way(movement: MovementGraph, weights: Mapping[int, int], end: int) -> set[int]:
    """All nodes on routes of least weight to ``end``."""
    found, frontier = {end}, [end]
    while frontier:
        node = frontier.pop()
        for before, attributes in movement.graph.pred[node].items():
            tight = weights.get(before, weights[node]) + attributes["weight"] == weights[node]
            if tight and before in weights and before not in found:
                found.add(before)
                frontier.append(before)
    return found


def _just_entered(movement: MovementGraph, weights: Mapping[int, int], node: int) -> bool:
    """Whether a tight edge enters the node's hex."""
    return any(
        attributes["kind"] is EdgeKind.ENTER
        and before in weights
        and weights[before] + attributes["weight"] == weights[node]
        for before, attributes in movement.graph.pred[node].items()
    )


def _turned(movement: MovementGraph, weights: Mapping[int, int], node: int) -> Iterator[int]:
    """The node and all that tight turns in its hex lead to, either way round."""
    graph = movement.graph
    yield node
    hex_, facing, _ = movement.codec.read(node)
    for way in (1, -1):
        here = node
        for hexsides in range(1, 6):
            there = movement.codec.node(hex_, facing.turned(way * hexsides))
            edge = graph.succ[here].get(there)
            if edge is None or weights.get(there) != weights[here] + edge["weight"]:
                break
            yield there
            here = there


def _entered(movement: MovementGraph, weights: Mapping[int, int], node: int) -> Iterator[int]:
    """The nodes that a tight entry leads to."""
    for there, attributes in movement.graph.succ[node].items():
        tight = weights.get(there) == weights[node] + attributes["weight"]
        if tight and attributes["kind"] is EdgeKind.ENTER:
            yield there
