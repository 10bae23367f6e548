"""Routes worth having: label-setting against every simple path, and the graph it reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import networkx as nx
import pytest

from evaluation.script import Enter
from planner.game.hexes import Hex
from planner.game.moves import PlannedMove
from planner.game.notation import parse_move
from planner.game.position import Position
from planner.search.candidates import Survey
from planner.search.dominance import Window, embeds, extended
from planner.search.effort import Wishes
from planner.search.exposure import script
from planner.search.graph import EdgeKind, MovementGraph, movement_graph
from planner.search.worth import Judge
from tests.every_move import drawn, every_move
from tests.situations import blue, hexes, red, situation, two_tanks

Needs = frozenset[Hex]


def seen(survey: Survey, judge: Judge, move: PlannedMove) -> tuple[Needs, tuple[Window, ...]]:
    """What the rule compares of an overrun: the hexes to be cleared, and the windows before the
    attack without the shots of the units in them, from the yardstick's own script."""
    position = survey.position
    held = {h for h in position.standing if position.enemies_in(h)}
    needs = frozenset(h for h in move.path if h in held and h != move.target_hex)
    stops = survey.stacking.stops_that_matter(move.unit)
    numbers = {hex_: number for number, hex_ in enumerate(sorted(stops))}
    windows: tuple[Window, ...] = ()
    for step in script(position, move).steps[: len(move.path) - 2]:
        assert isinstance(step, Enter)
        shots = 0
        for shot in judge.threats(move.unit, step):
            if shot[0] not in needs:
                shots |= _BITS.setdefault(shot, 1 << len(_BITS))
        assert isinstance(step.place, Hex)
        windows = extended(windows, (shots, numbers.get(step.place)))
    return needs, windows


_BITS: dict[object, int] = {}
"""A bit for each shot ever seen; the same in two positions does no harm."""


@pytest.mark.parametrize("seed", range(400, 410))
def test_every_overrun_is_kept_or_beaten(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3000, 3200))
def test_every_overrun_is_kept_or_beaten_slow(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


def compare(seed: int, tmp_path: Path) -> None:
    """For every simple path to every line, whatever it needs cleared, a kept one beats it."""
    one = drawn(seed, tmp_path, enemies=3)
    survey = Survey(one.position, one.judge, Wishes())
    movers = {mover.unit.id: mover for mover in survey.movers}
    kept: dict[tuple[str, Hex, Hex, Needs], list[tuple[Window, ...]]] = {}
    for candidate in survey.candidates:
        move = candidate.move
        if move.target is not None:
            needs, windows = seen(survey, one.judge, move)
            assert needs == frozenset(candidate.needs)
            key = (move.unit, move.path[-2], move.path[-1], needs)
            kept.setdefault(key, []).append(windows)
    for unit, texts in every_move(one.facts).items():
        for text in texts:
            move = parse_move(one.position, text)
            if move.target is None or move.weapons or unit not in movers:
                continue
            needs, windows = seen(survey, one.judge, move)
            if not needs <= survey.openings.allowed(unit):
                continue
            if not survey.openings.possible(unit, needs) or move.path[-1] in movers[unit].closed:
                continue
            rivals = kept.get((unit, move.path[-2], move.path[-1], needs), [])
            assert any(embeds(rival, windows) for rival in rivals), text


@pytest.mark.parametrize("seed", range(430, 434))
def test_none_kept_beats_another(seed: int, tmp_path: Path) -> None:
    one = drawn(seed, tmp_path, enemies=4)
    survey = Survey(one.position, one.judge, Wishes())
    by_line: dict[object, list[tuple[Window, ...]]] = {}
    for candidate in survey.candidates:
        if candidate.move.target is not None:
            needs, windows = seen(survey, one.judge, candidate.move)
            key = (candidate.line, needs, candidate.move.weapons)
            by_line.setdefault(key, []).append(windows)
    for kept in by_line.values():
        for i, this in enumerate(kept):
            assert not any(embeds(that, this) for j, that in enumerate(kept) if j != i)


def test_paths_are_simple() -> None:
    position = _three_in_a_row()
    for candidate in Survey(position, Judge(position), Wishes()).candidates:
        move = candidate.move
        approach = move.path if move.target is None else move.path[: move.target]
        entered = (position.units[move.unit].hex, *approach)
        assert len(set(entered)) == len(entered)


def _three_in_a_row() -> Position:
    return situation(
        red("T1", "tank", "0303", "SE"),
        red("T2", "light_tank", "0304", "NE"),
        red("T3", "light_tank", "0305", "NE"),
        blue("S1", "squad", "0403"),
        blue("S2", "squad", "0404"),
        blue("S3", "squad", "0504"),
    )


def _without(movement: MovementGraph, edge: tuple[int, int]) -> Mapping[str, MovementGraph]:
    graph: nx.DiGraph[int] = nx.DiGraph(movement.graph)
    graph.remove_edge(*edge)
    changed = MovementGraph(
        graph,
        movement.codec,
        movement.movement_class,
        movement.side,
        movement.scale,
        movement._free_hexes,
    )
    return {movement.movement_class: changed}


def test_take_an_edge_away_and_its_lines_are_gone() -> None:
    position = two_tanks()
    movement = movement_graph(position, "tracked")
    judge = Judge(position)
    before = {c.line for c in Survey(position, judge, Wishes()).candidates}
    overruns = sorted(
        (here, there)
        for here, there, attributes in movement.graph.edges(data=True)
        if attributes["kind"] is EdgeKind.OVERRUN
    )
    gone = 0
    for here, there in overruns:
        place = movement.codec.read(there)
        target = place.hex.neighbour(place.facing.opposite)
        left = Survey(position, judge, Wishes(), _without(movement, (here, there))).candidates
        lines = {c.line for c in left}
        assert all(line[1:] != (target, place.facing) for line in lines)
        gone += len(before - lines)
    assert gone == len(before)


def test_target_hex_is_never_one_to_be_cleared() -> None:
    position = _three_in_a_row()
    for candidate in Survey(position, Judge(position), Wishes()).candidates:
        assert candidate.move.target_hex not in candidate.needs
        held = set(hexes(position, "0403 0404 0504")) - {candidate.move.target_hex}
        assert set(candidate.needs) == held & set(candidate.move.path)
