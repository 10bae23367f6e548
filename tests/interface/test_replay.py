from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from planner.game.read_scenario import parse_game
from planner.play.record_file import record_schema
from tests.interface.command import TWO_TANKS, answer, faults, run
from tests.interface.test_screen import COLOUR, on_a_terminal
from tests.play.players import begun, played


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a game that players drawn by lot have played."""
    path = tmp_path / "game.jsonl"
    played(path)
    return path


def test_a_record_in_words(record: Path) -> None:
    result = run("replay", str(record))
    assert result.exit_code == 0
    for words in (
        "4  blue: fire G1:gun",
        "odds: T1 ready 42 %, immobilised 31 %, destroyed 28 %",
        "the shot of G1 rolls 7",
        "M: T1: ready -> immobilised",
        "T2 overruns G1 and L1 in 0404: strength 4, +2 to the roll",
        "B1:bazooka is used up",
        "the Movement Phase of blue ends",
        "turn 1 ends; Fire markers come off",
        "9  red: end (nothing else is legal)",
        "score: red -5.00, blue +5.00",
        "14 decisions, all as the rules have it.",
    ):
        assert words in result.stdout, words


def test_a_record_as_json(record: Path) -> None:
    form = answer("replay", str(record))
    assert (form["faults"], form["torn"], form["decisions"], form["over"]) == ([], False, 14, True)
    assert form["score"] == {"red": -5.0, "blue": 5.0}
    assert form["steps"][3]["dice"] == [7]
    assert form["steps"][3]["happened"][1]["after"] == "immobilised"
    assert form["scenario"]["over"]


@pytest.mark.parametrize(("to", "decider"), [(0, "red"), (1, "blue"), (6, "red"), (7, "blue")])
def test_up_to_a_decision(to: int, decider: str, record: Path) -> None:
    form = answer("replay", str(record), "--to", str(to))
    assert (form["decisions"], form["decider"]) == (to, decider)
    folder = Path(TWO_TANKS).parent
    assert parse_game(form["scenario"], folder).decider == decider
    shown = run("replay", str(record), "--to", str(to)).stdout
    assert "The record goes on to decision 14." in shown
    assert "--resume" not in shown  # that goes on at the record's end, and not here


def test_the_end_of_a_game_is_told(record: Path) -> None:
    assert "The game is over." in run("replay", str(record)).stdout


def test_a_decision_that_is_not_carried_out_is_told(record: Path) -> None:
    """Cut after a throw of decision 7: what is decided, and what was thrown for it."""
    lines = record.read_bytes().splitlines(keepends=True)
    thrown = [number for number, line in enumerate(lines) if b'"event":"dice"' in line]
    record.write_bytes(b"".join(lines[: thrown[0]]))
    assert "not carried out yet\n" in run("replay", str(record)).stdout
    record.write_bytes(b"".join(lines[: thrown[0] + 1]))
    shown = run("replay", str(record)).stdout
    assert "4  blue: fire G1:gun\n    odds: T1 ready 42 %" in shown
    assert "not carried out yet; thrown so far: 7\n" in shown


def test_a_forgery_is_told_with_its_line_and_status_1(record: Path) -> None:
    text = record.read_text().replace('"total":7', '"total":8', 1)
    record.write_text(text)
    result = run("replay", str(record))
    assert result.exit_code == 1
    assert "line 9: the dice show 8, and the seed fixes them (7)" in result.stdout
    form = answer("replay", str(record), status=1)
    assert form["faults"][0]["place"] == "line 9"
    again = run("replay", str(record), "--resume")  # it is not gone on with
    assert (again.exit_code, "line 9" in again.stdout) == (1, True)
    assert record.read_text() == text


def test_a_torn_line_is_passed_over(record: Path) -> None:
    data = record.read_bytes()
    record.write_bytes(data[:-7])
    result = run("replay", str(record))
    assert (result.exit_code, "The last line is torn" in result.stdout) == (0, True)
    assert answer("replay", str(record))["torn"]


def test_decisions_taken_back_are_told(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with begun(path) as session:
        session.step()
        session.back("red")
    result = run("replay", str(path))
    assert "decision 1 is taken back" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "place", "said"),
    [
        (("nowhere",), "file", "there is no such file"),
        (("",), "FILE", "names no file"),
        ((TWO_TANKS,), "line 1", "is no JSON"),
        (("nowhere", "--to", "x"), "--to", '"x" is no whole number'),
        (("nowhere", "--to", "-1"), "--to", "-1 is too small"),
        (("nowhere", "--to", "1", "--resume"), "--to", "stands beside --resume"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], place: str, said: str) -> None:
    found = faults("replay", *arguments)
    assert found[0][0] == place
    assert said in found[0][1]


def test_players_that_nobody_knows_can_not_go_on(record: Path) -> None:
    """The players of this record are the tests' own."""
    found = faults("replay", str(record), "--resume")
    assert found == [("line 1: seats", found[0][1])]
    assert "drawn" in found[0][1]


def test_the_schema_of_records() -> None:
    assert json.loads(run("schema", "record").stdout) == record_schema()
    Draft202012Validator.check_schema(record_schema())


@pytest.mark.parametrize("columns", [40, 80])
def test_a_terminal_gets_a_coloured_map_and_no_color_is_heeded(columns: int, record: Path) -> None:
    """The words are the same with colours, without them, and on a narrow screen the map fits."""
    coloured, _ = on_a_terminal("replay", str(record), columns=columns, TERM="xterm-256color")
    plain, _ = on_a_terminal("replay", str(record), columns=columns, NO_COLOR="1")
    backgrounds = set(re.findall(r"48;5;\d+", coloured))
    assert len(backgrounds) >= 5  # two sides; clear, woods and building ground
    assert not re.search(r"\x1b\[[0-9;]*4[0-8][0-9;]*m", plain)
    assert COLOUR.sub("", plain) == COLOUR.sub("", coloured)
    rows = [line for line in COLOUR.sub("", plain).splitlines() if re.match(r" *0\d0\d", line)]
    assert rows
    assert max(len(row.rstrip()) for row in rows) <= columns
