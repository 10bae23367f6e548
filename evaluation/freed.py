"""A plan against a freed defender, who leaves the mover no more.

For some of the defender's hexes the plan is cut into stretches of steps, and what fires from there
in a stretch is a *copy* of the units there: it begins the stretch with the Fire markers and weapons
that they have when the plan begins, and, if the plan strikes the hex, in a status that may fire.
The units themselves are struck, make Final Opportunity Fire, are asked for (is the hex empty, is it
a target) and count as lost, as ever.

**The value is no more than the plan's.** Take any reply of the defender's in the game itself.
Freed, he copies it shot by shot. A unit that fires in the game has no marker, an unspent weapon and
a status that may fire. So has its copy: only shots of its own stretch have marked it, which are
among those made in the game, and nothing strikes it. The shot's effect and price are the same, so
AFVs fare alike, the units of the hex have the same statuses, every question has the same answer,
and the mover is left just as much. For a helping leader the same holds. The best reply of the freed
defender leaves him no more than that.

**Prices.** A unit fires at most once in the game, Final Opportunity Fire aside (OVR-9). So let each
shot of its copies cost the defender a price, and take the price off the value once: with the copied
reply the two come to nothing or to a loss. So for any prices the value, less the prices of all
units, is no more than the plan's. (A Lagrangian bound; the best of some sets of prices is taken.)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from evaluation.compiler import Compiler
from evaluation.easing import LEAST, Changes, Game, sorted_changes
from evaluation.plan import Plan
from evaluation.script import Combatant, Enter, Field, Move, Place, Shot, Step, Strike
from evaluation.units import Side

MOST_PRICED = 16
"""So many sets of prices are tried."""


class Freed(Game):
    """The defender freed; a change: a new stretch of the hex's fire begins with the step, steps
    numbered through the plan."""

    def __init__(self, field: Field, own_loss: float, moves: Sequence[Move]) -> None:
        super().__init__(field, own_loss, moves)
        self._starts = [0]
        self._settled: dict[Place, set[int]] = {}
        self._fires: dict[Place, list[int]] = {}
        for move in moves:
            for number, step in enumerate(move.steps, self._starts[-1]):
                if isinstance(step, Strike):
                    self._settled.setdefault(step.place, set()).add(number)
                else:
                    for place in dict.fromkeys(field.units[s.firer].place for s in step.shots):
                        self._fires.setdefault(place, []).append(number)
            self._starts.append(self._starts[-1] + len(move.steps))
        # What becomes of those struck may be asked for when the hex is entered, and at the end.
        for move, start in zip(moves, self._starts, strict=False):
            for step in move.steps:
                if step.place in self._settled:
                    self._settled[step.place].add(start)
        for objective in field.objectives:
            if objective.place in self._settled:
                self._settled[objective.place].add(self._starts[-1])
        self._stands_for: dict[Place, Place] = {}
        self._copies = {
            (unit.id, i): self._copy(unit, i)
            for unit in field.units.values()
            if unit.side is Side.DEFENDER and unit.carrier is None
            for i in range(len(self._fires.get(unit.place, ())) + 1)
        }
        self._changed = self._with_prices({})

    def _length(self) -> int:
        return self._starts[len(self.moves)]

    def _copy(self, unit: Combatant, stretch: int) -> Combatant:
        """The unit as it fires in a stretch."""
        statuses = self.field.rules.statuses[unit.type.kind]
        status = unit.status
        if unit.place in self._settled and not statuses[status].can_fire:
            able = [name for name, one in statuses.items() if one.can_fire]
            status = able[0] if able and not statuses[status].removed else status
        name = f"{unit.id}\n{stretch}"  # a name that no unit has
        place = ("copy", unit.place, stretch)
        self._stands_for[place] = unit.place
        return replace(unit, id=name, status=status, place=place)

    def _with_prices(self, prices: Mapping[str, float]) -> Compiler:
        """The field with the copies, whose every shot costs the defender the unit's price."""
        units = dict(self.field.units)
        for (name, _), copy in self._copies.items():
            price = prices.get(name, 0.0)
            weapons = tuple(
                replace(w, once=True, price=price + (w.price if w.once else 0.0))
                for w in copy.type.weapons
            )
            type_ = replace(copy.type, weapons=weapons) if price else copy.type
            units[copy.id] = replace(copy, type=type_)
        return self._compiler(replace(self.field, units=units))

    def _settled_worth(self, plan: Plan, changes: Changes) -> float:
        """The best of some prices: all times a factor, then one hex after the other."""
        best = self._worth(plan)
        guess = self._prices(changes)
        without, left = self._changed, MOST_PRICED if guess else 0
        prices = dict.fromkeys(guess, 0.0)
        ways = [(guess, factor) for factor in (1.0, 2.0, 4.0)]
        for place in sorted(guess, key=lambda one: (-guess[one], str(one))):
            ways += [({place: guess[place]}, 2.0), ({place: guess[place]}, 0.5)]
        for part, factor in ways[:left]:
            tried = {
                **prices,
                **{place: factor * max(prices[place], part[place]) for place in part},
            }
            paid = {name: tried[place] for place in tried for name in self._firers(place)}
            self._changed = self._with_prices(paid)
            value = self._worth(self._plan(changes)) - sum(paid.values())
            if value > best:
                best, prices = value, tried
        self._changed = without
        return best

    def _prices(self, changes: Changes) -> dict[Place, float]:
        """For each hex that fires in several stretches what a shot from it is worth in all but the
        best of them, as a guess."""
        prices: dict[Place, float] = {}
        for place in dict.fromkeys(place for place, _ in sorted_changes(changes)):
            worths: dict[int, float] = {}
            for step in self._fires.get(place, ()):
                if step < self._length():
                    stretch = self._stretch(place, step, changes)
                    if stretch is not None:
                        weight = self._weight(place, self._move_of(step))
                        worths[stretch] = max(worths.get(stretch, 0.0), weight)
            ranked = sorted(worths.values(), reverse=True)
            firers = self._firers(place)
            if len(ranked) > 1 and firers:
                prices[place] = ranked[1] / len(firers)
        return prices

    def _firers(self, place: Place) -> list[str]:
        steps = (step for move in self.moves for step in move.steps if isinstance(step, Enter))
        names = {shot.firer for step in steps for shot in step.shots}
        return sorted(name for name in names if self.field.units[name].place == place)

    def _move_of(self, step: int) -> int:
        return bisect_right(self._starts, step) - 1

    def _stretch(self, place: Place, step: int, changes: Changes) -> int | None:
        """The number of the stretch of a hex's fire that a step is in; None: the units themselves
        fire."""
        cuts = sorted(i for other, i in changes if other == place)
        if not cuts:
            return None
        number = bisect_right(cuts, step)
        begins = cuts[number - 1] if number else 0
        ends = cuts[number] if number < len(cuts) else self._starts[-1] + 1
        settled = self._settled.get(place)
        # They do so in a stretch that has all of what befalls them.
        if settled and all(begins <= i < ends for i in settled):
            return None
        return number

    def _change(self, number: int, changes: Changes) -> tuple[Hashable, Callable[[], Move]] | None:
        stretches: dict[tuple[Place, int], int] = {}
        for place in self.fired_at[number]:
            for step in self._fires.get(place, ()):
                if self._starts[number] <= step < self._starts[number + 1]:
                    stretch = self._stretch(place, step, changes)
                    if stretch is not None:
                        stretches[place, step] = stretch
        what = frozenset(stretches.items())
        return (what, partial(self._copied, number, stretches)) if what else None

    def _copied(self, number: int, stretches: Mapping[tuple[Place, int], int]) -> Move:
        """A move at which copies fire."""

        def copied(shot: Shot, at: int) -> Shot:
            stretch = stretches.get((self.field.units[shot.firer].place, at))
            if stretch is None:
                return shot
            return replace(shot, firer=self._copies[shot.firer, stretch].id)

        def changed(step: Step, at: int) -> Step:
            if isinstance(step, Strike):
                return step
            return replace(step, shots=tuple(copied(shot, at) for shot in step.shots))

        move, start = self.moves[number], self._starts[number]
        return replace(move, steps=tuple(changed(s, at) for at, s in enumerate(move.steps, start)))

    def _original(self, place: Place) -> Place:
        return self._stands_for.get(place, place)

    def _ways(self, place: Place, turn: int, changes: Changes) -> Iterator[Changes]:
        if turn >= len(self.moves) or place not in self._fires:
            return
        begins, ends = self._starts[turn], self._starts[turn + 1]
        fires = self._fires[place]
        within = [i for i in fires if begins <= i < ends]
        some = ([begins], [ends], [begins, ends], [begins, *within, ends])
        first = min([*fires, *self._settled.get(place, ())], default=0)
        for numbers in some:
            # It begins with a step in which the hex fires, or else with the next move.
            new = {min((i for i in fires if i >= number), default=ends) for number in numbers}
            way = frozenset((place, i) for i in new if first < i < self._length()) - changes
            if way:
                yield way

    def _cost(self, way: Changes, changes: Changes) -> float:
        """What the hex may fire on one side of the new beginning though it has on the other: no
        more than the lesser of what its fire takes on either side."""
        total = 0.0
        for place, number in sorted_changes(way):
            cuts = [i for other, i in changes | way if other == place]
            begins = max([i for i in cuts if i < number], default=0)
            ends = min([i for i in cuts if i > number], default=self._length())
            fires = self._fires[place]
            total += min(
                max(
                    [self._weight(place, self._move_of(i)) for i in fires if low <= i < high],
                    default=LEAST,
                )
                for low, high in ((begins, number), (number, ends))
            )
        return total
