"""Realistic larger positions from named seeds, under the shipped `standard` rules.

``raw(size, seed)`` is a scenario as a plain dictionary in the public format, always the same for
the same arguments: a defended area with villages, woods, hedges, a stream and roads, held by
infantry, machine guns, Guns and AT teams in one connected defence, and a force of AFVs close in
front of it. ``position(size, seed)`` is the same, loaded. Positions are drawn again, from the same
seed, until enough AFVs have lines and enough enemy units can fire at them (`SIZES`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from planner.game.hexes import Hex
from planner.game.position import Position
from planner.game.read_scenario import parse_scenario
from planner.search.lines import lines


@dataclass(frozen=True, slots=True)
class Size:
    """How large a position is, and what it must have: AFVs with three or more lines, enemy units
    that can fire at AFVs."""

    afvs: int
    enemies: int
    columns: int
    rows: int
    attackers: int
    shooters: int


SIZES = {
    "section": Size(2, 5, 11, 9, 2, 2),
    "platoon": Size(3, 8, 14, 10, 3, 3),
    "company": Size(6, 18, 26, 18, 4, 6),
    "battalion": Size(12, 40, 44, 32, 8, 12),
    "regiment": Size(24, 80, 60, 44, 16, 24),
}

AFVS = {"sov_t_34_76": 6, "sov_t_70": 3, "sov_kv_1": 1, "sov_t_34_85": 2}
ENEMIES = {
    "ger_pak_38": 12,
    "ger_pak_40": 7,
    "ger_pak_36": 8,
    "ger_panzerschreck_team": 8,
    "ger_at_rifle_team": 7,
    "ger_panzergrenadier_squad": 12,
    "ger_rifle_squad": 16,
    "ger_mg_42_team": 10,
    "ger_leutnant": 6,
    "ger_unteroffizier": 6,
    "ger_opel_blitz": 5,
    "ger_leig_18": 4,
    "ger_mortar_team": 4,
}
SHOOTERS = ("pak", "panzerschreck", "at_rifle", "panzergrenadier", "leig")
NEED_FACING = ("pak", "leig")
GROUND = {".": "clear", "g": "grain", "b": "brush", "w": "woods", "o": "orchard", "p": "ploughed"}
LEGEND: dict[str, Any] = {
    **GROUND,
    "v": "wooden_building",
    "h": {"terrain": "clear", "elevation": 1},
    "f": {"terrain": "clear", "features": ["foxholes"]},
    "F": {"terrain": "brush", "features": ["foxholes"]},
}
DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")


def name(column: int, row: int) -> str:
    """A hex's name by the default numbering, counted from 0."""
    return f"{column + 1:02d}{row + 1:02d}"


@lru_cache(maxsize=64)
def position(size: str, seed: int) -> Position:
    """The generated position, loaded."""
    return parse_scenario(raw(size, seed))


def raw(size: str, seed: int) -> dict[str, Any]:
    """The generated position as a scenario dictionary. Raises KeyError for an unknown size."""
    wanted = SIZES[size]
    drawn: dict[str, Any] = {}
    for attempt in range(200):
        drawn = _Draw(random.Random(f"{size}/{seed}/{attempt}"), wanted, f"{size} {seed}").all()
        if _is_fit(parse_scenario(drawn), wanted):
            return drawn
    raise AssertionError(f"no fit position for {size} {seed}")


def _is_fit(drawn: Position, wanted: Size) -> bool:
    count: dict[str, int] = {}
    targets: set[Hex] = set()
    for line in lines(drawn):
        count[line.unit] = count.get(line.unit, 0) + 1
        targets.add(line.target)
    attackers = sum(1 for found in count.values() if found >= 3)
    shooters = sum(
        1
        for unit in drawn.units.values()
        if unit.side == drawn.defender and any(s in unit.type.name for s in SHOOTERS)
    )
    return attackers >= wanted.attackers and shooters >= wanted.shooters


