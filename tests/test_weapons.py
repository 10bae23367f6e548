"""Which passengers' weapons may be added to an overrun (OVR-17), and which choices differ."""

from __future__ import annotations

from typing import Any

import pytest

from planner.game.weapons import usable_weapons, weapon_bar, weapon_choices
from tests.situations import blue, red, situation, two_tanks

Tables = dict[str, Any]


@pytest.mark.parametrize(
    ("passenger", "weapon", "said"),
    [
        ("S1", "LMG", None),
        ("S1", "satchel", None),
        ("S1", "rifles", "S1:rifles is the unit's own armament and counts anyway"),
        ("S1", "flute", "S1 has no weapon flute (weapons: LMG, rifles, satchel)"),
        ("G1", "gun", "G1 is no passenger of T1 (passengers: S1)"),
    ],
)
def test_ovr_17_which_weapons(passenger: str, weapon: str, said: str | None) -> None:
    position = two_tanks()
    assert weapon_bar(position, position.units["T1"], passenger, weapon) == said


@pytest.mark.parametrize(
    ("squad", "usable"),
    [
        ({}, [("S1", "LMG"), ("S1", "satchel")]),
        ({"spent": ["satchel"]}, [("S1", "LMG")]),
        ({"status": "suppressed"}, []),
        ({"status": "eliminated"}, []),
    ],
)
def test_ovr_17_spent_and_suppressed(squad: Tables, usable: list[tuple[str, str]]) -> None:
    position = situation(
        red("T1", "tank", "0303", "N", passengers=["S1"]), red("S1", "squad", **squad)
    )
    assert list(usable_weapons(position, position.units["T1"])) == usable


def choices(weapons: list[Tables]) -> list[list[str]]:
    """Choices of a squad with these weapons, without its name."""

    def armed(charts: Tables) -> None:
        charts["types"]["squad"]["weapons"] = weapons

    position = situation(
        red("T1", "tank", "0303", "N", passengers=["S1"]),
        red("S1", "squad"),
        blue("S2", "squad", "0302"),
        rules=armed,
    )
    found = weapon_choices(position, position.units["T1"])
    return [[name for _, name in weapons] for weapons in found]


def light(name: str, apfp: int, **more: Any) -> Tables:
    return {"name": name, "apfp": apfp, "class": "light_mg", **more}


def test_choices_alike_in_apfp_are_one_the_fewest_weapons_then_text_order() -> None:
    assert choices([]) == [[]]
    assert choices([light("a", 2)]) == [[], ["a"]]
    assert choices([light("a", 2), light("b", 2)]) == [[], ["a"], ["a", "b"]]
    assert choices([light("a", 1), light("b", 1), light("c", 2)]) == [
        [],
        ["a"],
        ["c"],
        ["a", "c"],
        ["a", "b", "c"],
    ]


def test_once_weapons_used_up_are_told_apart() -> None:
    once = {"once": True, "price": 0.5}
    assert choices([light("a", 2, **once), light("b", 2, **once), light("c", 2)]) == [
        [],
        ["a"],
        ["b"],
        ["c"],
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
        ["a", "b", "c"],
    ]
