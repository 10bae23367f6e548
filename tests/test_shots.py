"""Opportunity Fire shot by shot: who may fire in an open window, and what bars the others.

``T1`` drives south through 0302 and 0303 and may overrun 0304 into 0305.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from evaluation.units import Aspect
from planner.game.actions import Fire
from planner.game.play_state import Game, new_game
from planner.game.shots import aimed, chances, declarable, is_futile, under_fire
from tests.gaming import action, barred, choices, done
from tests.situations import blue, red, situation

Tables = dict[str, Any]
T1 = red("T1", "tank", "0302", "S")
G1 = blue("G1", "at_gun", "0304", "N")
L1 = blue("L1", "sergeant", "0304")


def window(*units: Tables, rules: Callable[[Tables], None] | None = None, **keys: Any) -> Game:
    """The window in 0303, if one opens."""
    return done(new_game(situation(T1, *units, rules=rules, **keys)), "T1 0303")


def last_window(*units: Tables, dice: int = 12, rules: Any = None, **keys: Any) -> Game:
    """The window in 0305, 0304 just overrun without a shot before; 12 hurts nobody in it."""

    def harmless(charts: Tables) -> None:
        charts["ap"]["effects"] = {}
        if rules is not None:
            rules(charts)

    near = red("T1", "tank", "0303", "S")
    start = new_game(situation(near, *units, rules=harmless, **keys))
    return done(start, "T1 x0304-0305", dice=[dice])


def open_for(game: Game) -> bool:
    return game.under_way is not None and game.under_way.window is not None


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        (G1, None),
        (blue("G1", "at_gun", "0403", "NW"), None),
        (blue("G1", "at_gun", "0304", "N", fired=True), "OVR-9 G1 has a Fire marker"),
        (
            blue("G1", "at_gun", "0304", "N", status="suppressed"),
            "OVR-9 G1 is suppressed and may not fire",
        ),
        (
            blue("G1", "at_gun", "0304", "N", status="eliminated"),
            "OVR-9 G1 is eliminated and may not fire",
        ),
        (blue("G1", "at_gun", "0304", "S"), "OVR-9 0303 is outside the field of fire of G1"),
        (blue("G1", "at_gun", "0304", "NE"), None),  # 60 degrees, on the bound
        (red("G1", "at_gun", "0201", "S"), "OVR-9 G1 is of the side that moves"),
    ],
)
def test_ovr_09_who_may_fire(unit: Tables, said: str | None) -> None:
    game = window(unit, blue("G9", "at_gun", "0305", "N"))
    assert open_for(game)
    assert barred(game, "fire G1:gun") == ([said] if said else [])
    assert ("fire G1:gun" in choices(game)) is (said is None)


@pytest.mark.parametrize(("row", "said"), [
    ("08", None),  # 5 hexes from 0303: the first range's last
    ("13", None),  # 10: the last
    ("14", "OVR-9 G1:gun has no AT rating at range 11"),
])  # fmt: skip
def test_ovr_09_range_below_at_and_above(row: str, said: str | None) -> None:
    def thin(charts: Tables) -> None:
        charts["types"]["tank"]["armour"]["front"] = 4

    game = window(
        blue("G1", "at_gun", f"03{row}", "N"),
        blue("G9", "at_gun", "0304", "N"),
        terrain="\n".join([". " * 4] * 15),
        rules=thin,
    )
    assert barred(game, "fire G1:gun") == ([said] if said else [])


def test_ovr_09_line_of_sight() -> None:
    game = window(
        blue("G1", "at_gun", "0305", "N"),
        blue("G9", "at_gun", "0403", "NW"),
        hexes=[{"hex": "0304", "terrain": "woods"}],
    )
    assert barred(game, "fire G1:gun") == ["OVR-9 0304 blocks the line of sight from 0305 to 0303"]


def test_a_carried_unit_never_fires() -> None:
    game = window(
        blue("V1", "truck", "0304", "N", passengers=["B1"]),
        blue("B1", "bazooka_team"),
        blue("G9", "at_gun", "0403", "NW"),
    )
    assert barred(game, "fire B1:bazooka") == ["OVR-9 B1 is carried by V1"]


def test_a_once_weapon_fires_once() -> None:
    spent = blue("B1", "bazooka_team", "0304", spent=["bazooka"])
    game = window(spent, G1)
    assert barred(game, "fire B1:bazooka") == ["OVR-9 B1:bazooka is spent"]
    fresh = window(blue("B1", "panzerfaust_squad", "0304"), G1)
    assert choices(fresh, "fire B1") == ["fire B1:faust"]  # the mine of 4 bounces off the front
    after = done(fresh, "fire B1:faust", dice=[12])
    assert after.position.units["B1"].spent == {"faust"}
    assert after.position.units["B1"].fired


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fire G9:gun", "OVR-9 there is no unit G9"),
        ("fire G1:coax", "OVR-9 G1 has no weapon coax (weapons: gun)"),
        ("fire G1:gun with L9", "OVR-9 L9 is no leader who could help"),
        ("fire G1:gun with T1", "OVR-9 T1 is no leader who could help"),
        ("fire G1:gun with G1", "OVR-9 G1 is no leader who could help"),
        ("fire G1:gun with L2", "OVR-9 L2 is no other unit in the hex of G1"),
        ("fire G1:gun with L3", "OVR-9 L3 is suppressed and may not help"),
        ("fire G1:gun with L4", "OVR-9 L4 has a Fire marker"),
        ("fire G1:gun with L1", None),
    ],
)
def test_no_such_shot(text: str, said: str | None) -> None:
    def roomy(charts: Tables) -> None:
        charts["stacking"]["limit"] = 9

    game = window(
        G1,
        L1,
        blue("L2", "sergeant", "0305"),
        blue("L3", "sergeant", "0304", status="suppressed"),
        blue("L4", "sergeant", "0304", fired=True),
        rules=roomy,
    )
    assert barred(game, text) == ([said] if said else [])
    assert choices(game) == ["fire G1:gun", "fire G1:gun with L1", "hold"]


def test_a_leader_of_no_leadership_helps_nobody() -> None:
    def plain(charts: Tables) -> None:
        charts["types"]["sergeant"]["leadership"] = 0

    game = window(G1, L1, rules=plain)
    assert choices(game) == ["fire G1:gun", "hold"]


def test_a_leader_who_fires_does_not_help_himself() -> None:
    """A lieutenant with a Panzerfaust of his own, another beside him."""
    game = window(
        blue("L1", "lieutenant", "0304"), blue("L2", "lieutenant", "0304"), scenario={"turns": 1}
    )
    assert choices(game) == [
        "fire L1:faust",
        "fire L1:faust with L2",
        "fire L2:faust",
        "fire L2:faust with L1",
        "hold",
    ]
    after = done(game, "fire L1:faust with L2", dice=[12])
    assert not open_for(after)  # both carry Fire markers


def test_several_faults_at_once() -> None:
    tired = blue("G1", "at_gun", "0304", "S", fired=True, status="suppressed")
    game = window(tired, blue("G9", "at_gun", "0403", "NW"))
    assert barred(game, "fire G1:gun with L9") == [
        "OVR-9 G1 is suppressed and may not fire",
        "OVR-9 G1 has a Fire marker",
        "OVR-9 0303 is outside the field of fire of G1",
        "OVR-9 L9 is no leader who could help",
    ]


def test_a_shot_that_can_do_nothing_may_not_be_made() -> None:
    """A light tank's gun of 4 at a front of 5."""
    game = window(blue("E1", "light_tank", "0304", "N"), blue("G9", "at_gun", "0403", "NW"))
    assert is_futile(game, Fire("E1", "gun"))
    assert barred(game, "fire E1:gun") == ["OVR-9 E1:gun can do nothing to T1, which is ready"]
    assert not open_for(window(blue("E1", "light_tank", "0304", "N")))


