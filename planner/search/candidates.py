"""The candidate moves: for every move that a plan may use, one that is at least as good.

**What they stand for.** A plan's proof speaks of all overruns along simple paths, those that an
earlier move makes possible included (an enemy-held hex cleared, an exit hex left), and of the plain
moves that can make one possible (with objectives, of all plain moves). For each of them there is a
candidate that is worth at least as much in every plan, or staying is
(`planner.search.dominance`, `planner.search.stacking`, `planner.search.armament`). So the best plan
over the candidates is the best of all. Candidates are themselves moves along simple paths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.script import Strike
from planner.game.hexes import Direction, Hex
from planner.game.moves import PlannedMove
from planner.game.notation import format_move
from planner.game.position import Position
from planner.search.approaches import (
    Approach,
    TooManyRoutesError,
    TooManyWaysOutError,
    approaches,
)
from planner.search.armament import weapon_choices
from planner.search.counting import MOST_STEPS, MoveLine, moves_by_line
from planner.search.dominance import Windows
from planner.search.effort import Poll, Wishes, nothing
from planner.search.graph import MovementGraph
from planner.search.lines import lines_of
from planner.search.movers import Mover, movers
from planner.search.openings import Openings
from planner.search.stacking import Domain, Stacking
from planner.search.worth import Judge

LineKey = tuple[str, Hex, Direction | None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that a plan may use.

    ``line`` tells unit, target hex and direction of travel; of a plain move, unit, the hex where it
    ends, and None. ``needs``: enemy-held hexes that it enters, which earlier moves must have
    cleared, in the order of their names.
    """

    line: LineKey
    move: PlannedMove
    text: str
    needs: tuple[Hex, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """How many candidates there are, ``by_line``, of how many moves along simple paths that may
    become legal, with every choice of weapons, ``of_by_line``; None when there are too many to
    count. All plain moves of an AFV count as one line."""

    by_line: Mapping[MoveLine, int]
    of_by_line: Mapping[MoveLine, int] | None

    @property
    def kept(self) -> int:
        """All candidates."""
        return sum(self.by_line.values())

    @property
    def of(self) -> int | None:
        """All moves; None when there are too many to count."""
        return None if self.of_by_line is None else sum(self.of_by_line.values())


def cheapest(position: Position, mover: Mover) -> Iterator[Approach]:
    """The cheapest move to each line of an AFV that is legal now, as the player wishes."""
    for line in lines_of(position, mover.unit, poll=mover.poll):
        if mover.target in (None, line.target) and not mover.avoid & {*line.move.path}:
            yield Approach(line.move, frozenset())


def first_candidates(
    position: Position, judge: Judge, wishes: Wishes, poll: Poll = nothing
) -> tuple[Candidate, ...]:
    """The cheapest move to each line that is legal now, with every choice of weapons worth having:
    found at once, to begin with. In text order. ``poll`` is called now and then and may raise to
    stop."""
    return tuple(
        sorted(
            (
                candidate
                for mover in movers(position, wishes, poll=poll)
                for weapons in [weapon_choices(position, mover.unit, judge)]
                for approach in cheapest(position, mover)
                for candidate in armed(position, approach, weapons)
            ),
            key=lambda candidate: candidate.text,
        )
    )


def candidates(position: Position, judge: Judge, wishes: Wishes) -> tuple[Candidate, ...]:
    """Every candidate move, in text order."""
    return Survey(position, judge, wishes).candidates


class Survey:
    """What the AFVs of the side to move may do, and what of it is worth having.

    ``graphs`` are movement graphs by movement class to read instead of the position's own.
    ``openings``: which hexes can be cleared; ``stacking``: where room may be short. ``complete``:
    there is a candidate for every move; not so where an AFV has too many routes
    (`planner.search.approaches.MOST_LABELS`), of which only the cheapest to each line is taken.
    ``poll`` is called now and then and may raise to stop.
    """

    def __init__(
        self,
        position: Position,
        judge: Judge,
        wishes: Wishes,
        graphs: Mapping[str, MovementGraph] | None = None,
        poll: Poll = nothing,
    ) -> None:
        self.position = position
        self.complete = True
        self.movers = movers(position, wishes, graphs, poll)
        self._weapons = {
            mover.unit.id: weapon_choices(position, mover.unit, judge) for mover in self.movers
        }
        columns = {m.unit.id: frozenset(self._columns(m, judge)) for m in self.movers}
        self.openings = Openings(position, self.movers, columns)
        self._windows = {
            m.unit.id: Windows(position, m.unit, m.strides.movement.codec, judge.threats)
            for m in self.movers
        }
        found: Sequence[Approach] = ()
        for domain in Domain:
            self.stacking = Stacking(position, self.movers, self.openings, self._windows, domain)
            try:
                found = self._approaches()
            except TooManyWaysOutError:
                continue
            break
        self.candidates: tuple[Candidate, ...] = tuple(
            sorted((c for one in found for c in self._armed(one)), key=lambda c: c.text)
        )

    @property
    def proof_over(self) -> str:
        """The moves that a proof over the candidates speaks of (`planner.search.stacking`)."""
        ways = {
            Domain.AS_SAFE: "the plain moves that can make one possible",
            Domain.FREE: "the plain moves into free hexes that can make one possible",
            Domain.NEAREST: "the cheapest plain moves into free hexes that can make one possible",
        }[self.stacking.domain]
        if self.stacking.objectives:
            ways += " or that change who holds an objective"
        return f"all overruns along simple paths and {ways}"

    def kept(self, most_steps: int = MOST_STEPS) -> Kept:
        """How many candidates of how many moves; ``most_steps`` bounds the counting."""
        of = moves_by_line(self.position, self.movers, self.openings, self.stacking, most_steps)
        kept = Counter[MoveLine](
            (c.move.unit, None, None) if c.move.target is None else c.line for c in self.candidates
        )
        return Kept(kept, of)

    def _columns(self, mover: Mover, judge: Judge) -> Iterator[int]:
        """The columns of the AP Combat Table on which the AFV can attack."""
        unit = mover.unit
        for weapons in self._weapons[unit.id]:
            column, _ = judge.attack(unit.id, Strike(unit.hex, 0, weapons))
            if column is not None:
                yield column

    def _approaches(self) -> Sequence[Approach]:
        """The moves worth having, weapons apart. Plain moves that have to end where room may be
        short can make it matter where others end, so again until they do not."""
        found: dict[str, tuple[Approach, ...]] = {}
        changed = True
        while changed:
            changed = False
            for mover in self.movers:
                name = mover.unit.id
                windows = self._windows[name]
                windows.contest(self.stacking.stops_that_matter(name))
                try:
                    found[name] = approaches(
                        self.position, mover, self.openings, self.stacking, windows
                    )
                except TooManyRoutesError:
                    self.complete = False
                    found[name] = tuple(cheapest(self.position, mover))
            for mover in self.movers:
                name = mover.unit.id
                ends = {one.move.path[-1] for one in found[name] if one.move.target is None}
                tight = [hex_ for hex_ in sorted(ends) if not self.stacking.free(mover, hex_)]
                changed |= self.stacking.add_ends(name, tight)
        return [one for mover in self.movers for one in found[mover.unit.id]]

    def _armed(self, found: Approach) -> Iterator[Candidate]:
        return armed(self.position, found, self._weapons[found.move.unit])


Weapons = tuple[tuple[str, str], ...]


def armed(position: Position, found: Approach, choices: Iterable[Weapons]) -> Iterator[Candidate]:
    """The candidates of one approach: a plain move as it is, an overrun with each choice of the
    passengers' weapons."""
    move = found.move
    needs = tuple(sorted(found.needs, key=position.board.name))
    if move.target_hex is None:
        key: LineKey = (move.unit, move.path[-1], None)
        yield Candidate(key, move, format_move(position, move), needs)
        return
    direction = move.target_hex.direction_to(move.path[-1])
    for weapons in choices:
        chosen = replace(move, weapons=weapons)
        key = (move.unit, move.target_hex, direction)
        yield Candidate(key, chosen, format_move(position, chosen), needs)
