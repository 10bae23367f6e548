"""A group's chains through many plans, with all that they have in common made once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from evaluation.chain import (
    Attack,
    Chain,
    Declared,
    Fire,
    FireStep,
    Link,
    Payload,
    Window,
    ask_link,
    attack_link,
    fire_link,
)
from evaluation.group import Group, State

MOST_LINKS = 100_000
"""So many links of one group are remembered; then it begins anew."""


class _Reach:
    """States that a group can be in before an event, in the order met, and where events lead from
    them; the same object for the same states."""

    def __init__(self, states: Iterable[State]) -> None:
        self.states = tuple(states)
        self.after: dict[int, tuple[_Reach, Window | None]] = {}


class _Ends:
    """The class of each state after an event, and how many classes there are."""

    def __init__(self, classes: Mapping[State, int], width: int) -> None:
        self.classes = classes
        self.width = width


class GroupChains:
    """The chains of one group of units; what chains have in common is made once.

    Two chains share a link when the same states can have come about before it and what follows
    tells them apart alike. ``labelled`` keeps apart shots that do the same but are declared
    differently, ``keep_statuses`` states whose statuses differ: both for telling what happens,
    neither for telling what it is worth. ``shared`` is where equal lists of shots of all groups
    become one.
    """

    def __init__(
        self,
        group: Group,
        *,
        labelled: bool = False,
        keep_statuses: bool = False,
        shared: dict[Hashable, Hashable] | None = None,
    ) -> None:
        self._group = group
        self._labelled = labelled
        self._keep = group.status_names if keep_statuses else None
        self._shared: dict[Hashable, Hashable] = {} if shared is None else shared
        self._payloads: dict[Payload, Payload] = {}
        self._reaches: dict[tuple[State, ...], _Reach] = {}
        self._ends: dict[int, tuple[_Ends, Mapping[Hashable, int]]] = {}
        self._one: dict[int, _Ends] = {}
        self._same_ends: dict[tuple[int, tuple[int, ...], int], _Ends] = {}
        self._links: dict[tuple[int, int, int], tuple[Link, _Ends]] = {}
        self._steps: dict[int, dict[Declared, list[FireStep]]] = {}

    def chain(
        self,
        payloads: Sequence[Payload],
        entries: Sequence[Hashable] | None = None,
        following: Mapping[Hashable, int] | None = None,
    ) -> Chain[Hashable]:
        """The chain for these events.

        It is entered in any of the states ``entries`` (as the group starts, unless given) and ends
        in the classes ``following`` of states (one class, unless given).
        """
        if len(self._links) >= MOST_LINKS:
            self._links.clear()
            self._reaches.clear()
            self._ends.clear()
            self._one.clear()
            self._same_ends.clear()
        # The same event is the same object: numbers of objects then tell links apart.
        events = [self._payloads.setdefault(payload, payload) for payload in payloads]
        first = (self._group.start,) if entries is None else cast("tuple[State, ...]", (*entries,))
        reach = self._reaches.get(first)
        if reach is None:
            reach = self._reaches[first] = _Reach(first)
        walk: list[tuple[Payload, _Reach, Window | None]] = []
        for event in events:
            after = reach.after.get(id(event))
            if after is None:
                after = reach.after[id(event)] = self._onward(reach, event)
            walk.append((event, reach, after[1]))
            reach = after[0]
        ends = self._end(reach, following)
        links: list[Link] = []
        for event, before, window in reversed(walk):
            key = (id(event), id(before), id(ends))
            found = self._links.get(key)
            if found is None:
                found = self._links[key] = self._link(event, before, window, ends)
            links.append(found[0])
            ends = found[1]
        return Chain(tuple(reversed(links)), cast("Mapping[Hashable, int]", ends.classes))

    def _onward(self, reach: _Reach, event: Payload) -> tuple[_Reach, Window | None]:
        """The states after an event, and the window if it is one."""
        window = None
        states: Iterable[State] = reach.states
        if isinstance(event, Fire):
            window = Window(self._group, event, reach.states, self._steps.setdefault(id(event), {}))
            states = window.after()
        elif isinstance(event, Attack):
            found = dict.fromkeys(reach.states)
            for state in reach.states:
                for new, _ in self._group.strike(state, event.strength, event.cover):
                    found.setdefault(new)
            states = found
        states = tuple(states)
        if states == reach.states:
            return reach, window
        known = self._reaches.get(states)
        if known is None:
            known = self._reaches[states] = _Reach(states)
        return known, window

    def _end(self, reach: _Reach, following: Mapping[Hashable, int] | None) -> _Ends:
        if following is None:
            one = self._one.get(id(reach))
            if one is None:
                one = self._one[id(reach)] = _Ends(dict.fromkeys(reach.states, 0), 1)
            return one
        # The classes are kept with their ends, so that no others can get the same number.
        found = self._ends.get(id(following))
        if found is None:
            width = max(following.values()) + 1
            classes = cast("Mapping[State, int]", following)
            found = self._ends[id(following)] = (_Ends(classes, width), following)
        return found[0]

    def _link(
        self, event: Payload, reach: _Reach, window: Window | None, ends: _Ends
    ) -> tuple[Link, _Ends]:
        group = self._group
        if isinstance(event, Fire):
            assert window is not None
            link, classes = fire_link(window, ends.classes, self._labelled, self._keep)
            shots = (
                link.size,
                tuple(tuple((c.effect, c.price, c.to) for c in own) for own in link.choices),
            )
            link = replace(link, shots=self._shared.setdefault(shots, shots))
        elif isinstance(event, Attack):
            link, classes = attack_link(
                group, event, reach.states, ends.classes, ends.width, self._keep
            )
        else:
            answer = group.is_empty if event.question == "empty" else group.is_target
            link, classes = ask_link(event, reach.states, ends.classes, answer, self._keep)
        # Equal classes are one object, whatever events made them: then links are shared more.
        same = (id(reach), tuple([classes[state] for state in reach.states]), link.size)
        return link, self._same_ends.setdefault(same, _Ends(classes, link.size))


def group_chain(
    group: Group,
    payloads: Sequence[Payload],
    entries: Sequence[Hashable] | None = None,
    following: Mapping[Hashable, int] | None = None,
    *,
    labelled: bool = False,
    keep_statuses: bool = False,
) -> Chain[Hashable]:
    """One chain of a group of units (`GroupChains`)."""
    chains = GroupChains(group, labelled=labelled, keep_statuses=keep_statuses)
    return chains.chain(payloads, entries, following)
