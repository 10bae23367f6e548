"""The walks of AFVs that are worth looking at, and the hexes where room may be short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from planner.game.hexes import Direction, Hex
from planner.game.play_state import UnderWay
from planner.game.position import Position, Unit
from planner.game.rules import Points
from planner.play.phase_tree.effort import Effort
from planner.play.phase_tree.ground import Ground, Line, Spot


@dataclass(eq=False)
class Walk:
    """What one AFV may do from where it is in its phase.

    ``route``: the hexes that it has been in; ``begun``: its move is under way; ``open``: with a
    window open where it is, and ``overrun`` the hex it has just overrun, so that only the last
    window is left of its move. ``needs``: by hex and facing the movement points from which on it
    can still do something. ``special``: hexes where it matters whether it stands there, or where
    room may be short (`planner.play.phase_tree.ground`). ``spots``: everywhere it may be on a walk
    that is not idle.
    """

    unit: Unit
    ground: Ground
    route: tuple[Hex, ...]
    begun: bool
    start: Spot
    needs: Mapping[tuple[Hex, Direction], Points]
    open: bool = False
    overrun: Hex | None = None
    special: frozenset[Hex] = frozenset()
    spots: dict[Spot, None] = field(default_factory=dict)

    def useful(self, spot: Spot) -> bool:
        """Whether going on from there may be of use."""
        if self.overrun is not None:
            return False
        need = self.needs.get((spot.hex, spot.facing))
        return spot.hex in self.special or (need is not None and need <= spot.left)

    def steps(self, spot: Spot) -> Iterator[Spot]:
        """The steps from a spot that are worth looking at."""
        if self.overrun is not None:
            return
        anywhere = spot.hex in self.special
        for there in self.ground.steps(spot):
            need = self.needs.get((there.hex, there.facing))
            if anywhere or (need is not None and need <= there.left):
                yield there

    def explore(self, effort: Effort) -> None:
        """Find the spots. Raises TooLarge."""
        self.spots = {self.start: None}
        stack = [self.start]
        met = {self.start}
        while stack:
            here = stack.pop()
            if not self.useful(here):
                continue
            effort.spend()
            for there in self.steps(here):
                if there not in met:
                    met.add(there)
                    self.spots[there] = None
                    stack.append(there)

    def lines(self) -> Iterator[Line]:
        """The overruns that it may come to make."""
        if self.overrun is not None:
            return
        found = (line for spot in self.spots for line in self.ground.overruns(spot))
        yield from dict.fromkeys(found)

    def stands(self) -> frozenset[Hex]:
        """Every hex where it may come to stand, that it starts in included."""
        return frozenset(spot.hex for spot in self.spots) | {line.exit for line in self.lines()}


def find_walks(
    position: Position, under_way: UnderWay | None, units: Iterable[Unit], effort: Effort
) -> dict[str, Walk]:
    """The walks of these AFVs, by their ids, that of the one under way from where it is.

    Whether room may be short in a hex hangs on who else may come to stand there, and where an AFV
    may come to stand on where room may be short: so again until nothing is added. Raises TooLarge.
    """
    objectives = frozenset(objective.hex for objective in position.objectives)
    walks: dict[str, Walk] = {}
    for unit in units:
        clearable = frozenset(
            hex_
            for hex_, there in position.standing.items()
            if any(other.side != unit.side for other in there)
            and all(other.kind.is_struck for other in there if other.side != unit.side)
        )
        ground = Ground(position, unit, clearable, effort.poll)
        mine = under_way if under_way is not None and under_way.unit == unit.id else None
        opened = None if mine is None else mine.window
        walk = Walk(
            unit,
            ground,
            (unit.hex,) if mine is None else mine.route,
            mine is not None,
            ground.at(unit, () if mine is None else mine.route),
            ground.needs(objectives),
            opened is not None,
            None if opened is None else opened.target,
            objectives,
        )
        walk.explore(effort)
        walks[unit.id] = walk
    changed = True
    while changed:
        changed = False
        short = {name: objectives | _short(position, walk, walks) for name, walk in walks.items()}
        for name, walk in walks.items():
            if not short[name] <= walk.special:
                walk.special |= short[name]
                before = len(walk.spots)
                walk.explore(effort)
                changed = changed or len(walk.spots) > before
    return walks


def _short(position: Position, walk: Walk, walks: Mapping[str, Walk]) -> frozenset[Hex]:
    """The hexes where an AFV could come to find no room, whatever the others have done."""
    others = [other for name, other in walks.items() if name != walk.unit.id]
    coming: dict[Hex, int] = {}
    for other in others:
        for hex_ in other.stands():
            coming[hex_] = coming.get(hex_, 0) + other.unit.type.size
    found = set()
    for hex_ in walk.stands():
        staying = sum(
            unit.type.size
            for unit in position.standing.get(hex_, ())
            if unit.side == walk.unit.side and unit.id not in walks
        )
        size = staying + coming.get(hex_, 0) + walk.unit.type.size
        if size > position.rules.stacking_limit:
            found.add(hex_)
    return frozenset(found)
