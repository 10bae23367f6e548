"""Every move worth having of one AFV: label-setting with the dominance of
`planner.search.dominance`.

A *label* is a simple path so far: its weight in movement points, the hexes it enters, its windows,
and the hexes it enters that must have been cleared. Labels are taken in order of weight, and of
equal ones in text order. At a node (a hex just entered, with the facing) label Q makes label P
superfluous when it needs the same hexes cleared, Q's windows embed in P's, Q was taken before P,
and every hex that Q enters before the last one it needs cleared is one that P enters too.

**Why nothing worth having is lost.** Let P go on to a whole move by some further steps E. Then Q
and E is a move no dearer, whose windows embed in those of P and E, which needs the same hexes
cleared, and which ends alike: by the rule it beats P and E. If a hex of E is one that Q has entered
already, the move crosses itself; it is cut short there: go on from where the hex was first entered.
That turns no more (turning straight costs no more than turning by way of other hexes), opens fewer
windows, and needs the same hexes still, because the hexes that Q enters up to the last one it needs
are P's too, and E enters none of P's. The new move comes before P and E in weight or, at equal
weight, in text; so replacing again and again ends, with a move that is kept. At the end of a line,
where nothing follows, order and hexes do not matter and the whole rule is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from planner.game.hexes import Hex
from planner.game.moves import PlannedMove
from planner.game.position import Position
from planner.search.dominance import Window, Windows, embeds, extended
from planner.search.movers import Mover
from planner.search.openings import Openings
from planner.search.stacking import Domain, Stacking
from planner.search.strides import Stride, rest

MOST_WAYS_OUT = 40
"""Plain moves of one AFV into hexes that are not free that are looked at; if there are more the
domain is narrowed (`planner.search.stacking.Domain`)."""
MOST_FREE = 60
"""Likewise plain moves into free hexes."""

Needs = frozenset[Hex]
NOTHING: Needs = frozenset()


class TooManyWaysOutError(Exception):
    """There are too many plain moves for all to be looked at."""


@dataclass(frozen=True, slots=True)
class Label:
    """A path so far; ``head`` are the hexes entered before the last one that must be cleared,
    ``shots`` those of all its windows."""

    weight: int
    path: tuple[Hex, ...]
    windows: tuple[Window, ...]
    needs: Needs
    head: frozenset[Hex]
    shots: int

    def embeds(self, other: Label) -> bool:
        """Whether its windows embed in the other's (`planner.search.dominance.embeds`)."""
        return not self.shots & ~other.shots and embeds(self.windows, other.windows)


MOST_LABELS = 20_000
"""So many routes, to all hexes together, are looked at for one AFV."""


class TooManyRoutesError(ValueError):
    """An AFV has so many routes worth looking at that its best moves can't all be found."""


@dataclass(frozen=True, slots=True)
class Approach:
    """A move that is kept, with the hexes that must be cleared before it is legal."""

    move: PlannedMove
    needs: Needs


def approaches(
    position: Position,
    mover: Mover,
    openings: Openings,
    stacking: Stacking,
    windows: Windows,
) -> tuple[Approach, ...]:
    """All moves of an AFV, overruns without passengers' weapons and plain moves in question, that
    no other beats, in no order that means anything.

    Raises:
        KeyError: the AFV is none of those that openings and stacking were found for.
        TooManyRoutesError: more than `MOST_LABELS` routes are worth looking at.
        TooManyWaysOutError: more than `MOST_WAYS_OUT` plain moves into hexes that are not free, or
            more than `MOST_FREE` into free ones, are in question; narrow the domain.
    """
    search = _Search(position, mover, openings, stacking, windows)
    search.run()
    return tuple(search.found())


