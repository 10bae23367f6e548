"""Line of sight from hex centre to hex centre, in whole numbers (formats page, "Line of sight").

In cube coordinates ``(x, y, z)``, ``x + y + z = 0``, a point lies inside a hex when its offset
from the centre has ``|x - y| < 1``, ``|y - z| < 1`` and ``|z - x| < 1``. Along the line each of the
three is linear, so each gives an open interval, and the line crosses the hex's inside where the
three overlap in more than a point. A line that runs along a hexside keeps one difference at
exactly ±1 for the two hexes beside it; they are one obstacle, and only if both of them block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

from planner.game.board import Board
from planner.game.hexes import STEPS, Hex
from planner.game.rules import Points, Rules


@dataclass(frozen=True, slots=True)
class Sight:
    """A line of sight: ``crossed`` are the hexes strictly between that it crosses or runs beside,
    in order from the first end; ``blocking`` are those of them that block it."""

    crossed: tuple[Hex, ...]
    blocking: tuple[Hex, ...]

    @property
    def clear(self) -> bool:
        """Whether one end sees the other."""
        return not self.blocking


def sight(board: Board, rules: Rules, a: Hex, b: Hex) -> Sight:
    """The line of sight between two hexes of the map; the same both ways but for the order.

    A hex strictly between blocks when its elevation and height together are above the straight line
    from the one end's elevation to the other's, taken where its centre projects on the line. The
    end hexes never block, and off the map is open. Remembered for as long as the board lives.

    Raises:
        KeyError: a hex is not on the map.
    """
    view = _view(board, rules)
    known = view.seen.get((a, b))
    if known is None:
        known = view.seen[a, b] = _look(board, view.tops, a, b)
    return known


@dataclass(frozen=True, slots=True)
class _View:
    """What is remembered for one board under one set of rules."""

    tops: Mapping[Hex, Points]
    seen: dict[tuple[Hex, Hex], Sight]


_views: WeakKeyDictionary[Board, WeakKeyDictionary[Rules, _View]] = WeakKeyDictionary()


def _view(board: Board, rules: Rules) -> _View:
    by_rules = _views.get(board)
    if by_rules is None:
        by_rules = _views.setdefault(board, WeakKeyDictionary())
    view = by_rules.get(rules)
    if view is None:
        view = by_rules.setdefault(rules, _View(_tops(board, rules), {}))
    return view


def _tops(board: Board, rules: Rules) -> dict[Hex, Points]:
    """Elevation and height of each hex; of its terrain's height and its features' the greatest."""
    return {
        hex_: ground.elevation
        + max(
            rules.terrain[ground.terrain].height,
            *(rules.features[name].height for name in ground.features),
            0,
        )
        for hex_, ground in board.ground.items()
    }


def _look(board: Board, tops: Mapping[Hex, Points], a: Hex, b: Hex) -> Sight:
    start = board.ground[a].elevation
    rise = board.ground[b].elevation - start
    dq, dr = b.q - a.q, b.r - a.r
    scale = 2 * (dq * dq + dq * dr + dr * dr)
    crossed: list[Hex] = []
    blocking: list[Hex] = []
    for along, offsets in _obstacles(dq, dr):
        hexes = [Hex(a.q + q, a.r + r) for q, r in offsets]
        on_map = [hex_ for hex_ in hexes if hex_ in tops]
        crossed += on_map
        level = start * scale + along * rise
        if len(on_map) == len(hexes) and all(tops[hex_] * scale > level for hex_ in hexes):
            blocking += hexes
    return Sight(tuple(crossed), tuple(blocking))


@lru_cache(maxsize=1 << 14)
def _obstacles(dq: int, dr: int) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """What lies strictly between ``(0, 0)`` and ``(dq, dr)``, in order along the line.

    Each obstacle is ``(along, offsets)``: one hex, or the two beside a hexside that the line runs
    along. Its centre projects at ``along / (2 · |d|²)`` of the way. Hexes that the line crosses one
    after the other are neighbours, so following neighbours from the start finds them all.
    """
    line = _differences(dq, dr)
    found: dict[int, list[tuple[int, int]]] = {}
    frontier, met = [(0, 0)], {(0, 0), (dq, dr)}
    while frontier:
        q, r = frontier.pop()
        for step_q, step_r in STEPS:
            offset = (q + step_q, r + step_r)
            if offset not in met and _meets(line, _differences(*offset)):
                met.add(offset)
                frontier.append(offset)
                hq, hr = offset
                along = 2 * hq * dq + hq * dr + hr * dq + 2 * hr * dr
                found.setdefault(along, []).append(offset)
    # Two hexes with one projection stand either side of the line: beside a hexside if the line
    # runs along one, else each is crossed by itself.
    obstacles: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    for along, offsets in sorted(found.items()):
        beside = len(offsets) == 2 and 0 in line
        groups = [tuple(sorted(offsets))] if beside else [(offset,) for offset in sorted(offsets)]
        obstacles += [(along, group) for group in groups]
    return tuple(obstacles)


def _differences(q: int, r: int) -> tuple[int, int, int]:
    """``x - y``, ``y - z`` and ``z - x`` of an axial offset."""
    return 2 * q + r, -q - 2 * r, r - q


def _meets(line: tuple[int, int, int], centre: tuple[int, int, int]) -> bool:
    """Whether the line crosses the inside of a hex or runs along one of its hexsides."""
    scale = 1
    for d in line:
        scale *= abs(d) or 1
    low, high = 0, scale  # the part of the line, in units of 1 / scale of its length
    for d, c in zip(line, centre, strict=True):
        if d == 0:
            if abs(c) > 1:
                return False
            continue
        ends = (c - 1) * scale // d, (c + 1) * scale // d  # exact: scale is a multiple of d
        low, high = max(low, min(ends)), min(high, max(ends))
    return low < high
