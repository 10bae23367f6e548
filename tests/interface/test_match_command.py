"""``overrun match``."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from planner.interface.program import overrun

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
    ("arguments", "place"),
    [
        ((), "SCENARIO"),
        (("steamroller", "--first", "nobody"), "--first"),
        (("steamroller", "--pairs", "0"), "--pairs"),
        (("--generated", "army:1"), "--generated[0]"),
        (("--generated", "section:3-1"), "--generated[0]"),
        (("--generated", "section:x"), "--generated[0]"),
        (("steamroller", "--jobs", "0"), "--jobs"),
    ],
)
def test_faults_have_their_place(arguments: tuple[str, ...], place: str) -> None:
    done = CliRunner().invoke(overrun, ["match", *arguments])
    assert done.exit_code == 2
    assert place in done.output
