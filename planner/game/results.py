"""What happened on a real table, one thing in a line of text.

==========================  =====================================================================
``G1 suppressed``           a unit has that status
``T1 destroyed at 0304``    the same, and where; ``at 0304/NE`` with the facing
``T1 at 0304/NE``           a unit stands there; one that was carried has left its carrier
``S1 on T1``                it is carried by that unit, a Gun is towed
``G1 fired``                it has a Fire marker; ``G1 not fired``: it has none
``T1 moved``                it has made its move; ``T1 not moved``: it has not
``S1:satchel spent``        a once-weapon is used up; ``S1:satchel not spent``: it is not
``0405 held by red``        a side holds an objective
==========================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from evaluation.units import Kind
from planner.game.faults import Faults, listed, shown
from planner.game.hexes import Direction, Hex
from planner.game.notation import NotationError
from planner.game.position import Position, Unit

FORM = (
    "UNIT STATUS, UNIT STATUS at 0304, UNIT at 0304/NE, UNIT on CARRIER, UNIT fired, UNIT moved, "
    "UNIT:WEAPON spent (or not fired, not moved, not spent) or 0304 held by SIDE"
)


class Marker(Enum):
    """What a unit may be marked with."""

    FIRED = "fired"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Fate:
    """A unit's status (None: as it was), hex and facing (None: not told)."""

    unit: str
    status: str | None
    hex: Hex | None = None
    facing: Direction | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """Whether a unit carries a marker."""

    unit: str
    marker: Marker
    there: bool


@dataclass(frozen=True, slots=True)
class WeaponUse:
    """Whether a once-weapon is used up."""

    unit: str
    weapon: str
    spent: bool


@dataclass(frozen=True, slots=True)
class Holding:
    """Which side holds an objective."""

    hex: Hex
    side: str


@dataclass(frozen=True, slots=True)
class Boarded:
    """A unit is carried, or a Gun towed, by another."""

    unit: str
    carrier: str


Result = Fate | Marked | WeaponUse | Holding | Boarded


def parse_result(position: Position, text: str) -> Result:
    """Read what happened.

    Raises:
        NotationError: the text says nothing that can have happened in this position.
    """
    words = text.split()
    if len(words) < 2:
        raise NotationError(text, "says nothing of anybody", FORM)
    if words[1:3] == ["held", "by"]:
        return _holding(position, text, words)
    who, colon, weapon = words[0].partition(":")
    unit = position.units.get(who)
    if unit is None:
        raise NotationError(text, f"there is no unit {shown(who)}", _known(who, position.units))
    if colon:
        return _weapon_use(text, unit, weapon, words[1:])
    return _of_unit(position, text, unit, words[1:])


def _known(name: str, known: Collection[str]) -> str:
    return listed(known) + Faults().guess(name, known)


def _holding(position: Position, text: str, words: Sequence[str]) -> Holding:
    hex_ = _hex(position, text, words[0])
    if not any(objective.hex == hex_ for objective in position.objectives):
        names = [position.board.name(objective.hex) for objective in position.objectives]
        raise NotationError(text, f"{shown(words[0])} is no objective", listed(names))
    side = " ".join(words[3:])
    sides = [known.id for known in position.sides]
    if side not in sides:
        raise NotationError(text, f"{shown(side)} is no side", _known(side, sides))
    return Holding(hex_, side)


def _weapon_use(text: str, unit: Unit, weapon: str, said: Sequence[str]) -> WeaponUse:
    once = [known.name for known in unit.type.combat.weapons if known.once]
    if weapon not in once:
        fault = f"{shown(weapon)} is no once-weapon of {unit.id}"
        raise NotationError(text, fault, _known(weapon, once))
    if tuple(said) not in (("spent",), ("not", "spent")):
        raise NotationError(text, f"{shown(' '.join(said))} is nothing a weapon can be", FORM)
    return WeaponUse(unit.id, weapon, said[0] == "spent")


