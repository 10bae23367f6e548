"""The scenario file as it is written: its keys, their types and bounds, and what they mean.

The JSON Schema is made from these models; what names must agree is checked in `read_map` and
`check_units`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from planner.game.pieces import Each, Piece
from planner.game.scalars import MoveWord, Name, Points, Prose, Text, Whole, Word, Worth

SCENARIO_FORMAT = "overrun-scenario/1"

Elevation = Annotated[int, Whole(-1000, 1000)]
Turn = Annotated[int, Whole(1, 1000)]
HexName = Name
Names = Annotated[list[Each[Name]], Field(max_length=100)]
UnitIds = Annotated[list[Each[MoveWord]], Field(max_length=100)]
Joiner = Annotated[str, Word(without=" x/+:,", empty=True, limit=12)]
"""What is put into hex names; ``x``, ``/``, ``+``, ``:`` and ``,`` mean something in moves."""


class AxisFile(Piece):
    """How columns or rows are counted."""

    style: Literal["digits", "letters", "doubled"] = Field(
        default="digits",
        description="digits; letters: A to Z, AA, AB, …; doubled: A to Z, AA, BB, …",
    )
    first: Annotated[int, Whole(0, 100_000)] = Field(
        default=1, description="number of the first; with letters 1 is A"
    )
    digits: Annotated[int, Whole(1, 6)] = Field(
        default=2, description="the least number of digits, filled with zeros in front"
    )
    descending: bool = Field(default=False, description="whether the map's last one is the first")


class NumberingFile(Piece):
    """How hexes are called."""

    order: Literal["column-row", "row-column"] = Field(
        default="column-row", description="which of the two comes first in a name"
    )
    columns: AxisFile = Field(default=AxisFile(), description="how columns are counted")
    rows: AxisFile = Field(default=AxisFile(), description="how rows are counted")
    separator: Joiner = Field(default="", description="stands between the two")
    prefix: Joiner = Field(default="", description="stands in front, as a board's name may")


class GroundFile(Piece):
    """What a mark of the map means."""

    terrain: Name = Field(description="a terrain of the rules")
    elevation: Elevation = Field(default=0, description="its level")
    features: Names = Field(default=[], description="features of the rules")


def _legend_shape(value: Any) -> str:
    return "<ground>" if isinstance(value, (dict, GroundFile)) else "<name>"


LegendFile = Annotated[
    Annotated[Name, Tag("<name>")] | Annotated[GroundFile, Tag("<ground>")],
    Discriminator(_legend_shape),
]


class HexFile(Piece):
    """A hex that differs from the map's text."""

    hex: HexName = Field(description="a hex of the map")
    terrain: Name | None = Field(default=None, description="replaces the text's terrain")
    elevation: Elevation | None = Field(default=None, description="replaces the text's elevation")
    features: Names | None = Field(default=None, description="replace the text's features")


class EdgeAtFile(Piece):
    """Something on the hexside between two hexes."""

    hexes: Annotated[list[Each[HexName]], Field(min_length=2, max_length=2)] = Field(
        description="the two neighbours"
    )
    edge: Name = Field(description="an edge of the rules")


class PathAtFile(Piece):
    """A road through the map."""

    path: Name = Field(description="a path of the rules")
    hexes: Annotated[list[Each[HexName]], Field(min_length=2, max_length=10_000)] = Field(
        description="two hexes or more, neighbours in turn"
    )


