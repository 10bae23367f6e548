"""The map drawn as text: a box of two lines for each hex, shoved as the hexes are.

The upper line of a hex holds its counter, or what ground it is; the lower one its name, and a mark
for what else is there. In a flat-top map the columns that are shoved lie a line lower; in a
pointy-top map the rows that are shoved lie half a box further right. A map larger than the screen
is seen through a window around the action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from evaluation.units import Kind
from planner.game.board import Board
from planner.game.hexes import DIRECTIONS, Hex, Offset, Orientation
from planner.game.numbering import MapNumbering
from planner.game.play_state import Game
from planner.game.position import Unit
from planner.interface.board_colours import (
    FIRST_SIDE,
    SECOND_SIDE,
    UNDER_WAY,
    backgrounds,
    commonest,
    ground_style,
)

ARROWS: Mapping[Orientation, str] = {Orientation.FLAT: "↑↗↘↓↙↖", Orientation.POINTY: "↖↗→↘↙←"}
PLAIN_ARROWS = "123456"
"""Facings by their direction's number; the second for screens without arrows."""
OURS, THEIRS, MOVING, MORE = " ", "-", ">", "+"
OBJECTIVE, FEATURE, PATH = "*", "'", "="
_LETTERS = 4
_LONGEST_ID = 6
_KINDS = (Kind.AFV, Kind.GUN, Kind.VEHICLE, Kind.INFANTRY, Kind.LEADER)


@dataclass(frozen=True, slots=True)
class View:
    """The part of a map that is drawn: columns and rows, counted from 0."""

    columns: range
    rows: range


@dataclass(frozen=True, slots=True)
class Drawing:
    """How wide a hex's box is, and what the ground is called in it."""

    width: int
    words: Mapping[str, str]
    arrows: str

    @property
    def cut(self) -> str:
        """What stands for the rest of an id that is too long."""
        return "~" if self.arrows == PLAIN_ARROWS else "…"


def numbering_of(board: Board) -> MapNumbering:
    """The map's columns and rows. Raises ValueError when it has none."""
    if not isinstance(board.numbering, MapNumbering):
        raise ValueError("the board's hexes are not in numbered columns and rows")
    return board.numbering


def drawing(game: Game, *, arrows: bool = True) -> Drawing:
    """How a game's map is drawn, whoever moves where; ``arrows``: the screen has them."""
    board = game.position.board
    numbering = numbering_of(board)
    longest = max((len(board.name(hex_)) for hex_ in board.ground), default=0)
    ids = max((len(unit) for unit in game.position.units), default=0)
    width = max(longest + 1, min(ids, _LONGEST_ID) + 3)
    if numbering.orientation is Orientation.POINTY:
        width += width % 2
    words = abbreviations({ground.terrain for ground in board.ground.values()})
    return Drawing(width, words, ARROWS[numbering.orientation] if arrows else PLAIN_ARROWS)


def abbreviations(names: Iterable[str]) -> Mapping[str, str]:
    """Up to four letters for each name, no two alike.

    >>> abbreviations(["stone_building", "stone_wall", "woods"])
    {'stone_building': 'ston', 'stone_wall': 'stoe', 'woods': 'wood'}
    """
    found: dict[str, str] = {}
    for name in sorted(names):
        letters = "".join(c for c in name if c.isalnum()) or "?"
        wished = [letters[:_LETTERS], *(letters[: _LETTERS - 1] + c for c in letters[_LETTERS:])]
        wished += [f"{letters[:2]}{number}" for number in range(len(found) + 2)]
        found[name] = next(word for word in wished if word not in found.values())
    return found


def whole_view(board: Board) -> View:
    """All of the map."""
    numbering = numbering_of(board)
    return View(range(numbering.columns), range(numbering.rows))


