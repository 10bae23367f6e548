"""How hexes are called on a map, and the columns and rows behind the names.

A map is a rectangle of columns and rows, both counted from 0. In a flat-top map the odd (or even)
columns are shoved half a hex down; in a pointy-top map the odd (or even) rows half a hex right::

    flat-top, offset odd               pointy-top, offset odd

    0101      0301                     0101  0201  0301
          0201      0401                  0102  0202  0302
    0102      0302                     0103  0203  0303
          0202      0402
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from planner.game.hexes import Hex, Offset, Orientation

MAX_SIDE = 400
"""Most columns, and most rows, a map may have."""


def hex_at(orientation: Orientation, offset: Offset, column: int, row: int) -> Hex:
    """The hex in that column and row, both counted from 0.

    >>> hex_at(Orientation.FLAT, Offset.ODD, 3, 3)
    Hex(q=3, r=2)
    """
    if orientation is Orientation.FLAT:
        return Hex(column, row - _shoved(offset, column))
    return Hex(column - _shoved(offset, row), row)


def cell_of(orientation: Orientation, offset: Offset, hex_: Hex) -> tuple[int, int]:
    """Column and row of a hex, both counted from 0 (outside the map they may be negative)."""
    if orientation is Orientation.FLAT:
        return hex_.q, hex_.r + _shoved(offset, hex_.q)
    return hex_.q + _shoved(offset, hex_.r), hex_.r


def _shoved(offset: Offset, line: int) -> int:
    """Half the line's number, rounded so that the shoved lines come half a hex further on."""
    return line // 2 if offset is Offset.ODD else (line + 1) // 2


class Style(Enum):
    """How columns or rows are counted: 1, 2, 3 · A … Z, AA, AB … · A … Z, AA, BB …"""

    DIGITS = "digits"
    LETTERS = "letters"
    DOUBLED = "doubled"

    @property
    def pattern(self) -> str:
        """A regular expression for one such number."""
        return "[0-9]+" if self is Style.DIGITS else "[A-Z]+"


class Order(Enum):
    """Which of the two comes first in a name."""

    COLUMN_ROW = "column-row"
    ROW_COLUMN = "row-column"


@dataclass(frozen=True, slots=True)
class Axis:
    """How columns, or rows, are counted.

    ``first`` is the number of the first (1 is A with letters); ``digits`` the least number of
    digits, filled with zeros in front; ``descending`` counts from the map's other end.
    """

    style: Style = Style.DIGITS
    first: int = 1
    digits: int = 2
    descending: bool = False

    def text(self, index: int, count: int) -> str:
        """What the line of that index, counted from 0, of so many is called."""
        number = self.first + (count - 1 - index if self.descending else index)
        if self.style is Style.DIGITS:
            return f"{number:0{self.digits}d}"
        if self.style is Style.DOUBLED:
            times, letter = divmod(number - 1, 26)
            return chr(65 + letter) * (times + 1)
        letters = ""
        while number > 0:
            number, letter = divmod(number - 1, 26)
            letters = chr(65 + letter) + letters
        return letters

    def span(self, count: int) -> str:
        """First to last, as a message says it."""
        ends = (self.text(0, count), self.text(count - 1, count))
        return "-".join(reversed(ends) if self.descending else ends)


@dataclass(frozen=True, slots=True)
class Scheme:
    """A whole way of naming hexes; as it stands here it is the default one (``0304``)."""

    order: Order = Order.COLUMN_ROW
    columns: Axis = Axis()
    rows: Axis = Axis()
    separator: str = ""
    prefix: str = ""

    def name(self, column: str, row: str) -> str:
        """A hex's name from those of its column and row."""
        pair = (column, row) if self.order is Order.COLUMN_ROW else (row, column)
        return self.prefix + self.separator.join(pair)


class HexNameError(ValueError):
    """A name that no hex on the map has; ``fault`` and ``expected`` as in a `Fault`."""

    def __init__(self, fault: str, expected: str) -> None:
        self.fault = fault
        self.expected = expected
        super().__init__(f"{fault} ({expected})")


class NumberingError(ValueError):
    """A scheme that can't name every hex of a map; ``axis`` is ``"columns"``, ``"rows"``, None."""

    def __init__(self, axis: str | None, fault: str, expected: str) -> None:
        self.axis = axis
        self.fault = fault
        self.expected = expected
        super().__init__(f"{fault} ({expected})")


