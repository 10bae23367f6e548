"""What the models of both file formats are made of.

A `Piece` is a table of a file. Where pydantic stops at the first bad key of a table and throws the
table away, a piece keeps every key that is right and puts `Bad` in place of each that is not, so
that one reading finds the faults of form and, in what is left, the faults of meaning too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Annotated, Any, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PrivateAttr,
    StringConstraints,
    ValidationError,
    WrapValidator,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError, core_schema

from planner.game.faults import Faults, Place, listed, shown

_MISSING = object()


@dataclass(frozen=True, slots=True)
class Bad:
    """Stands for a value that is missing or wrong, with what is wrong, by place inside it."""

    faults: tuple[tuple[Place, str, str], ...]


def sound(*values: object) -> bool:
    """Whether none of these values is `Bad`."""
    return not any(isinstance(value, Bad) for value in values)


def _salvage(value: Any, handler: Callable[[Any], Any]) -> Any:
    if value is _MISSING:
        return Bad(())
    try:
        return handler(value)
    except ValidationError as error:
        details = error.errors(include_url=False)
        return Bad(tuple(_said(detail) for detail in details))


class Piece(BaseModel):
    """A table of a file. Reading one never fails; `faults_of` tells what is wrong in it."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, protected_namespaces=(), hide_input_in_errors=True
    )
    _form_faults: tuple[tuple[Place, str, str], ...] = PrivateAttr(())
    _unknown: tuple[str, ...] = PrivateAttr(())

    @field_validator("*", mode="wrap")
    @classmethod
    def _keep_others(cls, value: Any, handler: Callable[[Any], Any]) -> Any:
        return _salvage(value, handler)

    @model_validator(mode="wrap")
    @classmethod
    def _keep_known(cls, data: Any, handler: Callable[[Any], Self]) -> Self:
        keys = cls.keys()
        if not isinstance(data, dict):
            piece = handler(dict.fromkeys(keys, _MISSING))
            expected = f"a table with {', '.join(keys)}"
            piece._form_faults = (((), f"{shown(data)} is no table", expected),)
            return piece
        unknown = tuple(key for key in data if key not in keys)
        given = {key: value for key, value in data.items() if key in keys} if unknown else data
        faults = []
        for key, (required, meaning) in keys.items():
            if required and key not in data:
                given = {**given, key: _MISSING}
                faults.append(((key,), "is missing", meaning))
        piece = handler(given)
        piece._form_faults = tuple(faults)
        piece._unknown = unknown
        return piece

    @classmethod
    def keys(cls) -> Mapping[str, tuple[bool, str]]:
        """Every key of the table as the file spells it: whether it must be there, its meaning."""
        found = _KEYS.get(cls)
        if found is None:
            found = _KEYS[cls] = {
                info.alias or name: (info.is_required(), info.description or "")
                for name, info in cls.model_fields.items()
            }
        return found


_KEYS: dict[type[Piece], Mapping[str, tuple[bool, str]]] = {}

_T = TypeVar("_T")
Each = Annotated[_T, WrapValidator(_salvage)]
"""An item of a list or a table that may be `Bad` by itself without spoiling the others."""


def note_faults(value: object, place: Place, faults: Faults) -> None:
    """Note every fault of form in a tree of pieces."""
    if isinstance(value, Bad):
        for inner, fault, expected in value.faults:
            faults.add(place + inner, fault, expected)
    elif isinstance(value, Piece):
        keys = type(value).keys()
        for inner, fault, expected in value._form_faults:
            faults.add(place + inner, fault, expected)
        for key in value._unknown:
            faults.add((*place, key), "is no key here", listed(keys) + faults.guess(key, keys))
        for name, info in type(value).model_fields.items():
            note_faults(getattr(value, name), (*place, info.alias or name), faults)
    elif isinstance(value, dict):
        for key, inner_value in value.items():
            note_faults(inner_value, (*place, key), faults)
    elif isinstance(value, list):
        for index, inner_value in enumerate(value):
            note_faults(inner_value, (*place, index), faults)


def good_items(items: Mapping[str, _T]) -> Iterator[tuple[str, _T]]:
    """The items of a table that could be read; none of a table that is `Bad` itself."""
    if sound(items):
        yield from ((key, value) for key, value in items.items() if sound(value))


def good_list(items: list[_T]) -> Iterator[tuple[int, _T]]:
    """The items of a list that could be read, with their indices; none of a `Bad` list."""
    if sound(items):
        yield from ((index, value) for index, value in enumerate(items) if sound(value))