def test_no_window_opens_where_nobody_can_fire() -> None:
    assert not open_for(window(blue("S1", "squad", "0304")))
    assert not open_for(window(blue("G1", "at_gun", "0304", "N", fired=True)))


# -- the last window ------------------------------------------------------------------------------


def test_ovr_11_rear_at_range_1_marked_or_not() -> None:
    game = last_window(blue("G1", "at_gun", "0304", "N", fired=True))
    made = aimed(game, Fire("G1", "gun"))
    assert (made.shot.distance, made.shot.aspect, made.strength) == (1, Aspect.REAR, 5)
    assert made.final
    assert choices(game) == ["fire G1:gun", "hold"]


def test_ovr_11_once_only() -> None:
    game = last_window(G1, blue("B1", "bazooka_team", "0304"))
    after = done(game, "fire G1:gun", dice=[12])
    assert barred(after, "fire G1:gun") == ["OVR-11 G1 has made its Final Opportunity Fire"]
    assert choices(after) == ["fire B1:bazooka", "hold"]
    assert after.position.units["G1"].fired


def test_ovr_11_a_status_that_may_not_fire_does_not() -> None:
    game = last_window(
        blue("G1", "at_gun", "0304", "N", status="suppressed"), blue("B1", "bazooka_team", "0304")
    )
    assert barred(game, "fire G1:gun") == ["OVR-11 G1 is suppressed and may not fire"]


