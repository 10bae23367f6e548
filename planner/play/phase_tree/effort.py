"""How much work a solved tree may take, counted and not timed."""

from __future__ import annotations

from planner.search.effort import Poll, nothing

CELLS = 1_000
"""So many values in one array operation count as one more unit of work."""


class TooLarge(Exception):  # noqa: N818 - not a fault: the caller plays by another method
    """The tree is larger than the work allowed."""


class Effort:
    """Work spent on trees: a unit for each operation on an array of values, and one for every
    `CELLS` values in it. ``poll`` is called each time and may raise to stop."""

    def __init__(self, budget: int, poll: Poll = nothing) -> None:
        self.budget = budget
        self.spent = 0
        self._poll = poll

    def spend(self, values: int = 0) -> None:
        """Count one operation. Raises TooLarge."""
        self.spent += 1 + values // CELLS
        if self.spent > self.budget:
            raise TooLarge(f"more than {self.budget:,} units of work")
        self._poll()
