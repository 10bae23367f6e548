"""Single values of the file formats: numbers with bounds, names, text.

Each says in its own words what would be right, and makes its own part of the JSON Schema.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

from planner.game.faults import Faults, Place, shown

WRONG = "wrong"
"""Type of the errors raised here; their context holds ``fault`` and ``expected``."""

_DECIMALS = 6
_NAME_LENGTH = 60


def wrong(value: object, said: str, expected: str) -> PydanticCustomError:
    """The error that a value is not right: what is said of it, and what would be right."""
    context = {"fault": f"{shown(value)} {said}", "expected": expected}
    return PydanticCustomError(WRONG, "{fault} ({expected})", context)


class Scalar:
    """Base of the annotations below: pydantic reads by `check` and describes by `schema`."""

    __slots__ = ()

    def check(self, value: Any) -> Any:
        """The value as the program holds it. Raises PydanticCustomError when it is wrong."""
        return value

    def schema(self) -> dict[str, Any]:
        """The value as JSON Schema describes it."""
        return {}

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(
        self, core: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self.schema()


@dataclass(frozen=True, slots=True)
class Whole(Scalar):
    """A whole number between bounds, both inclusive."""

    low: int
    high: int

    def check(self, value: Any) -> int:
        """The number itself."""
        expected = f"a whole number from {self.low} to {self.high}"
        if isinstance(value, bool) or not isinstance(value, int):
            raise wrong(value, "is no whole number", expected)
        if not self.low <= value <= self.high:
            raise wrong(value, "is out of range", expected)
        return value

    def schema(self) -> dict[str, Any]:
        """An integer with its bounds."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class _Number(Scalar):
    """A number between bounds, both inclusive."""

    low: int
    high: int

    def in_range(self, value: Any) -> int | float:
        """The number as it was read. Raises PydanticCustomError when it is wrong."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise wrong(value, "is no number", self.expected)
        if not self.low <= value <= self.high:
            raise wrong(value, "is out of range", self.expected)
        return value

    @property
    def expected(self) -> str:
        """What would be right."""
        return f"a number from {self.low} to {self.high}"

    def schema(self) -> dict[str, Any]:
        """A number with its bounds."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Exact(_Number):
    """A number read exactly as it is written: 0.1 is a tenth, not the nearest binary fraction.

    Whole numbers become ints, others Fractions; six decimals are the most a file may give.
    """

    def check(self, value: Any) -> int | Fraction:
        """The number, exactly."""
        exact = Fraction(repr(self.in_range(value)))
        if exact * 10**_DECIMALS % 1:
            expected = f"{self.expected}, at most {_DECIMALS} decimals"
            raise wrong(value, "is too fine", expected)
        return int(exact) if exact.denominator == 1 else exact


@dataclass(frozen=True, slots=True)
class Real(_Number):
    """A number for what is only ever averaged (worth, loss)."""

    def check(self, value: Any) -> float:
        """The number as a float."""
        return float(self.in_range(value))


@dataclass(frozen=True, slots=True)
class Word(Scalar):
    """A name: printable, no blank at either end, of at least one character (none if ``empty``).

    ``without`` lists characters it may not hold because they mean something in move notation;
    ``dash_first`` tells whether it may begin with ``-``, as an option on a command line does.
    """

    without: str = ""
    dash_first: bool = True
    empty: bool = False
    limit: int = _NAME_LENGTH

    def check(self, value: Any) -> str:
        """The name itself."""
        if not isinstance(value, str):
            raise wrong(value, "is no text", self.expected)
        if not value and self.empty:
            return value
        blank_ends = value != value.strip() and " " not in self.without
        if not 0 < len(value) <= self.limit or blank_ends or not value.isprintable():
            raise wrong(value, "is no name", self.expected)
        if any(c in self.without for c in value) or (value[0] == "-" and not self.dash_first):
            raise wrong(value, "can't be written in a move", self.expected)
        return value

    @property
    def expected(self) -> str:
        """What would be right."""
        expected = f"text of {0 if self.empty else 1} to {self.limit} printable characters"
        if self.without:
            barred = " ".join("blank" if c == " " else c for c in self.without)
            expected += f", none of: {barred}"
        return expected if self.dash_first else f"{expected}; no - in front"

    def schema(self) -> dict[str, Any]:
        """Text with its length and the characters it may not hold."""
        found: dict[str, Any] = {"type": "string", "maxLength": self.limit}
        if not self.empty:
            found["minLength"] = 1
        if self.without:
            barred = "".join("\\" + c if c in "+/" else c for c in self.without)
            first = "" if self.dash_first else "(?!-)"
            found["pattern"] = f"^{first}[^{barred}]*$"
        return found


@dataclass(frozen=True, slots=True)
class Prose(Scalar):
    """Text of several lines. Control characters are refused: they would reach a terminal."""

    limit: int

    def check(self, value: Any) -> str:
        """The text itself."""
        expected = f"text of at most {self.limit} characters"
        if not isinstance(value, str):
            raise wrong(value, "is no text", expected)
        if len(value) > self.limit:
            raise wrong(value, "is too long", expected)
        if not value.isprintable() and not all(c.isprintable() or c in "\n\r\t" for c in value):
            raise wrong(value, "has control characters", f"{expected}, without them")
        return value

    def schema(self) -> dict[str, Any]:
        """Text with its length."""
        return {"type": "string", "maxLength": self.limit}


def check_keys(table: object, place: Place, faults: Faults) -> None:
    """Note every key of a table of named things that is no name."""
    if isinstance(table, dict):
        for key in table:
            try:
                Word().check(key)
            except PydanticCustomError as error:
                context = error.context or {}
                faults.add((*place, key), context["fault"], context["expected"])


Name = Annotated[str, Word()]
MoveWord = Annotated[str, Word(without=" :+,", dash_first=False)]
"""A name that stands in move notation: a unit's id or a weapon's name."""
Text = Annotated[str, Prose(100_000)]
Points = Annotated[int | Fraction, Exact(0, 10_000)]
"""Movement points or levels."""
Worth = Annotated[float, Real(0, 1_000_000)]
