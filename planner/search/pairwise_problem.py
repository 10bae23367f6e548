"""What a selection by pairs is made from: gains, synergies of two, and rooms that are too small."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import networkx as nx

from evaluation.script import Place
from planner.search.candidates import Candidate
from planner.search.interactions import Interactions

EACH = 8
"""Options kept of one AFV."""


@dataclass(frozen=True, slots=True)
class Room:
    """Room for one AFV in one exit hex.

    ``moves``: its options that end there. ``left``: the room for others when nobody has moved;
    below 0 somebody has to leave first. ``arriving``: options of other AFVs that end there, with
    their sizes; ``leaving``: AFVs that stand there, with theirs.

    Where another move alone takes the room (0 <= ``left`` < its size) and the synergy of the two is
    known, the synergy says what comes of it (it may be stopped before it gets there), and it does
    not count here.
    """

    moves: tuple[int, ...]
    left: int
    arriving: Mapping[int, int]
    leaving: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Problem:
    """Options by number: the AFV of each and its gain alone; the synergy of two, the number of the
    one that goes first first (0 where none is given); and the rooms that may be too small.

    ``moves``: so many options at most of AFVs that have to do with each other (None: no limit). The
    more there are, the more the sum over pairs overstates: what three AFVs spare each other it
    counts three times.
    """

    units: tuple[str, ...]
    gains: tuple[float, ...]
    synergies: Mapping[tuple[int, int], float]
    rooms: tuple[Room, ...] = ()
    moves: int | None = None

    def gain(self, order: Sequence[int]) -> float:
        """The pairwise gain of options in that order."""
        return sum(self.gains[i] for i in order) + sum(
            self.synergies.get(pair, 0.0) for pair in combinations(order, 2)
        )

    def fits(self, order: Sequence[int]) -> bool:
        """Whether there are not too many options and each finds room when its turn comes."""
        if self.moves is not None and len(order) > self.moves:
            return False
        place = {option: at for at, option in enumerate(order)}
        when = {self.units[option]: at for option, at in place.items()}
        for room in self.rooms:
            for option in room.moves:
                if option not in place:
                    continue
                taken = sum(
                    size
                    for other, size in room.arriving.items()
                    if place.get(other, len(order)) < place[option]
                    and self.counts(room, other, option)
                )
                freed = sum(
                    size
                    for unit, size in room.leaving.items()
                    if when.get(unit, len(order)) < place[option]
                )
                if taken - freed > room.left:
                    return False
        return True

    def counts(self, room: Room, arriving: int, option: int) -> bool:
        """Whether an option that arrives before takes room that the two's synergy says nothing
        of."""
        alone = 0 <= room.left < room.arriving[arriving]
        return not alone or (arriving, option) not in self.synergies

    def sensitive(self, one: int, other: int) -> bool:
        """Whether the order of two options makes a difference to the pairwise gain."""
        return self.synergies.get((one, other), 0.0) != self.synergies.get((other, one), 0.0)

    def matters(self, one: int, other: int) -> bool:
        """Whether the order of two options makes a difference, to the gain or to who finds room."""
        return self.sensitive(one, other) or any(
            a in room.moves and (b in room.arriving or self.units[b] in room.leaving)
            for room in self.rooms
            for a, b in ((one, other), (other, one))
        )

    def canonical(self, order: Sequence[int]) -> tuple[int, ...]:
        """The order that stands for all that differ from it only where order makes no difference:
        there options stand in the order of their numbers."""
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(order)
        graph.add_edges_from(pair for pair in combinations(order, 2) if self.matters(*pair))
        return tuple(nx.lexicographical_topological_sort(graph))


def pairwise_problem(
    interactions: Interactions,
    gains: Mapping[str, float],
    synergies: Mapping[tuple[str, str], float],
    each: int = EACH,
    moves: int | None = None,
) -> tuple[Problem, tuple[Candidate, ...]]:
    """The problem over the best ``each`` candidates of every AFV, and the candidates by number.

    ``gains``: what each candidate alone is worth above staying; one of minus infinity (its states
    do not fit in memory) is left out. ``synergies`` by texts (`interactions.synergies`). The best:
    those whose own gain together with their best synergy with each other AFV, if above 0, is
    greatest; ties in text order. Numbers are in text order, so the order of the candidates does
    not matter.
    """
    unit_of = {candidate.text: candidate.move.unit for candidate in interactions.candidates}
    best: dict[tuple[str, str], float] = {}
    for (first, second), synergy in synergies.items():
        for one, other in ((first, second), (second, first)):
            key = (one, unit_of[other])
            best[key] = max(best.get(key, 0.0), synergy)
    hopes = dict(gains)
    for (text, _), synergy in best.items():
        hopes[text] += synergy
    ranked = sorted(interactions.candidates, key=lambda c: (-hopes[c.text], c.text))
    kept: dict[str, list[str]] = {}
    for candidate in ranked:
        mine = kept.setdefault(candidate.move.unit, [])
        if len(mine) < each and gains[candidate.text] > float("-inf"):
            mine.append(candidate.text)
    chosen = {text for texts in kept.values() for text in texts}
    options = tuple(c for c in interactions.candidates if c.text in chosen)
    number = {candidate.text: i for i, candidate in enumerate(options)}
    problem = Problem(
        tuple(c.move.unit for c in options),
        tuple(gains[c.text] for c in options),
        {
            (number[first], number[second]): synergy
            for (first, second), synergy in sorted(synergies.items())
            if first in number and second in number
        },
        tuple(_rooms(interactions, options)),
        moves,
    )
    return problem, options


def _rooms(interactions: Interactions, options: Sequence[Candidate]) -> Iterator[Room]:
    """The rooms that may be too small for all that may come."""
    prints = [interactions.footprints[candidate.text] for candidate in options]
    ending: dict[tuple[str, Place], list[int]] = {}
    for i, a in enumerate(prints):
        ending.setdefault((a.unit, a.end), []).append(i)
    for (unit, end), moves in ending.items():
        arriving = {i: a.size for i, a in enumerate(prints) if a.unit != unit and a.end == end}
        leaving = {a.unit: a.size for a in prints if a.unit != unit and a.start == end}
        left = prints[moves[0]].left
        if sum({prints[i].unit: size for i, size in arriving.items()}.values()) > left:
            yield Room(tuple(moves), left, arriving, leaving)