def test_ovr_11_no_rating_at_range_1_no_shot() -> None:
    game = last_window(G1, blue("S1", "squad", "0304"))
    assert barred(game, "fire S1:rifles") == ["OVR-11 S1:rifles has no AT rating at range 1"]


def test_ovr_11_units_elsewhere_fire_as_ever() -> None:
    """At range 2 and the side that is turned to them."""
    game = last_window(blue("S1", "squad", "0304"), blue("G2", "at_gun", "0504", "SW"))
    made = aimed(game, Fire("G2", "gun"))
    assert (made.shot.distance, made.shot.aspect, made.final) == (2, Aspect.SIDE, False)


def test_ovr_12_a_leader_helps_once_marker_or_not() -> None:
    marked = blue("L1", "sergeant", "0304", fired=True)

    def roomy(charts: Tables) -> None:
        charts["stacking"]["limit"] = 9

    game = last_window(G1, blue("B1", "bazooka_team", "0304"), marked, rules=roomy)
    assert "fire G1:gun with L1" in choices(game)
    after = done(game, "fire G1:gun with L1", dice=[12])
    assert barred(after, "fire B1:bazooka with L1") == [
        "OVR-12 L1 has modified a shot in this window"
    ]
    assert "fire B1:bazooka" in choices(after)


def test_ovr_12_who_fired_may_still_help() -> None:
    """His own shot is one, his help another."""
    game = last_window(blue("L1", "lieutenant", "0304"), G1)
    after = done(game, "fire L1:faust", dice=[12])
    assert "fire G1:gun with L1" in choices(after)


def test_another_overrun_gives_the_survivors_another_shot() -> None:
    def harmless(charts: Tables) -> None:
        charts["ap"]["effects"] = {}

    start = new_game(
        situation(
            red("T1", "tank", "0303", "S"), red("T2", "tank", "0203", "SE"), G1, rules=harmless
        )
    )
    first = done(start, "T1 x0304-0305", "fire G1:gun", dice=[12, 12])
    assert first.under_way is None
    second = done(first, "T2 x0304-0404", dice=[12])
    assert choices(second) == ["fire G1:gun", "hold"]


# -- what the table takes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ground", "leader", "modifier"),
    [("clear", None, 0), ("woods", None, 1), ("clear", "L1", -1), ("woods", "L1", 0)],
)
def test_modifiers_are_the_cover_of_the_afv_and_the_leader(
    ground: str, leader: str | None, modifier: int
) -> None:
    game = window(G1, L1, hexes=[{"hex": "0303", "terrain": ground}])
    assert aimed(game, Fire("G1", "gun", leader)).modifier == modifier


def test_chances_of_a_shot() -> None:
    """Strength 2: stopped on 5 or less, ten ways of 36."""
    game = window(G1)
    assert dict(chances(game, Fire("G1", "gun"))) == pytest.approx(
        {"immobilised": 10 / 36, "ready": 26 / 36}
    )


def test_what_is_asked_of_no_window_or_no_shot() -> None:
    closed = new_game(situation(T1, G1))
    with pytest.raises(ValueError, match="no window is open"):
        under_fire(closed)
    game = window(blue("G1", "at_gun", "0304", "S"), blue("G9", "at_gun", "0403", "NW"))
    with pytest.raises(ValueError, match="the map allows G1 no such shot"):
        aimed(game, Fire("G1", "gun"))
    with pytest.raises(KeyError):
        aimed(game, Fire("G7", "gun"))
    assert list(declarable(game)) == [action(game, "fire G9:gun")]
