"""Courses of action made longer and better, whatever they begin with.

A `planner.search.improve.Book` tells what a course is worth: all of it, or what follows the move
under way.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from planner.search.candidates import Candidate
from planner.search.improve import Book, climb
from planner.search.tally import BETTER, Order

SEED = 1
SHAKES = 30
KEPT = 0.7
"""How likely a move of the best course is to stay in a changed one."""
ADDED = 2
"""Moves drawn for a changed course."""


def grow(book: Book, by_unit: Mapping[str, Sequence[Candidate]]) -> Order:
    """From nothing on, whatever move makes the course worth most is added at its end, as long as
    one makes it better."""
    course: Order = ()
    while True:
        used = {candidate.move.unit for candidate in course}
        longer = [
            (*course, candidate)
            for unit, options in by_unit.items()
            if unit not in used
            for candidate in options
        ]
        best = max(longer, key=book.value, default=course)
        if book.value(best) <= book.value(course) + BETTER:
            return course
        course = best


def shake(book: Book, by_unit: Mapping[str, Sequence[Candidate]]) -> None:
    """Take the best course, change it in a few places at once, and make it better again; as often
    as `SHAKES` times in a row without a better one. What is changed is drawn from a generator with
    a fixed seed: the same courses on any machine."""
    drawn = random.Random(SEED)
    units = sorted(by_unit)
    idle = 0
    while idle < SHAKES and units:
        before = book.best_value
        kept = [candidate for candidate in book.best if drawn.random() < KEPT]
        for unit in drawn.sample(units, min(len(units), ADDED)):
            kept = [candidate for candidate in kept if candidate.move.unit != unit]
            kept.insert(drawn.randint(0, len(kept)), drawn.choice(by_unit[unit]))
        climb(book, tuple(kept), by_unit)
        idle = 0 if book.best_value > before + BETTER else idle + 1
