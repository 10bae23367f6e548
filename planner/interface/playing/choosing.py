"""The choices of a decision: listed with their numbers, and read as they are typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from planner.game.actions import (
    END,
    FIRE,
    HALT,
    HOLD,
    WITH,
    Action,
    EndPhase,
    Fire,
    Hold,
    Overrun,
    format_action,
    parse_action,
)
from planner.game.choices import bars, following
from planner.game.faults import shown
from planner.game.hexes import Hex
from planner.game.legality import Reason, blocked, no_such_unit, wrong
from planner.game.moves import PlannedMove, points_text
from planner.game.notation import STAY, NotationError, parse_move
from planner.game.play_state import Deciding, Game
from planner.game.position import Position
from planner.interface.forms import reason_text
from planner.interface.playing.telling import odds_lines
from planner.interface.screen import held

MOVE_FORM = (
    f"UNIT HEX, UNIT HEX-HEX, UNIT xHEX-HEX, UNIT HEXxHEX-HEX, UNIT {HALT} or UNIT {HALT}/FACING"
)
FIRE_FORM = f"{FIRE} UNIT:WEAPON, {FIRE} UNIT:WEAPON with LEADER, or {HOLD}"


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
            by_unit.setdefault(action.unit, []).append(held(f"{number} {rest}"))
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
    text = _as_written(position, text)
    try:
        action = parse_action(position, text)
    except NotationError:
        return _read_move(game, text, len(choices))
    reasons = bars(game, action)
    if reasons:
        said = f"{format_action(position, action)} is not legal:" if _is_named(game, action) else ""
        lines = [f"  {reason_text(position, reason)}" for reason in reasons]
        raise NoChoiceError(said or f"{text} is not legal:", *lines)
    return Chosen(action)


def _said_of(game: Game, text: str, error: NotationError, choices: int) -> str:
    """What is wrong with text that is no move, and what the side that decides may type."""
    defends = game.deciding is Deciding.DEFENDER
    numbers = f"a number from 1 to {choices}" if choices > 1 else "1"
    if not defends and text.split()[:1] and text.split()[0] in game.position.units:
        return f"{shown(text)}: {error.fault} ({MOVE_FORM}; or {numbers}; or help)"
    form = FIRE_FORM if defends else f"{MOVE_FORM}, or {END}"
    return f"{shown(text)} is no choice ({numbers}; {form}; or help)"


def _is_named(game: Game, action: Action) -> bool:
    """Whether the action can be written: its hexes are on the map."""
    try:
        format_action(game.position, action)
    except KeyError:
        return False
    return True


def _as_written(position: Position, text: str) -> str:
    """The text with units and words as they are written, where only capitals are amiss."""
    words = [_known(position, word) for word in text.split()]
    if words[:1] == [FIRE] and len(words) > 1:
        firer, colon, weapon = words[1].partition(":")
        firer = _known_as(firer, position.units)
        unit = position.units.get(firer)
        known = () if unit is None else (each.name for each in unit.type.combat.weapons)
        words[1] = firer + colon + _known_as(weapon, known)
    return " ".join(words)


def _known(position: Position, word: str) -> str:
    """A word, which may have a last turn behind it."""
    what, slash, turn = word.partition("/")
    names = position.board.orientation.names
    return _known_as(what, [*position.units, *_WORDS]) + slash + _known_as(turn, names)


_WORDS = (END, HOLD, FIRE, WITH, HALT, STAY)


def _known_as(word: str, known: Iterable[str]) -> str:
    """The one known word that it is but for capitals, or else the word itself."""
    alike = {each for each in known if each.lower() == word.lower()}
    return word if word in alike or len(alike) != 1 else alike.pop()


def _read_move(game: Game, text: str, choices: int) -> Chosen:
    """A whole written move. Raises NoChoiceError, saying what would be one, when it is none."""
    try:
        move = parse_move(game.position, text)
    except NotationError as error:
        raise NoChoiceError(_said_of(game, text, error, choices)) from None
    if game.deciding is Deciding.DEFENDER:
        raise NoChoiceError(f"a window is open: {FIRE} or {HOLD}")
    if move.unit not in game.position.units:
        raise NoChoiceError(no_such_unit(game.position, move.unit))
    if move.stays:
        raise NoChoiceError(f"{move.unit} stays unless it is moved: nothing to do")
    if move.target is not None and move.target + 2 != len(move.path):
        raise NoChoiceError("after the target hex comes the exit hex, and the move ends there")
    under_way = game.under_way
    if under_way is not None and under_way.unit != move.unit:
        said = f"the move of {under_way.unit} has not ended: go on with it, or {HALT} it"
        raise NoChoiceError(f"{text} is not legal:", f"  {said}")
    made = () if under_way is None else under_way.route[1:]
    reasons = _not_legal(game, move)
    ahead = move.target is None or move.target >= len(made)
    if reasons and made and ahead and move.path[: len(made)] == made:
        # It is written from where it began.
        move = _later(move, -len(made))
        reasons = _not_legal(game, move)
    move = _later(move, len(made), made)
    action = None if reasons else following(game, move)
    if action is not None:
        reasons = bars(game, action)
    if reasons or action is None:
        lines = [f"  {reason_text(game.position, reason)}" for reason in reasons]
        raise NoChoiceError(f"{text} is not legal:", *lines)
    return Chosen(action, move)


def _not_legal(game: Game, move: PlannedMove) -> tuple[Reason, ...]:
    """What bars a move written from where its AFV stands now."""
    return wrong(game.position, move) or blocked(game.position, move)


def _later(move: PlannedMove, by: int, before: tuple[Hex, ...] = ()) -> PlannedMove:
    """A move with hexes before it, or without its first ones."""
    path = (*before, *move.path) if by >= 0 else move.path[-by:]
    target = None if move.target is None else move.target + by
    return replace(move, path=path, target=target)
