"""A match on the screen and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from planner.interface.screen import say, show_table
from planner.interface.words import many, percent, signed
from planner.play.match import Contestant, MatchResult, OnPair, Pair
from planner.play.standing import CONFIDENCE, Interval, Standing

MANY = 50
"""From so many pairs on an interval of the margin that holds in the limit is a good one."""


def match_form(found: MatchResult) -> dict[str, Any]:
    """A match as JSON; intervals that say nothing yet are null."""
    return {
        "first": _contestant_form(found.first),
        "second": _contestant_form(found.second),
        **standing_form(found.standing),
        "stopped_early": found.stopped_early,
        "played": [_pair_form(pair) for pair in found.pairs],
        "seconds": found.seconds,
    }


def standing_form(standing: Standing) -> dict[str, Any]:
    """How a match stands as JSON; intervals that say nothing yet are null."""
    return {
        "pairs": standing.pairs,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "share": _interval_form(standing.share),
        "margin": _interval_form(standing.margin),
        "margin_at_most": standing.most,
        "confidence": CONFIDENCE,
        "decided": standing.decided,
    }


def _contestant_form(contestant: Contestant) -> dict[str, Any]:
    limit = contestant.limit
    return {"player": contestant.name, "seconds": limit.seconds, "work": limit.work}


def _interval_form(interval: Interval | None) -> dict[str, float | None] | None:
    if interval is None:
        return None
    return {
        "value": interval.value,
        "low": interval.low if isfinite(interval.low) else None,
        "high": interval.high if isfinite(interval.high) else None,
    }


def _pair_form(pair: Pair) -> dict[str, Any]:
    return {
        "pair": pair.number + 1,
        "scenario": pair.fixture,
        "scores": [game.score for game in pair.games],
        "difference": pair.difference,
        "decisions": [game.decisions for game in pair.games],
        "longest": max(game.longest for game in pair.games),
        "moves": [game.moves for game in pair.games],
    }


def show_match(found: MatchResult) -> None:
    """The standing in words, and each scenario's share in it."""
    first, second = found.first.name, found.second.name
    say(f"{first} against {second}", "bold")
    by_fixture: dict[str, list[Pair]] = {}
    for pair in found.pairs:
        by_fixture.setdefault(pair.fixture, []).append(pair)
    rows = []
    for fixture, pairs in by_fixture.items():
        scores = [sum(p.games[i].score for p in pairs) / len(pairs) for i in (0, 1)]
        mean = sum(pair.difference for pair in pairs) / len(pairs)
        rows.append([fixture, str(len(pairs)), signed(scores[0]), signed(scores[1]), signed(mean)])
    columns = ["scenario", "pairs", f"side 1: {first}", f"side 1: {second}", "margin"]
    show_table(columns, rows, right=[1, 2, 3, 4], folding=[0])
    say()
    for line in _told(found.standing, first, second):
        say(line)
    if found.stopped_early:
        say("Stopped as soon as that was certain enough.")


def _told(standing: Standing, first: str, second: str) -> Iterator[str]:
    """The standing in words."""
    yield (
        f"{many(standing.pairs, 'pair')}: {first} won {standing.wins}, {second} "
        f"{standing.losses}, {standing.draws} drawn."
    )
    if standing.share is not None:
        share = standing.share
        yield (
            f"Of the pairs that were not drawn {first} won {percent(share.value)} "
            f"({percent(share.low)} to {percent(share.high)})."
        )
    margin = standing.margin
    said = f"Margin of a pair: {signed(margin.value)}"
    if not standing.pairs:
        pass
    elif standing.most is not None:
        yield (
            f"{said} ({signed(margin.low)} to {signed(margin.high)}, "
            f"where a pair may be worth {standing.most:,.0f} either way)."
        )
    elif isfinite(margin.low):
        rough = "" if standing.pairs >= MANY else "; roughly, with so few pairs"
        yield f"{said} ({signed(margin.low)} to {signed(margin.high)}{rough})."
    elif standing.pairs > 1:
        yield f"{said} in each of them: that shows no interval."
    better = first if standing.wins > standing.losses else second
    said = f"{better} is the better" if standing.decided else "neither is shown to be the better"
    yield f"With {percent(CONFIDENCE)} confidence, however often one looks: {said}."
    yield (
        f"side 1: what the side that a scenario lists first has on average when that player plays "
        f"it. margin: what {first} has of both games of a pair less what {second} has."
    )


@contextmanager
def pairs_shown(most: int) -> Iterator[OnPair | None]:
    """A bar of the pairs played, on the standard error stream if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr, markup=False),
        transient=True,
    )
    with bar:
        task = bar.add_task("pairs", total=most)

        def on_pair(pair: Pair, standing: Standing) -> None:
            told = f"won {standing.wins} lost {standing.losses} drawn {standing.draws}"
            bar.update(task, advance=1, description=told)

        yield on_pair
