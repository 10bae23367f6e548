"""Lines, legality and exposure against the slow twin, on random small positions.

The twin has its own geometry and enumerates every path; it knows nothing of the movement graph.
Positions come in both orientations and offsets; the seeds are fixed, so a failure names one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from evaluation.script import Enter
from planner.game.legality import blocked, wrong
from planner.game.moves import cost
from planner.game.notation import format_move, parse_move
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.game.sight import sight
from planner.search.exposure import script
from planner.search.graph import movement_graph
from planner.search.lines import lines
from planner.search.why import why
from tests.random_positions import random_moves, random_scenario, write_files
from tests.twin import Facts
from tests.twin import lines as twin_lines
from tests.twin.fire import Fire
from tests.twin.moves import all_paths, can_start
from tests.twin.notation import Move, movement_points, why_not_now, why_wrong

MAPS = [(orientation, offset) for orientation in ("flat", "pointy") for offset in ("odd", "even")]
FAST, ALL = 3, 40
SEEDS = [pytest.param(seed, marks=[pytest.mark.slow] * (seed >= FAST)) for seed in range(ALL)]
pytestmark = [
    pytest.mark.parametrize("seed", SEEDS),
    pytest.mark.parametrize(("orientation", "offset"), MAPS),
]


@lru_cache(maxsize=len(MAPS) * FAST)
def both(orientation: str, offset: str, seed: int) -> tuple[Position, Facts]:
    """The same random position, as the program reads it and as the twin does."""
    scenario, rules = random_scenario(seed, orientation=orientation, offset=offset, min_lines=1)
    with TemporaryDirectory() as directory:
        position = load(write_files(scenario, rules, Path(directory)))
    return position, Facts(scenario, rules)


def test_lines(orientation: str, offset: str, seed: int) -> None:
    """The same lines at the same cost, each with the same move."""
    position, facts = both(orientation, offset, seed)
    board = position.board
    found = [
        (
            line.unit,
            board.name(line.target),
            board.direction_name(line.direction),
            board.name(line.exit),
            line.movement_points,
            format_move(position, line.move),
        )
        for line in lines(position)
    ]
    assert found == sorted(tuple(line) for line in twin_lines(facts))


def test_plain_movement(orientation: str, offset: str, seed: int) -> None:
    """The least points to every hex and facing that is within an AFV's reach."""
    position, facts = both(orientation, offset, seed)
    board = position.board
    for unit in position.movers():
        assert unit.facing is not None
        movement = movement_graph(position, unit.type.movement_class)
        start = movement.codec.node(unit.hex, unit.facing)
        found = {}
        for node, weight in movement.distances(start, unit.movement_left).items():
            there, facing, ended = movement.codec.read(node)
            if not ended:
                key = (board.name(there), board.direction_name(facing))
                found[key] = Fraction(movement.points(weight))
        expected: dict[tuple[str, str], Fraction] = {}
        for path in all_paths(facts, facts.start, unit.id):
            for heading in facts.ground.directions:
                turning = facts.ground.turn_cost(unit.type.movement_class, path.facing, heading)
                points = path.cost + turning
                key = (path.hexes[-1] if path.hexes else board.name(unit.hex), heading)
                if points <= facts.units[unit.id].allowance:
                    expected[key] = min(points, expected.get(key, points))
        assert found == expected or not can_start(facts, facts.start, unit.id)


def test_why_is_legal_just_where_there_is_a_line(orientation: str, offset: str, seed: int) -> None:
    """Over every unit, hex and direction; and the verdict's move is the line's."""
    position, facts = both(orientation, offset, seed)
    board = position.board
    expected = {(line.unit, line.target, line.direction): line.move for line in twin_lines(facts)}
    found = {}
    for unit in position.units:
        for target in board.ground:
            for direction in board.orientation.names:
                verdict = why(position, unit, target, direction)
                assert verdict.legal == (verdict.move is not None)
                if verdict.move is not None:
                    key = (unit, board.name(target), direction)
                    found[key] = format_move(position, verdict.move)
    assert found == expected


