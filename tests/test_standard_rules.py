"""The shipped ``standard`` charts held to sense, straight from the file.

Nothing here uses the project's own tables code except the last test (which loads the file with the
project's reader): dice, lookups and checks are worked out again from the text, in fractions.
"""

from __future__ import annotations

import itertools
import tomllib
from collections import Counter
from fractions import Fraction
from importlib.resources import files
from typing import Any

import pytest

from planner.game.read_rules import shipped_rules

Chart = dict[str, Any]
Odds = dict[str, Fraction]

SOURCE = files("planner.data.rules") / "standard.toml"
RULES: Chart = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
CLASSES = {"tracked", "half_tracked", "wheeled", "foot", "towed"}
NATIONS = {"ger", "sov", "us", "brit"}
CHECK = {"afv": "crew", "gun": "morale", "infantry": "morale", "leader": "morale"}

DICE: dict[int, Fraction] = {
    total: Fraction(ways, RULES["dice"]["sides"] ** RULES["dice"]["count"])
    for total, ways in Counter(
        sum(faces)
        for faces in itertools.product(
            range(1, RULES["dice"]["sides"] + 1), repeat=RULES["dice"]["count"]
        )
    ).items()
}
ATTACKS = [
    (table, kind)
    for table, kinds in (("ap", ("infantry", "leader", "gun", "vehicle")), ("at", ("afv",)))
    for kind in kinds
]


def loss_of(kind: str, status: str) -> Fraction:
    return Fraction(str(RULES["status"][kind][status]["loss"]))


def ratings_of(kind: str) -> list[int | None]:
    """Every rating that some type of this kind checks against (None where it has none)."""
    found = {
        t.get("ratings", {}).get(CHECK.get(kind))
        for t in RULES["types"].values()
        if kind_is(t, kind)
    }
    return sorted(found, key=lambda rating: -1 if rating is None else rating)


def kind_is(unit_type: Chart, kind: str) -> bool:
    return bool(unit_type["kind"] == kind)


def after_result(table: str, kind: str, result: str, status: str, rating: int | None) -> Odds:
    """What one cell of a table makes of a unit in this status."""
    effect = RULES[table]["effects"][kind].get(result, {})
    if "check" not in effect:
        return {effect.get(status, status): Fraction(1)}
    assert rating is not None
    passed = sum(
        (p for roll, p in DICE.items() if roll <= rating + effect["modifier"]), Fraction(0)
    )
    odds: Odds = {}
    for chance, change in ((passed, effect["pass"]), (1 - passed, effect["fail"])):
        new = change.get(status, status)
        odds[new] = odds.get(new, Fraction(0)) + chance
    return {new: chance for new, chance in odds.items() if chance}


def after_attack(
    table: str, kind: str, strength: int, modifier: int, status: str, rating: int | None
) -> Odds:
    """What a whole attack, dice and checks, makes of a unit in this status."""
    chart = RULES[table]
    column = sum(1 for lowest in chart["columns"] if lowest <= strength) - 1
    if column < 0:
        return {status: Fraction(1)}
    odds: Odds = {}
    for roll, chance in DICE.items():
        row = max(0, sum(1 for lowest in chart["rolls"] if lowest <= roll + modifier) - 1)
        cell = chart["table"][row][column]
        for new, share in after_result(table, kind, cell, status, rating).items():
            odds[new] = odds.get(new, Fraction(0)) + chance * share
    return odds


def never_worse(kind: str, better: Odds, worse: Odds) -> bool:
    """Whether every loss, or more, is at most as likely under ``better`` as under ``worse``."""
    return all(
        sum((p for s, p in better.items() if loss_of(kind, s) >= loss), Fraction(0))
        <= sum((p for s, p in worse.items() if loss_of(kind, s) >= loss), Fraction(0))
        for loss in {loss_of(kind, s) for s in RULES["status"][kind]}
    )


def situations() -> list[tuple[str, str, str, int | None]]:
    return [
        (table, kind, status, rating)
        for table, kind in ATTACKS
        for status, what in RULES["status"][kind].items()
        if not what.get("removed")
        for rating in ratings_of(kind)
    ]


# ---- the two Combat Tables ----------------------------------------------------------------------


@pytest.mark.parametrize("table", ["ap", "at"])
def test_table_is_full_and_its_axes_ascend(table: str) -> None:
    chart = RULES[table]
    assert len(chart["columns"]) >= 10
    assert chart["columns"] == sorted(set(chart["columns"]))
    assert chart["rolls"] == sorted(set(chart["rolls"]))
    assert len(chart["table"]) == len(chart["rolls"])
    assert {len(row) for row in chart["table"]} == {len(chart["columns"])}


