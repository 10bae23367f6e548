"""What happened, as tables for programs: one for each event, with its name and its fields."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from planner.game.board import Board
from planner.game.chance import Roll
from planner.game.events import Event
from planner.game.hexes import Direction, Hex


def event_form(board: Board, event: Event) -> dict[str, Any]:
    """An event as a table: ``event`` is its name, ``window_opened`` for `WindowOpened`; hexes and
    directions stand as the board calls them."""
    return {"event": event_name(type(event)), **_form(board, event)}


def event_name(kind: type) -> str:
    """What an event of that class is called.

    >>> from planner.game.events import WindowOpened
    >>> event_name(WindowOpened)
    'window_opened'
    """
    name = kind.__name__
    return "".join("_" * (at > 0 and c.isupper()) + c.lower() for at, c in enumerate(name))


def _form(board: Board, noun: Any) -> dict[str, Any]:
    return {field.name: _value(board, getattr(noun, field.name)) for field in fields(noun)}


def _value(board: Board, value: object) -> object:
    match value:
        case Hex():
            return board.name(value)
        case Direction():
            return board.direction_name(value)
        case Roll():
            return _form(board, value)
        case Enum():
            return value.value
        case Fraction():
            return float(value)
        case tuple():
            return [_value(board, one) for one in value]
    return value


def event_schema() -> dict[str, Any]:
    """The JSON Schema of such a table."""
    return {"oneOf": [_schema(kind) for kind in get_args(Event)]}


def _schema(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    found = {field.name: _schema_of(hints[field.name]) for field in fields(kind)}
    properties = {"event": {"const": event_name(kind)}, **found}
    return {
        "type": "object",
        "title": kind.__name__,
        "description": " ".join((kind.__doc__ or "").split()),
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _schema_of(hint: Any) -> dict[str, Any]:
    """What a field of that type is written as."""
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _schema_of(get_args(hint)[0])}
    if args := get_args(hint):
        names = [_schema_of(arg)["type"] for arg in args]
        return {"type": names[0] if len(set(names)) == 1 else names}
    if hint is Roll:
        hints = get_type_hints(Roll)
        return {
            "type": "object",
            "properties": {field.name: _schema_of(hints[field.name]) for field in fields(Roll)},
        }
    if hint is not Direction and isinstance(hint, type) and issubclass(hint, Enum):
        return {"type": "string", "enum": [each.value for each in hint]}
    return {"type": _TYPES[hint]}


_TYPES: dict[object, str] = {
    Hex: "string",
    Direction: "string",
    str: "string",
    bool: "boolean",
    int: "integer",
    Fraction: "number",
    NoneType: "null",
}
