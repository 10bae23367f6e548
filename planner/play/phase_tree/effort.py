"""How much work solved trees may take, counted and not timed."""

from __future__ import annotations

from planner.search.effort import Poll, nothing

CELLS = 1_000
"""So many values in one array operation count as one more operation."""


class TooLarge(Exception):  # noqa: N818 - not a fault: the caller plays by another method
    """The tree is larger than the work allowed."""


class Effort:
    """Work spent on trees: one for each operation on an array of values, and one more for every
    `CELLS` values in it. ``budget``: no more than that (None: any number). ``whole``: what is spent
    here is spent there too. ``poll`` is called each time and may raise to stop."""

    def __init__(
        self, budget: int | None, poll: Poll = nothing, whole: Effort | None = None
    ) -> None:
        self.budget = budget
        self.spent = 0
        self.poll = poll
        self._whole = whole

    def spend(self, values: int = 0) -> None:
        """Count one operation before it is done. Raises TooLarge, nothing being spent, when it
        would be more than the budget."""
        self._add(1 + values // CELLS)
        self.poll()

    def _add(self, operations: int) -> None:
        if self.budget is not None and self.spent + operations > self.budget:
            raise TooLarge(f"more than {self.budget:,} operations")
        if self._whole is not None:
            self._whole._add(operations)
        self.spent += operations
