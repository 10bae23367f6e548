"""Names of hexes, and the two offsets of both orientations against hand-drawn neighbours."""

from __future__ import annotations

import re

import pytest

from planner.game.hexes import DIRECTIONS, Offset, Orientation
from planner.game.numbering import (
    Axis,
    HexNameError,
    MapNumbering,
    NumberingError,
    Order,
    Scheme,
    Style,
    cell_of,
    hex_at,
)

FLAT, POINTY = Orientation.FLAT, Orientation.POINTY
ODD, EVEN = Offset.ODD, Offset.EVEN
LETTERS, DOUBLED, DIGITS = Style.LETTERS, Style.DOUBLED, Style.DIGITS


def numbering(
    columns: int = 12,
    rows: int = 10,
    scheme: Scheme | None = None,
    orientation: Orientation = FLAT,
    offset: Offset = ODD,
) -> MapNumbering:
    return MapNumbering(orientation, offset, columns, rows, scheme or Scheme())


# Drawn by hand. Flat-top neighbours run N NE SE S SW NW, pointy-top NW NE E SE SW W.
DRAWN = [
    (FLAT, ODD, "0304", "0303 0403 0404 0305 0204 0203"),
    (FLAT, ODD, "0404", "0403 0504 0505 0405 0305 0304"),
    (FLAT, EVEN, "0304", "0303 0404 0405 0305 0205 0204"),
    (FLAT, EVEN, "0404", "0403 0503 0504 0405 0304 0303"),
    (POINTY, ODD, "0303", "0202 0302 0403 0304 0204 0203"),
    (POINTY, ODD, "0304", "0303 0403 0404 0405 0305 0204"),
    (POINTY, EVEN, "0303", "0302 0402 0403 0404 0304 0203"),
    (POINTY, EVEN, "0304", "0203 0303 0404 0305 0205 0204"),
]


@pytest.mark.parametrize(("orientation", "offset", "name", "around"), DRAWN)
def test_neighbours_are_those_drawn_by_hand(
    orientation: Orientation, offset: Offset, name: str, around: str
) -> None:
    names = numbering(orientation=orientation, offset=offset)
    centre = names.parse(name)
    assert [names.name(centre.neighbour(way)) for way in DIRECTIONS] == around.split()


@pytest.mark.parametrize("orientation", Orientation)
@pytest.mark.parametrize("offset", Offset)
def test_cells_and_hexes_are_one_to_one_even_off_the_map(
    orientation: Orientation, offset: Offset
) -> None:
    cells = [(column, row) for column in range(-7, 8) for row in range(-7, 8)]
    hexes = [hex_at(orientation, offset, *cell) for cell in cells]
    assert len(set(hexes)) == len(cells)
    assert [cell_of(orientation, offset, hex_) for hex_ in hexes] == cells


NAMED = [
    ("0101", 0, 0, Scheme()),
    ("0304", 2, 3, Scheme()),
    ("1210", 11, 9, Scheme()),
    ("0403", 2, 3, Scheme(order=Order.ROW_COLUMN)),
    ("0203", 2, 3, Scheme(columns=Axis(first=0), rows=Axis(first=0))),
    ("0200", 1, 0, Scheme(rows=Axis(first=0))),
    ("2704", 2, 3, Scheme(columns=Axis(first=25))),
    ("1007", 2, 3, Scheme(columns=Axis(descending=True), rows=Axis(descending=True))),
    ("003004", 2, 3, Scheme(columns=Axis(digits=3), rows=Axis(digits=3))),
    ("3.4", 2, 3, Scheme(columns=Axis(digits=1), rows=Axis(digits=1), separator=".")),
    ("3-4", 2, 3, Scheme(columns=Axis(digits=1), rows=Axis(digits=1), separator="-")),
    ("C4", 2, 3, Scheme(columns=Axis(LETTERS), rows=Axis(digits=1))),
    ("3D", 2, 3, Scheme(columns=Axis(digits=1), rows=Axis(LETTERS))),
    ("D3", 2, 3, Scheme(order=Order.ROW_COLUMN, columns=Axis(digits=1), rows=Axis(LETTERS))),
    ("A10", 0, 9, Scheme(columns=Axis(DOUBLED), rows=Axis(digits=1))),
    ("C.D", 2, 3, Scheme(columns=Axis(LETTERS), rows=Axis(LETTERS), separator=".")),
    ("01-E5", 4, 4, Scheme(columns=Axis(LETTERS), rows=Axis(digits=1), prefix="01-")),
]


