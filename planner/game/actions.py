"""What a player may do at one decision, and how it is written.

=====================  ==========================================================================
``T1 0304``            the AFV enters the hex, turning to it first
``T1 x0404-0505``      it overruns the first hex into the second; ``+S1:LMG`` adds a passenger's
                       weapon
``T1 halt``            its move ends here; ``T1 halt/NE`` with a last turn
``end``                the Movement Phase ends
``fire G1:gun``        the defender fires; ``fire G1:gun with L1`` helped by a leader
``hold``               the defender closes the window
=====================  ==========================================================================
"""

from __future__ import annotations

from dataclasses import dataclass

from planner.game.hexes import Direction, Hex
from planner.game.moves import PlannedMove
from planner.game.notation import NotationError, format_move, parse_move
from planner.game.position import Position

HALT, END, FIRE, HOLD, WITH = "halt", "end", "fire", "hold", "with"
FORM = (
    "UNIT 0304, UNIT x0404-0505, UNIT halt, UNIT halt/NE or end; "
    "fire UNIT:WEAPON, fire UNIT:WEAPON with LEADER or hold"
)


@dataclass(frozen=True, slots=True)
class Enter:
    """The AFV enters a neighbouring hex; a window opens there (OVR-9)."""

    unit: str
    hex: Hex

    def planned(self) -> PlannedMove:
        """The same as a move by itself."""
        return PlannedMove(self.unit, (self.hex,))


@dataclass(frozen=True, slots=True)
class Overrun:
    """The AFV overruns the target hex into the exit hex (OVR-13), with these passengers' weapons,
    in text order (OVR-17). After the last window its move ends (OVR-15)."""

    unit: str
    target: Hex
    exit: Hex
    weapons: tuple[tuple[str, str], ...] = ()

    def planned(self) -> PlannedMove:
        """The same as a move by itself."""
        return PlannedMove(self.unit, (self.target, self.exit), 0, None, self.weapons)


@dataclass(frozen=True, slots=True)
class Halt:
    """The AFV's move ends where it is; ``facing``: it turns to that first (None: it does not).

    One that has not begun may turn on the spot; that is its move.
    """

    unit: str
    facing: Direction | None = None

    def planned(self) -> PlannedMove:
        """The same as a move by itself."""
        return PlannedMove(self.unit, facing=self.facing)


@dataclass(frozen=True, slots=True)
class EndPhase:
    """The Movement Phase ends; AFVs that have not moved stay."""


@dataclass(frozen=True, slots=True)
class Fire:
    """The defender declares one shot, modified by a leader of the firer's hex or not."""

    firer: str
    weapon: str
    leader: str | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """The defender closes the window."""


MoverAction = Enter | Overrun | Halt | EndPhase
DefenderAction = Fire | Hold
Action = MoverAction | DefenderAction


def format_action(position: Position, action: Action) -> str:
    """The action as it is printed; `parse_action` reads it back to the same action.

    Raises:
        KeyError: a hex is not on the map.
    """
    if isinstance(action, EndPhase):
        return END
    if isinstance(action, Hold):
        return HOLD
    if isinstance(action, Fire):
        leader = f" {WITH} {action.leader}" if action.leader else ""
        return f"{FIRE} {action.firer}:{action.weapon}{leader}"
    if isinstance(action, Halt):
        turn = "" if action.facing is None else "/" + position.board.direction_name(action.facing)
        return f"{action.unit} {HALT}{turn}"
    return format_move(position, action.planned())


def parse_action(position: Position, text: str) -> Action:
    """Read one action. Whether it may be done is for `planner.game.choices.bars` to say.

    A turn to the facing that the AFV has anyway is none, so an action has one form only.

    Raises:
        NotationError: the text is no action, or names a hex or direction that is not on the map.
    """
    words = text.split()
    if words in ([END], [HOLD]):
        return EndPhase() if words == [END] else Hold()
    if len(words) < 2:
        raise NotationError(text, "is no action", FORM)
    if words[0] == FIRE and ":" in words[1]:
        return _fire(text, words[1:])
    unit, what = words[0], words[1]
    if what == HALT or what.startswith(HALT + "/"):
        if len(words) > 2:
            raise NotationError(text, f"{words[2]} stands after a halt", FORM)
        return _halt(position, text, unit, what)
    move = parse_move(position, text)
    if move.facing is not None or len(move.path) != (1 if move.target is None else 2):
        raise NotationError(text, "is no single action", FORM)
    if move.target is None and not move.weapons:
        return Enter(unit, move.path[0])
    if move.target != 0:
        raise NotationError(text, "is no single action", FORM)
    return Overrun(unit, move.path[0], move.path[1], move.weapons)


def _fire(text: str, words: list[str]) -> Fire:
    firer, _, weapon = words[0].partition(":")
    if not firer or not weapon or len(words) not in (1, 3) or words[1:2] not in ([], [WITH]):
        raise NotationError(text, "is no shot", FORM)
    return Fire(firer, weapon, words[2] if len(words) == 3 else None)


def _halt(position: Position, text: str, unit: str, what: str) -> Halt:
    _, slash, name = what.partition("/")
    if not slash:
        return Halt(unit)
    try:
        facing = position.board.orientation.direction(name)
    except ValueError as error:
        raise NotationError(text, str(error), FORM) from None
    known = position.units.get(unit)
    if known is not None and known.facing is facing:
        return Halt(unit)
    return Halt(unit, facing)
