"""The map of a scenario: its text, legend, hexes, hexsides and roads, checked and made into a
`Board`.

All of it is read even where part is wrong, so that every fault shows at once; the board is whole
only when none was noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from planner.game.board import Board, Ground
from planner.game.faults import Faults, Place, shown
from planner.game.hexes import DIRECTIONS, Hex, Offset, Orientation
from planner.game.numbering import (
    MAX_SIDE,
    Axis,
    HexNameError,
    MapNumbering,
    NumberingError,
    Order,
    Scheme,
    Style,
)
from planner.game.pieces import Bad, good_list, sound
from planner.game.rules import Rules
from planner.game.scenario_file import AxisFile, GroundFile, LegendFile, MapFile, NumberingFile

_MAP: Place = ("map",)
_MARKS_NAMED = 10


@dataclass(frozen=True, eq=False, slots=True)
class MapReader:
    """What could be read of a map; ``numbering`` is None when its hexes have no sure names."""

    written: MapFile
    rules: Rules | None
    numbering: MapNumbering | None
    faults: Faults

    def hex(self, name: str, place: Place) -> Hex | None:
        """The hex of that name; when there is none that is noted, and None returned."""
        if self.numbering is None:
            return None
        try:
            return self.numbering.parse(name)
        except HexNameError as error:
            self.faults.add(place, error.fault, error.expected)
            return None

    def beside(self, hex_: Hex) -> str:
        """The hexes of the map beside one, in text order."""
        assert self.numbering is not None
        around = [hex_.neighbour(direction) for direction in DIRECTIONS]
        names = [self.numbering.name(there) for there in around if there in self.numbering]
        return ", ".join(sorted(names)) or "it has none"


def read_map(
    written: MapFile, rules: Rules | None, faults: Faults
) -> tuple[MapReader, Board | None]:
    """Reads the map; ``rules`` is None when they could not be read. Board is None without sure
    names of hexes."""
    rows = _rows(written, faults)
    numbering = _numbering(written, rows, faults)
    reader = MapReader(written, rules, numbering, faults)
    legend = _legend(reader)
    ground = _ground(reader, rows, legend)
    _override(reader, ground)
    edges = _edges(reader)
    paths = _paths(reader)
    if numbering is None:
        return reader, None
    return reader, Board(numbering.orientation, numbering, ground, edges, paths)


def _rows(written: MapFile, faults: Faults) -> list[list[str]]:
    """The marks of every row. All are as long as most of them are, or that is noted."""
    if not sound(written.terrain):
        return []
    place = (*_MAP, "terrain")
    lines = written.terrain.strip("\n").splitlines()
    rows = [line.split() for line in lines]
    while rows and not rows[-1]:
        rows.pop()
    while rows and not rows[0]:
        rows.pop(0)
    if not rows:
        faults.add(place, "has no rows", "one row of hexes a line, one mark a hex")
        return []
    if len(rows) > MAX_SIDE:
        faults.add(place, f"has {len(rows)} rows", f"at most {MAX_SIDE}")
        return []
    wide = _width(rows)
    if wide > MAX_SIDE:
        faults.add(place, f"has {wide} columns", f"at most {MAX_SIDE}")
        return []
    for index, row in enumerate(rows):
        if len(row) != wide:
            said = f"has {len(row)} mark{'' if len(row) == 1 else 's'}"
            faults.add((*place, index), said, f"{wide}, as most rows have")
    return rows


def _width(rows: list[list[str]]) -> int:
    """The commonest length of a row that is not empty; of equally common ones that which comes
    first."""
    return Counter(len(row) for row in rows if row).most_common(1)[0][0]


def _numbering(written: MapFile, rows: list[list[str]], faults: Faults) -> MapNumbering | None:
    if not rows or not sound(written.orientation, written.offset):
        return None
    scheme = _scheme(written.numbering)
    if scheme is None:
        return None
    orientation, offset = Orientation(written.orientation), Offset(written.offset)
    try:
        return MapNumbering(orientation, offset, _width(rows), len(rows), scheme)
    except NumberingError as error:
        place = (*_MAP, "numbering") + ((error.axis,) if error.axis else ())
        faults.add(place, error.fault, error.expected)
        return None


def _scheme(written: NumberingFile) -> Scheme | None:
    columns, rows = _axis(written.columns), _axis(written.rows)
    if columns is None or rows is None:
        return None
    if not sound(written.order, written.separator, written.prefix):
        return None
    return Scheme(Order(written.order), columns, rows, written.separator, written.prefix)


def _axis(written: AxisFile) -> Axis | None:
    if not sound(written.style, written.first, written.digits, written.descending):
        return None
    return Axis(Style(written.style), written.first, written.digits, written.descending)


def _named(reader: MapReader, what: str, name: str, place: Place) -> None:
    """Notes a name that the rules do not have; with no rules at hand nothing is judged."""
    if reader.rules is not None:
        known: Mapping[str, object] = {
            "terrain": reader.rules.terrain,
            "feature": reader.rules.features,
            "edge": reader.rules.edges,
            "path": reader.rules.paths,
        }[what]
        reader.faults.known(place, what, name, known)


def _features(reader: MapReader, names: list[str], place: Place) -> None:
    seen: set[str] = set()
    for index, name in good_list(names):
        _named(reader, "feature", name, (*place, index))
        if name in seen:
            reader.faults.add((*place, index), f"{shown(name)} stands twice", "every feature once")
        seen.add(name)


def _legend(reader: MapReader) -> dict[str, Ground | None]:
    """What each mark means; None for a mark whose meaning is wrong (and noted)."""
    legend: dict[str, Ground | None] = {}
    if not sound(reader.written.legend):
        return legend
    for mark, meaning in reader.written.legend.items():
        place = (*_MAP, "legend", mark)
        if len(mark) != 1 or mark.isspace() or not mark.isprintable():
            reader.faults.add(place, f"{shown(mark)} is no mark", "one character, not a blank")
        legend[mark] = _meaning(reader, meaning, place)
    return legend


def _meaning(reader: MapReader, written: LegendFile | Bad, place: Place) -> Ground | None:
    if isinstance(written, Bad):
        return None
    if not isinstance(written, GroundFile):
        _named(reader, "terrain", written, place)
        return Ground(written)
    if sound(written.terrain):
        _named(reader, "terrain", written.terrain, (*place, "terrain"))
    _features(reader, written.features, (*place, "features"))
    if not sound(written.terrain, written.elevation, written.features):
        return None
    features = tuple(sorted(name for _, name in good_list(written.features)))
    return Ground(written.terrain, written.elevation, features)


def _ground(
    reader: MapReader, rows: list[list[str]], legend: Mapping[str, Ground | None]
) -> dict[Hex, Ground]:
    ground: dict[Hex, Ground] = {}
    numbering = reader.numbering
    unknown: Counter[str] = Counter()
    judged = sound(reader.written.legend)
    for row, marks in enumerate(rows):
        for column, mark in enumerate(marks):
            if mark in legend:
                meaning = legend[mark]
                if meaning is not None and numbering is not None:
                    ground[numbering.hex_at(column, row)] = meaning
            elif judged:
                unknown[mark] += 1
                if unknown[mark] <= _MARKS_NAMED:
                    _unknown_mark(reader, mark, row, column, legend)
    for mark, times in unknown.items():
        if times > _MARKS_NAMED:
            said = f"{shown(mark)} is not in the legend, {times} times in all"
            reader.faults.add((*_MAP, "terrain"), said, _marks(legend))
    return ground


def _unknown_mark(
    reader: MapReader, mark: str, row: int, column: int, legend: Collection[str]
) -> None:
    numbering = reader.numbering
    inside = numbering is not None and column < numbering.columns
    name = numbering.name(numbering.hex_at(column, row)) if numbering and inside else None
    where = f" (hex {name})" if name else ""
    place = (*_MAP, "terrain", row, column)
    if len(mark) > 1:
        said, expected = f"{shown(mark)}{where} is no mark", "one character a hex, blanks between"
    else:
        said, expected = f"{shown(mark)}{where} is not in the legend", _marks(legend)
    reader.faults.add(place, said, expected)


def _marks(legend: Collection[str]) -> str:
    known = sorted(mark for mark in legend if len(mark) == 1)[:20]
    return f"one of {' '.join(known)}" if known else "a legend that names every mark"


def _override(reader: MapReader, ground: dict[Hex, Ground]) -> None:
    seen: dict[Hex, int] = {}
    for index, written in good_list(reader.written.hexes):
        place = (*_MAP, "hexes", index)
        if sound(written.terrain) and written.terrain is not None:
            _named(reader, "terrain", written.terrain, (*place, "terrain"))
        if sound(written.features) and written.features is not None:
            _features(reader, written.features, (*place, "features"))
        hex_ = reader.hex(written.hex, (*place, "hex")) if sound(written.hex) else None
        if hex_ is None:
            continue
        first = seen.setdefault(hex_, index)
        if first != index:
            said = f"{shown(written.hex)} is also hexes[{first}]"
            reader.faults.add((*place, "hex"), said, "every hex once")
        before = ground.get(hex_)
        if before is None or not sound(written.terrain, written.elevation, written.features):
            continue
        features = before.features
        if written.features is not None:
            features = tuple(sorted(name for _, name in good_list(written.features)))
        ground[hex_] = Ground(
            before.terrain if written.terrain is None else written.terrain,
            before.elevation if written.elevation is None else written.elevation,
            features,
        )


_Sides = dict[tuple[Hex, Hex], tuple[str, ...]]


def _edges(reader: MapReader) -> _Sides:
    found: dict[tuple[Hex, Hex], set[str]] = {}
    for index, written in good_list(reader.written.edges):
        place = (*_MAP, "edges", index)
        if sound(written.edge):
            _named(reader, "edge", written.edge, (*place, "edge"))
        _join(reader, written.hexes, place, written.edge, found)
    return _both_ways(found)


def _paths(reader: MapReader) -> _Sides:
    found: dict[tuple[Hex, Hex], set[str]] = {}
    for index, written in good_list(reader.written.paths):
        place = (*_MAP, "paths", index)
        if sound(written.path):
            _named(reader, "path", written.path, (*place, "path"))
        _join(reader, written.hexes, place, written.path, found)
    return _both_ways(found)


def _join(
    reader: MapReader,
    names: list[str],
    place: Place,
    thing: str,
    found: dict[tuple[Hex, Hex], set[str]],
) -> None:
    """Puts a thing between each hex and the next; two that are no neighbours are noted."""
    before: tuple[int, Hex] | None = None
    for index, name in good_list(names):
        hex_ = reader.hex(name, (*place, "hexes", index))
        if hex_ is None:
            continue
        if before is not None and before[0] == index - 1:
            if before[1].direction_to(hex_) is None:
                said = f"{shown(name)} is no neighbour of {shown(names[index - 1])}"
                expected = f"a hex beside it: {reader.beside(before[1])}"
                reader.faults.add((*place, "hexes", index), said, expected)
            elif sound(thing):
                found.setdefault((before[1], hex_), set()).add(thing)
        before = (index, hex_)


def _both_ways(found: Mapping[tuple[Hex, Hex], set[str]]) -> _Sides:
    joined: dict[tuple[Hex, Hex], set[str]] = {}
    for (a, b), things in found.items():
        joined.setdefault((a, b), set()).update(things)
        joined.setdefault((b, a), set()).update(things)
    return {pair: tuple(sorted(joined[pair])) for pair in sorted(joined)}
