from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest

from planner.game.hexes import DIRECTIONS
from planner.game.notation import format_move
from planner.game.position import Position
from planner.search.exposure import script
from planner.search.graph import EdgeKind, MovementGraph, Node, movement_graph
from planner.search.lines import lines
from tests.situations import blue, hexes, red, situation, two_tanks

Tables = dict[str, Any]
TANK = red("T1", "tank", "0203")
SQUAD = blue("E1", "squad", "0404")


def edges(movement: MovementGraph, kind: EdgeKind) -> dict[tuple[Node, Node], Tables]:
    """All edges of a kind, by the places they join."""
    read = movement.codec.read
    return {
        (read(before), read(after)): attributes
        for before, after, attributes in movement.graph.edges(data=True)
        if attributes["kind"] is kind
    }


def printed(position: Position, movement: MovementGraph | None = None) -> dict[str, object]:
    """Printed moves of all lines and their cost."""
    graphs = None if movement is None else {movement.movement_class: movement}
    return {
        format_move(position, line.move): line.movement_points
        for line in lines(position, graphs=graphs)
    }


def without(movement: MovementGraph, before: int, after: int) -> MovementGraph:
    """A copy of the graph with one edge taken away."""
    copy = nx.DiGraph(movement.graph)
    copy.remove_edge(before, after)
    return replace(movement, graph=copy)


def test_nodes_are_numbers_that_read_back() -> None:
    codec = movement_graph(two_tanks(), "tracked").codec
    nodes = [
        codec.node(hex_, facing, ended=ended)
        for ended in (False, True)
        for hex_ in codec.hexes
        for facing in DIRECTIONS
    ]
    assert nodes == list(range(2 * 6 * 8 * 6))
    for node in nodes:
        hex_, facing, ended = codec.read(node)
        assert codec.node(hex_, facing, ended=ended) == node


def test_turns_lead_one_hexside_either_way() -> None:
    found = edges(movement_graph(situation(TANK), "tracked"), EdgeKind.TURN)
    assert len(found) == 48 * 6 * 2
    for (before, after), attributes in found.items():
        assert before.hex == after.hex
        assert before.facing.turns_to(after.facing) == 1
        assert attributes["points"] == 1


def test_entries_lead_forwards_where_the_ground_allows() -> None:
    position = situation(TANK, hexes=[{"hex": "0303", "terrain": "marsh"}])
    found = edges(movement_graph(position, "tracked"), EdgeKind.ENTER)
    (marsh,) = hexes(position, "0303")
    assert not any(after.hex == marsh for _, after in found)
    assert sum(before.hex == marsh for before, _ in found) == 6  # who starts there may leave
    for (before, after), attributes in found.items():
        assert before.hex.neighbour(before.facing) == after.hex
        assert after.facing is before.facing
        assert attributes["points"] == 1


@pytest.mark.parametrize(
    ("enemy", "entered"),
    [
        (SQUAD, False),
        (blue("E1", "tank", "0404", "N"), False),
        (blue("E1", "squad", "0404", status="eliminated"), True),
        (red("E1", "squad", "0404"), True),
    ],
)
def test_ovr_07_no_entry_where_an_enemy_stands(enemy: Tables, entered: bool) -> None:
    position = situation(TANK, enemy)
    (there,) = hexes(position, "0404")
    found = edges(movement_graph(position, "tracked"), EdgeKind.ENTER)
    assert any(after.hex == there for _, after in found) is entered


def test_overruns_lead_through_the_target_hex_to_an_end() -> None:
    position = situation(TANK, SQUAD, hexes=[{"hex": "0405", "terrain": "woods"}])
    (target,) = hexes(position, "0404")
    found = edges(movement_graph(position, "tracked"), EdgeKind.OVERRUN)
    assert len(found) == 6
    for (before, after), attributes in found.items():
        assert before.hex.neighbour(before.facing) == attributes["target"] == target
        assert after == Node(target.neighbour(before.facing), before.facing, ended=True)
        woods = position.board.name(after.hex) == "0405"
        assert attributes["points"] == (6 if woods else 4)
    assert not any(before.ended for before, _ in found)


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ([], 6),
        ([{"hex": "0404", "terrain": "building"}], 0),  # OVR-5, and barred
        ([{"hex": "0404", "features": ["bunker"]}], 0),  # OVR-6
        ([{"hex": "0404", "features": ["blaze"]}], 0),  # OVR-7
        ([{"hex": "0405", "terrain": "marsh"}], 5),  # OVR-7: as exit; who stands in it may start
        ([{"hex": "0405", "elevation": 2}], 4),  # neither into it nor down from it
        ([{"hex": "0404", "elevation": 2}], 0),
    ],
)
def test_ovr_05_to_ovr_07_where_no_overrun_leads(changes: list[Tables], count: int) -> None:
    position = situation(TANK, SQUAD, hexes=changes)
    assert len(edges(movement_graph(position, "tracked"), EdgeKind.OVERRUN)) == count


