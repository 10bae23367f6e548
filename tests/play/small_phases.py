"""Random Movement Phases small enough for the slow twin, and worth playing.

One or two AFVs with few movement points left next to the enemy, who share a shooter or a target.
"""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from planner.game.play_state import Game, new_game
from planner.game.read_scenario import load
from planner.play.phase_tree.effort import Effort
from planner.play.phase_tree.solved import Solved
from tests.play.phase_twin import PhaseTwin, TooManyMomentsError
from tests.random_positions import random_scenario, write_files

WORTH = 0.05
"""The phase is worth at least so much, or costs its mover so much to begin wrongly."""


class Small(NamedTuple):
    """One phase: the game at its start, the own-loss weight, the twin that has walked it, and the
    number it was drawn with."""

    number: int
    game: Game
    own_loss: float
    twin: PhaseTwin


def drawn(number: int, afvs: int) -> tuple[Game, float]:
    """A phase by its number: orientation and stacking limit in turn, the rest at random."""
    rng = random.Random(f"small phase/{number}")
    scenario, rules = random_scenario(
        number,
        orientation=("flat", "pointy")[number // 2 % 2],
        stacking=(1, 2)[number // 4 % 2],
        roll_per=("hex", "unit")[number // 8 % 2],
        afvs=afvs,
        enemies=rng.randint(1, 4),
        columns=5,
        rows=5,
        objectives=number % 5 == 0,
        min_lines=1,
    )
    rules["overrun"]["movement_points"] = rng.choice([0, 0, 1])
    left = rng.choice([2, 3] if afvs > 1 else [3, 4, 5])
    for unit in scenario["units"]:
        kind: dict[str, Any] = rules["types"][unit["type"]]
        if unit["side"] == "red" and kind["kind"] == "afv":
            unit["movement_used"] = kind["movement"] - min(kind["movement"], left)
    with TemporaryDirectory() as directory:
        position = load(write_files(scenario, rules, Path(directory)))
    return new_game(position), rng.choice([1.0, 1.0, 0.5, 1.75])


def small(number: int, afvs: int, most: int) -> Small | None:
    """The phase if it is worth anything, its AFVs share something, and the twin can walk it."""
    game, own_loss = drawn(number, afvs)
    if len(list(game.position.movers())) != afvs:
        return None
    solved = Solved(game, own_loss, Effort(1_000_000))
    if len(solved.clashes) != 1 or len(solved.clashes[0].units) != afvs:
        return None
    twin = PhaseTwin(own_loss, most)
    try:
        value = twin.value(game)
    except TooManyMomentsError:
        return None
    options = [each for _, each in twin.options(game)]
    ends = twin.options(game)[-1][1]
    if value - ends < WORTH or max(options) - min(options) < WORTH:
        return None
    return Small(number, game, own_loss, twin)
