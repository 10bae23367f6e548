"""Compiled twins of the heaviest array loops, used where numba is installed (extra ``fast``).

The numpy versions stand beside their callers and give the same values; these only save memory and
time on large arrays. Compiled code is cached, and compiling is not worth while for small arrays, so
callers ask `settle_cells` only for large ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Numbers = NDArray[np.intp]
SettleCells = Callable[[Values, Numbers, Numbers, Numbers, Numbers, Values, Values], None]


@cache
def settle_cells() -> SettleCells | None:
    """The compiled loop that settles a window, None where numba is not installed.

    ``values[cell, rest, status]`` is changed in place, cell by cell in the order of ``cells``; the
    shots of the i-th are those from ``first[i]`` up to ``first[i + 1]``: the cell that each leads
    ``to``, its ``effect`` (a matrix of ``matrices``, columns the status before) and its ``price``.
    """
    if find_spec("numba") is None:
        return None
    import numba

    compiled: Any = numba.njit(cache=True, nogil=True)(_settle_cells)
    return compiled  # type: ignore[no-any-return]


def _settle_cells(
    values: Values,
    cells: Numbers,
    first: Numbers,
    to: Numbers,
    effect: Numbers,
    price: Values,
    matrices: Values,
) -> None:
    rest, statuses = values.shape[1], values.shape[2]
    for i in range(len(cells)):
        here = cells[i]
        for shot in range(first[i], first[i + 1]):
            after, number, paid = to[shot], effect[shot], price[shot]
            for j in range(rest):
                for new in range(statuses):
                    worth = paid
                    for old in range(statuses):
                        worth += values[after, j, old] * matrices[number, old, new]
                    if worth < values[here, j, new]:
                        values[here, j, new] = worth
