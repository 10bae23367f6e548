"""The candidate moves: for every move that a plan may use, one that is at least as good.

**What they stand for.** A plan's proof speaks of all overruns along simple paths, those that an
earlier move makes possible included (an enemy-held hex cleared, an exit hex left), and of the plain
moves that can make one possible (with objectives, of all plain moves). For each of them there is a
candidate that is worth at least as much in every plan, or staying is
(`planner.search.dominance`, `planner.search.stacking`, `planner.search.armament`). So the best plan
over the candidates is the best of all. Candidates are themselves moves along simple paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.script import Strike
from planner.game.hexes import Direction, Hex
from planner.game.moves import PlannedMove
from planner.game.notation import format_move
from planner.game.position import Position
from planner.search.approaches import Approach, TooManyWaysOutError, approaches
from planner.search.armament import weapon_choices
from planner.search.counting import MOST_STEPS, moves_in_all
from planner.search.dominance import Windows
from planner.search.effort import Wishes
from planner.search.graph import MovementGraph
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
    """How many candidates there are, of how many moves along simple paths that may become legal,
    with every choice of weapons; ``of`` is None when there are too many to count."""

    kept: int
    of: int | None


def candidates(position: Position, judge: Judge, wishes: Wishes) -> tuple[Candidate, ...]:
    """Every candidate move, in text order."""
    return Survey(position, judge, wishes).candidates


class Survey:
    """What the AFVs of the side to move may do, and what of it is worth having.

    ``graphs`` are movement graphs by movement class to read instead of the position's own.
    ``openings``: which hexes can be cleared; ``stacking``: where room may be short.
    """

    def __init__(
        self,
        position: Position,
        judge: Judge,
        wishes: Wishes,
        graphs: Mapping[str, MovementGraph] | None = None,
    ) -> None:
        self.position = position
        self.movers = movers(position, wishes, graphs)
        self._weapons = {
            mover.unit.id: weapon_choices(position, mover.unit, judge) for mover in self.movers
        }
        columns = {m.unit.id: frozenset(self._columns(m, judge)) for m in self.movers}
        self.openings = Openings(position, self.movers, columns)
        self._windows = {
            m.unit.id: Windows(position, m.unit, m.strides.movement.codec, judge.threats)
            for m in self.movers
        }
        self.stacking = Stacking(position, self.movers, self.openings, self._windows)
        try:
            found = self._approaches()
        except TooManyWaysOutError:
            self.stacking = Stacking(
                position, self.movers, self.openings, self._windows, Domain.FREE
            )
            found = self._approaches()
        self.candidates: tuple[Candidate, ...] = tuple(
            sorted((c for one in found for c in self._armed(one)), key=lambda c: c.text)
        )

    @property
    def proof_over(self) -> str:
        """The moves that a proof over the candidates speaks of (`planner.search.stacking`)."""
        ways = {
            Domain.AS_SAFE: "the plain moves that can make one possible",
            Domain.FREE: "the plain moves into free hexes that can make one possible",
        }[self.stacking.domain]
        if self.stacking.objectives:
            ways += " or that change who holds an objective"
        return f"all overruns along simple paths and {ways}"

    def kept(self, most_steps: int = MOST_STEPS) -> Kept:
        """How many candidates of how many moves; ``most_steps`` bounds the counting."""
        of = moves_in_all(self.position, self.movers, self.openings, self.stacking, most_steps)
        return Kept(len(self.candidates), of)

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
                found[name] = approaches(
                    self.position, mover, self.openings, self.stacking, windows
                )
            for mover in self.movers:
                name = mover.unit.id
                ends = {one.move.path[-1] for one in found[name] if one.move.target is None}
                tight = [hex_ for hex_ in sorted(ends) if not self.stacking.free(mover, hex_)]
                changed |= self.stacking.add_ends(name, tight)
        return [one for mover in self.movers for one in found[mover.unit.id]]

    def _armed(self, found: Approach) -> Iterator[Candidate]:
        move, position = found.move, self.position
        needs = tuple(sorted(found.needs, key=position.board.name))
        if move.target_hex is None:
            key: LineKey = (move.unit, move.path[-1], None)
            yield Candidate(key, move, format_move(position, move), needs)
            return
        direction = move.target_hex.direction_to(move.path[-1])
        for weapons in self._weapons[move.unit]:
            armed = replace(move, weapons=weapons)
            key = (move.unit, move.target_hex, direction)
            yield Candidate(key, armed, format_move(position, armed), needs)
