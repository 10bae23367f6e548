"""What a bot finds out about a decision: every choice with its value, the one it makes, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.game.actions import Action, format_action
from planner.game.play_state import Deciding, Game
from planner.play.remembered import Course

EQUALLY_GOOD = 1e-9


@dataclass(frozen=True, slots=True)
class Option:
    """One legal action. ``value_to_mover``: what the rest of the Movement Phase is worth after it
    to the side whose phase it is, counted from now; None where it was not worked out."""

    action: Action
    value_to_mover: float | None


@dataclass(frozen=True, slots=True)
class Advice:
    """Every legal action with its value, the best for the side that decides first, those without a
    value last; the one chosen; and why, in words and figures.

    ``exact``: the values are the game tree's; otherwise each is attained by a course of action
    that was found, and may be more. ``courses``: the mover's best courses of action found.
    """

    options: tuple[Option, ...]
    action: Action
    value_to_mover: float | None
    exact: bool
    reason: str
    work: int = 0
    courses: tuple[Course, ...] = ()


def in_order(game: Game, options: Iterable[Option]) -> tuple[Option, ...]:
    """The best for the side that decides first; equal ones: hold before fire, then in text order;
    those without a value last."""
    sign = 1.0 if game.deciding is Deciding.DEFENDER else -1.0

    def rank(option: Option) -> tuple[bool, float, bool, str]:
        text = format_action(game.position, option.action)
        value = option.value_to_mover
        worth = 0.0 if value is None else round(sign * value, 9)
        return value is None, worth, text != "hold", text

    return tuple(sorted(options, key=rank))


def figure(value: float) -> str:
    """A value as it is said: two digits, with its sign."""
    return f"{value:+.2f}" if abs(value) >= 0.005 else "0.00"


def told_order(texts: Sequence[str]) -> str:
    """Moves that follow each other."""
    return ", then ".join(texts)
