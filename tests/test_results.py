from __future__ import annotations

import pytest

from planner.game.hexes import Direction
from planner.game.notation import NotationError
from planner.game.results import (
    Fate,
    Holding,
    Marked,
    Marker,
    Result,
    WeaponUse,
    clashes,
    parse_result,
)
from tests.situations import blue, hexes, red, situation, two_tanks

TANKS = two_tanks()
(NEAR,) = hexes(TANKS, "0304")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("G1 suppressed", Fate("G1", "suppressed")),
        ("T1 destroyed at 0304", Fate("T1", "destroyed", NEAR)),
        ("T1  destroyed  at 0304/NE", Fate("T1", "destroyed", NEAR, Direction.D1)),
        ("T1 at 0304", Fate("T1", None, NEAR)),
        ("T1 at 0304/S", Fate("T1", None, NEAR, Direction.D3)),
        ("G1 fired", Marked("G1", Marker.FIRED, True)),
        ("G1 not fired", Marked("G1", Marker.FIRED, False)),
        ("T1 moved", Marked("T1", Marker.MOVED, True)),
        ("T1 not moved", Marked("T1", Marker.MOVED, False)),
        ("S1:satchel spent", WeaponUse("S1", "satchel", True)),
        ("S1:satchel not spent", WeaponUse("S1", "satchel", False)),
    ],
)
def test_what_happened(text: str, result: Result) -> None:
    assert parse_result(TANKS, text) == result


def test_an_objective() -> None:
    position = situation(
        red("T1", "tank", "0303", "N"), scenario={"objectives": [{"hex": "0304", "worth": 1}]}
    )
    assert parse_result(position, "0304 held by blue") == Holding(NEAR, "blue")


def test_a_status_of_several_words_or_called_like_a_marker() -> None:
    def charts(tables: dict[str, dict[str, dict[str, object]]]) -> None:
        tables["status"]["gun"]["out of action"] = {"loss": 0.5}
        tables["status"]["gun"]["fired"] = {"loss": 0.1}

    position = situation(blue("G1", "at_gun", "0303", "N"), rules=charts)
    assert parse_result(position, "G1 out of action") == Fate("G1", "out of action")
    assert parse_result(position, "G1 fired") == Fate("G1", "fired")


@pytest.mark.parametrize(
    ("text", "fault", "expected"),
    [
        ("", "says nothing of anybody", "UNIT STATUS"),
        ("G1", "says nothing of anybody", "UNIT STATUS"),
        ("GUN1 fired", 'there is no unit "GUN1"', 'did you mean "G1"?'),
        ("G1 sunk", '"sunk" is no status of kind gun', 'one of "eliminated", "ready"'),
        ("G1 suppresed", '"suppresed" is no status', 'did you mean "suppressed"?'),
        (
            "G1 has fired",
            '"has fired" is no status',
            "; or G1 fired, G1 moved, G1 at 0304, G1 on CARRIER",
        ),
        ("g1 fired", 'there is no unit "g1"', 'did you mean "G1"?'),
        ("G1 not suppressed", '"not suppressed" is no status', "one of"),
        ("T1 fired at 0304", '"fired" is no status of kind afv', "one of"),
        ("T1 at 0999", '"0999" is not on the map', "UNIT STATUS"),
        ("T1 at 0304/E", "'E' is no direction on this map", "UNIT STATUS"),
        ("S1 on T9", 'there is no unit "T9"', 'one of "B1"'),
        ("S1 on G1", "G1 is no AFV or vehicle of red", "a carrier on the map"),
        ("B1 on T1", "T1 is no AFV or vehicle of blue", "a carrier on the map"),
        ("T2 on T1", "T2 is of kind afv, which nobody carries", "a carrier on the map"),
        ("S1 on T2", "T2 has room for 0, and 0 is taken", "a carrier on the map"),
        ("S1:LMG spent", '"LMG" is no once-weapon of S1', 'only "satchel"'),
        ("S1:satchel gone", '"gone" is nothing a weapon can be', "UNIT STATUS"),
        ("G1:gun spent", '"gun" is no once-weapon of G1', "there are none"),
        ("0304 held by red", '"0304" is no objective', "there are none"),
        ("0999 held by red", '"0999" is not on the map', "UNIT STATUS"),
    ],
)
def test_what_can_t_have_happened(text: str, fault: str, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_result(TANKS, text)
    assert fault in caught.value.fault
    assert expected in caught.value.expected


def test_a_side_that_is_none() -> None:
    position = situation(
        red("T1", "tank", "0303", "N"), scenario={"objectives": [{"hex": "0304", "worth": 1}]}
    )
    with pytest.raises(NotationError, match='"bleu" is no side') as caught:
        parse_result(position, "0304 held by bleu")
    assert caught.value.expected == 'one of "blue", "red"; did you mean "blue"?'


@pytest.mark.parametrize(
    ("texts", "pairs"),
    [
        (["G1 suppressed", "G1 fired", "L1 suppressed"], []),
        (["G1 suppressed", "G1 suppressed"], []),
        (["G1 suppressed", "G1 eliminated"], [(1, 0)]),
        (["T1 at 0304", "T1 destroyed at 0305"], [(1, 0)]),
        (["T1 at 0304/N", "G1 fired", "T1 at 0304/S"], [(2, 0)]),
        (["T1 destroyed", "T1 at 0304"], []),
        (["G1 fired", "G1 not fired"], [(1, 0)]),
        (["S1:satchel not spent", "S1:satchel spent"], [(1, 0)]),
    ],
)
def test_what_can_t_both_be(texts: list[str], pairs: list[tuple[int, int]]) -> None:
    assert list(clashes([parse_result(TANKS, text) for text in texts])) == pairs


def test_who_comes_back_needs_a_facing() -> None:
    position = situation(red("T1", "tank", "0303", None, status="destroyed"))
    with pytest.raises(NotationError, match="T1 is back and nobody knows how it faces"):
        parse_result(position, "T1 ready")
    (here,) = hexes(position, "0303")
    assert parse_result(position, "T1 ready at 0303/N") == Fate("T1", "ready", here, Direction.D0)
    assert parse_result(position, "T1 destroyed") == Fate("T1", "destroyed")
