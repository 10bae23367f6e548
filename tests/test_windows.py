"""Windows are remembered by what matters to them, and never remembered wrongly."""

from __future__ import annotations

import gc
import random
import weakref
from dataclasses import replace

import pytest

from evaluation.script import Shot
from evaluation.units import Aspect
from planner.game.board import Board
from planner.game.hexes import DIRECTIONS
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.game.windows import at_cover, bearing_of, cover, unseen, window
from tests.situations import blue, hexes, red, situation

T1 = red("T1", "tank", "0302", "S")
G1 = blue("G1", "at_gun", "0305", "N")


def fresh(position: Position) -> Position:
    """The same position on a board that nothing is remembered of."""
    return replace(position, board=replace(position.board))


@pytest.mark.parametrize("name", ["carentan", "ponyri"])
def test_a_changed_position_has_the_windows_of_one_made_so(name: str) -> None:
    """Units change hex, facing, marker, status and weapons, one after the other."""
    position = load(name)
    rng = random.Random(name)
    ground = sorted(position.board.ground)
    for _ in range(60):
        unit = rng.choice([u for u in position.units.values() if u.side == position.defender])
        changes: list[dict[str, object]] = [
            {"fired": not unit.fired},
            {"facing": rng.choice(DIRECTIONS)},
            {"status": rng.choice(list(position.rules.combat.statuses[unit.kind].values()))},
            {"spent": frozenset(w.name for w in unit.type.combat.weapons if w.once)},
            {"hex": rng.choice(ground)},
        ]
        position = position.with_units(replace(unit, **rng.choice(changes)))  # type: ignore[arg-type]
        hex_, facing = rng.choice(ground), rng.choice(DIRECTIONS)
        assert window(position, hex_, facing, None) == window(fresh(position), hex_, facing, None)


def test_the_target_hex_makes_no_ordinary_shots() -> None:
    position = situation(T1, G1)
    here, target = hexes(position, "0303 0305")
    assert window(position, here, DIRECTIONS[3], None).shots == (
        Shot("G1", "gun", 2, Aspect.FRONT),
    )
    assert window(position, here, DIRECTIONS[3], target).shots == ()


def test_cover_of_both_kinds() -> None:
    position = situation(T1, hexes=[{"hex": "0303", "terrain": "woods", "features": ["foxholes"]}])
    (here,) = hexes(position, "0303")
    assert (cover(position, here), at_cover(position, here)) == (3, 1)


def test_why_the_map_allows_no_shot() -> None:
    wall = [{"hex": "0304", "terrain": "woods"}]
    position = situation(T1, G1, blue("G2", "at_gun", "0503", "S"), hexes=wall)
    (here,) = hexes(position, "0303")
    units = position.units
    assert unseen(position, units["G1"], here) == (
        "0304 blocks the line of sight from 0305 to 0303"
    )
    assert unseen(position, units["G2"], here) == "0303 is outside the field of fire of G2"
    assert unseen(position, units["G1"], units["G1"].hex) == "G1 is in 0305 itself"
    assert bearing_of(position, units["G1"], here, DIRECTIONS[3]) is None


def test_what_is_remembered_goes_with_the_board() -> None:
    position = fresh(situation(T1, G1))
    board: weakref.ReferenceType[Board] = weakref.ref(position.board)
    (here,) = hexes(position, "0303")
    window(position, here, DIRECTIONS[3], None)
    del position
    gc.collect()
    assert board() is None
