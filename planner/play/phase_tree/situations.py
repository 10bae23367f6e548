"""Situations of the defender's units as arrays: which states can come about, and what fire and
overruns make of the values over them.

The units of each hex are worked out by the yardstick (`evaluation.automaton`): their states, as far
as what may still come can tell them apart. An array of values has one axis for each hex with more
than one class of states, and the AFV's status last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from evaluation.automaton import Automaton, Events
from evaluation.chain import Attack, Choice, Fire, Link
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.group import Aim, Group, State
from evaluation.plan import Space
from evaluation.sweep import Sweep, make_sweep
from planner.game.hexes import Hex
from planner.play.phase_tree.effort import Effort, TooLarge

Values = NDArray[np.float64]
MOST_STATES = 1_500
"""So many states of the units of one hex, at most."""

EventsByHex = Mapping[Hex, Events]


class Situations:
    """The defender's units that some AFVs have to do with.

    ``events[unit]`` is what each AFV can do to the units of a hex, and ask of them; ``asked`` are
    hexes of which it is asked at the end of the phase whether they are empty.
    """

    def __init__(
        self,
        compiler: Compiler,
        effects: Effects,
        events: Mapping[str, EventsByHex],
        asked: Iterable[Hex],
        effort: Effort,
    ) -> None:
        self.compiler = compiler
        self.effects = effects
        self._events = events
        self._asked = frozenset(asked)
        self._effort = effort
        places = {place for own in events.values() for place, what in own.items() if what}
        self.places: tuple[Hex, ...] = tuple(
            sorted(
                (place for place in places if compiler.group(place).units),
                key=lambda place: compiler.group(place).units[0].id,
            )
        )
        self.automata: dict[Hex, Automaton] = {}
        for place in self.places:
            whole = self._all(events, place)
            self.automata[place] = Automaton(compiler.group(place), whole, self._bounded())
        self._spaces: dict[tuple[tuple[str, ...], tuple[str, ...]], Space] = {}
        self._links: dict[tuple[int, Hex, Fire], Link] = {}
        self._sweeps: dict[tuple[int, ...], tuple[Sweep, list[Link]]] = {}
        self._removed = [i for i, status in enumerate(effects.statuses) if status.removed]

    def _bounded(self) -> Callable[[], None]:
        rounds = 0

        def poll() -> None:
            nonlocal rounds
            rounds += 32
            if rounds > MOST_STATES:
                raise TooLarge(f"more than {MOST_STATES:,} states of the units of one hex")
            self._effort.spend()

        return poll

    def _all(self, units: Iterable[str], place: Hex) -> Events:
        found = Events()
        for unit in units:
            found = found | self._events[unit].get(place, Events())
        return found

    def group(self, place: Hex) -> Group:
        """The units that stand in a hex."""
        return self.compiler.group(place)

    def tracked(self, place: Hex, unit: int) -> tuple[bool, int]:
        """Of a unit of a hex: whether its Fire marker is ever asked for, and which of its
        once-weapons, as bits, may ever be declared."""
        shots = self._all(self._events, place).shots
        fires = any(unit in (firer, leader) for firer, _, leader, _ in shots)
        once = [i for i, w in enumerate(self.group(place).units[unit].type.weapons) if w.once]
        used = {weapon for firer, weapon, _, _ in shots if firer == unit}
        return fires, sum(1 << bit for bit, weapon in enumerate(once) if weapon in used)

    # -- spaces ------------------------------------------------------------------------------

    def space(self, left: tuple[str, ...], past: tuple[str, ...]) -> Space:
        """The situations that AFVs ``past`` may have brought about, as far as AFVs ``left`` can
        tell them apart (those under way may be both). Shots of ordinary windows lead to classes of
        lower numbers."""
        found = self._spaces.get((left, past))
        if found is None:
            members: dict[tuple[str, Hashable], tuple[Hashable, ...]] = {}
            classes: dict[tuple[str, Hashable], Mapping[Hashable, int]] = {}
            for place in self.places:
                key = ("group", place)
                members[key], classes[key] = self._classes(place, left, past)
                self._effort.spend(len(self.automata[place].states))
            axes = tuple(key for key, each in members.items() if len(each) > 1)
            found = self._spaces[left, past] = Space(axes, members, classes, frozenset(), ())
        return found

    def _classes(
        self, place: Hex, left: tuple[str, ...], past: tuple[str, ...]
    ) -> tuple[tuple[Hashable, ...], Mapping[Hashable, int]]:
        automaton = self.automata[place]
        coming = self._all(left, place)
        if place in self._asked:
            coming = coming | Events(asks=frozenset(["empty"]))
        done = self._all(past, place)
        numbers = automaton.partition(coming)
        reach = automaton.reach(Events(done.shots, done.attacks))
        first: dict[int, int] = {}
        for at in reach:
            first.setdefault(int(numbers[at]), at)
        shots = sorted(shot for shot in coming.shots if not shot[3])
        aims = [Aim(unit, weapon, ((leader, 0),)) for unit, weapon, leader, _ in shots]

        def ready(number: int) -> int:
            state = automaton.states[first[number]]
            return sum(1 for _ in automaton.group.options(state, aims))

        order = {number: i for i, number in enumerate(sorted(first, key=ready))}
        members = tuple(automaton.states[first[number]] for number in order)
        known: dict[Hashable, int] = {
            state: order[int(number)]
            for state, number in zip(automaton.states, numbers, strict=True)
            if int(number) in order
        }
        return members, known

    # -- what happens to values --------------------------------------------------------------

    def window(self, space: Space, values: Values, fires: Mapping[Hex, Fire]) -> Values:
        """What values after a window of Opportunity Fire are before it, the defender replying best
        shot by shot (statuses that are shot at no more keep theirs)."""
        self._effort.spend(values.size)
        links: list[Link] = []
        at: list[int] = []
        back: list[tuple[int, NDArray[np.intp] | int]] = []
        added = 0
        for place, fire in fires.items():
            key = ("group", place)
            if not fire.final:
                if key in space.axes:
                    link = self._link(space, place, fire)
                    if any(link.choices):
                        links.append(link)
                        at.append(space.axes.index(key) + added)
                continue
            chain = self.compiler.chain(place, (fire,), space, space)
            link = chain.links[0]
            links.append(link)
            if key in space.axes:
                axis = space.axes.index(key)
                values = np.take(values, link.passes, axis=axis + added)
                entries = [chain.entry[member] for member in space.members[key]]
                back.append((axis, np.array(entries, dtype=np.intp)))
                at.append(axis + added)
            else:
                values = np.repeat(values[np.newaxis], link.size, axis=0)
                back.append((-1, chain.entry[self.group(place).start]))
                at = [axis + 1 for axis in at] + [0]
                added = 1
        if not links:
            return values
        front = np.moveaxis(values, at, range(len(at)))
        sizes = front.shape
        cells = int(np.prod(sizes[: len(at)]))
        work = np.array(front, order="C").reshape(cells, -1, sizes[-1])
        self._sweep(links).run(work, self.effects)
        made: Values = np.moveaxis(work.reshape(sizes), range(len(at)), at)
        made[..., self._removed] = values[..., self._removed]
        for axis, entry in back:
            made = np.take(made, entry, axis=0 if axis < 0 else axis + added)
        return np.asarray(made)

    def _link(self, space: Space, place: Hex, fire: Fire) -> Link:
        """The shots of the units of a hex in an ordinary window, as the space's classes see it."""
        known = self._links.get((id(space), place, fire))
        if known is None:
            key = ("group", place)
            classes = space.classes[key]
            choices = []
            for member in space.members[key]:
                state: State = member  # type: ignore[assignment]
                options = self.group(place).options(state, fire.aims)
                each = (
                    Choice(option.effect, option.price, classes[option.to], option.label)
                    for option, _, _ in options
                )
                choices.append(tuple({(c.effect, c.price, c.to): c for c in each}.values()))
            passes = np.arange(len(choices))
            known = Link(fire, len(choices), passes, choices=tuple(choices))
            self._links[id(space), place, fire] = known
        return known

    def _sweep(self, links: list[Link]) -> Sweep:
        key = tuple(id(link) for link in links)
        found = self._sweeps.get(key)
        if found is None:
            # The links are kept with it, so that no others can get the same numbers.
            found = self._sweeps[key] = (make_sweep(links), links)
        return found[0]

    def strike(
        self, space: Space, values: Values, place: Hex, attack: Attack, paid: float
    ) -> Values:
        """What values after an overrun's attack are before it, worth lost by the units struck
        included and ``paid`` taken off."""
        self._effort.spend(values.size)
        key = ("group", place)
        group, classes = self.group(place), space.classes[key]
        size = len(space.members[key])
        odds, gain = np.zeros((size, size)), np.full(size, -paid)
        for number, member in enumerate(space.members[key]):
            state: State = member  # type: ignore[assignment]
            for new, p in group.strike(state, attack.strength, attack.cover):
                odds[number, classes[new]] += p
                gain[number] += p * (group.loss(new) - group.loss(state))
        if key not in space.axes:
            return np.asarray(values + gain[0])
        axis = space.axes.index(key)
        made: Values = np.moveaxis(np.tensordot(odds, values, (1, axis)), 0, axis)
        gains = gain.reshape([size if i == axis else 1 for i in range(values.ndim)])
        return np.asarray(made + gains)

    def where(self, space: Space, place: Hex, asked: Callable[[State], bool]) -> NDArray[np.bool_]:
        """A question to the units of a hex, shaped to stand beside values (without a status)."""
        key = ("group", place)
        if key not in space.members:
            return np.array(asked(self.group(place).start))
        answers = np.array([asked(member) for member in space.members[key]])  # type: ignore[arg-type]
        if key not in space.axes:
            return np.asarray(answers[0])
        axis = space.axes.index(key)
        return answers.reshape([len(answers) if i == axis else 1 for i in range(len(space.axes))])

    def by_emptiness(
        self, space: Space, places: Sequence[Hex], value: Callable[[frozenset[Hex]], float]
    ) -> Values:
        """An array of what ``value`` says when no unit is left in some of these hexes (those that
        may be asked of it), shaped to stand beside values (without a status)."""
        empty = {place: self.where(space, place, self.group(place).is_empty) for place in places}
        both = [
            [False, True] if e.any() and not e.all() else [bool(e.any())] for e in empty.values()
        ]
        found: Values = np.zeros((1,) * len(space.axes))
        for pattern in product(*both):
            gone = frozenset(p for p, is_empty in zip(empty, pattern, strict=True) if is_empty)
            here: NDArray[np.bool_] = np.array(True)
            for place, is_empty in zip(empty, pattern, strict=True):
                here = here & (empty[place] == is_empty)
            self._effort.spend()
            found = np.where(here, value(gone), found)
        return found

    # -- from one space to another -----------------------------------------------------------

    def onto(self, values: Values, of: Space, space: Space) -> Values:
        """Values over a coarser space, over a finer one (same last axes). Every state of the finer
        has a class in the coarser."""
        made = values
        for i, key in enumerate(space.axes):
            if key in of.axes:
                to = [of.classes[key][member] for member in space.members[key]]
                made = made.take(to, axis=i)
            else:
                made = np.expand_dims(made, i)
        return made

    def part(self, values: Values, of: Space, space: Space) -> Values:
        """Values over a finer space at the situations of one with fewer states."""
        made = values
        dropped = 0
        for i, key in enumerate(of.axes):
            to = [of.classes[key][member] for member in space.members[key]]
            if key in space.axes:
                made = made.take(to, axis=i - dropped)
            else:
                made = np.asarray(np.take(made, to[0], axis=i - dropped))
                dropped += 1
        return made
