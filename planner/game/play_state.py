"""The game as it stands: a position, the move under way in it, and whose decision it is."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from planner.game.hexes import Hex
from planner.game.position import Position


class Deciding(Enum):
    """Who decides next: the side whose Movement Phase it is, the other, or nobody any more."""

    MOVER = "mover"
    DEFENDER = "defender"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """A window of Opportunity Fire that the defender has not closed yet (OVR-9).

    ``target`` is the hex just overrun, in the last window (OVR-10); ``final_made`` are the units
    that have made their Final Opportunity Fire in it (OVR-11), ``final_leaders`` the leaders who
    have modified one in it (OVR-12).
    """

    target: Hex | None = None
    final_made: frozenset[str] = frozenset()
    final_leaders: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class UnderWay:
    """An AFV whose move has begun and not ended.

    ``route``: the hexes it has been in, in order, that where it began first; it stands in the last.
    ``window`` is the one open there, None when the mover decides how it goes on.
    """

    unit: str
    route: tuple[Hex, ...]
    window: OpenWindow | None = None


@dataclass(frozen=True, eq=False)
class Game:
    """A game at one moment. It never changes: what is done in it makes another.

    ``position`` is always up to date: hexes, facings, movement points, statuses, markers.
    ``started`` is the position that the score is counted from. Compared by identity; `key` tells
    whether two are alike.
    """

    position: Position
    started: Position
    under_way: UnderWay | None = None
    over: bool = False

    @property
    def deciding(self) -> Deciding:
        """Who decides next."""
        if self.over:
            return Deciding.NOBODY
        if self.under_way is not None and self.under_way.window is not None:
            return Deciding.DEFENDER
        return Deciding.MOVER

    @property
    def decider(self) -> str | None:
        """Id of the side that decides next; None when the game is over."""
        deciding = self.deciding
        if deciding is Deciding.NOBODY:
            return None
        return self.position.to_move if deciding is Deciding.MOVER else self.position.defender

    @cached_property
    def key(self) -> Hashable:
        """Equal for two moments of games on one board that are alike in all that the rules look
        at; what the score is counted from is left out."""
        position = self.position
        return (
            position.to_move,
            position.turn,
            self.over,
            self.under_way,
            tuple(objective.held_by for objective in position.objectives),
            tuple(
                (
                    u.id,
                    u.hex,
                    u.facing,
                    u.status.name,
                    u.fired,
                    u.moved,
                    u.movement_used,
                    u.spent,
                    u.carrier,
                )
                for u in position.units.values()
            ),
        )


def new_game(position: Position) -> Game:
    """The game that begins in a position, in the middle of a turn or at its start."""
    return Game(position, position)
