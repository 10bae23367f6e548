"""Compiled twins of the heaviest array loops, used where numba is installed (extra ``fast``).

The numpy versions stand beside their callers and give the same values; these only save memory and
time on large arrays. Importing numba and compiling, or loading what was compiled before, take one
to two seconds, in which no search could be stopped. So that is done beside the search, begun when
the loop is first asked for; until it is ready the numpy version does the work. Callers ask only for
large arrays: it is not worth while for small ones.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from importlib.util import find_spec
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Numbers = NDArray[np.intp]
SettleCells = Callable[[Values, Numbers, Numbers, Numbers, Numbers, Values, Values], None]


def settle_cells() -> SettleCells | None:
    """The compiled loop that settles a window; None where numba is not installed, and as long as it
    is not ready.

    ``values[cell, rest, status]`` is changed in place, cell by cell in the order of ``cells``; the
    shots of the i-th are those from ``first[i]`` up to ``first[i + 1]``: the cell that each leads
    ``to``, its ``effect`` (a matrix of ``matrices``, columns the status before) and its ``price``.
    """
    begun = _begun()
    return begun.result() if begun.done() else None


def settle_cells_when_ready() -> SettleCells | None:
    """The compiled loop, waited for; None where numba is not installed."""
    return _begun().result()


@cache
def _begun() -> Future[SettleCells | None]:
    """What the compiled loop will be, compiled in a thread of its own."""
    made: Future[SettleCells | None] = Future()
    if find_spec("numba") is None:
        made.set_result(None)
    else:
        Thread(target=_compile, args=(made,), name="compiling").start()
    return made


def _compile(made: Future[SettleCells | None]) -> None:
    try:
        import numba

        compiled: Any = numba.njit(cache=True, nogil=True)(_settle_cells)
        numbers, values = np.zeros(2, dtype=np.intp), np.zeros((1, 1, 1))
        compiled(values, numbers[:0], numbers[:1], numbers, numbers, values[0, 0], values)
    except Exception as error:
        made.set_exception(error)
        raise
    made.set_result(compiled)


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
