"""The rules page clause by clause, from a scenario to the answer: fire and resolution.

On clear ground the tank ``T1`` in 0302 faces south and drives over 0304 into 0305. An anti-tank gun
of rating 7 shoots at its front of 5 (strength 2: stopped 10 in 36), its side of 3 (4: destroyed 10,
stopped 11) and its rear of 2 (5: the same). Its attack of strength 6 kills on 10 of 36, suppresses
on 20.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from evaluation.units import Aspect
from evaluation.value import Defence, Evaluation
from planner import evaluate, parse_move
from planner.game.position import Position
from planner.search.exposure import script
from tests.situations import blue, red, situation

Tables = dict[str, Any]
T1 = red("T1", "tank", "0302", "S")
G1 = blue("G1", "at_gun", "0304", "N")
E1 = blue("E1", "squad", "0304")
MOVE = "T1 0303x0304-0305"
Label = tuple[str, str, str]


def told(position: Position, *texts: str, defence: Defence = Defence.FIRE_AT_ONCE) -> Evaluation:
    return evaluate(position, [parse_move(position, text) for text in texts], 1.0, defence)


def shots(position: Position, *texts: str, turn: int = 0) -> dict[str, list[Label]]:
    """The shots of a defender who fires whatever he may, by the hex where the AFV is."""
    found = told(position, *texts)
    return {
        position.board.name(stage.place): [label for label, p in stage.shots if p > 0]  # type: ignore[arg-type]
        for stage in found.stages[turn]
    }


def ways(chances: Mapping[str, float]) -> dict[str, int]:
    """Chances of a single throw of two dice in 36 ways."""
    found = {name: round(p * 36) for name, p in chances.items() if p > 1e-12}
    assert {name: n / 36 for name, n in found.items()} == pytest.approx(
        {name: p for name, p in chances.items() if p > 1e-12}
    )
    return found


def unharmed(charts: Tables) -> None:
    """Overruns do nothing, so that whoever stands in the target hex survives as he is."""
    charts["ap"]["effects"] = {}


GUN = ("G1", "gun", "")


def test_ovr_09_a_window_in_every_hex_entered_but_the_target() -> None:
    position = situation(T1, E1, blue("G1", "at_gun", "0705", "NW"))
    steps = script(position, parse_move(position, MOVE)).steps
    assert [type(step).__name__ for step in steps] == ["Enter", "Strike", "Enter"]
    assert shots(position, MOVE) == {"0303": [GUN], "0304": [], "0305": []}
    assert shots(position, "T1 0303-0403-0402") == {"0303": [GUN], "0403": [], "0402": []}


def test_ovr_09_none_before_the_attack_when_it_starts_next_to_the_target() -> None:
    near = red("T1", "tank", "0303", "S")
    position = situation(near, G1, rules=unharmed)
    assert shots(position, "T1 x0304-0305") == {"0304": [], "0305": [GUN]}
    assert shots(position, "T1 stay") == {}
    assert shots(position, "T1 /N") == {}  # turning opens no window


@pytest.mark.parametrize(
    ("unit", "fires"),
    [
        (G1, True),  # units in the target hex too
        (blue("G1", "at_gun", "0403", "NW"), True),
        (blue("G1", "at_gun", "0304", "N", fired=True), False),  # a Fire marker
        (blue("G1", "at_gun", "0304", "N", status="suppressed"), False),
        (blue("G1", "at_gun", "0304", "N", status="eliminated"), False),
        (blue("G1", "at_gun", "0304", "S"), False),  # outside its field of fire
        (blue("G1", "at_gun", "0304", "NE"), True),  # on the edge of it, 60 degrees
        (blue("G1", "at_gun", "0304", "SE"), False),  # 120
        (red("G1", "at_gun", "0201", "S"), False),  # one's own
        (blue("G1", "tank", "0404", "S"), True),  # an AFV fires like others
        (blue("G1", "tank", "0404", "S", fired=True), False),
    ],
)
def test_ovr_09_who_is_eligible(unit: Tables, fires: bool) -> None:
    position = situation(T1, blue("E1", "truck", "0304"), unit)
    assert shots(position, "T1 0303")["0303"] == ([GUN] if fires else [])


@pytest.mark.parametrize(
    ("hex_", "destroyed", "stopped"),
    [("0307", 10, 11), ("0308", 10, 11), ("0309", 0, 10), ("0313", 0, 10), ("0314", 0, 0)],
)
def test_ovr_09_range_below_at_and_over_each_limit(hex_: str, destroyed: int, stopped: int) -> None:
    """At an AFV of front armour 4: strength 3 up to 5 hexes from 0303, 1 up to 10."""

    def thinner(charts: Tables) -> None:
        charts["types"]["tank"]["armour"]["front"] = 4

    terrain = "\n".join([". " * 4] * 15)
    position = situation(T1, blue("G1", "at_gun", hex_, "N"), terrain=terrain, rules=thinner)
    found = ways(told(position, "T1 0303").outcomes["T1"])
    assert (found.get("destroyed", 0), found.get("immobilised", 0)) == (destroyed, stopped)


@pytest.mark.parametrize(
    ("between", "seen"), [("clear", True), ("woods", False), ("building", False), ("marsh", True)]
)
def test_ovr_09_line_of_sight(between: str, seen: bool) -> None:
    ground = [{"hex": "0304", "terrain": between}]
    position = situation(T1, blue("G1", "at_gun", "0305", "N"), hexes=ground)
    assert shots(position, "T1 0303")["0303"] == ([GUN] if seen else [])


@pytest.mark.parametrize(
    ("hex_", "facing", "way", "aspect"),
    [
        ("0305", "N", "T1 0303", Aspect.FRONT),
        ("0402", "NW", "T1 0303", Aspect.SIDE),  # 120 degrees off
        ("0301", "S", "T1 0303", Aspect.REAR),
        ("0405", "N", "T1 0402", Aspect.SIDE),  # it faces south-east now
        ("0301", "S", "T1 0303/N", Aspect.REAR),  # the last turn comes after the window
    ],
)
def test_ovr_09_judged_in_the_hex_entered_facing_the_way_it_moved(
    hex_: str, facing: str, way: str, aspect: Aspect
) -> None:
    position = situation(T1, blue("G1", "tank", hex_, facing))
    (step,) = script(position, parse_move(position, way)).steps
    assert [shot.aspect for shot in step.shots] == [aspect]  # type: ignore[union-attr]


def test_ovr_09_a_carried_unit_never_fires() -> None:
    truck = blue("V1", "truck", "0304")
    for carries in ({"passengers": ["B1"]}, {}):
        team = blue("B1", "bazooka_team", None if carries else "0304")
        found = shots(situation(T1, truck | carries, team), MOVE)
        assert [bool(labels) for labels in found.values()] == [not carries, False, False]


def test_ovr_09_a_unit_fires_once_in_all_windows_of_a_turn() -> None:
    """Its marker stays on for the second AFV as well."""
    position = situation(T1, red("T2", "tank", "0102", "S"), blue("G1", "at_gun", "0305", "N"))
    assert shots(position, "T1 0303", "T2 0103") == {"0303": [GUN]}
    assert shots(position, "T1 0303", "T2 0103", turn=1) == {"0103": []}
    assert shots(position, "T2 0103") == {"0103": [GUN]}


def test_ovr_10_leaving_the_target_hex_opens_the_last_window() -> None:
    """Units elsewhere fire there too, if they have not."""

    def blind(charts: Tables) -> None:
        charts["types"]["at_gun"]["arc"] = 30

    position = situation(T1, E1, blue("G1", "at_gun", "0405", "NW"), rules=blind)
    assert shots(position, MOVE) == {"0303": [], "0304": [], "0305": [GUN]}


@pytest.mark.parametrize(
    ("unit", "fires"),
    [
        (G1, True),
        (blue("G1", "at_gun", "0304", "N", fired=True), True),  # marked or not
        (blue("G1", "at_gun", "0304", "S"), True),  # whatever its field of fire
        (blue("G1", "at_gun", "0304", "SE"), True),
        (blue("G1", "at_gun", "0304", "N", status="suppressed"), False),  # but not its status
        (blue("G1", "squad", "0304"), False),  # no AT weapon
        (blue("G1", "truck", "0304"), False),
    ],
)
def test_ovr_11_final_opportunity_fire(unit: Tables, fires: bool) -> None:
    position = situation(red("T1", "tank", "0303", "S"), unit, rules=unharmed)
    found = told(position, "T1 x0304-0305")
    assert [label for label, _ in found.stages[0][-1].shots] == ([GUN] if fires else [])
    # At range 1, at the rear: 5, whatever the distance on the map.
    assert ways(found.outcomes["T1"]) == (
        {"destroyed": 10, "immobilised": 11, "ready": 15} if fires else {"ready": 36}
    )


def test_ovr_11_one_shot_in_the_last_window_even_if_it_had_none_before() -> None:
    """It may fire in the approach hex and again at the rear; in the last window but once."""
    position = situation(T1, G1, rules=unharmed)
    assert shots(position, MOVE) == {"0303": [GUN], "0304": [], "0305": [GUN]}
    near = situation(red("T1", "tank", "0303", "S"), G1, rules=unharmed)
    assert dict(told(near, "T1 x0304-0305").stages[0][-1].shots) == {GUN: pytest.approx(1.0)}


def test_ovr_11_another_overrun_of_the_same_hex_gives_it_another_shot() -> None:
    position = situation(
        red("T1", "tank", "0303", "S"), red("T2", "tank", "0204", "NE"), G1, rules=unharmed
    )
    plan = ("T1 x0304-0305", "T2 x0304-0403")
    assert shots(position, *plan)["0305"] == [GUN]
    assert shots(position, *plan, turn=1)["0403"] == [GUN]


def test_ovr_11_a_final_shot_marks_as_well() -> None:
    """So the gun that has not fired before does not fire at the next AFV that passes."""
    turned = blue("G1", "at_gun", "0304", "NE")
    units = red("T1", "tank", "0303", "S"), red("T2", "tank", "0402", "S"), turned
    position = situation(*units, rules=unharmed)
    plan = ("T1 x0304-0305", "T2 0403")
    assert shots(position, *plan, turn=1) == {"0403": []}
    assert shots(position, *reversed(plan)) == {"0403": [GUN]}
    assert shots(position, *reversed(plan), turn=1)["0305"] == [GUN]


@pytest.mark.parametrize("marked", [False, True])
def test_ovr_12_a_leader_modifies_a_final_shot_marked_or_not(marked: bool) -> None:
    leader = blue("L1", "sergeant", "0304", fired=marked)
    position = situation(red("T1", "tank", "0303", "S"), G1, leader, rules=unharmed)
    found = told(position, "T1 x0304-0305")
    assert [label for label, _ in found.stages[0][-1].shots] == [("G1", "gun", "L1")]
    assert ways(found.outcomes["T1"]) == {"destroyed": 15, "immobilised": 11, "ready": 10}


@pytest.mark.parametrize(
    ("leader", "helps"),
    [
        (blue("L1", "sergeant", "0304"), True),
        (blue("L1", "sergeant", "0304", fired=True), False),  # an ordinary shot he does not
        (blue("L1", "sergeant", "0304", status="suppressed"), False),
        (blue("L1", "sergeant", "0403"), False),  # not of its hex
    ],
)
def test_ovr_12_a_leader_and_an_ordinary_shot(leader: Tables, helps: bool) -> None:
    found = told(situation(T1, G1, leader), "T1 0303")
    assert ways(found.outcomes["T1"]) == (
        {"immobilised": 15, "ready": 21} if helps else {"immobilised": 10, "ready": 26}
    )


def test_ovr_12_a_suppressed_leader_modifies_no_final_shot() -> None:
    leader = blue("L1", "sergeant", "0304", status="suppressed")
    position = situation(red("T1", "tank", "0303", "S"), G1, leader, rules=unharmed)
    assert shots(position, "T1 x0304-0305")["0305"] == [GUN]


def test_ovr_12_a_leader_takes_a_marker_and_modifies_one_final_shot_a_window() -> None:
    guns = G1, blue("G2", "at_gun", "0304", "N"), blue("L1", "sergeant", "0304")
    tanks = red("T1", "tank", "0302", "S"), red("T2", "tank", "0202", "SE")
    position = situation(*tanks, *guns, rules=unharmed)
    first = shots(position, "T1 0303")["0303"]
    assert first == [("G1", "gun", "L1"), ("G2", "gun", "")]
    last = shots(position, MOVE)["0305"]
    assert last == [("G1", "gun", "L1"), ("G2", "gun", "")]
    # An overrun by another AFV: he helps again.
    plan = (MOVE, "T2 0203x0304-0404")
    assert shots(position, *plan, turn=1)["0404"] == last


def test_a_once_weapon_is_spent_by_use() -> None:
    """A bazooka fired at the approach hex has no last shot; one that has not fired does."""
    team = blue("G1", "bazooka_team", "0304")
    bazooka = ("G1", "bazooka", "")
    position = situation(T1, team, rules=unharmed)
    assert shots(position, MOVE) == {"0303": [bazooka], "0304": [], "0305": []}
    near = red("T1", "tank", "0303", "S")
    assert shots(situation(near, team, rules=unharmed), "T1 x0304-0305")["0305"] == [bazooka]
    spent = team | {"spent": ["bazooka"]}
    assert shots(situation(near, spent, rules=unharmed), "T1 x0304-0305")["0305"] == []


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("0305", {"destroyed": 6, "immobilised": 9, "ready": 21}),  # the exit hex's at_cover
        ("0304", {"destroyed": 10, "immobilised": 11, "ready": 15}),  # not the target hex's
        ("0303", {"destroyed": 10, "immobilised": 11, "ready": 15}),
    ],
)
def test_at_cover_of_the_afvs_hex_counts_for_a_final_shot_too(
    where: str, expected: dict[str, int]
) -> None:
    position = situation(
        red("T1", "tank", "0303", "S"),
        G1,
        rules=unharmed,
        hexes=[{"hex": where, "terrain": "woods"}],
    )
    assert ways(told(position, "T1 x0304-0305").outcomes["T1"]) == expected


def test_at_cover_of_terrain_and_features_add_up_for_an_ordinary_shot() -> None:
    def smoke(charts: Tables) -> None:
        charts["features"]["smoke"] = {"at_cover": 1}

    woods = [{"hex": "0303", "terrain": "woods", "features": ["smoke"]}]
    position = situation(T1, G1, rules=smoke, hexes=woods)
    assert ways(told(position, "T1 0303").outcomes["T1"]) == {"immobilised": 3, "ready": 33}


def test_an_afv_stopped_on_the_way_makes_no_overrun() -> None:
    position = situation(T1, G1, rules=unharmed)
    found = told(position, MOVE)
    assert [stage.reached * 36 for stage in found.stages[0]] == pytest.approx([36, 26, 26])


@pytest.mark.parametrize("may_overrun", [True, False])
def test_one_whose_status_may_not_overrun_stops_before_the_target_hex(may_overrun: bool) -> None:
    def shaking(charts: Tables) -> None:
        charts["status"]["afv"]["shaken"]["may_overrun"] = may_overrun
        charts["at"]["effects"]["afv"]["M"] = {"ready": "shaken"}
        unharmed(charts)

    found = told(situation(T1, G1, rules=shaking), MOVE)
    reached = 36 if may_overrun else 26
    assert [stage.reached * 36 for stage in found.stages[0]] == pytest.approx(
        [36, reached, reached]
    )


# Resolution.


def attacked(position: Position, text: str = "T1 x0304-0305", unit: str = "E1") -> dict[str, int]:
    """What becomes of a unit of the target hex, in 36 ways."""
    return ways(told(position, text).outcomes[unit])


COLUMN_1 = {"suppressed": 21, "ready": 15}
COLUMN_4 = {"eliminated": 10, "suppressed": 20, "ready": 6}
COLUMN_8 = {"eliminated": 21, "suppressed": 15}
NEAR = red("T1", "tank", "0303", "S")


@pytest.mark.parametrize(
    ("gun", "coax", "factor", "expected"),
    [
        (2, 1, 2, COLUMN_4),  # twice 3
        (2, 0, 2, COLUMN_4),  # exactly 4
        (1, 0, 2, COLUMN_1),  # 2, less than 4
        (3, 1, 2, COLUMN_8),  # exactly 8
        (4, 0, 2, COLUMN_8),
        (2, 1, 1, COLUMN_1),  # the factor stands in the rules
        (2, 1, 3, COLUMN_8),
        (0, 0, 2, {"ready": 36}),  # below the first column
    ],
)
def test_ovr_16_twice_the_sum_of_the_afvs_own_ratings(
    gun: int, coax: int, factor: int, expected: dict[str, int]
) -> None:
    def armed(charts: Tables) -> None:
        charts["overrun"]["afv_multiplier"] = factor
        charts["types"]["tank"]["weapons"][0]["apfp"] = gun
        charts["types"]["tank"]["weapons"][1]["apfp"] = coax

    assert attacked(situation(NEAR, E1, rules=armed)) == expected


@pytest.mark.parametrize(
    ("start", "text"),
    [("0303", "T1 x0304-0305"), ("0302", MOVE), ("0301", "T1 0302-0303x0304-0305")],
)
def test_ovr_16_at_full_strength_however_far_it_moved(start: str, text: str) -> None:
    assert attacked(situation(red("T1", "tank", start, "S"), E1), text) == COLUMN_4


def test_ovr_16_one_afv_attacks_by_itself() -> None:
    """Another one next to it adds nothing."""
    assert attacked(situation(NEAR, red("T2", "tank", "0303", "S"), E1)) == COLUMN_4


@pytest.mark.parametrize(
    ("rifles", "more", "text", "expected"),
    [
        (1, {}, "", COLUMN_4),  # 6 and 1, undoubled: doubled it would be 8
        (2, {}, "", COLUMN_8),  # 6 and 2
        (2, {"status": "suppressed"}, "", COLUMN_4),  # one that may not fire adds nothing
        (1, {}, " +S1:LMG", COLUMN_8),  # 7 and 2
        (0, {}, " +S1:LMG", COLUMN_8),  # 6 and 2
        (0, {}, "", COLUMN_4),
        (0, {}, " +S1:satchel", COLUMN_8),
        (0, {"spent": ["satchel"]}, "", COLUMN_4),
    ],
)
def test_ovr_17_passengers_add_undoubled_and_light_weapons_if_wished(
    rifles: int, more: Tables, text: str, expected: dict[str, int]
) -> None:
    def armed(charts: Tables) -> None:
        charts["types"]["squad"]["weapons"][0]["apfp"] = rifles

    carrier = NEAR | {"passengers": ["S1"]}
    position = situation(carrier, red("S1", "squad") | more, E1, rules=armed)
    assert attacked(position, "T1 x0304-0305" + text) == expected


@pytest.mark.parametrize("type_", ["bazooka_team", "sergeant"])
def test_ovr_17_heavier_weapons_add_nothing(type_: str) -> None:
    def strong(charts: Tables) -> None:
        charts["types"]["bazooka_team"]["weapons"][0]["apfp"] = 9

    carrier = NEAR | {"passengers": ["S1"]}
    assert attacked(situation(carrier, red("S1", type_), E1, rules=strong)) == COLUMN_4


@pytest.mark.parametrize(("weapon", "price"), [("", 0.0), (" +S1:LMG", 0.0), (" +S1:satchel", 0.5)])
def test_ovr_17_a_charge_used_is_spent_at_its_price(weapon: str, price: float) -> None:
    """A truck is dead on 21 ways at 8 or more."""
    position = situation(
        NEAR | {"passengers": ["S1"]}, red("S1", "squad"), blue("V1", "truck", "0304")
    )
    assert told(position, "T1 x0304-0305" + weapon).value == pytest.approx(2 * 21 / 36 - price)


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ({}, COLUMN_4),
        ({"terrain": "woods"}, {"eliminated": 6, "suppressed": 20, "ready": 10}),  # 1
        ({"features": ["foxholes"]}, {"eliminated": 3, "suppressed": 18, "ready": 15}),  # 2
        (
            {"terrain": "woods", "features": ["foxholes"]},
            {"eliminated": 1, "suppressed": 14, "ready": 21},
        ),
    ],
)
def test_ovr_18_cover_of_the_target_hex(what: Tables, expected: dict[str, int]) -> None:
    ground = [{"hex": "0304", **what}]
    assert attacked(situation(NEAR, E1, hexes=ground)) == expected


@pytest.mark.parametrize("hex_", ["0303", "0305"])
def test_ovr_18_no_other_hexs_cover(hex_: str) -> None:
    ground = [{"hex": hex_, "terrain": "woods", "features": ["foxholes"]}]
    assert attacked(situation(NEAR, E1, hexes=ground)) == COLUMN_4


def test_ovr_18_a_hexside_covers_nobody() -> None:
    streams = [{"hexes": ["0304", hex_], "edge": "stream"} for hex_ in ("0303", "0305", "0403")]
    position, bare = situation(NEAR, G1, edges=streams), situation(NEAR, G1)
    text = "T1 x0304-0305"
    assert told(position, text).outcomes == told(bare, text).outcomes


def test_ovr_02_all_in_the_target_hex_are_struck_together() -> None:
    """One roll: dead together on 10 ways, else the squad may be suppressed; the leader checks
    against 8 (26 of 36), the truck knows only a kill. An AFV's passenger apart, nobody else is."""
    units = (
        E1,
        blue("V1", "truck", "0304", passengers=["P1"]),
        blue("P1", "squad"),
        blue("L1", "sergeant", "0304"),
        blue("E2", "squad", "0404"),
    )
    found = told(situation(NEAR, *units), "T1 x0304-0305")
    assert ways(found.outcomes["E1"]) == COLUMN_4
    assert ways(found.outcomes["V1"]) == {"destroyed": 10, "ready": 26}
    assert ways(found.outcomes["P1"]) == {"eliminated": 10, "ready": 26}  # its carrier's fate
    assert found.outcomes["L1"]["suppressed"] == pytest.approx(20 / 36 * 10 / 36)
    assert found.outcomes["E2"] == {"ready": 1.0}
    lost = {payoff: p for payoff, p in found.payoff if payoff > 3}
    assert lost == {3 + 2 + 3 + 3: pytest.approx(10 / 36)}


