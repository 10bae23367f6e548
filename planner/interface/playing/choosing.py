"""The choices of a decision: listed with their numbers, and read as they are typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from planner.game.actions import Action, EndPhase, Fire, Hold, Overrun, format_action, parse_action
from planner.game.choices import bars, following
from planner.game.faults import shown
from planner.game.legality import blocked, wrong
from planner.game.moves import PlannedMove, points_text
from planner.game.notation import NotationError, parse_move
from planner.game.play_state import Deciding, Game
from planner.interface.forms import reason_text
from planner.interface.playing.telling import odds_lines


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the player chose: an action, and the written move that it begins, if any."""

    action: Action
    move: PlannedMove | None = None


class NoChoiceError(ValueError):
    """Text that is no legal choice; each of the ``lines`` says something that is wrong."""

    def __init__(self, *lines: str) -> None:
        self.lines = lines
        super().__init__("; ".join(lines))


def choice_lines(game: Game, choices: tuple[Action, ...]) -> Iterator[str]:
    """The legal choices with their numbers: shots with their odds, moves by AFV."""
    position = game.position
    if game.deciding is Deciding.DEFENDER:
        for number, action in enumerate(choices, start=1):
            odds = "; ".join(odds_lines(game, action)) if isinstance(action, Fire) else ""
            text = format_action(position, action)
            yield f"  {number:>2}  {text}{'   ' + odds if odds else ''}"
        return
    by_unit: dict[str, list[str]] = {}
    for number, action in enumerate(choices, start=1):
        if not isinstance(action, EndPhase | Fire | Hold):
            rest = format_action(position, action).partition(" ")[2]
            by_unit.setdefault(action.unit, []).append(f"{number} {rest}")
    for unit, texts in by_unit.items():
        left = points_text(position.units[unit].movement_left)
        yield f"  {unit} ({left} MP left): {', '.join(texts)}"
    for number, action in enumerate(choices, start=1):
        if isinstance(action, EndPhase):
            yield f"  {number} {format_action(position, action)}: the Movement Phase ends"
        elif isinstance(action, Overrun):
            odds = "; ".join(odds_lines(game, action))
            yield f"  {number} {format_action(position, action)}   {odds}"


def read_choice(game: Game, choices: tuple[Action, ...], text: str) -> Chosen:
    """What the player typed: a number of the list, an action, or a whole written move.

    Raises:
        NoChoiceError: it is none of these, or not legal now.
    """
    if text.isdecimal() and len(text) < 10:
        number = int(text)
        if 1 <= number <= len(choices):
            return Chosen(choices[number - 1])
        raise NoChoiceError(f"there is no choice {number}: the choices are 1 to {len(choices)}")
    position = game.position
    try:
        action = parse_action(position, text)
    except NotationError as error:
        return _read_move(game, text, error)
    reasons = bars(game, action)
    if reasons:
        said = f"{format_action(position, action)} is not legal:" if _is_named(game, action) else ""
        lines = [f"  {reason_text(position, reason)}" for reason in reasons]
        raise NoChoiceError(said or f"{text} is not legal:", *lines)
    return Chosen(action)


def _is_named(game: Game, action: Action) -> bool:
    """Whether the action can be written: its hexes are on the map."""
    try:
        format_action(game.position, action)
    except KeyError:
        return False
    return True


def _read_move(game: Game, text: str, error: NotationError) -> Chosen:
    """A whole written move; what is said of it if it is none is what was said of it as an action,
    where that is nearer."""
    try:
        move = parse_move(game.position, text)
    except NotationError as other:
        first = text.split()[:1]
        known = first and first[0] in game.position.units
        fault = other if known else error
        raise NoChoiceError(f"{shown(text)}: {fault.fault} ({fault.expected}, or help)") from None
    if game.deciding is Deciding.DEFENDER:
        raise NoChoiceError("a window is open: fire or hold")
    if move.stays:
        raise NoChoiceError(f"{move.unit} stays unless it is moved: nothing to do")
    if move.target is not None and move.target + 2 != len(move.path):
        raise NoChoiceError("after the target hex comes the exit hex, and the move ends there")
    action = following(game, move)
    if action is None:
        reasons = wrong(game.position, move)
        if not reasons and move.unit in game.position.units:
            reasons = blocked(game.position, move)
        lines = [f"  {reason_text(game.position, reason)}" for reason in reasons]
        if game.under_way is not None:
            lines = [f"  the move of {game.under_way.unit} has not ended: go on step by step"]
        raise NoChoiceError(f"{text} is not legal:", *lines)
    reasons = bars(game, action)
    if reasons:
        lines = [f"  {reason_text(game.position, reason)}" for reason in reasons]
        raise NoChoiceError(f"{text} is not legal:", *lines)
    return Chosen(action, move)