@pytest.mark.parametrize(("name", "column", "row", "scheme"), NAMED)
def test_names_both_ways(name: str, column: int, row: int, scheme: Scheme) -> None:
    names = numbering(scheme=scheme)
    assert names.name(names.hex_at(column, row)) == name
    assert names.cell_of(names.parse(name)) == (column, row)


@pytest.mark.parametrize(("name", "column", "row", "scheme"), NAMED)
def test_the_pattern_takes_one_name_off_a_move(
    name: str, column: int, row: int, scheme: Scheme
) -> None:
    names = numbering(scheme=scheme)
    for other_column in range(12):
        for other_row in range(10):
            other = names.name(names.hex_at(other_column, other_row))
            assert re.fullmatch(names.pattern, other)
            found = re.match(f"({names.pattern})[-x]({names.pattern})/N$", f"{name}x{other}/N")
            assert found is not None
            assert found.groups() == (name, other)


@pytest.mark.parametrize(
    ("style", "index", "text"),
    [
        (LETTERS, 0, "A"),
        (LETTERS, 25, "Z"),
        (LETTERS, 26, "AA"),
        (LETTERS, 27, "AB"),
        (LETTERS, 52, "BA"),
        (LETTERS, 701, "ZZ"),
        (LETTERS, 702, "AAA"),
        (DOUBLED, 25, "Z"),
        (DOUBLED, 26, "AA"),
        (DOUBLED, 27, "BB"),
        (DOUBLED, 32, "GG"),
        (DOUBLED, 51, "ZZ"),
        (DOUBLED, 52, "AAA"),
    ],
)
def test_letters_go_on_after_z(style: Style, index: int, text: str) -> None:
    assert Axis(style).text(index, 800) == text


@pytest.mark.parametrize("name", ["0999", "0011", "1311", "304", "00304", "A1", "", "0304 "])
def test_a_name_off_the_map_says_which_there_are(name: str) -> None:
    with pytest.raises(HexNameError) as caught:
        numbering().parse(name)
    assert caught.value.fault == f'"{name}" is not on the map'
    assert caught.value.expected == "columns 01-12, rows 01-10"


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (Scheme(order=Order.ROW_COLUMN), "rows 01-10, columns 01-12, such as 0101"),
        (
            Scheme(columns=Axis(LETTERS), rows=Axis(digits=1)),
            "columns A-L, rows 1-10, such as A1",
        ),
        (Scheme(rows=Axis(descending=True)), "columns 01-12, rows 01-10, such as 0110"),
        (Scheme(prefix="7:"), "columns 01-12, rows 01-10, such as 7:0101"),
    ],
)
def test_other_schemes_say_which_names_there_are(scheme: Scheme, expected: str) -> None:
    with pytest.raises(HexNameError) as caught:
        numbering(scheme=scheme).parse("?")
    assert caught.value.expected == expected


@pytest.mark.parametrize("columns", [98, 99])
def test_two_digits_number_up_to_99_columns(columns: int) -> None:
    names = numbering(columns=columns)
    assert names.name(names.hex_at(columns - 1, 0)) == f"{columns}01"


def test_column_100_does_not_fit_two_digits_and_the_remedy_works() -> None:
    with pytest.raises(NumberingError) as caught:
        numbering(columns=100)
    assert caught.value.axis == "columns"
    assert caught.value.expected == "map.numbering with columns = { digits = 3 }"
    names = numbering(columns=100, scheme=Scheme(columns=Axis(digits=3)))
    assert names.name(names.hex_at(99, 3)) == "10004"


@pytest.mark.parametrize(
    ("scheme", "axis"),
    [
        (Scheme(columns=Axis(LETTERS, first=0)), "columns"),
        (Scheme(rows=Axis(DOUBLED, first=0)), "rows"),
        (Scheme(rows=Axis(first=95)), "rows"),
        (Scheme(columns=Axis(digits=1)), "columns"),
        (Scheme(columns=Axis(LETTERS), rows=Axis(DOUBLED)), None),
        (Scheme(columns=Axis(LETTERS), rows=Axis(LETTERS)), None),
    ],
)
def test_a_scheme_without_clear_names_is_refused(scheme: Scheme, axis: str | None) -> None:
    with pytest.raises(NumberingError) as caught:
        numbering(columns=30, rows=30, scheme=scheme)
    assert caught.value.axis == axis


def test_a_hex_off_the_map_has_no_name() -> None:
    names = numbering()
    outside = names.hex_at(12, 0)
    assert outside not in names
    assert names.hex_at(11, 0) in names
    with pytest.raises(KeyError):
        names.name(outside)
