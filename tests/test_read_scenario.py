"""Scenario files: what is read of them, and every fault of meaning, one row each."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from evaluation.units import Kind
from planner.game import shipped
from planner.game.board import Ground
from planner.game.faults import FileFault
from planner.game.hexes import Direction, Orientation
from planner.game.position import Position
from planner.game.read_scenario import load, parse_scenario
from tests.edits import CASES, REMOVE, Tables, base, edited, faults_in


@pytest.fixture
def two_tanks(cases: Path) -> Position:
    return load(cases / "two-tanks.toml")


def position(raw: Tables) -> Position:
    return parse_scenario(raw, CASES)


def with_units(*units: dict[str, Any]) -> Tables:
    raw = base("scenario")
    raw["units"] = [{"side": "red", **unit} for unit in units]
    return raw


def described(found: Position) -> object:
    """All of a position that two readings must agree on."""
    return (
        list(found.units.values()),
        found.objectives,
        found.warnings,
        list(found.board.ground.items()),
        list(found.board.edges.items()),
        list(found.board.paths.items()),
    )


def test_head(two_tanks: Position) -> None:
    assert two_tanks.title == "Two tanks against an anti-tank gun"
    assert (two_tanks.to_move, two_tanks.defender) == ("red", "blue")
    assert [(side.id, side.name) for side in two_tanks.sides] == [("red", "red"), ("blue", "blue")]
    assert (two_tanks.turn, two_tanks.turns, two_tanks.rules_ref) == (1, 1, "tiny-rules.toml")
    assert two_tanks.rules.name == "tiny"
    assert two_tanks.warnings == ()


def test_map(two_tanks: Position) -> None:
    board = two_tanks.board
    parse = board.numbering.parse
    assert len(board.ground) == 48
    assert board.orientation is Orientation.FLAT
    assert board.ground[parse("0402")] == Ground("woods")
    assert board.ground[parse("0604")] == Ground("building")
    assert board.ground[parse("0404")] == Ground("clear", 0, ("foxholes",))
    a, b = parse("0204"), parse("0304")
    assert board.edges == {(a, b): ("stream",), (b, a): ("stream",)}
    road = [parse(name) for name in ("0103", "0203", "0304")]
    assert board.paths == {
        pair: ("road",)
        for first, second in pairwise(road)
        for pair in ((first, second), (second, first))
    }


def test_units_are_sorted_and_carried_ones_are_where_their_carrier_is(two_tanks: Position) -> None:
    assert list(two_tanks.units) == ["B1", "G1", "L1", "S1", "T1", "T2"]
    tank, squad = two_tanks.units["T1"], two_tanks.units["S1"]
    assert two_tanks.board.name(tank.hex) == "0203"
    assert (tank.facing, tank.passengers, tank.carrier) == (Direction.D2, ("S1",), None)
    assert (squad.hex, squad.carrier, squad.status.name) == (tank.hex, "T1", "ready")
    assert [unit.id for unit in two_tanks.enemies_in(two_tanks.units["G1"].hex)] == ["G1", "L1"]


def test_everything_a_unit_may_have() -> None:
    raw = base("scenario")
    raw["units"][2].update(fired=True, moved=True, movement_used=2.5, status="shaken")
    raw["units"][1].update(spent=["satchel"], status="suppressed", fired=True)
    raw["units"] += [
        {"id": "V1", "side": "blue", "type": "truck", "hex": "0801", "towing": "G2"},
        {"id": "G2", "side": "blue", "type": "at_gun"},
    ]
    units = position(raw).units
    tank, squad = units["T2"], units["S1"]
    assert (tank.fired, tank.moved, tank.movement_left) == (True, True, 7.5)
    assert tank.status.name == "shaken"
    assert (set(squad.spent), squad.status.name, squad.fired) == ({"satchel"}, "suppressed", True)
    assert units["V1"].towing == "G2"
    assert (units["G2"].carrier, units["G2"].facing) == ("V1", None)
    assert units["G2"].kind is Kind.GUN


def test_the_order_of_things_in_the_file_changes_nothing() -> None:
    raw = base("scenario")
    raw["map"]["hexes"] += [{"hex": "0101", "features": ["foxholes", "blaze"]}, {"hex": "0102"}]
    raw["map"]["edges"] += [
        {"hexes": ["0304", "0204"], "edge": "cliff"},
        {"hexes": ["0204", "0304"], "edge": "stream"},
    ]
    raw["map"]["paths"] += [{"path": "road", "hexes": ["0304", "0404"]}]
    raw["objectives"] = [{"hex": "0404", "worth": 1}, {"hex": "0101", "worth": 2, "held_by": "red"}]
    raw["units"][0]["passengers"] = ["S1"]
    expected = described(position(raw))
    dice = random.Random(7)
    for _ in range(5):
        for things in (
            raw["units"],
            raw["objectives"],
            raw["map"]["hexes"],
            raw["map"]["edges"],
            raw["map"]["paths"],
            raw["map"]["hexes"][-1].get("features", []),
        ):
            dice.shuffle(things)
        assert described(position(raw)) == expected


def test_different_edges_on_one_hexside_add_up_and_the_same_one_counts_once() -> None:
    raw = base("scenario")
    raw["map"]["edges"] += [
        {"hexes": ["0304", "0204"], "edge": "cliff"},
        {"hexes": ["0204", "0304"], "edge": "stream"},
    ]
    board = position(raw).board
    a, b = board.numbering.parse("0204"), board.numbering.parse("0304")
    assert board.edges[a, b] == board.edges[b, a] == ("cliff", "stream")


def test_hexes_override_what_they_name_and_features_replace() -> None:
    raw = base("scenario")
    raw["map"]["legend"]["w"] = {"terrain": "woods", "elevation": 3, "features": ["foxholes"]}
    raw["map"]["hexes"] = [
        {"hex": "0402", "elevation": 1},
        {"hex": "0204", "features": []},
        {"hex": "0101", "terrain": "marsh"},
    ]
    board = position(raw).board
    found = [board.ground[board.numbering.parse(name)] for name in ("0402", "0204", "0101")]
    assert found == [
        Ground("woods", 1, ("foxholes",)),
        Ground("woods", 3, ()),
        Ground("marsh", 0, ()),
    ]


def test_numbering_of_the_map_is_used_everywhere() -> None:
    raw = base("scenario")
    raw["map"]["numbering"] = {"columns": {"style": "letters"}, "rows": {"digits": 1, "first": 0}}
    text = json.dumps(raw)
    for column in range(1, 9):
        for row in range(1, 7):
            text = text.replace(f'"{column:02}{row:02}"', f'"{chr(64 + column)}{row - 1}"')
    found, before = position(json.loads(text)), position(base("scenario"))
    assert found.board.name(found.units["T1"].hex) == "B2"
    assert found.board.ground == before.board.ground
    assert [unit.hex for unit in found.units.values()] == [
        unit.hex for unit in before.units.values()
    ]


@pytest.mark.parametrize("offset", ["odd", "even"])
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_the_map_text_is_columns_and_rows_in_every_lie(orientation: str, offset: str) -> None:
    raw = base("scenario")
    raw["map"].update(orientation=orientation, offset=offset, hexes=[], edges=[], paths=[])
    raw["units"] = []
    board = position(raw).board
    terrains = {
        name: board.ground[board.numbering.parse(name)].terrain
        for name in ("0402", "0204", "0604", "0101", "0806")
    }
    assert terrains == {
        "0402": "woods",
        "0204": "woods",
        "0604": "building",
        "0101": "clear",
        "0806": "clear",
    }


def test_json_is_read_like_toml(tmp_path: Path, two_tanks: Position, cases: Path) -> None:
    for name, which in (("two.json", "scenario"), ("tiny.json", "rules")):
        raw = base(which)
        if which == "scenario":
            raw["rules"] = "tiny.json"
        (tmp_path / name).write_text(json.dumps(raw), encoding="utf-8")
    found = load(tmp_path / "two.json")
    assert [str(unit.hex) for unit in found.units.values()] == [
        str(unit.hex) for unit in two_tanks.units.values()
    ]
    assert found.rules.terrain == two_tanks.rules.terrain


def test_shipped_rules_need_no_path(tmp_path: Path) -> None:
    raw = base("scenario")
    raw.update(rules="standard", units=[])
    raw["map"].update(
        hexes=[], edges=[], paths=[], legend={".": "clear", "w": "clear", "b": "clear"}
    )
    assert parse_scenario(raw).rules.name
    raw["rules"] = "standrad"
    with pytest.raises(FileFault, match=r'"standrad" is not found .*did you mean "standard"\?'):
        parse_scenario(raw, tmp_path)


def test_a_path_of_rules_starts_at_the_scenario_and_is_no_absolute_one() -> None:
    raw = edited(base("scenario"), "rules", str((CASES / "tiny-rules.toml").absolute()))
    assert "is an absolute path (shipped rules or a path" in faults_in("scenario", raw)[0]
    with pytest.raises(FileFault, match=r'rules: "tiny-rules\.toml" is not found'):
        parse_scenario(base("scenario"))


def test_rules_that_are_no_file_are_told_as_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "ring.toml").symlink_to("ring.toml")
    for name, said in (
        ("folder.toml", 'rules: "folder.toml": file: is no file but a directory (a TOML or JSON'),
        ("ring.toml", 'rules: "ring.toml": file: can\'t be read: '),
        ("/dev/zero", 'rules: "/dev/zero" is an absolute path (shipped rules or a path'),
    ):
        with pytest.raises(FileFault) as caught:
            parse_scenario(edited(base("scenario"), "rules", name), tmp_path)
        assert str(caught.value.faults[0]).startswith(said)


@pytest.mark.parametrize("name", shipped.scenario_names())
def test_shipped_scenarios_are_read_without_a_warning(name: str) -> None:
    found = load(name)
    assert found.units
    assert found.warnings == ()


def test_a_name_that_is_neither_file_nor_shipped_says_which_are() -> None:
    with pytest.raises(FileFault) as caught:
        load("no-such-battle")
    (fault,) = caught.value.faults
    assert fault.place == "file"
    assert fault.fault == "there is no such file"
    assert fault.expected.startswith("a file, or a shipped scenario: ")


S2 = {"id": "S2", "side": "red", "type": "squad"}
TRUCK = {"id": "V1", "side": "red", "type": "truck", "hex": "0101"}

# What is put where (several edits in a row), and the fault it must bring (None: it is right).
MEANING: list[tuple[list[tuple[str, object]], str | None]] = [
    ([("units[2].id", "T1")], 'units[2].id: "T1" is also units[0] (every unit its own id)'),
    ([("units[2].id", "T-34/2.b_#")], None),
    ([("units[2].id", "T 2")], 'units[2].id: "T 2" can\'t be written in a move'),
    ([("units[2].id", "T+2")], 'units[2].id: "T+2" can\'t be written in a move'),
    ([("units[2].id", "T:2")], 'units[2].id: "T:2" can\'t be written in a move'),
    ([("units[2].id", "T,2")], 'units[2].id: "T,2" can\'t be written in a move'),
    ([("units[2].id", "-T2")], 'units[2].id: "-T2" can\'t be written in a move'),
    ([("units[2].id", "")], 'units[2].id: "" is no name'),
    ([("sides[1].id", "red")], 'sides[1].id: "red" is also sides[0] (two sides with'),
    ([("sides[2]", {"id": "green"})], "sides: there are 3 (exactly two)"),
    ([("sides[1]", REMOVE)], "sides: there is 1 (exactly two)"),
    ([("turn", 2)], "turn: 2 is after the last turn (at most 1)"),
    ([("turn", 2), ("turns", 2)], None),
    # where units stand
    ([("units[1].hex", "0203")], 'units[1].hex: stands at a unit that "T1" carries'),
    ([("units[3].facing", REMOVE)], "units[3].facing: is missing (a unit with a field of fire"),
    ([("units[0].facing", REMOVE)], "units[0].facing: is missing (an AFV needs one of N, NE"),
    ([("units[0].facing", REMOVE), ("units[0].status", "destroyed")], None),
    ([("units[4].facing", "NW")], None),
    ([("units[4].facing", "W")], 'units[4].facing: "W" is no direction on this map (one of N, NE'),
    ([("map.orientation", "pointy"), ("units[0].facing", "N")], 'units[0].facing: "N" is no'),
    ([("units[0].hex", "")], 'units[0].hex: "" is no name'),
    ([("units[2].movement_used", 10)], None),
    ([("units[2].movement_used", 10.5)], "units[2].movement_used: 10.5 is more than the unit has"),
    ([("units[1].spent", ["satchel", "satchel"])], 'units[1].spent[1]: "satchel" stands twice'),
    ([("units[1].spent", ["rifles"])], 'units[1].spent[0]: "rifles" is no once-weapon of "squad"'),
    ([("units[4].status", "eliminated")], None),
    # who carries whom
    ([("units[0].passengers", ["T1"])], 'units[0].passengers[0]: "T1" carries itself (another'),
    ([("units[0].towing", "T1")], 'units[0].towing: "T1" carries itself (another unit)'),
    ([("units[0].passengers[1]", "S1")], 'units[0].passengers[1]: "S1" is carried twice'),
    ([("units[2].passengers", ["S1"])], 'units[2].passengers[0]: "S1" is carried twice'),
    ([("units[0].passengers[1]", "S2"), ("units[6]", S2)], "units[0].passengers: take room 2 (at"),
    ([("units[2].passengers", ["L1"])], 'units[2].passengers[0]: "L1" is of side "blue"'),
    ([("units[0].passengers[0]", "G1")], 'units[0].passengers[0]: "G1" is of kind gun (infantry'),
    ([("units[0].passengers[0]", "T2")], 'units[0].passengers[0]: "T2" is of kind afv (infantry'),
    ([("units[0].towing", "T2")], 'units[0].towing: "T2" is of kind afv (a Gun)'),
    ([("units[3].towing", "B1")], "units[3].towing: stands at a unit of kind gun (for AFVs and"),
    ([("units[4].passengers", ["B1"])], "units[4].passengers: stands at a unit of kind leader"),
    (
        [("units[0].passengers", []), ("units[2].towing", "S1")],
        'units[2].towing: "S1" is of kind infantry (a Gun)',
    ),
    (
        [("units[1].passengers", ["T1"])],
        'units[1].passengers[0]: units carry each other in a ring: "T1", "S1" (carriers that',
    ),
    (
        [("units[6]", {**TRUCK, "passengers": ["T2"]}), ("units[2].passengers", ["V1"])],
        'units[2].passengers[0]: units carry each other in a ring: "V1", "T2"',
    ),
    (
        [("units[6]", {**TRUCK, "towing": "T1"})],
        'units[0].passengers[0]: "T1" is carried itself (carriers that are not carried)',
    ),
    # objectives
    ([("objectives", [{"hex": "0101", "worth": 1}] * 2)], 'objectives[1].hex: "0101" is also obj'),
    # the map
    ([("map.terrain", "")], "map.terrain: has no rows (one row of hexes a line"),
    ([("map.terrain", "\n \n")], "map.terrain: has no rows (one row of hexes a line"),
    ([("map.terrain", ". .\n. . .\n. . .")], "map.terrain[0]: has 2 marks (3, as most rows have)"),
    ([("map.terrain", ". .\n\n. .\n. .")], "map.terrain[1]: has 0 marks (2, as most rows have)"),
    ([("map.terrain", ". .\n.\n. .")], "map.terrain[1]: has 1 mark (2, as most rows have)"),
    ([("map.terrain", ". ww\n. .")], 'map.terrain[0][1]: "ww" (hex 0201) is no mark (one char'),
    ([("map.terrain", ". ?\n. .")], 'map.terrain[0][1]: "?" (hex 0201) is not in the legend (one'),
    ([("map.terrain", ". ? ?\n. .\n. .")], 'map.terrain[0][2]: "?" is not in the legend'),
    ([("map.terrain", "\n".join([". " * 400] * 400)), ("map.numbering", {
        "columns": {"digits": 3}, "rows": {"digits": 3}, "order": "row-column"
    })], 'units[0].hex: "0203" is not on the map (rows 001-400, columns 001-400, such as 001001)'),
    ([("map.terrain", ". " * 401)], "map.terrain: has 401 columns (at most 400)"),
    ([("map.terrain", ".\n" * 401)], "map.terrain: has 401 rows (at most 400)"),
    ([("map.terrain", ". " * 100)], "map.numbering.columns: number 100 has more than 2 digits"),
    ([("map.legend.ww", "woods")], 'map.legend.ww: "ww" is no mark (one character, not a blank)'),
    ([('map.legend[" "]', "woods")], 'map.legend[" "]: " " is no mark (one character, not a'),
    ([("map.hexes[1]", {"hex": "0404"})], 'map.hexes[1].hex: "0404" is also hexes[0] (every hex'),
    ([("map.hexes[0].features[1]", "foxholes")], 'map.hexes[0].features[1]: "foxholes" stands'),
    (
        [("map.edges[0].hexes", ["0101", "0103"])],
        'map.edges[0].hexes[1]: "0103" is no neighbour of "0101" (a hex beside it: 0102, 0201)',
    ),
    ([("map.edges[0].hexes", ["0101", "0101"])], 'map.edges[0].hexes[1]: "0101" is no neighbour'),
    ([("map.edges[0].hexes", ["0101"])], "map.edges[0].hexes: has too few entries (at least 2)"),
    ([("map.edges[0].hexes[2]", "0101")], "map.edges[0].hexes: has too many entries (at most 2)"),
    ([("map.paths[0].hexes", ["0101"])], "map.paths[0].hexes: has too few entries (at least 2)"),
    ([("map.paths[0].hexes[1]", "0303")], 'map.paths[0].hexes[1]: "0303" is no neighbour'),
    ([("map.numbering", {"prefix": "x"})], 'map.numbering.prefix: "x" can\'t be written in a move'),
    ([("map.numbering", {"separator": "/"})], 'map.numbering.separator: "/" can\'t be written in'),
    (
        [("map.numbering", {"columns": {"style": "letters", "first": 0}})],
        "map.numbering.columns: first = 0 (1 (for A) or more)",
    ),
    (
        [("map.numbering", {"rows": {"first": 95}})],
        "map.numbering.rows: number 100 has more than 2 digits",
    ),
    ([("title", "a\x1b[31m")], 'title: "a\\x1b[31m" has control characters'),
    ([("notes", "two\nlines")], None),
    ([("notes", "x" * 100_001)], f'notes: "{"x" * 60}…" is too long (text of at most 100000'),
    ([("map.orientation", "Flat")], 'map.orientation: "Flat" is not right here ("flat" or'),
    ([("map.offset", "none")], 'map.offset: "none" is not right here ("odd" or "even")'),
    ([("format", "overrun-scenario/2")], 'format: "overrun-scenario/2" is not right here ("over'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("edits", "fault"), MEANING, ids=[f"{i}-{row[0][-1][0]}" for i, row in enumerate(MEANING)]
)
def test_faults_of_meaning(edits: list[tuple[str, object]], fault: str | None) -> None:
    raw = base("scenario")
    for place, value in edits:
        edited(raw, place, value)
    found = faults_in("scenario", raw)
    if fault is None:
        assert found == []
    else:
        assert any(one.startswith(fault) for one in found), found


def test_a_ring_of_three_is_named_whole() -> None:
    raw = with_units(
        {"id": "A", "type": "truck", "passengers": ["B"]},
        {"id": "B", "type": "truck", "passengers": ["C"]},
        {"id": "C", "type": "truck", "passengers": ["A"]},
    )
    found = [fault for fault in faults_in("scenario", raw) if "in a ring" in fault]
    assert len(found) == 3
    assert found[0].startswith(
        'units[0].passengers[0]: units carry each other in a ring: "B", "A", "C"'
    )


def test_a_mark_that_is_not_in_the_legend_is_named_ten_times_and_counted() -> None:
    raw = edited(base("scenario"), 'map.legend["."]', REMOVE)
    found = [fault for fault in faults_in("scenario", raw) if fault.startswith("map.terrain")]
    assert len(found) == 11
    assert found[0].startswith('map.terrain: "." is not in the legend, 45 times in all')


WARNINGS = [
    ([], ()),
    (
        [("units[5].hex", "0404")],
        ("units of blue in 0404 take room 3, more than 2",),
    ),
    ([("units[4].hex", "0503")], ()),
    (
        [("units[0].hex", "0604")],
        ("T1 starts in 0604, where its class (tracked) may not enter",),
    ),
    ([("map.hexes[1]", {"hex": "0203", "terrain": "building"})], ()),  # a road goes in
    (
        [("map.hexes[1]", {"hex": "0203", "features": ["blaze"]})],
        ("T1 starts in 0203, where its class (tracked) may not enter",),
    ),
    ([("map.hexes[1]", {"hex": "0503", "features": ["blaze"]})],
        ("B1 starts in 0503, where its class (foot) may not enter",),
    ),
    (
        [("units[0].status", "destroyed")],
        ("T1 is destroyed and still carries S1",),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("edits", "warnings"), WARNINGS)
def test_where_units_start_is_a_warning_not_a_fault(
    edits: list[tuple[str, object]], warnings: tuple[str, ...]
) -> None:
    raw = base("scenario")
    for place, value in edits:
        edited(raw, place, value)
    assert position(raw).warnings == warnings


def test_a_battalion_sized_map_is_read_fast(tmp_path: Path) -> None:
    dice = random.Random(1)
    rows = [" ".join(dice.choice(".wb") for _ in range(44)) for _ in range(32)]
    names = [f"{column:02}{row:02}" for row in range(1, 33) for column in range(1, 45)]
    raw = base("scenario")
    raw["map"].update(
        terrain="\n".join(rows),
        hexes=[{"hex": name, "elevation": dice.randrange(4)} for name in names[:400]],
        edges=[
            {"hexes": [f"{column:02}05", f"{column:02}06"], "edge": "stream"}
            for column in range(1, 45)
        ],
    )
    raw["units"] = [
        {
            "id": f"U{index}",
            "side": dice.choice(("red", "blue")),
            "type": dice.choice(("tank", "at_gun", "squad", "truck")),
            "hex": names[index * 20],
            "facing": "N",
        }
        for index in range(60)
    ]

    path = tmp_path / "large.toml"
    path.write_text(tomli_w.dumps(raw), encoding="utf-8")
    (tmp_path / "tiny-rules.toml").write_bytes((CASES / "tiny-rules.toml").read_bytes())
    times = []
    for _ in range(3):
        start = time.perf_counter()
        found = load(path)
        times.append(time.perf_counter() - start)
    assert len(found.units) == 60
    assert len(found.board.ground) == 44 * 32
    assert min(times) < 0.2


def test_a_position_needs_no_reader() -> None:
    code = "import sys, planner.game.position; print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_faults_are_told_alike_under_every_hash_seed() -> None:
    code = (
        "from tests.edits import *\n"
        "for which in ('rules', 'scenario'):\n"
        "    raw = base(which)\n"
        "    for place, value in list(places(raw)):\n"
        "        if isinstance(value, str) and steps(place)[-1] not in ('format', 'rules'):\n"
        "            edited(raw, place, 'tanc')\n"
        "    print('\\n'.join(faults_in(which, raw)))\n"
    )
    told = set()
    for seed in ("0", "1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            encoding="utf-8",
            check=True,
            cwd=CASES.parents[1],
            env=environment,
        )
        told.add(done.stdout)
    (text,) = told
    assert text.count("\n") > 60
