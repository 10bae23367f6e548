from __future__ import annotations

import pytest

from planner.game.actions import (
    EndPhase,
    Enter,
    Fire,
    Halt,
    Hold,
    Overrun,
    format_action,
    parse_action,
)
from planner.game.hexes import Direction, Hex
from planner.game.moves import PlannedMove
from planner.game.notation import NotationError
from planner.game.play_state import new_game
from planner.game.read_scenario import load
from tests.gaming import choices, played_out
from tests.situations import blue, hexes, red, situation, two_tanks

TANKS = two_tanks()
NEAR, TARGET, BEYOND = hexes(TANKS, "0304 0404 0505")


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Enter("T1", NEAR), "T1 0304"),
        (Overrun("T1", TARGET, BEYOND), "T1 x0404-0505"),
        (
            Overrun("T1", TARGET, BEYOND, (("S1", "LMG"), ("S1", "satchel"))),
            "T1 x0404-0505 +S1:LMG +S1:satchel",
        ),
        (Halt("T1"), "T1 halt"),
        (Halt("T1", Direction.D1), "T1 halt/NE"),
        (EndPhase(), "end"),
        (Fire("G1", "gun"), "fire G1:gun"),
        (Fire("G1", "gun", "L1"), "fire G1:gun with L1"),
        (Hold(), "hold"),
    ],
)
def test_what_is_printed_is_read_back(action: object, text: str) -> None:
    assert format_action(TANKS, action) == text  # type: ignore[arg-type]
    assert parse_action(TANKS, text) == action
    assert parse_action(TANKS, f"  {text.replace(' ', '   ')} ") == action


def test_a_turn_to_the_facing_it_has_is_none() -> None:
    assert parse_action(TANKS, "T1 halt/SE") == Halt("T1")


def test_units_called_like_words() -> None:
    position = situation(
        red("fire", "tank", "0101"), red("end", "tank", "0201"), blue("hold", "at_gun", "0505", "N")
    )
    (hex_,) = hexes(position, "0102")
    assert parse_action(position, "fire 0102") == Enter("fire", hex_)
    assert parse_action(position, "end 0102") == Enter("end", hex_)
    assert parse_action(position, "fire halt") == Halt("fire")
    assert parse_action(position, "fire hold:gun") == Fire("hold", "gun")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is no action"),
        ("T1", "is no action"),
        ("stop", "is no action"),
        ("T1 0304-0404", "is no single action"),
        ("T1 0304x0404-0505", "is no single action"),
        ("T1 0304/NE", "is no single action"),
        ("T1 0304 +S1:LMG", "is no single action"),
        ("T1 stay", "is no single action"),
        ("T1 x0404", "is no single action"),
        ("T1 0904", '"0904" is not on the map'),
        ("T1 halt/E", "'E' is no direction on this map"),
        ("T1 halt 0304", "0304 stands after a halt"),
        ("fire G1:", "is no shot"),
        ("fire :gun", "is no shot"),
        ("fire G1:gun L1", "is no shot"),
        ("fire G1:gun with", "is no shot"),
        ("fire G1:gun with L1 L2", "is no shot"),
        ("fire G1:gun by L1", "is no shot"),
    ],
)
def test_what_is_no_action(text: str, fault: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(TANKS, text)
    assert caught.value.fault.startswith(fault)
    assert caught.value.expected


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("T1 0304", PlannedMove("T1", (NEAR,))),
        ("T1 x0404-0505", PlannedMove("T1", (TARGET, BEYOND), 0)),
        ("T1 halt/NE", PlannedMove("T1", facing=Direction.D1)),
    ],
)
def test_the_same_as_a_move(text: str, move: PlannedMove) -> None:
    action = parse_action(TANKS, text)
    assert isinstance(action, Enter | Overrun | Halt)
    assert action.planned() == move


def test_a_hex_off_the_map_has_no_name() -> None:
    with pytest.raises(KeyError):
        format_action(TANKS, Enter("T1", Hex(99, 99)))


@pytest.mark.parametrize("name", ["steamroller", "carentan"])
def test_every_legal_action_of_a_game_is_read_back(name: str) -> None:
    for game in played_out(new_game(load(name)), 1):
        for text in choices(game):
            assert format_action(game.position, parse_action(game.position, text)) == text
