"""A board written as the map of a scenario file."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from planner.game.board import Board, Ground
from planner.game.hexes import Hex
from planner.game.numbering import Axis, MapNumbering, Scheme

_MARKS = "." + string.ascii_lowercase + string.ascii_uppercase + string.digits + ",:;+*~^=%&@!?|/<>"


def map_table(board: Board) -> dict[str, Any]:
    """The tables of the map: text with a legend, hexes that differ from it, hexsides and roads.

    Raises:
        ValueError: the hexes have other names than a file can give them.
    """
    numbering = board.numbering
    if not isinstance(numbering, MapNumbering):
        raise ValueError("the board's hexes are not in numbered columns and rows")
    marks = _marks(board)
    common = next(iter(marks))
    rows = [
        [board.ground[numbering.hex_at(column, row)] for column in range(numbering.columns)]
        for row in range(numbering.rows)
    ]
    text = "\n".join(" ".join(marks.get(ground, marks[common]) for ground in row) for row in rows)
    others = {
        board.name(hex_): ground for hex_, ground in board.ground.items() if ground not in marks
    }
    written: dict[str, Any] = {
        "orientation": board.orientation.value,
        "offset": numbering.offset.value,
        "terrain": text + "\n",
        "numbering": _numbering(numbering.scheme),
        "hexes": [{"hex": name, **_whole_ground(others[name])} for name in sorted(others)],
        "edges": [
            {"hexes": [board.name(a), board.name(b)], "edge": name}
            for a, b, name in _between(board, board.edges)
        ],
        "paths": list(_roads(board)),
        "legend": {mark: _meaning(ground) for ground, mark in marks.items()},
    }
    return {key: value for key, value in written.items() if value}


def _marks(board: Board) -> dict[Ground, str]:
    """A mark for each kind of ground, the commonest first (``.``), as far as there are marks; of
    the letters of a terrain's name the first that is free."""
    counts = Counter(board.ground.values())
    order = sorted(counts, key=lambda g: (-counts[g], g.terrain, g.elevation, g.features))
    marks: dict[Ground, str] = {}
    free = dict.fromkeys(_MARKS)
    for ground in order:
        wished = "." if not marks else ground.terrain + ground.terrain.upper()
        mark = next((each for each in (*wished, *free) if each in free), None)
        if mark is None:
            break
        del free[mark]
        marks[ground] = mark
    return marks


def _meaning(ground: Ground) -> str | dict[str, Any]:
    if ground == Ground(ground.terrain):
        return ground.terrain
    whole = _whole_ground(ground)
    return {key: value for key, value in whole.items() if value}


def _whole_ground(ground: Ground) -> dict[str, Any]:
    return {
        "terrain": ground.terrain,
        "elevation": ground.elevation,
        "features": list(ground.features),
    }


def _numbering(scheme: Scheme) -> dict[str, Any]:
    """What differs from the usual way of naming hexes."""
    usual = Scheme()
    written: dict[str, Any] = {}
    if scheme.order is not usual.order:
        written["order"] = scheme.order.value
    for key, axis in (("columns", scheme.columns), ("rows", scheme.rows)):
        if axis != Axis():
            written[key] = {
                "style": axis.style.value,
                "first": axis.first,
                "digits": axis.digits,
                "descending": axis.descending,
            }
    written |= {"separator": scheme.separator} if scheme.separator else {}
    written |= {"prefix": scheme.prefix} if scheme.prefix else {}
    return written


def _between(
    board: Board, sides: Mapping[tuple[Hex, Hex], tuple[str, ...]]
) -> Iterator[tuple[Hex, Hex, str]]:
    """Everything on hexsides, each once, in text order of the hexes' names."""
    found = [
        (a, b, name)
        for (a, b), names in sides.items()
        for name in names
        if board.name(a) < board.name(b)
    ]
    return iter(sorted(found, key=lambda side: (board.name(side[0]), board.name(side[1]), side[2])))


def _roads(board: Board) -> Iterator[dict[str, Any]]:
    """The paths, each drawn on as far as it goes."""
    links: dict[str, dict[str, set[str]]] = {}
    for a, b, kind in _between(board, board.paths):
        ends = links.setdefault(kind, {})
        ends.setdefault(board.name(a), set()).add(board.name(b))
        ends.setdefault(board.name(b), set()).add(board.name(a))
    for kind in sorted(links):
        ends = links[kind]
        while any(ends.values()):
            loose = [name for name in sorted(ends) if len(ends[name]) == 1]
            here = loose[0] if loose else min(name for name in ends if ends[name])
            road = [here]
            while ends[here]:
                there = min(ends[here])
                ends[here].discard(there)
                ends[there].discard(here)
                road.append(there)
                here = there
            yield {"path": kind, "hexes": road}
