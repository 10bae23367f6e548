"""The ground of the slow twin: hex centres, line of sight, angles and entry costs, all exact.

Hexes are known by their names and their centres. A centre is a pair of integers: with flat tops x
counts half hex radii and y half hex heights, with pointy tops the other way round. In those units
the corners of a hex are whole numbers too, so a line of sight is found by clipping the segment
against the six sides with fractions. Only lengths and angles need the true shape: there one of the
two axes counts threefold in a scalar product (the square of the root of three).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

Point = tuple[int, int]

# One step in each direction, in the units of the module docstring; y grows downwards.
STEPS: dict[str, dict[str, Point]] = {
    "flat": {
        "N": (0, -2),
        "NE": (3, -1),
        "SE": (3, 1),
        "S": (0, 2),
        "SW": (-3, 1),
        "NW": (-3, -1),
    },
    "pointy": {
        "NE": (1, -3),
        "E": (2, 0),
        "SE": (1, 3),
        "SW": (-1, 3),
        "W": (-2, 0),
        "NW": (-1, -3),
    },
}
CORNERS: dict[str, tuple[Point, ...]] = {
    "flat": ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)),
    "pointy": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
}
# The square of the cosine, with its sign, of the angles a hex grid can show exactly.
SIGNED_SQUARE_OF_COSINE = {
    Fraction(0): Fraction(1),
    Fraction(30): Fraction(3, 4),
    Fraction(60): Fraction(1, 4),
    Fraction(90): Fraction(0),
    Fraction(120): Fraction(-1, 4),
    Fraction(150): Fraction(-3, 4),
    Fraction(180): Fraction(-1),
}


def exact(number: int | float) -> Fraction:
    """The number as it is written in the file."""
    return Fraction(str(number))


class Hex(NamedTuple):
    """One hex of the map."""

    centre: Point
    terrain: str
    elevation: Fraction
    features: tuple[str, ...]


class Entry(NamedTuple):
    """What it takes to go from one hex into its neighbour: the cost, or why it is barred."""

    cost: Fraction
    bars: tuple[str, ...]  # of "off-map", "terrain", "feature", "edge", "climb"


class Ground:
    """The map of one scenario, with what the rules say about moving and seeing on it."""

    def __init__(self, scenario: dict[str, Any], rules: dict[str, Any]) -> None:
        self.rules = rules
        drawn = scenario["map"]
        self.flat: bool = drawn["orientation"] == "flat"
        self.steps = STEPS[drawn["orientation"]]
        self.corners = CORNERS[drawn["orientation"]]
        self.directions = tuple(self.steps)
        self.hexes = self._read_hexes(drawn)
        self.at = {ground.centre: name for name, ground in self.hexes.items()}
        self.edges: dict[frozenset[str], set[str]] = {}
        for edge in drawn.get("edges", []):
            self.edges.setdefault(frozenset(edge["hexes"]), set()).add(edge["edge"])
        self.paths: dict[frozenset[str], set[str]] = {}
        for path in drawn.get("paths", []):
            for a, b in zip(path["hexes"], path["hexes"][1:], strict=False):
                self.paths.setdefault(frozenset((a, b)), set()).add(path["path"])
        self._seen: dict[tuple[str, str], bool] = {}

    def _read_hexes(self, drawn: dict[str, Any]) -> dict[str, Hex]:
        shoved = 1 if drawn["offset"] == "odd" else 0
        hexes: dict[str, Hex] = {}
        lines = [line.split() for line in drawn["terrain"].splitlines() if line.strip()]
        overrides = {entry["hex"]: entry for entry in drawn.get("hexes", [])}
        for row, marks in enumerate(lines):
            for column, mark in enumerate(marks):
                name = f"{column + 1:02d}{row + 1:02d}"
                meaning = drawn["legend"][mark]
                what = {"terrain": meaning} if isinstance(meaning, str) else dict(meaning)
                what |= overrides.get(name, {})
                if self.flat:
                    centre = (3 * column, 2 * row + (column % 2 == shoved))
                else:
                    centre = (2 * column + (row % 2 == shoved), 3 * row)
                hexes[name] = Hex(
                    centre,
                    what["terrain"],
                    exact(what.get("elevation", 0)),
                    tuple(what.get("features", ())),
                )
        return hexes

    # Directions, distances and angles.

    def neighbour(self, name: str, direction: str) -> str | None:
        """The hex next to ``name`` in that direction; None off the map."""
        x, y = self.hexes[name].centre
        dx, dy = self.steps[direction]
        return self.at.get((x + dx, y + dy))

    def direction(self, a: str, b: str) -> str | None:
        """The direction from ``a`` to its neighbour ``b``; None when they are no neighbours."""
        for name in self.directions:
            if self.neighbour(a, name) == b:
                return name
        return None

    def hexsides_turned(self, before: str, after: str) -> int:
        """How many hexsides lie between two facings, the shorter way round."""
        apart = abs(self.directions.index(before) - self.directions.index(after))
        return min(apart, 6 - apart)

    def distance(self, a: str, b: str) -> int:
        """Range in hexes."""
        (ax, ay), (bx, by) = self.hexes[a].centre, self.hexes[b].centre
        across, along = (abs(bx - ax), abs(by - ay))
        if not self.flat:
            across, along = along, across
        # Each step across the grain (3 units) carries one unit along it for nothing.
        slanting = across // 3
        return slanting + max(0, along - slanting) // 2

    def _dot(self, u: Point, v: Point) -> int:
        (ux, uy), (vx, vy) = u, v
        return ux * vx + 3 * uy * vy if self.flat else 3 * ux * vx + uy * vy

    def _within(self, facing: Point, a: str, b: str, degrees: int | float) -> bool:
        """Whether the way from ``a`` to ``b`` lies within so many degrees of ``facing``."""
        (ax, ay), (bx, by) = self.hexes[a].centre, self.hexes[b].centre
        way = (bx - ax, by - ay)
        dot = self._dot(facing, way)
        lengths = self._dot(facing, facing) * self._dot(way, way)
        signed_square = Fraction(dot * abs(dot), lengths)
        limit = exact(degrees)
        if limit >= 180:
            return True
        if limit in SIGNED_SQUARE_OF_COSINE:
            return signed_square >= SIGNED_SQUARE_OF_COSINE[limit]
        # No other rational angle occurs between a hexside direction and a line of centres (its
        # squared cosine is rational), so the two sides here are never equal.
        cosine = math.cos(math.radians(degrees))
        return signed_square > Fraction(cosine * abs(cosine))

    def in_arc(self, a: str, facing: str, b: str, degrees: int | float) -> bool:
        """Whether ``b`` lies in the field of fire of a unit in ``a`` with that facing."""
        return self._within(self.steps[facing], a, b, degrees)

    def aspect(self, afv_hex: str, facing: str, firer_hex: str) -> str:
        """Which armour of an AFV is struck from ``firer_hex``: front, side or rear."""
        ahead = self.steps[facing]
        if self._within(ahead, afv_hex, firer_hex, self.rules["aspects"]["front"]):
            return "front"
        behind = (-ahead[0], -ahead[1])
        if self._within(behind, afv_hex, firer_hex, self.rules["aspects"]["rear"]):
            return "rear"
        return "side"

    # Line of sight.

    def sees(self, a: str, b: str) -> bool:
        """Whether the line of sight between two hexes is open."""
        key = (min(a, b), max(a, b))
        if key not in self._seen:
            self._seen[key] = self._open_line(*key)
        return self._seen[key]

    def _open_line(self, a: str, b: str) -> bool:
        beside: dict[tuple[Fraction, Fraction], list[bool]] = {}
        for name in self.hexes:
            if name in (a, b):
                continue
            crossed = self._clip(a, b, name)
            if crossed is None:
                continue
            interval, inside = crossed
            blocks = self._rises_above(a, b, name)
            if inside and blocks:
                return False
            if not inside:
                beside.setdefault(interval, []).append(blocks)
        # Along a hexside: the hexes on both its sides must block (one off the map is open).
        return not any(len(pair) == 2 and all(pair) for pair in beside.values())

    def _clip(self, a: str, b: str, name: str) -> tuple[tuple[Fraction, Fraction], bool] | None:
        """The part of the line a-b in hex ``name``, as shares of the line.

        None if the line misses the hex or only touches a corner. The flag says whether it crosses
        the interior (True) or runs along a side (False).
        """
        (px, py), (qx, qy) = self.hexes[a].centre, self.hexes[b].centre
        cx, cy = self.hexes[name].centre
        enter, leave, inside = Fraction(0), Fraction(1), True
        for (x0, y0), (x1, y1) in zip(
            self.corners, self.corners[1:] + self.corners[:1], strict=True
        ):
            # The outward normal of this side, and how far out the line's two ends lie.
            nx, ny = y1 - y0, x0 - x1
            reach = nx * x0 + ny * y0
            if reach < 0:
                nx, ny, reach = -nx, -ny, -reach
            start = nx * (px - cx) + ny * (py - cy) - reach
            slope = nx * (qx - px) + ny * (qy - py)
            if slope == 0:
                if start > 0:
                    return None
                inside = inside and start < 0
            elif slope > 0:
                leave = min(leave, Fraction(-start, slope))
            else:
                enter = max(enter, Fraction(-start, slope))
        if enter >= leave:
            return None
        return (enter, leave), inside

    def _rises_above(self, a: str, b: str, name: str) -> bool:
        """Whether the hex is higher than the line where its centre projects on it."""
        start, end, middle = self.hexes[a], self.hexes[b], self.hexes[name]
        line = (end.centre[0] - start.centre[0], end.centre[1] - start.centre[1])
        way = (middle.centre[0] - start.centre[0], middle.centre[1] - start.centre[1])
        share = Fraction(self._dot(way, line), self._dot(line, line))
        line_height = start.elevation + share * (end.elevation - start.elevation)
        heights = [self.rules["terrain"][middle.terrain].get("height", 0)]
        heights += [self.rules["features"][f].get("height", 0) for f in middle.features]
        return middle.elevation + max(exact(h) for h in heights) > line_height

    # Moving.

    def entry(self, movement_class: str, a: str, b: str | None) -> Entry:
        """What a unit of that class pays to go from ``a`` into its neighbour ``b``."""
        if b is None:
            return Entry(Fraction(0), ("off-map",))
        rules, here, there = self.rules, self.hexes[a], self.hexes[b]
        cost, bars = Fraction(0), []
        for name in there.features:
            feature = rules["features"][name]
            cost += exact(feature.get("cost", {}).get(movement_class, 0))
            if movement_class in feature.get("bars", ()):
                bars.append("feature")
        along = [
            exact(rules["paths"][path]["cost"][movement_class])
            for path in self.paths.get(frozenset((a, b)), ())
            if movement_class in rules["paths"][path]["cost"]
        ]
        if along:
            return Entry(cost + min(along), tuple(bars))
        terrain = rules["terrain"][there.terrain]["cost"]
        if movement_class in terrain:
            cost += exact(terrain[movement_class])
        else:
            bars.append("terrain")
        for name in self.edges.get(frozenset((a, b)), ()):
            edge = rules["edges"][name]
            cost += exact(edge.get("cost", {}).get(movement_class, 0))
            if movement_class in edge.get("bars", ()):
                bars.append("edge")
        climbing = rules["classes"][movement_class]
        levels = there.elevation - here.elevation
        cost += max(Fraction(0), levels) * exact(climbing["uphill"])
        if abs(levels) > exact(climbing["max_climb"]):
            bars.append("climb")
        return Entry(cost, tuple(bars))

    def turn_cost(self, movement_class: str, before: str, after: str) -> Fraction:
        """Movement points for turning from one facing to another."""
        turn = exact(self.rules["classes"][movement_class]["turn"])
        return turn * self.hexsides_turned(before, after)

    # What stands in a hex.

    def cover(self, name: str, key: str) -> int:
        """The dice modifier of a hex: ``cover`` (AP) or ``at_cover`` (AT)."""
        ground = self.hexes[name]
        total: int = self.rules["terrain"][ground.terrain].get(key, 0)
        for name_of_feature in ground.features:
            total += self.rules["features"][name_of_feature].get(key, 0)
        return total

    def is_building(self, name: str) -> bool:
        """OVR-5."""
        return bool(self.rules["terrain"][self.hexes[name].terrain].get("building", False))

    def has_bunker(self, name: str) -> bool:
        """OVR-6."""
        features = self.hexes[name].features
        return any(self.rules["features"][f].get("bunker", False) for f in features)
