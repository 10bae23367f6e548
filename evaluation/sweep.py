"""One window of Opportunity Fire under the defender's best reply, settled for all states at once.

A *cell* is one class for each group that may fire in the window. Every shot leads to a cell of a
lower number, so cells are settled in order of the most shots that can still be declared from them:
all cells of one such level together, in a few array operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evaluation.chain import Link
from evaluation.effects import Effects
from evaluation.kernels import settle_cells

Values = NDArray[np.float64]
Numbers = NDArray[np.intp]


LARGE = 20_000
"""From so many values on the compiled loop is worth the time it takes to get ready."""


@dataclass(frozen=True, eq=False)
class _Step:
    """One level: the cells settled, where their shots lead, each shot's effect as a matrix, prices
    (None: nothing is spent), and where each cell's shots start (None: one shot each)."""

    cells: Numbers
    to: Numbers
    matrices: Values
    price: Values | None
    starts: Numbers | None


@dataclass(frozen=True, eq=False)
class Sweep:
    """The order in which a window's cells are settled.

    ``cells`` are those from which something can be declared, level by level; the shots of the i-th
    are those from ``first[i]`` up to ``first[i + 1]``: where each leads, its effect and its price.
    ``levels`` are the bounds of the levels in ``cells``; ``steps`` is for `run`, which always gets
    the same effects.
    """

    cells: Numbers
    first: Numbers
    to: Numbers
    effect: Numbers
    price: Values
    levels: tuple[int, ...]
    steps: list[_Step] = field(default_factory=list)

    def run(self, values: Values, effects: Effects) -> None:
        """Settle a window in place. ``values[cell, rest, status]`` comes in as what holding leaves
        the mover; for statuses that are shot at no more it must be put right by the caller."""
        if values.size >= LARGE:
            compiled = settle_cells()
            if compiled is not None:
                matrices = effects.all_transposed()
                compiled(values, self.cells, self.first, self.to, self.effect, self.price, matrices)
                return
        if not self.steps:
            matrices = effects.all_transposed()
            self.steps.extend(
                self._step(low, high, matrices) for low, high in pairwise(self.levels)
            )
        for step in self.steps:
            worth = np.matmul(values[step.to], step.matrices)
            if step.price is not None:
                worth += step.price
            if step.starts is not None:
                worth = np.minimum.reduceat(worth, step.starts, axis=0)
            values[step.cells] = np.minimum(values[step.cells], worth)

    def _step(self, low: int, high: int, matrices: Values) -> _Step:
        shots = slice(self.first[low], self.first[high])
        price = self.price[shots, np.newaxis, np.newaxis]
        starts = self.first[low:high] - self.first[low]
        single = len(starts) == self.first[high] - self.first[low]
        return _Step(
            self.cells[low:high],
            self.to[shots],
            matrices[self.effect[shots]],
            price if price.any() else None,
            None if single else starts,
        )


@dataclass(frozen=True, eq=False)
class _Axis:
    """One group's shots as arrays, and the most shots that can be declared from each class."""

    size: int
    at: Numbers
    to: Numbers
    effect: Numbers
    price: Values
    height: Numbers


def make_sweep(links: Sequence[Link]) -> Sweep:
    """Work out the order for the groups of a window, in the order of the array's axes."""
    axes = [_axis(link) for link in links]
    shape = tuple(axis.size for axis in axes)
    cells = np.arange(int(np.prod(shape))).reshape(shape)
    height = np.zeros(shape, dtype=np.intp)
    for i, axis in enumerate(axes):
        height = height + axis.height.reshape([-1 if j == i else 1 for j in range(len(axes))])
    from_, to, effect, price = [], [], [], []
    for i, axis in enumerate(axes):
        along = np.moveaxis(cells, i, 0).reshape(axis.size, -1)
        rest = along.shape[1]
        from_.append(along[axis.at].ravel())
        to.append(along[axis.to].ravel())
        effect.append(np.repeat(axis.effect, rest))
        price.append(np.repeat(axis.price, rest))
    start, end = np.concatenate(from_), np.concatenate(to)
    number, cost = np.concatenate(effect), np.concatenate(price)
    level = height.ravel()[start]
    order = np.lexsort((start, level))
    start, level = start[order], level[order]
    first = np.flatnonzero(np.diff(start, prepend=-1))
    level = level[first]
    return Sweep(
        start[first],
        np.append(first, len(start)),
        end[order],
        number[order],
        cost[order],
        (*np.flatnonzero(np.diff(level, prepend=-1)).tolist(), len(level)),
    )


def _axis(link: Link) -> _Axis:
    at, to, effect, price = [], [], [], []
    height = [0] * link.size
    for number, choices in enumerate(link.choices):
        for choice in choices:
            at.append(number)
            to.append(choice.to)
            effect.append(choice.effect)
            price.append(choice.price)
            height[number] = max(height[number], height[choice.to] + 1)
    return _Axis(
        link.size,
        np.array(at, dtype=np.intp),
        np.array(to, dtype=np.intp),
        np.array(effect, dtype=np.intp),
        np.array(price, dtype=np.float64),
        np.array(height, dtype=np.intp),
    )
