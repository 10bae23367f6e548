"""What makes a scenario a problem: who bears on whom, and what adding up single values misses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from rich.table import Table

from benchmarks.instances import Instance
from evaluation.group import Aim
from evaluation.script import Enter
from planner.game.hexes import Hex
from planner.game.moves import PlannedMove
from planner.game.position import Position
from planner.search.candidates import Candidate, Survey
from planner.search.certify import PositionValue
from planner.search.effort import Limit, Wishes
from planner.search.exposure import script
from planner.search.interactions import Interactions
from planner.search.lines import lines
from planner.search.plan import RankedPlan, plan
from planner.search.worth import Judge

CAPTION = """\
largest group: AFVs that bear on each other + enemy units through which they do
AT shooters: enemy units that can hurt an AFV on some move (on a line's cheapest move)
additive plan: moves chosen by the sum of single values, in their best order
other targets: best plan ranked with another set of target hexes, be it one more or one less
second target: best plan without the target hex which the best plan can least do without
V: the value of the position, as far as the search of the best plan got"""
SAME = 1e-6
PLANS = 1000
"""Plans ranked, among which the best with other targets is looked for."""


@dataclass(frozen=True, slots=True)
class Interest:
    """One scenario's row.

    ``group``: AFVs of the largest interacting group, and the enemy units that it may strike or be
    fired at by. ``shooters``: enemy units that can fire at an AFV to some effect, ``line_shooters``
    in the windows of the lines' cheapest moves alone. ``best``: the best plan found by any search
    here, ``searched``: the value of the one that a plain search found, which ``finished`` or was
    stopped. ``other_set``: the best plan ranked whose set of target hexes is not the best plan's;
    it may only strike one more or one less. ``without``: for each target hex of the best plan the
    value of the best plan found that never strikes it. ``position_value``: V, as far as known.
    """

    name: str
    afvs: int
    enemy_units: int
    group: tuple[int, int]
    shooters: int
    line_shooters: int
    lines: int
    best: RankedPlan
    searched: float
    finished: bool
    additive: RankedPlan | None
    other_set: RankedPlan | None
    without: dict[str, float]
    position_value: PositionValue

    @property
    def share_lost(self) -> float | None:
        """How much of the best plan's value the additive plan misses, as a share of it."""
        if self.additive is None or self.best.value <= 0:
            return None
        return (self.best.value - self.additive.value) / self.best.value

    @property
    def second_target(self) -> float | None:
        """The best that can be had without the hex which the best plan can least do without."""
        return min(self.without.values(), default=None)


def interest(instance: Instance, seconds: float) -> Interest:
    """Look for the best plans of one position and V, then for the best plans without each target;
    each search takes ``seconds`` at most."""
    position = instance.position
    judge = Judge(position)
    found = Survey(position, judge, Wishes()).candidates
    legal = lines(position)
    result = plan(position, Limit(seconds), plans=PLANS)
    best, avoiding = best_of_all(position, result.plans[0], seconds)
    struck = _targets(best.moves)
    ranked = sorted((*result.plans, *avoiding.values()), key=lambda one: -one.value)
    other_set = next((one for one in ranked if _targets(one.moves) != struck), None)
    size = instance.size()
    return Interest(
        instance.name,
        size["afvs"],
        size["enemy_units"],
        largest_group(position, judge, found),
        len(shooters(position, judge, (one.move for one in found))),
        len(shooters(position, judge, (line.move for line in legal))),
        len(legal),
        best,
        result.plans[0].value,
        result.finished,
        result.additive,
        other_set,
        {position.board.name(hex_): avoiding[hex_].value for hex_ in sorted(struck)},
        result.position,
    )


def best_of_all(
    position: Position, best: RankedPlan, seconds: float
) -> tuple[RankedPlan, dict[Hex, RankedPlan]]:
    """The best plan found by any search, and the best without each of its target hexes.

    Where nobody strikes the enemy units of a hex nobody can enter it: avoiding a hex is no more
    than leaving its units alone. A search with less to choose from may find what one with more
    missed; then that plan is the best, and is looked into in its turn.
    """
    avoiding: dict[Hex, RankedPlan] = {}
    while True:
        for hex_ in sorted(_targets(best.moves) - set(avoiding)):
            wishes = Wishes(avoid=frozenset({hex_}))
            avoiding[hex_] = plan(position, Limit(seconds), wishes).plans[0]
        better = max(avoiding.values(), key=lambda one: one.value, default=best)
        if better.value <= best.value + SAME:
            return best, avoiding
        # Whatever was proved of it was proved of fewer moves.
        best = replace(better, status="feasible", bound=None, proof_over=None)


def _targets(moves: Iterable[PlannedMove]) -> frozenset[Hex]:
    return frozenset(move.target_hex for move in moves if move.target_hex is not None)


def largest_group(position: Position, judge: Judge, found: Sequence[Candidate]) -> tuple[int, int]:
    """AFVs that bear on each other, and the enemy units through which they do."""
    sizes = [(0, 0)]
    for group in Interactions(judge, found).components():
        moves = [one.move for one in found if one.move.unit in group]
        enemies = shooters(position, judge, moves)
        enemies |= {u.id for hex_ in _targets(moves) for u in position.enemies_in(hex_)}
        sizes.append((len(group), len(enemies)))
    return max(sizes)


def shooters(position: Position, judge: Judge, moves: Iterable[PlannedMove]) -> set[str]:
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
        "additive plan", "share lost", "other targets", "second target", "V",
        title=f"What each scenario asks (searches of at most {seconds:g} s)",
        title_justify="left",
        caption=CAPTION,
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
            _best_text(row),
            "not got to" if row.additive is None else f"{row.additive.value:+.4f}",
            "" if lost is None else f"{lost:.0%}",
            "none ranked" if row.other_set is None else f"{row.other_set.value:+.4f}",
            "" if row.second_target is None else f"{row.second_target:+.4f}",
            _value_text(row.position_value),
        )
    return table


def _best_text(row: Interest) -> str:
    said = f"{row.best.value:+.4f} {row.best.status}{'' if row.finished else ', stopped'}"
    missed = row.best.value > row.searched + SAME
    return said + (f" (plain search {row.searched:+.4f})" if missed else "")


def _value_text(known: PositionValue) -> str:
    if known.exact:
        return f"{known.low:+.4f} exact"
    high = "" if known.high is None else f", at most {known.high:+.4f}"
    return f"at least {known.low:+.4f}{high}"


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
        "searched": row.searched,
        "status": row.best.status,
        "finished": row.finished,
        "additive": None if row.additive is None else row.additive.value,
        "share_lost": row.share_lost,
        "other_targets": None if row.other_set is None else row.other_set.value,
        "without_target": row.without,
        "second_target": row.second_target,
        "position_value": {
            "low": row.position_value.low,
            "high": row.position_value.high,
            "exact": row.position_value.exact,
        },
    }
