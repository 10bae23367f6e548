"""The movement graph: one `networkx.DiGraph` whose walks are the moves of a movement class.

**Nodes** are integers. `Codec` turns them into places and back: ``6 · n + facing`` is "in hex
number n with that facing"; as many again stand for "ended an overrun there", and lead nowhere
(OVR-15: the move is over; so no walk holds two overruns).

**Edges** carry ``kind`` (`EdgeKind`) and ``points`` (movement points, exact):

- ``TURN``: one hexside left or right in the hex;
- ``ENTER``: forwards into the next hex, facing unchanged, where the ground lets the class in and no
  enemy unit stands (OVR-7);
- ``OVERRUN``: from the approach hex, through the target hex, into the exit hex, in the end state;
  ``target`` is the target hex. There is one wherever target and exit hex allow it (OVR-2, OVR-3,
  OVR-5 to OVR-7, OVR-13); its points are the overrun's own and those of both hexes (OVR-14).

A walk from an AFV's node within its movement points is a move, and every move is a walk: plain ones
end in an ordinary node, overruns in an end state. Whether there is room for one more AFV at the end
depends on which AFV it is, so that is judged at the end of the walk and not here. Lines, routes and
plain movement read this graph and nothing else: take an edge away and they do without it.

``weight`` is what searches add up: points times `MovementGraph.scale`, a whole number. Where a
chart has hexes that cost nothing an ``ENTER`` edge of 0 points weighs 1, far less than the least
points can, so that of moves at the same points one with fewest such hexes comes first and none runs
in circles.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from math import floor, lcm
from typing import Any, NamedTuple, TypeVar, cast
from weakref import WeakKeyDictionary

import networkx as nx

from evaluation.units import Kind
from planner.game.board import Board
from planner.game.entry import entry
from planner.game.hexes import DIRECTIONS, Direction, Hex
from planner.game.legality import target_ground
from planner.game.position import Position, Unit
from planner.game.rules import Points, Rules
from planner.search.effort import Poll, nothing

Edge = tuple[int, int, dict[str, Any]]
"""Node before, node after, attributes."""
POLL = 2048
"""After so many hexes or edges the building of a graph asks whether to go on."""
T = TypeVar("T")


class EdgeKind(Enum):
    """What an edge does."""

    TURN = "turn"
    ENTER = "enter"
    OVERRUN = "overrun"


class Node(NamedTuple):
    """What a node stands for; ``ended``: after an overrun, where the move is over."""

    hex: Hex
    facing: Direction
    ended: bool


@dataclass(frozen=True, eq=False)
class Codec:
    """Nodes' numbers. ``hexes`` are the map's, in the order of their coordinates."""

    hexes: tuple[Hex, ...]

    @cached_property
    def _first(self) -> Mapping[Hex, int]:
        return {hex_: 6 * index for index, hex_ in enumerate(self.hexes)}

    def node(self, hex_: Hex, facing: Direction, *, ended: bool = False) -> int:
        """The node for a hex and facing. Raises KeyError off the map."""
        return self._first[hex_] + facing + (6 * len(self.hexes) if ended else 0)

    def holds(self, hex_: Hex) -> bool:
        """Whether the hex has nodes."""
        return hex_ in self._first

    def hex_of(self, node: int) -> Hex:
        """The hex of a node: what `read` tells of it, at less expense."""
        return self.hexes[node % (6 * len(self.hexes)) // 6]

    def is_end(self, node: int) -> bool:
        """Whether the node is an end state."""
        return node >= 6 * len(self.hexes)

    def read(self, node: int) -> Node:
        """What a node stands for."""
        ended, place = divmod(node, 6 * len(self.hexes))
        return Node(self.hexes[place // 6], DIRECTIONS[place % 6], bool(ended))


@dataclass(frozen=True, eq=False)
class MovementGraph:
    """The graph of one movement class in one position, for the units of one side.

    ``graph`` is frozen, as it is shared; `nx.DiGraph(graph)` is a copy to change, and
    `dataclasses.replace` puts it in place. ``scale``: weight of one movement point.
    """

    graph: nx.DiGraph[int]
    codec: Codec
    movement_class: str
    side: str
    scale: int
    _free_hexes: int

    def cutoff(self, points: Points) -> int:
        """The greatest weight of a walk that costs at most so many movement points."""
        step = self._free_hexes
        return floor(Fraction(points) * (self.scale // step)) * step + step - 1

    def points(self, weight: int) -> Points:
        """Movement points of a walk of that weight."""
        exact = Fraction(weight // self._free_hexes * self._free_hexes, self.scale)
        return exact.numerator if exact.denominator == 1 else exact

    def distances(self, start: int, points: Points | None = None) -> dict[int, int]:
        """The least weight to every node within so many movement points (None: all)."""
        cutoff = None if points is None else self.cutoff(points)
        found = nx.single_source_dijkstra_path_length(
            self.graph, start, cutoff=cutoff, weight="weight"
        )
        return cast("dict[int, int]", found)  # sums of whole weights, whatever the stubs say


def movement_graph(
    position: Position, movement_class: str, side: str | None = None, poll: Poll = nothing
) -> MovementGraph:
    """The movement graph of a class for one side's units (the side to move, unless given).

    The whole map's is built, once for all AFVs of the class. What depends on the ground alone is
    kept with the board, and so are the last few graphs: they depend on the position only by the
    kinds of enemy units in each hex. ``poll`` is called now and then while it is built and may
    raise to stop that.

    Raises:
        KeyError: the rules have no such movement class.
    """
    side = position.to_move if side is None else side
    enemies = _enemies(position, side)
    kept = _graphs.get(position.board)
    if kept is None:
        kept = _graphs.setdefault(position.board, {})
    held = frozenset((hex_, frozenset(kinds)) for hex_, kinds in enemies.items())
    key = (id(position.rules), movement_class, side, held)
    found = kept.pop(key, None)
    if found is None or found[0] is not position.rules:
        base = _base(position.board, position.rules, movement_class, poll)
        found = position.rules, _build(position, base, movement_class, side, enemies, poll)
    kept[key] = found  # the last asked for stands last
    for old in list(kept)[:-MOST_GRAPHS]:
        kept.pop(old, None)  # another thread may have been as quick
    return found[1]


def graph_over(position: Position, unit: Unit, hexes: Iterable[Hex]) -> MovementGraph:
    """The movement graph of one unit's class and side over some hexes of the map alone: made anew
    each time, and quickly where they are few. Raises as `movement_graph`."""
    board, rules, movement_class = position.board, position.rules, unit.type.movement_class
    base = _survey(board, rules, movement_class, hexes, nothing)
    enemies = _enemies(position, unit.side)
    return _build(position, base, movement_class, unit.side, enemies, nothing)


def within_reach(position: Position, unit: Unit) -> set[Hex]:
    """The hexes that a unit could enter with the movement points it has left if no turn cost
    anything and no enemy stood in its way: those of all its moves, target and exit hexes included,
    are among them."""
    done: set[Hex] = set()
    heap: list[tuple[Points, Hex]] = [(0, unit.hex)]
    while heap:
        spent, here = heappop(heap)
        if here in done:
            continue
        done.add(here)
        for direction in DIRECTIONS:
            there = here.neighbour(direction)
            if there in done or there not in position.board:
                continue
            points = entry(
                position.rules, position.board, unit.type.movement_class, here, there
            ).cost
            if points is not None and spent + points <= unit.movement_left:
                heappush(heap, (spent + points, there))
    return done


def _polled(found: Iterable[T], poll: Poll) -> Iterator[T]:
    """The same, ``poll`` called now and then."""
    for number, one in enumerate(found):
        if number % POLL == 0:
            poll()
        yield one


MOST_GRAPHS = 12
"""So many graphs are kept of one map: a game asks for the same again as long as no hex is won or
lost."""
_Key = tuple[int, str, str, frozenset[tuple[Hex, frozenset[Kind]]]]
_graphs: WeakKeyDictionary[Board, dict[_Key, tuple[Rules, MovementGraph]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class _Base:
    """What the ground alone says for one class: the edges of an empty map, as pairs of nodes.

    ``enters`` holds them by their points: few different numbers, so that the pairs can be kept
    without attributes of their own.
    """

    codec: Codec
    scale: int
    free_hexes: int
    turn: Points
    turns: tuple[tuple[int, int], ...]
    enters: Mapping[Points, tuple[tuple[int, int], ...]]


_bases: WeakKeyDictionary[Board, WeakKeyDictionary[Rules, dict[str, _Base]]] = WeakKeyDictionary()


def _base(board: Board, rules: Rules, movement_class: str, poll: Poll) -> _Base:
    by_rules = _bases.get(board)
    if by_rules is None:
        by_rules = _bases.setdefault(board, WeakKeyDictionary())
    kept = by_rules.get(rules)
    if kept is None:
        kept = by_rules.setdefault(rules, {})
    found = kept.get(movement_class)
    if found is None:
        found = kept[movement_class] = _survey(board, rules, movement_class, board.ground, poll)
    return found


def _survey(
    board: Board, rules: Rules, movement_class: str, hexes: Iterable[Hex], poll: Poll
) -> _Base:
    """What the ground of some hexes says."""
    codec = Codec(tuple(sorted(hexes)))
    enters: dict[Points, list[tuple[int, int]]] = {}
    for here in _polled(codec.hexes, poll):
        for facing in DIRECTIONS:
            there = here.neighbour(facing)
            if not codec.holds(there):
                continue
            points = entry(rules, board, movement_class, here, there).cost
            if points is not None:
                edge = (codec.node(here, facing), codec.node(there, facing))
                enters.setdefault(points, []).append(edge)
    turn = rules.classes[movement_class].turn
    turns = tuple(
        (codec.node(here, facing), codec.node(here, facing.turned(hexsides)))
        for here in _polled(codec.hexes, poll)
        for facing in DIRECTIONS
        for hexsides in (1, -1)
    )
    whole = lcm(*(Fraction(points).denominator for points in (*enters, turn, rules.overrun_cost)))
    # A walk of least weight enters no node twice, so it has fewer free hexes than this.
    free_hexes = 12 * len(codec.hexes) + 1 if 0 in enters else 1
    kept = {points: tuple(edges) for points, edges in enters.items()}
    return _Base(codec, whole * free_hexes, free_hexes, turn, turns, kept)


def _build(
    position: Position,
    base: _Base,
    movement_class: str,
    side: str,
    enemies: Mapping[Hex, set[Kind]],
    poll: Poll,
) -> MovementGraph:
    within = [hex_ for hex_ in enemies if base.codec.holds(hex_)]
    closed = {base.codec.node(hex_, facing) for hex_ in within for facing in DIRECTIONS}
    graph: nx.DiGraph[int] = nx.DiGraph()
    turns = _polled(base.turns, poll)
    graph.add_edges_from(
        turns, kind=EdgeKind.TURN, points=base.turn, weight=int(base.turn * base.scale)
    )
    for points, edges in base.enters.items():
        graph.add_edges_from(
            (edge for edge in _polled(edges, poll) if edge[1] not in closed),
            kind=EdgeKind.ENTER,
            points=points,
            weight=int(points * base.scale) or 1,
        )
    for before, after, points, target in _overruns(
        position, base.codec, movement_class, enemies, enemies
    ):
        weight = int(points * base.scale)
        graph.add_edge(
            before, after, kind=EdgeKind.OVERRUN, points=points, weight=weight, target=target
        )
    return MovementGraph(
        nx.freeze(graph), base.codec, movement_class, side, base.scale, base.free_hexes
    )


def opened_edges(
    position: Position, movement: MovementGraph, hexes: Iterable[Hex]
) -> Iterator[Edge]:
    """The edges that a graph gains as soon as no enemy unit is left in one of these hexes: entries
    into it, and overruns that end in it. Their attribute ``needs`` is the hex that must be empty;
    hexes without an enemy unit give none. The graph itself holds none of these edges.
    """
    rules, board, codec = position.rules, position.board, movement.codec
    enemies = _enemies(position, movement.side)
    opened = sorted({hex_ for hex_ in hexes if hex_ in enemies})
    for there in opened:
        for direction in DIRECTIONS:
            here = there.neighbour(direction.opposite)
            if here not in board:
                continue
            points = entry(rules, board, movement.movement_class, here, there).cost
            if points is not None:
                weight = int(points * movement.scale) or 1
                kind = {"kind": EdgeKind.ENTER, "points": points, "weight": weight}
                before, after = codec.node(here, direction), codec.node(there, direction)
                yield before, after, {**kind, "needs": there}
    others = {hex_: kinds for hex_, kinds in enemies.items() if hex_ not in opened}
    overruns = _overruns(position, codec, movement.movement_class, enemies, frozenset(others))
    for before, after, points, target in overruns:
        beyond = codec.read(after).hex
        if beyond in enemies:
            weight = int(points * movement.scale)
            kind = {"kind": EdgeKind.OVERRUN, "points": points, "weight": weight}
            yield before, after, {**kind, "target": target, "needs": beyond}


def _enemies(position: Position, side: str) -> Mapping[Hex, set[Kind]]:
    """The kinds of the units that a side's enemy has in each hex where it has any."""
    return {
        hex_: {unit.kind for unit in units if unit.side != side}
        for hex_, units in position.standing.items()
        if any(unit.side != side for unit in units)
    }


def _overruns(
    position: Position,
    codec: Codec,
    movement_class: str,
    enemies: Mapping[Hex, set[Kind]],
    closed: Container[Hex],
) -> Iterator[tuple[int, int, Points, Hex]]:
    """Every overrun that ground and enemies allow: nodes before and after, points, target hex. None
    ends in a ``closed`` hex."""
    rules, board = position.rules, position.board
    for target, kinds in enemies.items():
        if Kind.AFV in kinds or next(target_ground(position, target), None) is not None:
            continue
        for direction in DIRECTIONS:
            approach = target.neighbour(direction.opposite)
            beyond = target.neighbour(direction)
            on_graph = codec.holds(approach) and codec.holds(target) and codec.holds(beyond)
            if not on_graph or beyond in closed:
                continue
            way_in = entry(rules, board, movement_class, approach, target).cost
            way_out = entry(rules, board, movement_class, target, beyond).cost
            if way_in is not None and way_out is not None:
                points = rules.overrun_cost + way_in + way_out
                before = codec.node(approach, direction)
                yield before, codec.node(beyond, direction, ended=True), points, target
