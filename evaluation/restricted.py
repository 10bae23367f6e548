"""A plan against a restricted defender, who leaves the mover no less.

A change: at one of the moves nobody fires from one of his hexes. Whatever the defender can still do
he can do in the game itself, so the least that he can leave the mover is no less. The value of the
scripts without those shots is exact for the restricted game, so it is an upper bound on the plan's
value. Of all changes that make the states few enough those are made that should matter least: by
what the fire left out takes from its move when that is made alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial

from evaluation.easing import Changes, Game, sorted_changes, without_fire
from evaluation.script import Move, Place


class Restricted(Game):
    """The defender restricted; a change: nobody fires from the hex at the move."""

    def _change(self, number: int, changes: Changes) -> tuple[Hashable, Callable[[], Move]] | None:
        places = frozenset(place for place, i in changes if i == number)
        move = self.moves[number]
        return (places, partial(without_fire, self.field, move, places)) if places else None

    def _ways(self, place: Place, turn: int, changes: Changes) -> Iterator[Changes]:
        fired_at = [
            i
            for i in range(len(self.moves))
            if place in self.fired_at[i] and (place, i) not in changes
        ]
        some = (
            [i for i in fired_at if i < turn],
            [i for i in fired_at if i <= turn],
            [i for i in fired_at if i == turn],
            [i for i in fired_at if i >= turn],
            [i for i in fired_at if i > turn],
        )
        for numbers in dict.fromkeys(map(tuple, some)):
            if numbers:
                yield frozenset((place, i) for i in numbers)

    def _cost(self, way: Changes, changes: Changes) -> float:
        return sum(self._weight(place, number) for place, number in sorted_changes(way))
