"""AFVs that bear on each other, solved together: the exact value of every moment of their moves.

Between moves a moment is told by which AFVs have moved (``done``, with the hexes where it still
matters that they stand) and by the situation of the defender's units; during one also by the AFV's
spot and status. Values are arrays over situations, worked out backwards and only where asked for:
the mover takes the greatest value of what he may do next, in every window the defender the least of
holding and of each shot's expectation (`Situations.window`). Everything is worth what it brings
from the moment on; only an AFV's own loss counts from its status at the start (``booked``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from evaluation.automaton import Events, declared
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.plan import Space
from evaluation.script import Strike
from planner.game.actions import Enter, Halt
from planner.game.choices import bars
from planner.game.hexes import Hex
from planner.game.legality import no_room
from planner.game.play_state import Game, UnderWay
from planner.game.position import Position, Unit
from planner.game.score import payoff
from planner.game.turns import with_objectives
from planner.game.windows import cover, window
from planner.play.phase_tree.effort import Effort
from planner.play.phase_tree.ground import Line, Spot, Weapons
from planner.play.phase_tree.situations import EventsByHex, Situations
from planner.play.phase_tree.walks import Walk

Values = NDArray[np.float64]
Done = tuple[tuple[str, Hex | None], ...]
"""AFVs that have moved, by id, with the hex where it matters that they stand."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the AFVs of a position have in common: the yardstick's charts, the own-loss weight."""

    position: Position
    compiler: Compiler
    effects: Effects
    own_loss: float
    effort: Effort


def events_of(setting: Setting, walk: Walk) -> EventsByHex:
    """What an AFV can do to the defender's units of each hex on its walks, and ask of them."""
    position, compiler = setting.position, setting.compiler
    afv = compiler.field.units[walk.unit.id]
    found: dict[Hex, Events] = {}

    def add(place: Hex, events: Events) -> None:
        found[place] = found.get(place, Events()) | events

    entered = dict.fromkeys((s.hex, s.facing) for s in walk.spots if s != walk.start or walk.open)
    if walk.overrun is not None:
        last = window(position, walk.start.hex, walk.start.facing, walk.overrun)
        for place, fire in compiler.fires(last, afv).items():
            add(place, Events(declared(fire.aims, final=fire.final)))  # type: ignore[arg-type]
    for hex_, facing in entered:
        if hex_ in walk.ground.clearable:
            add(hex_, Events(asks=frozenset(["empty"])))
        for place, fire in compiler.fires(window(position, hex_, facing, None), afv).items():
            add(place, Events(declared(fire.aims, final=False)))  # type: ignore[arg-type]
    for line in walk.lines():
        last = window(position, line.exit, line.facing, line.target)
        for place, fire in compiler.fires(last, afv).items():
            add(place, Events(declared(fire.aims, final=fire.final)))  # type: ignore[arg-type]
        if line.exit in walk.ground.clearable:
            add(line.exit, Events(asks=frozenset(["empty"])))
        for weapons in line.weapons:
            strike = Strike(line.target, cover(position, line.target), weapons)
            attack, _ = compiler.attack(afv, strike)
            add(line.target, Events(attacks=frozenset([attack]), asks=frozenset(["target"])))
    return found


class Clash:
    """The AFVs of ``walks``, which bear on each other; ``objectives`` are the hexes of those that
    they alone can change."""

    def __init__(
        self,
        setting: Setting,
        walks: Mapping[str, Walk],
        events: Mapping[str, EventsByHex],
        objectives: frozenset[Hex],
    ) -> None:
        self.setting = setting
        self.walks = walks
        self.units = tuple(sorted(walks))
        self.objectives = objectives
        self.situations = Situations(
            setting.compiler, setting.effects, events, objectives, setting.effort
        )
        self._ends: dict[Done, Values] = {}
        self._values: dict[Done, Values] = {}
        self._moves: dict[tuple[Done, str], Moving] = {}
        self._probes: dict[tuple[Done, frozenset[Hex]], Position] = {}

    def left(self, done: Done) -> tuple[str, ...]:
        """The AFVs that have not moved."""
        moved = {unit for unit, _ in done}
        return tuple(unit for unit in self.units if unit not in moved)

    def space(self, done: Done) -> Space:
        """The situations when these AFVs have moved and nobody is under way."""
        return self.situations.space(self.left(done), tuple(unit for unit, _ in done))

    def after(self, done: Done, unit: str, place: Hex | None) -> Done:
        """One more AFV has moved and stands there (None: it is off the map)."""
        return self.plain((*done, (unit, place)))

    def plain(self, done: Done) -> Done:
        """The same, hexes told only where it still matters."""
        left = self.left(done)
        matter = self.objectives.union(*(self.walks[unit].special for unit in left))
        return tuple(sorted((unit, place if place in matter else None) for unit, place in done))

    def end(self, done: Done) -> Values:
        """What it is worth to end the phase: objectives, by who stands where."""
        found = self._ends.get(done)
        if found is None:
            space = self.space(done)
            places = sorted(self.objectives & set(self.situations.places))

            def held(gone: frozenset[Hex]) -> float:
                position = self.probe(done, gone)
                mine = tuple(o for o in position.objectives if o.hex in self.objectives)
                before = replace(position, objectives=mine)
                after = with_objectives(before, [])
                return payoff(before, after, before.to_move, self.setting.own_loss)

            found = self.situations.by_emptiness(space, places, held)
            found = self._ends[done] = np.broadcast_to(found, space.shape)
        return found

    def value(self, done: Done) -> Values:
        """The value when these AFVs have moved, nobody is under way and the mover decides."""
        found = self._values.get(done)
        if found is None:
            space = self.space(done)
            found = self.end(done)
            for unit in self.left(done):
                moving = self.moving(done, unit)
                began = moving.going_on(moving.walk.start)
                if began is not None:
                    here = self.situations.part(began, moving.space, space)
                    found = np.maximum(found, here[..., moving.rank])
            self._values[done] = found
        return found

    def moving(self, done: Done, unit: str) -> Moving:
        """The move of one AFV when these have moved."""
        found = self._moves.get((done, unit))
        if found is None:
            found = self._moves[done, unit] = Moving(self, done, self.walks[unit])
        return found

    def probe(self, done: Done, gone: frozenset[Hex]) -> Position:
        """A position to ask the rules of play about: these AFVs have moved (one that stands where
        it does not matter is left out), and no enemy is left in the hexes ``gone``."""
        found = self._probes.get((done, gone))
        if found is None:
            position = self.setting.position
            moved = dict(done)
            units: dict[str, Unit] = {}
            for name, unit in position.units.items():
                if name in moved:
                    place = moved[name]
                    if place is not None:
                        units[name] = replace(unit, hex=place, moved=True)
                elif not (unit.side != position.to_move and unit.stands and unit.hex in gone):
                    units[name] = unit
            found = self._probes[done, gone] = replace(position, units=units)
        return found