def view_around(board: Board, drawn: Drawing, focus: Hex, width: int, height: int) -> View:
    """As much of the map as a screen of so many characters and lines has room for, the focus as
    near its middle as the map's edges let it be."""
    numbering = numbering_of(board)
    flat = numbering.orientation is Orientation.FLAT
    across = (width if flat else width - drawn.width // 2) // drawn.width
    down = (height - 1 if flat else height) // 2
    column, row = numbering.cell_of(focus)
    return View(
        _part(numbering.columns, max(1, across), column), _part(numbering.rows, max(1, down), row)
    )


def _part(count: int, room: int, middle: int) -> range:
    first = max(0, min(middle - room // 2, count - room))
    return range(first, min(count, first + room))


def stripes(board: Board, drawn: Drawing, width: int) -> Iterator[View]:
    """The whole map, in stripes from left to right that a screen of that width has room for."""
    numbering = numbering_of(board)
    room = width if numbering.orientation is Orientation.FLAT else width - drawn.width // 2
    across = max(1, room // drawn.width)
    for first in range(0, numbering.columns, across):
        columns = range(first, min(numbering.columns, first + across))
        yield View(columns, range(numbering.rows))


def draw(game: Game, drawn: Drawing, view: View) -> list[Text]:
    """The lines of the map; without their colours they say the same."""
    position = game.position
    numbering = numbering_of(position.board)
    flat = numbering.orientation is Orientation.FLAT
    half = 0 if flat else drawn.width // 2
    width = len(view.columns) * drawn.width + half
    height = 2 * len(view.rows) + (1 if flat else 0)
    canvas = [[(" ", "")] * width for _ in range(height)]
    known = backgrounds(position.board, position.rules)
    usual = commonest(position.board)
    for column in view.columns:
        for row in view.rows:
            hex_ = numbering.hex_at(column, row)
            shoved = _is_shoved(numbering.offset, column if flat else row)
            left = (column - view.columns[0]) * drawn.width + (half if shoved else 0)
            top = 2 * (row - view.rows[0]) + (1 if shoved and flat else 0)
            ground = ground_style(position.board.ground[hex_], known)
            upper, style = _upper(game, drawn, hex_, usual)
            for line, (text, look) in enumerate(
                ((upper, style or ground), (_lower(game, hex_), ground))
            ):
                for at, letter in enumerate(text.ljust(drawn.width)[: drawn.width]):
                    canvas[top + line][left + at] = (letter, look)
    return [_joined(line) for line in canvas]


def _is_shoved(offset: Offset, line: int) -> bool:
    return line % 2 == (1 if offset is Offset.ODD else 0)


def _joined(line: Sequence[tuple[str, str]]) -> Text:
    text = Text()
    for style, letters in groupby(line, key=lambda cell: cell[1]):
        text.append("".join(letter for letter, _ in letters), style)
    return text


def _upper(game: Game, drawn: Drawing, hex_: Hex, usual: str) -> tuple[str, str]:
    """The counter in a hex and its colours; where there is none the ground in a word."""
    position = game.position
    units = sorted(position.standing.get(hex_, ()), key=lambda unit: _rank(game, unit))
    if not units:
        ground = position.board.ground[hex_]
        level = f"^{ground.elevation}" if ground.elevation else ""
        word = "" if ground.terrain == usual else drawn.words[ground.terrain]
        return word[: drawn.width - 1 - len(level)] + level, ""
    unit = units[0]
    under_way = game.under_way is not None and game.under_way.unit == unit.id
    first = unit.side == position.sides[0].id
    mark = MOVING if under_way else OURS if first else THEIRS
    arrow = "" if unit.facing is None else drawn.arrows[unit.facing]
    room = drawn.width - 2 - len(arrow)
    name = unit.id if len(unit.id) <= room else unit.id[: room - 1] + drawn.cut
    text = (mark + name + arrow).ljust(drawn.width - 1) + (MORE if len(units) > 1 else " ")
    return text, UNDER_WAY if under_way else FIRST_SIDE if first else SECOND_SIDE


def _rank(game: Game, unit: Unit) -> tuple[bool, int, str]:
    moving = game.under_way is not None and game.under_way.unit == unit.id
    return not moving, _KINDS.index(unit.kind), unit.id


def _lower(game: Game, hex_: Hex) -> str:
    """The hex's name, and a mark for an objective, a feature or a road in it."""
    board = game.position.board
    mark = ""
    if any(objective.hex == hex_ for objective in game.position.objectives):
        mark = OBJECTIVE
    elif board.ground[hex_].features:
        mark = FEATURE
    elif any(board.paths.get((hex_, there)) for there in _beside(hex_)):
        mark = PATH
    return board.name(hex_) + mark


def _beside(hex_: Hex) -> Iterator[Hex]:
    return (hex_.neighbour(direction) for direction in DIRECTIONS)


def legend(game: Game, drawn: Drawing, view: View) -> list[str]:
    """What the marks of that part of the map mean."""
    position = game.position
    board, numbering = position.board, numbering_of(position.board)
    seen = {
        board.ground[numbering.hex_at(column, row)] for column in view.columns for row in view.rows
    }
    usual = commonest(board)
    words = [
        f"{drawn.words[name]}: {name.replace('_', ' ')}"
        for name in sorted({ground.terrain for ground in seen} - {usual})
    ]
    words.append(f"blank: {usual.replace('_', ' ')}")
    if any(ground.elevation for ground in seen):
        words.append("^1: one level up")
    names = "  ".join(
        f"{arrow} {name}"
        for arrow, name in zip(drawn.arrows, numbering.orientation.names, strict=True)
    )
    first, second = position.sides
    return [
        f"ground: {', '.join(words)}",
        f"marks: {OBJECTIVE} objective  {FEATURE} feature  {PATH} road  {MORE} more units there  "
        f"{MOVING} under way  {THEIRS} {second.name} (unmarked: {first.name})",
        f"facing: {names}",
    ]


def view_text(board: Board, view: View) -> str:
    """Which part of the map is seen; nothing when it is all of it."""
    if view == whole_view(board):
        return ""
    numbering = numbering_of(board)
    first = numbering.hex_at(view.columns[0], view.rows[0])
    last = numbering.hex_at(view.columns[-1], view.rows[-1])
    return (
        f"from {board.name(first)} to {board.name(last)} of a map of {numbering.columns} x "
        f"{numbering.rows} hexes (map HEX: around it; map all)"
    )
