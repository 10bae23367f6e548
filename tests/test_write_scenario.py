"""What is written reads back to the same game, in the middle of a turn, a move and a window."""

from __future__ import annotations

import json
import os
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from planner.game import shipped
from planner.game.document import Form, parse_document
from planner.game.faults import FileFault
from planner.game.play_state import Deciding, Game, new_game
from planner.game.read_scenario import load, load_game, parse_game
from planner.game.schema import schema
from planner.game.write_scenario import document, save, scenario_text
from tests.gaming import choices, done, from_tables, played_out
from tests.random_positions import random_scenario
from tests.situations import CASES, blue, red, situation, two_tanks

Tables = dict[str, Any]
VALIDATOR = jsonschema.Draft202012Validator(schema("scenario"))


def read_back(game: Game, form: Form, folder: Path | None = None) -> Game:
    text = scenario_text(game, form)
    return parse_game(parse_document(text.encode(), "written", form), folder)


def assert_same(got: Game, want: Game) -> None:
    assert got.key == want.key
    for name in ("title", "notes", "rules_ref", "sides", "turn", "turns", "objectives"):
        assert getattr(got.position, name) == getattr(want.position, name), name
    assert list(got.position.units.values()) == list(want.position.units.values())
    board, other = got.position.board, want.position.board
    assert (board.ground, board.edges, board.paths) == (other.ground, other.edges, other.paths)
    assert board.orientation is other.orientation
    assert {h: board.name(h) for h in board.ground} == {h: other.name(h) for h in other.ground}


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("name", shipped.scenario_names())
def test_shipped_scenarios(name: str, form: Form) -> None:
    game = load_game(name)
    assert_same(read_back(game, form), game)
    assert VALIDATOR.is_valid(document(game))


def test_every_moment_of_games(tmp_path: Path) -> None:
    """Both forms in turn; the same choices after as before; and every kind of moment is met."""
    met: Counter[str] = Counter()
    forms = list(Form)
    for seed in range(8):
        scenario, rules = random_scenario(seed)
        scenario["turns"] = 4
        start = load_game(from_tables(scenario, rules, tmp_path))
        for number, game in enumerate(played_out(start, seed)):
            again = read_back(game, forms[number % 2], tmp_path)
            assert_same(again, game)
            assert choices(again) == choices(game)
            window = None if game.under_way is None else game.under_way.window
            met[game.deciding.value] += 1
            met["under way"] += game.under_way is not None and window is None
            met["last window"] += window is not None and window.target is not None
    assert set(met) == {"under way", "last window", *(deciding.value for deciding in Deciding)}
    assert min(met.values()) > 0


def test_what_was_done_in_a_last_window_is_kept() -> None:
    def harmless(charts: Tables) -> None:
        charts["ap"]["effects"] = {}
        charts["stacking"]["limit"] = 3

    position = situation(
        red("T1", "tank", "0303", "S"),
        blue("G1", "at_gun", "0304", "N"),
        blue("B1", "bazooka_team", "0304"),
        blue("L1", "sergeant", "0304"),
        rules=harmless,
    )
    game = done(new_game(position), "T1 x0304-0305", "fire G1:gun with L1", dice=[12, 12])
    window = document(game)["under_way"]["window"]
    assert window == {"target": "0304", "final_made": ["G1"], "final_leaders": ["L1"]}
    again = parse_game({**document(game), "rules": "standard"} | _standard(game), None)
    assert again.under_way == game.under_way


def _standard(game: Game) -> Tables:
    """The units of a game as types that the shipped rules know."""
    types = {
        "tank": "us_m4_sherman",
        "at_gun": "ger_pak_40",
        "bazooka_team": "ger_panzerschreck_team",
        "sergeant": "ger_leutnant",
    }
    return {"units": [unit | {"type": types[unit["type"]]} for unit in document(game)["units"]]}


def test_a_window_is_written_as_a_reader_writes_it() -> None:
    near = done(new_game(two_tanks()), "T1 0304")
    assert document(near)["under_way"] == {"unit": "T1", "route": ["0203", "0304"], "window": {}}
    last = done(near, "hold", "T1 x0404-0505", dice=[12, 5])
    assert document(last)["under_way"] == {
        "unit": "T1",
        "route": ["0203", "0304", "0404", "0505"],
        "window": {"target": "0404"},
    }


def test_what_a_reader_takes_for_granted_is_left_out() -> None:
    written = document(
        new_game(situation(red("T1", "tank", "0303", "N"), blue("S1", "squad", "0101")))
    )
    assert written["units"] == [
        {"id": "S1", "side": "blue", "type": "squad", "hex": "0101"},
        {"id": "T1", "side": "red", "type": "tank", "hex": "0303", "facing": "N"},
    ]
    assert {"notes", "objectives", "under_way", "over"}.isdisjoint(written)
    assert {"numbering", "hexes", "edges", "paths"}.isdisjoint(written["map"])


