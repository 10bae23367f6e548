"""Matches: the table for people and the JSON for machines."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from rich.table import Table

from benchmarks.matches import Row, Sanity, Settings
from planner.interface.show_match import match_form, standing_form
from planner.interface.words import percent, signed
from planner.play.levels import BEST
from planner.play.standing import CONFIDENCE, Standing

CAPTION = f"""\
{BEST} against each baseline, in pairs of games under the same luck with the sides changed
won, drawn, lost: of the pairs; a pair is won by the player whom its two games bring more
difference: what {BEST} has of a pair more than the baseline, on average, and the interval in which
that lies with {percent(CONFIDENCE)} confidence, however often one looks
as mover: {BEST} instead of the baseline on the side that moves first, against the baseline; as
defender: on the other side; a pair's two parts add up to the whole
*: stopped before its last pair, as it was certain who is the better"""

SIDES = ("whole", "as mover", "as defender")
WHAT = "won/drawn/lost, difference"


def matches_table(rows: Sequence[Row]) -> Table:
    """A line for each match."""
    table = Table(
        "positions", "baseline", "pairs", *(f"{one}\n{WHAT}" for one in SIDES),
        title="Matches", title_justify="left", caption=CAPTION, caption_justify="left",
    )  # fmt: skip
    for i, row in enumerate(rows):
        table.add_row(
            row.ground,
            row.baseline,
            f"{row.whole.standing.pairs}{'*' if row.settled else ''}",
            _told(row.whole.standing),
            _told(row.as_mover),
            _told(row.as_defender),
            end_section=i + 1 < len(rows) and rows[i + 1].ground != row.ground,
        )
    return table


def _told(standing: Standing) -> str:
    """Pairs won, drawn and lost, and the mean difference with its interval."""
    if standing.pairs == 0:
        return ""
    counts = f"{standing.wins}/{standing.draws}/{standing.losses}"
    return f"{counts:<10}{margin_text(standing)}"


def margin_text(standing: Standing) -> str:
    """The mean difference of a pair, with its interval as far as there is one."""
    margin = standing.margin
    if not isfinite(margin.low):
        return signed(margin.value)
    return f"{signed(margin.value)} ({signed(margin.low)} to {signed(margin.high)})"


def row_text(row: Row) -> str:
    """A match in one line."""
    seconds = row.whole.seconds + row.plain.seconds
    return f"{row.ground}, {row.baseline}: {_told(row.whole.standing)} ({seconds:.0f} s)"


def sanity_lines(found: Sanity) -> list[str]:
    """What came of the bot's matches against itself."""
    pairs, unpaired = len(found.paired.pairs), found.unpaired.standing
    lines = []
    if pairs:
        lines.append(
            f"{BEST} against itself under the same luck: {found.identical} of {pairs} pairs "
            "have two identical games."
        )
    if unpaired.pairs:
        holds = unpaired.margin.low <= 0.0 <= unpaired.margin.high
        lines.append(
            f"{BEST} against itself, each game with dice of its own: difference "
            f"{margin_text(unpaired)} in {unpaired.pairs} pairs; the interval "
            f"{'holds' if holds else 'does not hold'} 0."
        )
    return lines


def matches_form(rows: Sequence[Row], settings: Settings, found: Sanity | None) -> dict[str, Any]:
    """All of it for machines. The seconds are the clock's; all else is the same anywhere."""
    return {
        "work": settings.work,
        "matches": [
            {
                "positions": row.ground,
                "baseline": row.baseline,
                "settled": row.settled,
                "whole": standing_form(row.whole.standing),
                "as_mover": standing_form(row.as_mover),
                "as_defender": standing_form(row.as_defender),
                "match": match_form(row.whole),
                "baseline_itself": match_form(row.plain),
            }
            for row in rows
        ],
        "sanity": None
        if found is None
        else {
            "paired": match_form(found.paired),
            "identical": found.identical,
            "unpaired": match_form(found.unpaired),
            "holds": found.holds,
        },
    }
