"""A group's walk through a plan, made as small as the rest of the plan can tell its states apart.

For one group (or one AFV's standing place) and the events of a plan that concern it, in order, the
local states are closed forward from the start and merged backward: two states are one *class*
before an event when the rest of the plan cannot tell them apart. So a gun that has fired, is
suppressed or is dead is one and the same once nothing strikes its place and it will not fire again.

Classes before a fire event are numbered so that every shot leads to a lower number: one sweep in
ascending order settles a window.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluation.group import Aim, Group, State

S = TypeVar("S", bound=Hashable)
Label = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Fire:
    """A window in which units of the group may fire; ``final`` for the last one of an overrun."""

    aims: tuple[Aim, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class Attack:
    """An overrun strikes the group."""

    strength: int
    cover: int


@dataclass(frozen=True, slots=True)
class Ask:
    """A yes-or-no question to the state: is the place empty, is it a target, does the AFV stand
    there."""

    question: str
    place: Hashable = None


Payload = Fire | Attack | Ask


@dataclass(frozen=True, slots=True)
class Choice:
    """One shot that may be declared from a class: effect, price, the class it leads to, label."""

    effect: int
    price: float
    to: int
    label: Label


@dataclass(frozen=True, slots=True)
class Landing:
    """One outcome of an attack on a class: the class after it, probability, worth lost by it, and
    the statuses after it."""

    to: int
    probability: float
    loss: float
    statuses: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Link:
    """One event as the classes see it.

    ``passes[c]`` is the class after the event when it leaves the state alone. ``choices[c]`` for a
    fire event, ``landings[c]`` for an attack (``matrix`` and ``loss`` are the same as arrays),
    ``answer[c]`` for a question. ``statuses[c]`` names the units' statuses when they are kept.
    ``shots`` says what a fire event's choices do, labels apart. ``is_level``: the classes after
    are those before, and perhaps some more.
    """

    payload: Payload
    size: int
    passes: NDArray[np.intp]
    choices: tuple[tuple[Choice, ...], ...] = ()
    landings: tuple[tuple[Landing, ...], ...] = ()
    matrix: NDArray[np.float64] | None = None
    loss: NDArray[np.float64] | None = None
    answer: NDArray[np.bool_] | None = None
    statuses: tuple[tuple[str, ...], ...] = ()
    shots: Hashable = None
    is_level: bool = field(init=False)

    def __post_init__(self) -> None:
        level = bool((self.passes == np.arange(self.size)).all())
        object.__setattr__(self, "is_level", level)


@dataclass(frozen=True, eq=False)
class Chain(Generic[S]):
    """All the links in order, and the class of each entry state before the first."""

    links: tuple[Link, ...]
    entry: Mapping[S, int]


class _Classes(Generic[S]):
    """Numbers given to signatures in the order met."""

    def __init__(self) -> None:
        self.of: dict[S, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self.members: list[S] = []

    def put(self, state: S, signature: Hashable) -> tuple[int, bool]:
        number = self._numbers.setdefault(signature, len(self.members))
        fresh = number == len(self.members)
        if fresh:
            self.members.append(state)
        self.of[state] = number
        return number, fresh


def place_chain(
    places: Sequence[Hashable],
    payloads: Sequence[Ask],
    following: Mapping[Hashable, int] | None = None,
) -> Chain[Hashable]:
    """The chain of the place where an AFV stands, which no later event changes; it ends in the
    classes ``following`` of places (one class, unless given)."""
    links: list[Link] = []
    ends: dict[Hashable, int] = {
        place: 0 if following is None else following[place] for place in places
    }
    for payload in reversed(payloads):
        link, ends = ask_link(payload, places, ends, _Is(payload.place), None)
        links.append(link)
    return Chain(tuple(reversed(links)), ends)


@dataclass(frozen=True, slots=True)
class _Is:
    place: Hashable

    def __call__(self, place: Hashable) -> bool:
        return place == self.place


def ask_link(
    payload: Ask,
    now: Sequence[S],
    following: Mapping[S, int],
    answer: Callable[[S], bool],
    keep: Callable[[S], tuple[str, ...]] | None,
) -> tuple[Link, dict[S, int]]:
    """The link of a question."""
    classes: _Classes[S] = _Classes()
    answers: list[bool] = []
    for state in now:
        said = answer(state)
        _, fresh = classes.put(state, (following[state], said, keep and keep(state)))
        if fresh:
            answers.append(said)
    link = Link(
        payload,
        len(answers),
        _passes(classes, following),
        answer=np.array(answers, dtype=np.bool_),
        statuses=_statuses(classes, keep),
    )
    return link, classes.of


def attack_link(
    group: Group,
    payload: Attack,
    now: Sequence[State],
    following: Mapping[State, int],
    width: int,
    keep: Callable[[State], tuple[str, ...]] | None,
) -> tuple[Link, dict[State, int]]:
    """The link of an attack, ``width`` classes after it; and the class of each state before."""
    classes: _Classes[State] = _Classes()
    landings: list[tuple[Landing, ...]] = []
    for state in now:
        before = group.loss(state)
        places: dict[tuple[int, float, tuple[str, ...]], float] = {}
        for new, p in group.strike(state, payload.strength, payload.cover):
            names = group.status_names(new) if keep else ()
            key = (following[new], round(group.loss(new) - before, 12), names)
            places[key] = places.get(key, 0.0) + p
        landing = tuple(
            Landing(to, p, loss, names) for (to, loss, names), p in sorted(places.items())
        )
        signature = (
            following[state],
            tuple((one.to, round(one.probability, 13), one.loss, one.statuses) for one in landing),
            keep and keep(state),
        )
        _, fresh = classes.put(state, signature)
        if fresh:
            landings.append(landing)
    matrix = np.zeros((len(landings), width))
    loss = np.zeros(len(landings))
    for number, landing in enumerate(landings):
        for one in landing:
            matrix[number, one.to] += one.probability
            loss[number] += one.probability * one.loss
    link = Link(
        payload,
        len(landings),
        _passes(classes, following),
        landings=tuple(landings),
        matrix=matrix,
        loss=loss,
        statuses=_statuses(classes, keep),
    )
    return link, classes.of


Declared = tuple[State, int, int]
"""A local state inside a window, with the units that fired and leaders that helped in it."""
FireStep = tuple[int, float, Declared, Label]
"""A shot that may be declared: effect, price, what it leads to, label."""


class Window:
    """The states a group can be in inside one window, and the shots that lead from one to another.

    In an ordinary window the Fire markers tell who has fired; in a final one the masks do.
    """

    def __init__(
        self,
        group: Group,
        payload: Fire,
        entries: Sequence[State],
        known: dict[Declared, list[FireStep]],
    ) -> None:
        self.payload = payload
        self.entries = entries
        self.steps: dict[Declared, list[FireStep]] = {}
        stack: list[Declared] = [(state, 0, 0) for state in entries]
        while stack:
            here = stack.pop()
            if here in self.steps:
                continue
            steps = known.get(here)
            if steps is None:
                steps = known[here] = list(self._from(group, here))
            stack += [to for _, _, to, _ in steps]
            self.steps[here] = steps

    def _from(self, group: Group, here: Declared) -> Iterator[FireStep]:
        state, shot, led = here
        payload = self.payload
        for option, shot_after, led_after in group.options(
            state, payload.aims, shot, led, payload.final
        ):
            to = (option.to, shot_after, led_after) if payload.final else (option.to, 0, 0)
            yield option.effect, option.price, to, option.label

    def after(self) -> Iterable[State]:
        """The states that the group may be in when the window closes."""
        return dict.fromkeys(state for state, _, _ in self.steps)


def fire_link(
    walk: Window,
    following: Mapping[State, int],
    labelled: bool,
    keep: Callable[[State], tuple[str, ...]] | None,
) -> tuple[Link, dict[State, int]]:
    """The link of a window, and the class of each state before it."""
    classes: _Classes[Declared] = _Classes()
    choices: list[tuple[Choice, ...]] = []

    def settle(here: Declared) -> int:
        known = classes.of.get(here)
        if known is not None:
            return known
        mine: dict[Hashable, Choice] = {}
        for effect, price, to, label in walk.steps[here]:
            choice = Choice(effect, price, settle(to), label)
            mine.setdefault((effect, price, choice.to, label if labelled else None), choice)
        signature = (
            following[here[0]],
            tuple(mine) if labelled else frozenset(mine),
            keep and keep(here[0]),
        )
        number, fresh = classes.put(here, signature)
        if fresh:
            choices.append(tuple(mine.values()))
        return number

    for state in walk.entries:
        settle((state, 0, 0))
    link = Link(
        walk.payload,
        len(choices),
        np.array([following[state] for state, _, _ in classes.members], dtype=np.intp),
        choices=tuple(choices),
        statuses=tuple(keep(state) for state, _, _ in classes.members) if keep else (),
    )
    return link, {state: classes.of[state, 0, 0] for state in walk.entries}


def _passes(classes: _Classes[S], following: Mapping[S, int]) -> NDArray[np.intp]:
    return np.array([following[state] for state in classes.members], dtype=np.intp)


def _statuses(
    classes: _Classes[S], keep: Callable[[S], tuple[str, ...]] | None
) -> tuple[tuple[str, ...], ...]:
    return tuple(keep(state) for state in classes.members) if keep else ()
