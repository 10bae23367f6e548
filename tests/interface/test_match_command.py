"""``overrun match``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import planner
from planner.game.play_state import new_game
from planner.interface.program import overrun
from planner.interface.show_match import show_match, standing_form
from planner.play.generated import position as generated
from planner.play.match import Contestant, MatchResult, Pair, Played, most_of_a_pair
from planner.play.standing import standing
from planner.search.effort import Limit
from tests.interface.command import TWO_TANKS, faults, run

QUICK = ("--jobs", "1", "--turns", "1", "--work", "5")


def test_a_match_as_json() -> None:
    told = ("match", "steamroller", "--generated", "section:1-2", "--pairs", "3", *QUICK)
    plain = ("--first", "random", "--second", "own-line/fire-at-once")
    done = CliRunner().invoke(overrun, [*told, *plain, "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [pair["scenario"] for pair in found["played"]] == [
        "steamroller",
        "section-1",
        "section-2",
    ]
    assert found["wins"] + found["draws"] + found["losses"] == found["pairs"] == 3
    positions = [planner.load("steamroller"), generated("section", 1), generated("section", 2)]
    assert found["margin_at_most"] == max(most_of_a_pair(new_game(p)) for p in positions)
    assert found["margin"]["low"] < found["margin"]["value"] < found["margin"]["high"]


@pytest.mark.parametrize(
    ("arguments", "place", "said"),
    [
        ((), "SCENARIO", "no position is named"),
        (("steamroller", "--first", "nobody"), "--first", "there is no player 'nobody'"),
        (("steamroller", "--pairs", "0"), "--pairs", "0 is too small"),
        (("--generated", "army:1"), "--generated[0]", '"army" is no size'),
        (("--generated", "section:3-1"), "--generated[0]", "1 comes before 3"),
        (("--generated", "section:x"), "--generated[0]", '"x" is no whole number'),
        (("--generated", "section:1-1001"), "--generated[0]", "asks for 1001 positions"),
        (("steamroller", "--jobs", "0"), "--jobs", "0 is too small"),
        (("steamroller", "steamroller"), "SCENARIO", '"steamroller" is given 2 times'),
        (
            ("--generated", "section:1-2", "--generated", "section:2"),
            "SCENARIO",
            '"section-2" is given 2 times',
        ),
    ],
)
def test_faults_have_their_place(arguments: tuple[str, ...], place: str, said: str) -> None:
    ((where, fault),) = faults("match", *arguments)
    assert where == place
    assert said in fault


@pytest.mark.parametrize(
    ("differences", "said"),
    [
        ([2.0, -1.0, 0.0], ["Of the pairs that were not drawn ace won 50 % (", "roughly"]),
        ([1.0, 1.0], ["Margin of a pair: +1.00 in each of them: that shows no interval."]),
        ([0.0], ["1 pair: ace won 0, random 0, 1 drawn.", "neither is shown to be the better."]),
        ([3.0, 4.0] * 30, ["Margin of a pair: +3.50 (+3.", "confidence", "ace is the better."]),
    ],
)
def test_a_standing_in_words(
    differences: list[float], said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tuple(
        Pair(number, "a place", (Played(d / 2, 1, 0.0, 0.0, ""), Played(0.0, 1, 0.0, 0.0, "")))
        for number, d in enumerate(differences)
    )
    one, other = (Contestant(name, Limit(work=1)) for name in ("ace", "random"))
    show_match(MatchResult(one, other, pairs, standing(differences), False, 0.0))
    shown = capsys.readouterr().out
    assert [text for text in said if text not in shown] == []
    assert ("roughly" in shown) is ("roughly" in said)


@pytest.mark.parametrize(
    ("differences", "low", "high"),
    [([2.0, -1.0, 0.0], -35.51, 36.26), ([1.0, 1.0], -40.0, 40.0), ([1.0] * 60, -2.20, 4.04)],
    ids=["few", "two alike", "many alike"],
)
def test_words_and_json_tell_the_same_interval(
    differences: list[float], low: float, high: float, capsys: pytest.CaptureFixture[str]
) -> None:
    now = standing(differences, 40.0)
    one, other = (Contestant(name, Limit(work=1)) for name in ("ace", "random"))
    show_match(MatchResult(one, other, (), now, False, 0.0))
    mean = sum(differences) / len(differences)
    told = f"Margin of a pair: {mean:+.2f} ({low:+.2f} to {high:+.2f}, where a pair may be worth 40"
    assert told in " ".join(capsys.readouterr().out.split())
    form = standing_form(now)
    assert form["margin_at_most"] == 40.0
    assert form["margin"] == pytest.approx({"value": mean, "low": low, "high": high}, abs=5e-3)


def test_a_game_that_is_over_is_no_match(tmp_path: Path) -> None:
    path = str(tmp_path / "over.json")
    assert run("apply", TWO_TANKS, "end", "--out", path).exit_code == 0
    assert run("apply", path, "end", "--out", path).exit_code == 0
    ((place, said),) = faults("match", path)
    assert (place, said.endswith(" is over")) == ("SCENARIO", True)
