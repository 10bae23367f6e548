"""Small random positions that look like ones a player meets, to compare the program with the twin.

``random_scenario(seed, ...)`` gives a scenario and its rules as plain dictionaries, always the same
for the same arguments. Knobs left at None are drawn from the seed. ``write_files`` makes the
files the program reads, ``positions`` a Hypothesis strategy, ``random_plan`` an ordered plan of
moves (some of which may have to be skipped when their turn comes).
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import tomli_w
from hypothesis import strategies as st

from tests.random_rules import random_rules
from tests.twin.ground import Ground
from tests.twin.moves import all_overruns, all_plain_moves, can_start, lines, with_weapons
from tests.twin.notation import Move
from tests.twin.state import Facts, State

Position = tuple[dict[str, Any], dict[str, Any]]

# Marks of the map text, with how often each is drawn on open and on close ground.
LEGEND: dict[str, str | dict[str, Any]] = {
    ".": "clear",
    ":": {"terrain": "clear", "elevation": 1},
    "^": {"terrain": "rough", "elevation": 2},
    "r": "rough",
    "w": "woods",
    "W": {"terrain": "woods", "elevation": 1},
    "b": "building",
    "m": "marsh",
    "f": {"terrain": "clear", "features": ["foxholes"]},
}
OPEN = {".": 74, ":": 7, "^": 1, "r": 5, "w": 6, "W": 1, "b": 2, "m": 2, "f": 2}
CLOSE = {".": 52, ":": 10, "^": 3, "r": 10, "w": 10, "W": 3, "b": 5, "m": 4, "f": 3}
FEATURES = ["foxholes", "bunker", "blaze", "smoke", "mud"]
# Enemy units, with how often each is drawn, and the letter of their names.
ENEMIES = {
    "at_gun": (22, "G"),
    "bazooka_team": (20, "B"),
    "panzerfaust_squad": (12, "P"),
    "squad": (18, "S"),
    "sergeant": (12, "L"),
    "lieutenant": (5, "L"),
    "truck": (6, "V"),
    "tank": (3, "E"),
    "assault_gun": (3, "E"),
}
AFVS = {"tank": 45, "light_tank": 25, "assault_gun": 10, "armoured_car": 10, "flame_tank": 10}


def _draw(rng: random.Random, weights: dict[str, int]) -> str:
    return rng.choices(list(weights), list(weights.values()))[0]


def random_scenario(
    seed: int,
    *,
    orientation: str | None = None,
    offset: str | None = None,
    afvs: int | None = None,
    enemies: int | None = None,
    stacking: int | None = None,
    roll_per: str | None = None,
    columns: int | None = None,
    rows: int | None = None,
    close_ground: bool | None = None,
    plain_rules: bool = False,
    objectives: bool | None = None,
    min_lines: int = 0,
) -> Position:
    """A position with its rules.

    ``min_lines`` draws again, from the same seed, until that many lines are legal (or 50 times).
    ``plain_rules`` keeps the charts of the case file but for stacking and ``roll_per``.
    """
    position: Position | None = None
    for attempt in range(50):
        position = _Draw(random.Random(f"{seed}/{attempt}"), seed).position(
            orientation=orientation,
            offset=offset,
            afvs=afvs,
            enemies=enemies,
            stacking=stacking,
            roll_per=roll_per,
            columns=columns,
            rows=rows,
            close_ground=close_ground,
            plain_rules=plain_rules,
            objectives=objectives,
        )
        if min_lines == 0 or len(lines(Facts(*position))) >= min_lines:
            break
    assert position is not None
    return position


class _Draw:
    """One position in the making."""

    def __init__(self, rng: random.Random, seed: int) -> None:
        self.rng = rng
        self.seed = seed
        self.units: list[dict[str, Any]] = []
        self.counts: dict[str, int] = {}
        self.room: dict[str, int] = {}
        self.side_of: dict[str, str] = {}

    def position(
        self,
        *,
        orientation: str | None,
        offset: str | None,
        afvs: int | None,
        enemies: int | None,
        stacking: int | None,
        roll_per: str | None,
        columns: int | None,
        rows: int | None,
        close_ground: bool | None,
        plain_rules: bool,
        objectives: bool | None,
    ) -> Position:
        rng = self.rng
        self.limit = stacking or rng.choice([1, 2, 2])
        self.rules = random_rules(
            rng, self.limit, roll_per or rng.choice(["hex", "unit"]), plain=plain_rules
        )
        close = rng.random() < 0.4 if close_ground is None else close_ground
        scenario: dict[str, Any] = {
            "format": "overrun-scenario/1",
            "title": f"Random position {self.seed}",
            "rules": "rules.toml",
            "to_move": "red",
            "map": self._map(
                orientation or rng.choice(["flat", "pointy"]),
                offset or rng.choice(["odd", "even"]),
                columns or rng.randint(5, 8),
                rows or rng.randint(5, 7),
                OPEN if not close else CLOSE,
            ),
            "sides": [{"id": "red", "name": "Reds"}, {"id": "blue"}],
        }
        self.ground = Ground(scenario, self.rules)
        self.names = sorted(self.ground.hexes)
        middle = self.names[len(self.names) // 2]
        self.focus = rng.choice([n for n in self.names if self.ground.distance(middle, n) <= 2])
        self._afvs(afvs or rng.choice([1, 2, 2, 3]))
        self._enemies(enemies or rng.choice([1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8]))
        rng.shuffle(self.units)
        scenario["units"] = self.units
        if rng.random() < 0.3 if objectives is None else objectives:
            scenario["objectives"] = self._objectives()
        return scenario, self.rules

    # The map.

    def _map(
        self, orientation: str, offset: str, columns: int, rows: int, weights: dict[str, int]
    ) -> dict[str, Any]:
        rng = self.rng
        text = "\n".join(" ".join(_draw(rng, weights) for _ in range(columns)) for _ in range(rows))
        drawn: dict[str, Any] = {
            "orientation": orientation,
            "offset": offset,
            "terrain": text + "\n",
            "legend": LEGEND,
        }
        ground = Ground(drawn_only(drawn), self.rules)
        names = sorted(ground.hexes)
        drawn["hexes"] = [
            {"hex": name, "features": sorted(rng.sample(FEATURES, rng.choice([1, 1, 1, 2])))}
            | ({"elevation": rng.choice([0, 1])} if rng.random() < 0.2 else {})
            for name in rng.sample(names, rng.randint(0, 3))
        ]
        pairs = [
            [name, other]
            for name in names
            for heading in ground.directions
            if (other := ground.neighbour(name, heading)) is not None and name < other
        ]
        kinds = list(self.rules["edges"])
        drawn["edges"] = [
            {"hexes": rng.sample(pair, 2), "edge": rng.choice(kinds)}
            for pair in rng.sample(pairs, rng.randint(0, 6))
        ]
        drawn["paths"] = [
            {"path": rng.choice(list(self.rules["paths"])), "hexes": road}
            for road in (self._road(ground, names) for _ in range(rng.choice([0, 1, 1, 2])))
        ]
        return drawn

    def _road(self, ground: Ground, names: list[str]) -> list[str]:
        road = [self.rng.choice(names)]
        heading = self.rng.choice(ground.directions)
        for _ in range(self.rng.randint(2, 6)):
            there = ground.neighbour(road[-1], heading)
            if there is None or there in road:
                break
            road.append(there)
            turn = self.rng.choice([-1, 0, 0, 1])
            heading = ground.directions[(ground.directions.index(heading) + turn) % 6]
        if len(road) == 1:
            options = [ground.neighbour(road[0], d) for d in ground.directions]
            road.append(self.rng.choice([name for name in options if name is not None]))
        return road

    # Units.

    def _name(self, letter: str) -> str:
        self.counts[letter] = self.counts.get(letter, 0) + 1
        return f"{letter}{self.counts[letter]}"

    def _free(self, side: str, name: str) -> bool:
        return self.side_of.get(name, side) == side and self.room.get(name, 0) < self.limit

    def _place(self, side: str, unit: dict[str, Any], name: str) -> None:
        self.side_of[name] = side
        self.room[name] = self.room.get(name, 0) + 1
        self.units.append(unit | {"side": side, "hex": name})

    def _near(self, side: str, centre: str, least: int, most: int) -> str | None:
        """A hex with room so far from another; not a place no vehicle would be."""
        options = [
            name
            for name in self.names
            if least <= self.ground.distance(centre, name) <= most
            and self._free(side, name)
            and self.ground.hexes[name].terrain != "marsh"
        ]
        return self.rng.choice(options) if options else None

    def _towards(self, a: str, b: str, chance: float) -> str:
        """A facing: with that chance the one that looks best from ``a`` to ``b``."""
        if a == b or self.rng.random() > chance:
            return self.rng.choice(self.ground.directions)
        nearest = [d for d in self.ground.directions if self.ground.in_arc(a, d, b, 30)]
        return self.rng.choice(nearest)

    def _enemies(self, count: int) -> None:
        rng, last = self.rng, None
        attackers = [unit["hex"] for unit in self.units if "hex" in unit]
        while count > 0:
            kind = _draw(rng, {name: weight for name, (weight, _) in ENEMIES.items()})
            if last is not None and rng.random() < 0.45 and self._free("blue", last):
                name: str | None = last
            else:
                name = self._near("blue", self.focus, 0, rng.choice([1, 1, 2, 4]))
            if name is None:
                return
            last = name
            unit: dict[str, Any] = {"id": self._name(ENEMIES[kind][1]), "type": kind}
            self._wear(unit)
            if self._needs_facing(kind):
                unit["facing"] = self._towards(name, rng.choice(attackers), 0.7)
            if kind == "truck" and count > 1 and rng.random() < 0.7:
                count -= 1
                self._load(unit, "blue", rng.choice(["squad", "bazooka_team", "at_gun"]))
            self._place("blue", unit, name)
            count -= 1

    def _needs_facing(self, kind: str) -> bool:
        unit_type = self.rules["types"][kind]
        return unit_type["kind"] == "afv" or "arc" in unit_type

    def _load(self, carrier: dict[str, Any], side: str, kind: str) -> None:
        """Put a passenger in the carrier, or a Gun behind it."""
        carried: dict[str, Any] = {"id": self._name("N"), "side": side, "type": kind}
        if kind == "at_gun":
            carried["facing"] = self.rng.choice(self.ground.directions)
            carrier["towing"] = carried["id"]
        else:
            carrier["passengers"] = [carried["id"]]
        if self.rng.random() < 0.12:
            carried["status"] = "suppressed"
        self._spend(carried)
        self.units.append(carried)

    def _spend(self, unit: dict[str, Any]) -> None:
        weapons = self.rules["types"][unit["type"]].get("weapons", [])
        once = [weapon["name"] for weapon in weapons if weapon.get("once")]
        spent = [name for name in once if self.rng.random() < 0.12]
        if spent:
            unit["spent"] = spent

    def _wear(self, unit: dict[str, Any]) -> None:
        """Markers and statuses an enemy unit may already have."""
        rng = self.rng
        kind = self.rules["types"][unit["type"]]["kind"]
        if rng.random() < 0.12:
            unit["fired"] = True
        if rng.random() < 0.14:
            fresh, *others = self.rules["status"][kind]
            unit["status"] = rng.choice([fresh, *others])
        self._spend(unit)

    def _afvs(self, count: int) -> None:
        rng = self.rng
        for _ in range(count):
            name = self._near("red", self.focus, 1, 3) or self._near("red", self.focus, 1, 9)
            if name is None:
                return
            kind = _draw(rng, AFVS)
            unit: dict[str, Any] = {
                "id": self._name("T"),
                "type": kind,
                "facing": self._towards(name, self.focus, 0.75),
            }
            if rng.random() < 0.25:
                unit["movement_used"] = rng.choice([1, 1, 2, 3])
            if rng.random() < 0.1:
                unit["fired"] = True
            if rng.random() < 0.05:
                unit["moved"] = True
            if rng.random() < 0.1:
                unit["status"] = rng.choice(["ready", "shaken", "shaken", "immobilised"])
            self._spend(unit)
            if self.rules["types"][kind].get("capacity"):
                if rng.random() < 0.45:
                    self._load(unit, "red", rng.choice(["squad", "squad", "sergeant", "engineers"]))
                elif rng.random() < 0.08:
                    self._load(unit, "red", "at_gun")
            self._place("red", unit, name)
        if rng.random() < 0.3:
            name = self._near("red", self.focus, 1, 3)
            if name is not None:
                self._place("red", {"id": self._name("F"), "type": "squad"}, name)

    def _objectives(self) -> list[dict[str, Any]]:
        chosen = self.rng.sample(
            [name for name in self.names if self.ground.distance(self.focus, name) <= 2],
            self.rng.choice([1, 1, 2]),
        )
        objectives: list[dict[str, Any]] = []
        for name in sorted(chosen):
            objective: dict[str, Any] = {"hex": name, "worth": self.rng.choice([1, 2.5, 4])}
            holder = self.rng.choice(["red", "blue", None])
            objectives.append(objective | ({"held_by": holder} if holder else {}))
        return objectives


def drawn_only(drawn: dict[str, Any]) -> dict[str, Any]:
    """A scenario of nothing but a map, for the twin's geometry."""
    return {"map": drawn}


