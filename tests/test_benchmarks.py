"""The benchmarks' own parts, and the fingerprint of the program's answers."""

from __future__ import annotations

import tomllib
from pathlib import Path
from time import sleep

import pytest

from benchmarks import fingerprint
from benchmarks.baselines import Effort
from benchmarks.figures import AIMS, Aim, Baseline, Figure, Unit, verdict
from benchmarks.instances import TWO_TANKS, Scale, case, instances, shipped_instances
from benchmarks.interest import best_of_all, interest
from benchmarks.measures import Settings, measure
from benchmarks.report import report_form, shown
from benchmarks.timing import Times, TooSlowError, time_repeated, within
from planner.game.notation import parse_move
from planner.search.plan import RankedPlan

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
