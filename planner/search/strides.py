"""Movement in strides: turns and the entry or overrun that they are for, taken as one step.

The movement graph turns an AFV one hexside at a time. Every search over moves asks the same of it:
from a hex just entered, which hexes next, at what weight, all turns counted? A *stride* answers
that. Strides are read off the graph as they are asked for, and the edges that wait for a hex to be
cleared (`planner.search.graph.opened_edges`) are read along with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from planner.game.hexes import Hex
from planner.game.position import Position
from planner.search.graph import EdgeKind, MovementGraph, opened_edges


@dataclass(frozen=True, slots=True)
class Stride:
    """One step of a move: ``node`` where it leads and that node's hex, its weight with all turns,
    the hex it overruns (None: it enters the next hex), and the hex entered that must have been
    cleared of enemy units before (None: there are none now)."""

    node: int
    hex: Hex
    weight: int
    target: Hex | None
    needs: Hex | None


class Strides:
    """The strides from every node of one movement graph, with some hexes thought to be opened."""

    def __init__(
        self, position: Position, movement: MovementGraph, opened: Iterable[Hex] = ()
    ) -> None:
        self.movement = movement
        self._opened: dict[int, list[tuple[int, dict[str, Any]]]] = {}
        for before, after, attributes in opened_edges(position, movement, opened):
            self._opened.setdefault(before, []).append((after, attributes))
        self._from: dict[int, tuple[Stride, ...]] = {}

    def of(self, node: int) -> tuple[Stride, ...]:
        """The strides from a node, in the order of the nodes they lead to."""
        found = self._from.get(node)
        if found is None:
            found = tuple(sorted(self._read(node), key=lambda stride: stride.node))
            self._from[node] = found
        return found

    def _read(self, node: int) -> Iterator[Stride]:
        codec, succ = self.movement.codec, self.movement.graph.succ
        if node not in succ:
            return  # the end of an overrun that only an opened hex allows
        for facing, turned in self._turned(node).items():
            edges = [*succ[facing].items(), *self._opened.get(facing, ())]
            for there, attributes in edges:
                if attributes["kind"] is not EdgeKind.TURN:
                    yield Stride(
                        there,
                        codec.hex_of(there),
                        turned + attributes["weight"],
                        attributes.get("target"),
                        attributes.get("needs"),
                    )

    def _turned(self, node: int) -> Mapping[int, int]:
        """The facings that turns lead to in the node's hex, each with its least weight."""
        succ = self.movement.graph.succ
        done: dict[int, int] = {}
        heap = [(0, node)]
        while heap:
            weight, here = heappop(heap)
            if here in done:
                continue
            done[here] = weight
            for there, attributes in succ[here].items():
                if attributes["kind"] is EdgeKind.TURN and there not in done:
                    heappush(heap, (weight + attributes["weight"], there))
        return done


def reach(
    strides: Strides, start: int, cutoff: int, may_take: Callable[[Stride], bool]
) -> dict[int, int]:
    """The least weight to every node, end states included, over strides that may be taken."""
    done: dict[int, int] = {}
    heap = [(0, start)]
    while heap:
        weight, here = heappop(heap)
        if here in done:
            continue
        done[here] = weight
        for stride in strides.of(here):
            further = weight + stride.weight
            if further <= cutoff and stride.node not in done and may_take(stride):
                heappush(heap, (further, stride.node))
    return done


def rest(
    strides: Strides,
    weights: Mapping[int, int],
    ends: Iterable[int],
    cutoff: int,
    may_take: Callable[[Stride], bool],
) -> dict[int, int]:
    """The least weight from each node reached to any of the ends, within the cutoff in all."""
    before: dict[int, list[tuple[int, int]]] = {}
    for here, weight in weights.items():
        for stride in strides.of(here):
            if stride.node in weights and weight + stride.weight <= cutoff and may_take(stride):
                before.setdefault(stride.node, []).append((here, stride.weight))
    done: dict[int, int] = {}
    heap = [(0, end) for end in sorted(set(ends))]
    while heap:
        left, here = heappop(heap)
        if here in done:
            continue
        done[here] = left
        for earlier, weight in before.get(here, ()):
            if earlier not in done and weights[earlier] + weight + left <= cutoff:
                heappush(heap, (left + weight, earlier))
    return done
