"""The benchmark of matches: rows, their parts, when they stop, what is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import main
from benchmarks.instances import TWO_TANKS, case, drawn, shipped_instances
from benchmarks.matches import (
    BASELINES,
    FULL,
    QUICK,
    Ground,
    Hall,
    Row,
    Sanity,
    asked_for,
    certain,
    compare,
    grounds,
    sanity,
)
from benchmarks.show_matches import margin_text, matches_form, matches_table, sanity_lines
from planner.game.play_state import new_game
from planner.play.levels import BEST
from planner.play.match import Contestant, Fixture, MatchResult, Pair, Played, match
from planner.play.players import PLAIN_DEFENDERS, PLAIN_MOVERS, player
from planner.play.spread import Alone
from planner.play.standing import standing
from planner.search.effort import Limit

SETTINGS = replace(QUICK, pairs=3)
TANKS = Ground("tanks", (Fixture("two-tanks", new_game(case(TWO_TANKS).position)),))


def hall(
    told: Callable[[str], None] = lambda text: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Hall:
    return Hall(Alone(), told, cancelled)


def test_every_plain_player_is_in_a_baseline() -> None:
    parts = [(name.split("/") * 2)[:2] for name in BASELINES]
    assert {mover for mover, _ in parts} == set(PLAIN_MOVERS)
    assert {defender for _, defender in parts} == set(PLAIN_DEFENDERS)
    assert all(player(name) for name in BASELINES)


@pytest.mark.parametrize("baseline", BASELINES)
def test_the_parts_of_a_row_are_matches_of_their_own(baseline: str) -> None:
    """As mover: a player that moves first as the bot and otherwise is the baseline."""
    row = compare(TANKS, baseline, SETTINGS, hall())
    whole = [pair.difference for pair in row.whole.pairs]
    assert len(whole) == SETTINGS.pairs

    limit = Limit(work=SETTINGS.work)
    mover, _, defender = (baseline if "/" in baseline else f"{baseline}/{baseline}").partition("/")
    # Only red moves here, so the two parts can be named.
    parts = {
        "as_mover": (f"{BEST}/{defender}", row.as_mover),
        "as_defender": (f"{mover}/{BEST}", row.as_defender),
    }
    sums = [0.0] * len(whole)
    for part, (name, found) in parts.items():
        alone = match(TANKS.fixtures, Contestant(name, limit), Contestant(baseline, limit), 3)
        differences = [pair.difference for pair in alone.pairs]
        assert found == standing(differences), part
        sums = [a + b for a, b in zip(sums, differences, strict=True)]
    assert sums == pytest.approx(whole)


def made(scores: list[tuple[float, float]]) -> MatchResult:
    """A match with these payoffs of red in the two games of each pair."""
    pairs = tuple(
        Pair(i, "made", (Played(a, 1, 0.0, 0.0, f"{a}"), Played(b, 1, 0.0, 0.0, f"{b}")))
        for i, (a, b) in enumerate(scores)
    )
    one = Contestant(BEST)
    now = standing([pair.difference for pair in pairs])
    return MatchResult(one, one, pairs, now, False, 0.0)


def test_parts_of_a_row_by_hand() -> None:
    """Red has 5 with the bot moving, 1 with the bot defending, 2 with the baseline doing both."""
    row = Row("made", "random", made([(5, 1), (0, 0)]), made([(2, 2)]), settled=False)
    assert row.whole.standing.margin.value == 4.0
    assert (row.as_mover.pairs, row.as_mover.margin.value) == (1, 6.0)
    assert (row.as_defender.pairs, row.as_defender.margin.value) == (1, 2.0)


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([1.0, 2.0] * 8, True),
        ([1.0, 2.0] * 2, False),
        ([0.0] * 16, False),
        ([1.0, -1.0] * 8, False),
        # Most pairs are won by a little, and the others lost by much.
        ([1.0] * 20 + [-30.0] * 2, False),
    ],
    ids=["all won", "too few", "all drawn", "even", "won by little"],
)
def test_who_is_certainly_the_better(differences: list[float], expected: bool) -> None:
    assert certain(standing(differences)) is expected


def test_a_row_stops_when_it_is_certain_after_a_whole_round() -> None:
    """Two positions in turn: seven pairs won are enough, but it is looked at after eight."""
    fixtures = [Fixture(f"section-{s}", new_game(drawn("section", s).position)) for s in (10, 11)]
    settings = replace(QUICK, pairs=11, least=7, work=60)
    told: list[str] = []
    row = compare(Ground("section", tuple(fixtures)), "random", settings, hall(told.append))
    assert certain(standing([pair.difference for pair in row.whole.pairs[:7]]))
    assert row.settled
    assert len(row.whole.pairs) == len(row.plain.pairs) == 8
    assert told[0].startswith("section, random: 1 of 12 pairs, won ")


def test_lots_are_drawn_anew_in_each_pair() -> None:
    """Otherwise a player that draws lots would begin all games of a position alike."""
    row = compare(TANKS, "random", replace(SETTINGS, pairs=12), hall())
    begun = {pair.games[0].moves for pair in row.plain.pairs}
    assert len(begun) > 4
    assert all(pair.games[0].moves == pair.games[1].moves for pair in row.plain.pairs)


def test_a_stop_keeps_what_was_played() -> None:
    told: list[str] = []
    row = compare(TANKS, "random", SETTINGS, hall(told.append, lambda: len(told) >= 2))
    assert len(row.whole.pairs) == 2
    assert not row.settled
    form = matches_form([row], SETTINGS, None)
    assert [one["whole"]["pairs"] for one in form["matches"]] == [2]
    assert form["matches"][0]["as_mover"]["pairs"] == 0
    assert matches_table([row]).row_count == 1


def test_the_bot_against_itself_is_even() -> None:
    found = sanity([TANKS], replace(SETTINGS, rounds=4), hall())
    assert (len(found.paired.pairs), found.identical) == (1, 1)
    assert found.unpaired.standing.pairs == 4
    assert any(pair.difference for pair in found.unpaired.pairs)
    assert found.holds
    one, other = sanity_lines(found)
    assert "1 of 1 pairs" in one
    assert other.endswith("in 4 pairs; the interval holds 0.")


EVEN, UNEVEN, ONE_SIDED = made([(1, 1)]), made([(1, 0)]), made([(1, 0), (1.1, 0)] * 20)


@pytest.mark.parametrize(
    ("paired", "unpaired", "holds"),
    [(EVEN, EVEN, True), (UNEVEN, EVEN, False), (EVEN, ONE_SIDED, False)],
    ids=["even", "games differ", "one side is better"],
)
def test_sanity(paired: MatchResult, unpaired: MatchResult, holds: bool) -> None:
    found = Sanity(paired, unpaired)
    assert found.holds is holds
    assert ("does not hold 0" in sanity_lines(found)[1]) is (unpaired is ONE_SIDED)


@pytest.mark.parametrize(
    ("differences", "said"),
    [
        ([2.0], "+2.00"),
        ([1.0, 1.0], "+1.00"),
        ([1.0, 2.0], "+1.50 (-0.96 to +3.96)"),
    ],
    ids=["one pair has no interval", "all alike have none", "some spread"],
)
def test_margins(differences: list[float], said: str) -> None:
    assert margin_text(standing(differences)) == said


def test_grounds_are_scenarios_and_kinds() -> None:
    steamroller = shipped_instances()["steamroller"]
    chosen = [("shipped", steamroller), *(("section", drawn("section", s)) for s in (2, 3))]
    assert [(g.name, [f.name for f in g.fixtures]) for g in grounds(chosen)] == [
        ("steamroller", ["steamroller"]),
        ("section", ["section-2", "section-3"]),
    ]


def test_settings_asked_for() -> None:
    assert asked_for(FULL, None, None) == FULL
    assert FULL.most("ponyri") < FULL.most("platoon")
    other = asked_for(FULL, 7, 5)
    assert (other.work, other.most("ponyri"), other.most("platoon")) == (7, 5, 5)


def run(tmp_path: Path, *arguments: str) -> tuple[str, dict[str, Any]]:
    file = tmp_path / "matches.json"
    asked = ["matches", "--quick", "--json", str(file), *arguments]
    done = CliRunner().invoke(main, asked, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output, json.loads(file.read_text("utf-8"))


def test_matches_from_the_command_line(tmp_path: Path) -> None:
    chosen = ("--size", "section", "--seeds", "2", "--jobs", "1", "--baseline", "own-line/random")
    output, form = run(tmp_path, *chosen, "--pairs", "2", "--work", "5")
    assert form["settings"]["work"] == form["work"] == 5
    (found,) = form["matches"]
    assert (found["positions"], found["baseline"]) == ("section", "own-line/random")
    whole, *parts = (found[one] for one in ("whole", "as_mover", "as_defender"))
    assert whole["pairs"] == 2
    assert whole["margin"]["value"] == pytest.approx(sum(p["margin"]["value"] for p in parts))
    assert form["sanity"]["holds"]
    assert "own-line/random" in output
    assert "1 of 1 pairs have two identical games" in output


@pytest.mark.slow
def test_the_same_matches_in_any_number_of_processes(tmp_path: Path) -> None:
    """All that is quick, twice: nothing but the clock differs."""

    def told(form: Any) -> Any:
        if isinstance(form, list):
            return [told(one) for one in form]
        if isinstance(form, dict):
            return {k: told(one) for k, one in form.items() if k not in ("seconds", "longest")}
        return form

    found = [run(tmp_path, "steamroller", "--size", "platoon", "--jobs", jobs)[1] for jobs in "12"]
    for form in found:
        assert len(form["matches"]) == 2 * len(BASELINES)
        assert form["sanity"]["holds"]
    alone, together = found
    assert told(alone["matches"]) == told(together["matches"])
    assert told(alone["sanity"]) == told(together["sanity"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["matches", "--seconds", "1"], '"matches" goes alone'),
        (["matches", "--plot", "x.png"], '"matches" goes alone'),
        (["matches", "plans"], '"matches" goes alone'),
        (["matches", "--baseline", "grandmaster"], "there is no player 'grandmaster'"),
        (["matches", "--pairs", "0"], "Invalid value for '--pairs'"),
        (["matches", "nowhere"], "There is no nowhere"),
        (["matches", "--seeds", "1"], "--seeds goes with --size"),
        (["plans", "--pairs", "3"], 'go with "matches"'),
        (["--baseline", "random"], 'go with "matches"'),
    ],
)
def test_wrong_options(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert said in done.output
