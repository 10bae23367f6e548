from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.interface import command
from tests.interface.command import TINY, TWO_TANKS, variant

SHOT = ("odds", "shot", "--rules", TINY, "--firer", "at_gun", "--target", "tank")
NEAR = (*SHOT, "--range", "1", "--aspect", "front")
ATTACK = ("odds", "attack", "--rules", TINY, "--afv", "tank", "--target", "at_gun")
MAP_SHOT = ("odds", "shot", "--scenario", TWO_TANKS, "--firer", "G1", "--target", "T1")
MAP_ATTACK = ("odds", "attack", "--scenario", TWO_TANKS, "--afv", "T1", "--target", "0404")


def put(arguments: tuple[str, ...]) -> list[str]:
    """Arguments in which the last of two equal options counts: rows change a command that is
    right. Passengers and targets of an attack gather."""
    kept = list(arguments[:2])
    pairs = list(zip(arguments[2::2], arguments[3::2], strict=True))
    gathered = ("--passenger", "--target") if arguments[1] == "attack" else ()
    for index, (option, value) in enumerate(pairs):
        if option in gathered or option not in [later for later, _ in pairs[index + 1 :]]:
            kept += [option, value]
    return kept


def run(*arguments: str) -> Result:
    return command.run(*put(arguments))


def answer(*arguments: str) -> Any:
    return command.answer(*put(arguments))


def faults(*arguments: str) -> list[tuple[str, str]]:
    return command.faults(*put(arguments))


def chances(unit: dict[str, Any]) -> dict[str, str]:
    return {status: found["chance"] for status, found in unit["statuses"].items()}


def test_a_shot_by_its_charts() -> None:
    # Rating 7 up to range 5, armour 5: strength 2, column 0; M at 5 or less.
    assert answer(*NEAR) == {
        "firer": "at_gun",
        "weapon": "gun",
        "range": 1,
        "aspect": "front",
        "rating": 7,
        "armour": 5,
        "at_cover": 0,
        "leadership": 0,
        "strength": 2,
        "column": 0,
        "modifier": 0,
        "results": [
            {"result": "M", "rolls": [[2, 5]], "chance": "10/36", "probability": 10 / 36},
            {"result": "-", "rolls": [[6, 12]], "chance": "26/36", "probability": 26 / 36},
        ],
        "target": {
            "unit": "tank",
            "type": "tank",
            "status": "ready",
            "statuses": {
                "ready": {"chance": "26/36", "probability": 26 / 36},
                "immobilised": {"chance": "10/36", "probability": 10 / 36},
            },
            "by_result": {"M": {"immobilised": 1.0}, "-": {"ready": 1.0}},
        },
        "notes": [],
    }


