"""The AFVs that may move, and what each may do on the movement graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from evaluation.units import Kind
from planner.game.hexes import Hex
from planner.game.legality import unit_bars
from planner.game.position import Position, Unit
from planner.search.effort import Poll, Wishes, nothing
from planner.search.graph import MovementGraph
from planner.search.lines import graph_for
from planner.search.strides import Stride, Strides

POLL = 256
"""After so many strides looked at the search asks whether to go on."""


@dataclass(frozen=True, eq=False)
class Mover:
    """An AFV that may move in this phase.

    ``start`` is its node, ``cutoff`` the greatest weight of a move, ``overruns`` whether it may
    overrun at all. ``closed``: hexes where it can't end its move whoever leaves; ``avoid`` and
    ``target`` are the player's wishes.
    """

    unit: Unit
    strides: Strides
    start: int
    cutoff: int
    overruns: bool
    closed: frozenset[Hex] = frozenset()
    avoid: frozenset[Hex] = frozenset()
    target: Hex | None = None
    poll: Poll = nothing
    _ends: dict[int, tuple[Hex, Hex]] = field(default_factory=dict, repr=False)

    def taking(self, opened: frozenset[Hex]) -> Callable[[Stride], bool]:
        """Whether a stride may be taken when just those enemy-held hexes can have been cleared."""

        asked = count(1)

        def may_take(stride: Stride) -> bool:
            if next(asked) % POLL == 0:
                self.poll()
            if stride.needs is not None and stride.needs not in opened:
                return False
            if stride.hex in self.avoid:
                return False
            if stride.target is None:
                return True
            return (
                self.overruns
                and stride.hex not in self.closed
                and stride.target not in self.avoid
                and (self.target is None or stride.target == self.target)
            )

        return may_take

    def end(self, node: int) -> tuple[Hex, Hex] | None:
        """Target and exit hex of an end state; None for any other node."""
        codec = self.strides.movement.codec
        if not codec.is_end(node):
            return None
        found = self._ends.get(node)
        if found is None:
            place = codec.read(node)
            found = self._ends[node] = (place.hex.neighbour(place.facing.opposite), place.hex)
        return found

    def hex(self, node: int) -> Hex:
        """The hex of a node."""
        return self.strides.movement.codec.hex_of(node)

    def targets(self, nodes: Iterable[int]) -> Iterator[Hex]:
        """The target hexes of the end states among some nodes."""
        for node in nodes:
            end = self.end(node)
            if end is not None:
                yield end[0]


def movers(
    position: Position,
    wishes: Wishes,
    graphs: Mapping[str, MovementGraph] | None = None,
    poll: Poll = nothing,
) -> tuple[Mover, ...]:
    """The AFVs that may move and that the player does not hold back, in text order.

    ``graphs`` are movement graphs by movement class to read instead of the position's own;
    ``poll`` is called now and then while their moves are looked for, and may raise to stop that.
    """
    free = [
        unit
        for unit in position.movers()
        if unit.facing is not None
        and unit.id not in wishes.stay
        and (wishes.only is None or unit.id in wishes.only)
        and next(unit_bars(position, unit, overruns=False), None) is None
    ]
    strides: dict[str, Strides] = {}
    found = []
    for unit in free:
        movement = graph_for(position, unit, graphs, poll)
        poll()
        known = strides.get(movement.movement_class)
        if known is None:
            known = strides[movement.movement_class] = Strides(position, movement, held(position))
        assert unit.facing is not None
        mover = Mover(
            unit,
            known,
            movement.codec.node(unit.hex, unit.facing),
            movement.cutoff(unit.movement_left),
            next(unit_bars(position, unit), None) is None,
            _closed(position, unit, free),
            wishes.avoid,
            wishes.target,
            poll,
        )
        found.append(mover)
    return tuple(found)


def _closed(position: Position, unit: Unit, free: Iterable[Unit]) -> frozenset[Hex]:
    """The hexes where those who can't move leave no room for one more."""
    taken = standing_still(position, free)
    room = position.rules.stacking_limit - unit.type.size
    return frozenset(hex_ for hex_, size in taken.items() if size > room)


def standing_still(position: Position, free: Iterable[Unit]) -> dict[Hex, int]:
    """The sizes of the mover's units in each hex that are none of those ``free`` to move."""
    names = {unit.id for unit in free}
    taken: dict[Hex, int] = {}
    for hex_, units in position.standing.items():
        for unit in units:
            if unit.side == position.to_move and unit.id not in names:
                taken[hex_] = taken.get(hex_, 0) + unit.type.size
    return taken


def held(position: Position) -> Iterator[Hex]:
    """The hexes that hold enemy units, none of them an AFV (OVR-3: those are never struck)."""
    for hex_ in sorted(position.standing):
        enemies = position.enemies_in(hex_)
        if enemies and all(unit.kind is not Kind.AFV for unit in enemies):
            yield hex_
