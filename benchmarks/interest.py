"""What makes a scenario a problem: who bears on whom, and what adding up single values misses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from rich.table import Table

from benchmarks.instances import Instance
from evaluation.group import Aim
from evaluation.script import Enter
from planner.game.hexes import Hex
from planner.game.moves import PlannedMove
from planner.game.position import Position
from planner.play.hint import hint
from planner.search.candidates import Candidate, Survey
from planner.search.effort import Limit, Wishes
from planner.search.exposure import script
from planner.search.interactions import Interactions
from planner.search.lines import lines
from planner.search.plan import RankedPlan, plan
from planner.search.worth import Judge

PLANS = 1000
"""Plans ranked, among which the best with other targets is looked for."""


@dataclass(frozen=True, slots=True)
class Interest:
    """One scenario's row. ``group``: AFVs of the largest interacting group, and the enemy units
    that it may strike or be fired at by. ``shooters``: enemy units that can fire at an AFV to some
    effect, ``line_shooters`` in the windows of the lines' cheapest moves alone. ``second``: the
    best plan whose set of target hexes is not the best plan's. ``position_value``: V, if known."""

    name: str
    afvs: int
    enemy_units: int
    group: tuple[int, int]
    shooters: int
    line_shooters: int
    lines: int
    best: RankedPlan
    finished: bool
    additive: RankedPlan | None
    second: RankedPlan | None
    position_value: float | None

    @property
    def share_lost(self) -> float | None:
        """How much of the best plan's value the additive plan misses, as a share of it."""
        if self.additive is None or self.best.value <= 0:
            return None
        return (self.best.value - self.additive.value) / self.best.value


def interest(instance: Instance, seconds: float) -> Interest:
    """Look for the best plans of one position, ``seconds`` at most, and for V, as long again."""
    position = instance.position
    judge = Judge(position)
    found = Survey(position, judge, Wishes()).candidates
    legal = lines(position)
    result = plan(position, Limit(seconds), plans=PLANS)
    best = result.plans[0]
    struck = _targets(best.moves)
    second = next((one for one in result.plans if _targets(one.moves) != struck), None)
    next_ = hint(position, Limit(seconds)).next
    size = instance.size()
    return Interest(
        instance.name,
        size["afvs"],
        size["enemy_units"],
        _largest_group(position, judge, found),
        len(_shooters(position, judge, (one.move for one in found))),
        len(_shooters(position, judge, (line.move for line in legal))),
        len(legal),
        best,
        result.finished,
        result.additive,
        second,
        next_.value if next_.exact else None,
    )


def _targets(moves: Iterable[PlannedMove]) -> frozenset[Hex]:
    return frozenset(move.target_hex for move in moves if move.target_hex is not None)


def _largest_group(position: Position, judge: Judge, found: Sequence[Candidate]) -> tuple[int, int]:
    """AFVs that bear on each other, and the enemy units through which they do."""
    sizes = [(0, 0)]
    for group in Interactions(judge, found).components():
        moves = [one.move for one in found if one.move.unit in group]
        enemies = _shooters(position, judge, moves)
        enemies |= {u.id for hex_ in _targets(moves) for u in position.enemies_in(hex_)}
        sizes.append((len(group), len(enemies)))
    return max(sizes)


def _shooters(position: Position, judge: Judge, moves: Iterable[PlannedMove]) -> set[str]:
    """Enemy units that can fire at the AFV to some effect in a window of one of the moves."""
    return {name for move in moves for name in _shooters_at(position, judge, move)}


def _shooters_at(position: Position, judge: Judge, move: PlannedMove) -> Iterator[str]:
    for step in script(position, move).steps:
        if isinstance(step, Enter):
            threats = cast("frozenset[tuple[Hex, Aim]]", judge.threats(move.unit, step))
            yield from (position.enemies_in(place)[aim.unit].id for place, aim in threats)


def interest_table(rows: Iterable[Interest], seconds: float) -> Table:
    """The rows for people."""
    table = Table(
        "scenario", "AFVs × enemy", "largest group", "AT shooters", "lines", "best plan",
        "additive plan", "share lost", "second target", "V",
        title=f"What each scenario asks (searches of at most {seconds:g} s)",
        title_justify="left",
        caption="Largest group: AFVs that bear on each other + enemy units through which they do."
        "  AT shooters: that can hurt an AFV on some move (on a line's cheapest move).  Additive:"
        " chosen by single values, best order.  Second target: best plan with other target hexes.",
        caption_justify="left",
    )  # fmt: skip
    for row in rows:
        lost = row.share_lost
        table.add_row(
            row.name,
            f"{row.afvs} × {row.enemy_units}",
            f"{row.group[0]} + {row.group[1]}",
            f"{row.shooters} ({row.line_shooters})",
            str(row.lines),
            f"{row.best.value:+.4f} {row.best.status}{'' if row.finished else ', stopped'}",
            "not got to" if row.additive is None else f"{row.additive.value:+.4f}",
            "" if lost is None else f"{lost:.0%}",
            "none ranked" if row.second is None else f"{row.second.value:+.4f}",
            "not known" if row.position_value is None else f"{row.position_value:+.4f}",
        )
    return table


def interest_form(row: Interest) -> dict[str, Any]:
    """A row for machines."""
    return {
        "name": row.name,
        "afvs": row.afvs,
        "enemy_units": row.enemy_units,
        "largest_group": {"afvs": row.group[0], "enemy_units": row.group[1]},
        "at_shooters": row.shooters,
        "at_shooters_on_lines": row.line_shooters,
        "lines": row.lines,
        "best": row.best.value,
        "status": row.best.status,
        "finished": row.finished,
        "additive": None if row.additive is None else row.additive.value,
        "share_lost": row.share_lost,
        "second_target": None if row.second is None else row.second.value,
        "position_value": row.position_value,
    }