@pytest.mark.parametrize(("table", "kind"), ATTACKS)
def test_every_result_of_a_table_and_every_effect_of_a_kind_is_used(table: str, kind: str) -> None:
    cells = {cell for row in RULES[table]["table"] for cell in row} - {"-"}
    assert set(RULES[table]["effects"][kind]) <= cells
    assert len(cells) >= 4
    statuses = set(RULES["status"][kind])
    for effect in RULES[table]["effects"][kind].values():
        for change in (effect["pass"], effect["fail"]) if "check" in effect else (effect,):
            assert set(change) | set(change.values()) <= statuses


@pytest.mark.parametrize(("table", "kind", "status", "rating"), situations())
def test_along_a_row_a_higher_column_is_never_better_for_the_struck(
    table: str, kind: str, status: str, rating: int | None
) -> None:
    for row in RULES[table]["table"]:
        outcomes = [after_result(table, kind, cell, status, rating) for cell in row]
        assert all(never_worse(kind, a, b) for a, b in itertools.pairwise(outcomes)), row


@pytest.mark.parametrize(("table", "kind", "status", "rating"), situations())
def test_down_a_column_a_higher_roll_is_never_worse_for_the_struck(
    table: str, kind: str, status: str, rating: int | None
) -> None:
    for column in zip(*RULES[table]["table"], strict=True):
        outcomes = [after_result(table, kind, cell, status, rating) for cell in column]
        assert all(never_worse(kind, b, a) for a, b in itertools.pairwise(outcomes)), column


@pytest.mark.parametrize(("table", "kind", "status", "rating"), situations())
def test_more_strength_never_helps_the_struck_and_more_cover_never_hurts_it(
    table: str, kind: str, status: str, rating: int | None
) -> None:
    strengths = [RULES[table]["columns"][0] - 1, *RULES[table]["columns"]]
    modifiers = range(-2, 9)
    grid = [
        [after_attack(table, kind, strength, cover, status, rating) for cover in modifiers]
        for strength in strengths
    ]
    assert all(sum(odds.values()) == 1 for line in grid for odds in line)
    for weaker, stronger in itertools.pairwise(grid):
        assert all(never_worse(kind, a, b) for a, b in zip(weaker, stronger, strict=True))
    for line in grid:
        assert all(never_worse(kind, b, a) for a, b in itertools.pairwise(line))


@pytest.mark.parametrize(("table", "kind"), ATTACKS)
def test_no_attack_betters_a_status_and_a_worse_one_stays_the_worse(table: str, kind: str) -> None:
    alive = [s for s, what in RULES["status"][kind].items() if not what.get("removed")]
    for rating in ratings_of(kind):
        for result in RULES[table]["effects"][kind]:
            odds = {s: after_result(table, kind, result, s, rating) for s in alive}
            for status in alive:
                assert all(loss_of(kind, new) >= loss_of(kind, status) for new in odds[status])
            for lighter, heavier in itertools.pairwise(alive):
                assert never_worse(kind, odds[lighter], odds[heavier])


@pytest.mark.parametrize(("table", "kind"), [pair for pair in ATTACKS if pair[1] in CHECK])
def test_a_higher_rating_never_hurts(table: str, kind: str) -> None:
    for result in RULES[table]["effects"][kind]:
        for status in RULES["status"][kind]:
            outcomes = [after_result(table, kind, result, status, r) for r in range(2, 13)]
            assert all(never_worse(kind, b, a) for a, b in itertools.pairwise(outcomes))


def test_every_column_and_every_row_differs_from_the_next() -> None:
    for table in ("ap", "at"):
        rows = RULES[table]["table"]
        columns = list(zip(*rows, strict=True))
        assert all(a != b for lines in (rows, columns) for a, b in itertools.pairwise(lines))


# ---- statuses -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["afv", "vehicle", "gun", "infantry", "leader"])
def test_statuses_run_from_fresh_to_lost_and_a_worse_one_may_do_no_more(kind: str) -> None:
    statuses = list(RULES["status"][kind].items())
    losses = [loss_of(kind, name) for name, _ in statuses]
    assert losses[0] == 0
    assert losses[-1] == 1
    assert losses == sorted(set(losses))
    assert [bool(what.get("removed")) for _, what in statuses] == [False] * (len(losses) - 1) + [
        True
    ]
    for right in ("may_fire", "may_move"):
        rights = [what.get(right, True) for _, what in statuses[:-1]]
        assert rights == sorted(rights, reverse=True)


