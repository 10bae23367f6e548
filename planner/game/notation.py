"""Move notation, both ways (formats page, "Move notation")."""

from __future__ import annotations

import re

from planner.game.hexes import Direction, Hex
from planner.game.moves import PlannedMove, faced_by_path
from planner.game.position import Position

STAY = "stay"
FORM = "a move is written UNIT 0304x0404-0505, UNIT 0304-0305/NE or UNIT stay"


class NotationError(ValueError):
    """Text that is no move: it can't be read, whatever the rules say of it."""

    def __init__(self, text: str, fault: str, expected: str = FORM) -> None:
        self.text = text
        self.fault = fault
        self.expected = expected
        super().__init__(f"{text!r}: {fault} ({expected})")


def format_move(position: Position, move: PlannedMove) -> str:
    """The move as it is printed; `parse_move` reads it back to the same move.

    Raises:
        KeyError: a hex is not on the map.
    """
    board = position.board
    route = ""
    for index, hex_ in enumerate(move.path):
        if index == move.target:
            route += "x"
        elif index > 0:
            route += "-"
        route += board.name(hex_)
    if move.facing is not None:
        route += f"/{board.direction_name(move.facing)}"
    weapons = sorted({f" +{unit}:{weapon}" for unit, weapon in move.weapons})
    return f"{move.unit} {route or STAY}{''.join(weapons)}"


def parse_move(position: Position, text: str) -> PlannedMove:
    """Read a move. Whether it is a right one is for `planner.game.legality` to say.

    A last facing that the AFV has anyway is dropped, so a move has one form only.

    Raises:
        NotationError: the text is no move, or names a hex or direction that is not on the map.
    """
    words = text.split()
    if len(words) < 2:
        raise NotationError(text, "there is a unit or a route missing")
    unit, route, *used = words
    weapons = [_weapon(text, name) for name in used]
    if len(set(weapons)) < len(weapons):
        raise NotationError(text, "a weapon is named twice", "each weapon once")
    path, target, facing = _route(position, text, route)
    known = position.units.get(unit)
    if known is not None and facing is not None and facing is faced_by_path(known, path):
        facing = None
    return PlannedMove(unit, path, target, facing, tuple(sorted(weapons, key=":".join)))


def _weapon(text: str, word: str) -> tuple[str, str]:
    """``+S1:LMG`` taken apart; ids and weapons' names hold no blank, colon or plus."""
    unit, _, weapon = word.removeprefix("+").partition(":")
    if not word.startswith("+") or not unit or not weapon:
        raise NotationError(text, f"{word} is no weapon", "+PASSENGER:WEAPON, such as +S1:LMG")
    return unit, weapon


def _route(
    position: Position, text: str, route: str
) -> tuple[tuple[Hex, ...], int | None, Direction | None]:
    if route == STAY:
        return (), None, None
    hexes, slash, turn = route.partition("/")
    path: list[Hex] = []
    target: int | None = None
    name_pattern = re.compile(position.board.numbering.pattern)
    at = 0
    while at < len(hexes):
        # A name first, then what joins: a name may hold a mark that also joins.
        joined = bool(path)
        if joined or (hexes[at] == "x" and not name_pattern.match(hexes, at)):
            mark = hexes[at]
            at += 1
            if mark == "x" and target is None:
                target = len(path)
            elif mark == "x":
                raise NotationError(text, "there is more than one x", "one overrun in a move")
            elif mark != "-":
                raise NotationError(text, f"{hexes[at - 1 :]!r} does not go on from a hex")
        found = name_pattern.match(hexes, at)
        name = found.group() if found else re.split("[-x]", hexes[at:], maxsplit=1)[0]
        try:
            path.append(position.board.numbering.parse(name))
        except ValueError as error:
            if not name:
                raise NotationError(text, "there is a hex missing") from None
            raise NotationError(text, str(error)) from None
        at += len(name)
    if not slash:
        return tuple(path), target, None
    try:
        return tuple(path), target, position.board.orientation.direction(turn)
    except ValueError as error:
        raise NotationError(text, str(error)) from None
