"""Hexes that overruns can open: which enemy-held hexes may be cleared, by whom, after what.

An overrun that is not legal now may become so when another has removed all enemy units of a hex it
enters. Which hexes can be cleared is a fixed point: a hex cleared may open the line on which the
next is cleared. It ends, since an AFV overruns once in a phase: what an AFV needs cleared, others
have to clear, each with one overrun.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evaluation.group import Group, State
from evaluation.worth import Losses
from planner.game.hexes import Hex
from planner.game.position import Position
from planner.game.windows import cover
from planner.search.exposure import field
from planner.search.movers import Mover, held
from planner.search.strides import reach


class Openings:
    """What the movers can clear for each other.

    ``attacks``: for each hex that can be cleared, how many overruns it takes at least; ``earlier``:
    how many other clearings must come before them at least; ``strikers``: the AFVs with a line onto
    it. ``weights``: for each AFV the least weights to all nodes in its reach.

    These are bounds: what they rule out never happens, what they let pass may still be impossible,
    and is then skipped when its turn comes.
    """

    def __init__(
        self, position: Position, movers: Sequence[Mover], columns: Mapping[str, frozenset[int]]
    ) -> None:
        """``columns``: for each AFV the columns of the AP Combat Table it can attack on."""
        self.attacks: dict[Hex, int] = {}
        self.earlier: dict[Hex, int] = {}
        self.strikers: dict[Hex, frozenset[str]] = {}
        self.weights: dict[str, Mapping[int, int]] = {}
        self._position = position
        self._columns = columns
        self._overrunning = frozenset(mover.unit.id for mover in movers if mover.overruns)
        self._allowed: dict[str, frozenset[Hex]] = {m.unit.id: frozenset() for m in movers}
        self._possible: dict[tuple[str, frozenset[Hex]], bool] = {}
        field_ = field(position)
        losses = Losses(field_)
        self._groups = {hex_: Group(field_, hex_, losses) for hex_ in held(position)}
        self._settle(movers)

    def _settle(self, movers: Sequence[Mover]) -> None:
        changed: Iterable[Mover] = movers
        level = 0
        while changed:
            struck: dict[Hex, set[str]] = {}
            for mover in changed:
                mover.poll()
                name = mover.unit.id
                self.weights[name] = reach(
                    mover.strides, mover.start, mover.cutoff, mover.taking(self._allowed[name])
                )
                for target in mover.targets(self.weights[name]):
                    struck.setdefault(target, set()).add(name)
            for target in sorted(struck):
                self._strike(target, frozenset(struck[target]), level)
            level += 1
            changed = [mover for mover in movers if self._widen(mover.unit.id)]

    def _strike(self, target: Hex, by: frozenset[str], level: int) -> None:
        """Book that AFVs have a line onto a hex, and whether that clears it."""
        known = self.strikers.get(target, frozenset())
        if by <= known:
            return
        self.strikers[target] = known | by
        columns = sorted({c for name in known | by for c in self._columns[name]})
        table = self._position.rules.combat.ap
        strengths = [table.columns[column] for column in columns]
        count = least_attacks(
            self._groups[target], strengths, cover(self._position, target), len(known | by)
        )
        if count is not None:
            self.attacks[target] = count
            self.earlier.setdefault(target, level)

    def _widen(self, unit: str) -> bool:
        """Bring an AFV's openings up to date; whether there are more."""
        before = self._allowed[unit]
        self._allowed[unit] = frozenset(
            hex_ for hex_ in self.attacks if self.possible(unit, frozenset((hex_,)))
        )
        return self._allowed[unit] != before

    def allowed(self, unit: str) -> frozenset[Hex]:
        """The hexes that others can clear for an AFV."""
        return self._allowed[unit]

    def possible(self, unit: str, needs: frozenset[Hex]) -> bool:
        """Whether the others may clear all these hexes before the AFV moves, each AFV overrunning
        once."""
        if not needs:
            return True
        others = self._overrunning - {unit}
        if any(self.earlier[hex_] + self.attacks[hex_] > len(others) for hex_ in needs):
            return False
        tasks = [hex_ for hex_ in sorted(needs) for _ in range(self.attacks[hex_])]
        key = (unit, needs)
        # Strikers only become more: what was possible stays so, what was not may change.
        if not self._possible.get(key):
            self._possible[key] = len(tasks) <= len(others) and self._shared_out(tasks, others)
        return self._possible[key]

    def _shared_out(self, tasks: Sequence[Hex], others: frozenset[str]) -> bool:
        """Whether each task can be given to an AFV of its own (augmenting paths)."""
        taken: dict[str, int] = {}

        def give(task: int, tried: set[str]) -> bool:
            for name in sorted(self.strikers[tasks[task]] & others):
                if name not in tried:
                    tried.add(name)
                    if name not in taken or give(taken[name], tried):
                        taken[name] = task
                        return True
            return False

        return all(give(task, set()) for task in range(len(tasks)))


def least_attacks(group: Group, strengths: Sequence[int], cover_: int, most: int) -> int | None:
    """The least number of attacks, of any of the strengths, after which nobody may be left; None
    when ``most`` do not do it."""
    met: set[State] = {group.start}
    frontier = [group.start]
    for count in range(1, most + 1):
        reached: list[State] = []
        for state in frontier:
            for strength in strengths:
                for new, p in group.strike(state, strength, cover_):
                    if p > 0 and new not in met:
                        met.add(new)
                        reached.append(new)
        if any(group.is_empty(state) for state in reached):
            return count
        frontier = reached
    return None