@pytest.mark.parametrize(
    "numbering",
    [
        {"order": "row-column", "separator": ".", "prefix": "a"},
        {"columns": {"style": "letters"}, "rows": {"first": 0, "descending": True}},
        {"columns": {"style": "doubled", "first": 3}, "rows": {"digits": 4}},
    ],
)
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("offset", ["odd", "even"])
def test_every_way_of_naming_hexes(numbering: Tables, orientation: str, offset: str) -> None:
    game = new_game(situation(orientation=orientation, offset=offset, numbering=numbering))
    board = game.position.board
    again = parse_game(document(game, "standard")).position.board
    assert {h: again.name(h) for h in again.ground} == {h: board.name(h) for h in board.ground}


def test_more_kinds_of_ground_than_marks() -> None:
    """Those that are left over stand in the list of hexes."""
    ground = [
        {"hex": f"{column:02d}{row:02d}", "elevation": 8 * row + column}
        for row in range(1, 16)
        for column in range(1, 9)
    ]
    position = situation(terrain="\n".join([". " * 8] * 15), hexes=ground)
    written = document(new_game(position))
    assert len(written["map"]["legend"]) > 60
    assert len(written["map"]["hexes"]) > 10
    (again,) = (parse_game({**written, "rules": "standard"}),)
    assert again.position.board.ground == position.board.ground


@pytest.mark.parametrize(
    "notes", ["one\ntwo\n", 'a "quote" and \\ back', "a\r\nb", '"""\n', "é ∂ 東"]
)
def test_notes_keep_every_character(notes: str) -> None:
    game = new_game(situation(scenario={"notes": notes, "title": 'The "Farm"'}))
    for form in Form:
        tables = parse_document(scenario_text(game, form).encode(), "written", form)
        assert tables["notes"] == notes
        assert tables["title"] == 'The "Farm"'


def test_short_lists_stand_on_one_line() -> None:
    text = scenario_text(new_game(two_tanks()))
    assert 'hexes = ["0103", "0203", "0304"]' in text
    assert tomllib.loads(text)["map"]["paths"] == [
        {"path": "road", "hexes": ["0103", "0203", "0304"]}
    ]


def test_half_points_are_written_exactly(tmp_path: Path) -> None:
    start = load_game(CASES / "two-tanks.toml")
    tables = document(start)
    tables["units"][4]["movement_used"] = 0.1
    position = parse_game(tables, CASES).position
    assert position.units["T1"].movement_used * 10 == 1
    assert_same(read_back(new_game(position), Form.JSON, CASES), new_game(position))


# -- files -----------------------------------------------------------------------------------------


def test_saved_beside_or_elsewhere_the_rules_are_found(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_bytes((CASES / "tiny-rules.toml").read_bytes())
    text = (CASES / "two-tanks.toml").read_text().replace("tiny-rules.toml", "rules.toml")
    (tmp_path / "here.toml").write_text(text)
    game = load_game(tmp_path / "here.toml")
    (tmp_path / "deep" / "down").mkdir(parents=True)
    for name in ("there.toml", "deep/down/there.json"):
        save(game, tmp_path / name, tmp_path)
        assert load_game(tmp_path / name).key == game.key
    assert (
        json.loads((tmp_path / "deep/down/there.json").read_text())["rules"] == "../../rules.toml"
    )
    save(load_game("steamroller"), tmp_path / "farm.toml", tmp_path)
    assert load(tmp_path / "farm.toml").rules_ref == "standard"


def test_a_save_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "game.toml"
    path.write_text("what was there")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(load_game("steamroller"), path)
    assert path.read_text() == "what was there"
    assert [file.name for file in tmp_path.iterdir()] == ["game.toml"]


def test_only_whole_positions_are_loaded_as_such(tmp_path: Path) -> None:
    save(done(load_game(CASES / "two-tanks.toml"), "T1 0304"), tmp_path / "mid.toml", CASES)
    with pytest.raises(FileFault) as caught:
        load(tmp_path / "mid.toml")
    assert [str(fault) for fault in caught.value.faults] == [
        "under_way: the move of T1 has not ended (a position between moves; overrun play goes on "
        "with the move, and gives hints in it)"
    ]
    save(done(load_game(CASES / "two-tanks.toml"), "end", "end"), tmp_path / "over.toml", CASES)
    with pytest.raises(FileFault) as caught:
        load(tmp_path / "over.toml")
    assert [fault.place for fault in caught.value.faults] == ["over"]
