"""Where room may be short, and which AFVs' plain moves can therefore matter.

**Plain moves.** A move without an overrun strikes nothing, and the defender may hold his fire
against it. Then nothing has changed but where the AFV stands. So without objectives it adds to a
plan only through room (OVR-7), by leaving a hex where a later move ends: it *makes that move
possible*. A plan's proof speaks of plain moves to that purpose:

- of an AFV that stands where another's overrun may end and room may be short; and of one that
  stands where such a plain move has to end, and so on;
- into *free* hexes, where it is in nobody's way: no objective, and room for all that may stand
  there, whatever the plan. Into another hex, or through hexes that must be cleared first, only if
  it can't go to enough free ones (`ways_out`) as safely without. Where that makes too many moves
  fewer are looked at (`Domain`).

Moves that do nothing but bar another's way are none of them. With objectives, standing on one or
leaving it is worth something by itself, and all plain moves from or to an objective are added;
another plain move adds nothing to that.

**Contested hexes.** Where an AFV ends, or is stopped, matters to others only where room may be
short or an objective lies. `Stacking` finds these hexes from what is in reach of each AFV,
whatever the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from planner.game.hexes import Hex
from planner.game.position import Position
from planner.search.dominance import Windows, may_be_stopped
from planner.search.movers import Mover, standing_still
from planner.search.openings import Openings
from planner.search.strides import rest


class Domain(Enum):
    """Which ways out are looked at; the next where one makes too many moves.

    ``AS_SAFE``: into free hexes, and others for which there are not enough of these as safe.
    ``FREE``: into free hexes, and others only of AFVs that have not enough free ones at all.
    ``NEAREST``: of those, by the cheapest way into each hex alone, and only into as many hexes as
    are enough.
    """

    AS_SAFE = "as safe"
    FREE = "free"
    NEAREST = "nearest"


class Stacking:
    """Contested hexes of a position, and the AFVs whose plain moves are in question.

    ``rest``: for each AFV the least weight from each node on the way to an overrun to the end of
    one. ``leaving``: ids of the AFVs that stand where another's move may end and room may be short,
    or on an objective.
    """

    def __init__(
        self,
        position: Position,
        movers: Sequence[Mover],
        openings: Openings,
        windows: Mapping[str, Windows],
        domain: Domain = Domain.AS_SAFE,
    ) -> None:
        self.domain = domain
        self.objectives = frozenset(objective.hex for objective in position.objectives)
        self.rest: dict[str, Mapping[int, int]] = {}
        self.leaving: frozenset[str] = frozenset()
        self.short: frozenset[Hex] = frozenset()
        self._movers = movers
        self._openings = openings
        self._windows = windows
        self._limit = position.rules.stacking_limit
        self._still = standing_still(position, [mover.unit for mover in movers])
        self._stops = may_be_stopped(position)
        self._ending: dict[Hex, set[str]] = {}
        self._known: dict[tuple[str, bool], dict[Hex, list[int]]] = {}
        for mover in movers:
            name = mover.unit.id
            weights = openings.weights[name]
            taken = mover.taking(openings.allowed(name))
            ends = [node for node in weights if mover.end(node) is not None]
            self.rest[name] = rest(mover.strides, weights, ends, mover.cutoff, taken)
            for node in ends:
                self._ending.setdefault(mover.hex(node), set()).add(name)
        self._settle()

    def add_ends(self, unit: str, hexes: Iterable[Hex]) -> bool:
        """Book that plain moves of an AFV may end in hexes that are not free. Whether that changes
        which hexes are short of room or which AFVs' plain moves are in question."""
        new = [hex_ for hex_ in hexes if unit not in self._ending.get(hex_, ())]
        if not new:
            return False
        before = (self.short, self.leaving)
        for hex_ in new:
            self._ending.setdefault(hex_, set()).add(unit)
        self._settle()
        return before != (self.short, self.leaving)

    def _settle(self) -> None:
        """Find where room may be short. AFVs whose plain moves are in question may be stopped in
        more hexes, so again until it holds."""
        while True:
            self._nodes = {mover.unit.id: self._on_the_way(mover) for mover in self._movers}
            self._sizes: dict[Hex, int] = {}
            self.short = frozenset(h for h in self._ending if self._size(h) > self._limit)
            leaving = frozenset(
                mover.unit.id
                for mover in self._movers
                if mover.unit.hex in self.objectives
                or self._matters_to_others(mover.unit.id, mover.unit.hex)
            )
            if leaving <= self.leaving:
                return
            self.leaving |= leaving

    def _on_the_way(self, mover: Mover) -> Mapping[Hex, list[int]]:
        """The nodes that an AFV's moves in question enter, by hex."""
        name = mover.unit.id
        plain = self.plain(name)
        known = self._known.get((name, plain))
        if known is None:
            known = self._known[name, plain] = {}
            for node in self._openings.weights[name] if plain else self.rest[name]:
                if node != mover.start and mover.end(node) is None:
                    known.setdefault(mover.hex(node), []).append(node)
        return known

    def _size(self, hex_: Hex) -> int:
        """The sizes of all that may stand in a hex: those who stay there anyway, and AFVs that
        start there, end an overrun there, or may be stopped there."""
        found = self._sizes.get(hex_)
        if found is None:
            if self._movers:
                self._movers[0].poll()
            found = self._still.get(hex_, 0)
            for mover in self._movers:
                if self._may_stand(mover, hex_):
                    found += mover.unit.type.size
            self._sizes[hex_] = found
        return found

    def _may_stand(self, mover: Mover, hex_: Hex) -> bool:
        name = mover.unit.id
        if mover.unit.hex == hex_ or name in self._ending.get(hex_, ()):
            return True
        nodes = self._nodes[name].get(hex_, ()) if self._stops else ()
        return any(self._windows[name].shots(node) for node in nodes)

    def plain(self, unit: str) -> bool:
        """Whether plain moves of an AFV are in question."""
        return bool(self.objectives) or unit in self.leaving

    @property
    def ways_out(self) -> int:
        """So many free hexes are enough for an AFV: one is left when all others whose plain moves
        are in question have taken one each."""
        return sum(1 for mover in self._movers if self.plain(mover.unit.id))

    def free(self, mover: Mover, hex_: Hex) -> bool:
        """Whether the AFV, having left its hex for a later move that ends there, is in nobody's way
        in another, and always finds room there.

        An AFV that makes that later move stands where it started when this one moves. If nobody
        else's move may end in the hex, that is all that matters of it.
        """
        if hex_ in self.objectives:
            return False
        size = self._size(hex_)
        if not self._may_stand(mover, hex_):
            size += mover.unit.type.size
        return size - self._sure_to_be_elsewhere(mover, hex_) <= self._limit

    def _sure_to_be_elsewhere(self, mover: Mover, hex_: Hex) -> int:
        """The size to be left out in a hex, whichever AFV it is that the other leaves for."""
        later = self._ending.get(mover.unit.hex, set()) - {mover.unit.id}
        away = []
        for other in self._movers:
            if other.unit.id in later:
                others = self._ending.get(hex_, set()) - {mover.unit.id, other.unit.id}
                elsewhere = other.unit.hex != hex_ and not others and self._may_stand(other, hex_)
                away.append(other.unit.type.size if elsewhere else 0)
        return min(away, default=0)

    def _matters_to_others(self, unit: str, hex_: Hex) -> bool:
        return hex_ in self.short and bool(self._ending[hex_] - {unit})

    def stops_that_matter(self, unit: str) -> frozenset[Hex]:
        """The hexes where it matters that an AFV is stopped."""
        return self.objectives | {h for h in self.short if self._matters_to_others(unit, h)}