class _Search:
    def __init__(
        self,
        position: Position,
        mover: Mover,
        openings: Openings,
        stacking: Stacking,
        windows: Windows,
    ) -> None:
        self.mover = mover
        self.unit = mover.unit.id
        self.openings = openings
        self.stacking = stacking
        self.windows = windows
        self.plain = stacking.plain(self.unit)
        self.leaving = self.unit in stacking.leaving
        self.rest = stacking.rest[self.unit]
        self._name = position.board.name
        self._may_take = mover.taking(openings.allowed(self.unit))
        self._onward = self._to_objectives() if self.plain else {}
        self._possible: dict[Needs, bool] = {NOTHING: True}
        self._kept: dict[tuple[int, Needs], list[Label]] = {}
        self._overruns: dict[tuple[int, Needs], list[Label]] = {}
        self._plain: dict[tuple[Hex, Needs], list[Label]] = {}
        self._free: list[Label] = []
        self._tight = 0
        self._ways = stacking.ways_out

    def _to_objectives(self) -> Mapping[int, int]:
        """The least weight from each node to an objective."""
        goals = self.stacking.objectives
        weights = self.openings.weights[self.unit]
        ends = [n for n in weights if self.mover.end(n) is None and self.mover.hex(n) in goals]
        return rest(self.mover.strides, weights, ends, self.mover.cutoff, self._may_take)

    def run(self) -> None:
        """Set labels from the AFV's node on."""
        heap: list[tuple[int, tuple[str, ...], int, int, Label]] = []
        heap.append((0, (), 0, self.mover.start, Label(0, (), (), NOTHING, NOTHING, 0)))
        tick = labels = 0
        while heap:
            _, text, _, node, label = heappop(heap)
            if self._superfluous(node, label):
                continue
            labels += 1
            if labels > MOST_LABELS:
                raise TooManyRoutesError(f"{self.unit} has more than {MOST_LABELS:,} routes")
            alive = self.plain and self._end_plain(label)
            for stride in self.mover.strides.of(node):
                following = self._follow(label, stride, alive)
                if following is None:
                    continue
                if stride.target is not None:
                    self._overruns.setdefault((stride.node, following.needs), []).append(following)
                    continue
                tick += 1
                words = (*text, self._name(stride.hex))
                heappush(heap, (following.weight, words, tick, stride.node, following))

    def _superfluous(self, node: int, label: Label) -> bool:
        """Whether a label taken before makes this one superfluous; if not, it is kept."""
        kept = self._kept.setdefault((node, label.needs), [])
        path = frozenset(label.path)
        if any(one.embeds(label) and one.head <= path for one in kept):
            return True
        kept.append(label)
        return False

    def _follow(self, label: Label, stride: Stride, alive: bool) -> Label | None:
        """The label one stride on; None when it leads nowhere. ``alive``: plain moves that go on
        from the label may be worth having wherever they end."""
        weight = label.weight + stride.weight
        if weight > self.mover.cutoff or not self._may_take(stride):
            return None
        if not alive and not self._leads_on(stride.node, weight):
            return None
        entered, needs, windows = label.path, label.needs, label.windows
        if stride.target is not None:
            if stride.target in needs:
                return None
        elif stride.hex in entered or stride.hex == self.mover.unit.hex:
            return None
        head = label.head
        if stride.needs is not None and stride.needs not in needs:
            needs = needs | {stride.needs}
            if not self._may_be_cleared(needs):
                return None
            windows = self.windows.without(windows, stride.needs)
            head = frozenset(entered)
        if stride.target is None:
            path = (*entered, stride.hex)
            windows = extended(windows, self.windows.window(stride.node, needs))
        else:
            path = (*entered, stride.target, stride.hex)
        shots = 0
        for offered, _ in windows:
            shots |= offered
        return Label(weight, path, windows, needs, head, shots)

    def _may_be_cleared(self, needs: Needs) -> bool:
        found = self._possible.get(needs)
        if found is None:
            found = self._possible[needs] = self.openings.possible(self.unit, needs)
        return found

    def _leads_on(self, node: int, weight: int) -> bool:
        """Whether the end of an overrun, or an objective, is still in reach."""
        for onward in (self.rest, self._onward):
            left = onward.get(node)
            if left is not None and weight + left <= self.mover.cutoff:
                return True
        return False

    def _end_plain(self, label: Label) -> bool:
        """Book the plain move that ends here, if it is one in question. Returns whether any that
        goes on from here, to no objective, may be worth having.

        Where there are ways out enough that are as safe, none is: it opens more windows still.
        """
        alive = self.leaving and not self._enough_ways_out(label)
        if not label.path or label.path[-1] in self.mover.closed:
            return alive
        hex_ = label.path[-1]
        if hex_ in self.stacking.objectives:
            self._plain.setdefault((hex_, label.needs), []).append(label)
        elif alive and self._is_regular(label) and self.stacking.free(self.mover, hex_):
            nearest = self.stacking.domain is Domain.NEAREST
            ends = (one for one in self._free if one.path[-1] == hex_)
            if not any(nearest or _as_safe(one, label) for one in ends):
                self._free.append(label)
                if not nearest and len(self._free) > MOST_FREE:
                    raise TooManyWaysOutError
        elif alive and self._not_free(label):
            self._plain.setdefault((hex_, label.needs), []).append(label)
            self._tight += 1
            if self.stacking.domain is Domain.AS_SAFE and self._tight > MOST_WAYS_OUT:
                raise TooManyWaysOutError
        return alive

    def _is_regular(self, label: Label) -> bool:
        """Whether a way out may count as one into a free hex: not through hexes to be cleared where
        only such ways out are looked at if they are enough."""
        return not label.needs or self.stacking.domain is Domain.AS_SAFE

    def _not_free(self, label: Label) -> bool:
        """Whether a plain move into a hex that is not free is in question."""
        domain = self.stacking.domain
        if domain is Domain.AS_SAFE:
            return not self._enough_ways_out(label)
        ends = {one.path[-1] for one in self._free}
        if domain is Domain.NEAREST:
            ends |= {hex_ for hex_, _ in self._plain if hex_ not in self.stacking.objectives}
            return len(ends) < self._ways and label.path[-1] not in ends
        return len(ends) < self._ways

    def _enough_ways_out(self, label: Label) -> bool:
        """Whether plain moves into enough free hexes beat this one, wherever it ends."""
        if self.stacking.domain is Domain.NEAREST:
            return len(self._free) >= self._ways
        beating: set[Hex] = set()
        for one in self._free:
            if one.path[-1] not in beating and _as_safe(one, label):
                beating.add(one.path[-1])
                if len(beating) == self._ways:
                    return True
        return False

    def found(self) -> Iterator[Approach]:
        """The moves kept, line by line and end by end."""
        for (_, needs), labels in self._overruns.items():
            for label in self._unbeaten(labels):
                move = PlannedMove(self.unit, label.path, target=len(label.path) - 2)
                yield Approach(move, needs)
        for (hex_, needs), labels in self._plain.items():
            to_objective = hex_ in self.stacking.objectives
            for label in self._unbeaten(labels):
                nearest = self.stacking.domain is Domain.NEAREST
                if to_objective or nearest or self._not_free(label):
                    yield Approach(PlannedMove(self.unit, label.path), needs)
        for label in self._ways_out():
            yield Approach(PlannedMove(self.unit, label.path), label.needs)

    def _ways_out(self) -> Iterator[Label]:
        """Of plain moves into free hexes those that no other into the same hex beats, nor any into
        so many others that one of them is always left.

        Counting those that are themselves beaten does no harm: of all that beat a move, the first
        into each hex, in an order in which what beats comes before what it beats, is kept while
        there are not enough before it.
        """
        ranked = self._in_order(self._free)
        if self.stacking.domain is Domain.NEAREST:
            yield from ranked
            return
        for i, label in enumerate(ranked):
            self.mover.poll()
            beating = {
                other.path[-1]
                for j, other in enumerate(ranked)
                if j != i and _as_safe(other, label) and (j < i or not _as_safe(label, other))
            }
            if len(beating) < self._ways and label.path[-1] not in beating:
                yield label

    def _in_order(self, labels: Iterable[Label]) -> list[Label]:
        return sorted(labels, key=lambda one: (one.weight, [self._name(h) for h in one.path]))

    def _unbeaten(self, labels: Iterable[Label]) -> list[Label]:
        """Of labels that end alike those that none beats; of such as beat each other the one of
        least weight, then first in text order."""
        best: list[Label] = []
        for label in self._in_order(labels):
            self.mover.poll()
            if not any(one.embeds(label) for one in best):
                best = [one for one in best if not label.embeds(one)]
                best.append(label)
        return best


def _as_safe(one: Label, other: Label) -> bool:
    """Whether a way out needs no more hexes cleared than another, and its windows embed."""
    return one.needs <= other.needs and one.embeds(other)