class MapFile(Piece):
    """The map."""

    orientation: Literal["flat", "pointy"] = Field(
        description='"flat" (hexes in columns) or "pointy" (hexes in rows)'
    )
    offset: Literal["odd", "even"] = Field(
        description='"odd" or "even": the columns or rows, counted from 0, that are shoved on'
    )
    terrain: Annotated[str, Prose(1_000_000)] = Field(
        description="one row of hexes a line, one mark a hex, blanks between"
    )
    legend: Annotated[dict[str, Each[LegendFile]], Field(max_length=500)] = Field(
        description="what each mark means"
    )
    numbering: NumberingFile = Field(default=NumberingFile(), description="how hexes are called")
    hexes: Annotated[list[HexFile], Field(max_length=40_000)] = Field(
        default=[], description="hexes that differ from the text"
    )
    edges: Annotated[list[EdgeAtFile], Field(max_length=40_000)] = Field(
        default=[], description="hexsides"
    )
    paths: Annotated[list[PathAtFile], Field(max_length=40_000)] = Field(
        default=[], description="roads"
    )


class SideFile(Piece):
    """One of the two sides."""

    id: Name = Field(description="what the file calls the side")
    name: Name | None = Field(default=None, description="what the reader calls it")


class UnitFile(Piece):
    """One unit."""

    id: MoveWord = Field(description="what the unit is called, once only")
    side: Name = Field(description="id of its side")
    type: Name = Field(description="a unit type of the rules")
    hex: HexName | None = Field(default=None, description="the hex it stands in")
    facing: Name | None = Field(default=None, description="the direction it faces")
    status: Name | None = Field(default=None, description="its status; the fresh one if none")
    fired: bool = Field(default=False, description="whether it carries a Fire marker")
    moved: bool = Field(default=False, description="whether it has made its move")
    movement_used: Points = Field(default=0, description="movement points spent in this phase")
    passengers: UnitIds = Field(default=[], description="ids of units it carries")
    towing: MoveWord | None = Field(default=None, description="id of the Gun it tows")
    spent: UnitIds = Field(default=[], description="names of once-weapons already used")


class ObjectiveFile(Piece):
    """A hex worth something to whoever holds it."""

    hex: HexName = Field(description="a hex of the map")
    worth: Worth = Field(description="what holding it is worth")
    held_by: Name | None = Field(default=None, description="id of the side that holds it")


class WindowFile(Piece):
    """A window of Opportunity Fire that is open."""

    target: HexName | None = Field(default=None, description="the hex just overrun, if any")
    final_made: UnitIds = Field(
        default=[], description="ids of units that have made Final Opportunity Fire in it"
    )
    final_leaders: UnitIds = Field(
        default=[], description="ids of leaders that have modified one in it"
    )


class UnderWayFile(Piece):
    """A move that has begun and not ended."""

    unit: MoveWord = Field(description="id of the AFV")
    route: Annotated[list[Each[HexName]], Field(min_length=2, max_length=10_000)] = Field(
        description="the hexes it has been in, that where it began first, that where it is last"
    )
    window: WindowFile | None = Field(
        default=None, description="the window that is open; none when the AFV may go on"
    )


class ScenarioFile(Piece):
    """A whole scenario file."""

    format: Literal["overrun-scenario/1"] = Field(description=f'"{SCENARIO_FORMAT}"')
    title: Text = Field(default="", description="what the scenario is called")
    notes: Text = Field(default="", description="text for the reader")
    rules: Annotated[str, Word(limit=1000)] = Field(
        description="name of a shipped rules file, or a path to one"
    )
    to_move: Name = Field(description="id of the side whose Movement Phase it is")
    turn: Turn = Field(default=1, description="this turn")
    turns: Turn = Field(default=1, description="the last turn")
    map: MapFile = Field(description="a table with orientation, offset, terrain and legend")
    sides: list[SideFile] = Field(
        description="exactly two sides, each with an id",
        json_schema_extra={"minItems": 2, "maxItems": 2},
    )
    units: Annotated[list[UnitFile], Field(max_length=2000)] = Field(description="the units")
    objectives: Annotated[list[ObjectiveFile], Field(max_length=2000)] = Field(
        default=[], description="hexes worth something"
    )
    under_way: UnderWayFile | None = Field(
        default=None, description="the move that has begun and not ended, if any"
    )
    over: bool = Field(default=False, description="whether the last turn has been played")
