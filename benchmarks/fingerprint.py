"""One hash over what the program answers for fixed positions and plans.

A change that should not change any answer leaves it as it is. Each part has a hash of its own, so
that a difference says where to look: ``POSITION lines``, ``candidates`` or ``values``. Values are
rounded to 1e-9, to which they are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from benchmarks.instances import TWO_TANKS, Instance, case, drawn, shipped_instances
from planner.game.moves import PlannedMove, points_text
from planner.game.notation import format_move
from planner.game.position import Position
from planner.search.candidates import Survey
from planner.search.effort import Wishes
from planner.search.lines import lines
from planner.search.worth import Judge

GENERATED = (("section", 0), ("section", 1), ("section", 2), ("platoon", 0), ("platoon", 1))
PLACES = 9
ORDERS = 4
"""Plans of several moves valued in each position."""


def parts() -> dict[str, str]:
    """The hash of each part."""
    found: dict[str, str] = {}
    chosen = (case(TWO_TANKS), *shipped_instances().values(), *(drawn(*one) for one in GENERATED))
    for instance in chosen:
        for what, told in _told(instance).items():
            found[f"{instance.name} {what}"] = _hash(told)
    return found


def whole(found: Mapping[str, str]) -> str:
    """One hash over all parts."""
    return _hash(f"{part} {found[part]}" for part in sorted(found))


def written(found: Mapping[str, str]) -> str:
    """The whole and its parts as TOML, to be kept."""
    said = [f'fingerprint = "{whole(found)}"', "", "[parts]"]
    return "\n".join([*said, *(f'"{part}" = "{found[part]}"' for part in found)]) + "\n"


def _hash(told: Iterable[str]) -> str:
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def _told(instance: Instance) -> dict[str, list[str]]:
    position = instance.position
    judge = Judge(position)
    return {
        "lines": [
            f"{format_move(position, line.move)} {points_text(line.movement_points)}"
            for line in lines(position)
        ],
        "candidates": [one.text for one in Survey(position, judge, Wishes()).candidates],
        "values": list(_values(position, judge)),
    }


def _values(position: Position, judge: Judge) -> Iterator[str]:
    """Values of every line's cheapest move by itself, and of plans made of them."""
    by_unit: dict[str, list[PlannedMove]] = {}
    for line in lines(position):
        by_unit.setdefault(line.unit, []).append(line.move)
        yield _value(position, judge, [line.move])
    for number in range(ORDERS):
        # The number-th line of each AFV, three AFVs at most; every other plan in reverse order.
        units = sorted(by_unit)[:: 1 if number < 2 else -1][:3]
        yield _value(position, judge, [by_unit[u][number % len(by_unit[u])] for u in units])


def _value(position: Position, judge: Judge, moves: list[PlannedMove]) -> str:
    value = round(judge.value(moves), PLACES) + 0.0  # no negative nought
    return f"{'; '.join(format_move(position, move) for move in moves)} {value:.{PLACES}f}"
