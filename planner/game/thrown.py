"""Shots and attacks with dice that are thrown, told as they fall."""

from __future__ import annotations

from dataclasses import replace

from evaluation.rolled import Throw, attack_rolled, shot_rolled
from evaluation.rules import RollPer
from evaluation.tables import CombatTable
from planner.game.actions import Fire, Overrun
from planner.game.attack import Attack
from planner.game.chance import DiceSource, Purpose, Roll
from planner.game.events import Attacked, Event, Fired, Resulted, Rolled
from planner.game.play_state import Game
from planner.game.shots import aimed, under_fire


def thrown_shot(game: Game, fire: Fire, dice: DiceSource, log: list[Event]) -> str:
    """The AFV's status after a shot."""
    afv, _ = under_fire(game)
    made = aimed(game, fire)
    strength, modifier = made.strength, made.modifier
    log.append(Fired(fire.firer, fire.weapon, fire.leader, made.final, afv.id, strength, modifier))
    assert game.under_way is not None
    route = game.under_way.route
    rules = game.position.rules.combat
    roll = Roll(
        Purpose.SHOT,
        game.position.turn,
        game.position.to_move,
        afv.id,
        len(route) - 1,
        fire.firer,
        hex=game.position.board.name(route[-1]),
        modifier=modifier,
        column=_heading(rules.at, strength),
    )
    throw = _throw(game, roll, afv.id, fire.firer, dice, log)
    rolled = shot_rolled(rules, afv.type.combat, afv.status.name, strength, modifier, throw)
    log.append(Resulted(afv.id, rolled.result, afv.status.name, rolled.status))
    return rolled.status


def thrown_attack(
    game: Game, overrun: Overrun, made: Attack, dice: DiceSource, log: list[Event]
) -> tuple[str, ...]:
    """The statuses of the units struck after an overrun's attack."""
    position, ids = game.position, tuple(unit.id for unit in made.struck)
    log.append(Attacked(overrun.unit, overrun.target, made.strength, made.cover, ids))
    rules = position.rules.combat
    roll = Roll(
        Purpose.ATTACK,
        position.turn,
        position.to_move,
        overrun.unit,
        1 if game.under_way is None else len(game.under_way.route),
        None,
        hex=position.board.name(overrun.target),
        modifier=made.cover,
        column=_heading(rules.ap, made.strength),
    )
    per_unit = rules.ap_roll_per is RollPer.UNIT
    throws = [
        _throw(game, replace(roll, unit=name if per_unit else None), name, None, dice, log)
        for name in ids
    ]
    struck = [(unit.type.combat, unit.status.name) for unit in made.struck]
    rolled = attack_rolled(rules, made.strength, made.cover, struck, throws)
    for unit, each in zip(made.struck, rolled, strict=True):
        log.append(Resulted(unit.id, each.result, unit.status.name, each.status))
    return tuple(each.status for each in rolled)


def _heading(table: CombatTable, strength: int) -> int | None:
    """The heading of the column used; None below the first."""
    index = table.column(strength)
    return None if index is None else table.columns[index]


def _throw(
    game: Game, roll: Roll, checks: str, by: str | None, dice: DiceSource, log: list[Event]
) -> Throw:
    """How the yardstick throws for one unit: the roll, then the checks that the unit makes."""
    kind = game.position.rules.combat.dice

    def throw(check: int, needed: int | None) -> int:
        asked = roll
        if check:
            asked = replace(
                roll,
                purpose=Purpose.CHECK,
                unit=checks,
                check=check,
                by=by,
                modifier=0,
                column=None,
                rating=needed,
            )
        total = dice.roll(asked, kind)
        log.append(Rolled(asked, total))
        return total

    return throw