@pytest.mark.parametrize(("roll_per", "both"), [("hex", 10 * 36), ("unit", 10 * 10)])
def test_ovr_02_one_roll_for_the_hex_or_one_for_each(roll_per: str, both: int) -> None:
    def rolling(charts: Tables) -> None:
        charts["ap"]["roll_per"] = roll_per

    trucks = blue("V1", "truck", "0304"), blue("V2", "truck", "0304")
    found = told(situation(NEAR, *trucks, rules=rolling), "T1 x0304-0305")
    assert dict(found.payoff)[4.0] == pytest.approx(both / 36**2)


def test_ovr_19_only_survivors_of_the_attack_fire() -> None:
    """Ready on 6 of 36 ways: a suppressed gun may not fire, a dead one can't."""
    found = told(situation(NEAR, G1), "T1 x0304-0305")
    attack, last = found.stages[0]
    assert ways(attack.struck["G1"]) == COLUMN_4
    assert dict(last.shots) == {GUN: pytest.approx(6 / 36)}
    assert found.outcomes["T1"]["destroyed"] == pytest.approx(6 / 36 * 10 / 36)


@pytest.mark.parametrize(
    ("fate", "expected"), [("eliminated", "eliminated"), ("suppressed", "suppressed")]
)
def test_passengers_share_their_carriers_fate(fate: str, expected: str) -> None:
    def fates(charts: Tables) -> None:
        charts["passengers"]["on_destroyed"] = fate
        unharmed(charts)

    carrier = NEAR | {"passengers": ["S1"]}
    position = situation(carrier, red("S1", "squad"), G1, rules=fates)
    found = told(position, "T1 x0304-0305")
    assert ways(found.outcomes["S1"]) == {expected: 10, "ready": 26}


def test_the_defender_may_hold_his_fire() -> None:
    """Best: an anti-tank gun that may shoot at the front now keeps its shot for the flank."""
    position = situation(T1, blue("G1", "at_gun", "0305", "N"))
    text = "T1 0303-0403-0404"
    found = told(position, text, defence=Defence.BEST)
    assert [[label for label, _ in stage.shots] for stage in found.stages[0]] == [[], [], [GUN]]
    assert [[label for label, _ in s.shots] for s in told(position, text).stages[0]] == [
        [GUN],
        [],
        [],
    ]
