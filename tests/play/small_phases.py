"""Random Movement Phases small enough for the slow twin, and worth playing.

One or two AFVs with few movement points left next to the enemy, who share a shooter or a target.
"""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from planner.game.play_state import Game, new_game
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.play.phase_tree.effort import Effort
from planner.play.phase_tree.solved import Solved
from planner.search.lines import lines
from tests.play.phase_twin import PhaseTwin, TooManyMomentsError
from tests.random_positions import random_scenario, write_files

MOST = 5_000
"""So many moments at most, for the twin."""
NAMED: tuple[int, ...] = (
    7,
    8,
    22,
    34,
    46,
    62,
    66,
    72,
    78,
    80,
    88,
    94,
    98,
    100,
    102,
    103,
    108,
    110,
    118,
    124,
    125,
    142,
    144,
    150,
    154,
    156,
    164,
    166,
    183,
    186,
    198,
    201,
    211,
    216,
    218,
    222,
    226,
    235,
    252,
    254,
    256,
    260,
    264,
    274,
    284,
    285,
    286,
    290,
    294,
    296,
    303,
    304,
    318,
    334,
    336,
    346,
    348,
    350,
    362,
    367,
    376,
    378,
    390,
    392,
    396,
    402,
    410,
    412,
    414,
    416,
    430,
    436,
    440,
    448,
    450,
    452,
    458,
    465,
    466,
    490,
    494,
    498,
    504,
    508,
    514,
    525,
    540,
    542,
    554,
    556,
    572,
    574,
    576,
    578,
    588,
    590,
    592,
    594,
    596,
    599,
    603,
    612,
    614,
    618,
    620,
    624,
    651,
    671,
)
"""Numbers of phases that are worth playing: even ones have one AFV, odd ones two."""
QUICK = (8, 22, 66, 103, 183, 285)
"""Some of them that are walked at once."""
WORTH = 0.05
"""The phase is worth at least so much, or costs its mover so much to begin wrongly."""


class Small(NamedTuple):
    """One phase: the number it was drawn with, the game at its start, the own-loss weight, the twin
    that has walked it, and the worth at stake (model page, "Proof")."""

    number: int
    game: Game
    own_loss: float
    twin: PhaseTwin
    at_stake: float


def drawn(number: int) -> tuple[Game, float]:
    """A phase by its number: one AFV or two, orientation, stacking limit and rolls in turn, else at
    random."""
    afvs = 1 + number % 2
    rng = random.Random(f"small phase/{number}")
    scenario, rules = random_scenario(
        number,
        orientation=("flat", "pointy")[number // 2 % 2],
        stacking=(1, 2)[number // 4 % 2],
        roll_per=("hex", "unit")[number // 8 % 2],
        afvs=afvs,
        enemies=rng.randint(2, 5) if afvs > 1 else rng.randint(1, 4),
        columns=5,
        rows=5,
        objectives=number % 5 == 0,
        min_lines=2 * afvs - 1,
    )
    rules["overrun"]["movement_points"] = 0 if afvs > 1 else rng.choice([0, 0, 1])
    left = rng.choice([2, 3, 3] if afvs > 1 else [3, 4, 5])
    for unit in scenario["units"]:
        kind: dict[str, Any] = rules["types"][unit["type"]]
        if unit["side"] == "red" and kind["kind"] == "afv":
            unit["movement_used"] = kind["movement"] - min(kind["movement"], left)
    with TemporaryDirectory() as directory:
        position = load(write_files(scenario, rules, Path(directory)))
    return new_game(position), rng.choice([1.0, 1.0, 0.5, 1.75])


def worth_at_stake(position: Position) -> float:
    """The worth of enemy units that some legal line strikes, of the AFVs with a line, and of
    objectives."""
    found = lines(position)
    units = {line.move.unit for line in found}
    for line in found:
        units |= {enemy.id for enemy in position.enemies_in(line.target)}
    goals = sum(objective.worth for objective in position.objectives)
    return goals + sum(position.units[name].type.combat.worth for name in units)


def small(number: int, most: int = MOST) -> Small | None:
    """The phase if it is worth anything, its AFVs share something, and the twin can walk it."""
    game, own_loss = drawn(number)
    afvs = 1 + number % 2
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
    return Small(number, game, own_loss, twin, worth_at_stake(game.position))