def _of_unit(position: Position, text: str, unit: Unit, said: Sequence[str]) -> Result:
    hex_: Hex | None = None
    facing: Direction | None = None
    rest = list(said)
    if len(rest) >= 2 and rest[-2] == "at":
        name, slash, turn = rest[-1].partition("/")
        hex_ = _hex(position, text, name)
        facing = _direction(position, text, turn) if slash else None
        rest = rest[:-2]
    what = " ".join(rest)
    statuses = position.rules.combat.statuses[unit.kind]
    if what in statuses or not what:
        after = statuses[what] if what else unit.status
        needs_facing = unit.kind is Kind.AFV or unit.type.arc is not None
        lacks_facing = needs_facing and unit.facing is None and facing is None
        stands = unit.carrier is None or hex_ is not None
        if lacks_facing and not after.removed and stands:
            fault = f"{unit.id} is back and nobody knows how it faces"
            raise NotationError(text, fault, f"{unit.id} {after.name} at 0304/NE")
        return Fate(unit.id, what or None, hex_, facing)
    if rest[0] == "on" and len(rest) == 2 and hex_ is None:
        return _boarded(position, text, unit, rest[1])
    for marker in Marker:
        if hex_ is None and what in (marker.value, f"not {marker.value}"):
            return Marked(unit.id, marker, what == marker.value)
    fault = f"{shown(what)} is no status of kind {unit.kind.value}"
    others = f"; or {unit.id} fired, {unit.id} moved, {unit.id} at 0304, {unit.id} on CARRIER"
    raise NotationError(text, fault, _known(what, statuses) + others)


def _boarded(position: Position, text: str, unit: Unit, name: str) -> Boarded:
    """It may be carried as a scenario may have it (`planner.game.check_units`)."""
    carrier = position.units.get(name)
    if carrier is None:
        raise NotationError(text, f"there is no unit {shown(name)}", _known(name, position.units))
    towed = unit.kind is Kind.GUN
    others = [each for each in carrier.passengers if each != unit.id]
    room = sum(position.units[each].type.size for each in others)
    fault = ""
    if unit.status.removed or carrier.status.removed:
        gone = unit if unit.status.removed else carrier
        fault = f"{gone.id} is {gone.status.name} and off the map"
    elif not towed and unit.kind not in (Kind.INFANTRY, Kind.LEADER):
        fault = f"{unit.id} is of kind {unit.kind.value}, which nobody carries"
    elif carrier.side != unit.side or carrier.kind not in (Kind.AFV, Kind.VEHICLE):
        fault = f"{carrier.id} is no AFV or vehicle of {unit.side}"
    elif towed and carrier.towing not in (None, unit.id):
        fault = f"{carrier.id} is towing {carrier.towing}"
    elif not towed and room + unit.type.size > carrier.type.capacity:
        fault = f"{carrier.id} has room for {carrier.type.capacity}, and {room} is taken"
    if fault:
        raise NotationError(text, fault, "a carrier on the map with room for it")
    return Boarded(unit.id, carrier.id)


def _hex(position: Position, text: str, name: str) -> Hex:
    try:
        return position.board.numbering.parse(name)
    except ValueError as error:
        raise NotationError(text, str(error), FORM) from None


def _direction(position: Position, text: str, name: str) -> Direction:
    try:
        return position.board.orientation.direction(name)
    except ValueError as error:
        raise NotationError(text, str(error), FORM) from None


def clashes(results: Sequence[Result]) -> Iterator[tuple[int, int]]:
    """Pairs of results that can't both be: the later one's number, and the earlier one's."""
    told: dict[tuple[object, ...], tuple[int, object]] = {}
    for number, result in enumerate(results):
        for about, what in _says(result):
            first, before = told.setdefault(about, (number, what))
            if before != what:
                yield number, first


def _says(result: Result) -> Iterator[tuple[tuple[object, ...], object]]:
    """What a result is about, and what it says of that."""
    if isinstance(result, Fate):
        if result.status is not None:
            yield (result.unit, "status"), result.status
        if result.hex is not None:
            yield (result.unit, "hex"), result.hex
        if result.facing is not None:
            yield (result.unit, "facing"), result.facing
    elif isinstance(result, Marked):
        yield (result.unit, result.marker), result.there
    elif isinstance(result, WeaponUse):
        yield (result.unit, result.weapon), result.spent
    elif isinstance(result, Boarded):
        yield (result.unit, "hex"), result.carrier
    else:
        yield (result.hex,), result.side
