"""Bad input as tables: every key missing, of the wrong type, out of range, dangling, doubled.

The base is the two case files, which hold every key of the formats or have it put in here; each
row names the fault that one edit must bring, with its place and words.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import tomli_w

from planner.game.faults import FileFault
from planner.game.read_scenario import load
from tests.edits import (
    REMOVE,
    Tables,
    base,
    edited,
    faults_in,
    matches,
    pattern,
    places,
    steps,
    words,
)

# Keys whose absence is a fault; all others may be left out.
REQUIRED = {
    "rules": words(
        """
        format name dice dice.count dice.sides overrun overrun.movement_points
        overrun.afv_multiplier stacking stacking.limit passengers passengers.on_destroyed aspects
        aspects.front aspects.rear classes classes.*.turn classes.*.uphill classes.*.max_climb
        terrain terrain.*.cost paths.*.cost status status.afv status.vehicle status.gun
        status.infantry status.leader status.*.*.loss ap ap.columns ap.rolls ap.table ap.effects
        ap.effects.leader.*.check at at.columns at.rolls at.table at.effects types types.*.kind
        types.*.class types.*.movement types.*.worth types.*.armour.front types.*.armour.side
        types.*.armour.rear types.*.weapons[].name
        """
    ),
    "scenario": words(
        """
        format rules to_move map map.orientation map.offset map.terrain map.legend
        map.legend.*.terrain map.hexes[].hex map.edges[].hexes map.edges[].edge map.paths[].path
        map.paths[].hexes sides sides[].id units units[].id units[].side units[].type
        objectives[].hex objectives[].worth under_way.unit under_way.route
        """
    ),
}
# Keys that may be left out by form, but are missed by something else in the case files.
MISSED = {
    "types.tank.armour": "types.tank.armour: is missing",
    "types.light_tank.armour": "types.light_tank.armour: is missing",
    "types.sergeant.ratings": "types.sergeant.ratings.morale: is missing",
    "types.sergeant.ratings.morale": "types.sergeant.ratings.morale: is missing",
    "types.squad.weapons[2].once": "types.squad.weapons[2].price: stands at a weapon that is not",
    "classes.tracked": 'types.tank.class: "tracked" is no movement class (one of "foot"',
    "classes.wheeled": 'types.truck.class: "wheeled" is no movement class',
    "classes.foot": 'types.squad.class: "foot" is no movement class',
    "classes.towed": 'types.at_gun.class: "towed" is no movement class',
    "status.afv.ready": "status.afv.shaken: is the first and so the fresh one",
    "status.afv.shaken": 'recovery.afv.shaken: "shaken" is no status of kind afv',
    "status.afv.immobilised": 'at.effects.afv.M.ready: "immobilised" is no status of kind afv',
    "status.afv.destroyed": 'at.effects.afv.D.ready: "destroyed" is no status of kind afv',
    "status.vehicle.ready": "status.vehicle.destroyed: is the first and so the fresh one",
    "status.vehicle.destroyed": 'ap.effects.vehicle.K.ready: "destroyed" is no status of kind',
    "at.effects.afv.M": 'at.table[0][0]: "M" is no result that at.effects names (one of "-", "D")',
    "at.effects.afv.D": 'at.table[0][1]: "D" is no result that at.effects names (one of "-", "M")',
    "units[0].hex": "units[0].hex: is missing",
    "units[2].hex": "units[2].hex: is missing",
    "units[3].hex": "units[3].hex: is missing",
    "units[4].hex": "units[4].hex: is missing",
    "units[5].hex": "units[5].hex: is missing",
    "units[6].hex": "units[6].hex: is missing",
    "units[6].towing": "units[7].hex: is missing (the hex it stands in, as none carries it)",
    "turns": "turn: 2 is after the last turn (at most 1)",
    "units[0].facing": "units[0].facing: is missing (an AFV needs one of N, NE, SE, S, SW, NW)",
    "units[2].facing": "units[2].facing: is missing (an AFV needs",
    "units[3].facing": "units[3].facing: is missing (a unit with a field of fire needs",
    "units[0].passengers": "units[1].hex: is missing (the hex it stands in",
    'map.legend["."]': 'map.terrain[0][0]: "." (hex 0101) is not in the legend (one of b g w)',
    "map.legend.w": 'map.terrain[1][3]: "w" (hex 0402) is not in the legend (one of . b g)',
    "map.legend.b": 'map.terrain[3][5]: "b" (hex 0604) is not in the legend (one of . g w)',
}
for _kind in ("gun", "infantry", "leader"):
    MISSED[f"status.{_kind}.ready"] = f"status.{_kind}.suppressed: is the first and so the fresh"
    MISSED[f"status.{_kind}.suppressed"] = f'recovery.{_kind}.suppressed: "suppressed" is no status'
    MISSED[f"status.{_kind}.eliminated"] = 'passengers.on_destroyed: "eliminated" is no status of'


def full(which: str) -> Tables:
    """The case file with the optional keys that it lacks put in."""
    raw = base(which)
    if which == "rules":
        raw["notes"] = "Small."
        raw["features"]["foxholes"].update(cost={"foot": 1}, at_cover=1, height=0.5)
        raw["status"]["afv"]["shaken"]["may_overrun"] = True
        raw["recovery"]["vehicle"] = {}
        return raw
    raw.update(notes="None.", turn=2, turns=3)
    raw["map"]["legend"]["g"] = {"terrain": "clear", "elevation": 1, "features": ["foxholes"]}
    raw["map"]["hexes"].append({"hex": "0101", "terrain": "woods", "elevation": 2})
    raw["map"]["numbering"] = {
        "order": "column-row",
        "columns": {"style": "digits", "first": 1, "digits": 2, "descending": False},
        "rows": {"style": "digits", "first": 1, "digits": 2, "descending": False},
        "separator": "",
        "prefix": "",
    }
    raw["sides"][0]["name"] = "Red"
    raw["units"][1].update(status="suppressed", spent=["satchel"])
    raw["units"][2].update(fired=True, moved=False, movement_used=2.5)
    raw["units"].append(
        {"id": "V1", "side": "blue", "type": "truck", "hex": "0801", "towing": "G2"}
    )
    raw["units"].append({"id": "G2", "side": "blue", "type": "at_gun"})
    raw["objectives"] = [{"hex": "0404", "worth": 2, "held_by": "blue"}]
    window = {"target": "0103", "final_made": [], "final_leaders": []}
    raw["under_way"] = {"unit": "T1", "route": ["0103", "0203"], "window": window}
    raw["over"] = False
    return raw


EVERY_PLACE = [
    pytest.param(which, place, value, id=f"{which}-{place}")
    for which in ("rules", "scenario")
    for place, value in places(full(which))
]
EVERY_KEY = [
    pytest.param(which, place, id=f"{which}-{place}")
    for which in ("rules", "scenario")
    for place, _ in places(full(which))
    if isinstance(steps(place)[-1], str)
]


@pytest.mark.parametrize("which", ["rules", "scenario"])
def test_the_base_of_these_tables_is_right(which: str) -> None:
    assert faults_in(which, full(which)) == []


@pytest.mark.parametrize("which", ["rules", "scenario"])
def test_every_required_key_is_in_the_base(which: str) -> None:
    found = [place for place, _ in places(full(which))]
    for wanted in REQUIRED[which]:
        assert any(matches(place, [wanted]) for place in found), wanted


@pytest.mark.parametrize(("which", "place"), EVERY_KEY)
def test_every_key_missing(which: str, place: str) -> None:
    found = faults_in(which, edited(full(which), place, REMOVE))
    if matches(place, REQUIRED[which]):
        assert any(fault.startswith(f"{place}: is missing (") for fault in found)
    elif place in MISSED:
        assert any(fault.startswith(MISSED[place]) for fault in found)
    else:
        assert found == []


WRONG_VALUES = [True, "7 x", 7, 7.5, [], [None], {}, {"x": 1}, None, date(1944, 6, 6), float("nan")]


def fits(value: object, other: object) -> bool:
    """Whether a value may be right where another one of that type is."""
    if isinstance(value, bool) or isinstance(other, bool):
        return isinstance(value, bool) and isinstance(other, bool)
    numbers = (int, float)
    if isinstance(value, numbers) and isinstance(other, numbers):
        return True
    return type(value) is type(other)


# Optional keys: null, as JSON has it, is the same as none.
NULLABLE = words(
    """
    map.hexes[].terrain map.hexes[].elevation map.hexes[].features sides[].name units[].hex
    units[].facing units[].status units[].towing objectives[].held_by status.afv.*.may_overrun
    types.*.arc types.*.armour types.*.weapons[].class under_way under_way.window
    under_way.window.target
    """
)


@pytest.mark.parametrize(("which", "place", "right"), EVERY_PLACE)
def test_every_value_of_the_wrong_type(which: str, place: str, right: object) -> None:
    for wrong in WRONG_VALUES:
        either = pattern(place) == "map.legend.*" and isinstance(wrong, (str, dict))
        if fits(wrong, right) or either or (wrong is None and matches(place, NULLABLE)):
            continue
        found = faults_in(which, edited(full(which), place, wrong))
        here = [fault for fault in found if fault.startswith(f"{place}: ")]
        assert here, (wrong, found)
        assert any(" is no" in fault or " is neither " in fault for fault in here), here


# place, least and greatest value that are right; one step beyond is not.
RANGES = [
    ("rules", "dice.count", 1, 10, 1),
    ("rules", "dice.sides", 2, 100, 1),
    ("rules", "overrun.movement_points", 0, 10_000, 0.5),
    ("rules", "overrun.afv_multiplier", 0, 100, 1),
    ("rules", "stacking.limit", 0, 1000, 1),
    ("rules", "aspects.front", 0, 150, 0.5),
    ("rules", "aspects.rear", 0, 150, 0.5),
    ("rules", "classes.tracked.turn", 0, 10_000, 0.5),
    ("rules", "classes.tracked.uphill", 0, 10_000, 0.5),
    ("rules", "classes.tracked.max_climb", 0, 1000, 1),
    ("rules", "terrain.clear.cost.tracked", 0, 10_000, 0.5),
    ("rules", "terrain.woods.cover", -100, 100, 1),
    ("rules", "terrain.woods.at_cover", -100, 100, 1),
    ("rules", "terrain.woods.height", 0, 10_000, 0.5),
    ("rules", "edges.stream.cost.foot", 0, 10_000, 0.5),
    ("rules", "paths.road.cost.foot", 0, 10_000, 0.5),
    ("rules", "features.foxholes.cost.foot", 0, 10_000, 0.5),
    ("rules", "features.foxholes.cover", -100, 100, 1),
    ("rules", "features.foxholes.at_cover", -100, 100, 1),
    ("rules", "features.foxholes.height", 0, 10_000, 0.5),
    ("rules", "status.afv.shaken.loss", 0, 1, 0.001),
    ("rules", "ap.effects.leader.S.modifier", -100, 100, 1),
    ("rules", "ap.columns[0]", -1000, 3, None),
    ("rules", "ap.columns[2]", 5, 1000, None),
    ("rules", "ap.rolls[0]", -1000, 5, None),
    ("rules", "at.rolls[2]", 7, 1000, None),
    ("rules", "types.tank.movement", 0, 10_000, 0.5),
    ("rules", "types.tank.worth", 0, 1_000_000, 0.5),
    ("rules", "types.tank.capacity", 0, 1000, 1),
    ("rules", "types.truck.size", 0, 1000, 1),
    ("rules", "types.at_gun.arc", 0, 180, 0.5),
    ("rules", "types.tank.armour.front", -1000, 1000, 1),
    ("rules", "types.tank.armour.side", -1000, 1000, 1),
    ("rules", "types.tank.armour.rear", -1000, 1000, 1),
    ("rules", "types.sergeant.leadership", -100, 100, 1),
    ("rules", "types.sergeant.ratings.morale", -1000, 1000, 1),
    ("rules", "types.tank.weapons[0].apfp", 0, 1000, 1),
    ("rules", "types.tank.weapons[0].at[0][0]", 1, 11, None),
    ("rules", "types.tank.weapons[0].at[1][1]", -1000, 1000, 1),
    ("rules", "types.squad.weapons[2].price", 0, 1_000_000, 0.5),
    ("scenario", "turn", 1, 3, None),
    ("scenario", "turns", 2, 1000, None),
    ("scenario", "map.legend.g.elevation", -1000, 1000, 1),
    ("scenario", "map.hexes[1].elevation", -1000, 1000, 1),
    ("scenario", "map.numbering.columns.first", 1, 1, None),
    ("scenario", "map.numbering.rows.digits", 2, 2, None),
    ("scenario", "units[2].movement_used", 0, 10, 0.5),
    ("scenario", "objectives[0].worth", 0, 1_000_000, 0.5),
]


@pytest.mark.parametrize(
    ("which", "place", "low", "high", "step"), RANGES, ids=[f"{r[0]}-{r[1]}" for r in RANGES]
)
def test_every_number_out_of_range(
    which: str, place: str, low: float, high: float, step: float | None
) -> None:
    for right in (low, high):
        assert faults_in(which, edited(full(which), place, right)) == []
    beyond = 1 if step is None else step
    for wrong in (low - beyond, high + beyond):
        found = faults_in(which, edited(full(which), place, wrong))
        assert found, wrong
        if step is not None:
            where = "aspects" if place.startswith("aspects") and wrong > high else place
            assert [fault for fault in found if fault.startswith(f"{where}: ")], found


def test_every_number_of_the_formats_has_its_range_row() -> None:
    """Numbers that stand alone under a key; lists of numbers have rows of their own."""
    rows = {pattern(place) for _, place, *_ in RANGES}
    numbers = {
        pattern(place)
        for which in ("rules", "scenario")
        for place, value in places(full(which))
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
    left = {
        "at.columns[]",  # as ap.columns
        "status.gun.*.loss",  # as status.afv
        "status.infantry.*.loss",
        "status.leader.*.loss",
        "status.vehicle.*.loss",
        "map.numbering.rows.first",  # as columns; see test_read_scenario
        "map.numbering.columns.digits",
    }
    assert numbers - rows == left


DANGLING = [
    ("rules", "terrain.clear.cost.hover", 1, '"hover" is no movement class (one of "foot"'),
    ("rules", "edges.stream.cost.hover", 1, '"hover" is no movement class'),
    ("rules", "paths.road.cost.hover", 1, '"hover" is no movement class'),
    ("rules", "features.foxholes.cost.hover", 1, '"hover" is no movement class'),
    ("rules", "edges.cliff.bars[1]", "hover", '"hover" is no movement class'),
    ("rules", "features.blaze.bars[1]", "hover", '"hover" is no movement class'),
    ("rules", "types.tank.class", "traced", '"traced" is no movement class'),
    ("rules", "passengers.on_destroyed", "lost", '"lost" is no status of kind gun'),
    ("rules", "recovery.afv.worn", "ready", '"worn" is no status of kind afv'),
    ("rules", "recovery.afv.shaken", "well", '"well" is no status of kind afv'),
    ("rules", "ap.effects.gun.S.worn", "ready", '"worn" is no status of kind gun'),
    ("rules", "ap.effects.gun.S.ready", "worn", '"worn" is no status of kind gun'),
    ("rules", "ap.effects.leader.S.fail.ready", "worn", '"worn" is no status of kind leader'),
    ("rules", "ap.effects.leader.S.pass.worn", "ready", '"worn" is no status of kind leader'),
    ("rules", "at.effects.afv.D.ready", "worn", '"worn" is no status of kind afv'),
    ("rules", "ap.effects.gun.Q", {}, '"Q" is no result in the table (one of "K", "S")'),
    ("rules", "ap.effects.gun.-", {}, '"-" is no result in the table (one of "K", "S")'),
    ("rules", "at.effects.afv.S", {}, '"S" is no result in the table (one of "D", "M")'),
    ("scenario", "rules", "tiny", '"tiny" is not found (shipped rules or a path'),
    ("scenario", "to_move", "green", '"green" is no side (one of "blue", "red")'),
    ("scenario", "map.legend.w", "wood", '"wood" is no terrain (one of "building", "clear"'),
    ("scenario", "map.legend.g.features[0]", "pit", '"pit" is no feature'),
    (
        "scenario",
        "map.hexes[0].hex",
        "0907",
        '"0907" is not on the map (columns 01-08, rows 01-06)',
    ),
    ("scenario", "map.hexes[1].terrain", "wood", '"wood" is no terrain'),
    ("scenario", "map.hexes[0].features[0]", "pit", '"pit" is no feature'),
    ("scenario", "map.edges[0].edge", "brook", '"brook" is no edge (one of "cliff", "stream")'),
    ("scenario", "map.edges[0].hexes[1]", "0007", '"0007" is not on the map'),
    ("scenario", "map.paths[0].path", "lane", '"lane" is no path (only "road")'),
    ("scenario", "map.paths[0].hexes[2]", "0907", '"0907" is not on the map'),
    ("scenario", "units[0].side", "green", '"green" is no side'),
    ("scenario", "units[0].type", "tnak", '"tnak" is no unit type (one of "at_gun"'),
    ("scenario", "units[0].hex", "0999", '"0999" is not on the map (columns 01-08, rows 01-06)'),
    ("scenario", "units[0].facing", "E", '"E" is no direction on this map (one of N, NE, SE'),
    ("scenario", "units[0].status", "suppressed", '"suppressed" is no status of kind afv'),
    ("scenario", "units[0].passengers[0]", "S2", 'there is no unit "S2" (one of "B1"'),
    ("scenario", "units[6].towing", "G3", 'there is no unit "G3" (one of "B1"'),
    ("scenario", "units[1].spent[0]", "LMG", '"LMG" is no once-weapon of "squad" (only "satchel")'),
    ("scenario", "objectives[0].hex", "0907", '"0907" is not on the map'),
    ("scenario", "objectives[0].held_by", "green", '"green" is no side'),
]


@pytest.mark.parametrize(
    ("which", "place", "value", "words"), DANGLING, ids=[f"{d[0]}-{d[1]}" for d in DANGLING]
)
def test_every_dangling_name(which: str, place: str, value: object, words: str) -> None:
    found = faults_in(which, edited(full(which), place, value))
    assert any(fault.startswith(f"{place}: {words}") for fault in found), found


def test_a_name_nearly_right_is_guessed() -> None:
    found = faults_in("scenario", edited(full("scenario"), "units[0].type", "tnak"))
    assert found[0].endswith('; did you mean "tank"?)')


EVERY_TABLE = [
    pytest.param(which, place, id=f"{which}-{place}")
    for which in ("rules", "scenario")
    for place, value in [("", {}), *places(full(which))]
    if isinstance(value, dict)
]
# Tables of names that the file's writer chooses: there any key is right, or is caught by meaning.
FREE = words(
    """
    classes terrain edges paths features types map.legend recovery.* status.* *.*.cost
    types.*.ratings *.effects.* *.effects.*.* *.effects.*.*.pass *.effects.*.*.fail
    """
)


@pytest.mark.parametrize(("which", "place"), EVERY_TABLE)
def test_every_table_refuses_unknown_keys(which: str, place: str) -> None:
    key = f"{place}.zzz" if place else "zzz"
    found = faults_in(which, edited(full(which), key, 1))
    known = any(
        fault.startswith((f"{key}: is no key here (one of ", f"{key}: is no key here (only "))
        for fault in found
    )
    is_check = place == "ap.effects.leader.S"
    assert known is (is_check or not matches(place, FREE)), found


@pytest.mark.parametrize(
    ("which", "place", "guess"),
    [
        ("rules", "types.tank.wieght", None),
        ("rules", "types.tank.movment", "movement"),
        ("rules", "types.tank.weapons[0].appf", "apfp"),
        ("rules", "ap.effects.leader.S.modifer", "modifier"),
        ("scenario", "units[0].facng", "facing"),
        ("scenario", "map.ofset", "offset"),
        ("scenario", "titel", "title"),
    ],
)
def test_an_unknown_key_nearly_right_is_guessed(which: str, place: str, guess: str | None) -> None:
    (found,) = faults_in(which, edited(full(which), place, 1))
    assert found.startswith(f"{place}: is no key here (one of ")
    assert ("did you mean" in found) is (guess is not None)
    if guess is not None:
        assert found.endswith(f'did you mean "{guess}"?)')


def test_faults_of_form_and_of_meaning_come_together_in_file_order() -> None:
    raw = full("scenario")
    edited(raw, "units[0].side", REMOVE)
    edited(raw, "units[0].type", "tnak")
    edited(raw, "map.hexes[1].terrain", "wood")
    edited(raw, "units[3].passengers", ["G1"])
    edited(raw, "units[4].hex", "0999")
    edited(raw, "objectives[0].worth", "much")
    edited(raw, "to_move", "green")
    edited(raw, "extra", 1)
    found = [fault.partition(": ")[0] for fault in faults_in("scenario", raw)]
    assert found == [
        "to_move",
        "map.hexes[1].terrain",
        "units[0].type",
        "units[0].side",
        "units[3].passengers",
        "units[3].passengers[0]",
        "units[4].hex",
        "objectives[0].worth",
        "extra",
    ]


def test_faults_of_the_rules_show_beside_those_of_the_scenario(tmp_path: Path) -> None:
    rules = edited(edited(full("rules"), "types.tank.worth", -1), "name", REMOVE)
    scenario = edited(edited(full("scenario"), "rules", "mine.toml"), "units[0].hex", "0999")
    (tmp_path / "mine.toml").write_text(tomli_w.dumps(rules), encoding="utf-8")
    (tmp_path / "battle.toml").write_text(tomli_w.dumps(scenario), encoding="utf-8")
    with pytest.raises(FileFault) as caught:
        load(tmp_path / "battle.toml")
    assert caught.value.file == str(tmp_path / "battle.toml")
    assert [str(fault).partition(" (")[0] for fault in caught.value.faults] == [
        'rules: "mine.toml": types.tank.worth: -1 is out of range',
        'rules: "mine.toml": name: is missing',
        'units[0].hex: "0999" is not on the map',
    ]
