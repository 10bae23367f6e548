"""The defender's replies in one window, read off the values of a recorded backward pass.

Of equally good replies (within 1e-9) the one followed is: hold before fire, then unit, weapon,
leader in text order (formats page, "Commands").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.backward import Backward, Recorded, rule_of_thumb
from evaluation.chain import Choice, Label, Link
from evaluation.plan import Defence

EQUALLY_GOOD = 1e-9


@dataclass(frozen=True, slots=True)
class Closing:
    """One way a window went: the classes and status it left, prices of weapons spent, its
    probability, and the shots made."""

    classes: tuple[int, ...]
    status: int
    price: float
    probability: float
    shots: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A window being played by the defender's replies."""

    back: Backward
    recorded: Recorded
    links: Sequence[tuple[int, Link]]

    def closings(self, classes: tuple[int, ...], status: int) -> Iterator[Closing]:
        """Follow the replies, shot by shot."""
        stack = [Closing(classes, status, 0.0, 1.0, ())]
        while stack:
            now = stack.pop()
            shot = self._reply(now.classes, now.status)
            if shot is None:
                yield now
                continue
            choice, after = shot
            row = self.back.effects.matrix(choice.effect)[now.status]
            for new, p in enumerate(row):
                if p > 0.0:
                    stack.append(
                        Closing(
                            after,
                            new,
                            now.price + choice.price,
                            now.probability * float(p),
                            (*now.shots, choice.label),
                        )
                    )

    def _cell(self, classes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(classes[axis] for axis in self.recorded.axes)

    def _reply(
        self, classes: tuple[int, ...], status: int
    ) -> tuple[Choice, tuple[int, ...]] | None:
        """The defender's reply: a shot and the classes after it, or None: the window closes."""
        if self.back.effects.statuses[status].removed:
            return None
        shots: list[tuple[Choice, tuple[int, ...]]] = []
        for axis, link in self.links:
            for choice in link.choices[classes[axis]]:
                shots.append((choice, (*classes[:axis], choice.to, *classes[axis + 1 :])))
        if not shots:
            return None
        if self.back.defence is not Defence.BEST:
            pick = rule_of_thumb(self.back.effects, [choice for choice, _ in shots])[status]
            return None if pick is None else shots[pick]
        cell = self._cell(classes)
        least = self.recorded.value[(*cell, status)]
        if self.recorded.held[(*cell, status)] <= least + EQUALLY_GOOD:
            return None
        for choice, after in sorted(shots, key=lambda shot: shot[0].label):
            row = self.back.effects.matrix(choice.effect)[status]
            worth = float(np.dot(row, self.recorded.value[self._cell(after)])) + choice.price
            if worth <= least + EQUALLY_GOOD:
                return choice, after
        raise AssertionError("no shot attains the value of the window")