def test_some_afv_status_may_move_but_not_overrun() -> None:
    afv = RULES["status"]["afv"].values()
    assert any(s.get("may_move", True) and not s.get("may_overrun", True) for s in afv)


def test_recovery_betters_and_never_raises_the_dead() -> None:
    for kind, steps in RULES["recovery"].items():
        for before, after in steps.items():
            assert loss_of(kind, after) < loss_of(kind, before) < 1


# ---- ground -------------------------------------------------------------------------------------


def test_a_dozen_terrains_and_all_five_classes() -> None:
    assert set(RULES["classes"]) == CLASSES
    assert len(RULES["terrain"]) >= 12
    assert any(t.get("building") for t in RULES["terrain"].values())
    assert any(f.get("bunker") for f in RULES["features"].values())


@pytest.mark.parametrize("section", ["terrain", "edges", "paths", "features"])
def test_costs_and_bars_name_classes_and_no_class_twice(section: str) -> None:
    for name, thing in RULES[section].items():
        costs, bars = thing.get("cost", {}), thing.get("bars", [])
        assert set(costs) | set(bars) <= CLASSES, name
        assert not set(costs) & set(bars), name
        assert all(cost >= 1 for cost in costs.values()), name
        if section == "edges":
            assert set(costs) | set(bars) == CLASSES, name


def test_what_a_tank_can_enter_a_man_can_and_what_a_half_track_can_a_tank_can() -> None:
    for name, terrain in RULES["terrain"].items():
        cost = terrain["cost"]
        for rough, smooth in (("tracked", "half_tracked"), ("half_tracked", "wheeled")):
            if smooth in cost:
                assert cost[rough] <= cost[smooth], name
        if cost:
            assert "foot" in cost, name


def test_a_road_is_the_cheapest_way_for_everybody() -> None:
    for terrain in RULES["terrain"].values():
        for movement_class, cost in terrain["cost"].items():
            assert RULES["paths"]["road"]["cost"][movement_class] <= cost


def test_cover_never_hurts_whoever_stands_in_it() -> None:
    for section in ("terrain", "features"):
        for thing in RULES[section].values():
            assert thing.get("cover", 0) >= 0
            assert thing.get("at_cover", 0) >= 0
            assert thing.get("height", 0) >= 0


# ---- unit types ---------------------------------------------------------------------------------

TYPES = sorted(RULES["types"])


def test_thirty_types_and_more_of_four_nations_each_with_every_arm() -> None:
    assert len(TYPES) >= 30
    assert {name.split("_")[0] for name in TYPES} == NATIONS
    for nation in NATIONS:
        kinds = {t["kind"] for name, t in RULES["types"].items() if name.startswith(nation + "_")}
        assert kinds == {"afv", "vehicle", "gun", "infantry", "leader"}


@pytest.mark.parametrize("name", TYPES)
def test_type_is_plausible(name: str) -> None:
    unit = RULES["types"][name]
    kind = unit["kind"]
    assert unit["class"] in CLASSES
    assert unit["worth"] > 0
    assert 1 <= unit["size"] <= RULES["stacking"]["limit"]
    assert 0 < unit.get("capacity", 1) <= RULES["stacking"]["limit"]
    assert set(unit.get("ratings", {})) == ({CHECK[kind]} if kind in CHECK else set())
    assert ("armour" in unit) is (kind == "afv")
    assert ("leadership" in unit) is (kind == "leader")
    if kind == "afv":
        assert unit["class"] in {"tracked", "half_tracked", "wheeled"}
        assert 7 <= unit["movement"] <= 12
        armour = unit["armour"]
        assert armour["front"] >= armour["side"] >= armour["rear"] >= 1
        assert all("class" not in weapon for weapon in unit["weapons"])
    if kind in {"infantry", "leader"}:
        assert unit["class"] == "foot"
    if kind == "gun":
        assert unit["class"] == "towed"
    if kind == "leader":
        assert unit["leadership"] < 0


@pytest.mark.parametrize("name", TYPES)
def test_weapons_are_plausible(name: str) -> None:
    weapons = RULES["types"][name].get("weapons", [])
    assert len({weapon["name"] for weapon in weapons}) == len(weapons)
    for weapon in weapons:
        assert not set(weapon["name"]) & set(" :+")  # move notation names weapons
        assert "apfp" in weapon or "at" in weapon
        assert weapon.get("apfp", 1) > 0
        assert weapon.get("price", 0) >= 0
        assert ("price" in weapon) is weapon.get("once", False)
        ranges = [band[0] for band in weapon.get("at", [])]
        ratings = [band[1] for band in weapon.get("at", [])]
        assert ranges == sorted(set(ranges))
        assert ratings == sorted(set(ratings), reverse=True)