class Moving:
    """One AFV's move, after ``done``. Arrays are over `space`, with the AFV's status last."""

    def __init__(self, clash: Clash, done: Done, walk: Walk) -> None:
        self.clash = clash
        self.walk = walk
        self._done = done
        self._setting = clash.setting
        self._situations = clash.situations
        unit = walk.unit
        left = clash.left(done)
        past = tuple(sorted((*(name for name, _ in done), unit.id)))
        self.space = clash.situations.space(left, past)
        effects = clash.setting.effects
        self._statuses = effects.statuses
        self.rank = effects.index[unit.status.name]
        self._afv = clash.setting.compiler.field.units[unit.id]
        losses = clash.setting.compiler.losses
        self.booked = [
            -clash.setting.own_loss * losses.change(self._afv, status)
            for status in effects.statuses
        ]
        self._ended: dict[Done, Values] = {}
        self._open: dict[Spot, Values] = {}
        self._deciding: dict[Spot, Values] = {}
        self._on: dict[Spot, Values | None] = {}
        self._lines: dict[tuple[Line, Weapons], Values] = {}
        self._after: dict[Line, Values] = {}
        self._full: dict[Hex, bool] = {}
        self._kept: dict[tuple[Spot, Spot | None, bool], NDArray[np.bool_]] = {}

    @property
    def _shape(self) -> tuple[int, ...]:
        return (*self.space.shape, len(self._statuses))

    def ended(self, place: Hex | None) -> Values:
        """What follows when the move has ended with the AFV there (None: off the map), without its
        own loss; no axis for its status."""
        done = self.clash.after(self._done, self.walk.unit.id, place)
        found = self._ended.get(done)
        if found is None:
            values = self.clash.value(done)
            found = self._situations.onto(values, self.clash.space(done), self.space)
            found = self._ended[done] = np.broadcast_to(found, self.space.shape)
        return found

    def before_window(self, spot: Spot) -> Values:
        """The value with the window open that opens where the AFV has come to a spot."""
        found = self._open.get(spot)
        if found is None:
            step = window(self._setting.position, spot.hex, spot.facing, None)
            fires = self._setting.compiler.fires(step, self._afv)
            after = self.deciding(spot)
            found = self._situations.window(self.space, after, fires)  # type: ignore[arg-type]
            self._open[spot] = found
        return found

    def deciding(self, spot: Spot) -> Values:
        """The value with the AFV at a spot, the window there closed."""
        found = self._deciding.get(spot)
        if found is None:
            found = self._deciding[spot] = self._decide(spot)
        return found

    def _decide(self, spot: Spot) -> Values:
        self._setting.effort.spend(prod(self._shape))  # before there is an array: it may be vast
        values = np.empty(self._shape)
        here, gone = self.ended(spot.hex), self.ended(None)
        on = self.going_on(spot) if self.walk.useful(spot) else None
        for i, status in enumerate(self._statuses):
            if status.removed:
                values[..., i] = gone
            elif not status.may_move:
                values[..., i] = here
            else:
                values[..., i] = here
                if self._is_full(spot.hex):
                    barred = ~self._allowed(spot, None, overruns=status.may_overrun)
                    values[..., i][np.broadcast_to(barred, self.space.shape)] = -np.inf
            values[..., i] += self.booked[i]
            if on is not None and status.may_move and not status.removed:
                values[..., i] = np.maximum(values[..., i], on[..., i])
        return values

    def going_on(self, spot: Spot) -> Values | None:
        """The value of the best of what the AFV may do at a spot besides halting; None when there
        is nothing worth looking at."""
        if spot not in self._on:
            self._on[spot] = self._go_on(spot)
        return self._on[spot]

    def _go_on(self, spot: Spot) -> Values | None:
        found: Values | None = None
        for there in self.walk.steps(spot):
            values = self.before_window(there)
            if there.hex in self.walk.ground.clearable:
                empty = self._situations.group(there.hex).is_empty
                values = self._only(values, self._situations.where(self.space, there.hex, empty))
            if self._is_full(there.hex):
                values = np.array(values)
                for i, status in enumerate(self._statuses):
                    ways = self._allowed(spot, there, overruns=status.may_overrun)
                    values[..., i] = self._only(values[..., i, np.newaxis], ways)[..., 0]
            found = values if found is None else np.maximum(found, values)
        best: Values | None = None
        for line in self.walk.ground.overruns(spot):
            values = self.overrun(line)
            best = values if best is None else np.maximum(best, values)
        if best is None:
            return found
        able = [status.may_overrun for status in self._statuses]
        best = np.where(able, best, -np.inf)
        return best if found is None else np.maximum(found, best)

    def overrun(self, line: Line) -> Values:
        """The value of making an overrun from the hex before the target hex, with the best choice
        of passengers' weapons; minus infinity where it is not legal."""
        best = self.armed(line, line.weapons[0])
        for weapons in line.weapons[1:]:
            best = np.maximum(best, self.armed(line, weapons))
        return best

    def armed(self, line: Line, weapons: Weapons) -> Values:
        """The value of making an overrun with these passengers' weapons."""
        found = self._lines.get((line, weapons))
        if found is None:
            found = self._lines[line, weapons] = self._overrun(line, weapons)
        return found

    def _overrun(self, line: Line, weapons: Weapons) -> Values:
        setting, situations = self._setting, self._situations
        if self._is_full(line.exit):
            self._setting.effort.spend(prod(self._shape))
            return np.full(self._shape, -np.inf)
        strike = Strike(line.target, cover(setting.position, line.target), weapons)
        attack, price = setting.compiler.attack(self._afv, strike)
        paid = setting.own_loss * price
        made = situations.strike(self.space, self._last(line), line.target, attack, paid)
        target = situations.group(line.target).is_target
        made = self._only(made, situations.where(self.space, line.target, target))
        if line.exit in self.walk.ground.clearable:
            empty = situations.group(line.exit).is_empty
            made = self._only(made, situations.where(self.space, line.exit, empty))
        return made

    def _last(self, line: Line) -> Values:
        """The value after an overrun's attack, before its last window."""
        found = self._after.get(line)
        if found is None:
            here, gone = self.ended(line.exit), self.ended(None)
            both = zip(self._statuses, self.booked, strict=True)
            ends = [(gone if status.removed else here) + booked for status, booked in both]
            step = window(self._setting.position, line.exit, line.facing, line.target)
            fires = self._setting.compiler.fires(step, self._afv)
            found = self._situations.window(self.space, np.stack(ends, axis=-1), fires)  # type: ignore[arg-type]
            self._after[line] = found
        return found

    def _only(self, values: Values, ways: NDArray[np.bool_]) -> Values:
        """The values where something is legal, elsewhere minus infinity."""
        return np.where(ways[..., np.newaxis], values, -np.inf)

    # -- room --------------------------------------------------------------------------------

    def _is_full(self, hex_: Hex) -> bool:
        """Whether there is no room for the AFV to end its move in a hex."""
        if hex_ not in self.walk.special:
            return False
        found = self._full.get(hex_)
        if found is None:
            position = self.clash.probe(self._done, frozenset())
            reasons = no_room(position, self.walk.unit, hex_)
            found = self._full[hex_] = next(reasons, None) is not None
        return found

    def _allowed(self, spot: Spot, there: Spot | None, *, overruns: bool) -> NDArray[np.bool_]:
        """Where the rules let the AFV halt at a spot (there: None) or enter a full hex."""
        found = self._kept.get((spot, there, overruns))
        if found is None:
            clearable = self.walk.ground.clearable
            places = [place for place in self._situations.places if place in clearable]
            status = next(
                (s for s in self._statuses if s.may_move and s.may_overrun is overruns), None
            )

            def legal(gone: frozenset[Hex]) -> float:
                if status is None:
                    return 0.0
                unit = replace(
                    self.walk.unit,
                    hex=spot.hex,
                    facing=spot.facing,
                    status=status,
                    movement_used=self.walk.unit.type.movement - spot.left,
                )
                position = self.clash.probe(self._done, gone).with_units(unit)
                game = Game(position, position, UnderWay(unit.id, (spot.hex,)))
                action = Halt(unit.id) if there is None else Enter(unit.id, there.hex)
                return float(not bars(game, action))

            asked = self._situations.by_emptiness(self.space, places, legal)
            found = self._kept[spot, there, overruns] = asked > 0.5
        return found
