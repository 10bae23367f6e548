"""Courses of action found at earlier moments of a Movement Phase, as far as they still go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from planner.game.board import Board
from planner.game.moves import PlannedMove
from planner.game.play_state import Game

Course = tuple[PlannedMove, ...]

MOST = 16
"""So many courses of one moment are remembered."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The best courses of action of one moment, the best first. They are tried first at the next
    moment of the same phase: they only save time, and so are used under a limit of time only."""

    board: Board
    turn: int
    to_move: str
    courses: tuple[Course, ...]

    def going_on(self, game: Game) -> Iterator[Course]:
        """What is left of them in a game, each once; none in another phase.

        An AFV that has moved is done. The move under way goes on if the AFV is on the way that the
        course took, else the course begins with what comes after.
        """
        position = game.position
        if (position.board, position.turn, position.to_move) != (
            self.board,
            self.turn,
            self.to_move,
        ):
            return
        seen: set[Course] = set()
        for course in self.courses:
            left = tuple(move for move in course if _can_still(game, move))
            left = tuple(_rest(game, move) for move in left)
            if left and left not in seen:
                seen.add(left)
                yield left


def remember(game: Game, courses: Sequence[Course]) -> Remembered:
    """The courses of one moment, best first, to be tried at the next."""
    position = game.position
    whole = [tuple(_whole(game, move) for move in course) for course in courses[:MOST]]
    return Remembered(position.board, position.turn, position.to_move, tuple(whole))


def _whole(game: Game, move: PlannedMove) -> PlannedMove:
    """A move from where it began: the rest of the one under way after what has been made of it."""
    under_way = game.under_way
    if under_way is None or under_way.unit != move.unit:
        return move
    done = under_way.route[1:]
    target = None if move.target is None else move.target + len(done)
    return replace(move, path=(*done, *move.path), target=target)


def _can_still(game: Game, move: PlannedMove) -> bool:
    unit = game.position.units[move.unit]
    under_way = game.under_way
    if under_way is not None and under_way.unit == move.unit:
        done = under_way.route[1:]
        return move.path[: len(done)] == done and (move.target is None or move.target >= len(done))
    return not unit.moved and not unit.status.removed and unit.status.may_move


def _rest(game: Game, move: PlannedMove) -> PlannedMove:
    """What is left of a move that goes on."""
    under_way = game.under_way
    if under_way is None or under_way.unit != move.unit:
        return move
    done = len(under_way.route) - 1
    target = None if move.target is None else move.target - done
    return replace(move, path=move.path[done:], target=target)
