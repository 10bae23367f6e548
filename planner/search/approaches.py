"""Every approach worth having to every overrun line of an AFV: label-setting with dominance.

Many routes lead to the same line. A *label* is a route so far, with its weight in movement points
and the windows of fire that it opened, in order; a window is the set of shots that it offers and
that can do anything to this AFV, and windows that offer none are left out.

**Dominance.** Label Q beats label P at a node when Q is no dearer and Q's windows can be mapped, in
order (two may go to the same), to windows of P that offer at least the same shots. Then whatever
follows, P is worth no more to the mover: on P the defender can copy every reply it could make on Q.
It declares in the image of a window of Q the shots that it would have declared in that window, with
the same weapons, leaders, strengths and modifiers, and so the same chances; it declares nothing
elsewhere. Every state of the AFV and of the defender's units then comes with the same probability
at the end of both, so the best reply on P leaves the mover at most what the best reply on Q leaves.
What is not the same is the hex where an AFV is stopped; the comparison is over the fight, and holds
for the plan unless room or an objective in just that hex matters to it.

Labels are taken in order of weight, and of equal ones in text order, so one that is kept is never
beaten by a later one that is cheaper.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import cast

import networkx as nx

from evaluation.script import Enter
from planner.game.hexes import Hex
from planner.game.legality import no_room, unit_bars
from planner.game.moves import PlannedMove
from planner.game.position import Position, Unit
from planner.search.exposure import window
from planner.search.graph import EdgeKind, MovementGraph
from planner.search.lines import graph_for

Window = frozenset[Hashable]
Threats = Callable[[str, Enter], Window]


@dataclass(frozen=True, slots=True)
class _Label:
    """A route to a node: its weight, the hexes it enters, and the windows of fire it opens."""

    weight: int
    path: tuple[Hex, ...]
    windows: tuple[Window, ...]


@dataclass(frozen=True, slots=True)
class Approaches:
    """The moves kept for one line, the cheapest first."""

    unit: str
    target: Hex
    exit: Hex
    moves: tuple[PlannedMove, ...]


def approaches(
    position: Position,
    unit: Unit,
    threats: Threats,
    avoid: frozenset[Hex] = frozenset(),
    graphs: Mapping[str, MovementGraph] | None = None,
) -> tuple[Approaches, ...]:
    """All moves of an AFV to its overrun lines that no other move to the same line beats.

    ``threats`` says which shots of a window can do anything to the AFV
    (`evaluation.value.Evaluator.threats`); no move enters a hex to ``avoid``. In no order that
    means anything; none for an AFV that may not overrun.
    """
    if unit.facing is None or any(True for _ in unit_bars(position, unit)):
        return ()
    movement = graph_for(position, unit, graphs)
    search = _Search(position, unit, movement, threats, avoid)
    return tuple(search.run())


class _Search:
    def __init__(
        self,
        position: Position,
        unit: Unit,
        movement: MovementGraph,
        threats: Threats,
        avoid: frozenset[Hex],
    ) -> None:
        self.position = position
        self.unit = unit
        self.movement = movement
        self.avoid = avoid
        self.cutoff = movement.cutoff(unit.movement_left)
        self._threats = threats
        self._windows: dict[int, Window] = {}
        self._names = position.board.name

    def run(self) -> Iterator[Approaches]:
        """Set labels from the AFV's node, then read the lines off the approach nodes."""
        assert self.unit.facing is not None
        graph, codec = self.movement.graph, self.movement.codec
        start = codec.node(self.unit.hex, self.unit.facing)
        ends = sorted(self._ends(start))
        rest = self._rest(ends)
        kept: dict[int, list[_Label]] = {}
        tick = 0
        heap: list[tuple[int, tuple[str, ...], int, int, _Label]] = []
        if start in rest:
            heap.append((0, (), tick, start, _Label(0, (), ())))
        while heap:
            _, text, _, node, label = heappop(heap)
            labels = kept.setdefault(node, [])
            if any(_embeds(other.windows, label.windows) for other in labels):
                continue
            labels.append(label)
            for there, attributes in graph.succ[node].items():
                weight = label.weight + attributes["weight"]
                if there not in rest or weight + rest[there] > self.cutoff:
                    continue
                path, windows, words = label.path, label.windows, text
                if attributes["kind"] is EdgeKind.ENTER:
                    hex_ = codec.read(there).hex
                    path, words = (*path, hex_), (*text, self._names(hex_))
                    opened = self._window(there)
                    windows = (*windows, opened) if opened else windows
                elif attributes["kind"] is EdgeKind.OVERRUN:
                    continue
                tick += 1
                heappush(heap, (weight, words, tick, there, _Label(weight, path, windows)))
        for end in ends:
            yield from self._line(end, kept)

    def _ends(self, start: int) -> Iterator[int]:
        """End states in reach where there is room and that no wish forbids."""
        codec = self.movement.codec
        for end in self.movement.distances(start, self.unit.movement_left):
            place = codec.read(end)
            if not place.ended or place.hex in self.avoid:
                continue
            if next(no_room(self.position, self.unit, place.hex), None) is None:
                yield end

    def _rest(self, ends: Iterable[int]) -> Mapping[int, int]:
        """The least weight from each node to any of the ends, avoided hexes left out."""
        graph = self.movement.graph
        if self.avoid:
            codec = self.movement.codec
            graph = nx.subgraph_view(
                graph, filter_node=lambda node: codec.read(node).hex not in self.avoid
            )
        sources = [end for end in ends if not self._target_avoided(end)]
        if not sources:
            return {}
        found = nx.multi_source_dijkstra_path_length(
            graph.reverse(copy=False), set(sources), cutoff=self.cutoff, weight="weight"
        )
        return cast("Mapping[int, int]", found)  # sums of whole weights, whatever the stubs say

    def _target_avoided(self, end: int) -> bool:
        ((_, _, attributes),) = self.movement.graph.in_edges(end, data=True)
        return attributes["target"] in self.avoid

    def _window(self, node: int) -> Window:
        found = self._windows.get(node)
        if found is None:
            place = self.movement.codec.read(node)
            step = window(self.position, place.hex, place.facing, None)
            found = self._windows[node] = self._threats(self.unit.id, step)
        return found

    def _line(self, end: int, kept: Mapping[int, list[_Label]]) -> Iterator[Approaches]:
        ((approach, _, attributes),) = self.movement.graph.in_edges(end, data=True)
        target: Hex = attributes["target"]
        beyond = self.movement.codec.read(end).hex
        room = self.cutoff - attributes["weight"]
        moves = tuple(
            PlannedMove(self.unit.id, (*label.path, target, beyond), target=len(label.path))
            for label in kept.get(approach, ())
            if label.weight <= room
        )
        if moves and target not in self.avoid:
            yield Approaches(self.unit.id, target, beyond, moves)


def _embeds(these: tuple[Window, ...], those: tuple[Window, ...]) -> bool:
    """Whether windows map, in order, to windows that offer at least the same shots."""
    at = 0
    for one in these:
        while at < len(those) and not one <= those[at]:
            at += 1
        if at == len(those):
            return False
    return True