@pytest.mark.parametrize(
    ("enemy", "count"),
    [
        (blue("E2", "tank", "0404", "N"), 0),  # OVR-3
        (blue("E2", "tank", "0405", "N"), 5),  # an enemy in the exit hex
        (blue("E2", "squad", "0405"), 5 + 5),  # it is a target hex too
        (blue("E2", "squad", "0101"), 6),  # nothing leads over the corner of the map
    ],
)
def test_ovr_03_and_ovr_07_other_enemies(enemy: Tables, count: int) -> None:
    position = situation(TANK, SQUAD, enemy)
    assert len(edges(movement_graph(position, "tracked"), EdgeKind.OVERRUN)) == count


def test_the_graph_is_one_and_frozen() -> None:
    position = two_tanks()
    movement = movement_graph(position, "tracked")
    assert movement_graph(position, "tracked") is movement
    with pytest.raises(nx.NetworkXError, match="Frozen"):
        movement.graph.remove_node(0)


def test_what_is_remembered_goes_with_the_position() -> None:
    position = situation(TANK, SQUAD)
    for line in lines(position):
        script(position, line.move)
    gone = weakref.ref(position), weakref.ref(position.board), weakref.ref(position.rules)
    del position
    gc.collect()
    assert [ref() for ref in gone] == [None, None, None]


def test_without_its_overrun_edge_a_line_is_gone() -> None:
    position = two_tanks()
    movement = movement_graph(position, "tracked")
    every = printed(position)
    for before, after, attributes in movement.graph.edges(data=True):
        if attributes["kind"] is EdgeKind.OVERRUN:
            names = [
                position.board.name(hex_)
                for hex_ in (attributes["target"], movement.codec.read(after).hex)
            ]
            straight = "x{}-{}".format(*names)
            left = printed(position, without(movement, before, after))
            assert left == {text: points for text, points in every.items() if straight not in text}


@pytest.mark.parametrize(
    ("before", "after", "gone", "instead"),
    [
        # T1 has too few points to come into 0304 any other way
        (
            ("0203", "SE"),
            ("0304", "SE"),
            {"T1 0304x0404-0505": 5, "T1 0304-0403x0503-0602": 7},
            {},
        ),
        # T2 reaches one of five lines by a dearer way
        (
            ("0303", "SE"),
            ("0403", "SE"),
            {
                "T2 0403x0404-0405": 6,
                "T2 0403-0504x0404-0305": 8,
                "T2 0403-0504-0505x0404-0304": 10,
                "T2 0403x0503-0602": 6,
                "T2 0403-0504x0503-0502": 8,
            },
            {"T2 0304-0403x0503-0602": 9},
        ),
        # a turn
        (("0303", "SE"), ("0303", "NE"), {"T2 0402x0503-0603": 9}, {}),
    ],
)
def test_without_an_edge_moves_go_another_way_or_not_at_all(
    before: tuple[str, str],
    after: tuple[str, str],
    gone: dict[str, int],
    instead: dict[str, int],
) -> None:
    position = two_tanks()
    board, movement = position.board, movement_graph(position, "tracked")
    ends = [
        movement.codec.node(board.numbering.parse(hex_), board.orientation.direction(facing))
        for hex_, facing in (before, after)
    ]
    every, left = printed(position), printed(position, without(movement, *ends))
    assert {text: points for text, points in every.items() if text not in left} == gone
    assert {text: points for text, points in left.items() if text not in every} == instead


def halves(charts: Tables) -> None:
    charts["terrain"]["clear"]["cost"]["tracked"] = 0.5
    charts["classes"]["tracked"]["turn"] = 0.25
    charts["overrun"]["movement_points"] = 1.125


def test_points_are_exact_on_charts_with_fractions() -> None:
    position = situation(TANK, SQUAD, rules=halves)
    movement = movement_graph(position, "tracked")
    assert movement.scale == 8
    assert printed(position)["T1 0304x0404-0505"] == Fraction(21, 8)


@pytest.mark.parametrize(
    ("left", "legal"), [(Fraction(5, 2), False), (Fraction(21, 8), True), (Fraction(11, 4), True)]
)
def test_ovr_14_below_at_and_above_a_fraction(left: Fraction, legal: bool) -> None:
    tank = TANK | {"movement_used": float(8 - left)}
    position = situation(tank, SQUAD, rules=halves)
    assert ("T1 0304x0404-0505" in printed(position)) is legal


def free_roads(charts: Tables) -> None:
    charts["paths"]["road"]["cost"]["tracked"] = 0
    charts["classes"]["tracked"]["turn"] = 0


def test_hexes_that_cost_nothing_do_not_run_in_circles() -> None:
    """Of moves at the same points the one with fewest free hexes, then the first in text order."""
    loop = "0203 0304 0404 0403 0303 0203 0204 0304"
    road = [{"path": "road", "hexes": loop.split()}]
    position = situation(
        red("T1", "tank", "0203", movement_used=3),
        blue("E1", "squad", "0405"),
        paths=road,
        rules=free_roads,
    )
    assert movement_graph(position, "tracked").scale > 1
    assert printed(position) == {
        "T1 0304-0404x0405-0406": 4,  # 0303-0403-0404 is free as well
        "T1 0204-0305x0405-0506": 5,
        "T1 0304-0404-0505x0405-0306": 5,
    }
