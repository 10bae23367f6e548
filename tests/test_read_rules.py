"""Rules files: what is read of them, and every fault of meaning, one row each."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from evaluation.rules import RollPer
from evaluation.tables import Change, Check
from evaluation.units import Aspect, Kind
from planner.game import shipped
from planner.game.faults import FileFault
from planner.game.read_rules import parse_rules, read_rules, shipped_rules
from planner.game.rules import Rules
from tests.edits import REMOVE, base, edited, faults_in


@pytest.fixture
def tiny(cases: Path) -> Rules:
    return read_rules(cases / "tiny-rules.toml")


def test_movement_and_ground(tiny: Rules) -> None:
    assert tiny.name == "tiny"
    assert (tiny.overrun_cost, tiny.stacking_limit) == (2, 2)
    assert (tiny.front, tiny.rear) == (Fraction(30), Fraction(30))
    assert tiny.classes["wheeled"].uphill == 2
    assert tiny.terrain["woods"].cost == {"tracked": 3, "foot": 2}
    assert tiny.terrain["building"].building
    assert not tiny.terrain["woods"].building
    assert tiny.edges["cliff"].bars == {"tracked", "wheeled", "foot"}
    assert tiny.paths["road"].cost == {"tracked": 1, "wheeled": 1, "foot": 1}
    assert tiny.features["bunker"].bunker
    assert tiny.recovery[Kind.AFV] == {"shaken": "ready"}
    assert tiny.recovery[Kind.VEHICLE] == {}


def test_combat(tiny: Rules) -> None:
    combat = tiny.combat
    assert (combat.dice.count, combat.dice.sides) == (2, 6)
    assert combat.ap.columns == (1, 4, 8)
    assert combat.ap.cells[3] == ("-", "-", "S")
    assert combat.ap_roll_per is RollPer.HEX
    assert combat.at.rolls == (4, 6, 8)
    assert combat.ap_effect(Kind.LEADER, "S") == Check(
        "morale", 0, Change({}), Change({"ready": "suppressed"})
    )
    assert combat.at_effect("M") == Change({"ready": "immobilised", "shaken": "immobilised"})
    assert combat.carried_fate == "eliminated"
    assert combat.passenger_weapons == {"light_mg", "grenades", "satchel"}
    assert combat.afv_multiplier == 2


def test_statuses_keep_their_order_and_defaults(tiny: Rules) -> None:
    statuses = tiny.combat.statuses[Kind.AFV]
    assert list(statuses) == ["ready", "shaken", "immobilised", "destroyed"]
    assert statuses["ready"].may_overrun
    assert not statuses["shaken"].may_fire
    assert not statuses["immobilised"].may_overrun, "may_overrun is as may_move unless given"
    assert statuses["destroyed"].removed


def test_unit_types(tiny: Rules) -> None:
    tank = tiny.types["tank"]
    assert (tank.kind, tank.movement_class, tank.movement) == (Kind.AFV, "tracked", 8)
    assert (tank.capacity, tank.size, tank.arc) == (1, 1, None)
    assert tank.combat.armour == {Aspect.FRONT: 5, Aspect.SIDE: 3, Aspect.REAR: 2}
    assert tank.combat.weapon("gun").at == ((6, 7), (12, 5))
    assert tiny.types["at_gun"].arc == 60
    satchel = tiny.types["squad"].combat.weapon("satchel")
    assert (satchel.weapon_class, satchel.once, satchel.price) == ("satchel", True, 0.5)
    assert tiny.types["sergeant"].combat.ratings == {"morale": 8}
    assert tiny.types["sergeant"].combat.leadership == -1


@pytest.mark.parametrize(
    ("written", "exact"),
    [
        (0, 0),
        (1, 1),
        (1.0, 1),
        (0.5, Fraction(1, 2)),
        (0.1, Fraction(1, 10)),
        (2.25, Fraction(9, 4)),
        (0.333333, Fraction(333333, 1000000)),
    ],
)
def test_costs_are_read_exactly(written: float, exact: Fraction) -> None:
    raw = edited(base("rules"), "terrain.clear.cost.tracked", written)
    found = parse_rules(raw).terrain["clear"].cost["tracked"]
    assert found == exact
    assert type(found) is type(exact)


def test_may_overrun_can_be_given() -> None:
    raw = edited(base("rules"), "status.afv.shaken.may_overrun", False)
    assert not parse_rules(raw).combat.status(Kind.AFV, "shaken").may_overrun
    assert parse_rules(raw).combat.status(Kind.AFV, "shaken").may_move


def test_a_roll_for_each_unit_can_be_asked_for() -> None:
    raw = edited(base("rules"), "ap.roll_per", "unit")
    assert parse_rules(raw).combat.ap_roll_per is RollPer.UNIT


@pytest.mark.parametrize("name", shipped.rules_names())
def test_shipped_rules_are_read(name: str) -> None:
    assert shipped_rules(name).types


def test_standard_is_shipped() -> None:
    assert "standard" in shipped.rules_names()
    with pytest.raises(KeyError):
        shipped_rules("standart")


DEEP: dict[str, object] = {"ready": "suppressed"}
for _ in range(3):
    DEEP = {"check": "morale", "fail": DEEP}

WEAPON = {"name": "gun"}

# What is put where, and the fault it must bring (None: it is right).
MEANING = [
    ("aspects.front", 150, None),
    ("aspects.front", 150.5, "aspects: front and rear make 180.5 degrees (at most 180)"),
    ("status.afv.ready.loss", 0.1, "status.afv.ready: is the first and so the fresh one"),
    ("status.afv.ready.removed", True, "status.afv.ready: is the first and so the fresh one"),
    ("status.afv", {}, "status.afv: has no status (at least the fresh one)"),
    ("status.gun.check", {"loss": 0.5}, "status.gun.check: is a word of the effects"),
    ("ap.columns[1]", 1, "ap.columns[1]: 1 stands after 1 (numbers that ascend)"),
    ("ap.columns[1]", 2, None),
    ("ap.columns[1]", 0, "ap.columns[1]: 0 stands after 1 (numbers that ascend)"),
    ("at.rolls[2]", 6, "at.rolls[2]: 6 stands after 6 (numbers that ascend)"),
    ("at.rolls[2]", 7, None),
    ("ap.columns", [], "ap.columns: has too few entries (at least 1)"),
    ("at.rolls", [], "at.rolls: has too few entries (at least 1)"),
    ("ap.columns[3]", 9, "ap.table[0]: has 3 cells (4, one per column)"),
    ("ap.rolls[4]", 12, "ap.table: has 4 rows (5, one per roll)"),
    ("ap.table[4]", ["-", "-", "-"], "ap.table: has 5 rows (4, one per roll)"),
    ("at.table[2]", ["-", "M"], "at.table[2]: has 2 cells (3, one per column)"),
    (
        "at.table[2]",
        ["-", "-", "Q"],
        'at.table[2][2]: "Q" is no result that at.effects names (one of "-", "D", "M")',
    ),
    (
        "ap.table[3]",
        ["-", "s", "S"],
        'ap.table[3][1]: "s" is no result that ap.effects names '
        '(one of "-", "K", "S"; did you mean "S"?)',
    ),
    ("ap.effects.vehicle", {}, None),  # the other kinds name its results
    ("at.effects.afv.Kx", {}, 'at.effects.afv.Kx: "Kx" is no result in the table'),
    ("ap.effects.gun.Q", {"ready": "suppressed"}, 'ap.effects.gun.Q: "Q" is no result in the'),
    ("ap.effects.afv", {}, "ap.effects.afv: is no key here"),
    ("at.effects.gun", {}, "at.effects.gun: is no key here"),
    ("ap.effects.leader.S", DEEP, None),
    (
        "ap.effects.leader.S",
        {"check": "morale", "pass": {"check": "morale", "fail": DEEP}},
        "ap.effects.leader.S.pass.fail.fail.fail: is a check too deep in checks (at most 4)",
    ),
    (
        "ap.effects.leader.S",
        {"modifier": 1, "fail": {"ready": "suppressed"}},
        "ap.effects.leader.S.check: is missing",
    ),
    (
        "ap.effects.leader.S.check",
        "nerve",
        "types.sergeant.ratings.nerve: is missing (a rating that checks in the effects ask for)",
    ),
    (
        "ap.effects.leader.S.fail",
        {"check": "nerve"},
        "types.sergeant.ratings.nerve: is missing (a rating that checks in the effects ask for)",
    ),
    (
        "at.effects.afv.M",
        {"check": "crew", "fail": {"ready": "shaken"}},
        "types.tank.ratings.crew: is missing (a rating that checks in the effects ask for)",
    ),
    ("types.truck.armour", {"front": 1, "side": 1, "rear": 1}, "types.truck.armour: stands at a"),
    ("types.squad.leadership", -1, "types.squad.leadership: stands at a unit of kind infantry"),
    ("types.squad.leadership", 0, None),
    ("types.squad.capacity", 1, "types.squad.capacity: stands at a unit of kind infantry"),
    ("types.truck.capacity", 3, None),
    ("types.tank.kind", "ship", 'types.tank.kind: "ship" is not right here ("afv", "vehicle"'),
    ("types.tank.weapons[1].name", "gun", 'types.tank.weapons[1].name: "gun" is also weapons[0]'),
    ("types.tank.weapons[1].name", "a b", 'types.tank.weapons[1].name: "a b" can\'t be written in'),
    ("types.tank.weapons[1].name", "a+b", 'types.tank.weapons[1].name: "a+b" can\'t be written'),
    ("types.tank.weapons[1].name", "a:b", 'types.tank.weapons[1].name: "a:b" can\'t be written'),
    ("types.tank.weapons[1].name", "7.5cm/L48", None),
    ("types.tank.weapons[1].price", 1, "types.tank.weapons[1].price: stands at a weapon that is"),
    ("types.tank.weapons[0].at[0][0]", 0, "types.tank.weapons[0].at[0]: range 0 (a range of 1"),
    ("types.tank.weapons[0].at[1][0]", 6, "types.tank.weapons[0].at[1]: range 6 stands after 6"),
    ("types.tank.weapons[0].at[1][0]", 7, None),
    ("types.tank.weapons[0].at[1]", [12], "types.tank.weapons[0].at[1]: has too few entries"),
    ("types.tank.weapons[0].at[1]", [12, 5, 1], "types.tank.weapons[0].at[1]: has too many ent"),
    ("types.tank.weapons", [WEAPON] * 51, "types.tank.weapons: has too many entries (at most 50)"),
    ("terrain.clear.cost.tracked", 0.0000001, "terrain.clear.cost.tracked: 1e-07 is too fine"),
    ("terrain.clear.cost.tracked", float("inf"), "terrain.clear.cost.tracked: inf is out of range"),
    ("terrain.clear.cost.tracked", 10**400, "terrain.clear.cost.tracked: a number of more than 60"),
    ('types[""]', {}, 'types[""]: "" is no name (text of 1 to 60 printable characters)'),
    ('types[" x"]', {}, 'types[" x"]: " x" is no name (text of 1 to 60 printable characters)'),
    ('terrain["a\tb"]', {"cost": {}}, 'terrain["a\\tb"]: "a\\tb" is no name'),
    (
        "format",
        "overrun-rules/2",
        'format: "overrun-rules/2" is not right here ("overrun',
    ),
    ("name", "x" * 60, None),
    ("name", "x" * 61, f'name: "{"x" * 60}…" is no name (text of 1 to 60 printable characters)'),
]


@pytest.mark.parametrize(
    ("place", "value", "fault"), MEANING, ids=[f"{i}-{row[0]}" for i, row in enumerate(MEANING)]
)
def test_faults_of_meaning(place: str, value: object, fault: str | None) -> None:
    found = faults_in("rules", edited(base("rules"), place, value))
    if fault is None:
        assert found == []
    else:
        assert any(one.startswith(fault) for one in found), found


def test_a_rating_missing_is_told_for_every_type_of_the_kind() -> None:
    raw = edited(base("rules"), "at.effects.afv.M", {"check": "crew"})
    places = [fault.partition(":")[0] for fault in faults_in("rules", raw)]
    assert places == ["types.tank.ratings.crew", "types.light_tank.ratings.crew"]


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        ("at.effects", REMOVE, "at.effects: is missing ("),
        ("at.effects", 3, "at.effects: 3 is no table ("),
        ("at.effects.afv", 3, "at.effects.afv: 3 is no table ("),
    ],
)
def test_cells_are_not_held_against_effects_that_could_not_be_read(
    place: str, value: object, fault: str
) -> None:
    (found,) = faults_in("rules", edited(base("rules"), place, value))
    assert found.startswith(fault)


def test_a_cell_near_a_known_result_is_guessed() -> None:
    raw = edited(base("rules"), "ap.table[0][0]", "SUP")
    for kind in ("infantry", "gun", "leader"):
        raw["ap"]["effects"][kind]["SUPP"] = {"ready": "suppressed"}
    raw["ap"]["table"][0][1] = "SUPP"
    (found,) = faults_in("rules", raw)
    assert found == (
        'ap.table[0][0]: "SUP" is no result that ap.effects names '
        '(one of "-", "K", "S", "SUPP"; did you mean "SUPP"?)'
    )


@pytest.mark.parametrize(
    ("table", "form"),
    [
        ("dice", "a table with count and sides"),
        ("classes", "[classes.NAME] with turn, uphill and max_climb"),
        ("terrain", "[terrain.NAME] with cost"),
        ("status", "[status.KIND] for afv, vehicle, gun, infantry and leader"),
        ("ap", "[ap] with columns, rolls, table and effects"),
        ("at", "[at] with columns, rolls, table and effects"),
        ("ap.effects", "[ap.effects.KIND] with RESULT = {"),
        ("types", "[types.NAME] with kind, class, movement and worth"),
    ],
)
def test_a_missing_table_shows_its_form(table: str, form: str) -> None:
    found = faults_in("rules", edited(base("rules"), table, REMOVE))
    (missing,) = (one for one in found if one.startswith(f"{table}: is missing ("))
    assert form in missing


def test_the_name_of_the_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "charts.toml"
    path.write_text('format = "overrun-rules/1"', encoding="utf-8")
    with pytest.raises(FileFault) as caught:
        read_rules(path)
    assert caught.value.file == str(path)
    assert str(caught.value).startswith(f"{path}: 12 faults\n  name: is missing (")
