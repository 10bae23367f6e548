"""What is in a scenario or rules file, in short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaluation.units import Kind
from planner.game.hexes import Orientation
from planner.game.position import Position
from planner.game.rules import Rules
from planner.interface.words import listed, many, side_name

_KIND_WORDS = {
    Kind.AFV: ("AFV", "AFVs"),
    Kind.VEHICLE: ("unarmoured vehicle", "unarmoured vehicles"),
    Kind.GUN: ("Gun", "Guns"),
    Kind.INFANTRY: ("infantry unit", "infantry units"),
    Kind.LEADER: ("leader", "leaders"),
}


def map_size(position: Position) -> tuple[int, int]:
    """Columns and rows of the map."""
    ground = position.board.ground
    if position.board.orientation is Orientation.FLAT:
        columns = len({hex_.q for hex_ in ground})
        return columns, len(ground) // columns
    rows = len({hex_.r for hex_ in ground})
    return len(ground) // rows, rows


def scenario_summary(position: Position) -> str:
    """A scenario in one line."""
    columns, rows = map_size(position)
    parts = [
        position.title or "untitled",
        f"{columns} x {rows} hexes",
        f"{position.rules.name} rules",
        f"{side_name(position, position.to_move)} to move",
    ]
    for side in position.sides:
        kinds = (unit.kind for unit in position.units.values() if unit.side == side.id)
        parts.append(f"{side.name}: {_counted(kinds) or 'no units'}")
    return "; ".join(parts)


def rules_summary(rules: Rules) -> str:
    """A rules file in one line."""
    dice = rules.combat.dice
    return "; ".join(
        [
            f"{rules.name} rules",
            f"{dice.count}d{dice.sides}",
            many(len(rules.terrain), "terrain"),
            f"AP table of {many(len(rules.combat.ap.columns), 'column')}",
            f"AT table of {many(len(rules.combat.at.columns), 'column')}",
            f"unit types: {_counted(type_.kind for type_ in rules.types.values()) or 'none'}",
        ]
    )


def _counted(kinds: Iterable[Kind]) -> str:
    found = list(kinds)
    return listed(_counts(found))


def _counts(kinds: list[Kind]) -> Iterator[str]:
    for kind, words in _KIND_WORDS.items():
        if kind in kinds:
            yield many(kinds.count(kind), *words)
