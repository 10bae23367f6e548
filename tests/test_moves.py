from __future__ import annotations

import pytest

from planner.game.moves import PlannedMove, faced_by_path, final_facing, final_hex, steps
from planner.game.notation import parse_move
from tests.situations import hexes, red, situation

POSITION = situation(red("T1", "tank", "0203", "SE"))
UNIT = POSITION.units["T1"]


@pytest.mark.parametrize(
    ("text", "hex_", "facing"),
    [
        ("T1 stay", "0203", "SE"),
        ("T1 /N", "0203", "N"),
        ("T1 0304", "0304", "SE"),
        ("T1 0304-0303", "0303", "N"),
        ("T1 0304-0303/SW", "0303", "SW"),
        ("T1 0304x0404-0505", "0505", "SE"),
    ],
)
def test_where_a_move_ends_and_how_it_faces(text: str, hex_: str, facing: str) -> None:
    move = parse_move(POSITION, text)
    assert POSITION.board.name(final_hex(UNIT, move)) == hex_
    assert final_facing(UNIT, move) is POSITION.board.orientation.direction(facing)


def test_a_jump_leaves_the_facing_unknown() -> None:
    path = hexes(POSITION, "0304 0601 0502")
    assert faced_by_path(UNIT, path[:2]) is None
    first, jump, last = steps(UNIT, PlannedMove("T1", path))
    assert (first.direction, first.facing) == (first.facing, UNIT.facing)
    assert (jump.direction, jump.facing) == (None, first.direction)
    assert (last.direction is not None, last.facing) == (True, None)


@pytest.mark.parametrize(
    ("text", "stays", "target"),
    [
        ("T1 stay", True, None),
        ("T1 /N", False, None),
        ("T1 0304", False, None),
        ("T1 x0304-0404", False, "0304"),
    ],
)
def test_staying_and_the_target_hex(text: str, stays: bool, target: str | None) -> None:
    move = parse_move(POSITION, text)
    assert move.stays is stays
    assert move.target_hex == (None if target is None else hexes(POSITION, target)[0])
