"""Random Movement Phases small enough for the slow twin, and worth playing.

One AFV alone, or two that share an enemy unit: one that may fire at both, or that both may strike.
"""

from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from planner.game.actions import Fire, Overrun
from planner.game.choices import legal
from planner.game.play_state import Game, new_game
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.play.phase_tree.effort import Effort
from planner.play.phase_tree.solved import Solved
from planner.search.lines import lines
from tests.play.phase_twin import PhaseTwin, TooManyMomentsError
from tests.random_positions import random_scenario, write_files

MOST = 12_000
"""So many moments at most, for the twin."""


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


ALONE = _numbers(
    """
    8 22 34 46 62 66 72 78 80 88 94 98 100 102 108 110 118 124 142 144 150 154 156 164 166 186
    198 216 218 222 226 252 254 256 260 264 274 284 286 290 294 296 304 318 334 336 346 348
    """
)
"""Phases of one AFV that are worth playing."""
TOGETHER: dict[str, tuple[int, ...]] = {
    "shooters and targets": _numbers(
        """
        5 37 103 113 125 151 185 209 211 227 301 363 367 411 431 435 465 467 471 499 517 563
        637 773 825 905
        """
    ),
    "shooters": _numbers("35 45 65 315 377 515 579 765 771 793 835"),
    "targets": _numbers(
        """
        51 83 101 127 221 235 287 303 331 369 389 399 429 487 513 555 639 643 671 703 723 761
        799 893 927
        """
    ),
}
"""Phases of two AFVs, by what enemy units they share."""
NAMED = (*ALONE, *(number for numbers in TOGETHER.values() for number in numbers))
QUICK = (8, 22, 66, 467, 671, 835)
"""Some of them that are walked at once."""
WORTH = 0.05
"""The phase is worth at least so much, or costs its mover so much to begin wrongly."""


class Shared(NamedTuple):
    """Enemy units that two AFVs share: that may fire at both, that both may strike, and that may
    fire at one and be struck by the other."""

    shooters: frozenset[str]
    targets: frozenset[str]
    crossed: frozenset[str]


class Small(NamedTuple):
    """One phase: the number it was drawn with, the game at its start, the own-loss weight, the twin
    that has walked it, the worth at stake (model page, "Proof"), and what its AFVs share."""

    number: int
    game: Game
    own_loss: float
    twin: PhaseTwin
    at_stake: float
    shared: Shared


def drawn(number: int) -> tuple[Game, float]:
    """A phase by its number: one AFV (even) or two (odd), orientation, stacking limit and rolls in
    turn, else at random."""
    afvs = 1 + number % 2
    rng = random.Random(f"small phase/{number}")
    scenario, rules = random_scenario(
        number,
        orientation=("flat", "pointy")[number // 2 % 2],
        stacking=(1, 2)[number // 4 % 2],
        roll_per=("hex", "unit")[number // 8 % 2],
        afvs=afvs,
        enemies=rng.randint(2, 4) if afvs > 1 else rng.randint(1, 4),
        columns=5,
        rows=5,
        objectives=number % 5 == 0,
        min_lines=2 * afvs - 1,
    )
    rules["overrun"]["movement_points"] = 0 if afvs > 1 else rng.choice([0, 0, 1])
    left = rng.choice([3, 4, 4, 5] if afvs > 1 else [3, 4, 5])
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


def shared_units(twin: PhaseTwin) -> Shared:
    """What two AFVs share in the moments that the twin has walked, as the rules of play list the
    shots and the overruns there."""
    fire: dict[str, set[str]] = {}
    struck: dict[str, set[str]] = {}
    for game in twin.games.values():
        for action in legal(game):
            if isinstance(action, Fire) and game.under_way is not None:
                fire.setdefault(game.under_way.unit, set()).add(action.firer)
            elif isinstance(action, Overrun):
                there = game.position.enemies_in(action.target)
                struck.setdefault(action.unit, set()).update(enemy.id for enemy in there)
    afvs = sorted(fire.keys() | struck.keys())
    if len(afvs) != 2:
        return Shared(frozenset(), frozenset(), frozenset())
    one, other = afvs
    fires = [fire.get(one, set()), fire.get(other, set())]
    strikes = [struck.get(one, set()), struck.get(other, set())]
    crossed = (fires[0] & strikes[1]) | (fires[1] & strikes[0])
    return Shared(
        frozenset(fires[0] & fires[1]), frozenset(strikes[0] & strikes[1]), frozenset(crossed)
    )


def small(number: int, most: int = MOST) -> Small | None:
    """The phase if it is worth anything, two AFVs share something, and the twin can walk it."""
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
    shared = shared_units(twin)
    if afvs == 2 and not (shared.shooters or shared.targets):
        return None
    return Small(number, game, own_loss, twin, worth_at_stake(game.position), shared)


@lru_cache(maxsize=12)
def named(number: int) -> Small:
    """One of the named phases. Its AFVs share what the name says."""
    one = small(number)
    assert one is not None, "the phase is not worth playing any more: name another"
    for what, numbers in TOGETHER.items():
        if number in numbers:
            assert bool(one.shared.shooters) is ("shooters" in what)
            assert bool(one.shared.targets) is ("targets" in what)
    return one
