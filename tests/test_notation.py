from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.game.hexes import DIRECTIONS, Direction
from planner.game.moves import PlannedMove
from planner.game.notation import NotationError, format_move, parse_move
from planner.game.position import Position
from tests.situations import hexes, red, situation, two_tanks

CASE = two_tanks()
LETTERED = {
    "order": "row-column",
    "rows": {"style": "letters"},
    "columns": {"digits": 1},
    "separator": "-",
    "prefix": "b3-",
}


def read(text: str, position: Position = CASE) -> PlannedMove:
    return parse_move(position, text)


@pytest.mark.parametrize(
    ("text", "path", "target", "facing", "weapons"),
    [
        ("T1 0304x0404-0505", "0304 0404 0505", 1, None, ()),
        ("T1 x0304-0404", "0304 0404", 0, None, ()),
        ("T1 0304-0403x0503-0602", "0304 0403 0503 0602", 2, None, ()),
        ("T1 0304-0305/NE", "0304 0305", None, Direction.D1, ()),
        ("T1 /NE", "", None, Direction.D1, ()),
        ("T1 stay", "", None, None, ()),
        (
            "T1 0304x0404-0505 +S1:LMG +S1:satchel",
            "0304 0404 0505",
            1,
            None,
            (("S1", "LMG"), ("S1", "satchel")),
        ),
        ("T1 0304x0404", "0304 0404", 1, None, ()),
        ("T9 0304", "0304", None, None, ()),
    ],
)
def test_text_is_read_and_printed_back(
    text: str,
    path: str,
    target: int | None,
    facing: Direction | None,
    weapons: tuple[tuple[str, str], ...],
) -> None:
    move = read(text)
    unit = text.split()[0]
    assert move == PlannedMove(unit, hexes(CASE, path), target, facing, weapons)
    assert format_move(CASE, move) == text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("  T1   0304x0404-0505   +S1:satchel  +S1:LMG ", "T1 0304x0404-0505 +S1:LMG +S1:satchel"),
        ("T1 /SE", "T1 stay"),  # it faces that way
        ("T1 0304/SE", "T1 0304"),
        ("T1 0304/NE", "T1 0304/NE"),
        ("T1 0304x0404-0505/SE", "T1 0304x0404-0505"),
        ("T1 0304x0404-0505/S", "T1 0304x0404-0505/S"),
        ("T9 /SE", "T9 /SE"),
    ],
)
def test_a_move_has_one_form(text: str, printed: str) -> None:
    assert format_move(CASE, read(text)) == printed
    assert read(printed) == read(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "a unit or a route missing"),
        ("T1", "a unit or a route missing"),
        ("T1 0304x", "a hex missing"),
        ("T1 0304-", "a hex missing"),
        ("T1 -0304", "a hex missing"),
        ("T1 x", "a hex missing"),
        ("T1 0304--0305", "a hex missing"),
        ("T1 0304xx0404", "a hex missing"),
        ("T1 0304x0404x0505", "more than one x"),
        ("T1 0304,0305", "',0305' does not go on from a hex"),
        ("T1 03040305", "'0305' does not go on from a hex"),
        ("T1 0304X0404-0505", "'X0404-0505' does not go on from a hex"),
        ("T1 0399", '"0399" is not on the map (columns 01-08, rows 01-06)'),
        ("T1 0304-9", '"9" is not on the map'),
        ("T1 north", '"north" is not on the map'),
        ("T1 0304/E", "'E' is no direction on this map (one of N, NE, SE, S, SW, NW)"),
        ("T1 0304/", "'' is no direction"),
        ("T1 0304/N/S", "'N/S' is no direction"),
        ("T1 0304x0404-0505 S1:LMG", "S1:LMG is no weapon"),
        ("T1 0304x0404-0505 +LMG", "+LMG is no weapon"),
        ("T1 0304x0404-0505 +:LMG", "+:LMG is no weapon"),
        ("T1 0304x0404-0505 +S1:", "+S1: is no weapon"),
        ("T1 0304x0404-0505 +S1:LMG +S1:LMG", "a weapon is named twice"),
        ("T1 stay stay", "stay is no weapon"),
    ],
)
def test_text_that_is_no_move_says_what_would_be_right(text: str, fault: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(text)
    assert fault in caught.value.fault
    assert repr(text) in str(caught.value)
    assert caught.value.expected in str(caught.value)


@pytest.mark.parametrize("numbering", [None, LETTERED])
@given(data=st.data())
def test_printed_moves_are_read_back_to_the_same_move(
    numbering: dict[str, Any] | None, data: st.DataObject
) -> None:
    """Any move at all, sensible or not, in names that hold the joining marks too."""
    position = _numbered(numbering)
    ground = st.sampled_from(sorted(position.board.ground))
    path = tuple(data.draw(st.lists(ground, max_size=6)))
    targets = st.sampled_from([None, *range(len(path))])
    weapons = st.sets(st.tuples(st.sampled_from(["S1", "S2"]), st.sampled_from(["LMG", "x-1"])))
    move = PlannedMove(
        data.draw(st.sampled_from(["T1", "T-x/2", "unknown"])),
        path,
        data.draw(targets),
        data.draw(st.sampled_from([None, *DIRECTIONS])),
        tuple(sorted(data.draw(weapons))),
    )
    printed = format_move(position, move)
    once = parse_move(position, printed)
    assert (once.unit, once.path, once.target) == (move.unit, move.path, move.target)
    assert once.weapons == move.weapons
    assert parse_move(position, format_move(position, once)) == once


_NUMBERED: dict[bool, Position] = {}


def _numbered(numbering: dict[str, Any] | None) -> Position:
    usual = numbering is None
    if usual not in _NUMBERED:
        _NUMBERED[usual] = (
            situation(red("T1", "tank", "0203"))
            if usual
            else situation(red("T1", "tank", "b3-C-2"), numbering=numbering)
        )
    return _NUMBERED[usual]


def test_names_that_hold_a_joining_mark_are_read_whole() -> None:
    position = situation(red("T1", "tank", "b3-C-2"), numbering=LETTERED)
    move = parse_move(position, "T1 b3-D-3xb3-D-4-b3-E-5")
    assert [position.board.name(hex_) for hex_ in move.path] == ["b3-D-3", "b3-D-4", "b3-E-5"]
    assert move.target == 1