def _said(detail: ErrorDetails) -> tuple[Place, str, str]:
    """A pydantic error in our words: place inside the value, what is there, what would be right."""
    place = tuple(step for step in detail["loc"] if not str(step).startswith("<"))
    value, context = detail["input"], detail.get("ctx", {})
    kind = detail["type"]
    if kind == "wrong":
        return place, context["fault"], context["expected"]
    if kind == "literal_error":
        choice = str(context["expected"]).replace("'", '"')
        return place, f"{shown(value)} is none of the choices", choice
    wanted = _WANTED.get(kind)
    if kind == "too_short":
        return place, "has too few entries", f"at least {context['min_length']}"
    if kind == "too_long":
        return place, "has too many entries", f"at most {context['max_length']}"
    return (
        place,
        f"{shown(value)} is {wanted[0]}" if wanted else detail["msg"],
        (wanted[1] if wanted else "see the format's description"),
    )


_WANTED = {
    "string_type": ("no text", "text in quotes"),
    "bool_type": ("neither true nor false", "true or false"),
    "list_type": ("no list", "a list in [ ]"),
    "dict_type": ("no table", "a table of keys and values"),
}


def _wrong(value: object, said: str, expected: str) -> PydanticCustomError:
    context = {"fault": f"{shown(value)} {said}", "expected": expected}
    return PydanticCustomError("wrong", "{fault} ({expected})", context)


class _Scalar:
    """A value checked by `check`, with its own JSON Schema."""

    def check(self, value: Any) -> Any:
        raise AssertionError  # each kind of scalar has its own

    def schema(self) -> dict[str, Any]:
        raise AssertionError

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(
        self, core: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self.schema()


@dataclass(frozen=True, slots=True)
class Whole(_Scalar):
    """A whole number between bounds, both inclusive."""

    low: int
    high: int

    def check(self, value: Any) -> int:
        """The number itself."""
        expected = f"a whole number from {self.low} to {self.high}"
        if not isinstance(value, int) or isinstance(value, bool):
            raise _wrong(value, "is no whole number", expected)
        if not self.low <= value <= self.high:
            raise _wrong(value, "is out of range", expected)
        return value

    def schema(self) -> dict[str, Any]:
        """As JSON Schema says it."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Exact(_Scalar):
    """A number between bounds, both inclusive, read exactly as it is written.

    Whole numbers become ints, others Fractions: 0.1 is a tenth, not the nearest binary fraction.
    """

    low: int
    high: int

    def check(self, value: Any) -> int | Fraction:
        """The number, exactly."""
        expected = f"a number from {self.low} to {self.high}"
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
            raise _wrong(value, "is no number", expected)
        if not self.low <= value <= self.high:
            raise _wrong(value, "is out of range", expected)
        exact = Fraction(repr(value))
        if exact * 10**_DECIMALS % 1:
            raise _wrong(value, "is too fine", f"{expected} with at most {_DECIMALS} decimals")
        return int(exact) if exact.denominator == 1 else exact

    def schema(self) -> dict[str, Any]:
        """As JSON Schema says it."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Real(_Scalar):
    """A number between bounds, both inclusive, for what is only ever averaged (worth, loss)."""

    low: int
    high: int

    def check(self, value: Any) -> float:
        """The number as a float."""
        expected = f"a number from {self.low} to {self.high}"
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _wrong(value, "is no number", expected)
        if not self.low <= value <= self.high:
            raise _wrong(value, "is out of range", expected)
        return float(value)

    def schema(self) -> dict[str, Any]:
        """As JSON Schema says it."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}


_NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Word(_Scalar):
    """A name: printable, of one to sixty characters, no blank at either end.

    ``without`` lists characters it may not hold because they mean something in move notation or
    on the command line.
    """

    without: str = ""
    empty: bool = False

    def check(self, value: Any) -> str:
        """The name itself."""
        expected = f"a name of 1 to {_NAME_LENGTH} printable characters"
        if self.without:
            barred = " ".join("blanks" if c == " " else c for c in self.without)
            expected += f", none of {barred}"
        if not isinstance(value, str):
            raise _wrong(value, "is no text", expected)
        if self.empty and not value:
            return value
        if not 0 < len(value) <= _NAME_LENGTH or value != value.strip() or not value.isprintable():
            raise _wrong(value, "is no name", expected)
        if any(c in self.without for c in value) or (self.without and value.startswith("-")):
            raise _wrong(value, "can't be written in a move", f"{expected}, no - in front")
        return value

    def schema(self) -> dict[str, Any]:
        """As JSON Schema says it."""
        found: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": _NAME_LENGTH}
        if self.without:
            found["pattern"] = (
                "^[^-" + self.without.replace("+", "\\+") + "][^" + self.without + "]*$"
            )
        return found


def check_keys(table: Mapping[str, object], place: Place, faults: Faults) -> None:
    """Note every key of a table of named things that is no name."""
    if sound(table):
        for key in table:
            try:
                Word().check(key)
            except PydanticCustomError as error:
                context = error.context or {}
                faults.add((*place, key), context["fault"], context["expected"])


Name = Annotated[str, Word()]
MoveWord = Annotated[str, Word(without=" :+,")]
Text = Annotated[str, StringConstraints(max_length=100_000)]
Points = Annotated[int | Fraction, Exact(0, 10_000)]
Worth = Annotated[float, Real(0, 1_000_000)]
