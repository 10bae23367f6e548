"""Levels of strength: how far a bot looks, and how much it misjudges.

A weaker level searches less, and its judgement of every choice is off by a little that hangs on the
position and the choice alone (`planner.play.digest`): the same position, the same mistakes.
"""

from __future__ import annotations

from dataclasses import dataclass

from planner.game.actions import Action, format_action
from planner.game.play_state import Game
from planner.play.digest import digest

SCALE = 2**64


@dataclass(frozen=True, slots=True)
class Level:
    """One level of strength.

    ``share``: of the effort it is given, how much it uses. ``follows``: it minds what other AFVs do
    after the next move; else it looks at one AFV's move by itself. ``foresees``: it minds that
    later moves are chosen after seeing what came of earlier ones. ``exact``: where a moment is
    small it looks at all that may happen. ``noise``: by how much of an AFV's worth its judgement of
    a choice may be off, either way; ``salt``: another salt, other mistakes of the same size.
    """

    name: str
    share: float
    follows: bool
    foresees: bool
    exact: bool
    noise: float
    salt: str = ""


LEVELS = {
    level.name: level
    for level in (
        Level("recruit", 0.25, follows=False, foresees=False, exact=False, noise=0.3),
        Level("regular", 0.5, follows=False, foresees=False, exact=False, noise=0.1),
        Level("veteran", 0.5, follows=True, foresees=False, exact=False, noise=0.0),
        Level("ace", 1.0, follows=True, foresees=True, exact=True, noise=0.0),
    )
}
"""All levels by name, the weakest first."""
BEST = "ace"


def level(name: str) -> Level:
    """The level of that name.

    Raises:
        ValueError: there is none.
    """
    found = LEVELS.get(name)
    if found is None:
        raise ValueError(f"there is no level {name!r} (levels: {', '.join(LEVELS)})")
    return found


def misjudged(level_: Level, game: Game, action: Action) -> float:
    """By how much the level's judgement of an action is off, in worth: between plus and minus
    ``noise`` of the mean worth of the mover's AFVs on the map, the same whenever the same position
    comes up."""
    if not level_.noise:
        return 0.0
    number = digest(game, f"{level_.salt}|{format_action(game.position, action)}")
    worths = [unit.type.combat.worth for unit in game.position.movers()]
    mean = sum(worths) / len(worths) if worths else 0.0
    return level_.noise * mean * (2 * number / SCALE - 1)