def write_files(scenario: dict[str, Any], rules: dict[str, Any], directory: Path) -> Path:
    """Write ``scenario.json`` and the rules file it names; returns the scenario's path."""
    (directory / scenario["rules"]).write_text(tomli_w.dumps(rules), encoding="utf-8")
    path = directory / "scenario.json"
    path.write_text(json.dumps(scenario, indent=1), encoding="utf-8")
    return path


def positions(**knobs: Any) -> st.SearchStrategy[Position]:
    """A Hypothesis strategy over seeds; the title of a scenario tells its seed."""
    return st.integers(0, 10**6).map(lambda seed: random_scenario(seed, **knobs))


def random_moves(seed: int, facts: Facts, each: int = 3) -> dict[str, list[Move]]:
    """Up to so many moves of each AFV: overruns first of all, with weapons, and plain moves.

    Some are legal only once an enemy hex has been cleared.
    """
    rng = random.Random(f"moves/{seed}")
    found: dict[str, list[Move]] = {}
    for unit in facts.units:
        state = facts.start if rng.random() < 0.75 else _cleared(rng, facts)
        if not can_start(facts, state, unit):
            continue
        overruns = [
            armed
            for move, _ in all_overruns(facts, state, unit)
            for armed in with_weapons(facts, state, move)
        ]
        plain = [move for move, _ in all_plain_moves(facts, state, unit)]
        chosen = rng.sample(overruns, min(len(overruns), each))
        while len(chosen) < each and plain:
            chosen.append(plain.pop(rng.randrange(len(plain))))
        if chosen:
            found[unit] = chosen
    return found


def random_plan(seed: int, facts: Facts) -> list[Move]:
    """An ordered plan of one move for each of some AFVs (possibly none)."""
    rng = random.Random(f"plan/{seed}")
    moves = random_moves(seed, facts)
    units = sorted(moves)
    rng.shuffle(units)
    if len(units) > 1 and rng.random() < 0.2:
        units.pop()
    return [rng.choice(moves[unit]) for unit in units]


def _cleared(rng: random.Random, facts: Facts) -> State:
    """The start with one enemy hex emptied."""
    state = facts.start
    places = sorted({p for p in state.place if p is not None and facts.enemy_in(state, p)})
    if places:
        for unit in list(facts.present(state, rng.choice(places), facts.defender)):
            kind = facts.rules["status"][facts.units[unit].kind]
            gone = next(name for name, flags in kind.items() if flags.get("removed"))
            state = facts.with_status(state, unit, gone)
    return state
