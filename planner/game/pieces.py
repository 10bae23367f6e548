"""What the models of both file formats are made of.

A `Piece` is a table of a file. Where pydantic throws a table away for one bad key, a piece keeps
every key that is right and puts `Bad` in place of each that is not, so that one reading finds the
faults of form and, in what is left, the faults of meaning too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    PrivateAttr,
    ValidationError,
    WrapValidator,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from planner.game.faults import Faults, Place, listed, shown
from planner.game.scalars import WRONG

_FormFault = tuple[Place, str, str]
_MISSING = object()
_HOLLOW = object()
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Bad:
    """Stands for a value that is missing or wrong, with what is wrong, by place inside it."""

    faults: tuple[_FormFault, ...]


def sound(*values: object) -> bool:
    """Whether none of these values is `Bad`."""
    return not any(isinstance(value, Bad) for value in values)


def good_items(items: Mapping[str, _T]) -> Iterator[tuple[str, _T]]:
    """The items of a table that could be read; none of a table that is `Bad` itself."""
    if sound(items):
        yield from ((key, value) for key, value in items.items() if sound(value))


def good_list(items: list[_T]) -> Iterator[tuple[int, _T]]:
    """The items of a list that could be read, with their indices; none of a `Bad` list."""
    if sound(items):
        yield from ((index, value) for index, value in enumerate(items) if sound(value))


def _salvage(value: Any, handler: Callable[[Any], Any]) -> Any:
    if value is _MISSING:
        return Bad(())
    try:
        return handler(value)
    except ValidationError as error:
        return Bad(tuple(_said(detail) for detail in error.errors(include_url=False)))


Each = Annotated[_T, WrapValidator(_salvage)]
"""An item of a list or a table that may be `Bad` by itself without spoiling the others."""


class _Key(NamedTuple):
    """A key of a table: whether it must be there, what it means, whether it is a table itself."""

    required: bool
    meaning: str
    is_piece: bool


class Piece(BaseModel):
    """A table of a file. Reading one never fails; `note_faults` tells what is wrong in it.

    A table that is missing, or is none, is read as one whose keys are all missing.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    _form_faults: tuple[_FormFault, ...] = PrivateAttr(())
    _is_there: bool = PrivateAttr(True)

    @field_validator("*", mode="wrap")
    @classmethod
    def _keep_others(cls, value: Any, handler: Callable[[Any], Any]) -> Any:
        return _salvage(value, handler)

    @model_validator(mode="wrap")
    @classmethod
    def _keep_known(cls, data: Any, handler: Callable[[Any], Self]) -> Self:
        keys = cls.keys()
        faults: list[_FormFault] = []
        given: dict[str, Any] = {}
        if isinstance(data, dict):
            given = {key: value for key, value in data.items() if key in keys}
            if len(given) < len(data):
                known = listed(keys)
                faults = [((key,), "is no key here", known) for key in data if key not in keys]
        elif data is not _HOLLOW:
            faults = [((), f"{shown(data)} is no table", f"a table with {', '.join(keys)}")]
        for key, (required, meaning, is_piece) in keys.items():
            if required and key not in given:
                given[key] = _HOLLOW if is_piece else _MISSING
                if isinstance(data, dict):
                    faults.append(((key,), "is missing", meaning))
        piece = handler(given)
        piece._form_faults = tuple(faults)
        piece._is_there = isinstance(data, dict)
        return piece

    @property
    def is_there(self) -> bool:
        """Whether the file has this table: False when there is none or something else instead."""
        return self._is_there

    @classmethod
    def keys(cls) -> Mapping[str, _Key]:
        """Every key of the table as the file spells it."""
        found = _KEYS.get(cls)
        if found is None:
            found = _KEYS[cls] = {
                info.alias or name: _Key(
                    info.is_required(),
                    info.description or "",
                    isinstance(info.annotation, type) and issubclass(info.annotation, Piece),
                )
                for name, info in cls.model_fields.items()
            }
        return found


_KEYS: dict[type[Piece], Mapping[str, _Key]] = {}


def note_faults(value: object, place: Place, faults: Faults) -> None:
    """Note every fault of form in a tree of pieces."""
    if isinstance(value, Bad):
        for inner, fault, expected in value.faults:
            faults.add(place + inner, fault, expected)
    elif isinstance(value, Piece):
        keys = type(value).keys()
        for inner, fault, expected in value._form_faults:
            guess = faults.guess(str(inner[-1]), keys) if inner and inner[-1] not in keys else ""
            faults.add(place + inner, fault, expected + guess)
        for name, info in type(value).model_fields.items():
            note_faults(getattr(value, name), (*place, info.alias or name), faults)
    elif isinstance(value, dict):
        for key, inner_value in value.items():
            note_faults(inner_value, (*place, key), faults)
    elif isinstance(value, list):
        for index, inner_value in enumerate(value):
            note_faults(inner_value, (*place, index), faults)


def _said(detail: ErrorDetails) -> _FormFault:
    """A pydantic error in our words: place inside the value, what is there, what would be right."""
    place = tuple(step for step in detail["loc"] if not str(step).startswith("<"))
    value, context, kind = detail["input"], detail.get("ctx", {}), detail["type"]
    if kind == WRONG:
        return place, context["fault"], context["expected"]
    if kind == "literal_error":
        choice = str(context["expected"]).replace("'", '"')
        return place, f"{shown(value)} is not right here", choice
    if kind == "too_short":
        return place, "has too few entries", f"at least {context['min_length']}"
    if kind == "too_long":
        return place, "has too many entries", f"at most {context['max_length']}"
    said, expected = _WANTED[kind]
    return place, f"{shown(value)} is {said}", expected


_WANTED = {
    "bool_type": ("neither true nor false", "true or false"),
    "list_type": ("no list", "a list in [ ]"),
    "dict_type": ("no table", "a table of keys and values"),
}