class _Draw:
    def __init__(self, rng: random.Random, size: Size, title: str) -> None:
        self.rng = rng
        self.size = size
        self.title = title
        self.columns, self.rows = size.columns, size.rows
        self.marks = [["."] * self.columns for _ in range(self.rows)]
        self.used: dict[tuple[int, int], int] = {}

    def all(self) -> dict[str, Any]:
        """The whole scenario."""
        self._blobs("w", self.columns * self.rows // 45, 4)
        self._blobs("b", self.columns * self.rows // 60, 3)
        self._blobs("g", self.columns * self.rows // 60, 4)
        self._blobs("p", self.columns * self.rows // 120, 4)
        self._blobs("o", self.columns * self.rows // 150, 2)
        self._blobs("h", self.columns * self.rows // 90, 5)
        self._blobs("v", self.columns * self.rows // 90, 3)
        road = self._road()
        units = [*self._defence(), *self._attack()]
        text = "\n".join(" ".join(row) for row in self.marks)
        used = sorted({mark for row in self.marks for mark in row})
        return {
            "format": "overrun-scenario/1",
            "title": f"Generated {self.title}",
            "rules": "standard",
            "to_move": "red",
            "map": {
                "orientation": "flat",
                "offset": "odd",
                "terrain": text + "\n",
                "legend": {mark: LEGEND[mark] for mark in used},
                "edges": list(self._stream(road)),
                "paths": [{"path": "road", "hexes": road}],
            },
            "sides": [{"id": "red"}, {"id": "blue"}],
            "units": units,
        }

    def _blobs(self, mark: str, count: int, most: int) -> None:
        for _ in range(count):
            column, row = self.rng.randrange(self.columns), self.rng.randrange(self.rows)
            for _ in range(self.rng.randint(1, most)):
                if 0 <= column < self.columns and 0 <= row < self.rows:
                    self.marks[row][column] = mark
                column += self.rng.choice((-1, 0, 1))
                row += self.rng.choice((-1, 0, 1))

    def _road(self) -> list[str]:
        """A road across the map from top to bottom; it runs down one column."""
        column = self.rng.randrange(self.columns // 3, 2 * self.columns // 3)
        for row in range(self.rows):
            if self.marks[row][column] == "v":
                self.marks[row][column] = "."
        return [name(column, row) for row in range(self.rows)]

    def _stream(self, road: list[str]) -> Iterator[dict[str, Any]]:
        """A stream along the lower hexsides of one row, bridged by the road."""
        row = self.rng.randrange(self.rows // 3, 2 * self.rows // 3)
        for column in range(self.columns):
            if row + 1 < self.rows and self.rng.random() < 0.8:
                yield {"hexes": [name(column, row), name(column, row + 1)], "edge": "stream"}

    def _defence(self) -> Iterator[dict[str, Any]]:
        """Strongpoints of one to three units, side by side across the middle of the map."""
        middle = self.rows * 0.45
        for number in range(1, self.size.enemies + 1):
            type_ = self.rng.choices(list(ENEMIES), list(ENEMIES.values()))[0]
            column, row = self._place(
                lambda: (
                    round(self.rng.gauss(self.columns / 2, self.columns / 5)),
                    round(self.rng.gauss(middle, self.rows / 8)),
                ),
                2 if "leutnant" not in type_ and "unteroffizier" not in type_ else 3,
                6,
                together="offizier" in type_ or "leutnant" in type_,
            )
            if self.marks[row][column] in ".g" and self.rng.random() < 0.45:
                self.marks[row][column] = "f"
            elif self.marks[row][column] == "v" and self.rng.random() < 0.7:
                self.marks[row][column] = "F"
            unit: dict[str, Any] = {
                "id": f"G{number:02d}",
                "side": "blue",
                "type": type_,
                "hex": name(column, row),
            }
            if any(word in type_ for word in NEED_FACING):
                unit["facing"] = self.rng.choice(("S", "S", "SE", "SW"))
            yield unit

    def _attack(self) -> Iterator[dict[str, Any]]:
        for number in range(1, self.size.afvs + 1):
            column, row = self._place(
                lambda: (
                    round(self.rng.gauss(self.columns / 2, self.columns / 5)),
                    round(self.rows * 0.45 + self.rng.uniform(3, 6)),
                ),
                1,
                1,
                together=False,
            )
            if self.marks[row][column] == "v":
                self.marks[row][column] = "."
            type_ = self.rng.choices(list(AFVS), list(AFVS.values()))[0]
            unit: dict[str, Any] = {
                "id": f"T{number:02d}",
                "side": "red",
                "type": type_,
                "hex": name(column, row),
                "facing": self.rng.choice(("N", "N", "NE", "NW")),
            }
            if self.rng.random() < 0.3:
                unit["passengers"] = [f"R{number:02d}"]
                yield {"id": f"R{number:02d}", "side": "red", "type": "sov_smg_squad"}
            yield unit

    def _place(self, draw: Any, most: int, room: int, *, together: bool) -> tuple[int, int]:
        """A hex with fewer than ``most`` units in it; with company if ``together``."""
        for attempt in range(2000):
            column, row = draw()
            if not (1 <= column < self.columns - 1 and 1 <= row < self.rows - 1):
                continue
            taken = self.used.get((column, row), 0)
            if taken >= most or (together and taken == 0 and attempt < 500):
                continue
            if not together and taken and self.rng.random() < 0.5:
                continue
            self.used[column, row] = taken + 1
            return column, row
        raise AssertionError(f"no room for {room}")
