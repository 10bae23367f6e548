"""Moves and results of a real table brought into the game."""

from __future__ import annotations

from typing import Any

import pytest

from planner.game.notation import NotationError, parse_move
from planner.game.play_state import Game, new_game
from planner.game.read_scenario import parse_game
from planner.game.results import Boarded, parse_result
from planner.game.table_move import (
    after_result,
    cut_short,
    moved_at_table,
    table_bars,
    with_results,
)
from planner.game.write_scenario import document
from tests.gaming import choices, done, statuses, where
from tests.situations import blue, hexes, red, situation, two_tanks

Tables = dict[str, Any]


def at_table(game: Game, move: str | None, *results: str, stopped: str | None = None) -> Game:
    """The game after a move and results."""
    found, now = [], game.position
    for text in results:
        found.append(parse_result(now, text))
        now = after_result(now, found[-1])
    if move is not None:
        planned = parse_move(game.position, move)
        hex_ = hexes(game.position, stopped)[0] if stopped else None
        assert table_bars(game, planned, hex_) == ()
        game = moved_at_table(game, planned, hex_)
    return with_results(game, found)


@pytest.mark.parametrize(
    ("move", "stopped", "left"),
    [
        ("T1 0304-0305", None, "T1 0304-0305"),
        ("T1 0304-0305", "0305", "T1 0304-0305"),
        ("T1 0304-0305/N", "0304", "T1 0304"),
        ("T1 0304x0404-0505", "0304", "T1 0304"),
        ("T1 0304x0404-0505", "0505", "T1 0304x0404-0505"),
        ("T1 0304x0404-0505", "0404", None),  # nobody stops in the target hex
        ("T1 0304-0305", "0404", None),
        ("T1 0304-0305", "0203", None),  # where it began
        ("T1 0304-0303-0304-0305", "0304", "T1 0304-0303-0304"),  # the last time
    ],
)
def test_the_part_of_a_move_that_was_made(move: str, stopped: str | None, left: str | None) -> None:
    position = two_tanks()
    hex_ = hexes(position, stopped)[0] if stopped else None
    want = None if left is None else parse_move(position, left)
    assert cut_short(parse_move(position, move), hex_) == want


def test_a_move_is_where_the_game_would_have_it() -> None:
    """The same as played action by action with dice that do nothing."""
    start = new_game(two_tanks())
    played = done(start, "T1 0304", "hold", "T1 x0404-0505 +S1:satchel", "hold", dice=[12, 5])
    told = at_table(start, "T1 0304x0404-0505 +S1:satchel", "G1 suppressed")
    assert told.key == played.key


def test_stopped_on_the_way() -> None:
    start = new_game(two_tanks())
    move, results = "T1 0304x0404-0505 +S1:satchel", ["G1 fired", "T1 destroyed at 0304"]
    after = at_table(start, move, *results, stopped="0304")
    unit = after.position.units["T1"]
    assert where(after, "T1") == "0304/SE"
    assert (unit.movement_used, unit.moved) == (1, True)
    assert statuses(after, "T1", "S1") == ["destroyed", "eliminated"]
    assert after.position.units["S1"].spent == frozenset()
    assert after.position.units["G1"].fired


@pytest.mark.parametrize(
    ("move", "stopped", "clauses"),
    [
        ("T1 0304-0404", None, ["OVR-7"]),
        ("T1 0304x0305-0306", None, ["OVR-2"]),
        ("T1 0304x0305-0306", "0304", []),  # what was to come is not asked for
        ("T1 0304x0404-0504", None, ["OVR-13"]),
        ("T9 0304", None, ["OVR-1"]),
        ("G1 0304", None, ["OVR-1", "OVR-4", "OVR-7"]),
    ],
)
def test_a_move_that_may_not_be_made(move: str, stopped: str | None, clauses: list[str]) -> None:
    game = new_game(two_tanks())
    hex_ = hexes(game.position, stopped)[0] if stopped else None
    found = table_bars(game, parse_move(game.position, move), hex_)
    assert sorted({reason.clause.value for reason in found}) == sorted(clauses)


def test_no_room_counts_where_the_move_ends_and_not_where_fire_stops_it() -> None:
    def tight(charts: Tables) -> None:
        charts["stacking"]["limit"] = 1

    game = new_game(
        situation(
            red("T1", "tank", "0303", "N"),
            red("T2", "tank", "0302", "N"),
            red("T3", "tank", "0301", "N"),
            rules=tight,
        )
    )
    through = parse_move(game.position, "T1 0302-0301")
    full, end = hexes(game.position, "0302 0301")
    assert [reason.hex for reason in table_bars(game, through, None)] == [end]
    assert table_bars(game, through, full) == ()


def test_a_move_under_way_goes_on_or_ends() -> None:
    mid = done(new_game(two_tanks()), "T1 0304")
    (other,) = table_bars(mid, parse_move(mid.position, "T2 0402"), None)
    assert other.text == "the move of T1 has not ended"
    on = at_table(mid, "T1 x0404-0505", "G1 fired")
    assert (where(on, "T1"), on.under_way) == ("0505/SE", None)
    assert with_results(mid, [parse_result(mid.position, "L1 suppressed")]).under_way is not None
    for event in ("T1 destroyed", "T1 moved", "T1 at 0101"):
        ended = with_results(mid, [parse_result(mid.position, event)])
        assert ended.under_way is None
        assert ended.position.units["T1"].moved
    stopped = with_results(mid, [parse_result(mid.position, "T1 immobilised")])
    assert stopped.under_way is not None  # more may fire in the open window
    held = with_results(done(mid, "hold"), [parse_result(mid.position, "T1 immobilised")])
    assert held.under_way is None


