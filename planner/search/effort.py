"""How much search is asked for, and what the player asks of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from planner.game.hexes import Hex
from planner.game.moves import PlannedMove


@dataclass(frozen=True, slots=True)
class Limit:
    """How far a search may go: wall-clock seconds, or work units, which give the same answer on any
    machine. One unit: one plan evaluated exactly, or one move in all situations of a table of the
    position's value; what else a search or a bot does is counted in units that take about as long.
    None: no such limit."""

    seconds: float | None = None
    work: int | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the player asks for: ``only`` these AFVs move, these ``stay``, the plan strikes
    ``target`` and no other hex, and no move enters a hex to ``avoid``."""

    only: frozenset[str] | None = None
    stay: frozenset[str] = frozenset()
    target: Hex | None = None
    avoid: frozenset[Hex] = frozenset()


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search is: what it is doing, how far (``total`` None: open-ended), the best plan
    found so far with its value to the mover, and what no plan is worth more than (``bound``; None:
    not derived yet)."""

    phase: str
    done: int
    total: int | None
    value_to_mover: float
    work: int
    moves: tuple[PlannedMove, ...] = ()
    bound: float | None = None


OnProgress = Callable[[Progress], None]
Cancelled = Callable[[], bool]


Poll = Callable[[], None]
"""Called now and then in long work; raises to stop it."""


def nothing() -> None:
    """Nothing stops the work."""


def never() -> bool:
    """Nobody stops the search."""
    return False
