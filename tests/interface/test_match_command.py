"""``overrun match``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from planner.interface.program import overrun
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


def test_a_game_that_is_over_is_no_match(tmp_path: Path) -> None:
    path = str(tmp_path / "over.json")
    assert run("apply", TWO_TANKS, "end", "--out", path).exit_code == 0
    assert run("apply", path, "end", "--out", path).exit_code == 0
    ((place, said),) = faults("match", path)
    assert (place, said.endswith(" is over")) == ("SCENARIO", True)
