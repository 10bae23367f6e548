"""The tree of a Movement Phase from one moment on: its AFVs parted into those that bear on each
other, and every later moment found in their tables.

AFVs that share nothing are solved apart and their values add: by the argument of
`planner.search.interactions`, for moves chosen hex by hex as for moves written beforehand, as no
guard, shot or result of the ones' moves depends on what the others' change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from evaluation.automaton import Events
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.group import Group, State
from evaluation.plan import Defence, Space
from evaluation.worth import Losses
from planner.game.actions import Enter, Overrun
from planner.game.hexes import Hex
from planner.game.legality import unit_bars
from planner.game.play_state import Game
from planner.game.position import Unit
from planner.game.score import payoff
from planner.game.turns import with_objectives
from planner.play.phase_tree.clash import Clash, Done, Moving, Setting, Values, events_of
from planner.play.phase_tree.effort import Effort
from planner.play.phase_tree.ground import Spot
from planner.play.phase_tree.walks import find_walks
from planner.search.exposure import field


class NotCoveredError(LookupError):
    """A moment that the tables do not hold: it does not come of the moment they begin with, or an
    AFV is on a walk that is of no use to it."""


@dataclass(frozen=True, slots=True)
class _At:
    """Where a clash stands in a game."""

    clash: Clash
    done: Done
    states: Mapping[Hex, State]


class Solved:
    """The tree from a game on. Tables are made as they are asked for, within the effort. Raises
    TooLarge."""

    def __init__(self, game: Game, own_loss: float, effort: Effort) -> None:
        self.game = game
        self.position = position = game.position
        fight = field(position)
        effects, losses = Effects(fight.rules), Losses(fight)
        compiler = Compiler(fight, effects, losses, Defence.BEST, keep=False)
        self._setting = Setting(position, compiler, effects, own_loss, effort)
        under_way = game.under_way
        able = [
            unit
            for unit in position.movers()
            if not next(unit_bars(position, unit, overruns=False), None)
        ]
        if under_way is not None:
            able = [unit for unit in able if unit.id != under_way.unit]
            able.append(position.units[under_way.unit])
        able = [unit for unit in able if unit.facing is not None]
        walks = find_walks(position, under_way, sorted(able, key=lambda unit: unit.id), effort)
        self._walks = {
            name: walk for name, walk in walks.items() if walk.begun or walk.useful(walk.start)
        }
        self._stands = {name: walk.stands() for name, walk in self._walks.items()}
        self._events = {name: events_of(self._setting, walk) for name, walk in self._walks.items()}
        self.clashes: tuple[Clash, ...] = tuple(self._clashes())
        self._clash_of = {unit: clash for clash in self.clashes for unit in clash.units}
        self._tracked = {place for clash in self.clashes for place in clash.situations.places}
        self.constant = self._constant(own_loss)

    # -- who bears on whom -------------------------------------------------------------------

    def _clashes(self) -> Iterator[Clash]:
        names = sorted(self._walks)
        group = {name: name for name in names}

        def root(name: str) -> str:
            while group[name] != name:
                name = group[name]
            return name

        for a, b in combinations(names, 2):
            if root(a) != root(b) and self._bear(a, b):
                group[root(b)] = root(a)
        parties: dict[str, list[str]] = {}
        for name in names:
            parties.setdefault(root(name), []).append(name)
        for party in parties.values():
            goals = frozenset[Hex]().union(*(self._goals(name) for name in party))
            walks = {name: self._walks[name] for name in party}
            events = {name: self._events[name] for name in party}
            yield Clash(self._setting, walks, events, goals)

    def _goals(self, name: str) -> frozenset[Hex]:
        """The objectives that an AFV can have to do with."""
        walk = self._walks[name]
        touched = walk.stands() | {line.target for line in walk.lines()}
        return frozenset(o.hex for o in self.position.objectives) & touched

    def _bear(self, a: str, b: str) -> bool:
        """Whether two AFVs share a unit that may fire at both, a hex that one may overrun and the
        other has to do with, an objective, or a hex where room may be short."""
        mine, yours = self._events[a], self._events[b]
        if any(_touch(mine[place], yours[place]) for place in mine.keys() & yours.keys()):
            return True
        one, other = self._walks[a], self._walks[b]
        if self._goals(a) & self._goals(b):
            return True
        return bool(one.special & one.stands() & other.stands()) or bool(
            other.special & one.stands() & other.stands()
        )

    def _constant(self, own_loss: float) -> float:
        """What becomes of the objectives that no move can change."""
        changing = frozenset[Hex]().union(*(clash.objectives for clash in self.clashes))
        kept = tuple(o for o in self.position.objectives if o.hex not in changing)
        before = replace(self.position, objectives=kept)
        return payoff(before, with_objectives(before, []), before.to_move, own_loss)

    # -- moments -----------------------------------------------------------------------------

    def value(self, game: Game) -> float:
        """The value of a moment; not in the last window of an overrun.

        Raises NotCoveredError, and TooLarge.
        """
        total = self.constant
        under_way = game.under_way
        if under_way is not None and under_way.unit not in self._clash_of:
            raise NotCoveredError(under_way.unit)
        for at in self._ats(game):
            if under_way is not None and under_way.unit in at.clash.units:
                total += self._moving(game, at)
            else:
                space = at.clash.space(at.done)
                total += float(at.clash.value(at.done)[_cell(space, at.states)])
        return total

    def end(self, game: Game) -> float:
        """What it is worth to end the phase now, nobody being under way. Raises as `value`."""
        return self.constant + sum(
            float(at.clash.end(at.done)[_cell(at.clash.space(at.done), at.states)])
            for at in self._ats(game)
        )

    def covers(self, game: Game) -> bool:
        """Whether the moment, or what follows it when it is in the last window of an overrun, is in
        the tables."""
        try:
            return len(list(self._ats(game))) == len(self.clashes) and (
                game.under_way is None or game.under_way.unit in self._clash_of
            )
        except NotCoveredError:
            return False

    def after(self, game: Game, action: Enter | Overrun) -> float:
        """The value of a legal step or overrun. Raises as `value`."""
        if action.unit not in self._clash_of:
            raise NotCoveredError(action.unit)
        total = self.constant
        for at in self._ats(game):
            if action.unit not in at.clash.units:
                space = at.clash.space(at.done)
                total += float(at.clash.value(at.done)[_cell(space, at.states)])
                continue
            moving = at.clash.moving(at.done, action.unit)
            unit = game.position.units[action.unit]
            route = () if game.under_way is None else game.under_way.route
            if route and route[: len(moving.walk.route)] != moving.walk.route:
                raise NotCoveredError(unit.id)
            values = _follows(moving, moving.walk.ground.at(unit, route), action)
            rank = self._setting.effects.index[unit.status.name]
            total += float(values[(*_cell(moving.space, at.states), rank)]) - moving.booked[rank]
        return total

    def _moving(self, game: Game, at: _At) -> float:
        assert game.under_way is not None
        unit = game.position.units[game.under_way.unit]
        moving = at.clash.moving(at.done, unit.id)
        spot = moving.walk.ground.at(unit, game.under_way.route)
        rank = self._setting.effects.index[unit.status.name]
        cell = _cell(moving.space, at.states)
        opened = game.under_way.window is not None
        came = game.under_way.route[: len(moving.walk.route)] == moving.walk.route
        if not came:
            raise NotCoveredError(unit.id)
        if spot in moving.walk.spots and not (
            opened and spot == moving.walk.start and not moving.walk.open
        ):
            values = moving.before_window(spot) if opened else moving.deciding(spot)
            return float(values[(*cell, rank)]) - moving.booked[rank]
        if game.under_way.window is None and not moving.walk.useful(spot):
            self._check_place(unit.id, game)
            return float(moving.ended(spot.hex)[cell])
        raise NotCoveredError(unit.id)

    def _ats(self, game: Game) -> Iterator[_At]:
        """Where each clash stands. Raises NotCoveredError."""
        self._check(game)
        for clash in self.clashes:
            done: list[tuple[str, Hex | None]] = []
            for name in clash.units:
                unit = game.position.units[name]
                if game.under_way is not None and game.under_way.unit == name:
                    continue
                if unit.moved or unit.status.removed:
                    if not unit.status.removed:
                        self._check_place(name, game)
                    done.append((name, None if unit.status.removed else unit.hex))
                elif unit != self.position.units[name] or self._walks[name].begun:
                    raise NotCoveredError(name)
            states = {place: self._state(clash, game, place) for place in clash.situations.places}
            yield _At(clash, clash.plain(tuple(done)), states)

    def _check_place(self, name: str, game: Game) -> None:
        """Raises NotCoveredError for an AFV that is where the tables do not expect it."""
        if game.position.units[name].hex not in self._stands[name]:
            raise NotCoveredError(name)

    def _check(self, game: Game) -> None:
        """Raises NotCoveredError where the game differs in what no move of the clashes changes."""
        now, then = game.position, self.position
        if now is then:
            return
        if (
            now.board is not then.board
            or now.rules is not then.rules
            or (now.to_move, now.turn) != (then.to_move, then.turn)
            or now.objectives != then.objectives
            or now.units.keys() != then.units.keys()
        ):
            raise NotCoveredError("another phase")
        for name, unit in now.units.items():
            was = then.units[name]
            if unit is was or name in self._clash_of or unit.carrier is not None:
                continue
            if unit.hex != was.hex or unit.facing != was.facing or unit.type is not was.type:
                raise NotCoveredError(name)
            if (was.fired and not unit.fired) or was.spent - unit.spent:
                raise NotCoveredError(name)  # whoever has fired is in no window of the tables
            mine = unit.side == now.to_move
            kept = mine or was.status.removed or unit.hex not in self._tracked
            if kept and unit.status is not was.status:
                raise NotCoveredError(name)

    def _state(self, clash: Clash, game: Game, place: Hex) -> State:
        """The state of the units of a hex, markers left out where nothing asks for them."""
        automaton = clash.situations.automata[place]
        group = automaton.group
        found = []
        for index, unit in enumerate(group.units):
            fires, weapons = clash.situations.tracked(place, index)
            now = game.position.units[unit.id]
            status, fired, spent = _unit_state(group, index, now)
            _, fired_then, spent_then = group.start[index]
            found.append(
                (
                    status,
                    fired if fires else fired_then,
                    spent & weapons | spent_then & ~weapons,
                )
            )
        state = tuple(found)
        if state not in automaton.index:
            raise NotCoveredError(group.units[0].id)
        return state


def _unit_state(group: Group, index: int, unit: Unit) -> tuple[int, bool, int]:
    """A unit as its group's states have it."""
    names = list(group.rules.statuses[unit.kind])
    once = [weapon.name for weapon in unit.type.combat.weapons if weapon.once]
    spent = sum(1 << bit for bit, name in enumerate(once) if name in unit.spent)
    return names.index(unit.status.name), unit.fired, spent


