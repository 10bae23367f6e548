"""Positions with something changed: the rest as it was, and who stands where always right."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from planner.game.position import Position
from planner.game.read_scenario import load
from tests.situations import blue, hexes, red, situation


def standing(position: Position) -> dict[str, list[str]]:
    return {
        position.board.name(hex_): [unit.id for unit in units]
        for hex_, units in position.standing.items()
    }


@pytest.mark.parametrize("looked", [False, True])
def test_one_unit_changed(looked: bool) -> None:
    before = situation(red("T1", "tank", "0303", "N"), red("T2", "tank", "0303", "N"))
    if looked:  # what has been looked up is taken over
        assert standing(before) == {"0303": ["T1", "T2"]}
    (there,) = hexes(before, "0304")
    after = before.with_units(replace(before.units["T1"], hex=there))
    assert standing(after) == {"0303": ["T2"], "0304": ["T1"]}
    assert standing(before) == {"0303": ["T1", "T2"]}
    assert after.units["T2"] is before.units["T2"]
    assert after.board is before.board


def test_other_fields_too() -> None:
    before = situation(red("T1", "tank", "0303", "N"), blue("S1", "squad", "0101"))
    assert before.standing
    after = before.with_units(to_move="blue", turn=7)
    assert (after.to_move, after.turn, after.defender) == ("blue", 7, "red")
    assert after.units == before.units
    assert [unit.id for unit in after.enemies_in(before.units["T1"].hex)] == ["T1"]


def test_no_such_unit() -> None:
    before = situation(red("T1", "tank", "0303", "N"))
    with pytest.raises(KeyError):
        before.with_units(replace(before.units["T1"], id="T9"))


def test_who_stands_where_after_many_changes() -> None:
    """Against the same looked up anew: moves, losses, several units at once, carried ones too."""
    position = load("ponyri")
    rng = random.Random(1)
    ground = sorted(position.board.ground)
    for _ in range(200):
        assert position.standing
        changed = []
        for unit in rng.sample(list(position.units.values()), rng.randint(1, 3)):
            statuses = list(position.rules.combat.statuses[unit.kind].values())
            hex_ = rng.choice(ground) if rng.random() < 0.6 else unit.hex
            changed.append(replace(unit, hex=hex_, status=rng.choice(statuses)))
        position = position.with_units(*changed)
        anew = replace(position)
        assert position.standing == anew.standing
        assert list(position.units) == sorted(position.units)