@dataclass(frozen=True, eq=False, slots=True)
class MapNumbering:
    """The names of all hexes of one map. Compared by identity.

    Raises NumberingError when two hexes would have one name, or a number does not fit its digits.
    """

    orientation: Orientation
    offset: Offset
    columns: int
    rows: int
    scheme: Scheme = Scheme()
    _names: Mapping[Hex, str] = field(init=False, repr=False)
    _hexes: Mapping[str, Hex] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._check()
        scheme = self.scheme
        across = [scheme.columns.text(index, self.columns) for index in range(self.columns)]
        down = [scheme.rows.text(index, self.rows) for index in range(self.rows)]
        names = {
            hex_at(self.orientation, self.offset, column, row): scheme.name(left, top)
            for row, top in enumerate(down)
            for column, left in enumerate(across)
        }
        hexes = {name: hex_ for hex_, name in names.items()}
        if len(hexes) < len(names):
            raise NumberingError(
                None,
                "different hexes would have the same name",
                "a separator, or enough digits for both columns and rows",
            )
        object.__setattr__(self, "_names", names)
        object.__setattr__(self, "_hexes", hexes)

    def _check(self) -> None:
        scheme = self.scheme
        for axis_name, axis, count in (
            ("columns", scheme.columns, self.columns),
            ("rows", scheme.rows, self.rows),
        ):
            if axis.style is not Style.DIGITS and axis.first < 1:
                raise NumberingError(axis_name, f"first = {axis.first}", "1 (for A) or more")
            last = axis.first + count - 1
            joined = not scheme.separator and scheme.columns.style is scheme.rows.style
            if axis.style is Style.DIGITS and joined and len(str(last)) > axis.digits:
                raise NumberingError(
                    axis_name,
                    f"number {last} has more than {axis.digits} digits",
                    f"map.numbering with {axis_name} = {{ digits = {len(str(last))} }}",
                )

    def __contains__(self, hex_: Hex) -> bool:
        return hex_ in self._names

    def has(self, name: str) -> bool:
        """Whether some hex is called so."""
        return name in self._hexes

    def name(self, hex_: Hex) -> str:
        """What the hex is called. Raises KeyError off the map."""
        return self._names[hex_]

    def parse(self, name: str) -> Hex:
        """The hex of that name. Raises HexNameError (a ValueError) when there is none."""
        found = self._hexes.get(name)
        if found is None:
            raise HexNameError(f'"{name[:40]}" is not on the map', self.expected)
        return found

    def hex_at(self, column: int, row: int) -> Hex:
        """The hex in that column and row, both counted from 0."""
        return hex_at(self.orientation, self.offset, column, row)

    def cell_of(self, hex_: Hex) -> tuple[int, int]:
        """Column and row of a hex, both counted from 0."""
        return cell_of(self.orientation, self.offset, hex_)

    @property
    def expected(self) -> str:
        """Which names there are, as a message says it: ``columns 01-12, rows 01-10``."""
        scheme = self.scheme
        spans = [
            f"columns {scheme.columns.span(self.columns)}",
            f"rows {scheme.rows.span(self.rows)}",
        ]
        if scheme.order is Order.ROW_COLUMN:
            spans.reverse()
        usual = scheme == Scheme()
        first = "" if usual else f", such as {self._names[self.hex_at(0, 0)]}"
        return ", ".join(spans) + first

    @property
    def pattern(self) -> str:
        """A regular expression that matches one whole name at its start, longest first.

        Move notation joins names with ``-`` and ``x``; a prefix or separator may hold a ``-`` too,
        so a reader of moves takes names by this and not by splitting.
        """
        scheme = self.scheme
        joined = not scheme.separator and scheme.columns.style is scheme.rows.style
        column, row = (
            f"[0-9]{{{axis.digits}}}"
            if joined and axis.style is Style.DIGITS
            else axis.style.pattern
            for axis in (scheme.columns, scheme.rows)
        )
        pair = (column, row) if scheme.order is Order.COLUMN_ROW else (row, column)
        return re.escape(scheme.prefix) + re.escape(scheme.separator).join(pair)