@pytest.mark.parametrize(
    ("options", "column", "after"),
    [
        (["--leader", "-1"], 0, {"ready": "21/36", "immobilised": "15/36"}),
        (["--at-cover", "1"], 0, {"ready": "30/36", "immobilised": "6/36"}),
        (["--leader", "-1", "--at-cover", "1"], 0, {"ready": "26/36", "immobilised": "10/36"}),
        (["--range", "5"], 0, {"ready": "26/36", "immobilised": "10/36"}),
        (["--range", "6"], 0, {"ready": "26/36", "immobilised": "10/36"}),
        (["--aspect", "side"], 3, {"ready": "15/36", "immobilised": "11/36", "destroyed": "10/36"}),
        (["--aspect", "rear"], 3, {"ready": "15/36", "immobilised": "11/36", "destroyed": "10/36"}),
        (["--status", "immobilised"], 0, {"immobilised": "36/36"}),
        (["--target", "light_tank"], 3, None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_of_a_shot(options: list[str], column: int, after: dict[str, str] | None) -> None:
    found = answer(*NEAR, *options)
    assert found["column"] == column
    if after is not None:
        assert chances(found["target"]) == after


def test_a_shot_too_weak_for_the_table() -> None:
    found = answer(*NEAR, "--firer", "light_tank", "--range", "6")
    assert (found["strength"], found["column"]) == (-1, None)
    assert [(row["result"], row["chance"]) for row in found["results"]] == [("-", "36/36")]
    text = run(*NEAR, "--firer", "light_tank", "--range", "6").stdout
    assert "column    none: too weak for any effect" in text


def test_weapon_chooses_and_else_the_best_rating_is_taken(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    second = 'weapons = [{ name = "gun", apfp = 1, at = [[5, 7], [10, 5]] }, '
    text = Path(TINY).read_text()
    old = 'weapons = [{ name = "gun", apfp = 1, at = [[5, 7], [10, 5]] }]'
    assert old in text
    rules.write_text(text.replace(old, f'{second}{{ name = "heat", at = [[2, 9]] }}]'))
    shot = (*NEAR, "--rules", str(rules))
    assert answer(*shot)["weapon"] == "heat"
    assert answer(*shot, "--range", "3")["weapon"] == "gun"
    assert answer(*shot, "--weapon", "gun")["weapon"] == "gun"
    assert faults(*shot, "--range", "3", "--weapon", "heat") == [
        ("--range", "3 is out of reach of heat")
    ]


def test_a_shot_in_a_scenario_takes_range_aspect_and_cover_from_the_map() -> None:
    here = answer(*MAP_SHOT, "--at", "0304", "--leader", "L1")
    assert (here["range"], here["aspect"], here["at_cover"], here["leadership"]) == (
        *(1, "front", 0),
        -1,
    )
    # The case's README: the gun with its leader misses with 21 of 36.
    assert chances(here["target"]) == {"ready": "21/36", "immobilised": "15/36"}
    assert here["notes"] == []
    turned = answer(*MAP_SHOT, "--at", "0304", "--facing", "NW")
    assert turned["aspect"] == "rear"
    in_woods = answer(*MAP_SHOT, "--target", "T2", "--at", "0402")
    assert in_woods["at_cover"] == 1
    assert answer(*MAP_SHOT, "--target", "T2", "--at", "0402", "--at-cover", "3")["at_cover"] == 3
    assert answer(*MAP_SHOT, "--range", "7")["rating"] == 5
    assert answer(*MAP_SHOT, "--aspect", "side")["aspect"] == "side"


@pytest.mark.parametrize(
    ("options", "note"),
    [
        (["--at", "0704", "--aspect", "side"], "0704 is outside the field of fire of G1"),
        (["--firer", "B1", "--leader", "L1", "--at", "0402"], "L1 is not in the hex of B1"),
    ],
)
def test_notes_say_what_keeps_a_unit_from_firing(options: list[str], note: str) -> None:
    assert note in answer(*MAP_SHOT, *options)["notes"]
    assert f"  note: {note}\n" in run(*MAP_SHOT, *options).stdout


def test_notes_on_markers_and_statuses(tmp_path: Path) -> None:
    scenario = variant(
        tmp_path,
        ('facing = "NW"', 'facing = "NW"\nfired = true\nstatus = "suppressed"'),
        ('type = "sergeant"', 'type = "sergeant"\nfired = true\nstatus = "suppressed"'),
    )
    found = answer(*MAP_SHOT, "--scenario", scenario, "--at", "0304", "--leader", "L1")
    assert found["notes"] == [
        "G1 has a Fire marker: it may make Final Opportunity Fire only",
        "G1 is suppressed and may not fire",
        "L1 has a Fire marker: it may modify Final Opportunity Fire only",
        "L1 is suppressed and may not fire",
    ]


def test_a_line_of_sight_that_is_blocked_names_the_hex(tmp_path: Path) -> None:
    scenario = variant(tmp_path, ('hex = "0503"', 'hex = "0401"'))
    found = answer(*MAP_SHOT, "--scenario", scenario, "--firer", "B1", "--at", "0403")
    assert "no line of sight: 0402 in the way" in found["notes"]


BOTH_IN_ONE_HEX = [
    ("--aspect", "can't be told: both are in one hex"),
    ("--range", "can't be told: both are in one hex"),
]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (
            (*SHOT, "--firer", "at_gum", "--target", "truck"),
            [
                ("--firer", '"at_gum" is no unit type'),
                ("--target", "truck is no AFV but vehicle"),
                ("--range", "is missing"),
                ("--aspect", "is missing"),
            ],
        ),
        (
            (*NEAR, "--firer", "squad", "--aspect", "top", "--status", "sad", "--at", "0101"),
            [
                ("--at", "speaks of a map"),
                ("--firer", "squad has no weapon with an AT rating"),
                ("--aspect", '"top" is no aspect'),
                ("--status", '"sad" is no status of AFVs'),
            ],
        ),
        ((*NEAR, "--range", "11"), [("--range", "11 is out of reach of at_gun")]),
        ((*NEAR, "--range", "-1"), [("--range", "-1 is too small")]),
        ((*NEAR, "--range", "0"), [("--range", "0 is too small")]),
        ((*NEAR, "--at-cover", "101"), [("--at-cover", "101 is too large")]),
        ((*NEAR, "--leader", "-101"), [("--leader", "-101 is too small")]),
        ((*NEAR, "--rules", ""), [("file", "the name is empty")]),
        (
            (*NEAR, "--status", "destroyed"),
            [("--status", 'a unit that is "destroyed" is off the map')],
        ),
        ((*MAP_SHOT, "--firer", "T2"), [("--firer", "T2 and T1 are on the same side")]),
        ((*MAP_SHOT, "--firer", "T1"), [("--firer", "T1 and T1 are on the same side")]),
        ((*NEAR, "--weapon", "bow"), [("--weapon", '"bow" is no AT weapon of at_gun')]),
        ((*NEAR, "--leader", "L1"), [("--leader", '"L1" is no whole number')]),
        ((*NEAR, "--at-cover", "x"), [("--at-cover", '"x" is no whole number')]),
        (
            (*MAP_SHOT, "--rules", TINY, "--firer", "G7", "--leader", "T1", "--at", "1"),
            [
                ("--rules", "stands beside --scenario, which names its rules"),
                ("--at", '"1" is not on the map'),
                ("--firer", '"G7" is no unit'),
                ("--leader", '"T1" is no leader'),
            ],
        ),
        ((*MAP_SHOT, "--leader", "T1"), [("--leader", '"T1" is no leader')]),
        ((*MAP_SHOT, "--at", "0404"), BOTH_IN_ONE_HEX),
        ((*MAP_SHOT, "--at", "0404", "--aspect", "rear"), BOTH_IN_ONE_HEX[1:]),
        ((*MAP_SHOT, "--at", "0404", "--range", "1"), BOTH_IN_ONE_HEX[:1]),
        ((*MAP_SHOT, "--facing", "E"), [("--facing", '"E" is no direction on this map')]),
        ((*MAP_ATTACK, "--afv", "T7"), [("--afv", '"T7" is no unit')]),
        (
            (*MAP_ATTACK[:-1], "0101"),
            [("--target", "no unit that T1 could strike stands in 0101")],
        ),
        (
            (*MAP_ATTACK, "--target", "0503"),
            [("--target", "is given more than once")],
        ),
        (
            (*MAP_ATTACK, "--passenger", "T2", "--passenger", "S1:rifles"),
            [
                ("--passenger", '"T2" is no passenger of T1'),
                ("--passenger", "S1:rifles is the unit's own armament and counts anyway"),
            ],
        ),
        (
            (*ATTACK, "--afv", "truck", "--passenger", "at_gun", "--target", "tank"),
            [
                ("--afv", "truck is no AFV but vehicle"),
                ("--passenger", "at_gun is no infantry but gun"),
                ("--target", "tank is an AFV"),
            ],
        ),
        (
            (*ATTACK, "--passenger", "squad:rifles", "--target", "squad:sad", "--cover", "x"),
            [
                ("--cover", '"x" is no whole number'),
                ("--passenger", '"rifles" is no weapon that squad may add (OVR-17)'),
                ("--target", '"sad" is no status of infantry units'),
            ],
        ),
        (
            (*ATTACK, "--passenger", "squad:LMG,satchel,LMG"),
            [("--passenger", "squad:LMG is named twice")],
        ),
        (
            (*MAP_ATTACK, "--passenger", "S1:LMG", "--passenger", "S1:satchel,LMG"),
            [("--passenger", "S1:LMG is named twice")],
        ),
        (
            (*ATTACK, "--passenger", "squad", "--passenger", "sergeant"),
            [("--passenger", "those named take room 2")],
        ),
        (
            (*ATTACK, "--afv", "light_tank", "--passenger", "squad"),
            [("--passenger", "those named take room 1")],
        ),
        (
            (*ATTACK, "--target", "squad:eliminated"),
            [("--target", 'a unit that is "eliminated" is off the map')],
        ),
        (
            (*ATTACK, "--target", "squad:ready,suppressed"),
            [("--target", '"squad:ready,suppressed" gives several statuses')],
        ),
    ],
)
def test_faults(arguments: tuple[str, ...], found: list[tuple[str, str]]) -> None:
    assert faults(*arguments) == found


LIGHT = 'type = "light_tank"'


@pytest.mark.parametrize(
    ("arguments", "unit", "place", "said"),
    [
        ((*MAP_SHOT, "--target", "T2"), LIGHT, "--target", "T2 is destroyed and off the map"),
        ((*MAP_ATTACK, "--afv", "T2"), LIGHT, "--afv", "T2 is destroyed and off the map"),
        (MAP_SHOT, 'type = "at_gun"', "--firer", "G1 is eliminated and off the map"),
    ],
    ids=["target", "AFV", "firer"],
)
def test_units_off_the_map_neither_fire_nor_are_struck(
    tmp_path: Path, arguments: tuple[str, ...], unit: str, place: str, said: str
) -> None:
    status = said.split()[2]
    lost = variant(tmp_path, (unit, f'{unit}\nstatus = "{status}"'))
    assert faults(*arguments, "--scenario", lost) == [(place, said)]


def test_what_would_be_right_is_said() -> None:
    for arguments, said in (
        ((*ATTACK, "--passenger", "squad", "--passenger", "squad"), "(at most 1, the capacity of"),
        ((*ATTACK, "--target", "squad:eliminated"), '(one of "ready", "suppressed")'),
        ((*MAP_SHOT, "--firer", "T2"), '(one of "B1", "G1")'),
        ((*NEAR, "--range", "0"), "(a whole number of at least 1)"),
    ):
        assert said in run(*arguments).stderr


def test_rules_that_are_not_there() -> None:
    said = run("odds", "shot", "--rules", "nowhere", "--firer", "a", "--target", "b").stderr
    assert said.startswith("overrun: nowhere: file: there is no such file (a file, or shipped")


def test_the_standard_rules_unless_others_are_named() -> None:
    shot = ("--firer", "ger_pak_40", "--target", "sov_t_34_76", "--range", "2", "--aspect", "side")
    known = command.run("odds", "shot", *shot, "--json")
    named = command.run("odds", "shot", *shot, "--rules", "standard", "--json")
    assert (known.exit_code, known.stderr) == (0, "")
    assert known.stdout == named.stdout


def test_an_attack_by_its_charts() -> None:
    # Twice 2 + 1, and the squad's 2 and 2: strength 10, column 8; with cover 2: K at 3 or less ...
    found = answer(*ATTACK, "--target", "sergeant", "--passenger", "squad:LMG", "--cover", "2")
    assert (found["own_strength"], found["passenger_strength"]) == (6, 4)
    assert (found["strength"], found["column"], found["modifier"]) == (10, 8, 2)
    assert found["roll_per"] == "hex"
    assert [(row["result"], row["rolls"], row["chance"]) for row in found["results"]] == [
        ("K", [[2, 5]], "10/36"),
        ("S", [[6, 12]], "26/36"),
    ]
    gun, leader = found["units"]
    assert chances(gun) == {"suppressed": "26/36", "eliminated": "10/36"}
    # Morale 8: 10 of 36 fail.
    assert leader["by_result"]["S"] == pytest.approx({"ready": 26 / 36, "suppressed": 10 / 36})
    assert chances(leader) == {
        "ready": "676/1296",
        "suppressed": "260/1296",
        "eliminated": "10/36",
    }


@pytest.mark.parametrize(
    ("options", "strength", "column"),
    [
        ([], 6, 4),
        (["--afv", "light_tank"], 4, 4),
        (["--passenger", "squad"], 8, 8),
        (["--passenger", "squad:LMG"], 10, 8),
        (["--passenger", "squad:LMG,satchel"], 13, 8),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_strength_of_an_attack(options: list[str], strength: int, column: int) -> None:
    found = answer(*ATTACK, *options)
    assert (found["strength"], found["column"]) == (strength, column)


def test_a_target_s_status() -> None:
    hurt = answer(*ATTACK[:-2], "--target", "at_gun:suppressed")["units"][0]
    assert hurt["status"] == "suppressed"
    assert "ready" not in hurt["statuses"]


def test_an_attack_in_a_scenario_takes_passengers_units_and_cover_from_it() -> None:
    found = answer(*MAP_ATTACK)
    assert (found["strength"], found["modifier"]) == (8, 2)
    assert [unit["unit"] for unit in found["units"]] == ["G1", "L1"]
    assert answer(*MAP_ATTACK, "--passenger", "S1:LMG")["strength"] == 10
    assert answer(*MAP_ATTACK, "--cover", "0")["modifier"] == 0


def test_a_shot_in_words() -> None:
    text = run(*NEAR, "--leader", "-1").stdout
    for part in (
        "at_gun fires gun at tank, range 1, front\n",
        "strength  rating 7 - armour 5 = 2\n",
        "column    0\n",
        "modifier  -1 to the roll (cover +0, leader -1)\n",
        "M          6 or less              15/36  42 %  immobilised\n",
        "no effect  7 or more              21/36  58 %  stays\n",
    ):
        assert part in text


def test_an_attack_in_words(tmp_path: Path) -> None:
    attack = (*ATTACK, "--target", "sergeant", "--passenger", "squad:LMG", "--cover", "2")
    text = run(*attack).stdout
    for part in (
        "tank overruns at_gun, sergeant\n",
        "strength  AFV 2 x 3 + passengers 4 = 10\n",
        "S       6 or more              26/36  72 %  suppressed      ready 72 %, suppressed 28 %\n",
        "sergeant  ready       676/1296  52 %\n",
        "one roll for all units\n",
    ):
        assert part in text
    rules = tmp_path / "rules.toml"
    rules.write_text(Path(TINY).read_text().replace('roll_per = "hex"', 'roll_per = "unit"'))
    assert "each unit has its own roll\n" in run(*attack, "--rules", str(rules)).stdout


@pytest.mark.parametrize(
    ("source", "firer", "target", "said"),
    [
        (
            ("--rules", TINY),
            "squad",
            "tank",
            '--firer: squad has no weapon with an AT rating (one of "at_gun", "bazooka_team", ',
        ),
        (
            ("--rules", TINY),
            "at_gun",
            "truck",
            '--target: truck is no AFV but vehicle (one of "light_tank", "tank")',
        ),
        (
            ("--scenario", TWO_TANKS),
            "L1",
            "T1",
            '--firer: sergeant has no weapon with an AT rating (one of "B1", "G1", "T1", "T2")',
        ),
        (
            ("--scenario", TWO_TANKS),
            "B1",
            "G1",
            '--target: at_gun is no AFV but gun (one of "T1", "T2")',
        ),
        # A long list is cut short.
        ((), "ger_mortar_team", "sov_t_34_76", ", … ("),
    ],
)
def test_who_would_be_right_is_listed(
    source: tuple[str, ...], firer: str, target: str, said: str
) -> None:
    assert said in run("odds", "shot", *source, "--firer", firer, "--target", target).stderr