def test_passengers_may_add_light_weapons_and_not_the_heavier_ones() -> None:
    used = {
        weapon["class"]
        for unit in RULES["types"].values()
        for weapon in unit.get("weapons", [])
        if "class" in weapon
    }
    allowed = set(RULES["overrun"]["passenger_weapons"])
    assert allowed == {"light_mg", "grenades", "satchel"}
    assert allowed < used
    assert {"heavy_mg", "mortar", "at_rocket"} <= used - allowed


def test_no_weapon_gets_harder_hitting_in_a_lighter_piece_of_the_same_family() -> None:
    """At every range the longer or larger piece is the better one."""
    for weaker, stronger in (
        ("ger_pak_36", "ger_pak_38"),
        ("ger_pak_38", "ger_pak_40"),
        ("ger_pak_40", "ger_flak_88"),
        ("sov_45mm_m1937", "sov_45mm_m1942"),
        ("sov_45mm_m1942", "sov_57mm_zis_2"),
        ("us_37mm_m3", "us_57mm_m1"),
        ("us_57mm_m1", "us_3in_m5"),
        ("brit_2_pounder", "brit_6_pounder"),
        ("brit_6_pounder", "brit_17_pounder"),
    ):
        assert all(
            at_rating(weaker, distance) <= at_rating(stronger, distance)
            for distance in range(1, 25)
        )
        assert RULES["types"][weaker]["worth"] < RULES["types"][stronger]["worth"]


def at_rating(name: str, distance: int) -> int:
    """The best AT rating of a type's weapons at a range, 0 beyond the last band."""
    return max(
        (
            rating
            for weapon in RULES["types"][name]["weapons"]
            for reach, rating in weapon.get("at", [])
            if distance <= reach
        ),
        default=0,
    )


def test_an_afv_better_in_everything_is_worth_no_less() -> None:
    def strong_points(name: str) -> list[int]:
        unit = RULES["types"][name]
        return [
            unit["movement"],
            *unit["armour"].values(),
            sum(weapon.get("apfp", 0) for weapon in unit["weapons"]),
            *(at_rating(name, distance) for distance in range(1, 25)),
            unit["ratings"]["crew"],
            -unit.get("arc", 180),
            unit.get("capacity", 0),
        ]

    afvs = [name for name in TYPES if RULES["types"][name]["kind"] == "afv"]
    for a, b in itertools.permutations(afvs, 2):
        if all(x >= y for x, y in zip(strong_points(a), strong_points(b), strict=True)):
            assert RULES["types"][a]["worth"] >= RULES["types"][b]["worth"], (a, b)


def test_a_frontal_shot_at_a_medium_tank_matters_and_does_not_decide() -> None:
    """Proportion: a medium gun kills a medium tank's front seldom, its flank often, at 4 hexes."""
    for gun, tank in (
        ("ger_pak_40", "us_m4_sherman"),
        ("ger_pak_38", "sov_t_34_76"),
        ("sov_76mm_zis_3", "ger_panzer_iv_h"),
        ("us_57mm_m1", "ger_panzer_iv_h"),
        ("brit_6_pounder", "ger_panzer_iv_h"),
    ):
        armour, crew = RULES["types"][tank]["armour"], RULES["types"][tank]["ratings"]["crew"]
        front, side = (
            after_attack("at", "afv", at_rating(gun, 4) - armour[aspect], 0, "ready", crew)
            for aspect in ("front", "side")
        )
        assert 0 < front["destroyed"] < Fraction(1, 3), (gun, tank)
        assert front["destroyed"] < side["destroyed"] < Fraction(3, 4), (gun, tank)


def test_a_medium_tank_overrunning_a_gun_in_its_pit_is_a_fair_risk() -> None:
    """The gun is out of action (any loss) oftener than not, and eliminated less often than that."""
    for name in ("us_m4_sherman", "sov_t_34_76", "ger_panzer_iv_h", "brit_cromwell"):
        apfp = sum(weapon.get("apfp", 0) for weapon in RULES["types"][name]["weapons"])
        strength = RULES["overrun"]["afv_multiplier"] * apfp
        cover = RULES["features"]["gun_pit"]["cover"]
        odds = after_attack("ap", "gun", strength, cover, "ready", 8)
        assert Fraction(1, 2) < 1 - odds["ready"]
        assert Fraction(1, 20) < odds["eliminated"] < Fraction(1, 2)


# ---- the project's own reader -------------------------------------------------------------------


def test_the_reader_finds_no_fault() -> None:
    assert set(shipped_rules("standard").types) == set(TYPES)
