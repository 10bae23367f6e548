"""Which moves bear on each other, and what two of them are worth together, exactly.

**Footprints.** What a move has to do with the rest of a plan is read from the events that the
yardstick is given for it: the defender's units that may do something to the AFV in one of its
windows and the leaders who may help them (`evaluation.value.Evaluator.threats`), the hex it
strikes, the hexes it must find empty, where it starts, where it may come to stand, and the
objectives among these. No geometry.

**Two moves that do not bear on each other are worth the sum.** The state of a plan is the product
of the states of the defender's units, of the places of the AFVs that have moved, and, during a
move, of its AFV's status; the payoff adds what changes. Let a move first, then b, and let them have
no shooter or helping leader in common, neither strike a hex from which the other can be fired at or
which the other enters or strikes, no objective be touched by both, and the room where b ends be the
same question wherever a has come to stand (`Interactions.bears`). Then every guard, shot and result
of a move depends on a factor of the state that the other never reads or changes (units of one hex
that no move strikes are factors of their own), and each payment belongs to one factor or the other.
By induction backwards over the events the value in any state is the sum of the two values in its
factors: expectation is linear, and where the defender chooses a shot in a's windows, b's share of
the sum is the same for all choices, and so the other way round. At the start: value(a, b) − staying
= (value(a) − staying) + (value(b) − staying). The same induction over any number of moves shows
that *components* (`Interactions.components`) add up; there a hex counts as shared by all that may
stand in it as soon as they could together be too many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import cast

import networkx as nx

from evaluation.group import Aim
from evaluation.script import Enter, Place, Strike
from evaluation.units import Side
from planner.search.candidates import Candidate, LineKey
from planner.search.effort import never
from planner.search.exposure import field, script
from planner.search.tally import Tally
from planner.search.worth import Judge

Pair = tuple[Candidate, Candidate]
"""Two moves of two AFVs, the one that goes first first."""

Synergies = dict[tuple[str, str], float]
"""By the texts of two moves, the first first: the value of both less their single gains and less
staying."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a move has to do with the rest of a plan. Sets are bit masks (`Interactions` numbers).

    ``shooters``: defender's units and leaders that may act against it; ``struck``: hexes it
    strikes; ``seen``: hexes struck, entered or fired from; ``held``: hexes it enters otherwise and
    which the enemy holds, so that others must clear them first;
    ``objectives``: those it may change. ``stands``: hexes where it may come to stand; ``size``: the
    room it takes there; ``left``: the room for others in its last hex ``end`` if only it moves.
    """

    unit: str
    shooters: int
    struck: int
    held: int
    seen: int
    objectives: int
    start: Place
    end: Place
    stands: frozenset[Place]
    size: int
    left: int


class Interactions:
    """The candidates of one position, and which of them bear on each other.

    Candidates are taken in text order, so the order they are given in does not matter.
    """

    def __init__(self, judge: Judge, candidates: Iterable[Candidate]) -> None:
        self.candidates: tuple[Candidate, ...] = tuple(sorted(candidates, key=lambda c: c.text))
        self._judge = judge
        self._field = field(judge.position)
        self._shooters: dict[tuple[Place, int], int] = {}
        self._places: dict[Place, int] = {}
        self._of_place: dict[int, int] = {}
        self._goals = {one.place: 1 << i for i, one in enumerate(self._field.objectives)}
        self._taken: dict[Place, int] = {}
        self._held: set[Place] = set()
        for unit in self._field.units.values():
            removed = self._field.rules.status(unit.type.kind, unit.status).removed
            if unit.carrier is None and not removed:
                if unit.side is Side.MOVER:
                    self._taken[unit.place] = self._taken.get(unit.place, 0) + unit.size
                else:
                    self._held.add(unit.place)
        self.footprints: dict[str, Footprint] = {
            c.text: self._footprint(c) for c in self.candidates
        }

    # -- footprints --------------------------------------------------------------------------

    def _footprint(self, candidate: Candidate) -> Footprint:
        unit = self._field.units[candidate.move.unit]
        shooters = struck = held = seen = 0
        stands: list[Place] = []
        end = unit.place
        for step in script(self._judge.position, candidate.move).steps:
            end = step.place
            bit = self._place(step.place)
            seen |= bit
            if isinstance(step, Strike):
                struck |= bit
                continue
            if step.place in self._held:
                held |= bit
            for place, number in self._actors(unit.id, step):
                from_, actor = self._place(place), self._actor(place, number)
                shooters |= actor
                seen |= from_
            if shooters or struck:
                stands.append(step.place)
        stands.append(end)
        touched = {unit.place, *stands}
        objectives = 0
        for place, goal in self._goals.items():
            if place in touched or struck & self._places.get(place, 0):
                objectives |= goal
        own = unit.size if end == unit.place else 0
        left = self._field.stacking_limit - self._taken.get(end, 0) + own - unit.size
        return Footprint(
            unit.id,
            shooters,
            struck,
            held,
            seen,
            objectives,
            unit.place,
            end,
            frozenset(stands),
            unit.size,
            left,
        )

    def _actors(self, unit: str, step: Enter) -> Iterable[tuple[Place, int]]:
        """The defender's units that may fire in a window to some effect, and leaders who may help:
        place and number in the group that stands there."""
        for place, aim in cast("frozenset[tuple[Place, Aim]]", self._judge.threats(unit, step)):
            yield place, aim.unit
            yield from ((place, leader) for leader, _ in aim.effects if leader >= 0)

    def _place(self, place: Place) -> int:
        return self._places.setdefault(place, 1 << len(self._places))

    def _actor(self, place: Place, number: int) -> int:
        bit = self._shooters.setdefault((place, number), 1 << len(self._shooters))
        where = self._place(place)
        self._of_place[where] = self._of_place.get(where, 0) | bit
        return bit

    # -- who bears on whom -------------------------------------------------------------------

    def bears(self, first: Candidate, second: Candidate) -> bool:
        """Whether the value of both, made in this order, can differ from the sum.

        Not when one of them is certainly skipped: the first, if others must make way for it; the
        second, if others than the first must. Moves of one AFV never stand in one plan.
        """
        a, b = self.footprints[first.text], self.footprints[second.text]
        if a.unit == b.unit or a.held or a.left < 0 or b.held & ~a.struck:
            return False
        if b.left < 0 and (a.start != b.end or b.left + a.size < 0):
            return False
        return _touch(a, b) or _room(a, b)

    def interact(self, one: Candidate, other: Candidate) -> bool:
        """Whether in some order the value of both can differ from the sum."""
        return self.bears(one, other) or self.bears(other, one)

    def components(self) -> tuple[tuple[str, ...], ...]:
        """The AFVs in groups that do not bear on each other, whatever the plan: values of plans of
        different groups add. In text order, AFVs and groups."""
        groups = nx.connected_components(self._graph())
        return tuple(sorted(tuple(sorted(group)) for group in groups))

    def bearing(self) -> dict[str, tuple[str, ...]]:
        """For each AFV the others that it may bear on directly; all in text order."""
        graph = self._graph()
        return {unit: tuple(sorted(graph[unit])) for unit in sorted(graph)}

    def _graph(self) -> nx.Graph[str]:
        """AFVs, and which of them may bear on each other."""
        graph: nx.Graph[str] = nx.Graph()
        # What two AFVs share, some two moves of theirs share: sets of all moves tell as much.
        whole: dict[str, Footprint] = {}
        for one in self.footprints.values():
            known = whole.get(one.unit)
            whole[one.unit] = one if known is None else _both(known, one)
        graph.add_nodes_from(sorted(whole))
        for a, b in combinations(whole.values(), 2):
            if _touch(a, b):
                graph.add_edge(a.unit, b.unit)
        for users in self._crowded():
            nx.add_path(graph, users)
        return graph

    def _crowded(self) -> Iterable[list[str]]:
        """For each last hex of a move in which AFVs could come to be too many: those AFVs."""
        prints = list(self.footprints.values())
        sizes = {a.unit: a.size for a in prints}
        starts = {a.unit: a.start for a in prints}
        for end in dict.fromkeys(a.end for a in prints):
            users = sorted({a.unit for a in prints if end == a.start or end in a.stands})
            staying = self._taken.get(end, 0) - sum(
                size for unit, size in sizes.items() if starts[unit] == end
            )
            if staying + sum(sizes[unit] for unit in users) > self._field.stacking_limit:
                yield users

    # -- pairs -------------------------------------------------------------------------------

    def pairs(self, gains: Mapping[str, float], each: int | None = None) -> list[Pair]:
        """Every ordered pair that needs an evaluation, the most promising first, ties in text
        order; ``gains``: what each candidate alone is worth above staying.

        Promise: both gains, and of what the second move would be worth above that if it got to its
        target hex unharmed, the share of its shooters that the first draws fire from or strikes
        (all of it where the first makes way for the second). So decoys come early, though they lose
        by themselves.

        ``each``: only pairs of so many candidates of each AFV (None: of all): first the best of
        every line by its own gain, then the second of every line and so on, those first that are
        worth most alone or unhindered.
        """
        staying = self._judge.value([])
        relief: dict[str, float] = {}
        free: dict[tuple[object, ...], float] = {}
        for candidate in self.candidates:
            key = (candidate.line, candidate.move.weapons)
            if key not in free:
                free[key] = self._judge.unhindered(candidate.move) - staying
            relief[candidate.text] = max(0.0, free[key] - gains[candidate.text])
        found: list[tuple[float, str, str, Pair]] = []
        chosen = self.candidates if each is None else self._shortlist(gains, relief, each)
        for first in chosen:
            for second in chosen:
                if self.bears(first, second):
                    promise = gains[first.text] + gains[second.text]
                    promise += relief[second.text] * self._share(first, second)
                    found.append((-promise, first.text, second.text, (first, second)))
        found.sort(key=lambda row: row[:3])
        return [pair for *_, pair in found]

    def _shortlist(
        self, gains: Mapping[str, float], relief: Mapping[str, float], each: int
    ) -> list[Candidate]:
        """The most promising candidates of each AFV, in text order."""
        rank: dict[str, int] = {}
        met: dict[LineKey, int] = {}
        for candidate in sorted(self.candidates, key=lambda c: (-gains[c.text], c.text)):
            rank[candidate.text] = met[candidate.line] = met.get(candidate.line, -1) + 1
        kept: dict[str, list[Candidate]] = {}
        for candidate in sorted(
            self.candidates,
            key=lambda c: (rank[c.text], -gains[c.text] - relief[c.text], c.text),
        ):
            mine = kept.setdefault(candidate.move.unit, [])
            if len(mine) < each:
                mine.append(candidate)
        return sorted((c for mine in kept.values() for c in mine), key=lambda c: c.text)

    def _share(self, first: Candidate, second: Candidate) -> float:
        a, b = self.footprints[first.text], self.footprints[second.text]
        if a.struck & b.held or b.left < 0:
            return 1.0
        drawn = a.shooters
        for place in _bits(a.struck):
            drawn |= self._of_place.get(place, 0)
        return (drawn & b.shooters).bit_count() / max(1, b.shooters.bit_count())


def synergies(
    tally: Tally,
    pairs: Sequence[Pair],
    enough: Callable[[], bool] = never,
    known: Synergies | None = None,
) -> Synergies:
    """The exact synergy of each pair: value(a, b) − value(a) − value(b) + staying.

    Pairs are evaluated in the order given until ``enough()``; they are added to ``known`` (which
    is returned) one by one, so that it has what was got when OutOfEffortError ends the search. A
    pair whose states do not fit in memory is left out.
    """
    found: Synergies = {} if known is None else known
    for first, second in pairs:
        if enough():
            break
        apart = tally.value((first,)) + tally.value((second,)) - tally.staying
        together = tally.value((first, second))
        if together > float("-inf") and apart > float("-inf"):
            found[first.text, second.text] = together - apart
    return found


def _both(a: Footprint, b: Footprint) -> Footprint:
    """What either of two moves has to do with the defender's units and with objectives."""
    return replace(
        a,
        shooters=a.shooters | b.shooters,
        struck=a.struck | b.struck,
        seen=a.seen | b.seen,
        objectives=a.objectives | b.objectives,
    )


def _touch(a: Footprint, b: Footprint) -> bool:
    """Whether two moves share something of the defender's, or an objective."""
    return bool(
        a.shooters & b.shooters
        or a.struck & b.seen
        or b.struck & a.seen
        or a.objectives & b.objectives
    )


def _room(a: Footprint, b: Footprint) -> bool:
    """Whether the room where b ends can depend on what a's move has made of a's place."""
    if a.start == b.end:
        return -a.size <= b.left < 0
    return 0 <= b.left < a.size and b.end in a.stands


def _bits(mask: int) -> Iterable[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
