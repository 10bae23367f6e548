"""What a game, or a part of it, has brought each side (model page, "Payoff")."""

from __future__ import annotations

from collections.abc import Mapping

from planner.game.play_state import Game
from planner.game.position import Position


def payoff(before: Position, after: Position, side: str, own_loss: float = 1.0) -> float:
    """The payoff to a side of what happened from one position to a later one of the same game.

    Worth lost by the other side less ``own_loss`` times that lost by its own, once-weapons spent
    included, and worth of the objectives it gained less that of those it lost. For the side to
    move, with the objectives of the end of the phase (`planner.game.turns.with_objectives`) and
    before any recovery, this is the payoff that plans are valued by.
    """
    total = 0.0
    for name, unit in after.units.items():
        was = before.units[name]
        if unit is was:
            continue
        lost = unit.type.combat.worth * (unit.status.loss - was.status.loss)
        gone = unit.spent - was.spent
        if gone:
            lost += sum(w.price for w in unit.type.combat.weapons if w.name in gone)
        total += -own_loss * lost if unit.side == side else lost
    for then, now in zip(before.objectives, after.objectives, strict=True):
        if now.held_by != then.held_by:
            if now.held_by == side:
                total += now.worth
            elif then.held_by == side:
                total -= now.worth
    return total


def score(game: Game, own_loss: float = 1.0) -> Mapping[str, float]:
    """What each side has of the game so far, by the side's id, counted from the game's start.

    It is the payoff, but that an objective which changed hands counts its worth once for the side
    that holds it now and once against the other, whoever held it before: with an own-loss weight of
    1 the two sides' scores add up to 0.
    """
    before, after = game.started, game.position
    found: dict[str, float] = {}
    for side in (known.id for known in after.sides):
        total = payoff(before, after, side, own_loss)
        for then, now in zip(before.objectives, after.objectives, strict=True):
            unheld = then.held_by is None and now.held_by is not None
            if unheld and now.held_by != side:
                total -= now.worth
        found[side] = total
    return found