def _follows(moving: Moving, spot: Spot, action: Enter | Overrun) -> Values:
    """The values after a legal step or overrun of an AFV at a spot. Raises NotCoveredError."""
    if isinstance(action, Overrun):
        for line in moving.walk.ground.overruns(spot):
            if (line.target, line.exit) == (
                action.target,
                action.exit,
            ) and spot in moving.walk.spots:
                return moving.armed(line, action.weapons)
    elif spot in moving.walk.spots:
        for there in moving.walk.steps(spot):
            if there.hex == action.hex:
                return moving.before_window(there)
    raise NotCoveredError(str(action))


def _cell(space: Space, states: Mapping[Hex, State]) -> tuple[int, ...]:
    """The cell of an array over a space. Raises NotCoveredError."""
    cell: list[int] = []
    for key, classes in space.classes.items():
        number = classes.get(states[key[1]])  # type: ignore[index]
        if number is None:  # fired at on a walk that the tables leave out
            raise NotCoveredError(str(key))
        if key in space.axes:
            cell.append(number)
    return tuple(cell)


def _touch(mine: Events, yours: Events) -> bool:
    """Whether what one AFV does to the units of a hex can change what another finds there."""
    if (mine.attacks and yours) or (yours.attacks and mine):
        return True
    return bool(_acting(mine) & _acting(yours))


def _acting(events: Events) -> set[int]:
    """The units and leaders of a hex that some of the shots may use."""
    return {unit for unit, *_ in events.shots} | {leader for _, _, leader, _ in events.shots} - {-1}
