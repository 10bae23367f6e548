"""One shot and one attack with dice that are thrown: the same charts as `evaluation.resolve`, one
total at a time.

Whoever asks hands in how dice are thrown. ``throw(check, needed)`` throws for one unit: check 0 is
its roll on the combat table, 1 and on are the checks that its result calls for, one after the
other, each passed at or below ``needed`` (None for check 0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.dice import Dice
from evaluation.rules import CombatRules, RollPer
from evaluation.tables import NO_EFFECT, Check, CombatTable, Effect, effect_outcomes
from evaluation.units import CombatType

Throw = Callable[[int, int | None], int]


@dataclass(frozen=True, slots=True)
class Rolled:
    """What a throw made of a unit: the result on the chart, and the status after it."""

    result: str
    status: str


def shot_rolled(
    rules: CombatRules, target: CombatType, status: str, strength: int, modifier: int, throw: Throw
) -> Rolled:
    """What one shot makes of an AFV in ``status``; arguments as of `shot_outcomes`."""
    result = _result(rules.at, strength, modifier, throw)
    effect = rules.at_effect(result)
    return Rolled(result, _after(effect, status, target.ratings or {}, rules.dice, throw))


def attack_rolled(
    rules: CombatRules,
    strength: int,
    cover: int,
    struck: Sequence[tuple[CombatType, str]],
    throws: Sequence[Throw],
) -> tuple[Rolled, ...]:
    """What one AP attack makes of each unit it strikes; arguments as of `attack_outcomes`.

    ``throws`` has one for each unit struck. Where the rules roll once for the hex the first one's
    is thrown, and its result holds for all.
    """
    per_hex = rules.ap_roll_per is RollPer.HEX
    found: list[Rolled] = []
    for (unit, status), throw in zip(struck, throws, strict=True):
        shared = found[0].result if found and per_hex else None
        result = shared or _result(rules.ap, strength, cover, throw)
        effect = rules.ap_effect(unit.kind, result)
        after = _after(effect, status, unit.ratings or {}, rules.dice, throw)
        found.append(Rolled(result, after))
    return tuple(found)


def _result(table: CombatTable, strength: int, modifier: int, throw: Throw) -> str:
    """The result of one throw; below the first column none is needed."""
    if table.column(strength) is None:
        return NO_EFFECT
    return table.result(strength, throw(0, None) + modifier)


def _after(
    effect: Effect, status: str, ratings: Mapping[str, int], dice: Dice, throw: Throw
) -> str:
    """The status after a result; what a check can't change is not thrown for."""
    check = 0
    while isinstance(effect, Check):
        sure = effect_outcomes(effect, status, ratings, dice)
        if len(sure) == 1:
            return sure[0][0]
        check += 1
        needed = ratings[effect.rating] + effect.modifier
        effect = effect.passed if throw(check, needed) <= needed else effect.failed
    return effect.to.get(status, status)
