"""``overrun match``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import click

from planner.game.faults import shown
from planner.game.play_state import new_game
from planner.interface.asked import MOST_SECONDS, MOST_WORK, Asked, Command, json_option
from planner.interface.printing import print_json
from planner.interface.show_match import match_form, pairs_shown, show_match
from planner.interface.stopping import stoppable
from planner.play.generated import SIZES
from planner.play.generated import position as generated
from planner.play.match import Contestant, Fixture, match, most_of_a_pair
from planner.play.players import UnknownPlayerError, names, player
from planner.play.spread import Alone, Cluster, Processes, Spread
from planner.search.effort import Limit

USUAL_WORK = "300"
"""Work units for a decision when nothing is said of limits: the same results on any machine."""
MOST_PAIRS = 1_000_000
MOST_SEED = 1_000_000
MOST_JOBS = 1024
MOST_GENERATED = 1000
MOST_TURNS = 1000


@click.command("match", cls=Command)
@click.argument("scenario", nargs=-1)
@click.option("--first", metavar="PLAYER", default="ace", show_default=True, help="The one player.")
@click.option(
    "--second",
    metavar="PLAYER",
    default="own-line/fire-at-once",
    show_default=True,
    help="The other.",
)
@click.option(
    "--generated",
    metavar="SIZE:SEEDS",
    multiple=True,
    help="Play on generated positions too: section, platoon, company, battalion or regiment, and "
    "seeds such as 3 or 1-5.",
)
@click.option(
    "--pairs", metavar="N", default="10", show_default=True, help="At most so many pairs."
)
@click.option("--seed", metavar="N", default="0", show_default=True, help="Seed of the dice.")
@click.option("--turns", metavar="N", help="Play at most so many turns of each scenario.")
@click.option("--seconds", metavar="S", help="Wall-clock seconds for a decision.")
@click.option(
    "--work",
    metavar="W",
    help=f"Work units for a decision ({USUAL_WORK} unless this or --seconds is given): the same "
    "results everywhere.",
)
@click.option("--until-decided", is_flag=True, help="Stop as soon as one is the better.")
@click.option("--unpaired", is_flag=True, help="Give the two games of a pair dice of their own.")
@click.option("--jobs", metavar="N", help="Play in so many processes (all cores unless given).")
@click.option(
    "--dask", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler (extra: cluster)."
)
@json_option
def command(
    scenario: tuple[str, ...],
    first: str,
    second: str,
    generated: tuple[str, ...],
    pairs: str,
    seed: str,
    turns: str | None,
    seconds: str | None,
    work: str | None,
    until_decided: bool,
    unpaired: bool,
    jobs: str | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Two players against each other, under the same luck.

    Each pair of games meets the same dice and counts together.

    A PLAYER is a bot's level or a plain player, or MOVER/DEFENDER: one that moves and one that is
    moved against. Each pair is played twice with the sides changed. Ctrl-C stops: what was played
    counts.
    """
    asked = Asked()
    most = asked.whole("--pairs", pairs, 1, MOST_PAIRS)
    number = asked.whole("--seed", seed, 0, MOST_SEED)
    limit = Limit(
        asked.number("--seconds", seconds, zero=False, high=MOST_SECONDS),
        asked.whole("--work", work, 1, MOST_WORK),
    )
    if seconds is None and work is None:
        limit = Limit(work=int(USUAL_WORK))
    contestants = [
        Contestant(_known(asked, place, text), limit)
        for place, text in (("--first", first), ("--second", second))
    ]
    count = asked.whole("--jobs", jobs, 1, MOST_JOBS)
    last = asked.whole("--turns", turns, 1, MOST_TURNS)
    fixtures = [*_written(asked, scenario), *_generated(asked, generated)]
    if not scenario and not generated:
        asked.fault("SCENARIO", "no position is named", "scenarios, --generated, or both")
    for name, times in Counter(fixture.name for fixture in fixtures).items():
        if times > 1:  # it would be played with the same dice again, and counted as if it were not
            asked.fault("SCENARIO", f"{shown(name)} is given {times} times", "each position once")
    asked.done()
    fixtures = [_shortened(fixture, last) for fixture in fixtures]
    with pairs_shown(most or 1) as on_pair, stoppable() as cancelled:
        found = match(
            fixtures,
            contestants[0],
            contestants[1],
            most or 1,
            number or 0,
            same_luck=not unpaired,
            until_decided=until_decided,
            most=max(most_of_a_pair(fixture.game) for fixture in fixtures),
            spread=_spread(asked, count, dask),
            on_pair=on_pair,
            cancelled=cancelled,
        )
    if as_json:
        print_json(match_form(found))
    else:
        show_match(found)


def _known(asked: Asked, place: str, text: str) -> str:
    try:
        player(text)
    except UnknownPlayerError as error:
        asked.fault(place, str(error), f"one of {', '.join(names())}, or MOVER/DEFENDER")
    return text


def _written(asked: Asked, scenarios: Sequence[str]) -> Iterator[Fixture]:
    for name in scenarios:
        game = asked.game(name)
        if game.over:
            asked.fault("SCENARIO", f"{shown(name)} is over", "a game that goes on")
        yield Fixture(name, game)


def _generated(asked: Asked, texts: Sequence[str]) -> Iterator[Fixture]:
    for index, text in enumerate(texts):
        place = f"--generated[{index}]"
        size, _, seeds = text.partition(":")
        low, dash, high = seeds.partition("-")
        if not asked.known(place, "size of generated positions", size, list(SIZES)):
            continue
        first = asked.whole(place, low, 0, MOST_SEED)
        last = asked.whole(place, high, 0, MOST_SEED) if dash else first
        if first is not None and last is not None:
            if last < first:
                asked.fault(place, f"{last} comes before {first}", "seeds from low to high")
            if last - first >= MOST_GENERATED:
                said = f"asks for {last - first + 1} positions"
                asked.fault(place, said, f"at most {MOST_GENERATED}")
                continue
            for seed in range(first, last + 1):
                yield Fixture(f"{size}-{seed}", new_game(generated(size, seed)))


def _shortened(fixture: Fixture, turns: int | None) -> Fixture:
    """The fixture with so many turns to play at most."""
    position = fixture.game.position
    if turns is None:
        return fixture
    last = min(position.turns, position.turn + turns - 1)
    return Fixture(fixture.name, replace(fixture.game, position=position.with_units(turns=last)))


def _spread(asked: Asked, jobs: int | None, dask: str | None) -> Spread:
    if dask is not None:
        try:
            import distributed  # noqa: F401
        except ModuleNotFoundError:
            asked.fault("--dask", "Dask is not installed", "the extra: overrun-planner[cluster]")
            asked.done()
        return Cluster(dask)
    count = jobs or os.cpu_count() or 1
    return Alone() if count == 1 else Processes(count)