def test_moves_are_wrong_or_blocked_alike(orientation: str, offset: str, seed: int) -> None:
    """Cost, wrong and blocked, for legal moves and for the same moves of every other unit."""
    position, facts = both(orientation, offset, seed)
    for move in _some_moves(facts, seed):
        for unit in facts.units:
            twins = move._replace(unit=unit)
            planned = parse_move(position, twins.text)
            faults = _faults(facts, twins)
            assert bool(wrong(position, planned)) == bool(faults), (twins.text, faults)
            if not faults:
                assert cost(position, planned) == movement_points(facts, twins)
                in_the_way = why_not_now(facts, facts.start, twins)
                assert bool(blocked(position, planned)) == bool(in_the_way), twins.text


def test_moves_at_random_are_wrong_alike(orientation: str, offset: str, seed: int) -> None:
    """Paths driven blindly over the map: jumps, bends in the target hex, barred ground, too far."""
    position, facts = both(orientation, offset, seed)
    rng, ground = random.Random(seed), facts.ground
    for _ in range(150):
        unit = rng.choice(facts.order)
        here = facts.place(facts.start, unit) or rng.choice(list(ground.hexes))
        path: list[str] = []
        heading = rng.choice(ground.directions)
        for _ in range(rng.randint(2, 5)):
            if rng.random() < 0.4:
                heading = rng.choice(ground.directions)
            jump = rng.choice(list(ground.hexes)) if rng.random() < 0.03 else None
            here = jump or ground.neighbour(here, heading) or here
            path.append(here)
        if rng.random() < 0.6:
            twins = Move(unit, tuple(path[:-2]), path[-2], path[-1])
        else:
            turn = rng.choice([None, *ground.directions])
            twins = Move(unit, tuple(path), last_turn=turn)
        planned = parse_move(position, twins.text)
        faults = _faults(facts, twins)
        assert bool(wrong(position, planned)) == bool(faults), (twins.text, faults)


def test_lines_of_sight(orientation: str, offset: str, seed: int) -> None:
    """Between many pairs of hexes, both ways."""
    position, facts = both(orientation, offset, seed)
    board, rng = position.board, random.Random(seed)
    for _ in range(200):
        a, b = rng.sample(sorted(board.ground), 2)
        seen = sight(board, position.rules, a, b)
        assert seen.clear == facts.ground.sees(board.name(a), board.name(b))
        assert set(seen.blocking) == set(sight(board, position.rules, b, a).blocking)


def test_exposure(orientation: str, offset: str, seed: int) -> None:
    """Every window of every move holds the shots that the twin's window allows at its start."""
    position, facts = both(orientation, offset, seed)
    ground = facts.ground
    fire = Fire(facts)
    for twins in _some_moves(facts, seed):
        steps = script(position, parse_move(position, twins.text)).steps
        here = facts.place(facts.start, twins.unit)
        for name, step in zip(twins.hexes, steps, strict=True):
            assert here is not None
            facing = ground.direction(here, name)
            assert facing is not None
            if isinstance(step, Enter):
                assert step.at_cover == ground.cover(name, "at_cover")
                expected = [
                    (unit, weapon, ground.distance(place, name), ground.aspect(name, facing, place))
                    for unit in facts.order
                    if (place := facts.place(facts.start, unit)) is not None
                    and facts.units[unit].side == facts.defender
                    and unit not in facts.start.fired
                    and facts.may_fire(facts.start, unit)
                    and place != name  # it can only be entered once they are gone
                    and not (twins.exit == name and place == twins.target)
                    for weapon, _ in sorted(fire.reach(unit, name))
                    if (unit, weapon) not in facts.start.spent
                ]
                shots = [
                    (shot.firer, shot.weapon, shot.distance, shot.aspect.value)
                    for shot in step.shots
                ]
                assert shots == expected, twins.text
            else:
                assert step.cover == ground.cover(name, "cover")
            here = name


def _faults(facts: Facts, move: Move) -> list[str]:
    """What the twin calls wrong, with the AFV's own status, which it looks at when its turn comes.

    Before its own move nothing changes that, so the program calls it wrong at once.
    """
    statuses = {"may not move", "may not overrun"}
    now = why_not_now(facts, facts.start, move) if move.unit in facts.units else []
    return why_wrong(facts, move) + [fault for fault in now if fault in statuses]


def _some_moves(facts: Facts, seed: int) -> Iterator[Move]:
    for moves in random_moves(seed, facts, each=12).values():
        yield from moves
