"""The benchmarks' own parts, and the fingerprint of the program's answers."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest
from click.testing import CliRunner

from benchmarks import fingerprint
from benchmarks.__main__ import main
from benchmarks.baselines import Effort
from benchmarks.figures import AIMS, Aim, Baseline, Figure, Unit, verdict
from benchmarks.generated import SIZES
from benchmarks.generated import position as generated
from benchmarks.generated import raw as generated_raw
from benchmarks.growth import AXES, STAGES, draw, growth, growth_form, growth_table
from benchmarks.instances import TWO_TANKS, Scale, case, instances, shipped_instances
from benchmarks.interest import best_of_all, interest, largest_group, shooters
from benchmarks.measures import Settings, measure
from benchmarks.plan_run import Plain, Search, plain_ways, search
from benchmarks.plans import NAMED, Limited, Row, averages, check, worth_at_stake
from benchmarks.report import report_form, shown
from benchmarks.timing import Times, TooSlowError, time_repeated, within
from planner.game.notation import parse_move
from planner.game.read_scenario import parse_scenario
from planner.search.candidates import Survey
from planner.search.effort import Limit, Wishes
from planner.search.plan import RankedPlan, plan
from planner.search.worth import Judge

KEPT = Path(__file__).parent / "fingerprint.toml"


def test_fingerprint() -> None:
    """Lines, candidates and values of fixed positions are what they were."""
    kept = tomllib.loads(KEPT.read_text("utf-8"))
    found = fingerprint.parts()
    changed = sorted(
        part for part in {*kept["parts"], *found} if kept["parts"].get(part) != found.get(part)
    )
    if changed or kept["fingerprint"] != fingerprint.whole(found):
        pytest.fail(
            f"answers have changed: {', '.join(changed)}\n"
            "If this is meant: python -m benchmarks fingerprint --write tests/fingerprint.toml",
            pytrace=False,
        )


def test_the_fingerprint_depends_on_each_part() -> None:
    parts = {"a lines": "01", "a values": "02"}
    assert fingerprint.whole(parts) == fingerprint.whole(dict(reversed(parts.items())))
    for part in parts:
        assert fingerprint.whole(parts) != fingerprint.whole({**parts, part: "03"})


def test_instances_are_of_every_scale() -> None:
    known = instances()
    assert set(shipped_instances()) < set(known)
    assert {one.scale for one in known.values()} == set(Scale)
    assert {one.scale for one in shipped_instances().values()} == set(Scale) - {Scale.CASE}


def test_times() -> None:
    times = Times(tuple(float(n) for n in range(20, 0, -1)))
    assert (times.least, times.median, times.p95) == (1.0, 10.5, 19.0)
    assert Times((3.0,)).p95 == 3.0


def test_each_run_gets_something_new() -> None:
    made: list[list[int]] = []
    used: list[int] = []

    def prepare() -> list[int]:
        made.append([len(made)])
        return made[-1]

    times = time_repeated(prepare, lambda one: used.append(one[0]), 3)
    assert used == [0, 1, 2]
    assert len(times.seconds) == len(times.cpu) == 3


def test_a_run_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(TooSlowError), within(0.01):
        sleep(60)
    with within(60):
        pass


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1.0, "met: 50% of the aim"),
        (2.0, "missed: 1.00 times the aim (50% of it in processor time)"),
        (3.0, "missed: 1.50 times the aim (75% of it in processor time)"),
    ],
)
def test_verdict_below_at_and_above_the_aim(seconds: float, said: str) -> None:
    figure = Figure("hint from the shell", Times((seconds,), (seconds / 2,)))
    aim = figure.aim(Scale.SKIRMISH)
    assert aim is not None
    assert verdict(figure, aim) == said


@pytest.mark.parametrize("aim", AIMS, ids=lambda aim: aim.measure)
def test_an_aim_is_for_positions_of_its_scale(aim: Aim) -> None:
    for scale in Scale:
        found = Figure(aim.measure, Times((1.0,))).aim(scale)
        assert found == (aim if aim.scale in (None, scale) else None)


@pytest.mark.parametrize(
    ("amount", "unit", "said"),
    [
        (0.0000004, Unit.SECONDS, "0.4 µs"),
        (0.000999, Unit.SECONDS, "999 µs"),
        (0.001, Unit.SECONDS, "1 ms"),
        (0.01234, Unit.SECONDS, "12.3 ms"),
        (1.0, Unit.SECONDS, "1 s"),
        (2345.6, Unit.SECONDS, "2346 s"),
        (2.5e8, Unit.BYTES, "250 MB"),
    ],
)
def test_amounts(amount: float, unit: Unit, said: str) -> None:
    assert shown(amount, unit) == said


def test_ratio_of_a_baseline() -> None:
    figure = Figure("lines", Times((2.0, 2.0, 8.0)))
    assert figure.ratio(Baseline("slow", 10.0)) == 5.0
    assert figure.ratio(Baseline("slow", 10.0, against=4.0)) == 2.5
    assert figure.ratio(Baseline("slow", None, "not run: too slow")) is None


def test_interest_of_the_two_tanks() -> None:
    """Both lose alone, so the additive plan stays; together they gain (cases/README.md)."""
    row = interest(case(TWO_TANKS), 30.0)
    assert (row.afvs, row.enemy_units, row.lines) == (2, 3, 10)
    assert row.group[0] == 2
    assert row.additive is not None
    assert row.additive.value == 0
    assert row.best.value == pytest.approx(0.4349922840)
    assert row.share_lost == 1
    assert row.other_set is not None
    assert row.other_set.value == 0
    assert row.without == {"0404": 0, "0503": 0}
    assert row.second_target == 0


def test_what_a_search_with_less_to_choose_from_finds_counts() -> None:
    """A poor plan is given up for the better one found without its target: here, staying."""
    position = case(TWO_TANKS).position
    poor = RankedPlan((parse_move(position, "T1 0304x0404-0505"),), -0.1619191529)
    best, avoiding = best_of_all(position, poor, 30.0)
    assert (best.moves, best.value) == ((), 0)
    assert (best.status, best.bound) == ("feasible", None)
    assert [one.moves for one in avoiding.values()] == [()]


@pytest.mark.slow
def test_measuring_the_two_tanks() -> None:
    """Every measure, each with the baselines that end in time, whose answers are compared."""
    told: list[Figure] = []
    settings = Settings(2, 5, 1, 30.0, Effort(30.0, 100))
    form = report_form(measure(case(TWO_TANKS), settings, told.append))
    assert [figure["measure"] for figure in form["figures"]] == [
        "load",
        "movement graph",
        "all lines, once loaded",
        "all lines, graph known",
        "candidates",
        "one single-move evaluation",
        "one whole-plan evaluation",
        "hint in process",
        "hint from the shell",
        "peak memory of the hint",
    ]
    assert len(told) == len(form["figures"])
    for figure in form["figures"]:
        assert 0 < figure["least"] <= figure["median"] <= figure["p95"]
        assert figure["baselines"]
        for baseline in figure["baselines"]:
            assert baseline["ratio"] == pytest.approx(baseline["figure"] / baseline["against"])
    assert form["figures"][-1]["aim"]["below"] == 400e6


def test_worth_at_stake_of_the_two_tanks() -> None:
    """Two tanks (10 and 6) against a gun, its leader and a bazooka team (12, 3 and 2)."""
    assert worth_at_stake(case(TWO_TANKS).position) == 33


def test_search_of_the_two_tanks() -> None:
    found = search(case(TWO_TANKS).position, 60.0)
    assert found.moves == ("T2 0402x0503-0603", "T1 0304x0404-0505")
    assert found.value == pytest.approx(0.4349922840)
    assert found.proven
    assert found.finished
    assert found.listed is not None
    assert found.first is not None
    assert found.best is not None
    assert 0 <= found.listed <= found.first <= found.best <= found.seconds


def test_plain_ways_do_not_see_that_the_two_tanks_gain_together() -> None:
    """Either move by itself loses (cases/README.md), so neither is taken."""
    ways = plain_ways(case(TWO_TANKS).position)
    assert [(way.moves, way.value) for way in ways] == [((), 0.0)] * 3


@pytest.mark.parametrize("seed", NAMED["section"][:2])
def test_plain_ways_are_worth_what_they_say(seed: int) -> None:
    position = generated("section", seed)
    best = search(position, 60.0)
    for way in plain_ways(position):
        moves = [parse_move(position, text) for text in way.moves]
        assert way.value == pytest.approx(Judge(position).value(moves), abs=1e-9)
        assert way.value is not None
        assert best.staying <= way.value <= best.value + 1e-6


FOUND = Search(
    value=4.0, staying=-1.0, moves=("T1",), status="feasible", bound=9.0, low=4.5, high=9.5,
    exact=False, candidates=3, lines=2, listed=0.25, first=0.5, best=0.75, seconds=1.5, work=10,
    finished=False,
)  # fmt: skip
PROVEN = replace(FOUND, value=5.0, status="optimal", bound=5.0, low=6.0, high=6.0, exact=True)
PLAIN = (
    Plain("additive selection", 1.0, (), 0.1),
    Plain("greedy, best singles", 1.5, (), 0.1),
    Plain("greedy, move by move", None, (), 300.0),
)


def made(*searches: Search, plain: tuple[Plain, ...] = PLAIN, stake: float = 20.0) -> Row:
    limited = tuple(Limited(float(i), one, 100 + i, 0.0) for i, one in enumerate(searches, 1))
    return Row("made", "company", 6, 18, (5, 9), 7, stake, plain, limited)


def test_a_row_is_held_against_the_best_known() -> None:
    row = made(replace(FOUND, bound=5.5), PROVEN)
    assert row.best_known == 5.0
    assert [row.share(one.found.value) for one in row.searches] == [pytest.approx(5 / 6), 1]
    assert [row.gap(one.found) for one in row.searches] == [pytest.approx(1.5 / 20), 0]
    better = Plain("greedy, best singles", 7.0, (), 0.1)
    assert made(FOUND, plain=(better,)).best_known == 7.0


def test_no_share_where_nothing_is_gained_and_no_gap_without_a_bound() -> None:
    staying = replace(FOUND, value=-1.0, bound=None)
    row = made(staying, plain=())
    assert row.share(-1.0) is None
    assert row.gap(staying) is None


def test_averages_of_rows() -> None:
    first, second = averages([made(FOUND, PROVEN), made(PROVEN, PROVEN)])
    assert (first.kind, first.limit, first.positions) == ("company", 1.0, 2)
    assert first.share == pytest.approx((5 / 6 + 1) / 2)
    assert first.least == pytest.approx(5 / 6)
    assert first.greedy == pytest.approx(2.5 / 6)
    assert first.additive == pytest.approx(2 / 6)
    assert (first.proven, first.exact) == (1, 1)
    assert first.over == pytest.approx(1 / 6)
    assert first.gap == pytest.approx((5 / 20 + 0) / 2)
    assert first.slowest_first == 0.25
    assert first.late == 0.5
    assert (second.limit, second.share, second.proven, second.late) == (2.0, 1, 2, 0.0)
    assert (first.peak_bytes, second.peak_bytes) == (101, 102)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(FOUND, bound=3.9),
        replace(FOUND, high=4.9),
        replace(FOUND, low=9.6),
        replace(FOUND, low=3.9),
        # A bound of one search is held against the plans of all.
        replace(FOUND, bound=4.9),
    ],
    ids=["bound", "high", "low above high", "low below value", "bound below another's plan"],
)
def test_a_bound_below_a_value_is_an_error(wrong: Search) -> None:
    check(made(FOUND, PROVEN))
    with pytest.raises(AssertionError):
        check(made(wrong, PROVEN))


def test_plans_compared_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "plans.json"
    chosen = ["--size", "platoon", "--seeds", "11-12", "--seconds", "60"]
    arguments = ["plans", *chosen, "--quick", "--json", str(file)]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    form = json.loads(file.read_text("utf-8"))
    assert form["settings"]["limits"] == [60.0]
    (row,) = form["positions"]
    assert row["name"] == "platoon-11"
    assert "platoon-11" in done.output
    (ours,) = row["searches"]
    values = [ours["found"]["value"], *(way["value"] for way in row["plain"])]
    assert row["best_known"] == max(values) > 0
    assert (ours["proven"], ours["share"]) == (True, 1)
    assert ours["gap"] == pytest.approx(0, abs=1e-6)
    assert ours["peak_bytes"] > 10e6
    assert [one["positions"] for one in form["averages"]] == [1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["plans", "--seeds", "1"], "--seeds goes with --size"),
        (["plans", "--size", "platoon", "--seeds", "4-2"], "seeds are written as"),
        (["plans", "--size", "platoon", "--seeds", "a"], "seeds are written as"),
        (["plans", "--seconds", "0"], "limits are numbers above 0"),
        (["plans", "--seconds", "1,nan"], "limits are numbers above 0"),
        (["plans", "platoon-0"], "There is no platoon-0"),
        (["scenarios", "--seconds", "1"], 'go with "plans"'),
    ],
)
def test_wrong_options_of_plans(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert said in done.output


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seed"), [(size, seed) for size in NAMED for seed in NAMED[size]])
def test_named_positions_are_worth_a_search(size: str, seed: int) -> None:
    """Some plan is better than staying; as many AFVs as the size asks for are in one group."""
    position = generated(size, seed)
    judge = Judge(position)
    found = Survey(position, judge, Wishes()).candidates
    assert largest_group(position, judge, found)[0] >= SIZES[size].attackers
    able = shooters(position, judge, (candidate.move for candidate in found))
    assert len(able) >= SIZES[size].shooters
    staying = judge.value([])
    told = [staying]

    def found_one() -> bool:
        return told[-1] > staying + 1e-6

    plan(
        position,
        Limit(work=100_000),
        on_progress=lambda progress: told.append(progress.value_to_mover),
        cancelled=found_one,
    )
    assert found_one()


# Growth.


def test_what_growth_changes() -> None:
    whole = generated_raw("battalion", 0)
    position = parse_scenario(whole)
    for axis, of in ((axis, axis.counts(position)) for axis in AXES):
        amounts = []
        for step in axis.steps:
            changed = parse_scenario(axis.change(whole, step))
            amounts.append(axis.counts(changed))
            others = [one for one in AXES if one.name not in (axis.name, "lines")]
            assert [o.counts(changed) for o in others] == [o.counts(position) for o in others]
        assert amounts == sorted(set(amounts)), axis.name
        if axis.name in ("AFVs", "shooters"):
            assert amounts == [min(step, of) for step in axis.steps]
    assert parse_scenario(whole).units == position.units  # the scenario itself stays as it is


@pytest.mark.slow
def test_growth_against_the_base(tmp_path: Path) -> None:
    few = [replace(axis, steps=axis.steps[:2]) for axis in AXES if axis.name in ("AFVs", "map")]
    found = growth((0,), few)
    assert [point.axis for point in found.points] == ["AFVs", "AFVs", "map", "map"]
    for stage in STAGES:
        assert found.ratio(found.base, stage) == 1.0
        assert all(found.ratio(point, stage) > 0 for point in found.points)
    # One AFV has fewer moves than the base's, and they take less time.
    one = found.points[0]
    assert one.candidates < found.base.candidates
    assert found.ratio(one, "single values") < 1.0
    form = growth_form(found)
    assert form["points"][0]["ratio"]["lines"] == found.ratio(one, "lines")
    assert growth_table(found).row_count == 4
    for kind, begin in (("png", b"\x89PNG"), ("svg", b"<?xml")):
        draw(found, tmp_path / f"growth.{kind}")
        assert (tmp_path / f"growth.{kind}").read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["growth", "--size", "company"], '--size and --seconds go with "plans".'),
        (["growth", "plans"], '"growth" goes alone'),
        (["plans", "--plot", "x.png"], '"growth" goes alone'),
    ],
)
def test_wrong_options_of_growth(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert said in done.stderr