def test_a_move_at_the_end_of_the_game() -> None:
    over = done(new_game(two_tanks()), "end", "end")
    (reason,) = table_bars(over, parse_move(over.position, "T1 0304"), None)
    assert reason.text == "the game is over"


def test_events_from_outside() -> None:
    game = new_game(
        situation(
            red("T1", "tank", "0303", "N", moved=True),
            blue("V1", "truck", "0101", "N", passengers=["B1"]),
            blue("B1", "bazooka_team", spent=["bazooka"]),
            blue("G1", "at_gun", "0505", "N", fired=True),
            scenario={"objectives": [{"hex": "0304", "worth": 1}]},
        )
    )
    texts = [
        "V1 destroyed",
        "B1:bazooka not spent",
        "G1 not fired",
        "T1 not moved",
        "G1 at 0506/S",
        "0304 held by red",
    ]
    after = with_results(game, [parse_result(game.position, text) for text in texts])
    assert statuses(after, "V1", "B1") == ["destroyed", "eliminated"]
    assert after.position.units["B1"].spent == frozenset()
    assert not after.position.units["G1"].fired
    assert where(after, "G1") == "0506/S"
    assert after.position.objectives[0].held_by == "red"
    assert choices(after, "T1")


LOADED = situation(
    red("T1", "tank", "0303", "N", passengers=["S1"]),
    red("S1", "squad"),
    red("T2", "tank", "0303", "N"),
    red("S2", "squad", "0101"),
    red("V1", "truck", "0101", "N", towing="G1"),
    red("G1", "at_gun"),
    red("V2", "truck", "0202", "N"),
    blue("B1", "squad", "0801"),
)


@pytest.mark.parametrize(
    ("texts", "carriers", "stand"),
    [
        (["S1 at 0303"], {"S1": None}, {"S1": "0303"}),
        (["S1 suppressed at 0302"], {"S1": None}, {"S1": "0302"}),
        (["S1 suppressed"], {"S1": "T1"}, {"S1": "0303"}),
        (["G1 at 0102/S"], {"G1": None}, {"G1": "0102"}),
        (["G1 on V2"], {"G1": "V2"}, {"G1": "0202"}),
        (["S1 on V2", "V2 at 0204"], {"S1": "V2"}, {"S1": "0204"}),
        (["S1 on T1"], {"S1": "T1"}, {"S1": "0303"}),
        (["T1 destroyed", "S1 ready at 0303"], {"S1": None}, {"S1": "0303"}),
        (["S1 on T2", "S2 on T1", "T1 at 0401"], {"S1": "T2", "S2": "T1"}, {"S2": "0401"}),
    ],
    ids=lambda found: " / ".join(found) if isinstance(found, list) else "",
)
def test_who_gets_on_and_off(
    texts: list[str], carriers: dict[str, str | None], stand: dict[str, str]
) -> None:
    """Whoever is put into a hex has left its carrier; what is saved of it is read again."""
    after = at_table(new_game(LOADED), None, *texts)
    units = after.position.units
    assert {name: units[name].carrier for name in carriers} == carriers
    name = after.position.board.name
    assert {unit: name(units[unit].hex) for unit in stand} == stand
    for unit in units.values():
        load = (*unit.passengers, *([unit.towing] if unit.towing else []))
        assert all(units[each].carrier == unit.id for each in load)
        assert unit.carrier is None or unit.id in (
            *units[unit.carrier].passengers,
            units[unit.carrier].towing,
        )
        there = unit.id in {each.id for each in after.position.standing.get(unit.hex, ())}
        assert there is unit.stands
    written = document(after) | {"rules": "tiny"}
    again = parse_game(written, rules=after.position.rules)
    assert again.key == after.key
    assert {one.id: one.carrier for one in again.position.units.values()} == {
        one.id: one.carrier for one in units.values()
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("G1 at 0102", "G1 is back and nobody knows how it faces"),
        ("S2 on T1", "T1 has room for 1, and 1 is taken"),
        ("S1 on V1", None),
        ("G1 on T1", None),
    ],
)
def test_what_may_be_carried(text: str, said: str | None) -> None:
    if said is None:
        assert isinstance(parse_result(LOADED, text), Boarded)
        return
    with pytest.raises(NotationError) as caught:
        parse_result(LOADED, text)
    assert caught.value.fault == said


def test_what_stops_nowhere_on_the_move_is_no_move() -> None:
    game = new_game(two_tanks())
    move, (hex_,) = parse_move(game.position, "T1 0304"), hexes(game.position, "0101")
    with pytest.raises(ValueError, match="does not stop"):
        table_bars(game, move, hex_)
    with pytest.raises(ValueError, match="can't be made"):
        moved_at_table(game, move, hex_)
