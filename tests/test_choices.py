"""What may be done at a decision of the side that moves: clause by clause, and at each boundary."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from planner.game.actions import EndPhase, Enter, Fire, Halt, Hold, Overrun
from planner.game.choices import bars, expand, following, forced, legal
from planner.game.hexes import Direction
from planner.game.notation import parse_move
from planner.game.play_state import Deciding, Game, new_game
from tests.gaming import action, barred, choices, done, where
from tests.situations import blue, hexes, red, situation, two_tanks

Tables = dict[str, Any]
STEPS = tuple(Direction)
GUN = blue("G1", "at_gun", "0806", "SE")  # looks the other way


def game(*units: Tables, **keys: Any) -> Game:
    return new_game(situation(*units, **keys))


def rules(limit: int) -> Any:
    def change(charts: Tables) -> None:
        charts["stacking"]["limit"] = limit

    return change


def test_all_that_an_afv_can_do_and_the_end_of_the_phase() -> None:
    """Eight points: every hex beside it costs 1, each hexside turned 1; five turns on the spot."""
    played = game(red("T1", "tank", "0303", "N"), GUN)
    assert choices(played) == [
        "T1 0202",
        "T1 0203",
        "T1 0302",
        "T1 0304",
        "T1 0402",
        "T1 0403",
        "T1 halt/NE",
        "T1 halt/NW",
        "T1 halt/S",
        "T1 halt/SE",
        "T1 halt/SW",
        "end",
    ]


def test_in_text_order_and_each_once() -> None:
    found = choices(new_game(two_tanks()))
    assert found == sorted(set(found))


def test_only_who_decides_is_asked() -> None:
    start = new_game(two_tanks())
    assert start.deciding is Deciding.MOVER
    assert start.decider == "red"
    assert barred(start, "hold") == ["OVR-9 no window of Opportunity Fire is open"]
    assert barred(start, "fire G1:gun") == ["OVR-9 no window of Opportunity Fire is open"]
    fired_at = done(start, "T1 0304")
    assert fired_at.deciding is Deciding.DEFENDER
    assert fired_at.decider == "blue"
    for text in ("T1 0305", "T1 halt", "end", "T2 0304"):
        said = "OVR-9 a window is open: the defender fires at T1 or holds"
        assert barred(fired_at, text) == [said]


def test_nobody_decides_when_the_game_is_over() -> None:
    over = done(new_game(two_tanks()), "end", "end")
    assert over.over
    assert over.deciding is Deciding.NOBODY
    assert over.decider is None
    assert legal(over) == ()
    for text in ("T1 0304", "end", "hold"):
        assert barred(over, text) == ["OVR-4 the game is over"]


def test_one_afv_moves_at_a_time() -> None:
    played = done(
        game(red("T1", "tank", "0303", "N"), red("T2", "tank", "0503", "N"), GUN), "T1 0302"
    )
    assert {text.split()[0] for text in choices(played)} == {"T1"}
    assert barred(played, "T2 0502") == ["OVR-4 the move of T1 has not ended"]
    assert barred(played, "end") == ["OVR-4 the move of T1 has not ended"]
    ended = done(played, "T1 halt")
    assert {text.split()[0] for text in choices(ended)} == {"T2", "end"}
    assert barred(ended, "T1 0301") == ["OVR-4 T1 has moved in this phase"]


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        (blue("X", "tank", "0303", "N"), "OVR-4 this is the Movement Phase of red"),
        (red("X", "squad", "0303"), "OVR-1 X is no AFV but infantry"),
        (red("X", "truck", "0303", "N"), "OVR-1 X is no AFV but vehicle"),
        (red("X", "tank", "0303", "N", moved=True), "OVR-4 X has moved in this phase"),
        (
            red("X", "tank", "0303", "N", status="immobilised"),
            "OVR-4 X is immobilised and may not move",
        ),
        (
            red("X", "tank", "0303", "N", status="destroyed"),
            "OVR-4 X is destroyed and off the map",
        ),
    ],
)
def test_ovr_01_ovr_04_who_may_not_move(unit: Tables, said: str) -> None:
    played = game(unit, red("T9", "tank", "0806", "N"))
    assert choices(played, "X") == []
    assert said in barred(played, "X 0302")
    assert said in barred(played, "X halt/S")


def test_no_such_unit() -> None:
    played = game(red("T1", "tank", "0303", "N"))
    for text in ("T9 0302", "T9 x0302-0301", "T9 halt/S"):
        assert barred(played, text) == ["OVR-1 there is no unit T9 (AFVs of red: T1)"]


# -- OVR-7, OVR-13: the ground --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("T1 0305", "OVR-13 0303 and 0305 are not neighbours"),
        ("T1 0202", "OVR-7 0202 can't be entered: marsh bars tracked units"),
        ("T1 0402", "OVR-7 0402 can't be entered: blaze bars tracked units"),
    ],
)
def test_ovr_07_ground_that_bars(text: str, said: str) -> None:
    ground = [{"hex": "0202", "terrain": "marsh"}, {"hex": "0402", "features": ["blaze"]}]
    played = game(red("T1", "tank", "0303", "N"), hexes=ground)
    assert barred(played, text) == [said]
    assert text not in choices(played)


def test_ovr_07_off_the_map() -> None:
    played = game(red("T1", "tank", "0101", "N"))
    (here,) = hexes(played.position, "0101")
    off = Enter("T1", here.neighbour(played.position.board.orientation.direction("N")))
    assert [reason.clause.value for reason in bars(played, off)] == ["OVR-7"]
    assert choices(played, "T1 0") == ["T1 0102", "T1 0201"]


def test_ovr_07_an_enemy_in_the_way() -> None:
    played = game(red("T1", "tank", "0303", "N"), blue("S1", "squad", "0302"))
    assert barred(played, "T1 0302") == ["OVR-7 0302 holds S1 of the enemy"]
    gone = game(red("T1", "tank", "0303", "N"), blue("S1", "squad", "0302", status="eliminated"))
    assert barred(gone, "T1 0302") == []


# -- OVR-14: movement points ----------------------------------------------------------------------


@pytest.mark.parametrize(("used", "text", "may"), [
    (6, "T1 0304", True),  # 1 for the hex, none for turning
    (7, "T1 0304", True),  # at the limit
    (8, "T1 0304", False),
    (6, "T1 0403", True),  # one hexside and the hex
    (7, "T1 0403", False),
    (5, "T1 halt/N", True),  # three hexsides
    (6, "T1 halt/N", False),
    (7, "T1 halt/SE", True),
    (8, "T1 halt/SE", False),
])  # fmt: skip
def test_ovr_14_points_below_at_and_above(used: int, text: str, may: bool) -> None:
    played = game(red("T1", "tank", "0303", "S", movement_used=used))
    assert (text in choices(played)) is may
    assert [said.split()[0] for said in barred(played, text)] == ([] if may else ["OVR-14"])


@pytest.mark.parametrize(("used", "may"), [(3, True), (4, True), (5, False)])
def test_ovr_14_the_overrun_its_two_hexes_and_its_own_two(used: int, may: bool) -> None:
    played = game(red("T1", "tank", "0303", "S", movement_used=used), blue("S1", "squad", "0304"))
    assert ("T1 x0304-0305" in choices(played)) is may


def test_ovr_14_what_is_spent_on_the_way_is_gone() -> None:
    played = game(red("T1", "tank", "0301", "S", movement_used=3), blue("S1", "squad", "0304"))
    assert "T1 x0304-0305" not in choices(played)
    there = done(played, "T1 0302", "T1 0303")
    assert there.position.units["T1"].movement_used == 5
    assert barred(there, "T1 x0304-0305") == ["OVR-14 needs 4 movement points, T1 has 3"]


def test_ovr_14_a_ring_of_hexes_that_cost_nothing_ends() -> None:
    """It may go round once, but into no hex that it has been in."""

    def free(charts: Tables) -> None:
        charts["terrain"]["clear"]["cost"]["tracked"] = 0
        charts["classes"]["tracked"]["turn"] = 0

    played = game(red("T1", "tank", "0303", "N"), rules=free)
    round_about = done(played, "T1 0302", "T1 0402", "T1 0403")
    said = "OVR-14 T1 has been in 0303: it would move in a ring"
    assert barred(round_about, "T1 0303") == [said]
    assert "T1 0303" not in choices(round_about)
    assert "T1 0404" in choices(round_about)


def test_it_may_come_back_to_a_hex_at_a_cost() -> None:
    played = game(red("T1", "tank", "0303", "N"))
    assert "T1 0303" in choices(done(played, "T1 0302"))


# -- OVR-7: stacking -----------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "may"), [(1, False), (2, True), (3, True)])
def test_ovr_07_no_end_where_the_limit_would_be_broken(limit: int, may: bool) -> None:
    units = (red("T1", "tank", "0303", "N"), red("T2", "tank", "0302", "N"))
    beside = done(game(*units, rules=rules(limit)), "T1 0302")
    assert ("T1 halt" in choices(beside)) is may
    assert barred(beside, "T1 halt") == (
        [] if may else ["OVR-7 no room in 0302: stacking 1 and 1 more, limit 1"]
    )
    assert ("T1 halt/NE" in choices(beside)) is may


def test_ovr_07_through_a_full_hex_if_there_is_a_way_out() -> None:
    units = (red("T1", "tank", "0303", "N", movement_used=6), red("T2", "tank", "0302", "N"))
    played = game(*units, rules=rules(1))
    assert "T1 0302" in choices(played)
    through = done(played, "T1 0302")
    assert choices(through) == ["T1 0301"]
    assert forced(through) == action(through, "T1 0301")


def test_ovr_07_not_into_a_full_hex_with_no_way_out() -> None:
    units = (red("T1", "tank", "0303", "N", movement_used=7), red("T2", "tank", "0302", "N"))
    played = game(*units, rules=rules(1))
    said = "OVR-7 no room in 0302: stacking 1 and 1 more, limit 1"
    assert barred(played, "T1 0302") == [said]


def test_ovr_07_nor_into_two_full_ones() -> None:
    units = (
        red("T1", "tank", "0303", "N", movement_used=6),
        red("T2", "tank", "0302", "N"),
        red("T3", "tank", "0301", "N"),
    )
    played = game(*units, rules=rules(1))
    assert barred(played, "T1 0302") != []


def test_ovr_07_an_overrun_is_a_way_out_too() -> None:
    units = (red("T1", "tank", "0304", "N", movement_used=3), red("T2", "tank", "0303", "N"))
    enemy = blue("S1", "squad", "0302")
    played = game(
        *units,
        enemy,
        rules=rules(1),
        terrain=". . . . .\n" * 4,
        hexes=[{"hex": name, "terrain": "marsh"} for name in ("0202", "0203", "0402", "0403")],
    )
    assert "T1 0303" in choices(played)
    in_it = done(played, "T1 0303")
    assert "T1 x0302-0301" in choices(in_it)
    assert "T1 halt" not in choices(in_it)


def test_ovr_07_no_overrun_into_a_full_exit_hex() -> None:
    units = (red("T1", "tank", "0304", "N"), red("T2", "tank", "0302", "N"))
    played = game(*units, blue("S1", "squad", "0303"), rules=rules(1))
    said = "OVR-7 no room in 0302: stacking 1 and 1 more, limit 1"
    assert barred(played, "T1 x0303-0302") == [said]
    assert barred(game(*units, blue("S1", "squad", "0303")), "T1 x0303-0302") == []


def test_ovr_07_what_starts_too_close_may_turn_there() -> None:
    units = (red("T1", "tank", "0303", "N"), red("T2", "tank", "0303", "N"))
    played = game(*units, rules=rules(1))
    assert "T1 halt/NE" in choices(played)


MARSH = [{"hex": name, "terrain": "marsh"} for name in ("0202", "0203", "0402", "0403")]


def shaken_in_a_full_hex(*more: Tables, used: int = 3) -> Game:
    """``T1`` has come into the hex of ``T2`` to overrun 0302 and may not any more. The only way
    out is back to 0304, for 4 points."""

    def shaking(charts: Tables) -> None:
        charts["stacking"]["limit"] = 1
        charts["status"]["afv"]["shaken"]["may_overrun"] = False
        charts["at"]["effects"]["afv"]["M"] = {"ready": "shaken"}

    units = (
        red("T1", "tank", "0304", "N", movement_used=used),
        red("T2", "tank", "0303", "N"),
        blue("G1", "at_gun", "0306", "N"),
    )
    start = game(*units, *more, rules=shaking, hexes=MARSH)
    shaken = done(start, "T1 0303", "fire G1:gun", dice=[7])
    assert shaken.position.units["T1"].status.name == "shaken"
    return shaken


def test_an_afv_shaken_before_its_overrun_may_stop_in_a_full_hex() -> None:
    """As a written move would have it, which then stops in the hex before the target hex."""
    shaken = shaken_in_a_full_hex(blue("S1", "squad", "0302"))
    assert choices(shaken, "T1 0") == ["T1 0304"]
    assert "T1 halt" in choices(shaken)


def test_one_that_had_no_overrun_to_make_goes_on() -> None:
    shaken = shaken_in_a_full_hex()
    assert "T1 halt" not in choices(shaken)
    assert barred(shaken, "T1 halt") == ["OVR-7 no room in 0303: stacking 1 and 1 more, limit 1"]


def test_where_there_is_no_room_it_ends_if_there_is_nothing_else() -> None:
    """An own tank has come into 0302 meanwhile, by an event from outside."""
    on = done(
        game(
            red("T1", "tank", "0304", "N", movement_used=6),
            red("T2", "tank", "0303", "N"),
            red("T3", "tank", "0101", "N"),
            rules=rules(1),
            hexes=MARSH,
        ),
        "T1 0303",
    )
    assert choices(on) == ["T1 0302"]
    (there,) = hexes(on.position, "0302")
    full = on.position.with_units(replace(on.position.units["T3"], hex=there))
    stuck = replace(on, position=full)
    assert choices(stuck) == ["T1 halt", "T1 halt/NE", "T1 halt/NW"]


# -- the overrun ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "ground", "clause"),
    [
        ([], {}, "OVR-2"),
        ([blue("S1", "squad", "0302", status="eliminated")], {}, "OVR-2"),
        ([blue("E1", "tank", "0302", "N")], {}, "OVR-3"),
        ([blue("S1", "squad", "0302")], {"terrain": "building"}, "OVR-5"),
        ([blue("S1", "squad", "0302")], {"features": ["bunker"]}, "OVR-6"),
        ([blue("S1", "squad", "0302"), blue("S2", "squad", "0301")], {}, "OVR-7"),
    ],
)
def test_ovr_02_to_ovr_07_what_can_t_be_overrun(
    units: list[Tables], ground: Tables, clause: str
) -> None:
    played = game(
        red("T1", "tank", "0303", "N"), *units, hexes=[{"hex": "0302", **ground}] if ground else []
    )
    assert clause in [said.split()[0] for said in barred(played, "T1 x0302-0301")]
    assert choices(played, "T1 x") == []


def test_ovr_08_not_with_a_gun_in_tow() -> None:
    towing = red("T1", "tank", "0303", "N", towing="P1")
    played = game(towing, red("P1", "at_gun", facing="N"), blue("S1", "squad", "0302"))
    assert barred(played, "T1 x0302-0301") == ["OVR-8 T1 is towing P1"]
    assert "T1 0402" in choices(played)


def test_ovr_13_straight_through_only() -> None:
    played = game(red("T1", "tank", "0303", "N"), blue("S1", "squad", "0302"))
    assert choices(played, "T1 x") == ["T1 x0302-0301"]
    assert barred(played, "T1 x0302-0401") == [
        "OVR-13 0303, 0302, 0401 do not lie in one line; the exit hex of 0303x0302 is 0301"
    ]


def test_a_status_that_may_not_overrun() -> None:
    def timid(charts: Tables) -> None:
        charts["status"]["afv"]["shaken"]["may_overrun"] = False

    played = game(
        red("T1", "tank", "0303", "N", status="shaken"), blue("S1", "squad", "0302"), rules=timid
    )
    assert barred(played, "T1 x0302-0301") == ["OVR-4 T1 is shaken and may not overrun"]
    assert "T1 0402" in choices(played)


def test_ovr_17_choices_of_weapons_that_differ() -> None:
    """LMG 2, satchel 3 and used up: none, each, both."""
    near = done(new_game(two_tanks()), "T1 0304", "hold")
    assert choices(near, "T1 x") == [
        "T1 x0404-0505",
        "T1 x0404-0505 +S1:LMG",
        "T1 x0404-0505 +S1:LMG +S1:satchel",
        "T1 x0404-0505 +S1:satchel",
    ]
    assert barred(near, "T1 x0404-0505 +S1:rifles") == [
        "OVR-17 S1:rifles is the unit's own armament and counts anyway"
    ]


def test_ovr_17_of_choices_that_come_to_the_same_one_is_listed() -> None:
    """Grenades and LMG of 2 each: one of them does what the other does."""

    def grenades(charts: Tables) -> None:
        weapons = charts["types"]["squad"]["weapons"]
        weapons[:] = [w for w in weapons if not w.get("once")]
        weapons.append({"name": "bombs", "apfp": 2, "class": "grenades"})

    played = game(
        red("T1", "tank", "0303", "N", passengers=["P1"]),
        red("P1", "squad"),
        blue("S1", "squad", "0302"),
        rules=grenades,
    )
    assert choices(played, "T1 x") == [
        "T1 x0302-0301",
        "T1 x0302-0301 +P1:LMG",
        "T1 x0302-0301 +P1:LMG +P1:bombs",
    ]
    assert barred(played, "T1 x0302-0301 +P1:bombs") == []


# -- halting and what goes by itself --------------------------------------------------------------


def test_halting_needs_a_move_begun() -> None:
    played = game(red("T1", "tank", "0303", "N"))
    assert barred(played, "T1 halt") == [
        "OVR-4 T1 has not begun to move, so that it stays as it is"
    ]
    (t1,) = (played.position.units["T1"],)
    assert t1.facing is not None
    assert [r.text for r in bars(played, Halt("T1", t1.facing))] == ["T1 has that facing"]
    turned = done(played, "T1 halt/NE")
    assert where(turned, "T1") == "0303/NE"
    assert turned.position.units["T1"].moved
    assert choices(turned) == ["end"]


def test_forced_when_there_is_just_one() -> None:
    alone = game(red("T1", "tank", "0303", "N", moved=True))
    assert forced(alone) == EndPhase()
    assert forced(game(red("T1", "tank", "0303", "N"))) is None
    assert forced(done(alone, "end", "end")) is None


# -- written moves --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "actions"),
    [
        ("T1 0304x0404-0505 +S1:LMG", ["T1 0304", "T1 x0404-0505 +S1:LMG"]),
        ("T1 x0404-0505", ["T1 x0404-0505"]),
        ("T1 0304-0305/NE", ["T1 0304", "T1 0305", "T1 halt/NE"]),
        ("T1 0304", ["T1 0304", "T1 halt"]),
        ("T1 /NE", ["T1 halt/NE"]),
        ("T1 stay", []),
    ],
)
def test_a_written_move_as_actions(move: str, actions: list[str]) -> None:
    played = new_game(two_tanks())
    assert list(expand(parse_move(played.position, move))) == [
        action(played, text) for text in actions
    ]


def test_an_overrun_without_exit_is_no_row_of_actions() -> None:
    position = two_tanks()
    with pytest.raises(ValueError, match="an overrun needs an exit hex"):
        expand(parse_move(position, "T1 x0404"))


def test_following_a_written_move() -> None:
    start = new_game(two_tanks())
    move = parse_move(start.position, "T1 0304x0404-0505")
    assert following(start, move) == action(start, "T1 0304")
    fired_at = done(start, "T1 0304")
    assert following(fired_at, move) is None  # the defender decides
    held = done(fired_at, "hold")
    assert following(held, move) == action(held, "T1 x0404-0505")
    assert following(held, parse_move(start.position, "T1 0204")) is None  # another way
    assert following(held, parse_move(start.position, "T2 0402")) is None  # another's


@pytest.mark.parametrize("move", ["T1 0304-0404", "T1 0304x0405-0406", "T1 0101", "T1 stay"])
def test_a_written_move_that_may_not_begin(move: str) -> None:
    start = new_game(two_tanks())
    assert following(start, parse_move(start.position, move)) is None


def test_an_afv_that_may_not_overrun_any_more_halts_before_the_target() -> None:
    def shaking(charts: Tables) -> None:
        charts["status"]["afv"]["shaken"]["may_overrun"] = False
        charts["at"]["effects"]["afv"]["M"] = {"ready": "shaken"}

    gun = blue("G1", "at_gun", "0306", "N")
    start = game(red("T1", "tank", "0301", "S"), gun, blue("S1", "squad", "0303"), rules=shaking)
    move = parse_move(start.position, "T1 0302x0303-0304")
    # 0303 lies between and does not block; 7 at strength 2 is no effect, 5 or less stops.
    shot = done(start, "T1 0302", "fire G1:gun", dice=[4])
    assert shot.position.units["T1"].status.name == "shaken"
    assert following(shot, move) == action(shot, "T1 halt")


def test_legal_and_barred_are_each_other_s_opposite() -> None:
    """Over every action of its kinds that names a unit and a hex of the map."""
    for played in (new_game(two_tanks()), done(new_game(two_tanks()), "T1 0304")):
        units, board = played.position.units, played.position.board
        everything: list[Any] = [EndPhase(), Hold()]
        for unit in units:
            everything += [Halt(unit), *(Halt(unit, d) for d in STEPS)]
            everything += [Enter(unit, hex_) for hex_ in board.ground]
            everything += [
                Overrun(unit, hex_, hex_.neighbour(d)) for hex_ in board.ground for d in STEPS
            ]
            everything += [
                Fire(unit, weapon.name, leader)
                for weapon in units[unit].type.combat.weapons
                for leader in (None, *units)
            ]
        unarmed = {a for a in legal(played) if not (isinstance(a, Overrun) and a.weapons)}
        assert {a for a in everything if not bars(played, a)} == unarmed
