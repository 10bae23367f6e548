"""One window of Opportunity Fire under the defender's best reply, settled for all states at once.

A *cell* is one class for each group that may fire in the window. Every shot leads to a cell of a
lower number, so cells are settled in order of the most shots that can still be declared from them:
all cells of one such level together, in a few array operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evaluation.chain import Link
from evaluation.effects import Effects

Values = NDArray[np.float64]
Numbers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Level:
    """The shots of one level, those of a cell side by side: where each leads, its effect and its
    price; ``cells`` are the cells, ``first`` the place of each one's first shot."""

    cells: Numbers
    first: Numbers
    to: Numbers
    effect: Numbers
    price: Values | None


@dataclass(frozen=True, eq=False)
class Sweep:
    """The order in which a window's cells are settled."""

    levels: tuple[Level, ...]

    def run(self, values: Values, effects: Effects) -> None:
        """Settle a window in place. ``values[cell, rest, status]`` comes in as what holding leaves
        the mover; for statuses that are shot at no more it must be put right by the caller."""
        matrices = effects.all_transposed()
        for level in self.levels:
            shots = np.matmul(values[level.to], matrices[level.effect])
            if level.price is not None:
                shots += level.price[:, np.newaxis, np.newaxis]
            best = np.minimum.reduceat(shots, level.first, axis=0)
            values[level.cells] = np.minimum(values[level.cells], best)


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
    start, end, number, level = (numbers[order] for numbers in (start, end, number, level))
    cost = cost[order]
    bounds = [*np.flatnonzero(np.diff(level, prepend=-1)).tolist(), len(level)]
    levels = []
    for low, high in pairwise(bounds):
        here = start[low:high]
        first = np.flatnonzero(np.diff(here, prepend=-1))
        prices = cost[low:high]
        levels.append(
            Level(
                here[first],
                first,
                end[low:high],
                number[low:high],
                prices if prices.any() else None,
            )
        )
    return Sweep(tuple(levels))


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
